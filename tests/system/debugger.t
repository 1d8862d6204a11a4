# SPDX-License-Identifier: Apache-2.0
# debugger.t debugs jobs with gdb: it starts mrun, or attaches to it, and finds
# the ranks by the MPIR interface, as other debuggers do.
. "${top_srcdir:?run by make check}/tests/system/lib.sh"
need_mrun
have gdb || skip_all "gdb is not installed"
debuggee=$top_builddir/tests/system/debuggee
# a traced process cannot look for leaks
leaks_allowed

# attach PID COMMAND... prints what gdb says to the commands.
attach()
{
	attach_pid=$1
	shift
	printf '%s\n' "$@" >"$work/script"
	gdb -nx -batch -x "$work/script" -p "$attach_pid" </dev/null 2>&1
}

can_attach()
{
	sleep 60 &
	attach $! 'print 42' >"$work/probe"
	kill $!
	grep -q '^\$1 = 42' "$work/probe" && ! grep -q ptrace "$work/probe"
}
can_attach || skip_all "gdb may not attach to processes here"
gdb -nx -batch -ex 'ptype MPIR_proctable' "$MRUN" 2>&1 | grep -q struct ||
	skip_all "mrun is built without the types for debuggers (-g)"

# launch ARGS... runs `mrun ARGS` under gdb with the script on standard input,
# which begins in main.
launch()
{
	cat >"$work/script"
	run 60 gdb -nx -batch -ex 'set confirm off' -ex 'break main' -ex run \
		-x "$work/script" --args "$MRUN" "$@"
}

# --- the names are there without a symbol table
if have nm && have strip; then
	strip -o "$work/mrun" "$MRUN"
	for name in Breakpoint acquired_pre_main being_debugged \
		debug_abort_string debug_state i_am_starter partial_attach_ok \
		proctable proctable_size; do
		echo "MPIR_$name"
	done >"$work/wanted"
	nm -D --defined-only "$work/mrun" | awk '/ MPIR_/ { print $3 }' |
		sort | diff - "$work/wanted" >"$out" 2>"$err"
	is $? 0 "a stripped mrun has the names of MPIR"
else
	skip "no nm or strip" "a stripped mrun has the names of MPIR"
fi

# --- mrun started by a debugger. While it stands in MPIR_Breakpoint, a second
# gdb attaches to rank 1, which it lets go up to a function.
cat >"$work/gdb.sh" <<'EOF'
gdb -nx -batch -ex 'info symbol $pc' -ex 'tbreak read_and_meet' \
	-ex 'handle SIGSTOP SIGCONT nostop noprint pass' -ex continue \
	-ex 'print rank' -ex backtrace -ex detach -p "$1" \
	</dev/null >"$2" 2>&1
echo done >>"$2"
EOF
cat >"$work/second.sh" <<'EOF'
setsid sh "${0%/*}/gdb.sh" "$1" "$2" &
until grep -Eq '^(Temporary|done)' "$2"; do sleep 0.05; done
EOF
launch -n 3 "$debuggee" <<EOF
set var MPIR_being_debugged = 1
break MPIR_Breakpoint
continue
printf "state %d of %d ranks\n", MPIR_debug_state, MPIR_proctable_size
set \$r = 0
while \$r < MPIR_proctable_size
  set \$p = &MPIR_proctable[\$r]
  printf "rank %d: %s %s %d\n", \$r, \$p->host_name, \$p->executable_name, \$p->pid
  eval "shell sed -n 's/^State:/rank %d is/p' /proc/%d/status", \$r, \$p->pid
  eval "shell echo rank %d has \$(grep -zxc MRT_TIMEOUT=86400 /proc/%d/environ)", \$r, \$p->pid
  set \$r = \$r + 1
end
eval "shell sh $work/second.sh %d $work/second", MPIR_proctable[1].pid
continue
EOF
like "$out" '^state 1 of 3 ranks$' "MPIR_Breakpoint: the ranks are there"
is "$(grep -c "^rank [012]: $(hostname) /.*debuggee [0-9]" "$out")" 3 \
	"the table says host, program and process of each"
is "$(grep -c '^rank [012] is.*stopped' "$out")" 3 "all are held"
is "$(grep -c '^rank [012] has 1' "$out")" 3 "they will wait for one another"
is "$(grep -c 'rank [012] met the others' "$out")" 3 "they go on with mrun"
like "$out" 'Inferior 1 .* exited normally' "and the job ends with 0"
wait_for 30 grep -q ^done "$work/second"
cp "$work/second" "$out"
like "$out" '^_start in section' \
	"a debugger attaches to a rank at its first instruction"
like "$out" '^\$1 = 1$' "and sees its variables later"
like "$out" '^#1 .* main ' "and its calls"
no_leftovers "mrun under gdb: nothing is left"

launch -n 3 "$debuggee" <<'EOF'
set var MPIR_being_debugged = 1
break MPIR_Breakpoint
continue
kill
EOF
like "$out" 'Inferior 1 .*killed' "the debugger kills mrun"
no_leftovers "held ranks end with mrun"

echo '#!/nonexistent/interpreter' >"$work/broken"
chmod +x "$work/broken"
launch -n 2 "$work/broken" <<'EOF'
set var MPIR_being_debugged = 1
continue
EOF
like "$out" 'exited with code 0177' "a failed start is not waited for"
no_leftovers "a failed start: nothing is left"

# --- the second stop is for the failure
launch -n 2 false <<'EOF'
break MPIR_Breakpoint
continue
continue
printf "state %d: %s\n", MPIR_debug_state, MPIR_debug_abort_string
continue
EOF
like "$out" '^state 2: rank [01] on .* exited with code 1$' \
	"MPIR_Breakpoint: why the job is ended"
like "$out" 'exited with code 01\]' "then the job ends with its code"

# --- attaching to a job that runs
mkfifo "$work/fifo"
start "$MRUN" -n 2 "$debuggee" "$work/fifo"
exec 3>"$work/fifo"
wait_for 30 grep -q '^rank 1 has started' "$out"
attach "$job" 'print MPIR_debug_state' 'print MPIR_proctable_size' \
	'printf "rank 1 is %d\n", MPIR_proctable[1].pid' >"$work/mrun.said"
is "$(grep '^\$' "$work/mrun.said" | tr '\n' ' ')" '$1 = 1 $2 = 2 ' \
	"attached to mrun: the ranks are there"
attach "$(sed -n 's/^rank 1 is //p' "$work/mrun.said")" 'print my_rank' \
	backtrace >"$work/rank.said"
cp "$work/rank.said" "$out"
like "$out" '^\$1 = 1$' "attached to a rank: its variables are there"
like "$out" ' read_and_meet \(rank=' "and its calls"
exec 3>&-
finish
is "$rc" 0 "the job goes on and ends with 0"
no_leftovers "attached: nothing is left"
done_testing
