#!/bin/sh
# output.sh - the files of DLS_REPORT and DLS_TRACE: what their names stand for, where links lead, what devices and FIFOs
# do, what is left when several processes, or two copies of the library in one, write to one name.
#
# Fails if: a write of the library's that fails, on stderr or into a file, ends the program, or marks its stderr; the format follows
# from where a link leads, a link is replaced by a file, a program waits at its start, a file is changed before it is whole or stays
# half written, its rights change (its owner: api/system.c), a letter after % is taken for what it is not, an error does not name
# its cause, a report is missed in silence, a copy of the library writes over what another one wrote, or a child of fork() writes.
#
# runs: texts
. test/sh.sh
lib=$build
unset MAKEFLAGS
# LeakSanitizer says so where a thread ends while it looks at them, and messages are counted here.
case ${SAN-} in *address*) export ASAN_OPTIONS=detect_leaks=0 ;; esac
top=$PWD
case $lib in /*) ;; *) lib=$top/$lib ;; esac

cat >"$work/program.c" <<'END'
/* A loop, a child of fork() with one more, a shell command, a loop in the plug-in; then "output" and status 7.  IDLE: no loop. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#include "dls.h"
static void work(void)
{
	struct dls_loop *loop;
	struct dls_site *site;
	int64_t begin, end;

	if (getenv("IDLE"))
		return;
	if (dls_site_named(&site, "main") || dls_loop_open(&loop, 1, site, DLS_LOOP_EVERY_CHUNK) ||
	    dls_loop_set_schedule(loop, "ss") || dls_loop_start(loop, 0, 2000, 1))
		exit(1);
	while (dls_loop_next(loop, 0, &begin, &end))
		;
	dls_loop_end(loop, NULL);
	dls_loop_close(loop);
}
int main(int argc, char **argv)
{
	const char *during = getenv("DURING");
	int status;
	pid_t pid;

	work();
	if ((pid = fork()) == 0) {
		work();
		exit(0);
	}
	waitpid(pid, &status, 0);
	if (during && system(during))
		return 1;
	if (argc > 1) {
		void *plugin = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
		void (*run)(void) = NULL;

		*(void **)&run = plugin ? dlsym(plugin, "run") : NULL;
		if (!run)
			return 2;
		run();
	}
	if (chdir("/"))
		return 3;
	puts("output");
	return ferror(stderr) ? 8 : 7;
}
END
cat >"$work/plugin.c" <<'END'
#include "dls.h"
void run(void)
{
	DLS_PARALLEL_FOR(i, 0, 10, .name = "plugin")
		(void)i;
}
END
compile() { ${CC:-cc} -Wall -Wextra -Werror ${SAN:+-fsanitize=$SAN} -I"$top/include" "$@"; }
compile "$work/program.c" "$lib/libdls.a" -lm -pthread -ldl -o "$work/program" 2>"$log" || bail 'cannot compile'

cd "$work" || exit 1
# The program with these variables; true if it prints and returns what it should, and says nothing.
run() { said "$@" && [ ! -s log ]; }
said() { env "$@" ./program ${plugin-} >out 2>log; [ $? -eq 7 ] && [ "$(cat out)" = output ]; }
# One line, about a variable, with this in it.
line() { [ "$(wc -l <log)" -eq 1 ] && grep -q "^libdls: $1=.*: $2" log; }
is_csv() { head -n 1 "$1" | grep -q '^site,schedule,' && grep -q '^"main",.*,all,' "$1"; }
is_trace() { grep -q traceEvents "$1" && [ "$(tail -n 1 "$1")" = ']}' ] && [ "$(grep -c '"ph":"X"' "$1")" -eq 2000 ]; }

mkdir data
echo old >data/report
ln -s data/report link.csv
run DLS_REPORT=link.csv && [ -h link.csv ] && [ -f data/report ] && is_csv data/report
point $? 'a link: the format is that of its name, and what it leads to is replaced'
ln -s loop loop
said DLS_TRACE=loop && line DLS_TRACE '.*[Ss]ymbolic link.*; no trace'
point $? 'a link to itself is told of'

mkfifo fifo.json
DLS_TRACE=fifo.json DURING='>started' ./program >out 2>log &
pid=$!
i=0
while [ ! -e started ] && [ $i -lt 3000 ]; do sleep 0.1; i=$((i + 1)); done
[ -e started ] || kill $pid
if [ -e started ]; then cat fifo.json >read; fi
wait $pid
[ $? -eq 7 ] && [ ! -s log ] && [ "$(cat out)" = output ] && is_trace read
point $? 'a FIFO without a reader does not keep the program from starting'
DLS_TRACE=fifo.json ./program >out 2>log &
pid=$!
head -c 1 fifo.json >/dev/null
wait $pid
[ $? -eq 7 ] && line DLS_TRACE 'Broken pipe'
point $? 'a reader that goes away is told of and changes nothing else'
if [ -w /dev/full ]; then
	said DLS_TRACE=/dev/full && line DLS_TRACE 'No space left on device; the trace is not whole' &&
		ln -s /dev/full full.csv && said DLS_REPORT=full.csv && line DLS_REPORT 'No space left on device; it is not'
	point $? 'a full device is told of by that name'
else
	skip 'a full device is told of by that name' 'no /dev/full'
fi
run DLS_TRACE=/dev/null && [ -c /dev/null ]
point $? '/dev/null stays'
(echo before; env DLS_TRACE=/dev/stdout ./program; echo after) >out 2>log
[ ! -s log ] && [ "$(head -n 1 out)" = before ] && [ "$(tail -n 1 out)" = after ] && grep -qx output out &&
	sed '/^before$/d; /^after$/d; /^output$/d' out >read && is_trace read
point $? '/dev/stdout is written on'

said DLS_TRACE=/dev/fd/5 5>read && is_trace read && [ ! -s log ] &&
	said DLS_TRACE=/proc/self/fd/5 5>read && is_trace read && [ ! -s log ]
point $? 'so is any other descriptor'
said DLS_TRACE=/dev/fd/57 && line DLS_TRACE 'Bad file descriptor; no trace' &&
	said DLS_TRACE=/dev/fd/5x && line DLS_TRACE '\(No such file or directory\|Read-only file system\); ' &&
	said DLS_TRACE=/dev/fd/99999999999 && line DLS_TRACE '\(No such file or directory\|Read-only file system\); ' &&
	said DLS_TRACE=/dev/fd/x && line DLS_TRACE '\(No such file or directory\|Read-only file system\); '
point $? 'a descriptor that is not open is told of'
mkdir gone
(cd gone && rmdir ../gone && DLS_REPORT=x.csv ../program >../out 2>../log)
[ $? -eq 7 ] && line DLS_REPORT 'No such file or directory; no report'
point $? 'a folder that was removed is told of'

mkdir x.csv
said DLS_REPORT=x.csv && line DLS_REPORT 'Is a directory; no report' &&
	said DLS_REPORT=no/x.csv && line DLS_REPORT 'No such file or directory; no report' &&
	said DLS_TRACE=program/x && line DLS_TRACE 'Not a directory; no trace'
point $? 'a folder, a folder that is not there, a file as a folder are told of'
printf 'old\n' >kept.json
ln kept.json twin
chmod 640 kept.json
run DLS_TRACE=kept.json DURING='[ "$(cat kept.json)" = old ]' && is_trace kept.json && [ "$(cat twin)" = old ] && ls -l kept.json | grep -q '^-rw-r-----'
point $? 'a file is replaced as a whole, and keeps its rights'
(umask 027; run DLS_REPORT=made.csv) && ls -l made.csv | grep -q '^-rw-r-----'
point $? 'a new one has those that are usual'
echo old >short.json
(ulimit -f 8; said DLS_TRACE=short.json) && line DLS_TRACE 'File too large; the trace is not whole' &&
	[ "$(cat short.json)" = old ]
point $? 'what cannot be written leaves the old file'
# stderr whose reader has gone; one into a file that may not grow; one that is full; none.
mkfifo broken
messages='DLS_REPORT=stderr DLS_DISPLAY_ENV=1 DLS_SCHEDULE=nonsense DLS_TRACE=no/x'
full=
[ ! -c /dev/full ] || full='2>/dev/full'
for to in '8<>broken 2>broken 8<&-' '2>grows' $full '2>&-'; do
	[ -z "${SAN-}" ] || { skip "stderr $to" 'sanitizers write to stderr and to files of their own'; continue; }
	# shellcheck disable=SC2086 # several words
	out=$(ulimit -f 0; eval exec "$to"; env $messages ./program; echo $?)
	[ "$out" = "output
7" ]
	point $? "stderr $to: what is printed and returned is the program's own"
done
echo killed >left
env DLS_TRACE=taken.json sh -c 'for i in 0 1 2; do ln left "taken.json.dls-$$-$i"; done; exec ./program' >out 2>log
[ $? -eq 7 ] && [ ! -s log ] && is_trace taken.json && [ "$(cat left)" = killed ]
point $? 'what a killed process of the same number has left is in nobody'"'"'s way'
rm -f taken.json.dls-*
ls | grep '\.dls-' >log
holds 'nothing is left beside the files' [ ! -s log ]

for i in 1 2 3 4 5 6; do DLS_TRACE=shared.json ./program >/dev/null 2>log$i & done
wait
cat log[1-6] >log
is_trace shared.json && [ ! -s log ]
point $? 'processes that write to one name leave one whole file'
run DLS_TRACE=n.%n.json && run DLS_TRACE=n.%n.json && [ -e n.0.json ] && [ -e n.1.json ] && [ ! -e n.2.json ] &&
	is_trace n.0.json &&
	is_trace n.1.json && run DLS_TRACE=n.%n.json && [ -e n.2.json ]
point $? '%n counts the processes that share a name'
run DLS_REPORT=p.%p.%h.%%.csv
ls p.*."$(uname -n)".%.csv >log && [ "$(wc -l <log)" -eq 1 ]
point $? '%p, %h and %% are the process, the host and a per cent sign'
said DLS_TRACE=x%d.json && line DLS_TRACE 'after % stands p, h, n or %, not d; no trace is written' &&
	said DLS_REPORT=%d.csv && line DLS_REPORT 'after % stands p, h, n or %, not d; no report is written' &&
	said DLS_TRACE=x% && line DLS_TRACE 'after % stands p, h, n or %, not nothing; no trace is written' &&
	said DLS_TRACE="x%$(printf '\001')" && line DLS_TRACE 'after % stands p, h, n or %, not that; no trace is written'
point $? 'other letters are told of'
if proc_can_be_written; then
	said DLS_TRACE=both.csv DLS_REPORT=both.csv && line DLS_TRACE 'this process writes that file already' && is_csv both.csv
	point $? 'one name for both variables'
else
	skip 'one name for both variables' '/proc cannot be written'
fi
run DLS_REPORT=alone.csv DURING='[ ! -e alone.csv ]' && is_csv alone.csv
point $? 'a child of fork() does not write'

DLS_REPORT=none.csv IDLE=1 ./program >out 2>log
[ $? -eq 7 ] && line DLS_REPORT 'no loop was seen in process [0-9]* (program); no report is written' && [ ! -e none.csv ] &&
	run DLS_TRACE=none.json IDLE=1
point $? 'one line says that no loop was seen'

# Two copies of the library, one in the program, one in what it loads.
if [ "${SAN-}" ] || ! compile -shared -fPIC plugin.c -L"$lib" -ldls -Wl,-rpath,"$lib" -o plugin.so 2>log; then
	skip 'two copies: the file is of one, and that is said once' 'plain builds with a shared library only'
	skip 'two copies: %n gives each a file' 'as above'
else
	plugin=./plugin.so
	if proc_can_be_written; then
		said DLS_TRACE=copies.json && line DLS_TRACE 'this process writes that file already' && is_trace copies.json
		point $? 'two copies: the file is of one, and that is said once'
	else
		skip 'two copies: the file is of one, and that is said once' '/proc cannot be written'
	fi
	run DLS_REPORT=copy.%n.csv && is_csv copy.0.csv && grep -q '^"plugin",' copy.1.csv
	point $? 'two copies: %n gives each a file'
fi
finish
