/* SPDX-License-Identifier: Apache-2.0 */
/* plan_memory.js: the buffers of all ranks as a table: what each holds. */

const aboutMemory = name === "barrier" ? ""
	: (name === "bcast" ? "A column is a place in memory, a cell the number of the piece there."
		: style === "sum" ? "A column is a place in memory, a cell the ranks whose " +
			"contributions are in it; a number before a colon is that of the piece, where it " +
			"is not the place's."
		: style === "pair" ? "A column is a place in memory; 2→5 is the block from rank 2 for rank 5."
		: "A column is a place in memory, a cell the rank whose block lies there.") +
		" A strong border: written in this round.";

const readsSrc = ["send", "write", "fetch_add", "compare_swap", "post", "copy", "reduce"];
const readsWith = ["reduce", "recv_reduce", "load_reduce"];
const writesDst = ["recv", "recv_reduce", "load", "load_reduce", "copy", "reduce", "take"];

/* Returns the parts of memory that a step of a rank uses: [buffer, begin]. */
function usedBy(s) {
	return [...readsSrc.includes(s.kind) ? [s.src] : [], ...readsWith.includes(s.kind) ? [s.with] : [],
		...writesDst.includes(s.kind) ? [s.dst] : []];
}

/* Returns the buffers that any rank uses, and the elements of each. */
function buffersOf(call, plan) {
	const sizes = new Map(name === "bcast" ? [[RECV, call.count]] : []);

	for (const s of plan.order)
		for (const [buffer, at] of usedBy(s))
			if (buffer !== CELLS && s.count)
				sizes.set(buffer, Math.max(sizes.get(buffer) || 0, at + s.count));
	return [...sizes].sort((a, b) => a[0] - b[0]);
}

/* A rank's send buffer is never written. Returns the element if the rank has it. */
function sentValue(plan, rank, at) {
	const has = plan.ranks[rank].some(s => usedBy(s).some(([buffer, first]) =>
		buffer === SEND && first <= at && at < first + s.count));

	return has ? {index: at, who: 1 << rank >>> 0} : null;
}

function cellBack(call, value) {
	const who = bits(value.who);
	const [part, whole] = name === "bcast" ? [value.index, call.count] : [who[0] || 0, call.ranks];

	if (style === "sum" && name !== "bcast")
		return `linear-gradient(to top, var(--fill) ${100 * who.length / call.ranks}%, transparent 0)`;
	return `hsl(${Math.round(360 * part / Math.max(1, whole))} var(--colour) var(--light))`;
}

function cellText(call, value, at) {
	if (name === "bcast")
		return `${value.index}`;
	if (style !== "sum")
		return placeText(call, value);
	return (value.index === at ? "" : `${value.index}: `) + whoText(call, value.who);
}

function memoryCell(call, plan, seen, rank, buffer, at) {
	const value = buffer === SEND ? sentValue(plan, rank, at)
		: (seen.memory[rank][buffer] || [])[at];
	const kind = buffer === SEND ? "own" : style === "sum" && name !== "bcast" ? "sum" : "";
	const fresh = seen.fresh.has(`${rank} ${buffer} ${at}`);

	if (!value)
		return html("td", {class: `empty ${kind}`}, hidden("empty"));
	return html("td", {class: `${kind} ${fresh ? "new" : ""}`,
		style: `background: ${cellBack(call, value)}`,
		title: style === "sum" ? `piece ${value.index} of ranks ${rangesText(bits(value.who))}` : null},
	cellText(call, value, at), fresh ? hidden(" new") : "");
}

/* Returns the table, with the id "holdings". */
function memoryTable(call, plan, seen) {
	const buffers = buffersOf(call, plan);
	const each = (size, make) => Array.from({length: size}, (_, at) => make(at));
	const gap = rows => html("td", {class: "gap", rowspan: rows});

	if (!buffers.length)
		return html("p", {id: "holdings"}, "Nothing: this collective moves no data.");
	return html("table", {id: "holdings", "aria-describedby": "about-holdings"},
		html("thead", {},
			html("tr", {}, html("th", {scope: "col", rowspan: 2}, "Rank"),
				...buffers.flatMap(([buffer, size]) => [
					html("th", {scope: "colgroup", colspan: size}, bufferName(buffer)), gap(2)])),
			html("tr", {}, ...buffers.flatMap(([, size]) =>
				each(size, at => html("th", {scope: "col"}, `${at}`))))),
		html("tbody", {}, ...each(call.ranks, rank => html("tr", {},
			html("th", {scope: "row"}, `${rank}`),
			...buffers.flatMap(([buffer, size]) => [
				...each(size, at => memoryCell(call, plan, seen, rank, buffer, at)), gap(1)])))));
}
