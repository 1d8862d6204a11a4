# SPDX-License-Identifier: Apache-2.0
# runs.sh runs one group in one column and appends its samples to $samples:
# round,column,pattern,ranks,bytes,unit,figure. A missing row has the figure
# "failed" or "timeout".

# expand RANKS ROW... prints "pattern,ranks,bytes" of each row and size.
expand()
{
	n=$1
	shift
	printf '%s\n' "$@" | awk -F: -v n="$n" '{
		count = split($2, size, ",")
		for (i = 1; i <= count; i++)
			print $1 "," n "," size[i]
		if (!count)
			print $1 "," n ",0"
	}'
}

# record ROUND COLUMN MODE CODE EXPECTED puts the results of $work/out into
# $samples.
record()
{
	suffix=
	[ "$3" = default ] || suffix=@$3
	why=failed
	case $4 in
	124 | 137) why=timeout ;;
	esac
	awk -F, -v head="$1,$2" -v suffix="$suffix" -v code="$4" -v why="$why" \
		-v expected="$5" '
		function put(pattern, rest) {
			print head "," pattern suffix "," rest
		}
		NF == 5 && $5 != "" {
			put($1, $2 "," $3 "," $4 "," $5)
			seen[$1 "," $2 "," $3] = 1
		}
		END {
			n = split(expected, row, " ")
			for (i = 1; i <= n; i++)
				if (!(row[i] in seen)) {
					split(row[i], part, ",")
					put(part[1], part[2] "," part[3] ",-," why)
				}
		}' "$work/out" >>"$samples"
	if [ "$4" -ne 0 ]; then
		say
		echo "compare: $2: $why (exit code $4): $5" | tr '\n' ' ' >&2
		echo >&2
		tail -n 3 "$work/err" | sed "s/^/  $2: /" >&2
	fi
}

start_up()
{
	launch "$1" "$2" "$3" "$work/initfin.${1%%+*}" >/dev/null \
		2>"$work/err" || return
	echo "start,$3,0,ms,$ms" >"$work/out"
}

# Only rank 0 runs under valgrind, so that only its instructions are counted.
instructions()
{
	program=$work/counted.${1%%+*}
	rm -f "$work"/flags "$work"/callgrind*
	launch "$1" "$2" 1 env LD_BIND_NOW=1 valgrind --tool=callgrind \
		--callgrind-out-file="$work/callgrind" \
		'--toggle-collect=counted_*' '--dump-before=end_of_*' \
		"$program" "$work/flags" : -n 1 "$program" "$work/flags" \
		>"$work/err" 2>&1 || return
	awk '/^desc: Trigger:/ { kind = $NF; sub(/.*end_of_/, "", kind) }
		/^summary:/ && FILENAME ~ /\.[0-9]+$/ {
			bytes = kind ~ /^(progress|probe)$/ ? 0 : 8
			print "count_" kind ",2," bytes ",instructions," $2 / 1000
		}' "$work"/callgrind.* >"$work/out"
}

memory()
{
	rm -f "$work/memory"
	launch "$1" "$2" "$3" "$work/idle.${1%%+*}" "$work/memory" \
		2>"$work/err" || return
	awk -v n="$3" '
		$1 == "pss" { pss += $2 }
		$1 == "shared" { touched += $4; here[$2 " " FNR] = 1 }
		$1 == "shared" && $3 > longest[$2] { longest[$2] = $3 }
		function row(name, kb) {
			print "memory_" name "," n ",0,MiB," kb / 1024
		}
		END {
			for (i in longest)
				mapped += longest[i]
			row("pss", pss / n)
			row("mapped", mapped)
			row("touched", touched)
		}' "$work/memory" >"$work/out"
}

# What the rank that has most has registered with the device (DEVICE=yes).
registered()
{
	awk -F, -v n="$1" '$2 == "" && $3 == "verbs" &&
	    $4 ~ /^(registered bytes now|bytes of message buffers)$/ {
		bytes[$1] += $5
		if (bytes[$1] > most)
			most = bytes[$1]
	}
	END { print "registered_rank," n ",0,KiB," most / 1024 }' \
		"$work/stats"
}

# pair_alone SERVER CLIENT: runs two commands on two nodes, the second one until
# it finds the first one; $work/alone is its output.
pair_alone()
{
	# shellcheck disable=SC2016 # for the inner shell
	launch floor 2x1 2 sh -c '
		[ "$PMIX_RANK" -ne 0 ] || exec $1 >/dev/null
		until $2; do sleep 0.1; done' pair "$1" "$2" \
		>"$work/alone" 2>"$work/err"
}

# provider_alone measures the provider that libmrt uses by fi_pingpong.
provider_alone()
{
	launch libmrt ofi 2 env MRT_LOG=info "$work/initfin.libmrt" \
		2>"$work/err" || return
	provider=$(sed -n "s/.*uses libfabric's \([^ ]*\) on .*/\1/p" \
		"$work/err" | head -n 1)
	[ -n "$provider" ] || return 69
	pingpong="fi_pingpong -p $provider -e rdm -I 20000 -S 8"
	pair_alone "$pingpong" "$pingpong node1" || return
	awk '$1 == 8 { print "latency,2,8,us," $7 }' "$work/alone" >"$work/out"
}

# sockets_alone ROW... measures plain sockets by sockperf, whose shortest message
# has 14 bytes, and iperf3, whose longest piece has 1 MiB.
sockets_alone()
{
	server="timeout --preserve-status -s INT 4 sockperf server --tcp"
	address=$(getent ahostsv4 node1 | awk 'NR == 1 { print $1 }')
	pair_alone "$server --nonblocked -i $address" \
		"sockperf ping-pong --tcp --nonblocked -m 14 -t 1 -i $address" ||
		return
	awk '/Latency is/ { print "latency,2,8,us," $(NF - 1) }' \
		"$work/alone" >"$work/out"
	for size in $(echo "$*" | sed -n 's/.*bandwidth:\([0-9,]*\).*/\1/p' |
		tr , ' '); do
		pair_alone "iperf3 -s -1" "iperf3 -c node1 -t 1 -f k -l $((
			size < 1048576 ? size : 1048576))" || return
		awk -v size="$size" '/receiver/ {
			print "bandwidth,2," size ",MB/s," $7 / 8000 }' \
			"$work/alone" >>"$work/out"
	done
}

# A job of many ranks. Where a library has failed or taken too long, it is not
# asked for so many ranks again, nor for more.
many_ranks()
{
	most=$(cat "$work/gave_up.$1" 2>/dev/null)
	[ "$3" -lt "${most:-$(($3 + 1))}" ] || return 124
	[ -z "${DEVICE-}" ] || export MRT_STATS_FILE="$work/stats"
	rm -f "$work/stats"
	launch "$1" "$2" "$3" "$work/ranks.${1%%+*}" >"$work/out" \
		2>"$work/err"
	code=$?
	[ ! -s "$work/stats" ] || registered "$3" >>"$work/out"
	[ $code -eq 0 ] || echo "$3" >"$work/gave_up.$1"
	[ $code -ne 0 ] || echo "job,$3,0,ms,$ms" >>"$work/out"
	return $code
}

# one_run ROUND COLUMN GROUP RANKS ROW...
one_run()
{
	round=$1
	column=$2
	group=$3
	ranks=$4
	shift 4
	way=$(mode_of "$group")
	: >"$work/out"
	: >"$work/err"
	COMPARE_FILES=$work
	[ "$group" != shmfiles ] || COMPARE_FILES=/dev/shm
	export COMPARE_FILES
	case $group.$column in
	tcp.floor) sockets_alone "$@" ;;
	ofi.floor) provider_alone ;;
	start.* | scale.* | slurm.*) start_up "$column" "$way" "$ranks" ;;
	wait.*) launch "$column" "$way" "$ranks" "$work/waiting.${column%%+*}" \
		>"$work/out" 2>"$work/err" ;;
	count.*) instructions "$column" "$way" ;;
	apps.*) apps_run "$@" ;;
	ranks.*) many_ranks "$column" "$way" "$ranks" ;;
	memory.*) memory "$column" "$way" "$ranks" ;;
	*) launch "$column" "$way" "$ranks" "$work/patterns.${column%%+*}" \
		"$TIME" "$@" >"$work/out" 2>"$work/err" ;;
	esac
	record "$round" "$column" "$way" $? "$(expand "$ranks" "$@")"
}

# run_group ROUND COLUMN GROUP
run_group()
{
	if [ "$3" = floor ]; then
		# shellcheck disable=SC2046 # words
		"$work/floor" "$TIME" $(floor_patterns) >"$work/out" \
			2>"$work/err"
		record "$1" floor default $? ""
		return
	fi
	wanted "$3" >"$work/wanted"
	while read -r ranks wanted_rows; do
		# shellcheck disable=SC2086 # words
		one_run "$1" "$2" "$3" "$ranks" $wanted_rows
	done <"$work/wanted"
}
