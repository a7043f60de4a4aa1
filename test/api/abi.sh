#!/bin/sh
# abi.sh - make abi tells of each change to a copy of the headers.  Fails if: test/abi.sh compares neither types that no
# function reaches, nor constants, nor the library itself; or if it finds a difference where there is none.
command -v abidiff >/dev/null || { echo '1..0 # SKIP abidiff is not installed (package abigail-tools)'; exit; }
case ${SAN-} in ?*) echo '1..0 # SKIP plain builds only'; exit ;; esac
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export HEADERS=include ABI="$work/accepted" WORK="$work/abi"
n=0 bad=0
point() {	# status what
	n=$((n + 1))
	if [ "$1" -eq 0 ]; then echo "ok $n - $2"; else echo "not ok $n - $2"; bad=1; sed 's/^/# /' "$work/log"; fi
}
# Headers that an edit has changed differ from the accepted ones; the report says how.
change() {	# what file sed-script report
	rm -rf "$HEADERS"
	cp -r include "$HEADERS"
	sed "$3" "include/$2" >"$HEADERS/$2"
	! cmp -s "include/$2" "$HEADERS/$2" && ! test/abi.sh >"$work/log" 2>&1 && grep -q "$4" "$work/log"
	point $? "$1"
}

echo 1..8
test/abi.sh accept >"$work/log" && test/abi.sh >"$work/log" 2>&1
! grep -qF "$ABI;" "$work/log"
point $? 'no change'
HEADERS="$work/include"
change 'a field in the middle of a struct' dls/site.h '/^	int line;/i\
	long inserted;' "long int inserted', at offset 64"
[ "$(grep -c "'long int inserted', at offset 64" "$work/log")" -eq 2 ]
point $? '... which libdls.so does not have'
change 'a field that fills a gap, in a struct for macros alone' dls.h '/^	bool nowait;/a\
	int inserted;' "'int inserted', at offset"
change 'a function' dls/error.h 's/^DLS_API.*dls_strerror.*/&\
DLS_API int dls_added(int code);/' 'Added function'
change 'the value of a constant' dls/error.h 's/DLS_EINVAL = -1,/DLS_EINVAL = -91,/' "DLS_EINVAL' from value '-1' to '-91'"
change 'the name of a field' dls/site.h 's/^	int line;/	int row;/' "'dls_site::line' changed to 'dls_site::row'"
change 'a type of the same size' dls/loop.h 's/^\(DLS_API .*\)uint64_t \*/\1size_t */' 'changed from uint64_t to size_t'
exit $bad
