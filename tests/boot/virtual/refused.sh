#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Wrong settings: one line each with the error and the allowed values, before anything is programmed, and the reason saved in the run's place.
. "$(dirname "$0")/../lib"

# refused NAME OPTIONS LINE [run-option]...
refused() {
    name=$1 options=$2 says=$3
    shift 3
    boot "refused-$name" 1 "$@" --options "menu=no $options"
    shows "$says"
    check_counters untouched
}

refused five "config=events sharing=none events=076,0C0,0C2,0C3,040" "5 events, but 4 counters: allow re-runs or multiplexing"
refused period "config=events events=076@1000" "076: period 1000 is under its minimum of 50000"
refused mask "config=count events=046:0F" "046: mask 0F has reserved bits 08; allowed are 07"
refused revision "config=events events=1CF@500000" "1CF: exists from revision C on, this is B" --revision B
refused mask-revision "config=count events=045:07" "045: mask 07 has reserved bits 04; allowed are 03" --revision B
refused turns "config=events sharing=multiplex events=040,041,045,046,047,04D,080,081,082,083,084,085,087,0C0,0C1,0C2,0C3,0C4,0C5,0C8,0C9,0CA,0CB,0CC,0CF,0D0,0D1,0D2,0D3,0D5,0DA,02A,003" \
    "33 events are 9 groups, but at most 8 take turns: name fewer, or allow re-runs"
refused model "config=events events=0D9" "the virtual PMU models none of these events"
refused node "cores=all config=count events=1E0" "1E0: is counted once per node; 2 cores of a node would share the count" --smp 2
refused far "memory=remote" "memory = remote: this machine has one node, so all memory is near all cores"

# What was not understood is not run, by either firmware, and the reason is where the run would be.
for firmware in uefi bios; do
    boot "refused-typing-$firmware" 1 --firmware $firmware --options "menu=no config=ibs,foo page=2m"
    shows "unknown key 'page'; did you mean 'pages'?"
    shows "config = foo: no such configuration; 'configs' lists them"
    shows_not "Running "
    saved=$(cd "$dir/runs" && find . -type f)
    is "$(basename "$dir"): saved" ./0001-refused/begun.ini "$saved"
    if grep -q "^#: phase = refused: load options:.: unknown key 'page'; did you" "$dir/runs/0001-refused/begun.ini"; then
        ok "$(basename "$dir"): the reason is there"
    else
        not_ok "$(basename "$dir"): no reason in begun.ini" "$dir/console.txt"
    fi
done
finish
