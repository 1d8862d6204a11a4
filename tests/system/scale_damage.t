#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# scale_damage.t: whatever happens to a file of a study or to a fabric, mrt-scale
# ends soon, with one of the exit codes that its manual has for it and the name
# of what is damaged. DAMAGES=1000 DAMAGE_SEED=1 for more; the n-th of them is
# the first one with the seed that its line has.
. "${top_srcdir:?run by make check}/tests/system/lib.sh"
scale=$top_builddir/mrt-scale
damage=$top_builddir/tests/system/scale_damage
[ -x "$scale" ] || skip_all "built without jansson"
study=$work/study
mkdir -p "$study/points" "$study/jobs"
printf '{\n  "format": "libmrt-study",\n  "version": 1,\n  "simulated": false\n}\n' \
	>"$study/study.json"
printf '{\n  "job": "none",\n  "ranks": 2\n}\n' >"$study/jobs/none.json"

# point TEST BYTES MICROSECONDS
point()
{
	for sample in 1 2 3 4 5 6 7 8; do
		echo "$1,leaf,none,2,$2,1,$sample,8,$3,none"
	done >"$study/points/$1,leaf,2,$2.csv"
}
for bytes in 8 512 8192 65536; do
	point pingpong $bytes 3.25
	point send_overhead $bytes 0.125
	point recv_overhead $bytes 0.25
	point gap $bytes 0.5
done
run 30 "$scale" fit "$study" -o "$work/fitted.json"
is "$rc" 0 "a study"
run 30 "$scale" compare "$study" "$study"
is "$rc" 0 "the same one"
cp "$top_srcdir/apps/scale/fabrics/hdr.json" "$work/hdr.json"

damages=${DAMAGES:-60}
seed=${DAMAGE_SEED:-1}
names="study.json points/pingpong,leaf,2,8.csv points/gap,leaf,2,8192.csv
	jobs/none.json hdr.json fitted.json hdr.json points/pingpong,leaf,2,65536.csv"

# try COMMAND...: what it says of the damaged $file
try()
{
	run 10 "$@" </dev/null
	runs=$((runs + 1))
	case $rc in
	0) return ;;
	65 | 66)
		refused=$((refused + 1))
		# a study without one of its points is one with fewer points
		grep -qF "$file" "$err" || grep -q "has no pairs" "$err" ||
			unnamed=$((unnamed + 1))
		;;
	*)
		bad=$((bad + 1))
		;;
	esac
	if [ "$rc" != 65 ] && [ "$rc" != 66 ] ||
		! grep -qE "$work|has no pairs" "$err"; then
		diag "seed $seed: $name: $what: exit code $rc"
		show_run
	fi
}

runs=0
refused=0
unnamed=0
bad=0
last=$((seed + damages))
while [ "$seed" -lt "$last" ]; do
	for name in $names; do
		[ "$seed" -lt "$last" ] || break
		rm -rf "$work/d"
		cp -r "$study" "$work/d"
		cp "$work/hdr.json" "$work/fitted.json" "$work/d"
		file=$work/d/$name
		what=$("$damage" "$seed" "$file") || not_ok "seed $seed: $name"
		case $name in
		*/*.csv | jobs/* | study.json)
			try "$scale" compare "$work/d" "$study"
			try "$scale" fit "$work/d" -o "$work/new.json"
			;;
		*)
			try "$scale" simulate allreduce -f "$file" -N 1,3,16 \
				--csv -m 8,64K
			;;
		esac
		seed=$((seed + 1))
	done
done
is "$bad" 0 "$runs runs with $damages damages: known exit codes, in 10 s"
is "$unnamed" 0 "the damaged file is named"
[ $((refused * 3)) -gt "$runs" ]
is $? 0 "and most damages are noticed ($refused)"
done_testing
