# SPDX-License-Identifier: Apache-2.0
# curves.awk writes data for gnuplot, after stats.awk: for each pattern@curves
# (or @large, @micro) and number of ranks a file DIR/PATTERN-RANKS.dat (-v dir=DIR) of
# medians, with a line per size and a column per library; for each pattern@ranks
# a file DIR/PATTERN.dat with a line per number of ranks. It prints a line
# "NAME bytes|ranks UNIT LIBRARY..." for each.

END {
	for (i = 1; i <= rows; i++) {
		split(keys[i], part, ",")
		if (part[1] !~ /@(curves|large|micro|ranks)$/)
			continue
		name = part[1]
		at = part[3]
		if (sub(/@ranks$/, "", name)) {
			at = part[2]
			over[name] = "ranks"
		} else {
			sub(/@curves$/, "", name)
			sub(/@/, "-", name)
			name = name "-" part[2]
			over[name] = "bytes"
		}
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
		line = at
		n = split(libraries[name], column, " ")
		for (c = 1; c <= n; c++) {
			x = median(column[c], keys[i])
			line = line " " (x == "" ? "-" : x)
		}
		print line >file
	}
	for (i = 1; i <= n_names; i++)
		if (sizes[names[i]] > 1)
			print names[i], over[names[i]], \
				of_unit[names[i]] libraries[names[i]]
}
