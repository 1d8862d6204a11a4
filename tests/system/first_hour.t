# SPDX-License-Identifier: Apache-2.0
# first_hour.t runs the commands of docs/first-hour.md, which are the lines that
# begin with a dollar, one after the other, and compares what the document shows
# below each by the first two words of each line, all numbers being equal.
. "${top_srcdir:?run by make check}/tests/system/lib.sh"
[ -z "$SANITIZER" ] || skip_all "a library with sanitizers is not for installing"
need_mrun
[ "$(sed -n 's/^prefix = //p' "$top_builddir/Makefile")" != /usr ] ||
	skip_all "what is for /usr is not for another prefix"

# What this machine has not; quickstart builds, as it has done here.
left_out='^\./quickstart'
have cmake || left_out="$left_out|^cmake|build/hot_plate"
gdb -q -batch -ex 'break main' -ex run -ex 'print 6*7' --args sleep 0 2>&1 </dev/null |
	grep -q '= 42' || left_out="$left_out|gdb"
[ -x "$top_builddir/mrt-trace" ] || left_out="$left_out|mrt-trace"

# Each command is a file; what is expected of it, another.
clone=$work/home/libmrt # as git clone names it
mkdir -p "$clone" "$work/hour"
ln -s "$top_builddir" "$clone/build"
awk -v out="$work/hour" '
/^    \$ / { n++; name = sprintf("%s/%02d", out, n); print substr($0, 7) >name; next }
/^    / && n { gsub(/[0-9]+/, "0"); print $1, $2 >(name ".shown") }
' "$top_srcdir/docs/first-hour.md"
is "$([ "$(ls "$work/hour" | wc -l)" -gt 30 ] && echo many)" many "commands are found"

# one shell for all, which keeps its folder and PATH
cat >"$work/all.sh" <<'X'
for command in "$1"/[0-9][0-9]; do
	! grep -qE -- "$2" "$command" || continue
	. "$command" >"$command.out" 2>&1
	echo $? >"$command.rc"
done
X
cd "$clone" || exit 99
run 540 env -u MAKEFLAGS -u MRT_PREFIX HOME="$work/home" sh "$work/all.sh" \
	"$work/hour" "$left_out"
for command_file in "$work"/hour/[0-9][0-9]; do
	name=$(cat "$command_file")
	if [ ! -e "$command_file.rc" ]; then
		skip "it is not for here" "$name"
		continue
	fi
	case $name in
	*deadlock*) want=124 ;;
	*) want=0 ;;
	esac
	is "$(cat "$command_file.rc")" "$want" "$name"
	while IFS= read -r shown; do
		out=$command_file.out
		awk -v want="$shown" '
			{ got = $1 " " $2; gsub(/[0-9]+/, "0", got) }
			got == want { n = 1 }
			END { exit !n }' "$out"
		is $? 0 "shows: $shown"
	done <"$(ls "$command_file.shown" 2>/dev/null || echo /dev/null)"
done
is "$(ls "$clone")" build "the clone stays as it is"
is "$(grep -c '<svg' "$work/home/examples/allreduce.svg" "$work/home/examples/plan.svg" |
	grep -vc ':0')" 2 "both pictures are there"
done_testing
