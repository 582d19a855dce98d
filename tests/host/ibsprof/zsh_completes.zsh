# SPDX-License-Identifier: BSD-2-Clause
# A zsh in a pseudo-terminal completes what is typed: zsh_completes.zsh FOLDER-OF-COMPLETIONS TYPED EXPECTED. Status 1: it does not show EXPECTED.
zmodload zsh/zpty
zpty -b shell 'TERM=dumb zsh -f -i'
zpty -w shell "fpath=($1 \$fpath); autoload -Uz compinit; compinit -D -u; setopt no_beep; PS1='>'; print READY\$((1+1))"
zpty -r -m shell shown '*READY2*'
zpty -w -n shell "$2"$'\t'
repeat 100; do
    sleep 0.1
    zpty -r -t shell more && shown+=$more
    [[ $shown != *$3* ]] || exit 0
done
print -r -- "shown: ${(V)shown}"
exit 1
