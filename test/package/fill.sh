#!/bin/sh
# fill.sh - copy the recipe for Debian beside this script to a folder, with the version, the soname and the
# date of a release tarball, which make dist has written.
#
#	test/package/fill.sh build/libdls-VERSION.tar.gz FOLDER
set -eu
[ $# -eq 2 ] || { echo 'usage: fill.sh TARBALL FOLDER' >&2; exit 2; }
export LC_ALL=C
from=$(dirname "$0") to=$2
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
tar xzf "$1" -C "$tree" --strip-components=1
version=$(sed -n 's/^#define DLS_VERSION "\(.*\)"/\1/p' "$tree/include/dls.h")
abi=$(sed -n 's/^DLS_\([0-9.]*\) {$/\1/p' "$tree/lib/libdls.map")
date=$(date -uRr "$tree/NEWS")

mkdir -p "$to"
cp -r "$from/debian" "$to"
# The symbols of a map, each with the version that it came with: that of the binary interface or, where the line before it says
# `since VERSION` in a comment, this one.
symbols() {	# map, library, package, development package
	echo "lib$2.so.$abi $3 #MINVER#"
	echo "* Build-Depends-Package: $4"
	awk -v abi="$abi" '/^[A-Z_0-9.]+ \{/ { node = $1; print " " node "@" node, abi ".0" }
		/\/\* since / { sub(/.*since /, ""); since = $1 }
		/^[ \t]+[a-z_0-9]+;/ { sub(/;.*/, ""); print " " $1 "@" node, since ? since : abi ".0"; since = "" }' "$tree/$1"
}
mv "$to/debian/install" "$to/debian/libdls$abi.install"
symbols lib/libdls.map dls "libdls$abi" libdls-dev >"$to/debian/libdls$abi.symbols"
for mpi in openmpi mpich; do
	for file in "$to"/debian/mpi*.install; do
		sed "s/@MPI@/$mpi/g" "$file" >"$to/debian/libdls-mpi-$mpi$(basename "$file" | sed "s/^mpi\./$abi./; s/^mpi-/-/")"
	done
	symbols lib/mpi/libdls-mpi.map "dls-mpi-$mpi" "libdls-mpi-$mpi$abi" "libdls-mpi-$mpi-dev" \
		>"$to/debian/libdls-mpi-$mpi$abi.symbols"
done
rm "$to"/debian/mpi*.install
sed -n '5,$s/^$/./; 5,$s/^/ /p' "$tree/LICENSE" >"$tree/license"
find "$to/debian" -type f -exec sed -i -e "/^@LICENSE@/{r $tree/license" -e 'd}' \
	-e "s|@VERSION@|$version|g; s|@ABI@|$abi|g; s|@DATE@|$date|" {} +
