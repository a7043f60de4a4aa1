// run.js - a run, and what is known of it at a time.
//
// What is known at a time t is what happened before it; at 0 also what happened at 0, and from the run's end on all.

const PARTS = ['busy', 'polling', 'overhead', 'service', 'held'];
const TASK = 0, OVERHEAD = 1, SERVICE = 2, HELD = 3;

// Rising times from their differences.
function rising(flat, width, at) {
	const times = new Float64Array(flat.length / width);
	let time = 0;

	for (let i = 0; i < times.length; i++)
		times[i] = time += flat[i * width + at];
	return times;
}

function column(flat, width, at) {
	return Float64Array.from({ length: flat.length / width }, (_, i) => flat[i * width + at]);
}

function spansOf(flat) {
	const n = flat.length / 4, what = column(flat, 4, 0), from = new Float64Array(n), to = new Float64Array(n), polling = column(flat, 4, 3);
	const sum = PARTS.map(() => new Float64Array(n + 1));
	let time = 0;

	for (let i = 0; i < n; i++) {
		const length = flat[i * 4 + 2], part = what[i] === TASK ? 0 : what[i] + 1;

		from[i] = time + flat[i * 4 + 1];
		time = to[i] = from[i] + length;
		for (let k = 0; k < PARTS.length; k++)
			sum[k][i + 1] = sum[k][i] + (k === part ? length - polling[i] : k === 1 ? polling[i] : 0);
	}
	return { what, from, to, polling, sum };
}

class Run {
	constructor(data) {
		Object.assign(this, { name: data.name, inputs: data.inputs, traffic: data.traffic, strategy: data.strategy, net: data.net, kinds: data.kinds,
			time: data.time, known_end: Math.max(data.time, data.detected), end: Math.max(data.end, data.time) });
		this.processors = data.net.processors;
		this.spans = data.span.map(spansOf);
		this.loads = data.load.map(flat => ({ time: rising(flat, 3, 0), load: column(flat, 3, 1), queued: column(flat, 3, 2) }));
		this.begun = data.begun.map(flat => rising(flat, 1, 0));
		this.phases = data.phase;
		this.phaseTexts = [...new Set(data.phase.map(phase => phase[3].replace(/^.*?\d+: /, '')))];
		const sent = rising(data.message, 6, 3);

		this.messages = { kind: column(data.message, 6, 0), from: column(data.message, 6, 1), to: column(data.message, 6, 2), sent,
			handled: sent.map((time, i) => time + data.message[i * 6 + 4]), tasks: column(data.message, 6, 5) };
		this.sent = data.sent.map(flat => ({ kind: column(flat, 3, 0), time: rising(flat, 3, 1), tasks: column(flat, 3, 2) }));
		this.sentOf = data.kinds.map((_, k) => Float64Array.from(this.sent.flatMap(
			one => [...one.time.filter((_, i) => one.kind[i] === k)])).sort());
		this.handledOf = data.kinds.map((_, k) => this.messages.handled.filter((_, i) => this.messages.kind[i] === k).sort());
		this.carrying = data.kinds.map((_, k) => this.sent.some(one => one.kind.some((kind, i) => kind === k && one.tasks[i] > 0)));
		this.longestFlight = this.messages.handled.reduce((most, time, i) => Math.max(most, time - sent[i]), 0);
		// Each processor knows of the tasks that it has at the begin, before any comes in a message.
		const moved = this.messages.handled.filter((_, i) => this.messages.tasks[i] > 0);
		const first = moved.reduce((least, time) => Math.min(least, time), this.end);

		this.started = this.loads.map(one => one.time[0]).reduce(
			(most, time) => time > most && time <= first ? time + 1 : most, 0);
		this.mostLoad = Math.max(0, ...this.loads.map(one => one.load.reduce((a, b) => Math.max(a, b), 0)));
	}

	// How many of the times are known at t.
	known(times, t) {
		return t >= this.end ? times.length : below(times, t > 0 ? t : 1e-9);
	}

	load(p, t) {
		const i = this.known(this.loads[p].time, t);

		return i ? [this.loads[p].load[i - 1], this.loads[p].queued[i - 1]] : [0, 0];
	}

	// What a processor does at t; undefined: it is idle.
	doing(p, t) {
		const spans = this.spans[p], i = below(spans.from, t + .5) - 1;

		return i >= 0 && spans.to[i] > t ? spans.what[i] : undefined;
	}

	// What it has spent its time on up to t, ns: PARTS, and idle.
	spent(p, t) {
		const spans = this.spans[p], i = below(spans.from, t), spent = spans.sum.map(sum => sum[i]);

		if (i && spans.to[i - 1] > t) {
			const from = spans.from[i - 1], all = spans.to[i - 1] - from, polling = spans.polling[i - 1];
			const polled = Number(BigInt(polling) * BigInt(t - from) / BigInt(all)), part = spans.what[i - 1];

			spent[part === TASK ? 0 : part + 1] -= all - polling - (t - from - polled);
			spent[1] -= polling - polled;
		}
		return [...spent, t - spent.reduce((a, b) => a + b, 0)];
	}

	// Of all processors: [tasks received, sent].
	moved(t) {
		const { to, handled, tasks } = this.messages;
		const moved = this.sent.map(one => [0, one.tasks.subarray(0, this.known(one.time, t)).reduce((a, b) => a + b, 0)]);

		for (let i = 0; i < to.length; i++)
			if (this.known([handled[i]], t))
				moved[to[i]][0] += tasks[i];
		return moved;
	}

	// The messages that are on their way in [from, to], the first ones at most.
	flying(from, to, most) {
		const { sent, handled } = this.messages, found = [];

		for (let i = below(sent, to + .5) - 1; i >= 0 && sent[i] >= from - this.longestFlight && found.length < most; i--)
			if (handled[i] >= from)
				found.push(i);
		return found;
	}

	// The phases that are under way in [from, to].
	phasesIn(from, to) {
		return this.phases.filter(phase => phase[0] <= to && phase[1] > from);
	}
}
