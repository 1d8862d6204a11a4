#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# scale_damage.t checks that whatever happens to a file of a study or to a
# fabric, or if the disk is full, mrt-scale ends soon, with one of the exit
# codes that its manual lists for this and the name of the damaged file.
# DAMAGES=1000 DAMAGE_SEED=1 tries more; the line of a failure names its seed.
. "${top_srcdir:?run by make check}/tests/system/lib.sh"
need_mrun
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
cp "$top_srcdir/tools/scale/fabrics/hdr.json" "$work/hdr.json"

damages=${DAMAGES:-60}
seed=${DAMAGE_SEED:-1}
names="study.json points/pingpong,leaf,2,8.csv points/gap,leaf,2,8192.csv
	jobs/none.json hdr.json fitted.json hdr.json points/pingpong,leaf,2,65536.csv"

# try COMMAND... checks what the command says about the damaged $file.
try()
{
	run 10 "$@" </dev/null
	runs=$((runs + 1))
	case $rc in
	0) return ;;
	65 | 66)
		refused=$((refused + 1))
		# a study that lacks one of its points is a study with fewer
		# points
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

# ---- a full disk ----
# Makes writing fail in the middle of every file longer than 2 KiB.
full()
{
	run 30 sh -c 'trap "" XFSZ; ulimit -f 2; exec "$@"' sh "$@"
}
full "$scale" fit "$study" -o "$work/full.json"
is "$rc,$(ls "$work" | grep -c full)" 73,0 "full: fit"
like "$err" "$work/full.json: " "full: fit names the file"
if have gnuplot; then
	full "$scale" plot "$study" -o "$work/full"
	is "$rc,$(ls "$work/full" | wc -l)" 73,0 "full: plot: no part of a picture"
	like "$err" "$work/full/.*svg: .* not whole" "full: plot says so"
else
	skip "no gnuplot" "full: plot"
fi

# What was measured before is whole, and the same command goes on.
mkdir "$work/disk"
cat >"$work/fill.sh" <<'END'
disk=$1
shift
mount -t tmpfs -o size=64k none "$disk" || exit 99
"$@" -o "$disk/study"
echo "rc $?"
find "$disk" -name '*.tmp'
cp -r "$disk/study" "$TMPDIR/then"
mount -o remount,size=4m none "$disk"
"$scale" compare "$disk/study" "$TMPDIR/then" | tail -n 1
"$@" -o "$disk/study"
echo "rc $?"
for f in "$TMPDIR"/then/points/*; do
	cmp "$f" "$disk/study/points/${f##*/}"
done
ls "$disk/study/points" | wc -l
rm -r "$TMPDIR/then"
END
if unshare -rm mount -t tmpfs none "$work/disk" 2>/dev/null; then
	export scale
	run 120 unshare -rm sh "$work/fill.sh" "$work/disk" "$scale" run \
		allreduce,bcast -n 2 -m 8:4K --samples 8:8 -s 0.0001
	is "$(grep -v '^#' "$out" | tr '\n' ' ')" "rc 73 rc 0 20 " \
		"full: run goes on when there is room, and loses nothing"
	like "$err" 'points/[a-z,0-9]*.csv: No space left' "full: run names the file"
	like "$out" '^# ([3-9]|1[0-9]) points: .* 0 only in a, 0 only in b$' \
		"full: which has the points before"
else
	skip "no user namespaces" "full: run"
fi
no_leftovers "nothing is left behind"
done_testing
