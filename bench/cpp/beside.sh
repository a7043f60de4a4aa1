#!/bin/sh
# beside.sh - dls.hpp beside oneTBB, the standard library's par, Kokkos and OpenMP's pragmas: make beside.
#
#	beside.sh LIBDLS.a FOLDER [ROUNDS [THREADS]]
#
# Kokkos takes part if KOKKOS is the folder that it is installed in, with OpenMP as its backend.
# Each library has a process of its own, which other libraries' threads do not disturb; the processes take turns, ROUNDS times.
# Prints the median time of a case in us with its extremes over the rounds, and its ratio to that of dls.hpp with OpenMP:
# above 1 the other takes longer.
library=$1 to=$2 rounds=${3:-7} threads=${4:-2}
export LC_ALL=C
mkdir -p "$to" && work=$(mktemp -d) || exit
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

sides=
side() {	# name, definition, flags and libraries
	name=$1 what=$2
	shift 2
	# shellcheck disable=SC2086 # several words
	if ${CXX:-g++} -std=c++17 ${CXXFLAGS:--O2} -Iinclude "-D$what" bench/cpp/beside.cc -o "$to/beside-$name" "$@" -lm -pthread 2>"$work/err"; then
		sides="$sides $name"
	else
		echo "beside: $name is left out: $(grep -m 1 'error\|cannot find' "$work/err") (package libtbb-dev)" >&2
	fi
}
side dls SIDE_DLS -fopenmp "$library"
side dls-threads SIDE_DLS "$library"
side omp SIDE_OMP -fopenmp
side tbb SIDE_TBB -ltbb
side std SIDE_STD -ltbb
[ -z "$KOKKOS" ] || side kokkos SIDE_KOKKOS -fopenmp "-I$KOKKOS/include" "-L$KOKKOS/lib" -lkokkoscore -ldl

for _ in $(seq "$rounds"); do
	for name in $sides; do
		"$to/beside-$name" "$threads" | sed "s/^/$name,/" || exit
	done
done >"$work/rows"
"${CXX:-g++}" --version | head -n 1
echo "$threads threads, $rounds rounds, us: median (least to most)"
sort -t, -k2,2 -k1,1 -k3,3g "$work/rows" | awk -F, -v sides="$sides" '
	{ time[$2, $1, ++n[$2, $1]] = $3; sum[$2, $1] = $4 }
	!($2 in seen) { seen[$2]; name[++cases] = $2 }
	END {
		k = split(sides, side, " ")
		for (c = 1; c <= cases; c++) {
			printf "\n%s\n", name[c]
			for (s = 1; s <= k; s++) {
				m = n[name[c], side[s]]
				median = time[name[c], side[s], int((m + 1) / 2)]
				if (s == 1)
					base = median
				off = sum[name[c], side[s]] / sum[name[c], side[1]] - 1
				printf "  %-12s %10.1f (%.1f to %.1f)  %.2f%s\n", side[s], median, time[name[c], side[s], 1], time[name[c], side[s], m],
					median / base, (off * off > 1e-18 ? "  ANOTHER RESULT" : "")
			}
		}
	}'
