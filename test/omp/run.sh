#!/bin/sh
# run.sh - dls-run: what it refuses and passes on, exit statuses, and the programs that a program starts.
#
# Fails if: a static, setuid or damaged program, another file, a wrong schedule or option is not refused in
# words that quote it; a script, a program without OpenMP, or a wrong word in DLS_OMP or name of a report or
# variable stops a program; the exit status is not the program's; an entry cannot leave a loop to its runtime;
# the library is not found from a folder with a blank, through a link or without /proc, or what the loader's
# variables had is lost; without options anything is preloaded; one of several processes writes no report, or
# over that of another; an entry for no loop does not draw a
# message with the loops that may be meant; a program that was compiled with a sanitizer does not run; or a
# schedule that may start iterations out of order, where it runs or does not, is not told of, or auto is.
#
# runs: once
. test/omp.sh
under_dls_run
[ "${OPENMP--fopenmp}" ] || skip_all 'the compiler has no OpenMP'
tool=$dls_run

cat >"$work/loop.c" <<'END_C'
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static int count[1000];

static int right(void)
{
	int wrong = 0;

#pragma omp parallel for schedule(dynamic, 3)
	for (int i = 0; i < 1000; i++)
		count[i]++;
	for (int i = 0; i < 1000; i++)
		wrong += count[i] != 1;
	return !wrong;
}

/* loop STATUS: ends with it; loop fork: a child has a loop, then the parent. */
int main(int argc, char **argv)
{
	int status = 0;

	if (argc > 1 && argv[1][0] == 'f') {
		pid_t child = fork();

		if (child == 0)
			exit(right() ? 5 : 99);
		if (waitpid(child, &status, 0) != child || WEXITSTATUS(status) != 5)
			return 98;
		return right() ? 6 : 99;
	}
	return right() ? argc > 1 ? atoi(argv[1]) : 0 : 99;
}
END_C
${CC:-cc} -D_POSIX_C_SOURCE=200809L -g -O1 -fopenmp "$work/loop.c" -o "$work/loop" 2>"$log" || bail 'cannot compile'
ends() {	# status, text on standard error or '', text of the point, command
	wanted=$1 says=$2 text=$3
	shift 3
	(cd "$work" && "$@" >out 2>log)
	status=$?
	[ $status -eq "$wanted" ] && { [ "$says" ] && grep -qF -e "$says" "$log" || { [ -z "$says" ] && [ ! -s "$log" ]; }; }
	point $? "$text"
	[ $status -eq "$wanted" ] || echo "# exit status $status, not $wanted"
}

ends 0 '' 'no option' "$dls_run" ./loop
ends 7 '' 'the exit status is that of the program' "$dls_run" --schedule fac2 ./loop 7
ends 7 '' 'the same after --' "$dls_run" --schedule ss -- ./loop 7
ends 137 '' 'a signal' sh -c "'$dls_run' --schedule ss sh -c 'kill -9 \$\$' 2>/dev/null"
maps() {	# the rest of ends' arguments
	if [ -r /proc/self/maps ]; then ends 0 '' "$@"; else skip "$1" 'there is no /proc'; fi
}
maps 'without options nothing is preloaded' "$dls_run" sh -c '! grep -q libdls /proc/self/maps'
maps 'with one the library is' "$dls_run" --schedule ss sh -c 'grep -q libdls-omp /proc/self/maps'

# The library is found beside the tool, also through a link and without /proc, and from a folder with a blank.
copy() {	# folder
	mkdir -p "$work/$1/bin" "$work/$1/lib"
	cp "$dls_run" "$work/$1/bin"
	cp -P "$build"/libdls*.so* "$work/$1/lib"
}
copy 'a b'
ends 7 '' 'from a folder with a blank' env LD_PRELOAD= 'a b/bin/dls-run' --schedule fac2 --report blank.csv ./loop 7
holds '... it deals' grep -q '^"loop.c:1[12]","fac2","fac2"' "$work/blank.csv"
ln -s 'a b/bin/dls-run' "$work/link"
# shellcheck disable=SC2016 # of the inner shell
maps 'through a link, beside what the variables have' env LD_LIBRARY_PATH="$work/other" LD_PRELOAD= ./link --schedule fac2 sh -c \
	'grep -q "/a b/lib/libdls-omp.so" /proc/self/maps && case $LD_LIBRARY_PATH in */other) ;; *) exit 1 ;; esac && exec ./loop'
copy 'a:b'
ends 3 'a:b' 'a folder with a colon is refused' 'a:b/bin/dls-run' --schedule fac2 ./loop
mkdir "$work/lone"
cp "$dls_run" "$work/lone"
if [ -e /usr/local/lib/libdls-omp.so ]; then
	skip 'no library' 'one is installed in /usr/local/lib'
else
	ends 3 'where this tool is' 'no library' lone/dls-run --schedule fac2 ./loop
fi
# /dev/shm is hidden, too: if a killed process of the same number left a file there, libomp reads /proc/self/maps, and aborts without it.
bare='mount -t tmpfs none /proc && mount -t tmpfs none /dev/shm && [ ! -e /proc/self ]'
if unshare -rm sh -c "$bare" 2>/dev/null; then
	ends 7 '' 'without /proc' unshare -rm sh -c "$bare && exec '$dls_run' --schedule fac2 --report bare.csv ./loop 7"
	grep -q '^"[^"]*","fac2","fac2"' "$work/bare.csv"
	point $? '... it deals'
else
	skip 'without /proc' 'no mount can be hidden (unshare of package util-linux, and user namespaces)'
fi

refused nosuch --schedule nosuch "$work/loop"
refused nosuch --schedule "loop.c:11:nosuch" "$work/loop"
refused --nosuch --nosuch "$work/loop"
refused 'which program'
printf 'junk' >"$work/junk"
head -c 100 "$work/loop" >"$work/cut"
chmod +x "$work/junk" "$work/cut"
refused "$work/junk" --schedule ss "$work/junk"
refused "$work/cut" --schedule ss "$work/cut"
if echo 'int main(void) { return 0; }' | ${CC:-cc} -static -x c -o "$work/static" - 2>/dev/null; then
	refused 'statically linked' --schedule ss "$work/static"
	ends 0 '' 'a static program with nothing asked for' "$dls_run" ./static
else
	skip 'a static program' 'nothing can be linked statically'
fi
ends 127 nosuch 'no such program' "$dls_run" --schedule ss nosuch
: >"$work/empty"
ends 126 empty 'it cannot be executed' "$dls_run" --schedule ss ./empty
if [ "$(id -u)" -eq 0 ] && command -v setpriv >/dev/null; then
	cp "$work/loop" "$work/setuid"
	cp "$dls_run" "$work/anyone"	# may not reach the other
	chmod 4755 "$work/setuid"
	chmod 755 "$work" "$work/anyone"
	ends 2 setuid 'a setuid program' setpriv --reuid=65534 --regid=65534 --clear-groups "$work/anyone" --schedule ss "$work/setuid"
else
	skip 'a setuid program' 'only root can make one, with setpriv (package util-linux)'
fi

# Sanitizers in the program, whose libraries want to come first or see all that orders memory.
for sanitizer in address thread undefined; do
	if ${CC:-cc} -D_POSIX_C_SOURCE=200809L -g -O1 -fopenmp -fsanitize=$sanitizer "$work/loop.c" -o "$work/sanitized" 2>/dev/null &&
	   TSAN_OPTIONS=report_bugs=0 "$work/sanitized" 2>/dev/null; then
		ends 7 '' "-fsanitize=$sanitizer" env TSAN_OPTIONS=report_bugs=0 "$dls_run" --schedule fac2 ./sanitized 7
	else
		skip "-fsanitize=$sanitizer" 'no program of it can be built and run here'
	fi
done

# What may start iterations out of order.
ends 0 '' 'auto' "$dls_run" --schedule auto ./loop
ends 0 'running fac2' 'steal for all loops' "$dls_run" --schedule steal ./loop
ends 0 'may start out of order' 'steal for one loop' "$dls_run" --schedule right:steal ./loop
ends 0 '' 'steal, with --unordered' "$dls_run" --unordered --schedule right:steal ./loop

printf '#!/bin/sh\n./loop 4\n' >"$work/script"
chmod +x "$work/script"
ends 4 '' 'a script' "$dls_run" --schedule fac2 ./script
echo 'int main(void) { return 3; }' | ${CC:-cc} -x c -o "$work/plain" -
ends 3 'call no OpenMP runtime' 'a program without OpenMP' "$dls_run" --schedule fac2 ./plain
ends 0 '"foo"' 'a wrong word in DLS_OMP' env DLS_OMP=foo,unordered "$dls_run" --schedule fac2 ./loop
ends 0 'report.foo' 'a wrong name of a report' "$dls_run" --report report.foo ./loop
ends 0 'nowhere' 'a report that cannot be written' "$dls_run" --report nowhere/report.csv ./loop
ends 7 'DLS_SCEDULE' 'a wrong name of a variable' env DLS_SCEDULE=ss "$dls_run" --schedule fac2 ./loop 7
ends 0 'nosuch' 'a wrong schedule in the environment' env DLS_SCHEDULE=nosuch "$dls_run" ./loop

ends 0 'did you mean "loop.c:11"?' 'one loop stays with its runtime' "$dls_run" --schedule 'fac2; loop.c:11:native;loop.c:12: Native' --report native.csv ./loop
holds 'so says the report' grep -q '^"loop.c:1[12]","[^,]*,[0-9]*","native"' "$work/native.csv"
cat >"$work/two.c" <<'END_C'
int main(void)
{
	static int count[100];

#line 100
#pragma omp parallel for schedule(dynamic)
	for (int i = 0; i < 100; i++)
		count[i]++;
#line 210
#pragma omp parallel for schedule(dynamic)
	for (int i = 0; i < 100; i++)
		count[i]++;
	return 0;
}
END_C
${CC:-cc} -g -O1 -fopenmp "$work/two.c" -o "$work/two" 2>"$log" || bail 'cannot compile'
ends 0 'by the name of "two.c:211"; did you mean "two.c:210"?' 'the line of no loop: the nearest is named' \
	"$dls_run" --schedule 'two.c:211:ss' ./two
ends 0 'by the name of "other"; there were: two.c:100, two.c:210' 'the name of no loop: all are named' \
	"$dls_run" --schedule 'other:ss;two.c:100:gss' ./two
ends 0 'DLS_SCHEDULE for loop.c:11' 'so does DLS_DISPLAY_ENV' env DLS_DISPLAY_ENV=1 "$dls_run" --schedule 'loop.c:11:native' ./loop
ends 4 '' 'several processes' "$dls_run" --report 'each.%p.csv' sh -c './loop 0 && ./loop 0 && ./loop 4'
same 'each has its report' 3 "$(cat "$work"/each.*.csv | grep -c '^"loop.c:.*",all')"
ends 4 '' 'after a change of the folder' "$dls_run" --report moved.csv sh -c 'mkdir below && cd below && exec ../loop 4'
holds 'the report is where it was asked for' [ -s "$work/moved.csv" ]
ends 6 '' 'fork' "$dls_run" --report 'fork.%p.csv' ./loop fork
same 'fork: both have their report' 2 "$(cat "$work"/fork.*.csv | grep -c '^"loop.c:.*",all')"
ends 5 'in parallel regions' 'advice is on standard error' "$dls_run" --advise ./loop 5
finish
