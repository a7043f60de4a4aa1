#!/bin/sh
# cmake.sh - four CMake programs, built outside the tree against an installation that was moved: without OpenMP, with OpenMP in
# C and C++, in Fortran, and with machines by both libraries; versions and components are checked.  Fails if: the package's
# paths depend on where it was installed, dls-run does not find libdls-omp.so there, a component brings other flags than its
# compilers need, or a wrong version is taken.
. test/sh.sh
plain_builds_only
glibc_builds_only
command -v cmake >/dev/null || skip_all 'cmake is not installed (package cmake)'
. test/package/shared/installed.sh
case ${CC:-gcc} in *clang*) export CXX=clang++ ;; esac	# one OpenMP runtime for both
install_and_move
version=$(sed -n 's/^#define DLS_VERSION "\(.*\)"/\1/p' include/dls.h)
export OMP_NUM_THREADS=2 CMAKE_PREFIX_PATH="$moved" CMAKE_BUILD_PARALLEL_LEVEL=2

program() {	# folder, its programs, the text
	cp -r test/package/cmake/"$1" "$work/$1" && cmake -S "$work/$1" -B "$work/$1/a build" >"$log" 2>&1 &&
		cmake --build "$work/$1/a build" >>"$log" 2>&1
	point $? "$3: built"
	for name in $2; do
		same "$3: $name" right "$("$work/$1/a build/$name" 2>&1)"
	done
}

# Whether cmake takes find_package(dls ...) in a project of languages.
asks() {	# languages, arguments
	mkdir -p "$work/ask" && rm -rf "$work/ask/b"
	printf 'cmake_minimum_required(VERSION 3.13)\nproject(ask %s)\nfind_package(dls %s)\n' "$1" "$2" >"$work/ask/CMakeLists.txt"
	cmake -S "$work/ask" -B "$work/ask/b" >"$log" 2>&1
}

takes() {	# languages, arguments
	asks "$@"
	point $? "find_package(dls $2) is served"
}

refuses() {	# languages, arguments, message
	! asks "$1" "$2" && tr -s '\n ' ' ' <"$log" | grep -qF "$3"
	point $? "find_package(dls $2) is refused: $3"
}

"$moved/bin/dls-run" --schedule fac2 true >"$log" 2>&1
point $? 'dls-run finds its library'
program loops loops 'threads of the library'
if echo 'int main(void) { return 0; }' | ${CC:-gcc} -fopenmp -x c - -o "$work/none" 2>/dev/null; then
	if need "${CXX:-g++}" "${CXX:-g++}" 'OpenMP'; then
		program openmp openmp 'OpenMP'
	fi
	if need gfortran gfortran 'Fortran'; then
		FC=gfortran program fortran fortran 'Fortran'
		FC=gfortran refuses C 'REQUIRED COMPONENTS Fortran' 'the project does not use Fortran'
	fi
else
	skip 'OpenMP and Fortran' "${CC:-gcc} has no OpenMP (package libomp-dev)"
fi
program machines 'machines static' 'machines'
major=${version%%.*}
takes C "$version REQUIRED"
takes C "$version EXACT REQUIRED"
# Until 1.0 the second number is the binary interface's, too.
minor=${version#*.} minor=${minor%%.*}
takes C "$major.$minor REQUIRED"
refuses C "$major.$((minor - 1)) REQUIRED" "version: $version"
refuses C "$major.$((minor + 1)) REQUIRED" "version: $version"
takes C "$major...$((major + 1)) REQUIRED"
refuses C "$major.99 REQUIRED" "version: $version"
refuses C "$((major + 1)) REQUIRED" "version: $version"
refuses C 'REQUIRED COMPONENTS OpenMPI' 'the components of dls are OpenMP, Fortran, Machines and MPI'
takes C 'OPTIONAL_COMPONENTS OpenMPI'
if need mpicc libopenmpi-dev 'component MPI without libdls-mpi'; then
	refuses C 'REQUIRED COMPONENTS MPI' 'nor libdls-mpi.so is in'
fi
finish
