# SPDX-License-Identifier: Apache-2.0
# install.t checks that what make install puts down works from there: mrtcc,
# pkg-config, mrun, the manual pages, and the MPI programs of install_mpi.sh.
. "${top_srcdir:?run by make check}/tests/system/lib.sh"
. "$top_srcdir/tests/system/install_mpi.sh"
[ -z "$SANITIZER" ] || skip_all "a library with sanitizers is not for installing"
need_mrun

stage=$work/stage
touch "$work/before"
run 120 make -C "$top_builddir" install DESTDIR="$stage" MAKEFLAGS=
is "$rc" 0 "make install DESTDIR="
is "$(find "$top_builddir/.libs" -cnewer "$work/before")" "" \
	"make install leaves alone the libraries that others run from"
prefix=$(sed -n 's/^prefix = //p' "$top_builddir/Makefile")
root=$stage$prefix
# and what the recipe for EasyBuild expects
for file in include/mrt_lib.h $(
	sed -n "s|^ *'\([a-z]*/[a-z_.]*\)'.*|\1|p" "$top_srcdir"/contrib/easybuild/*.eb |
		sed 's/\.$/.so/'
); do
	# lib may be lib64
	ls "$root/${file%/*}"*/"${file#*/}" >/dev/null 2>&1
	is $? 0 "$file"
done
is "$(readelf -d "$root"/bin/mr* 2>/dev/null | grep "$top_builddir")" "" \
	"no program looks for libraries in the build tree"
nm -D --defined-only "$root"/lib*/libmrt.so | sed -n 's/.* \(mrt_.*\)/\1.3/p' |
	sort >"$work/functions"
ls "$root/share/man/man3" | sort >"$work/pages"
is "$(comm -23 "$work/functions" "$work/pages" | tr '\n' ' ')" "" \
	"every function has a page or a link"
[ -e "$root/share/man/man1/mrtcxx.1" ] && ok "mrtcxx(1)" || not_ok "mrtcxx(1)"
# the hook alone prints, and installs nothing
run 60 make -s -C "$top_builddir" install-data-hook DESTDIR= MAKEFLAGS=
like "$out" "LD_LIBRARY_PATH=$prefix" "make install says how the loader finds it"
mandir=$(sed -n 's/.* by MANPATH=\(.*\):$/\1/p' "$out")
if have man; then
	run 20 env MANPATH="$stage$mandir:" man -w mrun
	is "$(cat "$out")" "$stage$mandir/man1/mrun.1" "and how man finds mrun(1)"
	run 20 env -u MANPATH PATH="$root/bin:$PATH" man -w mrun
	is "$(cat "$out")" "$stage$mandir/man1/mrun.1" "or by PATH"
else
	skip "man is not installed" "how man finds mrun(1)"
fi
pc=$(find "$root" -name libmrt.pc)
lib=$(dirname "$(find "$root" -name libmrt.so)")

cat >"$work/hello.c" <<'X'
#include <stdio.h>
#include <mrt.h>
int main(int argc, char **argv)
{
	mrt_init(&argc, &argv);
	int me = mrt_rank(MRT_COMM_WORLD), n = mrt_size(MRT_COMM_WORLD);
	double x = me, sum;
	mrt_allreduce(&x, &sum, 1, MRT_DOUBLE, MRT_SUM, MRT_COMM_WORLD);
	mrt_barrier(MRT_COMM_WORLD);
	if (me == 0)
		printf("sum over %d ranks: %g\n", n, sum);
	return mrt_finalize();
}
X
# flags_of LIBRARY prints what pkg-config says where libraries that libmrt uses
# are not for development. What is for /usr is not for moving.
if [ "$prefix" = /usr ]; then
	options="--define-variable=prefix=$root"
	LD_LIBRARY_PATH=$lib
	export LD_LIBRARY_PATH
fi
flags_of()
{
	PKG_CONFIG_LIBDIR=$(dirname "$pc") pkg-config --cflags --libs ${options:-} "$1"
}
run 60 ${CC:-cc} "$work/hello.c" -o "$work/hello" $(flags_of libmrt)
is "$rc" 0 "a program compiles with pkg-config's flags"
run 60 "$root/bin/mrun" -n 8 "$work/hello"
is "$rc" 0 "and runs"
is "$(cat "$out")" "sum over 8 ranks: 28" "with the right sum"

run 20 sh "$root/bin/mrtcc" --show "$work/hello.c" -o "$work/hello2"
is "$rc" 0 "mrtcc --show"
like "$out" '-lmrt' "names the library"

# a program with AddressSanitizer hears of its own leaks alone
cat >"$work/leak.c" <<'X'
#include <stdlib.h>
#include <mrt.h>
int main(int argc, char **argv)
{
	mrt_init(&argc, &argv);
	void *volatile lost = argc > 1 ? malloc(77) : NULL;
	lost = NULL;
	return mrt_finalize();
}
X
supp=$(find "$root" -name lsan.supp)
run 60 ${CC:-cc} -g -fsanitize=address "$work/leak.c" -o "$work/leak" $(flags_of libmrt)
if [ "$rc" = 0 ]; then
	run 60 env LSAN_OPTIONS=suppressions="$supp" "$root/bin/mrun" -n 2 "$work/leak"
	is "$rc" 0 "no leak of PMIx ends a job"
	run 60 env LSAN_OPTIONS=suppressions="$supp" "$root/bin/mrun" -n 2 "$work/leak" x
	like "$err" 'leak of 77 byte' "a leak of the program is reported"
else
	skip "${CC:-cc} has no AddressSanitizer" "leaks of PMIx alone"
fi
# ---- the tree is moved, and nothing is left where it was ----------------------
moved=$work/elsewhere
mv "$root" "$moved"
folder=$(dirname "$moved${pc#"$root"}")
run 20 "$moved/bin/mrun" -n 2 "$moved/bin/mrt-hello"
is "$rc" 0 "programs of a tree that was moved find their library"
for name in bin/mrtcc libexec/libmrt/bin/mpicc; do
	run 60 env -u MRT_PREFIX "$moved/$name" "$work/hello.c" -o "$work/hello3"
	is "$rc" 0 "$name of a tree that was moved"
	run 20 "$moved/bin/mrun" -n 2 "$work/hello3"
	is "$(cat "$out")" "sum over 2 ranks: 1" "makes programs that run"
done
run 60 ${CC:-cc} "$work/hello.c" -o "$work/hello3" $(
	PKG_CONFIG_PATH=$folder pkg-config --cflags --libs \
		${options:+--define-variable=prefix="$moved"} libmrt)
is "$rc" 0 "pkg-config needs its folder alone"
run 20 "$moved/bin/mrun" -n 2 "$work/hello3"
is "$(cat "$out")" "sum over 2 ranks: 1" "and its program runs"
mv "$moved" "$root"
install_mpi

# ---- mrt-scale finds the fabrics of the prefix that it is in ------------------
scale()
{
	program=$1/bin/mrt-scale
	shift
	run 30 "$program" "$@"
}
if [ -x "$root/bin/mrt-scale" ]; then
	fabrics=$(dirname "$(find "$root" -name hdr.json)")
	cp "$fabrics/hdr.json" "$fabrics/own.json"
	scale "$root" simulate barrier -f own -N 2
	is "$rc" 0 "mrt-scale finds a fabric beneath DESTDIR"
	cp -R "$root" "$work/moved"
	rm "$fabrics/own.json"
	scale "$work/moved" simulate barrier -f own -N 2
	is "$rc" 0 "and in a prefix that was moved"
	scale "$root" simulate barrier -f own -N 2
	is "$rc" 66 "but not in another"
	like "$err" ': hdr, ndr, shm$' "and says what there is"
else
	skip "built without jansson" "mrt-scale finds its fabrics"
fi

run 60 make -C "$top_builddir" uninstall DESTDIR="$stage" MAKEFLAGS=
is "$(find "$stage" ! -type d | wc -l)" 0 "make uninstall leaves no file"
done_testing
