#!/bin/sh
# deb.sh - Debian's packages, from the tarball: built twice at the same time in folders of different names, with different
# umask, time zone and locale, they have the same bytes; lintian finds nothing; a program builds with what they hold.
# Fails if: a build leaves its path or time in a file; a flag of the distribution is dropped; or a file is in no package.
. test/sh.sh
plain_builds_only
case ${CC:-gcc} in gcc | cc) ;; *) skip_all 'packages are built by gcc alone' ;; esac
[ -z "${DEB_HOST_MULTIARCH-}" ] || skip_all 'this is the build of a package'
for tool in dpkg-buildpackage:dpkg-dev dh:debhelper; do
	command -v ${tool%:*} >/dev/null || skip_all "${tool%:*} is not installed (package ${tool#*:})"
done
missing=$(dpkg-checkbuilddeps test/package/debian/control 2>&1) || skip_all "$missing"
unset MAKEFLAGS MFLAGS MAKELEVEL
version=$(sed -n 's/^#define DLS_VERSION "\(.*\)"/\1/p' include/dls.h)

mkdir "$work/tree"
tar c --exclude=./build --exclude='./build-*' --exclude="./$build" --exclude=./.git . | tar x -C "$work/tree"
(cd "$work/tree" && make B=build dist) >"$log" 2>&1 &&
	test/package/fill.sh "$work/tree/build/libdls-$version.tar.gz" "$work/recipes" >>"$log" 2>&1 || bail 'no tarball'

build() {	# folder dpkg-buildpackage's arguments
	folder=$1
	shift
	mkdir -p "$folder" && cp "$work/tree/build/libdls-$version.tar.gz" "$folder/libdls_$version.orig.tar.gz" &&
		cd "$folder" && tar xzf *.orig.tar.gz && cp -r "$work/recipes/debian" "libdls-$version" &&
		cd "libdls-$version" && env -i PATH="$PATH" HOME="$folder" "$@" >../log 2>&1
}
one=$work/one two=$work/another/folder
(umask 077; build "$two" TZ=Asia/Tokyo LC_ALL=C.UTF-8 DEB_BUILD_OPTIONS=nocheck dpkg-buildpackage -us -uc -b) &
(umask 022; build "$one" TZ=UTC LC_ALL=C DEB_BUILD_OPTIONS=nocheck dpkg-buildpackage -us -uc)
status=$?
wait $! || status=1
tail -n 20 "$one/log" "$two/log" >"$log"
point $status 'packages are built twice'
[ $status -eq 0 ] || finish
grep -hE '(^dh_|^dpkg|: )warning:' "$one/log" "$two/log" >"$log"
holds '... without a warning' [ ! -s "$log" ]
(cd "$one" && sha256sum *.deb) >"$work/sums"
(cd "$two" && sha256sum -c "$work/sums") >"$log" 2>&1 && [ "$(wc -l <"$work/sums")" -ge 3 ]
point $? "... $(wc -l <"$work/sums") packages, and the same bytes"

if need lintian lintian 'lintian finds nothing'; then
	# initial-upload-closes-no-bugs: no bug of Debian asks for these packages.
	lintian --allow-root --suppress-tags initial-upload-closes-no-bugs --fail-on warning,error "$one"/*.changes >"$log" 2>&1 &&
		[ ! -s "$log" ]
	point $? 'lintian finds nothing'
	tags=hardening-no-bindnow,hardening-no-fortify-functions,hardening-no-pie,hardening-no-relro
	lintian --allow-root --tags $tags "$one"/*.changes >"$log" 2>&1 && [ ! -s "$log" ]
	point $? 'all is hardened'
fi

# Other distributions' flags: gcc warns of more when it sees the whole library, or sizes that are known when it runs.
flags='-O2 -flto=auto -fstack-protector-strong -fstack-clash-protection -Wformat -Wformat-security -Werror'
(cd "$work/tree" && AR=gcc-ar CPPFLAGS='-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3' LDFLAGS='-Wl,-z,relro,-z,now' CFLAGS=$flags \
	make -s B=build-lto "build-lto/libdls.so.$version") >"$log" 2>&1 && [ ! -s "$log" ]
point $? 'no warning with -flto and -D_FORTIFY_SOURCE=3'

root=$work/root
for package in "$one"/*.deb; do
	case $package in *-dbgsym_*) ;; *) dpkg-deb -x "$package" "$root" ;; esac
done
if need pkg-config pkgconf 'program with the packages'; then
	lib=$(dirname "$root"/usr/lib/*/libdls.so)
	export PKG_CONFIG_SYSROOT_DIR="$root" PKG_CONFIG_LIBDIR="$lib/pkgconfig" PKG_CONFIG_ALLOW_SYSTEM_CFLAGS=1 \
		PKG_CONFIG_ALLOW_SYSTEM_LIBS=1
	${CC:-gcc} test/user/program.c $(pkg-config --cflags --libs libdls) -o "$work/program" \
		>"$log" 2>&1 && LD_LIBRARY_PATH="$lib" "$work/program" >>"$log" 2>&1 &&
		"$root/usr/bin/dls-chunks" --version >>"$log" 2>&1 && [ -x "$root/usr/bin/dls-mpi-loops.mpich" ]
	point $? 'program with the packages'
fi
finish
