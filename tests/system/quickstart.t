# SPDX-License-Identifier: Apache-2.0
# quickstart.t runs quickstart in a tree of its own, where configure, make and
# what Debian has are stand-ins: what it says to an ordinary user, what it would
# install, when it configures again, how it counts.
. "${top_srcdir:?run by make check}/tests/system/lib.sh"

bin=$work/bin
tree=$work/tree
mkdir "$bin" "$tree"
cp "$top_srcdir/quickstart" "$tree"
for tool in sh awk grep sed date dirname tr mkdir tail head cat nproc env find xargs \
	stat sort uniq rm touch cp chmod; do
	ln -s "$(command -v "$tool")" "$bin/$tool"
done

# program NAME: its text is standard input
program()
{
	{ echo '#!/bin/sh'; cat; } >"$bin/$1"
	chmod +x "$bin/$1"
}
quickstart()
{
	run 60 env PATH="$bin" sh "$tree/quickstart" "$@"
}

# ---- packages -------------------------------------------------------------------
echo 'echo 1000' | program id
echo 'exit 1' | program dpkg-query
echo 'echo "$@" >>"$(dirname "$0")/../apt"' | program apt-get

quickstart run
is "$rc" 1 "an ordinary user without sudo goes no further"
like "$out" '^  libpmix-dev +PMIx' "and sees what is missing, and why"
like "$err" '^    apt-get update && apt-get install .* libpmix-dev' "and the command for root"
like "$err" 'run --no-install' "and another way"
unlike "$err" 'gfortran' "without what is for tests alone"
quickstart test
like "$err" ' gfortran .* valgrind' "tests need more"
unlike "$err" 'slurmd|munge|openssh-server|libcmocka' "but no services"
quickstart test --services
like "$err" ' slurmd .* openssh-server' "unless these are asked for"

echo 'echo "sudo: a password is required"; exit 1' | program sudo
quickstart run
is "$rc" 1 "sudo that does not let the user"
like "$out" 'a password is required' "is quoted"
echo 'exec "$@"' | program sudo
quickstart run
like "$work/apt" 'install .* libhwloc-dev' "sudo that does installs"

# ---- configuring again ----------------------------------------------------------
echo 'echo "install ok installed"' | program dpkg-query
cat >"$tree/configure" <<'X'
#!/bin/sh
echo "configure $*" >>../../calls
echo 'echo "config.status $*" >>../../calls' >config.status
chmod +x config.status
X
chmod +x "$tree/configure"
program make <<'X'
echo "make $*" >>calls.make
mkdir -p build/tests
case $* in
*check*)
	sed -n 's/^:test-result: \([A-Z]*\)$/\1: b.t/p' ../b.trs
	cp ../a.trs build/tests/a.trs
	cp ../b.trs build/tests/b.trs
	exit 2 ;;
*install*)
	exit 0 ;;
esac
X
printf ':test-result: %s\n' PASS PASS >"$work/a.trs"
printf ':test-result: %s\n' PASS FAIL SKIP ERROR >"$work/b.trs"
mkdir -p "$tree/build"
printf '#!/bin/sh\necho "$0 $*"\n' >"$tree/build/mrun"
chmod +x "$tree/build/mrun"
cp "$tree/build/mrun" "$tree/build/mrt-cg"

quickstart run
is "$rc" 0 "run"
like "$out" '^build/mrun -n 8 build/mrt-cg' "runs the job"
grep '^    ' "$out" >"$work/lines"
is "$(. "$work/lines" && echo "${PATH%%:*}")" "$tree/build/prefix/bin" \
	"and ends with the line for PATH"
like "$tree/calls.make" "install prefix=$tree/build/prefix" "where it has installed"
quickstart run
is "$(cat "$work/calls")" "configure " "a second time configures nothing"
: | program gfortran
quickstart test --quick
is "$(cat "$work/calls" | tr '\n' ',')" "configure ,config.status --recheck,config.status ," \
	"a package that has come since is found, with the options of the first time"
is "$rc" 1 "a failed test"
is "$(tail -n 1 "$out")" "3 passed, 1 failed, 1 skipped" "counts once"
printf ':test-result: %s\n' PASS ERROR >"$work/b.trs"
quickstart test --quick
is "$(tail -n 1 "$out")" "3 passed, 1 failed" "one that ends early counts, too"
done_testing
