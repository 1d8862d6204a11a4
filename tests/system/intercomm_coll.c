/* SPDX-License-Identifier: Apache-2.0 */
/* intercomm_coll.c: collectives of intercommunicators. */
#include "tests/system/intercomm.h"

const struct api_case intercomm_coll[] = {{NULL, NULL}};
