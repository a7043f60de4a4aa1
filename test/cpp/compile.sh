#!/bin/sh
# compile.sh - programs that include dls.hpp: no warning from C++17 to C++23, with and without OpenMP, by the compilers that are
# there; files with and without -fopenmp in one program.  Fails if: the header draws a warning, or a loop compiled without OpenMP
# runs as one compiled with it.
. test/sh.sh
plain_builds_only
warn='-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wold-style-cast -Wzero-as-null-pointer-constant'
warn="$warn -Werror -Iinclude"
pass() {	# compiler, standard, OpenMP or nothing; with -fsyntax-only it is not run
	case $1 in
	g++*) useless=-Wuseless-cast ;;
	*) useless= ;;
	esac
	case $3 in
	*-fsyntax-only) "$1" -std="$2" $3 $warn $useless test/user/loops.cc >"$log" 2>&1 ;;
	*) "$1" -std="$2" $3 $warn $useless test/user/loops.cc "$lib" -lm -pthread -o "$work/a.out" >"$log" 2>&1 &&
		"$work/a.out" >>"$log" 2>&1 ;;
	esac
	point $? "$1 -std=$2 $3"
}
for cxx in g++ clang++ g++-11 g++-13 g++-14 clang++-15 clang++-16 clang++-19; do
	if ! command -v $cxx >/dev/null; then
		case $cxx in *-*) ;; *) need $cxx "$(package_of $cxx)" $cxx ;; esac
		continue
	fi
	pass $cxx c++17 ''
	need_openmp $cxx "$cxx -fopenmp" || continue
	pass $cxx c++17 '-O2 -fopenmp'
	pass $cxx c++20 '-fopenmp -fsyntax-only'
	pass $cxx c++2b '-fopenmp -fsyntax-only'
done

# The functor is the same type in both files, so the linker merges what its loops are made of, unless they have two names.
cat >"$work/shared.hpp" <<'END'
#include <dls.hpp>
int level();	/* of OpenMP; 0 outside its regions */
struct look {
	std::atomic<int> *wrong;
	int wanted;
	void operator()(int) const { *wrong += level() != wanted; }
};
END
cat >"$work/parallel.cc" <<'END'
#include "shared.hpp"
int level() { return omp_get_level(); }
int parallel() { std::atomic<int> wrong{0}; dls::for_each(0, 100, look{&wrong, 1}); return wrong; }
END
cat >"$work/plain.cc" <<'END'
#include "shared.hpp"
int parallel();
int main() { std::atomic<int> wrong{0}; dls::for_each(0, 100, look{&wrong, 0}); return wrong + parallel(); }
END
for cxx in g++ clang++; do
	command -v $cxx >/dev/null && has_openmp $cxx || continue
	$cxx -std=c++17 -Iinclude -c "$work/plain.cc" -o "$work/plain.o" 2>"$log" &&
		$cxx -std=c++17 -fopenmp -Iinclude -c "$work/parallel.cc" -o "$work/parallel.o" 2>>"$log"
	point $? "$cxx: with and without OpenMP"
	for order in 'plain.o parallel.o' 'parallel.o plain.o'; do
		(cd "$work" && $cxx -fopenmp $order "$OLDPWD/$lib" -lm -pthread -o mixed && ./mixed) >"$log" 2>&1
		point $? "$cxx: $order in one program"
	done
done
printf '#include <dls.hpp>\n' >"$work/old.cc"
for cxx in g++ clang++; do
	command -v $cxx >/dev/null || continue
	$cxx -std=c++14 -Iinclude -fsyntax-only "$work/old.cc" 2>"$log"
	[ "$(grep -c 'error:' "$log")" -eq 1 ] && grep -q 'needs C++17' "$log"
	point $? "$cxx -std=c++14 is refused with one line"
done
# What is no range, and no bound, is refused, and so is a number that does not say that it is a worker's: an error for each line.
cat >"$work/calls" <<'END'
dls::for_each(0, 1.5, [](int) {})
dls::for_each(std::istream_iterator<int>(std::cin), std::istream_iterator<int>(), [](int) {})
dls::inclusive_scan(l, l.begin())
dls::for_tiles_2d(0.0, 1.0, 0, 5, 1, 1, [](int, int, int, int) {})
dls::for_each(false, true, [](int) {})
dls::for_each(7, [](int) {})
dls::for_each(0, 5, [](int, unsigned) {})
dls::for_chunks(0, 5, [](int, int, int) {})
dls::for_each(0, 5, [](int, dls::worker = {}) {})
dls::for_each_2d(0, 5, 0, 5, [](int, int, double) {})
dls::transform_reduce(0, 5, 0, std::plus<>(), [](int, unsigned) { return 1; })
END
{
	printf '#include <dls.hpp>\n#include <iostream>\n#include <list>\n'
	sed 's/.*/void f(std::list<int> \&l) { (void)l; &; }/' "$work/calls" | awk '{ sub(/f/, "f" NR + 3); print }'
} >"$work/wrong.cc"
for cxx in g++ clang++; do
	command -v $cxx >/dev/null || continue
	$cxx -std=c++17 -Iinclude -fsyntax-only "$work/wrong.cc" >"$log" 2>&1
	k=3
	while read -r call; do
		k=$((k + 1))
		grep -q "wrong\.cc:$k:[0-9]*:.*\(error\|required from here\|requested here\)" "$log"
		point $? "$cxx refuses $call"
	done <"$work/calls"
	for sentence in 'what an input iterator gives' 'a scan writes to a random-access iterator' 'loop over tiles are integers'; do
		grep -q "error: .*$sentence" "$log"
		point $? "$cxx says: $sentence"
	done
done
finish
