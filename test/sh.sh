# sh.sh - what the shell tests share: `. test/sh.sh` at their head, `finish` at their end.
#
# $build is the build folder, $bin that of the tools, $lib the static library; $work is a scratch folder that goes at the end.
# shellcheck shell=sh disable=SC2034,SC2154 # used, and $tool set, by those who source it
build=${B:-build${SAN:+-$SAN}}
bin=${DLS_BIN:-$build/bin}
lib=$build/libdls.a
unset DLS_SCHEDULE OMP_SCHEDULE DLS_STRICT DLS_DISPLAY_ENV DLS_REPORT DLS_TRACE DLS_TRACE_LIMIT DLS_PROGRESS DLS_CHECK
work=$(mktemp -d) || { echo 'Bail out! no temporary folder'; exit 1; }
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
log=$work/log	# shown where a point fails
n=0 bad=0

point() {	# status, text
	n=$((n + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $n - $2"
	else
		echo "not ok $n - $2"
		bad=1
		[ ! -s "$log" ] || sed 's/^/# /' "$log"
	fi
}

holds() {	# text, a command with its arguments
	point_text=$1
	shift
	"$@"
	point $? "$point_text"
}

succeeds() {	# the same; what it prints goes to $log
	point_text=$1
	shift
	"$@" >"$log" 2>&1
	point $? "$point_text"
}

same() {	# text, wanted, got
	holds "$1" [ "$2" = "$3" ]
	[ "$2" = "$3" ] || printf '# wanted %s\n# got    %s\n' "$2" "$3"
}

# CSV without what each row ends with: version, command line, files.
figures() {
	sed -E 's/,[0-9]+\.[0-9]+\.[0-9]+,"?dls-.*//; s/,version,command,files$//'
}

# Columns of the last row of CSV.
last_row() {	# their names
	sed 's/"[^"]*"/quoted/g' | awk -F, -v want="$1" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ line = ""; k = split(want, name, " "); for (i = 1; i <= k; i++) line = line (i > 1 ? " " : "") $at[name[i]] }
		END { print line }'
}

skip() {	# text, why
	n=$((n + 1))
	echo "ok $n - $1 # SKIP $2"
}

# $tool ends with 2, prints nothing, and quotes in its message, a line that begins with its name or the library's, what was wrong.
refused() {	# what it quotes, arguments
	quoted=$1
	shift
	"$tool" "$@" >"$work/out" 2>"$work/err"
	[ $? -eq 2 ] && [ ! -s "$work/out" ] && [ "$(wc -l <"$work/err")" -eq 1 ] && grep -qF -e "$quoted" "$work/err" &&
		grep -q "^\(${tool##*/}\|libdls\): " "$work/err"
	point $? "refused: $*"
}

package_of() {	# compiler
	case $1 in clang++*) echo "clang${1#clang++}" ;; *) echo "$1" ;; esac
}

# Whether a command is there; if not, the point is skipped.
need() {	# command, its package, the point's text
	command -v "$1" >/dev/null && return
	skip "$3" "$1 is not installed (package $2)"
	return 1
}

has_openmp() {	# compiler
	[ -e "$work/openmp-${1##*/}" ] || echo 'int main(void) { return 0; }' | "$1" -fopenmp -x c - -o "$work/openmp-${1##*/}" 2>/dev/null
}

# Whether a compiler is there and has OpenMP; if not, the point is skipped.
need_openmp() {	# compiler, the point's text
	need "$1" "$(package_of "$1")" "${2-$1}" || return
	has_openmp "$1" && return
	skip "${2-$1}" "$1 has no OpenMP (package libomp-dev for clang)"
	return 1
}

# Copies of the library in one process know of each other by a lock on a file in /proc.
proc_can_be_written() { (: <>/proc/self/comm) 2>/dev/null; }

skip_all() {	# why
	echo "1..0 # SKIP $1"
	exit 0
}

plain_builds_only() {
	[ -z "${SAN-}" ] || skip_all 'plain builds only'
	native_builds_only
}

native_builds_only() {
	[ -z "${ARCH-}" ] || skip_all "native builds only: programs for $ARCH need qemu-user, and tools of this machine do not load them"
}

# What is loaded into programs of the other C library, or linked with its libgomp, cannot be musl's.
with_musl() { case ${CC-} in *musl*) ;; *) false ;; esac; }

glibc_builds_only() {
	! with_musl || skip_all "builds for glibc only: what gcc -fopenmp and glibc's programs load cannot be linked with musl"
}

bail() {	# why
	[ ! -s "$log" ] || sed 's/^/# /' "$log"
	echo "Bail out! $1"
	exit 1
}

finish() {
	echo "1..$n"
	exit $bad
}
