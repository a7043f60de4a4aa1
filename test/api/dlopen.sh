#!/bin/sh
# dlopen.sh - libdls.so loaded by a program that is running: after libraries that have used up glibc's static TLS, and
# with musl.  Fails if: the shared library has thread-locals of the initial-exec model, for which there may be no room; or
# libdls-omp.so cannot be built with musl without a warning, or loaded.
. test/sh.sh
so=$build/libdls.so
plain_builds_only

if need readelf binutils 'libdls.so needs no static TLS'; then
	! readelf -d "$so" | grep STATIC_TLS >"$log"
	point $? 'libdls.so needs no static TLS'
fi

# Twelve libraries with thread-locals of the initial-exec model, as many of them as there is room for; then ours, which runs a
# loop.
others=
for size in 1024 512 256 256 128 128 64 64 32 32 16 16; do
	other=$work/lib${#others}.so
	echo "__attribute__((tls_model(\"initial-exec\"))) __thread char room[$size]; char *get(void) { return room; }" |
		${CC:-cc} -shared -fPIC -x c -o "$other" -
	others="$others $other"
done
cat >"$work/load.c" <<'END'
#include <dlfcn.h>
#include <stdio.h>
#include "dls/loop.h"

int main(int argc, char **argv)
{
	int64_t begin, end, sum = 0;
	struct dls_loop *loop;
	void *dls;

	for (int i = 2; i < argc; i++)
		dlopen(argv[i], RTLD_NOW);
	dls = dlopen(argv[1], RTLD_NOW);
	if (!dls) {
		puts(dlerror());
		return 1;
	}

	__typeof__(dls_loop_open) *open = dlsym(dls, "dls_loop_open");
	__typeof__(dls_loop_start) *start = dlsym(dls, "dls_loop_start");
	__typeof__(dls_loop_next) *next = dlsym(dls, "dls_loop_next");

	if (open(&loop, 2, 0, 0) || start(loop, 0, 1000, 1))
		return 2;
	for (unsigned w = 0; w < 2; w++)
		while (next(loop, w, &begin, &end))
			sum += end - begin;
	printf("%d\n", (int)sum);
	return sum != 1000;
}
END
# shellcheck disable=SC2086 # several words
${CC:-cc} -Iinclude -o "$work/load" "$work/load.c" -ldl && "$work/load" "$so" $others >"$log" 2>&1 &&
	[ "$(cat "$log")" = 1000 ]
point $? 'dlopen after libraries that take all static TLS'

if with_musl; then
	make -s CC=musl-gcc B="$build" "$build/libdls-omp.so" >"$log" 2>&1 && [ ! -s "$log" ] &&
		LD_PRELOAD=$(realpath "$build")/libdls-omp.so DLS_SCHEDULE=ss "$work/load" "$so" >"$log" 2>&1 && [ "$(cat "$log")" = 1000 ]
	point $? 'libdls-omp.so before a program, with musl'
fi
finish
