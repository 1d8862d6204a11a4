#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# launcher_engines.t tests mrun beyond one node: which engine it takes and what
# it asks of the engine, with programs that only have the name of one; then real
# jobs on the two virtual nodes of Slurm, and under Open MPI's mpirun.
. "${top_srcdir:?run by make check}/tests/system/lib.sh"
# a rank that dies of SIGSEGV must die of the signal, not of ASan's handler
export ASAN_OPTIONS="${ASAN_OPTIONS-}:handle_segv=0"
. "$top_srcdir/tests/system/slurm_lib.sh"
need_mrun
client=$top_builddir/tests/system/launcher_client
boot_info=$top_builddir/tests/system/boot_info
fatal=$top_builddir/tests/system/fatal
unset SLURM_JOB_NUM_NODES SLURM_NNODES MRT_ENGINE
trap 'slurm_stop; rm -rf "$work"' EXIT

# ---- the choice, and the command line ----

fakes=$work/fakes
mkdir "$fakes"
fake()
{
	printf '#!/bin/sh\necho "%s"\n' "$2" >"$fakes/$1"
	chmod +x "$fakes/$1"
}

# show ARG... prints what mrun would run, with only the fakes in PATH.
show()
{
	run 10 env PATH="$fakes" $alloc "$MRUN" --show "$@"
}

# shows NAME WORDS ARG... checks that WORDS stand in this order, with no others
# between.
shows()
{
	name=$1
	words=$2
	shift 2
	show "$@"
	like "$out" "$words" "$name"
}

# refuses NAME CODE TEXT ARG...
refuses()
{
	name=$1
	want=$2
	text=$3
	shift 3
	show "$@"
	is "$rc" "$want" "$name: $want"
	like "$err" "$text" "$name is explained"
}

two='SLURM_JOB_NUM_NODES=2 SLURM_JOB_CPUS_PER_NODE=4,2'
true=/bin/true

alloc=
refuses "no engine" 69 'prterun.*openmpi-bin' --host a,b "$true"
alloc=$two
refuses "no srun" 69 'slurm-client' "$true"
alloc=
fake mpirun 'HYDRA build details'
refuses "MPICH's mpirun is no engine" 69 'openmpi-bin' --host a,b "$true"
fake mpirun 'mpirun (Open MPI) 9.9'
shows "Open MPI's mpirun" "^$fakes/mpirun .*--oversubscribe.* $true\$" \
	--host a,b "$true"
shows "slots are counted" ' --host a,b:2 .* -n 3 ' --host a,b:2 "$true"
shows "ranks are shared out" ' --host a:2,b:2 .* -n 3 ' --host a,b -n 3 "$true"
shows "--ppn" ' --host a:3,b:3 .* -n 6 ' --host a,b --ppn 3 "$true"
shows "--nodes takes the first" ' --host a:2 .* -n 2 ' \
	--host a,b --nodes 1 -n 2 "$true"
printf '# ours\n\na:2 # first\nb slots=3 max_slots=4\nc\na\n' >"$work/hosts"
shows "--hostfile" ' --host a:3,b:3,c .* -n 7 ' --hostfile "$work/hosts" "$true"
shows "options of mpirun" \
	"--map-by numa --bind-to core:overload-allowed \
--report-bindings --tag-output --stdin none " \
	--host a,b --map-by numa --bind-to core --report-bindings \
	--tag-output --stdin none "$true"
shows "--cpus-per-rank with mpirun" '--map-by slot:PE=4 ' --host a,b \
	--cpus-per-rank 4 "$true"
shows "each program has its own" \
	"-n 1 --wdir / -x A=b $true 1 : -n 2 $true 2" \
	--host a,b -n 1 --wdir / -x A=b "$true" 1 : -n 2 "$true" 2
MRT_LOG=warn
export MRT_LOG
shows "MRT_ variables are named" " -x MRT_LOG $true" --host a,b "$true"
shows "unless they are set" " -x MRT_LOG=info $true" \
	--host a,b -x MRT_LOG=info "$true"
unset MRT_LOG
shows "a shell can read it" "'a b' 'it'.''s' ''" --host a,b "$true" 'a b' "it's" ''
refuses "--output with mpirun" 64 '^mrun: --output .*mpirun' \
	--host a,b --output d "$true"
shows "--map-by ppr with mpirun" '--map-by ppr:2:socket:PE=3 --rank-by numa' \
	--host a,b --map-by ppr:2:socket:pe=3 --rank-by numa "$true"
show --host a,b --map-by ppr:2:socket "$true"
is "$(grep -c -- ' -n ' "$out")" 0 "which says how many ranks there are"
shows "ppr of nodes is --ppn" ' --host a:3,b:3 .* -n 6 ' \
	--host a,b --map-by ppr:3:node "$true"
shows "--mca is for mpirun" ' --mca btl self --mca pml ob1 ' \
	--host a,b --mca btl self -mca pml ob1 "$true"
shows "--use-hwthread-cpus with mpirun" ' --use-hwthread-cpus ' \
	--host a,b --use-hwthread-cpus "$true"
shows "-genv with mpirun" " -x A=b $true : .* -x A=b $true" --host a,b \
	-genv A b -n 1 "$true" : -n 1 "$true"
refuses "-genvnone with mpirun" 64 '-genvnone' --host a,b -genvnone "$true"
mkdir "$work/own"
ln -s "$MRUN" "$work/own/mpirun"
run 10 env PATH="$work/own:$fakes" "$MRUN" --show --host a,b "$true"
like "$out" "^$fakes/mpirun " "mrun in the name of mpirun is no engine"
fake prterun x
shows "prterun comes first" \
	"^$fakes/prterun .*--host a:1,b:1 --map-by slot:OVERSUBSCRIBE \
--bind-to package:overload-allowed --output tag --stdin 0 -n 2 " \
	--host a,b -n 2 --tag-output --bind-to socket "$true"
shows "--cpus-per-rank with prterun" '--map-by slot:PE=4:OVERSUBSCRIBE ' \
	--host a,b -c 4 "$true"
shows "--map-by ppr with prterun" \
	'--map-by ppr:2:package:OVERSUBSCRIBE:HWTCPUS --rank-by slot' --host a,b \
	--map-by ppr:2:socket:hwtcpus --rank-by slot "$true"
refuses "--rank-by of an object with prterun" 64 '^mrun: --rank-by' \
	--host a,b --rank-by numa "$true"
shows "--engine decides" "^$fakes/mpirun " --engine mpirun --host a,b "$true"
alloc=MRT_ENGINE=mpirun
shows "MRT_ENGINE decides" "^$fakes/mpirun " --host a,b "$true"
shows "--engine before MRT_ENGINE" "^$fakes/prterun " --engine auto \
	--host a,b "$true"
alloc=
shows "hosts that are this node" 'mrun starts 3 ranks on this node' \
	--host "$(hostname):2,localhost:1" "$true"

fake srun x
alloc=$two
shows "an allocation of two nodes" \
	"^$fakes/srun --mpi=pmix .*--ntasks=4 .*--input=0 $true\$" -n 4 "$true"
fake srun 'MPI plugin types are... none pmi2'
shows "a Slurm without PMIx" "^$fakes/srun --mpi=pmi2 " "$true"
fake srun 'MPI plugin types are... none pmi2 pmix'
shows "a Slurm with both" "^$fakes/srun --mpi=pmix " "$true"
shows "options of srun" \
	" --cpu-bind=verbose,cores --input=none --label --chdir=/ env A=b $true c" \
	--bind-to core --report-bindings --stdin none --tag-output --wdir / \
	-x A=b "$true" c
shows "--cpus-per-rank with srun" ' --cpus-per-task=4 ' -c 4 "$true"
shows "six CPUs hold six ranks" '--ntasks=6 --input' -n 6 "$true"
shows "seven ranks share them" '--ntasks=7 --overcommit ' -n 7 "$true"
shows "fewer ranks than nodes" '--ntasks=1 --nodes=1 ' -n 1 "$true"
shows "--ppn with srun" '--ntasks=6 --ntasks-per-node=3 ' --ppn 3 "$true"
shows "--host with srun" \
	'--ntasks=4 --nodes=2 --nodelist=a,b --ntasks-per-node=2 ' \
	--host a:2,b:2 "$true"
refuses "unequal slots with srun" 64 'slots for each host' --host a,b:2 "$true"
refuses "several programs with srun" 64 'several programs' \
	-n 1 "$true" : -n 1 "$true"
shows "ppr of nodes with srun" '--ntasks=6 --ntasks-per-node=3 ' \
	--map-by ppr:3:node "$true"
refuses "--rank-by with srun" 64 '^mrun: --rank-by' --rank-by numa "$true"
refuses "--use-hwthread-cpus with srun" 64 '^mrun: --use-hwthread' \
	--use-hwthread-cpus "$true"
refuses "-genvnone with srun" 64 '-genvnone' -genvnone "$true"
shows "-genvall is what srun does" "^$fakes/srun " -genvall "$true"
refuses "--map-by with srun" 64 '^mrun: --map-by' --map-by core "$true"
alloc="$two MRT_ENGINE=local"
shows "mrun itself, if it must" 'mrun starts 2 ranks on this node' -n 2 "$true"
alloc=SLURM_JOB_NUM_NODES=1
shows "an allocation of one node" 'mrun starts 2 ranks on this node' \
	-n 2 "$true"
alloc=
refuses "--nodes beyond the hosts" 64 'only 2 hosts' --nodes 3 --host a,b "$true"
refuses "more than --ppn allows" 64 '5 ranks do not fit' \
	--ppn 2 --host a,b -n 5 "$true"
refuses "-N" 64 '[-][-]nodes or --ppn' -N 2 "$true"
refuses "a bad number of slots" 64 'HOST:SLOTS' --host a:0 "$true"
refuses "no name" 64 'HOST:SLOTS' --host a,,b "$true"
refuses "a name like an option" 64 'HOST:SLOTS' --host=-oProxy "$true"
refuses "no hostfile" 64 'No such file' --hostfile "$work/none" "$true"
echo 'a slots=many' >"$work/hosts"
refuses "a bad hostfile" 64 'slots=many' --hostfile "$work/hosts" "$true"
refuses "--engine of no name" 64 'local.slurm.prterun.mpirun' --engine x "$true"
refuses "several nodes for local" 64 'this node only' \
	--engine local --nodes 2 "$true"

# ---- real jobs ----

# Waits until the job before is gone from the nodes.
settle()
{
	[ "$engine" != slurm ] || slurm_settle
}

# What holds on one node is checked on two: $launch is mrun for these, $engine
# its name.
# job NAME CODE ARG...
job()
{
	name=$1
	want=$2
	shift 2
	settle
	run 40 $launch "$@"
	is "$rc" "$want" "$engine: $name: $want"
}

sorted()
{
	sort "$out" | tr '\n' ' '
}

up()
{
	[ "$(grep -c '^up' "$out" 2>/dev/null)" -eq 2 ]
}

# signalled SIGNAL CODE sends the signal to mrun alone, once both ranks are up.
signalled()
{
	settle
	command="kill -$1"
	: >"$out"
	mark_n=$((mark_n + 1))
	mark=$$.$mark_n
	TEST_MARK=$mark $launch -n 2 sh -c 'echo up; exec sleep 60' \
		>"$out" 2>"$err" </dev/null &
	pid=$!
	wait_for 15 up
	kill "-$1" $pid
	wait $pid 2>/dev/null
	is $? "$2" "$engine: SIG$1 to mrun: $2"
	wait_for 10 nothing_marked && ok "$engine: SIG$1 ends the ranks" ||
		not_ok "$engine: SIG$1 ends the ranks"
}

# on_two_nodes NODE NODE
on_two_nodes()
{
	job "boot" 0 -n 4 "$boot_info"
	is "$(sorted)" "rank 0 of 4, 0 of 2 (0,1) on $1, 2 nodes $1,$2, 4 peers \
rank 1 of 4, 1 of 2 (0,1) on $1, 2 nodes $1,$2, 4 peers \
rank 2 of 4, 0 of 2 (2,3) on $2, 2 nodes $1,$2, 4 peers \
rank 3 of 4, 1 of 2 (2,3) on $2, 2 nodes $1,$2, 4 peers " \
		"$engine: each rank knows its place"
	job "no fabric between nodes" 69 -n 4 -x MRT_OFI_PROVIDER=none \
		"$fatal" none
	like "$err" 'MRT_ERR_NO_FABRIC: .*2 node' "$engine: and says so"
	job "-x" 0 -n 2 -x A='b c,d' -x MRT_LOG=info sh -c 'echo "$A $MRT_LOG"'
	is "$(sorted)" 'b c,d info b c,d info ' "$engine: -x reaches all ranks"
	job "MRT_ variables" 0 -n 2 sh -c 'echo "$MRT_TIMEOUT"'
	is "$(sorted)" '50 50 ' "$engine: MRT_ variables reach all ranks"
	job "--wdir" 0 -n 2 --wdir / pwd
	is "$(sorted)" '/ / ' "$engine: --wdir"
	job "--map-by ppr:2:node" 0 --map-by ppr:2:node -genv A b sh -c \
		'echo "$A"'
	is "$(sorted)" 'b b b b ' "$engine: two ranks on each node"
	job "all output" 0 -n 4 seq 5000
	is "$(wc -l <"$out")" 20000 "$engine: all output arrives"
	seq 1000 >"$work/in"
	settle
	is "$($launch -n 2 sh -c 'wc -l' <"$work/in" 2>"$err" | sort -n |
		tr '\n' ' ')" '0 1000 ' "$engine: rank 0 gets standard input"
	job "a rank exits with 3" 3 -n 4 "$client" exit 2 3
	job "a rank is killed" 137 -n 4 "$client" die 3 9
	job "a rank is killed on the first node" 139 -n 4 "$client" die 1 11
	job "a rank aborts" 71 -n 4 "$client" abort 1 71
	job "a rank without PMIx fails" 5 -n 2 \
		sh -c '[ $PMIX_RANK = 1 ] && exit 5; sleep 60'
	settle
	run 40 $launch -n 4 "$client" exit 2 0
	case " $unfinished " in
	*" $rc "*) ok "$engine: a rank does not finalize: $rc" ;;
	*) is "$rc" "$unfinished" "$engine: a rank does not finalize" ;;
	esac
	job "--timeout" 124 -n 2 --timeout 1 sleep 60
	like "$err" '^mrun: .*--timeout' "$engine: mrun ended it"
	job "no such program" 127 -n 2 /nonexistent
	signals='INT:130 TERM:143 QUIT:131 KILL:137'
	[ "$TEST_LEVEL" = full ] || signals=TERM:143
	for signal in $signals; do
		signalled ${signal%:*} ${signal#*:}
	done
}

MRT_TIMEOUT=50
export MRT_TIMEOUT

missing=$(slurm_missing)
if [ -n "$missing" ]; then
	skip "not installed: $missing" "jobs through Slurm"
elif ! slurm_start; then
	not_ok "Slurm comes up"
	slurm_logs
else
	engine=slurm
	launch="$MRUN --nodes 2"
	# Slurm's PMIx may kill the other ranks (137) before they have ended
	# with 75
	unfinished='75 137'
	on_two_nodes n1 n2
	launch="salloc -Q -N2 $MRUN"
	job "in an allocation" 0 hostname
	is "$(wc -l <"$out")" 2 "slurm: a rank on each node"
	job "more ranks than CPUs" 0 -n 12 hostname
	is "$(wc -l <"$out")" 12 "slurm: ranks share CPUs"
	job "in an allocation: a rank is killed" 139 -n 4 "$client" die 2 11
	like "$err" '^mrun: rank 2 on n2 was killed by signal 11' \
		"slurm: the failed rank is named"
	job "in an allocation, --output" 0 -n 2 --output "$work/o" echo hello
	is "$(cat "$work/o/rank.0.out" "$work/o/rank.1.out" | tr '\n' ' ')" \
		'hello hello ' "slurm: --output"
	launch="salloc -Q -N1 $MRUN"
	job "an allocation of one node" 0 -v -n 2 true
	like "$err" 'server is up' "slurm: mrun is the server then"
fi

# Two "nodes": ssh is a shell in a UTS namespace with the name of the other
# node.
cat >"$work/agent" <<'X'
#!/bin/sh
while :; do
	case $1 in
	-*) shift ;;
	*) break ;;
	esac
done
node=$1
shift
exec unshare -u sh -c 'hostname "$1" && shift && exec sh -c "$*"' sh "$node" "$@"
X
chmod +x "$work/agent"
if ! have mpirun.openmpi; then
	skip "mpirun.openmpi is not installed" "jobs through mpirun"
elif ! unshare -u true 2>/dev/null; then
	skip "no second host name: unshare -u is refused" "jobs through mpirun"
else
	engine=mpirun
	OMPI_MCA_plm_rsh_agent=$work/agent
	OMPI_MCA_oob_tcp_if_include=lo
	export OMPI_MCA_plm_rsh_agent OMPI_MCA_oob_tcp_if_include
	launch="$MRUN --engine mpirun --host $(hostname),mrtnode2"
	unfinished=1
	on_two_nodes "$(hostname)" mrtnode2
	job "one host more than ranks" 0 -n 1 true
fi
done_testing
