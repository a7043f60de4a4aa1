#!/bin/sh
# manual.sh - the examples of the manual: each compiles without a warning, runs, exits with 0, and prints what its page
# says.
#
# An example is a literal display of man/ that begins with #include; the display after a line "It prints" is what it
# prints.  CC, CFLAGS and SAN are those of make.
lib=${B:-build${SAN:+-$SAN}}/libdls.a
cc="${CC:-cc} ${CFLAGS-} ${SAN:+-fsanitize=$SAN} -Wall -Wextra -Werror -Iinclude"
unset DLS_SCHEDULE OMP_SCHEDULE DLS_STRICT DLS_DISPLAY_ENV DLS_REPORT DLS_TRACE DLS_TRACE_LIMIT DLS_PROGRESS

[ -f "$lib" ] || { echo "Bail out! no $lib: run make"; exit 1; }
dir=$(mktemp -d) || { echo 'Bail out! no temporary folder'; exit 1; }
trap 'rm -rf "$dir"' EXIT
trap 'exit 1' HUP INT TERM

for page in man/*; do
	awk -v stem="$dir/${page##*/}" '
		/^\.Ed/ { file = "" }
		begins && /^#include/ { file = stem "-" ++k ".c" }
		begins && prints { file = stem "-" k ".c.prints"; prints = 0 }
		/^It prints:?$/ { prints = k }
		{ begins = /^\.Bd -literal/ }
		file { gsub(/\\&/, ""); gsub(/\\e/, "\\"); print > file }' "$page"
done
set -- "$dir"/*.c
[ -f "$1" ] || { echo 'Bail out! no example found'; exit 1; }

# Without OpenMP, loops have one worker and the examples hold all the same.
openmp=${OPENMP--fopenmp}

echo "1..$#"
[ "$openmp" ] || echo '# without OpenMP'
n=0
for source; do
	n=$((n + 1))
	name=${source##*/}
	if $cc $openmp "$source" "$lib" -lm -pthread -o "$dir/program" >"$dir/log" 2>&1 &&
	   "$dir/program" >"$dir/log" 2>&1 &&
	   { [ ! -f "$source.prints" ] || cmp "$source.prints" "$dir/log" >>"$dir/log" 2>&1; }; then
		echo "ok $n - ${name%.c}"
	else
		echo "not ok $n - ${name%.c}: status $?"
		sed 's/^/# /' "$dir/log"
		failed=1
	fi
done
exit "${failed:-0}"
