/* SPDX-License-Identifier: Apache-2.0 */
/* words.js: a step in words. */
const meanings = {
	barrier: "No rank leaves before all have come.",
	bcast: "All ranks get the root's vector.",
	reduce: "The root gets the sum of all ranks' vectors (or their product, or any other operation).",
	allreduce: "All ranks get the sum of all ranks' vectors (or their product, or any other operation).",
	gather: "The root gets a block from each rank.",
	gatherv: "The root gets a block from each rank; blocks may differ in length.",
	scatter: "Each rank gets its block from the root.",
	scatterv: "Each rank gets its block from the root; blocks may differ in length.",
	allgather: "All ranks get a block from each rank.",
	allgatherv: "All ranks get a block from each rank; blocks may differ in length.",
	alltoall: "Each rank gets a block of its own from each rank.",
	alltoallv: "Each rank gets a block of its own from each rank; blocks may differ in length.",
	alltoallw: "Each rank gets a block of its own from each rank; blocks may differ in length and type.",
	reduce_scatter: "All ranks' vectors are summed, and each rank gets one block of the sum.",
	reduce_scatter_block: "All ranks' vectors are summed, and each rank gets one block of the sum.",
	scan: "Each rank gets the sum of the vectors of the ranks up to itself.",
	exscan: "Each rank gets the sum of the vectors of the ranks before itself.",
	neighbor_allgather: "Each rank gets a block from each of its neighbours.",
	neighbor_alltoall: "Each rank gets a block of its own from each of its neighbours.",
};
const name = data.collective || "";
/* sum: an element is a sum of many ranks' pieces; block: it is a rank's own;
 * pair: it is what one rank has for another. */
const style = /reduce|scan|bcast/.test(name) ? "sum" : /alltoall|scatter/.test(name) ? "pair" : "block";
const bufferNames = ["send buffer", "receive buffer (the result)", "cells", "board (all may read)"];
const bufferName = b => bufferNames[b] || `temporary ${b - TMP}`;

/* Returns the name of the place that a value has in its vector. */
function placeText(call, value) {
	const block = Math.floor(value.index / call.count), element = value.index % call.count;

	if (style === "sum")
		return `${value.index}`;
	if (style === "pair")
		return `${bits(value.who)}→${block}${call.count > 1 ? `.${element}` : ""}`;
	return `${bits(value.who)}${call.count > 1 ? `.${element}` : ""}`;
}
function whoText(call, who) {
	const list = bits(who);

	return list.length === call.ranks && list.length > 1 ? "all" : rangesText(list, ",");
}
/* Returns what a message carries, in short. */
function shortText(call, what) {
	return style === "sum" ? rangesText(what.map(v => v.index).sort((a, b) => a - b))
		: style === "block" && call.count === 1 ? rangesText(what.map(v => bits(v.who)[0]).sort((a, b) => a - b))
		: what.length > 3 ? "" : what.map(v => placeText(call, v)).join(" ");
}
function carriedText(call, what) {
	const sets = new Set(what.map(v => v.who));

	if (!what.length)
		return "an empty message";
	if (style === "sum") {
		const who = [...sets].map(w => bits(w).length === call.ranks ? "all ranks"
			: `${bits(w).length > 1 ? "ranks" : "rank"} ${rangesText(bits(w))}`);

		return `piece${what.length > 1 ? "s" : ""} ${shortText(call, what)}` +
			(name === "bcast" ? "" : sets.size < 3 ? ` of ${who.join(" and of ")}` : "");
	}
	if (style === "block") {
		const of = [...sets].map(who => bits(who)[0]).sort((a, b) => a - b), s = of.length > 1 ? "s" : "";

		return `the block${s} of rank${s} ${rangesText(of)}`;
	}
	if (what.length > 6)
		return plural(what.length, "block");
	return `block${what.length > 1 ? "s" : ""} ${what.map(v => placeText(call, v)).join(", ")}`;
}
function moveText(call, m) {
	const what = carriedText(call, m.what);

	switch (m.verb) {
	case "signals":
		return `rank ${m.from} signals rank ${m.to}`;
	case "shows":
		return `rank ${m.to} reads ${what} from rank ${m.from}'s board${m.adds ? " and adds it" : ""}`;
	case "writes":
		return `rank ${m.from} writes ${what} into rank ${m.to}'s memory`;
	case "adds":
		return `rank ${m.from} adds ${what} to rank ${m.to}'s memory`;
	default:
		return `rank ${m.from} sends ${what} to rank ${m.to}${m.adds ? ", which adds it" : ""}`;
	}
}
function ownText(call, o) {
	const verb = {copy: "copies", reduce: "adds up", take: "takes the sum of"}[o.s.kind];

	return `rank ${o.s.rank} ${verb} ${carriedText(call, o.what)} in its own memory`;
}
function listText(list) {
	return list.length > 1 ? `${list.slice(0, -1).join("; ")}; and ${list.at(-1)}` : list.join("");
}
