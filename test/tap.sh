#!/bin/sh
# tap.sh - run TAP programs where prove is not installed: one line each, the failures, exit 1 if there are any.
passed=0 failed=0 skipped=0
for test; do
	out=$("$test" 2>&1)
	status=$?
	plan=$(printf '%s\n' "$out" | sed -n 's/^1\.\.\([0-9]*\).*/\1/p')
	ok=$(printf '%s\n' "$out" | grep -c '^ok ')
	skip=$(printf '%s\n' "$out" | grep -c '^ok .*# SKIP')
	if [ "$status" -eq 0 ] && [ "$ok" = "$plan" ]; then
		echo "$test .. ok"
		printf '%s\n' "$out" | sed -n 's/^ok [0-9]* - \(.*# SKIP\)/    \1/p; s/^1\.\.0 \(# SKIP\)/    \1/p' | sort -u
	else
		printf '%s\n' "$test .. FAILED (exit $status, $ok of ${plan:-?} ok)" "$out"
		not=$((${plan:-0} - ok))
		failed=$((failed + (not > 0 ? not : 1)))
	fi
	[ "$plan" = 0 ] && skip=1 ok=1
	passed=$((passed + ok - skip)) skipped=$((skipped + skip))
done
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
