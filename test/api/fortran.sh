#!/bin/sh
# fortran.sh - dls.F90 by gfortran and flang: no warning of gfortran; test/user's Fortran programs run right under several schedules and
# numbers of threads; reductions have the bits of the C library's; what is wrong ends the program with one line.  Fails if:
# dls.F90 and dls/fortran.h do not agree, or as the programs say.
#
# runs: machines, once
. test/sh.sh
plain_builds_only
unset OMP_NUM_THREADS
export OMP_WAIT_POLICY="${OMP_WAIT_POLICY-passive}"
seen=

# dls.F90 repeats numbers of the header.
for word in LOOP LAUNCH REGION; do
	header=$(sed -n "s/.*DLS__FORTRAN_$word = \([0-9]*\).*/\1/p" include/dls/fortran.h)
	same "${word}_WORDS" "$header" "$(sed -n "s/.* ${word}_WORDS = \([0-9]*\).*/\1/p" include/dls.F90)"
done
printf '#include <dls.h>\n_Static_assert(sizeof(struct dls__shared) == 2 * sizeof(intptr_t), "two words");\n' |
	${CC:-cc} -Iinclude -fsyntax-only -x c - >"$log" 2>&1
point $? 'struct dls__shared is two words'

# The bits of the sum in results.f90.
cat >"$work/sum.c" <<'END'
#include <dls.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
int main(void)
{
	double total = 0.5;
	uint64_t bits;

	DLS_REDUCE(+, double, total, i, 1, 10001)
		total += 1 / (double)i;
	memcpy(&bits, &total, sizeof(bits));
	printf("%016" PRIX64 "\n", bits);
	return 0;
}
END
${CC:-cc} -Iinclude -w "$work/sum.c" "$lib" -lm -pthread -o "$work/sum" >"$log" 2>&1 || bail 'no C program'
bits=$("$work/sum")

# Each misuse is a subroutine of one program, which aborts with a message, whatever else the Fortran runtime
# prints; loop/fortran.c has those of which dls.F90 tells the library nothing but numbers.
misuses=0
misuse() {	# message, declarations and statements
	misuses=$((misuses + 1))
	echo "$1" >>"$work/messages"
	echo "if (n == $misuses) call misuse$misuses" >>"$work/calls"
	printf 'subroutine misuse%s\nuse dls\ntype(dls_region) :: region\ntype(dls_loop) :: loop\ninteger :: lo, hi\n%s\nend subroutine\n' \
		$misuses "$2" >>"$work/misuse.f90"
}
misuse 'has the name "", of 0 characters' "call dls_for_begin(loop, '  ', 1, 9)"
misuse 'operator "min" does not reduce this type' "complex, target :: x
call dls_for_begin(loop, 'rows', 1, 9, reduce=dls_into('min', x))"
misuse 'rows: no partial result was handed in' "real, target :: x
call dls_for_begin(loop, 'rows', 1, 9, reduce=dls_into('+', x))
do while (dls_for_next(loop, lo, hi)); end do"
misuse 'the loop "columns" begins while its dls_loop is in use' "call dls_for_begin(loop, 'rows', 1, 9)
if (dls_for_next(loop, lo, hi)) call dls_for_begin(loop, 'columns', 1, 9)"
misuse 'rows:0: this thread comes to a loop of' "integer :: n, omp_get_thread_num
!\$omp parallel private(loop, lo, hi, n)
n = 8
if (omp_get_thread_num() == 0) n = 9
call dls_for_begin(loop, 'rows', 1, n, schedule='ss')
do while (dls_for_next(loop, lo, hi)); end do
!\$omp end parallel"
misuse 'must be firstprivate' "call dls_region_open(region)
!\$omp parallel
call dls_region_enter(region)
!\$omp end parallel"
misuse 'must be private in the parallel region' "!\$omp parallel private(lo, hi)
call dls_for_begin(loop, 'rows', 1, 9)
!\$omp barrier
do while (dls_for_next(loop, lo, hi)); end do
!\$omp end parallel"
printf 'program main\ncharacter(2) :: text\ninteger :: n\ncall get_command_argument(1, text)\nread (text, *) n\n%s\nend program\n' \
	"$(cat "$work/calls")" >>"$work/misuse.f90"

build() {	# program, its source, more flags
	"$fc" $flags $3 "$2" "$work/dls.o" "$lib" -lm -lpthread -o "$work/$1" >"$log" 2>&1
}
programs() {
	for openmp in '' -fopenmp; do
		flags="$openmp ${FFLAGS-} ${LDFLAGS-} ${openmp:+-O2} $into $work"
		strict=
		[ $fc != gfortran ] || strict='-std=f2018 -Wall -Wextra -pedantic -Werror -Wno-compare-reals -Wno-function-elimination'
		succeeds "$fc $openmp dls.F90" "$fc" $flags $strict -c include/dls.F90 -o "$work/dls.o"
		for program in loops results; do
			build $program test/user/$program.f90 "$strict"
			point $? "$fc $openmp $program.f90"
			[ "$openmp" ] && threads='1 2 5' || threads=1
			[ $program = loops ] && site= || site=harmonic:
			for schedule in auto static fac2 steal rid ss; do
				for n_threads in $threads; do
					DLS_SCHEDULE=$site$schedule OMP_NUM_THREADS=$n_threads "$work/$program" "$work/report.csv" 2>&1
				done
			done >"$log" 2>&1
			case $program in
			loops) [ ! -s "$log" ] ;;
			results) [ "$(sort -u "$log")" = "$bits" ] ;;
			esac
			point $? "$fc $openmp $program.f90: right"
		done
	done
	build misuse "$work/misuse.f90" -O0 || { point 1 "$fc: misuse"; return; }
	k=0
	while read -r message; do
		k=$((k + 1))
		! OMP_NUM_THREADS=2 "$work/misuse" $k >"$log" 2>&1 && grep -qF "$message" "$log"
		point $? "$fc: $message"
	done <"$work/messages"
}

for fc in gfortran flang-new flang flang-new-19; do
	command -v $fc >/dev/null || continue
	into=-J
	[ $fc = gfortran ] || into=-module-dir
	printf 'program none\n!$omp parallel\n!$omp end parallel\nend program\n' >"$work/none.f90"
	if ! $fc -fopenmp ${FFLAGS-} ${LDFLAGS-} "$work/none.f90" -o "$work/none" 2>"$log"; then
		skip "$fc" "$fc links no OpenMP program (package libomp-dev of its version)"
		continue
	fi
	programs
	seen=y
done
[ "$seen" ] || skip 'dls.F90' 'no Fortran compiler (package gfortran)'
finish
