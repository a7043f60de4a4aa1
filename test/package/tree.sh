#!/bin/sh
# tree.sh - CMakeLists.txt: it compiles the sources that the Makefile compiles, by the flags that decide what the code does, also
# without machines; the library exports the same symbols of the same versions; it installs the same tree; it serves a program as a
# part of it by FetchContent and by Meson's cmake module, and Meson finds what make has installed elsewhere.  Fails if: a source, a
# flag, a symbol or an installed file is in one of the two alone; CMakeLists.txt has what that module does not understand; or Meson
# does not find the package where it was moved to.
#
# What make has compiled by the same flags is not compiled again.
#
# runs: machines, once
. test/sh.sh
plain_builds_only
glibc_builds_only
command -v cmake >/dev/null || skip_all 'cmake is not installed (package cmake)'
unset MAKEFLAGS MFLAGS MAKELEVEL CFLAGS CPPFLAGS LDFLAGS PKG_CONFIG_PATH
export CC="${CC:-gcc}" OMP_NUM_THREADS=2 CMAKE_BUILD_PARALLEL_LEVEL=2
case $CC in *clang*) export CXX=clang++ ;; esac	# one OpenMP runtime for both
! command -v ninja >/dev/null || export CMAKE_GENERATOR=Ninja	# which starts fewer processes than make
openmp=
! has_openmp "$CC" || openmp=openmp

# A compiler launcher: takes the object of make's, unless that was compiled without -DDLS__LOOPS_ALONE and its source
# looks at what depends on it; headers only declare by it.  Such a source is compiled for the first who asks; others
# take its object, but for that of registry.c.
looks=$(grep -lE 'DLS__LOOPS_ALONE|DLS__MACHINES|deal/list\.h' lib/*/*.c sched/*.c | tr '\n' ' ')
cat >"$work/launch" <<END
#!/bin/sh
build='$(cd "$build" && pwd)' work='$work' looks=' $looks'
END
cat >>"$work/launch" <<'END'
alone= before= source= object=
for word; do
	case $word in
	*/lib/*.c) source=lib/${word##*/lib/} ;;
	*/sched/*.c) source=sched/${word##*/sched/} ;;
	-DDLS__LOOPS_ALONE) alone=alone ;;
	esac
	[ "$before" != -o ] || object=$word
	before=$word
done
made=$build/${source%.c}.o
[ -e "$made" ] || exec "$@"
case $alone$looks in
alone*" $source "*)
	made=$work/alone/$source.o
	[ -e "$made" ] && [ $source != sched/registry.c ] || { mkdir -p "${made%/*}" && "$@" && cp "$object" "$made"; exit; } ;;
esac
exec ln -sf "$made" "$object"
END
chmod +x "$work/launch"
launched=-DCMAKE_C_COMPILER_LAUNCHER=$work/launch

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
	make -nB V=1 B=none CFLAGS= $2 2>/dev/null | grep -E ' (lib|sched)/[^ ]*$' | grep -v ' lib/omp/' | compiled >"$work/make"
	cmake -S . -B "$work/all" -DCMAKE_EXPORT_COMPILE_COMMANDS=ON "$launched" $3 >"$log" 2>&1 &&
		grep '"command":' "$work/all/compile_commands.json" | compiled >"$work/other" && [ -s "$work/make" ] &&
		diff "$work/make" "$work/other" >"$log"
	point $? "$1: the Makefile's sources and flags"
}
same_objects 'loops alone' 'lib MACHINES=no'
if command -v mpicc >/dev/null; then
	same_objects 'with machines and MPI' 'lib mpi' '-DDLS_MACHINES=ON -DDLS_MPI=ON'
else
	same_objects 'with machines' lib -DDLS_MACHINES=ON
fi

# Installed by both, to the same place.  The tools are those that make has built.
make CC="$CC" B="$build" install prefix="$work/prefix" DESTDIR="$work/make stage" >"$log" 2>&1 || bail 'make install'
ln -s "$(cd "$build" && pwd)" "$work/all/make"
cmake -S . -B "$work/all" -DDLS_MPI=OFF -DDLS_TOOLS=ON -DCMAKE_INSTALL_PREFIX="$work/prefix" -DCMAKE_INSTALL_LIBDIR=lib >"$log" 2>&1 &&
	cmake --build "$work/all" >>"$log" 2>&1 &&
	DESTDIR="$work/stage" cmake --install "$work/all" >>"$log" 2>&1
point $? 'built and installed by CMake'
files() { (cd "$1$work/prefix" && find . ! -type d ! -path './bin/dls-mpi*' -printf '%P %m %l\n' | sort); }
files "$work/make stage" >"$work/make.files"
files "$work/stage" | diff "$work/make.files" - >"$log"
point $? 'the same tree'
for file in lib/pkgconfig/libdls.pc lib/cmake/dls/dlsConfig.cmake lib/cmake/dls/dlsConfigVersion.cmake; do
	diff "$work/make stage$work/prefix/$file" "$work/stage$work/prefix/$file"
done >"$log"
holds '... and the same packages for pkg-config and CMake' [ ! -s "$log" ]
exported() { nm -D --defined-only "$1$work/prefix/lib/libdls.so" | cut -d ' ' -f 2- | sort; }
exported "$work/make stage" >"$work/make.symbols"
exported "$work/stage" | diff "$work/make.symbols" - >"$log" && [ -s "$work/make.symbols" ]
point $? '... and symbols'

if need "${CXX:-g++}" "${CXX:-g++}" 'FetchContent'; then
	cp -r test/package/cmake "$work/cmake" && cmake -S "$work/cmake/tree" -B "$work/a build" "$launched" -DCMAKE_C_FLAGS=-O0 \
		-DFETCHCONTENT_SOURCE_DIR_DLS="$PWD" >"$log" 2>&1 && cmake --build "$work/a build" >>"$log" 2>&1
	point $? 'FetchContent: built'
	for name in loops static $openmp; do
		same "FetchContent: $name" right "$("$work/a build/$name" 2>&1)"
	done
fi

if [ -z "$openmp" ]; then
	skip 'Meson' "$CC has no OpenMP (package libomp-dev)"
elif need meson meson 'Meson' && need ninja ninja-build 'Meson'; then
	cp -r test/package/meson/program "$work" && mkdir -p "$work/program/subprojects/libdls" &&
		cp -r CMakeLists.txt Makefile include lib sched man "$work/program/subprojects/libdls" &&
		CC="'$work/launch' $CC" meson setup --buildtype=plain -Dcmake_prefix_path="$work/make stage$work/prefix" "$work/program" "$work/m build" \
			>"$log" 2>&1 && meson compile -C "$work/m build" >>"$log" 2>&1
	point $? 'Meson: built'
	same 'Meson: an installation that was moved' right "$(LD_LIBRARY_PATH="$work/make stage$work/prefix/lib" "$work/m build/installed" 2>&1)"
	same 'Meson: a subproject' right "$("$work/m build/program" 2>&1)"
fi
finish
