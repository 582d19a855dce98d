#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Files that perf records here: ibsprof's samples per event and symbol are perf script's; its listings know the source.
work=$PWD/build/ibsprof-host
ibsprof=$PWD/build/tools/ibsprof
rm -rf "$work"
mkdir -p "$work"
. tools/verdicts
log=$work/log
perf() { command perf --buildid-dir "$work/ids" "$@"; }

cat >"$work/busy.c" <<'EOP'
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
double a[200][200], b[200][200], c[200][200];
__attribute__((noinline)) static void multiply(int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int k = 0; k < n; k++)
                sum += a[i][k] * b[k][j]; /* the hot line */
            c[i][j] = sum;
        }
}
__attribute__((noinline)) static unsigned mix(unsigned char *bytes, size_t size)
{
    unsigned hash = 1;
    for (size_t i = 0; i < size; i++) {
        hash = hash * 31 + bytes[i];
        bytes[hash % size] ^= (unsigned char)i;
    }
    return hash;
}
static int compare(const void *x, const void *y)
{
    return *(const unsigned char *)x - *(const unsigned char *)y;
}
int main(int argc, char **argv)
{
    static unsigned char bytes[1 << 16];
    volatile unsigned hash = 0;
    for (int round = 0; round < 6; round++) {
        multiply(200);
        for (int i = 0; i < 20; i++) {
            hash += mix(bytes, sizeof(bytes));
            memset(bytes, (int)hash, sizeof(bytes) / 2);
            qsort(bytes, 2048, 1, compare);
        }
        for (int page = 0; page < 500; page++) { /* page faults */
            char *fresh = malloc(300000);
            fresh[page * 100] = 1;
            free(fresh);
        }
    }
    if (argc > 1) { /* once more as another program at the same place */
        if (fork() == 0)
            execv(argv[1], argv + 1);
        multiply(200);
        wait(NULL); /* the recording ends with this process */
    }
    return 0;
}
EOP
cc -O1 -g -o "$work/busy" "$work/busy.c" && cc -O1 -g -no-pie -o "$work/busy-fixed" "$work/busy.c" || exit 1

# agrees NAME AT-LEAST [PROGRAM]: samples of each event in each symbol, also the kernel's, and the sum of unknown places;
# with PROGRAM only its own, in user mode: which other programs a system-wide file names is not up to this test.
agrees() {
    perf script --no-demangle ${3:+--comms "$3"} -i "$work/$1.data" -F event,ip,sym,dso -G 2>/dev/null | c++filt -s gnu-v3 -i -p >"$work/$1.script"
    "$ibsprof" report --csv ${3:+--comm="$3"} "$work/$1.data" >"$work/$1.csv" 2>"$work/$1.err" || { not_ok "$1: $(cat "$work/$1.err")"; return; }
    if result=$(python3 - "$work/$1.script" "$work/$1.csv" "$2" "$3" <<'EOP'
import collections, csv, re, sys
theirs, ours, kernels = collections.Counter(), collections.Counter(), 0
for line in open(sys.argv[1]):
    match = re.match(r"\s*(\S+?):\s+([0-9a-f]+) (.+) \(([/[].*?)( \(deleted\))?\)$", line)
    if match and not (sys.argv[4] and int(match[2], 16) >> 63):
        event, ip, symbol, file, _ = match.groups()
        symbol = symbol.split("+0x")[0].strip()
        kernels += int(ip, 16) >> 63 and symbol != "[unknown]"
        # PLT entries have no symbol in a file; where perf does not synthesise one, _init, a label without a size, covers them.
        # The vdso is not a file: perf keeps copies, and finds them or not by its own options; ibsprof looks for them, too.
        known = file != "[vdso]" and symbol not in ("[unknown]", "_init") and not symbol.endswith("@plt")
        theirs[event.split(":")[0], symbol if known else "other"] += 1
rows = list(csv.reader(open(sys.argv[2], newline="")))
header = rows[0]
events = {i: name.split(" [")[0] for i, name in enumerate(header) if name.endswith(" [samples]") and name[0] not in "FX"}
at = {name: i for i, name in enumerate(header)}
for row in rows[1:]:
    if sys.argv[4] and row[at["workload"]] != "1":
        continue
    for i, event in events.items():
        known = row[at["object"]] != "[vdso]" and row[at["function"]] not in ("", "_init") and not row[at["function"]].endswith("@plt")
        ours[event.split(":")[0], row[at["function"]] if known else "other"] += int(row[i])
ours += collections.Counter()  # without zeros
different = {key: (theirs[key], ours[key]) for key in set(theirs) | set(ours) if theirs[key] != ours[key]}
print(f"{sum(theirs.values())} samples of {len(events)} events in {len(theirs)} symbols, {kernels} in functions of the kernel" if not different else f"perf, ibsprof: {different}")
sys.exit(bool(different) or sum(theirs.values()) < int(sys.argv[3]) or sum(theirs.values()) != sum(ours.values()))
EOP
    ); then ok "$1${3:+, $3}: as perf script: $result"; else not_ok "$1${3:+, $3}: $result"; fi
}

record() { # name, options of perf record, --, command
    name=$1
    shift
    perf record -q -o "$work/$name.data" "$@" >/dev/null 2>"$work/$name.log" || not_ok "perf record $name: $(cat "$work/$name.log")"
}

record clock -e cpu-clock -F 10000 -- "$work/busy"
agrees clock 100
record events -e cpu-clock -e task-clock -e page-faults -c 100000 -- "$work/busy"
agrees events 100
record chains -e cpu-clock -F 10000 -g --call-graph dwarf,1024 -- "$work/busy"
agrees chains 100
record fields -e cpu-clock -F 10000 -d -W -T -P --phys-data -s --sample-cpu --sample-identifier -- "$work/busy"
agrees fields 100
record exec -e cpu-clock -F 10000 -- "$work/busy-fixed" "$work/busy" x
agrees exec 150
record all -a -e cpu-clock -F 5000 -- "$work/busy-fixed" "$work/busy"
agrees all 50 busy-fixed
agrees all 50 busy
record buildids --buildid-all --buildid-mmap -e cpu-clock -F 10000 -- "$work/busy"
agrees buildids 100

# Who called whom, in a program that keeps its frame pointers.
cat >"$work/frames.c" <<'EOP'
#include <unistd.h>
static volatile double sum;
#define FUNCTION __attribute__((noinline)) static void
FUNCTION add(int count)
{
    for (int i = 0; i < count; i++)
        sum += i * 0.5;
}
FUNCTION both(int count)
{
    add(count);
    for (int i = 0; i < count; i++)
        sum -= i * 0.25;
}
FUNCTION again(int depth, int count)
{
    if (depth > 0)
        again(depth - 1, count);
    else
        both(count);
    add(count / 4);
}
FUNCTION ask(int times)
{
    for (int i = 0; i < times; i++)
        (void)!write(1, "", 1);
}
int main(void)
{
    for (int round = 0; round < 30; round++) {
        again(3, 100000);
        both(200000);
        ask(500);
    }
    return 0;
}
EOP
# Without stubs of the linker, which perf names after what they call, and which have no symbol.
cc -O1 -g -fno-plt -fno-omit-frame-pointer -mno-omit-leaf-frame-pointer -fno-optimize-sibling-calls -o "$work/frames" "$work/frames.c" || exit 1
record calls -e cpu-clock -F 10000 --call-graph fp -- "$work/frames"
perf script --no-inline -i "$work/calls.data" -F ip,sym,dso >"$work/calls.script" 2>/dev/null
perf report --children --stdio -g none --sort dso,sym -i "$work/calls.data" >"$work/calls.report" 2>/dev/null
for by in caller callee stack; do "$ibsprof" report --by=$by --csv -o "$work/calls.$by" "$work/calls.data"; done
calls() { python3 tests/host/ibsprof/compare_calls.py frames "$work/calls.script" "$work/calls.report" "$work/calls.caller" "$work/calls.callee" "$work/calls.stack"; }
if result=$(calls); then ok "call stacks as perf script and perf report have them: $result"; else not_ok "call stacks: $result"; fi
sed -i '0,/ main (/s// other (/' "$work/calls.script"
if calls >"$log"; then not_ok "comparison sees one other caller"; else ok "comparison sees one other caller"; fi

# The same without frame pointers, by a copy of each sample's stack: in the program, the C library that calls it back, and the kernel.
cc -O2 -g -fomit-frame-pointer -fno-optimize-sibling-calls -o "$work/no-frames" "$work/frames.c" || exit 1
unwound() { # name, program
    record "$1" -e cpu-clock -F 5000 --call-graph dwarf -- "$2"
    perf script --no-inline -i "$work/$1.data" -F ip,sym,dso 2>/dev/null | c++filt -p >"$work/$1.script"
    "$ibsprof" report --by=stack --csv -o "$work/$1.stacks" "$work/$1.data"
    python3 tests/host/ibsprof/compare_unwound.py 99 "$work/$1.script" "$work/$1.stacks" >"$log"
    verdict $? "stacks of --call-graph dwarf as perf script unwinds them, $1: $(head -n 1 "$log")"
}
unwound no-frames "$work/no-frames"
unwound busy "$work/busy"
sed -i '0,/^2,/s//1,/' "$work/busy.stacks"
python3 tests/host/ibsprof/compare_unwound.py 100 "$work/busy.script" "$work/busy.stacks" >"$log"
verdict $((! $?)) "comparison sees one function too many"

# A guest's samples have no names of the host.
if result=$(python3 tests/host/ibsprof/compare_guests.py "$ibsprof" "$work/clock.data" "$work"); then ok "guests: $result"; else not_ok "guests: $result"; fi

# Only one program of two.
"$ibsprof" report --csv --comm=busy-fixed "$work/exec.data" >"$work/one.csv"
if python3 - "$work/one.csv" <<'EOP'
import csv, sys
rows = list(csv.DictReader(open(sys.argv[1], newline="")))
mine = {row["object"].rsplit("/", 1)[-1] for row in rows if row["workload"] == "1" and row["function"] == "multiply"}
other = {row["object"].rsplit("/", 1)[-1] for row in rows if row["workload"] == "0" and row["function"] == "multiply"}
sys.exit(not (mine == {"busy-fixed"} and other == {"busy"}))
EOP
then ok "--comm takes one program of two"; else not_ok "--comm takes one program of two"; fi

# The listing: the inner loop's two lines have nearly all samples, and their text is the source's.
"$ibsprof" annotate "$work/clock.data" multiply >"$work/listing" 2>&1
line=$(grep -n 'the hot line' "$work/busy.c" | cut -d: -f1)
if awk -v line="$line" '$4 == line - 1 && /k < n/ || $4 == line && /sum \+=/ {share += $2} END {exit share < 80 || share > 100.1}' "$work/listing"; then
    ok "annotate: $(grep " $line | " "$work/listing" | head -n 1)"
else
    not_ok "annotate: $(head -n 20 "$work/listing")"
fi

# A file other than the one that ran is not used.
cp "$work/busy-fixed" "$work/busy"
rm -rf "$work/ids"
if HOME=/nonexistent "$ibsprof" report "$work/clock.data" 2>&1 | grep -q '/busy (build-id [0-9a-f]\{40\}): the file found has a different build-id'; then
    ok "another build of the program is refused"
else
    not_ok "another build of the program is refused"
fi

# Exit codes of output errors and misspelled options.
status() { # wanted, words, command...
    wanted=$1 words=$2
    shift 2
    "$@" >"$work/out" 2>"$work/err"
    got=$?
    if [ $got = "$wanted" ] && grep -q "$words" "$work/err" && [ "$(grep -vc '^  ' "$work/err")" -le 2 ]; then ok "status $wanted: $words"; else
        not_ok "status $got, wanted $wanted: $(cat "$work/err")"
    fi
}
status 4 'cannot be written' sh -c "$ibsprof report $work/clock.data >/dev/full"
status 4 'cannot be written' "$ibsprof" report -o /nonexistent/x "$work/clock.data"
status 2 "lists, not 'nonsense'" "$ibsprof" report --view=nonsense "$work/clock.data"
status 2 'no event' "$ibsprof" report --event=nonsense "$work/clock.data"
status 2 'no samples in a function' "$ibsprof" annotate "$work/clock.data" nonsense
status 1 'No such file' "$ibsprof" report "$work/nonsense"

# The vDSO: perf record keeps a copy of its code below $HOME/.debug, and both name what was called there. Newer kernels have a function without a
# symbol in it: perf prints its addresses as names, ibsprof leaves the name empty.
printf '%s\n' '#include <time.h>' 'int main(void) { struct timespec t; for (long i = 0; i < 20000000; i++) clock_gettime(CLOCK_MONOTONIC, &t); return 0; }' >"$work/clock.c"
mkdir -p "$work/home"
vdso() {
    gcc -O1 -o "$work/ask-clock" "$work/clock.c" &&
        HOME=$work/home command perf record -q -e cpu-clock -c 2000000 -o "$work/vdso.data" "$work/ask-clock" &&
        HOME=$work/home command perf report --stdio -i "$work/vdso.data" 2>/dev/null | awk '/\[vdso\]/ {print $NF}' | sort >"$work/vdso.perf" &&
        HOME=$work/home "$ibsprof" report --csv "$work/vdso.data" | awk -F , '$1 == "[vdso]" {name = $3; if (name == "") {name = substr($2, 3); while (length(name) < 16) name = "0" name; name = "0x" name} print name}' | sort -u >"$work/vdso.ours"
    cat "$work/vdso.perf" "$work/vdso.ours"
    grep -q clock_gettime "$work/vdso.perf" && cmp "$work/vdso.perf" "$work/vdso.ours"
}
check "functions of the vDSO have perf's names" vdso

# Code that a process makes while it runs, by the names that it writes for perf.
cat >"$work/made.js" <<'EOP'
function square(n) { let sum = 0; for (let i = 0; i < n; i++) sum += Math.sqrt(i); return sum; }
function list(n) { const all = []; for (let i = 0; i < n; i++) all.push(i ^ n); return all.length; }
let total = 0;
for (let round = 0; round < 30; round++) total += square(2e6) + list(3e5);
console.log(total);
EOP
made_code() {
    (cd "$work" && perf record -q -e cpu-clock -F 2000 -o made.data node --perf-basic-prof made.js >/dev/null) &&
        perf report --stdio -n --sort dso,sym -i "$work/made.data" 2>/dev/null | sed -nE 's/^ +[0-9.]+% +([0-9]+) +\[JIT\] tid [0-9]+ +\[\.\] (.*[^ ]) *$/\1 \2/p' | sort >"$work/made.perf"
    "$ibsprof" report --by=function --csv "$work/made.data" | awk -F , '/^\[JIT\] tid [0-9]+,/ {print $NF, $3}' | sort >"$work/made.ours"
    rm -f /tmp/perf-"$(sed -n 's/.*tid //p' "$work/made.ours" | head -n 1)".map
    cat "$work/made.perf" "$work/made.ours"
    grep -q 'square' "$work/made.perf" && cmp "$work/made.perf" "$work/made.ours"
}
check "functions of Node.js have perf's names and counts" made_code

# A terminal has the pager, in its width and with its colours; a file has none.
on_terminal() { # variables, command line: what the terminal shows
    script -qec "stty cols 120 rows 20; env TERM=xterm $*" /dev/null
}
paged="tee $work/paged >/dev/null"
pages() {
    "$ibsprof" report --width=119 "$work/vdso.data" >"$work/not-paged"
    rm -f "$work/paged"
    PAGER="tee $work/other" "$ibsprof" report --width=119 "$work/vdso.data" | cmp - "$work/not-paged" && [ ! -e "$work/other" ] || return 1
    [ -z "$(on_terminal "PAGER='$paged' $ibsprof report $work/vdso.data")" ] || return 1
    grep -q "$(printf '\033')" "$work/paged" && sed 's/\x1b\[[0-9;]*m//g' "$work/paged" | cmp - "$work/not-paged"
}
check "a terminal's text goes through the pager, in its width" pages
own() { rm -f "$work/paged" && on_terminal "PAGER=false IBSPROF_PAGER='$paged' $ibsprof info $work/vdso.data" && [ -s "$work/paged" ]; }
check "ibsprof's own pager goes first" own
none() {
    for variables in IBSPROF_PAGER= IBSPROF_PAGER=cat "TERM=dumb IBSPROF_PAGER='$paged'"; do
        rm -f "$work/paged"
        on_terminal "$variables $ibsprof info $work/vdso.data" | grep -q vdso.data && [ ! -e "$work/paged" ] || return 1
    done
}
check "none where it is empty, cat, or the terminal dumb" none
own_status() { on_terminal "PAGER=cat' >/dev/null' $ibsprof info $work/nothing; echo status \$?" | grep -q 'status 1'; }
check "the program's status is its own" own_status

finish
