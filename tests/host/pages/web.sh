#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The unit tests of the pages' JavaScript (tests/unit/web), in node with jsdom: a second each, where html.sh has a browser.
cd "$(dirname "$0")/../../.." || exit 1
. tools/verdicts
work=$PWD/build/unit-web
mkdir -p "$work"
for test in tests/unit/web/test_*.js; do
    node --test-reporter=tap "$test" >"$work/log" 2>&1
    status=$?
    grep -E '^ *(not )?ok [0-9]+ - ' "$work/log" | sed -E 's/ok [0-9]+ - /ok /'
    p=$(grep -c '^ok ' "$work/log") f=$(grep -c '^not ok ' "$work/log")
    passed=$((passed + p)) failed=$((failed + f))
    [ "$f" = 0 ] || sed 's/^/  /' "$work/log"
    [ "$p" != 0 ] && [ "$status" = "$([ "$f" = 0 ]; echo $?)" ] || not_ok "$test ended with status $status after $p checks" "$work/log"
done
finish
