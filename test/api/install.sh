#!/bin/sh
# install.sh - make install into a staging folder, with blanks in all names and a strict umask: everybody can read all; a
# user's program builds through pkg-config against the shared and the static library; uninstall leaves nothing.  Fails if:
# a file is not installed, or not taken away again; or if make drops a flag of the environment.
case ${SAN-} in ?*) echo '1..0 # SKIP plain builds only'; exit ;; esac
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
n=0 bad=0
point() {	# status text
	n=$((n + 1))
	if [ "$1" -eq 0 ]; then echo "ok $n - $2"; else echo "not ok $n - $2"; bad=1; sed 's/^/# /' "$work/log"; fi
}
# The make that runs this has flags of its own.
unset MAKEFLAGS MFLAGS MAKELEVEL
umask 077
stage="$work/a stage" prefix='/usr/lo cal'
make CC="${CC:-gcc}" B="${B:-build}" install DESTDIR="$stage" prefix="$prefix" >"$work/log" 2>&1
point $? 'make install'
: >"$work/log"
for file in include/dls.h include/dls/calc.h lib/libdls.a lib/libdls.so lib/pkgconfig/libdls.pc bin/dls-chunks \
	share/man/man7/dls.7 share/man/man3/dls_for.3 share/man/man1/dls-chunks.1; do
	[ -e "$stage$prefix/$file" ] || echo "no $file" >>"$work/log"
done
find "$stage" ! -type l ! -perm -o=r >>"$work/log"
[ ! -s "$work/log" ]
point $? 'everything is there, for everybody'
if command -v pkg-config >/dev/null; then
	export PKG_CONFIG_SYSROOT_DIR="$stage" PKG_CONFIG_LIBDIR="$stage$prefix/lib/pkgconfig" \
		PKG_CONFIG_ALLOW_SYSTEM_CFLAGS=1 PKG_CONFIG_ALLOW_SYSTEM_LIBS=1
	cflags=$(pkg-config --cflags libdls) libs=$(pkg-config --libs libdls)
	static=$(pkg-config --static --libs libdls)
	cc="${CC:-gcc} -DDLS_USER_RESTRICT=restrict $cflags test/user/program.c"	# quoted for the shell
	eval "$cc $libs" -o '"$work/shared"' >"$work/log" 2>&1 &&
		LD_LIBRARY_PATH="$stage$prefix/lib" "$work/shared" >>"$work/log" 2>&1
	point $? 'program with the shared library'
	rm "$stage$prefix"/lib/libdls.so*
	eval "$cc $static" -o '"$work/static"' >"$work/log" 2>&1 &&
		"$work/static" >>"$work/log" 2>&1
	point $? 'program with the static library'
else
	for what in shared static; do
		n=$((n + 1))
		echo "ok $n - program with the $what library # SKIP no pkg-config (package pkgconf)"
	done
fi
make CC="${CC:-gcc}" B="${B:-build}" uninstall DESTDIR="$stage" prefix="$prefix" >"$work/log" 2>&1
left=$(find "$stage" ! -type d)
echo "$left" >>"$work/log"
[ -z "$left" ] && [ ! -e "$stage$prefix/include/dls" ]
point $? 'make uninstall leaves nothing'
CPPFLAGS=-DA1 CFLAGS=-DA2 LDFLAGS=-DA3 make CC="${CC:-gcc}" B="$work" V=1 -n lib | grep -e registry.c -e -shared >"$work/log"
grep -q -e '-DA1 .*-DA2 .*-c ' "$work/log" && grep -q -e '-DA2 .*-DA3 .*-shared' "$work/log"
point $? 'flags of the environment are used'
echo "1..$n"
exit $bad
