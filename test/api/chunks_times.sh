#!/bin/sh
# chunks_times.sh - dls-chunks in virtual time: its rows and figures beside those of another program, and by hand.
#
# runs: texts
export LC_ALL=C
. test/sh.sh
tool=$bin/dls-chunks
row() {	# schedule, options: its row of the table, with single blanks
	schedule=$1
	shift
	"$tool" -s "$schedule" "$@" | sed -n "/^$schedule /s/  */ /gp"
}

# gss takes 5 3 1 1 of 10; worker 1 is twice as fast and takes the last three: 5.5 and 4 s, busy for 5 and 2.5 s.
# The other way round it is 5 and 4 s, and what is predicted has the dispatch that finds nothing.  10 iterations at a speed of
# 3 take 3.33 s.
# Fails if: a dispatch is left out, speeds multiply, idle time counts as busy, or one order alone is predicted.
set -- -n 10 -p 2 --times const --mu 1 --speeds 1:2 --overhead 0.5
same 'by hand: table' 'gss 4 5 1 5.5 0.1579 33.3% 0.6061 5.75 5 3 1x2' "$(row gss "$@")"
same 'by hand: rows' 'gss,0,0,5,0,0.500000000,5.000000000
gss,1,5,3,1,0.500000000,1.500000000
gss,2,8,1,1,2.500000000,0.500000000
gss,3,9,1,1,3.500000000,0.500000000' "$("$tool" -s gss "$@" --csv | figures | sed 1d)"

# Missing weights and speeds are 1; a message where only one of them is given and both would count.
# Fails if: a missing weight is the mean of those given, or a warning is left out, or given for nothing.
same 'weights: 3 of 6' "$("$tool" -s wf -n 100 -p 4 --weights 3:1:1:1 | sed 1d)" "$("$tool" -s wf -n 100 -p 4 --weights 3 | sed 1d)"
warned() { "$tool" -n 100 -p 2 "$@" 2>&1 >/dev/null | cut -d: -f2 | cut -d' ' -f2-4; }
same 'weights alone' '--weights without --speeds' "$(warned -s wf --weights 1:3 --times const)"
same 'speeds alone' '--speeds without --weights' "$(warned -s wf --speeds 1:3)"
same 'neither warned for nothing' '' "$(warned -s wf --weights 1:3; warned -s fac2 --speeds 1:3; warned -s wf --speeds 1:3 --weights 1:3;
	warned -s wf,weights=1:3 --speeds 1:3)"

# Fails if: those who are free at once are not taken by number.
same 'ties' '0 1 2 3 4 0 1 2 3 4 0 1 ' "$("$tool" -s ss -n 12 -p 5 --times const --csv | sed 1d | cut -d, -f5 | tr '\n' ' ')"

# Every schedule: each worker asks again when its chunk is done and begins h later, requests come in the order of
# (time, number), a chunk lasts as long as its iterations, all iterations are there once, and the figures follow.
# Fails if: an event is out of order, a part of a chunk is lost or listed alone, a figure is of another execution.
awk 'BEGIN { for (x = i = 0; i < 211; i++) { x = (x * 1103 + 12345) % 65536; printf "%.9f\n", 1e-4 + x * 1e-7 } }' \
	>"$work/times"
check() {	# text, options
	text=$1
	shift
	"$tool" --times "$work/times" -n 700 -p 3 --speeds 2.5:1:0.5 --overhead 1e-4 "$@" >"$work/table" 2>/dev/null &&
	"$tool" --times "$work/times" -n 700 -p 3 --speeds 2.5:1:0.5 --overhead 1e-4 "$@" --csv >"$work/csv" 2>/dev/null &&
	awk -v N=700 -v P=3 -v h=1e-4 '
	function apart(a, b, most) { return a - b > most || b - a > most }
	function off(a, b) { return apart(a, b, 3e-9) }
	function wrong(what) { print "# " name ": " what; failed = 1 }
	function finish(  w, sum, square, all, most, long) {
		for (w = most = long = 0; w < P; w++) {
			sum += free[w]; square += free[w] ^ 2; all += busy[w]
			if (free[w] > long) long = free[w]
			if (busy[w] > most) most = busy[w]
		}
		if (iterations != N) wrong(iterations " iterations")
		sum /= P
		if (apart(long, time[name], 1e-5 * long)) wrong("time " long ", not " time[name])
		if (apart(sqrt(square / P - sum ^ 2) / sum, cov[name], 6e-5)) wrong("c.o.v. " cov[name])
		if (apart(100 * (most * P / all - 1), imbalance[name], 0.06)) wrong("imbalance " imbalance[name])
		names++
	}
	FILENAME ~ /times$/ { cost[lines++] = $1; next }
	FILENAME ~ /table$/ {
		if ($7 ~ /%$/) { time[$1] = $5; cov[$1] = $6; imbalance[$1] = $7 + 0 }
		next
	}
	{ split($0, f, ",") }
	f[1] == "schedule" { next }
	f[1] != name {
		if (name) finish()
		name = f[1]; iterations = last = lastw = 0
		split("", seen); split("", free); split("", busy)
	}
	{
		w = f[5]; begin = f[3]; size = f[4]; start = f[6]; takes = 0
		for (i = begin; i < begin + size; i++) {
			takes += cost[i % lines] / (w == 0 ? 2.5 : w == 1 ? 1 : 0.5)
			if (seen[i]++) wrong("iteration " i " twice")
		}
		if (off(start, free[w] + h)) wrong("worker " w " begins at " start ", not " free[w] + h)
		if (off(takes, f[7])) wrong("chunk " f[2] " takes " f[7] ", not " takes)
		for (v = 0; v < P; v++)	# who has had its share is free for good
			if (free[v] < free[w] - 3e-9 && name !~ /^(static|steal)$/) wrong("worker " v " is passed over")
		if (free[w] < last - 3e-9 || (!off(free[w], last) && w < lastw)) wrong("chunk " f[2] " is out of order")
		last = free[w]; lastw = w
		free[w] = start + f[7]; busy[w] += f[7]; iterations += size
	}
	END { finish(); if (names < 20) wrong(names " schedules"); exit failed }' "$work/times" "$work/table" "$work/csv"
	point $? "$text"
}
check 'all schedules'
check 'all schedules, the third execution' --steps 3

# Fails if: the seed is not used, or not for all schedules alike.
set -- --times gamma --csv --seed
"$tool" "$@" 7 >"$work/a" && "$tool" "$@" 7 >"$work/b" && cmp -s "$work/a" "$work/b"
point $? 'the same seed, the same times'
"$tool" "$@" 8 >"$work/b" && ! cmp -s "$work/a" "$work/b"
point $? 'another seed, others'

# One worker: first a quarter of N / 2, then N / 2 at most.
# Fails if: parts are told from chunks by the worker or the iterations that follow.
same 'parts are joined, chunks are not' 'af 3 50 13 0.1 0.0000 0.0% 1.0000 0.1 13 50 37' "$(row af -n 100 -p 1 --times const)"
set -- -n 10000 --times exp
exact=$(row af,exact=1 "$@" | cut -d' ' -f2)
fac2=$(row fac2 "$@" | cut -d' ' -f2)
holds 'af,exact=1: as few chunks' [ "${exact:-1}" -le $((2 * ${fac2:-0})) ]

# Workers in the ratio 1 to 3: equal shares take three times as long on one of them, 50 % more than the mean.
# Fails if: the executions are not of one site, or the first is shown.
set -- -n 1000 -p 2 --speeds 1:3
same 'static does not learn' 50.0% "$(row static "$@" --steps 5 | cut -d' ' -f7)"
row static,weights=site "$@" --steps 5 | awk '{ learned = $7 + 0 < 1 } END { exit !learned }'
point $? 'static,weights=site does'
same 'the first time step of awf is of fac2' "$(row fac2 "$@" | cut -d' ' -f5-8,10-)" "$(row awf "$@" | cut -d' ' -f5-8,10-)"
"$tool" -s awf "$@" --steps 5 --csv | awk -F, 'NR == 2 { a = $4 } NR == 3 { b = $4 } END { exit !(a == 125 && b == 250) }'
point $? 'in the fifth the slow one has half of 250, the fast one all, where 3/2 would be too long'

finish
