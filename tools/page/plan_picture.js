/* SPDX-License-Identifier: Apache-2.0 */
/* plan_picture.js: ranks as lines and rounds from left to right. The round that is
 * shown is wide, so that there is room for what its messages carry. */

const moving = ["send", "load", "load_reduce", "write", "fetch_add", "compare_swap"];

/* Returns where things are in a picture of `room` pixels. */
function roundsScale(call, plan, step, room) {
	const left = 60, top = 22, line = call.ranks > 16 ? 20 : 28;
	const even = (room - left - 12) / plan.rounds;
	const wide = step ? Math.max(even, Math.min(150, (room - left) / 2)) : even;
	const narrow = plan.rounds > 1 ? (room - left - 12 - wide) / (plan.rounds - 1) : 0;
	const other = Math.max(10, narrow);
	const inside = t => step ? Math.min(Math.max(t - step + 1, 0), 1) : 0;
	const x = t => left + t * other + inside(t) * (wide - other);

	return {left, line, wide, other, x, y: rank => top + line * (rank + .5),
		width: x(plan.rounds) + 12, height: top + call.ranks * line + 4};
}

/* Returns the arrow of a step, and the text of what it carries, if any. */
function stepArrow(s, call, seen, step, at) {
	const loads = s.kind === "load" || s.kind === "load_reduce";
	const when = s.round === step ? "moving" : s.round < step ? "past" : "later";
	const [from, to] = loads ? [s.peer, s.rank] : [s.rank, s.peer];
	const x1 = at.x(s.begin) + 3, x2 = at.x(s.end) - 3, y1 = at.y(from), y2 = at.y(to);
	const bow = `Q${(x1 + x2) / 2} ${y1 - 20}`;
	const arrow = svg("path", {class: when, "marker-end": when === "later" ? null : "url(#head)",
		d: `M${x1} ${y1} ${from === to ? bow : "L"} ${x2} ${y2}`});
	const move = when === "moving" && seen.moves.find(m => m.s === s);
	/* close to the sender, before arrows cross */
	const share = Math.min(.5, at.line * .55 / Math.max(1, Math.abs(y2 - y1)));

	if (!move || !move.what.length || call.ranks > 16)
		return [arrow, null];
	return [arrow, svg("text", {class: "label", x: x1 + share * (x2 - x1) - 4,
		y: y1 + share * (y2 - y1) + 4}, shortText(call, move.what))];
}

/* Draws a plan into `place`; go(round) is called where a round is clicked. */
function drawRounds(place, call, plan, seen, step, go) {
	const at = roundsScale(call, plan, step, Math.max(372, place.clientWidth || 760));
	const rounds = Array.from({length: plan.rounds}, (_, k) => k + 1), labels = [];
	const picture = svg("svg", {width: at.width, height: at.height, role: "img",
		"aria-label": `${plural(call.ranks, "rank")} as lines, ` +
			`${plural(plan.rounds, "round")} from left to right, messages as arrows; ` +
			"what happens in the round that is shown is told above"}, arrowHead());

	if (step)
		picture.append(svg("rect", {class: "band", x: at.x(step - 1), y: 0,
			width: at.wide, height: at.height}));
	for (let r = 0; r < call.ranks; r++)
		picture.append(
			svg("text", {class: "end", x: at.left - 8, y: at.y(r) + 4}, `rank ${r}`),
			svg("path", {class: "row", d: `M${at.left} ${at.y(r)} H${at.x(plan.rounds)}`}));
	for (const k of rounds)
		if (k === step || at.other >= 24 || k % 5 === 0)
			picture.append(svg("text", {class: "mid", x: (at.x(k - 1) + at.x(k)) / 2, y: 14},
				k === step ? `round ${k}` : `${k}`));
	for (const s of plan.order) {
		if (!moving.includes(s.kind) && s.kind !== "signal")
			continue;
		const [arrow, label] = stepArrow(s, call, seen, step, at);

		picture[s.round === step ? "append" : "prepend"](arrow);
		labels.push(...label ? [label] : []);
	}
	picture.append(...labels, ...rounds.map(k => svg("rect", {class: "hit", x: at.x(k - 1), y: 0,
		width: at.x(k) - at.x(k - 1), height: at.height, onclick: () => go(k)})));
	place.replaceChildren(picture);
	if (step)
		place.scrollLeft = Math.max(0, at.x(step - 1) - place.clientWidth / 2);
}
