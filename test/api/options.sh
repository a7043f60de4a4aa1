#!/bin/sh
# options.sh - the command line that all tools share, tool by tool: --help=all and the manual page have the
# same options, those that several tools have mean the same in each, --version says the library's, and what
# is no option is refused in the same words.
#
# Fails if: an option is missing in --help=all or in the manual, its help is lost, an option without a value
# is taken for one with a value or the reverse, -h is another option, the page is not named, a tool does not
# end with 2 where it is used wrongly, or with 1 where what it prints is lost; if a command line of the
# manual or of README has an option that there is not; if --help does not fit in 24 lines of 80 columns; if
# a spelling of -t, -s, --seed or --runs is another option's or nobody's in one of the tools; if commas or
# semicolons do not separate a list; or if a mistyped option does not name the nearest.
#
# runs: check, machines, texts
export LC_ALL=C
. test/sh.sh
bench=bench/tool/options.c
version=$(sed -n 's/^#define DLS_VERSION "\(.*\)"/\1/p' include/dls.h)
ended() {	# tool, what it says, options
	tool=$1 said=$2
	shift 2
	"$bin/$tool" "$@" >"$work/out" 2>"$work/err"
	same "$tool $*" "2 $tool: $said" "$? $(cat "$work/out" "$work/err")"
}
refused() {	# the same, where --help is named
	said="$2; see $1 --help" tool=$1
	shift 2
	ended "$tool" "$said" "$@"
}

# Each mistyped by its first letter twice; a row for each that does not name the option.
mistyped() {
	sed -nE 's/^.{6}--([a-z-]+).*/\1/p' "$work/help" | while read -r name; do
		wrong=--${name%"${name#?}"}$name
		"$bin/$tool" "$wrong" >"$work/out" 2>"$work/err" </dev/null
		got="$? $(cat "$work/out" "$work/err")"
		[ "$got" = "2 $tool: unknown option '$wrong': did you mean --$name?" ] ||
			echo "$wrong: $(cat "$work/err")"
	done
}

# What the tools say of a bad value is the same for each spelling.
spelled() {	# tool, a bad value, arguments behind it, spellings
	tool=$1 value=$2 behind=$3 first=
	shift 3
	for spelling; do
		# shellcheck disable=SC2086 # several words
		"$bin/$tool" "$spelling" "$value" $behind >"$work/out" 2>"$work/err" </dev/null
		got="$? $(sed -n 's/^[^"]*//p' "$work/out" "$work/err" | tr -d '[]')"
		[ -n "$first" ] || first=$got
		case $got in "2 "*"\"$value\""*) ;; *) first="a refusal of \"$value\"" ;; esac
		same "$tool $spelling: as $1" "$first" "$got"
	done
}

while read -r tool option P schedule seed runs behind; do
	"$bin/$tool" --help=all >"$work/help" 2>"$work/err"
	status=$?
	if [ ! -e "$bin/$tool" ]; then
		skip "$tool" 'it is not built'
		continue
	fi
	if [ "$bench" -nt "$bin/$tool" ]; then	# make builds those of MPI where it is asked to
		skip "$tool" 'it is older than its source'
		continue
	fi
	if [ $status -eq 3 ]; then
		skip "$tool" "$(cat "$work/err")"
		continue
	fi
	sed -nE 's/^  (-[a-z]), (--[a-z-]+).* [^ ].*/\1\n\2/p; s/^ {6}(--[a-z-]+)( [^ ]+)?  +[^ ].*/\1/p' "$work/help" |
		sort >"$work/shown"
	sed -nE '/^\.It Fl /{ s/Fl (Fl |-)/--/g; s/Fl ([a-z])/-\1/g; p; }' "man/$tool.1" |
		grep -oE -e '--?[a-z]+(-[a-z]+)?' | sort -u >"$work/described"
	[ $status -eq 0 ] && [ -s "$work/shown" ] && diff "$work/shown" "$work/described" >"$log"
	point $? "$tool: --help=all and the manual have the same options"
	"$bin/$tool" --help >"$work/short"
	awk 'length($0) > 80 { print "more than 80 columns: " $0 } 
		END { if (NR > 24 || NR < 5) print NR " lines" }' "$work/short" >"$log"
	sed -nE 's/^.{6}(--[a-z-]+).*/\1/p' "$work/short" | grep -vxFf "$work/shown" >>"$log"
	holds "$tool --help: 24 lines of 80 columns, of --help=all" [ ! -s "$log" ]
	# As far as a quotation mark, a pipe or the like; not what stands in quotation marks.
	sed -nE "s/'[^']*'?//g; s/.*(\\$ |\\.Dl |\`|; )$tool ([^|;&\`>]*).*/\\2/p" man/* README.md CONTRIBUTING.md |
		grep -oE -e '(^| )--?[a-z][a-z-]*' | tr -d ' ' | sort -u >"$work/used"
	comm -13 "$work/shown" "$work/used" >"$log"
	[ $tool = dls ] || [ ! -s "$log" ]
	point $? "$tool: the manual and README use no other option"
	: >"$log"
	"$bin/$tool" -h 2>&1 | cmp -s - "$work/short" && grep -qx "More: man $tool" "$work/short"
	point $? "$tool -h is --help, which names the page"
	same "$tool --version" "0 $tool $version" "$("$bin/$tool" --version >"$work/out"; echo "$? $(cat "$work/out")")"
	if [ -w /dev/full ]; then
		same "$tool on a full disk" "1 $tool: standard output is not whole: No space left on device" \
			"$("$bin/$tool" --help 2>"$work/err" >/dev/full; echo "$? $(cat "$work/err")")"
	fi
	refused $tool "unknown option '--zzz'" --zzz
	refused $tool "unknown option '-x'" -x
	refused $tool '--version=3: takes no value' --version=3
	ended $tool '--help "some": not all' --help=some
	[ $option = - ] || refused $tool "$option: needs a value" $option
	mistyped >"$log"
	holds "$tool: mistyped options name the nearest" [ ! -s "$log" ]
	[ $P = - ] || spelled $tool 0 '' $(echo $P | tr , ' ')
	[ $schedule = - ] || spelled $tool nosuch "$behind" $(echo $schedule | tr , ' ')
	[ $seed = - ] || spelled $tool x "$behind" $(echo $seed | tr , ' ')
	[ $runs = - ] || spelled $tool 0 '' $(echo $runs | tr , ' ')
done <<END_OF_TOOLS
dls - - - - -
dls-advise -t -t,--threads,-p,--processors - - --runs,--rounds,--repeats
dls-chunks -s -p,--processors,-t,--threads -s,--schedule,--strategy --seed,--seeds -
dls-loops --schedule -t,--threads,-p,--processors -s,--schedule,--strategy - --runs,--rounds,--repeats
dls-overhead -s -t,--threads,-p,--processors -s,--schedule,--strategy - --runs,--rounds,--repeats
dls-paper --seed - - --seed,--seeds - wlr93-table4
dls-run --schedule - -s,--schedule,--strategy - - true
dls-sim --strategy -p,--processors,-t,--threads -s,--strategy,--schedule --seed,--seeds -
dls-study -s -p,--processors,-t,--threads -s,--schedule,--strategy --seed,--seeds -
dls-mpi-loops -s - -s,--schedule,--strategy - --runs,--rounds,--repeats
END_OF_TOOLS

refused dls-overhead '"more": no arguments are accepted, only options' -t 1 more
ended dls-chunks "unknown option '--shedule': did you mean --schedule?" --shedule gss
ended dls-chunks "unknown option '--stratgy': did you mean --schedule?" --stratgy gss
ended dls-chunks "option '--s' is one of several: --schedule, --sigma, --seed, --speeds, --steps" --s 3

alike() {	# tool, its other arguments, an option, its values
	tool=$1 others=$2 option=$3 first=
	shift 3
	for value; do
		# shellcheck disable=SC2086 # several words
		got=$("$bin/$tool" $others "$option" "$value" 2>&1; echo $?)
		got=$(echo "$got" | figures)
		[ -n "$first" ] || first=$got
		case $got in *,*0) ;; *) first='rows' ;; esac
		[ "$first" = "$got" ]
		point $? "$tool $option '$value': as $1"
	done
}
alike dls-chunks '-n 60 --csv' -s 'gss,8;fac2' 'gss,8,fac2' 'gss,8 fac2'
alike dls-chunks '-n 60 --csv -s static --times const' --speeds 1:2:1 1,2,1 '1;2;1'
alike dls-chunks '-n 60 --csv -s wf' --weights 1:2:1 1,2,1 '1;2;1'
if [ -x "$bin/dls-sim" ]; then
	alike dls-sim '--csv -p 4 --tasks 2' -s 'rid,u=0.9;dem' 'rid,u=0.9,dem' 'rid,u=0.9;  dem'
	alike dls-sim '--csv -p 4 --tasks 2' --speeds 1:2:1 1,2,1 '1;2;1'
	alike dls-sim '--csv --tasks 2' --sweep 'tasks=1:2:1;processors=2:4:*2' 'tasks=1:2:1, processors=2:4:*2'
fi
if "$bin/dls-overhead" --help >/dev/null 2>&1; then
	for list in '1,2,0' '1;2;0' '1, 2; 0'; do
		ended dls-overhead '-t "0": not a whole number from 1 to 1024' -t "$list"
	done
fi
finish
