# installed.sh - what the tests of test/package share: an installation that was moved.
#
# $moved is its prefix, whose name has a blank; nothing is left where it was installed.
# shellcheck shell=sh disable=SC2034,SC2154 # used, and $work set, by those who source it
unset MAKEFLAGS MFLAGS MAKELEVEL
moved="$work/a moved prefix"
libdir=lib/$(${CC:-gcc} -print-multiarch 2>/dev/null)	# as Debian has it
libdir=${libdir%/}

install_and_move() {
	make CC="${CC:-gcc}" B="$build" install prefix="$work/first" libdir="$work/first/$libdir" DESTDIR="$work/stage" \
		>"$log" 2>&1 || bail 'make install'
	mv "$work/stage$work/first" "$moved" && rm -r "$work/stage" || bail 'no installation to move'
}
