# completion.bash - bash: options of dls-chunks and its kin, and what may follow them.  The tool itself says which there are: --help
# prints its table of options.
_dls()
{
	local tool=$1 word=$2 before=$3 help value i

	if [ "${tool##*/}" = dls ] && [ "$COMP_CWORD" -ge 2 ] && [ "${COMP_WORDS[1]}" != help ]; then	# dls chunks -
		tool=$tool-${COMP_WORDS[1]}
		COMP_WORDS=("$tool" "${COMP_WORDS[@]:2}")
		((COMP_CWORD--))
	fi
	help=$("$tool" --help 2>/dev/null) || return
	if [ "${tool##*/}" = dls-run ]; then	# behind its options a command follows, with options of its own
		for ((i = 1; i < COMP_CWORD; i++)); do
			value=$(sed -nE "s/^  ${COMP_WORDS[i]} ([^ ]+)  .*/\1/p" <<<"$help")
			if [[ ${COMP_WORDS[i]} != -* ]]; then
				COMP_WORDS=("${COMP_WORDS[@]:i}")
				((COMP_CWORD -= i))
				declare -F _command_offset >/dev/null && _command_offset 0
				return
			elif [ "$value" ]; then
				((i++))
			fi
		done
	fi
	case $before in
	-*)	value=$(sed -nE "s/^  $before ([^ ]+)  .*/\1/p" <<<"$help") ;;
	esac
	case $value,$word in
	FILE*)	mapfile -t COMPREPLY < <(compgen -f -- "$word") ;;
	?*,*)	;;
	,-*)	mapfile -t COMPREPLY < <(compgen -W "$(sed -nE 's/^  (--?[a-z0-9-]+) .*/\1/p' <<<"$help")" -- "$word") ;;
	*)	case ${tool##*/} in
		dls) mapfile -t COMPREPLY < <(compgen -W "$(sed -nE 's/^  ([a-z][a-z-]+) .*/\1/p' <<<"$help")" -- "$word") ;;
		dls-run) mapfile -t COMPREPLY < <(compgen -c -f -- "$word") ;;
		dls-paper) mapfile -t COMPREPLY < <(compgen -W "$("$tool" list | sed -nE 's/^([a-z0-9-]+) .*/\1/p')" -- "$word") ;;
		dls-advise) mapfile -t COMPREPLY < <(compgen -f -- "$word") ;;
		esac ;;
	esac
}
complete -o filenames -F _dls @TOOLS@
