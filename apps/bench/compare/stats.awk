# SPDX-License-Identifier: Apache-2.0
# stats.awk reads samples (round,column,pattern,ranks,bytes,unit,figure) and
# gates.txt (-v gates=FILE), and computes medians, best figures, ratios round by
# round, and verdicts. table.awk, json.awk and curves.awk use it.
#
# keys[1..rows] and columns[1..n_columns] are in order of appearance; a key is
# "pattern,ranks,bytes". Columns with a + have other settings than the defaults.

BEGIN {
	FS = ","
	us = "libmrt"
	while ((getline line < gates) > 0)
		if (line !~ /^ *(#|$)/)
			add_gates(line)
	close(gates)
}

{
	key = $3 "," $4 "," $5
	if (!(key in known)) {
		known[key] = 1
		keys[++rows] = key
	}
	if (!($2 in column_known)) {
		column_known[$2] = 1
		columns[++n_columns] = $2
	}
	if ($1 + 0 > rounds)
		rounds = $1 + 0
	if ($7 ~ /^[0-9.]/) {
		unit[key] = $6
		sample[$2, key, $1] = $7 + 0
		count[$2, key]++
	} else {
		failure[$2, key] = $7
		failures[$2, key]++
	}
}

function add_gates(line,    part, bytes, n, i, key) {
	split(line, part, " ")
	n = split(part[3], bytes, ",")
	for (i = 1; i <= n; i++) {
		key = part[1] "," part[2] "," bytes[i]
		gate_sign[key] = part[4]
		gate_number[key] = part[5] + 0
		gate_of[key] = part[6]
		gate_aim[key] = part[7]
		gate_keys[++n_gates] = key
	}
}

function more_is_better(key) {
	return unit[key] ~ /\/s$/
}

# ---- Of a set of numbers: list[1..n] ---------------------------------------

function sort_list(n,    i, j, t) {
	for (i = 2; i <= n; i++)
		for (j = i; j > 1 && list[j] < list[j - 1]; j--) {
			t = list[j]
			list[j] = list[j - 1]
			list[j - 1] = t
		}
}

function median_of_list(n) {
	sort_list(n)
	return n % 2 ? list[(n + 1) / 2] : (list[n / 2] + list[n / 2 + 1]) / 2
}

# Puts the figures of a column into list[]; returns how many there are.
function collect(column, key,    r, n) {
	n = 0
	for (r = 1; r <= rounds; r++)
		if ((column, key, r) in sample)
			list[++n] = sample[column, key, r]
	return n
}

# ---- Of a column -----------------------------------------------------------

# returns "" if there is none
function median(column, key,    n) {
	n = collect(column, key)
	return n ? median_of_list(n) : ""
}

function best(column, key,    n) {
	n = collect(column, key)
	sort_list(n)
	return !n ? "" : more_is_better(key) ? list[n] : list[1]
}

# ---- Ratios ----------------------------------------------------------------

function is_peer(column) {
	return column !~ /^(libmrt|floor)/
}

# returns "" if there is none; must not create an entry
function figure_of(column, key, r) {
	return (column, key, r) in sample ? sample[column, key, r] : ""
}

function samples_in(column, key) {
	return (column, key) in count ? count[column, key] : 0
}

function failures_in(column, key) {
	return (column, key) in failures ? failures[column, key] : 0
}

# Returns what `whose` had in a round: a column, "best" (of the peers'
# defaults), or pattern:ranks:bytes, a row of libmrt.
function reference(whose, key, r,    i, c, x, found) {
	if (whose ~ /:/) {
		gsub(/:/, ",", whose)
		return figure_of(us, whose, r)
	}
	if (whose != "best")
		return figure_of(whose, key, r)
	found = ""
	for (i = 1; i <= n_columns; i++) {
		c = columns[i]
		if (!is_peer(c) || c ~ /\+/ || !((c, key, r) in sample))
			continue
		x = sample[c, key, r]
		if (found == "" || (more_is_better(key) ? x > found : x < found))
			found = x
	}
	return found
}

# Returns the column of a peer ("" for any) with the best median of a row,
# defaults and other settings alike.
function best_column(peer, key,    i, c, x, found, at) {
	at = ""
	for (i = 1; i <= n_columns; i++) {
		c = columns[i]
		if (!is_peer(c) || (peer != "" && c != peer && \
		    index(c, peer "+") != 1))
			continue
		x = median(c, key)
		if (x != "" && (at == "" || (more_is_better(key) ? \
		    x > found : x < found))) {
			found = x
			at = c
		}
	}
	return at
}

# Returns libmrt's figure divided by theirs, the median of the rounds where both
# have one; "" if there is no such round.
function ratio(whose, key,    r, n, x) {
	n = 0
	for (r = 1; r <= rounds; r++) {
		if (!((us, key, r) in sample))
			continue
		x = reference(whose, key, r)
		if (x != "" && x > 0)
			list[++n] = sample[us, key, r] / x
	}
	return n ? median_of_list(n) : ""
}

# ---- Verdicts --------------------------------------------------------------

# Returns what the gate of a row limits: a ratio, or libmrt's own median.
function judged(key) {
	return gate_of[key] == "limit" ? median(us, key) : \
		ratio(gate_of[key], key)
}

# Returns by what part the gate is missed: 0.1 is ten per cent; <= 0 if it is
# met; "" if that is unknown.
function missed_by(key,    x) {
	x = judged(key)
	if (x == "")
		return ""
	return gate_sign[key] == "<=" ? x / gate_number[key] - 1 : \
		1 - x / gate_number[key]
}

function verdict(key,    by) {
	if (!(key in gate_sign))
		return ""
	if (!((us, key) in count))
		return (us, key) in failure ? "MISSED: " failure[us, key] : ""
	by = missed_by(key)
	if (by == "")
		return "no figure to compare"
	if (failures_in(us, key))
		return "MISSED: failed in " failures_in(us, key) " rounds"
	return by <= 0 ? "reached" : sprintf("MISSED by %.0f %%", by * 100)
}

# Returns the goal in the row's unit, "" if there is none.
function aim(key,    part, x) {
	if (!(key in gate_aim) || gate_aim[key] == "-")
		return ""
	if (split(gate_aim[key], part, "*") == 1)
		return gate_aim[key] + 0
	gsub(/:/, ",", part[2])
	x = median(us, part[2])
	return x == "" ? "" : part[1] * x
}

function aim_verdict(key,    a, x) {
	a = aim(key)
	x = median(us, key)
	if (a == "" || x == "")
		return ""
	return (more_is_better(key) ? x >= a : x <= a) ? "reached" : "not yet"
}
