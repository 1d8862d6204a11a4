# SPDX-License-Identifier: Apache-2.0
# verbs_many.t: one machine, many ranks that connect through the device when
# they first need each other: RANKS=128 and SEED=1 in make check-cluster-large.
. "${top_srcdir:?run by make check-cluster-large}/tests/cluster/lib.sh"
: "${RANKS:=128}" "${MESSAGES:=$((RANKS * 40))}"
CLUSTER_TIMEOUT=3000
in_cluster -N 1 --mem "${MEM:-8G}"
need_mrun
export MRT_FABRIC=verbs MRT_MESH_MAX=0 MRT_TIMEOUT=600
export MRT_STATS=1 MRT_STATS_FILE="$work/stats.csv"
CASES_TIMEOUT=2400
counters_start

# Prints what MRT_STATS counts at the device: the sum over ranks, and the largest.
counted()
{
	awk -F, '$2 == "" && $3 == "verbs" {
		sum[$4] += $5
		if ($5 + 0 > most[$4] + 0)
			most[$4] = $5
	}
	END {
		for (c in sum)
			if (sum[c])
				printf "# %s: %d, of a rank %d\n", c, sum[c], most[c]
	}' "$MRT_STATS_FILE" | sort
}

# Writes how many MiB of memory are free, from second to second.
watch_memory()
{
	while awk '/^MemAvailable/ { print int($2 / 1024) }' /proc/meminfo; do
		sleep 1
	done >"$work/free"
}

watch_memory &
watcher=$!
cases "$RANKS ranks:" "$MRUN" -n "$RANKS" "$top_builddir/tests/system/storm" \
	--messages "$MESSAGES" --seed "${SEED:-1}" --max 100000
took=$ms
kill $watcher
diag "$((took / 1000)) s; $(awk 'NR == 1 { most = least = $1 }
	$1 < least { least = $1 }
	END { print most - least }' "$work/free") MiB of memory"
counted
no_rnr "no receiver was ever not ready"
is "$(rdma_objects)" "" "no queue pair, no registration is left"
no_leftovers "nothing is left"
done_testing
