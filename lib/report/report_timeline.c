/* report_timeline.c - the chunks over time as data of a page, and the script that zooms into their picture.
 *
 * A worker's chunks are one text, four numbers for each: ticks from the end of the one before to its begin;
 * ticks that it took; its iterations; how far its first one is behind the end of the one before, twice, or if
 * it is before that, twice less 1.  Where neighbours are joined, the number of chunks takes the place of the
 * fourth.  At most SPANS are written, so that the page stays small. */
#include <math.h>

#include "lib/base/clock.h"
#include "lib/report/report.h"

enum { SPANS = 16384, TICKS = 1 << 24 };

typedef unsigned long long count;

/* Chunks in a worker's i-th span: if spans hold several, the number in the last one follows from its size. */
static double chunks_in(const struct dls__log *log, unsigned i)
{
	if (log->every == 1 || i + 1 < log->used || i == 0)
		return (double)log->every;
	return fmin(fmax(round((double)log->span[i].n / (double)log->span[i - 1].n * (double)log->every), 1),
		    (double)log->every);
}

unsigned dls__report_group(const struct dls__log *log, unsigned most)
{
	return (log->used + most - 1) / most;
}

double dls__report_joined(const struct dls__log *log, unsigned i, unsigned group,
			  struct dls__chunk_span *joined)
{
	double chunks = chunks_in(log, i);

	*joined = log->span[i];
	for (unsigned j = i + 1; j < log->used && j < i + group; j++) {
		chunks += chunks_in(log, j);
		joined->ended = log->span[j].ended;
		joined->n += log->span[j].n;
	}
	return chunks;
}

/* A number in digits of five bits, the lowest first; all but the last are those from 32 on. */
static void put_number(FILE *f, uint64_t number)
{
	static const char digit[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_";

	for (; number >= 32; number /= 32)
		putc(digit[32 + number % 32], f);
	putc(digit[number], f);
}

static void put_worker(FILE *f, const struct dls__slowest *s, unsigned worker, unsigned most, uint64_t tick)
{
	const struct dls__log *log = &s->log[worker];
	unsigned group = dls__report_group(log, most);
	bool joins = group > 1 || log->every > 1;
	uint64_t at = 0, lo = 0;

	if (s->stay[worker].came == UINT64_MAX)
		fputs("[null", f);
	else
		fprintf(f, "[%llu", (count)(s->stay[worker].came / tick));
	fprintf(f, ",%llu,%d,\"", (count)(s->stay[worker].left / tick), joins);
	for (unsigned i = 0; i < log->used; i += group) {
		struct dls__chunk_span span;
		uint64_t chunks = (uint64_t)dls__report_joined(log, i, group, &span);
		uint64_t began = dls__clock_since(s->begin, span.began) / tick;
		uint64_t ended = dls__clock_since(s->begin, span.ended) / tick;

		began = began > at ? began : at;
		ended = ended > began ? ended : began;
		put_number(f, began - at);
		put_number(f, ended - began);
		put_number(f, span.n);
		put_number(f, joins ? chunks : span.lo >= lo ? 2 * (span.lo - lo) : 2 * (lo - span.lo) - 1);
		at = ended;
		lo = span.lo + span.n;
	}
	fputs("\"]", f);
}

void dls__report_timeline(FILE *f, const struct dls__slowest *s, const struct dls__timeline *t)
{
	uint64_t tick = s->wall / TICKS + 1;

	fprintf(f, "<script type=\"application/json\" class=\"timeline\">{\"n\":%llu,\"wall\":%llu,"
		"\"tick\":%llu,\"unit\":%.0f,\"left\":%d,\"right\":%d,\"top\":%d,\"high\":%.0f,"
		"\"nowait\":%s,\"workers\":[",
		(count)s->n, (count)s->wall, (count)tick, t->unit, t->left, t->right, t->top, t->high,
		s->nowait ? "true" : "false");
	for (unsigned i = 0; i < t->workers; i++) {
		fputs(i ? ",\n" : "\n", f);
		put_worker(f, s, i, SPANS / t->workers, tick);
	}
	fputs("]}</script>\n", f);
}

static const char *const script[] = {
	"<script>\n//<![CDATA[\n"
	"for (const figure of document.querySelectorAll('figure.timeline')) {\n"
	"  const data = JSON.parse(figure.querySelector('script').textContent);\n"
	"  const { left, right, top, high } = data, fingers = new Map();\n"
	"  const svg = figure.querySelector('svg'), say = figure.querySelector('output');\n"
	"  const axis = svg.lastElementChild, line = axis.firstElementChild, label = axis.lastElementChild;\n"
	"  const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_';\n"
	"  const wall = data.wall / data.tick || 1;\n"
	"  let from = 0, to = wall;	/* ticks; what is shown */\n"
	"\n",

	"  const numbers = text => {\n"
	"    const all = [];\n"
	"    let value = 0, weight = 1;\n"
	"    for (const digit of text) {\n"
	"      const d = digits.indexOf(digit);\n"
	"      value += d % 32 * weight;\n"
	"      weight *= 32;\n"
	"      if (d < 32) {\n"
	"        all.push(value);\n"
	"        value = 0;\n"
	"        weight = 1;\n"
	"      }\n"
	"    }\n"
	"    return all;\n"
	"  };\n"
	"  const workers = data.workers.map(([came, gone, joins, text]) => {\n"
	"    const v = numbers(text), spans = [];\n"
	"    for (let i = 0, at = 0, lo = 0; i < v.length; i += 4) {\n"
	"      const begin = at + v[i], n = v[i + 2], x = v[i + 3];\n"
	"      at = begin + v[i + 1];\n"
	"      lo += x % 2 ? -(x + 1) / 2 : x / 2;\n"
	"      spans.push({ begin, end: at, n, lo, chunks: joins ? x : 1 });\n"
	"      lo += n;\n"
	"    }\n"
	"    return { came: came ?? Infinity, gone, spans };\n"
	"  });\n"
	"  const time = (ticks, digits) => {\n"
	"    const ns = ticks * data.tick, units = [[1e9, 's'], [1e6, 'ms'], [1e3, '\\u00b5s'], [1, 'ns']];\n"
	"    const [unit, name] = units.find(([u]) => ns >= u) || units[3];\n"
	"    return `${+(ns / unit).toPrecision(digits)} ${name}`;\n"
	"  };\n"
	"  const place = t => left + (t - from) / (to - from) * (right - left);\n"
	"\n",

	"  const draw = () => {\n"
	"    const d = { late: '', idle: '', dispatch: '', even: '', odd: '' };\n"
	"    const box = (kind, worker, begin, end) => {\n"
	"      const a = place(Math.max(begin, from)), b = place(Math.min(end, to)), x = a.toFixed(2);\n"
	"      const y = top + worker * high + 1.5, width = Math.max(b - a, .15).toFixed(2);\n"
	"      if (b >= a)\n"
	"        d[kind] += `M${x} ${y}h${width}v${high - 3}H${x}z`;\n"
	"    };\n"
	"    workers.forEach(({ came, gone, spans }, worker) => {\n"
	"      box('late', worker, 0, wall);\n"
	"      if (!data.nowait)\n"
	"        box('idle', worker, came, wall);\n"
	"      if (spans.length)\n"
	"        box('dispatch', worker, came, gone);\n"
	"      for (let i = 0, j, k = 0; i < spans.length; i = j, k++) {\n"
	"        j = i + 1;\n"
	"        if (spans[i].end < from || spans[i].begin > to)\n"
	"          continue;\n"
	"        /* Too small to be told apart. */\n"
	"        while (j < spans.length && place(spans[j].end) - place(spans[i].begin) < .7)\n"
	"          j++;\n"
	"        box(k % 2 ? 'odd' : 'even', worker, spans[i].begin, spans[j - 1].end);\n"
	"      }\n"
	"    });\n"
	"    for (const kind in d)\n"
	"      svg.querySelector('path.' + kind).setAttribute('d', d[kind]);\n"
	"    ticks();\n"
	"  };\n"
	"  const element = (name, attributes) => {\n"
	"    const made = document.createElementNS(svg.namespaceURI, name);\n"
	"    for (const key in attributes)\n"
	"      made.setAttribute(key, attributes[key]);\n"
	"    return made;\n"
	"  };\n"
	"  const ticks = () => {\n"
	"    const unit = data.unit / data.tick, rough = (to - from) / unit / 6, all = [];\n"
	"    const power = 10 ** Math.floor(Math.log10(rough));\n"
	"    const step = power * [1, 2, 5, 10].find(x => x * power >= rough * .999999);\n"
	"    for (let i = Math.ceil(from / unit / step - 1e-9); i * step * unit <= to * (1 + 1e-9); i++) {\n"
	"      const x = place(i * step * unit).toFixed(1);\n"
	"      const text = element('text', { class: 'middle', x, y: 18 });\n"
	"      text.textContent = +(i * step).toPrecision(12);\n"
	"      all.push(element('path', { class: 'axis', d: `M${x} 0v5` }), text);\n"
	"    }\n"
	"    axis.replaceChildren(line, ...all, label);\n"
	"  };\n"
	"\n",

	"  const show = begin => {	/* as much as is shown now, from there on */\n"
	"    const length = to - from;\n"
	"    from = Math.max(0, Math.min(begin, wall - length));\n"
	"    to = from + length;\n"
	"    draw();\n"
	"  };\n"
	"  const zoom = (factor, at) => {	/* what is there at a time stays where it is */\n"
	"    const length = Math.min(wall, Math.max((to - from) * factor, Math.min(wall, 20)));\n"
	"    const begin = at - (at - from) * length / (to - from);\n"
	"    to = from + length;\n"
	"    show(begin);\n"
	"  };\n"
	"  const point = e => {\n"
	"    const r = svg.getBoundingClientRect(), scale = svg.viewBox.baseVal.width / r.width;\n"
	"    const x = (e.clientX - r.left) * scale, y = (e.clientY - r.top) * scale;\n"
	"    const pixel = (to - from) / (right - left);\n"
	"    const worker = Math.floor((y - top) / high);\n"
	"    return { t: from + (x - left) * pixel, worker, near: scale * pixel };\n"
	"  };\n"
	"  const tell = e => {\n"
	"    const { t, worker, near } = point(e), w = workers[worker];\n"
	"    if (!w || t < from || t > to) {\n"
	"      say.textContent = say.title;\n"
	"      return;\n"
	"    }\n"
	"    const off = s => Math.max(s.begin - t, t - s.end, 0);\n"
	"    const none = { begin: Infinity, end: -Infinity };\n"
	"    const s = w.spans.reduce((a, b) => off(b) < off(a) ? b : a, none);\n"
	"    let text = `idle from ${time(w.gone, 6)} on`;\n"
	"    if (off(s) <= near) {\n"
	"      text = s.chunks > 1 ? `${s.chunks} chunks, ${s.n} iterations` :\n"
	"        `iterations ${s.lo} to ${s.lo + s.n - 1}`;\n"
	"      text += `; at ${time(s.begin, 6)} for ${time(s.end - s.begin, 4)}`;\n"
	"    } else if (t < w.came)\n"
	"      text = w.came <= wall ? `not there until ${time(w.came, 6)}` : 'never came';\n"
	"    else if (t <= w.gone)\n"
	"      text = 'asks for a chunk';\n"
	"    else if (data.nowait)\n"
	"      text = `left at ${time(w.gone, 6)}`;\n"
	"    say.textContent = `worker ${worker}: ${text}`;\n"
	"  };\n"
	"\n",

	"  svg.tabIndex = 0;\n"
	"  say.title = 'A wheel, two fingers, + and \\u2212 zoom; a drag or an arrow moves; 0 shows all.';\n"
	"  say.textContent = say.title;\n"
	"  svg.addEventListener('wheel', e => {\n"
	"    if (Math.abs(e.deltaX) > Math.abs(e.deltaY)) {\n"
	"      if (to - from === wall)\n"
	"        return;\n"
	"      show(from + e.deltaX / 500 * (to - from));\n"
	"    } else {\n"
	"      if (e.deltaY > 0 && to - from >= wall)	/* the page scrolls */\n"
	"        return;\n"
	"      zoom(2 ** (e.deltaY * (e.deltaMode ? 33 : 1) / 200), point(e).t);\n"
	"    }\n"
	"    e.preventDefault();\n"
	"  }, { passive: false });\n"
	"  svg.addEventListener('pointerdown', e => {\n"
	"    fingers.set(e.pointerId, e);\n"
	"    svg.setPointerCapture(e.pointerId);\n"
	"  });\n"
	"  for (const end of ['pointerup', 'pointercancel'])\n"
	"    svg.addEventListener(end, e => fingers.delete(e.pointerId));\n"
	"  svg.addEventListener('pointermove', e => {\n"
	"    const before = fingers.get(e.pointerId);\n"
	"    const other = [...fingers.values()].find(one => one.pointerId !== e.pointerId);\n"
	"    const apart = one => Math.max(Math.abs(one.clientX - other.clientX), 9);\n"
	"    tell(e);\n"
	"    if (!before)\n"
	"      return;\n"
	"    if (other)\n"
	"      zoom(apart(before) / apart(e), point(other).t);\n"
	"    else\n"
	"      show(from + point(before).t - point(e).t);\n"
	"    fingers.set(e.pointerId, e);\n"
	"  });\n"
	"  document.addEventListener('keydown', e => {\n"
	"    const meant = svg.matches(':hover') || document.activeElement === svg;\n"
	"    const factor = { '+': .5, '=': .5, '-': 2, '0': Infinity }[e.key];\n"
	"    const by = { ArrowLeft: -.25, ArrowRight: .25 }[e.key];\n"
	"    if (!meant || e.ctrlKey || e.metaKey || e.altKey || !(factor || by))\n"
	"      return;\n"
	"    if (factor)\n"
	"      zoom(factor, (from + to) / 2);\n"
	"    else\n"
	"      show(from + by * (to - from));\n"
	"    e.preventDefault();\n"
	"  });\n"
	"  draw();\n"
	"}\n"
	"//]]>\n</script>\n",
};

void dls__report_timeline_script(FILE *f)
{
	for (size_t i = 0; i < sizeof(script) / sizeof(*script); i++)
		fputs(script[i], f);
}
