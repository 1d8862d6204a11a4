# SPDX-License-Identifier: Apache-2.0
# curves.awk writes data for gnuplot, after stats.awk: for each pattern@curves
# (or @large) and number of ranks a file DIR/PATTERN-RANKS.dat (-v dir=DIR) of
# medians, with a line per size and a column per library. It prints a line
# "PATTERN-RANKS UNIT LIBRARY..." for each.

END {
	for (i = 1; i <= rows; i++) {
		split(keys[i], part, ",")
		if (part[1] !~ /@(curves|large)$/)
			continue
		name = part[1]
		sub(/@curves$/, "", name)
		sub(/@/, "-", name)
		name = name "-" part[2]
		file = dir "/" name ".dat"
		if (!(name in sizes)) {
			names[++n_names] = name
			of_unit[name] = unit[keys[i]]
			used = ""
			for (c = 1; c <= n_columns; c++)
				if ((columns[c], keys[i]) in count)
					used = used " " columns[c]
			libraries[name] = used
		}
		sizes[name]++
		line = part[3]
		n = split(libraries[name], column, " ")
		for (c = 1; c <= n; c++) {
			x = median(column[c], keys[i])
			line = line " " (x == "" ? "-" : x)
		}
		print line >file
	}
	for (i = 1; i <= n_names; i++)
		if (sizes[names[i]] > 1)
			print names[i], of_unit[names[i]] libraries[names[i]]
}
