# SPDX-License-Identifier: Apache-2.0
# attack.t tries what other users of the machine can do to a job, and what
# strings from any source can do.
#
#   FAULTS_ALL=N runs N programs on strings from a seed of the clock.
. "${top_srcdir:?run by make check}/tests/system/lib.sh"
need_mrun
scarce=$top_builddir/tests/system/scarce
storm=$top_builddir/tests/system/storm
knock=$top_builddir/tests/system/knock
nobody=65534

# ---- strings ----

seed=1
count=100
[ "$TEST_LEVEL" = full ] || count=20
if [ -n "$FAULTS_ALL" ]; then
	seed=$(date +%s)
	count=$FAULTS_ALL
fi
# a string may be the name of a file that some variables create
mkdir "$work/here"
cd "$work/here" || exit 99
run 600 "$top_builddir/tests/system/hostile" $seed "$count" "$scarce" "$MRUN"
cd "$top_builddir" || exit 99
is "$rc" 0 "hostile strings, $(cat "$out")"
no_leftovers "hostile strings: nothing is left"

esc=$(printf '\033[2J\302\233x\tg\303\274t')
run 20 env MRT_SM_RING="$esc" "$scarce"
like "$err" 'MRT_SM_RING=\?\[2J\?\?x\?gü?t' \
	"what a terminal takes for a command is not shown"

turn=$(printf '\342\200\256txt.\357\273\277\302\255\363\240\200\201g\303\274t')
run 20 env MRT_SM_RING="$turn" "$scarce"
like "$err" 'MRT_SM_RING=\?\?\?txt.\?{9}gü?t' \
	"nor what turns the direction of text, or is not seen"
# names of files and of the host with characters special to printf and sh
name=$(printf 'a\033[2Jb%%s%%n$(x)\377\302\233\342\200\256c')
plain='a\?\[2Jb%s%n\$\(x\)\?{6}c'
mkdir "$work/names"
ln -s "$(command -v env)" "$work/names/$name"
run 20 "$MRUN" -n 1 "$work/names/$name" false
like "$err" "rank 0 .*/names/$plain\\) exited with code 1" \
	"a program's name is shown without its control characters"
run 20 "$MRUN" -n 1 --wdir "$work/none/$name" true
like "$err" "none/$plain" "a folder's"

# only files can bring strings longer than a command line may be
head -c 1000000 /dev/zero | tr '\0' h >"$work/long"
(printf 'localhost slots='; head -c 1000000 /dev/zero | tr '\0' 9) \
	>"$work/slots"
for file in long slots; do
	run 20 "$MRUN" --hostfile "$work/$file" "$scarce"
	is "$rc" 64 "a host file of 1 MB in one line: $file"
	is $(($(wc -c <"$err") <= 2100)) 1 "and what is said of it is short"
	run 20 env MRT_TUNE_FILE="$work/$file" "$MRUN" -n 2 "$scarce"
	is "$rc" 78 "a tuning file of 1 MB in one line: $file"
done
seq -f 'node%.0f' 40000 >"$work/hosts"
run 60 "$MRUN" --hostfile "$work/hosts" "$scarce"
like "$err" "$(printf 'cannot run|nothing to start|mpirun|srun')" \
	"a host file of 40,000 nodes: it is said why not"
# the kernel's own limits: 128 KiB a string, a quarter of the stack in all
big=$(head -c 131000 "$work/long")
run 20 env X="$big" "$MRUN" -n 2 "$scarce"
is "$rc" 0 "a string as long as the kernel allows, 128 KiB"
run 20 env X="$big$big" "$MRUN" -n 2 "$scarce"
is "$rc" 126 "a longer one: the kernel runs nothing"
fill()
{
	k=0
	while [ $k -lt "$1" ]; do
		k=$((k + 1))
		export "FILL$k=$big"
	done
	shift
	exec "$@"
}
command="mrun with 5 MB of environment"
(ulimit -s unlimited && fill 38 "$MRUN" -n 2 "$scarce") >"$out" 2>"$err"
is $? 0 "$command"

# what other users may do to files of this user
mkdir "$work/dir" "$work/precious"
echo mine >"$work/precious/file"
ln -s ../precious/file "$work/dir/rank.0.out"
run 20 "$MRUN" -n 1 --output "$work/dir" echo overwritten
is "$rc $(cat "$work/precious/file")" "71 mine" "--output follows no link"
rm "$work/dir/rank.0.out"
mkfifo "$work/dir/rank.0.out"
run 20 "$MRUN" -n 1 --output "$work/dir" echo lost
is "$rc" 71 "--output waits for no reader of a FIFO"
like "$err" 'rank.0.out: it is a FIFO that nobody reads' "and says so"

# a rank that claims to be another rank
run 30 "$MRUN" -n 2 env PMIX_RANK=7 "$scarce"
is "$rc" 69 "a rank that the job has not"
run 30 "$MRUN" -n 2 env PMIX_NAMESPACE=another-job "$scarce"
is "$rc" 69 "a rank of another job"
no_leftovers "foreign ranks: nothing is left"

if [ "$(id -u)" -ne 0 ] || ! have setpriv; then
	skip "not root" "other users"
	done_testing
fi

# ---- other users ----

# Files of other users where mrun makes its directory and libmrt its memory.
squat=/dev/shm/mrun.4000000.squat$$
trap 'rm -rf "$squat"* "$work"' EXIT
setpriv --reuid $nobody --regid $nobody --clear-groups sh -c '
	mkdir "$0.dir"; mkfifo "$0.fifo"; ln -s "$1" "$0.link"
	ln -s / "$0.root"' "$squat" "$work/precious"
run 30 "$MRUN" -n 2 "$scarce"
is "$rc" 0 "squatted names: works"
is "$(cat "$work/precious/file")" mine "squatted names: no link is followed"
is "$(find "$squat".dir "$squat".fifo "$squat".link 2>/dev/null | wc -l)" 3 \
	"squatted names: what is another's stays"
rm -rf "$squat"*
mkdir "$work/open"
chmod 777 "$work/open"
if unshare -m true 2>/dev/null; then
	run 30 unshare -m sh -c 'mount -t tmpfs -o ro none /dev/shm
		TMPDIR=$0 exec "$@"' "$work/open" "$MRUN" -v -n 1 true
	like "$err" "$work/open is not used: others may write there" \
		"a TMPDIR where others may rename is not used"
fi

# visit UID COUNT runs a job whose server another process connects to (knock.c).
visit()
{
	rm -f "$work/uri" "$work/go"
	: >"$work/knock"
	"$MRUN" -n 2 sh -c 'echo "$PMIX_SERVER_URI41" >"$0/uri.$PMIX_RANK"
		mv "$0/uri.$PMIX_RANK" "$0/uri"
		until [ -e "$0/go" ]; do sleep 0.02; done; exec "$@"' \
		"$work" "$storm" --messages 500 >"$out" 2>"$err" &
	job=$!
	wait_for 10 test -s "$work/uri"
	"$knock" "$1" "$(cat "$work/uri")" "$2" 12 >"$work/knock" &
	visitor=$!
	wait_for 10 grep -q knocked "$work/knock"
	command="mrun, while $2 of user $1 knock"
	start_watch
	: >"$work/go"
	wait $job
	rc=$?
	stop_watch
	wait $visitor
}
visit $nobody 300
is "$rc" 0 "300 connections of another user: works"
within 10000 "300 connections of another user"
is "$(tail -n 1 "$work/knock")" "300 of 300 closed" "they are refused"
visit 0 1
is "$rc" 0 "a connection of this user that says nothing: works"
within 12000 "a connection of this user that says nothing"

# another user that has the whole environment of a rank
cp "$scarce" "$work/scarce"
chmod 711 "$work"
run 30 "$MRUN" -n 2 setpriv --reuid $nobody --regid $nobody --clear-groups \
	"$work/scarce"
is "$rc" 69 "a rank of another user is refused"
like "$err" 'cannot join .*of another user' "and told why"
no_leftovers "a rank of another user: nothing is left"

# the memory of the ranks has no name, and nobody else can open it
run 30 "$MRUN" -n 1 sh -c '"$0" & sleep 0.2
	setpriv --reuid 65534 --clear-groups ls /proc/$!/fd/ >/dev/null 2>&1 &&
		echo open; kill -9 $!; wait' "$storm"
is "$(grep -c open "$out")" 0 "another user does not see a rank's descriptors"
done_testing
