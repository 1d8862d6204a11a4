# SPDX-License-Identifier: Apache-2.0
# resources.t checks that where something is scarce or forbidden a job works, or
# one message says which limit was met and what to do; it never hangs, and
# leaves nothing behind. Every call of the library for memory or descriptors
# fails once.
#
#   FAULTS_ALL=1 tries every limit of open files and every call in all modes.
. "${top_srcdir:?run by make check}/tests/system/lib.sh"
need_mrun
scarce=$top_builddir/tests/system/scarce
deny=$top_builddir/tests/system/deny
deadline=30

# works NAME CMD... expects exit code 0.
works()
{
	name=$1
	shift
	run $deadline "$@"
	is "$rc" 0 "$name: works"
	no_leftovers "$name: nothing is left"
}

# tells CODE ERE NAME CMD... expects the code, after a message.
tells()
{
	code=$1 text=$2 name=$3
	shift 3
	run $deadline "$@"
	is "$rc" "$code" "$name: exit code"
	like "$err" "$text" "$name: says what to do"
	no_leftovers "$name: nothing is left"
}

# either ERE NAME CMD...: the command works, or ends with 71 after a message. A
# good run is no test of its own, since there are many. 75 is allowed: a program
# that gets the error of a peer's death may end before the launcher has heard of
# the peer.
either()
{
	text=$1 name=$2
	shift 2
	run $deadline "$@"
	case $rc in
	0) return 0 ;;
	71 | 75) grep -Eq "$text" "$err" && return 0 ;;
	esac
	not_ok "$name"
	show_run
	return 1
}

# ---- every call fails once ----

# each KIND MODE PLUS RANK STEP runs jobs of two ranks.
each()
{
	n=1 bad=0
	while [ $n -lt 500 ] && ! grep -q 'not so many' "$out"; do
		either '(MRT_ERR_(NO_MEM|RESOURCE)|scarce: rank [0-9]): ' \
			"$1, call $n$3 of rank $4, $2" \
			env SCARCE="$1:$n$3:$4" "$MRUN" -n 2 "$scarce" "$2" ||
			bad=$((bad + 1))
		n=$((n + $5))
	done
	is "$bad" 0 "$1 $2 $3: each of $n calls of rank $4, one in $5"
	no_leftovers "$1 $2 $3: nothing is left"
	: >"$out"
}

# comms PLUS RANK STEP: three ranks make communicators; the rank without memory
# goes on, so that ranks that wait for it would wait for ever.
comms()
{
	n=1 bad=0
	while [ $n -lt 900 ] && ! grep -q 'not so many' "$out"; do
		either 'MRT_ERR_NO_MEM|no memory' "comms, call $n$1 of rank $2" \
			"$MRUN" -n 3 "$top_builddir/tests/system/scarce_comm" "$n$1" "$2" ||
			bad=$((bad + 1))
		n=$((n + $3))
	done
	is "$bad" 0 "communicators $1: $n calls of rank $2, one in $3"
	no_leftovers "communicators $1: nothing is left"
	: >"$out"
}

# One rank cannot start and ends with 0: the others must not wait for it.
hidden()
{
	n=1 bad=0
	while [ $n -lt 100 ] && ! grep -q 'not so many' "$out"; do
		either 'rank 1 .*ended without joining|rank 1 .*without final' \
			"start of rank 1 fails at $n, which exits with 0" \
			env SCARCE="mem:$n:1" "$MRUN" -n 3 "$scarce" hide ||
			bad=$((bad + 1))
		in_time 15000 || bad=$((bad + 1))
		n=$((n + 1))
	done
	is "$bad" 0 "a rank that cannot start and exits with 0 is named, $n calls"
	no_leftovers "a rank that cannot start: nothing is left"
	: >"$out"
}

for kind in mem sys; do
	run 60 "$scarce" alone $kind
	is "$rc" 0 "alone: $(cat "$out"), $kind"
	run 60 "$scarce" alone $kind +
	is "$rc" 0 "alone: $(cat "$out"), $kind, and all later ones"
done
no_leftovers "alone: nothing is left"
: >"$out"
if [ -n "$FAULTS_ALL" ]; then
	for kind in mem sys; do
		for mode in return fatal; do
			for rank in 0 1; do
				each $kind $mode "" $rank 1
				each $kind $mode + $rank 1
			done
		done
	done
	for rank in 0 1 2; do
		comms "" $rank 1
		comms + $rank 1
	done
elif [ "$TEST_LEVEL" = full ]; then
	each mem return "" 1 3
	each mem fatal + 0 7
	each sys fatal "" 0 2
	each sys return + 1 5
	hidden
	comms "" 1 13
	comms + 0 40
else
	each mem return "" 1 20
	each sys fatal "" 0 8
fi

# ---- open files, processes, sizes, address space ----

# with a lower limit the loader does not find the libraries, and says that
limits=$(seq 6 70)
[ -n "$FAULTS_ALL" ] || limits="6 9 13 19 40"
bad=0
for n in $limits; do
	either 'open files.*ulimit -n' "mrun with $n open files" \
		sh -c 'ulimit -n "$0"; exec "$@"' "$n" "$MRUN" -n 2 "$scarce" ||
		bad=$((bad + 1))
	either 'open files.*ulimit -n' "ranks with $n open files" \
		"$MRUN" -n 2 sh -c 'ulimit -n "$0"; exec "$@"' "$n" "$scarce" ||
		bad=$((bad + 1))
done
is "$bad" 0 "open files: works, or says the limit and the need"
no_leftovers "open files: nothing is left"

tells 71 'file sizes \(ulimit -f\)' "file size" \
	sh -c 'ulimit -f 100; exec "$@"' sh "$MRUN" -n 2 "$scarce"
if [ -z "$SANITIZER" ]; then
	bad=0
	for kib in 20000 25000 30000 35000 60000; do
		either '\(ulimit -v\)' "mrun and ranks in $kib KiB" sh -c \
			'ulimit -v "$0"; exec "$@"' $kib "$MRUN" -n 2 "$scarce" ||
			bad=$((bad + 1))
	done
	is "$bad" 0 "address space: works, or says the limit"
	no_leftovers "address space: nothing is left"
fi

# ---- forbidden calls ----

if "$deny" 1 statx true; then
	forbidden="process_vm_readv,process_vm_writev memfd_create userfaultfd
		membarrier fallocate close_range getrandom"
	for call in $forbidden; do
		for error in 1 38; do
			works "errno $error for $call" \
				"$deny" $error "$call" "$MRUN" -n 2 "$scarce"
		done
	done
	works "CMA forbidden to one rank" "$MRUN" -n 1 \
		"$deny" 1 process_vm_readv,process_vm_writev "$scarce" : \
		-n 1 "$scarce"
	works "membarrier forbidden to one rank" "$MRUN" -n 1 \
		"$deny" 1 membarrier "$scarce" : -n 1 "$scarce"
	tells 77 'cannot create in /dev/shm .*allow the call' "no memory file" \
		"$deny" 38 memfd_create,fallocate "$MRUN" -n 2 "$scarce"
	tells 71 'sched_getaffinity: .*; allow the call' "no affinity" \
		"$deny" 1 sched_getaffinity "$MRUN" -n 2 "$scarce"
	tells 71 'cannot start the guard: .*; allow' "no fork" \
		"$deny" 1 clone,clone3 "$MRUN" -n 2 "$scarce"
else
	skip "this kernel has no filters" "forbidden calls"
fi

# ---- other surroundings ----

works "TMPDIR that is not there" \
	env TMPDIR=/nonexistent "$MRUN" -n 2 "$scarce"
works "TMPDIR of 3000 characters" \
	env TMPDIR="/tmp/$(printf '%03000d' 0)" "$MRUN" -n 2 "$scarce"
works "empty environment" env -i ${SANITIZER:+ASAN_OPTIONS=detect_leaks=0} \
	"$MRUN" -n 2 "$scarce"
works "foreign language" \
	env LANG=xx_YY LC_ALL=tr_TR.UTF-8 "$MRUN" -n 2 "$scarce"
works "no standard descriptors" \
	sh -c 'exec "$@" <&- >&- 2>&-' sh "$MRUN" -n 2 "$scarce"
works "one CPU, nice 19" \
	taskset -c 0 nice -n 19 "$MRUN" -n 2 "$scarce"

if [ "$(id -u)" -ne 0 ] || ! unshare -mu true 2>/dev/null; then
	skip "not allowed here" "namespaces"
	done_testing
fi

# in_ns SETUP CMD... runs with mounts and a host name of its own
cat >"$work/in_ns" <<'END'
exec unshare -mu sh -c "$1"' || exit 99; shift; exec "$@"' sh "$@"
END
in_ns="sh $work/in_ns"
shm='mount -t tmpfs tmpfs /dev/shm -o'

for size in 1m 64m; do
	for n in 2 8; do
		works "/dev/shm of $size, $n ranks" $in_ns "$shm size=$size" \
			"$MRUN" -n $n "$scarce"
	done
done
works "full /dev/shm" $in_ns "$shm size=64k; cat /dev/zero \
	>/dev/shm/full 2>/dev/null; true" "$MRUN" -n 2 "$scarce"
# a file there is requested, but its bounce buffers do not fit, then its heap
full="[0-9]* KiB: No space left on device; unset MRT_SM_BACKING, or enlarge"
tells 71 "create in /dev/shm .*2 ranks, $full /dev/shm\$" \
	"/dev/shm of 1m, a file" $in_ns "$shm size=1m" \
	env MRT_SM_BACKING=shm "$MRUN" -n 2 "$scarce"
tells 71 "enlarge /dev/shm, or lower MRT_SM_RING" \
	"/dev/shm of 16m, a file, large rings" $in_ns "$shm size=16m" \
	env MRT_SM_BACKING=shm MRT_SM_RING=1M "$MRUN" -n 8 "$scarce"
works "/dev/shm of 6m, a file, no CMA" $in_ns "$shm size=6m" \
	env MRT_SM_BACKING=shm MRT_SM_CMA=no "$MRUN" -n 2 "$scarce"
tells 71 "mrt_alloc of [0-9]* bytes: No space left.*; free space" \
	"/dev/shm of 8m, a file, a heap of files" $in_ns "$shm size=8m" \
	"$deny" 1 memfd_create "$MRUN" -n 2 "$scarce"
if [ "$TEST_LEVEL" = full ]; then
	works "/dev/shm of 32m, a file, 20 ranks" $in_ns "$shm size=32m" \
		env MRT_SM_BACKING=shm "$MRUN" -n 20 "$scarce"
fi

dev='mount -t tmpfs tmpfs /dev && mknod /dev/null c 1 3'
works "no /dev/shm" $in_ns "$dev" "$MRUN" -n 2 "$scarce"
tells 71 'No such file or directory; make it a directory' \
	"no /dev/shm, a file" $in_ns "$dev" \
	env MRT_SM_BACKING=shm "$MRUN" -n 2 "$scarce"
ro='mount --bind /tmp /tmp && mount -o remount,ro,bind /tmp'
tells 71 'Read-only file system; set TMPDIR' "nowhere to write" \
	$in_ns "$shm ro && $ro" "$MRUN" -n 2 "$scarce"
works "read-only /tmp and TMPDIR" $in_ns "$ro" "$MRUN" -n 2 "$scarce"
if [ -z "$SANITIZER" ]; then # which needs /proc
	works "no /proc" $in_ns "umount -l /proc" "$MRUN" -n 2 "$scarce"
	works "no /proc, a file" $in_ns "umount -l /proc" \
		env MRT_SM_BACKING=shm "$MRUN" -n 2 "$scarce"
fi
tells 69 'no network interface is up.*lo up' "no interface" \
	unshare -n "$MRUN" -n 2 "$scarce"
tells 69 'cannot join.*in a network without' "no interface for ranks" \
	"$MRUN" -n 2 unshare -n "$scarce"
works "a name that nobody resolves" \
	$in_ns "hostname no.such.host.example" "$MRUN" -n 2 "$scarce"
works "a name of 64 letters" \
	$in_ns "hostname $(printf '%064d' 0 | tr 0 h)" "$MRUN" -n 2 "$scarce"

# ranks in namespaces of their own
each="unshare -pf --mount-proc"
works "PID namespace for the job" $each "$MRUN" -n 2 "$scarce"
works "PID namespaces" "$MRUN" -n 2 $each "$scarce"
tells 71 'MRT_SM_BACKING=shm' "PID namespaces, another job's directory" \
	"$MRUN" -n 2 $each "$(command -v sh)" -c \
	'mount -t tmpfs none /dev/shm && exec "$0"' "$scarce"
works "PID namespaces, a file" env MRT_SM_BACKING=shm \
	"$MRUN" -n 2 $each "$scarce"
# ranks with the same PID must not take each other's heap for their own
cases "PID namespaces:" "$MRUN" -n 2 $each "$top_builddir/tests/system/onesided"
tells 69 'cannot join.*of another user' "user namespaces, nobody" \
	"$MRUN" -n 2 unshare -U "$scarce"
works "user namespaces" "$MRUN" -n 2 unshare -Ur "$scarce"
works "user namespaces, a file" env MRT_SM_BACKING=shm \
	"$MRUN" -n 2 unshare -Ur "$scarce"
works "IPC and mount namespaces" "$MRUN" -n 2 unshare -im "$scarce"
done_testing
