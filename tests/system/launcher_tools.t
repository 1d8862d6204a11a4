#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# launcher_tools.t tests mrt-info and mrtcc from the build tree.
# shellcheck source=tests/system/launcher_lib.sh
. "${srcdir:-.}/tests/system/launcher_lib.sh"
info=$top/mrt-info
mrtcc=$top/launcher/mrtcc

run "$info"
check "mrt-info" code_is 0
for part in libmrt fabrics launchers topology limits variables; do
	check "mrt-info has $part" out_has "^$part"
done
check "it has no warning" err_empty
version=$("$info" --version | sed 's/.* //')
check "the version of mrt.h is that of the package" \
	out_has "^  version  *$version\$"
check "the default of a variable" out_has "^  MRT_LOG  *warn  *default"
run env MRT_LOG=debug "$info"
check "a variable set" out_has "^  MRT_LOG  *debug  *environment"
run env MRT_LGO=debug "$info"
check "a misspelt variable is no error" code_is 0
check "a misspelt variable is named" err_has "warning: MRT_LGO"
check "and what it may mean" err_has "did you mean MRT_LOG?"
run env MRT_LOG=loud "$info"
check "a bad value: 78" code_is 78
check "a bad value is named" err_has "MRT_LOG=loud is not valid"
run "$info" --nonsense
check "wrong usage: 64" code_is 64
run sh -c "$info >/dev/full"
check "output that cannot be written: 71" code_is 71
run env MRT_FABRIC=sm MRT_WRONG='a"b' "$info" --json
check "--json" code_is 0
if command -v python3 >/dev/null; then
	check "--json can be parsed" python3 -c '
import json, sys
d = json.load(open(sys.argv[1]))
v = {x["name"]: x for x in d["variables"]}
assert v["MRT_FABRIC"]["origin"] == "environment"
assert d["unknown_variables"] == ["MRT_WRONG"]
assert d["topology"]["usable_cores"] >= 1
f = d["fabrics"]
assert f["devices"] or "verbs_hint" in f
assert set(d["launchers"]) >= {"slurm", "prterun", "mpirun"}' "$T/out"
else
	skip "no python3" "--json can be parsed"
fi

# hint KEY TEXT: mrt-info has a hint below the key, which says what to do
hint() { out_has "^  $1 hint  *.*$2"; }
no_hint() { ! out_has "^  $1 hint"; }

run "$info"
if [ -e "$top/libmpifort_abi.la" ]; then
	check "the compiler of the Fortran modules" \
		out_has "^  Fortran  *modules of [a-z]*-[0-9]"
else
	check "no Fortran modules: what to install" hint Fortran "install gfortran"
fi
mkdir "$T/bin" "$T/lib"
for tool in sed dirname basename; do # the wrapper of libtool
	ln -s "$(command -v $tool)" "$T/bin/"
done
run env PATH="$T/bin" "$info"
check "no launcher for several nodes" out_has "^  prterun  *not found"
check "what to install" hint launchers "srun .*prterun .*mpirun"
printf '#!/bin/sh\n' >"$T/bin/prterun"
chmod +x "$T/bin/prterun"
run env PATH="$T/bin" "$info"
check "where a launcher is" out_has "^  prterun  *$T/bin/prterun"
check "one of them will do" no_hint launchers
if "$info" | grep -q '^  verbs  *built without'; then
	skip "libibverbs that cannot be loaded" "built without verbs"
else
	: >"$T/lib/libibverbs.so.1"
	run env LD_LIBRARY_PATH="$T/lib" "$info"
	check "libibverbs that cannot be loaded" hint verbs "install libibverbs1"
fi
if unshare -m true 2>/dev/null; then
	run unshare -m sh -c 'mount -t tmpfs -o ro none /dev/shm; exec "$0"' "$info"
	check "/dev/shm that cannot be written" hint sm "mount a tmpfs"
else
	skip "/dev/shm that cannot be written" "unshare"
fi
# EPERM 1 is what a container answers, ENOSYS 38 a kernel without the call
"$top/tests/system/deny" 1 process_vm_readv true
if [ $? -eq 77 ]; then
	skip "process_vm_readv denied" "no filters of system calls"
else
	run "$top/tests/system/deny" 1 process_vm_readv "$info"
	check "process_vm_readv denied" hint process_vm_readv SYS_PTRACE
	run "$top/tests/system/deny" 38 process_vm_readv "$info"
	check "a kernel without process_vm_readv" \
		hint process_vm_readv CONFIG_CROSS_MEMORY_ATTACH
fi
as_user='setpriv --reuid 65534 --clear-groups'
if [ "$(id -u)" -eq 0 ] && $as_user "$info" --version >/dev/null 2>&1; then
	run sh -c "ulimit -l 64; exec $as_user $info"
	check "little memory may be locked" hint "locked memory" "ulimit -l"
	run sh -c 'ulimit -l 64; exec "$0"' "$info"
	check "which does not limit root" no_hint "locked memory"
else
	skip "little memory may be locked" "no setpriv, or not root's"
fi

run "$mrtcc" --show prog.c -o "my prog"
check "mrtcc --show links" out_has " -lmpi_abi -lmrt "
check "mrtcc --show has the run path" out_has "-Wl,-rpath,"
check "mrtcc --show quotes" out_has "-o 'my prog'"
run "$mrtcc" -c --show prog.c
check "mrtcc -c does not link" [ "$(grep -c lmrt "$T/out")" -eq 0 ]
check "mrtcc -c finds the header" out_has " -I/"
run "$mrtcc" --version
check "mrtcc --version asks the compiler" code_is 0
run env MRT_CC=echo "$mrtcc" prog.c
check "MRT_CC" out_has "^-I.* prog.c "
run env MRT_PREFIX=/else/where "$mrtcc" -show prog.c
check "MRT_PREFIX" out_has "-I/else/where/include .*-L/else/where/lib"
printf 'int main(void) { return 3; }\n' >"$T/prog.c"
run "$mrtcc" -c "$T/prog.c" -o "$T/prog.o"
check "mrtcc compiles" [ -s "$T/prog.o" ]
run "$mrtcc" -c "$T/missing.c" -o "$T/prog.o"
check "mrtcc fails as the compiler does" [ "$code" -ne 0 ]
finish
