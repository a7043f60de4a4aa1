#!/bin/sh
# options.sh - the command line that all tools share: --help and the manual page have the same options, --version says the
# library's, and what is no option is refused in the same words.
#
# Fails if: an option is missing in --help or in the manual, its help is lost, an option without a value is taken for one with
# a value or the reverse, -h is another option, the page is not named, a tool does not end with 2 where it is used wrongly,
# or with 1 where what it prints is lost; or if a command line of the manual or of README has an option that there is not.
#
# runs: check, machines, texts
export LC_ALL=C
. test/sh.sh
version=$(sed -n 's/^#define DLS_VERSION "\(.*\)"/\1/p' include/dls.h)
refused() {	# tool, what is said, options
	tool=$1 said=$2
	shift 2
	"$bin/$tool" "$@" >"$work/out" 2>"$work/err"
	same "$tool $*" "2 $tool: $said; see $tool --help" "$? $(cat "$work/out" "$work/err")"
}

for tool in dls-advise dls-chunks dls-loops dls-overhead dls-paper dls-run dls-sim; do
	"$bin/$tool" --help >"$work/help" 2>"$work/err"
	status=$?
	if [ ! -e "$bin/$tool" ]; then
		skip "$tool" 'it is not built'
		continue
	fi
	if [ $status -eq 3 ]; then
		skip "$tool" "$(cat "$work/err")"
		continue
	fi
	sed -nE 's/^  (--?[a-z]+)( [^ ]+)?  +[^ ].*/\1/p' "$work/help" | sort >"$work/shown"
	sed -nE '/^\.It Fl /{ s/Fl (Fl |-)/--/g; s/Fl ([a-z])/-\1/g; p; }' "man/$tool.1" | grep -oE -e '--?[a-z]+' |
		sort >"$work/described"
	[ $status -eq 0 ] && [ -s "$work/shown" ] && diff "$work/shown" "$work/described" >"$log"
	point $? "$tool: --help and the manual have the same options"
	# As far as a quotation mark, a pipe or the like; not what stands in quotation marks.
	sed -nE "s/'[^']*'?//g; s/.*(\\$ |\\.Dl |\`|; )$tool ([^|;&\`>]*).*/\\2/p" man/* README.md CONTRIBUTING.md |
		grep -oE -e '(^| )--?[a-z][a-z-]*' | tr -d ' ' | sort -u >"$work/used"
	comm -13 "$work/shown" "$work/used" >"$log"
	[ -s "$work/used" ] && [ ! -s "$log" ]
	point $? "$tool: the manual and README use no other option"
	: >"$log"
	"$bin/$tool" -h 2>&1 | cmp -s - "$work/help" && grep -qx "More: man $tool" "$work/help"
	point $? "$tool -h is --help, which names the page"
	same "$tool --version" "0 $tool $version" "$("$bin/$tool" --version >"$work/out"; echo "$? $(cat "$work/out")")"
	if [ -w /dev/full ]; then
		same "$tool on a full disk" "1 $tool: standard output is not whole: No space left on device" \
			"$("$bin/$tool" --help 2>"$work/err" >/dev/full; echo "$? $(cat "$work/err")")"
	fi
	refused $tool '--nosuch: no such option' --nosuch
	refused $tool '-x: no such option' -x
	refused $tool '--csv=3: takes no value' --csv=3
	case $tool in
	dls-paper) option=--seeds ;;
	dls-sim) option=--strategy ;;
	dls-advise) option=-t ;;
	dls-run) option=--schedule ;;
	*) option=-s ;;
	esac
	refused $tool "$option: needs a value" $option
done
refused dls-chunks '"more": no arguments are accepted, only options' -n 5 more
finish
