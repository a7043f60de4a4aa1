#!/bin/sh
# newcomer.sh - README's commands where nothing but README's packages is installed: a root of a Debian suite
# with gcc, make and libc6-dev, an ordinary user whose files are closed to others, a clone in a path with a
# blank.
#
#	test/newcomer.sh bookworm
#	test/newcomer.sh sid 'make -s -j2'	other commands
#	MORE=musl-tools test/newcomer.sh bookworm 'make -s check CC=musl-gcc'	more packages, with commas
#
# Of the last commit.  As root, with packages mmdebstrap and git; says how long each command took.  Exit status: 0 done, 1 a command
# failed, 3 there is no such root: a tool is not installed, or unstable is in a state in which its packages cannot be.
set -eu
suite=$1
shift
[ $# -gt 0 ] || set -- 'mkdir ../first && test/readme.sh ../first' 'make -s demo' 'make -s check'
for tool in mmdebstrap git; do
	command -v $tool >/dev/null || { echo "$tool is not installed (package $tool)" >&2; exit 3; }
done
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
git clone -q . "$work/libdls"
{
	echo 'set -e; umask 077; cd "$HOME/a path/libdls"'
	for command; do
		printf 'begin=$(date +%%s); %s; echo "%s, %s: $(($(date +%%s) - begin)) s"\n' "$command" "$suite" "$command"
	done
} >"$work/commands"
# A testing or unstable suite whose lists are some days old will do.
mmdebstrap --quiet --variant=minbase --include="gcc,make,libc6-dev${MORE:+,$MORE}" \
	--aptopt='Acquire::Check-Valid-Until "false"' --format=null \
	--customize-hook="touch '$work/made'"' && useradd -R "$1" -m newcomer && mkdir "$1/home/newcomer/a path"' \
	--customize-hook="cp -r '$work/libdls' \"\$1/home/newcomer/a path\" && cp '$work/commands' \"\$1/home/newcomer\"" \
	--customize-hook='chroot "$1" sh -c "chown -R newcomer:newcomer /home/newcomer && chmod -R go= /home/newcomer"' \
	--customize-hook='chroot "$1" su - newcomer -c "sh commands"' \
	"$suite" - && exit
[ ! -e "$work/made" ] || exit 1
echo "no root of $suite could be made" >&2
exit 3
