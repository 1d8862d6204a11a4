# SPDX-License-Identifier: Apache-2.0
# confined.t puts limits around a job as a whole: memory and processes of a
# control group, processes of a user, a root that nobody may write. The job
# works, or names the limit and the remedy, and leaves nothing behind.
. "${top_srcdir:?run by make check}/tests/system/lib.sh"
need_mrun
scarce=$top_builddir/tests/system/scarce
[ "$(id -u)" -eq 0 ] || skip_all "not root"
other=64999 # a user that nobody else is

# either TEXT NAME CMD...: the command ends with 0, or with 71 after the message
# ($ended counts these). 69 means that PMIx alone has met the limit, which
# others had left in between.
either()
{
	text=$1 name=$2
	shift 2
	run 30 "$@"
	case $rc in
	0) ok "$name: works" ;;
	*)
		ended=$((ended + 1))
		[ "$rc" -eq 69 ] || is "$rc" 71 "$name: exit code"
		like "$err" "$text" "$name: says what to do"
		;;
	esac
	within 20000 "$name"
	no_leftovers "$name: nothing is left"
}

# ---- groups ----

groups=
# new_group KIND makes a control group of version 1 or 2 and sets $group.
new_group()
{
	for base in /sys/fs/cgroup/"$1" /sys/fs/cgroup; do
		group=$base/mrt-test.$$
		[ -w "$base/cgroup.procs" ] && mkdir "$group" 2>/dev/null ||
			continue
		for file in "$group/$1".max "$group/$1".limit_in_bytes; do
			[ -e "$file" ] || continue
			groups="$groups $group"
			return 0
		done
		rmdir "$group"
	done
	return 1
}
leave_groups()
{
	for g in $groups; do
		wait_for 3 rmdir "$g" 2>/dev/null
	done
}
trap 'leave_groups; rm -rf "$work"' EXIT

set_memory()
{
	if [ -e "$group/memory.max" ]; then
		echo "$1" >"$group/memory.max"
		echo 0 >"$group/memory.swap.max"
		return
	fi
	echo -1 >"$group/memory.memsw.limit_in_bytes"
	echo "$1" >"$group/memory.limit_in_bytes" &&
		echo "$1" >"$group/memory.memsw.limit_in_bytes"
} 2>/dev/null

cat >"$work/in_group" <<'END'
echo $$ >"$1/cgroup.procs" || exit 99
shift
exec "$@"
END
if [ -z "$SANITIZER" ] && new_group memory && set_memory 200M; then
	run 30 sh "$work/in_group" "$group" "$MRUN" -n 3 "$scarce"
	is "$rc" 0 "a group of 200 MiB: works"
	set_memory 100M
	run 30 sh "$work/in_group" "$group" "$MRUN" -n 2 "$scarce" : \
		-n 1 sh -c 'exec tail </dev/zero'
	is "$rc" 137 "a rank of more than the group may have"
	like "$err" "rank 2 .* signal 9 .*memory has run out in its control" \
		"a rank of more than the group may have: is named, and why"
	within 20000 "a rank of more than the group may have"
	no_leftovers "a rank of more than the group may have: nothing is left"
	# mrun may be the process that is killed: then the guard cleans up
	for size in 4M 8M 16M 24M 32M; do
		set_memory $size
		run 30 sh "$work/in_group" "$group" "$MRUN" -n 3 "$scarce"
		case $rc in
		0 | 71 | 137) ok "a group of $size: ends with $rc" ;;
		*) is "$rc" 137 "a group of $size" ;;
		esac
		no_leftovers "a group of $size: nothing is left"
	done
else
	skip "no control group for memory can be made here" "memory of a group"
fi
advice='limit of processes and threads \(ulimit -u, or pids.max|ulimit -u, ulimit'
ended=0
if new_group pids; then
	for n in 2 3 4 5 6 7 8 9 10 11 20; do
		echo $n >"$group/pids.max"
		either "$advice" "a group of $n processes" \
			sh "$work/in_group" "$group" "$MRUN" -n 3 "$scarce"
	done
	is $((ended > 3)) 1 "a group of few processes: $ended of 11 did not fit"
else
	skip "no control group for processes can be made here" "pids.max"
fi

# ---- a user's processes ----

if have prlimit && have setpriv; then
	cp "$scarce" "$MRUN" "$work"
	chmod 711 "$work"
	chmod 1777 "$work/tmp"
	ended=0
	for n in 1 2 3 4 5 6 7 8 9 10 20; do
		either "$advice" "$n processes of a user" \
			setpriv --reuid $other --regid $other --clear-groups \
			prlimit --nproc=$n "$work/mrun" -n 3 "$work/scarce"
	done
	is $((ended > 3)) 1 "few processes of a user: $ended of 11 did not fit"
	if [ -z "$SANITIZER" ]; then
		chmod 711 "$work/scarce"
		run 30 setpriv --reuid $other --regid $other --clear-groups \
			"$work/mrun" -n 3 "$work/scarce"
		is "$rc" 0 "a program that its user may run and not read works"
		no_leftovers "it leaves nothing"
	else
		skip "the sanitizer cannot read its options, in /proc/self/environ" \
			"a program that its user may run and not read"
	fi
else
	skip "no prlimit or setpriv" "processes of a user"
fi

# ---- a root that nobody may write ----

cat >"$work/read_only" <<'END'
# read_only WRITABLE CMD... makes all mounts but WRITABLE, /proc and /sys
# read-only.
spare=$1
shift
while read -r _ at _; do
	case $at in
	/proc* | /sys*) ;;
	"$spare") ;;
	*) mount -o remount,bind,ro "$at" 2>/dev/null ;;
	esac
done </proc/self/mounts
touch /tmp/x /x 2>/dev/null && exit 98
exec "$@"
END
if unshare -m true 2>/dev/null; then
	ro="unshare -m sh $work/read_only"
	run 30 $ro none "$MRUN" -n 2 "$scarce"
	is "$rc" 71 "all is read-only: exit code"
	like "$err" 'Read-only file system; set TMPDIR to one that' \
		"all is read-only: says what to do"
	no_leftovers "all is read-only: nothing is left"
	run 30 $ro none "$scarce"
	is "$rc" 0 "all is read-only, alone: works"
	run 30 $ro /dev/shm "$MRUN" -n 2 "$scarce"
	is "$rc" 0 "all but /dev/shm is read-only: works"
	mkdir "$work/own"
	run 30 unshare -m sh -c 'mount -t tmpfs tmpfs "$0/own" &&
		exec sh "$0/read_only" "$0/own" env TMPDIR="$0/own" "$@"' \
		"$work" "$MRUN" -n 2 "$scarce"
	is "$rc" 0 "all but TMPDIR is read-only: works"
	no_leftovers "all but TMPDIR is read-only: nothing is left"
else
	skip "no mounts of its own" "read-only root"
fi
done_testing
