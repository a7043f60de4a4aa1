#!/bin/sh
# interface.sh - compare the names that users write and the fields that their programs read with the accepted ones,
# lib/libdls.names; with the argument accept, renew that file.  (The functions and types of C are test/abi.sh's.)
#
# lib/libdls.names has one on each line: macros, the synopses of C++ and Fortran, what dls.F90 and libdls-mpi declare, schedules,
# strategies, their parameters, nets, variables of the environment, options of tools; the columns of reports, dls-chunks, dls-loops,
# dls-overhead and dls-sim; the keys of reports and traces.  What stands there stays until version 2: accept adds what is new, and
# refuses if a line is gone.
#
# Prints each difference.  Exit status: 0 none, 1 some, 3 a tool was not built.
# CC and B (the build folder) are those of make; its test sets INTERFACE_FILE and INTERFACE_WORK.
export LC_ALL=C
B=${B:-build}
accepted=${INTERFACE_FILE:-lib/libdls.names} work=${INTERFACE_WORK:-$B/interface}
tools='dls-advise dls-chunks dls-loops dls-overhead dls-paper dls-run dls-sim dls-study'
mkdir -p "$work" || exit
unset $(env | sed -n 's/^\(DLS_[A-Z_]*\)=.*/\1/p')
for tool in $tools; do
	"$B/bin/$tool" --help >"$work/help" 2>&1 && continue
	echo "interface: $B/bin/$tool is not there, or not whole: it takes OpenMP (gcc has it), dls-advise libjansson-dev" >&2
	exit 3
done

# A manual page's synopsis, one declaration a line, without functions that the header has not.
synopsis() {	# page, header
	sed -n '/^\.Sh SYNOPSIS/,/^\.Sh DESCRIPTION/p' "man/$1" | grep -v '^\.' |
		sed 's/[[:blank:]]*\/\*.*//; s/^[[:blank:]]*//; s/[[:blank:]]*&$//; /^[{};]*$/d; /^namespace/d' |
		awk -v header="$2" '
			BEGIN { while ((getline line <("include/" header)) > 0) text = text " " line }
			match($0, /[a-z_0-9]+\(/) && text !~ "[^a-z_0-9]" substr($0, RSTART, RLENGTH - 1) "[^a-z_0-9]" { next }
			{ print header ": " $0 }'
}
keys() {	# format, file
	grep -o '"[A-Za-z_]*":' "$2" | sort -u | sed "s/\"\(.*\)\":/key of $1: \1/"
}
columns() {	# format
	sed "1s/^/$1: columns /; q"
}

interface() {
	sed -nE 's/^#define (DLS_[A-Z0-9]+(_[A-Z0-9]+)*)(\([^)]*\))?([[:blank:]].*)?$/macro \1\3/p' \
		include/dls.h include/dls/*.h | grep -vE '_H$'
	synopsis dls_cpp.3 'dls.hpp'
	synopsis dls_fortran.3 'dls.F90'
	tr '\n' ' ' <include/dls/mpi.h | grep -o 'DLS_API dls_mpi[^;]*;\|DLS_API [^;(]*dls_mpi[^;]*;' | sed 's/[[:blank:]]\{1,\}/ /g; s/^DLS_API //'
	for module in dls.F90 dls/mpi.F90; do
		sed -nE 's/^  public :: //p' "include/$module" | sed 's/, */\n/g' | sed "s|^|$module: public |"
	done
	sed -n '/^\.Sh ENVIRONMENT/,/^\.Sh [^E]/s/^\.It Ev \([A-Z_]*\).*/variable \1/p' man/dls*.[17]
	${CC:-cc} -std=c11 -Iinclude -o "$work/names" test/interface.c -L"$B" -ldls && LD_LIBRARY_PATH="$B" "$work/names" || return
	for tool in $tools; do
		"$B/bin/$tool" --help=all | sed -nE "s/^ {2,6}(-[a-z], )?--([a-z-]+)(\[=[a-z]+\])?.*/option of $tool: \1--\2/p" | grep -vE -- '--(help|version)$'
	done
	"$B/bin/dls-chunks" -s gss -n 9 --csv | columns 'dls-chunks --csv'
	"$B/bin/dls-sim" --strategy rid -p 2 --csv --series "$work/series" --spans "$work/spans" | columns 'dls-sim --csv'
	columns 'dls-sim --series' <"$work/series"
	columns 'dls-sim --spans' <"$work/spans"
	"$B/bin/dls-overhead" -t 1 -s static --csv --runs 1 | columns 'dls-overhead --csv'
	"$B/bin/dls-loops" triangle --runs 1 -t 1 -s static --csv | columns 'dls-loops --csv'
	printf '#include "dls.h"\nint main(void) { DLS_PARALLEL_FOR(i, 0, 9) ; return 0; }\n' >"$work/loop.c"
	${CC:-cc} -std=c11 -w -Iinclude -o "$work/loop" "$work/loop.c" -L"$B" -ldls || return
	for format in csv json; do
		LD_LIBRARY_PATH="$B" DLS_SCHEDULE=gss DLS_REPORT="$work/report.$format" "$work/loop"
	done
	columns 'report.csv' <"$work/report.csv"
	keys 'report.json' "$work/report.json"
	# A report has some keys only of loops under auto, or of unmodified programs.
	grep -ohE 'write_[a-z]+\(f, "[a-z_]+"' lib/report/*.c | sed 's/.*"\(.*\)"/key of report.json: \1/'
	LD_LIBRARY_PATH="$B" DLS_TRACE="$work/trace.json" "$work/loop"
	keys 'trace' "$work/trace.json"
}

# Columns may be added at the end.
differences() {
	awk '
		NR == FNR { old[$0]; next }
		$0 in old { delete old[$0]; next }
		{ for (line in old) if (line ~ /: columns / && index($0, line ",") == 1) delete old[line]; print "new, not in the list: " $0 }
		END { for (line in old) print "gone or changed: " line }' "$accepted" "$work/found"
}

interface >"$work/unsorted" || exit 1
sort -u "$work/unsorted" >"$work/found"
if [ "${1-}" = accept ]; then
	! differences | grep '^gone' || exit 1
	cp "$work/found" "$accepted" && echo "interface: $accepted holds $(wc -l <"$work/found") names"
	exit
fi
differences | sort >"$work/differences"
if [ -s "$work/differences" ]; then
	cat "$work/differences"
	echo "interface: it differs from $accepted; make abi-accept accepts what is there"
	exit 1
fi
echo "interface: $(wc -l <"$work/found") names are those of $accepted"
