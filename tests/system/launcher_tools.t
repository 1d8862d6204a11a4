#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# launcher_tools.t tests mrt-info and mrtcc from the build tree.
# shellcheck source=tests/system/launcher_lib.sh
. "${srcdir:-.}/tests/system/launcher_lib.sh"
info=$top/mrt-info
mrtcc=$top/launcher/mrtcc

run "$info"
check "mrt-info" code_is 0
for part in libmrt fabrics topology limits variables; do
	check "mrt-info has $part" out_has "^$part"
done
check "it has no warning" err_empty
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
assert ("verbs_hint" in f) == (not f["devices"])' "$T/out"
else
	skip "no python3" "--json can be parsed"
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
