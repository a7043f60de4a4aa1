# browser.sh - what tests of pages with a clock share: `. test/browser.sh` after sh.sh.
#
# shellcheck shell=sh disable=SC2154 # $work is of sh.sh

browse() {	# address, options; what the page writes on the console goes to $work/console
	address=$1
	shift
	timeout 180 chromium --headless --no-sandbox --disable-gpu --user-data-dir="$work/profile" --allow-file-access-from-files \
		--enable-logging=stderr "$@" --dump-dom "$address" 2>"$work/console"
}

# Without a browser that runs, the point is skipped and the test ends.
need_browser() {	# the point's text
	need chromium chromium "$1" || finish
	mkdir "$work/home" && HOME=$work/home && export HOME
	browse about:blank | grep -q '<html' && return
	skip "$1" 'chromium does not run here'
	finish
}

# What the page is after keys, 'End', 'Home', ...
pressed() {	# page, keys
	{ cat "$1"; echo "<script>for (const key of [$2])
		document.dispatchEvent(new KeyboardEvent('keydown', { key })); draw();</script>"; } >"$work/keys.html"
	browse "file://$work/keys.html"
}

# In a window of a telephone and a large one, on light and dark paper: no error, no canvas that is empty, nothing beyond the window's
# edge, and what an expression of the page's script says.
in_windows() {	# page, expression, what it says
	{
		sed 's|^<head>|<head><script>var wrong = []; onerror = text => { wrong.push(text); };</script>|' "$1"
		cat <<END
<script>
keys.d(); play(true); play(false); go(page.end / 2);
const seen = [...document.querySelectorAll('canvas')].every(canvas => {
	const all = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
	return new Set(new Uint32Array(all.buffer)).size > 3;
});
const paper = getComputedStyle(document.body).backgroundColor, wide = document.documentElement.scrollWidth <= window.innerWidth;
document.title = [wrong.length, seen, wide, window.innerWidth, paper, $2].join(' ');
</script>
END
	} >"$work/inner.html"
	for wide in 400 1400; do
		for paper in 'rgb(255, 255, 255)' 'rgb(22, 24, 28)'; do
			case $paper in *255*) prefers=1 ;; *) prefers=0 ;; esac
			# A window is never narrower than 500 px: the page is in a frame.
			echo "<iframe src='inner.html' style='width:${wide}px;height:900px;border:0'
				onload='document.title = this.contentDocument.title'></iframe>" >"$work/frame.html"
			same "at $wide px, on $paper" "0 true true $wide $paper $3 0" "$(browse "file://$work/frame.html" \
				--window-size=1500,1000 --blink-settings=preferredColorScheme=$prefers |
				sed -n 's/.*<title>\(.*\)<.title>.*/\1/p') $(grep -c 'CONSOLE' "$work/console")"
		done
	done
}
