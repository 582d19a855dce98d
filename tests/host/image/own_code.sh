#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Own code under Linux: the twin runs the file that the image takes, perf and ibsprof name its functions and lines, and a file of
# 'ld -r' is shown as one of 'gcc -shared' of the same source.
cd "$(dirname "$0")/../../.." || exit 1
. tools/verdicts
twin=$PWD/build/ibsboot-workloads ibsprof=$PWD/build/tools/ibsprof
work=$PWD/build/own-code-test
rm -rf "$work"
mkdir -p "$work/dyn" "$work/rel"
log=$work/log
compile="cc -O2 -g -Iexamples -fPIC -ffreestanding -fno-stack-protector -fcf-protection=none -fno-asynchronous-unwind-tables -mno-red-zone"

# Code and data that need relocations: calls between sections, constants, addresses in data, a variable that each run finds as in the file.
cat >"$work/calls.c" <<'C'
#include "ibsboot.h"

IBSBOOT_CODE(.name = "calls", .title = "calls by a table", .unit = "calls", .arena = 64,
             .parameter = {{"passes", "how often", 1, 1000000000, 1000, .multiplies = 1}});
static volatile uint64_t divisor = 1000003; /* a division takes long enough to be sampled on every machine */
__attribute__((noinline)) static uint64_t one(uint64_t x) { return x % divisor + 1; }
__attribute__((noinline, section(".text.two"))) static uint64_t two(uint64_t x) { return x % divisor * 3; }
static uint64_t (*volatile table[2])(uint64_t) = {one, two};
static const uint64_t constants[4] = {5, 7, 11, 13};
static uint64_t begun;

void run(void *arena, const uint32_t *p)
{
    uint64_t *result = arena, sum = begun++;
    for (uint32_t i = 0; i < p[0]; i++)
        sum = table[i & 1](sum) + constants[i & 3];
    *result = sum;
}

bool check(const void *arena, const uint32_t *p, struct ibsboot_check *result)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < p[0]; i++)
        sum = (i & 1 ? sum % divisor * 3 : sum % divisor + 1) + constants[i & 3];
    result->expected = sum;
    result->got = *(const uint64_t *)arena;
    return result->expected == result->got;
}
C
cp examples/dot.c "$work/"
for name in dot calls; do
    # shellcheck disable=SC2086 # options
    $compile -c "$work/$name.c" -o "$work/$name.o" &&
        cc -shared -nostdlib -Wl,-z,separate-code,-z,noexecstack,--build-id=sha1,--no-undefined,-Bsymbolic "$work/$name.o" -o "$work/dyn/$name.elf" &&
        ld -r --build-id=sha1 "$work/$name.o" -o "$work/rel/$name.elf" || exit 1
done

# ---------------------------------------------------------------- both kinds alike
check "ibsprof codemap" "$ibsprof" codemap "$work"/dyn/*.elf "$work"/rel/*.elf
for name in dot calls; do
    # In the order of the file; the linker may have another.
    for kind in dyn rel; do python3 tests/host/image/code_map.py "$work/$kind/$name.map" | sort >"$work/$kind/$name.txt"; done
    diff "$work/dyn/$name.txt" "$work/rel/$name.txt" >"$log" && grep -q "^run+0x[0-9a-f]* $name.c:[1-9]" "$work/rel/$name.txt"
    verdict $? "$name: functions, lines and instructions are the same by 'gcc -shared' and by 'ld -r' ($(wc -l <"$work/rel/$name.txt") instructions)"
done

# ---------------------------------------------------------------- the twin
for kind in dyn rel; do
    check "$kind: dot: right" "$twin" --code="$work/$kind/dot.elf" dot passes=3 n=1000 --repeat=2
    [ "$(grep -c ' right (998500500)' "$log")" = 2 ] || not_ok "$kind: dot: its result"
    # The variable is as in the file for each run, warming up too; the name may be left out, and the option be two words.
    check "$kind: calls: right, run after run" "$twin" --code "$work/$kind/calls.elf" --repeat=3 --warm-up=2
    [ "$(grep -c ' right (' "$log")" = 3 ] || not_ok "$kind: calls: three results"
    "$twin" --code="$work/$kind/calls.elf" --print-map >"$log" 2>&1 && grep -q '^0x40400000[0-9a-f]* .* run$' "$log" && grep -q ' two$' "$log"
    verdict $? "$kind: --print-map has its functions, where the image has them"
done
"$twin" list own --code="$work/dyn/dot.elf" >"$log" && grep -q '^dot: dot product' "$log" && grep -q 'n=4000  elements' "$log"
verdict $? "list own"
check "a workload that is built in, beside own code" "$twin" --code="$work/dyn/dot.elf" tight-loop iterations=10
# What is refused: arguments | words, a line each.
printf '.globl run\nrun: mov $run, %%edi\nret\n' | as -o "$work/far.elf" -
printf '.globl run\nrun: ret\n.section .note.ibsboot,"",@note\n' | as -o "$work/plain.elf" -
sed 's/"passes"/"repeat"/' "$work/calls.c" >"$work/taken.c"
# shellcheck disable=SC2086 # options
$compile -shared -nostdlib -Wl,-z,separate-code "$work/taken.c" -o "$work/taken.elf"
while IFS='|' read -r arguments words; do
    # shellcheck disable=SC2086 # several
    $twin $arguments >"$work/out" 2>"$log"
    [ $? = 2 ] && [ ! -s "$work/out" ] && [ "$(wc -l <"$log")" = 1 ] && grep -qF -- "$words" "$log"
    verdict $? "refused: $(echo "$arguments" | sed "s,$work/,,g"): $words"
done <<TABLE
--code=$work/none.elf dot|none.elf cannot be read: No such file or directory
--code=$work dot|is not a name of up to 31 characters and '.elf'
--code=$work/far.elf far|far.elf: relocation R_X86_64_32 (10) at run+0x1: code is above 4 GB here
--code=$work/taken.elf calls|its parameter repeat has the name of a setting: change the name in the note
--code=$work/dyn/dot.elf --code=$work/dyn/calls.elf dot|one file at a time
--code=$work/dyn/dot.elf calls|workload = calls: no such workload
TABLE
check "a file without a note" "$twin" --code="$work/plain.elf"

# ---------------------------------------------------------------- perf
if ! perf record -q -e cpu-clock -o "$work/try.data" true 2>"$log"; then
    skip recording "perf may not record here: $(head -n 1 "$log")"
    finish
    exit
fi
record() { # NAME FILE PARAMETER
    perf record -q -e cpu-clock -c 100000 -o "$work/$1.data" "$twin" --code="$2" "$3" >"$log" 2>&1
}
names() { # NAME: functions and lines of the file in a recording
    "$ibsprof" report --by=function --limit=0 "$work/$1.data" | sed -n 's/^[> ] *[0-9]* *[0-9.]*%  \([^ ]*\) *\([^ ]*\.elf\)$/\2 \1/p'
    "$ibsprof" report --by=line --limit=0 "$work/$1.data" | sed -n 's/^[> ] *[0-9]* *[0-9.]*%  \([^ ]*:[0-9]*\) *\([^ ]*\) *\([^ ]*\.elf\)$/\3 \2 \1/p'
}
id_of() { readelf -n "$1" | sed -n 's/.*Build ID: //p'; }
for kind in dyn rel; do
    file=$work/$kind/calls.elf
    record "$kind" "$file" passes=30000000
    verdict $? "$kind: recorded"
    perf script -i "$work/$kind.data" --show-mmap-events 2>/dev/null | grep -q "MMAP2 .*\[0x40400000.*r-xp $file$"
    verdict $? "$kind: perf knows the mapping by the file's name"
    perf buildid-list -i "$work/$kind.data" >"$log" 2>/dev/null && grep -q "^$(id_of "$file") $file" "$log"
    verdict $? "$kind: and by its build-id"
    names "$kind" | sort >"$work/$kind.names"
    for name in "calls.elf one" "calls.elf two" "calls.elf run" "calls.elf run calls.c:16" "calls.elf one calls.c:6"; do
        grep -qxF "$name" "$work/$kind.names"
        verdict $? "$kind: ibsprof report: $name"
    done
    "$ibsprof" annotate "$work/$kind.data" run >"$work/$kind.annotated" 2>&1 && grep -q 'table\[i & 1\](sum)' "$work/$kind.annotated"
    verdict $? "$kind: ibsprof annotate shows the line"
done
finish
