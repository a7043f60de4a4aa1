#!/bin/sh
# hostile.sh - auto beside all other schedules where the machine is not the loop's own: make hostile.
#
# hostile.sh DLS-LOOPS [-k|--kernels LIST] [-c|--conditions LIST] [--runs R] [--seconds S] [-s|--schedule LIST]
#
# The options are those of dls-loops, but for the conditions.
# For each condition dls-loops times each kernel under auto, other schedules and the compiler's, in turn; a run is as many loops as
# take SECONDS, longer than what disturbs them takes to come again.  A row has auto's time over the shortest, run by run: the median of
# these ratios and half the distance of their quartiles.  A condition that this machine does not permit has a row that says why.
# -c '' lists them.
export LC_ALL=C
usage() { sed -n '4p' "$0" | cut -c3- >&2; exit 2; }
unknown() { echo "hostile.sh: unknown option '$1'" >&2; usage; }
tool=$1
[ -x "$tool" ] || usage
shift
kernels='spmv harmonic stencils' runs=10 seconds=0.2 schedules='static;fac2;gss;tss;steal,1;steal,16;awf-b;ss,16'
all='calm bound unbound unbound-nice19 on-and-off quota-50 quota-150 one-processor twice-threads affinity threads-256 threads-1000'
conditions=$all
while [ $# -gt 0 ]; do
	[ $# -gt 1 ] || usage
	case $1 in
	-k | --kernels) kernels=$(echo "$2" | tr ',;' '  ') ;;
	-c | --conditions) conditions=$(echo "$2" | tr ',;' '  ') ;;
	-s | --schedule) schedules=$2 ;;
	-r | --runs) runs=$2 ;;
	--seconds) seconds=$2 ;;
	*) unknown "$1" ;;
	esac
	shift 2
done
[ -n "$conditions" ] || { echo "$all" | tr ' ' '\n'; exit; }

work=$(mktemp -d) || exit
group='' others=''
quieten() {	# the programs that this one has started, by their numbers
	for other in $others; do kill "$other" 2>/dev/null; wait "$other" 2>/dev/null; done
	others=
	# A group can be removed when its last process is gone for good.
	tries=0
	while [ -n "$group" ] && [ -d "$group" ] && ! rmdir "$group" 2>/dev/null && [ $tries -lt 50 ]; do sleep 0.1; tries=$((tries + 1)); done
	group=
}
trap 'quieten; rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

processors=$(nproc)
allowed=$(taskset -cp $$ 2>/dev/null | sed 's/.*: //')
first=${allowed%%[-,]*}

beside() { "$@" & others="$others $!"; }	# command: another program
spin() { exec awk 'BEGIN { while (1) ; }'; }
spin_on_and_off() {	# spin and stop, 50 ms each; the process that spins ends with this shell
	spin &
	spinner=$!
	trap 'kill -KILL $spinner; exit' TERM
	while sleep 0.05; do kill -STOP $spinner; sleep 0.05; kill -CONT $spinner; done
}
bound() { exec taskset -c "$first" awk 'BEGIN { while (1) ; }'; }
niced() { exec nice -n 19 awk 'BEGIN { while (1) ; }'; }
move_about() {	# the tool, from one processor to all and back
	while sleep 0.05; do
		for to in "$first" "$allowed"; do
			[ ! -e "$work/pid" ] || taskset -acp "$to" "$(cat "$work/pid")" >/dev/null 2>&1
			sleep 0.05
		done
	done
}
# A group of processes that get so many percent of one processor's time; both versions of cgroups.
limit() {	# percent
	for root in /sys/fs/cgroup/cpu /sys/fs/cgroup/cpu,cpuacct /sys/fs/cgroup; do
		group=$root/dls-hostile-$$
		if [ -w "$root/cgroup.procs" ] && mkdir "$group" 2>/dev/null; then
			if { [ -e "$group/cpu.cfs_quota_us" ] && echo "${1}000" >"$group/cpu.cfs_quota_us"; } 2>/dev/null ||
			   { [ -e "$group/cpu.max" ] && echo "${1}000 100000" >"$group/cpu.max"; } 2>/dev/null; then
				return
			fi
			rmdir "$group"
		fi
	done
	group=
	return 1
}

# Make a row from those of dls-loops.  In each half of the rounds auto is compared with the side that is best
# in the other half: in the rounds by which it was chosen, the best side was also lucky.
compare() {	# condition, what auto runs in the end
	sed 's/"\([^",]*\),\([^"]*\)"/\1 \2/g' | awk -F, -v condition="$1" -v runs="$2" '
		function sort(list, n,    i, k, x) {
			for (i = 2; i <= n; i++) {
				x = list[i]
				for (k = i - 1; k > 0 && list[k] > x; k--) list[k + 1] = list[k]
				list[k + 1] = x
			}
		}
		function median(list, n) { sort(list, n); return (list[int((n + 1) / 2)] + list[int(n / 2) + 1]) / 2 }
		function of(side, half,    r, n, list) {	# half 0, 1: of the even, the odd rounds; 2: of all
			for (r = 1; r <= rounds; r++) if (half == 2 || r % 2 == half) list[++n] = time[side, r]
			return median(list, n)
		}
		function best(half,    s, found) {
			for (s = 1; s <= sides; s++) if (s != own && (!found || of(s, half) < of(found, half))) found = s
			return found
		}
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{
			name[++sides] = $1 == "libdls" ? $at["schedule"] : $1 " " $at["schedule"]
			if (name[sides] == "auto") own = sides
			rounds = split($at["times"], t, " ")
			for (r = 1; r <= rounds; r++) time[sides, r] = t[r]
			kernel = $at["kernel"]
		}
		END {
			all = best(2)
			by[0] = rounds < 2 ? all : best(0)
			by[1] = rounds < 2 ? all : best(1)
			for (r = 1; r <= rounds; r++) ratio[r] = time[own, r] / time[by[1 - r % 2], r]
			middle = median(ratio, rounds)
			half = (ratio[rounds - int(rounds / 4)] - ratio[int(rounds / 4) + 1]) / 2
			printf "%-16s %-12s %10.2f %10.2f  %-16s %6.3f +- %.3f  %s\n", condition, kernel, 1e3 * of(own, 2), 1e3 * of(all, 2), \
				name[all], middle, half, runs
		}'
}

# Run dls-loops: its process writes down its number, and joins the group if there is one.
measure() {	# condition, arguments before the kernel
	condition=$1
	shift
	for kernel in $kernels; do
		# shellcheck disable=SC2016 # the inner shell's
		DLS_DISPLAY_ENV=1 sh -c 'echo $$ >"$1/pid"; [ -z "$2" ] || echo $$ >"$2/cgroup.procs" || exit; shift 2; exec "$@"' sh "$work" "$group" \
			"$tool" "$kernel" -s "auto;$schedules" --runs "$runs" --seconds "$seconds" --csv "$@" >"$work/rows" 2>"$work/said" ||
			{ rm -f "$work/pid"; no "$condition" "$kernel: $(head -n 1 "$work/said")"; continue; }
		rm -f "$work/pid"
		compare "$condition" "$(sed -n 's/.*: auto runs //p' "$work/said" | sort -u | paste -sd' ' -)" <"$work/rows" | tee -a "$work/table"
	done
}
no() { printf '%-16s not measured: %s\n' "$1" "$2"; }	# condition, why
need() {	# condition, command, package
	command -v "$2" >/dev/null && return
	no "$1" "$2 is not installed (package $3)"
	return 1
}
several() { [ "$processors" -gt 1 ] || { no "$1" 'this process may run on one processor'; return 1; }; }

printf '%-16s %-12s %10s %10s  %-16s %-15s  %s\n' condition kernel 'auto, ms' 'best, ms' by 'auto / best' 'auto runs'
for condition in $conditions; do
	case $condition in
	calm) measure calm ;;
	bound) need bound taskset util-linux && beside bound && measure bound ;;
	unbound) beside spin && measure unbound ;;
	unbound-nice19) beside niced && measure unbound-nice19 ;;
	on-and-off) beside spin_on_and_off && measure on-and-off ;;
	quota-*)
		percent=${condition#quota-}
		if limit "$percent"; then
			measure "$condition"
		else
			no "$condition" 'no group with a quota can be made under /sys/fs/cgroup'
		fi ;;
	one-processor)
		need one-processor taskset util-linux && several one-processor && {
			threads=$processors
			plain=$tool
			printf '#!/bin/sh\nexec taskset -c %s "%s" "$@"\n' "$first" "$plain" >"$work/on-one"
			chmod +x "$work/on-one"
			tool=$work/on-one
			measure one-processor -t "$threads"
			tool=$plain
		} ;;
	twice-threads) measure twice-threads -t $((2 * processors)) ;;
	affinity) need affinity taskset util-linux && several affinity && beside move_about && measure affinity ;;
	threads-*)
		threads=${condition#threads-}
		measure "$condition" -t "$threads" ;;
	*) echo "hostile.sh: \"$condition\": no such condition; -c '' lists them" >&2; exit 2 ;;
	esac
	quieten
done
[ ! -s "$work/table" ] ||
	awk '{ for (i = 1; $i != "+-"; ) i++; x = $(i - 1) }
		{ sum += log(x); most = x > most ? x : most; near += x <= 1.03; perhaps += x - $(i + 1) <= 1.03 }
		END { printf "mean %.3f, worst %.3f of %d; %d within 3 %%, %d but for the spread\n", exp(sum / NR), most, NR, near, perhaps }' "$work/table"
