/* SPDX-License-Identifier: Apache-2.0 */
/* plan_view.js: the plans of a collective: what the reader chooses, what it costs,
 * and around them the picture and the memory. */

/* Members of a row of a call in the data. */
const ALGORITHM = 0, NAME = 1, PLAN = 2, TIME = 3, ROUNDS = 4, BYTES = 5, REDUCED = 6;

const aboutCosts = `Predicted by libmrt's cost model for ${data.medium === "sm" ? "shared memory"
	: "a network"}, with the parameters that libmrt brings; ★ is what it would choose.`;
const aboutPage = "A round is the time of one message; a rank sends one at a time and receives one " +
	"at a time. The plans are those that libmrt executes. They are computed for the number of " +
	"ranks that was asked for and others up to 16, and cut vectors into no more pieces than are " +
	"shown; the rest is left out to keep the page small. ";

function planFrame() {
	byId("meaning").textContent = meanings[name] || "";
	byId("view").append(
		html("div", {class: "columns"},
			html("section", {}, html("h2", {}, "Who sends to whom"),
				scrolling("Picture of the rounds", {id: "picture"})),
			html("section", {id: "memory"}, html("h2", {}, "What each rank holds"),
				html("p", {id: "about-holdings", class: "soft"}, aboutMemory),
				scrolling("Memory of the ranks", {}, html("table", {id: "holdings"})),
				html("details", {}, html("summary", {}, "All of this step in words"),
					html("ul", {id: "all"}))),
			html("section", {id: "cost"}, html("h2", {}, "What it costs"),
				html("p", {id: "about-costs", class: "soft"}, aboutCosts),
				scrolling("Costs of the algorithms", {}, html("table", {id: "costs"})),
				html("p", {id: "formula", class: "soft"}))),
		html("p", {class: "soft"}, aboutPage,
			html("code", {}, `mrt-plan ${name} -n N -c PIECES -f html`), " makes a page of others."));
}

function planView() {
	const state = {ranks: data.ranks, type_size: data.type_size, algorithm: data.algorithm, step: 0};
	const nameOf = row => data.algorithms[row[ALGORITHM]][0];
	let call, row, plan, seen;

	function find(ranks, size) {
		return data.calls.find(c => c.ranks === ranks && c.type_size === size)
			|| data.calls.find(c => c.ranks === ranks) || data.calls[0];
	}
	/* Completes the state: the call, and the algorithm that is wanted or, where
	 * it does not fit, the one that libmrt would choose. */
	function settle() {
		call = find(state.ranks, state.type_size);
		row = call.rows.find(r => nameOf(r) === state.algorithm)
			|| call.rows.find(r => r[NAME] === call.choice) || call.rows[0];
		Object.assign(state, {ranks: call.ranks, type_size: call.type_size, algorithm: nameOf(row)});
		plan = planOf(row[PLAN]);
		state.step = Math.min(Math.max(0, state.step), plan.rounds);
		build();
	}
	function choose(change) {
		const focus = document.activeElement && document.activeElement.id;

		Object.assign(state, change);
		settle();
		stepper.refresh();
		if (focus && byId(focus))
			byId(focus).focus();
	}

	/* ---- What can be chosen ---- */

	function selection(text, id, list, value, textOf, changed) {
		const control = html("select", {id, onchange: e => changed(e.target.value)},
			...list.map(v => html("option", {value: v, selected: v === value ? "" : null}, textOf(v))));

		return html("span", {}, html("label", {for: id}, text), " ", control);
	}
	function sizeText(size) {
		const {count} = find(state.ranks, size), bytes = bytesText(count * size);

		return data.vector ? `${bytes} (${plural(count, "piece")} of ${bytesText(size)})`
			: `${bytes} in each block`;
	}
	function build() {
		const sizes = data.calls.filter(c => c.ranks === call.ranks).map(c => c.type_size);
		const ranks = [...new Set(data.calls.map(c => c.ranks))].sort((a, b) => a - b);

		byId("choices").replaceChildren(
			selection("Algorithm", "algorithm", call.rows.map(nameOf), nameOf(row), v => v,
				v => choose({algorithm: v, step: 0})),
			selection("Ranks", "ranks", ranks, call.ranks, v => v, v => choose({ranks: +v, step: 0})),
			...call.count ? [selection("Bytes", "bytes", sizes, call.type_size, sizeText,
				v => choose({type_size: +v}))] : []);
		byId("title").textContent = `${name} by ${nameOf(row)}`;
		document.title = `${name} by ${nameOf(row)}, ${plural(call.ranks, "rank")}`;
		byId("costs").replaceWith(costTable());
		byId("formula").textContent = formulaText();
	}

	/* ---- Costs ---- */

	function formulaText() {
		const [, formula, argument] = data.algorithms[row[ALGORITHM]];
		const given = row[NAME].includes(":") ? "what follows the colon" : "its default";

		return `Cost of ${row[NAME]}: ${formula}. Here n = ${call.ranks} ranks` +
			(call.count ? `, m = ${bytesText(call.count * call.type_size)}` : "") +
			`, a = ${timeText(data.a)} latency, b = ${data.b} ns and c = ${data.c} ns for each ` +
			`byte moved and reduced${argument ? `, k the ${argument} (${given})` : ""}. Its longest ` +
			`chain has ${plural(row[ROUNDS], "message")} of ${bytesText(row[BYTES])} together, and ` +
			`reduces ${bytesText(row[REDUCED])}.`;
	}
	/* Returns the bytes that go from one rank to another. */
	function movedBytes(p) {
		return call.type_size * p.order.reduce((sum, s) =>
			sum + (moving.includes(s.kind) ? s.count : 0), 0);
	}
	function costRow(r, most) {
		const p = planOf(r[PLAN]), share = 100 * r[TIME] / most;
		const button = html("button", {type: "button", id: `cost-${nameOf(r)}`,
			"aria-pressed": `${r === row}`,
			onclick: () => choose({algorithm: nameOf(r), step: 0})}, r[NAME]);

		return html("tr", {},
			html("th", {scope: "row"}, button, r[NAME] === call.choice
				? html("span", {title: "libmrt's choice"}, " ★", hidden(" libmrt's choice")) : ""),
			html("td", {class: "time", style: "background: linear-gradient(to right, " +
				`var(--fill) ${share}%, transparent 0)`}, timeText(r[TIME])),
			html("td", {}, `${p.rounds}`), html("td", {}, bytesText(movedBytes(p))));
	}
	function costTable() {
		const rows = [...call.rows].sort((x, y) => x[TIME] - y[TIME]);
		const most = Math.max(...rows.map(r => r[TIME]), 1);

		return html("table", {id: "costs", "aria-describedby": "about-costs"},
			html("thead", {}, html("tr", {}, ...["Algorithm", "Time", "Rounds", "Moved"].map(t =>
				html("th", {scope: "col"}, t)))),
			html("tbody", {}, ...rows.map(r => costRow(r, most))));
	}

	/* ---- The step ---- */

	function draw() {
		drawRounds(byId("picture"), call, plan, seen, state.step, k => stepper.go(k));
	}
	function holdings() {
		const table = memoryTable(call, plan, seen), section = byId("memory");

		byId("holdings").replaceWith(table);
		/* a wide table gets the whole width */
		section.classList.remove("whole");
		section.classList.toggle("whole", table.scrollWidth > section.clientWidth);
	}
	function show() {
		seen = follow(call, plan, state.step);
		draw();
		holdings();
		const all = [...seen.moves.map(m => moveText(call, m)), ...seen.own.map(o => ownText(call, o))];
		const some = all.length > 8 ? [...all.slice(0, 6), `${all.length - 6} more, listed below`] : all;

		byId("all").replaceChildren(...(all.length ? all : ["nothing"]).map(t => html("li", {}, t)));
		return !state.step
			? `Start: each rank has what it passes. There are ${plural(plan.rounds, "round")}.`
			: `Round ${state.step} of ${plan.rounds}: ${listText(some) || "ranks wait"}.` +
				(state.step === plan.rounds ? " Done." : "");
	}

	planFrame();
	addEventListener("resize", draw);
	return {
		unit: "Round",
		state,
		get last() { return plan.rounds; },
		read(words) {
			state.algorithm = words.get("algorithm") || state.algorithm;
			state.ranks = +words.get("ranks") || state.ranks;
			state.type_size = +words.get("bytes") || state.type_size;
			state.step = +words.get("step") || 0;
			settle();
		},
		address: () => ({algorithm: nameOf(row), ranks: call.ranks, bytes: call.type_size,
			step: state.step}),
		show,
		/* Returns what the last round of a call leaves in each rank's result. */
		result(c, r) {
			const p = planOf(r[PLAN]), end = follow(c, p, p.rounds);

			return {faults: end.faults, recv: end.memory.map(m =>
				Array.from(m[RECV] || [], v => v ? [v.index, bits(v.who)] : null))};
		},
	};
}
