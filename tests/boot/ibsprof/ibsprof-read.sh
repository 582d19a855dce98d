#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# ibsprof reads from a run what the image wrote: every register, and the image's own profile counted again from it.
. "$(dirname "$0")/../lib"

ibsprof=build/tools/ibsprof
try() { # name, command...
    what=$1
    shift
    if result=$("$@" 2>&1); then ok "$(basename "$dir"): $what: $(echo "$result" | head -n 1)"; else not_ok "$(basename "$dir"): $what: $result"; fi
}
read_back() {
    try "counts are the image's" sh -c "$ibsprof export --format=jsonl $dir >$dir/samples.jsonl && python3 tests/boot/check/check_export.py $dir $dir/samples.jsonl"
    try "every register, against ibs_dump" sh -c "build/tools/ibs_dump $dir/runs/*/perf.data >$dir/dump.txt && python3 tests/host/ibsprof/compare_dump.py $dir/dump.txt $dir/samples.jsonl 100"
    try "every field, against perf script -D" sh -c "build/tools/ibs_dump $dir/runs/*/perf.data >$dir/dump.txt && python3 tests/host/ibsprof/compare_perf.py $dir/runs/*/perf.data $dir/dump.txt"
    try "written as perf.data and read again" sh -c "$ibsprof export --format=perf.data -o $dir/again.data $dir && $ibsprof export --format=jsonl $dir/again.data | cmp - $dir/samples.jsonl && echo the same"
    try "info has the run's facts" sh -c "$ibsprof info $dir | grep '  workload.check = 1'"
    try "info says that it is a model" sh -c "$ibsprof info $dir | grep 'not of silicon'"
}

boot ibsprof-read 0 --options "menu=no n=100"
read_back
boot ibsprof-read-b 0 --revision B --options "menu=no n=100 pages=2m"
read_back

# Counters and the timer: their samples, periods and events are written and read back.
boot ibsprof-read-pmc 0 --options "menu=no n=100 config=assess"
try "counters written as perf.data and read again" sh -c "$ibsprof export --format=jsonl $dir >$dir/samples.jsonl &&
    $ibsprof export --format=perf.data -o $dir/again.data $dir && $ibsprof export --format=jsonl $dir/again.data | cmp - $dir/samples.jsonl &&
    wc -l <$dir/samples.jsonl"
try "counters, against perf script" sh -c "python3 tests/host/ibsprof/compare_script.py $dir/runs/*/perf.data $dir/samples.jsonl"
. tests/boot/lib-tar
finish
