# SPDX-License-Identifier: Apache-2.0
# verbs_modes.t: one machine, everything through the device, with settings and
# limits that take other paths.
. "${top_srcdir:?run by make check-cluster}/tests/cluster/lib.sh"
CLUSTER_TIMEOUT=900
in_cluster -N 1
need_mrun
export MRT_FABRIC=verbs
tests=$top_builddir/tests
counters_start

# storm LABEL RANKS NAME=VALUE...
storm()
{
	label=$1
	ranks=$2
	shift 2
	cases "$label" env "$@" "$MRUN" -n "$ranks" "$tests/system/storm" \
		--messages 500 --seed 5 --max 300000
}

cases "at first use: api:" env MRT_MESH_MAX=0 "$MRUN" -n 3 "$tests/system/api"
storm "at first use, 1 rank:" 1 MRT_MESH_MAX=0
storm "at first use, 5 ranks:" 5 MRT_MESH_MAX=0
storm "sleeping at once:" 3 MRT_SPIN=0 MRT_SLEEP_US=0
storm "polling only:" 2 MRT_SPIN=1000000000
storm "no eager messages:" 3 MRT_IB_EAGER_MAX=0
storm "nothing stays registered:" 3 MRT_REG_CACHE=0
storm "few receive buffers:" 4 MRT_IB_POOL=64K

cases "memory that changes:" "$MRUN" -n 2 "$tests/system/remap"
cases "memory that changes, sent eagerly:" env MRT_IB_EAGER_MAX=64K "$MRUN" \
	-n 2 "$tests/system/remap"

run 60 "$MRUN" -n 1 -x MRT_MESH_MAX=0 "$top_builddir/mrt-hello" : \
	-n 1 -x MRT_MESH_MAX=9 "$top_builddir/mrt-hello"
is "$rc" 76 "ranks that disagree on MRT_MESH_MAX do not connect"
like "$err" 'set MRT_MESH_MAX alike on all' "and say why"

# nobody KIB prints how to run as another user with a limit on locked memory:
# for root it does not hold.
nobody()
{
	echo prlimit --memlock=$(($1 * 1024)) setpriv --reuid 65534 \
		--regid 65534 --clear-groups --bounding-set=-all
}
chmod 1777 "$work" "$work/tmp"
for limit in 64 1000; do
	cases "$limit KiB of locked memory:" $(nobody $limit) "$MRUN" -n 3 \
		"$tests/system/storm" --messages 300 --seed 6 --max 300000
	like "$err" 'cannot be registered.*ulimit -l' \
		"$limit KiB: a warning says so"
	[ "$(grep -c 'cannot be registered' "$err")" -le 3 ]
	is $? 0 "at most once for each rank"
done
cases "64 KiB of locked memory:" $(nobody 64) "$MRUN" -n 3 "$tests/system/onesided"
run 30 $(nobody 4) "$MRUN" -n 3 "$top_builddir/mrt-hello"
is "$rc" 71 "4 KiB of locked memory: an error"
like "$err" 'limit of locked memory \(ulimit -l: 4 KiB\) is too low: raise it' \
	"that names the limit"

run 30 "$MRUN" -n 2 "$tests/system/onesided" --bad-key
is "$rc" 75 "access to memory that is not given: the job ends with 75"
like "$err" 'rank 1 on node1 \(rxe0 port 1\) from rxe0 port 1: it refuses the access' \
	"and says who refused whom"

run 30 env MRT_IB_DEVICE=mlx5_7 "$MRUN" -n 2 "$top_builddir/mrt-hello"
is "$rc" 69 "a device that is not there"
like "$err" 'MRT_IB_DEVICE=mlx5_7: there is no such device' "is named"
run 30 env MRT_GID_INDEX=200 "$MRUN" -n 2 "$top_builddir/mrt-hello"
is "$rc" 69 "an address that is not there"
like "$err" 'has no GID 200' "is named"

run 30 env MRT_IB_PKEY=0x8001 "$MRUN" -n 2 "$top_builddir/mrt-hello"
is "$rc" 69 "a partition in which the port is not"
like "$err" 'not in partition MRT_IB_PKEY=0x8001, but in those of the keys 0xffff:' \
	"is named, and those in which it is"
run 30 env MRT_IB_PKEY=0x80g1 "$MRUN" -n 2 "$top_builddir/mrt-hello"
is "$rc" 78 "what is no key"
for mesh in 0 256; do
	storm "partition, service level, traffic class, $mesh:" 3 \
		MRT_MESH_MAX=$mesh MRT_IB_PKEY=0x7fff MRT_IB_SL=3 MRT_IB_TC=106
done

rdma link add rxe1 type rxe netdev lo
cases "a second device:" env MRT_IB_DEVICE=rxe1 "$MRUN" -n 2 "$tests/system/onesided"
run 30 env MRT_LOG=info "$MRUN" -n 2 "$top_builddir/mrt-hello"
is "$(grep -o '\[[01]/2 .* uses rxe[01]' "$err" | sed 's/.*uses //')" "rxe0
rxe0" "of two devices in two networks all ranks use that of one"
rdma link del rxe1

no_rnr "no receiver was ever not ready"
is "$(rdma_objects)" "" "no queue pair, no registration is left"
done_testing
