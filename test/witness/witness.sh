#!/bin/sh
# witness.sh - builds the witness, where SimGrid is installed, and compares it with dls-sim; `make witness' runs it, and
# `make witness SEEDS=5-8' draws other loads.
#
#	witness.sh DLS-SIM FOLDER
set -eu
cd "$(dirname "$0")/../.."
sim=$1 folder=$2 cxx=${CXX:-g++}
for needed in "$cxx g++" "python3 python3"; do
	if ! command -v "${needed% *}" >/dev/null; then
		echo "SKIP: witness: ${needed% *} is not installed (package ${needed#* })"
		exit 0
	fi
done
if ! echo '#include <simgrid/s4u.hpp>' | $cxx -std=c++17 -E -x c++ - >/dev/null 2>&1; then
	echo "SKIP: witness: SimGrid is not installed (package libsimgrid-dev)"
	exit 0
fi
${MAKE:-make} -s "$folder/witness"
exec python3 test/witness/compare.py "$sim" "$folder/witness" "$folder" "${SEEDS:-1-4}"
