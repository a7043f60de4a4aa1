#!/bin/sh
# lines.sh - names of source lines: compilers, versions of DWARF, and where the debug information is.
#
# Fails if: a call of test/omp/lines.c gets a name other than its file and line, under gcc or clang, DWARF 2 to 5, 32 or 64 bits
# wide, optimized or not, in an executable at a fixed address or not or a shared library; a debug file that was split off is not
# found by its build id or its link, or one that is not the file's own is believed; something stripped or
# compressed gets a name, or a table that compilers seldom write is misread (tables.c).  test/fuzz/lines.c reads
# what is damaged.
#
# runs: once
. test/sh.sh
native_builds_only
top=$PWD
export CPATH="$top"	# in place of -I, which would have to be quoted in $flags
plain="-std=c11 -D_POSIX_C_SOURCE=200809L -O1 ${SAN:+-fsanitize=$SAN}"
case ${SAN-} in thread) skip_all 'no thread but one' ;; esac

# Without debug information, so that all lines are those of the program.
reader() {	# compiler
	for part in elf lines lines_file; do
		"$1" $flags -fPIC "-DDLS__DEBUG_FILES=\"$work/debug\"" -c -o "$work/$1.$part.o" "lib/omp/$part.c" 2>"$log" || return
	done
}
build() {	# compiler, flags
	compiler=$1
	shift
	# In the scratch folder, where clang's -gsplit-dwarf leaves a file.
	(cd "$work" && "$compiler" $flags "$@" -o lines "$top/test/omp/lines.c" "$compiler".*.o) 2>"$log"
}
works() {	# text, arguments of the program
	text=$1
	shift
	succeeds "$text" "$work/lines" "$@"
}

for compiler in clang gcc; do
	case $compiler${CC-} in gcc*--coverage*) flags="$plain --coverage" ;; *) flags=$plain ;; esac
	need "$compiler" "$compiler" "$compiler" || continue
	reader "$compiler" || bail "$compiler cannot compile"
	for how in '-gdwarf-2' '-gdwarf-3' '-gdwarf-4' '-gdwarf-5' '-gdwarf-4 -O2' '-gdwarf-5 -O0 -fno-pie -no-pie' \
		'-gdwarf-5 -ffunction-sections -Wl,--gc-sections' '-gdwarf-4 -gdwarf64' '-gdwarf-5 -gdwarf64' '-gdwarf-5 -gsplit-dwarf'; do
		# shellcheck disable=SC2086 # words
		if build "$compiler" $how; then
			works "$compiler $how"
		elif "$compiler" $how -x c -c -o "$work/empty.o" /dev/null 2>/dev/null; then
			point 1 "$compiler $how"
		else
			skip "$compiler $how" 'the compiler does not know it'
		fi
	done
done

compiler=gcc
[ -e "$work/gcc.lines.o" ] || compiler=clang
[ -e "$work/$compiler.lines.o" ] || finish

# The process stands in a folder that is not the library's.
mkdir "$work/plugin"
"$compiler" $flags -g -shared -fPIC -Dmain=lines_main -o "$work/plugin/lines.so" test/omp/lines.c "$work/$compiler".*.o 2>"$log" &&
	printf 'int lines_main(int, char **);\nint main(int n, char **v) { return lines_main(n, v); }\n' >"$work/main.c" &&
	(cd "$work" && "$compiler" ${SAN:+-fsanitize=$SAN} -o lines main.c ./plugin/lines.so) 2>"$log" || bail 'cannot compile'
if [ -r /proc/self/maps ]; then
	(cd "$work" && ./lines) >"$log" 2>&1
	point $? 'shared library by a relative name'
else
	skip 'shared library by a relative name' 'there is no /proc'
fi

(cd "$work" && "$compiler" $flags -D_GNU_SOURCE -o tables "$top/test/omp/tables.c" "$compiler".*.o) 2>"$log" && "$work/tables" >"$log"
point $? 'tables that compilers seldom write'

if need objcopy binutils 'debug information split off'; then
	build "$compiler" -g -Wl,--build-id=0x1234567890abcdef
	cp "$work/lines" "$work/whole"
	objcopy --only-keep-debug "$work/lines" "$work/lines.debug"
	objcopy --strip-debug "$work/lines"
	works 'stripped: no name' none

	mkdir -p "$work/debug/.build-id/12"
	cp "$work/lines.debug" "$work/debug/.build-id/12/34567890abcdef.debug"
	works 'by build id'
	objcopy --compress-debug-sections=zlib "$work/debug/.build-id/12/34567890abcdef.debug"
	works 'by build id, compressed: no name' none
	build "$compiler" -g -Wl,--build-id=0xfedcba0987654321 && mv "$work/lines" "$work/other"
	objcopy --strip-debug "$work/whole" "$work/lines"
	cp "$work/other" "$work/debug/.build-id/12/34567890abcdef.debug"
	works 'the build id of another: no name' none
	rm -r "$work/debug"

	(cd "$work" && objcopy --add-gnu-debuglink=lines.debug lines)
	works 'by link, beside the file'
	mkdir "$work/.debug"
	mv "$work/lines.debug" "$work/.debug"
	works 'by link, in .debug'
	mkdir -p "$work/debug$work"
	mv "$work/.debug/lines.debug" "$work/debug$work"
	works 'by link, in the folder of debug files'
	cp "$work/other" "$work/debug$work/lines.debug"
	works 'by link, the file of another: no name' none

	build "$compiler" -g -Wl,--build-id=none
	(cd "$work" && objcopy --only-keep-debug lines lines.debug && objcopy --strip-debug lines &&
		objcopy --add-gnu-debuglink=lines.debug lines)
	works 'by link without a build id: the checksum is right'
	printf x >>"$work/lines.debug"
	works 'by link without a build id: the checksum is wrong' none
fi

if build "$compiler" -g -gz=zlib; then
	works 'compressed: no name' none
else
	skip 'compressed' 'the compiler does not know it'
fi
# Where coverage.py looks.
[ "$flags" = "$plain" ] || { mkdir -p "$build/test/omp" && cp "$work"/gcc.*.gc* "$build/test/omp"; }
finish
