#!/bin/sh
# languages.sh - the examples of dls_languages(7) are compiled where their language is installed, and print what the page says
# under several schedules.  Fails if: an example names a function, or a type of an argument, that the library does not have.
#
# An example is a literal display that begins with a comment of its file's name; the display after a line that ends with "prints"
# is what it prints.
#
# runs: once
. test/sh.sh
plain_builds_only
glibc_builds_only
export LD_LIBRARY_PATH="$PWD/$build"
here=$PWD
awk -v work="$work/" '
	/^\.Ed/ { file = "" }
	begins && /^(#|\/\/) [a-z]+\.[a-z]+$/ { file = last = work $2 }
	begins && prints { file = last ".prints"; prints = 0 }
	/[Ii]t prints$|import it prints$/ { prints = 1 }
	{ begins = /^\.Bd -literal/ }
	file { gsub(/\\&/, ""); gsub(/\\e/, "\\"); print > file }' man/dls_languages.7
[ "$(ls "$work"/*.prints | wc -l)" -eq 4 ] || bail 'not all examples are found'
cd "$work" || exit 1

runs() {	# text, file, command: it prints what the page says
	text=$1 file=$2
	shift 2
	for schedule in static ss gss steal fac2; do
		DLS_SCHEDULE=$schedule "$@" >out 2>"$log" && cmp "$file.prints" out >>"$log" 2>&1
		point $? "$text under $schedule"
	done
}

if need python3 python3 Python; then
	runs Python blocks.py python3 blocks.py
	# The body's exception arrives, and the loop has ended.
	sed 's/^    sums\[i\] = .*/    sums[i] = 1 \/\/ (i - 100)/' blocks.py >fails.py
	! python3 fails.py >"$log" 2>&1 && grep -q '^ZeroDivisionError' "$log"
	point $? 'Python: an exception in the body'
fi
if need cython3 cython3 Cython && need python3-config python3-dev Cython && need gcc gcc Cython; then
	cython3 rows.pyx -o rows.c >"$log" 2>&1 &&
		gcc -O2 -Wall -Werror -fopenmp -shared -fPIC -I"$here/include" $(python3-config --includes) rows.c \
			-L"$here/$build" -ldls -o rows.so >>"$log" 2>&1
	point $? 'Cython: compiled without a warning'
	runs Cython rows.pyx python3 -c 'import rows'
fi
if command -v julia >/dev/null; then
	runs Julia primes.jl julia --threads=4 primes.jl
else
	skip Julia 'julia is not installed (Debian 12 has no package of it)'
fi
if need rustc rustc Rust; then
	succeeds 'Rust: compiled without a warning' rustc -O -D warnings -L "$here/$build" primes.rs -o primes
	runs Rust primes.rs ./primes
	sed 's/if k > 1/if k == 500 { panic!("at 500") } else if k > 1/' primes.rs >fails.rs
	rustc -O -L "$here/$build" fails.rs -o fails >"$log" 2>&1 && ! ./fails >"$log" 2>&1 && grep -q 'at 500' "$log"
	point $? 'Rust: a panic in the body'
fi
finish
