# SPDX-License-Identifier: BSD-2-Clause
# Completion of ibsprof for fish: the program itself lists its commands, their options, and the words that an option takes.
function __ibsprof_offered
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    if test (count $words) -eq 1
        printf '%s\n' --help --version
        $words[1] --help 2>/dev/null | sed -n 's/^  \([a-z]*\)  *\(.*\)/\1\t\2/p'
        return
    end
    set -l option (string match -r -- '^--([a-z-]+)=' $current)
    if set -q option[2]
        printf "--$option[2]=%s\n" ($words[1] $words[2] --complete $option[2] 2>/dev/null | string split -n ' ')
    else if string match -q -- '-*' $current
        $words[1] $words[2] --complete 2>/dev/null | string split -n ' '
    end
end
complete -c ibsprof -n 'test (count (commandline -opc)) -eq 1' -f
complete -c ibsprof -a '(__ibsprof_offered)'
