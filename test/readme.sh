#!/bin/sh
# readme.sh - README as a newcomer types it: its program, and its commands one after the other in one shell,
# each with its output and its seconds.
#
#	test/readme.sh FOLDER [WORK]
#
# In the top folder, where make runs; the others run in FOLDER, which gets the program.  The prefix is under
# HOME. CC is used in place of gcc.  WORK divides what the program computes, 1 by default.
#
# Commands are the lines of indented blocks; of a block that begins with a dollar those alone that have one.
# dls-advise is left out where it is not built.  Exit status: 1 if a command fails, or if they are not eight.
set -eu
folder=$(cd "$1" && pwd) work=${2-1}
sed -n '/^```c$/,/^```$/{/^```/!p;}' README.md | sed "s|/ 1000;|/ (1000 * $work);|" >"$folder/program.c"
# musl's programs have no OpenMP runtime.
case ${CC-} in *musl*) openmp=' -fopenmp' ;; *) openmp= ;; esac
awk '
	/^[^ ]/ { shown = 0 }
	/^    [$] / { shown = 1; print substr($0, 7) }
	/^    / && !shown { print substr($0, 5) }' README.md |
	sed "s|^gcc|${CC:-gcc}|; s|${openmp:-none}||" >"$folder/commands"
steps=0
while read -r command <&3; do
	tool=$(echo "$command" | sed -E 's/^([A-Z_]+=[^ ]* )*([^ ]+).*/\2/')
	echo "\$ $command"
	begin=$(date +%s)
	case $tool in
	export) eval "$command" ;;
	make) eval "$command" </dev/null ;;
	*)
		if [ "$tool" = dls-advise ] && ! command -v dls-advise >/dev/null; then
			echo 'dls-advise is not built'
		else
			(cd "$folder" && eval "$command")
		fi ;;
	esac
	case $tool in export) ;; *) echo "# $(($(date +%s) - begin)) s" ;; esac
	steps=$((steps + 1))
done 3<"$folder/commands"
[ $steps -eq 8 ] || { echo "README has $steps commands in place of 8"; exit 1; }
