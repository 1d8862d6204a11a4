# SPDX-License-Identifier: Apache-2.0
# goal.awk reads a GOAL schedule as strictly as LogGOPSim's txt2bin does, and
# matches its messages. It prints "messages N" and exits with 0, or says what is
# wrong and exits with 1.
function bad(why) {
	print FILENAME ":" FNR ": " why ": " $0
	failed = 1
	exit 1
}
function define(label) {
	if (label in known)
		bad("a label twice")
	known[label] = 1
}
/^\/\/ / || /^$/ { next }
/^num_ranks [0-9]+$/ {
	if (ranks || rank != "")
		bad("num_ranks twice or late")
	ranks = $2
	next
}
/^rank [0-9]+ \{$/ {
	if (rank != "" || !ranks || $2 >= ranks || $2 in seen)
		bad("no such rank here")
	rank = $2
	seen[rank] = 1
	nseen++
	next
}
/^}$/ {
	if (rank == "")
		bad("no rank is open")
	rank = ""
	split("", known)
	next
}
rank == "" { bad("outside of a rank") }
/^[a-z][a-z0-9_]*: send [0-9]+b to [0-9]+ tag [0-9]+$/ {
	define(substr($1, 1, length($1) - 1))
	if ($5 >= ranks)
		bad("no such peer")
	sends++
	open_[rank " " $5 " " $7 " " $3]++
	next
}
/^[a-z][a-z0-9_]*: recv [0-9]+b from [0-9]+ tag [0-9]+$/ {
	define(substr($1, 1, length($1) - 1))
	recvs++
	open_[$5 " " rank " " $7 " " $3]--
	next
}
/^[a-z][a-z0-9_]*: calc [0-9]+$/ {
	define(substr($1, 1, length($1) - 1))
	next
}
# a label must be defined before it is used
/^[a-z][a-z0-9_]* requires [a-z][a-z0-9_]*$/ {
	if (!($1 in known) || !($3 in known) || $1 == $3)
		bad("no such label")
	next
}
{ bad("not GOAL") }
END {
	if (failed)
		exit 1
	if (rank != "" || !ranks || nseen != ranks) {
		print FILENAME ": ranks are missing"
		exit 1
	}
	for (m in open_)
		if (open_[m]) {
			print FILENAME ": unmatched (from, to, tag, bytes): " m
			exit 1
		}
	print "messages " sends + 0
}
