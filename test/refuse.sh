# refuse.sh - each request of a command for memory, files and threads is refused in turn, once and from there on.
#
# The test has attempt(), which runs the command with refuse.so preloaded, and says in $wrong what is wrong.
# shellcheck shell=sh disable=SC2154 # $work, $wrong: of the test
${CC:-cc} -shared -fPIC -o "$work/refuse.so" test/refuse_tool.c -ldl -Wl,-z,defs 2>/dev/null ||
	skip_all 'no C library whose malloc family can be preloaded'
export LC_ALL=C

# One request.
refuse() {	# number, from 0; whether those behind it, too, or nothing; arguments of attempt()
	k=$1
	export REFUSE="$k"
	unset REFUSE_ON
	[ -z "$2" ] || export REFUSE_ON=1
	shift 2
	wrong=
	attempt "$@"
	[ -z "$wrong" ] || echo "# request $k${REFUSE_ON:+ and on}: $wrong: $(head -n 2 "$work/err" | tr '\n' ' ')"
}

# Those that $pick chooses, a program of awk which reads where each comes from, a line for each, and prints their lines' numbers, followed
# by "on" if those behind it are to be refused too; false if there was none, or with one something was wrong.
refuse_each() {	# arguments of attempt()
	unset REFUSE REFUSE_ON
	rm -f "$work/requests"
	wrong= failed=0
	export REFUSE_LIST="$work/requests"
	attempt "$@"
	unset REFUSE_LIST
	[ -z "$wrong" ] && [ -s "$work/requests" ] || failed=1
	awk -v seen="$work/seen" "$pick" "$work/requests" >"$work/picked"
	while read -r line on <&3; do
		refuse $((line - 1)) "$on" "$@"
		[ -z "$wrong" ] || failed=1
	done 3<"$work/picked"
	k=$(wc -l <"$work/picked")
	return $failed
}
