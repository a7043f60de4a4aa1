#!/bin/sh
# dist.sh - make dist writes the same bytes of the same files, in a clone or a copy and in what its tarball unpacks to; the recipes of
# test/package are filled and, as far as their tools are there, accepted.  Fails if: dist takes an order, a time, an owner or
# a mode from where it runs, or what CMake has built; or if a recipe names a file that is not installed.
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
point $? 'recipes are filled'
text='Spack: package.py is Python'
need python3 python3 "$text" && succeeds "$text" python3 -m py_compile "$recipes/spack/package.py"
if command -v spack >/dev/null; then
	succeeds 'Spack: style' spack style "$recipes/spack/package.py"
else
	skip 'Spack: style' 'spack is not installed (from its repository)'
fi
if command -v conda-smithy >/dev/null; then
	succeeds 'conda-forge: lint' conda-smithy recipe-lint "$recipes/conda-forge"
else
	skip 'conda-forge: lint' 'conda-smithy is not installed (conda-forge: conda-smithy)'
fi
# Everything is built: this installs.  An output's tests are those of meta.yaml.
commands() {	# output
	awk -v output="$1" '/^  - name: / { on = $3 == output } /^ *commands:/ { tests = 1; next } /^$/ { tests = 0 }
		on && tests { sub(/^ *- /, ""); print }' "$recipes/conda-forge/meta.yaml" >"$work/commands"
	[ -s "$work/commands" ] && PATH="$PREFIX/bin:$PATH" sh -ex "$work/commands"
}
if need bash bash 'conda-forge: build.sh, then the tests of meta.yaml'; then
	export PREFIX="$work/prefix"
	B="$build" bash "$recipes/conda-forge/build.sh" >"$log" 2>&1 && commands libdls >>"$log" 2>&1
	point $? 'conda-forge: build.sh, then the tests of meta.yaml'
	if need mpicc libopenmpi-dev '... and of libdls-mpi'; then
		B="$build" bash "$recipes/conda-forge/build-mpi.sh" >"$log" 2>&1 && commands libdls-mpi >>"$log" 2>&1
		point $? '... and of libdls-mpi'
	fi
fi
# Each symbol of the maps, with the version that it came with.
for library in dls:libdls0 dls-mpi:libdls-mpi-openmpi0; do
	map=$(ls lib/*.map lib/mpi/*.map | grep "lib${library%:*}.map$")
	sed -nE 's/^\t([a-z_0-9]+);$/\1/p' "$map" | sort >"$work/map"
	sed -nE 's/^ ([a-z_0-9]+)@DLS_[A-Z_]*[0-9.]+ [0-9.]+$/\1/p' "$recipes"/debian/${library#*:}*.symbols | sort | diff "$work/map" - \
		>"$log" && [ -s "$work/map" ]
	point $? "Debian: the symbols of lib${library%:*}"
done
finish
