#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# A run read back by ibsprof: its tables are the image's own, number by number, and perf's symbols have its counts.
. "$(dirname "$0")/../lib"
ibsprof=${IBSBOOT_BUILD:-build}/tools/ibsprof

boot ibsprof 0 --options "menu=no n=700"
run=$(echo "$dir"/runs/0001-*)
work=$dir/host
rm -rf "$work"
mkdir -p "$work"

# makes OUTPUT arguments...: ibsprof ends with status 0 and without messages.
makes() {
    output=$work/$1
    shift
    if "$ibsprof" "$@" >"$output" 2>"$work/errors" && [ ! -s "$work/errors" ]; then ok "ibsprof $1"; else
        not_ok "ibsprof $* (status $?): $(head -n 3 "$work/errors")"
    fi
}

# The list of runs; names, notes and deletion of a copy of this one.
cp -r "$dir/runs" "$work/runs"
makes runs.txt runs "$work"
if grep -Eq '^ +1  0001-matmul-classic-ibs +20[0-9-]+ [0-9:]+ +matmul-classic +ibs +[0-9]+ +MODEL$' "$work/runs.txt"; then ok "runs: $(tail -n 1 "$work/runs.txt")"; else not_ok "runs: $(cat "$work/runs.txt")"; fi
makes renamed.txt runs --rename=first "$work/runs/0001-matmul-classic-ibs"
makes noted.txt runs --note=copied "$work/runs/0001-first"
makes noted.txt runs "$work/runs/0001-first"
grep -q '  copied$' "$work/noted.txt" && ok "runs: a note" || not_ok "runs: no note: $(cat "$work/noted.txt")"
makes deleted.txt runs --delete --yes "$work/runs/0001-first"
[ ! -e "$work/runs/0001-first" ] && ok "runs: every file that the image writes is a run's" || not_ok "runs: not deleted: $(ls "$work/runs/0001-first")"

makes profile.csv report --csv "$run"
if cmp "$run/profile.csv" "$work/profile.csv"; then
    ok "report --csv: every byte of profile.csv, $(wc -l <"$work/profile.csv") rows"
else
    not_ok "report --csv is not profile.csv"
fi
"$ibsprof" report --csv "$run/perf.data" | cmp - "$work/profile.csv" && ok "perf.data alone gives the same" || not_ok "perf.data alone gives something else"

# Lists of their own have the samples of profile.csv, as far as they are theirs.
for by in module process fetch region page cache-line object load; do makes $by.csv report --csv --by=$by "$run"; done
makes ops.csv export --samples=op "$run"
if result=$(python3 - "$work" <<'EOP'
import csv, sys
def rows(name):
    return list(csv.DictReader(line for line in open(f"{sys.argv[1]}/{name}.csv") if not line.startswith("#")))
def total(name, event):
    return sum(int(row[next(key for key in row if key.startswith(event + " "))]) for row in rows(name))
ops = [row for row in rows("ops") if row["IbsDcLinAddrValid"] == "1"]
for by in ("module", "process"):
    for event in ("F000", "F100", "F206"):
        assert total(by, event) == total("profile", event), (by, event)
for event in ("F000", "F001", "F003", "F008"):
    assert total("fetch", event) == total("profile", event), event
for by, size in (("page", 4096), ("cache-line", 64)):
    ours = {int(row["address"], 16): row for row in rows(by)}
    assert set(ours) == {int(row["IbsDcLinAd"], 16) // size * size for row in ops}, by
    assert total(by, "F201") == sum(row["IbsLdOp"] == "1" for row in ops), by
assert total("region", "F206") == total("page", "F206") > 0
assert 3 <= len(rows("region")) <= 5 # two arrays that are read, one that is written, the stack
objects = {row["object"]: row for row in rows("object")}
assert sum(int(row["F201 IBS load [samples]"]) for row in objects.values()) == total("page", "F201")
assert {"a", "b", "stack"} <= set(objects) and int(objects["b"]["address"], 16) % 0x1000000 >= 0x3e48e8, objects
assert int(objects["stack"]["F202 IBS store [samples]"]) > 0 and rows("object")[0]["object"] == "b", objects
loads = rows("load")
assert sum(int(row["loads [samples]"]) for row in loads) == total("page", "F201")
of_b = [row for row in loads if int(objects["b"]["address"], 16) <= int(row["first"], 16) <= int(objects["b"]["last"], 16)]
assert len(of_b) == 1 and of_b[0]["divisor [bytes]"] == "4" and of_b[0]["stride [bytes]"] in ("", "4000"), of_b # b[k][j], by rows of 4000 bytes
assert sum(row["stride kind"] == "one address" for row in loads) >= 7, loads # variables on the stack
print(f"lists by module, process and address: {len(rows('fetch'))} fetch addresses, {len(rows('region'))} regions, {len(rows('page'))} pages")
EOP
); then ok "$result"; else not_ok "lists by module, process and address: $result"; fi

# For a compiler: each line's count is the most of its instructions', from the line on which the function is declared.
makes autofdo.txt report --format=autofdo --debug-dir=build "$run"
if result=$(python3 - "$run/profile.csv" "$work/autofdo.txt" <<'EOP'
import csv, sys
wanted, got = {}, {}
source = open("workloads/matmul/matmul_classic.c").read().split("\n")
declared = next(number for number, line in enumerate(source, 1) if "multiply_matrices(" in line)
for row in csv.DictReader(line for line in open(sys.argv[1]) if not line.startswith("#")):
    count = int(row["F100 IBS all ops [samples]"])
    if row["function"] == "multiply_matrices" and count:
        wanted[int(row["line"])] = max(wanted.get(int(row["line"]), 0), count)
lines = [line.rstrip() for line in open(sys.argv[2]) if not line.startswith("#")]
name, total, head = lines[0].split(":")
for line in lines[1:]:
    offset, count = line.split(":")
    number = declared + int(offset.split(".")[0])
    got[number] = max(got.get(number, 0), int(count))
assert name == "multiply_matrices" and got == wanted, (name, got, wanted)
assert int(total) == sum(int(line.split(":")[1]) for line in lines[1:])
print(f"autofdo: {len(got)} lines of {name}, {total} samples")
EOP
); then ok "$result"; else not_ok "autofdo: $result"; fi
# LLVM's own reader, where it is installed.
if reader=$(command -v llvm-profdata llvm-profdata-14 llvm-profdata-19 | head -n 1) && [ -n "$reader" ]; then
    "$reader" merge --sample --text "$work/autofdo.txt" -o "$work/autofdo.llvm" && grep -v '^#' "$work/autofdo.txt" | cmp -s - "$work/autofdo.llvm" &&
        ok "autofdo: llvm-profdata reads the same" || not_ok "autofdo: llvm-profdata reads something else"
fi

# All tables of the image's report, line by line: tables WANTED FILE...
tables() {
    if result=$(python3 - "$run/report.txt" "$@" <<'EOP'
import re, sys
def tables(path):
    """Title -> lines up to the row of all samples."""
    found, title = {}, None
    for line in open(path):
        line = line.rstrip()
        if re.match(r".* by (instruction|source line|function): ", line):
            title = line
            found[title] = []
        elif title:
            found[title].append(line)
            if line.startswith(" all samples"):
                title = None
    return found
image, ours, wanted = tables(sys.argv[1]), {}, int(sys.argv[2])
for path in sys.argv[3:]:
    ours.update(tables(path))
different = [title for title in image if ours.get(title) != image[title]]
print(f"{len(image)} tables are the image's: {sum(map(len, image.values()))} lines" if not different else f"tables differ: {different}")
sys.exit(bool(different) or len(image) != wanted)
EOP
    ); then ok "$result"; else not_ok "$result"; fi
}
makes report.txt report --width=79 "$run"
makes lines.txt report --width=79 --by=line --view=ibs_fetch --view=ibs_op --view=ibs_ls --view=ibs_dclat "$run"
makes functions.txt report --width=79 --by=function --view=ibs_fetch --view=ibs_op --view=ibs_ls --view=ibs_dclat "$run"
tables 12 "$work/report.txt" "$work/lines.txt" "$work/functions.txt"
grep -q '^MODEL: ' "$work/report.txt" && ok "report says MODEL" || not_ok "report does not say MODEL"

# The hottest miss is the culprit load; its line is the loop's.
makes annotate.txt annotate --event=F206 "$run"
makes misses.folded report --folded --event=F206 "$run"
makes ops.folded report --folded --all-samples "$run"
if result=$(python3 - "$dir" "$work" <<'EOP'
import re, sys
sys.path.insert(0, "tests/boot/check")
from check import Run
run, work = Run(sys.argv[1]), sys.argv[2]
culprit = run.culprit()
stacks = [line.rstrip("\n").rsplit(" ", 1) for line in open(f"{work}/misses.folded") if not line.startswith("#")]
total = sum(int(count) for _, count in stacks)
assert total == sum(row["F206"] for row in run.rows), "folded stacks lose misses"
top = max(stacks, key=lambda stack: int(stack[1]))
assert top[0] == f"{culprit['function']};matmul_classic.c:{culprit['line']};{culprit['rva']:x} {culprit['text']}", top
hot = [line for line in open(f"{work}/annotate.txt") if re.search(r"#.* [0-9a-f]{4} [a-z]", line)]
hottest = max(hot, key=lambda line: int(line.split()[0]))
assert f" {culprit['rva']:x} {culprit['text']}" in hottest and int(hottest.split()[0]) == culprit["F206"], hottest
print(f"hottest miss: {culprit['text']} with {culprit['F206']} of {total}")
EOP
); then ok "$result"; else not_ok "hottest miss: $result"; fi

# perf's symbols have the same samples: op and fetch, the handler's too.
perf --buildid-dir "$PWD/$work/ids" buildid-cache --add "$PWD/build/ibsboot.elf"
perf --buildid-dir "$PWD/$work/ids" script -f -i "$run/perf.data" -F event,ip,sym 2>/dev/null >"$work/script"
makes fetches.folded report --folded --all-samples --event=F000 "$run"
if result=$(python3 - "$work" <<'EOP'
import collections, subprocess, sys
work, seen = sys.argv[1], []
# By address: perf may call a function by a label at its beginning.
nm = subprocess.run(["nm", "build/ibsboot.elf"], capture_output=True, text=True, check=True).stdout
address = {line.split()[-1]: line.split()[0] for line in nm.splitlines()}
for event, folded in (("ibs_op//:", "ops"), ("ibs_fetch//:", "fetches")):
    theirs, ours = collections.Counter(), collections.Counter()
    for line in open(f"{work}/script"):
        name, _, symbol = line.split()
        assert not symbol.startswith("image_"), f"perf takes the linker script's marker {symbol} for a function"
        if name == event:
            theirs[address.get(symbol, symbol)] += 1
    for line in open(f"{work}/{folded}.folded"):
        if line.startswith("#"):
            continue
        stack, count = line.rsplit(" ", 1)
        symbol = stack.split(";")[0]
        ours[address.get(symbol, symbol)] += int(count)
    unknown = theirs.pop("[unknown]", 0)
    named = collections.Counter({k: v for k, v in ours.items() if not k.startswith("[")})
    assert named == theirs, f"{event} perf {theirs}, ibsprof {named}"
    assert sum(ours.values()) - sum(named.values()) == unknown
    seen.append(f"{sum(theirs.values())} {event.rstrip('/:')} samples in {len(theirs)} symbols")
print("as perf script: " + ", ".join(seen))
EOP
); then ok "$result"; else not_ok "$result"; fi

# A run is complete in its folder: on another machine each output is that of the run with the image's whole ELF file beside it
# (the path of that file apart, and the command for perf, which needs the file in the folder; source text needs the source tree, and neither
# side has that here).
away=$(mktemp -d)
cp "$ibsprof" "$away/ibsprof"
there() { (cd "$away/$1" && shift && HOME=/nonexistent "$away/ibsprof" "$@" 2>&1 | sed '/^for perf /d; s#"path":"[^"]*ibsboot.elf",##'); }
is_complete() { # NAME RUN FUNCTION...
    rm -rf "$away/alone" "$away/beside"
    mkdir "$away/alone" "$away/beside"
    cp -r "$2" "$away/alone/run"
    cp -r "$2" "$away/beside/run"
    cp build/ibsboot.elf "$away/beside" && rm "$away/beside/run/ibsboot.elf" # what has debugging information is the whole file
    lines=0 differ=
    title=$1
    shift 2
    for what in "report" "report --html" "report --json" "report --csv" "report --folded --all-samples" "report --by=function" "report --by=line" "info" \
        "$@"; do
        # shellcheck disable=SC2086
        set -- $what
        command=$1
        shift
        there alone "$command" run "$@" >"$away/alone.txt"
        there beside "$command" run "$@" >"$away/beside.txt"
        cmp -s "$away/alone.txt" "$away/beside.txt" || differ="$differ, $what: $(diff "$away/alone.txt" "$away/beside.txt" | head -n 3)"
        lines=$((lines + $(wc -l <"$away/alone.txt")))
    done
    if [ -z "$differ" ] && [ $lines -gt 500 ]; then ok "$title: complete in its folder, $lines lines"; else not_ok "$title: not complete in its folder ($lines lines)$differ"; fi
}
is_complete "a run of IBS" "$run" "annotate multiply_matrices" "annotate nmi_handler" "annotate cpu_nmi_entry"
if (cd "$away/alone" && HOME=/nonexistent "$away/ibsprof" annotate run nmi_handler) | grep -q '^samples .* drivers/'; then
    ok "and names the lines of the handler"
else
    not_ok "no lines of the handler"
fi

# Without its ELF file (a volume that became full): the same tables by the run's own CSV, except names of code outside the workload. Its
# perf.data alone: samples by address, with the reason printed once.
cp -r "$run" "$away/run" && rm "$away/run/ibsboot.elf" && cp "$run/perf.data" "$away/alone.data"
house=$PWD
away() { (cd / && HOME=/nonexistent "$house/$ibsprof" "$@" 2>"$away/err"); }
same() { # NAME: both outputs are the same, and not empty
    if [ -s "$away/here" ] && cmp -s "$away/here" "$away/there"; then ok "without its ELF file: $1, $(wc -l <"$away/here") lines"; else not_ok "without its ELF file: $1: $(diff "$away/here" "$away/there" | head -n 5)"; fi
}
cp "$run/profile.csv" "$away/here" && away report --csv "$away/run" >"$away/there"
same "profile.csv"
tables="--width=79 --view=ibs_fetch --view=ibs_op --view=ibs_ls --view=ibs_dclat"
# shellcheck disable=SC2086
"$ibsprof" report $tables "$run" | tail -n +2 >"$away/here"
# shellcheck disable=SC2086
away report $tables "$away/run" | tail -n +2 >"$away/there"
same "the paper's tables and what is outside"
"$ibsprof" annotate "$run" multiply_matrices | sed -n '/address instruction/,$p' >"$away/here"
away annotate "$away/run" multiply_matrices | sed -n '/address instruction/,$p' >"$away/there"
same "annotated instructions"
away report "$away/alone.data" >"$work/alone.txt"
status=$?
if [ $status = 0 ] && [ "$(grep -c 'ibsboot.elf (build-id [0-9a-f]*): no ELF file found' "$away/err")" = 1 ] && [ "$(wc -l <"$away/err")" = 1 ] &&
    grep -q "without the run's ELF file it is not known" "$work/alone.txt"; then
    ok "without the ELF file: $(cat "$away/err")"
else
    not_ok "without the ELF file: status $status, $(cat "$away/err")"
fi

# Counter samples: multiplexed events, so that weights matter.
boot ibsprof-counters 0 --options "menu=no config=assess n=200 sharing=multiplex slice_us=20"
run=$(echo "$dir"/runs/0001-*)
work=$dir/host
mkdir -p "$work"
makes pmc.csv report --csv "$run"
if cmp "$run/pmc.csv" "$work/pmc.csv"; then ok "report --csv: every byte of pmc.csv"; else not_ok "report --csv is not pmc.csv"; fi
# The samples of perf.data are those of pmc.csv.
makes samples.csv report --csv --by=module "$run"
if python3 -c '
import sys
sys.path.insert(0, "tests/boot/check")
from run_csv import read_rows


def samples(path, name):
    rows = read_rows(path)
    column = next(i for i, title in enumerate(rows[0]) if title.startswith(name))
    return sum(int(row[column]) for row in rows[1:])


of_file, of_csv = samples(sys.argv[1], "RETIRED_INSTRUCTIONS:00"), samples(sys.argv[2], "0C0 ")
sys.exit(of_file != of_csv or of_csv == 0)' "$work/samples.csv" "$run/pmc.csv"; then ok "perf.data has the samples of pmc.csv"; else not_ok "perf.data has other samples than pmc.csv"; fi
makes instructions.txt report --width=79 "$run"
makes lines.txt report --width=79 --by=line "$run"
makes functions.txt report --width=79 --by=function "$run"
tables 18 "$work/instructions.txt" "$work/lines.txt" "$work/functions.txt"
grep -A 8 '^Event  *Period  *Active' "$run/report.txt" >"$work/events.image"
grep -A 8 '^Event  *Period  *Active' "$work/instructions.txt" >"$work/events.ours"
if cmp "$work/events.image" "$work/events.ours"; then ok "events and their weights are the image's"; else not_ok "events differ"; fi
is_complete "a run of counters" "$run" "annotate multiply_matrices"
rm -r "$away"
finish
