#!/bin/sh
# site.sh - makes the site: a start, the manual with a search, pictures and live pages that the tools make now, the papers, exercises,
# and reports on programs, from reports/list and pictures made before.
#
#	bench/site/site.sh BIN FOLDER [REPORT]
#
# BIN has the tools, BIN/../man the completed pages of man/; FOLDER is made anew; REPORT is a folder of `dls-paper report`, which becomes a part of it.  The same tools make
# the same bytes.  What needs a package that is not installed is left out, and said.
set -eu
export LC_ALL=C
bin=$(cd "$1" && pwd) out=$2 report=${3-}
here=$(dirname "$0")
PATH=$bin:$PATH
unset DLS_SCHEDULE DLS_REPORT DLS_TRACE DLS_DISPLAY_ENV
command -v mandoc >/dev/null || { echo 'site: mandoc is not installed (package mandoc)' >&2; exit 3; }
rm -rf "$out"
mkdir -p "$out/manual" "$out/pictures" "$out/live"
cp "$here/style.css" "$here/site.js" "$out"
cp "$here/report.svg" "$out/pictures"
version=$("$bin/dls-sim" --version)

escape() { sed 's/&/\&amp;/g; s/</\&lt;/g; s/>/\&gt;/g'; }

# A page around its body.
page() {	# file, title, the root from there
	{
		printf '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<meta name="viewport" content="width=device-width">\n'
		printf '<title>%s</title>\n<link rel="stylesheet" href="%sstyle.css">\n</head>\n<body>\n<nav><strong>libdls %s</strong>\n' \
			"$2" "$3" "${version#* }"
		for one in index.html:Start manual/index.html:Manual gallery.html:Gallery reports.html:Reports \
			exercises.html:Exercises papers.html:Papers; do
			current=
			[ "${one%:*}" != "$1" ] || current=' aria-current="page"'
			printf '<a href="%s%s"%s>%s</a>\n' "$3" "${one%:*}" "$current" "${one#*:}"
		done
		printf '<input id="search" type="search" placeholder="search the manual" aria-label="search the manual" data-root="%s">\n' "$3"
		printf '</nav>\n<ul id="found"></ul>\n<main>\n'
		cat
		printf '</main>\n<script src="%ssite.js"></script>\n</body>\n</html>\n' "$3"
	} >"$out/$1"
}

# Run a command in a folder of the site.  False: it needs a package that is not there.
run() {	# folder, command
	status=0
	(cd "$out/$1" && sh -c "$2") >"$out/log" 2>&1 || status=$?
	case $status in
	0) rm "$out/log" ;;
	3) echo "site: left out: $2: $(cat "$out/log")" >&2; rm "$out/log"; return 1 ;;
	*) echo "site: $2 ended with $status: $(cat "$out/log")" >&2; exit 1 ;;
	esac
}

picture() {	# file, title, command, words
	run pictures "$3" || return 0
	own=$(sed -n '1s/.* viewBox="0 0 \([0-9]*\) .*/\1/p' "$out/pictures/$1")
	printf '<figure id="%s">\n<div class="wide"><a href="pictures/%s">' "${1%.svg}" "$1"
	printf '<img src="pictures/%s" style="--own:%s" alt="%s" loading="lazy"></a></div>\n' "$1" "$own" "$2"
	printf '<figcaption><strong>%s.</strong> %s\n' "$2" "$4"
	printf '<pre class="run"><code>%s</code></pre></figcaption>\n</figure>\n' \
		"$(printf '%s' "$3" | escape)"
}

live() {	# file, title, command, words
	run live "$3" || return 0
	printf '<p id="%s"><a href="live/%s"><strong>%s</strong></a>: %s</p>\n' "live-${1%.html}" "$1" \
		"$2" "$4"
	printf '<pre class="run"><code>%s</code></pre>\n' "$(printf '%s' "$3" | escape)"
}

has() { "$1" --help=all 2>/dev/null | grep -q -e "^ .*$2 "; }	# tool, option

# The manual.  Names of functions lead to the pages that have them, other systems' names nowhere.
manual() {
	for file in man/*.[137]; do
		file=$bin/../$file
		sed -n '/^\.Sh NAME/,/^\.Nd/s/^\.Nm \([^ ]*\).*/\1/p' "$file" | sed "s|$|.${file##*.} ${file##*/}|"
		echo "${file##*/} ${file##*/}"
	done >"$out/names"
	for file in man/*.[137]; do
		file=$bin/../$file
		name=${file##*/}
		mandoc -Thtml -Ofragment,man=%N.%S.html "$file" | awk -v names="$out/names" '
			BEGIN { while ((getline line <names) > 0) { split(line, a, " "); if (!(a[1] in page) || a[1] == a[2]) page[a[1]] = a[2] } }
			{
				done = ""
				while (match($0, /href="[^"#]*\.html"/)) {
					key = substr($0, RSTART + 6, RLENGTH - 12)
					done = done substr($0, 1, RSTART - 1)
					if (key in page)
						done = done "href=\"" page[key] ".html\""
					$0 = substr($0, RSTART + RLENGTH)
				}
				print done $0
			}' >"$out/manual/$name.body"
	done
	# A heading that is another page's leads there.
	(cd "$out/manual" && grep -oE '<h[12] class="S[hs]" id="[^"]*"' dls.7.body *.body) | sed 's/\.body:.*id="/ /; s/"$//' >"$out/headings"
	for file in man/*.[137]; do
		file=$bin/../$file
		name=${file##*/}
		{
			echo '<div class="manual">'
			awk -v headings="$out/headings" -v own="$name" '
				BEGIN {
					while ((getline line <headings) > 0) {
						split(line, a, " ")
						if (!(a[2] in page) || a[1] == own)
							page[a[2]] = a[1]
					}
				}
				{
					done = ""
					while (match($0, /class="Sx" href="#[^"]*"/)) {
						id = substr($0, RSTART + 18, RLENGTH - 19)
						done = done substr($0, 1, RSTART - 1) "class=\"Sx\" href=\"" (page[id] == own || !(id in page) ? "" : page[id] ".html") "#" id "\""
						$0 = substr($0, RSTART + RLENGTH)
					}
					print done $0
				}' "$out/manual/$name.body"
			echo '</div>'
		} | page "manual/$name.html" "${name%.*}(${name##*.})" ../
	done
	{
		echo '<h1>The manual</h1>'
		for section in 1:Tools '7:Overviews and background' '3:Functions and macros'; do
			echo "<h2>${section#*:}</h2>"
			echo '<div class="wide"><table>'
			for file in man/*."${section%%:*}"; do
				file=$bin/../$file
				name=${file##*/}
				printf '<tr><td><a href="%s.html">%s</a></td><td>%s</td></tr>\n' "$name" "${name%.*}(${name##*.})" \
					"$(sed -n 's/^\.Nd //p' "$file" | escape)"
			done
			echo '</table></div>'
		done
	} | page manual/index.html 'The manual of libdls' ../
	# Of each section its place, page, heading, words, and the terms that it defines.
	{
		echo 'window.siteIndex = ['
		for file in man/*.[137]; do
			file=$bin/../$file
			name=${file##*/}
			tr '\n' ' ' <"$out/manual/$name.body" | sed 's/<h[12] class="S[hs]"/\n&/g' | awk -v file="$name" -v page="${name%.*}(${name##*.})" '
				/^<h[12]/ {
					id = $0; sub(/^[^>]*id="/, "", id); sub(/".*/, "", id)
					title = $0; sub(/<\/h[12]>.*/, "", title)
					sub(/^.*<\/h[12]>/, "")
					terms = ""
					for (rest = $0; match(rest, /<dt[^>]*>/); rest = substr(rest, length(term) + 1)) {
						rest = substr(rest, RSTART + RLENGTH)
						term = rest; sub(/<\/dt>.*/, "", term)
						terms = terms term " "
					}
					for (k = 0; k < 3; k++) {
						text = k == 0 ? title : k == 1 ? $0 : terms
						gsub(/<[^>]*>/, "", text); gsub(/&lt;/, "<", text); gsub(/&gt;/, ">", text); gsub(/&quot;/, "\"", text)
						gsub(/&#x[0-9A-F]*;/, " ", text); gsub(/&amp;/, "\\&", text); gsub(/  +/, " ", text)
						gsub(/\\/, "\\u005c", text); gsub(/"/, "\\\"", text); gsub(/</, "\\u003c", text)
						if (k == 0) title = text; else if (k == 1) words = text; else terms = text
					}
					printf "[\"manual/%s.html#%s\",\"%s\",\"%s\",\"%s\",\"%s\"],\n", file, id, page, title, words, terms
				}'
		done
		echo '];'
	} >"$out/index.js"
	mv "$out/manual/dls_teaching.7.body" "$out/teaching"
	rm "$out"/manual/*.body "$out/names" "$out/headings"
}

gallery() {
	echo '<h1>Gallery</h1>'
	echo '<p>The tools made each picture when this site was made, by the command below it. <code>--lecture</code> adds large type.</p>'
	picture chunks.svg 'Chunk sizes' "dls-chunks -n 1000 -p 4 -s 'static; gss; tss; fac2; mfsc' --plot chunks.svg" \
		'How large the chunks are that each schedule hands out, from the first to the last.'
	picture gantt.svg 'Who works when' "dls-sim --strategy 'none; rid' --processors 16 --gantt gantt.svg" \
		'Without balancing, processors are idle until the last one has ended; under <code>rid</code> they ask their neighbours for tasks.'
	picture heat.svg 'Load over time' "dls-sim --strategy 'sid; hbm' --processors 32 --load spike --grain .02 --heat heat.svg" \
		'All tasks begin on processor 0: neighbour by neighbour, and by ever larger parts of the machine.'
	picture messages.svg 'Messages' "dls-sim --strategy 'hbm; dem' --processors 128 --tasks 40 --messages messages.svg" \
		'How many messages of each kind, when; the axis is logarithmic where one bar would flatten the others.'
	picture lecture.svg 'For a lecture' "dls-paper wlr93-fig6 --lecture --seed 1-5 --plot lecture.svg" \
		'Speedup by number of processors, beside the paper: each curve has its name at its end.'
	echo '<h1>Live</h1>'
	if has dls-chunks --html; then
		live chunks.html 'Chunks dealt to workers' "dls-chunks -n 200 -p 4 -s 'static; gss; fac2' --times decreasing --html chunks.html" \
			'who gets which chunk when, and who waits'
	fi
	live cube.html 'Balancing on a hypercube' "dls-sim --strategy 'rid; dem' --processors 16 --tasks 20 --html cube.html" \
		'load and messages move on the net; <kbd>space</kbd> plays'
	live mesh.html 'A spike on a mesh' "dls-sim --strategy 'sid; gm' --net mesh:5x5 --load spike --tasks 8 --html mesh.html" \
		'all tasks begin on one processor'
}

# Rows of reports/list: one for the table, or one for the cards.
report_rows() {	# what makes a row
	grep -v '^#' "$here/reports/list" | escape |
		while IFS='|' read -r name program version loop arguments says tried median least most verdict; do "$1"; done
}

report_row() {
	printf '<tr><td><a href="#%s">%s</a></td><td><code>%s</code></td><td>%s</td>' "$name" "$program" "$loop" \
		"${tried:+try <code>}${tried:-leave it}${tried:+</code>}"
	printf '<td>%s</td></tr>\n' "${median:+$median % ($least to $most), }${verdict:-not run}"
}

report_card() {
	cp "$here/reports/$name.svg" "$out/pictures/report-$name.svg"
	printf '<figure id="%s">\n<div class="wide"><img src="pictures/report-%s.svg" alt="%s" loading="lazy"></div>\n' \
		"$name" "$name" "$loop: cost by position, and finishing times"
	printf '<figcaption><strong>%s</strong> (%s), <code>%s</code>. %s\n' "$program" "$version" "$loop" "$says"
	printf '<pre><code>dls-run --advise --report report.html %s' "$arguments"
	[ -z "$tried" ] || printf '\ndls-advise --verify dls-run %s' "$arguments"
	printf '</code></pre></figcaption>\n</figure>\n'
}

reports() {
	echo '<h1>Reports on programs</h1>'
	cat "$here/reports/head.html"
	echo '<div class="wide"><table>'
	echo '<tr><th>program</th><th>loop</th><th>the report says</th><th>gained, by <code>dls-advise --verify</code></th></tr>'
	report_rows report_row
	echo '</table></div>'
	report_rows report_card
}

exercises() {
	{
		if has dls-chunks --html; then
			live one.html '1, live' "dls-chunks -n 100 -p 4 -s 'static; gss; fac2' --html one.html" 'the chunks as they are dealt'
			live two.html '2, live' "dls-chunks -p 4 -s 'gss; fac2' --times decreasing --html two.html" 'who waits for the first chunk'
		else
			for k in 1 2; do
				costs=
				[ $k = 1 ] || costs=' --times decreasing'
				if run live "dls-chunks -n 100 -p 4 -s 'static; gss; fac2'$costs --plot $k.svg"; then
					printf '<p><a href="live/%s.svg"><strong>%s, a picture</strong></a>: the chunks</p>\n' $k $k
				fi
			done
		fi
		live three.html '3, live' "dls-sim --strategy 'sid; rid' --processors 16 --tasks 20 --html three.html" 'which messages go where'
		live four.html '4, live' "dls-sim --strategy 'rid; dem' --processors 16 --tasks 20 --costs ipsc2,latency=.1 --html four.html" \
			'a sweep waits for answers, a request does not'
		live five.html '5, live' "dls-sim --load tree --grain .01 --processors 16 --strategy 'rips,transfer=any; rips,transfer=all' --html five.html" \
			'the system phases: who waits for whom'
		live six.html '6, live' "dls-sim --load spike --tasks 8 --grain .1 --processors 16 --strategy 'rand; rid' --html six.html" \
			'tasks given away at random, and asked for: to be compared with a strategy of your own by <code>--plugin</code>'
	} >"$out/lives"
	# Each behind the heading of its exercise; what is before the page's description is for a manual.
	echo '<h1>Exercises</h1>'
	echo '<div class="manual"><div class="manual-text"><section class="Sh">'
	sed '1,/<h1 class="Sh" id="DESCRIPTION"/d' "$out/teaching" | awk -v lives="$out/lives" '
		BEGIN { while ((getline line <lives) > 0) { if (match(line, /<strong>[1-6],/)) k = substr(line, RSTART + 8, 1); text[k] = text[k] line "\n" } }
		{ print }
		/<h2 class="Ss"/ && match($0, /id="[1-6]\./) { k = substr($0, RSTART + 4, 1) }
		/<\/h2>/ && k { printf "%s", text[k]; k = "" }' |
		sed -E 's/href="([a-z_-]+\.[137]\.html)/href="manual\/\1/g'
	echo '</div>'
	rm "$out/lives" "$out/teaching"
}

papers() {
	echo '<h1>The papers, rebuilt</h1>'
	echo '<p><a href="manual/dls-paper.1.html">dls-paper</a> computes the tables and figures of four papers anew:</p>'
	echo '<div class="wide"><table>'
	while IFS='|' read -r name authors title; do
		printf '<tr><td><code>%s</code></td><td>%s: <cite>%s</cite></td></tr>\n' "$name" "$authors" "$title"
	done <<-END
		wlr93|M. H. Willebeek-LeMair and A. P. Reeves, 1993|Strategies for Dynamic Load Balancing on Highly Parallel Computers
		rips|W. Shu and M.-Y. Wu, 1996|Runtime Incremental Parallel Scheduling (RIPS) on Distributed Memory Computers
		aroma|H. Nishikawa and P. Steenkiste, 1993|A General Architecture for Load Balancing in a Distributed-Memory Environment
		repart|I. Banicescu and R. L. Cari&ntilde;o, 2005|Addressing the Stochastic Nature of Scientific Computations via Dynamic Loop Scheduling
	END
	echo '</table></div>'
	dls-paper ledger >"$out/ledger"
	# What to make of it, in the ledger's own numbers.
	awk '
		$1 ~ /^(wlr93|rips|aroma|repart)$/ && $2 == "numbers" && $8 > worst { worst = $8; paper = $1; of = $3 }
		$1 == "all" && $2 == "numbers" { numbers = $3; near = $3 - $8; beyond = $8 }
		$1 == "all" && $2 == "structure" { structure = $3; exact = $4 }
		$1 == "all" && $2 == "statement" { statements = $3; hold = $3 - $8 }
		END {
			printf "<p>What follows from a paper\47s rules agrees exactly in %d of %d places, and %d of the %d statements that the\n", exact, structure, hold, statements
			printf "papers make in words, such as which strategy is faster, hold here.\n"
			printf "Of the %d numbers that depend on the papers\47 machines and programs, %d are within 10 %% of what is printed; of the %d beyond,\n", numbers, near, beyond
			printf "%d are of <code>%s</code>, whose tables time programs that the paper does not print.\n", worst, paper
			printf "So trust the order of strategies and the shape of curves, not seconds.</p>\n"
		}' "$out/ledger"
	printf '<pre><code>dls-paper ledger\n\n%s</code></pre>\n' \
		"$(awk '/^libdls/ { next } /^(wlr93|rips|aroma|repart) / && $2 != "numbers" { next } { print }' "$out/ledger" | escape)"
	rm "$out/ledger"
	if [ "$report" ]; then
		mkdir "$out/report"
		cp "$report"/*.html "$report"/*.svg "$report"/*.csv "$out/report"
		echo '<p><a href="report/report.html">All tables and figures</a>, as <code>dls-paper report</code> wrote them.</p>'
	else
		echo '<p class="note"><code>make report site</code> adds all tables and figures to this site, in some minutes.</p>'
	fi
	picture fig6.svg 'Speedup by processors' 'dls-paper wlr93-fig6 --seed 1-5 --plot fig6.svg' 'Figure 6 of Willebeek-LeMair and Reeves 1993.'
	picture table2.svg 'Tree walking' 'dls-paper rips-table2 --plot table2.svg' 'Table II of Shu and Wu 1996.'
	picture aroma.svg 'On one to five nodes' 'dls-paper aroma-table1 --plot aroma.svg' 'Table 1 of Nishikawa and Steenkiste 1993.'
	picture fig52.svg 'Datasets and time' 'dls-paper repart-fig52 --plot fig52.svg' 'Figure 5.2 of Banicescu and Carino 2005.'
	echo '<h2>Experiments</h2>'
	echo '<div class="wide"><table>'
	dls-paper list | escape | sed -nE 's/^([a-z0-9-]+)  +(.*)/<tr><td><code>\1<\/code><\/td><td>\2<\/td><\/tr>/p'
	echo '</table></div>'
}

manual
page index.html 'libdls: schedule parallel loops' '' <"$here/start.html"
for one in gallery:Gallery reports:Reports exercises:Exercises papers:Papers; do
	"${one%:*}" >"$out/body"
	page "${one%:*}.html" "libdls: ${one#*:}" '' <"$out/body"
	rm "$out/body"
done
