#!/bin/sh
# completion.sh - what bash and zsh offer behind a tool's name: the options of its table, files where a value is one, a command and
# its arguments behind dls-run.  Fails if: an option of --help is not offered, or another one is; or a value of another kind.
#
# runs: texts
export LC_ALL=C
. test/sh.sh
native_builds_only
: >"$work/report.json"

# The words that bash offers for the last of a command line, sorted, on one line.
cat >"$work/offer" <<'END'
source bench/tool/completion.bash
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
COMPREPLY=()
_dls "$1" "${!#}" "${COMP_WORDS[COMP_CWORD - 1]}"
printf '%s\n' "${COMPREPLY[@]}" | sort -u | tr '\n' ' '
END
sed -i 's/^source.*/source <(sed "s,@TOOLS@,dls-chunks," bench\/tool\/completion.bash)/' "$work/offer"
offers() { bash "$work/offer" "$@" 2>"$log"; }

# Those of --help=all, likewise.
options() {	# tool
	"$1" --help=all | sed -nE 's/^  (-[a-z]), (--[a-z-]+).*/\1\n\2/p; s/^ {6}(--[a-z-]+).*/\1/p' |
		sort | tr '\n' ' '
}

need bash bash 'bash' || finish
for tool in dls dls-advise dls-chunks dls-loops dls-overhead dls-paper dls-run dls-sim dls-study; do
	if [ ! -x "$bin/$tool" ]; then
		skip "$tool" 'it is not built'
		continue
	fi
	"$bin/$tool" --help >/dev/null 2>&1
	if [ $? -eq 3 ]; then
		skip "$tool" 'it was built without OpenMP'
		continue
	fi
	same "bash: the options of $tool" "$(options "$bin/$tool")" \
		"$(offers "$bin/$tool" -)"
done
same 'bash: dls, the tools' 'chunks ' "$(offers "$bin/dls" chu)"
same 'bash: dls help, the tools' 'chunks ' "$(offers "$bin/dls" help chu)"
same 'bash: dls chunks, its options' '--help ' "$(offers "$bin/dls" chunks --he)"
same 'bash: those that begin so' '--help ' "$(offers "$bin/dls-chunks" --he)"
same 'bash: a file where the value is one' "$work/report.json " "$(offers "$bin/dls-run" --report "$work/rep")"
same 'bash: nothing where it is another' '    ' \
	"$(for option in -n --iterations --mu -p; do offers "$bin/dls-chunks" $option ''; done)"
same 'bash: a command behind dls-run' 'printf ' "$(offers "$bin/dls-run" --advise printf)"
if [ -x "$bin/dls-paper" ]; then
	same 'bash: experiments of dls-paper' 'rips-table1 ' "$(offers "$bin/dls-paper" rips-table1)"
fi
if need zsh zsh 'zsh: the options'; then
	# _arguments itself needs a terminal: what it is given is looked at.
	cat >"$work/offer.zsh" <<'END'
_arguments() { print -rl -- "$@"; }
words=("$1" -)
source =(sed 's/@TOOLS@/dls-chunks/' bench/tool/completion.zsh)
END
	same 'zsh: the options' "$(options "$bin/dls-chunks")" \
		"$(zsh "$work/offer.zsh" "$bin/dls-chunks" 2>"$log" | sed -nE 's/^(--?[a-z0-9-]+)\[.*/\1/p' | sort | tr '\n' ' ')"
fi
finish
