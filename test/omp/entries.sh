#!/bin/sh
# entries.sh - libgomp's functions, called as all versions of gcc do, under libdls-omp.so: each iteration exactly once; and regions
# with many arguments and loops of all types and directions, as clang compiles them.
#
# Fails if: a function of a kind of loop takes another kind's place or arguments; an end that is not a multiple of the step, a loop
# downwards, of unsigned long long or without iterations is dealt wrongly; a loop without a region or a region of one thread is
# not, or a function that is only passed on changes anything; an argument of a region is lost, or 1100 end without a message; a step
# of any size, as one above half of what the type holds, loses or repeats an iteration, or a chunk is shorter than guided,k says or
# no multiple of the width that `simd:' passes; or auto begins a schedule(runtime) loop of 10^5 iterations with chunks of one although
# neither OMP_SCHEDULE nor the program asks for them, or with other chunks than these ask for.
#
# runs: check
. test/omp.sh
preloaded
export OMP_NUM_THREADS=3 OMP_CANCELLATION=true

seed=${DLS_SEED:-$(date +%s)}	# of test/omp/steps.c's first run; each other run has the next
echo "# DLS_SEED=$seed"

runs() {	# text, variables
	text=$1
	shift
	got=$(env "$@" LD_PRELOAD="$preload" "$work/program" $argument 2>"$log")
	same "$text" '0 wrong' "$got"
}

drawn() {	# as runs
	argument=$seed
	seed=$((seed + 1))
	runs "$@"
}

steps() {	# compiler
	"$1" -O0 -fopenmp test/omp/steps.c -o "$work/program" 2>"$log" || bail "$1 cannot compile test/omp/steps.c"
	drawn "$1: steps" A=
	drawn "$1: steps, measured" DLS_REPORT="$work/r.csv"
	drawn "$1: steps, measured, guided" DLS_REPORT="$work/r.csv" OMP_SCHEDULE=guided,2
	for like in static static,4 dynamic,4; do
		drawn "$1: steps, auto for $like" OMP_SCHEDULE=$like DLS_SCHEDULE=auto DLS_OMP=unordered
	done
	for schedule in ss tss steal rid; do
		drawn "$1: steps, $schedule" DLS_SCHEDULE=$schedule DLS_OMP=unordered
	done
	# Of an entry of its function: static loops, too.
	for schedule in fac2 steal; do
		drawn "$1: steps, $schedule, measured" DLS_SCHEDULE=main:$schedule DLS_OMP=unordered \
			DLS_REPORT="$work/r.csv"
	done
}

# A function for each number of arguments of the program: a region of which each of N variables is an argument.
many() {	# N ...
	awk 'BEGIN {
		print "#include <stdio.h>\n#include <stdlib.h>"
		for (k = 1; k < ARGC; k++) {
			n = ARGV[k]
			names = "a0"
			sum = "a0"
			for (i = 1; i < n; i++) {
				names = names ", a" i
				sum = sum " + a" i
			}
			print "static int of_" n "(long first)\n{\n\tlong " names ", wrong = 0;"
			for (i = 0; i < n; i++)
				print "\ta" i " = first + " i ";"
			print "#pragma omp parallel firstprivate(" names ") reduction(+ : wrong)"
			print "\twrong += " sum " != " n "l * (" n " + 1) / 2;\n\treturn wrong;\n}"
			calls = calls "\tcase " n ": wrong = of_" n "(1); break;\n"
		}
		print "int main(int argc, char **argv)\n{\n\tlong wrong = 1;\n\tswitch (argc > 1 ? atoi(argv[1]) : 0) {"
		print calls "\t}\n\tprintf(\"%ld wrong\\n\", wrong);\n\treturn wrong > 0;\n}"
	}' "$@" >"$work/many.c"
	clang -O0 -fopenmp "$work/many.c" -o "$work/program" 2>"$log" || bail 'clang cannot compile many arguments'
}
argument=
if need_openmp clang; then
	many 3 15 60 70 1100
	for argument in 3 15 60 70; do
		runs "$argument arguments" A=
		runs "$argument arguments, fac2" DLS_SCHEDULE=fac2
	done
	LD_PRELOAD=$preload "$work/program" 1100 >"$work/out" 2>"$log"
	[ $? -eq 127 ] && [ ! -s "$work/out" ] && grep -q '^libdls: a region has 110. arguments; up to' "$log"
	point $? 'too many arguments end the program with a message'
	argument=
	steps clang
fi

need_openmp gcc || finish
steps gcc
argument=
gcc -O0 -fopenmp test/omp/entries.c -o "$work/program" 2>"$log" || bail 'gcc cannot compile test/omp/entries.c'
runs 'unset' A=
runs 'measured' DLS_REPORT="$work/r.csv"
runs 'measured, guided' DLS_REPORT="$work/r.csv" OMP_SCHEDULE=guided,3
runs 'advised' DLS_OMP=advise
for schedule in fac2 steal static rid nonmonotonic:ss monotonic:steal; do
	runs "$schedule" DLS_SCHEDULE=$schedule
	runs "$schedule, unordered, measured" DLS_SCHEDULE=$schedule DLS_OMP=unordered DLS_REPORT="$work/r.csv"
done

# schedule(runtime), as a region, in one, and with unsigned long long indices.
cat >"$work/runtime.c" <<'END_C'
#include <omp.h>
static int a[100000];
int main(int argc, char **argv)
{
	int wrong = 0;
	(void)argv;
	if (argc > 1)
		omp_set_schedule(omp_sched_dynamic, 4);
#pragma omp parallel for schedule(runtime)
	for (int i = 0; i < 100000; i++)
		a[i]++;
#pragma omp parallel
	{
#pragma omp for schedule(runtime)
		for (int i = 0; i < 100000; i++)
			a[i]++;
#pragma omp for schedule(runtime)
		for (unsigned long long i = 0; i < 100000; i++)
			a[i]++;
	}
	for (int i = 0; i < 100000; i++)
		wrong += a[i] != 3;
	return wrong > 0;
}
END_C
gcc -O0 -fopenmp "$work/runtime.c" -o "$work/runtime" 2>"$log" || bail 'gcc cannot compile schedule(runtime)'
begins() {	# text, schedule, variables and program
	text=$1 wanted=$2
	shift 2
	env OMP_NUM_THREADS=2 DLS_SCHEDULE=auto DLS_REPORT="$work/runtime.json" LD_PRELOAD="$preload" "$@" 2>"$log"
	same "$text" '0: 3 loops' "$?: $(grep -c "\"ran\": \"$wanted\"" "$work/runtime.json") loops"
}
begins 'auto, runtime, nobody has asked' ss,64 "$work/runtime"
begins 'auto, runtime, OMP_SCHEDULE=dynamic' ss,1 OMP_SCHEDULE=dynamic "$work/runtime"
begins 'auto, runtime, OMP_SCHEDULE=guided' gss OMP_SCHEDULE=guided "$work/runtime"
begins 'auto, runtime, omp_set_schedule' ss,4 "$work/runtime" dynamic

# A runtime newer than the compiler's, of one thread, which has not all functions.
cat >"$work/newer.c" <<'END_C'
#include <stdarg.h>
#include <stdio.h>
static int level;
int omp_get_thread_num(void) { return 0; }
int omp_get_num_threads(void) { return 1; }
int omp_get_level(void) { return level; }
int omp_get_max_threads(void) { return 1; }
int omp_get_cancellation(void) { return 0; }
int __kmpc_masked(void *loc, int gtid, int filter) { (void)loc, (void)gtid; return filter == 0; }
void __kmpc_fork_call(void *loc, int n, void (*f)(int *, int *, void *), ...)
{
	int number = 0;
	va_list list;
	(void)loc, (void)n;
	va_start(list, f);
	level++;
	f(&number, &number, va_arg(list, void *));
	level--;
	va_end(list);
}
void __kmpc_fork_call_if(void *loc, int n, void (*f)(int *, int *, void *), int condition, void *arg)
{
	int number = 0;
	(void)loc, (void)n;
	if (condition)
		__kmpc_fork_call(loc, n, f, arg);
	else
		f(&number, &number, arg);
}
#ifdef ALL
int __kmpc_single(void *loc, int gtid) { (void)loc, (void)gtid; return 1; }
#endif
END_C
cat >"$work/calls.c" <<'END_C'
#include <stdio.h>
int omp_get_level(void), __kmpc_masked(void *, int, int), __kmpc_single(void *, int), omp_get_thread_num(void);
void __kmpc_fork_call_if(void *, int, void (*)(int *, int *, void *), int, void *);
static void region(int *gtid, int *btid, void *arg)
{
	(void)btid;
	if (__kmpc_masked(NULL, *gtid, 0) && !__kmpc_masked(NULL, *gtid, 1))
		printf("%s at level %d\n", (const char *)arg, omp_get_level());
}
int main(int argc, char **argv)
{
	(void)argv;
	__kmpc_fork_call_if(NULL, 1, region, 1, "true");
	__kmpc_fork_call_if(NULL, 1, region, 0, "false");
	__kmpc_fork_call_if(NULL, 2, region, 1, "of two");
	fflush(stdout);
	return omp_get_thread_num() || (argc > 1 && __kmpc_single(NULL, 0));
}
END_C
if gcc -shared -fPIC -w -DALL "$work/newer.c" -o "$work/libnewer.so" 2>"$log" &&
   gcc -w "$work/calls.c" -o "$work/program" -L"$work" -lnewer -Wl,-rpath,"$work" -Wl,-z,lazy 2>"$log" &&
   gcc -shared -fPIC -w "$work/newer.c" -o "$work/libnewer.so" 2>"$log"; then
	wanted='true at level 1
false at level 0
of two at level 1'
	same 'a newer runtime by itself' "$wanted" "$("$work/program" 2>"$log")"
	for variable in A= DLS_SCHEDULE=fac2 DLS_REPORT="$work/r.csv"; do
		same "a newer runtime, ${variable%%=*}" "$wanted" "$(env "$variable" LD_PRELOAD="$preload" "$work/program" 2>"$log")"
	done
	LD_PRELOAD=$preload "$work/program" single >"$work/out" 2>"$log"
	[ $? -eq 127 ] && grep -q 'the OpenMP runtime has not a function that the program calls' "$log"
	point $? 'a function that the runtime has not ends the program with a message'
else
	bail 'cannot compile the newer runtime'
fi
finish
