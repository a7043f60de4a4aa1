#!/bin/sh
# pages.sh - the pages of DLS_REPORT, dls-loops --html and dls-advise --html in a browser, also in large type.
#
# Fails if: a page, a table or a picture is wider than a telephone's window, a page has the wrong ground on a dark screen, or writes an
# error on the console; if the switch for large type does nothing.
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
# How many tables and pictures are cut, with all details open.
cut='(shown.querySelectorAll("details").forEach(one => { one.open = true; }),'
cut=$cut' [...shown.querySelectorAll("figure, .wide")].filter(one => one.scrollWidth > one.clientWidth + 1).length)'
in_frames "$work" "$pages switched.html" "$cut + ' ' + shown.title"
same 'nothing has to be scrolled sideways' '' \
	"$(grep -v '^lecture.html\|#lecture\|^switched' "$work/shown" | awk '$2 != 0')"
same 'a switch for large type' '16px 24px' "$(sed -n '/^switched.html /{s/[^ ]* [0-9]* //p;q}' "$work/shown")"
finish
