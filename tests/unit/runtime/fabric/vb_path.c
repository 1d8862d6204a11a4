/* SPDX-License-Identifier: Apache-2.0 */
/* vb_path.c: the path to a peer has the service level and traffic class that
 * are wanted or that the site has set, and a global header where the port needs
 * one. */
#include "runtime/fabric/verbs/vb_conn.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

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

/* ---- a site's traffic class, in files like those of /sys ---- */

static char sys[] = "/tmp/vb_path.XXXXXX";
static const struct vb_port roce = {
    .net.kind = VB_IPV4, .device = "mlx5_0", .number = 1};

/* Writes a file below sys whose folders need not exist; NULL: removes it. */
static void put_file(const char *name, const char *text)
{
	char path[256];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", sys, name);
	for (char *c = path + sizeof(sys); text && *c; c++) {
		if (*c != '/')
			continue;
		*c = '\0';
		mkdir(path, 0700);
		*c = '/';
	}
	f = text ? fopen(path, "w") : NULL;
	if (f) {
		fputs(text, f);
		fclose(f);
	} else {
		remove(path);
	}
}

static void is_class(int want, const char *name)
{
	is_int(vb_ports_traffic_class(&roce, sys), want, "%s", name);
}

static void test_classes(void)
{
	const char *driver = "class/infiniband/mlx5_0/tc/1/traffic_class";
	const char *kernel =
	    "kernel/config/rdma_cm/mlx5_0/ports/1/default_roce_tos";
	struct vb_port ib = roce;
	char command[64];

	ok(mkdtemp(sys) != NULL, "a folder like /sys");
	is_class(106, "RoCE of which nothing is said has 106");
	put_file(kernel, "0\n");
	is_class(106, "a kernel's default that nobody has set is none");
	put_file(kernel, "96\n");
	is_class(96, "the kernel's default of the port");
	put_file(driver, "");
	is_class(96, "a driver's class that is not set");
	put_file(driver, "src_ip=10.0.0.1,tclass=32\n");
	is_class(96, "a driver's class of some addresses only");
	put_file(driver, "Global tclass=160\n");
	is_class(160, "the driver's class, which it uses anyway");
	put_file(driver, "Global tclass=1000\n");
	is_class(96, "what is no class");
	ib.net.kind = VB_INFINIBAND;
	is_int(vb_ports_traffic_class(&ib, sys), 0, "InfiniBand has 0");
	env.ib_tc = 0;
	is_class(0, "MRT_IB_TC=0");
	env.ib_tc = 8;
	is_int(vb_ports_traffic_class(&ib, sys), 8, "MRT_IB_TC=8");
	snprintf(command, sizeof(command), "rm -r %s", sys);
	is_int(system(command), 0, "the folder goes");
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
	vb.dev.traffic_class = 106;
	ah = path(IBV_LINK_LAYER_ETHERNET, 0);
	is_int(ah.is_global, 1, "Ethernet: always");
	is_int(ah.sl, 5, "MRT_IB_SL");
	is_int(ah.grh.traffic_class, 106, "and the traffic class of the port");
	ah = path(IBV_LINK_LAYER_INFINIBAND, 0);
	is_int(ah.sl, 5, "MRT_IB_SL without a global header");
	test_classes();
	/* the last repetition, of Soft-RoCE the sixth */
	ok(vb_retry_ns() / 8 * 6 > 10000000000u,
	   "by default repetitions outlast the retraining of a link, 10 s");
	return tap_done();
}
