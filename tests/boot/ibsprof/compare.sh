#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# ibsprof compare on runs of the virtual PMU: another seed changes nothing, 2 MB pages remove one load's DTLB misses.
. "$(dirname "$0")/../lib"

# About 20,000 op samples a boot. For two runs a side to be shown equal within 1.5 points the most demanding figure, the L1
# DTLB miss rate of 9 % of the loads and stores (45 % of the samples), needs 2.93^2 * 2 * 0.09 * 0.91 / 0.015^2 / 0.45 =
# 14,000 samples a side for four of five cases; with 40,000 chance would have to be off by more than three standard errors.
load="menu=no n=400 op_period=192 fetch=no"
make -s build/tools/ibsprof || exit 1
runs=
for seed in 1 2 3 4; do
    boot compare-4k-$seed 0 --seed $seed --options "$load seed=$seed"
    [ $seed = 3 ] && runs="$runs --"
    runs="$runs $(echo "$dir"/runs/0001-*)"
done
others=
for seed in 5 6; do
    boot compare-2m-$seed 0 --seed $seed --options "$load seed=$seed pages=2m"
    other=$(echo "$dir"/runs/0001-*)
    others="$others $other"
done

# compared NAME STATUS arguments...: the command's text is left in build/boot/NAME.txt, its JSON in NAME.json.
compared() {
    name=$1 wanted=$2
    shift 2
    build/tools/ibsprof compare "$@" >build/boot/"$name".txt 2>build/boot/"$name".err
    status=$?
    build/tools/ibsprof compare --json -o build/boot/"$name".json "$@" 2>/dev/null
    if [ $status = "$wanted" ]; then
        ok "$name: $(head -n 1 build/boot/"$name".txt)"
    else
        not_ok "$name: status $status, not $wanted"
        cat build/boot/"$name".txt build/boot/"$name".err
    fi
}

holds() { # NAME text of a Python expression over d, the JSON
    if python3 - build/boot/"$1".json "$2" <<'END'; then ok "$1: $2"; else not_ok "$1: $2"; fi
import json, math, sys
d = json.load(open(sys.argv[1]))
items = d["items"]
name = lambda item: None if item["place"] is None else d["places"][item["place"]]["instruction"]
different = [(item["column"], name(item)) for item in items if item["verdict"] == "different"]
def chance():
    """The total variation between two samples of one profile by chance: its mean and its standard deviation."""
    mean = variance = 0
    for item in items:
        if item["column"] == "share" and item["place"] is not None:
            p = (item["a"]["value"] * item["n_a"] + item["b"]["value"] * item["n_b"]) / (item["n_a"] + item["n_b"])
            one = p * (1 - p) * (1 / item["n_a"] + 1 / item["n_b"])
            mean, variance = mean + math.sqrt(one / (2 * math.pi)), variance + (1 - 2 / math.pi) * one / 4
    return mean, math.sqrt(variance)
def rate_is(side, item, p, errors=4):
    """A rate against its expected value, in standard errors of that number of samples."""
    return abs(item[side]["value"] - p) <= errors * math.sqrt(max(p * (1 - p), 1 / item["n_" + side]) / item["n_" + side])
of = lambda column, text=None: next(i for i in items if i["column"] == column and name(i) == text)
sys.exit(0 if eval(sys.argv[2]) else 1)
END
}

# shellcheck disable=SC2086
compared seeds 0 --margin=1.5 --margin-rates=1.5 --fail-if=different,both,inconclusive $runs
holds seeds 'd["verdict"] == "equivalent" and d["warnings"] == []'
holds seeds '[s["name"] for s in d["settings_that_differ"]] == ["seed"]'
holds seeds 'abs(of("per_work")["log2_ratio"]["value"]) < 0.01'
# The floor grows with how far runs scatter beyond chance, which few runs tell for each of 25 places to about 35 %: 0.07 in all.
holds seeds 'abs(d["a_against_b"]["total_variation"]["by_chance"] / chance()[0] - 1) < 0.2'
holds seeds 'abs(d["a_against_b"]["total_variation"]["value"] - chance()[0]) < 3.1 * chance()[1]'

# shellcheck disable=SC2086
compared pages 3 --fail-if=different ${runs%% --*} -- $others
culprit='"fld dword ptr [rcx+rax*4+8]"'
# Both true differences, and at most one by chance: 5 % of claimed differences may be wrong.
holds pages 'set(different) >= {("dtlb_l1_miss", None), ("dtlb_l1_miss", '"$culprit"')} and len(different) <= 3'
# A step of 4000 bytes leaves the page 4000 times in 4096.
holds pages 'rate_is("a", of("dtlb_l1_miss", '"$culprit"'), 4000 / 4096) and rate_is("b", of("dtlb_l1_miss", '"$culprit"'), 0)'
holds pages '"L1 DTLB miss rate of multiply_matrices+0x" in d["sentence"] and '"$culprit"' in d["sentence"]'
holds pages '{"name": "pages", "a": "4k", "b": "2m"} in d["settings_that_differ"]'
# The same with one run on side B: a statement on these runs, none on the sides.
# shellcheck disable=SC2086
compared one 0 --fail-if=different,both,equivalent,inconclusive ${runs%% --*} -- "$other"
holds one 'd["verdict"] == "one-run" and d["of_runs"] == "different" and any("Side B is a single run" in w for w in d["warnings"])'

# The page: the listing opens at the column with the clearest difference, marked without colour; nothing is fetched.
# shellcheck disable=SC2086
build/tools/ibsprof compare --html -o build/boot/pages.html ${runs%% --*} -- $others
python3 tests/boot/ibsprof/compare_page.py build/boot/pages.html build/screenshots >build/boot/page.txt 2>&1
add_checks compare_page.py $? build/boot/page.txt

# One run against itself, and usage.
compared itself 0 --margin=2 --fail-if=different "$other" "$other"
build/tools/ibsprof compare "$other" >/dev/null 2>build/boot/usage.err
[ $? = 2 ] && grep -q -- "--" build/boot/usage.err && ok "usage: one side is refused" || not_ok "usage: one side"
build/tools/ibsprof compare "$other" build/boot/nothing-there >/dev/null 2>build/boot/usage.err
[ $? = 1 ] && [ "$(wc -l <build/boot/usage.err)" = 1 ] && ok "usage: $(cat build/boot/usage.err)" || not_ok "usage: no such file"
finish
