# SPDX-License-Identifier: Apache-2.0
# bench_verbs.awk turns what bench_verbs.sh has measured into a table with
# verdicts; -v format=text, markdown or json, -v title=..., -v strict=yes. The
# exit code is 1 if a row was not measured or, when strict, its gate was missed.
# Input lines, separated by |:
#   row|METRIC|REFERENCE|SIGN|GATE|AIM   in this order; REFERENCE, a program of
#                                        perftest: GATE and AIM are times its
#                                        figure; empty: they are figures
#   METRIC|ROUND|FIGURE[|FIGURE OF REFERENCE]
# Figures are medians over the rounds; a ratio is the median of the ratios of
# the rounds in which both were measured.

BEGIN { FS = "|" }

$1 == "row" {
	metrics[++rows] = $2
	reference[$2] = $3
	sign[$2] = $4
	gate[$2] = $5
	aim[$2] = $6
	next
}

{
	if ($3 != "")
		mine[$1, ++n_mine[$1]] = $3 + 0
	if ($4 != "")
		theirs[$1, ++n_theirs[$1]] = $4 + 0
	if ($3 != "" && $4 > 0)
		ratios[$1, ++n_ratios[$1]] = $3 / $4
}

# Returns the median of set[metric, 1..n], "" if there is none.
function median(set, metric, n,    i, j, t, v) {
	for (i = 1; i <= n; i++) {
		t = set[metric, i]
		for (j = i - 1; j > 0 && v[j] > t; j--)
			v[j + 1] = v[j]
		v[j + 1] = t
	}
	return !n ? "" : n % 2 ? v[(n + 1) / 2] : (v[n / 2] + v[n / 2 + 1]) / 2
}

function reaches(metric, x, limit) {
	return sign[metric] == "<=" ? x <= limit + 0 : x >= limit + 0
}

function verdict_of(metric, x) {
	if (x == "")
		return "not measured"
	return reaches(metric, x, gate[metric]) ? "reached" : "MISSED"
}

function figure(x) {
	return x == "" ? "-" : sprintf("%.4g", x)
}

function bound(metric, number) {
	return sign[metric] " " number (reference[metric] == "" ? "" : "x")
}

function text_line(name, a, b, r, g, v) {
	if (format == "markdown")
		return "| " name " | " a " | " b " | " r " | " g " | " v " |"
	return sprintf("%-26s %9s  %-22s %7s  %-11s %s", name, a, b, r, g, v)
}

function json_number(x) {
	return x == "" ? "null" : sprintf("%.6g", x)
}

function json_line(metric, a, b, r, v) {
	return sprintf("    {\"metric\": \"%s\", \"libmrt\": %s, " \
		"\"reference\": \"%s\", \"perftest\": %s, \"ratio\": %s, " \
		"\"sign\": \"%s\", \"gate\": %s, \"aim\": %s, " \
		"\"verdict\": \"%s\"}", metric, json_number(a), \
		reference[metric], json_number(b), json_number(r), \
		sign[metric], gate[metric], aim[metric], v)
}

function print_row(metric, last,    a, b, r, x, v) {
	a = median(mine, metric, n_mine[metric])
	b = median(theirs, metric, n_theirs[metric])
	r = median(ratios, metric, n_ratios[metric])
	x = reference[metric] == "" ? a : r
	v = verdict_of(metric, x)
	tally[v]++
	if (format == "json") {
		print json_line(metric, a, b, r, v) (last ? "" : ",")
		return
	}
	if (x != "" && reaches(metric, x, aim[metric]))
		v = v ", aim too"
	print text_line(metric, figure(a), reference[metric] == "" ? "" : \
		reference[metric] " " figure(b), r == "" ? "" : \
		sprintf("%.2fx", r), bound(metric, gate[metric]), v)
}

END {
	if (format == "json") {
		printf "{\"title\": \"%s\",\n  \"rows\": [\n", title
	} else {
		print title (format == "markdown" ? "\n" : "")
		print text_line("metric", "libmrt", "perftest", "ratio", \
			"gate", "verdict")
	}
	if (format == "markdown")
		print "|---|---|---|---|---|---|"
	for (i = 1; i <= rows; i++)
		print_row(metrics[i], i == rows)
	if (format == "json")
		print "  ]}"
	else
		print (format == "markdown" ? "\n" : "") tally["reached"] + 0 \
			" gates reached, " tally["MISSED"] + 0 " missed, " \
			tally["not measured"] + 0 " not measured"
	if (tally["not measured"] > 0 ||
	    (strict == "yes" && tally["reached"] < rows))
		exit 1
}
