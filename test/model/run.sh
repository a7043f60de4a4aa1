#!/bin/sh
# run.sh - search the models through with Spin: no error in them, and one wherever it is planted.
#
#	test/model/run.sh [build directory]
#
# Each name BUG_* in a model plants an error that the search must find; each STUCK_*, a way never to end.
set -u

if ! command -v spin >/dev/null; then
	echo 'spin is not installed (package spin)' >&2
	exit 3
fi
models=$(cd "$(dirname "$0")" && pwd) || exit 1
mkdir -p "${1:-build/model}" && cd "${1:-build/model}" || exit 1

n=0
failed=0

# search MODEL TITLE ERRORS MACRO safety|liveness
#
# A planted error is found before the compiler's optimisation has paid.
search()
{
	if [ "$5" = safety ]; then
		flags=-DSAFETY how=
	else
		flags='-DNFAIR=3' how='-a -f'
	fi
	rm -f pan pan.* ./*.trail
	# shellcheck disable=SC2086 # several words
	{
		spin -a "-D$4" "$models/$1.pml" &&
			${CC:-cc} "-O$((1 - $3))" -w -DCOLLAPSE $flags -o pan pan.c && ./pan -m20000 $how
	} >log 2>&1
	n=$((n + 1))
	if grep -q "errors: $3$" log && ! grep -q 'max search depth\|out of memory' log &&
	   case $3 in
	   0) ! grep -q 'not completed' log ;;
	   *) grep -q '^pan:1: \(assertion violated\|invalid end state\|acceptance cycle\)' log ;;
	   esac
	then
		echo "ok $n - $2"
	else
		echo "not ok $n - $2"
		sed -n 's/^/# /; 1,20p' log
		failed=1
	fi
}

macros()
{
	tr -cs 'A-Z0-9_' '\n' <"$models/$1.pml" | grep "^$2_" | sort -u
}

for path in "$models"/*.pml; do
	model=$(basename "$path" .pml)
	search "$model" "$model" 0 CLEAN safety
	for bug in $(macros "$model" BUG); do
		search "$model" "$model finds $bug" 1 "$bug" safety
	done
	for bug in $(macros "$model" STUCK); do
		search "$model" "$model finds $bug" 1 "$bug" liveness
	done
done
echo "1..$n"
exit $failed
