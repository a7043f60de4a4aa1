#!/bin/sh
# package.sh - libdls-mpi of this MPI as it is installed: a program builds through pkg-config with the shared and with the static
# library, and through CMake's component MPI; uninstall leaves nothing.  Variables as for check.sh.  Fails if: the .pc file names
# what is not installed, static linking lacks a symbol, or CMake takes the library of another MPI.
. test/sh.sh
[ -n "${M-}" ] || skip_all 'run by make check-mpi'
plain_builds_only
unset MAKEFLAGS MFLAGS MAKELEVEL CFLAGS CPPFLAGS LDFLAGS
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
kind=${MPI#mpicc}
[ "$MPI" != smpi ] || skip_all 'SimGrid simulates programs that stand in the tree'
command -v "mpirun${kind:+.$kind}" >/dev/null || skip_all "mpirun${kind:+.$kind} is not installed (package ${kind:-openmpi-bin})"

run() {	# text, program
	same "$1" right "$(LD_LIBRARY_PATH="$work/prefix/lib" timeout 300 "mpirun${kind:+.$kind}" -np 1 "$2" 2>&1)"
}

make CC="${CC:-gcc}" B="$build" MPI="$MPI" install prefix="$work/prefix" >"$log" 2>&1
point $? 'make install'
source=test/package/cmake/mpi/mpi.c
if need pkg-config pkgconf 'through pkg-config'; then
	export PKG_CONFIG_PATH="$work/prefix/lib/pkgconfig"
	mpicc=mpicc${kind:+.$kind}
	cflags=$(pkg-config --cflags "lib$MPI_LIB")
	eval "$mpicc $cflags $source $(pkg-config --libs "lib$MPI_LIB")" -o '"$work/shared"' >"$log" 2>&1
	point $? 'through pkg-config: built'
	run 'through pkg-config' "$work/shared"
	mkdir "$work/static.lib" && mv "$work"/prefix/lib/lib*.so* "$work/static.lib" &&
		eval "$mpicc $cflags $source $(pkg-config --static --libs "lib$MPI_LIB")" -o '"$work/static"' >"$log" 2>&1
	point $? 'through pkg-config --static: built, where there are no shared libraries'
	run 'through pkg-config --static' "$work/static"
	mv "$work"/static.lib/* "$work/prefix/lib"
fi
if need cmake cmake 'through CMake'; then
	cmake -S test/package/cmake/mpi -B "$work/cmake" -DMPI_C_COMPILER="$(command -v "mpicc${kind:+.$kind}")" \
		-DCMAKE_PREFIX_PATH="$work/prefix" >"$log" 2>&1 && cmake --build "$work/cmake" >>"$log" 2>&1
	point $? 'through CMake: built'
	run 'through CMake' "$work/cmake/mpi"
fi
make CC="${CC:-gcc}" B="$build" uninstall prefix="$work/prefix" >"$log" 2>&1
find "$work/prefix" ! -type d >>"$log"
[ ! -s "$log" ]
point $? 'make uninstall leaves nothing, whichever MPI'
finish
