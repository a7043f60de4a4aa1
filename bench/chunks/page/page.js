// page.js - schedules side by side: the loop's iterations above, a lane for each worker, and what remains over time.

const runs = data.runs.map(one => new Run(one)), end = Math.max(1, ...runs.map(run => run.time));
const largest = Math.max(...runs.map(run => run.size.reduce((most, size) => Math.max(most, size), 0)));

// Okabe and Ito's colours for workers, on light paper and on dark.
const LIGHT = ['#0072b2', '#d55e00', '#009e73', '#b0588d', '#56b4e9', '#e69f00', '#8c564b', '#6a5acd'];
const DARK = ['#4aa3e0', '#ff8c42', '#35cfa0', '#e39cc8', '#9bd8ff', '#f0b840', '#c98f80', '#b0a4ff'];
const TRAIL = .5;	// s of play that a chunk's way to its worker is seen

let look;		// colours and sizes as the page has them now

function looks() {
	const root = getComputedStyle(document.documentElement), colour = name => root.getPropertyValue(`--${name}`).trim();
	const dark = matchMedia('screen and (prefers-color-scheme: dark)').matches, type = Math.round(.8 * parseFloat(root.fontSize));

	return { paper: colour('paper'), ink: colour('ink'), soft: colour('soft'), line: colour('line'), faint: colour('faint'), type,
		worker: dark ? DARK : LIGHT, font: `${type}px system-ui, sans-serif` };
}

const colourOf = w => look.worker[w % look.worker.length];

// White or black, whichever can be read on a colour.
function textOn(colour) {
	const [r, g, b] = [1, 3, 5].map(k => parseInt(colour.slice(k, k + 2), 16));

	return .3 * r + .59 * g + .11 * b > 140 ? '#111' : '#fff';
}

function panelOf(run) {
	const section = document.createElement('section'), make = (tag, name) => {
		const element = section.appendChild(document.createElement(tag));

		element.className = name;
		return element;
	};
	const panel = { run, section, title: make('h2', 'title'), inputs: make('p', 'inputs'), deal: make('canvas', 'deal'),
		figures: make('p', 'figures'), strip: make('canvas', 'strip') };

	panel.title.textContent = run.name;
	panel.inputs.textContent = `${run.chunks} chunks, ${(run.time / 1e9).toPrecision(4)} s`;
	panel.deal.setAttribute('role', 'img');
	panel.deal.setAttribute('aria-label', `the chunks of ${run.name}, a row for each worker; their figures are in the table below`);
	panel.strip.setAttribute('role', 'img');
	panel.strip.setAttribute('aria-label', 'iterations that remain, over time');
	panel.strip.addEventListener('pointerdown', event => stop((event.offsetX - panel.left) / panel.wide * end));
	panel.deal.addEventListener('pointerdown', event => {
		if (event.offsetY > panel.top)
			stop((event.offsetX - panel.left) / panel.wide * end);
	});
	panel.deal.addEventListener('pointermove', event => { panel.over = chunkAt(panel, event.offsetX, event.offsetY); show(); });
	panel.deal.addEventListener('pointerleave', () => { panel.over = undefined; show(); });
	at('runs').append(section);
	return panel;
}

// Where things are: `left` and `wide` of the axis of time, with room on its right for what a worker does,
// `top` and `lane` of the workers' rows.
function measure(panel) {
	const width = panel.section.clientWidth || 600, type = look.type;
	const context = panel.deal.getContext('2d');

	context.font = look.font;
	panel.width = width;
	panel.left = Math.round(type * (.8 + .62 * String(data.p - 1).length));
	panel.wide = width - panel.left -
		(data.p <= 24 ? 8 + Math.ceil(context.measureText(`runs ${largest}`).width) : 4);
	panel.bar = Math.round(1.5 * type);
	panel.top = Math.round(panel.bar + 3.8 * type);
	panel.lane = Math.max(2, Math.min(Math.round(2.2 * type), Math.floor(420 / data.p)));
	panel.high = panel.top + panel.lane * data.p + Math.round(1.6 * type);
}

function chunkAt(panel, x, y) {
	const { run } = panel, w = Math.floor((y - panel.top) / panel.lane), t = (x - panel.left) / panel.wide * end;

	if (y < panel.bar) {
		const i = run.begin.findIndex((from, k) => run.start[k] <= now && x / panel.width * data.n >= from &&
			x / panel.width * data.n < from + run.size[k]);

		return i < 0 ? undefined : i;
	}
	if (w < 0 || w >= data.p || t > now)
		return undefined;
	const [what, i] = run.doing(w, t);

	return what === 'runs' ? i : undefined;
}

// The loop's iterations: what is dealt in its worker's colour, strong as far as it has been run.
function drawLoop(context, panel) {
	const { run, width, bar } = panel, x = iteration => iteration / data.n * width;
	let upto = -1;		// of chunks narrower than a pixel one is drawn for each, and fills it

	context.fillStyle = look.faint;
	context.fillRect(0, 0, width, bar);
	for (let k = 0, n = run.dealt(now); k < n; k++) {
		const i = run.order[k], all = run.end[i] - run.start[i];
		let left = x(run.begin[i]), right = x(run.begin[i] + run.size[i]);

		if (right - left < 1) {
			left = Math.floor(left);
			right = left + 1;
			if (left === upto)
				continue;
			upto = left;
		}
		const gap = right - left > 3 ? 1 : 0, part = now >= run.end[i] ? 1 : (now - run.start[i]) / all;

		context.fillStyle = colourOf(run.worker[i]);
		context.globalAlpha = .4;
		context.fillRect(left, 0, right - left - gap, bar);
		context.globalAlpha = 1;
		context.fillRect(left, 0, (right - left - gap) * part, bar);
	}
	context.strokeStyle = look.line;
	context.strokeRect(.5, .5, width - 1, bar - 1);
}

// The way of a chunk from the loop to its begin, above the workers' rows, seen while it is young.
function drawWay(context, panel, i, age) {
	const { run } = panel, middle = (run.begin[i] + run.size[i] / 2) / data.n * panel.width, w = run.worker[i];
	const x = panel.left + run.start[i] / end * panel.wide, y = panel.top - 2;

	context.globalAlpha = Math.max(0, 1 - age);
	context.strokeStyle = colourOf(w);
	context.lineWidth = 2;
	context.beginPath();
	context.moveTo(middle, panel.bar + 1);
	context.bezierCurveTo(middle, panel.bar + (y - panel.bar) * .7, x, panel.bar + (y - panel.bar) * .4,
		x, y);
	context.stroke();
	context.globalAlpha = 1;
	context.lineWidth = 1;
}

// A worker's row up to now: chunks, requests dark, waiting hatched; the chunk under way faint to its end.
function drawLane(context, panel, w) {
	const { run, lane } = panel, x = ns => panel.left + ns / end * panel.wide, y = panel.top + w * lane, high = lane - (lane > 5 ? 2 : 0);
	const colour = colourOf(w), last = run.latest(w, now);
	let upto = -1;

	context.fillStyle = look.faint;
	context.fillRect(panel.left, y, now < run.time ? panel.wide : run.time / end * panel.wide, high);
	for (let k = 0; k <= last; k++) {
		const i = run.of[w][k], asked = x(run.asked[i]), left = x(Math.min(now, run.start[i])), right = x(Math.min(now, run.end[i]));

		if (right - asked < 1 && now >= run.end[i]) {
			if (Math.floor(asked) !== upto) {
				upto = Math.floor(asked);
				context.fillStyle = run.start[i] - run.asked[i] > run.end[i] - run.start[i] ? look.ink : colour;
				context.fillRect(upto, y, 1, high);
			}
			continue;
		}
		context.fillStyle = look.ink;
		context.fillRect(asked, y, left - asked, high);
		if (now < run.start[i])
			break;
		const whole = x(run.end[i]), gap = whole - left > 3 ? 1 : 0;

		context.fillStyle = colour;
		context.globalAlpha = .3;
		context.fillRect(left, y, whole - left - gap, high);
		context.globalAlpha = 1;
		context.fillRect(left, y, Math.max(.34, right - left - (now >= run.end[i] ? gap : 0)), high);
		if (panel.over === i) {
			context.strokeStyle = look.ink;
			context.strokeRect(left + .5, y + .5, whole - left - 1, high - 1);
		}
		context.font = look.font;
		context.textAlign = 'left';
		context.textBaseline = 'middle';
		const wide = context.measureText(run.size[i]).width;

		if (high >= look.type && whole - left > wide + 8) {
			context.fillStyle = right - left > wide / 2 ? textOn(colour) : look.ink;
			context.fillText(run.size[i], left + 4, y + high / 2 + 1);
		}
	}
	if (now > run.left[w])
		hatch(context, x(run.left[w]), y, x(Math.min(now, run.time)) - x(run.left[w]), high);
}

function hatch(context, left, top, wide, high) {
	context.save();
	context.beginPath();
	context.rect(left, top, Math.max(0, wide), high);
	context.clip();
	context.strokeStyle = look.soft;
	context.beginPath();
	for (let x = left - high; x < left + wide; x += 5) {
		context.moveTo(x, top + high);
		context.lineTo(x + high, top);
	}
	context.stroke();
	context.restore();
}

// Words over lines.
function put(context, text, x, y) {
	context.lineWidth = 4;
	context.lineJoin = 'round';
	context.strokeStyle = look.paper;
	context.strokeText(text, x, y);
	context.fillText(text, x, y);
}

function drawDeal(panel) {
	const context = fit(panel.deal, panel.width, panel.high), { run, lane } = panel, x = panel.left + now / end * panel.wide;
	const trail = playing ? (mode === 'clock' ? rate() * TRAIL : 0) : 0, bottom = panel.top + lane * data.p;

	drawLoop(context, panel);
	for (let w = 0; w < data.p; w++)
		drawLane(context, panel, w);
	for (let k = run.dealt(now) - 1, n = 0; k >= 0 && run.started[k] >= now - trail && n < 200; k--, n++)
		drawWay(context, panel, run.order[k], trail ? (now - run.started[k]) / trail : 0);
	context.font = look.font;
	context.textBaseline = 'middle';
	for (let w = 0, step = Math.ceil(1.1 * look.type / lane); w < data.p; w += step) {
		const y = panel.top + w * lane + lane / 2, [what, i] = run.doing(w, now);

		context.fillStyle = look.ink;
		context.textAlign = 'right';
		context.fillText(w, panel.left - 5, y);
		context.textAlign = 'left';
		if (data.p <= 24 && step === 1)
			context.fillText(what === 'runs' ? `runs ${run.size[i]}` : now >= run.time ? '' : what, panel.left + panel.wide + 6, y);
	}
	context.fillStyle = look.soft;
	context.textBaseline = 'bottom';
	context.textAlign = 'left';
	put(context, 'worker', 0, panel.top - 3);
	context.textBaseline = 'top';
	put(context, 'iteration 0', 0, panel.bar + 3);
	context.textAlign = 'right';
	put(context, data.n, panel.width, panel.bar + 3);
	put(context, brief(end), panel.left + panel.wide, bottom + 3);
	context.fillStyle = look.ink;
	context.fillRect(x - 1, panel.top - 3, 2, bottom - panel.top + 6);
}

// A run's remaining iterations over the pixels of the axis.
function trace(context, panel, run, upto, high) {
	context.beginPath();
	context.moveTo(panel.left, high - high * run.remaining(0) / data.n);
	for (let px = 0; px <= panel.wide * Math.min(1, upto / end); px += .5) {
		const t = px / panel.wide * end;

		context.lineTo(panel.left + px, high - high * run.remaining(t) / data.n);
	}
	context.stroke();
}

function drawStrip(panel) {
	const { run } = panel, high = Math.round(5 * look.type), context = fit(panel.strip, panel.width, high + 4), x = panel.left + now / end * panel.wide;

	context.translate(0, 2);
	context.strokeStyle = look.line;
	context.lineWidth = 1.5;
	for (const other of runs)
		trace(context, panel, other, other.time, high);
	context.strokeStyle = look.ink;
	context.lineWidth = 2;
	trace(context, panel, run, Math.min(now, run.time), high);
	context.fillStyle = look.ink;
	context.fillRect(x - 1, 0, 2, high);
	context.font = look.font;
	context.textBaseline = 'top';
	context.textAlign = 'right';
	context.fillText(`${run.remaining(now)} remain`, panel.left + panel.wide, 0);
}

function write(panel) {
	const { run } = panel, dealt = run.dealt(now), t = Math.min(now, run.time), total = [0, 0, 0, 0, 0];

	if (panel.over !== undefined) {
		const i = panel.over;

		panel.figures.textContent = `chunk ${i}: iterations ${run.begin[i]} to ${run.begin[i] + run.size[i] - 1} (${run.size[i]}), ` +
			`worker ${run.worker[i]}, asked for at ${brief(run.asked[i])}, begun at ${brief(run.start[i])}, took ${brief(run.end[i] - run.start[i])}`;
		return;
	}
	for (let w = 0; w < data.p; w++)
		run.spent(w, t).forEach((value, k) => { total[k] += value; });
	const all = Math.max(1, t * data.p), next = run.order[dealt];

	panel.figures.textContent = `${dealt} of ${run.chunks} chunks dealt, ${run.remaining(now)} of ${data.n} iterations remain` +
		`${next === undefined ? '' : `; next chunk ${run.size[next]}`}; so far iterations ${percent(total[2] / all)}, ` +
		`requests ${percent(total[3] / all)}, waiting ${percent(total[4] / all)}`;
}

function tableOf(run, index) {
	const table = tableWith(['worker', 'chunks', 'iterations', 'busy_s', 'requests_s', 'waiting_s'],
		Array.from({ length: data.p }, (_, w) => {
			const [chunks, iterations, ...times] = run.spent(w, Math.min(now, run.time));

			return [w, chunks, iterations, ...times.map(seconds)];
		}), `${run.name}, at ${seconds(now)} s`);

	table.dataset.run = index;
	return table;
}

const panels = runs.map(panelOf);

function show() {
	for (const panel of panels) {
		drawDeal(panel);
		drawStrip(panel);
		write(panel);
	}
}

function arrange() {
	const most = Math.floor(window.innerWidth / parseFloat(getComputedStyle(document.documentElement).fontSize) / 22);
	const columns = runs.length === 4 && most === 3 ? 2 : Math.max(1, Math.min(runs.length, most));

	look = looks();
	at('runs').style.gridTemplateColumns = `repeat(${columns}, minmax(0, 1fr))`;
	at('legend').replaceChildren(...Array.from({ length: Math.min(data.p, 8) }, (_, w) => entry(colourOf(w), w ? String(w) : 'worker 0')),
		...(data.p > 8 ? ['and again; '] : []), entry(look.ink, 'asks'),
		entry(`repeating-linear-gradient(135deg, ${look.soft} 0 1px, transparent 1px 4px)`, 'waits'), 'above: the loop, what is dealt in its worker’s colour; below: iterations that remain, of the other schedules in grey');
	panels.forEach(measure);
	draw();
}

document.title = at('title').textContent = `dls-chunks: ${runs.map(run => run.name).join('; ')}`;
at('loop').textContent = data.loop;
begin({ end, last: end, one: 'chunk', mark: 'end', who: 'worker', show, arrange, tables: () => runs.map(tableOf),
	moments: rise(runs.flatMap(run => [...run.start, ...run.left]), end), marks: rise(runs.flatMap(run => run.left), end) });
