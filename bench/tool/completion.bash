# completion.bash - bash: options of dls-chunks and its kin, and what may follow them.
# The tool itself says which there are: --help=all prints its table of options.
_dls()
{
	local tool=$1 word=$2 before=$3 help value i
	# The value of an option, and all options: rows of --help=all, "  -s, --schedule LIST  schedules ...".
	_dls_value() { sed -nE "/^  $1, |^.{6}$1 /s/^.{6}--[a-z-]+ ([^ ]+)  .*/\1/p" <<<"$help"; }
	_dls_options() {
		sed -nE 's/^  (-[a-z]), (--[a-z-]+).*/\1\n\2/p; s/^ {6}(--[a-z-]+).*/\1/p' <<<"$help"
	}

	if [ "${tool##*/}" = dls ] && [ "$COMP_CWORD" -ge 2 ] &&
	   [ "${COMP_WORDS[1]}" != help ]; then	# dls chunks -
		tool=$tool-${COMP_WORDS[1]}
		COMP_WORDS=("$tool" "${COMP_WORDS[@]:2}")
		((COMP_CWORD--))
	fi
	help=$("$tool" --help=all 2>/dev/null) || return
	if [ "${tool##*/}" = dls-run ]; then	# behind its options a command follows, with options of its own
		for ((i = 1; i < COMP_CWORD; i++)); do
			value=$(_dls_value "${COMP_WORDS[i]}")
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
	-*)	value=$(_dls_value "$before") ;;
	esac
	case $value,$word in
	FILE*)	mapfile -t COMPREPLY < <(compgen -f -- "$word") ;;
	?*,*)	;;
	,-*)	mapfile -t COMPREPLY < <(compgen -W "$(_dls_options)" -- "$word") ;;
	*)	case ${tool##*/} in
		dls) mapfile -t COMPREPLY < <(compgen -W "$(sed -nE 's/^  ([a-z][a-z-]+) .*/\1/p' <<<"$help")" -- "$word") ;;
		dls-run) mapfile -t COMPREPLY < <(compgen -c -f -- "$word") ;;
		dls-paper) mapfile -t COMPREPLY < <(compgen -W "$("$tool" list | sed -nE 's/^([a-z0-9-]+) .*/\1/p')" -- "$word") ;;
		dls-advise | dls-chunks) mapfile -t COMPREPLY < <(compgen -f -- "$word") ;;
		esac ;;
	esac
}
complete -o filenames -F _dls @TOOLS@
