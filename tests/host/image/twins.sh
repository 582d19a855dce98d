#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The Linux twin: the same code bytes as the image's, the same messages for wrong parameters, right results, and the pages that Linux
# grants.
# shellcheck disable=SC2046,SC2086 # lists of objects in build/, whose names have no blanks
cd "$(dirname "$0")/../../.." || exit 1
. tools/verdicts
twin=build/ibsboot-workloads image=build/ibsboot.elf
objects=$(for source in $(find workloads -name "*.c" | sed 's,.*/,& ,' | sort -k 2 | tr -d ' '); do echo "build/image/${source%.c}.o"; done)
others=$(for source in noise/*.c; do echo "build/image/${source%.c}.o"; done)
work=$PWD/build/twins-test
rm -rf "$work"
mkdir -p "$work"
log=$work/log

# ---------------------------------------------------------------- code
# shellcheck disable=SC2086
python3 tests/host/image/compare_twins.py $image $twin $objects $others >"$work/log" 2>&1
verdict $? "every function's bytes and place are the image's: $(tail -n 1 "$work/log")"
sed 's/^/  /' "$work/log"
rows=$($twin list | grep -c '^  [^ ]')
[ "$rows" = "$(grep -rl "^WORKLOAD(" workloads | wc -l)" ]
verdict $? "the twin has all $rows workloads"
listing() { build/tools/codemap list "$1" | cut -c 10- | sed -E 's/^( *[0-9]+ +(j[a-z]+|call|loop[a-z]*)) [0-9a-f]+ */\1 /; s/ \[[0-9a-f]+\] +/ [] /'; } # but for the addresses
listing $image >"$work/ours" && listing $twin >"$work/theirs" && [ -s "$work/ours" ] && cmp "$work/ours" "$work/theirs" >"$work/log"
verdict $? "the same listing, source lines too ($(wc -l <"$work/ours") lines)"

# The twin's own objects, beside those of the workloads.
parts=$(make -s --eval 'parts: ; @echo $(TWIN_O)' parts)
# A twin whose copy of one workload was compiled differently, by script and flags: name, sed script, flags.
# The comparison must detect it; where the result changes, the program must detect it, too.
other_twin() {
    linked=
    for object in $objects; do
        to=$work/$1/${object#build/}
        mkdir -p "${to%/*}" && cp "$object" "$to"
        linked="$linked $to"
    done
    sed "$2" workloads/tight_loop.c >"$work/$1/tight_loop.c"
    # shellcheck disable=SC2086
    cc -std=gnu11 -g -I. -O0 -ffreestanding -fno-stack-protector -fcf-protection=none -fno-asynchronous-unwind-tables \
        -fvisibility=hidden -mno-red-zone -fPIC $3 -c "$work/$1/tight_loop.c" -o "$work/$1/image/workloads/tight_loop.o" &&
        cc -static -no-pie -Wl,-T,tools/workloads/twin.ld $parts $linked $others -o "$work/$1/twin"
}
# shellcheck disable=SC2086
sees() { # name of the other twin, words of the comparison
    python3 tests/host/image/compare_twins.py $image "$work/$1/twin" $objects >"$work/log" 2>&1
    [ $? = 1 ] && grep -q "$2" "$work/log" && sed -n "s/^/  /; /$2/{p;q}" "$work/log"
}
other_twin same '' '' && python3 tests/host/image/compare_twins.py $image "$work/same/twin" $objects >"$work/log" 2>&1
verdict $? "a twin made again by hand is the same"
other_twin flags '' -O1 && sees flags "tight_loop.o: tight_loop"
verdict $? "other compiler flags are seen"
other_twin number 's/b += 5;/b += 6;/' '' && ! cmp -s workloads/tight_loop.c "$work/number/tight_loop.c" && sees number 'object .*image .*twin'
verdict $? "one other number in the code is seen"
"$work/number/twin" tight-loop >"$work/log" 2>&1
[ $? = 1 ] && grep -q 'WRONG: expected' "$work/log"
verdict $? "and by the check of its result: status 1"
other_twin longer 's/^static bool check/int before(void);\nint before(void) { return 1; }\n&/' '' && sees longer 'bytes at'
verdict $? "code that moved is seen"

# The document's example, as printed.
# shellcheck disable=SC2016,SC2046,SC2086
document() {
    mkdir -p "$work/document"
    sed -n '/^## A workload$/,/^## /{/^```c$/,/^```$/{/^```/!p}}' docs/adding.md >"$work/document/mine.c"
    cc -std=gnu11 -I. -Wall -Wextra -Werror -Wno-unused-parameter -O0 -ffreestanding -fcf-protection=none -fPIC -c "$work/document/mine.c" -o "$work/document/mine.o" &&
        cc -static -no-pie -Wl,-T,tools/workloads/twin.ld $parts "$work/document/mine.o" $others -o "$work/document/twin" &&
        "$work/document/twin" mine
}
document >"$work/log" 2>&1 && grep -q 'right (3000000)' "$work/log"
verdict $? "the example of docs/adding.md runs, and its result is right"

# An operand that the linker fills in: the same constant may be elsewhere, its value must not change; code outside must not be called.
cat >"$work/constant.c" <<'C'
double outside(double x);
double scaled(double x) { return x * NUMBER + EXTRA; }
C
link_as() { # name, linker script, flags: one object by itself
    mkdir -p "$work/$1/image/workloads"
    # shellcheck disable=SC2086
    cc -O0 -fPIC -ffreestanding -fcf-protection=none $3 -c "$work/constant.c" -o "$work/$1/image/workloads/constant.o" &&
        ld -e 0 --unresolved-symbols=ignore-all -T "$2" "$work/$1/image/workloads/constant.o" -o "$work/$1/elf" 2>"$work/log"
}
link_as c1 linker.ld '-DNUMBER=1.5 -DEXTRA=0.25' && link_as c2 tools/workloads/twin.ld '-DNUMBER=1.5 -DEXTRA=0.25' &&
    python3 tests/host/image/compare_twins.py "$work/c1/elf" "$work/c2/elf" "$work/c1/image/workloads/constant.o" >"$work/log" &&
    grep -q ', [12] relocated operands' "$work/log"
verdict $? "constants at other addresses are no difference"
link_as c3 tools/workloads/twin.ld '-DNUMBER=2.5 -DEXTRA=0.25' &&
    ! python3 tests/host/image/compare_twins.py "$work/c1/elf" "$work/c3/elf" "$work/c1/image/workloads/constant.o" >"$work/log" &&
    grep -q 'refers to other contents' "$work/log"
verdict $? "another constant is seen"
link_as c4 linker.ld '-DNUMBER=1.5 -DEXTRA=outside(x)' && link_as c5 tools/workloads/twin.ld '-DNUMBER=1.5 -DEXTRA=outside(x)' &&
    ! python3 tests/host/image/compare_twins.py "$work/c4/elf" "$work/c5/elf" "$work/c4/image/workloads/constant.o" >"$work/log" &&
    grep -q 'outside of its function\|relocation type' "$work/log"
verdict $? "a call out of the workload is seen"

# ---------------------------------------------------------------- results
# The list, a line each: continued ones begin with eight blanks.
$twin list all | awk '/^        / {sub(/^ */, " "); line = line $0; next} {if (NR > 1) print line; line = $0} END {print line}' >"$work/list"
params() { sed -n "/^$1: /,/^[^ ]/s/^ *\\([a-z0-9_]*\\)=[0-9]* .*[( ]\\([0-9]*\\) to \\([0-9]*\\))\$/\\1 \\2 \\3/p" "$work/list"; } # name least most
names=$(sed -n 's/^\([^ ]*\): .*/\1/p' "$work/list")
for name in $names; do
    # Smallest parameters, and the defaults.
    least=$(params "$name" | awk '{printf "%s=%s ", $1, $2}')
    # shellcheck disable=SC2086
    [ -n "$least" ] && $twin "$name" $least >"$work/log" 2>&1 && grep -q 'right (' "$work/log" && $twin "$name" --repeat=2 --warm-up=1 >"$work/log" 2>&1 &&
        [ "$(grep -c 'right (' "$work/log")" = 2 ]
    verdict $? "$name runs and its results are right: $least, and the defaults ($(sed -n 's/^TSC/TSC/p' "$work/log"))"
done
$twin matmul-classic rows=1 >"$work/log" 2>&1 && grep -q 'right (6359601292)' "$work/log"
verdict $? "matmul-classic rows=1: its checksum is the one that the image prints"
$twin matmul-classic rows=2 rows=1 >"$work/log" 2>&1 && grep -q 'right (6359601292)' "$work/log"
verdict $? "a later word overrides an earlier one"
$twin matmul-classic rows=2 --repeat=3 --csv >"$work/log" 2>&1 && python3 - "$work/log" <<'PY'
import csv, sys
rows = list(csv.DictReader(open(sys.argv[1])))
good = len(rows) == 3 and all(r["right"] == "yes" and r["units"] == "2000000" and float(r["seconds"]) > 0 and int(r["tsc_ticks"]) > 0
                              and r["parameters"] == "n=1000 rows=2" and r["expected"] == r["got"] for r in rows)
sys.exit(not good or [r["repeat"] for r in rows] != ["1", "2", "3"])
PY
verdict $? "--csv is CSV"
$twin tight-loop --repeat=2 --json >"$work/log" 2>&1 && python3 - "$work/log" <<'PY'
import json, sys
run = json.load(open(sys.argv[1]))
sys.exit(len(run["runs"]) != 2 or run["parameters"] != {"iterations": 100000} or not all(r["right"] for r in run["runs"]))
PY
verdict $? "--json is JSON"

# ---------------------------------------------------------------- what is refused: arguments | status | words, one line each
while IFS='|' read -r arguments status words; do
    # shellcheck disable=SC2086
    $twin $arguments >"$work/out" 2>"$work/log"
    got=$?
    [ $got = "$status" ] && [ "$(wc -l <"$work/log")" = 1 ] && grep -qF -- "$words" "$work/log" && [ ! -s "$work/out" ]
    verdict $? "refused with status $status: ibsboot-workloads $arguments"
done <<'TABLE'
|2|which workload?
list nothing|2|list nothing: neither 'all', nor a group
matmul|2|workload = matmul: no such workload; 'list' names all workloads; did you mean 'matmul-blocked'?
matmul-classic rows=1001|2|'1001' is not a value of 'rows'; allowed is a number from 1 to 1000, or 0
matmul-classic rows=abc|2|'abc' is not a value of 'rows'; allowed is a number from 1 to 1000, or 0
false-sharing padding=12|2|padding = 12: workload false-sharing takes multiples of 8 from 8 to 4096
matmul-classic row=1|2|unknown key 'row'; did you mean 'rows'?
matmul-classic rows|2|no '=' in 'rows'
matmul-classic --pages=8k|2|'8k' is not a value of 'pages'; allowed is one of 4k, 2m, 1g; did you mean '4k'?
matmul-classic --cpu=1000000|2|is not a value of 'cpu'
matmul-classic --cpu=8190|3|cannot stay on processor 8190
matmul-classic --repeat=0|2|'0' is not a value of 'repeat'; allowed is a number from 1
matmul-classic --control=/nowhere/fifo|3|/nowhere/fifo: No such file
noise seconds=0|2|'0' is not a value of 'seconds'; allowed is a number from 1 to 86400
noise second=1|2|unknown key 'second'; did you mean 'seconds'?
noise --cpu=8190|3|cannot stay on processor 8190
TABLE
# A value that another workload accepts, and this one does not: the message of app/settings/params.c, as in the image.
for name in $names; do
    wide=$(for other in $names; do params "$other"; done | sort -k1,1 -k3,3nr | sort -u -k1,1 | awk '{print $1, $3}')
    params "$name" >"$work/own"
    while read -r key min max; do
        widest=$(echo "$wide" | sed -n "s/^$key //p")
        [ "$widest" -gt "$max" ] || continue
        $twin "$name" "$key=$((max + 1))" 2>"$work/log"
        [ $? = 2 ] && grep -qxE "$key = $((max + 1)): workload $name takes (multiples of 8 from )?$min to $max" "$work/log"
        verdict $? "refused: $name $key=$((max + 1))"
    done <"$work/own"
done
$twin list >/dev/full 2>"$work/log"
[ $? = 4 ] && grep -q 'cannot be written' "$work/log"
verdict $? "a full disk is told: status 4"
$twin --help >"$work/log" && grep -q 'Exit status: 0' "$work/log" && grep -q -- '--warm-up=N' "$work/log"
verdict $? "--help names options and exit status"

# ---------------------------------------------------------------- what Linux grants
last=$(sed -n 's/^Cpus_allowed_list:.*[^0-9]\([0-9]*\)$/\1/p' /proc/self/status)
$twin tight-loop iterations=1000000 --cpu="$last" --repeat=5 >"$work/log" 2>&1 &&
    [ "$(awk -v cpu="$last" '$1 ~ /^[1-5]$/ && $5 == cpu' "$work/log" | wc -l)" = 5 ]
verdict $? "--cpu=$last stays on processor $last"

# Stopped before the measured part, its memory as the kernel sees it from outside: place, size and pages.
paused() { # pages
    mkfifo "$work/stdin-$1"
    $twin matmul-classic --pages="$1" --pause >"$work/out" 2>"$work/err" <"$work/stdin-$1" &
    pid=$!
    exec 3>"$work/stdin-$1" # held open: no line and no end comes
    for _ in $(seq 100); do
        grep -q ready "$work/err" && break
        sleep 0.1
    done
    awk '/^[0-9a-f]+-[0-9a-f]+ / {inside = $1 ~ /^400000000000-/} inside' "/proc/$pid/smaps" >"$work/log"
    runs=$(grep -c ' 1 .*right' "$work/out")
    kill -USR1 $pid
    wait $pid
    status=$?
    exec 3>&-
    [ $status = 0 ] && [ "$runs" = 0 ] && grep -q 'right (' "$work/out" && [ -s "$work/log" ]
}
paused 4k && grep -q '^AnonHugePages: *0 kB' "$work/log" && grep -q '^KernelPageSize: *4 kB' "$work/log" && grep -q 'pages: 4k$' "$work/out"
verdict $? "--pause waits for SIGUSR1; --pages=4k gives 4 KB pages, at the image's address"
paused 2m
status=$?
got=$(sed -n 's/.*pages: //p' "$work/out")
case $got in
"2m (MAP_HUGETLB)") [ $status = 0 ] && grep -q '^KernelPageSize: *2048 kB' "$work/log" ;;
"2m (madvise)") [ $status = 0 ] && size=$(sed -n 's/^Size: *//p' "$work/log") && grep -q "^AnonHugePages: *$size" "$work/log" ;;
2m\ for\ *) [ $status = 0 ] ;;
"4k (no huge"*) [ $status = 0 ] && grep -q '^AnonHugePages: *0 kB' "$work/log" ;;
*) false ;;
esac
verdict $? "--pages=2m says what the kernel says: $got"
echo | $twin tight-loop --pause >"$work/log" 2>&1 && grep -q 'right (' "$work/log"
verdict $? "--pause goes on at Enter"

# Only the measured part is sampled when perf is switched by --control.
mkfifo "$work/commands" "$work/acks"
if perf record -q -e cpu-clock -c 200000 --delay=-1 --control="fifo:$work/commands,$work/acks" -o "$work/perf.data" \
    $twin matmul-classic rows=20 --repeat=3 --control="$work/commands,$work/acks" >"$work/log" 2>&1; then
    perf script -i "$work/perf.data" -F ip,sym 2>/dev/null | awk '{print $2}' | sort | uniq -c | sort -rn >"$work/log"
    kernel=$(awk '$2 == "multiply_matrices" {print $1}' "$work/log")
    [ "${kernel:-0}" -gt 100 ] && ! grep -qE ' (prepare|check)$' "$work/log"
    verdict $? "perf switched by --control: ${kernel:-0} samples in the kernel, none in prepare or check"
    perf record -q -e cpu-clock -c 200000 -o "$work/perf.data" $twin matmul-classic rows=20 --repeat=3 >"$work/log" 2>&1
    perf script -i "$work/perf.data" -F ip,sym 2>/dev/null | awk '{print $2}' | sort | uniq -c | sort -rn >"$work/log"
    grep -qE ' (prepare|check)$' "$work/log"
    verdict $? "which without it are sampled: $(awk '$2 ~ /prepare|check/ {n += $1} END {print n + 0}' "$work/log")"
else
    skip "perf switched by --control" "perf may not record here: $(grep -m 1 -i 'error\|permi\|fail' "$work/log")"
fi

# ---------------------------------------------------------------- noise
$twin noise seconds=2 quanta=1000 --cpu="$last" >"$work/log" 2>&1 && grep -q '^Noise, selfish detour: [12]\.[0-9]* s, ' "$work/log" &&
    grep -q '^9 x the usual gap ' "$work/log" && grep -q '^1 us ' "$work/log" && grep -q '^Noise, fixed work quantum: 1000 quanta' "$work/log"
verdict $? "noise: its table (here: $(sed -n 's/^1 us *//p' "$work/log" | tr -s ' '); $(sed -n 's/^\(Period.*\)/\1/p' "$work/log" | head -n 1))"
# A disturbance: 0.4 s in which it is stopped.
$twin noise seconds=2 quanta=0 --folder="$work/noise" >"$work/log" 2>&1 &
pid=$!
sleep 1
kill -STOP $pid
sleep 0.4
kill -CONT $pid
wait $pid && python3 - "$work/noise" >"$work/log" 2>&1 <<'PY'
import csv, sys
facts = dict(line[3:].rstrip("\n").split(" = ", 1) for line in open(sys.argv[1] + "/run.ini") if line.startswith("#: "))
noise = {key.removeprefix("noise.linux."): value for key, value in facts.items() if key.startswith("noise.linux.")}
at, longest = max(((int(row["start_ns"]), int(row["length_ns"])) for row in csv.DictReader(open(sys.argv[1] + "/noise.csv"))), key=lambda d: d[1])
detours, lost = int(noise["microsecond.detours"]), int(noise["microsecond.lost_ppb"])
print(at, longest, detours, lost)
assert 0.4e9 <= longest < 2e9 and 0.1e9 < at < 2e9 and int(noise["largest_ns"]) == longest
assert detours >= 1 and lost * int(noise["duration_ns"]) / 1e9 >= 0.4e9 and "microsecond.fewer_micro_per_second" not in noise
assert facts["config"] == "noise" and "quanta" not in noise
assert sum(int(value) for key, value in noise.items() if key.startswith("bin.")) == max(int(noise["nine.detours"]), detours)
PY
verdict $? "noise: a stop of 0.4 s is found: $(head -c 60 "$work/log")"
$twin noise seconds=1 quanta=0 --csv >"$work/log" 2>&1 && awk -F, 'NR == 1 {good = $0 == "regime,start_ns,length_ns,cause"; next}
    {good = good && NF == 4 && $1 == "linux" && $2 >= end; end = $2 + $3 - 1} END {exit !good || NR < 2}' "$work/log"
verdict $? "noise: --csv has each detour in its order ($(wc -l <"$work/log") lines)"

finish
