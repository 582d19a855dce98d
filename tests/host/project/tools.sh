#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The unit tests of the programs of tools/ (tests/unit/tools), on made-up files. Each ends with "N passed, N failed".
cd "$(dirname "$0")/../../.." || exit 1
. tools/verdicts
work=$PWD/build/unit-tools
mkdir -p "$work"
for test in tests/unit/tools/test_*.py; do
    python3 -B "$test" >"$work/log" 2>&1
    status=$?
    cat "$work/log"
    p=0 f=0
    eval "$(tail -n 1 "$work/log" | sed -nE 's/^([0-9]+) passed, ([0-9]+) failed$/p=\1 f=\2/p')"
    passed=$((passed + p)) failed=$((failed + f))
    [ $((p + f)) != 0 ] && [ $status = "$([ "$f" = 0 ]; echo $?)" ] || not_ok "$test ended with status $status"
done
finish
