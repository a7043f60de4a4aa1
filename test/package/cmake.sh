#!/bin/sh
# cmake.sh - three projects of CMake, built outside the tree against an installation that was moved: without OpenMP and with machines,
# by both libraries; with OpenMP in C and C++; in Fortran.  Versions and components are checked.  Fails if: the package's paths depend
# on where it was installed, dls-run does not find libdls-omp.so there, a component brings other flags than its compilers need, or a
# wrong version is taken.
#
# runs: machines, once
. test/sh.sh
plain_builds_only
glibc_builds_only
command -v cmake >/dev/null || skip_all 'cmake is not installed (package cmake)'
unset MAKEFLAGS MFLAGS MAKELEVEL
export CC="${CC:-gcc}" OMP_NUM_THREADS=2 CMAKE_BUILD_PARALLEL_LEVEL=2
case $CC in *clang*) export CXX=clang++ ;; esac	# one OpenMP runtime for both
! command -v ninja >/dev/null || export CMAKE_GENERATOR=Ninja	# which starts fewer processes than make
libdir=lib/$($CC -print-multiarch 2>/dev/null)	# as Debian has it
libdir=${libdir%/}
# Its name has a blank; nothing is left where it was installed.
export CMAKE_PREFIX_PATH="$work/a moved prefix"
make CC="$CC" B="$build" install prefix="$work/first" libdir="$work/first/$libdir" DESTDIR="$work/stage" >"$log" 2>&1 &&
	mv "$work/stage$work/first" "$CMAKE_PREFIX_PATH" && rm -r "$work/stage" || bail 'make install'
cp -r test/package/cmake "$work" || exit 1

program() {	# folder, its programs, the text, cmake's arguments
	folder=$work/cmake/$1
	{ cmake -S "$folder" -B "$folder/a build" ${4:+"$4"} && cmake --build "$folder/a build"; } >"$log" 2>&1
	point $? "$3: built"
	cp "$log" "$folder/log"
	for name in $2; do
		same "$3: $name" right "$("$folder/a build/$name" 2>&1)"
	done
}

succeeds 'dls-run finds its library' "$CMAKE_PREFIX_PATH/bin/dls-run" --schedule fac2 true
version=$(sed -n 's/^#define DLS_VERSION "\(.*\)"/\1/p' include/dls.h)
major=${version%%.*} minor=${version#*.} minor=${minor%%.*}
# What find_package(dls ...) is asked; the reason for which that is refused.
cat >"$work/asked" <<END
$version
$version EXACT
$major.$minor
$major...$((major + 1))
OPTIONAL_COMPONENTS OpenMPI
$((major - 1)).9|version: $version
$major.$((minor + 1))|version: $version
$major.99|version: $version
$((major + 1))|version: $version
COMPONENTS OpenMPI|the components of dls are OpenMP, Fortran, Machines and MPI
COMPONENTS Fortran|the project does not use Fortran
END
! need mpicc libopenmpi-dev 'component MPI without libdls-mpi' || echo 'COMPONENTS MPI|nor libdls-mpi.so is in' >>"$work/asked"
program loops 'loops machines static' 'without OpenMP' "-DASKED=$(sed 's/|.*//' "$work/asked" | tr '\n' ';')"
while IFS='|' read -r asked why; do
	tr -s '\n ' ' ' <"$work/cmake/loops/log" | sed -n "s/.*<$asked> //; s/served: \([^;]*\);.*/served: \1/p" >"$log"
	if [ -z "$why" ]; then
		holds "find_package(dls $asked) is served" grep -q 'served: 1$' "$log"
	else
		grep -qF "$why" "$log" && grep -q 'served: [^1]*$' "$log"
		point $? "find_package(dls $asked) is refused: $why"
	fi
done <"$work/asked"
if need_openmp "$CC" 'OpenMP and Fortran'; then
	! need "${CXX:-g++}" "${CXX:-g++}" 'OpenMP' || program openmp openmp 'OpenMP'
	! need gfortran gfortran 'Fortran' || FC=gfortran program fortran fortran 'Fortran'
fi
finish
