# SPDX-License-Identifier: Apache-2.0
# csv.awk prints the table for programs, after stats.awk and names.awk: a line
# for each row and column.

END {
	print "pattern,ranks,bytes,unit,column,median,best,samples,failed," \
		"ratio_to_best_peer,gate,verdict"
	for (i = 1; i <= rows; i++)
		for (j = 1; j <= n_columns; j++) {
			k = keys[i]
			c = columns[j]
			if (!((c, k) in count) && !((c, k) in failure))
				continue
			print k "," unit[k] "," c "," median(c, k) "," \
				best(c, k) "," samples_in(c, k) "," \
				failures_in(c, k) "," (c == us ? \
				ratio("best", k) "," gate_name(k) "," \
				verdict(k) : ",,")
		}
}
