#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# ibsprof reads recordings of Debian's perf on this machine: every sample's fields against perf script's, in its order;
# unsupported features are refused by name; our own files against ibs_dump, register by register.
ibsprof=build/tools/ibsprof
work=$PWD/build/ibsprof-read
rm -rf "$work"
mkdir -p "$work"
. tools/verdicts
log=$work/log


gcc -O1 -g -o "$work/load" tests/host/ibsprof/load.c || exit 1

# ---- recorded by perf
recorded() { # name, perf record options...: the program forks; events that perf cannot record here are reported
    name=$1
    file=$work/$(echo "$name" | tr -c 'a-z0-9\n' -).data
    shift
    if ! perf record -o "$file" "$@" >"$work/log" 2>&1 || [ ! -s "$file" ]; then
        skip "$name" "$(grep -v '^$' "$work/log" | grep -v '^Error:$' | head -n 1)"
        return
    fi
    agrees
}
agrees() { # what perf script prints of $file, field by field, in its order
    if ! $ibsprof export --format=jsonl "$file" >"$work/jsonl" 2>"$work/log"; then
        not_ok "$name"
        return
    fi
    if python3 tests/host/ibsprof/compare_script.py "$file" "$work/jsonl" >"$work/log" 2>&1; then
        ok "$name: $(head -n 1 "$work/log")"
    else
        not_ok "$name"
    fi
}
load=$work/load
recorded "one event" -e cpu-clock "$load"
recorded "a period" -e cpu-clock -c 250000 "$load"
recorded "a frequency" -e cpu-clock -F 2000 "$load"
recorded "several events" -e task-clock,page-faults,context-switches "$load"
recorded "several events, periods of their own" -e task-clock/period=200000/,page-faults/period=3/ "$load"
recorded "a group" -e '{cpu-clock,page-faults}' "$load"
recorded "a group read with its leader" -e '{cpu-clock,page-faults}:S' "$load"
# Not inherited: perf before 6.12 takes the counts of one thread from those of another.
recorded "a counter read with each sample" --no-inherit -e 'cpu-clock:S' "$load"
recorded "identifiers" --sample-identifier -e cpu-clock,page-faults "$load"
recorded "call chains" -g -e task-clock "$load"
recorded "call chains of two events" -g -e task-clock,page-faults "$load"
recorded "call chains by DWARF" --call-graph dwarf,1024 -e task-clock -c 2000000 "$load"
recorded "call chains by LBR" --call-graph lbr -e cycles "$load"
recorded "branches" -b -e cycles "$load"
recorded "addresses" -d -e page-faults -c 1 "$load"
recorded "physical addresses" -d --phys-data -e page-faults -c 1 "$load"
recorded "page sizes" -d --data-page-size --code-page-size -e page-faults -c 1 "$load"
recorded "weights" -W -e cpu-clock "$load"
recorded "transactions" --transaction -e cpu-clock "$load"
recorded "registers at the interrupt" --intr-regs=AX,BX,IP,SP -e cpu-clock "$load"
recorded "registers of user mode" --user-regs=AX,BX,IP,SP -e cpu-clock "$load"
recorded "cgroups" --all-cgroups -e cpu-clock "$load"
recorded "processor numbers" --sample-cpu -e cpu-clock "$load"
recorded "no times, no inheritance" --no-inherit -e cpu-clock "$load"
recorded "raw data" -R -e cpu-clock "$load"
recorded "tracepoints" -e sched:sched_switch "$load"
recorded "all system calls" -e 'syscalls:*' "$load"
recorded "300 events" -e "$(seq -f 'cpu-clock/period=%.0f/' 2000001 2 2000599 | paste -sd ,)" "$load"
recorded "switches of context" --switch-events -e cpu-clock "$load"
recorded "namespaces" --namespaces -e cpu-clock "$load"
recorded "build-ids in maps" --buildid-mmap -e cpu-clock "$load"
recorded "no build-ids" --no-buildid -e cpu-clock "$load"
recorded "all processors" -a -e cpu-clock,page-faults -- "$load"
recorded "IBS" -e ibs_op// -a -- "$load"
recorded "compressed" -z -e cpu-clock "$load"
recorded "compressed, several events and call chains" --compression-level=9 -g -a -e cpu-clock,page-faults -- "$load"
recorded "a folder of threads" --threads -a -e cpu-clock,page-faults -- "$load"
recorded "a folder of threads, compressed" --threads -z -F 5000 -a -e cpu-clock -- "$load"
name="into a pipe" file=$work/piped.data
perf record -q -g -e cpu-clock,page-faults -o - "$load" >"$file" 2>/dev/null
agrees
check "out of a pipe" sh -c "$ibsprof export --format=jsonl - <$file | cmp - $work/jsonl"

# The comparison itself must detect a difference.
file=$work/addresses.data
differs() { # name, sed expression
    $ibsprof export --format=jsonl "$file" | sed "$2" >"$work/jsonl"
    if python3 tests/host/ibsprof/compare_script.py "$file" "$work/jsonl" >"$work/log" 2>&1; then not_ok "$1"; else ok "$1"; fi
}
if [ -s "$file" ]; then
    differs "comparison sees a wrong period" '3s/"period":1/"period":2/'
    differs "comparison sees a wrong address" '5s/"addr":"0x/"addr":"0x1/'
    differs "comparison sees a missing sample" '4d'
else
    skip "comparison sees a difference" "addresses were not recorded"
fi

# Counts of records are those of perf report --stats.
stats() {
    perf report --stats -i "$1" 2>/dev/null | sed -n 's/^ *\([A-Z_0-9]*\) events: *\([0-9]*\).*/\1 \2/p' >"$work/perf-stats"
    $ibsprof info --json "$1" >"$work/info" && python3 - "$work/info" "$work/perf-stats" <<'PY'
import json, sys
ours = json.load(open(sys.argv[1]))["records"]
theirs = {}
for name, count in (line.split() for line in open(sys.argv[2])):
    if name != "TOTAL":
        theirs.setdefault(name, int(count))  # the sums come first, then each event's
wrong = {name: (ours.get(name, 0), theirs.get(name, 0)) for name in ours.keys() | theirs.keys() if ours.get(name, 0) != theirs.get(name, 0)}
print(wrong or f"{sum(ours.values())} records of {len(ours)} types")
sys.exit(bool(wrong))
PY
}
for name in one-event all-processors switches-of-context; do
    if [ -s "$work/$name.data" ]; then check "counts of records: $name" stats "$work/$name.data"; else
        skip "counts of records of $name" "was not recorded"
    fi
done
maps() { # maps, with the build-ids that perf's table has for them, as perf prints them
    perf buildid-list -i "$1" | sort -u >"$work/ids"
    [ "$($ibsprof info --json "$1" | python3 -c 'import json,sys; print(json.load(sys.stdin)["maps_with_build_id"])')" -ge 2 ] &&
        grep -q "$work/load" "$work/ids"
}
check "maps get their build-ids from the table" maps "$work/one-event.data"
check "build-ids in maps" sh -c "$ibsprof info $work/build-ids-in-maps.data | grep -Eq '^maps +[0-9]+, [1-9]'"

# ---- accesses with a data source, as perf mem and perf c2c record them
mkdir "$work/lines"
check "cache lines, sources and functions as perf c2c and perf report --mem-mode have them" \
    python3 tests/host/ibsprof/compare_c2c.py $ibsprof "$work/lines" 2000 "$(date +%j)"
for change in 's/"modified":3/"modified":4/g' 's/"offset":8,/"offset":9,/'; do
    printf '#!/bin/sh\n%s "$@" | sed '"'%s'"'\n' "$PWD/$ibsprof" "$change" >"$work/wrong"
    chmod +x "$work/wrong"
    if python3 tests/host/ibsprof/compare_c2c.py "$work/wrong" "$work/lines" 2000 1 >"$log"; then not_ok "comparison sees $change"; else ok "comparison sees $change"; fi
done

# ---- and by data object
check "variables and mappings as perf report --mem-mode has them" \
    python3 tests/host/ibsprof/compare_objects.py $ibsprof "$work/lines" 2000 "$(date +%j)"
for change in 's/^counts,/count,/' 's/^anon,/[heap],/'; do
    printf '#!/bin/sh\n%s "$@" | sed '"'%s'"'\n' "$PWD/$ibsprof" "$change" >"$work/wrong"
    if python3 tests/host/ibsprof/compare_objects.py "$work/wrong" "$work/lines" 2000 1 >"$log"; then not_ok "comparison sees $change"; else ok "comparison sees $change"; fi
done

# ---- files from a server, and only where one is named: of a program that is gone, without symbols and with them apart
ask() { # servers
    HOME=$work DEBUGINFOD_URLS=$1 DEBUGINFOD_CACHE_PATH=$work/cache $ibsprof report --by=function --csv "$work/gone.data" 2>"$work/err"
}
served() {
    folder=$work/served/buildid/$(readelf -n "$work/load" | sed -n 's/.*Build ID: //p')
    mkdir -p "$folder"
    strip -o "$work/gone" "$work/load" && perf record -q -N -e cpu-clock -o "$work/gone.data" "$work/gone" && mv "$work/gone" "$folder/executable" &&
        objcopy --only-keep-debug "$work/load" "$folder/debuginfo" || return 1
    (cd "$work/served" && exec python3 -u -m http.server --bind 127.0.0.1 0) >"$work/asked" 2>&1 &
    server=$!
    until grep -q 'port [1-9]' "$work/asked"; do sleep 0.1; done
    ask "" >"$work/without.csv"
    without=$(grep -c GET "$work/asked")
    ask "http://127.0.0.1:$(sed -n 's/.* port \([0-9]*\) .*/\1/p' "$work/asked")" >"$work/with.csv"
    kill $server
    cat "$work/asked" "$work/with.csv"
    [ "$without" = 0 ] && ! grep -q ',add,' "$work/without.csv" && grep -q ',add,' "$work/with.csv" && grep -q "GET .*/debuginfo.* 200" "$work/asked"
}
check "files from debuginfod" served

# ---- refused, and why
refused() { # name, words, file, exit status
    $ibsprof info "$3" >"$work/out" 2>"$work/log"
    status=$?
    if [ $status = "${4:-1}" ] && grep -Eq "$2" "$work/log" && [ "$(wc -l <"$work/log")" = 1 ]; then ok "$1: $(cat "$work/log")"; else
        not_ok "$1: status $status"
    fi
}
head -c 150 "$work/one-event.data" >"$work/cut"
refused "cut off before its records" 'offset [0-9]+: ' "$work/cut"
refused "not there" 'No such file' "$work/none"
: >"$work/empty"
refused "empty" 'the file is empty' "$work/empty"
echo "hello, this is not a profile at all, but it is long enough" >"$work/text"
refused "something else" 'neither perf.data nor a raw file' "$work/text"
refused "a folder without a run" 'no perf.data and no runs' "$work"

# ---- cut short at random places: what is there
for name in all-processors compressed compressed--several-events-and-call-chains piped; do
    if [ -s "$work/$name.data" ]; then
        check "cut short: $name" python3 tests/host/ibsprof/compare_cut.py $ibsprof "$work/$name.data" 12 "$(date +%j)" "$work"
    else
        skip "cut short: $name" "was not recorded"
    fi
done

# ---- our own: every register, as ibs_dump has them
same() {
    build/tools/ibs_dump "$1" >"$work/dump" && $ibsprof export --format=jsonl "$1" >"$work/jsonl" &&
        python3 tests/host/ibsprof/compare_dump.py "$work/dump" "$work/jsonl" 1000
}
id=0123456789abcdef0123456789abcdef01234567
for caps in 7 1f; do
    build/tools/make_perfdata "$work/own-$caps.data" $caps 200 7b $id 1000 2000 1000
    check "caps $caps: all registers and fields" same "$work/own-$caps.data"
    check "caps $caps: lost samples" sh -c "$ibsprof info $work/own-$caps.data | grep -Eq '^lost +369:'"
    check "caps $caps: perf.data written and read again" sh -c "
        $ibsprof export --format=perf.data -o $work/again.data $work/own-$caps.data &&
        $ibsprof export --format=jsonl $work/own-$caps.data >$work/a && $ibsprof export --format=jsonl $work/again.data >$work/b && cmp $work/a $work/b"
    check "caps $caps: perf reads what was written" sh -c "perf script -D -i $work/again.data 2>&1 | grep -q 'IbsOpRip:'"
done
check "a Linux file is not rewritten" sh -c "$ibsprof export --format=perf.data $work/one-event.data >$work/log 2>&1; [ \$? = 2 ]"

# ---- the program
check "csv wants one kind" sh -c "$ibsprof export $work/own-7.data 2>&1 | grep -q 'choose with --samples=op|fetch'"
check "csv: as many rows as samples" sh -c "[ \$($ibsprof export --samples=op $work/own-7.data | wc -l) = 513 ]"
# A single process: perf does not record the core of a sample.
check "csv of a clock" sh -c "$ibsprof export $work/one-event.data | head -n 2 | tail -n 1 | grep -Eq '^[0-9]+,-,[0-9]+,[0-9]+,[01],\"cpu-clock\",0x'"
for command in info export; do
    check "$command --help" sh -c "$ibsprof $command --help | grep -q '^usage: ibsprof $command'"
    check "$command without a file: status 2" sh -c "$ibsprof $command >/dev/null 2>&1; [ \$? = 2 ]"
done
check "an output that cannot be written: status 4" sh -c "$ibsprof export --samples=op $work/own-7.data >/dev/full 2>$work/err; [ \$? = 4 ]"
check "no folder for the output: status 4" sh -c "$ibsprof export -o $work/none/x $work/one-event.data 2>$work/err; [ \$? = 4 ]"
check "a file that breaks off gives what was before: status 1" sh -c "
    python3 - $work/one-event.data $work/broken <<'PY'
import struct, sys
data = bytearray(open(sys.argv[1], 'rb').read())
at, size = struct.unpack_from('<QQ', data, 40)
records = []
while at < struct.unpack_from('<Q', data, 40)[0] + size:
    records.append(at)
    at += struct.unpack_from('<H', data, at + 6)[0]
struct.pack_into('<H', data, records[len(records) // 2] + 6, 3)
open(sys.argv[2], 'wb').write(data)
PY
    $ibsprof export $work/broken >$work/rows 2>$work/log; [ \$? = 1 ] && [ \$(wc -l <$work/rows) -gt 50 ] && grep -q 'smaller than its header' $work/log"

finish
