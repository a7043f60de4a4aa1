#!/bin/sh
# sim_platform.sh - dls-sim --platform: what comes out by hand, plain text and XML alike, clusters and zones, speeds that change, traffic of
# links, and files that are refused by line.
#
# runs: machines, texts
export LC_ALL=C
. test/sh.sh
tool=$(cd "$bin" && pwd)/dls-sim
cd "$work" || exit 1
put() { printf '%s\n' "$@"; }

# Speed 1 is that of the fastest host.
# Fails if: speeds are not relative to the fastest, a trace is not read or does not repeat, or T_opt and T_nobal are of other speeds.
put '# two hosts' 'host fast 2Gf' 'host slow 1Gf trace=slow.trace' 'link wire 1ms 1MBps' 'route fast slow wire' >two.txt
put '0 1' '3 0.5' 'LOOPAFTER 2' >slow.trace
put '0 3' '1 3' >tasks
set -- --platform two.txt --strategy none --load tasks --costs ideal --csv
# Of the slow one's 6 s, 3 are done in 3 s, 1 in 2, 2 in 2.
same 'speeds by hand' '2 4.000000000 6.000000000 7.000000000' "$("$tool" "$@" | last_row 'processors t_opt_s t_nobal_s t_bal_s')"

# Fails if: a unit is misread.
k=0 bad=
for row in 50us:1MBps 0.05ms:8Mbps 5e-5:1e6 50000ns:1000kBps; do
	put 'host a 1' 'host b 1' "link l ${row%:*} ${row#*:}" 'route a b l' >unit.txt
	"$tool" --platform unit.txt --strategy rid --csv --load bimodal --tasks 20 | figures | sed 's/unit.txt//' >unit$k
	cmp -s unit0 unit$k || bad="$bad $row"
	k=$((k + 1))
done
same 'units' '' "$bad"

# Fails if: XML says something else than the same in text; a file's place in the rows is lost.
put 'cluster c 3 1Gf 50us 125MBps backbone 500us 2.25GBps' 'host h 500Mf' 'link l 1ms 1MBps splitduplex' 'route c h l:up' >c.txt
put '<?xml version="1.0"?>' '<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">' '<platform version="4.1">' \
	'<config><prop id="a" value="b"/></config>' '<zone id="all" routing="Full">' \
	'<cluster id="c" prefix="c" suffix="" radical="0-1,2" speed="1Gf" lat="50us" bw="125MBps" bb_lat="500us" bb_bw="2.25GBps" router_id="r"/>' \
	'<zone id="z" routing="None"><host id="h" speed="0.5Gf" core="2"><prop id="a" value="b"/></host></zone>' \
	'<link id="l" bandwidth="1MBps" latency="1ms" sharing_policy="SPLITDUPLEX"/>' \
	'<zoneRoute src="c" dst="z" gw_src="r" gw_dst="h"><link_ctn id="l" direction="UP"/></zoneRoute>' '</zone>' '</platform>' >c.xml
set -- --strategy 'rid;dem' --net ring --tasks 20 --csv
"$tool" --platform c.txt "$@" | figures | sed 's/c\.txt//' >text 2>"$log"
if "$tool" --platform c.xml "$@" >xml 2>err; then
	figures <xml | sed 's/c\.xml//' | cmp - text >"$log" 2>&1 && grep -q 'c.xml cksum=' xml
	point $? 'XML and text'
	put '<platform version="4.1"><zone id="z" routing="Full"><host id="fast" speed="2Gf"/><host id="slow" speed="1Gf"/>' \
		'<link id="wire" bandwidth="1MBps" latency="1ms"/><route src="fast" dst="slow"><link_ctn id="wire"/></route></zone>' \
		'<trace id="t" periodicity="2">0 1' '3 0.5</trace><trace_connect kind="SPEED" trace="t" element="slow"/></platform>' >two.xml
	same 'a trace in it' '7.000000000' "$("$tool" --platform two.xml --strategy none --load tasks --costs ideal --csv | last_row t_bal_s)"
	bad() {	# what it quotes, lines
		said=$1
		shift
		put "$@" >bad.xml
		refused "$said" --platform bad.xml
	}
	bad 'line 2: not XML' '<platform version="4.1">' '</zone>'
	bad 'line 1, "3": not version 4' '<platform version="3"></platform>'
	bad 'line 2, "Vivaldi": not a routing' '<platform version="4.1">' '<zone id="z" routing="Vivaldi"></zone></platform>'
	bad 'line 3, "peer": not an element' '<platform version="4.1">' '<zone id="z" routing="Full">' '<peer id="a"/></zone></platform>'
	bad 'line 3, "host": needs the attribute speed' '<platform version="4.1">' '<zone id="z" routing="Full">' '<host id="a"/></zone></platform>'
	bad 'line 2, "state_file": processors and links do not fail' '<platform version="4.1"><zone id="z" routing="Full">' \
		'<host id="a" speed="1f" state_file="x"/></zone></platform>'
	# Fails if: an entity is expanded, which may take for ever, or is left out; an element stands where it means nothing.
	bad 'line 1, "platform": declarations in its DOCTYPE, such as <!ENTITY>, are not read' \
		'<!DOCTYPE platform [<!ENTITY a "1"><!ENTITY b "&a;&a;">]>' '<platform version="4.1"></platform>'
	dtd='<!DOCTYPE platform SYSTEM "simgrid.dtd">' zone='<platform version="4.1"><zone id="z" routing="Full">' ends='</zone></platform>'
	bad 'line 2, "a": entities are not read' "$dtd" "$zone&a;$ends"
	bad 'line 2, "a": entities are not read' "$dtd" "$zone<host id=\"h\" speed=\"1&a;Gf\"/>$ends"
	bad '"link_ctn": does not stand in zone' "$zone<link id=\"l\" bandwidth=\"1\"/><link_ctn id=\"l\"/>$ends"
	bad '"trace": does not stand in trace' "$zone<trace id=\"t\"><trace id=\"u\"/></trace>$ends"
	bad '"h": a route from there has no link' "$zone<host id=\"h\" speed=\"1\"/><route src=\"h\" dst=\"h\"/>$ends"
	bad '"h": not in "y", whose gateway it is to be' "$zone<host id=\"h\" speed=\"1\"/><zone id=\"y\" routing=\"None\"/>
		<zoneRoute src=\"y\" dst=\"h\" gw_src=\"h\" gw_dst=\"h\"/>$ends"
	bad '"z16": zones stand in each other more than 16 deep' "$zone$(printf '<zone id="z%d" routing="None">' 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16)"
	# Fails if: a value that means nothing is taken.
	while read -r said attributes; do
		bad "$said" "$zone<cluster id=\"c\" prefix=\"c\" suffix=\"\" $attributes/>$ends"
	done <<-'END'
		"0,0,0": radical="0,0,0" speed="1" lat="1" bw="1"
		"3-0": radical="3-0" speed="1" lat="1" bw="1"
		"-5": radical="-5" speed="1" lat="1" bw="1"
		"0-1,": radical="0-1," speed="1" lat="1" bw="1"
		"c1048576": radical="0-2000000" speed="1" lat="1" bw="1"
		"-1": radical="0-1" speed="1" lat="1" bw="1" core="-1"
		"nan": radical="0-1" speed="nan" lat="1" bw="1"
		"0x1p3": radical="0-1" speed="0x1p3" lat="1" bw="1"
		"1Gf,2Gf": radical="0-1" speed="1Gf,2Gf" pstate="2" lat="1" bw="1"
		"inf": radical="0-1" speed="1" lat="inf" bw="1"
		"2e9": radical="0-1" speed="1" lat="2e9" bw="1"
		"0": radical="0-1" speed="1" lat="1" bw="0"
		"-2": radical="0-1" speed="1" lat="1" bw="1" loopback_bw="-2"
	END
	# Fails if: reading takes a time that grows with the square of the file, 12 s and more for each kind here, or a trace is read for
	# each host anew.
	if [ -z "${SAN-}${ARCH-}" ]; then
		awk -v n=60000 'BEGIN {
			print "<platform version=\"4.1\"><zone id=\"all\" routing=\"Full\"><link id=\"l\" bandwidth=\"1\"/>"
			print "<cluster id=\"c\" prefix=\"c\" suffix=\"\" radical=\"0-" n - 1 "\" speed=\"1Gf\" lat=\"1us\" bw=\"1Gbps\"/>"
			print "<trace id=\"t\">"
			for (i = 0; i < n; i++) print i, 1
			print "</trace>"
			for (i = 0; i < n; i++) {
				print "<zone id=\"z" i "\" routing=\"None\"><router id=\"r" i "\"/></zone>"
				print "<zoneRoute src=\"c\" dst=\"z" i "\" gw_src=\"cc_router\" gw_dst=\"r" i "\"><link_ctn id=\"l\"/></zoneRoute>"
				print "<trace_connect kind=\"SPEED\" trace=\"t\" element=\"c" i "\"/>"
			}
			print "</zone></platform>" }' >large.xml
		(ulimit -t 6 && "$tool" --platform large.xml --strategy none --net ring --processors 2 --tasks 1 --csv) >"$log" 2>&1
		point $? 'a large file'
	fi
	bad 'line 2, "HOST_AVAIL": not a kind' '<platform version="4.1"><zone id="z" routing="Full"><host id="a" speed="1f"/></zone>' \
		'<trace_connect kind="HOST_AVAIL" trace="t" element="a"/></platform>'
else
	same 'XML without expat' '3 1' "$? $(grep -c libexpat1-dev err)"
	skip 'XML' 'dls-sim is built without expat (package libexpat1-dev)'
fi

# Each message from c0 to h crosses its own link up, the backbone and l; messages among the cluster never l.
# Fails if: a route has too many or too few links, or traffic is counted wrongly.
"$tool" --platform c.txt --strategy sid --net complete --tasks 20 --json >json
if need python3 python3 'traffic of links'; then
	python3 - json >"$log" 2>&1 <<'END'
import json, sys
run = json.load(open(sys.argv[1]))[0]
m, b = run["link_messages"], run["link_bytes"]
assert m.keys() == b.keys() and all(b[k] >= 48 * m[k] for k in m)
up, down = (sum(m[f"c_link_{i}_{way}"] for i in range(3)) for way in ("UP", "DOWN"))
assert m["c_backbone"] == up + m["l_DOWN"] == down + m["l_UP"], m
assert run["messages"] + run["service_messages"] == up + m["l_DOWN"], (run["messages"], run["service_messages"], m)
END
	point $? 'traffic of links'
fi
"$tool" --platform c.txt --strategy sid --net complete --tasks 20 >out && grep -q '^  links        [cl]_' out
point $? 'in the text'
"$tool" --platform c.txt --strategy sid --net complete --tasks 20 --html page.html >out && grep -q '"traffic":\[\["c_link_0_UP",[1-9]' page.html
point $? 'on the page'

# Fails if: virtual time is not the same again, runs in processes of their own lose their traffic, or bytes do not count.
set -- --platform c.txt --strategy 'rid;rand' --tasks 20 --seed 1-3 --csv
"$tool" "$@" >a && "$tool" "$@" >b && cmp a b >"$log" 2>&1 && [ "$(grep -c 'c_backbone=' a)" -eq 6 ]
point $? 'the same seed, the same bytes'
for bytes in 32 1000000; do "$tool" --platform c.txt --strategy rand --tasks 20 --bytes $bytes --csv | last_row t_bal_s; done >out
[ "$(sed -n 2p out)" != "$(sed -n 1p out)" ] && awk 'NR == 1 { x = $1 } END { exit !($1 > x) }' out
point $? 'large tasks take longer'
put 'platform two.txt; c.txt' 'strategy rid; none' 'tasks 5' >p.study
same 'in a study' '4 combinations, 0 of them kept, 4 run' "$("$tool" --study p.study 2>"$log" | grep combinations)"
put 'host fast 3Gf' 'host slow 1Gf' 'link wire 1ms 1MBps' 'route fast slow wire' >two.txt
same 'of which one changes' '4 combinations, 2 of them kept, 2 run' "$("$tool" --study p.study 2>"$log" | grep '^4 combinations')"

bad() {	# what it quotes, lines
	said=$1
	shift
	put "$@" >bad.txt
	refused "$said" --platform bad.txt
}
bad 'line 1, "hots": not host, router NAME, cluster, link or route' 'hots a 1'
bad 'line 1, "host": not host NAME SPEED' 'host a'
bad 'line 1, "0": not a number of hosts' 'cluster c 0 1 1 1'
bad 'line 2, "0": not a speed, such as 1Gf' '' 'host a 0'
bad 'line 1, "1GHz": not a speed' 'host a 1GHz'
bad 'line 1, "-1us": not a time' 'link l -1us 1MBps'
bad 'line 1, "1MB": not a bandwidth' 'link l 1us 1MB'
bad 'line 2, "a": there are two of this name' 'host a 1' 'host a 1'
bad 'line 2, "l": there are two links' 'link l 1us 1MBps' 'link l 1us 1MBps'
bad 'line 3, "m": there is no such link' 'host a 1' 'host b 1' 'route a b m'
bad 'line 2, "b": there is no host' 'host a 1' 'route a b l'
bad 'line 1, "wide": not shared, fatpipe or splitduplex' 'link l 1us 1MBps wide'
bad '"a": no route from there to "b"' 'host a 1' 'host b 1'
bad '"a": two routes from there to "b"' 'host a 1' 'host b 1' 'link l 0 1' 'route a b l' 'route b a l'
bad ': no host' '# none'
bad '"none": No such file' 'host a 1 trace=none'
put '0 1' '1 0' >stops
bad 'processors do not fail: 0 is refused' 'host a 1 trace=stops'
# Fails if: changes of speed that the simulation cannot resolve are taken, of which there may be 10^9 a second.
put '0 1' '1e-9 0.5' 'LOOPAFTER 1' >close
bad '"1e-9 0.5": close, line 2: not "seconds factor", at least 1 us after' 'host a 1 trace=close'
put '0 1' '1 0.5' 'LOOPAFTER 1e-9' >again
bad '"again": repeats 1e-09 s after its last line' 'host a 1 trace=again'
printf '0 1\n\0' >nul
bad '"nul": a NUL byte' 'host a 1 trace=nul'
refused '"none.txt": No such file' --platform none.txt
# It would be read for ever.
mkfifo pipe
put 'host a 1' >pipe &
refused '"pipe": it is no regular file' --platform pipe
wait
refused '"9": --platform "c.txt" has 4 hosts' --platform c.txt --processors 9
refused '"mesh:3x3": 9 processors, but --platform "c.txt" has 4 hosts' --platform c.txt --net mesh:3x3
refused '"1:2": not with --platform' --platform c.txt --speeds 1:2
refused 'in virtual time alone' --platform c.txt --engine threads
finish
