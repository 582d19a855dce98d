# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash disable=SC2207 # words without blanks
# Completion of ibsprof for bash: the program itself lists its commands, their options, and the words that an option takes.
_ibsprof()
{
    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} program=${COMP_WORDS[0]}
    local option="" value="" words=""
    COMPREPLY=()
    if [ "$COMP_CWORD" = 1 ]; then
        COMPREPLY=($(compgen -W "--help --version $($program --help 2>/dev/null | sed -n 's/^  \([a-z]*\)  .*/\1/p')" -- "$current"))
        return
    fi
    # bash splits at '=': "--format", "=", "csv".
    if [ "$current" = "=" ]; then
        option=$previous
    elif [ "$previous" = "=" ]; then
        option=${COMP_WORDS[COMP_CWORD - 2]} value=$current
    fi
    [ -z "$option" ] || words=$($program "${COMP_WORDS[1]}" --complete "${option#--}" 2>/dev/null)
    if [ -n "$words" ]; then
        COMPREPLY=($(compgen -W "$words" -- "$value"))
    elif [ -z "$option" ] && [ "${current:0:1}" = - ]; then
        COMPREPLY=($(compgen -W "$($program "${COMP_WORDS[1]}" --complete 2>/dev/null)" -- "$current"))
    elif [ -n "$option" ]; then
        mapfile -t COMPREPLY < <(compgen -f -- "$value")
    else
        mapfile -t COMPREPLY < <(compgen -f -- "$current") # a name with blanks is one word
    fi
    [ "${#COMPREPLY[@]}" != 1 ] || case ${COMPREPLY[0]} in *=) compopt -o nospace ;; esac
}
complete -o filenames -F _ibsprof ibsprof
