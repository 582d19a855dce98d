#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The tables of the documents are those of the program; a differing table is detected and rewritten.
cd "$(dirname "$0")/../../.." || exit 1
. tools/verdicts
work=$PWD/build/tables-test
rm -rf "$work"
mkdir -p "$work/build"
log=$work/log
check "the documents' tables are the program's" docs/refresh --check

cp -r docs README.md "$work/"
rm "$work/docs/paper.md" # its tables take the model seconds, and were compared above
ln -s "$PWD/build/tools" "$work/build/tools"
check "a copy has them, too" "$work/docs/refresh" --check
sed -i "s/one flat loop of 17/one flat loop of 71/" "$work/docs/workloads.md"
check "a row that was changed is seen, and its document named" sh -c "! '$work/docs/refresh' --check >'$work/said' && grep -q '^docs/workloads.md: ' '$work/said'"
check "--tables rewrites it" "$work/docs/refresh" --tables
check "as it was" cmp docs/workloads.md "$work/docs/workloads.md"
sed -i 's/stand for [0-9.]* cycles an iteration/stand for 17.3 cycles an iteration/' "$work/docs/model.md"
check "a figure of the paper in a sentence is seen as well" sh -c "! '$work/docs/refresh' --check >'$work/said' && grep -q '^docs/model.md: ' '$work/said'"
check "--tables rewrites it, too" "$work/docs/refresh" --tables
check "with the digits as before" cmp docs/model.md "$work/docs/model.md"
sed -i 's/legible samples of the/readable samples of the/' "$work/docs/model.md"
check "a sentence that is not there is named" sh -c "! '$work/docs/refresh' --check 2>'$work/said' && grep -q '^docs/model.md has 0 times: The legible samples' '$work/said'"

is "docs/exact.md has the figures that ibsprof report says" "$(sed -n 's/^\(.*\): \([0-9]* of [0-9]*\) within chance; .*/\1: \2/p' docs/exact.md)" \
    "$(sed -n 's/^FOUND([A-Z_]*, "\(.*\)", \([0-9]*\), \([0-9]*\))/\1: \2 of \3/p' tools/ibsprof/report/json/report_found_rows.h)"

# What no document has, 'make pages' prints.
check "make pages" env PAPER_COLUMNS=8 make -s pages
pages=$(sed -n 's/^PAGES := //p' Makefile)
for page in $pages; do
    check "$page: no document has it" sh -c "! grep -q '^<!-- table: $page -->' docs/*.md"
    check "build/pages/$page.md is a table" sh -c "sed -n '/^|---/{n;p;}' build/pages/$page.md | grep -q '^| '"
done
later=build/pages/events_later.md
check "events of later families have the columns of Family 10h's" \
    sh -c "grep -m 1 '^| code | symbol' build/pages/events.md | sed 's/mask | |/mask | processors | |/' | grep -qxFf - $later"
is "of all lists" "## Zen, Zen 2, Zen 3, Zen 4, Zen 5, Zen 6|## Bulldozer, Piledriver, Steamroller, Excavator|## Bobcat, Jaguar|## Llano" \
    "$(grep '^## ' $later | paste -s -d '|')"
check "a row for each event" sh -c "[ \$(grep -cE '^[|] \`[0-9A-F]{3}\` [|].*[|]$' $later) -gt 400 ]"
configs=build/pages/configs.md
is "configurations on each family: 14 rows, none without an answer" "14" "$(sed -n '3,$p' "$configs" | grep -cE '^[|] [^|]+([|] (yes|without [^|]+|no: [^|]+) ){7}[|]$')"
is "what has no event is named, with the reason" "1" "$(grep -c '^| Zen | .*without data cache refills (Linux. list of its events has none)' "$configs")"
rm -r build/pages # of few columns
for table in settings workloads hardware paper_ops paper_accesses paper_fetches paper_dtlb paper_processors; do
    check "$table: some document has it" grep -q "^<!-- table: $table -->" docs/*.md
done

# tests/boot/coverage.md begins with how many of its rows have which state.
counts() { # FILE: as its rows have it
    awk -F ' *[|] *' '
        function line(part) { printf "| %s | %d | %d | %d | %d |\n", part, n[part], n[part, "there"], n[part, "differs"], n[part, "open"] }
        /^## / { part = substr($0, 4); order[++parts] = part }
        part && /^[|] / && $2 != "item" { n[part]++; n[part, $3]++; n["all"]++; n["all", $3]++ }
        END { for (i = 1; i <= parts; i++) line(order[i]); line("all") }' "$1"
}
stated() { grep -E '^[|] [^|]+( [|] [0-9]+){4} [|]$' "$1"; } # FILE: as its top has it
is "tests/boot/coverage.md counts its rows" "$(counts tests/boot/coverage.md)" "$(stated tests/boot/coverage.md)"
finish
