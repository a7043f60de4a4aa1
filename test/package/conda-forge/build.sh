#!/bin/bash
# build.sh - what conda-build runs in the unpacked tarball.
set -eu
make -j"${CPU_COUNT:-2}" install prefix="$PREFIX"
# conda-forge ships shared libraries alone.
rm "$PREFIX/lib/libdls.a"
