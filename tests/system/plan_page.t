#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# plan_page.t tests the pages of mrt-plan: their data as text, and in Chromium what
# their script makes of every plan, against what the collectives mean; one page is
# driven by its keys and controls.
. "${top_srcdir:?run by make check}/tests/system/lib.sh"
plan=$top_builddir/mrt-plan
checker=$top_srcdir/tests/system/plan_page.py
[ -x "$plan" ] || skip_all "mrt-plan is not built"
have python3 || skip_all "no python3"

# ---- the command line --------------------------------------------------------
for wrong in '-n 33' '-c 33' '--in-place' '--rank 1'; do
	# shellcheck disable=SC2086 # an option and its value
	run 10 "$plan" allreduce -f html $wrong
	is "$rc" 64 "no page of $wrong"
	[ ! -s "$out" ] && [ -s "$err" ] && ok "$wrong: says so" ||
		not_ok "$wrong: says so"
done
run 10 "$plan" allreduce ring -n 4 -f html
like "$out" '"ranks":4,.*"algorithm":"ring"' "a page begins as asked"
run 10 sh -c "'$plan' barrier -f html >/dev/full"
is "$rc" 71 "a page that cannot be written: 71"

# ---- as written --------------------------------------------------------------
# Two nodes make hierarchies and boards; the root is another than the first rank.
for collective in $("$plan" | sed 's/ .*//'); do
	"$plan" "$collective" -n 5 -f html -o "$work/$collective.html" || exit 1
	[ "$TEST_LEVEL" = quick ] ||
		"$plan" "$collective" -n 6 -f html --nodes 2 --root 1 \
			-o "$work/$collective-nodes.html" || exit 1
done
"$plan" allreduce -n 32 -f html --nodes 4 -o "$work/most.html"
"$plan" allreduce -n 7 -t 24 --non-commutative -f html -o "$work/order.html"
run 120 python3 "$checker" written "$work"/*.html
is "$(cat "$out" "$err" | wc -l)" 1 "the data of all pages agree with themselves"
like "$out" '^[0-9]{4,} plans are right' "they have plans"
sed 's/"choice":"[a-z]*/&x/' "$work/order.html" >"$work/bad"
run 120 python3 "$checker" written "$work/bad"
like "$out" 'the choice is none' "self-test: a wrong name is noticed"
rm -f "$work/most.html"

# ---- a trace -----------------------------------------------------------------
# shared memory by messages, so that there is a plan
if [ -x "$MRUN" ] && [ -x "$top_builddir/mrt-scale" ]; then
	export MRT_COLL_DIRECT=no MRT_ALLREDUCE=ring
	run 60 "$MRUN" -n 3 --trace "$work/traces" "$top_builddir/tests/system/late" 2
	run 20 "$top_builddir/mrt-trace" --collective allreduce:0 -f shm --html "$work/traces"
	is "$rc" 0 "a page of a trace"
	like "$out" '^"pairs":\[(\[[0-9]+,[0-9]+,[0-9]+\],?)+\]}' "steps of both belong together"
	cp "$out" "$work/trace.html"
else
	skip "built without mrun or jansson" "a page of a trace"
fi

# ---- in a browser ------------------------------------------------------------
browser=
for name in chromium chromium-browser google-chrome; do
	[ -n "$browser" ] || ! have "$name" || browser=$name
done
if [ -z "$browser" ]; then
	skip "no chromium" "every plan leaves what its collective means"
	skip "no chromium" "a page can be driven by keys and controls"
	done_testing
	exit
fi

# One page holds all others in frames, and waits until each has told its results.
{
	cat <<'HTML'
<!doctype html><meta charset="utf-8"><pre id="told"></pre><script>
const told = [];
let left = 0;
addEventListener("message", e => {
	told.push(e.data);
	if (--left)
		return;
	const bytes = new TextEncoder().encode(JSON.stringify(told));
	document.getElementById("told").textContent =
		btoa(Array.from(bytes, b => String.fromCharCode(b)).join(""));
});
function open_page(name) {
	const frame = document.createElement("iframe");

	left++;
	frame.src = name;
	frame.style = "width: 1200px; height: 900px";
	document.body.append(frame);
}
HTML
	for page in "$work"/*.html; do
		{
			echo '<script>'
			cat "$top_srcdir/tests/system/plan_page.js"
			echo '</script>'
		} >>"$page"
		echo "open_page('$(basename "$page")');"
	done
	echo "open_page('allreduce.html#algorithm=ring&ranks=4&step=2');"
	echo '</script>'
} >"$work/all"
mv "$work/all" "$work/all.html"
run 300 "$browser" --headless=new --no-sandbox --disable-gpu \
	--disable-dev-shm-usage --user-data-dir="$work/browser" --virtual-time-budget=100000 \
	--dump-dom "file://$work/all.html"
sed -n 's/.*<pre id="told">\([^<]*\)<.*/\1/p' "$out" | base64 -d >"$work/told.json"
run 120 python3 "$checker" told "$work/told.json"
is "$(cat "$out" "$err" | wc -l)" 1 \
	"every plan leaves what its collective means, and a page can be driven"
like "$out" '^[0-9]{4,} plans are right' "there are plans"
sed 's/\[\[0,\[0,1\]\]/[[0,[1]]/' "$work/told.json" >"$work/bad"
run 120 python3 "$checker" told "$work/bad"
like "$out" 'rank [0-9] has .*, not' "self-test: a wrong sum is noticed"
done_testing
