#!/bin/sh
# pages.sh - the pages of DLS_REPORT, dls-loops --html and dls-advise --html in a browser, also in large type.
#
# Fails if: a page, a table or a picture is wider than a telephone's window, a page has the wrong ground on a dark screen, or writes an
# error on the console; if the switch for large type does nothing; if the timeline draws another part of time
# than it was told to, or tells other iterations or times than those in the page.
#
# runs: once
export LC_ALL=C OMP_WAIT_POLICY="${OMP_WAIT_POLICY-passive}"
. test/sh.sh
. test/browser.sh
tool=$bin/dls-loops
"$tool" --list >"$log" 2>&1
[ $? -ne 3 ] || skip_all 'dls-loops was built without OpenMP'
DLS_SCHEDULE=static DLS_REPORT="$work/report.html" "$tool" primes poisson -t 2 --runs 1 -s 'gss; steal,999; af' --html "$work/loops.html" \
	>"$work/out" 2>&1
pages='report.html report.html#lecture loops.html'
if [ -x "$bin/dls-advise" ]; then
	"$bin/dls-advise" --html "$work/advice.html" "$work/loops.html" >"$work/out" 2>&1
	"$bin/dls-advise" --lecture --html "$work/lecture.html" "$work/loops.html" >"$work/out" 2>&1
	pages="$pages advice.html lecture.html"
fi
{ cat "$work/report.html"; echo "<script>const size = () => getComputedStyle(document.documentElement).fontSize, was = size();
	document.querySelector('#type input').click(); document.title = was + ' ' + size();</script>"; } >"$work/switched.html"
# A timeline of worker 0, which runs iterations 0 and 1, then 3, and of worker 1, which comes after 500 ns of
# 1000 and runs 2.
workers='[0,900,0,"AmC20KmC12"],[500,1000,0,"-FgF14"]'
data='{"n":4,"wall":1000,"tick":1,"unit":1,"left":82,"right":464,"top":26,"high":24,"nowait":false,'
data=$data'"workers":['$workers']}'
awk -v data="<script type='application/json'>$data</script>" '
	/json" class="timeline">/ { if (!n++) print data; skip = n == 1 }
	!skip; /<\/script>/ { skip = 0 }' "$work/report.html" >"$work/timeline.html"
cat >>"$work/timeline.html" <<'END'
<script>
document.querySelectorAll('details').forEach(one => { one.open = true; });
const [picture, told] = ['svg', 'output'].map(name => document.querySelector('.timeline ' + name)), said = [];
const at = (x, worker) => {
	const box = picture.getBoundingClientRect(), scale = box.width / 560;
	const clientX = box.left + x * scale, clientY = box.top + (26 + 24 * worker + 12) * scale;
	return { clientX, clientY, cancelable: true };
};
const tell = (x, worker) => {
	picture.dispatchEvent(new PointerEvent('pointermove', at(x, worker)));
	said.push(told.textContent);
};
const drawn = () => said.push(picture.querySelector('path.even').getAttribute('d'));
const wheel = deltaY => said.push(!picture.dispatchEvent(new WheelEvent('wheel', { ...at(273, 0), deltaY })));
for (const t of [200, 600, 850, 950])
	tell(82 + .382 * t, 0);
tell(82 + .382 * 300, 1);
drawn();
wheel(200);			/* out, where all is shown: the page scrolls */
drawn();
wheel(-200);			/* in, to some 250 .. 750 */
tell(464 - 4, 1);
const key = key => document.dispatchEvent(new KeyboardEvent('keydown', { key }));
picture.focus();
key('0');
key('+');			/* 250 .. 750 */
drawn();
key('ArrowRight');		/* 375 .. 875 */
tell(86, 0);
key('+');			/* 500 .. 750 */
tell(86, 0);
key('-');
key('-');
drawn();
picture.setPointerCapture = () => {};	/* there is no such pointer */
const finger = (what, pointerId, x) =>
	picture.dispatchEvent(new PointerEvent('pointer' + what, { ...at(x, 0), pointerId }));
finger('down', 1, 82);
finger('down', 2, 182);
finger('move', 2, 282);		/* apart, to 0 .. 500 */
finger('up', 2, 282);
drawn();
finger('move', 1, 82 - .382 * 400);	/* to 200 .. 700 */
finger('up', 1, 82);
finger('move', 1, 300);
drawn();
key('0');
const texts = [...picture.lastElementChild.querySelectorAll('text')].map(one => one.textContent);
said.push(texts.slice(0, -1).join(' '));
document.title = said.join('|');
</script>
END
# How many tables and pictures are cut, with all details open.
cut='(shown.querySelectorAll("details").forEach(one => { one.open = true; }),'
cut=$cut' [...shown.querySelectorAll("figure, .wide")].filter(one => one.scrollWidth > one.clientWidth + 1).length)'
in_frames "$work" "$pages switched.html timeline.html" "$cut + ' ' + shown.title"
same 'nothing has to be scrolled sideways' '' \
	"$(grep -v '^lecture.html\|#lecture\|^switched' "$work/shown" | awk '$2 != 0')"
same 'a switch for large type' '16px 24px' "$(sed -n '/^switched.html /{s/[^ ]* [0-9]* //p;q}' "$work/shown")"
cat >"$work/expected" <<'END'
worker 0: iterations 0 to 1; at 10 ns for 400 ns
worker 0: iterations 3 to 3; at 430 ns for 400 ns
worker 0: asks for a chunk
worker 0: idle from 900 ns on
worker 1: not there until 500 ns
M85.82 27.5h152.80v21H85.82zM276.82 51.5h187.18v21H276.82z
false
M85.82 27.5h152.80v21H85.82zM276.82 51.5h187.18v21H276.82z
true
worker 1: iterations 2 to 2; at 510 ns for 490 ns
M82.00 27.5h122.24v21H82.00zM280.64 51.5h183.36v21H280.64z
worker 0: iterations 0 to 1; at 10 ns for 400 ns
worker 0: iterations 3 to 3; at 430 ns for 400 ns
M85.82 27.5h152.80v21H85.82zM276.82 51.5h187.18v21H276.82z
M89.64 27.5h305.60v21H89.64z
M82.00 27.5h160.44v21H82.00zM318.84 51.5h145.16v21H318.84z
0 200 400 600 800 1000
END
for window in 1 2; do
	sed -n 's/^timeline.html [0-9]* //p' "$work/shown" | sed -n ${window}p | tr '|' '\n' >"$work/told"
	diff "$work/expected" "$work/told" >"$log"
	point $? "the timeline zooms, and tells what it shows, in window $window"
done
finish
