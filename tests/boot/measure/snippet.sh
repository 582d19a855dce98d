#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Snippets from their text to printed figures: counts that are known beforehand are those printed, exactly, and IBS samples are those of
# profile.csv.
. "$(dirname "$0")/../lib"
place=build/boot/snippets
rm -rf "$place"
mkdir -p "$place"
ibsprof=build/tools/ibsprof
make -s $ibsprof || exit 1

snippet() { # NAME TEXT OPTION...
    snippet_name=$1 text=$2
    shift 2
    $ibsprof snippet "$text" --unroll 20 --loop 50 -o "$place/$snippet_name.elf" "$@" >>"$place/made.txt" 2>&1 || not_ok "ibsprof snippet $snippet_name"
}
snippet chain 'imul rax, rbx; add rcx, rax' --init 'mov ebx, 3'
snippet memory 'mov rax, [r14 + 8]; mov [rsi - 16], rax; mov rdx, [rdi]'
snippet wide 'mul rbx'
snippet jumps 'test rax, rax; jz over; ud2a: nop; over: nop'
is "snippets made" 4 "$(grep -c 'times in a loop of 50' "$place/made.txt")"

set --
for file in "$place"/*.elf "$place"/*.map; do set -- "$@" --file "$file:ibsboot/code/${file##*/}"; done
batch_options="$*"
set -- "config=count events=0C0,0C1,0C2,040 repeats=2"
for workload in chain memory wide jumps; do
    for body in 1 2; do set -- "$@" "workload=$workload body=$body" run; done
done
set -- "$@" "workload=chain body=3" run
batch snippets 0 "$@" "config=ibs events= workload=chain body=2 loop=500 op_period=144 fetch=no" run
shows "vpmu: restored:"

of() { # WORKLOAD BODY BODY: what ibsprof says of their counts
    first=$(for run in "$dir"/runs/*-"$1"-count; do grep -q "^#: workload.body = $2$" "$run/run.ini" && echo "$run"; done)
    second=$(for run in "$dir"/runs/*-"$1"-count; do grep -q "^#: workload.body = $3$" "$run/run.ini" && echo "$run"; done)
    $ibsprof snippet --of "$first" "$second" >"$dir/of-$1-$2-$3.txt" 2>&1 || not_ok "ibsprof snippet --of: $(cat "$dir/of-$1-$2-$3.txt")"
    said=$dir/of-$1-$2-$3.txt
}
each() { # EVENT FIGURES: mean, least and most for an instruction, and for all
    is "$(basename "$said" .txt): $1 for each instruction" "$2" "$(sed -n "s/^$1:00 [A-Z_]* *//p" "$said" | tr -s ' ')"
}
counted() { # WORKLOAD BODY: instructions
    for run in "$dir"/runs/*-"$1"-count; do grep -q "^#: workload.body = $2$" "$run/run.ini" && sed -n 's/^0c0,00,0,[A-Z_]*,counted,2,\([0-9]*\),.*/\1/p' "$run/counts.csv"; done
}
for bodies in "1 2" "2 3" "1 3"; do
    # shellcheck disable=SC2086 # two words
    of chain $bodies
    each 0C0 "1.0000 1.0000 1.0000 2.0000"
    each 0C1 "1.0000 1.0000 1.0000 2.0000"
    each 0C2 "0.0000 0.0000 0.0000 0.0000"
    each 040 "0.0000 0.0000 0.0000 0.0000"
done
of memory 1 2
each 0C0 "1.0000 1.0000 1.0000 3.0000"
each 040 "1.0000 1.0000 1.0000 3.0000"
of wide 1 2
each 0C0 "1.0000 1.0000 1.0000 1.0000"
each 0C1 "2.0000 2.0000 2.0000 2.0000" # tools/codemap/family10h.c: DirectPath Double
of jumps 1 2 # three of its four instructions are executed, one of them a branch
each 0C0 "0.7500 0.7500 0.7500 3.0000"
each 0C2 "0.2500 0.2500 0.2500 1.0000"
# 50 iterations of 20 copies of two instructions, to the last one.
is "instructions of the copies" 2000 $(($(counted chain 2) - $(counted chain 1)))
is "instructions of as many copies more" 2000 $(($(counted chain 3) - $(counted chain 2)))
# A chain of 64-bit multiplications: 4 cycles each in the model (params.c, amdfam10_cost), and the add beside it takes none. What starting
# and stopping leave open is less than 50 cycles, for 1000 copies.
of chain 2 3
cycles=$(sed -n 's/^076:00 .* \([0-9.]*\)$/\1/p' "$said")
awk -v cycles="$cycles" 'BEGIN { exit !(cycles > 3.95 && cycles < 4.05) }' && ok "imul; add: $cycles cycles" || not_ok "imul; add: $cycles cycles"
grep -q '^MODEL: all figures come from' "$said" && ok "the figures are called the model's" || not_ok "no MODEL line: $(cat "$said")"
$ibsprof snippet --of "$dir"/runs/*-chain-ibs >"$dir/of-ibs.txt" 2>&1 || not_ok "ibsprof snippet --of: $(cat "$dir/of-ibs.txt")"
for text in "imul rax, rbx" "add rcx, rax"; do
    rows=$(PYTHONPATH=tests/boot/check python3 -B -c '
import run_csv, sys
print(sum(int(row["F100 IBS all ops [samples]"]) for row in run_csv.read_dicts(sys.argv[1] + "/profile.csv")
          if row["function"] == "once" and row["instruction"] == sys.argv[2]))' "$dir"/runs/*-chain-ibs "$text")
    is "samples of '$text' as in profile.csv" "$rows" "$(sed -n "s/^$text  *\([0-9]*\) .*/\1/p" "$dir/of-ibs.txt")"
    [ "$rows" -gt 100 ] && ok "enough samples" || not_ok "$rows samples of $text"
done
finish
