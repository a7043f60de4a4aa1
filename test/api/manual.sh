#!/bin/sh
# manual.sh - the examples of the manual: each compiles without a warning, runs, exits with 0, and prints what its page
# says.
#
# An example is a literal display of man/ that begins with #include, or one in Fortran with program or module; the display after
# a line "It prints" is what it prints.  What includes dls.hpp is C++.  CC, CFLAGS, CXX, CXXFLAGS and SAN are those of make.
# KEEP names a folder for the programs, each with what it prints (test/kept/keep.sh).
#
# runs: machines, once
. test/sh.sh
more="${SAN:+-fsanitize=$SAN} -Wall -Wextra -Werror -Iinclude"
cc="${CC:-cc} ${CFLAGS-} $more" cxx="${CXX:-g++} ${CXXFLAGS-} -std=c++17 -x c++ $more"

for page in man/*; do
	case $page in man/dls_mpi.?) continue ;; esac	# whose examples make check-mpi compiles
	awk -v stem="$work/${page##*/}" '
		/^\.Ed/ { file = "" }
		begins && /^#include/ { file = source = stem "-" ++k ".c" }
		begins && /^(program|module) / { file = source = stem "-" ++k ".f90" }
		begins && prints { file = source ".prints"; prints = 0 }
		/^It prints:?$/ { prints = k }
		{ begins = /^\.Bd -literal/ }
		file { gsub(/\\&/, ""); gsub(/\\e/, "\\"); print > file }' "$page"
done
set -- "$work"/*.c "$work"/*.f90
[ -f "$1" ] || bail 'no example found'

# Without OpenMP, loops have one worker and the examples hold all the same.
openmp=${OPENMP--fopenmp}

[ "$openmp" ] || { echo '# without OpenMP'; cc="$cc -Wno-unknown-pragmas" cxx="$cxx -Wno-unknown-pragmas"; }
# The shared library is linked the quickest; a sanitizer's program has the static one.
[ "${SAN-}" ] || export LIBRARY_PATH="$build" LD_LIBRARY_PATH="$build${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" lib=-ldls
compile() {
	case $1 in
	*.f90)
		[ -e "$work/dls.o" ] ||
			gfortran -O0 -Wall -Wextra -Werror $openmp -J "$work" -c include/dls.F90 -o "$work/dls.o" || return
		gfortran -O0 -Wall -Wextra -Werror $openmp -J "$work" -I"$work" "$1" "$work/dls.o" "$lib" -lm -lpthread -o "$work/program" ;;
	*) $compiler $openmp "$1" -x none "$lib" -lm -pthread -o "$work/program" ;;
	esac
}
for source; do
	name=${source##*/}
	case $source in
	*.f90)
		[ -z "${SAN-}" ] || { skip "$name" 'plain builds only'; continue; }
		need gfortran gfortran "$name" || continue ;;
	*)
		compiler=$cc
		if grep -q '<dls\.hpp>' "$source"; then
			need "${CXX:-g++}" g++ "${name%.c}" || continue
			compiler=$cxx
		elif ! grep -q 'main(' "$source"; then	# a plug-in
			succeeds "${name%.*}" $cc -shared -fPIC "$source" -o "$work/plugin.so"
			continue
		fi ;;
	esac
	compile "$source" >"$log" 2>&1 && "$work/program" >"$log" 2>&1 &&
		{ [ ! -f "$source.prints" ] || cmp "$source.prints" "$log" >>"$log" 2>&1; }
	point $? "${name%.*}"
	[ -z "${KEEP-}" ] || { cp "$work/program" "$KEEP/${name%.*}" && cp "$log" "$KEEP/${name%.*}.prints"; }
done
finish
