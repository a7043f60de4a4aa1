// page.js - runs side by side: the net, and what the processors do over time.

const runs = data.runs.map(one => new Run(one)), end = Math.max(1, ...runs.map(run => run.known_end));
const last = Math.max(1, ...runs.map(run => run.end)), mostLoad = Math.max(...runs.map(run => run.mostLoad));

// Okabe and Ito's colours: of what processors do, as in the pictures of --gantt, and of kinds of messages.
const STATE = [['#0072b2', 'runs a task'], ['#d55e00', 'in messages'], ['#d55e00', 'in messages'], ['#f0c040', 'held by the strategy']];
const KIND = ['#cc79a7', '#009e73', '#e69f00', '#56b4e9', '#8c564b', '#7f7f00', '#5c3fa0', '#ff6f91', '#00a0a0', '#a05c00', '#4060ff', '#60a000', '#999'];
const WITH_TASKS = '#111';
const LOAD = [[247, 252, 245], [199, 233, 192], [116, 196, 118], [35, 139, 69], [0, 68, 27]];
const FLIGHTS = 1200, BINS = 600, TRAIL = .35;	// arrows at once; of the strip; s that an arrow stays

// A colour for a load; small loads are told apart best.
function loadColour(load) {
	const part = mostLoad > 0 ? Math.log1p(Math.max(0, load)) / Math.log1p(mostLoad) : 0, at = Math.min(3.999, 4 * part), i = Math.floor(at);
	const mix = LOAD[i].map((c, k) => Math.round(c + (LOAD[i + 1][k] - c) * (at - i)));

	return { fill: `rgb(${mix})`, text: part > .6 ? '#fff' : '#111' };
}

// A kind that carries tasks has the colour of messages with tasks.
function kindColour(run, k) {
	return run.carrying[k] ? WITH_TASKS : KIND[k];
}

// How long an arrow is seen after its message was handled, ns.
const trail = () => playing && mode === 'clock' ? rate() * TRAIL : 0;

// The panel of a run: its elements, and where its processors are.
function panelOf(run) {
	const section = document.createElement('section'), make = (tag, name) => {
		const element = section.appendChild(document.createElement(tag));

		element.className = name;
		return element;
	};
	const panel = { run, layout: layoutOf(run.net), title: make('h2', 'title'), inputs: make('p', 'inputs'), phase: make('p', 'phase'),
		net: make('canvas', 'net'), kinds: make('p', 'kinds'), figures: make('p', 'figures'), strip: make('canvas', 'strip'), section };

	panel.title.textContent = run.name;
	panel.inputs.textContent = run.inputs;
	panel.net.setAttribute('role', 'img');
	panel.net.setAttribute('aria-label', `the net: ${run.inputs}; its figures are in the table below`);
	panel.strip.setAttribute('role', 'img');
	panel.strip.setAttribute('aria-label', 'what the processors do over time');
	panel.strip.addEventListener('pointerdown', event => go(event.offsetX / panel.strip.clientWidth * end));
	panel.net.addEventListener('pointermove', event => { panel.over = nearest(panel, event.offsetX, event.offsetY); show(); });
	panel.net.addEventListener('pointerleave', () => { panel.over = undefined; show(); });
	panel.bins = binsOf(run);
	at('runs').append(section);
	return panel;
}

// The processors' time in each part of the axis: tasks, messages, held.
function binsOf(run) {
	const bins = [0, 1, 2].map(() => new Float64Array(BINS)), width = end / BINS;

	for (const spans of run.spans)
		for (let i = 0; i < spans.from.length; i++) {
			const row = bins[[0, 1, 1, 2][spans.what[i]]];

			for (let bin = Math.floor(spans.from[i] / width); bin < BINS && bin * width < spans.to[i]; bin++)
				row[bin] += (Math.min(spans.to[i], (bin + 1) * width) - Math.max(spans.from[i], bin * width)) / width / run.processors;
		}
	return bins;
}

function scaleNet(panel) {
	const { layout } = panel, margin = 1, xs = [...layout.x, ...layout.switches.map(s => s[0])], ys = [...layout.y, ...layout.switches.map(s => s[1])];
	const left = Math.min(...xs) - margin, top = Math.min(...ys) - margin, wide = Math.max(...xs) + margin - left, high = Math.max(...ys) + margin - top;
	const width = panel.section.clientWidth || 600, room = Math.max(260, window.innerHeight - 330), unit = Math.min(width / wide, room / high, 120);

	panel.unit = unit;
	panel.size = [width, unit * high];
	panel.x = layout.x.map(x => (x - left - wide / 2) * unit + width / 2);
	panel.y = layout.y.map(y => (y - top) * unit);
	panel.point = (x, y) => [(x - left - wide / 2) * unit + width / 2, (y - top) * unit];
}

function nearest(panel, x, y) {
	let best, least = 20;

	panel.x.forEach((px, p) => {
		const d = Math.hypot(px - x, panel.y[p] - y);

		if (d < least) {
			least = d;
			best = p;
		}
	});
	return best;
}

// The control point of a line between two ends, which bends it by this part of its length.
const bent = (x1, y1, x2, y2, bend) => [(x1 + x2) / 2 + (y2 - y1) * bend, (y1 + y2) / 2 - (x2 - x1) * bend];

function drawLinks(context, panel) {
	context.strokeStyle = '#ccc';
	context.lineWidth = Math.max(.5, Math.min(1.5, panel.unit / 30));
	context.beginPath();
	for (const [x1, y1, x2, y2, bend] of panel.layout.lines) {
		const [ax, ay] = panel.point(x1, y1), [bx, by] = panel.point(x2, y2);

		context.moveTo(ax, ay);
		context.quadraticCurveTo(...bent(ax, ay, bx, by, bend), bx, by);
	}
	context.stroke();
	context.fillStyle = '#999';
	for (const [x, y] of panel.layout.switches) {
		const [sx, sy] = panel.point(x, y), size = Math.max(3, panel.unit / 6);

		context.fillRect(sx - size / 2, sy - size / 2, size, size);
	}
}

// A message as an arrow that has come as far as it has, and fades when it is handled.
function drawFlight(context, panel, i) {
	const m = panel.run.messages, a = m.from[i], b = m.to[i], over = m.handled[i] - m.sent[i], with_tasks = m.tasks[i] > 0;
	const way = now >= m.handled[i] ? 1 : over > 0 ? (now - m.sent[i]) / over : 1;
	const ax = panel.x[a], ay = panel.y[a], bx = panel.x[b], by = panel.y[b], far = Math.hypot(bx - ax, by - ay);
	const [cx, cy] = bent(ax, ay, bx, by, far > 1.7 * panel.unit ? Math.max(.14, panel.unit / far) : .14);	// around those that lie between
	const first = Math.min(.4, radius(panel, a) / far), most = 1 - Math.min(.4, (radius(panel, b) + 4) / far);
	const f = first + .04 + way * (most - first - .04), hx = (1 - f) * ((1 - f) * ax + f * cx) + f * ((1 - f) * cx + f * bx);
	const hy = (1 - f) * ((1 - f) * ay + f * cy) + f * ((1 - f) * cy + f * by);
	const angle = Math.atan2((1 - f) * (cy - ay) + f * (by - cy), (1 - f) * (cx - ax) + f * (bx - cx));
	const size = Math.max(5, Math.min(12, panel.unit * .25)) * (with_tasks ? 1.25 : 1);

	context.globalAlpha = way < 1 || trail() === 0 ? 1 : Math.max(.1, 1 - (now - m.handled[i]) / trail());
	context.strokeStyle = context.fillStyle = with_tasks ? WITH_TASKS : kindColour(panel.run, m.kind[i]);
	context.lineWidth = with_tasks ? Math.max(2, size / 3.5) : Math.max(1, size / 6);
	context.beginPath();
	context.moveTo(ax, ay);
	context.quadraticCurveTo((1 - f) * ax + f * cx, (1 - f) * ay + f * cy, hx, hy);
	context.stroke();
	context.beginPath();
	context.moveTo(hx + size * .6 * Math.cos(angle), hy + size * .6 * Math.sin(angle));
	for (const side of [2.5, -2.5])
		context.lineTo(hx + size * .8 * Math.cos(angle + side), hy + size * .8 * Math.sin(angle + side));
	context.fill();
	if (m.tasks[i] > 1 && panel.unit > 18) {
		const text = String(m.tasks[i]), away = size + 6;

		context.font = '600 12px system-ui, sans-serif';
		context.lineWidth = 3;
		context.strokeStyle = '#fff';
		context.strokeText(text, hx + away * Math.sin(angle), hy - away * Math.cos(angle));
		context.fillText(text, hx + away * Math.sin(angle), hy - away * Math.cos(angle));
	}
	context.globalAlpha = 1;
}

function radius(panel, p) {
	return Math.max(2, Math.min(26, panel.layout.r[p] * panel.unit));
}

// A processor: its load by colour and number, what it does by its rim.
function drawProcessor(context, panel, p) {
	const x = panel.x[p], y = panel.y[p], r = radius(panel, p), load = panel.run.load(p, now)[0];
	const colour = loadColour(load), doing = panel.run.doing(p, now), rim = Math.max(1.2, r * .2);

	context.beginPath();
	context.arc(x, y, r, 0, 2 * Math.PI);
	context.fillStyle = colour.fill;
	context.fill();
	context.beginPath();
	context.arc(x, y, r - rim / 2, 0, 2 * Math.PI);
	context.lineWidth = doing === undefined ? 1 : rim;
	context.strokeStyle = doing === undefined ? '#999' : STATE[doing][0];
	context.stroke();
	if (panel.over === p) {
		context.lineWidth = 2;
		context.strokeStyle = '#000';
		context.beginPath();
		context.arc(x, y, r + 3, 0, 2 * Math.PI);
		context.stroke();
	}
	if (r >= 8) {
		const text = String(load), size = Math.min(15, 2.6 * (r - rim) / Math.max(2, text.length));

		if (size >= 6) {
			context.font = `${size}px system-ui, sans-serif`;
			context.fillStyle = colour.text;
			context.fillText(text, x, y + .5);
		}
	}
}

function drawNet(panel) {
	const context = fit(panel.net, ...panel.size), { run } = panel;

	context.textAlign = 'center';
	context.textBaseline = 'middle';
	context.lineCap = 'butt';
	drawLinks(context, panel);
	for (const i of run.flying(now - trail(), now, FLIGHTS).reverse())
		drawFlight(context, panel, i);
	for (let p = 0; p < run.processors; p++)
		drawProcessor(context, panel, p);
}

// What all processors do over time; below it the phases, each name in a line of its own; and where time is.
function drawStrip(panel) {
	const width = panel.section.clientWidth || 600, high = 46, names = panel.run.phaseTexts, line = names.length ? Math.max(2, Math.min(6, 40 / names.length)) : 0;
	const context = fit(panel.strip, width, high + names.length * line + 3), x = ns => ns / end * width;

	context.fillStyle = '#e8e8e8';
	context.fillRect(0, 0, x(panel.run.known_end), high);
	for (let bin = 0; bin < BINS; bin++) {
		let below = high;

		panel.bins.forEach((row, k) => {
			const tall = row[bin] * high, left = Math.round(bin * width / BINS);

			context.fillStyle = STATE[k === 2 ? 3 : k][0];
			context.fillRect(left, below - tall, Math.round((bin + 1) * width / BINS) - left, tall);
			below -= tall;
		});
	}
	for (const [from, to, number, text] of panel.run.phases) {
		const row = names.indexOf(text.replace(/^.*?\d+: /, ''));

		context.fillStyle = number % 2 ? '#5c3fa0' : '#8c564b';
		context.fillRect(x(from), high + 2 + row * line, Math.max(1, x(to) - x(from)), Math.max(1, line - 1));
	}
	context.fillStyle = '#000';
	context.fillRect(Math.min(width - 2, x(now)) - 1, 0, 2, high + names.length * line + 3);
}

const QUIET = { dem: 'no sweep is under way', rips: 'user phase: tasks run', hbm: 'no controller is at work' };

// What is on its way, of a strategy without phases.
function flightText(run) {
	const kinds = run.flying(now - trail(), now, FLIGHTS).map(i => run.kinds[run.messages.kind[i]]);
	const texts = [...new Set(kinds)].map(kind => `${kinds.filter(other => other === kind).length} ${kind}`);

	return texts.length ? `on the way: ${texts.join(', ')}` : 'no message is on its way';
}

function phaseText(run) {
	const numbers = new Map(), found = run.phasesIn(now - trail(), now);

	for (const [, , number, text] of found) {
		const [, head, name] = /^(.*?\d+: )?(.*)$/.exec(text);

		numbers.set(number, numbers.get(number) || { head: number ? head : '', names: new Set() }).get(number).names.add(number ? name : text);
	}
	if (found.length)
		return [...numbers.values()].map(({ head, names }) => head + [...names].slice(-4).join(' \u00b7 ')).slice(-2).join('; ');
	return now >= run.known_end ? 'the run is over' : now >= run.time ? 'all tasks have ended; the end is being found' :
		run.phases.length ? QUIET[run.strategy] : flightText(run);
}

function write(panel) {
	const { run } = panel, loads = [], total = Array(6).fill(0);
	let begun = 0;

	for (let p = 0; p < run.processors; p++) {
		loads.push(run.load(p, now)[0]);
		begun += run.known(run.begun[p], now);
		run.spent(p, Math.min(now, run.time)).forEach((ns, k) => { total[k] += ns; });
	}
	const all = Math.max(1, total.reduce((a, b) => a + b, 0)), sum = loads.reduce((a, b) => a + b, 0);

	panel.phase.textContent = phaseText(run);
	panel.figures.textContent = `load ${Math.min(...loads)} to ${Math.max(...loads)}, mean ${(sum / run.processors).toFixed(2)}; ${begun} tasks begun; ` +
		`so far tasks ${percent((total[0] + total[1]) / all)}, messages ${percent((total[2] + total[3]) / all)}, held ${percent(total[4] / all)}, ` +
		`idle ${percent(total[5] / all)}`;
	panel.kinds.replaceChildren('sent so far: ', ...run.kinds.flatMap((kind, k) => {
		if (kind === null || !run.sentOf[k].length)
			return [];
		const span = document.createElement('span'), square = span.appendChild(document.createElement('i'));

		square.style.background = kindColour(run, k);
		span.append(`${kind} ${run.known(run.sentOf[k], now)}`);
		return [span];
	}));
	if (panel.over !== undefined) {
		const [load, queued] = run.load(panel.over, now), doing = run.doing(panel.over, now);

		panel.figures.textContent = `processor ${panel.over}: load ${load}, ${queued} queued, ${doing === undefined ? 'idle' : STATE[doing][1]}`;
	}
}

// The table of a run, in the columns of --series, all summed up to now.
function tableOf(run, index) {
	const moved = run.moved(now);
	const table = tableWith(['processor', 'load', 'queued', ...PARTS.map(part => `${part}_s`), 'idle_s', 'tasks', 'tasks_in', 'tasks_out'],
		Array.from({ length: run.processors }, (_, p) =>
			[p, ...run.load(p, now), ...run.spent(p, now).map(seconds), run.known(run.begun[p], now), ...moved[p]]),
		`${run.name}, at ${seconds(now)} s`);
	const kinds = tableWith(['kind', 'sent', 'received'], run.kinds.flatMap((kind, k) =>
		kind === null ? [] : [[kind, run.known(run.sentOf[k], now), run.known(run.handledOf[k], now)]]));

	table.dataset.run = index;
	kinds.className = 'messages';
	return run.traffic.length ? [table, kinds, linksOf(run)] : [table, kinds];
}

// What the links of a platform have carried, the busiest first.
function linksOf(run) {
	const table = tableWith(['link', 'messages', 'bytes', 'busy_s', 'waited_s'], [...run.traffic].sort((a, b) => b[3] - a[3]),
		'links, in the whole run');

	table.className = 'links';
	return table;
}

const panels = runs.map(panelOf);

function show() {
	for (const panel of panels) {
		drawNet(panel);
		drawStrip(panel);
		write(panel);
	}
}

// Panels beside each other, so that a net has the most room.
function arrange() {
	const columns = runs.length === 1 ? 1 : runs.length <= 4 ? 2 : 3;

	at('runs').style.gridTemplateColumns = `repeat(${window.innerWidth < 700 ? 1 : columns}, minmax(0, 1fr))`;
	panels.forEach(scaleNet);
	draw();
}

document.title = at('title').textContent = `dls-sim: ${runs.map(run => run.name).join('; ')}`;
at('legend').append('load: ', ...[...new Set([0, .25, .5, .75, 1].map(part => Math.round(Math.expm1(part * Math.log1p(mostLoad)))))].map(
	load => entry(loadColour(load).fill, load)), ' rim: ', ...[0, 1, 3].map(k => entry(STATE[k][0], STATE[k][1], 'border')),
	entry('#999', 'idle', 'border'), ' arrows: ', entry(WITH_TASKS, 'with a task, or as many as it says'), 'others by kind, see below');
begin({ end, last, first: Math.max(...runs.map(run => run.started)),
	one: 'message', mark: 'phase', who: 'processor', show, arrange, tables: () => runs.flatMap(tableOf),
	moments: rise(runs.flatMap(run => [...run.messages.sent, ...run.messages.handled]), end),
	marks: rise(runs.flatMap(run => run.phases.map(phase => phase[0])), end) });
