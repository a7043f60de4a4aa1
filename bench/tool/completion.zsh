#compdef @TOOLS@ -p dls-mpi-*
# completion.zsh - zsh: options of dls-chunks and its kin, and what may follow them.
# The tool itself says which there are: --help=all prints its table of options.
if [[ ${words[1]:t} = dls && $CURRENT -gt 2 && $words[2] != help ]]; then	# dls chunks -
	words=($words[1]-$words[2] ${words[3,-1]})
	(( CURRENT-- ))
fi
local line rest name value
local -a rows
for line in ${(f)"$($words[1] --help=all 2>/dev/null | sed -nE '/^(  -[a-z], | {6})--[a-z]/!d; s/[][\\:]/\\&/g
	s/^(  (-[a-z]), | {6})(--[a-z-]+)[^ ]*( ([^ ]+))?  +(.*)/\2\t\5\t\6\n\3\t\5\t\6/; s/^\t[^\n]*\n//; p')"}; do
	name=${line%%$'\t'*} rest=${line#*$'\t'} value=${${line#*$'\t'}%%$'\t'*}
	case $value in
	'') rows+=("${name}[${rest#*$'\t'}]") ;;
	FILE*) rows+=("${name}[${rest#*$'\t'}]:$value:_files") ;;
	*) rows+=("${name}[${rest#*$'\t'}]:$value: ") ;;
	esac
done
case ${words[1]:t} in
dls) rows+=("*:tool:(${(f)"$($words[1] --help 2>/dev/null | sed -nE 's/^  ([a-z][a-z-]+) .*/\1/p')"})") ;;
dls-run) rows+=('*::program: _normal') ;;
dls-paper) rows+=("*:experiment:(${(f)"$($words[1] list 2>/dev/null | sed -nE 's/^([a-z0-9-]+) .*/\1/p')"})") ;;
dls-advise|dls-chunks) rows+=('*:file:_files') ;;
esac
_arguments -S $rows
