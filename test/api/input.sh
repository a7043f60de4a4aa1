#!/bin/sh
# input.sh - files and lists of numbers that dls-sim and dls-chunks read: what is accepted, and what is said of the rest.
#
# Fails if: a file is read in part and taken for whole, an endless one is read for ever, or a place is told wrongly.
#
# runs: machines, texts
export LC_ALL=C
. test/sh.sh
# Sanitizers take address space by the terabyte.
case $SAN in
'') most='ulimit -v 400000' ;;
*) most=: ;;
esac
sim() {
	($most; "$bin/dls-sim" --strategy none --processors 4 --costs ideal --csv --load "$@") >"$work/out" 2>"$work/err"
}
chunks() {
	($most; "$bin/dls-chunks" -s ss -n 3 -p 3 --csv --times "$@") >"$work/out" 2>"$work/err"
}
refused() {	# status, what the message says, sim or chunks, the file, options
	status=$1 said=$2
	shift 2
	"$@"
	got=$?
	[ "$got" -eq "$status" ] && [ ! -s "$work/out" ] && grep -qF -e "$said" "$work/err" &&
		[ "$(wc -l <"$work/err")" -eq 1 ] && ! LC_ALL=C grep -q '[^ -~]' "$work/err"
	point $? "$1 refuses: $said"
	[ "$got" -eq "$status" ] && grep -qF -e "$said" "$work/err" || sed "s/^/# status $got: /" "$work/err"
}
text() {	# as printf
	# shellcheck disable=SC2059
	printf "$@" >"$work/text"
}

text ' 0\t1.5 \r\n1  +.5e1\n2e0 0'
sim "$work/text" && [ "$(sed 1d "$work/out" | cut -d, -f13,14)" = '3,6.500000000' ]
point $? 'blanks, line ends of both kinds, a last line without an end'
text '.25\r\n\t1e-1 \n3'
chunks "$work/text" && [ "$(sed 1d "$work/out" | cut -d, -f7 | tr '\n' ' ')" = '0.250000000 0.100000000 3.000000000 ' ]
point $? 'the same of one column'
mkfifo "$work/fifo" && { echo '0 7' >"$work/fifo" & } && sim "$work/fifo" && grep -q ',7.000000000,' "$work/out"
point $? 'a FIFO'
wait

for tool in sim chunks; do
	refused 2 'line 1, column 1: a NUL byte' $tool /dev/zero
	refused 2 'the file is empty' $tool /dev/null
	refused 2 'Is a directory' $tool "$work"
	refused 2 'No such file' $tool "$work/none"
done
if [ "$(id -u)" -eq 0 ]; then
	skip 'a file that may not be read' 'the superuser may read all'
else
	text '0 1\n'
	chmod 0 "$work/text"
	refused 2 'Permission denied' sim "$work/text"
	rm -f "$work/text"
fi

text '0 1\n1 \0002\n'
refused 2 'line 2, column 3: a NUL byte' sim "$work/text"
text '1\n\n'
refused 2 'line 2, column 1: a time in seconds from 0 to 1e+09 is missing' chunks "$work/text"
text '0 1\n 1 \n'
refused 2 'line 2, column 4: a time' sim "$work/text"
text '0 1\n1 2 3\n'
refused 2 'line 2, column 5, "3": a line has 2 numbers' sim "$work/text"
text '1\n1 2\n'
refused 2 'line 2, column 3, "2": a line has 1 number' chunks "$work/text"
for word in -1 1e10 nan inf 0x1 1e 1,5 '\0011' '\0131' '\303\244' 1e999; do
	text "0 1\\n3  $word\\n"
	refused 2 'line 2, column 4, "' sim "$work/text"
	text "1\\n1\\n$word"
	refused 2 'line 3, column 1, "' chunks "$work/text"
done
for word in -1 16777216 18446744073709551616 1.5 x 1e30; do
	text '%s 1\n' "$word"
	refused 2 "line 1, column 1, \"$word\": not a processor from 0 to 16777215" sim "$work/text"
done
text '\033[31m\n'
refused 2 '"\x1b[31m"' chunks "$work/text"
text '%0255d\n' 1
chunks "$work/text"
point $? 'a line of 255 bytes'
text '0\n%0256d\n' 1
refused 2 'line 2: more than 255 bytes' chunks "$work/text"

# Fails if: one of the two is read to its end, of which there is none.
lines() {
	yes "$2" 2>"$work/yes" | "$1" /dev/stdin
}
bytes() {
	tr '\0' 7 </dev/zero 2>"$work/tr" | "$1" /dev/stdin
}
refused 2 'line 10000001: more than 10000000 lines' lines chunks 0
refused 2 'line 1: more than 255 bytes' bytes chunks

# The same of files whose lines may have any length.
tool() {
	($most; "$bin/$@") >"$work/out" 2>"$work/err"
}
page() {	# what it begins with
	{ printf %s "$1"; cat /dev/zero 2>"$work/cat"; } | tool dls-advise -
}
refused 2 'line 1: a NUL byte' tool dls-chunks /dev/zero
refused 2 'line 1: a NUL byte' tool dls-sim --load graph=/dev/zero
refused 2 'no regular file' tool dls-sim --resume /dev/zero
if [ -x "$bin/dls-advise" ]; then
	refused 2 'neither a trace' page site,
	refused 2 'neither a trace' page '<'
else
	skip 'pages without an end' 'dls-advise is not built (package libjansson-dev)'
fi
trace() {
	tr '\0' x </dev/zero 2>"$work/tr" | tool dls-chunks /dev/stdin
}
refused 2 'line 1: more than 100000000 bytes' trace

# 10^7 lines of two numbers are 160 MB, and are doubled once more.
if [ "$most" = : ]; then
	skip 'memory that runs out' 'a sanitizer takes all the address space there is'
else
	most='ulimit -v 100000'
	refused 1 'out of memory' lines sim '0 1'
fi

refused 2 '--speeds "1: 1", column 3' sim exp --speeds '1: 1'
refused 2 '--speeds ":1", column 1, "": not a number' chunks exp --speeds :1
finish
