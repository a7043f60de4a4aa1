#!/bin/sh
# strategy.sh - strategies of a program's own: the one of dls_strategy(3), in a source and in a plug-in, with the public
# headers and the shared library.  Fails if: it does not work by name where a built in one does (test/user/strategy.c), or a
# tool does not know what a preloaded plug-in registers.
#
# runs: machines, texts
. test/sh.sh
cc="${CC:-cc} ${SAN:+-fsanitize=$SAN} -O1 -g -Wall -Wextra -Werror -Iinclude -Itest -D_POSIX_C_SOURCE=200809L"
LD_LIBRARY_PATH=$build${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export LD_LIBRARY_PATH
awk '/^\.Ed/ { on = 0 } begins && /^#include/ && !n++ { on = 1 } { begins = /^\.Bd -literal/ }
	on { gsub(/\\e/, "\\"); print }' man/dls_strategy.3 >"$work/beg.c"
{ $cc -Dmain=example -c -o "$work/beg.o" "$work/beg.c" &&
  $cc ${OPENMP--fopenmp} -o "$work/program" "$work/beg.o" test/user/strategy.c -L"$build" -ldls -lm -pthread; } 2>"$log" ||
	bail 'cannot compile'
DLS_SCHEDULE=beg DLS_STRICT=1 "$work/program" >"$work/out" || bad=1
n=$(sed -n 's/^1\.\.\(.*\)/\1/p' "$work/out")
grep -v '^1\.\.' "$work/out"

# The plug-in may be linked with the shared library, or leave its symbols to the tool.
sim() {	# text, what it prints, options of dls-sim
	text=$1 wanted=$2
	shift 2
	if [ "${SAN-}" ]; then
		skip "$text" 'plain builds only'
		return
	fi
	LD_PRELOAD=$plugin "$bin/dls-sim" "$@" >"$log" 2>&1
	holds "$text" grep -q "$wanted" "$log"
}
for link in '' linked; do
	plugin=$work/beg$n.so
	$cc -shared -fPIC -o "$plugin" "$work/beg.c" ${link:+-L"$build"} ${link:+-ldls} || bad=1
	sim "dls-sim runs it${link:+, linked with the library}" 'beg,wait=0.5.*ask=[1-9]' --strategy beg,wait=0.5 --csv --processors 16
	sim "dls-sim lists it${link:+, linked with the library}" 'there are:.* repart beg$' --strategy big
done

# --plugin.  Fails if: a plug-in's error is lost, one that crashes takes the tool with it, or one that does nothing passes.
if [ "${SAN-}" ]; then
	skip '--plugin' 'plain builds only'
	finish
fi
tool=$bin/dls-sim
"$tool" --plugin "$plugin" --strategy beg,wait=0.5 --csv --processors 16 2>"$log" | grep -q 'ask=[1-9]'
point $? '--plugin'
: >"$log"
object() {	# name, C: a shared object of it
	printf '#include <signal.h>\n#include <dls.h>\n#include <dls/net.h>\n#include <dls/machine.h>\n#include <dls/strategy.h>\n%s\n' "$2" >"$work/$1.c"
	$cc -shared -fPIC -o "$work/$1.so" "$work/$1.c" 2>"$log" || bail 'cannot compile'
}
object twice 'int dls_plugin(void); int dls_plugin(void) { return dls_strategy_register(dls_strategy_find("rid")); }'
object nothing 'int unused(void); int unused(void) { return 0; }'
object crash '__attribute__((constructor)) static void crash(void) { raise(SIGSEGV); }'
object missing 'int no_such_function(void); int dls_plugin(void); int dls_plugin(void) { return no_such_function(); }'
object chunks 'static int init(void *state, const struct dls_loop_desc *loop) { (void)state, (void)loop; return 0; }
	static uint64_t next(void *state, uint64_t R) { (void)state; return R < 7 ? R : 7; }
	static const struct dls_calc sevens = { .size = sizeof(sevens), .name = "sevens", .source = "here", .state_size = 8,
		.init = init, .next = next };
	int dls_plugin(void); int dls_plugin(void) { return dls_calc_register(&sevens); }'
object noughts 'static int init(void *state, const struct dls_loop_desc *loop) { (void)state, (void)loop; return 0; }
	static uint64_t next(void *state, uint64_t R) { (void)state; return R > 13 ? 4 : 0; }
	static const struct dls_calc none = { .size = sizeof(none), .name = "noughts", .source = "here", .state_size = 8,
		.init = init, .next = next };
	int dls_plugin(void); int dls_plugin(void) { return dls_calc_register(&none); }'
object stray 'static void start(struct dls_vp *vp, void *s) { (void)s; dls_vp_send(vp, dls_vp_neighbour(vp, 0), 3, NULL); }
	static const struct dls_strategy stray = { .size = sizeof(stray), .name = "stray", .source = "here", .idea = "it strays", .start = start,
		.kind = { "only" } };
	int dls_plugin(void); int dls_plugin(void) { return dls_strategy_register(&stray); }'
stray() {	# exit status, and how often it says what is wrong
	"$tool" --plugin "$work/stray.so" --strategy stray --processors 2 >"$log" 2>&1
	echo "$? $(grep -c 'the strategy names no message kind 3' "$log")"
}
same 'a rule that DLS_CHECK watches over' '1 1' "$(stray)"
same 'unless it is 0' '0 0' "$(export DLS_CHECK=0; stray)"
: >"$log"
object again 'static unsigned one(const struct dls_net *n, unsigned p) { return n->processors > 1 && p < 2; }
	static unsigned other(const struct dls_net *n, unsigned p, unsigned i) { (void)n, (void)i; return 1 - p; }
	static unsigned far(const struct dls_net *n, unsigned p, unsigned q) { (void)n; return p != q; }
	static unsigned most(const struct dls_net *n) { return n->processors > 1; }
	static const struct dls_net_kind pair = { .size = sizeof(pair), .name = "pair", .form = "pair", .degree = one,
		.neighbour = other, .distance = far, .diameter = most };
	int dls_plugin(void); int dls_plugin(void) { return dls_net_register(&pair); }'
object ends '#include <stdlib.h>
	__attribute__((constructor)) static void end(void) { exit(0); }'
set -- --plugin "$work/again.so" --net pair --load spike --processors 2 --tasks 3 --costs ideal --csv
same 'a net of a plug-in' 'pair,spike,6' \
	"$("$tool" "$@" --strategy dem | sed -n 2p | cut -d, -f2,7,13)"
refused 'no neighbour is one link nearer' --plugin "$work/again.so" --net pair --processors 3
refused 'it ends the program, with exit status 0' --plugin "$work/ends.so"
refused "dls_plugin() returns -4" --plugin "$work/twice.so"
refused 'registers no strategy' --plugin "$work/nothing.so"
refused 'killed by signal' --plugin "$work/crash.so"
refused 'no_such_function' --plugin "$work/missing.so"
refused 'none.so' --plugin "$work/none.so"
refused 'there are:' --plugin "$plugin" --strategy big
same '--plugin of dls-chunks' 'sevens 3 7 6 7x2 6' "$("$bin/dls-chunks" -n 20 -s sevens --plugin "$work/chunks.so" | sed -n 's/  */ /g; /^sevens/p')"
for calc in chunks,sevens noughts,noughts; do
	"$tool" --plugin "$work/${calc%,*}.so" --strategy "repart,calc=${calc#*,}" --processors 4 >"$log" 2>&1
	point $? "a calculator of a plug-in under repart: ${calc#*,}"
done
# Fails if the tool divides by the size of a chunk of no iterations.
tool=$bin/dls-chunks
refused 'next() of calculator noughts returned 0 with 12 of 20 iterations left' -n 20 -s noughts --plugin "$work/noughts.so"
finish
