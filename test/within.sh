#!/bin/sh
# within.sh - run a command that must end, on a machine that may be busy: within.sh SECONDS COMMAND [ARGUMENT...].
#
# Once it has lasted SECONDS it is ended, with all that it has started, if they have used as much processor time in all, or less than
# a hundredth of a processor in the last minute: it runs, or sleeps, for ever.  One that waits for a processor may go on.
# Exit status: the command's; 124 if it was ended.  Without /proc it may take as long as it needs.
seconds=$1
shift

# The processes below this one but for the watcher, with "used", or their processor time in hundredths of a second.
below() {
	cat /proc/[0-9]*/stat 2>/dev/null | awk -v top=$$ -v but="$watcher" -v want="$1" '
		{ pid = $1; sub(/.*\) /, ""); parent[pid] = $2; used[pid] = $12 + $13 + $14 + $15 }
		function is_below(pid) { return pid == top ? 1 : pid == but || !(pid in parent) ? 0 : is_below(parent[pid]) }
		END {
			for (pid in parent)
				if (pid != top && is_below(pid)) {
					sum += used[pid]
					list = list " " pid
				}
			print want == "used" ? sum + 0 : parent[but] == top ? list : ""
		}'
}

pause() {
	sleep "$1" &
	sleeper=$!
	wait $sleeper
}

watch() {
	read -r watcher rest </proc/self/stat || exit 0
	sleeper=
	trap 'kill $sleeper; exit 0' TERM
	pause "$seconds"
	before=$(below used)
	while [ "$before" -lt $((seconds * 100)) ]; do
		pause 60
		now=$(below used)
		[ $((now - before)) -ge 60 ] || [ "$now" -lt "$before" ] || break
		before=$now
	done
	trap '' TERM
	# shellcheck disable=SC2046 # several
	for signal in TERM KILL; do
		kill -s $signal $(below) || break
		pause 5
	done
	exit 3
}
watch >/dev/null 2>&1 &
watched=$!
trap 'kill $watched 2>/dev/null' EXIT
trap 'exit 1' HUP INT TERM
"$@"
status=$?
kill $watched 2>/dev/null
wait $watched 2>/dev/null
[ $? -ne 3 ] || { echo "within.sh: ended, since it would not end: $*" >&2; status=124; }
exit $status
