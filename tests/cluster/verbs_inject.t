# SPDX-License-Identifier: Apache-2.0
# verbs_inject.t: one machine, everything through the device, and calls of
# libibverbs that fail (faulty.c): each in turn while a job starts, then while
# it runs. A job works, or ends in time with a code and a line that says which
# call failed on which device; no process, file or verbs object is left.
. "${top_srcdir:?run by make check-cluster}/tests/cluster/lib.sh"
: "${FAULTS:=few}"
CLUSTER_TIMEOUT=600
[ "$FAULTS" != all ] || CLUSTER_TIMEOUT=3000
in_cluster -N 1
need_mrun
export MRT_FABRIC=verbs MRT_ALLREDUCE=fetch_add MRT_TIMEOUT=30
faulty=${FAULTY_SO:-$top_builddir/tests/cluster/.libs/faulty.so}
storm=$top_builddir/tests/system/storm
[ -e "$faulty" ] || skip_all "built without libibverbs"

# job NAME=VALUE... runs two ranks; the calls of rank 1 fail.
job()
{
	run 40 "$MRUN" -n 2 --no-aggregate env LD_PRELOAD="$faulty" FAULTY_RANK=1 "$@" \
		"$storm" --messages 40 --seed 5 --max 60000
}

# Prints what is wrong with the end of the last job, nothing if all is well.
wrong_end()
{
	case $rc in
	0) ;;
	69 | 71 | 75 | 77) # names the rank, the device and the cause
		grep -Eq '^libmrt\[1/2 .*(rxe0|RDMA|libibverbs)' "$err" ||
			echo "no message names the device" ;;
	*) echo "exit code $rc" ;;
	esac
	[ "$ms" -le 30000 ] || echo "takes $ms ms"
	! grep -E '^libmrt.*(Success|a bug|MRT_ERR_INTERNAL)' "$err"
	[ -z "$(rdma_objects)" ] || echo "left: $(rdma_objects)"
	[ -z "$(marked_pids)" ] || echo "left: processes $(marked_pids)"
	[ -z "$(ls -A "$work/tmp"; ls -A /dev/shm)" ] ||
		echo "left: $(ls -A "$work/tmp"; ls -A /dev/shm)"
}

# inject NAME=VALUE... is one case.
inject()
{
	job "$@"
	wait_for 3 nothing_marked
	wrong=$(wrong_end)
	hits=$(grep -c '^faulty: ' "$err")
	if [ -z "$wrong" ]; then
		ok "$*: $rc, $ms ms, $(sed -n \
			's/^libmrt.1.2[^]]*. \(MRT_[A-Z_]*\|warning\): //p' \
			"$err" | head -n 1)"
	else
		not_ok "$*"
		diag "$wrong"
		show_run
	fi
}

job FAULTY_LOG="$work/calls"
is "$rc" 0 "without faults all is well"
diag "$(tr '\n' ',' <"$work/calls")"

# seen ATTRIBUTE VALUE NAME: the queue pairs of rank 1 all had this value.
seen()
{
	is "$(sed -n "s/^$1 //p" "$work/seen" | sort -u)" "$2" "$3"
}

job FAULTY_SEEN="$work/seen" MRT_LOG=info MRT_IB_TIMEOUT=
is "$rc" 0 "queue pairs are looked at"
seen traffic_class 106 "RoCE has the traffic class that others use"
like "$err" 'uses rxe0 port 1.*, traffic class 106' "which is said"
seen retry_cnt 6 "and one repetition less than the default on Soft-RoCE"
seen timeout 19 "each after 2.1 s"
seen min_rnr_timer 26 "who finds no buffer waits 82 ms, six times"
seen comp_vector 1 "the second rank interrupts the second CPU"
rm "$work/seen"
job FAULTY_SEEN="$work/seen" MRT_IB_TC=8
seen traffic_class 8 "or that of MRT_IB_TC"

# count CALL prints how often a start makes this call.
count()
{
	sed -n "s/^$1 //p" "$work/start"
}

run 40 "$MRUN" -n 2 --no-aggregate env LD_PRELOAD="$faulty" FAULTY_RANK=1 \
	FAULTY_LOG="$work/start" "$top_builddir/mrt-hello"

# Each call of a start fails once; then all calls of its kind fail.
for call in $(cut -d' ' -f1 "$work/start"); do
	n=$(count "$call")
	if [ "$FAULTS" = all ]; then
		[ "$n" -le 40 ] || n=40
		places=$(seq "$n")
	elif [ "$n" -gt 2 ]; then
		places="1 $n"
	else
		places=$n
	fi
	for k in $places; do
		fault_in_turn 3 && inject FAULTY="$call:$k"
	done
	fault_in_turn 3 && inject FAULTY="$call:1+:22"
done

# a device of small completion queues: the least that works, and less
inject FAULTY=ibv_query_device:1+:-422
is "$rc" 0 "a completion queue of 422 is enough"
inject FAULTY=ibv_query_device:1+:-412
is "$rc" 71 "one of 412 is not"
like "$err" 'completion queues of 412 entries only' "which is said"

inject FAULTY=ibv_get_device_list:1+:-1
is "$rc" 69 "a device of iWARP is no device for libmrt"
like "$err" 'no usable port.*rxe0 is neither InfiniBand nor RoCE' "which is said"

# calls that connect at first use
for call in ibv_create_ah:1 ibv_create_qp:2 ibv_modify_qp:5 ibv_post_recv:3; do
	inject MRT_MESH_MAX=0 FAULTY=$call
done

# What is only late costs no job: an address that is not resolved yet (110,
# ETIMEDOUT), or a datagram that failed.
for fault in "0 FAULTY=ibv_create_ah:1:110" "0 FAULTY=ibv_modify_qp:5:110" \
	"9 FAULTY=ibv_modify_qp:6:110" "0 FAULTY=ibv_poll_cq:1:21"; do
	inject MRT_MESH_MAX=${fault% *} ${fault#* }
	is "$rc" 0 "the job completes"
	grep -q "^faulty: " "$err"
	is $? 0 "though the call has failed"
done
inject MRT_TIMEOUT=3 FAULTY=ibv_modify_qp:6+:110
is "$rc" 69 "an address that is never resolved ends it"

# These fail while the job runs. Statuses are those of enum ibv_wc_status. 5:
# flushed, 10: remote access, 12: no answer, 21: general; -1: the call itself
# fails.
for fault in ibv_post_send:20 ibv_post_send:41:11 ibv_post_srq_recv:40 \
	ibv_poll_cq:9:12 ibv_poll_cq:15:5 ibv_poll_cq:20:21 ibv_poll_cq:22:10 \
	ibv_poll_cq:6:-1 ibv_req_notify_cq:1+ ibv_get_cq_event:1+; do
	inject FAULTY=$fault
done

# A failed completion, even the last one, never ends with 0.
lost=0
for k in $(seq "$(count ibv_poll_cq)"); do
	run 40 "$MRUN" -n 2 --no-aggregate env LD_PRELOAD="$faulty" FAULTY_RANK=1 \
		FAULTY="ibv_poll_cq:$k:12" "$top_builddir/mrt-hello"
	! grep -q '^faulty: ' "$err" || [ $rc -eq 75 ] || {
		lost=$((lost + 1))
		show_run
	}
done
is $lost 0 "no completion of a short job ($k) is lost without a word"

# Memory cannot be registered now and then: the results by copies are right,
# unless the receive buffers cannot be registered at any size.
seeds="1 2"
[ "$FAULTS" != all ] || seeds=$(seq 40)
for seed in $seeds; do
	inject FAULTY_EVERY=ibv_reg_mr:3:$seed
	[ "$rc" -eq 71 ] && grep -Eq 'cannot get .*(receive buffers|for calls)' \
		"$err" ||
		is "$rc" 0 "registrations fail, seed $seed: the job completes"
done
inject FAULTY="ibv_reg_mr:$(($(count ibv_reg_mr) + 1))+:14"
is "$rc" 0 "nothing but the buffers can be registered (EFAULT): the job completes"
if [ "$FAULTS" = all ]; then
	for seed in $(seq 100); do
		inject FAULTY_EVERY="any:400:$seed"
	done
fi

# event NUMBER CODE TEXT: the device reports the event after a second, while the
# job runs on.
event()
{
	run 40 "$MRUN" -n 2 --no-aggregate env LD_PRELOAD="$faulty" FAULTY_RANK=1 \
		FAULTY_EVENT="$1:1" "$storm" --messages 1000000 --seed 5 \
		--max 3000
	is "$rc" "$2" "the device tells: $3"
	like "$err" "^libmrt\[1/2 .*rxe0 port 1: .*$3" "which is said"
	within 30000 "in time"
	no_leftovers "nothing is left"
}
event 8 71 "the device is gone"
event 14 71 "the shared receive queue has failed"
event 0 70 "the completion queue has overflowed"

# Soft-RoCE may do this: nothing completes any more, and the port goes down
# (10), or was down for a while (10, then 9). A rank has a connection to itself,
# too, and either may be the first that is missed.
silent()
{
	run 40 "$MRUN" -n 2 --no-aggregate env LD_PRELOAD="$faulty" FAULTY_RANK=1 \
		MRT_IB_TIMEOUT=14 FAULTY=ibv_poll_cq:40+:-2 FAULTY_EVENT="$1" \
		"$storm" --messages 1000000 --seed 5 --max 3000
	is "$rc" 75 "$2, and the device is silent: 75"
	like "$err" '^libmrt\[1/2 .*rank [01] .*has not answered since the port' \
		"which is said"
	within 30000 "in time"
	no_leftovers "nothing is left"
}
silent 10:1 "the port is down"
silent 10:1+9 "the port was down"
is "$(rdma_objects)" "" "no verbs object is left"
done_testing
