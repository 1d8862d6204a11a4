/* SPDX-License-Identifier: Apache-2.0 */
/* follow.js: what the steps of plans do to the memory of the ranks. */
/* A value is what an element holds: the number of the element in the vectors
 * that it comes from, and the ranks whose contributions are in it, a bit each.
 * plan.h says what the steps mean. */

const SEND = 0, RECV = 1, CELLS = 2, BOARD = 3, TMP = 4;

/* A step as the data has it. */
function stepOf(list) {
	const [kind, peer, mate, count, sb, sa, wb, wa, db, da, flip, begin, end, turn] = list;

	return {kind: data.kinds[kind], peer, mate, count, src: [sb, sa], with: [wb, wa],
		dst: [db, da], flip, begin, end, turn, round: Math.max(1, Math.ceil(end))};
}

/* Unpacks a plan the first time; order: its steps in an order of time. */
function planOf(number) {
	const plan = data.plans[number];

	if (!plan.order) {
		plan.ranks = plan.steps.map(list => list.map(stepOf));
		plan.ranks.forEach((list, rank) => list.forEach((s, i) => { s.rank = rank; s.i = i; }));
		plan.order = plan.ranks.flat().sort((a, b) => a.turn - b.turn);
		plan.rounds = plan.order.reduce((most, s) => Math.max(most, s.round), 1);
	}
	return plan;
}

/* Follows a plan until a round has ended. Returns the memory of the ranks, what
 * was written in the last of these rounds, what moved then, and `faults`: reads
 * of nothing and sums of what does not belong together. */
function follow(call, plan, until) {
	const memory = Array.from({length: call.ranks}, () => ({}));
	const packed = memory.map(() => new Map()), sums = memory.map(() => new Map());
	const fresh = new Set(), moves = [], own = [], faults = [], moved = new Set();
	let round = 0;

	function read(rank, [buffer, at], i) {
		const value = buffer === SEND ? {index: at + i, who: 1 << rank >>> 0}
			: buffer === CELLS ? packed[rank].get(8 * at + i * call.type_size)
			: (memory[rank][buffer] || [])[at + i];

		if (!value)
			faults.push(`rank ${rank} reads nothing in buffer ${buffer}, element ${at + i}`);
		return value || {index: -1, who: 0};
	}
	function write(rank, [buffer, at], i, value) {
		(memory[rank][buffer] ||= [])[at + i] = value;
		if (round === until)
			fresh.add(`${rank} ${buffer} ${at + i}`);
	}
	function combine(a, b) {
		if (a.index !== b.index || a.who & b.who)
			faults.push(`element ${a.index} is combined with ${b.index}, ranks ${bits(a.who)} with ${bits(b.who)}`);
		return {index: a.index, who: (a.who | b.who) >>> 0};
	}
	function each(s, act) {
		for (let i = 0; i < s.count; i++)
			act(i);
	}
	function values(rank, ref, count) {
		return Array.from({length: count}, (_, i) => read(rank, ref, i));
	}
	function note(s, from, to, verb, what, adds) {
		if (round === until)
			moves.push({s, from, to, verb, what, adds});
	}
	function message(send, recv) {
		const what = values(send.rank, send.src, send.count);

		if (moved.has(send))
			return;
		moved.add(send);
		if (recv.kind === "recv")
			what.forEach((v, i) => write(recv.rank, recv.dst, i, v));
		else
			what.forEach((v, i) => write(recv.rank, recv.dst, i, combine(v, read(recv.rank, recv.with, i))));
		note(send, send.rank, recv.rank, "sends", what, recv.kind !== "recv");
	}
	function load(s) {
		const post = plan.ranks[s.peer][s.mate];
		const what = values(s.peer, [s.src[0], s.src[1] + post.src[1]], s.count);

		what.forEach((v, i) => write(s.rank, s.dst, i,
			s.kind === "load" ? v : combine(v, read(s.rank, s.with, i))));
		note(s, s.peer, s.rank, "shows", what, s.kind !== "load");
	}
	function local(s, what) {
		if (round === until && s.count && !(s.kind === "copy" && s.src.join() === s.dst.join()))
			own.push({s, what});
	}
	const acts = {
		send: s => message(s, plan.ranks[s.peer][s.mate]),
		recv: s => message(plan.ranks[s.peer][s.mate], s),
		recv_reduce: s => message(plan.ranks[s.peer][s.mate], s),
		load, load_reduce: load,
		signal: s => note(s, s.rank, s.peer, "signals", [], false),
		write(s) {
			const what = values(s.rank, s.src, s.count);

			what.forEach((v, i) => packed[s.peer].set(8 * s.dst[1] + i * call.type_size, v));
			note(s, s.rank, s.peer, "writes", what, false);
		},
		fetch_add(s) {
			const what = values(s.rank, s.src, s.count);

			what.forEach((v, i) => {
				const sum = sums[s.peer].get(s.dst[1] + i);

				sums[s.peer].set(s.dst[1] + i, sum ? combine(sum, v) : v);
			});
			note(s, s.rank, s.peer, "adds", what, true);
		},
		take(s) {
			each(s, i => {
				const sum = sums[s.rank].get(s.src[1] + i);

				if (!sum)
					faults.push(`rank ${s.rank} takes nothing`);
				write(s.rank, s.dst, i, sum || {index: -1, who: 0});
				sums[s.rank].delete(s.src[1] + i);
			});
			local(s, values(s.rank, s.dst, s.count));
		},
		copy(s) {
			values(s.rank, s.src, s.count).forEach((v, i) => write(s.rank, s.dst, i, v));
			local(s, values(s.rank, s.dst, s.count));
		},
		reduce(s) {
			each(s, i => write(s.rank, s.dst, i,
				combine(read(s.rank, s.src, i), read(s.rank, s.with, i))));
			local(s, values(s.rank, s.dst, s.count));
		},
	};
	acts.compare_swap = acts.fetch_add;
	if (data.collective === "bcast")
		memory[data.root][RECV] = Array.from({length: call.count},
			(_, i) => ({index: i, who: 1 << data.root >>> 0}));
	for (const s of plan.order) {
		round = s.round;
		if (round > until)
			break;
		if (acts[s.kind])
			acts[s.kind](s);
	}
	moves.sort((a, b) => a.from - b.from || a.to - b.to);
	own.sort((a, b) => a.s.rank - b.s.rank);
	return {memory, fresh, moves, own, faults};
}
