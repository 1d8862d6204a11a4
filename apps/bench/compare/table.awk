# SPDX-License-Identifier: Apache-2.0
# table.awk prints tables for people, after stats.awk and names.awk; -v
# format=text or markdown, -v settings=settings.txt. The last line counts
# verdicts.

function begin_table(title, heads) {
	printf (format == "markdown" ? "\n### %s\n\n" : "\n%s\n"), title
	n_cells = split(heads, cell, "|")
	print_row()
	if (format == "markdown") {
		for (i = 1; i <= n_cells; i++)
			printf "|---"
		print "|"
	}
}

# Prints cell[1..n_cells] of a row; in text, names to the left, figures to the
# right.
function print_row(    i, w) {
	if (format == "markdown") {
		for (i = 1; i <= n_cells; i++)
			printf "| %s ", cell[i]
		print "|"
		return
	}
	for (i = 1; i <= n_cells; i++) {
		w = wide[i] ? wide[i] : 16
		printf (w < 0 ? "%-" (-w) "s " : "%" w "s "), cell[i]
	}
	print ""
}

function figure_cell(column, key) {
	if (!((column, key) in count))
		return (column, key) in failure ? failure[column, key] : "-"
	return number(median(column, key)) " (" number(best(column, key)) ")" \
		(failures_in(column, key) ? " !" : "")
}

function ratio_cell(whose, key,    x) {
	x = ratio(whose, key)
	return x == "" ? "-" : sprintf("%.2fx", x)
}

# ---- Gates and other rows, defaults ----------------------------------------

function defaults_row(key,    i, n) {
	n = 0
	cell[++n] = row_name(key)
	cell[++n] = short_unit(key)
	for (i = 1; i <= n_plain; i++)
		cell[++n] = figure_cell(plain[i], key)
	cell[++n] = number(median("floor", key))
	cell[++n] = ratio_cell("best", key)
	cell[++n] = gate_name(key)
	cell[++n] = verdict(key)
	cell[++n] = aim(key) == "" ? "" : number(aim(key)) \
		(aim_verdict(key) == "reached" ? " reached" : "")
	print_row()
}

function defaults_table(title, pattern,    heads, i, begun) {
	begun = 0
	for (i = 1; i <= rows; i++) {
		if (keys[i] ~ /@(curves|ranks)/ || !has_mpi(keys[i]) ||
		    section(keys[i]) != pattern)
			continue
		if (!begun++) {
			heads = "row|unit"
			for (j = 1; j <= n_plain; j++)
				heads = heads "|" plain[j]
			set_widths(3 + n_plain)
			begin_table(title, heads "|floor|ratio|gate|verdict|aim")
		}
		defaults_row(keys[i])
	}
}

function set_widths(floor_at) {
	delete wide
	wide[1] = -30
	wide[2] = -5
	wide[floor_at] = wide[floor_at + 1] = 8
	wide[floor_at + 2] = -18
	wide[floor_at + 3] = -21
	wide[floor_at + 4] = -14
}

function has_mpi(key,    i) {
	for (i = 1; i <= n_plain; i++)
		if ((plain[i], key) in count || (plain[i], key) in failure)
			return 1
	return 0
}

function section(key) {
	if (key in gate_sign)
		return "gates"
	if (key ~ /@apps/)
		return "apps"
	return key ~ /@(large|all)/ ? "large" : "other"
}

# ---- The peers' other settings ---------------------------------------------

function has_settings(key,    i) {
	for (i = 1; i <= n_columns; i++)
		if (columns[i] ~ /\+/ && (columns[i], key) in count)
			return 1
	return 0
}

function settings_table(    i, j, c, begun, heads) {
	begun = 0
	for (i = 1; i <= rows; i++) {
		if (!has_settings(keys[i]))
			continue
		if (!begun++) {
			heads = "row|unit"
			for (j = 1; j <= n_plain; j++)
				heads = heads "|" plain[j] \
					(j > 1 ? " at its best|with" : "")
			delete wide
			wide[1] = -30
			wide[2] = -5
			for (j = 5; j <= 1 + 2 * n_plain; j += 2)
				wide[j] = -9
			begin_table("Next to the best known settings", heads \
				"|ratio to the best")
		}
		cell[1] = row_name(keys[i])
		cell[2] = short_unit(keys[i])
		cell[3] = figure_cell(us, keys[i])
		for (j = 2; j <= n_plain; j++) {
			c = best_column(plain[j], keys[i])
			cell[2 * j] = c == "" ? "-" : figure_cell(c, keys[i])
			cell[2 * j + 1] = c == plain[j] ? "default" : c
			sub(/^.*\+/, "", cell[2 * j + 1])
		}
		cell[2 + 2 * n_plain] = ratio_cell(best_column("", keys[i]), keys[i])
		print_row()
	}
	if (begun)
		explain_settings()
}

function explain_settings(    line, part) {
	print ""
	while ((getline line < settings) > 0) {
		if (line ~ /^ *(#|$)/)
			continue
		split(line, part, " ")
		if (!((part[1] "+" part[2]) in column_known))
			continue
		sub(/^ *[^ ]+ +[^ ]+ +[^ ]+ +/, "", line)
		print (format == "markdown" ? "- " : "  ") part[1] " " \
			part[2] ": " line
	}
}

# ---- Floors without a row of MPI -------------------------------------------

function floors_table(    i, begun) {
	begun = 0
	for (i = 1; i <= rows; i++) {
		if (has_mpi(keys[i]))
			continue
		if (!begun++) {
			delete wide
			wide[1] = -30
			wide[2] = -5
			begin_table("The machine alone", "what|unit|median (best)")
		}
		cell[1] = row_name(keys[i])
		cell[2] = short_unit(keys[i])
		cell[3] = figure_cell("floor", keys[i])
		print_row()
	}
}

function summary(    i, v, reached, missed, unknown, aims) {
	reached = missed = unknown = aims = 0
	for (i = 1; i <= n_gates; i++) {
		v = verdict(gate_keys[i])
		if (v == "reached")
			reached++
		else if (v ~ /^MISSED/)
			missed++
		else
			unknown++
		aims += aim_verdict(gate_keys[i]) == "reached"
	}
	print "\n" reached " gates reached, " missed " missed, " unknown \
		" not measured; " aims " aims reached"
}

END {
	n_plain = 0
	plain[++n_plain] = us
	for (i = 1; i <= n_columns; i++)
		if (is_peer(columns[i]) && columns[i] !~ /\+/)
			plain[++n_plain] = columns[i]
	defaults_table("Gates: median (best) of each library with its defaults", \
		"gates")
	defaults_table("Other rows", "other")
	defaults_table("Large and all collectives", "large")
	defaults_table("Whole programs", "apps")
	settings_table()
	floors_table()
	summary()
}
