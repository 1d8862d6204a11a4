# SPDX-License-Identifier: Apache-2.0
# rows.sh says what compare.sh measures: groups of rows, and which of them
# --only and --quick leave.

default_groups="pairs nocma node windows start scale count memory curves unbound quota"
default_groups="$default_groups busy micro threads"
quick_groups="pairs nocma node windows start count memory"
node_groups="2x1 2x4 4x2 4x4" # nodes and ranks on each
node_groups="$node_groups slurm wait tcp ofi"
every_group="$default_groups started large all apps ranks files shmfiles"
every_group="$every_group $node_groups"
few=3 # rounds of rows without a gate

# rows GROUP prints lines "RANKS PATTERN[:BYTES,...] ..."
rows()
{
	small=8,64,256,1024,4096,16384,65536
	large=65536,262144,1048576,4194304
	all=8,4096,1048576
	case $1 in
	pairs) echo "2 latency:8,1024,4096 rate:8 bandwidth:$large barrier" ;;
	nocma) echo "2 bandwidth:$large" ;;
	node) echo "8 barrier allreduce:8,4096,1048576 bcast:8,1048576" ;;
	windows)
		echo "2 put:8 get:8 fetch_and_op:8 compare_and_swap:8" \
			"lock_put:8 accumulate:8,32768" \
			"put_created:8,1048576 get_created:8,1048576"
		echo "8 fence" ;;
	start) echo "8 start" ;;
	apps) app_rows ;;
	scale)
		echo "32 start"
		echo "128 start" ;;
	count)
		echo "2 count_send:8 count_recv:8 count_isend_wait:8" \
			"count_irecv_wait:8 count_progress count_probe" ;;
	memory) echo "8 memory_pss memory_mapped memory_touched" ;;
	curves)
		echo "2 latency:$small bandwidth:4096,16384,$large"
		echo "8 allreduce:$small,262144,1048576,4194304" \
			"bcast:$small,262144,1048576,4194304" ;;
	busy)
		echo "8 barrier allreduce:8,4096,65536 bcast:65536" \
			"reduce_scatter_block:8192 alltoall:16384" \
			"alltoallv:16384,65536 ialltoall:16384,65536" \
			"reduce_scatter:65536" ;;
	started)
		echo "8 barrier ibarrier bcast:8 ibcast:8" \
			"allreduce:8,64,1024 iallreduce:8,64,1024" \
			"alltoall:8,64 ialltoall:8,64" ;;
	micro)
		bulk=2048,4096,8192,16384,32768,65536,131072,262144
		bulk=$bulk,1048576,2097152,4194304
		echo "2 bandwidth:$bulk bidirectional:$bulk" \
			"struct_latency:384,12288,393216,3145728" \
			"vector_latency:65536,262144,1048576,4194304"
		echo "8 multi_pair:512,1024,2048,4096,8192,16384,65536,262144" \
			"gatherv:8,64,256 reduce_scatter:8,256,512" ;;
	threads) echo "2 thread_latency:8 thread_rate:8" ;;
	unbound | quota) echo "8 barrier allreduce:8,4096" ;;
	ranks)
		for n in ${RANKS:-16 32 64 128 256 512 1024}; do
			echo "$n job init first_barrier barrier first_allreduce" \
				"allreduce first_alltoall alltoall first_split" \
				"split first_pairs pairs memory_rank" \
				"$([ -z "${DEVICE-}" ] || echo registered_rank)" \
				"finalize"
		done ;;
	2x1)
		echo "2 latency:8,1024 rate:8 bandwidth:$large barrier" \
			"put:8 get:8 fetch_and_op:8" ;;
	[24]x[24])
		echo "$((${1%x*} * ${1#*x})) barrier allreduce:8,4096,1048576" \
			"bcast:8,1048576 alltoall:1024" ;;
	slurm) echo "16 start" ;;
	wait) echo "16 wait" ;;
	tcp) echo "2 latency:8 bandwidth:$large" ;;
	ofi) echo "2 latency:8" ;;
	files | shmfiles) # on the disk of TMPDIR; in memory
		echo "1 iwrite_over:16777216 pwrite_over:16777216"
		for n in 4 8; do
			echo "$n pwrite_all:1048576,16777216" \
				"write_all:1048576,16777216" \
				"read_all:1048576,16777216" \
				"write_all_64:1048576 read_all_64:1048576" \
				"write_all_4096:1048576 read_all_4096:1048576" \
				"write_tile:1048576 write_cube:1048576" \
				"write_strided:1048576 read_strided:1048576" \
				open_close
		done ;;
	large)
		for n in 2 4 8; do
			echo "$n allreduce:$large bcast:$large reduce:$large" \
				"allgather:$large alltoall:$large"
		done ;;
	all)
		for n in 4 8; do
			echo "$n barrier bcast:$all reduce:$all allreduce:$all" \
				"gather:$all scatter:$all allgather:$all" \
				"alltoall:$all reduce_scatter_block:$all" \
				"scan:$all exscan:$all"
		done ;;
	esac
}

list_rows()
{
	for group in $every_group; do
		rows "$group" | sed "s/^/$group: ranks /"
	done
}

# wanted GROUP prints its rows that --only ($only) leaves. A word of $only is a
# group, a PATTERN[:BYTES] of the groups that run by default, or
# GROUP/PATTERN[:BYTES].
wanted()
{
	rows "$1" | awk -v group="$1" -v groups=" $every_group " \
		-v only="$only" \
		-v default_groups=" $default_groups " '
	BEGIN {
		words = split(only, word, " ")
		usual = index(default_groups, " " group " ")
	}
	# returns whether a pattern, or one size of it, is selected by name
	function asked(name,    i, w) {
		for (i = 1; i <= words; i++) {
			w = word[i]
			if (index(w, group "/") == 1)
				w = substr(w, length(group) + 2)
			else if (!usual || index(groups, " " w " "))
				continue
			if (w == name)
				return 1
		}
		return 0
	}
	function sizes(name, list,    i, n, size, chosen) {
		n = split(list, size, ",")
		chosen = ""
		for (i = 1; i <= n; i++)
			if (asked(name ":" size[i]))
				chosen = chosen "," size[i]
		return chosen == "" ? "" : name ":" substr(chosen, 2)
	}
	index(" " only " ", " " group " ") || (usual && !words) {
		print
		next
	}
	{
		line = ""
		for (f = 2; f <= NF; f++) {
			split($f, part, ":")
			row = asked(part[1]) ? $f : sizes(part[1], part[2])
			if (row != "")
				line = line " " row
		}
		if (line != "")
			print $1 line
	}'
}

# known_word WORD succeeds if the word selects anything.
known_word()
{
	kept_only=$only
	only=$1
	found=
	for group in $every_group; do
		found=$found$(wanted "$group")
	done
	only=$kept_only
	[ -n "$found" ]
}

# Prints the mode that a group's rows carry in their names, as pattern@mode.
mode_of()
{
	case $1 in
	nocma | curves | unbound | quota | busy | large | all | apps | ranks | \
		started | micro | threads | files | shmfiles | slurm | wait | \
		tcp | ofi | *x*)
		echo "$1" ;;
	*) echo default ;;
	esac
}

rounds_of()
{
	case $1 in
	count | wait) echo 1 ;;
	curves | scale | memory | unbound | quota | busy | large | all | apps | \
		ranks | started | micro | threads | *files | slurm | tcp | \
		ofi | *x* | *+*)
		echo $((ROUNDS < few ? ROUNDS : few)) ;;
	*) echo "$ROUNDS" ;;
	esac
}

# Prints the selected patterns that have a floor.
floor_patterns()
{
	for group in pairs node; do
		wanted $group
	done | awk '{
		for (i = 2; i <= NF; i++) {
			split($i, part, ":")
			print part[1]
			if (part[1] == "bandwidth")
				print "readv\nmemcpy"
		}
	}' | sort -u
}
