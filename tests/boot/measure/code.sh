#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Own code on both firmwares: examples are profiled with their instructions, and bad files are a line each: those that cannot be read or
# loaded, and those whose code does what it must not, after which the machine is as it was.
. "$(dirname "$0")/../lib"
place=build/boot/own-code
rm -rf "$place"
mkdir -p "$place"
ibsprof=build/tools/ibsprof
make -s -C examples && cp build/code/dot.elf build/code/hand.elf "$place/" || exit 1
make -s $ibsprof || exit 1
xxhash='' runs=10
if [ -e /usr/include/xxhash.h ]; then
    make -s -C examples xxhash && cp build/code/xxhash.elf "$place/" || exit 1
    xxhash=xxhash runs=11
else
    skip "a library's loop" "needs libxxhash-dev"
fi

own() { # NAME BODY: a function run() in AT&T's assembly
    printf '.globl run\n.type run,@function\nrun:\n%s\nret\n.size run,.-run\n' "$2" >"$place/$1.s"
    gcc -shared -nostdlib -Wl,-z,separate-code,--build-id=sha1,-Bsymbolic "$place/$1.s" -o "$place/$1.elf" || exit 1
}
# shellcheck disable=SC2016 # $ is AT&T's
{
    own code-write 'lea run(%rip), %rax; movb $0x90, (%rax)'
    own outside 'movq $1, 0x10000000(%rdi)'
    own divides 'xor %ecx, %ecx; xor %edx, %edx; mov $1, %eax; div %ecx'
    own to-data 'jmp *%rdi'
    own avx 'vaddps %ymm0, %ymm1, %ymm2'
    own breaks 'xor %eax, %eax; cpuid; rdtsc; int3'
    own endless '1: jmp 1b'
}
# ET_REL, laid out and relocated by the image: a call, and an address in data.
printf '.globl run\nhelp: mov address(%%rip), %%rax\ncall *%%rax\nret\nrun: call help\nret\nends: ret\n.data\naddress: .quad ends\n' |
    as -o "$place/rel.o" - && ld -r "$place/rel.o" -o "$place/rel.elf" || exit 1
for name in dot hand $xxhash rel code-write outside divides to-data avx breaks endless; do set -- "$@" "$place/$name.elf"; done
if $ibsprof codemap "$@" >"$place/maps.txt" 2>&1; then ok "ibsprof codemap: $# maps"; else not_ok "ibsprof codemap: $(cat "$place/maps.txt")"; fi
# Files that cannot be used: cut short, of another machine, with a relocation that has no room, too large, with what is in no file.
head -c 3000 "$place/dot.elf" >"$place/cut.elf"
cp "$place/dot.elf" "$place/other.elf" && printf '\267' | dd of="$place/other.elf" bs=1 seek=18 conv=notrunc status=none
printf '.globl run\nrun: mov $run, %%edi\nret\n' | as -o "$place/far.elf" -
cp "$place/dot.elf" "$place/large.elf" && truncate -s 9M "$place/large.elf"
printf '.globl run\nrun: call memcpy\nret\n' | as -o "$place/calls.elf" -

set --
for file in "$place"/*.elf "$place"/*.map; do set -- "$@" --file "$file:ibsboot/code/${file##*/}"; done
batch_options="$*"

told() { # NAME TEXT: in the report of its run, on one line or several
    if tr -s ' \n' ' ' <"$(echo "$dir"/runs/*-"$1"-*/report.txt)" | grep -qF -- "$2"; then ok "$name: $1: $2"; else not_ok "$name: $1: no '$2' in its report"; fi
}
says() { # TEXT: on the console, wherever its lines break
    if tr -s ' \n' ' ' <"$dir/console.txt" | grep -qF -- "$1"; then ok "$name says: $1"; else not_ok "$name does not say: $1"; fi
}

run_all() { # firmware
    firmware=$1
    set -- "list own"
    set -- "$@" "workload=rel config=count events=0C0" run
    [ -z "$xxhash" ] || set -- "$@" "workload=xxhash passes=2 kb=4 config=count events=0C0" run
    batch "own-code-$firmware" 1 "$@" "config=count events=0C0,0C2 limit_ms=1" "workload=code-write" run "workload=outside" run "workload=divides" run \
        "workload=to-data" run "workload=avx" run "workload=breaks" run "workload=endless" run "workload=hand steps=10000 limit_ms=none" run \
        "workload=dot passes=10 cores=all config=ibs events= op_period=160 fetch_period=160" run
    says "not usable: cut.elf: its section headers are outside of the file, which may have been cut short: copy it again"
    says "not usable: other.elf: it is for another machine (ELF machine 183, class 2): compile it for x86-64"
    says "not usable: large.elf: the file has more than 8 MB"
    says "not usable: far.elf: relocation R_X86_64_32 (10) at run+0x1: code is above 4 GB here: compile with -fPIE or -fPIC"
    says "not usable: calls.elf: relocation R_X86_64_PLT32 (4) at run+0x1: 'memcpy' is not defined here: link its definition into this file"
    told code-write "code-write.elf: #PF page fault at run+0x7, mov byte ptr [rax], -0x70: it wrote to 404000001000, which is its own code or constants."
    told outside "outside.elf: #PF page fault at run+0x0, mov qword ptr [rdi+0x10000000], 1: it wrote to"
    told outside "where nothing is mapped."
    told divides "divides.elf: #DE divide error at run+0x9, div ecx: it divided by zero, or the quotient is too large."
    told to-data "to-data.elf: #PF page fault: it jumped to"
    told to-data "which is its arena + 0x0"
    told avx "avx.elf: #UD invalid opcode at run+0x0, vaddps ymm2, ymm1, ymm0: this processor does not have this instruction"
    told breaks "breaks.elf: #BP breakpoint at run+0x7"
    told endless "STOPPED: endless did not end within 1 ms, and was at run+0x0, jmp 1000; the samples until then are kept."
    [ -z "$xxhash" ] || told xxhash "result of xxhash: not compared, as the workload has no check()"
    told rel "result of rel: not compared, as the workload has no check()"
    told rel "0C0 5 5 5 " # six, less the one of an empty workload
    told hand "same 0C0:00 known beforehand 30003, counted 30003"
    told hand "PASS result of hand"
    told dot "Code dot.elf at 404000000000"
    told dot "PASS result of dot"
    told dot "imul rdx, rsi"
    is "$name: passes that restored all" "$runs" "$(cat "$dir"/runs/*/report.txt | grep -c '^PASS restored')"
    shows "vpmu: restored:"
    shows_not "NOT RESTORED"
    # The model's exact counts are those of the code: 10 passes of 4000 elements.
    rva=$(sed -n 's/^\([0-9a-fx]*\),.*imul rdx, rsi.*/\1/p' "$dir"/runs/*-dot-ibs/profile.csv)
    is "$name: the loop's multiplications in truth.csv" 40000 "$(sed -n "s/^$rva,\([0-9]*\),.*/\1/p" "$dir/truth.csv")"
    check samples op 1
}

# shellcheck disable=SC2016 # $ is AT&T's
# What would change the machine is refused by the listing, before anything is run: file, instruction, how it is shown, why.
refuse_all() { # firmware, its options
    folder=$place/refused
    rm -rf "$folder"
    mkdir -p "$folder"
    while IFS='|' read -r case body _; do
        own "refused/$case" "nop; $body"
        $ibsprof codemap "$folder/$case.elf" >"$folder/$case.txt" || not_ok "ibsprof codemap $case.elf"
    done <"$place/refused.txt"
    own refused/flags 'pushfq; orl $0x200, (%rsp); popfq' # no listing says what POPF loads
    $ibsprof codemap "$folder/flags.elf" >"$folder/flags.txt" || not_ok "ibsprof codemap flags.elf"
    kept=$batch_options
    batch_options=$2
    for file in "$folder"/*.elf "$folder"/*.map; do batch_options="$batch_options --file $file:ibsboot/code/${file##*/}"; done
    batch "own-code-refused-$1" 1 "list own" "workload=flags config=count events=0C0" run
    batch_options=$kept
    while IFS='|' read -r case _ shown why; do
        says "not usable: $case.elf: run+0x1, $shown: $why: leave it out"
        if grep -qF "NOTE: run+0x1: $shown: $why: ibsboot refuses the file" "$folder/$case.txt"; then ok "ibsprof codemap: $case"; else not_ok "ibsprof codemap: $case: $(cat "$folder/$case.txt")"; fi
    done <"$place/refused.txt"
    told flags "flags.elf: run() changed RFLAGS.IF, which own code must not; it was put back."
    shows "PASS restored"
    shows "vpmu: restored:"
}
cat >"$place/refused.txt" <<'END'
cli|cli|cli|it changes the processor's state
sti|sti|sti|it changes the processor's state
hlt|hlt|hlt|it changes the processor's state
cr0|mov %rax, %cr0|mov cr0, rax|it accesses system registers
dr7|mov %rax, %dr7|mov dr7, rax|it accesses system registers
lidt|lidt (%rdi)|lidt tbyte ptr [rdi]|it changes the processor's state
lgdt|lgdt (%rdi)|lgdt tbyte ptr [rdi]|it changes the processor's state
wrmsr|wrmsr|wrmsr|it accesses system registers
rdmsr|rdmsr|rdmsr|it accesses system registers
out|out %al, $0x80|out 0x80, al|it reaches devices
invlpg|invlpg (%rdi)|invlpg byte ptr [rdi]|it changes the processor's state
wbinvd|wbinvd|wbinvd|it changes the processor's state
syscall|syscall|syscall|there is no system to call here
int|int $0x80|int 0x80|there is no system to call here
iret|iretq|iretq|it changes the processor's state
END

run_all uefi
# The file of the run is found by its build-id: ibsprof has its functions, and lines.
$ibsprof report --by=function "$dir"/runs/*-dot-ibs >"$dir/report-host.txt"
if grep -q "run  *dot.elf" "$dir/report-host.txt"; then ok "ibsprof report: dot.elf"; else not_ok "ibsprof report: $(head -n 30 "$dir/report-host.txt")"; fi
if $ibsprof annotate "$dir"/runs/*-dot-ibs run >"$dir/annotate.txt" && grep -q "a\[i\] \* b\[i\]" "$dir/annotate.txt"; then ok "ibsprof annotate: lines"; else not_ok "ibsprof annotate: $(head -n 30 "$dir/annotate.txt")"; fi
# Linux runs the same file: perf's recording of the twin and the image's run have the same function and lines, and are compared.
lines() { $ibsprof report --by=line "$1" | sed -n 's/^[> ] *[0-9]* *[0-9.]*%  \([^ ]*:[0-9]*\) *\([^ ]*\) *\([^ ]*\.elf\)$/\3 \2 \1/p' | sort; }
linux=$place/linux
log=$place/log
mkdir -p "$linux"
all=$batch_options
batch_options="--file $place/dot.elf:ibsboot/code/dot.elf --file $place/dot.map:ibsboot/code/dot.map"
batch own-code-time 0 "workload=dot config=tbp timer_us=10 passes=60" run
batch_options=$all
run=$(echo "$dir"/runs/*-dot-tbp)
if perf record -q -e cpu-clock -c 200000 -o "$linux/perf.data" build/ibsboot-workloads --code="$place/dot.elf" passes=100000 --format=ini >"$linux/run.ini" 2>"$log"; then
    lines "$linux" >"$place/linux.txt"
    lines "$run" >"$place/image.txt"
    # Which of the loop's lines a timer meets is chance: both have the line that takes the time, and none that objdump does not know.
    objdump -dl --disassemble=run "$place/dot.elf" | grep -oE 'dot\.c:[0-9]+' | sed 's/^/dot.elf run /' | sort -u >"$place/lines.txt"
    for side in linux image; do
        grep -qxF "dot.elf run dot.c:16" "$place/$side.txt" && [ -z "$(comm -13 "$place/lines.txt" "$place/$side.txt")" ]
        verdict $? "$side: lines of dot.c: $(paste -s -d ' ' "$place/$side.txt")"
    done
    $ibsprof compare --comm=dot "$linux" "$run" >"$place/compare.txt" 2>&1
    is "ibsprof compare: status" 0 $?
    if grep -q "^ *run+0x[0-9a-f]*  " "$place/compare.txt" && grep -q "samples of cpu-clock in the workload" "$place/compare.txt"; then ok "ibsprof compare: instructions of both"; else not_ok "ibsprof compare: $(cat "$place/compare.txt")"; fi
    # The same function of other code is not aligned.
    mkdir -p "$place/other" && sed 's/a\[i\] \* b\[i\]/a[i] + b[i]/' examples/dot.c >"$place/other/dot.c" && cp examples/ibsboot.h "$place/other/" &&
        make -s -C "$place/other" -f "$PWD/examples/Makefile" TO="$PWD/$place/other" dot &&
        perf record -q -e cpu-clock -c 200000 -o "$place/other/perf.data" build/ibsboot-workloads --code="$place/other/dot.elf" passes=50000 --format=ini >"$place/other/run.ini" 2>"$log"
    if $ibsprof compare --comm=dot "$place/other" "$run" >"$place/compare.txt" 2>&1; then not_ok "other code is compared: $(head -n 20 "$place/compare.txt")"; else ok "ibsprof compare: other code is refused: $(tail -n 1 "$place/compare.txt")"; fi
else
    skip "the same file under Linux" "perf may not record here: $(head -n 1 "$log")"
fi
refuse_all uefi ""
batch_options="$batch_options --firmware bios --smp 2"
run_all bios
refuse_all bios "--firmware bios"
# Address 0, where firmware has memory by UEFI, is a page fault: a read, and a call, of a pointer that is none. (In a boot of its own: the image
# takes sixteen files.)
batch_options=
own null-read 'mov 8, %eax'
own null-call 'xor %eax, %eax; call *%rax'
$ibsprof codemap "$place/null-read.elf" "$place/null-call.elf" >"$place/maps.txt" 2>&1
for name in null-read null-call; do batch_options="$batch_options --file $place/$name.elf:ibsboot/code/$name.elf --file $place/$name.map:ibsboot/code/$name.map"; done
batch own-code-null 1 "config=count events=0C0" workload=null-read run workload=null-call run
told null-read "null-read.elf: #PF page fault at run+0x0, mov eax, dword ptr [8]: it read from 8, where nothing is mapped."
told null-call "null-call.elf: #PF page fault: it jumped to 0, where nothing is mapped."
is "$name: passes that restored all" 2 "$(cat "$dir"/runs/*/report.txt | grep -c '^PASS restored')"
# Named, a file that cannot be used is refused with its reason, before anything is run.
boot own-code-named 1 --file "$place/refused/hlt.elf:ibsboot/code/hlt.elf" --file "$place/refused/hlt.map:ibsboot/code/hlt.map" --options "menu=no workload=hlt"
says "workload = hlt: hlt.elf: run+0x1, hlt: it changes the processor's state: leave it out"
shows_not "Running "
boot own-code-named 1 --file "$place/cut.elf:ibsboot/code/cut.elf" --options "menu=no workload=cut"
says "workload = cut: cut.elf: its section headers are outside of the file"
shows_not "Running "
finish
