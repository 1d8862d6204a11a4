/* SPDX-License-Identifier: Apache-2.0 */
/* vb_path.c: the path to a peer has the service level and traffic class that
 * are wanted, and a global header where the port needs one. */
#include "runtime/fabric/verbs/vb_conn.h"

#include "runtime/base/env.h"
#include "tests/tap.h"

static struct vb vb = {.dev = {.port = 2, .gid_index = 3}};
static const struct vb_card card = {.gid = {0xfe, 0x80, [15] = 9}, .lid = 77};

static struct ibv_ah_attr path(int layer, unsigned flags)
{
	struct ibv_ah_attr ah;

	vb.dev.port_attr.link_layer = (uint8_t)layer;
	vb.dev.port_attr.flags = (uint8_t)flags;
	vb_qp_address(&vb, &card, &ah);
	return ah;
}

int main(void)
{
	struct ibv_ah_attr ah = path(IBV_LINK_LAYER_INFINIBAND, 0);

	is_int(ah.is_global, 0, "InfiniBand: no global header");
	ok(ah.dlid == 77 && ah.port_num == 2 && ah.sl == 0,
	   "LID, port and service level 0");
	ah = path(IBV_LINK_LAYER_INFINIBAND, IBV_QPF_GRH_REQUIRED);
	is_int(ah.is_global, 1, "a port that requires one has it");
	ok(ah.grh.dgid.raw[15] == 9 && ah.grh.sgid_index == 3 &&
	       ah.grh.hop_limit > 1 && ah.grh.traffic_class == 0,
	   "with both addresses, and traffic class 0");
	env.ib_sl = 5;
	env.ib_tc = 106;
	ah = path(IBV_LINK_LAYER_ETHERNET, 0);
	is_int(ah.is_global, 1, "Ethernet: always");
	is_int(ah.sl, 5, "MRT_IB_SL");
	is_int(ah.grh.traffic_class, 106, "MRT_IB_TC");
	ah = path(IBV_LINK_LAYER_INFINIBAND, 0);
	is_int(ah.sl, 5, "MRT_IB_SL without a global header");
	return tap_done();
}
