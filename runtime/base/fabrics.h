/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fabrics.h: the list of fabrics, in order of preference. The table of
 * providers (runtime/fabric/fabric.c) and the values of MRT_FABRIC (env_defs.h)
 * come from it. It is part of base because mrun shows these values and has no
 * fabric.
 */
#ifndef BASE_FABRICS_H
#define BASE_FABRICS_H

#define PROVIDERS(X) X(sm) X(verbs) X(ofi)

#define FABRIC_NAME(name) "|" #name
#define FABRIC_NAMES PROVIDERS(FABRIC_NAME)
#endif
