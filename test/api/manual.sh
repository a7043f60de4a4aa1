#!/bin/sh
# manual.sh - the examples of the manual: each compiles without a warning, runs, exits with 0, and prints what its page
# says.
#
# An example is a literal display of man/ that begins with #include; the display after a line "It prints" is what it
# prints.  CC, CFLAGS and SAN are those of make.
. test/sh.sh
cc="${CC:-cc} ${CFLAGS-} ${SAN:+-fsanitize=$SAN} -Wall -Wextra -Werror -Iinclude"

for page in man/*; do
	[ "$page" != man/dls_mpi.3 ] || continue	# whose example make check-mpi compiles
	awk -v stem="$work/${page##*/}" '
		/^\.Ed/ { file = "" }
		begins && /^#include/ { file = stem "-" ++k ".c" }
		begins && prints { file = stem "-" k ".c.prints"; prints = 0 }
		/^It prints:?$/ { prints = k }
		{ begins = /^\.Bd -literal/ }
		file { gsub(/\\&/, ""); gsub(/\\e/, "\\"); print > file }' "$page"
done
set -- "$work"/*.c
[ -f "$1" ] || bail 'no example found'

# Without OpenMP, loops have one worker and the examples hold all the same.
openmp=${OPENMP--fopenmp}

[ "$openmp" ] || { echo '# without OpenMP'; cc="$cc -Wno-unknown-pragmas"; }
for source; do
	name=${source##*/}
	$cc $openmp "$source" "$lib" -lm -pthread -o "$work/program" >"$log" 2>&1 && "$work/program" >"$log" 2>&1 &&
		{ [ ! -f "$source.prints" ] || cmp "$source.prints" "$log" >>"$log" 2>&1; }
	point $? "${name%.c}"
done
finish
