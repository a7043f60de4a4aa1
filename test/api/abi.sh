#!/bin/sh
# abi.sh - make abi tells of each change to a copy of the headers.  Fails if: test/abi.sh compares neither types that no
# function reaches, nor constants, nor the library itself; or if it finds a difference where there is none.
#
# runs: once
. test/sh.sh
plain_builds_only
command -v abidiff >/dev/null || skip_all 'abidiff is not installed (package abigail-tools)'
export ABI_FILE="$work/accepted" ABI_WORK="$work/abi"
# Headers that an edit has changed differ from the accepted ones; the report says how.
change() {	# what file sed-script report
	rm -rf "$work/include"
	cp -r include "$work"
	sed "$3" "include/$2" >"$work/include/$2"
	! cmp -s "include/$2" "$work/include/$2" && ! ABI_HEADERS="$work/include" test/abi.sh >"$log" 2>&1 && grep -q "$4" "$log"
	point $? "$1"
}

test/abi.sh accept >"$log" && test/abi.sh >"$log" 2>&1
! grep -qF "$ABI_FILE;" "$log"
point $? 'no change'
change 'a field in the middle of a struct' dls/site.h '/^	int line;/i\
	long inserted;' "long int inserted', at offset 64"
holds '... which libdls.so does not have' [ "$(grep -c "'long int inserted', at offset 64" "$log")" -eq 2 ]
change 'a field that fills a gap, in a struct for macros alone' dls.h '/^	bool nowait;/a\
	int inserted;' "'int inserted', at offset"
change 'a function' dls/error.h 's/^DLS_API.*dls_strerror.*/&\
DLS_API int dls_added(int code);/' 'Added function'
change 'the value of a constant' dls/error.h 's/DLS_EINVAL = -1,/DLS_EINVAL = -91,/' "DLS_EINVAL' from value '-1' to '-91'"
change 'the name of a field' dls/site.h 's/^	int line;/	int row;/' "'dls_site::line' changed to 'dls_site::row'"
change 'a type of the same size' dls/loop.h 's/^\(DLS_API .*\)uint64_t \*/\1size_t */' 'changed from uint64_t to size_t'
finish
