// clock.js - the clock of a page that shows runs as time goes: its controls and keys, and how times are written.
//
// Times are whole ns below 2^53, so all sums are exact.  The page calls begin() with what it shows: end, at
// which play stops, and last, the latest time that there is; first, at which it opens, or nothing: 0; moments
// and marks, rising times to which the arrows and n, p go; one and mark, what these are called, and who,
// whose times they are; show(), which draws what is so now; tables(), what stands in the details; arrange(),
// which measures the page and draws it.
'use strict';

const at = id => document.getElementById(id), data = JSON.parse(at('data').textContent);

let now = 0, playing = false, mode = 'clock', power = 0, shown = 0, carried = 0, page;

// How many of rising times are below t.
function below(times, t) {
	let low = 0, high = times.length;

	while (low < high) {
		const middle = low + high >> 1;

		if (times[middle] < t)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

// Times up to the end, each once, and the begin and the end.
function rise(times, end) {
	return [...new Set([0, end, ...times])].filter(time => time <= end).sort((a, b) => a - b);
}

// Seconds with all nine decimals, exact.
function seconds(ns) {
	const text = String(ns).padStart(10, '0');

	return `${text.slice(0, -9)}.${text.slice(-9)}`;
}

function brief(ns) {
	const unit = page.end >= 2e9 ? [1e9, 's', 4] : page.end >= 2e6 ? [1e6, 'ms', 4] : page.end >= 2e3 ? [1e3, 'µs', 3] : [1, 'ns', 0];

	return `${(ns / unit[0]).toFixed(unit[2])} ${unit[1]}`;
}

function percent(part) {
	return `${(100 * part).toFixed(1)}\u00a0%`;
}

function nice(value) {
	const ten = 10 ** Math.floor(Math.log10(value) + 1e-9), lead = value / ten;

	return (lead < 1.5 ? 1 : lead < 3.5 ? 2 : lead < 7.5 ? 5 : 10) * ten;
}

// Ns, or moments, for each second of play.
const rate = () => mode === 'clock' ? nice(nice(page.end / 40) * 2.1544 ** power) : nice(8 * 2.1544 ** power);

function after(times, t) {
	return times[Math.min(times.length - 1, below(times, t + .5))];
}

function before(times, t) {
	return times[Math.max(0, below(times, t) - 1)];
}

// Make a canvas as large as it is shown, and scale by its height; returns what draws on it.
function fit(canvas, width, height) {
	const dense = window.devicePixelRatio || 1, context = canvas.getContext('2d');

	canvas.style.height = `${height}px`;
	canvas.width = Math.round(width * dense);
	canvas.height = Math.round(height * dense);
	context.setTransform(dense, 0, 0, dense, 0, 0);
	return context;
}

// A table with the names of its columns, and a row for each list of values.
function tableWith(columns, rows, caption) {
	const table = document.createElement('table');
	const fill = (row, values, tag) => values.forEach(value => { row.appendChild(document.createElement(tag)).textContent = value; });

	if (caption)
		table.createCaption().textContent = caption;
	fill(table.createTHead().insertRow(), columns, 'th');
	rows.forEach(values => fill(table.insertRow(), values, 'td'));
	return table;
}

// A square of a colour and what it stands for.
function entry(colour, text, style) {
	const span = document.createElement('span'), square = span.appendChild(document.createElement('i'));

	square.style[style || 'background'] = style ? `3px solid ${colour}` : colour;
	span.append(text);
	return span;
}

function draw() {
	at('slider').value = Math.round(10000 * now / page.end);
	at('slider').setAttribute('aria-valuetext', `${brief(now)} of ${brief(page.end)}`);
	at('time').textContent = `${brief(now)} of ${brief(page.end)}`;
	at('rate').textContent = mode === 'clock' ? `${rate() / 1e9} s a second` : `${rate()} ${page.one}s a second`;
	at('play').textContent = playing ? 'Pause' : 'Play';
	at('play').setAttribute('aria-label', playing ? 'pause' : 'play');
	at('mode').value = mode;
	page.show();
	if (at('details').open && !playing)
		at('tables').replaceChildren(...page.tables());
}

function go(time) {
	now = Math.max(0, Math.min(page.last, Math.round(time)));
	carried = 0;
	draw();
}

// Play goes on by the time that has passed since the last picture, at most by a quarter of a second.
function tick(time) {
	if (!playing)
		return;
	const passed = Math.min(.25, (time - shown) / 1000);

	shown = time;
	carried += passed * rate();
	if (mode === 'clock') {
		now += Math.floor(carried);
		carried -= Math.floor(carried);
	} else {
		for (; carried >= 1 && now < page.end; carried--)
			now = after(page.moments, now);
	}
	if (now >= page.end) {
		now = page.end;
		playing = false;
	}
	draw();
	if (playing)
		requestAnimationFrame(tick);
}

function play(on) {
	if (on && now >= page.end)
		now = 0;
	playing = on;
	carried = 0;
	shown = performance.now();
	draw();
	if (on)
		requestAnimationFrame(tick);
}

function setMode(to) {
	mode = to;
	power = 0;
	draw();
}

function faster(by) {
	power = Math.max(-15, Math.min(9, power + by));
	draw();
}

function stop(time) {
	playing = false;
	go(time);
}

const keys = {
	' ': () => play(!playing), ArrowLeft: () => stop(before(page.moments, now)), ArrowRight: () => stop(after(page.moments, now)),
	n: () => stop(after(page.marks, now)), p: () => stop(before(page.marks, now)),
	PageUp: () => go(now - page.end / 100), PageDown: () => go(now + page.end / 100), Home: () => go(0), End: () => stop(page.end),
	'+': () => faster(1), '=': () => faster(1), '-': () => faster(-1),
	m: () => setMode(mode === 'clock' ? 'moments' : 'clock'), d: () => { at('details').open = !at('details').open; },
};

// #t=1.5: seconds.
function read() {
	const found = /^#t=(\d{1,7})(?:\.(\d{1,9}))?$/.exec(location.hash);

	if (found) {
		at('details').open = true;
		stop(Number(found[1] + (found[2] || '').padEnd(9, '0')));
	}
}

function begin(what) {
	page = what;
	page.course = `from ${page.one} to ${page.one}`;
	for (const word of ['one', 'mark', 'who', 'course'])
		for (const element of document.getElementsByClassName(word))
			element.textContent = page[word];
	for (const [button, text] of [['back', `one ${page.one} back`], ['next', `one ${page.one} on`], ['former', `back to the ${page.mark} before`],
		['latter', `on to the next ${page.mark}`]])
		at(button).setAttribute('aria-label', text);
	document.documentElement.classList.toggle('lecture', data.lecture);
	document.addEventListener('keydown', event => {
		const own = ['BUTTON', 'SUMMARY'].includes(event.target.tagName) && event.key === ' ';

		if (event.ctrlKey || event.altKey || event.metaKey || own || event.target.tagName === 'SELECT' || !keys[event.key])
			return;
		event.preventDefault();
		keys[event.key]();
	});
	at('play').addEventListener('click', () => play(!playing));
	at('back').addEventListener('click', keys.ArrowLeft);
	at('next').addEventListener('click', keys.ArrowRight);
	at('former').addEventListener('click', keys.p);
	at('latter').addEventListener('click', keys.n);
	at('slower').addEventListener('click', keys['-']);
	at('faster').addEventListener('click', keys['+']);
	at('mode').addEventListener('change', () => setMode(at('mode').value));
	at('slider').addEventListener('input', () => go(at('slider').value / 10000 * page.end));
	at('details').addEventListener('toggle', draw);
	window.addEventListener('resize', page.arrange);
	window.addEventListener('hashchange', read);
	for (const query of ['print', '(prefers-color-scheme: dark)'])
		matchMedia(query).addEventListener('change', page.arrange);
	if (!page.marks.some(time => time > 0 && time < page.end))
		at('former').hidden = at('latter').hidden = true;
	at('source').textContent = `libdls ${data.version}: ${data.command}${data.files ? `; ${data.files}` : ''}`;
	now = page.first || 0;
	page.arrange();
	read();
}
