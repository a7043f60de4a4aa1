#!/bin/sh
# scale.sh - how loops across ranks scale, 16 to 1024 ranks that SimGrid simulates, 8 to a node: make mpi-scale.
#
# scale.sh TOOL LIBRARIES [check]	rows of CSV on stdout.  check: the two levels at 1024 alone;
#				status 1 if they are less than 85 % efficient
tool=$1
export LC_ALL=C LD_LIBRARY_PATH="$2${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
work=$(mktemp -d) || exit
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
cat >"$work/platform.xml" <<-END
	<?xml version='1.0'?>
	<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
	<platform version="4.1"><cluster id="c" prefix="n" suffix="" radical="0-127" speed="1Gf" bw="1.25GBps" lat="1us"
	core="8" loopback_bw="10GBps" loopback_lat="200ns"/></platform>
END
awk 'BEGIN { for (i = 0; i < 1024; i++) print "n" int(i / 8) }' >"$work/hosts"

scale() {	# ranks, how
	began=$(date +%s)
	# shellcheck disable=SC2046 # several words
	set -- "$@" $(timeout 600 smpirun --log=root.thres:warning --cfg=smpi/simulate-computation:no --cfg=smpi/iprobe:1e-6 \
		--cfg=smpi/test:1e-6 --cfg=smpi/grow-injected-times:no -platform "$work/platform.xml" -hostfile "$work/hosts" \
		-np "$1" "$tool" "$2" 8 ss,10 </dev/null)
	echo "$1,$2,${5-},$(($(date +%s) - began))"
}

if [ "${3-}" = check ]; then
	row=$(scale 1024 levels)
	echo "# ranks, how, efficiency in %, s of this machine: $row"
	echo "$row" | awk -F, '{ exit !($3 >= 85) }'
	exit
fi
echo 'ranks,how,efficiency,host_s'
for how in levels master flat; do
	for ranks in 16 32 64 128 256 512 1024; do
		scale "$ranks" "$how"
	done
done
