#!/bin/sh
# keep.sh - at a release: keep programs as they are compiled against its headers, for test/api/kept.sh.
#
#	test/kept/keep.sh	after make; writes test/kept/VERSION-MACHINE.tar.gz
#
# The programs are those of test/user in C, C++ and Fortran, and the examples of man/*.3, each with what it prints.
# Run it on the oldest Debian that has the compilers: programs run with later C libraries, not with earlier ones.
set -e
cd "$(dirname "$0")/../.."
version=$(sed -n 's/^#define DLS_VERSION "\(.*\)\..*"/\1/p' include/dls.h)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export LD_LIBRARY_PATH="$PWD/build"

CFLAGS='-O2 -s' CXXFLAGS='-O2 -s' KEEP=$work test/api/manual.sh
for program in c cpp fortran; do
	case $program in
	c) set -- gcc -std=c11 test/user/all.c ;;
	cpp) set -- g++ -std=c++20 -x c++ test/user/all.c -x none ;;
	fortran) set -- gfortran -J "$work" include/dls.F90 test/user/loops.f90 ;;
	esac
	"$@" -O2 -s -fopenmp -Iinclude -o "$work/$program" -Lbuild -ldls -lm
	"$work/$program" >"$work/$program.prints"
done
rm -f "$work"/*.mod "$work"/*.7-*
for prints in "$work"/*.prints; do	# nothing, if it is not the same each time
	"${prints%.prints}" | cmp -s - "$prints" || : >"$prints"
done
tar c --format=ustar --sort=name --owner=0 --group=0 --numeric-owner --mtime=@0 -C "$work" . |
	gzip -9n >"test/kept/$version-$(uname -m).tar.gz"
