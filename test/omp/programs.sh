#!/bin/sh
# programs.sh - Debian's programs as they are installed, under dls-run.
#
# Fails if: the output of a program differs from that of the program alone, or its exit status is not 0, when dls-run starts it
# with no schedule, under static, fac2, awf-b, auto or, where its output does not depend on the order of iterations, steal;
# the same, with libomp in libgomp's place, under fac2 or measured; or none of the programs had a loop in the report.
# PROGRAMS="par2 sumaclust" runs these alone.
#
# runs: once
. test/omp.sh
under_dls_run
case ${CC-} in clang*) skip_all 'the programs are those of the other build' ;; esac
input=$work/input
mkdir "$input"

# Sequences that are related: copies of one with drawn changes, more from copy to copy.
sequences() {	# number, length, rate of changes
	awk -v number="$1" -v length_="$2" -v rate="$3" 'BEGIN {
		srand(7)
		n = split("ACGT", letter, "")
		for (k = 1; k <= length_; k++)
			base[k] = letter[1 + int(n * rand())]
		for (i = 1; i <= number; i++) {
			s = ""
			for (k = 1; k <= length_; k++)
				s = s (rand() < rate * (i % 20 + 1) ? letter[1 + int(n * rand())] : base[k])
			print ">s" i "\n" s
		}
	}'
}
sequences 60 400 .002 >"$input/dna"
sequences 3000 100 .02 | grep -v '>' >"$input/data"

# Each runs in an empty folder, started by $run, and leaves what is compared in the file result.
run_fasttree() { $run fasttreeMP -quiet -nopr -nt "$input/dna" >result; }
run_sumaclust() { $run sumaclust -p 2 -t 0.9 "$input/dna" >result; }
run_par2() { cp "$input/data" . && $run par2 create -q -q -s4096 -r20 -t2 x.par2 data >out && cat ./*.par2 >result; }

into() {	# folder, program
	mkdir "$1"
	(cd "$1" && "run_$2" 2>>err)
}
under() {	# program, words of dls-run
	one=$1
	shift
	rm -rf "$work/run"
	run="$dls_run $*"
	into "$work/run" "$one" && cmp "$work/native/result" "$work/run/result" >"$log" 2>&1
	status=$?
	[ $status -eq 0 ] || tail -n 5 "$work/run/err" >>"$log"
	return $status
}

loops=0
program() {	# name, package, command, steal or ordered
	case " ${PROGRAMS-$1} " in *" $1 "*) ;; *) return ;; esac
	if ! command -v "$3" >"$log"; then
		skip "$1" "$3 is not installed (package $2)"
		return
	fi
	rm -rf "$work/native" "$work/again"
	run=''
	into "$work/native" "$1" || bail "$1 does not run: $(tail -n 1 "$work/native/err")"
	into "$work/again" "$1"
	if ! cmp -s "$work/native/result" "$work/again/result"; then
		skip "$1" 'its output differs from run to run without dls-run'
		return
	fi
	under "$1"
	point $? "$1, no schedule"
	for schedule in static fac2 awf-b auto steal; do
		# shellcheck disable=SC2086 # a word or none
		under "$1" $([ "$schedule $4" != 'steal steal' ] || echo --unordered) --schedule "$schedule"
		point $? "$1, $schedule"
	done
	under "$1" --report "$work/report.%p.csv"
	point $? "$1, measured"
	if [ "$libomp" ]; then
		export LD_LIBRARY_PATH="$work/libomp"
		under "$1" --schedule fac2
		point $? "$1, fac2 by libomp"
		under "$1" --report "$work/report.%p.csv"
		point $? "$1, measured by libomp"
		unset LD_LIBRARY_PATH
	fi
	found=$(cat "$work"/report.*.csv 2>/dev/null | cut -d, -f1 | grep -vx site | sort -u | wc -l)
	rm -f "$work"/report.*.csv
	loops=$((loops + found))
	echo "# $1: $found loops"
}

libomp=
for libomp in /usr/lib/llvm-*/lib/libomp.so.5 /usr/lib/*/libomp.so.5 ''; do
	[ -e "$libomp" ] && mkdir "$work/libomp" && ln -s "$libomp" "$work/libomp/libgomp.so.1" && break
done
program fasttree fasttree fasttreeMP steal
program sumaclust sumaclust sumaclust ordered
program par2 par2 par2 steal
if [ "$n" -gt 0 ] && [ -d "$work/native" ]; then
	holds "the reports name $loops loops" [ "$loops" -gt 0 ]
fi
finish
