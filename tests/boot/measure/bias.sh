#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# ibsprof bias: each way of sampling one workload against its exact counts, all figures computed again by check_bias.py; and a machine whose
# intervals are not random, as IbsOpCurCnt ignores what is written to it, which must be found.
. "$(dirname "$0")/../lib"
ibsprof=build/tools/ibsprof
make -s $ibsprof || exit 1

bias() { # CHECK ARGUMENTS...: on what ibsprof says of all runs of the boot
    if $ibsprof bias --json -o "$dir/bias.json" "$dir"/runs/0001-*-exact "$dir" 2>"$dir/bias.err"; then
        check_with check_bias.py "$@"
    else
        not_ok "ibsprof bias: $(cat "$dir/bias.err")"
    fi
}

boot bias 0 --options "menu=no config=bias workload=matmul-classic n=40 rows=6 seed=2 op_period=512 repeats=8"
bias figures 5
bias verdicts

batch_options="--hostile curcnt-ignored" batch bias-fixed 0 config=exact "workload=tight-loop iterations=3000 seed=2" run \
    "config=ibs count=ops fetch=no op_period=736 repeats=4" run
bias figures 1
bias fixed
batch bias-random 0 config=exact "workload=tight-loop iterations=3000 seed=2" run "config=ibs count=ops fetch=no op_period=736 repeats=4" run
bias within

finish
