#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Programs of bench/ run once, with next to no work: they are built, they end well, and what they print are figures. bench/run is in
# tests/boot/measure/cost.sh; bench/periods, boots, kills and network boot for minutes, by scripts of which the suite runs shorter forms; bench/stepping takes
# minutes of Valgrind, or builds of two trees, so only the arithmetic of its figures is tried.
cd "$(dirname "$0")/../../.." || exit 1
. tools/verdicts
work=$PWD/build/bench-test
rm -rf "$work"
mkdir -p "$work"
log=$work/log

# prints NAME PATTERN COMMAND...: it ends with status 0, and has such a line.
prints() {
    name=$1 pattern=$2
    shift 2
    if "$@" >"$log" 2>&1 && grep -qE -- "$pattern" "$log"; then ok "$name: $(grep -E -- "$pattern" "$log" | head -n 1)"; else not_ok "$name"; fi
}
id=$(readelf -n build/ibsboot.elf | sed -n 's/.*Build ID: //p')
build/tools/make_perfdata "$work/perf.data" 1f 400 0 "$id" 1000 1000 1000 || exit 1
prints "bench/ibsprof" '^resident: [0-9.]+ MiB for 4000 samples' bench/ibsprof 4000 "$work/perf.data"
prints "bench/compare-sim" 'wanted: ' bench/compare-sim 20 shares
prints "bench/compare-real" '^copies  *1 ' bench/compare-real --pairs 1 --runs 1 build/bench/ibsprof/many.data build/bench/ibsprof/tenth.data
ROUNDS=1 prints "bench/model_speed" '^ibs  *[0-9]+[.][0-9]$' bench/model_speed
prints "bench/each" '^tlb-reach +10240 +2 .* unchanged +[0-9.]+ +[0-9.]+ +[0-9.]+$' bench/each --settings repeats=2 tlb-reach
prints "bench/once" '^bank-conflict .* of [1-9][0-9]*, .* deviations' bench/once --passes 120 bank-conflict
prints "bench/causes" '^store-forward +7[0-9.]+/[78][0-9.]+ +\([0-9.]+/0.0\) +right$' \
    bench/causes --small --cause forwarding --cause l1,banks,dependences,window,schedulers store-forward
prints "bench/causes, Zen 2" '^divide-chain .* right$' bench/causes --small --revision zen2 divide-chain
prints "bench/named" '^call-indirect +branches +branches .* right$' bench/named call-indirect
bench/each --revision none tlb-reach >"$log" 2>&1
[ $? = 1 ] && grep -qx 'each: build/bench/each/tlb-reach: boot: .*' "$log" && ! grep -q Traceback "$log"
verdict $? "a boot that fails ends bench/each with its own words"
prints "bench/paper" '^. 401172 ' build/tools/paper paper_counters
for file in bench/*; do
    case $(head -n 1 "$file" 2>/dev/null) in
    '#!/bin/sh') check "$file is read" sh -n "$file" ;;
    *python3) check "$file is read" python3 -B -c "import ast, sys; ast.parse(open(sys.argv[1]).read())" "$file" ;;
    esac
done

# Figures of rounds, and of two times.
python3 - >"$log" 2>&1 <<'EOF'
import sys
sys.path.insert(0, "bench")
from figures import figure, speed
assert figure([5.0, 6.0, 4.0], "7.1f") == "    5.0" and figure([1.0, 2.5, 1.2], ".1f") == "no figure (1.0 to 2.5)"
assert figure([1.0, 2.0], ".1f") == "1.5" and figure([-1.0], ".1f").startswith("no figure") and figure([2.0], ".1f") == "2.0"
assert speed(100, [3.0, 3.0], [1.0, 1.0]) == 50 and speed(100, [3.0], [1.0]) is None
assert speed(100, [1.0, 1.1], [1.2, 1.2]) is None and speed(100, [2.0, 2.5], [1.5, 2.0]) is None and speed(90, [3.0, 3.5], [1.2, 1.3]) == 45
EOF
verdict $? "a figure whose error is larger than itself is none"
finish
