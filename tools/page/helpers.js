/* SPDX-License-Identifier: Apache-2.0 */
/* helpers.js: elements, numbers and lists as text. */
const data = JSON.parse(document.getElementById("data").textContent);
const byId = id => document.getElementById(id);

function fill(node, attributes, children) {
	for (const [name, value] of Object.entries(attributes))
		if (name === "onclick" || name === "onchange")
			node[name] = value;
		else if (value !== null && value !== false)
			node.setAttribute(name, value);
	node.append(...children);
	return node;
}
function html(tag, attributes = {}, ...children) {
	return fill(document.createElement(tag), attributes, children);
}
function svg(tag, attributes = {}, ...children) {
	return fill(document.createElementNS(byId("svg").namespaceURI, tag), attributes, children);
}
/* Returns the definition of the head of an arrow, #head. */
function arrowHead() {
	return svg("defs", {}, svg("marker", {id: "head", viewBox: "0 0 8 8", refX: 7, refY: 4,
		markerWidth: 5, markerHeight: 5, orient: "auto"},
	svg("path", {d: "M0 0 L8 4 L0 8 Z", fill: "context-stroke"})));
}
/* Returns a part of the page that scrolls, also by keys. */
function scrolling(label, attributes, ...children) {
	return html("div", {class: "scroll", tabindex: 0, role: "region", "aria-label": label,
		...attributes}, ...children);
}
function hidden(text) {
	return html("span", {class: "hidden"}, text);
}
function plural(n, word) {
	return `${n} ${word}${n === 1 ? "" : "s"}`;
}
function bytesText(n) {
	const units = ["bytes", "KiB", "MiB", "GiB", "TiB"];
	let u = 0;

	for (; n >= 1024 && u < 4; u++)
		n /= 1024;
	return `${+n.toFixed(n < 10 && u ? 1 : 0)} ${u || n !== 1 ? units[u] : "byte"}`;
}
function timeText(ns) {
	return ns < 1e3 ? `${ns.toFixed(0)} ns` : ns < 1e6 ? `${(ns / 1e3).toPrecision(3)} µs`
		: `${+(ns / 1e6).toPrecision(3)} ms`;
}
/* Returns "0–3, 5" for [0, 1, 2, 3, 5]. */
function rangesText(list, between = ", ") {
	const parts = [];

	for (let i = 0; i < list.length; i++) {
		let k = i;

		while (k + 1 < list.length && list[k + 1] === list[k] + 1)
			k++;
		parts.push(k === i ? `${list[i]}` : `${list[i]}${k === i + 1 ? between : "–"}${list[k]}`);
		i = k;
	}
	return parts.join(between);
}
function bits(who) {
	const list = [];

	for (let r = 0; r < 32; r++)
		if (who >>> r & 1)
			list.push(r);
	return list;
}
