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

# Opens pages as browse_each does.  Without a browser that runs, the point is skipped and the test ends.
need_browser() {	# the point's text, addresses
	need chromium chromium "$1" || finish
	mkdir "$work/home" && HOME=$work/home && export HOME
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
	# A window is never narrower than 500 px: the page is in frames, which prefer what their place has.
	cat >"$work/frame.html" <<'END'
<!DOCTYPE html><body><script>
for (const scheme of ['light', 'dark'])
	for (const width of [400, 1400])
		document.write(`<iframe src="inner.html" style="color-scheme:${scheme};width:${width}px;height:900px;border:0"></iframe>`);
onload = () => {
	const titles = [...document.querySelectorAll('iframe')].map(frame => frame.contentDocument.title);
	document.body.innerHTML = titles.map(title => `<pre>${title}</pre>`).join('\n');
};
</script>
END
	browse "file://$work/frame.html" --window-size=1500,1000 | sed -n 's/.*<pre>\(.*\)<.pre>.*/\1/p' >"$work/said"
	frame=0
	for paper in 'rgb(255, 255, 255)' 'rgb(22, 24, 28)'; do
		for wide in 400 1400; do
			frame=$((frame + 1))
			same "at $wide px, on $paper" "0 true true $wide $paper $3 0" "$(sed -n ${frame}p "$work/said") $(grep -c 'CONSOLE' "$work/console")"
		done
	done
}

# Pages of a folder, in windows and on paper as above: pictures are shown, nothing lies beyond the edge, the console is silent.
in_frames() {	# folder, pages
	cat >"$1/frame.html" <<'END'
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
	frame.remove();
};
(async () => {
	for (const scheme of ['light', 'dark'])
		for (const width of [400, 1400]) {
			const say = line => text.append(`${line}, in ${width} ${scheme}\n`);
			for (const page of pages)
				await look(page, width, scheme, say);
			say(`looked at ${pages.length}`);
		}
})();
</script>
END
	# shellcheck disable=SC2086 # words
	browse "file://$1/frame.html#$(echo $2 | tr ' ' ',')" --virtual-time-budget=120000 |
		sed -n '/<pre id="said">/,/<\/pre>/p' | sed 's/.*<pre id="said">//; s/<\/pre>.*//' >"$work/looked"
	for scheme in light dark; do
		for wide in 400 1400; do
			{ grep ", in $wide $scheme\$" "$work/looked"; grep CONSOLE "$work/console"; } >"$log"
			same "$wide pixels, $scheme" "looked at $(echo "$2" | wc -w), in $wide $scheme" "$(cat "$log")"
		done
	done
	rm "$1/frame.html"
}
