/* SPDX-License-Identifier: Apache-2.0 */
/* exceptions.c has the rows whose expected code differs from that of their
 * kind. */
#include "tests/system/misuse/misuse.h"

const struct exception exceptions[] = {
    {"mrt_init", "", "good", MRT_ERR_STATE},
    {"mrt_init_thread", "", "good", MRT_ERR_STATE},
    /* it would free the values */
    {"mrt_type_blocks", "*", "*", MRT_ERR_ARG},
    /* the return value is no error code */
    {"mrt_initialized", "*", "*", EITHER},
    {"mrt_comm_locality", "", "good", EITHER},
    {"mrt_variable", "*", "*", EITHER},
    {"mrt_counters", "*", "*", EITHER},
    {"mrt_comm_data", "*", "*", FINE},
    {"mrt_win_data", "*", "*", FINE},
    {"mrt_type_data", "*", "*", FINE},
    {"mrt_type_form", "*", "*", FINE},
    {"mrt_type_size", "*", "*", FINE},
    {"mrt_algorithm_name", "*", "*", FINE},
    {"mrt_medium", "*", "*", FINE}, /* returns NULL */
    /* the operation does not fit the type, committed or not */
    {"*", "type", "an uncommitted type", ANY},
    /* not checked: no buffer is overrun */
    {"mrt_*sendrecv", "sendbuf", "recvbuf", FINE},
    {"mrt_*sendrecv", "recvbuf", "sendbuf", FINE},
    /* rank 0 receives nothing */
    {"mrt_*exscan*", "recvbuf", "*", FINE},
    {"mrt_*exscan*", "sendbuf", "recvbuf", FINE},
    /* functions that take MRT_IN_PLACE elsewhere */
    {"*reduce_scatter*", "recvbuf", "MRT_IN_PLACE", MRT_ERR_BUFFER},
    {"*allreduce*", "sendbuf", "MRT_IN_PLACE", FINE},
    {"mrt_*neighbor_*", "sendbuf", "MRT_IN_PLACE", MRT_ERR_BUFFER},
    {"*reduce*", "sendbuf", "MRT_IN_PLACE", FINE},
    {"*scan*", "sendbuf", "MRT_IN_PLACE", FINE},
    {"*gather*", "sendbuf", "MRT_IN_PLACE", FINE},
    {"*alltoall*", "sendbuf", "MRT_IN_PLACE", FINE},
    {"*scatter", "recvbuf", "MRT_IN_PLACE", FINE},
    {"*scatterv", "recvbuf", "MRT_IN_PLACE", FINE},
    {"*scatter*_init", "recvbuf", "MRT_IN_PLACE", FINE},
    {NULL, NULL, NULL, 0},
};
