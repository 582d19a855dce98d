#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The files installed with ibsprof: the manual names every option of --help and formats without messages, the completion
# completes, make install puts each file in its place and no others.
# shellcheck disable=SC2086 # paths in build/ have no blanks
work=$PWD/build/ibsprof-install
rm -rf "$work"
mkdir -p "$work"
. tools/verdicts
log=$work/log


check "make install" make -s install DESTDIR="$work/root" PREFIX=/opt/x
(cd "$work/root" && find . -type f | sort) >"$work/files"
check "five files" sh -c "printf './opt/x/%s\n' bin/ibsprof share/bash-completion/completions/ibsprof share/fish/vendor_completions.d/ibsprof.fish \
    share/man/man1/ibsprof.1 share/zsh/vendor-completions/_ibsprof | diff - $work/files"
ibsprof=$work/root/opt/x/bin/ibsprof
check "the installed program runs" sh -c "$ibsprof --version | grep -Eq '^ibsprof [0-9]'"

manual=$work/root/opt/x/share/man/man1/ibsprof.1
sed 's/\\-/-/g; s/\\f.//g' $manual >"$work/manual.txt"
commands=$($ibsprof --help | sed -n 's/^  \([a-z]*\)  .*/\1/p')
for command in $commands; do
    missing=
    grep -q "^.SH \"IBSPROF $(echo "$command" | tr '[:lower:]' '[:upper:]')\"" "$work/manual.txt" || missing=" (its section)"
    for option in $($ibsprof "$command" --complete); do
        grep -q -e "${option%=}\b" "$work/manual.txt" || missing="$missing $option"
        case $option in --view=) continue ;; esac # its values are the names of views
        option=${option%=}
        # The manual's text on the option in this command's section, or in that of all commands.
        awk -v command="IBSPROF $(echo "$command" | tr '[:lower:]' '[:upper:]')" -v option="$option" '
            /^.SH/ { here = index($0, command) || /COMMON/ }
            /^.(TP|PP|SH)/ { told = 0 }
            here && index($0, option) { told = 1 }
            told' "$work/manual.txt" >"$work/told"
        for word in $($ibsprof "$command" --complete "${option#--}"); do
            grep -q -e "\b$word\b" "$work/told" || missing="$missing $option=$word"
        done
    done
    echo "missing:$missing" >"$work/log"
    if [ -z "$missing" ]; then ok "manual: $command"; else not_ok "manual: $command"; fi
done
check "manual: formats without complaint" sh -c "groff -man -Tutf8 -ww $manual 2>&1 >/dev/null | diff - /dev/null"

completes() { # words..., expected last: bash's completions of the last word but one
    bash -c '
        source "$1"; shift
        expected=${@: -1}; words=("${@:1:$#-1}")
        COMP_WORDS=("${words[@]}") COMP_CWORD=$((${#words[@]} - 1))
        compopt() { :; }
        _ibsprof
        for reply in "${COMPREPLY[@]}"; do [ "$reply" != "$expected" ] || exit 0; done
        echo "offered: ${COMPREPLY[*]}"; exit 1' sh "$work/root/opt/x/share/bash-completion/completions/ibsprof" "$@"
}
check "completion: commands" completes $ibsprof exp export
check "completion: options of a command" completes $ibsprof export --fo --format=
check "completion: formats by their own options" completes $ibsprof report --ht --html
check "completion: values" completes $ibsprof export --format = js jsonl
check "completion: views" completes $ibsprof report --view = ibs_dcl ibs_dclat
check "completion: one of several words" completes $ibsprof compare --fail-if = eq equivalent
check "completion: files as values" completes $ibsprof report --output = "$work/fil" "$work/files"
check "completion: values, none begun" completes $ibsprof export --samples = op
check "completion: files" completes $ibsprof info "$work/fil" "$work/files"

# The same in fish, which says what it offers, and in zsh, which shows it where it is typed.
export PATH="$work/root/opt/x/bin:$PATH"
fish_completes() { # typed, expected
    fish --no-config -c "source '$work/root/opt/x/share/fish/vendor_completions.d/ibsprof.fish'; complete -C '$1'" | cut -f 1 | grep -xF -- "$2"
}
zsh_completes() { zsh -f tests/host/ibsprof/zsh_completes.zsh "$work/root/opt/x/share/zsh/vendor-completions" "$@"; }
check "fish: commands" fish_completes "ibsprof exp" export
check "fish: options of a command" fish_completes "ibsprof export --fo" --format=
check "fish: values" fish_completes "ibsprof report --by=cache" --by=cache-line
check "fish: files" fish_completes "ibsprof info $work/fil" "$work/files"
check "zsh: commands" zsh_completes "ibsprof exp" "ibsprof export"
check "zsh: options of a command" zsh_completes "ibsprof export --fo" "--format="
check "zsh: values" zsh_completes "ibsprof report --by=cache" "--by=cache-line"
check "zsh: files" zsh_completes "ibsprof info $work/fil" "$work/files"

check "make uninstall" make -s uninstall DESTDIR="$work/root" PREFIX=/opt/x
check "nothing is left" sh -c "find $work/root -type f | diff - /dev/null"

finish
