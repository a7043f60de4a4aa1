#!/bin/bash
# build-mpi.sh - likewise, for the output libdls-mpi: what it adds, of the MPI of this environment.
set -eu
make -j"${CPU_COUNT:-2}" install-mpi MPI=mpicc prefix="$PREFIX"
rm "$PREFIX/lib/libdls-mpi.a"
