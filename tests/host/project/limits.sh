#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# What ends a boot (tools/qemu/watch): not a slow guest, but one without progress; or the requested limit. And that the files
# written by then are kept. A fake qemu-system-x86_64 acts as STUB says, on the files that tools/qemu/boot gives to QEMU.
cd "$(dirname "$0")/../../.." || exit 1
. tools/verdicts
work=$PWD/build/limits
rm -rf "$work"
mkdir -p "$work/bin" "$work/build"
log=$work/log

for file in ibsboot.efi ibsboot-vpmu.efi vpmu-boot.efi OVMF_VARS_4M.fd; do echo $file >"$work/build/$file"; done
cat >"$work/bin/qemu-system-x86_64" <<'STUB'
#!/bin/sh
# Options as tools/qemu/boot writes them: -serial file:CONSOLE, -chardev file,id=progress,path=FILE, -drive ...,file=VOLUME.
for word; do
    case $word in
    --version) exit 0 ;;
    *hold,string=1) exit 1 ;; # a snapshot (tools/qemu/snapshot) cannot be made
    -incoming) exit 1 ;;
    file:*) console=${word#file:} ;;
    *id=post,*) post=${word#*path=} ;;
    *id=progress,*) progress=${word#*path=} ;;
    *id=stick,*) volume=${word#*file=} ;;
    esac
done
say() { echo "$1" >>"$console"; }
save() { # a run, like ibsboot
    mmd -i "$volume" ::/ibsboot/runs "::/ibsboot/runs/0001-test"
    echo "what was recorded" | mcopy -i "$volume" - "::/ibsboot/runs/0001-test/report.txt"
}
finish() {
    say "vpmu: end: status ${1:-0}"
    exit 33
}
# Progress is half a second or one apart, and the limit three.
rounds() { # number, command
    for _ in $(seq "$1"); do "$2" && sleep 0.5; done
}
hang() { # must be ended before it returns
    sleep 60
    touch "$console.survived"
}
speaks() { sleep 1 && say 'a line'; }
steps() { printf . >>"$progress"; }
writes() { sleep 1 && touch "$volume"; } # modification times have a resolution of seconds
nothing() { :; }
[ -z "$console" ] || echo $$ >"$console.pid" # none: a check whether the plugin loads
say 'vpmu: virtual Family 10h PMU'
case $STUB in
speaks) rounds 4 speaks ;;
steps) rounds 10 steps ;;
writes) rounds 4 writes ;;
pauses) rounds 2 nothing ;;
starved) # for 6 s other processes use nearly all of its only processor
    processor=$(taskset -c -p $$ | sed 's/.*[:,-] *//')
    taskset -c "$processor" timeout 6 sh -c 'while :; do :; done' &
    other=$!
    taskset -p -c "$processor" $$ >/dev/null
    renice -n 19 $$ >/dev/null
    while kill -0 $other 2>/dev/null; do :; done
    ;;
hangs) save && say 'ibsboot: the last line' && hang ;;
hangs-later) rounds 8 steps && hang ;;
endless) save && rounds 120 steps ;;
waits) rounds 10 nothing ;;
exception) say 'of the other cibsbios: exception 6, error 0, at 28, address 0, stack 1ffcffc8: switch the machine off' ;;
exception-1) say 'ibsbios: exception 14, error 10, at 0, address 0, stack 1ffcffc8: switch the machine off' && finish 1 ;;
uefi-exception) say '!!!! X64 Exception Type - 0D(#GP - General Protection)  CPU Apic ID - 00000001 !!!!' ;;
own-exception) say 'vpmu: exception 14 in the host, error 0, rip 1234 (image 0), cr2 0' ;;
mixed) say 'iCobrse 1b ios: excepti' && printf '\356' >>"$post" ;;
other-code) printf '\355\357' >>"$post" ;;
fail) say 'PASS restored' && say 'FAIL result of endless: not there' ;;
fail-1) say 'FAIL result of endless: not there' && finish 1 ;;
fail-inside) say 'Self-test: FAIL op.samples' ;;
broken) echo 'qemu: terminating on signal 15' >&2 && exit 35 ;;
esac
finish
STUB
chmod +x "$work/bin/qemu-system-x86_64"

# run STUB option...: a boot with that guest in DIR/STUB; its output, exit status and processes that are left.
run() {
    name=$1
    shift
    mkdir -p "$work/$name"
    # shellcheck disable=SC2086 # no option, or one
    PATH=$work/bin:$PATH STUB=${name%%.*} IBSBOOT_BUILD=$work/build OVMF_DIR=$work/build \
        tools/qemu/boot --out "$work/$name" --size-mb 4 $cold "$@" >"$work/$name/output" 2>&1
    echo "status $?" >>"$work/$name/output"
}
cold=--cold
# All at the same time: they do little but wait.
run speaks --stall 3 &
run steps --stall 3 &
run writes --stall 3 &
run pauses --stall 3 &
run starved --stall 3 &
run hangs --stall 3 &
run hangs-later --stall 3 &
run endless --stall 3 --timeout 6 &
run waits.timeout --stall 0 --timeout 2 &
run waits.for-ever --stall 0 &
run broken &
run hangs.live --stall 3 --live &
for stub in exception exception-1 uefi-exception own-exception fail fail-1 fail-inside; do run $stub & done
run mixed --firmware bios &
run other-code --firmware bios &
cold='' run speaks.again --stall 3 &
mkdir -p "$work/endless.stopped"
(
    PATH=$work/bin:$PATH STUB=endless IBSBOOT_BUILD=$work/build OVMF_DIR=$work/build
    export PATH STUB IBSBOOT_BUILD OVMF_DIR
    tools/qemu/boot --out "$work/endless.stopped" --size-mb 4 --cold >"$work/endless.stopped/output" 2>&1 &
    boot=$!
    until [ -s "$work/endless.stopped/progress" ]; do sleep 0.2; done
    kill -TERM $boot
    wait $boot
    echo "status $?" >>"$work/endless.stopped/output"
) &
wait

# says NAME STATUS PATTERN WHAT: that boot's exit status; its line.
says() {
    if grep -qx "status $2" "$work/$1/output" && grep -q -- "$3" "$work/$1/output"; then ok "$4"; else not_ok "$4" "$work/$1/output"; fi
}
keeps() { # NAME
    if grep -qx 'what was recorded' "$work/$1/runs/0001-test/report.txt" 2>/dev/null && grep -q 'vpmu: virtual' "$work/$1/console.txt"; then
        ok "$1: files of the run and console are kept"
    else
        not_ok "$1: files of the run and console are kept" "$work/$1/output"
    fi
}
says speaks 0 '^boot: passed after [0-9]* s: vpmu: end: status 0 ' "a console that says a line now and then is not ended"
says speaks.again 0 '^boot: passed after' "where no state can be made to go on from, it is a whole boot"
says steps 0 '^boot: passed ' "a silent guest that is stepped is not ended"
says writes 0 '^boot: passed ' "a silent guest that writes files is not ended"
says pauses 0 '^boot: passed ' "a pause shorter than --stall ends nothing"
if [ -e /proc/self/schedstat ]; then
    says starved 0 '^boot: passed after \([5-9]\|[1-9][0-9]\) s' "a guest that gets no processor for 6 s is not ended after 3"
else
    echo "skipped: this kernel does not tell who waits for a processor"
fi
says waits.for-ever 0 '^boot: passed ' "--stall 0: no movement is asked for, and without --timeout no time is too long"
says broken 1 '^boot: FAILED .*: no end marker; QEMU said: qemu: terminating on signal 15 (QEMU status 35' "a QEMU that fails by itself is status 1, not a limit"
bad="after an end marker with status"
says exception 5 '^boot: FAILED after [0-9]* s: of the other cibsbios: exception 6, error 0, at 28,' "an exception of ibsbios fails $bad 0, wherever in the line"
says exception-1 5 '^boot: FAILED .*ibsbios: exception 14' "and is not status 1 $bad 1"
says uefi-exception 5 '^boot: FAILED .*: !!!! X64 Exception Type - 0D' "an exception of EDK II fails $bad 0"
says own-exception 5 '^boot: FAILED .*: vpmu: exception 14 in the host' "an exception of vpmu.efi fails $bad 0"
says mixed 5 '^boot: FAILED .*: an exception in ibsbios: EEh on port 80h' "an exception whose words are mixed with another core's is known by its code"
says other-code 0 '^boot: passed ' "other codes fail nothing"
says fail 5 '^boot: FAILED after [0-9]* s: FAIL result of endless: not there (' "a line that begins with FAIL fails $bad 0"
says fail-1 1 '^boot: FAILED after [0-9]* s: vpmu: end: status 1 (' "which is status 1 $bad 1"
says fail-inside 0 '^boot: passed ' "FAIL inside of a line says nothing"
says hangs 4 'FAILED after [0-9]* s: ended by --stall 3: nothing has moved for 3 s; 0.0 million instructions stepped, runs saved: 1; --stall S' \
    "a guest that stands still is ended, with the line"
keeps hangs
says hangs 4 '^    ibsboot: the last line$' "the console's last lines are shown"
says hangs.live 4 '^ibsboot: the last line$' "with --live they were shown"
if [ "$(grep -c 'the last line' "$work/hangs.live/output")" = 1 ]; then ok "and only once"; else not_ok "and only once" "$work/hangs.live/output"; fi
says hangs-later 4 'FAILED after \([6-9]\|[1-9][0-9]\) s: ended by --stall 3: nothing' "time with progress does not count as time without"
says endless 4 'ended by --timeout 6, [0-2] s after its last movement; .*runs saved: 1; --timeout S' "--timeout ends a guest that moves, with the line"
keeps endless
says waits.timeout 4 'ended by --timeout 2, [0-2] s after its last movement' "--timeout works without --stall"
says endless.stopped 4 'stopped by a signal, .*runs saved: 1 (QEMU' "a signal ends it, with the line"
keeps endless.stopped
left=$(find "$work" -name '*.survived' | wc -l)
for pid in "$work"/*/console.raw.pid; do ! kill -0 "$(cat "$pid")" 2>/dev/null || left=$((left + 1)); done
if [ "$left" = 0 ]; then ok "QEMU was really ended"; else not_ok "$left QEMUs were not ended" /dev/null; fi

while IFS='|' read -r arguments words; do
    # shellcheck disable=SC2086
    run refused $arguments
    says refused 2 "$words" "refused with status 2: tools/qemu/boot $arguments"
done <<'TABLE'
--stall 2m|boot: --stall needs seconds, not '2m'
--timeout -1|boot: --timeout needs seconds, not '-1'
--timeout|boot: --timeout needs a value
--threads multi --smp 2|boot: --threads multi needs --without-vpmu
--threads two|boot: --threads is single or multi, not 'two'
TABLE
finish
