#!/bin/sh
# advised.sh - what dls-run's advice says can be followed: test/omp/advised.c, some thirty shapes of regions,
# under gcc and clang.
#
# Fails if: an entry of DLS_SCHEDULE that advice may name, or names, is for no loop, is not used, or changes
# an answer; a loop whose body knows its thread's number, has thread-local variables, or whose region has more
# than it, may get an entry; one that nobody knows to allow it gets a schedule that starts iterations out of
# order; a static loop is not dealt although its source has schedule(runtime); or an entry that cannot be used
# is not told of.
. test/omp.sh
under_dls_run

build() {	# name, compiler, flags
	name=$1 compiler=$2
	shift 2
	"$compiler" -g -fopenmp -w "$@" test/omp/advised.c -o "$work/$name" 2>"$log" || bail "$compiler cannot compile test/omp/advised.c"
}

# Whether all programs of a binary ran and are right, without a word on standard error.
right() {	# text, binary, options of dls-run
	text=$1 binary=$2
	shift 2
	timeout 300 "$dls_run" "$@" "$work/$binary" >"$work/out" 2>"$log"
	status=$?
	grep -v ': right$' "$work/out" >>"$log"
	[ $status -eq 0 ] && [ "$(wc -l <"$work/out")" -gt 27 ] && [ ! -s "$log" ]
	point $? "$text"
	[ $status -eq 0 ] || echo "# exit status $status"
}

# "PROGRAM LOOP REACH": what another schedule for each loop needs, by a report in JSON.
reaches() {
	sed -n 's/^ {"site": "\([^"]*\)", "function": "\([^"]*\)".*/\2 \1/p; s/^  "reach": "*\([a-z]*\)"*,.*/\1/p' "$1" | paste -d' ' - -
}

# Of programs those of which a loop may have an entry, or none may.
with_entry() { for program; do ! grep -qE "^$program .* (entry|alone|unordered)$" "$work/reaches" || echo "$program"; done | paste -sd' ' -; }
without() { for program; do grep -qE "^$program .* (entry|alone|unordered)$" "$work/reaches" || echo "$program"; done | paste -sd' ' -; }

# What the texts name: a loop that may have an entry, and out of order only one that allows it.
consistent() {	# text, files
	text=$1
	shift
	grep -ho "DLS_SCHEDULE='[^']*'" "$@" | sed "s/.*='//; s/'$//" | tr ';' '\n' | sed 's/^ *//' | sort -u >"$work/named"
	while read -r entry; do
		case $entry in *:steal* | *:frac* | *:nonmonotonic*) allowed=unordered ;; *) allowed='(entry|alone|unordered)' ;; esac
		grep -qE " ${entry%:*} $allowed$" "$work/reaches" || echo "$entry"
	done <"$work/named" >"$log"
	holds "$text: $(wc -l <"$work/named") entries in the texts" [ ! -s "$log" ]
}

all() {	# binary
	"$dls_run" --advise --report "$work/r.json" "$work/$1" >"$work/out" 2>"$work/advice"
	same "$1: measured" '' "$(grep -v ': right$' "$work/out")"
	reaches "$work/r.json" >"$work/reaches"
	"$dls_run" --report stderr "$work/$1" >"$work/out" 2>"$work/text"
	"$dls_run" --report "$work/r.html" "$work/$1" >"$work/out" 2>"$log"
	sed "s/&#39;/'/g; s/&apos;/'/g" "$work/r.html" >"$work/page"
	consistent "$1" "$work/advice" "$work/r.json" "$work/text" "$work/page"
	entries=$(sed -nE 's/^[^ ]* ([^ ]*) (entry|alone|unordered)$/\1:fac2/p' "$work/reaches")
	right "$1: under $(echo "$entries" | wc -l) entries" "$1" --schedule "$(echo "$entries" | paste -sd';' -)" --report "$work/f.csv"
	same '... which are all used' '' "$(for entry in $entries; do
		grep -q "^\"${entry%:fac2}\",\"[^\"]*fac2\"" "$work/f.csv" || echo "$entry"; done | paste -sd' ' -)"
	same "$1: no entry where the region or the body is more than a loop" '' "$(with_entry alone fused barrier single master by_critical \
		counts_threads sections tasks ordered number_before number_inside number_behind number_elsewhere by_hand \
		thread_private private_combined orphan changes)"
	same "$1: entries for loops that a runtime deals" '' "$(without chain dynamic rising monotonic runtime any_order)"
}

# An entry that cannot be used is told of, and the answer stays.
refused() {	# text, binary, program, entry, message
	"$dls_run" --schedule "$4" "$work/$2" "$3" >"$work/out" 2>"$log"
	[ "$(cat "$work/out")" = "$3: right" ] && grep -qF "$5" "$log"
	point $? "$2: $1"
}

# What a report says of loops that need a change of their source holds once that is made.
changed() {	# binary
	right "$1: with schedule(runtime)" "$1" --schedule fac2 --report "$work/f.csv"
	grep '","fac2","fac2","' "$work/f.csv" | grep -c ',all,' >"$work/out"
	holds "... $(cat "$work/out") loops are dealt" [ "$(cat "$work/out")" -gt 25 ]
}

if need_openmp gcc; then
	# gcc makes one function of loops with the same body, whose names are then those of one of them.
	build gcc gcc -O2 -fno-ipa-icf -DLOCALS
	all gcc
	same 'gcc: the loop that allows any order' 'any_order' "$(sed -n 's/ .* unordered$//p' "$work/reaches")"
	refused 'an entry, and the number is asked for before the loop' gcc number_before number_before:fac2 'not one static loop alone'
	build gcc-changed gcc -O1 '-DS=schedule(runtime)' -DLOCALS
	changed gcc-changed
fi
if need_openmp clang; then
	build clang clang -O1
	all clang
	same 'clang: entries for static loops that are alone' '' "$(without combined last_value empty_first)"
	line=$(awk '/^static long fused/ { in_it = 1 } in_it && /omp for/ && ++n == 2 { print NR; exit }' test/omp/advised.c)
	refused 'an entry for one loop of a region' clang fused "advised.c:$line:fac2" \
		"advised.c:$line: a static loop is dealt only as the whole of its region"
	build clang-locals clang -O2 -DLOCALS
	"$dls_run" --report "$work/r.json" "$work/clang-locals" >"$work/out" 2>"$log"
	reaches "$work/r.json" >"$work/reaches"
	same 'clang: thread-local variables' '' "$(with_entry thread_private private_combined combined)"
fi
finish
