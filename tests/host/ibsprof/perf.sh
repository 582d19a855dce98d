#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# perf.data as read by Debian's perf: every decoded field against our decoder's, and the usual commands without messages.
# usage: perf.sh [image.elf]
# shellcheck disable=SC2046,SC2086 # paths in build/ have no blanks
elf=${1:-build/ibsboot.elf}
work=$PWD/build/perf-host
rm -rf $work
mkdir -p $work/buildid
. tools/verdicts
log=$work/log

says() { # name, extended regular expression, command...: status 0, the words in the output, nothing on standard error
    name=$1 words=$2
    shift 2
    if "$@" >$work/log 2>$work/err && [ ! -s $work/err ] && grep -Eq "$words" $work/log; then ok "$name"; else
        head -n 20 $work/log >>$work/err
        mv $work/err $work/log
        not_ok "$name"
    fi
}

# The ELF of the image is found by its build-id alone, in a cache of this test's own.
id=$(readelf -n $elf | sed -n 's/.*Build ID: //p')
set -- $(readelf -SW $elf | sed -n 's/.* \.text  *PROGBITS  *\([0-9a-f]*\) \([0-9a-f]*\) \([0-9a-f]*\) .*/\1 \3 \2/p')
text_rva=$1 text_size=$2 text_offset=$3
make_file() { # file caps count lost [counters|mixed number]
    made_file=$1 made_caps=$2 made_count=$3 made_lost=$4
    shift 4
    build/tools/make_perfdata "$made_file" "$made_caps" "$made_count" "$made_lost" "$id" $text_rva $text_size $text_offset "$@"
}
perf() { command perf --buildid-dir $work/buildid "$@"; }
perf buildid-cache --add $elf

for caps in 1f 7; do
    make_file $work/$caps.data $caps 400 0
    build/tools/ibs_dump $work/$caps.data >$work/$caps.txt
    check "caps $caps: every field of 1024 op and 1024 fetch samples" \
        python3 tests/host/ibsprof/compare_perf.py $work/$caps.data $work/$caps.txt --at-least 1000
done

# The comparison itself must detect a difference: one bit, one number, one sample.
differs() { # name, sed expression
    sed "$2" $work/1f.txt >$work/wrong.txt
    if python3 tests/host/ibsprof/compare_perf.py $work/1f.data $work/wrong.txt >$work/log; then not_ok "$1"; else ok "$1"; fi
}
differs "comparison sees a wrong flag" '7s/DcMisAcc=0/DcMisAcc=1/;7s/DcMisAcc=1/DcMisAcc=0/;9s/DcMisAcc=0/DcMisAcc=1/'
differs "comparison sees a wrong bit that perf does not print" 's/DcStToLdFwd=1/DcStToLdFwd=0/'
differs "comparison sees a wrong number" '5s/DcMissLat=[0-9]*/DcMissLat=1/'
differs "comparison sees a wrong period" '2s/period=[0-9]*/period=1/'
differs "comparison sees a missing sample" '3d'

file=$work/1f.data
says "perf report names the functions" '\[\.\] multiply_matrices$' perf report --stdio -i $file
says "perf report has both events" "of event 'ibs_fetch//'" perf report --stdio -i $file
says "perf report has the comm" 'matmul-classic  ibsboot.elf' perf report --stdio -i $file
says "perf report finds source lines" 'matmul_classic.c:[0-9]' perf report --stdio --sort srcline -i $file
# Symbol + offset is the address, for every sample: by nm, an independent reader of ELF. Aliases and static namesakes count.
resolves() {
    perf script -i $file -F event,ip,sym,symoff >$work/symbols 2>$work/err && python3 - "$1" $work/symbols $text_rva $text_size <<'EOF'
import re, subprocess, sys
places, ranges = {}, []
for line in subprocess.run(["nm", "-S", sys.argv[1]], capture_output=True, text=True, check=True).stdout.splitlines():
    parts = line.split()
    if len(parts) in (3, 4):
        places.setdefault(parts[-1], set()).add(int(parts[0], 16))
    if len(parts) == 4:
        ranges.append((int(parts[0], 16), int(parts[0], 16) + int(parts[1], 16)))
base, text, size = 0x3E000000, int(sys.argv[3], 16), int(sys.argv[4], 16)  # make_perfdata's image base
inside = outside = wrong = 0
for line in open(sys.argv[2]):
    ip, name, offset = re.match(r"\s*ibs_\w+//:\s+([0-9a-f]+)\s+(\S+?)(?:\+0x([0-9a-f]+))?$", line.rstrip()).groups()
    rva = int(ip, 16) - base
    if any(low <= rva < high for low, high in ranges) or name != "[unknown]" and text <= rva < text + size:
        inside += 1
        wrong += rva - int(offset or "0", 16) not in places.get(name, ())
    else:
        outside += 1
        wrong += name != "[unknown]"
print(f"{inside} samples in the image resolved as nm has it, {outside} elsewhere unknown, {wrong} wrong")
sys.exit(wrong != 0 or inside < 1000 or outside < 100)
EOF
}
if resolves $elf >$work/log 2>&1; then ok "perf script resolves addresses: $(cat $work/log)"; else not_ok "perf script resolves addresses"; fi
says "perf script knows memory accesses" 'OP LOAD\|LVL L3 or L3 hit' perf script -F ip,event,addr,data_src,weight -i $file
says "perf annotate shows the code" 'multiply_matrices' perf annotate --stdio -i $file multiply_matrices
says "perf mem report opens it" 'Local RAM|RAM hit' perf mem -i $file report --stdio
says "perf buildid-list" "^$id ibsboot.elf" perf buildid-list -i $file
says "perf evlist" 'ibs_op//: type: 11.*config: 0x80000' perf evlist -v -i $file
says "header: processor" 'cpuid : AuthenticAMD,16,10,0' perf report --header-only -i $file
says "header: nodes" '^# node1 cpu list : 3-5' perf report --header-only -I -i $file
says "perf c2c opens it" 'Load Remote DRAM +: +[1-9]' sh -c "perf --buildid-dir $work/buildid c2c report --stdio -i $file 2>/dev/null" # the map of physical memory is not there, which it says
says "header: host" 'hostname : ibsboot' perf report --header-only -i $file
says "header: command" 'cmdline : make_perfdata' perf report --header-only -i $file
check "perf data convert" perf data convert --to-json=$work/file.json --force -i $file
check "perf data convert wrote all samples" test "$(grep -c '"comm": "matmul-classic"' $work/file.json)" = 2048
says "perf diff of two runs" 'ibs_op//' perf diff $work/1f.data $work/7.data

# Counters and the timer, alone and with IBS: names, totals, instructions and symbols against what was written.
nm -S $elf >$work/nm
agree() { # dump
    perf script -i $file -F event,ip,sym,period >$work/script 2>$work/err || return
    perf report --stdio -n --sort symbol -i $file >$work/report 2>>$work/err || return
    cat $work/err
    [ ! -s $work/err ] && python3 tests/host/ibsprof/compare_events.py made $work/made "$1" $work/nm $work/script $work/report 3E000000
}
# perf evlist -v against "name type config period samples total" lines.
attributes() {
    perf evlist -v -i $file >$work/evlist 2>&1
    python3 - $work/made $work/evlist <<'EOF'
import re, sys
theirs = {}
for line in open(sys.argv[2]):
    match = re.match(r"(\S+): type: (\d+), size: 112, (?:config: (0x[0-9a-f]+), )?"
                     r"(?:\{ sample_period, sample_freq \}: (\d+), )?sample_type: (\S+),", line)
    theirs[match[1]] = [int(match[2]), int(match[3] or "0", 16), int(match[4] or 0), match[5]]
ours = {}
for line in open(sys.argv[1]):
    name, *numbers = line.rstrip().split("\t")
    ours[name] = [int(number) for number in numbers[:3]] + ["IP|TID|TIME|CPU|PERIOD|IDENTIFIER"]
wrong = {name: (theirs.get(name), row) for name, row in ours.items() if theirs.get(name) != row}
others = sorted(set(theirs) - set(ours))
print(f"{len(ours)} events, besides {others}" if not wrong else f"perf's and ours: {wrong}")
sys.exit(bool(wrong) or others not in ([], ["ibs_fetch//", "ibs_op//"]))
EOF
}
agrees() { # name, command...: its last line is a part of the name
    name=$1
    shift
    if "$@" >$work/log 2>&1; then ok "$name: $(tail -n 1 $work/log | cut -c1-110)"; else not_ok "$name"; fi
}
counters_agree() { # counters|mixed, number of counters, kinds of samples
    file=$work/$1-$2.data
    make_file $file 1f 200 0 "$1" "$2" >$work/made
    build/tools/ibs_dump $file >$work/dump
    agrees "$1 $2: every sample" python3 tests/host/ibsprof/compare_perf.py $file $work/dump --kinds "$3" --at-least 200
    agrees "$1 $2: totals, instructions and symbols" agree $work/dump
    agrees "$1 $2: attributes" attributes
}
counters_agree counters 0 timer
counters_agree counters 9f pmc,timer # 159, the most there may be
counters_agree counters 7 pmc,timer
counters_agree mixed 7 op,fetch,pmc,timer
says "perf report names the timer" "^# Samples: 512 +of event 'cpu-clock'" perf report --stdio -i $work/counters-7.data
says "perf report names an event" "^# Samples: 512 +of event 'EVENT_0AF:0F:e:i'" perf report --stdio -i $file
says "perf annotate of counters" 'multiply_matrices' perf annotate --stdio -i $work/counters-7.data multiply_matrices

# That comparison, too, must detect a difference.
unequal() { # name, file, sed expression
    cp $work/$2 $work/right
    sed -i "$3" $work/$2
    if cmp -s $work/$2 $work/right ||
        python3 tests/host/ibsprof/compare_events.py made $work/made $work/dump $work/nm $work/script $work/report 3E000000 >$work/log 2>&1
    then not_ok "$1"; else ok "$1"; fi
    mv $work/right $work/$2
}
unequal "comparison sees a wrong total" made '2s/$/1/'
unequal "comparison sees a missing sample of a counter" script '3d'
unequal "comparison sees a sample more of perf" script '3p'
unequal "comparison sees a wrong address" dump '3s/ ip=./ ip=2/'
unequal "comparison sees a wrong event" dump '3s/EVENT_040:00/EVENT_065:05:e/'
unequal "comparison sees a wrong symbol" nm 's/ multiply_matrices$/ multiply/'
unequal "comparison sees a report with other numbers" report 's/ 1  \[/ 2  [/'

make_file $work/lost.data 1f 10 7b
says "lost samples are told" '^ *LOST events: +2 ' sh -c "perf report --stats -i $work/lost.data 2>/dev/null"
check "lost samples are read back" sh -c "build/tools/ibs_dump $work/lost.data | grep -qx 'lost 123'"
check "lost samples are read back for fetches" sh -c "build/tools/ibs_dump $work/lost.data | grep -qx 'lost 246'"
make_file $work/lost-mixed.data 1f 10 7b mixed 3 >$work/made
says "lost samples of counters are told" '^ *LOST events: +5 ' sh -c "perf report --stats -i $work/lost-mixed.data 2>/dev/null"
check "lost samples of counters are read back" sh -c "build/tools/ibs_dump $work/lost-mixed.data | grep -qx 'lost 369'"
make_file $work/empty.data 1f 0 0
says "a file without samples opens" 'SAMPLE|TOTAL' perf report --stats -i $work/empty.data

finish
