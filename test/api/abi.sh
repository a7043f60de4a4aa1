#!/bin/sh
# abi.sh - make abi tells of each change to a copy of the headers.  Fails if: test/abi.sh compares neither types that no
# function reaches, nor constants, nor the library itself; or if it finds a difference where there is none.
#
# runs: once
. test/sh.sh
plain_builds_only
command -v abidiff >/dev/null || skip_all 'abidiff is not installed (package abigail-tools)'
export ABI_FILE="$work/accepted" ABI_WORK="$work/abi"
edit() {	# file, sed script
	sed "$2" "include/$1" >"$work/include/$1"
	! cmp -s "include/$1" "$work/include/$1" || bail "$1 has no such line: $2"
}
# The edited headers differ from the accepted ones; the report says how.
reports() {	# what, report
	holds "$1" grep -q "$2" "$log"
}
cp -r include "$work"

test/abi.sh accept >"$log" && test/abi.sh >"$log" 2>&1
! grep -qF "$ABI_FILE;" "$log"
point $? 'no change'
edit dls/site.h 's/^	const char \*file;/	const char *path;/; /^	int line;/i\
	long inserted;'
edit dls.h '/^	bool nowait;/a\
	int inserted;'
edit dls/error.h 's/DLS_EINVAL = -1,/DLS_EINVAL = -91,/; s/^DLS_API.*dls_strerror.*/&\
DLS_API int dls_added(int code);/'
! ABI_HEADERS="$work/include" test/abi.sh >"$log" 2>&1
point $? 'changes'
reports 'a field in the middle of a struct' "'long int inserted', at offset 64"
holds '... which libdls.so does not have' [ "$(grep -c "'long int inserted', at offset 64" "$log")" -eq 2 ]
reports 'a field that fills a gap, in a struct for macros alone' "'int inserted', at offset"
reports 'a function' 'Added function'
reports 'the value of a constant' "DLS_EINVAL' from value '-1' to '-91'"
reports 'the name of a field' "'dls_site::file' changed to 'dls_site::path'"
# Types of functions are compared where no struct differs.
cp include/*.h "$work/include" && cp include/dls/*.h "$work/include/dls"
edit dls/loop.h 's/^\(DLS_API .*\)uint64_t \*/\1size_t */'
! ABI_HEADERS="$work/include" test/abi.sh >"$log" 2>&1
reports 'a type of the same size' 'changed from uint64_t to size_t'
finish
