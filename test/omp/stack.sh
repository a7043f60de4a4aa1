#!/bin/sh
# stack.sh - what libdls-omp.so adds to the use of a worker's stack, which OMP_STACKSIZE may make small.
#
# Fails if: a program whose loops leave 2 kB of a stack unused without the library crashes or goes wrong with
# it, under schedules, auto, reports, a trace, with regions in regions; or one whose stacks are as small as
# the system allows does not run.
#
# Programs are linked with -z now, since the loader, where it looks up a function at its first call, uses more
# than that itself.
#
# runs: once
. test/omp.sh
under_dls_run
export OMP_NUM_THREADS=3
ulimit -c 0
runs='1 2'

# Whether the program is right with so much of its stacks used, in several runs: which thread does what
# differs.
right() {	# bytes, [nested]; $with: how it is run; $runs: how often
	for run in $runs; do
		# shellcheck disable=SC2086 # words
		[ "$(eval "exec $with \"\$work/program\" $*" 2>"$log")" = '0 wrong' ] || return
	done
}

# The most that it can do without, to 128 bytes.  By chance two runs that use a little more are right, hardly ten.
most() {	# [nested]
	with= low=0 high=32000 runs='1 2 3 4 5 6 7 8 9 10'
	while [ $((high - low)) -gt 128 ]; do
		middle=$(((low + high) / 2))
		if right $middle "$@" 2>/dev/null; then low=$middle; else high=$middle; fi
	done
	echo $low
}

# With 2 kB more.
each() {	# text, what the program may use, [nested]
	text=$1 bytes=$(($2 - 2048))
	shift 2
	for options in '--schedule fac2' '--schedule auto' '--schedule region:tss --advise' '--schedule steal --unordered --report $work/r.html' \
		'--report $work/r.json --trace $work/t.json'; do
		with="\"\$dls_run\" $options --"
		right $bytes "$@"
		point $? "$text: $(echo "$options" | sed 's/ .work.[rt]\.[a-z]*//g')"
	done
}
for compiler in gcc clang; do
	need_openmp $compiler || continue
	$compiler -O1 -g -fopenmp -Wl,-z,now test/omp/stack.c -o "$work/program" 2>"$log" || bail "$compiler cannot compile"
	export OMP_STACKSIZE=32k
	each "$compiler" "$(most 2>/dev/null)"
	each "$compiler, nested" "$(most nested 2>/dev/null)" nested
	export OMP_STACKSIZE=16k
	with=
	right 0 2>/dev/null || continue
	for options in '--schedule fac2' '--report $work/r.html'; do
		with="\"\$dls_run\" $options --"
		right 0
		point $? "$compiler: OMP_STACKSIZE=16k: ${options% ?work*}"
	done
done
finish
