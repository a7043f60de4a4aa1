# refuse.sh - each request of a command for memory, files and threads is refused in turn, once and from there on.
#
# The test has attempt(), which runs the command with refuse.so preloaded, and says in $wrong what is wrong.
# shellcheck shell=sh disable=SC2154 # $work, $wrong: of the test
${CC:-cc} -shared -fPIC -o "$work/refuse.so" test/refuse_tool.c -ldl -Wl,-z,defs 2>/dev/null ||
	skip_all 'no C library whose malloc family can be preloaded'
export LC_ALL=C

# One request; false if there is none.
refuse() {	# number, 1 or nothing, arguments of attempt()
	k=$1
	export REFUSE="$k" REFUSE_TOLD="$work/told"
	unset REFUSE_ON
	[ -z "$2" ] || export REFUSE_ON=1
	shift 2
	rm -f "$work/told"
	wrong=
	attempt "$@"
	[ -z "$wrong" ] || echo "# request $k${REFUSE_ON:+ and on}: $wrong: $(head -n 2 "$work/err" | tr '\n' ' ')"
	[ -e "$work/told" ] || return 1
}

# All of them, or some where the next is $next, an expression; false if there was none, or with one something was wrong.
refuse_each() {	# arguments of attempt()
	failed=0 k=0
	while refuse "$k" '' "$@"; do
		[ -z "$wrong" ] || failed=1
		refuse "$k" 1 "$@"
		[ -z "$wrong" ] || failed=1
		k=$((k + ${step:-$next}))
	done
	[ -z "$wrong" ] && [ "$k" -gt 0 ] || failed=1
	return $failed
}
