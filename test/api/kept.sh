#!/bin/sh
# kept.sh - programs compiled against the headers of 1.0 and later (test/kept) run with this library, and print what they printed
# then, where that is the same each time.  Fails if a function is missing, or a structure, constant or inline function has another
# layout or meaning.
#
# runs: machines, once
. test/sh.sh
plain_builds_only
glibc_builds_only
LD_LIBRARY_PATH=$(cd "$build" && pwd)${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export LD_LIBRARY_PATH
kept=$(ls test/kept/*-"$(uname -m)".tar.gz 2>/dev/null) || skip_all "there are no kept programs for $(uname -m)"
for archive in $kept; do
	version=${archive##*/} version=${version%%-*}
	mkdir "$work/$version" && tar xzf "$archive" -C "$work/$version" || bail "cannot unpack $archive"
	for prints in "$work/$version"/*.prints; do
		program=${prints%.prints} text="$version: ${prints##*/}"
		text=${text%.prints}
		missing=$(ldd "$program" 2>&1 | grep -v libdls | sed -n 's/^[[:blank:]]*\(.*\) => not found/\1/p; s/.*\(GLIBC[A-Z]*_[0-9.]*\).* not found.*/\1/p' | head -1)
		if [ "$missing" ]; then
			skip "$text" "this system has no $missing"
			continue
		fi
		(cd "$work" && "$program" >"$log" 2>&1) && { [ ! -s "$prints" ] || cmp "$prints" "$log" >>"$log" 2>&1; }
		point $? "$text"
		[ "${program##*/}" = c ] || continue
		for schedule in static gss af steal auto rid; do
			DLS_SCHEDULE=$schedule DLS_REPORT="$work/report.json" "$program" >"$log" 2>&1 && cmp "$prints" "$log" >>"$log" 2>&1
			point $? "$text, under $schedule, measured"
		done
	done
done
finish
