#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# ./dev linux with incomplete results: the parts that the guest handed out before it was stopped are received, checked, compared and
# drawn; each missing item is one line. The recordings are generated (make_walk); a stub replaces QEMU.
cd "$(dirname "$0")/../../.." || exit 1
. tools/verdicts
make -s build/ibsboot.elf build/ibsboot-workloads build/tools/make_walk build/tools/ibsprof || exit 1
work=build/linux-parts
rm -rf $work
mkdir -p $work/bin
log=$work/log

# ---------------------------------------------------------------- handing out: send, receive
# hand NAME...: like the guest, into $work/NAME/stream; PATH may begin with other tools.
hand() { OUT=$PWD/$work/$case/guest PORT=$PWD/$work/$case/stream TMPDIR=$PWD/$work/$case sh "$PWD/tools/linux-guest/send" "$@"; }
receive() { tools/linux-guest/receive $work/$case/"$1" $work/$case/"$2"; }
parts() { # a guest of two recordings, in four parts, after something of the firmware's
    mkdir -p $work/$case/guest/op/0001 $work/$case/guest/op/0002 "$work/$case/guest/op/debug/[x] y"
    printf 'the firmware\r\nlinux: part of what it said' >$work/$case/stream
    echo log >$work/$case/guest/dmesg.txt
    hand || return
    echo one >$work/$case/guest/op/0001/perf.data
    echo first >$work/$case/guest/op.txt
    ln -s 0001 $work/$case/guest/op/newest
    echo symbols >"$work/$case/guest/op/debug/[x] y/elf"
    hand op/0001 op.txt && hand
    head -c 20000 /dev/urandom >$work/$case/guest/op/0002/perf.data
    echo second >>$work/$case/guest/op.txt
    hand op/0002 op.txt && hand
}
handed_out() { # by the tools in PATH
    check "$case: parts are handed out" parts
    is "$case: all is received" "4 parts, $(grep -a '^linux: part [1-4] ' $work/$case/stream | awk '{n += $4} END {print n}') bytes" "$(receive stream out)"
    check "$case: and is what it was" diff -r $work/$case/guest $work/$case/out
}
case=parts
handed_out
busybox=$(command -v busybox || find build/linux -path '*/bin/busybox' 2>/dev/null | head -n 1)
if [ -n "$busybox" ]; then
    case=busybox
    mkdir -p $work/$case/bin
    "$busybox" --install -s $work/$case/bin
    whole_path=$PATH
    PATH=$PWD/$work/$case/bin:$PATH
    check "$case: parts are handed out by its tools" parts
    PATH=$whole_path
    check "$case: and received" receive stream out
    check "$case: and are what they were" diff -r $work/$case/guest $work/$case/out
else
    echo "skipped: no busybox here"
fi

# Names that lead out of the folder, by themselves or over a link, and links that do.
case=hostile
mkdir -p $work/$case/kept
python3 - $work/$case/stream <<'EOF'
import hashlib
import io
import sys
import tarfile

data = io.BytesIO()
with tarfile.open(fileobj=data, mode="w") as tar:
    def add(name, kind=tarfile.REGTYPE, target=""):
        member = tarfile.TarInfo(name)
        member.type, member.linkname, member.size = kind, target, 4 if kind == tarfile.REGTYPE else 0
        tar.addfile(member, io.BytesIO(b"some"))
    add("good")
    add("inside", tarfile.SYMTYPE, "good")
    add("../kept/name")
    add("/tmp/ibsboot-linux-parts")
    add("out", tarfile.SYMTYPE, "../kept")
    add("out/over-link")
    add("hard", tarfile.LNKTYPE, "../kept")
    add("pipe", tarfile.FIFOTYPE)
sent = data.getvalue()
open(sys.argv[1], "wb").write(b"\nlinux: part 1 %d %s\n%s" % (len(sent), hashlib.md5(sent).hexdigest().encode(), sent))
EOF
line=$(receive stream out)
is "a hostile part: status" 1 $?
check "and the line ($line)" test "${line#*; }" = "part 1 has '../kept/name', which is not taken; part 1 has '/tmp/ibsboot-linux-parts', which is not taken; \
part 1 has 'out', which is not taken; part 1 has 'hard', which is not taken; part 1 has 'pipe', which is not taken"
check "nothing is outside of the folder" sh -c "[ -z \"\$(ls $work/$case/kept)\" ] && [ ! -e /tmp/ibsboot-linux-parts ]"
check "what stays in it is there" sh -c "[ \"\$(cd $work/$case/out && echo *)\" = 'good inside out' ] && [ \"\$(cat $work/$case/out/inside)\" = some ]"

case=parts
start_of() { grep -abo "linux: part $1 " $work/$case/stream | sed 's/:.*//'; }
whole=$(stat -c %s $work/$case/stream)
head -c $((whole - 100)) $work/$case/stream >$work/$case/cut
line=$(receive cut cut.out)
is "a part that was cut off: status" 1 $?
check "and the line ($line)" sh -c "echo '$line' | grep -q '^3 parts, [0-9]* bytes; part 4 was cut off after [0-9]* of [0-9]* bytes$'"
check "what came before is there" cmp $work/$case/cut.out/op/0001/perf.data $work/$case/guest/op/0001/perf.data
is "what was cut off is not" no "$([ -e $work/$case/cut.out/op/0002 ] && echo yes || echo no)"
{ head -c "$(start_of 3)" $work/$case/stream; tail -c +$(($(start_of 4) + 1)) $work/$case/stream; } >$work/$case/lost
line=$(receive lost lost.out)
is "a part that is not there: status" 1 $?
check "and the line ($line)" sh -c "echo '$line' | grep -q '^3 parts, [0-9]* bytes; part 3 is not there$'"
sed 's/symbols/sYmbols/' $work/$case/stream >$work/$case/damaged
line=$(receive damaged damaged.out)
is "a part that is not what was sent: status" 1 $?
check "and the line ($line)" sh -c "echo '$line' | grep -q '^3 parts, [0-9]* bytes; part 3 is not what was sent$'"
check "the others are there" cmp $work/$case/damaged.out/op/0002/perf.data $work/$case/guest/op/0002/perf.data
line=$(receive nothing nothing.out)
is "nothing at all: status" 1 $?
is "and the line" "0 parts, 0 bytes" "$line"

# ---------------------------------------------------------------- a guest that is stopped: tools/linux-guest/boot
case=boot
build=$PWD/$work/build
mkdir -p "$build"/linux/amd64/boot "$build"/linux/amd64/bin
for file in ibsboot.efi ibsboot-vpmu.efi vpmu-boot.efi OVMF_VARS_4M.fd linux/amd64/boot/vmlinuz-6.1.0-test linux/amd64/bin/busybox; do
    echo $file >"$build"/$file
done
cp build/ibsboot-workloads "$build"/
cat >$work/bin/perf <<'END'
#!/bin/sh
exit 0
END
cat >$work/bin/qemu-system-x86_64 <<STUB
#!/bin/sh
# -serial file:CONSOLE and -serial file:PORT, in this order. The guest hands out one recording; then it acts as STUB says.
for word; do
    case \$word in
    file:*) [ -n "\$console" ] && port=$PWD/\${word#file:} || console=\${word#file:} ;;
    esac
done
[ -n "\$port" ] || exit 35 # ibsboot's boot
export PORT="\$port" OUT="\$(dirname "\$port")/guest" TMPDIR="\$(dirname "\$port")"
mkdir -p "\$OUT/op/0001"
echo recorded >"\$OUT/op/0001/perf.data"
echo 'linux: start' >>"\$console"
echo 'linux: records op' >>"\$console"
sh $PWD/tools/linux-guest/send op/0001
case \$STUB in
hangs) exec sleep 60 ;;
broken) echo 'Kernel panic' >>"\$console" && exit 0 ;;
liar) echo 'linux: handed out 2 parts' >>"\$console" ;;
*) echo 'linux: handed out 1 parts' >>"\$console" ;;
esac
[ \$STUB = fails ] && plan=1 || plan=0
echo "linux: plan ended with status \$plan" >>"\$console"
echo 'linux: end' >>"\$console"
STUB
chmod +x $work/bin/* "$build"/linux/amd64/bin/busybox
guest() { # STUB, options...: status in DIR/status
    name=$1
    shift
    PATH=$PWD/$work/bin:$PATH STUB=${name%%.*} IBSBOOT_BUILD=$build OVMF_DIR=$build \
        tools/linux-guest/boot --out "$work/$case/$name" "$@" tools/linux-guest/plan >"$work/$name.line" 2>&1
    echo "status $?" >>"$work/$name.line"
}
mkdir -p $work/$case
for stub in hangs broken liar fails good; do guest $stub --stall 3 & done
guest hangs.timeout --timeout 8 &
guest hangs.bare --without-vpmu --stall 3 &
guest good.bare --without-vpmu &
wait
says() { # NAME STATUS PATTERN
    check "$1: one line and status $2" sh -c "[ \$(wc -l <$work/$1.line) = 2 ] && grep -qx 'status $2' $work/$1.line && head -n 1 $work/$1.line | grep -q -- '$3' || { cat $work/$1.line; false; }"
    is "$1: what was handed out is there" recorded "$(cat $work/$case/"$1"/out/op/0001/perf.data 2>/dev/null)"
    is "$1: the line is kept" "$(head -n 1 $work/"$1".line)" "$(cat $work/$case/"$1"/verdict.txt)"
}
records="at 'linux: records op'; handed out: 1 parts, [0-9]* bytes (QEMU status 137, "
records=$(echo "$records" | tr "'" .)
says hangs 4 "^linux: FAILED after [0-9]* s: ended by --stall 3: nothing has moved for 3 s; .*; $records"
says hangs.timeout 4 "^linux: FAILED after [0-9]* s: ended by --timeout 8, .*; $records"
says hangs.bare 4 "^linux: FAILED after [0-9]* s: ended by --stall 3: nothing has moved for 3 s; $records"
says broken 1 "FAILED after [0-9]* s: no end marker; last: Kernel panic; handed out: 1 parts"
says liar 1 "FAILED after [0-9]* s: not all of 2 parts were received; handed out: 1 parts"
says fails 1 "FAILED after [0-9]* s: the plan ended with status 1"
says good 0 "passed after [0-9]* s: 6.1.0-test, 1 parts, [0-9]* bytes"
says good.bare 0 "passed after [0-9]* s: 6.1.0-test, 1 parts, [0-9]* bytes"

# Ctrl-C ends the guest only: its parts are received, and the page is made.
PATH=$PWD/$work/bin:$PATH STUB=hangs IBSBOOT_BUILD=$build OVMF_DIR=$build python3 - $work/signal >$work/signal.txt 2>&1 <<'END'
import os, signal, subprocess, sys, time
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may have started us with it ignored
run = subprocess.Popen(["tools/linux-guest/run", "--out", sys.argv[1]], start_new_session=True)
port = f"{sys.argv[1]}/linux-C/port2.raw"
while not os.path.exists(port) or b"linux: part 1 " not in open(port, "rb").read():
    time.sleep(0.2)
os.killpg(run.pid, signal.SIGINT)  # as a terminal does it
run.wait()
END
check "Ctrl-C: the line" grep -q '^not ok linux C: linux: FAILED .*: stopped by a signal.*; handed out: 1 parts' $work/signal.txt
check "Ctrl-C: what is missing of this boot" grep -q '^missing: 3 of 4 recordings under Linux, revision C: op samples (.*stopped by a signal.*records op' $work/signal.txt
check "Ctrl-C: the next boot is not begun" grep -q '^missing: 4 of 4 recordings under Linux, revision B: op samples by cycles (there was no boot)' $work/signal.txt
is "Ctrl-C: what was handed out" recorded "$(cat $work/signal/linux-C/out/op/0001/perf.data)"
check "Ctrl-C: the page" grep -q 'What is missing' $work/signal/report.html

# ---------------------------------------------------------------- checks, comparisons and page with parts missing: tools/linux-guest/run --again
# again NAME options...: output in NAME.txt, which must have no traceback, and only verdicts and the end.
again() {
    name=$1
    shift
    tools/linux-guest/run --out $work/"$name" --again "$@" >$work/"$name.txt" 2>&1
    is "$name: status" 1 $?
    is "$name: nothing but verdicts" "" "$(grep -v '^ok \|^not ok [^ ]*: \|^missing: \|^not ok [a-z]* [^:]*: \|^linux: [0-9]* s$\|^[0-9]* passed, [0-9]* failed$' $work/"$name.txt")"
    is "$name: missing.txt has these lines" "$(grep '^missing: ' $work/"$name.txt")" "$(cat $work/"$name"/missing.txt)"
    check "$name: the page lists them" sh -c "grep -o '<li>missing: ' $work/$name/report.html | wc -l | grep -qx $(grep -c '^missing: ' $work/"$name.txt")"
}
told() { # NAME LINE: exactly this line
    check "$1: $2" grep -qxF -- "$2" $work/"$1.txt"
}

again empty
is "empty: all parts of both revisions" 19 "$(grep -c ^missing: $work/empty.txt)"
told empty "missing: 4 of 4 recordings under Linux, revision B: op samples by cycles (there was no boot)"
again one --only B
is "--only B: those of revision B" 5 "$(grep -c '^missing: .*revision B' $work/one.txt)"

# Linux on revision C was stopped during its third recording of four; ibsboot's boot reached the fetch samples.
address() { readelf -sW "$1" | awk '$8 == "multiply_matrices" {print $2}'; }
twin=build/ibsboot-workloads
shift_by=$(printf '%x' $((0x$(address $twin) - 0x$(address build/ibsboot.elf))))
text() { # FILE SECTION: build-id, address, size and offset
    readelf -n "$1" | sed -n 's/.*Build ID: //p'
    readelf -SW "$1" | sed -n "s/.* \\$2  *PROGBITS  *\([0-9a-f]*\) \([0-9a-f]*\) \([0-9a-f]*\) .*/\1 \3 \2/p"
}
walk() { # FOLDER SEED SHIFT TEXT...
    folder=$1 seed=$2 moved=$3
    shift 3
    mkdir -p "$folder"
    build/tools/make_walk "$folder" 8000 "$@" 1 1 "$seed" "$moved" 977
}
ours() { # RUN SEED
    # shellcheck disable=SC2046
    walk $work/stopped/bare-C/runs/"$1" "$2" 0 $(text build/ibsboot.elf .text)
}
theirs() { # FOLDER SEED
    # shellcheck disable=SC2046
    walk $work/stopped/linux-C/out/"$1" "$2" "$shift_by" $(text $twin .workloads)
    sed -i 's/no operating system/6.1.0-made-by-tests/' $work/stopped/linux-C/out/"$1"/perf.data
    echo "/out/$1: 8000 samples" >>$work/stopped/linux-C/out/op.txt
}
for run in 1 2 3 4 5; do ours 000$run-matmul-classic-ibs $run; done
build/tools/ibsprof report --csv $work/stopped/bare-C/runs/0001-* >$work/stopped/bare-C/runs/0001-matmul-classic-ibs/profile.csv
echo "boot: FAILED after 600 s: ended by --timeout 600, 1 s after its last movement; 7 million instructions stepped, runs saved: 5; --timeout S gives it more time, 0 no limit (QEMU status 137, x)" \
    >$work/stopped/bare-C/verdict.txt
theirs op/0001 11
theirs op/0002 12
guest=$work/stopped/linux-C/out
perf --buildid-dir "$PWD/$guest/op/debug" buildid-cache --add "$PWD/$twin"
echo "linux: FAILED after 300 s: ended by --timeout 300, 2 s after its last movement; 9 million instructions stepped; --timeout S gives it more time, 0 no limit; at 'linux: records op'; handed out: 3 parts, 7 bytes (QEMU status 137, y)" \
    >$work/stopped/linux-C/verdict.txt
cat >$guest/dmesg.txt <<'END'
[    0.1] LVT offset 1 assigned for vector 0x400
[    0.2] perf: AMD IBS detected (0x0000001f)
[    0.3] LVT offset 1 assigned
END
printf 'ibs_op type 9 format cnt_ctl \nibs_fetch type 8 format rand_en \n' >$guest/pmus.txt
again stopped --only C
ended="(FAILED after 300 s: ended by --timeout 300, 2 s after its last movement, at 'linux: records op')"
told stopped "missing: 2 of 4 recordings under Linux, revision C: op samples $ended"
told stopped "missing: 1 of 1 recordings under Linux, revision C: fetch samples $ended"
told stopped "missing: 1 of 1 recordings under Linux, revision C: throttled $ended"
told stopped "missing: counts of perf stat under Linux, revision C: stat $ended"
told stopped "missing: 1 of 1 runs of ibsboot, revision C: fetch samples (FAILED after 600 s: ended by --timeout 600, 1 s after its last movement)"
is "stopped: nothing else is missing" 10 "$(grep -c ^missing: $work/stopped.txt)"
is "stopped: nothing fails that is not missing" 0 "$(grep -c '^not ok' $work/stopped.txt)"
for line in 'ok kernel: IBS detected' 'ok formats: ' 'ok decoded: 8000 of 8000 op samples' 'ok culprit: .*perf'; do
    check "stopped: what is there is checked: $line" grep -q "^$line" $work/stopped.txt
done
is "stopped: both recordings" 2 "$(grep -c '^ok decoded: ' $work/stopped.txt)"
is "stopped: what has both sides is compared" "compare-op.json compare-pages-bare.json" "$(cd $work/stopped && echo compare-*.json)"
check "stopped: and is in the page" grep -q '<h2 id=op>' $work/stopped/report.html
check "stopped: which says what is not" grep -q '<p>Not compared: Fetches; ' $work/stopped/report.html

# An item that failed by itself is reported in its own words; damaged files are one line each.
cp -r $work/stopped $work/damaged
guest=$work/damaged/linux-C/out
mkdir -p $guest/throttled
echo 1 >$guest/throttled.status
printf 'record-linux: note: x\nrecord-linux: nothing was recorded\n' >$guest/throttled.txt
truncate -s 100 $guest/op/0001/perf.data
truncate -s 1000 $guest/op/0002/perf.data
sed -i '/0002/d' $guest/op.txt
echo >$guest/dmesg.txt
echo >$guest/pmus.txt
echo '12x,,instructions:u,1,100.00' >$guest/stat.csv
echo '12,,instructions:u,1,100.00' >$guest/stat-user.csv
echo '# nothing' >$work/damaged/linux-C/report.txt
: >$work/damaged/bare-C/runs/0003-matmul-classic-ibs/perf.data
again damaged --only C
told damaged "missing: 1 of 1 recordings under Linux, revision C: throttled (record-linux: nothing was recorded)"
told damaged "missing: 1 of 4 runs of ibsboot, revision C: op samples (FAILED after 600 s: ended by --timeout 600, 1 s after its last movement)"
for line in 'kernel .*no .AMD IBS detected' 'formats .*only these' 'decoded .*told no number' 'misses: .*0001/perf.data' 'misses: .*0002/perf.data' \
    'counts .*asked for 0 reports, and this is number 1' 'counts .*and this is number 2' 'compare op: .*perf.data'; do
    is "damaged: one line of: $line" 1 "$(grep -c "^not ok $line" $work/damaged.txt)"
done
check "damaged: the page is there" grep -q 'What is missing' $work/damaged/report.html

# Counts of events are compared by event and mask.
mkdir -p $work/events
printf '%s\n' '076:00 ls_not_halted_cyc' '02C:00 ls_int_taken' >$work/events/listed
printf '%s\n' '# report,1' '# pmc_run,counter,perf_ctl,select,mask,windows,counted,workload' '# pmc_run,0,130076,076,00,2,500,7' \
    '# pmc_run,1,13002c,02c,00,2,0,0' >$work/events/report.txt
for cycles in 500 501; do
    printf '%s\n' '# started' "$cycles,,ls_not_halted_cyc,9,100.00,," '0,,ls_int_taken,9,100.00,,' >$work/events/events-1.csv
    tools/linux-guest/check events $work/events $work/events/report.txt $work/events/listed 2
done >$work/events/said
is "events: equal, and one that is not" "2 events of Linux' lists count as the virtual PMU does
ls_not_halted_cyc (076:00): perf 501, the virtual PMU 500" "$(cat $work/events/said)"

# Where loads miss is compared by the event that perf's samples were chosen by.
mkdir -p $work/culprit
start=$(nm "$twin" | sed -n 's/ . multiply_matrices$//p')
printf ' 100.00 : %x: flds 0x8(%%rcx,%%rax,4)\n' $((0x$start + 0x72)) >$work/culprit/misses.txt
printf '%s\n' "# MODEL: all figures come from ibsboot's virtual PMU (a model), not from silicon." 'rva,function,F204 x,F205 x,F206 x' '0x1000,multiply_matrices,0,0,0' '0x1054,multiply_matrices,3,0,5' \
    '0x1072,multiply_matrices,0,4,1' >$work/culprit/profile.csv
for event in dtlb dc; do tools/linux-guest/check culprit $event "$twin" $work/culprit/profile.csv $work/culprit/misses.txt:9; done >$work/culprit/said
is "culprit: of the DTLB's misses" 1 "$(grep -c "^multiply_matrices+0x72 .* has 9 of perf's 9 misses\$" $work/culprit/said)"
is "culprit: of the data cache's misses" 1 "$(grep -c 'but +0x54 most of' $work/culprit/said)"
finish
