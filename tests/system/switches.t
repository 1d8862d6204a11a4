# SPDX-License-Identifier: Apache-2.0
# switches.t runs a chain over four virtual nodes of two switches, which Slurm or
# a file tells, and looks at who sends to whom.
. "${top_srcdir:?run by make check}/tests/system/lib.sh"
. "$top_srcdir/tests/system/slurm_lib.sh"
missing=$(slurm_missing)
[ -z "$missing" ] || skip_all "not installed:" $missing

slurm_nodes='n1 n2 n3 n4'
slurm_switches='SwitchName=leaf1 Nodes=n1,n3
SwitchName=leaf2 Nodes=n2,n4
SwitchName=core Switches=leaf[1-2]'
trap 'slurm_stop; rm -rf "$work"' EXIT
if ! slurm_start; then
	not_ok "Slurm comes up"
	slurm_logs
	done_testing
fi
ok "Slurm comes up with four nodes"

calls=1000

# Prints whom ranks send the messages of a chain to.
chain()
{
	slurm_settle
	run 60 env MRT_STATS=peer MRT_BCAST=chain "$@" \
		srun --mpi=pmix -N4 -n4 "$top_builddir/mrt-bench" bcast -m 8 -i $calls -x 0
	[ "$rc" = 0 ] || diag "$(tail -3 "$err")"
	awk -v calls=$calls '/^rank [0-9]+ to [0-9]+ by/ && $8 >= calls {
		print $2 "-" $4 }' "$err" | sort | tr '\n' ' '
}

is "$(chain MRT_TOPOLOGY=none)" '0-1 1-2 2-3 ' "by ranks where nobody tells"
is "$(chain MRT_TOPOLOGY=)" '0-2 1-3 2-1 ' "from switch to switch as Slurm tells"
is "$(chain MRT_TOPOLOGY="$slurm/topology.conf")" '0-2 1-3 2-1 ' \
	"as Slurm's file does"
printf 'n1,n4 leaf1\nn2,n3 leaf2\n' >"$work/nodes"
is "$(chain MRT_TOPOLOGY="$work/nodes")" '0-3 1-2 3-1 ' "as another file does"

if [ -x "$top_builddir/mrt-scale" ]; then
	slurm_settle
	run 60 "$top_builddir/mrt-scale" run barrier -n 4 -t 0.1 \
		-a dissemination -o "$work/study" -- --engine slurm --ppn 1
	is "$(sed -n 's/.*"leaf": *\([-0-9]*\).*/\1/p' \
		"$work"/study/jobs/*.json | sort | uniq -c | tr -s ' \n' ' ')" \
		' 2 0 2 1 ' "places have their leaf switches"
else
	skip "built without jansson" "places have their leaf switches"
fi

slurm_settle
echo 'n[1-3] leaf1' >"$work/nodes"
run 60 env MRT_TOPOLOGY="$work/nodes" srun --mpi=pmix -N4 -n8 -O "$top_builddir/mrt-hello"
is "$rc $(grep -c 'has no node' "$err")" '0 1' "a node that is not in the file"
slurm_settle
run 60 env MRT_TOPOLOGY="$work/none" srun --mpi=pmix -N4 -n4 "$top_builddir/mrt-hello"
is "$((rc != 0 && rc != 124))" 1 "no such file ($rc)"
like "$err" "MRT_ERR_ENV: MRT_TOPOLOGY=$work/none: No such file" "and its name"
done_testing
