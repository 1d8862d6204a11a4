/* SPDX-License-Identifier: Apache-2.0 */
/* trace_view.js: a collective as it was traced and, beneath it on the same scale, as
 * it was simulated. A step is one of the trace, in the order in which they ended. */

function traceView() {
	const state = {step: 0, same: true}; /* same: both scenes on one scale */
	const names = ["As traced", `As simulated, fabric ${data.fabric}`];
	const both = data.scenes.length > 1;
	const most = Math.max(...data.scenes.map(s => s.end), 1);
	const models = new Map(data.pairs.map(([row, number, other]) => [`${row} ${number}`, other]));

	for (const scene of data.scenes)
		scene.ranks.forEach((r, row) => {
			r.steps = r.steps.map(([number, kind, rank, peer, bytes, begin, end, ended]) =>
				({number, kind: data.kinds[kind], rank, peer, bytes, begin, end, ended, row}));
		});
	const steps = data.scenes[0].ranks.flatMap(r => r.steps)
		.sort((a, b) => a.end - b.end || a.begin - b.begin || a.row - b.row || a.number - b.number);

	/* The same step in the model has the place of the one in the trace. */
	steps.forEach((s, i) => {
		const number = models.get(`${s.row} ${s.number}`);

		s.place = i + 1;
		s.model = number === undefined ? null
			: data.scenes[1].ranks[s.row].steps.find(m => m.number === number);
		if (s.model)
			s.model.place = i + 1;
		s.longer = s.model ? s.end - s.begin - (s.model.end - s.model.begin) : 0;
	});
	for (const scene of data.scenes)
		matchMessages(scene);

	/* The k-th send from one rank to another belongs to its k-th receive. */
	function matchMessages(scene) {
		const waiting = new Map();
		const key = (from, to) => `${from} ${to}`;

		for (const s of scene.ranks.flatMap(r => r.steps))
			if (/^recv/.test(s.kind) && s.peer >= 0)
				waiting.set(key(s.peer, s.row), [...(waiting.get(key(s.peer, s.row)) || []), s]);
		for (const s of scene.ranks.flatMap(r => r.steps))
			if (s.kind === "send" && s.peer >= 0)
				s.mate = (waiting.get(key(s.row, s.peer)) || []).shift();
	}
	function doingText(s) {
		const bytes = bytesText(s.bytes);
		const verbs = {
			send: `sends ${bytes} to rank ${s.rank}`, recv: `receives ${bytes} from rank ${s.rank}`,
			recv_reduce: `receives ${bytes} from rank ${s.rank} and adds them`,
			signal: `signals rank ${s.rank}`, write: `writes ${bytes} into rank ${s.rank}'s memory`,
			fetch_add: `adds ${bytes} to rank ${s.rank}'s memory`,
			compare_swap: `combines ${bytes} with rank ${s.rank}'s memory`,
			load: `reads ${bytes} from rank ${s.rank}'s board`,
			load_reduce: `reads ${bytes} from rank ${s.rank}'s board and adds them`,
			post: `shows ${bytes} on its board`, copy: `copies ${bytes}`, reduce: `adds up ${bytes}`,
			wait_memory: "waits for signals", take: `takes ${bytes} that others added`,
		};

		return `rank ${data.scenes[0].ranks[s.row].rank} ${verbs[s.kind]}`;
	}
	function tookText(s) {
		const took = timeText(s.end - s.begin);

		if (!s.ended)
			return "It has not ended in the trace.";
		if (!s.model)
			return `It took ${took}.${both ? " The simulation has no such step." : ""}`;
		return `It took ${took}, by the simulation ${timeText(s.model.end - s.model.begin)}: ` +
			(s.longer > 0 ? `${timeText(s.longer)} longer.` : `${timeText(-s.longer)} less.`);
	}

	/* ---- Pictures ---- */

	/* Draws a step of scene k at `at`: its bar, and what lies above all bars. */
	function drawStep(s, k, at, now) {
		const same = t => t && (k ? t.model : t) === s || false;
		const high = at.line * (s.kind === "send" ? .35 : .6);
		const box = (out, tall) => ({x: at.x(s.begin) - out, y: at.y(s.row) - tall / 2,
			width: Math.max(1, at.x(s.end) - at.x(s.begin)) + 2 * out, height: tall});
		const look = s.kind === "send" ? "send" : /^recv/.test(s.kind) ? "recv" : "own";
		const ahead = !(s.place <= state.step), above = [];

		if (same(now))
			above.push(svg("rect", {class: "mark", ...box(2, at.line * .9)}));
		if (s.mate) {
			const sent = now && [s, s.mate].includes(k ? now.model : now);

			above.push(svg("path", {class: sent ? "moving" : ahead ? "later" : "past",
				"marker-end": sent ? "url(#head)" : null,
				d: `M${at.x(s.begin)} ${at.y(s.row)} L${at.x(s.mate.end)} ${at.y(s.mate.row)}`}));
		}
		return [svg("rect", {class: `${look}${ahead ? " ahead" : ""}`, ...box(0, high),
			onclick: () => s.place && stepper.go(s.place)}), above];
	}
	function drawScene(scene, k) {
		const place = byId(`scene-${k}`), n = scene.ranks.length, line = n > 16 ? 16 : 26;
		const left = 60, room = Math.max(300, place.clientWidth || 900) - left - 12;
		const longest = state.same ? most : Math.max(scene.end, 1), height = n * line + 24;
		const at = {line, x: t => left + t / longest * room, y: row => line * (row + .5) + 2};
		const picture = svg("svg", {width: left + room + 12, height, role: "img",
			"aria-label": `${plural(n, "rank")} as lines, time from left to right, ${names[k]}`},
		arrowHead());
		const above = [];

		scene.ranks.forEach((r, row) => {
			picture.append(svg("text", {class: "end", x: left - 8, y: at.y(row) + 4}, `rank ${r.rank}`),
				svg("path", {class: "row", d: `M${at.x(r.arrive)} ${at.y(row)} H${at.x(r.leave)}`}));
			for (const s of r.steps) {
				const [bar, more] = drawStep(s, k, at, steps[state.step - 1]);

				picture.append(bar);
				above.push(...more);
			}
		});
		picture.append(...above, svg("text", {x: left, y: height - 4}, "0"),
			svg("text", {class: "end", x: left + room, y: height - 4}, timeText(longest)));
		place.replaceChildren(picture);
	}
	function draw() {
		data.scenes.forEach(drawScene);
	}
	function slowRow(s) {
		return html("tr", {},
			html("th", {scope: "row"}, html("button", {type: "button",
				onclick: () => stepper.go(s.place)}, `${s.place}`)),
			html("td", {class: "text"}, doingText(s)),
			html("td", {}, timeText(s.end - s.begin)),
			...s.model ? [html("td", {}, timeText(s.model.end - s.model.begin)),
				html("td", {}, `${s.longer < 0 ? "-" : ""}${timeText(Math.abs(s.longer))}`)] : []);
	}
	function slowTable() {
		const excess = s => both ? s.longer : s.end - s.begin;
		const list = steps.filter(s => !both || s.model)
			.sort((a, b) => excess(b) - excess(a)).slice(0, 10);
		const titles = ["Step", "What", "Took", ...both ? ["Simulated", "Longer"] : []];

		return html("table", {id: "costs"},
			html("thead", {}, html("tr", {}, ...titles.map(t =>
				html("th", {scope: "col", class: t === "What" ? "text" : null}, t)))),
			html("tbody", {}, ...list.map(slowRow)));
	}
	function scaleBox() {
		const box = html("input", {type: "checkbox", id: "same", checked: "", onchange: () => {
			state.same = box.checked;
			draw();
		}});

		return html("span", {}, box, " ", html("label", {for: "same"}, "Both on one scale"));
	}

	byId("title").textContent = document.title = data.title;
	byId("meaning").textContent = "Dark: sends; light: receives; grey: other steps; arrows are " +
		"messages; faint is what has not ended yet.";
	byId("choices").append(...both ? [scaleBox()] : []);
	byId("view").append(
		...data.scenes.map((scene, k) => html("section", {},
			html("h2", {}, `${names[k]}: ${timeText(scene.end)}`),
			scrolling(names[k], {id: `scene-${k}`}))),
		html("section", {},
			html("h2", {}, both ? "Steps that took longest beyond the simulation" : "The longest steps"),
			scrolling("Longest steps", {}, slowTable())));
	addEventListener("resize", draw);
	return {
		unit: "Step",
		state,
		get last() { return steps.length; },
		read(words) { state.step = Math.min(Math.max(0, +words.get("step") || 0), steps.length); },
		address: () => ({step: state.step}),
		show() {
			const s = steps[state.step - 1];

			draw();
			return s ? `Step ${state.step} of ${steps.length}: ${doingText(s)}, ${timeText(s.begin)} ` +
				`to ${timeText(s.end)} after the first rank came. ${tookText(s)}`
				: `Start: ${plural(data.scenes[0].ranks.length, "rank")} and ` +
				`${plural(steps.length, "step")}, in the order in which they ended.`;
		},
	};
}
