# SPDX-License-Identifier: Apache-2.0
# report.sh turns $samples into tables, result.json, table.csv and pictures in
# $kept, for compare.sh.

# with PROGRAM.awk... runs awk over the samples.
with()
{
	name=$1
	shift
	awk -v gates="$gates" -v settings="$settings" "$@" \
		-f "$here/stats.awk" -f "$here/names.awk" \
		-f "$here/$name.awk" "$samples"
}

machine()
{
	cpu=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)
	echo "$(nproc) CPUs (${cpu:-unknown}), $(uname -sr)"
}

about()
{
	printf '"machine": "%s", "date": "%s", "rounds": %s, "time": %s' \
		"$(machine | tr -d '"\134')" "$(date -u +%FT%TZ)" "$ROUNDS" "$TIME"
	echo
}

# check_samples reports invalid lines of the samples.
check_samples()
{
	awk -F, 'NF != 7 || $1 !~ /^[1-9][0-9]*$/ || $2 == "" || $3 == "" ||
	    ($4 $5) !~ /^[0-9]+$/ ||
	    $7 !~ /^-?([0-9.]+(e[-+]?[0-9]+)?|[a-z]+)$/ {
		print "compare: line " FNR " is no sample"
		bad = 1
		exit
	}
	END { exit bad || !NR }' "$samples" >&2
}

# Checks that the description can stand in JSON.
described_well()
{
	text='"machine": "[^"]*", "date": "[^"]*", "rounds": [0-9]+, '
	[ -r "$described" ] &&
		grep -Eqx "$text"'"time": [0-9.]+' "$described"
}

# Draws one picture of each curve.
pictures()
{
	curves=$(with curves -v dir="$work")
	[ -n "$curves" ] || return 0
	command -v gnuplot >/dev/null || {
		echo "compare: no pictures: no gnuplot" >&2
		return 0
	}
	echo "$curves" | while read -r name over unit columns; do
		draw "$name" "$unit" "$work/$name.dat" "$columns" "$over" |
			gnuplot ||
			echo "compare: no picture of $name" >&2
	done
}

# axis FILE prints its sizes with names, and space on both sides: a tic at the
# very end would be left out.
axis()
{
	awk 'BEGIN { printf "set xtics (" }
	NR == 1 { least = $1 }
	{
		name = $1
		if (name % 1048576 == 0)
			name = name / 1048576 "M"
		else if (name % 1024 == 0)
			name = name / 1024 "K"
		printf "%s\047%s\047 %d", (NR > 1 ? ", " : ""), name, $1
	}
	END {
		printf ")\nset xrange [%g:%g]\n", least / 1.2, $1 * 1.2
	}' "$1"
}

# draw NAME UNIT FILE COLUMNS OVER prints the commands for gnuplot.
draw()
{
	case $5 in
	ranks) title="$1: median" ;;
	*) title="${1%-*}, ${1##*-} ranks: median" ;;
	esac
	cat <<EOF
set terminal svg size 720,480 font 'sans-serif,14' background 'white'
set output '$kept/$1.svg'
set title '$title' noenhanced
set xlabel '$5'
set ylabel '$2'
set logscale x 2
set logscale y 10
$(axis "$3")
set grid
set key left top
set datafile missing '-'
EOF
	printf 'plot'
	n=1
	for column in $4; do
		n=$((n + 1))
		[ $n -eq 2 ] || printf ','
		printf " '%s' using 1:%d with linespoints lw 2 title '%s'" \
			"$3" $n "$column"
	done
	echo
}

# Prints tables, and writes files to $kept if --out was given; returns 1 if
# --strict and a gate is missed.
make_report()
{
	awk -F'"' '/^"machine"/ {
		gsub(/[^0-9]/, "", $11)
		print $11 " rounds by turns, rank i on core i, " $4
	}' "$described"
	with table -v format="$format" >"$work/tables"
	with growth >>"$work/tables"
	cat "$work/tables"
	if [ -n "$OUT" ]; then
		with json -v about="$(cat "$described")" >"$kept/result.json"
		with csv >"$kept/table.csv"
		pictures
		echo "samples.csv, table.csv, result.json, pictures: $kept" >&2
	fi
	[ "$strict" = no ] || ! grep -q MISSED "$work/tables"
}
