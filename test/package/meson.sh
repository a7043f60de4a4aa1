#!/bin/sh
# meson.sh - a Meson program, built outside the tree: against an installation that was moved, and with the library as a
# subproject from its source alone, through Meson's cmake module.  Fails if: the package is not found where it was moved to, or
# CMakeLists.txt has what that module does not understand.
. test/sh.sh
plain_builds_only
glibc_builds_only
command -v meson >/dev/null || skip_all 'meson is not installed (package meson)'
command -v ninja >/dev/null || skip_all 'ninja is not installed (package ninja-build)'
echo 'int main(void) { return 0; }' | ${CC:-gcc} -fopenmp -x c - -o "$work/none" 2>/dev/null ||
	skip_all "${CC:-gcc} has no OpenMP (package libomp-dev)"
. test/package/shared/installed.sh
unset CFLAGS LDFLAGS CPPFLAGS PKG_CONFIG_PATH
export OMP_NUM_THREADS=2
cp -r test/package/meson/program "$work" || exit 1

program() {	# the text, its folder, meson's arguments
	text=$1 folder=$2
	shift 2
	meson setup "$@" "$work/program" "$folder" >"$log" 2>&1 && meson compile -C "$folder" >>"$log" 2>&1
	point $? "$text: built"
	same "$text" right "$(LD_LIBRARY_PATH=$moved/$libdir "$folder/program" 2>&1)"
}

if need cmake cmake 'an installation that was moved'; then
	install_and_move
	program 'an installation that was moved' "$work/a build" --wrap-mode=nofallback -Dcmake_prefix_path="$moved"
fi
moved=$work/none	# its library would come before the subproject's
if need cmake cmake 'a subproject'; then
	mkdir -p "$work/program/subprojects/libdls" &&
		cp -r CMakeLists.txt Makefile include lib sched man "$work/program/subprojects/libdls" || exit 1
	program 'a subproject' "$work/another build" --buildtype=plain
fi
finish
