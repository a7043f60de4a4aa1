#!/bin/sh
# programs.sh - Debian's programs as they are installed, under dls-run.
#
# Fails if: the output of a program differs from that of the program alone, or its exit status is not 0, when dls-run starts it
# with no schedule, under static, fac2, awf-b, auto or, where its output does not depend on the order of iterations, steal;
# the same, with libomp in libgomp's place, under fac2 or watched; or none of the programs had a loop in the report.
# PROGRAMS="par2 xtb" runs these alone.
#
# runs: once
. test/omp.sh
under_dls_run
case ${CC-} in clang*) skip_all 'the programs are those of the other build' ;; esac
input=$work/input
mkdir "$input"

# Sequences that are related: copies of one with drawn changes, more from copy to copy.
sequences() {	# letters, number, length, rate of changes
	awk -v letters="$1" -v number="$2" -v length_="$3" -v rate="$4" 'BEGIN {
		srand(7)
		n = split(letters, letter, "")
		for (k = 1; k <= length_; k++)
			base[k] = letter[1 + int(n * rand())]
		for (i = 1; i <= number; i++) {
			s = ""
			for (k = 1; k <= length_; k++)
				s = s (rand() < rate * (i % 20 + 1) ? letter[1 + int(n * rand())] : base[k])
			print ">s" i "\n" s
		}
	}'
}
sequences ACGT 60 400 .002 >"$input/dna"
sequences ARNDCQEGHILKMFPSTWYV 40 150 .012 >"$input/proteins"
sequences ARNDCQEGHILKMFPSTWYV 12 100 .012 >"$input/few"
sequences ACGT 3000 100 .02 | grep -v '>' >"$input/data"

# Ten molecules of water.
awk 'BEGIN {
	print 30 "\n"
	for (i = 0; i < 10; i++) {
		x = 3.1 * (i % 3); y = 3.1 * int(i / 3); z = .3 * i
		printf "O %f %f %f\nH %f %f %f\nH %f %f %f\n", x, y, z, x + .757, y + .586, z, x - .757, y + .586, z
	}
}' >"$input/water.xyz"

cat >"$input/boost.py" <<'PY'
import hashlib
import numpy
from sklearn.datasets import make_regression
from sklearn.ensemble import HistGradientBoostingRegressor
from sklearn.cluster import KMeans
from sklearn.neighbors import KNeighborsRegressor
x, y = make_regression(3000, 20, random_state=1)
boost = HistGradientBoostingRegressor(max_iter=20, random_state=1).fit(x, y).predict(x)
means = KMeans(8, n_init=1, random_state=1).fit(x).labels_
near = KNeighborsRegressor(algorithm="brute").fit(x, y).predict(x[:500])
for result in boost, means, near:
    print(hashlib.sha256(numpy.round(result, 6).tobytes()).hexdigest())
PY
cat >"$input/trees.py" <<'PY'
import numpy
import xgboost
random = numpy.random.RandomState(1)
x = random.rand(4000, 20)
y = x[:, 0] * 3 + numpy.sin(5 * x[:, 1]) + random.rand(4000)
data = xgboost.DMatrix(x, y)
model = xgboost.train({"nthread": 2, "tree_method": "hist", "seed": 1}, data, 15)
print(numpy.round(model.predict(data), 4).tolist())
PY
cat >"$input/layers.py" <<'PY'
import torch
torch.manual_seed(1)
torch.set_num_threads(2)
x = torch.rand(600, 300)
layers = torch.nn.Sequential(torch.nn.Linear(300, 200), torch.nn.Tanh(), torch.nn.Linear(200, 1))
loss = layers(x).square().mean()
loss.backward()
print([round(float(p.grad.abs().sum()), 3) for p in layers.parameters()])
print(float(torch.sort(torch.rand(400, 500))[0].cumsum(1).double().sum().round()), torch.rand(900, 900).argmax(1).sum())
PY
cat >"$input/graph.c" <<'END_C'
#include <GraphBLAS.h>
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
	enum { N = 3000, LINKS = 12 };
	GrB_Index n = N * LINKS, *row = malloc(n * sizeof(*row)), *column = malloc(n * sizeof(*column));
	uint64_t *value = malloc(n * sizeof(*value)), drawn = 1, sum = 0;
	GrB_Matrix a, square, masked;

	if (GrB_init(GrB_NONBLOCKING) || GxB_set(GxB_NTHREADS, 2) || GxB_set(GxB_CHUNK, 64.0))
		return 1;
	for (GrB_Index k = 0; k < n; k++) {
		drawn = drawn * 6364136223846793005u + 1442695040888963407u;
		row[k] = k / LINKS;
		column[k] = (drawn >> 40) % (row[k] + 1);	/* a triangle: rows differ */
		value[k] = 1 + (drawn >> 33) % 7;
	}
	GrB_Matrix_new(&a, GrB_UINT64, N, N);
	GrB_Matrix_new(&square, GrB_UINT64, N, N);
	GrB_Matrix_new(&masked, GrB_UINT64, N, N);
	if (GrB_Matrix_build_UINT64(a, row, column, value, n, GrB_PLUS_UINT64) ||
	    GrB_mxm(square, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_UINT64, a, a, NULL) ||
	    GrB_mxm(masked, a, NULL, GrB_PLUS_TIMES_SEMIRING_UINT64, a, square, GrB_DESC_T1) ||
	    GrB_Matrix_nvals(&n, square))
		return 1;
	printf("%llu\n", (unsigned long long)n);
	GrB_Matrix_nvals(&n, masked);
	GrB_Matrix_reduce_UINT64(&sum, NULL, GrB_PLUS_MONOID_UINT64, masked, NULL);
	printf("%llu %llu\n", (unsigned long long)n, (unsigned long long)sum);
	return GrB_finalize();
}
END_C

# Each runs in an empty folder, started by $run, and leaves what is compared in the file result.
run_fasttree() { $run fasttreeMP -quiet -nopr -nt "$input/dna" >result; }
run_sumaclust() { $run sumaclust -p 2 -t 0.9 "$input/dna" >result; }
run_clustalo() { $run clustalo --threads=2 -i "$input/proteins" -o result >out; }
run_par2() { cp "$input/data" . && $run par2 create -q -q -s4096 -r20 -t2 x.par2 data >out && cat ./*.par2 >result; }
run_graphicsmagick() { $run gm convert -size 400x300 gradient:red-blue -swirl 90 -blur 0x3 -wave 5x50 -charcoal 1 result.ppm && mv result.ppm result; }
run_xtb() {	# whose last digits differ from run to run
	$run xtb "$input/water.xyz" --gfn 2 --grad >out && sed -nE '/TOTAL ENERGY|GRADIENT NORM/s/([.][0-9]{6})[0-9]*/\1/p' out >result
}
run_iqtree() {
	$run iqtree2 -s "$input/few" -m LG+G4 -T 2 -seed 5 -quiet -pre tree -n 0 >out && cp tree.treefile result
}
run_mmseqs2() { $run mmseqs easy-search "$input/proteins" "$input/proteins" found tmp --threads 2 -k 5 -v 1 >out && sort found >result; }
run_suitesparse() { $run "$work/graph" >result; }
run_scikit_learn() { $run /usr/bin/python3 "$input/boost.py" >result; }
run_xgboost() { $run /usr/bin/python3 "$input/trees.py" >result; }
run_pytorch() { $run /usr/bin/python3 "$input/layers.py" >result; }

# The time that dls-run's programs take, beside their own.
now() { date +%s%N; }
into() {	# folder, program
	mkdir "$1"
	(cd "$1" && "run_$2" 2>>err)
}
under() {	# program, words of dls-run
	one=$1
	shift
	rm -rf "$work/run"
	run="$dls_run $*"
	began=$(now)
	into "$work/run" "$one" && cmp "$work/native/result" "$work/run/result" >"$log" 2>&1
	status=$?
	took=$((($(now) - began) / 1000000))
	[ $status -eq 0 ] || tail -n 5 "$work/run/err" >>"$log"
	times="$times, $took $schedule"
	return $status
}

loops=0
program() {	# name, package, command or file that it brings, steal or ordered
	case " ${PROGRAMS-$1} " in *" $1 "*) ;; *) return ;; esac
	if ! [ -e "$3" ] && ! command -v "$3" >"$log"; then
		skip "$1" "$3 is not installed (package $2)"
		return
	fi
	if [ "$1" = suitesparse ] && ! ${CC:-cc} -o "$work/graph" "$input/graph.c" -lgraphblas 2>"$log"; then
		skip "$1" 'its headers and the compiler disagree'
		return
	fi
	rm -rf "$work/native" "$work/again"
	run=''
	began=$(now)
	into "$work/native" "$1" || bail "$1 does not run: $(tail -n 1 "$work/native/err")"
	times="ms: $((($(now) - began) / 1000000)) alone"
	into "$work/again" "$1"
	if ! cmp -s "$work/native/result" "$work/again/result"; then
		skip "$1" 'its output differs from run to run without dls-run'
		return
	fi
	schedule=unset
	under "$1"
	point $? "$1, no schedule"
	for schedule in static fac2 awf-b auto steal; do
		# shellcheck disable=SC2086 # a word or none
		under "$1" $([ "$schedule $4" != 'steal steal' ] || echo --unordered) --schedule "$schedule"
		point $? "$1, $schedule"
	done
	schedule=report
	under "$1" --report "$work/report.%p.csv"
	point $? "$1, watched"
	case $libomp:$1 in
	?*:fasttree | ?*:sumaclust | ?*:par2)
		export LD_LIBRARY_PATH="$work/libomp"
		schedule='fac2 by libomp'
		under "$1" --schedule fac2
		point $? "$1, $schedule"
		schedule='report by libomp'
		under "$1" --report "$work/report.%p.csv"
		point $? "$1, $schedule"
		unset LD_LIBRARY_PATH ;;
	esac
	found=$(cat "$work"/report.*.csv 2>/dev/null | cut -d, -f1 | grep -vx site | sort -u | wc -l)
	rm -f "$work"/report.*.csv
	loops=$((loops + found))
	echo "# $1: $found loops; $times"
}

libomp=
for libomp in /usr/lib/llvm-*/lib/libomp.so.5 /usr/lib/*/libomp.so.5 ''; do
	[ -e "$libomp" ] && mkdir "$work/libomp" && ln -s "$libomp" "$work/libomp/libgomp.so.1" && break
done
unset libraries
for folder in /usr/lib/*-linux-gnu /usr/lib64 /usr/lib; do
	[ -e "$folder/libgraphblas.so" ] && libraries=$folder && break
done
python=/usr/lib/python3/dist-packages
program fasttree fasttree fasttreeMP steal
program sumaclust sumaclust sumaclust ordered
program par2 par2 par2 steal
program graphicsmagick graphicsmagick gm steal
program clustalo clustalo clustalo steal
program xtb xtb xtb steal
program iqtree iqtree iqtree2 steal
program mmseqs2 mmseqs2 mmseqs steal
program suitesparse libgraphblas-dev "${libraries-}/libgraphblas.so" steal
program scikit_learn python3-sklearn $python/sklearn/__init__.py steal
program xgboost python3-xgboost $python/xgboost/__init__.py steal
program pytorch python3-torch $python/torch/__init__.py steal
if [ "$n" -gt 0 ] && [ -d "$work/native" ]; then
	holds "the reports name $loops loops" [ "$loops" -gt 0 ]
fi
finish
