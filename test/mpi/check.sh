#!/bin/sh
# check.sh - libdls-mpi under mpirun, or smpirun: M is the build folder, MPI the implementation, mpicc the one that this belongs to,
# MPI_LIB the library's name.
. test/sh.sh
[ -n "${M-}" ] || skip_all 'run by make check-mpi'
export LD_LIBRARY_PATH="$M:$build${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
seed=${DLS_SEED:-$$}
echo "# DLS_SEED=$seed"
[ "$MPI" != mpicc ] || MPI=$(mpicc -show 2>/dev/null | grep -q mpich && echo mpich || echo openmpi)

case $MPI in
smpi)
	need smpirun libsimgrid-dev "loops across ranks" || finish
	cat >"$work/platform.xml" <<-END
		<?xml version='1.0'?>
		<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
		<platform version="4.1"><cluster id="c" prefix="n" suffix="" radical="0-127" speed="1Gf" bw="1.25GBps" lat="1us"
		core="8" loopback_bw="10GBps" loopback_lat="200ns"/></platform>
	END
	awk 'BEGIN { for (i = 0; i < 1024; i++) print "n" int(i / 8) }' >"$work/hosts" ;;
mpich | openmpi)
	need "mpirun.$MPI" "$([ "$MPI" = mpich ] && echo mpich || echo openmpi-bin)" 'loops across ranks' || finish ;;
*)
	bail "MPI=$MPI: accepted are openmpi, mpich and smpi" ;;
esac

# A container's root is as good as any user; there may be fewer processors than ranks.
launch() {	# ranks, program, arguments
	ranks=$1
	shift
	case $1 in
	*/*) program=$1 ;;
	*) program=$M/test/$1 ;;
	esac
	shift
	case $MPI in
	openmpi)
		OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_btl_vader_single_copy_mechanism=none \
			test/within.sh 300 mpirun.openmpi --oversubscribe -np "$ranks" "$program" "$@" ;;
	mpich)
		test/within.sh 300 mpirun.mpich -np "$ranks" "$program" "$@" ;;
	smpi)
		test/within.sh 300 smpirun --log=root.thres:warning --cfg=smpi/simulate-computation:no --cfg=smpi/iprobe:1e-6 \
			--cfg=smpi/test:1e-6 --cfg=smpi/grow-injected-times:no -platform "$work/platform.xml" \
			-hostfile "$work/hosts" -np "$ranks" "$program" "$@" ;;
	esac </dev/null >"$log" 2>&1
}

# RANKS: the most that are started, where that is set.
run() {
	[ "$1" -le "${RANKS:-$1}" ] || { skip "$*" "RANKS=$RANKS"; return; }
	launch "$@"
	point $? "$*"
}

# The manual's example, without a warning.
case $MPI in
smpi) ;;
*)
	example=$work/example
	awk '/^\.Ed/ { on = 0 } on { gsub(/\\&/, ""); gsub(/\\e/, "\\"); print }
		/^\.Bd -literal/ && !k++ { on = 1 }' man/dls_mpi.3 >"$example.c"
	"mpicc.$MPI" -Wall -Wextra -Werror -Iinclude -o "$example" "$example.c" \
		-L"$M" -l"$MPI_LIB" -L"$build" -ldls >"$log" 2>&1 &&
		launch 2 "$example" && grep -q '^14\.392727$' "$log"	# H_1000000
	point $? 'the example of dls_mpi(3)'
	# A first argument of DLS_MPI_FOR that is no loop is one error, in a sentence, and nothing else is said.
	put_loops() { printf '#include <dls/mpi.h>\nvoid loops(struct dls_mpi_loop *loop, struct dls_mpi *mpi, int number)\n{\n'; cat; echo '}'; }
	put_loops >"$work/right.c" <<-'END'
		struct dls_mpi_loop *const same = loop, *each[] = { loop };
		(void)mpi; (void)number;
		DLS_MPI_FOR(loop, i, 0, 9) DLS_MPI_FOR(same, k, i, 9) (void)k;
		DLS_MPI_FOR(number ? loop : each[0], i, 0, 9) (void)i;
	END
	put_loops >"$work/wrong.c" <<-'END'
		(void)loop;
		DLS_MPI_FOR(MPI_COMM_WORLD, i, 0, 9) (void)i;
		DLS_MPI_FOR(mpi, i, 0, 9) (void)i;
		DLS_MPI_FOR(number, i, 0, 9) (void)i;
		DLS_MPI_FOR(&loop, i, 0, 9) (void)i;
		DLS_MPI_FOR(*mpi, i, 0, 9) (void)i;
	END
	for compiler in gcc clang g++ clang++; do
		case $compiler in *++) wrapper=mpicxx language=c++ standard=c++11 ;; *) wrapper=mpicc language=c standard=c11 ;; esac
		need "$compiler" "${compiler%++}" "$compiler: what is no loop is refused in a sentence" || continue
		for file in right wrong; do
			OMPI_CC=$compiler MPICH_CC=$compiler OMPI_CXX=$compiler MPICH_CXX=$compiler "$wrapper.$MPI" -DOMPI_SKIP_MPICXX \
				-DMPICH_SKIP_MPICXX -std=$standard -x $language -Wall -Wextra -Wshadow -Wpedantic -fopenmp -Iinclude -c -fsyntax-only "$work/$file.c" 2>"$work/$file"
		done
		grep -E '(error|warning):' "$work/right" "$work/wrong" >"$log"
		[ ! -s "$work/right" ] && [ "$(wc -l <"$log")" -eq 5 ] &&
			[ "$(grep -c 'the first argument of DLS_MPI_FOR is a loop, .*, no communicator' "$log")" -eq 5 ]
		point $? "$compiler: what is no loop is refused in a sentence"
	done
	# Without the C++ bindings of MPI-2, which draw warnings.
	if need "${CXX:-g++}" "${CXX:-g++}" 'in C++'; then
		OMPI_CXX=${CXX:-g++} MPICH_CXX=${CXX:-g++} "mpicxx.$MPI" -DOMPI_SKIP_MPICXX -DMPICH_SKIP_MPICXX -std=c++17 -Wall -Wextra \
			-Werror -Iinclude test/user/ranks.cc \
			-o "$work/ranks.cpp" -L"$M" -l"$MPI_LIB" -L"$build" -ldls >"$log" 2>&1 && launch 3 "$work/ranks.cpp" &&
			grep -qx right "$log"
		point $? 'in C++'
	fi
	if need "mpif90.$MPI" "lib$MPI-dev" 'in Fortran'; then
		"mpif90.$MPI" -Wall -J"$work" include/dls/mpi.F90 test/user/ranks.f90 -o "$work/ranks.fortran" -L"$M" -l"$MPI_LIB" \
			-L"$build" -ldls >"$log" 2>&1 && launch 3 "$work/ranks.fortran" && grep -qx ' *right' "$log"
		point $? 'in Fortran'
	fi ;;
esac

if [ "$MPI" = smpi ]; then
	run 4 once auto 0 1 "$seed"
	run 4 once messages 0 1 "$seed"
	run 6 once auto 4 1 "$seed"
	run 4 learn auto slow
	run 4 learn messages slow
	run 8 held shared 0 block
	run 64 held auto 0 poke
	bench/mpi-scale/scale.sh "$M/mpi_scale" "$M:$build" check >"$log" 2>&1
	point $? '1024 ranks, at least 85 % efficient'
	grep '^# ranks' "$log"
	finish
fi

# Ranks, way, ranks of a node (uneven), workers.
while read -r line; do
	# shellcheck disable=SC2086 # several words
	set -- $line
	run "$1" once "$2" "$3" "$4" "$seed"
done <<END
1 auto 0 1
2 auto 0 1
3 shared 0 1
4 auto 2 1
5 auto 3 1
6 messages 4 1
7 auto 3 1
8 auto 3 1
3 messages 0 1
2 rma 0 1
5 rma 3 1
2 auto 0 2
2 messages 0 2
4 auto 2 2
END

run 3 held shared 0 block
run 3 held auto 1 block
run 3 held rma 0 poke
run 3 held messages 0 poke
run 3 held messages 0 block	# answered by the helper
run 3 held messages 2 block
run 1 learn auto
run 3 learn auto
run 3 learn messages
run 2 learn rma
run 1 idempotent
run 2 idempotent
run 4 idempotent
run 1 machines 2 "$seed"
run 2 machines 4 "$seed"
run 3 machines 2 "$seed"
run 4 machines 4 "$seed"
run 1 repart "$seed"
run 2 repart "$seed"
run 3 repart "$seed"
run 4 repart "$seed"
run 2 "$build/bin/dls-sim" --engine mpi --strategy 'rid; dem; rips' --processors 6 --tasks 20 --load spike --csv
# Its results are the serial ones: 5 rows for each kernel.
launch 2 dls-mpi-loops primes mandelbrot --runs 1 -s 'ss, awf-b, af' --csv && [ "$(grep -c '^[pm][a-z]*,2,' "$log")" -eq 10 ]
point $? '2 dls-mpi-loops'
launch 4 dls-mpi-loops triangle --runs 1 -s 'gss, ss' --outer fac2 --node-ranks 2 --csv &&
	[ "$(grep -c '^triangle,4,fac2 / [gs]s*,' "$log")" -eq 2 ]
point $? '4 dls-mpi-loops, two levels'
launch 2 dls-mpi-loops queens --runs 2 -s fac2 --way messages --drift 0 --csv && grep -q '^queens,2,fac2,.*,4,' "$log" &&
	grep -q 'queens: the machine was not quiet' "$log"
point $? '2 dls-mpi-loops, messages; rounds are thrown away'
! launch 2 dls-mpi-loops --way road && grep -q -e '--way "road": not auto, shared, rma or messages' "$log"
point $? 'refused: dls-mpi-loops --way road'
! launch 2 dls-mpi-loops nosuch && grep -q '"nosuch": no such kernel' "$log"
point $? 'refused: dls-mpi-loops nosuch'
run 1 nest 0
run 4 nest 2
run 5 nest 2
run 3 nest 1
run 4 nest 0
run 2 refused
run 3 refused
[ "$(grep -o 'libdls-mpi: dls_mpi_open: .*\(not been called yet\|called already\|MPI_COMM_NULL\)' "$log" | sort -u | wc -l)" -eq 3 ]
point $? 'outside of MPI, in words'
launch 2 refused late
grep -q 'late: ok' "$log"
point $? '2 refused late'

finish
