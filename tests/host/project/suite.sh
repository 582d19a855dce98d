#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The programs that add up the tests' results (tests/all, run-scripts, run-unit, boot/lib) detect each way in which a test can fail
# silently; tests/turn takes each share in turn, and tests/in-turn each test; the check of counted totals detects a small wrong total, and that of the documents' figures a changed figure: tested with
# scripts, programs and files made for it, in a separate folder.
cd "$(dirname "$0")/../../.." || exit 1
. tools/verdicts
work=$PWD/build/suite-test
rm -rf "$work"
mkdir -p "$work/tests/boot/measure" "$work/tests/check" "$work/build/unit/core" "$work/bin"
log=$work/log
cp tests/all tests/run-scripts tests/run-unit tests/new-skips tests/turn "$work/tests/"
mkdir -p "$work/tools"
cp tests/boot/lib "$work/tests/boot/"
cp tools/verdicts "$work/tools/"
cd "$work" || exit 1
export SKIPS="$work/skips"
printf '%s\n' '# script|check|reason' 'tests/known.sh|no clock|there is none' 'tests/unit/core/known|later|for the test' 'tests/known.sh|no reason|' >skips

# adds STATUS LAST-LINE NAME [WORDS]: the exit status of the command in $tried, its last line, and words of its output.
adds() {
    sh -c "$tried" >log 2>&1
    status=$?
    if [ $status = "$1" ] && [ "$(tail -n 1 log)" = "$2" ] && grep -qF -- "${4:-}" log; then ok "$3"; else not_ok "$3: status $status, $(tail -n 1 log)"; fi
}

# script LINES: a test script that prints them, and ends with $ends.
ends=0
script() {
    printf '%s\n' '#!/bin/sh' 'cat <<"TEXT"' "$1" TEXT "exit $ends" >tests/known.sh
    chmod +x tests/known.sh
}
export CI=
tried="tests/run-scripts tests/known.sh"
script '2 passed, 0 failed'
adds 0 "2 passed, 0 failed" "run-scripts: all passed"
script '2 passed, 1 failed'
adds 1 "2 passed, 1 failed" "run-scripts: a failure" "failed in tests/known.sh: 1"
script 'not ok this one
2 passed, 1 failed'
is "run-scripts: what failed is said again at the end" "$($tried | tail -n 3 | paste -s -d '|')" "failed in tests/known.sh: 1|not ok this one|2 passed, 1 failed"
script '0 passed, 0 failed'
adds 1 "0 passed, 1 failed" "run-scripts: a script that checked nothing has failed" "not ok tests/known.sh: checked nothing"
script 'ok one'
adds 1 "0 passed, 1 failed" "run-scripts: one without a count has failed" "no count"
ends=1
script '2 passed, 0 failed'
adds 1 "2 passed, 1 failed" "run-scripts: a bad status without a failure is one" "ended with status 1"
ends=0
script 'skip no clock: none here
2 passed, 0 failed, 1 skipped'
adds 0 "2 passed, 0 failed, 1 skipped" "run-scripts: skips are counted"
script '2 passed, 0 failed, 1 skipped'
adds 1 "2 passed, 1 failed, 1 skipped" "run-scripts: a skip that is not told is a failure" "counts 1 skipped and tells of 0"
script 'skip no clock: none here
2 passed, 0 failed'
adds 1 "2 passed, 1 failed" "run-scripts: one that is not counted, too" "counts 0 skipped and tells of 1"
script 'skip no clock: none here
0 passed, 0 failed, 1 skipped'
adds 1 "0 passed, 1 failed, 1 skipped" "run-scripts: skips alone are no test" "checked nothing"
script 'skip other: none here
2 passed, 0 failed, 1 skipped'
adds 0 "2 passed, 0 failed, 1 skipped" "run-scripts: any skip will do elsewhere"
CI=true
adds 1 "2 passed, 1 failed, 1 skipped" "run-scripts: but not with CI=true" "not to be skipped here: other"
script 'skip no clock: none here
2 passed, 0 failed, 1 skipped'
adds 0 "2 passed, 0 failed, 1 skipped" "run-scripts: with CI=true one of the list will do"
script 'skip no reason: none here
2 passed, 0 failed, 1 skipped'
adds 1 "2 passed, 1 failed, 1 skipped" "run-scripts: not one that the list gives no reason for" "not to be skipped here: no reason"
CI=

# program NAME CODE: a cmocka program of these tests.
program() {
    printf '%s\n' '#include <setjmp.h>' '#include <stdarg.h>' '#include <stddef.h>' '#include <stdint.h>' '#include <stdlib.h>' '#include <cmocka.h>' \
        'static void good(void **state) { (void)state; }' 'static void bad(void **state) { (void)state; fail(); }' 'static void dead(void **state) { (void)state; abort(); }' \
        'static void later(void **state) { (void)state; skip(); }' 'static void never(void **state) { (void)state; skip(); }' \
        'const void *used[] = {good, bad, dead, later, never};' 'int main(void) {' \
        "const struct CMUnitTest tests[] = {$1}; return cmocka_run_group_tests(tests, NULL, NULL); }" >program.c
    cc -o build/unit/core/known program.c -lcmocka 2>log || not_ok "the program of $1"
}
tried="tests/run-unit build/unit/core/known"
program 'cmocka_unit_test(good), cmocka_unit_test(good)'
adds 0 "2 passed, 0 failed" "run-unit: all passed"
program 'cmocka_unit_test(good), cmocka_unit_test(bad)'
adds 1 "1 passed, 1 failed" "run-unit: a failure"
program 'cmocka_unit_test(good), cmocka_unit_test(later)'
adds 0 "1 passed, 0 failed, 1 skipped" "run-unit: a skip is counted" "skip later"
program 'cmocka_unit_test(later)'
adds 1 "0 passed, 1 failed, 1 skipped" "run-unit: skips alone are no test" "no test ran"
program 'cmocka_unit_test(good), cmocka_unit_test(later), cmocka_unit_test(never)'
CI=true
adds 1 "1 passed, 1 failed, 2 skipped" "run-unit: with CI=true it must be of the list" "not to be skipped here: never"
CI=
printf '#!/bin/sh\nkill -SEGV $$\n' >build/unit/core/known
adds 1 "0 passed, 1 failed" "run-unit: a program that dies has failed"

# tests/all, with a make that leaves these results; and one part that leaves none.
cat >bin/make <<'EOF2'
#!/bin/sh
for target; do :; done
case $target in
test-images) ;;
script-tests) [ -z "$BOOT" ] || echo "$BOOT" >build/results/script ;;
*) echo "3 0" >"build/results/${target%-tests}" ;;
esac
EOF2
chmod +x bin/make
printf '#!/bin/sh\necho "3 0" >build/results/check\n' >tests/check/run
chmod +x tests/check/run
tried='PATH="$PWD/bin:$PATH" BOOT="$boot" tests/all'
export boot="5 0 0"
adds 0 "18 passed, 0 failed" "all: the sum of its parts"
boot="5 1 0"
adds 1 "18 passed, 1 failed" "all: a failure of one"
boot="5 0 2"
adds 0 "18 passed, 0 failed, 2 skipped" "all: skips are in the last line"
boot="0 0 0"
adds 1 "13 passed, 1 failed" "all: a part that checked nothing has failed"
boot=
adds 1 "13 passed, 1 failed" "all: so has one that left nothing"

# A boot test that takes over another program's checks.
cat >tests/boot/measure/known.sh <<'EOF2'
#!/bin/sh
. "$(dirname "$0")/../lib"
dir=build
ok "a check before"
perf_agrees
finish
EOF2
chmod +x tests/boot/measure/known.sh
agrees() { printf '%s\n' '#!/bin/sh' "printf '$1'" "exit $2" >tests/boot/measure/perf-agrees; chmod +x tests/boot/measure/perf-agrees; }
tried=tests/boot/measure/known.sh
agrees 'ok perf: one\nok perf: two\n' 0
adds 0 "3 passed, 0 failed" "lib: perf-agrees' checks are counted"
agrees 'ok perf: one\nnot ok perf: two\n' 1
adds 1 "2 passed, 1 failed" "lib: its failures, too"
agrees 'nothing to compare\n' 0
adds 1 "1 passed, 1 failed" "lib: without a check of it the test has failed" "not ok perf-agrees ended with status 0 after 0 checks"
agrees 'ok perf: one\n' 1
adds 1 "2 passed, 1 failed" "lib: so it has when it ended badly"

# Totals of a boot: a large one that is off by three, and a small one that is off by $1 of 4.
totals() {
    mkdir -p boot/runs/0001-made
    echo '#: repeats = 1' >boot/runs/0001-made/run.ini
    printf '%s\n' "# MODEL: all figures come from ibsboot's virtual PMU (a model), not from silicon." \
        'select,mask,count_mask,event,state,repeats,mean,min,max,cv_ppm,overhead,residue,reliability_ppm' \
        '0c0,00,0,RETIRED_INSTRUCTIONS,counted,1,5507586,0,0,0,0,0,1000000' \
        "0c9,00,0,RETIRED_NEAR_RETURNS_MISPREDICTED,counted,1,$((4 + $1)),0,0,0,0,0,1000000" >boot/runs/0001-made/counts.csv
    printf '%s\n' '# pmc_run,counter,perf_ctl,select,mask,windows,counted,workload' '# pmc_run,0,530076,076,00,1,9000000,9000000' \
        '# pmc_run,1,5300c0,0c0,00,1,5507583,5507583' '# pmc_run,2,5300c9,0c9,00,1,4,4' >boot/truth.csv
}
tried="python3 ../../tests/boot/check/check_counters.py boot counts 0.1 2"
right='2 totals of events: largest share 0.0001 %: 3 at 0c0:00 RETIRED_INSTRUCTIONS; 0 totals of cycles: largest share 0.0000 % of all cycles: 0; wanted under 0.1 %'
totals 0
adds 0 "$right" "check_counters: three of 5.5 million are within 0.1 %"
totals 2
adds 1 "$(echo "$right" | sed 's/largest share 0.0001 %: 3 at .*;\( 0 totals\)/largest share 50.0000 %: 2 at 0c9:00 RETIRED_NEAR_RETURNS_MISPREDICTED;\1/')" \
    "check_counters: two of four are not, whatever is beside them"

# Shares of long tests: the commit's number, or one of choice, or all.
number=$(git rev-list --count HEAD)
tried="TURN= tests/turn 1000000; TURN=7 tests/turn 4; TURN=8 tests/turn 3; TURN=all tests/turn 4; TURN= GIT_DIR=/nowhere tests/turn 4"
is "turn: the share of this commit and of others, and nothing for all" "$number 3 2" "$(sh -c "$tried" 2>&1 | xargs)"
printf '%s\n' 'tests/third.sh 3 2 a/' 'tests/third.sh.old 2 0' >rows
tried='for n in 2 5 8 11; do TURNS=rows TURN=$n tests/turn 3 tests/third.sh; done; TURNS=rows TURN=5 tests/turn 3 tests/other.sh; TURNS=none TURN=5 tests/turn 3 tests/third.sh'
is "turn: all shares of a script that has a turn itself" "0 1 2 0 2 2" "$(sh -c "$tried" 2>&1 | xargs)"
is "turn: scripts that have a turn name themselves" "" "$(cd ../.. && sed -n 's/^\(tests[^ ]*\.sh\) .*/\1/p' tests/turns | xargs grep -HnE '\$\(tests/turn [0-9]+\)')"
tried="TURN=x tests/turn 4"
adds 2 "turn: TURN is a number or all, not 'x'" "turn: another word is refused"

# Tests that wait for their turn, in a repository made for it: tests of two rooms, of which a change names one.
mkdir -p turned/tests/unit/core/base turned/a turned/b
cp ../../tests/turn ../../tests/in-turn turned/tests/
cd turned || exit 1
committed() { git add -A && git -c user.name=n -c user.email=e commit -qm "$1"; }
git init -q . && touch tests/a.sh tests/unit/core/base/test_b.c tests/c.sh a/x b/y && committed one && touch c && committed two
printf '%s\n' '# test' 'tests/a.sh 2 0 a/ c' 'tests/unit/core/base/test_b.c 2 1 b/y' >tests/turns && committed three && touch d && committed four
picked() { env "$@" tests/in-turn tests/a.sh build/unit/core/test_b tests/c.sh 2>waits | xargs; }
is "in-turn: by turns, what has no row each time" "tests/a.sh tests/c.sh; build/unit/core/test_b tests/c.sh" "$(picked TURN=4); $(picked TURN=5)"
is "in-turn: what waits is named" "not its turn: tests/a.sh" "$(cat waits)"
is "in-turn: all, outside of git and with TURN=all" "tests/a.sh build/unit/core/test_b tests/c.sh; tests/a.sh build/unit/core/test_b tests/c.sh" \
    "$(picked TURN=all); $(picked TURN=4 GIT_DIR=/nowhere)"
echo changed >b/y
both="tests/a.sh build/unit/core/test_b tests/c.sh"
is "in-turn: always where what it tests is changed" "$both" "$(picked TURN=4)"
committed five
is "in-turn: and in the commit that changes it" "$both" "$(picked TURN=4)"
touch e && committed six
is "in-turn: by turns again after it" "tests/a.sh tests/c.sh" "$(picked TURN=4)"
touch b/ynew
is "in-turn: a new file is a change" "$both" "$(picked TURN=4)"
rm -r b
tried="TURN=4 tests/in-turn tests/a.sh"
adds 2 "in-turn: tests/turns: tests/unit/core/base/test_b.c: there is no b/y" "in-turn: a row whose file is gone is refused"
cd .. || exit 1

# The documents' figures against a boot's report.
mkdir -p boot/known/runs/0001-made docs
printf '%s\n' 'Head' '  1054 fld a   12  3.5%' '  1057 mov b    0     -' 'all           12' >boot/known/runs/0001-made/report.txt
document() { # the figure, and what is left out
    printf '%s\n' 'A run has' '7 misses.' '' '<!-- boot known: report -->' '```' 'Head' "  1054 fld a   $1  3.5%" "$2" 'all           12' '```' >docs/known.md
    echo 'nothing' >README.md
}
figures="python3 ../../tests/boot/check/figures.py boot/known"
tried=$figures
document 12 '     ...'
adds 0 "1 blocks of the documents are as this boot printed them" "figures: a block is what was printed"
document 13 '     ...'
adds 1 "'  1054 fld a   13  3.5%' where '  1054 fld a   12  3.5%' was printed (REBASE=1 writes the documents anew)" "figures: another figure is seen"
document 12 '  1057 mov c    0     -'
adds 1 "nothing like this was printed: Head |   1054 fld a   12  3.5% |   1057 mov c    0     - (REBASE=1 writes the documents anew)" "figures: so is a line that was not printed"
document 13 '     ...'
tried="REBASE=1 $figures && $figures"
adds 0 "1 blocks of the documents are as this boot printed them" "figures: REBASE=1 writes it anew"
tried="$figures 'docs/known.md: A run has {} misses' 7"
adds 0 "docs/known.md has A run has 7 misses" "figures: a sentence has the figure"
tried="$figures 'docs/known.md: A run has {} misses' 8"
adds 1 "A run has {} misses: 7 in the document, 8 now (REBASE=1 writes the documents anew)" "figures: or another one"

finish
