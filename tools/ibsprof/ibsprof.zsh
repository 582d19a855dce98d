#compdef ibsprof
# SPDX-License-Identifier: BSD-2-Clause
# Completion of ibsprof for zsh: the program itself lists its commands, their options, and the words that an option takes.
local program=$words[1] command=$words[2] option
local -a offered
if (( CURRENT == 2 )); then
    offered=(--help --version ${(f)"$($program --help 2>/dev/null | sed -n 's/^  \([a-z]*\)  *\(.*\)/\1:\2/p')"})
    _describe 'command' offered
elif [[ $words[CURRENT] == --*=* ]]; then
    option=${words[CURRENT]%%=*}
    offered=(${(f)"$($program $command --complete ${option#--} 2>/dev/null)"})
    compset -P '*='
    if (( $#offered )); then compadd -a offered; else _files; fi
elif [[ $words[CURRENT] == -* ]]; then
    offered=(${(f)"$($program $command --complete 2>/dev/null)"})
    compadd -S '' -- ${(M)offered:#*=}
    compadd -- ${offered:#*=}
else
    _files
fi
