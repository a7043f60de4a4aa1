# browser.sh - what tests of pages share: `. test/browser.sh` after sh.sh.
#
# shellcheck shell=sh disable=SC2154 # $work is of sh.sh

browse() {	# address, options; what the page writes on the console goes to $work/console
	address=$1
	shift
	test/within.sh 300 chromium --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --user-data-dir="$work/profile" \
		--allow-file-access-from-files --enable-logging=stderr "$@" --dump-dom "$address" 2>"$work/console"
}

# Pages in frames of one page, as a start of the browser takes some two seconds of processor time: $work/dom.1, ... is what each has
# become.
browse_each() {	# addresses
	{
		echo '<!DOCTYPE html><body>'
		printf '<iframe src="%s" width="1000" height="600"></iframe>\n' "$@"
		cat <<'END'
<script>
const base64 = text => btoa(String.fromCharCode(...new TextEncoder().encode(text)));
onload = () => {
	const pages = [...document.querySelectorAll('iframe')].map(frame => frame.contentDocument.documentElement.outerHTML);
	document.body.innerHTML = pages.map(page => '<pre>' + page.match(/[^]{1,9999}/gu).map(base64).join('\n') + '</pre>').join('\n');
};
</script>
END
	} >"$work/each.html"
	browse "file://$work/each.html" >"$work/each" || return
	frame=0
	while [ $((frame += 1)) -le $# ]; do
		awk -v frame=$frame '/<pre>/ { n++ } n == frame { gsub(/<[^>]*>/, ""); print }' "$work/each" |
			while read -r line; do echo "$line" | base64 -d; done >"$work/dom.$frame"
	done
}

browser_home() { mkdir "$work/home" && HOME=$work/home && export HOME; }

# Opens pages as browse_each does.  Without a browser that runs, the point is skipped and the test ends.
need_browser() {	# the point's text, addresses
	need chromium chromium "$1" || finish
	browser_home
	skipped=$1
	shift
	browse_each "$@" && grep -q '<html' "$work/dom.1" && return
	skip "$skipped" 'chromium does not run here'
	finish
}

# A page that is given keys, 'End', 'Home', ...
with_keys() {	# page, keys
	cat "$1"
	echo "<script>for (const key of [$2]) document.dispatchEvent(new KeyboardEvent('keydown', { key })); draw();</script>"
}

# In a window of a telephone on light and a large one on dark paper: no error, no canvas that is empty, nothing beyond the window's
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
	# A window is never narrower than 500 px: the page is in frames, which prefer what their place has.
	cat >"$work/frame.html" <<'END'
<!DOCTYPE html><body><script>
for (const [width, scheme] of [[400, 'light'], [1400, 'dark']])
	document.write(`<iframe src="inner.html" style="color-scheme:${scheme};width:${width}px;height:900px;border:0"></iframe>`);
onload = () => {
	const titles = [...document.querySelectorAll('iframe')].map(frame => frame.contentDocument.title);
	document.body.innerHTML = titles.map(title => `<pre>${title}</pre>`).join('\n');
};
</script>
END
	browse "file://$work/frame.html" --window-size=1500,1000 | sed -n 's/.*<pre>\(.*\)<.pre>.*/\1/p' >"$work/said"
	frame=0
	for window in '400 rgb(255, 255, 255)' '1400 rgb(22, 24, 28)'; do
		frame=$((frame + 1))
		same "at ${window%% *} px, on ${window#* }" "0 true true $window $3 0" "$(sed -n ${frame}p "$work/said") $(grep -c CONSOLE "$work/console")"
	done
}

# Pages of a folder, in a window of a telephone on light and a large one on dark paper: pictures are shown, nothing lies beyond the edge,
# the console is silent.  $work/shown gets a line for each: its name, and what the expression says.  Without a browser the test ends.
in_frames() {	# folder, pages, expression of `shown`, a document
	need chromium chromium 'pages in a browser' || finish
	browser_home
	sed "s/EXPRESSION/$3/" >"$1/frame.html" <<'END'
<!DOCTYPE html><body style="margin:0"><pre id="said"></pre><script>
const pages = location.hash.slice(1).split(','), text = document.getElementById('said');
const wait = ms => new Promise(done => setTimeout(done, ms));
const look = async (page, width, scheme, say) => {
	const frame = document.createElement('iframe');
	frame.style = `border:0;width:${width}px;height:900px;color-scheme:${scheme}`;
	frame.src = page;
	document.body.append(frame);
	await new Promise(done => { frame.onload = done; });
	const shown = frame.contentDocument, images = [...shown.images];
	for (const image of images) {
		image.loading = 'eager';
		await image.decode().catch(() => say(`${page}: ${image.src} is not shown`));
	}
	await wait(50);
	const ground = frame.contentWindow.getComputedStyle(shown.body).backgroundColor.match(/\d+/g).slice(0, 3).map(Number);
	if (shown.documentElement.scrollWidth > width)
		say(`${page}: ${shown.documentElement.scrollWidth} pixels wide`);
	if ((Math.max(...ground) < 128) !== (scheme === 'dark'))
		say(`${page}: its ground is ${ground}`);
	text.append(`${page} has ${EXPRESSION}\n`);
	frame.remove();
};
(async () => {
	for (const [width, scheme] of [[400, 'light'], [1400, 'dark']]) {
		const say = line => text.append(`${line}, in ${width} ${scheme}\n`);
		for (const page of pages)
			await look(page, width, scheme, say);
		say(`looked at ${pages.length}`);
	}
})();
</script>
END
	# shellcheck disable=SC2086 # words
	browse "file://$1/frame.html#$(echo $2 | tr ' ' ',')" --virtual-time-budget=120000 >"$work/dom"
	rm "$1/frame.html"
	grep -q '<html' "$work/dom" || { skip 'pages in a browser' 'chromium does not run here'; finish; }
	sed -n '/<pre id="said">/,/<\/pre>/p' "$work/dom" | sed 's/.*<pre id="said">//; s/<\/pre>.*//' >"$work/looked"
	sed -n 's/ has / /p' "$work/looked" >"$work/shown"
	for window in '400 light' '1400 dark'; do
		{ grep ", in $window\$" "$work/looked"; grep CONSOLE "$work/console"; } >"$log"
		same "${window% *} pixels, ${window#* }" "looked at $(echo "$2" | wc -w), in $window" "$(cat "$log")"
	done
}
