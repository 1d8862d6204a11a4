#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# apps_heat2d.t checks that mrt-heat2d gives the same field and image, bit for
# bit, on any number of ranks, and that its own checks hold.
. "${top_srcdir:-.}/tests/system/lib.sh"
need_mrun
heat=$top_builddir/mrt-heat2d

# same LABEL SUFFIX ARGS... compares the results of several numbers of ranks.
same()
{
	label=$1
	suffix=$2
	shift 2
	hash=
	for n in 1 2 3 5 8; do
		run 60 "$MRUN" -n "$n" "$heat" -o "$work/h$n.$suffix" "$@"
		is "$rc" 0 "$label: $n ranks"
		like "$out" 'drift .*: kept$' "$label: heat is kept, $n ranks"
		like "$out" '^range .*: within$' "$label: maximum principle, $n"
		now=$(sed -n 's/^field hash //p' "$out")
		: "${hash:=$now}"
		is "$now" "${hash:-none}" "$label: the same field, $n ranks"
		if cmp "$work/h1.$suffix" "$work/h$n.$suffix" >"$work/cmp" 2>&1
		then
			ok "$label: the same picture, $n ranks"
		else
			not_ok "$label: the same picture, $n ranks"
		fi
	done
}

same "square" ppm --nx 64 --ny 64 --steps 100
is "$(head -c 12 "$work/h1.ppm" | head -n 2 | tr '\n' ' ')" "P6 64 64 " \
	"PPM header"
is "$(wc -c <"$work/h1.ppm")" $((13 + 64 * 64 * 3)) "PPM length"
same "odd" ppm --nx 37 --ny 91 --steps 50 --dt 0.25
same "one row" ppm --nx 200 --ny 1 --steps 30
same "one column" ppm --nx 1 --ny 200 --steps 30
same "no step" ppm --nx 16 --ny 16 --steps 0
different=$hash
same "thin blocks" ppm --nx 8 --ny 8 --steps 20
if [ "$different" != "$hash" ]; then
	ok "another field has another hash"
else
	not_ok "another field has another hash"
fi
if grep -q '^#define HAVE_PNG 1' "$top_builddir/config.h"; then
	same "PNG" png --nx 120 --ny 80 --steps 50
	is "$(head -c 8 "$work/h8.png" | od -An -tx1 | tr -d ' ')" \
		89504e470d0a1a0a "PNG signature"
	if have pngtopnm; then
		run 60 "$MRUN" -n 3 "$heat" -x 120 -y 80 -s 50 -o "$work/p.ppm"
		pngtopnm "$work/h8.png" | cmp - "$work/p.ppm" >/dev/null 2>&1
		is $? 0 "PNG and PPM show the same"
	fi
else
	skip "built without libpng" "PNG"
fi
run 30 "$MRUN" -n 8 "$heat" --nx 2 --ny 2
is "$rc" 64 "fewer cells than ranks: exit code 64"
like "$err" 'too few for 8 ranks' "fewer cells than ranks: said"
run 30 "$MRUN" -n 3 "$heat" --steps 1 --out "$work/no/h.ppm"
is "$rc" 73 "the picture cannot be written: exit code 73"
run 30 "$MRUN" -n 3 "$heat" --steps 1 --quiet
is "$(wc -l <"$out")" 1 "--quiet: one line"
done_testing
