#!/bin/sh
# interface.sh - make abi tells of each name that is gone or new.  Fails if: test/interface.sh misses one kind of them, or finds a
# difference where there is none.
#
# runs: machines, once
. test/sh.sh
plain_builds_only
export INTERFACE_WORK="$work/interface"
test/interface.sh >"$log" 2>&1
code=$?
[ $code -ne 3 ] || skip_all "$(cat "$log")"
point $code 'the names are those of lib/libdls.names'
# Of a list with another line of each kind the old one is new, and the changed one is gone.
sed 's/^macro DLS_FOR(/&x, /; s/^\(dls.hpp: void for_each(\)range/\1all/; s/^dls.F90: call dls_region_open/&ed/
	s/^int dls_mpi_close/&d/; s/^schedule gss/&s/; s/^strategy rid/&e/; s/^parameter of rips: walk/&s/; s/^net torus/&es/
	s/^variable DLS_TRACE$/&S/; s/^option of dls-sim: --net/&s/; s/^key of report.json: wall/&s/; s/^report.csv: columns site/&s/' \
	lib/libdls.names >"$work/names"
! INTERFACE_FILE="$work/names" test/interface.sh >"$log"
same 'names that are gone' 12 "$(grep -c '^gone or changed: ' "$log")"
same 'names that are new' 12 "$(grep -c '^new, not in the list: ' "$log")"
cp "$work/names" "$work/kept"
! INTERFACE_FILE="$work/names" test/interface.sh accept >"$log" && cmp "$work/names" "$work/kept" >>"$log" 2>&1
point $? 'no name that is gone is accepted'
finish
