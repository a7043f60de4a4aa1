#!/bin/sh
# site.sh - make site: the pages and what is between them.
#
# Fails if: a link or an anchor leads nowhere, or out of the site; a page of the manual is missing; a picture is without its command, or the
# command does not make it; in a browser, at 400 or 1400 pixels, in light or dark, a picture is not shown, a page is wider than the
# window, or an error comes to the console; the search does not find a function, or not
# a page by its name, and an option, a variable or a schedule where it is defined, first; or two runs make different bytes.
#
# runs: once
export LC_ALL=C
. test/sh.sh
. test/browser.sh
plain_builds_only
[ -x "$bin/dls-sim" ] || skip_all 'there is no dls-sim'
need mandoc mandoc 'the site' || finish
bench/site/site.sh "$bin" "$work/site" >"$work/out" 2>"$log"
point $? 'it is made'
for page in man/*; do
	[ -s "$work/site/manual/${page##*/}.html" ] || echo "no ${page##*/}.html"
done >"$log"
holds 'all pages of the manual' [ ! -s "$log" ]
# dls-paper takes half the time; paper.sh has that it makes the same bytes.
mkdir "$work/bin" && ln -s "$(realpath "$build/man")" "$work/man" && ln -s "$(realpath "$bin")"/* "$work/bin" && rm "$work/bin/dls-paper" && cat >"$work/bin/dls-paper" <<END
#!/bin/sh
case \$* in
*--plot*) while [ \$# -gt 1 ]; do shift; done; cp "$work/site/pictures/\$1" . ;;
*) exec "$(realpath "$bin")/dls-paper" "\$@" ;;
esac
END
chmod +x "$work/bin/dls-paper"
bench/site/site.sh "$work/bin" "$work/again" >"$work/out" 2>&1 && diff -r "$work/site" "$work/again" >"$log" 2>&1
point $? 'the same bytes again'

need python3 python3 'links' || finish
cat >"$work/links.py" <<'END'
import html.parser, os, re, sys, urllib.parse

class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.anchors, self.links = set(), []

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name == "id":
                self.anchors.add(value)
            elif name in ("href", "src"):
                self.links.append(value)

root, pages, links = sys.argv[1], {}, 0
for folder, _, files in os.walk(root):
    for name in files:
        if name.endswith(".html"):
            page = pages[os.path.normpath(os.path.join(folder, name))] = Page()
            page.feed(open(os.path.join(folder, name), encoding="utf-8").read())
for path, page in pages.items():
    for link in page.links:
        url, links = urllib.parse.urlsplit(link), links + 1
        to = os.path.normpath(os.path.join(os.path.dirname(path), urllib.parse.unquote(url.path))) if url.path else path
        if url.scheme or url.netloc:
            print(path, "leads out of the site:", link)
        elif not os.path.exists(to):
            print(path, "leads nowhere:", link)
        elif url.fragment and to in pages and urllib.parse.unquote(url.fragment) not in pages[to].anchors:
            print(path, "has no such anchor:", link)
for place in re.findall(r'"(manual/[^"]*)#([^"]*)"', open(root + "/index.js", encoding="utf-8").read()):
    if place[1] not in pages[os.path.normpath(root + "/" + place[0])].anchors:
        print("the search leads nowhere:", place)
if links < 2000:
    print("only", links, "links")
for name in "gallery", "papers":
    text = open(root + "/" + name + ".html", encoding="utf-8").read()
    found = re.findall(r'<img src="pictures/([^"]*)".*?<pre class="run"><code>(.*?)</code>', text, re.S)
    if len(found) < 4:
        print("pictures of", name, len(found))
    for picture, command in found:
        if not command.endswith(" " + picture) or not command.startswith("dls-"):
            print(picture, "is not made by", command)
END
python3 "$work/links.py" "$work/site" >"$log" 2>&1
holds 'links, anchors, the search, and pictures with their commands' [ ! -s "$log" ]

pages=$(cd "$work/site" && ls ./*.html live/*.html manual/index.html manual/dls.7.html manual/dls_for.3.html manual/dls-sim.1.html manual/dls_chunk.7.html |
	sed 's|^\./||')
search='index.html#search='
words='dls_vp_charge nowait gss --verify DLS_SCHEDULE chunk'
# shellcheck disable=SC2086 # words
in_frames "$work/site" "$pages $(printf "$search%s " $words)" "shown.querySelector('#found a')?.getAttribute('href')"
found() { sed -n "\|^$search$1 |{s///p;q}" "$work/shown"; }
same 'the search finds a function' manual/dls_vp.3.html#NAME "$(found dls_vp_charge)"
same 'the search finds what is defined where it is' \
	'dls_for.3 dls_chunk.7 dls-advise.1 dls.7 dls_chunk.7' \
	"$(for word in ${words#* }; do found $word; done | sed 's|manual/||; s/\.html.*//' | xargs)"
finish
