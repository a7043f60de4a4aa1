#!/bin/sh
# overhead.sh - dls-overhead --model: its figures for known lines, and what it refuses.
#
# runs: machines, texts
export LC_ALL=C
. test/sh.sh
tool=$bin/dls-overhead
"$tool" --help >/dev/null 2>"$log"
if [ $? -eq 3 ]; then
	skip 'dls-overhead --model' 'it was built without OpenMP'
	finish
fi
model() { "$tool" --csv --model "$@" | figures | sed 1d | tr '\n' ' '; }

# Fails if: a request that finds the line on its way is served at once or never, a transfer always takes its
# mean, those who ask last are served first, work is run ahead without end or is not used up, a thread that
# draws again counts as another; or if the generator or its seed is another one.
same 'two threads, bodies of 14 ns: several tickets a visit' \
	'2,14,index,52.3,13.1 2,14,no-index,33.6,8.4 ' "$(model 200,60 -t 2 --body 14)"
same 'two threads, bodies of 110 ns: one ticket or two' \
	'2,110,index,279.9,76.1 2,110,no-index,203.2,54.1 ' "$(model 200,60 -t 2 --body 110)"
same 'two threads, bodies of 440 ns: one' \
	'2,440,index,543.4,100.0 2,440,no-index,484.7,100.0 ' "$(model 200,60 -t 2 --body 440)"
same 'sixteen threads: the line is the limit' \
	'16,14,index,418.5,13.1 16,14,no-index,268.8,8.4 ' "$(model 200,60 -t 16 --body 14)"
same 'sixteen threads, long bodies: too' \
	'16,440,index,3199.7,100.0 16,440,no-index,3199.7,100.0 ' "$(model 200,60 -t 16 --body 440)"

# By hand.  Fails if: the wait is not one transfer, half of the line's way; a body that needs no index does
# not hide it; one thread waits.
same 'one thread: the body' \
	'1,50,index,50.0,0.0 1,50,no-index,50.0,0.0 ' "$(model 200,60 -t 1 --body 50)"
# Both draw at the same instant, first the one who has the line.
same 'a line that takes no time: the body' \
	'2,50,index,50.0,50.0 2,50,no-index,50.0,50.0 ' "$(model 0,60 -t 2 --body 50)"
model 2000,1000000 -t 2 --body 100000 | tr ' ' '\n' | awk -F, '
	$3 == "index" && ($4 < 100900 || $4 > 101100) { bad = 1; print "# " $0 }
	$3 == "no-index" && ($4 < 99990 || $4 > 100010) { bad = 1; print "# " $0 }
	END { exit bad || NR < 2 }'
point $? 'a long body: and a transfer, or none'

# Fails if: something bad is accepted, or refused without a message that quotes it.
refused '"100": accepted are two numbers' --model 100
refused '"1,2,3": accepted are two numbers' --model 1,2,3
refused 'x' --model x,1
refused '"0"' --model 200,60 --body 0
finish
