# SPDX-License-Identifier: Apache-2.0
# quota.t runs jobs within a control group that limits CPU time.
. "${top_srcdir:?run by make check}/tests/system/lib.sh"
need_mrun
name=mrt-test.$$

# Finds the folder in which this user may make a group that limits CPU time.
v1=/sys/fs/cgroup/cpu
v2=/sys/fs/cgroup
if [ -w $v1/cgroup.procs ] && mkdir $v1/$name 2>/dev/null; then
	group=$v1/$name
	echo 100000 >"$group/cpu.cfs_period_us"
elif [ -w $v2/cgroup.procs ] && mkdir $v2/$name 2>/dev/null; then
	group=$v2/$name
else
	skip_all "no control group can be made here"
fi
trap 'rmdir "$group/in" "$group" 2>/dev/null; rm -rf "$work"' EXIT
mkdir "$group/in" || skip_all "no control group can be made here"

# limit MICROSECONDS sets the CPU time of each 100 ms.
limit()
{
	if [ -e "$group/cpu.cfs_quota_us" ]; then
		echo "$1" >"$group/cpu.cfs_quota_us"
	else
		echo "$1 100000" >"$group/cpu.max"
	fi 2>/dev/null
}

# within CMD... runs in the group without a limit inside the one that has it.
within()
{
	run 60 sh -c 'echo $$ >"$0/in/cgroup.procs" && exec "$@"' "$group" "$@"
}

limit 150000 || skip_all "the group cannot be given a limit"
within "$top_builddir/mrt-info"
like "$out" 'CPU quota +1\.50 CPUs' "the limit of the group around"
limit 100000
within "$top_builddir/mrt-info" coll -n 2 -f sm --json
like "$out" '"medium": "busy"' "two ranks are too many for the library, too"

for n in 2 5; do
	for quota in 150000 50000; do
		limit "$quota"
		within "$MRUN" -n $n "$top_builddir/tests/system/direct" 300
		is "$rc" 0 "$n ranks with $quota us of 100 ms"
	done
done
gone()
{
	rmdir "$group/in" "$group" 2>/dev/null
	[ ! -e "$group" ]
}
wait_for 3 gone
is "$?" 0 "nobody is left in the group"
done_testing
