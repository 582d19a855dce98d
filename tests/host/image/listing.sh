#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Our listing against objdump's, a disassembler that shares no code with Zydis: every address, length and text.
# usage: listing.sh [image.elf]
# shellcheck disable=SC2086 # paths in build/ have no blanks
elf=${1:-build/ibsboot.elf}
tool=build/tools/codemap
work=build/listing
mkdir -p $work
. tools/verdicts
log=$work/log

refuse() { # name, expected words, command...: must fail with status 1 and one line that holds these words
    name=$1 words=$2
    shift 2
    "$@" >/dev/null 2>$work/log
    if [ $? = 1 ] && [ "$(wc -l <$work/log)" = 1 ] && grep -q "$words" $work/log; then ok "$name"; else
        not_ok "$name"
        sed 's/^/  /' $work/log
    fi
}
address() { nm $elf | sed -n "s/^\([0-9a-f]*\) . $1\$/0x\1/p"; }
disassemble() { objdump -d --no-show-raw-insn -M intel -j .text "$@"; }

nm -S $elf >$work/nm
$tool list $elf >$work/ours
disassemble --start-address="$(address image_workloads)" --stop-address="$(address image_workloads_end)" $elf >$work/theirs
check "image: $(grep -c '^ ' $work/ours) instructions equal objdump's" \
    python3 tests/host/image/compare_listing.py $work/ours $work/theirs $work/nm
check "image: the kernel is among them" grep -q '^multiply_matrices:' $work/ours
check "image: source lines are known" grep -q ' workloads/matmul/matmul_classic.c:[1-9]' $work/ours
check "image: no path of the build machine in it" sh -c "! grep -q ' /' $work/ours"

# Source lines: the same as readelf decodes from the DWARF tables.
readelf -W --debug-dump=decodedline $elf >$work/table 2>/dev/null
lines=$(grep -c '^ .*:[0-9]*$' $work/ours)
check "image: $lines source lines equal readelf's" python3 tests/host/ibsprof/compare_lines.py $work/ours $work/table
check "image: every instruction has a source line" test "$lines" = "$(grep -c '^ ' $work/ours)"

# The comparison itself must detect a wrong text, a wrong length and a missing line.
sed '0,/rbp-8\]/s//rbp-9]/' $work/ours >$work/wrong
refuse_compare() { if python3 tests/host/image/compare_listing.py $work/wrong $work/theirs $work/nm >$work/log; then not_ok "$1"; else ok "$1"; fi; }
refuse_compare "comparison sees a wrong displacement"
sed '0,/ 3  mov/s// 4  mov/' $work/ours >$work/wrong
refuse_compare "comparison sees a wrong length"
sed '0,/^ .*leave/{/leave/d}' $work/ours >$work/wrong
refuse_compare "comparison sees a missing line"

# Foreign code: everything in .text of large programs of this machine.
for program in /bin/bash "$(readlink -f /usr/bin/python3)" "$(readlink -f "$(command -v perf)")"; do
    [ -f "$program" ] || continue
    $tool list --range 0:0 "$program" >$work/ours
    disassemble "$program" >$work/theirs
    check "$program: $(wc -l <$work/ours) instructions equal objdump's" \
        python3 tests/host/image/compare_listing.py $work/ours $work/theirs
done

# The map: the same bytes each time, and tied to its code.
$tool emit $elf >$work/map1.c
$tool emit $elf >$work/map2.c
check "map: deterministic" cmp $work/map1.c $work/map2.c
check "map: belongs to the code of the image" $tool check $elf
cp $elf $work/changed.elf
# One bit of the first instruction: the text's file offset equals its address (linker.ld).
printf '\124' | dd of=$work/changed.elf bs=1 seek=$(($(address image_workloads))) conv=notrunc 2>/dev/null
refuse "map: a changed byte of code is seen" "made for other code" $tool check $work/changed.elf

refuse "refuses a file that is no ELF" "not an ELF file" $tool emit tests/host/image/listing.sh
refuse "refuses an ELF without workloads" "image_workloads" $tool emit /bin/bash
refuse "refuses a file that is not there" "cannot be opened" $tool emit $work/nothing
cat >$work/bad.s <<'ASM'
    .globl image_workloads, image_workloads_end, _start
    .text
image_workloads:
    .type f, @function
f:  BODY
    .size f, end - f
    .balign 16, 0x90
image_workloads_end:
_start: ret
ASM
reject() { # name, words, assembler body
    sed "s/BODY/$3/" $work/bad.s >$work/one.s
    as $work/one.s -o $work/one.o && ld $work/one.o -o $work/one.elf && refuse "$1" "$2" $tool emit $work/one.elf
}
reject "refuses an instruction newer than Family 10h" "does not have" 'vaddps %ymm0, %ymm1, %ymm2; end:'
reject "refuses SSE4.1" "does not have" 'pmulld %xmm0, %xmm1; end:'
reject "refuses what the map cannot express" "fs or gs" 'mov %fs:8, %eax; end:'
reject "refuses code outside functions" "outside every function" 'ret; end: inc %eax'
sed 's/BODY/movabs $f, %rax; end:/' $work/bad.s >$work/one.s
as $work/one.s -o $work/one.o && ld -shared -z notext $work/one.o -o $work/one.elf 2>/dev/null
refuse "refuses code that the loader changes" "relocation" $tool emit $work/one.elf
reject "refuses bytes that are no instruction" "no instruction" '.byte 0x06; end:'

finish
