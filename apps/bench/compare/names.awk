# SPDX-License-Identifier: Apache-2.0
# names.awk writes rows and figures as people do.

function size_name(bytes) {
	if (bytes >= 1048576 && bytes % 1048576 == 0)
		return bytes / 1048576 " MiB"
	if (bytes >= 1024 && bytes % 1024 == 0)
		return bytes / 1024 " KiB"
	return bytes " B"
}

# "allreduce 4 KiB, 8 ranks", "bandwidth 1 MiB, no CMA"
function row_name(key,    part, mode, name) {
	split(key, part, ",")
	name = part[1]
	mode = ""
	if (sub(/@ranks$/, "", name)) {
		gsub(/_/, " ", name)
		return name " of " part[2]
	}
	if (index(name, "@")) {
		mode = name
		sub(/^.*@/, "", mode)
		sub(/@.*$/, "", name)
	}
	gsub(/_/, " ", name)
	sub(/ native$/, " by mrt.h", name)
	if (part[3] > 0)
		name = name " " size_name(part[3])
	if (part[2] > 2 || mode == "apps" || part[1] ~ /^(barrier|allreduce|bcast)/)
		name = name ", " part[2] " ranks"
	if (mode == "nocma")
		name = name ", no CMA"
	else if (mode ~ /^(unbound|quota|busy|files|shmfiles|slurm|tcp|ofi)$/)
		name = name ", " mode
	return name
}

function number(x) {
	if (x == "")
		return "-"
	if (x >= 1e6)
		return sprintf("%.1fM", x / 1e6)
	return sprintf(x >= 100 ? "%.0f" : x >= 10 ? "%.1f" : "%.2f", x)
}

# "<= 0.85x best", "<= 150 ms"
function gate_name(key,    whose) {
	if (!(key in gate_sign))
		return ""
	whose = gate_of[key]
	if (whose == "limit")
		return gate_sign[key] " " gate_number[key] " " short_unit(key)
	if (whose ~ /:/)
		whose = "with CMA"
	return sprintf("%s %.2fx %s", gate_sign[key], gate_number[key], whose)
}

function short_unit(key) {
	return unit[key] == "instructions" ? "instr" : unit[key]
}
