#!/bin/sh
# lint.sh - what no compiler checks: the manual is whole, headers stand alone, layers hold, libdls.so exports and needs
# what it should.
#
# Prints one line per finding.  Exit status: 0 none, 1 some, 3 something needed is not installed.
# CC, CXX, B (the build folder) and SAN are those of make.
export LC_ALL=C
build=${B:-build${SAN:+-$SAN}}
command -v mandoc >/dev/null || { echo 'lint: mandoc is not installed (package mandoc)' >&2; exit 3; }
${CC:-cc} --version >/dev/null || exit 3
dir=$(mktemp -d) || exit 3
trap 'rm -rf "$dir"' EXIT
trap 'exit 1' HUP INT TERM

# Each line of standard input is a finding.
finding() { tee -a "$dir/findings"; }

# The lines of standard input that are not in a sorted file are findings, worded by the second argument.
missing_from() { sort -u | comm -23 - "$1" | sed "s|.*|$2|" | finding; }

checked=
checks() { checked="$checked${checked:+, }$*"; }
lines() { wc -l <"$1" | tr -d ' '; }

headers=$(cd include && echo dls.h dls/*.h)
public=$(printf 'include/%s ' $headers)
# What needs an MPI stands on libdls.so as any program does, which the linker proves.
headers=$(echo "$headers" | sed 's|dls/mpi.h||')

# The manual: its language; a .Nm for each function and function-like macro, at least a .Dv for each constant.
pages=$(ls man/* | sed "s|^|$build/|")
# shellcheck disable=SC2086 # several
mandoc -Tlint -Wwarning $pages | finding
if command -v groff >/dev/null; then
	for page in $pages; do groff -mdoc -Tutf8 -ww -z "$page" 2>&1 | sed "s|^|$page: |"; done | finding
fi
ls man | sed -n 's/^\(dls.*\)\.1$/\1/p' | sort >"$dir/pages"
checks "$(ls man | wc -l) pages"

# dls(7) leads to each page; what pages show of a run is of no version.
sed -nE 's/^\.(It )?Xr ([^ ]+) ([0-9]).*/\2.\3/p' man/dls.7 | sort -u >"$dir/led"
ls man | grep -vx dls.7 | missing_from "$dir/led" 'man/dls.7: leads to no page &'
grep -nE 'version="[0-9]|libdls [0-9]+\.[0-9]' man/* README.md | sed 's/$/: a version, which is another one soon/' | finding

# Figures of pages that are constants of the source: file, constant, page, words.
while IFS='|' read -r file constant page words; do
	value=$(sed -nE "s/.*\<$constant = ([0-9.e-]+).*/\1/p" "$file" | head -n 1)
	tr '\n' ' ' <"man/$page" | grep -qF -e "$(echo "$words" | sed "s/@/$value/")" || echo "man/$page: not \"$words\", @ being $constant of $file, $value"
done <<'END' | finding
lib/auto/auto.h|DLS__AUTO_WALLS|dls_auto.7|the times of the last @ executions are kept
lib/auto/auto.h|DLS__SIZE_CLASSES|dls_auto.7|many classes as it has sizes, @ at most
lib/auto/numbers.h|OLD|dls_auto.7|@ executions without a change
lib/auto/numbers.h|SETTLED|dls_auto.7|it waits for @ executions
lib/auto/numbers.h|RARELY|dls_auto.7|after @ executions, 512, 1024
lib/auto/numbers.h|RUNS_MANY|dls_auto.7|From @ executions to the next
lib/auto/numbers.h|EVERY|dls_auto.7|One execution in @ is
lib/auto/numbers.h|CHUNKS|dls_auto.7|with N/@P
lib/auto/numbers.h|BLOCKS_LAST|dls_auto.7|last @ timed blocks
lib/auto/numbers.h|SMALL|dls_auto.7|@ regions
lib/auto/numbers.h|CLEAR|dls_auto.7|@ of the current time
lib/auto/numbers.h|MUCH_LONGER|dls_auto.7|@ times as long
END

# Programs that README runs are built here, or by its first lines.
sed -nE 's/^    \$ (([A-Z_]+=[^ ]*|mpirun -np [0-9]+) )*([^ ]+).*/\3/p' README.md | sort -u >"$dir/run"
{ echo ./a.out; cat "$dir/pages"; } | sort >"$dir/runnable"
missing_from "$dir/runnable" 'README.md: & is no program of the tree' <"$dir/run"
for name in $(grep -oE '`(bench|include|lib|man|sched|test)/[^` ]*`' README.md CONTRIBUTING.md | sed 's/.*:`//; s/`//; /[A-Z]/d'); do
	[ -e "$name" ] || echo "README.md or CONTRIBUTING.md: there is no $name"
done | finding

sed -nE 's/^\.Nm ([^ ]*).*/\1/p' $(ls man/*.3 | sed "s|^|$build/|") | sort -u >"$dir/Nm"
sed -nE 's/^\.(It )?(Nm|Dv) ([^ ]*).*/\3/p' $(ls man/*.3 | sed "s|^|$build/|") | sort -u >"$dir/Dv"
sed -nE 's/^(DLS_API|static inline) [^(]*[ *](dls_[a-z0-9]+(_[a-z0-9]+)*)\(.*/\2/p
	s/^#define (DLS(_[A-Z0-9]+)+)\(.*/\1/p' $public | sort -u >"$dir/functions"
sed -n 's/^  public :: //p' include/dls.F90 | tr -cs 'a-z_\n' '\n' >>"$dir/functions"
sed -nE 's/^#define (DLS(_[A-Z0-9]+)+)[[:blank:]].*/\1/p
	/^enum dls_/,/^}/ s/^[[:blank:]]*(DLS_[A-Z0-9_]+).*/\1/p' $public | grep -vx DLS_API >"$dir/constants"
grep -hE '^enum \{ DLS_[A-Z]' $public | grep -oE '\<DLS_[A-Z0-9_]+' >>"$dir/constants"
missing_from "$dir/Nm" 'man: & has no .Nm in a page of section 3' <"$dir/functions"
missing_from "$dir/Dv" 'man: & has neither .Nm nor .Dv in a page of section 3' <"$dir/constants"
checks "$(lines "$dir/functions") functions and macros, $(lines "$dir/constants") constants"

# ... and each environment variable, tool, calculator and strategy described.
sed -nE 's/^\.It Ev ([^ ]*).*/\1/p' man/dls.7 | sort -u >"$dir/Ev"
cat lib/*/*.c | grep -oE '"(DLS|OMP)_[A-Z_]+"' | tr -d '"' | grep -vxFf "$dir/constants" | sort -u >"$dir/variables"
missing_from "$dir/Ev" 'man/dls.7: & has no .It Ev' <"$dir/variables"

# Programs that are tools: what `make mpi-scale` runs is none.
grep -l '^int main(' bench/*/*.c | sed 's|bench/\([^/]*\)/.*|dls-\1|; s/^dls-dls$/dls/; /mpi-scale/d' |
	sort >"$dir/tools"
missing_from "$dir/pages" 'man/&.1: no such page' <"$dir/tools"
missing_from "$dir/tools" 'man/&.1: no such tool' <"$dir/pages"

sed -nE 's/^\.Ss ([a-z0-9-]*):.*/\1/p' man/dls_chunk.7 | sort >"$dir/described"
sed -nE 's/^X\((.*)\)$/\1/p' sched/chunk/list.h | tr _ - | sort >"$dir/calculators"
missing_from "$dir/described" 'man/dls_chunk.7: no .Ss &:' <"$dir/calculators"
sed -nE 's/^\.Ss ([a-z0-9-]*):.*/\1/p' man/dls_balance.7 | sort >"$dir/described"
sed -nE 's/^X\((.*)\)$/\1/p' sched/balance/list.h | tr _ - | sort >"$dir/strategies"
missing_from "$dir/described" 'man/dls_balance.7: no .Ss &:' <"$dir/strategies"
checks "$(lines "$dir/variables") variables, $(lines "$dir/tools") tools, $(lines "$dir/calculators") calculators," \
	"$(lines "$dir/strategies") strategies"

# What dls_internals(7) names is there.
sed -nE '/^\.(It )?Pa /{s/^\.(It )?Pa //; s/ (Pq|Ns|No|[,.;]$).*//; s/ , /\n/g; p;}' man/dls_internals.7 | grep / | sort -u | while read -r path; do
	[ -e "$path" ] || [ -e "include/$path" ] || echo "man/dls_internals.7: $path is not there"
done | finding
sed -nE 's/^\.(Pq )?Fn ([a-z0-9_]+).*/\2/p; s/.* , Fn ([a-z0-9_]+).*/\1/p' man/dls_internals.7 >"$dir/told"
cat $(find include lib -type f) | tr -cs 'A-Za-z0-9_' '\n' | sort -u >"$dir/there"
missing_from "$dir/there" 'man/dls_internals.7: & is not there' <"$dir/told"
checks 'dls_internals(7)'

# Each public header alone, also with OpenMP where the compiler has it.
stand_alone() {
	for openmp in '' -fopenmp; do
		[ -z "$openmp" ] || echo '#include <omp.h>' | "$@" -fopenmp -fsyntax-only - 2>/dev/null || continue
		for header in $headers; do
			echo "#include \"$header\"" | "$@" $openmp -Iinclude -Wall -Wextra -Wpedantic -Wshadow \
				-Werror -fsyntax-only - 2>&1 | grep -E '(error|warning):'
		done
	done | sort -u | finding
}
stand_alone ${CC:-cc} -x c -std=c11
language=C11
if command -v "${CXX:-g++}" >/dev/null; then
	stand_alone ${CXX:-g++} -x c++ -std=c++17
	language="$language and C++17"
fi
checks "$(echo $headers | wc -w) headers in $language"

# Layers: a folder uses only what stands before it here, and sched/ of lib/ only what public headers declare.
order='sched lib/base lib/net lib/schedule lib/predict lib/auto lib/observe lib/report lib/machine'
order="$order lib/site lib/loop_machine lib/deal lib/region lib/repart lib/omp lib/mpi"

# The functions of an object that use a symbol; a table that does has no name here.
users() {
	objdump -dr "$1" | awk -v symbol="$2" '/^[0-9a-f]+ <.*>:$/ { f = substr($2, 2, length($2) - 3) }
		$2 ~ /^R_/ && $3 ~ "^" symbol "([-+]|$)" && !seen[f]++ { print f }' | paste -sd ' '
}

# By the objects' undefined symbols.  Those of lib/mpi count if they are built (make mpi) and newer than their sources.
sources=$(ls sched/*.c sched/*/*.c lib/*/*.c | grep -v '^lib/mpi/' | tr '\n' ' ')
objects=$(echo "$sources" | sed 's/c /o /g')
across=$(ls -td "$build"/mpi*/lib/mpi 2>/dev/null | head -n 1)
across=${across%/lib/mpi}
across_objects=$(for source in lib/mpi/*.c; do
	[ "$across/${source%c}o" -nt "$source" ] && echo "${source%c}o"
done)
{
	(cd "$build" && nm -AP -g $objects)
	[ -z "$across_objects" ] || (cd "$across" && nm -AP -g $across_objects)
} >"$dir/symbols" 2>/dev/null
awk '$3 ~ /^[Uvw]$/' "$dir/symbols" >"$dir/undefined"
if command -v nm >/dev/null && command -v objdump >/dev/null; then
	for source in $sources; do
		[ -f "$build/${source%c}o" ] || echo "$source: it is not built in $build"
	done | finding
	awk -v order="$order" '
		function folder(file) { sub(/\/[^\/]*$/, "", file); sub(/^sched\/.*/, "sched", file); return file }
		FNR == NR { public[$1]; next }
		FNR == 1 { for (i = split(order, name, " "); i; i--) rank[name[i]] = i }
		{ file = $1; sub(/:$/, "", file) }
		!(folder(file) in rank) && !told[folder(file)]++ { print "-", folder(file), "-" }
		$3 == "U" { use[file, $2] }
		$3 ~ /[A-TV-Z]/ { home[$2] = file }
		END {
			for (pair in use) {
				split(pair, at, SUBSEP)
				from = folder(at[1])
				if (at[2] in home && rank[folder(home[at[2]])] > rank[from] &&
				    !(from == "sched" && at[2] in public))
					print at[1], at[2], home[at[2]]
			}
		}' "$dir/functions" "$dir/symbols" | sort | while read -r object symbol home; do
		if [ "$object" = - ]; then
			echo "$symbol: has no place in the order of folders"
		else
			echo "${object%o}c: $(users "$build/$object" "$symbol") uses $symbol of ${home%o}c," \
				"which stands after it"
		fi
	done | finding
	# Nothing of the program's OpenMP is set.
	sed -nE 's,^(.*)\.o: (omp_set_[a-z_]+|__kmpc_push_num_threads)(@.*)? .*,\1.c: uses \2; the settings are the program'"'"'s,p' "$dir/undefined" | finding
	# One file writes, and holds back the signals of a write that fails.
	sed -nE '/^lib\/base\/writing\.o/d; s,^(.*)\.o: ((std(err|out)|fdopen|freopen(64)?|pwrite(64)?|p?writev(64)?2?|write|send(file(64)?|msg|to)?|splice|perror|puts|putchar|v?d?printf|psignal|psiginfo|v?(warn|err)x?)(@.*)?) .*,\1.c: uses \3; lib/base/writing.c writes,p' "$dir/undefined" | finding
	checks "the symbols of $(echo $objects $across_objects | wc -w) objects"
fi

# By what a file includes, the pure half also by brackets.
layer() {
	grep -rnE '^[[:blank:]]*#[[:blank:]]*include[[:blank:]]' --include='*.[ch]' include sched lib bench |
		tr -d '\r' | while IFS=: read -r file line text; do
		name=${text#*[\"<]}
		name=${name%%[\">]*}
		case $text in
		*'"'*)
			target=none
			for root in "${file%/*}" include . lib sched; do
				[ -f "$root/$name" ] && target=$root/$name && break
			done
			target=${target#./}
			case $target in */../*)
				target=$(cd "${target%/*}" && pwd)/${name##*/}
				target=${target#"$PWD/"} ;;
			esac
			case $file:$target in
			lib/*:lib/*)
				case " $order " in *" ${file%/*} "*" ${target%/*} "*)
					echo "$file:$line: includes $target, which stands after it" ;;
				esac ;;
			sched/*:include/dls/machine.h) echo "$file:$line: a strategy knows its own processor alone" ;;
			bench/apps/walk_tree.h:sched/balance/walk.h) ;;	# which nothing public leads to alone
			bench/advise/*:lib/report/advice.h) ;;	# it says what the report says
			bench/*:lib/report/page.h) ;;	# one kit of pages
			bench/*:lib/base/name.h) ;;	# which name a mistyped one may stand for
			lib/auto/*:sched/chunk/first.h | lib/omp/*:sched/chunk/first.h) ;;	# the first guess, which is a calculator
			lib/repart/*:sched/balance/repart_param.h) ;;	# the parameters of the strategy that it stands on
			include/*:include/* | sched/*:sched/* | sched/*:include/dls/* | bench/*:bench/* | \
			bench/*:include/* | lib/*:include/* | *:sched/wide.h | lib/*:sched/registry.h) ;;
			*) echo "$file:$line: includes \"$name\", which is not of its layers" ;;
			esac ;;
		*)
			case $file:$name in
			sched/*:float.h | sched/*:inttypes.h | sched/*:limits.h | sched/*:math.h | sched/*:stdbool.h | \
			sched/*:stddef.h | sched/*:stdint.h | sched/*:stdlib.h | sched/*:string.h) ;;
			sched/*) echo "$file:$line: includes <$name>; sched/ has numbers alone" ;;
			esac ;;
		esac
	done
}
layer | finding
# Nor has sched/ anything to do with a thread, an atomic, a clock, an engine or chance of its own.
grep -rnE --include='*.[ch]' -e '\<(pthread_|atomic_|__atomic_|__sync_|_Atomic|_Thread_local|__thread|volatile|asm|__asm__)' \
	-e '\<(time|clock|clock_gettime|gettimeofday|nanosleep|sleep|rand|random|drand48|getenv)\(' \
	-e '\<(dls_machine|dls_clock|dls__(vp|msg|pool|machine|engine|mailbox|step|clock))' sched lib/auto |
	sed 's/^\([^:]*:[0-9]*\):.*/\1: here are numbers alone/' | finding
# The same where there are no objects; a file that is opened by its name is read.
grep -nwE 'stderr|stdout|fdopen|perror|dprintf' lib/mpi/*.c | grep -vE ':[0-9]+:[[:blank:]]*(/?\*|.*/\*.*(stderr|stdout))' |
	sed -E 's/^([^:]*:[0-9]*):.*/\1: lib\/base\/writing.c writes/' | finding
grep -nE 'fopen(64)?\(' $sources lib/mpi/*.c | grep -vE 'fopen(64)?\([^"]*("[^"]*"[^"]*)?"r[be]?"\)' |
	sed -E 's/^([^:]*:[0-9]*):.*/\1: opens a file to write; lib\/base\/writing.c writes/' | finding
checks 'what writes'
# One tag, one struct, union or enum of the library.
grep -ohE '^[[:blank:]]*(struct|union|enum) dls_[a-z0-9_]+ \{' $(find include lib sched -name '*.[ch]') | awk '{ print $2 }' | sort | uniq -d |
	while read -r tag; do
		echo "$(grep -lE "(struct|union|enum) $tag \{" $(find include lib sched -name '*.[ch]') | paste -sd ' '): all define $tag"
	done | finding
# No private name is a public one with an underscore more: the reader, and the one who searches, take one for the other.
sed -nE 's/^(struct|enum|union) (dls_[a-z0-9_]+)( \{|;).*/\2/p' $public | sort -u - "$dir/functions" "$dir/constants" >"$dir/public"
grep -ohwE '(dls|DLS)__[A-Za-z0-9_]+' $(find include lib sched -name '*.[chF]*') | sort -u | sed 's/__/_/' | comm -12 - "$dir/public" |
	while read -r name; do
		echo "$name and $(echo "$name" | sed 's/_/__/'): one underscore apart; the private name should say how it differs"
	done | finding
# A dispenser's table says what it is.
grep -nE "[!=]= *&dls__($(sed -nE 's/^X\((.*)\)$/\1/p' lib/deal/list.h | paste -sd '|'))\>" lib/*/*.c |
	sed -E 's/^([^:]*:[0-9]*):.*/\1: compares the address of a dispenser, which can say what it is in its table/' | finding
checks 'tags'
# Within a folder no file uses one that uses it, by its text: what inline functions of headers call, too.
awk -f test/comments.awk -f test/circles.awk $(find lib sched -name '*.[ch]') >"$dir/circles"
sed '$d' "$dir/circles" | finding
checks "what $(tail -n 1 "$dir/circles") files use"
# Invariants are named by the file that states them.
awk -f test/comments.awk -f test/invariants.awk $(find lib sched test -name '*.[ch]' -o -name '*.pml') man/dls_internals.7 \
	>"$dir/invariants"
sed '$d' "$dir/invariants" | finding
checks "$(tail -n 1 "$dir/invariants") invariants"
# What stands in several files is declared in a header.
grep -nE '(^|[[:blank:]])extern[[:blank:]]' $sources | grep -v ':#define X(' |
	sed 's/^\([^:]*:[0-9]*\):.*/\1: extern declarations belong into headers/' | finding
checks 'layers'

# lib/libdls.map names what the headers declare, sorted, and as DLS_PRIVATE what libdls-omp.so and libdls-mpi use; inline code of the
# headers uses their private ones; the others are in the manual, as the functions above, and only these.
map=lib/libdls.map
declares() {	# headers
	sed -nE 's/^DLS_API [^(]*[ *](dls_[a-z0-9_]+)\(.*/\1/p' "$@" | sort -u
}
listed() {	# node, headers, what declares them
	sed -nE "/^$1 /,/^}/ s/^[[:blank:]]+(dls.*);\$/\\1/p" $map >"$dir/listed"
	sort -c "$dir/listed" 2>&1 | sed "s|.*: |$map: not in its place: |" | finding
	missing_from "$dir/listed" "$map: add & to $1 ($3 declares it)" <"$2"
	missing_from "$2" "$map: drop & from $1 ($3 does not declare it)" <"$dir/listed"
	cat "$dir/listed" >>"$dir/exports"
}
declares $(printf 'include/%s ' $headers) >"$dir/declared"
declares $(find lib -name '*.h' ! -path 'lib/mpi/*') >"$dir/private"
listed 'DLS_[0-9.]*' "$dir/declared" include/
listed DLS_PRIVATE "$dir/private" lib/
sort -uo "$dir/listed" "$dir/exports"
# Those on two lines at least.
awk '{
	gsub(/[^A-Za-z0-9_]+/, " ")
	for (i = split($0, name, " "); i; i--)
		if (name[i] ~ /^dls__/ && last[name[i]] != NR) {
			last[name[i]] = NR
			if (++lines[name[i]] == 2)
				print name[i]
		}
}' $public include/dls.hpp include/dls.F90 | sort >"$dir/used"
grep '^dls__' "$dir/declared" |
	missing_from "$dir/used" "$map: &: no inline code of include/ uses it"
sed -nE 's/^struct (dls_[a-z0-9_]+) \{.*/\1/p' $public | sort -u - "$dir/functions" >"$dir/named"
grep '^dls_' "$dir/Nm" | missing_from "$dir/named" 'man: & has a .Nm and is no function or structure of include/'
checks "$(lines "$dir/listed") exported symbols"

# No two members of libdls.a have one name: extracted, the second would replace the first.
ls sched/*.c sched/*/*.c lib/*/*.c | sed 's|.*/||' | sort | uniq -d | sed 's/c$/o: two members of libdls.a have this name/' |
	finding

# libdls.so exports them all, and needs the C library alone, its loader included.
if [ -f "$build/libdls.so" ] && [ -z "${SAN-}" ] && command -v readelf >/dev/null; then
	nm -D --defined-only "$build/libdls.so" | sed '/ A /d; s/.* //; s/@.*//' |
		grep -vxE '_init|_fini|_edata|_end|__bss_start' | sort -u >"$dir/exported"
	missing_from "$dir/exported" "libdls.so: no & ($map has it)" <"$dir/listed"
	missing_from "$dir/listed" "libdls.so: exports & ($map has it not)" <"$dir/exported"
	readelf -d "$build/libdls.so" | sed -n 's/.*(SONAME).*\[libdls\.so\.\(.*\)\]/\1/p' | while read -r soname; do
		grep -qxF "DLS_$soname {" $map || echo "$map: the symbols' version is not DLS_$soname, as libdls.so.$soname has it"
	done | finding
	readelf -d "$build/libdls.so" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' |
		grep -vxE '(lib(c|m|pthread)|ld-linux[-a-z0-9]*|ld64)\.so\.[0-9]+' | sed 's/^/libdls.so: needs /' | finding
	checks 'libdls.so'
fi

# The version is written once; NEWS tells of all versions.
version=$(sed -n 's/^#define DLS_VERSION "\(.*\)"/\1/p' include/dls.h)
grep -rnIE --exclude-dir='build*' --exclude-dir=.git --exclude=NEWS "(^|[^0-9.])$(echo "$version" | sed 's/\./\\./g')([^0-9.]|$)" . | grep -v '^\./include/dls\.h:' |
	sed 's|^\./\(.*:[0-9]*\):.*|\1: the version belongs into include/dls.h alone|' | finding
checks 'the version'

if [ -s "$dir/findings" ]; then
	echo "lint: findings: $(lines "$dir/findings"); looked at $checked"
	exit 1
fi
echo "lint: nothing found; looked at $checked"
