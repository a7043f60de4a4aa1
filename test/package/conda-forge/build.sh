#!/bin/bash
# build.sh - what conda-build runs in the unpacked tarball, for the output libdls.
set -eu
make -j"${CPU_COUNT:-2}" install MPI=none prefix="$PREFIX"
# conda-forge ships shared libraries alone.
rm "$PREFIX/lib/libdls.a"
