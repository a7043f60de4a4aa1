#!/bin/sh
# tree.sh - CMakeLists.txt: it compiles the sources that the Makefile compiles, by the flags that decide what the code does, also
# without machines; the library exports the same symbols of the same versions; it installs the same tree, and serves a program as a
# part of it by FetchContent.  Fails if: a source, a flag, a symbol or an installed file is in one of the two alone.
#
# What make has compiled by the same flags is not compiled again.
. test/sh.sh
plain_builds_only
glibc_builds_only
command -v cmake >/dev/null || skip_all 'cmake is not installed (package cmake)'
. test/package/shared/installed.sh
case ${CC:-gcc} in *clang*) export CXX=clang++ ;; esac
unset CFLAGS CPPFLAGS LDFLAGS
export CC="${CC:-gcc}" OMP_NUM_THREADS=2 CMAKE_BUILD_PARALLEL_LEVEL=2
! command -v ninja >/dev/null || export CMAKE_GENERATOR=Ninja	# which starts fewer processes than make
mpi=none
! command -v mpicc >/dev/null || mpi=mpicc

# Each source that the commands on standard input compile, with its flags.
compiled() {
	awk -v tree="$PWD/" '$NF ~ /\.c[",]*$/ && / -c / {
		file = $NF
		gsub(/[",]/, "", file)
		sub(tree, "", file)
		split("", has)
		for (i = 1; i < NF; i++)
			if ($i ~ /^-(std=|D|f)/)
				has[$i]
		print file, "-std=c11" in has, "-D_POSIX_C_SOURCE=200809L" in has, "-DDLS__LOOPS_ALONE" in has, "-fPIC" in has,
			"-fvisibility=hidden" in has, "-ffp-contract=off" in has, length(has)
	}' | sort
}

same_objects() {	# text, make's arguments, cmake's options
	make -nB V=1 B=none CFLAGS= $2 lib ${3:+mpi} 2>/dev/null | grep -E ' (lib|sched)/[^ ]*$' | grep -v ' lib/omp/' | compiled >"$work/make"
	cmake -S . -B "$work/flags" -DCMAKE_EXPORT_COMPILE_COMMANDS=ON $3 $4 >"$log" 2>&1 &&
		grep '"command":' "$work/flags/compile_commands.json" | compiled >"$work/other" && [ -s "$work/make" ] &&
		diff "$work/make" "$work/other" >"$log"
	point $? "$1: the Makefile's sources and flags"
	rm -rf "$work/flags"
}
same_objects 'loops alone' MACHINES=no
with_mpi=
[ $mpi = none ] || with_mpi=-DDLS_MPI=ON
same_objects "with machines${with_mpi:+ and MPI}" MPI=$mpi -DDLS_MACHINES=ON $with_mpi

# A compiler launcher: takes the object of make's, unless that was compiled without -DDLS__LOOPS_ALONE and looks at it.
grep -rl DLS__LOOPS_ALONE include lib sched >"$work/look"
cat >"$work/launch" <<END
#!/bin/sh
top='$PWD' build='$build' look='$work/look'
END
cat >>"$work/launch" <<'END'
alone= before= source= object=
for word; do
	case $word in *.c) source=${word#"$top/"} ;; -DDLS__LOOPS_ALONE) alone=y ;; esac
	[ "$before" != -o ] || object=$word
	before=$word
done
made=$top/$build/${source%.c}
[ -e "$made.o" ] && { [ -z "$alone" ] || ! grep -qFf "$look" "$made.d"; } && exec ln -sf "$made.o" "$object"
exec "$@"
END
chmod +x "$work/launch"
launched=-DCMAKE_C_COMPILER_LAUNCHER=$work/launch

# Installed by both, to the same place.  The tools are those that make has built.
make CC="$CC" B="$build" install prefix="$work/prefix" DESTDIR="$work/make stage" >"$log" 2>&1 || bail 'make install'
mkdir "$work/all" && ln -s "$(cd "$build" && pwd)" "$work/all/make"
cmake -S . -B "$work/all" "$launched" -DDLS_MACHINES=ON -DDLS_TOOLS=ON -DCMAKE_INSTALL_PREFIX="$work/prefix" \
	-DCMAKE_INSTALL_LIBDIR=lib >"$log" 2>&1 && cmake --build "$work/all" >>"$log" 2>&1 &&
	DESTDIR="$work/stage" cmake --install "$work/all" >>"$log" 2>&1
point $? 'built and installed by CMake'
files() { (cd "$1$work/prefix" && find . ! -type d ! -path './bin/dls-mpi*' -printf '%P %m %l\n' | sort); }
files "$work/make stage" >"$work/make.files"
files "$work/stage" | diff "$work/make.files" - >"$log"
point $? 'the same tree'
for file in lib/pkgconfig/libdls.pc lib/cmake/dls/dlsConfig.cmake lib/cmake/dls/dlsConfigVersion.cmake; do
	diff "$work/make stage$work/prefix/$file" "$work/stage$work/prefix/$file"
done >"$log"
[ ! -s "$log" ]
point $? '... and the same packages for pkg-config and CMake'
exported() { nm -D --defined-only "$1$work/prefix/lib/libdls.so" | cut -d ' ' -f 2- | sort; }
exported "$work/make stage" >"$work/make.symbols"
exported "$work/stage" | diff "$work/make.symbols" - >"$log" && [ -s "$work/make.symbols" ]
point $? '... and symbols'

if need "${CXX:-g++}" "${CXX:-g++}" 'FetchContent'; then
	cp -r test/package/cmake "$work/cmake" && cmake -S "$work/cmake/tree" -B "$work/a build" "$launched" -DCMAKE_C_FLAGS=-O0 \
		-DFETCHCONTENT_SOURCE_DIR_DLS="$PWD" >"$log" 2>&1 && cmake --build "$work/a build" >>"$log" 2>&1
	point $? 'FetchContent: built'
	programs='loops static'
	! echo 'int main(void) { return 0; }' | $CC -fopenmp -x c - -o "$work/none" 2>/dev/null || programs="$programs openmp"
	for name in $programs; do
		same "FetchContent: $name" right "$("$work/a build/$name" 2>&1)"
	done
fi
finish
