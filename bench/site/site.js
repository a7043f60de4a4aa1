// site.js - the search: words to be found in the manual's sections.  Its index is read when the field is first used.
'use strict';

const field = document.getElementById('search'), list = document.getElementById('found'), root = field.dataset.root;
let asked = false;

// A page's own name and the heading of what is described count most, then what a section defines; a message
// defines nothing.  DLS_SCHEDULE is not dls_schedule.
function score(entry, words) {
	const has = (part, word) => part.split(/[^\w-]+/).includes(word);
	let sum = 0;

	for (const word of words) {
		const alike = part => /^[A-Z_\d]+$/.test(word) ? part : part.toLowerCase();
		const [page, title, text, terms] = entry.slice(1).map(alike), name = page.replace(/\(.*/, '');
		const own = [name, name.slice(4)].includes(word), headed = title.split(':')[0] === word;
		const defines = /diagnostics|errors/i.test(title) ? 0 :
			/^(environment|options)$/i.test(title) ? 25 : 20;

		if (![page, title, text].some(part => part.includes(word)))
			return 0;
		sum += 1 + 40 * (title === 'name' && has(text, word)) + 30 * (page.startsWith(word) + own) +
			50 * headed + defines * has(terms, word) + 10 * title.includes(word);
	}
	return sum;
}

function around(text, word) {
	const at = Math.max(0, text.toLowerCase().indexOf(word.toLowerCase()) - 60);

	return (at ? '... ' : '') + text.slice(at, at + 180);
}

function show() {
	const words = field.value.split(/\s+/).filter(word => word.length > 1).map(
		word => /[a-z]/.test(word) ? word.toLowerCase() : word);

	list.replaceChildren();
	if (!words.length || !window.siteIndex)
		return;
	const hits = window.siteIndex.map(entry => [score(entry, words), entry]).filter(hit => hit[0]).sort((a, b) => b[0] - a[0]).slice(0, 30);

	for (const [, [href, page, title, text]] of hits) {
		const item = list.appendChild(document.createElement('li')), link = item.appendChild(document.createElement('a'));

		link.href = root + href;
		link.textContent = `${page}: ${title}`;
		item.appendChild(document.createElement('small')).textContent = around(text, words[0]);
	}
	if (!hits.length)
		list.appendChild(document.createElement('li')).textContent = 'The manual has no section with all these words.';
}

function ask() {
	const script = document.createElement('script');

	if (asked)
		return;
	asked = true;
	script.src = `${root}index.js`;
	script.onload = show;
	document.head.append(script);
}

field.addEventListener('focus', ask);
field.addEventListener('input', () => { ask(); show(); });
if (location.hash.startsWith('#search=')) {
	field.value = decodeURIComponent(location.hash.slice(8));
	ask();
}
