#!/bin/sh
# lint.sh - what make lint finds in a copy of the tree where it was planted.
#
# Fails if lint misses: a folder that uses, or includes, what stands after it; sched/ that uses a private function; a folder
# without a place in the order; two files of a folder that use each other, by what they name or include; an invariant
# that is named where it is not stated, or that dls_internals(7) does not list; a tag with two meanings; a private name that is
# a public one with an underscore more; a dispenser known by its address; an extern declaration in a .c file; a file that
# writes, by a stream or a descriptor, beside the one that holds back signals; a symbol that libdls.so exports unasked.
#
# runs: machines, once
. test/sh.sh
plain_builds_only
for tool in mandoc nm objdump readelf; do
	command -v $tool >/dev/null || skip_all "no $tool (packages mandoc, binutils)"
done
tree=$work/tree
mkdir -p "$tree/build" && cp -r include lib sched bench test README.md "$tree" &&
	mkdir "$tree/man" && cp man/dls.7 man/dls_internals.7 man/dls_chunk.7 man/dls_balance.7 man/dls_stats.3 "$tree/man" &&
	cp -r "$build/man" "$tree/build" && rm "$tree"/build/man/dls-*.1 &&
	cp -r "$build/lib" "$build/sched" "$tree/build" || bail "no objects in $build: run make"

plant() {	# file, its text as standard input
	mkdir -p "$tree/${1%/*}" "$tree/build/${1%/*}"
	cat >"$tree/$1"
	case $1 in *.c) (cd "$tree" && ${CC:-cc} -std=c11 -fPIC -I. -c -o "build/${1%c}o" "$1") || exit 1 ;; esac
}
plant lib/deal/planted_late.c <<'END'
void dls__planted(void);
__attribute__((visibility("default"))) void dls_planted(void);
void dls__planted(void) {}
void dls_planted(void) {}
END
{ echo 'struct dls__planted { int x; };' && echo 'void dls__planted(void);'; } | plant lib/deal/planted_late.h
echo 'struct dls__planted { int y; };' | plant lib/deal/planted_twice.h
echo 'static int planted(const void *x) { return x == &dls__ranges; }' >"$tree/lib/mpi/planted_address.c"
# The header's inline function calls what needs the header.
plant lib/net/planted_short.h <<'END'
void dls__planted_long(void);
static inline void dls__planted_short(void)
{
	dls__planted_long();
}
END
plant lib/net/planted_long.c <<'END'
#include "lib/net/planted_short.h"
void dls__planted_long(void)
{
}
END
echo '#include "lib/net/planted_to.h"' | plant lib/net/planted_fro.h
echo '#include "lib/net/planted_fro.h"' | plant lib/net/planted_to.h
for one in one:two two:one; do
	for folder in net mpi; do
		printf 'void dls__planted_%s(void)\n{\n\tdls__planted_%s();\n}\n' ${one%:*} ${one#*:} >"$tree/lib/$folder/planted_${one%:*}.c"
	done
done
plant lib/net/planted_stated.h <<'END'
/* planted_stated.h
 *
 * Q1: planted. */
END
echo '/* Q1, planted_stated.Q2, planted_stated.Q1 */' | plant lib/net/planted_named.h
plant lib/base/planted_early.c <<'END'
#include "lib/deal/planted_late.h"
extern int planted_table[];
void early(void);
void omp_set_num_threads(int);
void early(void) { dls__planted(); omp_set_num_threads(1); }
END
plant sched/chunk/planted_pure.c <<'END'
void dls__planted(void);
void pure(void);
void pure(void) { dls__planted(); }
END
plant lib/nowhere/planted_new.c <<'END'
void nowhere(void);
void nowhere(void) {}
END
plant lib/base/planted_writer.c <<'END'
#include <stdio.h>
#include <unistd.h>
void writer(void);
void writer(void)
{
	fputs("x", stderr);
	if (write(2, "x", 1) == 1)
		fopen("x", "w");
}
END
echo 'void x(void) { dprintf(2, "x"); }' >"$tree/lib/mpi/planted_mpi.c"
sed '/^global:/a\
	dls_planted;' lib/libdls.map >"$work/map"
pic=$(for source in $(ls sched/*.c sched/*/*.c lib/*/*.c | grep -v "^lib/omp/\|^lib/mpi/"); do echo "$build/${source%c}o"; done)
${CC:-cc} -shared -Wl,--version-script="$work/map" -o "$tree/build/libdls.so" $pic "$tree/build/lib/deal/planted_late.o" \
	-lm -pthread || exit 1
# Few pages, and no compiler of headers, are enough for what is planted.
(cd "$tree" && CC=true CXX=none B=build sh test/lint.sh) >"$log"
same 'status' 1 $?
while read -r line; do
	holds "$line" grep -qxE "$line" "$log"
done <<'END'
lib/base/planted_early.c: early uses dls__planted of lib/deal/planted_late.c, which stands after it
sched/chunk/planted_pure.c: pure uses dls__planted of lib/deal/planted_late.c, which stands after it
lib/base/planted_early.c:1: includes lib/deal/planted_late.h, which stands after it
lib/base/planted_writer.c: uses stderr; lib/base/writing.c writes
lib/base/planted_writer.c: uses write; lib/base/writing.c writes
lib/base/planted_writer.c:8: opens a file to write; lib/base/writing.c writes
lib/mpi/planted_mpi.c:1: lib/base/writing.c writes
lib/nowhere: has no place in the order of folders
lib/net/planted_(one|two)\.c, lib/net/planted_(one|two)\.c: these files use each other in turn, by what they include or name
lib/net/planted_(short\.h|long\.c), lib/net/planted_(short\.h|long\.c): these files use each other in turn, by what they include or name
lib/net/planted_(to|fro)\.h, lib/net/planted_(to|fro)\.h: these files use each other in turn, by what they include or name
lib/mpi/planted_(one|two)\.c, lib/mpi/planted_(one|two)\.c: these files use each other in turn, by what they include or name
lib/net/planted_named\.h:1: Q1 is not stated here; .*
lib/net/planted_named\.h:1: no file planted_stated states Q2
man/dls_internals\.7: lib/net/planted_stated\.h states Q1
lib/deal/planted_late\.h lib/deal/planted_twice\.h: all define dls__planted
lib/mpi/planted_address\.c:1: compares the address of a dispenser, .*
lib/base/planted_early.c:2: extern declarations belong into headers
lib/base/planted_early.c: uses omp_set_num_threads; the settings are the program's
libdls.so: .*dls_planted .*
END
! grep -q 'no file planted_stated states Q1' "$log"
point $? 'an invariant is named by its file'
finish
