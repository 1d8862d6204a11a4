#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# launcher_options.t tests how mrun understands its command line.
# shellcheck source=tests/system/launcher_lib.sh
. "${srcdir:-.}/tests/system/launcher_lib.sh"

run "$mrun" --help
check "--help" code_is 0
check "--help names the options" out_has "--report-bindings"
run "$mrun" --version
check "--version" out_has "^mrun (libmrt) [0-9]"
run "$mrun" --help-env
check "--help-env has the table" out_has "^MRT_LOG .*warn.*error|warn|info"

run "$mrun"
check "without program: 64" code_is 64
run "$mrun" -n 2
check "without program after options: 64" code_is 64
run "$mrun" --nonsense true
check "unknown option: 64" code_is 64
check "unknown option is named" err_has "unknown option --nonsense"
run "$mrun" -n 0 true
check "-n 0: 64" code_is 64
run "$mrun" -n 5000 echo started
check "-n 5000: 71" code_is 71
check "-n 5000 names the limit" err_has "5000 ranks on this node: at most 4096"
check "-n 5000 starts nothing" out_lines 0
run "$mrun" -n 2x true
check "-n 2x: 64" code_is 64
run "$mrun" -n
check "-n without value: 64" code_is 64
run "$mrun" -n 1 true :
check "nothing after the colon: 64" code_is 64
run "$mrun" -n 1 true : true
check "-n missing for the second program: 64" code_is 64
run "$mrun" --bind-to moon true
check "bad --bind-to: 64" code_is 64
check "bad --bind-to lists the valid ones" err_has "core|numa"
run "$mrun" -n 2 --stdin 2 true
check "--stdin of no rank: 64" code_is 64
run "$mrun" --timeout never true
check "bad --timeout: 64" code_is 64
run "$mrun" -n 1 --wdir /nonexistent true
check "no such --wdir: 64" code_is 64
run env MRT_SM_RING=1 "$mrun" -n 1 true
check "bad MRT_ variable: 78" code_is 78
check "bad MRT_ variable is named" err_has "MRT_SM_RING=1"

run "$mrun" -n 4 --oversubscribe --allow-run-as-root echo hello
check "habits of mpirun are accepted" code_is 0
check "four ranks" sorted_is "hello hello hello hello"
run "$mrun" -np=3 echo hello
check "-np=3" out_lines 3
run "$mrun" --np 3 -- echo hello
check "--np 3 --" out_lines 3
run "$mrun" echo hello
check "without -n: a rank for each usable core" \
	[ "$(wc -l <"$T/out")" -le "$(nproc)" ]

run "$mrun" -n 1 echo a : -n 2 echo b : -n 1 echo c
check "several programs" sorted_is "a b b c"
run "$mrun" -n 2 "$client" info : -n 1 "$client" info
check "several programs in one job" out_has "pmix.job.size=3"
check "their numbers" out_has "pmix.appnum=1"

run "$mrun" -n 1 -x ONE=1 --env TWO="a b" sh -c 'echo "$ONE $TWO"'
check "-x and --env" out_is "1 a b"
run env THREE=3 "$mrun" -n 1 -x THREE sh -c 'echo "$THREE"'
check "-x with a name" out_is "3"
run "$mrun" -n 1 -x A=1 sh -c 'echo $A' : -n 1 sh -c 'echo none$A'
check "-x belongs to its program" sorted_is "1 none"
run env PMIX_FOREIGN=1 "$mrun" -n 1 sh -c 'echo x$PMIX_FOREIGN'
check "another launcher's PMIX_ variables are dropped" out_is x
run "$mrun" -n 1 --wdir / pwd
check "--wdir" out_is /
mkdir "$T/bin"
printf '#!/bin/sh\necho mine\n' >"$T/bin/own-program"
chmod +x "$T/bin/own-program"
run "$mrun" -n 1 --wdir "$T/bin" ./own-program
check "a program relative to --wdir" out_is mine
run "$mrun" -n 1 -x PATH="$T/bin:$PATH" own-program
check "a program in the PATH of -x" out_is mine

run "$mrun" -n 2 --report-bindings true
check "--report-bindings has a line for each rank" \
	[ "$(grep -c '^mrun: rank [01] .*true  cpus [0-9].*\[.*#.*\]' \
	"$T/err")" -eq 2 ]
run "$mrun" -n 2 --bind-to none --report-bindings true
check "--bind-to none is told" err_has "bound to none"
run "$mrun" --report-bindings nproc
slots=$(wc -l <"$T/out")
cores=$(sed -n 's/.* usable cores \([0-9]*\) of.*/\1/p' "$T/err")
threads=$(($(nproc) / cores)) # of a core
check "a core for each rank" [ "$(sort -u "$T/out")" = "$threads" ]
run "$mrun" -n 1 nproc
check "all cores for a rank alone" out_is "$((slots * threads))"
run "$mrun" -n 1 -c 1 nproc
check "--cpus-per-rank 1" out_is "$threads"
run "$mrun" -n 1 --bind-to core nproc
check "--bind-to core" out_is "$threads"
run "$mrun" -c 9999 -n 1 true
check "more cores than there are: 64" code_is 64
check "and how many there are" err_has "--cpus-per-rank 9999: $cores core"
run "$mrun" -n 1 --bind-to none sh -c \
	'grep Cpus_allowed_list /proc/self/status | cut -f2'
check "--bind-to none leaves the mask alone" out_is \
	"$(grep Cpus_allowed_list /proc/self/status | cut -f2)"
run taskset -c 0 "$mrun" -n 3 sh -c \
	'grep Cpus_allowed_list /proc/self/status | cut -f2'
check "never beyond mrun's own mask" sorted_is "0 0 0"

# threaded ARGS... says how a job would be bound in a machine of two sockets with
# four cores each, and whether that is enough for its threads.
threaded()
{
	run env HWLOC_SYNTHETIC='pack:2 core:4 pu:1' "$@"
	grep OMP_NUM_THREADS "$T/err" >"$T/few"
}
few_are() { [ "$(cut -d' ' -f2- "$T/few")" = "$1" ]; }
advice() { echo "set it lower, or use -c $1 and fewer ranks"; }

threaded OMP_NUM_THREADS=4 "$mrun" -n 2 --report-bindings true
check "ranks share all cores, whatever OMP_NUM_THREADS is" \
	[ "$(grep -cE 'cpus (0-3|4-7) ' "$T/err")" -eq 2 ]
check "which are enough for their threads" few_are ""
threaded OMP_NUM_THREADS=2 "$mrun" -n 2 --report-bindings true
check "or more than enough" [ "$(grep -c 'cpus 0-3 ' "$T/err")" -eq 1 ]
threaded OMP_NUM_THREADS=4 "$mrun" -n 4 --report-bindings true
check "ranks with fewer CPUs than threads are told once" few_are \
	"4 ranks have fewer CPUs than OMP_NUM_THREADS (rank 0: 2 for 4); $(advice 4)"
threaded OMP_NUM_THREADS=2 "$mrun" -n 4 -c 1 --report-bindings true
check "as they are with --cpus-per-rank" few_are \
	"4 ranks have fewer CPUs than OMP_NUM_THREADS (rank 0: 1 for 2); $(advice 2)"
threaded OMP_NUM_THREADS=1 "$mrun" -n 1 true : \
	-n 1 -x OMP_NUM_THREADS=5,2 --report-bindings true
check "the program's own number counts, the outermost level" few_are \
	"1 rank has fewer CPUs than OMP_NUM_THREADS (rank 1: 4 for 5); $(advice 5)"
threaded OMP_NUM_THREADS=9 "$mrun" -n 2 -envnone --report-bindings true
check "not what it does not inherit" few_are ""
threaded OMP_NUM_THREADS=9 MRT_LOG=info "$mrun" -n 1 true
check "MRT_LOG=info tells, too" few_are \
	"1 rank has fewer CPUs than OMP_NUM_THREADS (rank 0: 8 for 9); $(advice 9)"
threaded OMP_NUM_THREADS=9 "$mrun" -n 1 true
check "nothing else does" few_are ""

# placed LINES... writes a rankfile and says where its ranks would be in a
# machine of two sockets with four cores each.
placed()
{
	printf '%b\n' "$@" >"$T/ranks"
	run env HWLOC_SYNTHETIC='pack:2 core:4 pu:1' "$mrun" --bind-to core \
		--report-bindings --rankfile "$T/ranks" true
	sed -n 's/^mrun: rank \([0-9]*\) .*true  cpus \([^ ]*\) .*/\1:\2/p' \
		"$T/err" >"$T/placed"
}
placed_are() { [ "$(tr '\n' ' ' <"$T/placed")" = "$1 " ]; }

placed 'rank 1=localhost slot=7 # the last' '' '# nothing' \
	"rank 0=$(hostname) slot=1:0-1,3" 'rank  2 = +n0  slots = 0:*;1:2'
check "a rankfile places ranks" placed_are "0:4-5,7 1:7 2:0-3,6"
placed 'rank 0=localhost slot=0' 'rank 1=localhost slot=0'
check "two ranks on a core" placed_are "0:0 1:0"
while IFS='|' read -r lines why; do
	placed "$lines"
	check "rankfile $lines: 64" code_is 64
	check "and why: $why" err_has "$T/ranks$why"
done <<'X'
rank 0=localhost slot=8|:1: slot=8: there is no core 8: 8 are usable
rank 0=localhost slot=0:4|:1: slot=0:4: there is no core 4: 4 are
rank 0=localhost slot=2:0|:1: slot=2:0: there is no socket 2: 2 are
rank 0=localhost slot=1-9|:1: slot=1-9: there is no core 8
rank 0=localhost slot=3-2|:1: slot=3-2: 3-2 is no range
rank 0=localhost slot=1-|:1: slot=1-: no number at ""
rank 0=localhost slot=0,,1|:1: .*no number at ",1"
rank 0=localhost slot=0:1:2|:1: .*":2" behind a number
rank 0=localhost slot=;0|:1: .*no number at ";0"
rank 0=localhost slot=p0|:1: no "rank N=HOST slot=LIST"
rank 0=localhost slot=99999999999999999999|:1: .*there is no core
rank 0=localhost|:1: no "rank N=HOST
rank 70000=localhost slot=0|:1: rank 70000: ranks are 0 to
rank 0=localhost slot=0\nrank 0=localhost slot=1|:2: rank 0 is in line 1
rank 1=localhost slot=0|: rank 0 is missing
rank 0=elsewhere slot=0|:1: elsewhere is not this node
X
placed ''
check "an empty rankfile: 64" code_is 64
echo "rank 0=localhost slot=0" >"$T/ranks"
run "$mrun" --map-by "rankfile:file=$T/ranks" echo hello
check "--map-by rankfile:file=FILE says how many ranks" out_is hello
run "$mrun" -rf "$T/ranks" nproc
check "they are bound" out_is "$threads"
run "$mrun" --rankfile "$T/ranks" --bind-to none --report-bindings nproc
check "but with --bind-to none" out_is "$((slots * threads))"
run "$mrun" -n 2 --rankfile "$T/ranks" true
check "a rankfile of fewer ranks than -n: 64" code_is 64
check "and the numbers" err_has "ranks places 1 rank, and the job has 2"
run "$mrun" --rankfile "$T/ranks" --map-by socket true
check "a rankfile and --map-by: 64" code_is 64
run "$mrun" --rankfile "$T/none" true
check "no such rankfile: 64" code_is 64
run "$mrun" --rankfile "$T/ranks" --engine mpirun true
check "an engine refuses a rankfile: 64" code_is 64

# shellcheck disable=SC2016 # the rank's
run "$mrun" -n 1 sh -c 'cat /proc/$PPID/maps'
check "mrun has its topology" out_has "/libhwloc"
check "without plug-ins of hwloc" [ "$(grep -c "/hwloc_" "$T/out")" -eq 0 ]
run env HWLOC_PLUGINS_PATH=/elsewhere "$mrun" -n 1 printenv HWLOC_PLUGINS_PATH
check "which the ranks may have" out_is /elsewhere
run "$mrun" -n 1 printenv HWLOC_PLUGINS_PATH
check "or not" code_is 1
run sh -c "ulimit -n 90; exec $mrun -n 30 $client"
check "too few open files: 71" code_is 71
check "how many are needed, and how to get them" \
	err_has "30 ranks need about 1[0-9]* open files.* 90: .*ulimit -n"
run sh -c "ulimit -n 160; exec $mrun -n 30 $client"
check "which are enough" code_is 0
for how in core slot numa; do
	run "$mrun" -n 5 --map-by $how --bind-to core true
	check "--map-by $how" code_is 0
done
for what in hwthread core numa socket none; do
	run "$mrun" -n 3 --bind-to $what true
	check "--bind-to $what" code_is 0
done
for what in l3 package core:overload-allowed; do
	run "$mrun" -n 1 --bind-to $what true
	check "--bind-to $what" code_is 0
done

# ---- what people type at other mpiexecs ----
run "$mrun" --map-by ppr:3:node echo hello
check "--map-by ppr:3:node" out_lines 3
run "$mrun" --map-by ppr:2:socket:pe=1 --report-bindings true
sockets=$(sed -n 's/.*packages \([0-9]*\)$/\1/p' "$T/err")
check "--map-by ppr:2:socket:pe=1" \
	[ "$(grep -c '^mrun: rank .*#' "$T/err")" -eq $((2 * sockets)) ]
run "$mrun" -n $((2 * sockets + 1)) --map-by ppr:2:socket true
check "more ranks than these: 64" code_is 64
check "and how many there may be" err_has "room for $((2 * sockets)),"
for bad in ppr:0:node ppr:2 ppr:2: ppr:x:node ppr:2:core ppr:2:moon moon \
	core:pe=0 core:pe= core:moon; do
	run "$mrun" --map-by $bad true
	check "--map-by $bad: 64" code_is 64
done
for how in slot node numa socket package; do
	run "$mrun" -n 3 --rank-by $how true
	check "--rank-by $how" code_is 0
done
run "$mrun" --rank-by moon true
check "bad --rank-by: 64" code_is 64
run "$mrun" --use-hwthread-cpus --bind-to core nproc
check "--use-hwthread-cpus" [ "$(sort -u "$T/out")" = 1 ]
check "a rank for each thread" out_lines $((slots * threads))
run "$mrun" -pernode echo one
check "-pernode" out_is one
run "$mrun" -n 2 -l echo line
check "-l" sorted_is "[0]<stdout>: line [1]<stdout>: line"

run "$mrun" -genv A 1 -genv B=2 -n 1 -env B 3 sh -c 'echo "$A $B"' : \
	-n 1 sh -c 'echo "$A $B"'
check "-genv, -env" sorted_is "1 2 1 3"
run env KEEP=1 LOSE=2 MRT_LOG=warn "$mrun" -n 1 -genvlist A,KEEP -env NEW 3 \
	"$(command -v env)"
check "-genvlist keeps" out_has '^KEEP=1$'
check "-genvlist drops" [ "$(grep -c '^LOSE=' "$T/out")" -eq 0 ]
check "with -env" out_has '^NEW=3$'
check "and MRT_*" out_has '^MRT_LOG=warn$'
run env LOSE=2 "$mrun" -genvnone -n 1 -envall printenv LOSE : \
	-n 1 sh -c 'echo "${LOSE-none}"'
check "-genvnone, and -envall for one program" sorted_is "2 none"

run "$mrun" -n 7 -soft 2:9:3,1 echo hello
check "-soft" out_lines 5
run "$mrun" -n 7 -soft 9:3:-4 echo hello
check "-soft downwards" out_lines 5
run "$mrun" -n 7 -soft 8,9 true
check "-soft of more than -n: 64" code_is 64
for bad in x 1:2:0 1: 3,; do
	run "$mrun" -n 7 -soft $bad true
	check "-soft $bad: 64" code_is 64
done
run "$mrun" -n 1 -path /nonexistent:"$T/bin" own-program
check "-path" out_is mine
cat >"$T/programs" <<'X'
# a program on each line
-n 1 -env A "one word" sh -c 'echo "$A"'

 -n 2 echo two\ words # the last
X
run "$mrun" --bind-to none -configfile "$T/programs"
check "-configfile" [ "$(sort "$T/out" | tr '\n' ,)" = \
	"one word,two words,two words," ]
run "$mrun" -configfile "$T/programs" true
check "-configfile and a program: 64" code_is 64
run "$mrun" -n 2 -configfile "$T/programs"
check "-configfile and options of a program: 64" code_is 64
run "$mrun" -configfile "$T/none"
check "no such file: 64" code_is 64
echo "-n 1 echo 'a" >"$T/bad"
run "$mrun" -configfile "$T/bad"
check "a quote that does not end: 64" code_is 64
echo "-configfile $T/bad" >"$T/twice"
run "$mrun" -configfile "$T/twice"
check "a file in a file: 64" code_is 64

# the words of Open MPI 5 and MPICH
run "$mrun" -n 2 --map-by :OVERSUBSCRIBE -bind-to rr true
check "--map-by :OVERSUBSCRIBE, -bind-to rr" code_is 0
run "$mrun" -n 2 --map-by : true
check "--map-by with nothing: 64" code_is 64
run sh -c 'cd "$1" && "$2" -n 1 --output tag echo hello' sh "$T" "$mrun"
check "--output tag" out_is "[0]<stdout>: hello"
check "makes no folder" [ ! -e "$T/tag" ]
run "$mrun" -n 1 --output "tag,dir=$T/tagged" echo hello
check "--output tag,dir=DIR" [ -s "$T/tagged/rank.0.out" ]
run "$mrun" -n 1 --output timestamp true
check "--output timestamp: 64" code_is 64
check "and what it may be" err_has "DIR, tag, dir=DIR"
run "$mrun" -n 1 --stdin all true
check "--stdin all: 64" code_is 64
run "$mrun" -n 1 --display map true
check "--display map" err_has "rank 0"
run "$mrun" -n 1 --display topo true
check "--display of another: 64" code_is 64

# variables that programs read without MPI
# shellcheck disable=SC2016 # the ranks expand it
run "$mrun" -n 2 sh -c 'echo $MRUN_RANK$MRUN_LOCAL_RANK/$MRUN_SIZE \
$OMPI_COMM_WORLD_RANK$OMPI_COMM_WORLD_LOCAL_RANK$MPI_LOCALRANKID \
$OMPI_COMM_WORLD_SIZE$OMPI_COMM_WORLD_LOCAL_SIZE$MPI_LOCALNRANKS'
check "ranks and sizes" sorted_is "00/2 000 222 11/2 111 222"

run "$mrun" --mca btl self,sm --mca pml ob1 -n 1 echo hello
check "--mca" out_is hello
check "with one warning" \
	[ "$(grep -c 'mrun: --mca is ignored' "$T/err")" -eq 1 ]
run "$mrun" --mca btl
check "--mca without value: 64" code_is 64
run "$mrun" -n 1 -initial-errhandler mpi_errors_are_fatal true
check "-initial-errhandler" code_is 0
run "$mrun" -n 1 -initial-errhandler mpi_errors_none true
check "-initial-errhandler of another: 64" code_is 64
while read -r option advice; do
	run "$mrun" -n 1 "$option" value true
	check "$option: 64" code_is 64
	check "and what to use instead" err_has "$option .*$advice"
done <<'X'
-arch --host
-file --configfile
--output-filename --output DIR
--timestamp-output ts
--merge-stderr-to-stdout 2>&1
--cpu-set taskset
-iface MRT_IB_DEVICE
-launcher --engine
X
# shellcheck disable=SC2154 # make check sets it
missing=$(sed -n 's/^    {"\([^"]*\)", .*/\1/p' \
	"$top_srcdir/launcher/option_table.c" | tr '|' '\n' | sed 's/^-*//' |
	while read -r option; do
	grep -Eq -- "Fl (\\\\-)?$option( |\$)" "$top_srcdir/man/mrun.1" ||
		echo "$option"
done)
check "the manual has all options $missing" [ -z "$missing" ]
ln -s "$mrun" "$T/bin/mpiexec"
run "$T/bin/mpiexec" -n 2 -host localhost -wdir / pwd
check "mrun as mpiexec" sorted_is "/ /"

run "$mrun" -q -n 1 sh -c 'exit 3'
check "--quiet says nothing" err_empty
run "$mrun" -v -n 1 true
check "--verbose says which process" err_has "rank 0 is pid [0-9]"
finish
