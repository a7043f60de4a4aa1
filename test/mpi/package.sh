#!/bin/sh
# package.sh - libdls-mpi of this MPI as it is installed, in a prefix with a blank that the loader does not search: a program builds
# through pkg-config with the shared and with the static library, through CMake's component MPI, and as dls_mpi(7) says; it and the
# tools start without LD_LIBRARY_PATH; uninstall leaves nothing.  Variables as for check.sh.  Fails if: the .pc file names what is
# not installed, static linking lacks a symbol, libdls-mpi does not find libdls beside it, a plain name is missing or is that of an
# MPI that mpicc does not belong to, or CMake takes the library of another MPI.
. test/sh.sh
[ -n "${M-}" ] || skip_all 'run by make check-mpi'
plain_builds_only
unset MAKEFLAGS MFLAGS MAKELEVEL CFLAGS CPPFLAGS LDFLAGS LD_LIBRARY_PATH
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
kind=${MPI#mpicc}
[ "$MPI" != smpi ] || skip_all 'SimGrid simulates programs that stand in the tree'
command -v "mpirun${kind:+.$kind}" >/dev/null || skip_all "mpirun${kind:+.$kind} is not installed (package ${kind:-openmpi-bin})"
prefix="$work/a prefix" mpicc=mpicc${kind:+.$kind}

launch() {	# ranks, program, arguments
	ranks=$1
	shift
	if [ "$(basename "$(realpath "$(command -v "$mpicc")")")" = opal_wrapper ]; then
		set -- --oversubscribe -np "$ranks" "$@"
	else
		set -- -np "$ranks" "$@"
	fi
	test/within.sh 300 "mpirun${kind:+.$kind}" "$@" </dev/null 2>&1
}

run() {	# text, program
	same "$1" right "$(launch 1 "$2")"
}

installed() {	# what mpicc runs, make's target
	mkdir -p "$work/bin" && printf '#!/bin/sh\n%s\n' "$1" >"$work/bin/mpicc" && chmod +x "$work/bin/mpicc" &&
		PATH=$work/bin:$PATH make CC="${CC:-gcc}" B="$build" MPI="$MPI" "$2" prefix="$prefix" >"$log" 2>&1
}
plain='bin/dls-mpi-loops lib/libdls-mpi.so lib/libdls-mpi.a lib/pkgconfig/libdls-mpi.pc'
if [ "$kind" ]; then
	installed 'echo another' install && grep -q "^mpicc is of another MPI.*-l$MPI_LIB" "$log" &&
		[ -z "$(cd "$prefix" && ls -d $plain 2>/dev/null)" ]
	point $? 'mpicc of another MPI: no plain names'
	if need cmake cmake 'CMake takes no link to the library of another MPI'; then
		ln -s libdls-mpi-another.so "$prefix/lib/libdls-mpi.so" && ln -s libdls.so "$prefix/lib/libdls-mpi-another.so" &&
			mv "$prefix/lib/lib$MPI_LIB.so" "$work"
		! cmake -S test/package/cmake/mpi -B "$work/another" -DMPI_C_COMPILER="$(command -v "$mpicc")" \
			-DCMAKE_PREFIX_PATH="$prefix" >"$log" 2>&1 && grep -q "neither lib$MPI_LIB.so nor" "$log"
		point $? 'CMake takes no link to the library of another MPI'
		rm "$prefix"/lib/libdls-mpi-another.so && mv "$work/lib$MPI_LIB.so" "$prefix/lib"
	fi
fi
target=install
[ ! -d "$prefix" ] || target=install-mpi
installed "exec $(command -v "$mpicc") \"\$@\"" $target
point $? "make $target"
for file in $plain; do
	[ -e "$prefix/$file" ] || echo "no $file" >>"$log"
done
! grep '^no ' "$log"
point $? 'plain names of the MPI that mpicc belongs to'
for file in "$prefix"/bin/* "$prefix"/lib/*.so; do
	ldd "$file" 2>&1 | sed -n "s|.*not found|$file: &|p"
done >"$log"
[ ! -s "$log" ]
point $? 'all that is installed finds what it needs'
for tool in "dls-mpi-loops${kind:+.$kind}" dls-mpi-loops; do
	launch 2 "$prefix/bin/$tool" primes --runs 1 -s ss --drift 1000 --csv >"$log" && grep -q '^primes,2,ss,' "$log"
	point $? "mpirun -np 2 $tool"
	same "bash completes it: $tool" "complete -o filenames -F _dls $tool" \
		"$(tail -n 1 "$prefix/share/bash-completion/completions/$tool")"
done
launch 2 "$prefix/bin/dls-sim" --engine mpi --strategy rid --processors 4 --tasks 9 --csv >"$log"
point $? 'dls-sim --engine mpi'

source=test/package/cmake/mpi/mpi.c
if need pkg-config pkgconf 'through pkg-config'; then
	export PKG_CONFIG_PATH="$prefix/lib/pkgconfig"
	for name in "lib$MPI_LIB" libdls-mpi; do
		cflags=$(pkg-config --cflags "$name")
		eval "$mpicc $cflags $source $(pkg-config --libs "$name")" -Wl,--as-needed -Wl,-rpath,'"$prefix/lib"' \
			-o '"$work/shared"' >"$log" 2>&1
		point $? "through pkg-config $name: built"
		run "through pkg-config $name" "$work/shared"
	done
	mkdir "$work/static.lib" && mv "$prefix"/lib/lib*.so* "$work/static.lib" &&
		eval "$mpicc $cflags $source $(pkg-config --static --libs "lib$MPI_LIB")" -o '"$work/static"' >"$log" 2>&1
	point $? 'through pkg-config --static: built, where there are no shared libraries'
	run 'through pkg-config --static' "$work/static"
	mv "$work"/static.lib/* "$prefix/lib"
fi
if need cmake cmake 'through CMake'; then
	cmake -S test/package/cmake/mpi -B "$work/cmake" -DMPI_C_COMPILER="$(command -v "$mpicc")" \
		-DCMAKE_PREFIX_PATH="$prefix" >"$log" 2>&1 && cmake --build "$work/cmake" >>"$log" 2>&1
	point $? 'through CMake: built'
	run 'through CMake' "$work/cmake/mpi"
fi
# The page's own lines: of its synopsis, and of a prefix.
cp "$source" "$work/program.c"
line=$(sed -nE '/^\.Nm mpicc/,/^\.Pp/{s/^\.Fl /-/; s/^\.(Nm|Ar) //; /^[^.]/p; /^\.Pp/q}' man/dls_mpi.7 | tr '\n' ' ')
(cd "$work" && export CPATH="$prefix/include" LIBRARY_PATH="$prefix/lib" PATH="$work/bin:$PATH" && eval "$line -o first") >"$log" 2>&1 &&
	[ "$(LD_LIBRARY_PATH="$prefix/lib" "$work/first" 2>&1)" = right ]
point $? "dls_mpi(7): $line"
line=$(sed -n 's/^\.Dl \(mpicc -I.*\)/\1/p' man/dls_mpi.7 | sed "s|prefix/|'$prefix'/|g")
(cd "$work" && export PATH="$work/bin:$PATH" && eval "$line -o second") >"$log" 2>&1
point $? "dls_mpi(7): $line"
run '... starts' "$work/second"

make CC="${CC:-gcc}" B="$build" uninstall prefix="$prefix" >"$log" 2>&1
find "$prefix" ! -type d >>"$log"
[ ! -s "$log" ]
point $? 'make uninstall leaves nothing, whichever MPI'
finish
