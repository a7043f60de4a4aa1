#!/bin/sh
# analyze.sh - static analysis of sched/ and lib/: gcc -fanalyzer, clang-tidy with clang's analyzer, cppcheck.
#
#	test/analyze.sh FOLDER [FILE]...	keeps the tools' full reports in FOLDER; without FILE all sources
#
# Prints the findings that test/analyze.list does not have, and lines of that list which match none.
# Exit status: 0 none, 1 some, 3 something needed is not installed.
export LC_ALL=C
out=$1
shift
all=
if [ $# -eq 0 ]; then
	all=y
	# lib/mpi needs an MPI's headers.
	# shellcheck disable=SC2046 # names without blanks
	set -- $(ls sched/*.c sched/*/*.c lib/*/*.c | grep -v '^lib/mpi/')
fi
command -v gcc >/dev/null || { echo 'analyze: gcc is not installed (package gcc)' >&2; exit 3; }
command -v clang-tidy >/dev/null || { echo 'analyze: clang-tidy is not installed (package clang-tidy)' >&2; exit 3; }
command -v cppcheck >/dev/null || { echo 'analyze: cppcheck is not installed (package cppcheck)' >&2; exit 3; }
mkdir -p "$out" || exit 3

flags='-I. -Iinclude -std=c11 -D_POSIX_C_SOURCE=200809L'
# Left out: what flags the style of the whole source, not a fault in a line of it.
checks='-*,clang-analyzer-*,bugprone-*,performance-*,misc-misplaced-const,misc-redundant-expression'
checks="$checks,cert-env33-c,cert-err34-c,cert-fio38-c,cert-sig30-c"
# memcpy_s(), which glibc lacks; strlcpy(), likewise; memchr() in a set of characters
checks="$checks,-clang-analyzer-security.insecureAPI.DeprecatedOrUnsafeBufferHandling"
checks="$checks,-clang-analyzer-security.insecureAPI.strcpy,-bugprone-not-null-terminated-result"
checks="$checks,-bugprone-easily-swappable-parameters,-bugprone-implicit-widening-of-multiplication-result"
checks="$checks,-bugprone-narrowing-conversions,-bugprone-reserved-identifier"	# uint64_t to double; dls__name
checks="$checks,-bugprone-assignment-in-if-condition,-bugprone-macro-parentheses"
# Lines of the cache kept apart on purpose; a const cast by uintptr_t; powers of ten; arrays of pointers; `if (strcmp())`
checks="$checks,-clang-analyzer-optin.performance.Padding,-performance-no-int-to-ptr"
checks="$checks,-clang-analyzer-security.FloatLoopCounter,-bugprone-sizeof-expression,-bugprone-suspicious-string-compare"

# Two at a time; each file's report in a file of its own.
printf '%s\n' "$@" | xargs -P 2 -I {} sh -c 'report=$0/$(echo {} | tr / -)
	gcc '"$flags"' -O1 -fanalyzer -c -o /dev/null {} >"$report.gcc" 2>&1
	clang-tidy --quiet --checks="$1" {} -- '"$flags"' >"$report.tidy" 2>&1' "$out" "$checks"
# shellcheck disable=SC2086 # flags
cppcheck -q -j 2 --std=c11 --enable=warning,portability --suppress=missingIncludeSystem -I. -Iinclude \
	-D__x86_64__ -D__GNUC__=12 -D_POSIX_C_SOURCE=200809L --template='{file}:{line}:{column}: {severity}: {message} [{id}]' \
	"$@" >"$out/cppcheck" 2>&1

# FILE CHECK, sorted; the place and the text go to the full list.
for file; do
	cat "$out/$(echo "$file" | tr / -).gcc" "$out/$(echo "$file" | tr / -).tidy"
done | cat - "$out/cppcheck" | grep -E '^[^ ]+:[0-9]+:[0-9]+: (warning|error|portability): ' | sed "s|^$PWD/||" | sort -u >"$out/findings"
key='s/^([^ :]*):.*\[-?W?([^]]*)\]$/\1 \2/'
grep -v '^#' test/analyze.list | cut -d ' ' -f 1,2 | sort -u >"$out/accepted"
sed -E "$key" "$out/findings" | sort -u >"$out/found"
comm -23 "$out/found" "$out/accepted" | while read -r file check; do
	grep "^$file:.*$check\]\$" "$out/findings"
done >"$out/new"
cat "$out/new"
[ -z "$all" ] || comm -13 "$out/found" "$out/accepted" | sed 's/$/: test\/analyze.list has it, and no tool finds it/' | tee -a "$out/new"
[ ! -s "$out/new" ] || exit 1
echo "analyze: $# files by gcc -fanalyzer, clang-tidy and cppcheck, $(wc -l <"$out/accepted" | tr -d ' ') accepted findings"
