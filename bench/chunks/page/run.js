// run.js - a loop under one schedule, and what is so of it at a time: a chunk has been dealt, and a worker has left, at that time itself.

class Run {
	constructor(from) {
		const flat = from.chunk, column = k => Float64Array.from({ length: flat.length / 6 }, (_, i) => flat[6 * i + k]);
		const sum = (a, b) => a.map((value, i) => value + b[i]);

		Object.assign(this, { name: from.name, measured: from.measured, time: from.time, came: from.came, left: from.left });
		this.worker = column(0);
		this.begin = column(1);
		this.size = column(2);
		this.asked = column(3);
		this.start = sum(this.asked, column(4));
		this.end = sum(this.start, column(5));
		this.chunks = this.worker.length;
		this.of = from.came.map(() => []);	// chunks of each worker
		this.worker.forEach((w, i) => this.of[w].push(i));
		this.order = Array.from(this.start.keys()).sort((a, b) => this.start[a] - this.start[b] || a - b);
		this.started = Float64Array.from(this.order, i => this.start[i]);
		this.upto = new Float64Array(this.chunks + 1);	// iterations of the first chunks that started
		this.order.forEach((i, k) => { this.upto[k + 1] = this.upto[k] + this.size[i]; });
	}

	dealt(t) {
		return below(this.started, t + .5);
	}

	remaining(t) {
		return data.n - this.upto[this.dealt(t)];
	}

	// The last chunk that a worker has asked for, as a place in its list; -1: none.
	latest(w, t) {
		const list = this.of[w];
		let low = 0, high = list.length;

		while (low < high) {
			const middle = low + high >> 1;

			if (this.asked[list[middle]] <= t)
				low = middle + 1;
			else
				high = middle;
		}
		return low - 1;
	}

	// What a worker does, and with which chunk.
	doing(w, t) {
		const i = this.of[w][this.latest(w, t)];

		if (t >= this.left[w])
			return ['waits'];
		if (t < this.came[w])
			return ['late'];
		if (i === undefined || t >= this.end[i])
			return ['asks'];
		return [t < this.start[i] ? 'asks' : 'runs', i];
	}

	// [chunks, iterations dealt; ns in iterations, in requests, and in neither] of a worker up to t.
	spent(w, t) {
		let chunks = 0, iterations = 0, busy = 0;

		for (const i of this.of[w]) {
			if (this.start[i] > t)
				break;
			chunks++;
			iterations += this.size[i];
			busy += Math.min(t, this.end[i]) - this.start[i];
		}
		const there = Math.max(0, Math.min(t, this.left[w]) - this.came[w]);

		return [chunks, iterations, busy, there - busy, t - there];
	}
}
