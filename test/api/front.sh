#!/bin/sh
# front.sh - dls runs the tools beside it and opens their pages.
#
# Fails if: a tool that is there is not listed, with the first line of its page; dls TOOL is not dls-TOOL,
# its status included; arguments behind the tool are taken for those of dls; a tool is not found from
# another folder, by PATH or through a link; a mistyped tool does not name the nearest; or dls help opens
# another page than that of the source tree or of the prefix.
#
# runs: check
export LC_ALL=C
. test/sh.sh
top=$PWD
here=$(cd "$bin" && pwd)
tool=$bin/dls

"$tool" >"$work/list" 2>"$log"
same 'dls alone lists, and ends with 0' 0 $?
for page in man/dls-*.1; do
	name=${page#man/dls-}
	name=${name%.1}
	[ ! -x "$bin/dls-$name" ] || printf '  %-13s %s\n' "$name" "$(sed -n 's/^\.Nd //p' "$page")"
done | sort >"$work/wanted"
sed -n '/^  [a-z]/p' "$work/list" | grep -v '^  help' | sort | diff "$work/wanted" - >"$log"
point $? 'dls lists the tools that are there, each with the first line of its page'
: >"$log"
"$tool" --help | cmp -s - "$work/list" && "$tool" help | cmp -s - "$work/list"
point $? 'dls --help and dls help are the same'

"$bin/dls-chunks" -n 50 -s gss --csv >"$work/wanted"
"$tool" chunks -n 50 -s gss --csv | cmp - "$work/wanted" >"$log"
point $? 'dls chunks is dls-chunks'
same 'dls chunks --version' "$("$bin/dls-chunks" --version)" "$("$tool" chunks --version)"
"$tool" chunks --nosuch >"$work/out" 2>"$work/err"
same 'its messages and its status' "2 dls-chunks" "$? $(cut -d: -f1 "$work/err")"
(cd "$work" && PATH=$here:$PATH dls chunks -n 50 -s gss --csv) 2>"$log" | cmp - "$work/wanted" >>"$log"
point $? 'found by PATH, from another folder'
ln -s "$here/dls" "$work/dls"
(cd / && "$work/dls" chunks -n 50 -s gss --csv) 2>"$log" | cmp - "$work/wanted" >>"$log"
point $? 'found through a link'

wrong() {	# what was typed, what is said
	"$tool" "$1" >"$work/out" 2>"$work/err"
	same "dls $1" "2 dls: $2" "$? $(cat "$work/out" "$work/err")"
}
wrong chunsk "unknown tool 'chunsk': did you mean chunks?"
wrong hlep "unknown tool 'hlep': did you mean help?"
wrong zzz "unknown tool 'zzz'; see dls --help"
mkdir "$work/alone" && cp "$bin/dls" "$work/alone"
"$work/alone/dls" chunks 2>"$work/err"
same 'a tool that is not there' \
	"3 dls: dls-chunks is not in \"$(cd "$work/alone" && pwd -P)\", where this tool is" "$? $(cat "$work/err")"

# A man that says what it is asked for.
mkdir "$work/bin" "$work/prefix" "$work/prefix/bin"
printf '#!/bin/sh\necho "$@"\n' >"$work/bin/man" && chmod +x "$work/bin/man"
PATH=$work/bin:$PATH
cp "$bin/dls" "$bin/dls-chunks" "$work/prefix/bin"
opens() { "$1" help chunks 2>&1 | sed "s,^-l .*/\\.\\./,-l ,"; }
same 'help: nowhere beside it, as man finds it' '1 dls-chunks' "$(opens "$work/prefix/bin/dls")"
mkdir -p "$work/prefix/share/man/man1" && cp man/dls-chunks.1 "$work/prefix/share/man/man1"
same 'help: that of the prefix' '-l share/man/man1/dls-chunks.1' "$(opens "$work/prefix/bin/dls")"
if [ "$here" = "$top/$build/bin" ]; then
	same 'help: that of the source' '-l man/dls-chunks.1' "$(opens "$tool")"
else
	skip 'help: that of the source' 'the tools are not built in the tree'
fi
finish
