#!/bin/sh
# interface.sh - compare the names that users write and the fields that their programs read with the accepted ones,
# lib/libdls.names; with the argument accept, renew that file.  (The functions and types of C are test/abi.sh's.)
#
# lib/libdls.names has one on each line: macros, what dls.hpp, dls.F90 and libdls-mpi declare, schedules, strategies, their parameters,
# nets, variables of the environment, options of tools, columns of CSV, keys of JSON.  What stands there stays until version 2;
# what is new is added by make abi-accept.
#
# Prints each difference.  Exit status: 0 none, 1 some.
# CC and B (the build folder) are those of make; its test sets INTERFACE_FILE, INTERFACE_WORK and INTERFACE_FROM.
export LC_ALL=C
B=${B:-build} from=${INTERFACE_FROM:-.}
accepted=${INTERFACE_FILE:-lib/libdls.names} work=${INTERFACE_WORK:-$B/interface}
tools='dls-advise dls-chunks dls-loops dls-overhead dls-paper dls-run dls-sim dls-study'
mkdir -p "$work" || exit
unset $(env | sed -n 's/^\(DLS_[A-Z_]*\)=.*/\1/p')

# The text between two lines of a manual page's synopsis, one declaration a line.
synopsis() {	# page, what it declares
	sed -n '/^\.Sh SYNOPSIS/,/^\.Sh DESCRIPTION/p' "$from/man/$1" | grep -v '^\.' |
		sed 's/[[:blank:]]*\/\*.*//; s/^[[:blank:]]*//; s/[[:blank:]]*&$//; /^[{};]*$/d; /^namespace/d' | sed "s/^/$2: /"
}
keys() {	# format, file
	grep -o '"[A-Za-z_]*":' "$2" | sort -u | sed "s/\"\(.*\)\":/$1: key \1/"
}
columns() {	# format
	sed 1q | tr ',' '\n' | awk -v format="$1" '{ print format ": column", NR, $0 }'
}

interface() {
	sed -nE 's/^#define (DLS_[A-Z0-9]+(_[A-Z0-9]+)*)(\([^)]*\))?([[:blank:]].*)?$/macro \1\3/p' \
		"$from"/include/dls.h "$from"/include/dls/*.h | grep -vE '_H$'
	synopsis dls_cpp.3 'dls.hpp'
	synopsis dls_fortran.3 'dls.F90'
	tr '\n' ' ' <"$from/include/dls/mpi.h" | grep -o 'DLS_API dls_mpi[^;]*;\|DLS_API [^;(]*dls_mpi[^;]*;' | sed 's/[[:blank:]]\{1,\}/ /g; s/^DLS_API //'
	sed -nE 's/^  public :: (.*)/dls\/mpi.F90: \1/p' "$from/include/dls/mpi.F90"
	sed -n '/^\.Sh ENVIRONMENT/,/^\.Sh [^E]/s/^\.It Ev \([A-Z_]*\).*/variable \1/p' "$from"/man/dls*.[17]
	"${CC:-cc}" -std=c11 -I"$from/include" -o "$work/names" test/interface.c -L"$B" -ldls && LD_LIBRARY_PATH="$B" "$work/names"
	for tool in $tools; do
		"$B/bin/$tool" --help=all | sed -nE "s/^ {2,6}(-[a-z], )?--([a-z-]+)(\[=[a-z]+\])?.*/option of $tool: \1--\2/p" | grep -vE -- '--(help|version)$'
	done
	"$B/bin/dls-chunks" -s gss -n 9 --csv | columns 'dls-chunks --csv'
	"$B/bin/dls-sim" --strategy rid -p 2 --csv | columns 'dls-sim --csv'
	"$B/bin/dls-loops" triangle --runs 1 -t 1 -s static --csv | columns 'dls-loops --csv'
	printf '#include "dls.h"\nint main(void) { DLS_PARALLEL_FOR(i, 0, 9) ; return 0; }\n' >"$work/loop.c"
	"${CC:-cc}" -std=c11 -w -I"$from/include" -o "$work/loop" "$work/loop.c" -L"$B" -ldls || return
	for format in csv json; do
		LD_LIBRARY_PATH="$B" DLS_SCHEDULE=gss DLS_REPORT="$work/report.$format" "$work/loop"
	done
	columns 'report.csv' <"$work/report.csv"
	keys 'report.json' "$work/report.json"
	LD_LIBRARY_PATH="$B" DLS_TRACE="$work/trace.json" "$work/loop"
	keys 'trace' "$work/trace.json"
}

interface >"$work/unsorted" || exit 1
sort -u "$work/unsorted" >"$work/found"
if [ "${1-}" = accept ]; then
	cp "$work/found" "$accepted" && echo "interface: $accepted holds $(wc -l <"$accepted") names"
	exit
fi
diff "$accepted" "$work/found" | sed -n 's/^< /gone or changed: /p; s/^> /new, not in the list: /p' >"$work/differences"
if [ -s "$work/differences" ]; then
	cat "$work/differences"
	echo "interface: it differs from $accepted; make abi-accept accepts what is there"
	exit 1
fi
echo "interface: $(wc -l <"$accepted") names are those of $accepted"
