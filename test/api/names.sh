#!/bin/sh
# names.sh - the headers in programs that define what programs define, all at once, before the headers or after them: every capital
# letter, SIZE and others as a number, MAX and others as macros with arguments, bool as a type.  Fails if: a header, or what a macro
# expands to, has such a name.
#
# runs: once
. test/sh.sh
plain_builds_only
numbers='A B C D E F G H I J K L M N O P Q R S T U V W X Y Z
	SIZE LEN LENGTH COUNT DIM NDIM NDIMS PI TWO_PI EPS EPSILON TOL TRUE FALSE YES NO OK NX NY NZ NI NJ NK N1 N2 IMAX JMAX KMAX
	NB BS BLOCK BLOCKSIZE BLOCK_SIZE TILE CHUNK CHUNKSIZE CHUNK_SIZE STEP STEPS NSTEPS ITER ITERS NITER ITERATIONS MAXITER
	LINE NAME VERSION ERROR ERR FAIL SUCCESS DEBUG VERBOSE TRACE INFO LOG WARN PRINT THREADS NTHREADS NUM_THREADS NPROCS
	RANK MASTER ROOT WORKER WORKERS BEGIN END FIRST LAST LEFT RIGHT UP DOWN LO HI LOW HIGH INDEX OFFSET STRIDE ROW ROWS COL
	COLS COLUMNS WIDTH HEIGHT DEPTH GRID CELL CELLS POINT POINTS NODE NODES EDGE TASK TASKS LOOP TEAM SITE NET LOAD CLASS
	TYPE KIND VALUE KEY DATA BUF BUFSIZE BUFFER MSG TAG READ WRITE INPUT OUTPUT STATIC DYNAMIC GUIDED AUTO SCHEDULE NOWAIT
	REAL DOUBLE FLOAT INT INTEGER BOOL BYTE WORD LONG COMPLEX VECTOR MATRIX ALPHA BETA GAMMA DELTA SIGMA OMEGA MU DT DX DY
	DZ TIME TMAX SEED RAND RANDOM EMPTY NONE NIL UNUSED UNKNOWN INLINE RESTRICT ALIGN ALIGNED PACKED CACHE_LINE INF'
attributes='aligned cold noinline unused weak'	# of gcc, whose names between underscores no program defines
calls='MAX MIN SWAP MOD DIV POW DIST IDX ELEM ASSERT CHECK CAT CONCAT STR'
for name in $numbers $attributes; do echo "#define $name 1000"; done >"$work/names.h"
for name in $calls; do echo "#define $name(a, b) ((a) < (b) ? (a) : (b))"; done >>"$work/names.h"
for name in ABS SQR SQUARE CEIL FLOOR ROUND SIGN FREE MALLOC NEW DELETE; do echo "#define $name(a) (a)"; done >>"$work/names.h"

cat >>"$work/names.h" <<'END'
#ifndef __cplusplus	/* libstdc++ has these names itself */
#define noreturn _Noreturn
#define max(a, b) ((a) < (b) ? (b) : (a))
#define min(a, b) ((a) < (b) ? (a) : (b))
#define swap(a, b) do { int c = a; a = b; b = c; } while (0)
#ifdef DLS_USER_AFTER
#undef bool
#undef false
#undef true
typedef enum { false, true } bool;
#endif
#endif
END

# Each header and each macro with arguments is in the program.
(cd include && printf '#include <%s>\n' dls.h dls.hpp dls/*.h dls/mpi.hpp) | grep -vxFf test/user/names.c >"$log"
sed -nE 's/^#define (DLS(_[A-Z0-9]+)+)\(.*/\1/p' include/dls.h include/dls/*.h | while read -r macro; do
	grep -q "	$macro(" test/user/names.c || echo "$macro"
done >>"$log"
holds 'each header and macro is in test/user/names.c' [ ! -s "$log" ]

# mpi.h's own classes in C++, which no header of libdls uses, have members BOOL and FLOAT.
check() {	# before or after, compiler, flags
	where=$1
	shift
	[ "$where" = after ] || set -- "$@" -include names.h
	"$@" $([ "$where" = before ] || echo -DDLS_USER_AFTER) -DOMPI_SKIP_MPICXX -DMPICH_SKIP_MPICXX -Iinclude -I"$work" \
		-fsyntax-only test/user/names.c >"$work/said" 2>&1
	status=$?
	head -20 "$work/said" >"$log"
	point $status "names $where the headers: $*"
}
cc=${CC:-cc}
check before $cc -std=c11
check after $cc -std=c11
need_openmp clang 'clang -std=c11' && check before clang -std=c11 -fopenmp
need_openmp g++ 'g++ -std=c++20' && check after g++ -std=c++20 -fopenmp -x c++
need_openmp clang++ 'clang++ -std=c++20' && check before clang++ -std=c++20 -fopenmp -x c++
need g++ g++ 'g++ -std=c++11' && check before g++ -std=c++11 -x c++
need g++ g++ 'g++ -std=c++17' && check before g++ -std=c++17 -x c++
for mpi in openmpi mpich; do
	need mpicc.$mpi lib$mpi-dev "mpicc.$mpi" && check before mpicc.$mpi -std=c11 -fopenmp -DDLS_USER_MPI
done
need mpicxx.openmpi libopenmpi-dev mpicxx.openmpi &&
	check before mpicxx.openmpi -std=c++17 -fopenmp -DDLS_USER_MPI -x c++
if need gfortran gfortran 'gfortran, names on its command line'; then
	gfortran $(for name in $numbers; do echo "-D$name=1000"; done) -J "$work" -fsyntax-only include/dls.F90 >"$log" 2>&1
	point $? 'gfortran, names on its command line'
fi
finish
