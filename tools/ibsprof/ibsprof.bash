# Completion of ibsprof for bash. Commands and options are asked from the program itself; words after --format= and
# --samples= are here.
_ibsprof()
{
    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} program=${COMP_WORDS[0]}
    local option value
    COMPREPLY=()
    if [ "$COMP_CWORD" = 1 ]; then
        COMPREPLY=($(compgen -W "--help --version $($program --help 2>/dev/null | sed -n 's/^  \([a-z]*\)  .*/\1/p')" -- "$current"))
        return
    fi
    # bash splits at '=': "--format", "=", "csv".
    if [ "$current" = "=" ]; then
        option=$previous value=
    elif [ "$previous" = "=" ]; then
        option=${COMP_WORDS[COMP_CWORD - 2]} value=$current
    fi
    case ${COMP_WORDS[1]}:${option:-} in
    export:--format) COMPREPLY=($(compgen -W "csv jsonl perf.data folded" -- "$value")) ;;
    export:--samples) COMPREPLY=($(compgen -W "op fetch events all" -- "$value")) ;;
    report:--format) COMPREPLY=($(compgen -W "text csv json html folded" -- "$value")) ;;
    report:--by) COMPREPLY=($(compgen -W "instruction line function core" -- "$value")) ;;
    report:--view) COMPREPLY=($(compgen -W "all $($program report --view=list 2>/dev/null | sed 's/ .*//')" -- "$value")) ;;
    compare:--format) COMPREPLY=($(compgen -W "text csv json html" -- "$value")) ;;
    compare:--regime) COMPREPLY=($(compgen -W "firmware masked alone" -- "$value")) ;;
    compare:--fail-if) COMPREPLY=($(compgen -W "different both equivalent inconclusive one-run" -- "$value")) ;;
    *)
        case $current in
        -*) COMPREPLY=($(compgen -W "$($program "${COMP_WORDS[1]}" --help 2>/dev/null | grep -o -e '--[a-z][a-z-]*=\{0,1\}' | sort -u)" -- "$current")) ;;
        *) mapfile -t COMPREPLY < <(compgen -f -- "$value$current") ;; # a name with blanks is one word
        esac
        ;;
    esac
    [ "${#COMPREPLY[@]}" != 1 ] || case ${COMPREPLY[0]} in *=) compopt -o nospace ;; esac
}
complete -o filenames -F _ibsprof ibsprof
