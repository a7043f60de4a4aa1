#!/bin/sh
# install.sh - make install to a prefix with a blank and by a strict umask: everybody can read all; its last lines say how a program
# finds the library; moved to a stage, a user's program builds through pkg-config against the shared and the static library, and
# uninstall leaves nothing; README's commands work as typed.
#
# Fails if: a file is not installed, or not taken away again; man does not find a function by its name; make
# drops a flag of the environment; it says nothing of a prefix that the loader does not search, speaks up
# without need, or prints a line that does not link; README names what there is not; a command of README
# fails, or one of its table.
#
# runs: once
. test/sh.sh
plain_builds_only
# The make that runs this has flags of its own.
unset MAKEFLAGS MFLAGS MAKELEVEL
umask 077
prefix="$work/own place" stage="$work/a stage"
# ldconfig -p that knows libdls.so here, and one that does not; neither changes the system's cache.
mkdir "$work/sbin"
knows() {	# what ldconfig prints
	printf '#!/bin/sh\necho "%s"\n' "$1" >"$work/sbin/ldconfig"
	chmod +x "$work/sbin/ldconfig"
}
knows nothing
PATH=$work/sbin:$PATH make -s CC="${CC:-gcc}" B="$build" install prefix="$prefix" >"$log" 2>&1
point $? 'make install'
soname=$(readlink "$prefix/lib/libdls.so")
compiler="s|gcc|${CC:-gcc}|"
! with_musl || compiler="$compiler; s|-fopenmp||"	# musl's programs have no OpenMP runtime
grep -q "^The loader does not search $prefix/lib" "$log" &&
	line=$(grep '^    gcc' "$log" | sed "$compiler; s|program.c|-x c - -o \"$work/linked\" -x none|") &&
	printf '#include <dls.h>\nint main(void) { DLS_PARALLEL_FOR(i, 0, 9) (void)i; return 0; }\n' | eval "$line" >>"$log" 2>&1 &&
	env -u LD_LIBRARY_PATH "$work/linked" >>"$log" 2>&1
point $? 'a prefix that the loader does not search: the line that is printed links'

mkdir -p "$stage$work" && mv "$prefix" "$stage$prefix"
: >"$log"
for file in include/dls.h include/dls.hpp include/dls.F90 include/dls/calc.h lib/libdls.a lib/libdls.so lib/pkgconfig/libdls.pc \
	lib/cmake/dls/dlsConfig.cmake bin/dls bin/dls-chunks share/man/man7/dls.7 share/man/man1/dls.1 \
	share/man/man3/dls_for.3 share/man/man1/dls-chunks.1 \
	share/bash-completion/completions/dls-chunks share/zsh/site-functions/_dls-tools; do
	[ -e "$stage$prefix/$file" ] || echo "no $file" >>"$log"
done
find "$stage$prefix" ! -type l ! -perm -o=r >>"$log"
holds 'everything is there, for everybody' [ ! -s "$log" ]
# A page for each public function and macro, found by its name without an index.
sed -nE 's/^(DLS_API|static inline) [^(]*[ *](dls_[a-z0-9]+(_[a-z0-9]+)*)\(.*/\2/p; s/^#define (DLS(_[A-Z0-9]+)+)\(.*/\1/p' \
	include/dls.h include/dls/*.h | sort -u >"$work/names"
(cd "$stage$prefix/share/man/man3" && awk 'FNR == 1 { name = FILENAME; sub(/[.]3$/, "", name) } index($0, name) { seen[name] }
	END { while ((getline <names) > 0) if (!($1 in seen)) print $1 ".3 does not name it" }' \
	names="$work/names" $(sed 's/$/.3/' "$work/names")) >"$log" 2>&1
[ ! -s "$log" ] && [ -s "$work/names" ]
point $? 'a page by the name of each function and macro'
if need man man-db 'man finds them'; then
	for name in dls_vp_charge DLS_PARALLEL_FOR dls_parallel_do; do
		man -M "$stage$prefix/share/man" -w "$name" 2>&1 || echo "man does not find $name"
	done >"$log"
	! grep -q 'does not' "$log"
	point $? 'man finds them'
fi
if need pkg-config pkgconf 'programs by pkg-config'; then
	export PKG_CONFIG_SYSROOT_DIR="$stage" PKG_CONFIG_LIBDIR="$stage$prefix/lib/pkgconfig" \
		PKG_CONFIG_ALLOW_SYSTEM_CFLAGS=1 PKG_CONFIG_ALLOW_SYSTEM_LIBS=1
	program() {	# text, the flags that link it, quoted for the shell
		eval "${CC:-gcc} \"\$work/program.o\" $2" -o '"$work/program"' >"$log" 2>&1 && "$work/program" >>"$log" 2>&1
		point $? "program $1"
	}
	static=$(pkg-config --static --libs libdls)
	eval "${CC:-gcc} $(pkg-config --cflags libdls)" -c test/user/program.c -o '"$work/program.o"'
	LD_LIBRARY_PATH="$stage$prefix/lib" program 'with the shared library' "$(pkg-config --libs libdls)"
	fortran=$(pkg-config --variable=fortran libdls)
	[ -f "$stage${fortran#"$stage"}" ] || echo "no $fortran" >"$log"
	holds 'pkg-config knows dls.F90' [ ! -s "$log" ]
	rm "$stage$prefix"/lib/libdls.so*
	program 'with the static library' "$static"
	if echo 'int main(void) { return 0; }' | ${CC:-gcc} -static -x c - -o "$work/none" 2>/dev/null; then
		program 'without any shared library' "-static $static"
	else
		skip 'program without any shared library' 'there is no static C library'
	fi
fi
make CC="${CC:-gcc}" B="$build" uninstall DESTDIR="$stage" prefix="$prefix" >"$log" 2>&1
left=$(find "$stage" ! -type d)
echo "$left" >>"$log"
[ -z "$left" ] && [ ! -e "$stage$prefix/include/dls" ]
point $? 'make uninstall leaves nothing'

CPPFLAGS=-DA1 CFLAGS=-DA2 LDFLAGS=-DA3 make CC="${CC:-gcc}" B=none V=1 -n lib |
	grep -e registry.c -e -shared >"$log"
grep -q -e '-DA1 .*-DA2 .*-c ' "$log" && grep -q -e '-DA2 .*-DA3 .*-shared' "$log"
point $? 'flags of the environment are used'

# README's first ten minutes as typed, with a tenth of the work.
here=$PWD first=$work/first
mkdir "$work/home" "$first"
knows "libdls.so (libc6) => $work/home/.local/lib/$soname"
HOME=$work/home PATH=$work/sbin:$PATH CC="${CC:-gcc}" B="$build" test/readme.sh "$first" 10 >"$log" 2>&1
point $? "README: its commands, in turn"
! grep -q "The loader" "$log"
point $? 'nothing is said of a prefix that the loader searches'
# What the manual says of the same program: without installing, and how even it is under a strategy.
line=$(sed -n 's/^\(gcc .* build\/libdls.a .*\)/\1/p' man/dls.7)
for line in "$(echo "$line" | sed 's|-fopenmp ||')" "$(with_musl || echo "$line")"; do
	[ -z "$line" ] || succeeds "dls(7): $line" eval "$(echo "$line" |
		sed "s|gcc|${CC:-gcc}|; s|build/|$build/|; s|program.c|$first/program.c -o $first/a.out|") && $first/a.out"
done
if [ -x "$bin/dls-sim" ]; then
	sed -n 's/^\$ \(.*a\.out.*grep .*\)/\1/p' man/dls_balance.7 >"$work/lines"
	(cd "$first" && sh "$work/lines") >"$log" 2>&1
	[ -s "$work/lines" ] && [ "$(grep -c '^  balance  .*imbalance' "$log")" -eq "$(wc -l <"$work/lines")" ]
	point $? "dls_balance(7): $(head -n 1 "$work/lines"), ..."
fi

# Pages, functions and macros that README names.
grep -oE '(dls|dls[-_][a-z_]+)\([137]\)' README.md | sed -E 's/(.*)\((.)\)/\1.\2/' | while read -r page; do
	[ -e "man/$page" ] || echo "README: no page $page"
done >"$log"
cat include/dls.h include/dls/*.h >"$work/headers"
grep -oE 'dls_[a-z_]+\(\)|`DLS_[A-Z_]+\([^)]+\)`' README.md | tr -d '`' | sed 's/)$//' | while read -r call
do
	grep -qF "$call" "$work/headers" || echo "README: no $call)"
done >>"$log"
holds 'README: pages, functions and macros are there' [ ! -s "$log" ]

# The site's start has README's program and commands.
tr '\n' '\001' <bench/site/start.html | grep -oE '<code>[^<]*' | tr '\001' '\n' |
	sed 's/^<code>//; s/&lt;/</g; s/&gt;/>/g' | grep . >"$work/lines"
while read -r line; do
	grep -qF -e "$line" README.md || echo "bench/site/start.html: not in README: $line"
done <"$work/lines" >"$log"
[ "$(wc -l <"$work/lines")" -gt 20 ] && [ ! -s "$log" ]
point $? "README: the site's start has its program and commands"

# The commands of README's table, each on what it is for.
with_musl && finish
export PATH="$work/home/.local/bin:$PATH" CPATH="$work/home/.local/include"
export LIBRARY_PATH="$work/home/.local/lib" LD_LIBRARY_PATH="$work/home/.local/lib"
cd "$first" || exit 1
awk 'BEGIN { while (++k < 40) print ""; print "int main(void)\n{\n#pragma omp parallel for schedule(dynamic)"
	print "\tfor (int i = 0; i < 1000; i++)\n\t\t;\n\treturn 0;\n}" }' >solver.c
echo 'print("script")' >script.py
sed -n '/^program steps/,/^end program/p' "$here/man/dls_fortran.3" >program.f90
sed -n '/^| you have/,/^$/p' "$here/README.md" | grep -oE '`[^`]+`' | tr -d '`' |
	grep -E '^(dls-|gfortran|python3) *[^ ]' >"$work/table"
while read -r line; do
	command=$(echo "$line" | sed 's/ .*//') text="README: $line"
	case $line in
	dls-run*python3*) need python3 python3 "$text" || continue ;;
	gfortran*) need gfortran gfortran "$text" || continue ;;
	esac
	case $line in
	dls-run*solver*)
		need_openmp "${CC:-gcc}" "$text" && ${CC:-gcc} -O1 -fopenmp -g solver.c -o solver || continue ;;
	esac
	command -v "$command" >/dev/null || { skip "$text" "$command is not built"; continue; }
	succeeds "$text" env HOME="$work/home" DLS_STRICT=1 sh -c "$line"
done <"$work/table"
finish
