#!/bin/sh
# tap.sh - run TAP programs, JOBS at a time (default: as many as there are processors): about how long that takes, a line for
# each as it ends, then all that the failed ones printed, the packages that the skipped points miss, the slowest ten and the
# counts.  Exit 1 if a point failed.
#
# Seconds of processor time, of what a program starts, too, are kept in SECONDS_FILE for the next run to say how long it takes;
# ABOUT is what all take, for a first run.
#
# A program fails if a point is not ok, if there are fewer points than its plan says, if it ends otherwise than with 0, or if it has
# not ended after 20 minutes, of the processor's time, too; under an emulator or DLS_STRESS it may take as long as it needs.
if [ "${1-}" = --one ]; then	# --one RESULTS PROGRAM
	test=$3
	log=$2/$(echo "$test" | tr / _)
	[ "${ARCH-}${DLS_STRESS-}" ] && within= || within="${0%tap.sh}within.sh 1200"
	$within "$test" >"$log" 2>&1 </dev/null
	status=$?
	times >"$log.times"
	awk -v test="$test" -v status=$status -v out="$log" '
		FILENAME ~ /\.times$/ {	# its last line is of children: user and system time, as 1m2.34s
			gsub(/[ms]/, " ")
			seconds = sprintf("%.2f", $1 * 60 + $2 + $3 * 60 + $4)
			next
		}
		/^1\.\./ { plan = substr($1, 4) + 0; planned = 1 }
		/^ok / { ok++ }
		/^(ok [0-9]* - |1\.\.0 ).*# SKIP/ {
			skipped++
			sub(/^ok [0-9]* - |^1\.\.0 /, "")
			if (!why[$0]++)
				skips = skips "\n    " $0
		}
		END {
			if (status == 0 && planned && ok + 0 == plan)
				printf "%s .. ok, %s s%s\n", test, seconds, skips
			else {
				failed = plan > ok ? plan - ok : 1
				printf "%s .. FAILED (exit %d, %d of %s ok, %s s)\n", test, status, ok, planned ? plan : "?", seconds
				print test >(out ".failed")
			}
			print (plan > 0 ? ok - skipped : 0), failed + 0, skipped + 0 >(out ".counts")
			print test, seconds >(out ".seconds")
		}' "$log" "$log.times"
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
# A python3 that is a script, as pyenv's, takes ten times as long to start as the interpreter that it finds.
if python3=$(command -v python3) && [ "$(head -c 2 "$python3")" = '#!' ] &&
   interpreter=$("$python3" -c 'import sys; print(sys.executable)' 2>/dev/null); then
	mkdir "$results/.bin"
	printf '#!/bin/sh\nexec "%s" "$@"\n' "$interpreter" >"$results/.bin/python3"
	chmod +x "$results/.bin/python3"
	export PATH="$results/.bin:$PATH"
fi

jobs=${JOBS:-$(nproc)}
seconds=${SECONDS_FILE:-$results/seconds}
mkdir -p "$(dirname "$seconds")"
[ -e "$seconds" ] || : >"$seconds"
printf '%s\n' "$@" | awk -v known="$seconds" -v about="${ABOUT:-0}" -v jobs="$jobs" '
	BEGIN { while ((getline <known) > 0) took[$1] = $2 }
	$1 in took { sum += took[$1]; next }
	{ new++ }
	END {
		sum = new > NR / 2 ? about : sum * NR / (NR - new)
		if (NR > 1 && sum > 0)
			printf "%d programs: %s, %d at a time\n", NR,
				sum < 100 * jobs ? "about " int(sum / jobs + 1) " s" : "about " int(sum / jobs / 60 + 0.5) " min", jobs
	}'
printf '%s\n' "$@" | xargs -n 1 -P "$jobs" "$0" --one "$results"

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
# Of this run, and of programs that only an earlier one ran.
cat "$results"/*.seconds "$seconds" | awk '!seen[$1]++' >"$results/kept"
cp "$results/kept" "$seconds"
if [ $# -ge 20 ]; then
	echo 'slowest, in seconds of processor time:'
	cat "$results"/*.seconds | sort -k 2 -rn | awk 'NR <= 10 { print "    " $2 "\t" $1 }'
fi
cat "$results"/*.counts | awk -v programs=$# '
	{ passed += $1; failed += $2; skipped += $3 }
	END {
		failed += programs - NR
		printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped
		exit failed > 0
	}'
