#!/bin/sh
# abi.sh - compare the interface of libdls.so with the accepted one, lib/libdls.abi; with the argument accept, renew
# that file.
#
# lib/libdls.abi holds the types and functions of the public headers, one a line, preprocessed, without inline functions.
# abidiff compares two libraries of empty functions, one made of that file and one of the headers: neither the compiler
# nor a private type makes a difference.  Then it compares the second one with libdls.so, which must be what the headers
# declare.
#
# Prints each difference.  Exit status: 0 none, 1 some, 3 something needed is not installed.
# CC, CFLAGS and B (the build folder) are those of make.
export LC_ALL=C
headers=include abi=lib/libdls.abi work=${B:-build}/abi
library=${B:-build}/libdls.so
cc="${CC:-cc} ${CFLAGS-} -std=c11 -w -g -fno-eliminate-unused-debug-types -fvisibility=default"
command -v abidiff >/dev/null || { echo 'abi: abidiff is not installed (package abigail-tools)' >&2; exit 3; }
mkdir -p "$work" || exit 3
soname=$(readelf -d "$library" | sed -n 's/.*(SONAME).*\[\(.*\)\]/\1/p')

# What the public headers declare: their lines, joined, then cut after the ; or } that ends a declaration.
interface() {
	(cd "$headers" && printf '#include "%s"\n' dls.h dls/*.h | grep -v '"dls/mpi\.h"') >"$work/headers.c"	# libdls-mpi's
	$cc -I"$headers" -E "$work/headers.c" >"$work/headers.i" || return
	printf '%s\n' '/* libdls.abi - the accepted interface of libdls.so, which make abi-accept renews. */' \
		"/* $(sed -n 's/^\(DLS_[0-9.]*\) {$/\1/p' lib/libdls.map) */" \
		'#include <stdbool.h>' '#include <stddef.h>' '#include <stdint.h>'
	awk -v from="\"$headers/" '/^#/ { ours = index($0, from); next } ours { printf "%s ", $0 }' "$work/headers.i" |
		sed 's/__attribute__((__visibility__("default")))/DLS_API/g; s/[;{}]/&\n/g' | awk '
		{ text = text $0; gsub(/[[:blank:]]+/, " ", text); sub(/^ /, "", text) }
		/{$/ { depth++ }
		/}$/ { depth-- }
		depth == 0 && (/;$/ || (/}$/ && text ~ /^static (inline|__attribute__)/)) {
			sub(/\) __attribute__\(\(.*/, ");", text)
			if (text !~ /^(static inline|static __attribute__|_Static_assert|;)/)
				print text
			text = ""
		}'
}

# A library of empty functions.
empty() {	# interface library
	sed -n 's|^/\* \(DLS_[0-9.]*\) \*/$|\1 { dls_*; };|p' "$1" >"$2.map"
	sed 's/^DLS_API \(.*)\);$/\1 { for (;;); }/' "$1" >"$2.c"
	$cc -fPIC -nostdlib -shared -Wl,-soname,"$soname" -Wl,--version-script="$2.map" -o "$2" "$2.c"
}

# Whether two libraries agree; if not, by type, and where no type differs, by function.
same() {	# library library abidiff's options
	{ abidiff --no-show-locs --leaf-changes-only "$@" && abidiff --no-show-locs "$@"; } >"$work/log" 2>&1 && return
	cat "$work/log"
	return 1
}

interface >"$work/interface" && empty "$work/interface" "$work/headers.so" || exit 1
if [ "${1-}" = accept ]; then
	cp "$work/interface" "$abi" && echo "abi: $abi holds the $(grep -c ^DLS_API "$abi") functions of the headers"
	exit
fi
empty "$abi" "$work/accepted.so" || exit 1
# For libdls-omp.so and libdls-mpi.so of the same version alone.
private=$(sed -n '/^DLS_PRIVATE/,$s/^\t\(dls__[a-z_]*\);$/\1/p' lib/libdls.map | paste -sd '|')
printf '[suppress_function]\nsymbol_name_regexp = ^(%s)$\n' "$private" >"$work/suppressed"
code=0
if ! same "$work/accepted.so" "$work/headers.so" --harmless --non-reachable-types; then
	echo "abi: the headers differ from $abi; make abi-accept accepts what they declare"
	code=1
fi
if ! readelf -S "$library" | grep -q '\.debug_info'; then
	echo "abi: $library is not compared with the headers: it has no debugging information (-g)"
elif ! same "$work/headers.so" "$library" --suppressions "$work/suppressed"; then
	echo "abi: $library is not what the headers declare"
	code=1
fi
[ "$code" -ne 0 ] || echo "abi: the $(grep -c ^DLS_API "$abi") functions and their types are those of $abi"
exit "$code"
