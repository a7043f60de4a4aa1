#!/bin/sh
# dlclose.sh - plug-ins with loops come and go: their sites stay, each with its own figures.
#
# Two plug-ins of one layout, so that the second most often lies where the first did.  Fails if: a site keeps a pointer into a
# plug-in that is gone (the program crashes, or takes the second's loop for the first's), the library goes with the plug-in that
# brought it, be that linked with libdls.so or with libdls.a, libdls-omp.so goes and leaves what it has registered, a report lacks a
# plug-in's loops, each opening of a plug-in with loops of dls.hpp without OpenMP leaves threads; if libdls.so has thread-locals of the
# initial-exec model, for which there may be no room; or if libdls-omp.so cannot be built with musl without a warning, or loaded.
. test/sh.sh
plain_builds_only
[ -e "$build/libdls.so" ] || skip_all "no $build/libdls.so"

rpath=-Wl,-rpath,$(cd "$build" && pwd)
plugin() {	# name iterations what it is linked with
	cat >"$work/$1.c" <<-END
		#include <dls.h>
		static int done;
		int run(void)
		{
			done = 0;
			DLS_PARALLEL_FOR(i, 0, $2, .schedule = "ss")
				__atomic_fetch_add(&done, 1, __ATOMIC_RELAXED);
			DLS_PARALLEL_FOR(i, 0, $2, .name = "$1 named", .schedule = "gss")
				__atomic_fetch_add(&done, 1, __ATOMIC_RELAXED);
			return done;
		}
	END
	source=$work/$1.c
	file=$work/$1.so
	shift 2
	# shellcheck disable=SC2086 # several words
	${CC:-gcc} -g $OPENMP -Iinclude -fPIC -shared -o "$file" "$source" "$@"
}
program() {	# name what it is linked with
	name=$1
	shift
	# shellcheck disable=SC2086
	${CC:-gcc} -g $OPENMP -Iinclude -o "$work/$name" "$work/$name.c" "$@" -ldl
}

cat >"$work/common.h" <<'END'
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef _OPENMP
#include <omp.h>
#endif

/* libgomp may not be unloaded: its threads spin in it. */
static int keep_openmp(void)
{
#ifdef _OPENMP
	return omp_get_max_threads();
#else
	return 1;
#endif
}

/* Open the plug-in, run its loops, close it. */
static void use(const char *file, int iterations)
{
	void *plugin = dlopen(file, RTLD_NOW | RTLD_LOCAL);
	int (*run)(void) = plugin ? (int (*)(void))(intptr_t)dlsym(plugin, "run") : NULL;

	if (!run) {
		puts(dlerror());
		exit(1);
	}
	if (run() != 2 * iterations) {
		puts("iterations are lost");
		exit(1);
	}
	if (dlclose(plugin)) {
		puts(dlerror());
		exit(1);
	}
}
END
cat >"$work/stranger.c" <<'END'
#include "common.h"

int main(int argc, char **argv)
{
	int status = 1;
	pid_t child;

	for (int k = 0; k < 3 && argc == 4 && keep_openmp(); k++) {
		use(argv[1], 100);
		use(argv[2], 300);
	}
	child = fork();
	if (child == 0)
		_exit(0);
	waitpid(child, &status, 0);
	if (!dlopen(argv[3], RTLD_NOW | RTLD_NOLOAD)) {
		puts("the library went");
		return 1;
	}
	return status ? 1 : 0;
}
END

{ plugin one 100 -L"$build" -ldls "$rpath" && plugin two 300 -L"$build" -ldls "$rpath" && plugin three 100 "$lib" -lm -pthread &&
	plugin four 300 "$lib" -lm -pthread && program stranger; } >"$log" 2>&1
point $? 'plug-ins and programs build'
DLS_REPORT="$work/stranger.csv" DLS_TRACE="$work/stranger.json" \
	"$work/stranger" "$work/one.so" "$work/two.so" "$build/libdls.so" >"$log" 2>&1 && [ ! -s "$log" ]
point $? 'plug-ins come and go in a program that has not the library, which stays'
cut -d, -f1,6,8,9 "$work/stranger.csv" >"$log" 2>&1
missing=0
for row in 'one.c:6",all,3,300' '"one named",all,3,300' 'two.c:6",all,3,900' '"two named",all,3,900'; do
	grep -q "$row\$" "$log" || { echo "no $row" >>"$log"; missing=1; }
done
point $missing 'one report has the loops of both, each with its own figures'
grep -q '"site":"one named"' "$work/stranger.json" && grep -q '"site":"two named"' "$work/stranger.json" &&
	grep -q '^\]}' "$work/stranger.json"
point $? 'so has the trace'
DLS_REPORT="$work/static.csv" "$work/stranger" "$work/three.so" "$work/four.so" "$work/three.so" >"$log" 2>&1 &&
	[ "$(grep -vc 'this process writes that file already' "$log")" -eq 0 ]
point $? 'plug-ins that are linked with libdls.a: each stays with its own library'
cut -d, -f1,6,8,9 "$work/static.csv" | grep -q '"three named",all,3,300$'
point $? '... whose report is written at the end'
if with_musl; then
	skip 'what libdls-omp.so has registered lasts' "musl opens no library with thread-locals of the initial-exec model: it is preloaded"
elif [ -e "$build/libdls-omp.so" ]; then
	cat >"$work/opens.c" <<-'END'
		#include "common.h"

		int main(int argc, char **argv)
		{
			void *omp = argc == 3 && keep_openmp() ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;

			if (!omp || dlclose(omp)) {
				puts(dlerror());
				return 1;
			}
			use(argv[2], 100);
			return 0;
		}
	END
	program opens && DLS_REPORT=stderr "$work/opens" "$build/libdls-omp.so" "$work/one.so" >"$log" 2>&1 &&
		grep -q '^one named (run)$' "$log"
	point $? 'what libdls-omp.so has registered lasts'
else
	skip 'what libdls-omp.so has registered lasts' "no $build/libdls-omp.so"
fi

# Twelve libraries with thread-locals of the initial-exec model, as many of them as there is room for; then the plug-in, with ours.
others=
for size in 1024 512 256 256 128 128 64 64 32 32 16 16; do
	other=$work/lib${#others}.so
	echo "__attribute__((tls_model(\"initial-exec\"))) __thread char room[$size]; char *get(void) { return room; }" |
		${CC:-cc} -shared -fPIC -x c -o "$other" -
	others="$others $other"
done
cat >"$work/full.c" <<'END'
#include "common.h"

int main(int argc, char **argv)
{
	for (int i = 2; i < argc && keep_openmp(); i++)
		dlopen(argv[i], RTLD_NOW);
	use(argv[1], 100);
	return 0;
}
END
# shellcheck disable=SC2086 # several words
program full && "$work/full" "$work/one.so" $others >"$log" 2>&1
point $? 'a plug-in after libraries that take all static TLS'
if need readelf binutils 'libdls.so needs no static TLS'; then
	! readelf -d "$build/libdls.so" | grep STATIC_TLS >"$log"
	point $? 'libdls.so needs no static TLS'
fi
if with_musl; then
	make -s CC=musl-gcc B="$build" "$build/libdls-omp.so" >"$log" 2>&1 && [ ! -s "$log" ] &&
		LD_PRELOAD=$(realpath "$build")/libdls-omp.so "$work/full" "$work/one.so" >"$log" 2>&1
	point $? 'libdls-omp.so before a program, with musl'
fi

# Without unique symbols, which would keep the plug-in loaded.
cat >"$work/threads.cc" <<'END'
#include <dls.hpp>
extern "C" int run()
{
	std::atomic<int> done{0};

	dls::for_each(0, 200, [&](int) { done++; });
	return done;
}
END
cat >"$work/threads.c" <<'END'
#include <string.h>
#include "common.h"

/* Once more each time: as many threads as after the first? */
static int threads(void)
{
	char line[200];
	int n = 0;
	FILE *file = fopen("/proc/self/status", "r");

	while (file && fgets(line, sizeof(line), file))
		if (strncmp(line, "Threads:", 8) == 0)
			n = atoi(line + 8);
	return n;
}

int main(int argc, char **argv)
{
	int first = 0;

	for (int k = 0; k < 5 && argc == 2; k++) {
		use(argv[1], 100);
		first = first ? first : threads();
	}
	printf("%d threads, then %d\n", first, threads());
	return first != threads();
}
END
if with_musl; then
	skip 'a plug-in in C++ leaves no threads' 'musl unloads nothing, and g++ links with glibc'
elif need g++ g++ 'a plug-in in C++ leaves no threads'; then
	g++ -std=c++17 -O2 -Iinclude -fPIC -fno-gnu-unique -shared -o "$work/threads.so" "$work/threads.cc" -L"$build" -ldls \
		-Wl,-rpath,"$(cd "$build" && pwd)" >"$log" 2>&1 && program threads >>"$log" 2>&1 &&
		"$work/threads" "$work/threads.so" >>"$log" 2>&1
	point $? 'a plug-in in C++ leaves no threads'
	sed 's/^/# /' "$log"
fi
finish
