#!/bin/sh
# ibsprof compare on runs of the virtual PMU: another seed changes nothing, 2 MB pages take the DTLB misses from one load.
. "$(dirname "$0")/lib"

# About 20,000 op samples a boot. For two runs a side to be shown equal within 1.5 points the most demanding figure, the L1
# DTLB miss rate of 9 % of the loads and stores (45 % of the samples), needs 2.93^2 * 2 * 0.09 * 0.91 / 0.015^2 / 0.45 =
# 14,000 samples a side for four of five cases; with 40,000 chance would have to be off by more than three standard errors.
load="menu=no n=400 op_period=192 fetch=no"
make -s build/tools/ibsprof || exit 1
runs=
for seed in 1 2 3 4; do
    boot compare-4k-$seed 0 --seed $seed --options "$load seed=$seed"
    cp build/ibsboot.elf "$dir/runs/"
    [ $seed = 3 ] && runs="$runs --"
    runs="$runs $(echo "$dir"/runs/0001-*)"
done
boot compare-2m 0 --seed 5 --options "$load seed=5 pages=2m"
cp build/ibsboot.elf "$dir/runs/"
other=$(echo "$dir"/runs/0001-*)

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
import json, sys
d = json.load(open(sys.argv[1]))
items = d["items"]
name = lambda item: None if item["place"] is None else d["places"][item["place"]]["instruction"]
different = [(item["column"], name(item)) for item in items if item["verdict"] == "different"]
of = lambda column, text=None: next(i for i in items if i["column"] == column and name(i) == text)
sys.exit(0 if eval(sys.argv[2]) else 1)
END
}

# shellcheck disable=SC2086
compared seeds 0 --margin=1.5 --fail-if=different,both,inconclusive $runs
holds seeds 'd["verdict"] == "equivalent" and d["warnings"] == []'
holds seeds '[s["name"] for s in d["settings_that_differ"]] == ["seed"]'
holds seeds 'abs(of("per_work")["log2_ratio"]["value"]) < 0.01'
holds seeds 'd["a_against_b"]["total_variation"]["value"] < 2 * d["a_against_b"]["total_variation"]["by_chance"]'

# shellcheck disable=SC2086
compared pages 3 --fail-if=different ${runs%% --*} -- "$other"
culprit='"fld dword ptr [rcx+rax*4+8]"'
# Both true ones, and at most one by chance: 5 % of what is called different may be wrong.
holds pages 'set(different) >= {("dtlb_l1_miss", None), ("dtlb_l1_miss", '"$culprit"')} and len(different) <= 3'
holds pages 'of("dtlb_l1_miss", '"$culprit"')["a"]["value"] > 0.9 and of("dtlb_l1_miss", '"$culprit"')["b"]["value"] < 0.01'
holds pages '"L1 DTLB miss rate of multiply_matrices+0x" in d["sentence"] and '"$culprit"' in d["sentence"]'
holds pages '{"name": "pages", "a": "4k", "b": "2m"} in d["settings_that_differ"]'
holds pages 'any("Side B is one run" in w for w in d["warnings"])'

# The page: the listing opens at the column that differs most tellingly, and says so without colour; nothing is fetched.
# shellcheck disable=SC2086
build/tools/ibsprof compare --html -o build/boot/pages.html ${runs%% --*} -- "$other"
python3 tests/boot/compare_page.py build/boot/pages.html build/screenshots >build/boot/page.txt 2>&1
add_checks compare_page.py $? build/boot/page.txt

# One run against itself, and usage.
compared itself 0 --margin=2 --fail-if=different "$other" "$other"
build/tools/ibsprof compare "$other" >/dev/null 2>build/boot/usage.err
[ $? = 2 ] && grep -q -- "--" build/boot/usage.err && ok "usage: one side is refused" || not_ok "usage: one side"
build/tools/ibsprof compare "$other" build/boot/nothing-there >/dev/null 2>build/boot/usage.err
[ $? = 1 ] && [ "$(wc -l <build/boot/usage.err)" = 1 ] && ok "usage: $(cat build/boot/usage.err)" || not_ok "usage: no such file"
finish
