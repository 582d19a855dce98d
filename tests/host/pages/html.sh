#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# HTML reports in a browser, and their data by another reader of JSON. The runs are generated (make_walk, make_perfdata);
# tests/boot/measure/paper.sh does the same with the run of a boot. With SCREENSHOTS=yes in the environment, pictures of every view are in
# build/screenshots afterwards.
cd "$(dirname "$0")/../../.." || exit 1
[ -n "${BROWSER_SHARED:-}" ] || exec python3 tests/host/pages/browser.py "$PWD/tests/host/pages/html.sh"
. tools/verdicts
work=build/report-host
shots=build/screenshots
rm -rf $work
mkdir -p $work/walk $work/cores $work/million $work/scattered $shots
log=$work/log

smaller() { [ "$(stat -c %s "$1")" -lt "$2" ] || { stat -c '%n: %s bytes' "$1"; false; }; }
report() { build/tools/ibsprof report --format="$1" -o "$2" "$3"; }
checks() { # what, page: one "ok" or "not ok" line for each check
    script=html_checks.py
    case $1 in report | compare) script=noise_checks.py ;; sweep | near-far) script=sweep_checks.py ;; clock) script=linux_checks.py ;; esac
    python3 tests/host/pages/$script "$@" $shots >$work/log 2>&1
    count_log $work/log
    grep -q '^end$' $work/log || not_ok "the checks of $2 ended early"
}

id=$(readelf -n build/ibsboot.elf | sed -n 's/.*Build ID: //p')
# shellcheck disable=SC2046
set -- $(readelf -SW build/ibsboot.elf | sed -n 's/.* \.text  *PROGBITS  *\([0-9a-f]*\) \([0-9a-f]*\) \([0-9a-f]*\) .*/\1 \3 \2/p')
text_rva=$1 text_size=$2 text_offset=$3
build/tools/make_walk $work/walk 50000 "$id" "$text_rva" "$text_size" "$text_offset"
# The walk's page has a roofline, too: counts of the workload and of the two loops.
for fact in workload.operations=16000000 workload.bytes=48000000 workload.ns=20000000 operations.operations=96000000 operations.bytes=64 operations.ns=8000000 \
    memory.operations=2000000 memory.bytes=32000000 memory.ns=2500000; do
    echo "#: roofline.${fact%=*} = ${fact#*=}" >>$work/walk/run.ini
done
build/tools/make_walk $work/cores 60000 "$id" "$text_rva" "$text_size" "$text_offset" 4 2
build/tools/make_walk $work/million 1000000 "$id" "$text_rva" "$text_size" "$text_offset"
# Half a million of each kind, registers and half of the addresses random over both halves of the address space: no two rows are alike.
build/tools/make_perfdata $work/scattered/perf.data 1f 7a120 3 "$id" "$text_rva" "$text_size" "$text_offset"

for run in walk cores million scattered; do
    check "$run: report --html" report html $work/$run.html $work/$run
done
check "$(stat -c 'a million op samples: %s bytes, under 5 MB' $work/million.html)" smaller $work/million.html 5000000
check "$(stat -c 'a million scattered samples: %s bytes, under 5 MB' $work/scattered.html)" smaller $work/scattered.html 5000000
for run in walk cores scattered; do
    check "$run: report --json" report json $work/$run.json $work/$run
    check "$run: the JSON's rows add up to its totals" python3 tests/host/pages/json_checks.py $work/$run.json
    check "$run: and those in the page" python3 tests/host/pages/json_checks.py $work/$run.html
done
checks walk $work/walk.html
checks cores $work/cores.html

# Cores and nodes as text and CSV, and one alone.
only() { build/tools/ibsprof report --by=core --csv "$@" $work/cores; }
check "core and node rows of the CSV add up" sh -c "build/tools/ibsprof report --by=core --csv $work/cores | python3 tests/host/pages/cores_checks.py 60000 20000"
only --core=1,3 >$work/some.csv
only --node=1 >$work/node.csv
check "a model's CSV says so first" sh -c "head -n 1 $work/node.csv | grep -q '^# MODEL: '"
check "--core takes these cores" sh -c "sed 1d $work/some.csv | cut -d, -f1 | tr '\n' ' ' | grep -qx 'core 1 3   '"
check "--node takes the node's cores" sh -c "sed 1d $work/node.csv | cut -d, -f1 | tr '\n' ' ' | grep -qx 'core 2 3  '"
check "a core's figures are the same alone" sh -c "build/tools/ibsprof report --by=core --csv $work/cores | grep '^3,' | grep -qxf - $work/node.csv"
check "text has them too" sh -c "build/tools/ibsprof report $work/cores | grep -q '^core 2 node 1 ' && build/tools/ibsprof report $work/cores | grep -q '^node 1 '"
check "a core that is not there is named" sh -c "build/tools/ibsprof report --core=7 $work/cores 2>&1 | grep -q 'no samples of core 7'"
checks scattered $work/scattered.html

# Noise runs: all regimes side by side, and ibsboot against Linux.
python3 tests/host/ibsprof/make_noise.py $work/noise || failed=$((failed + 1))
bare=$work/noise/bare linux=$work/noise/linux
check "noise: report --html" build/tools/ibsprof report --html -o $work/noise.html $bare $linux
check "noise: compare --html" build/tools/ibsprof compare --html -o $work/noise-compare.html $bare $linux
checks report $work/noise.html
checks compare $work/noise-compare.html
check "noise: CSV has a row for each regime" sh -c "build/tools/ibsprof report --csv $bare $linux | grep -c noise/ | grep -qx 12"
check "noise: JSON" sh -c "build/tools/ibsprof report --json $bare $linux | python3 -c 'import json, sys; d = json.load(sys.stdin); sys.exit(len(d[\"runs\"]) != 6)'"
check "noise: compare --json" sh -c "build/tools/ibsprof compare --json $bare $linux | python3 -c 'import json, sys; d = json.load(sys.stdin); sys.exit(d[\"verdict\"] != \"different\")'"
check "noise: --fail-if" sh -c "build/tools/ibsprof compare --fail-if=different $bare $linux >/dev/null; [ \$? = 3 ]"
check "noise: two silent regimes are equivalent" sh -c "build/tools/ibsprof compare --regime=alone,masked $bare $bare | grep -q '^Equivalent: '"
check "noise: a side against itself is not different" sh -c "build/tools/ibsprof compare --fail-if=different $linux/run-1 $linux/run-2"
check "noise: a regime that is not there" sh -c "build/tools/ibsprof compare --regime=nonsense $bare $linux 2>&1 | grep -q 'firmware, masked or alone'"
check "noise: mixed with others" sh -c "build/tools/ibsprof report $bare $work/walk 2>&1 | grep -q 'some of these are noise runs'"
mkdir -p $work/damaged && cp $linux/run-1/noise.csv $work/damaged
check "noise: a run without its figures is refused" sh -c "build/tools/ibsprof report $work/damaged 2>&1 | grep -q 'damaged: run.ini beside noise.csv has no noise figures'"

# The Linux twin against the bare run: the same code at another address, instruction by instruction.
address() { readelf -sW "$1" | awk '$8 == "multiply_matrices" {print $2}'; }
twin=build/ibsboot-workloads
# shellcheck disable=SC2046
set -- $(readelf -n $twin | sed -n 's/.*Build ID: //p') $(readelf -SW $twin | sed -n 's/.* \.workloads  *PROGBITS  *\([0-9a-f]*\) \([0-9a-f]*\) \([0-9a-f]*\) .*/\1 \3 \2/p')
shift_by=$(printf '%x' $((0x$(address $twin) - 0x$(address build/ibsboot.elf))))
for seed in 1 2 3; do
    mkdir -p $work/bare/$seed $work/twin/$seed $work/twin-2m/$seed
    build/tools/make_walk $work/bare/$seed 30000 "$id" "$text_rva" "$text_size" "$text_offset" 1 1 $seed 0 977
    build/tools/make_walk $work/twin/$seed 30000 "$1" "$2" "$3" "$4" 1 1 1$seed "$shift_by" 977
    build/tools/make_walk $work/twin-2m/$seed 30000 "$1" "$2" "$3" "$4" 1 1 2$seed "$shift_by" 0
done
sed -i 's/no operating system/6.1.0-made-by-tests/' $work/twin/?/perf.data $work/twin-2m/?/perf.data
compare() { build/tools/ibsprof compare --debug-dir=build "$@"; }
compare --all $work/bare/? -- $work/twin/? >$work/same.txt 2>&1
check "twin: no instruction differs from the bare run's ($(head -n 1 $work/same.txt))" sh -c "! grep -qiE '(^|, )different:' $work/same.txt && grep -qiE '(^|, )(equivalent|inconclusive)' $work/same.txt"
aligned=$(grep -c 'multiply_matrices+0x' $work/same.txt)
check "twin: $aligned figures of instructions by function and offset" [ "$aligned" -ge 10 ]
check "twin: it is known to be Linux" sh -c "build/tools/ibsprof report --debug-dir=build $work/twin/1 2>&1 | grep -q 'Linux 6.1.0-made-by-tests'"
check "twin: nothing is on one side only" sh -c "! grep -q 'on one side only' $work/same.txt"
compare $work/bare/? -- $work/twin-2m/? >$work/other.txt 2>&1
check "twin: another page size is found at its instruction" sh -c "tr '\n' ' ' <$work/other.txt | grep -qi 'different: .*DTLB miss rate of multiply_matrices+0x[0-9a-f]* (fld dword ptr \[rcx+rax\*4+8\])'"
check "twin: --html" build/tools/ibsprof compare --debug-dir=build --html -o $work/twin.html $work/bare/1 $work/bare/2 $work/bare/3 -- $work/twin-2m/1 $work/twin-2m/2 $work/twin-2m/3

# Pointer-chase over sizes: the staircase; and over memory near and far.
build/tools/make_chase $work/chase local 1 "$id" "$text_rva" "$text_size" "$text_offset" || failed=$((failed + 1))
build/tools/make_chase $work/chase-far remote 101 "$id" "$text_rva" "$text_size" "$text_offset" || failed=$((failed + 1))
check "staircase: report --html of a folder" build/tools/ibsprof report --html -o $work/staircase.html $work/chase
check "staircase: report --html of two" build/tools/ibsprof report --html -o $work/near-far.html $work/chase $work/chase-far
checks sweep $work/staircase.html
checks near-far $work/near-far.html
cat >$work/steps <<'END'
  16 to 48: L1, most loads hit, 12.5 % missed
  96 to 448: L2, 12 cycles
  768 to 5120: L3, 52 cycles
  12288 to 1048576: DRAM, 162 cycles
END
check "staircase: text has the steps" sh -c "build/tools/ibsprof report $work/chase | sed '1,/^Steps/d' | diff - $work/steps"
check "staircase: CSV" sh -c "build/tools/ibsprof report --csv $work/chase $work/chase-far | cut -d, -f1,2,5-7 | grep -qx '12288,memory = remote,272,272,272'"
check "staircase: JSON" sh -c "build/tools/ibsprof report --json $work/chase | python3 -c 'import json, sys; d = json.load(sys.stdin); sys.exit([l[\"median\"] for l in d[\"levels\"]] != [0, 12, 52, 162])'"
check "staircase: another parameter" sh -c "build/tools/ibsprof report --against=hops $work/chase | grep -q ' against hops'"
check "staircase: one that is not there" sh -c "build/tools/ibsprof report --against=x $work/chase 2>&1 | grep -q \"no parameter 'x' that differs\""
check "staircase: not of two workloads" sh -c "build/tools/ibsprof report $work/chase $work/walk 2>&1 | grep -q 'several runs must have the same workload'"
check "staircase: not of the same run twice" sh -c "build/tools/ibsprof report $work/walk $work/walk 2>&1 | grep -q 'no parameter of the workload differs'"

# Every page at three widths, light and dark: also a staircase whose levels alternate, and a Linux recording.
python3 - $work <<'END' || failed=$((failed + 1))
import json, re, sys
work = sys.argv[1]
head, text, tail = re.fullmatch(r'(.*<script type="application/json" id="sweep">)(.*?)(</script>.*)', open(f"{work}/staircase.html").read(), re.S).groups()
sweep = json.loads(text)
sweep["levels"] = [{**level, "from": point["x"], "to": point["x"], "source": i % len(sweep["sources"])} for i, point in enumerate(sweep["points"]) for level in sweep["levels"][:1]]
open(f"{work}/alternating.html", "w").write(head + json.dumps(sweep) + tail)
END
# And a recording by a clock: time, not ops.
check "a clock: perf record" perf record -q -e cpu-clock -c 100000 -o $work/clock.data $twin matmul-classic rows=20
check "a clock: report --html" build/tools/ibsprof report --html -o $work/clock.html $work/clock.data
checks clock $work/clock.html
check "a Linux recording: report --html" build/tools/ibsprof report --html --debug-dir=build -o $work/linux.html $work/twin/1
python3 tests/host/pages/layout_checks.py $shots $work/walk.html $work/cores.html $work/scattered.html $work/linux.html $work/clock.html $work/noise.html $work/noise-compare.html $work/twin.html \
    $work/staircase.html $work/near-far.html $work/alternating.html >$work/log 2>&1
count_log $work/log
grep -q '^end$' $work/log || not_ok "the checks of the layout ended early"

finish
