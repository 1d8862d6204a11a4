# SPDX-License-Identifier: Apache-2.0
# json.awk prints everything for programs, after stats.awk and names.awk: each
# row with each column's samples, medians, ratios, gate and verdict; -v
# about='...' gives members of the first object.

function quoted(text) {
	gsub(/\\/, "\\\\", text)
	gsub(/"/, "\\\"", text)
	return "\"" text "\""
}

function figure(x) {
	return x == "" ? "null" : sprintf("%.6g", x)
}

function samples_of(column, key,    r, text) {
	text = ""
	for (r = 1; r <= rounds; r++)
		if ((column, key, r) in sample)
			text = text (text == "" ? "" : ", ") "[" r ", " \
				figure(sample[column, key, r]) "]"
	return "[" text "]"
}

function columns_of(key,    i, c, text) {
	text = ""
	for (i = 1; i <= n_columns; i++) {
		c = columns[i]
		if (!((c, key) in count) && !((c, key) in failure))
			continue
		text = text (text == "" ? "" : ",") "\n      " quoted(c) \
			": {\"median\": " figure(median(c, key)) \
			", \"best\": " figure(best(c, key)) \
			", \"failed\": " failures_in(c, key) \
			", \"samples\": " samples_of(c, key) "}"
	}
	return text
}

function gate_object(key) {
	if (!(key in gate_sign))
		return "null"
	return "{\"sign\": " quoted(gate_sign[key]) ", \"number\": " \
		gate_number[key] ", \"of\": " quoted(gate_of[key]) \
		", \"measured\": " figure(judged(key)) ", \"verdict\": " \
		quoted(verdict(key)) ", \"aim\": " figure(aim(key)) "}"
}

function row_object(key,    part) {
	split(key, part, ",")
	return "    {\"pattern\": " quoted(part[1]) ", \"ranks\": " part[2] \
		", \"bytes\": " part[3] ", \"unit\": " quoted(unit[key]) \
		",\n     \"ratio\": " figure(ratio("best", key)) \
		", \"ratio_best_settings\": " figure(ratio(best_column("", key), key)) \
		", \"gate\": " gate_object(key) \
		",\n     \"columns\": {" columns_of(key) "}}"
}

END {
	print "{" about (about == "" ? "" : ",") "\n  \"rows\": ["
	for (i = 1; i <= rows; i++)
		print row_object(keys[i]) (i < rows ? "," : "")
	print "  ]}"
}
