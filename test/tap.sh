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
	else
		printf '%s\n' "$test .. FAILED (exit $status, $ok of ${plan:-?} ok)" "$out"
		failed=$((failed + 1))
	fi
	passed=$((passed + ok - skip)) skipped=$((skipped + skip))
done
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
