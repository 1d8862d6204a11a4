# SPDX-License-Identifier: Apache-2.0
# growth.awk prints, after stats.awk and names.awk, how the figures of
# pattern@ranks grow with the number of ranks: a line for each pattern and
# library, with the medians and the exponents of growth up to the largest number
# of ranks, from the smallest one and from the one before (1: linear, 2:
# quadratic).

function exponent(c, name, from, to,    a, b) {
	a = median(c, name "@ranks," from ",0")
	b = median(c, name "@ranks," to ",0")
	return a > 0 && b > 0 && from != to ? \
		sprintf("%.1f", log(b / a) / log(to / from)) : "-"
}

END {
	for (i = 1; i <= rows; i++) {
		split(keys[i], part, ",")
		if (part[1] !~ /@ranks$/)
			continue
		sub(/@ranks$/, "", part[1])
		if (!(part[1] in seen)) {
			seen[part[1]] = 1
			names[++n_names] = part[1]
			of_unit[part[1]] = unit[keys[i]]
		}
		if (!(part[2] in of_ranks)) {
			of_ranks[part[2]] = 1
			ranks[++n_ranks] = part[2]
		}
	}
	if (!n_ranks)
		exit
	printf "\ngrowth with ranks: median, exponent overall, and of the last step\n"
	printf "%-24s %-8s", "", ""
	for (r = 1; r <= n_ranks; r++)
		printf " %8d", ranks[r]
	print " overall   last"
	for (i = 1; i <= n_names; i++)
		for (j = 1; j <= n_columns; j++) {
			c = columns[j]
			last = 0
			line = ""
			for (r = 1; r <= n_ranks; r++) {
				key = names[i] "@ranks," ranks[r] ",0"
				x = median(c, key)
				line = line sprintf(" %8s", x != "" ? number(x) : \
					(c, key) in failure ? failure[c, key] : "-")
				if (x != "") {
					before = last
					last = ranks[r]
				}
			}
			if (!last)
				continue
			name = names[i]
			gsub(/_/, " ", name)
			printf "%-24s %-8s%s %7s %6s\n", name ", " of_unit[names[i]], \
				c, line, exponent(c, names[i], ranks[1], last), \
				before ? exponent(c, names[i], before, last) : "-"
		}
}
