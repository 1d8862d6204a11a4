// SPDX-License-Identifier: Apache-2.0
// plan_page.js: what plan_page.t adds to a page. It tells the page around it
// what the page's last rounds leave in the ranks' memory, and for the page that
// is to be driven, what a person would see after each act.
"use strict";

function results() {
	const seen = new Set(), list = [];

	for (const call of data.calls)
		for (const row of call.rows) {
			if (seen.has(row[2]))
				continue;
			seen.add(row[2]);
			const {faults, recv} = view.result(call, row);

			list.push({ranks: call.ranks, count: call.count, algorithm: row[1], faults, recv});
		}
	return list;
}

function look() {
	return {
		now: byId("now").textContent,
		title: byId("title").textContent,
		hash: location.hash,
		slider: byId("slider").getAttribute("aria-valuetext"),
		cells: [...document.querySelectorAll("#holdings tbody tr")].map(tr =>
			[...tr.querySelectorAll("td:not(.gap):not(.own)")].map(td => td.firstChild ? td.firstChild.textContent : "")),
		fresh: document.querySelectorAll("#holdings td.new").length,
		arrows: document.querySelectorAll("svg .moving").length,
		costs: [...document.querySelectorAll("#costs tbody tr")].map(tr => [...tr.children].map(c => c.textContent)),
		all: document.querySelectorAll("#all li").length,
		next: byId("next").disabled,
		play: byId("play").getAttribute("aria-pressed"),
		unnamed: [...document.querySelectorAll("button, select, input, [tabindex], svg[role=img]")].filter(e =>
			!(e.labels && e.labels.length) && !e.textContent.trim() && !e.getAttribute("aria-label")).length,
		live: document.querySelectorAll("[role=status][aria-live=polite]").length,
	};
}

function key(name, target = document.body) {
	target.dispatchEvent(new KeyboardEvent("keydown", {key: name, bubbles: true, cancelable: true}));
	return look();
}

function pick(id, value) {
	byId(id).value = value;
	byId(id).dispatchEvent(new Event("change"));
	return look();
}

function drive() {
	return {
		linked: look(),
		home: key("Home"),
		right: key("ArrowRight"),
		again: key("ArrowRight"),
		left: key("ArrowLeft"),
		select: key("ArrowRight", byId("algorithm")),
		end: key("End"),
		beyond: key("ArrowRight"),
		playing: key("p"),
		paused: key("p"),
		button: (byId("next").click(), look()),
		algorithm: pick("algorithm", "recursive_doubling"),
		ranks: pick("ranks", "6"),
		bytes: pick("bytes", `${2 << 20}`),
		costs: ([...document.querySelectorAll("#costs button")].find(b => b.textContent === "linear").click(), look()),
	};
}

function drive_trace() {
	const state = () => ({
		now: byId("now").textContent,
		title: byId("title").textContent,
		marks: document.querySelectorAll("svg .mark").length,
		ahead: document.querySelectorAll("#scene-0 .ahead").length,
		bars: [0, 1].map(k => document.querySelectorAll(`#scene-${k} rect:not(.mark)`).length),
		arrows: [0, 1].map(k => document.querySelectorAll(`#scene-${k} :is(.past, .later, .moving)`).length),
		longest: document.querySelectorAll("#costs tbody tr").length,
	});
	const all = {start: state()};

	key("ArrowRight");
	all.first = state();
	key("End");
	all.end = state();
	document.querySelector("#costs button").click();
	all.longest = state();
	byId("same").click();
	all.scaled = state();
	return all;
}

const told = {collective: data.collective, root: data.root};
try {
	if (data.scenes)
		told.trace = drive_trace();
	else if (location.hash.includes("step=2"))
		told.driven = drive();
	else
		told.results = results();
} catch (fault) {
	told.fault = `${fault} ${fault.stack}`;
}
parent.postMessage(told, "*");
