#!/bin/sh
# perf.data as Debian's perf sees it: every decoded field against our decoder's, and the usual commands without complaint.
# usage: perf.sh [image.elf]
elf=${1:-build/ibsboot.elf}
work=$PWD/build/perf-host
rm -rf $work
mkdir -p $work/buildid
passed=0 failed=0

ok() { passed=$((passed + 1)); echo "ok $1"; }
not_ok() { failed=$((failed + 1)); echo "not ok $1"; sed 's/^/  /' $work/log; }
check() { # name, command...
    name=$1
    shift
    if "$@" >$work/log 2>&1; then ok "$name"; else not_ok "$name"; fi
}
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
make_file() { build/tools/make_perfdata "$1" "$2" "$3" "$4" "$id" $text_rva $text_size $text_offset; } # file caps count lost
perf() { command perf --buildid-dir $work/buildid "$@"; }
perf buildid-cache --add $elf

for caps in 1f 7; do
    make_file $work/$caps.data $caps 400 0
    build/tools/ibs_dump $work/$caps.data >$work/$caps.txt
    check "caps $caps: every field of 1024 op and 1024 fetch samples" \
        python3 tests/host/compare_perf.py $work/$caps.data $work/$caps.txt --at-least 1000
done

# The comparison itself must see a difference: one bit, one number, one sample.
differs() { # name, sed expression
    sed "$2" $work/1f.txt >$work/wrong.txt
    if python3 tests/host/compare_perf.py $work/1f.data $work/wrong.txt >$work/log; then not_ok "$1"; else ok "$1"; fi
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
# Symbol + offset is the address, for every sample: by nm, which reads the ELF in its own way. Aliases and static namesakes count.
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
says "header: host" 'hostname : ibsboot' perf report --header-only -i $file
says "header: command" 'cmdline : make_perfdata' perf report --header-only -i $file
check "perf data convert" perf data convert --to-json=$work/file.json --force -i $file
check "perf data convert wrote all samples" test "$(grep -c '"comm": "matmul-classic"' $work/file.json)" = 2048
says "perf diff of two runs" 'ibs_op//' perf diff $work/1f.data $work/7.data

make_file $work/lost.data 1f 10 7b
says "lost samples are told" '^ *LOST events: +2 ' sh -c "perf report --stats -i $work/lost.data 2>/dev/null"
check "lost samples are read back" sh -c "build/tools/ibs_dump $work/lost.data | grep -qx 'lost 123'"
check "lost samples are read back for fetches" sh -c "build/tools/ibs_dump $work/lost.data | grep -qx 'lost 246'"
make_file $work/empty.data 1f 0 0
says "a file without samples opens" 'SAMPLE|TOTAL' perf report --stats -i $work/empty.data

echo "$passed passed, $failed failed"
[ $failed = 0 ]
