#!/bin/sh
# dist.sh - make dist writes the same bytes of the same files, in a clone or a copy and in what its tarball
# unpacks to; Debian's recipe is filled.  Fails if: dist takes an order, a time, an owner or a mode from where
# it runs, or what CMake has built; or if the recipe misses a symbol.
#
# runs: machines, once
. test/sh.sh
plain_builds_only
unset MAKEFLAGS MFLAGS MAKELEVEL
export CC="${CC:-gcc}"
version=$(sed -n 's/^#define DLS_VERSION "\(.*\)"/\1/p' include/dls.h)
name=libdls-$version.tar.gz

dist() {	# folder
	(cd "$1" && rm -rf build && make B=build dist) >>"$log" 2>&1
}

mkdir "$work/tree"
tar c --exclude-tag-all=CMakeCache.txt --exclude=./build --exclude='./build-*' --exclude="./$build" --exclude=./.git . | tar x -C "$work/tree"
mkdir "$work/tree/cmake" && touch "$work/tree/cmake/CMakeCache.txt" "$work/tree/cmake/it.o"
dist "$work/tree"
tar tzf "$work/tree/build/$name" >"$work/names"
! grep -E '/build/|\.o$|/\.git/' "$work/names" >"$log" && grep -q "^libdls-$version/test/package/debian/rules$" "$work/names"
point $? 'it has the sources, and nothing that was built'
first=$work/tree/build what='a copy'
: >"$log"
[ -e .git ] && git rev-parse -q --verify HEAD >"$work/none" 2>&1 && first=$work/git what='a clone' && make B="$first" dist >"$log" 2>&1
(umask 077; export TZ=Asia/Tokyo; mkdir "$work/again" && tar xzf "$first/$name" -C "$work/again" --strip-components=1
	find "$work/again" -type d -exec touch {} +; dist "$work/again")
cmp "$first/$name" "$work/again/build/$name" >>"$log" 2>&1
point $? "what the tarball of $what unpacks to gives the same tarball"

recipes=$work/recipes
test/package/fill.sh "$work/tree/build/$name" "$recipes" >"$log" 2>&1 && ! grep -rn '@[A-Z0-9]*@' "$recipes" >>"$log"
point $? 'the recipe is filled'
# Each symbol of the maps, with the version that it came with.
for library in dls:libdls1 dls-mpi:libdls-mpi-openmpi1; do
	map=$(ls lib/*.map lib/mpi/*.map | grep "lib${library%:*}.map$")
	sed -nE 's/^\t([a-z_0-9]+);$/\1/p' "$map" | sort >"$work/map"
	sed -nE 's/^ ([a-z_0-9]+)@DLS_[A-Z_0-9.]+ [0-9.]+$/\1/p' "$recipes"/debian/${library#*:}*.symbols | sort | diff "$work/map" - \
		>"$log" && [ -s "$work/map" ]
	point $? "Debian: the symbols of lib${library%:*}"
done
finish
