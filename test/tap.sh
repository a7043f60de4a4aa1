#!/bin/sh
# tap.sh - run TAP programs, JOBS at a time (default: as many as there are processors): a line for each as it ends, then all that
# the failed ones printed, the packages that the skipped points miss, and the counts.  Exit 1 if a point failed.
#
# A program fails if a point is not ok, if there are fewer points than its plan says, if it ends otherwise than with 0, or if it has
# not ended after 20 minutes, of the processor's time, too; under an emulator or DLS_STRESS it may take as long as it needs.
if [ "${1-}" = --one ]; then	# --one RESULTS PROGRAM
	test=$3
	log=$2/$(echo "$test" | tr / _)
	begin=$(date +%s)
	[ "${ARCH-}${DLS_STRESS-}" ] && within= || within="${0%tap.sh}within.sh 1200"
	$within "$test" >"$log" 2>&1 </dev/null
	status=$?
	seconds=$(($(date +%s) - begin))
	[ $seconds -ge 10 ] && took=", $seconds s" || took=
	plan=$(sed -n 's/^1\.\.\([0-9]*\).*/\1/p' "$log")
	ok=$(grep -c '^ok ' "$log")
	skipped=$(grep -c '^ok .*# SKIP' "$log")
	failed=0
	if [ "$status" -eq 0 ] && [ "$ok" = "$plan" ]; then
		[ "$plan" -gt 0 ] || skipped=1 ok=1
		skips=$(sed -n 's/^ok [0-9]* - \(.*# SKIP\)/    \1/p; s/^1\.\.0 \(# SKIP\)/    \1/p' "$log" | sort -u)
		printf '%s\n' "$test .. ok$took${skips:+
$skips}"
	else
		failed=$((${plan:-0} - ok))
		[ "$failed" -gt 0 ] || failed=1
		echo "$test .. FAILED (exit $status, $ok of ${plan:-?} ok$took)"
		echo "$test" >"$log.failed"
	fi
	echo "$((ok - skipped)) $failed $skipped" >"$log.counts"
	exit 0
fi

# Programs that run at the same time share the processors: threads that wait are to sleep.
export OMP_WAIT_POLICY="${OMP_WAIT_POLICY-passive}"

# A make that a test runs has no part in the jobs of the one that runs the tests.
MAKEFLAGS=$(printf '%s\n' "${MAKEFLAGS-}" | sed -E 's/ ?--jobserver-[a-z]+=[^ ]*//g; s/(^| )-j[0-9]*//g')
export MAKEFLAGS

results=$(mktemp -d) || exit
trap 'rm -rf "$results"' EXIT
trap 'exit 1' HUP INT TERM
printf '%s\n' "$@" | xargs -n 1 -P "${JOBS:-$(nproc)}" "$0" --one "$results"

for failed in "$results"/*.failed; do
	[ -e "$failed" ] || break
	printf '\n%s printed:\n' "$(cat "$failed")"
	cat "${failed%.failed}"
	echo
done
# Of "(package X)" and "(packages X, Y)" in the reasons; what follows a name, such as "for clang", is for people.
cat "$results"/* | sed -n 's/.*# SKIP.*(packages\{0,1\} \([^)]*\)).*/\1/p' >"$results/missing"
points=$(wc -l <"$results/missing")
packages=$(sed 's/,/ and /g' "$results/missing" | awk '{ for (i = 1; i <= NF; i++) if (i == 1 || $(i - 1) == "and") print $i }' |
	sort -u | tr '\n' ' ')
[ "$points" -eq 0 ] || echo "$points tests were skipped; apt install ${packages% } runs them"
cat "$results"/*.counts | awk -v programs=$# '
	{ passed += $1; failed += $2; skipped += $3 }
	END {
		failed += programs - NR
		printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped
		exit failed > 0
	}'
