#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# tools/record-linux: what it refuses, what it records, how it reports throttling, and that it restores the machine.
# This machine has no IBS: a wrapper of perf notes its arguments, and records cpu-clock instead.
cd "$(dirname "$0")/../../.." || exit 1
. tools/verdicts
work=$PWD/build/record-test
rm -rf "$work"
mkdir -p "$work/bin" "$work/sys/bus/event_source/devices/ibs_op/format" "$work/sys/devices/system/cpu/cpufreq" "$work/proc/self" \
    "$work/proc/sys/kernel"
log=$work/log
record() { tools/record-linux "$@" >"$work/log" 2>&1; }

while IFS='|' read -r arguments status words; do
    # shellcheck disable=SC2086
    record --out="$work/refused" $arguments
    got=$?
    [ $got = "$status" ] && grep -qF -- "$words" "$work/log" && [ ! -e "$work/refused" ]
    verdict $? "refused with status $status: record-linux $arguments"
done <<'TABLE'
|2|which workload?
--fast tight-loop|2|unknown option --fast
tight-loop matmul-classic|2|two workloads
tight-loop --runs=0|2|--runs=0 is not a number from 1
tight-loop --period=1000|2|--period=1000 is not a multiple of 16 from 144
tight-loop --period=128|2|is not a multiple of 16 from 144
tight-loop --event=cycles|2|is not one of ibs_op, ibs_fetch, cpu-clock
tight-loop --twin=/nowhere|3|/nowhere is not there
tight-loop --event=cpu-clock iterations=0x|2|'0x' is not a value of 'iterations'
tight-loop --event=cpu-clock --cpu=8000|3|cannot stay on processor 8000
TABLE
SYSFS=$work/none record tight-loop --out="$work/refused"
[ $? = 3 ] && [ "$(wc -l <"$work/log")" = 1 ] && grep -q 'no IBS here.*--event=cpu-clock' "$work/log"
verdict $? "without IBS: one line, which offers cpu-clock"
mkdir "$work/there" && ! record tight-loop --event=cpu-clock --out="$work/there" && grep -q 'is there already' "$work/log"
verdict $? "an old recording is not written over"

if ! perf record -q -e cpu-clock -C 0 -o "$work/try.data" true 2>"$work/log"; then
    skip recording "perf may not record here: $(head -n 1 "$work/log")"
    finish
    exit
fi

record matmul-classic rows=20 --event=cpu-clock --runs=2 --repeat=2 --pages=2m --kernel --out="$work/clock" &&
    [ "$(grep -c 'clock/000[12]: [1-9][0-9]* samples' "$work/log")" = 2 ]
verdict $? "cpu-clock is recorded: $(sed -n 's/.*0001: //p' "$work/log")"
grep -q '^workload = "matmul-classic"' "$work/clock/0002/run.ini" && grep -q '^rows = 20' "$work/clock/0002/run.ini" &&
    grep -q '^#: workload.work = 40000000' "$work/clock/0002/run.ini" && grep -q '^#: workload.check = 1' "$work/clock/0002/run.ini"
verdict $? "run.ini has settings, the work of all repeats, and the check"
id=$(readelf -n build/ibsboot-workloads | sed -n 's/.*Build ID: //p')
perf buildid-list -i "$work/clock/0001/perf.data" >"$work/log" 2>&1 && grep -q "^$id " "$work/log" &&
    cmp "$work/clock/debug/.build-id/$(echo "$id" | cut -c 1-2)/$(echo "$id" | cut -c 3-)/elf" build/ibsboot-workloads
verdict $? "the twin's build-id is in the file, and its ELF beside it"
relative=${work#"$PWD"/}/relative
record tight-loop iterations=100000 --event=cpu-clock --out="$relative" &&
    cmp "$relative/debug/.build-id/$(echo "$id" | cut -c 1-2)/$(echo "$id" | cut -c 3-)/elf" build/ibsboot-workloads
verdict $? "and beside a folder whose name is relative to this one"
id=$(perf buildid-list -i "$work/clock/0001/perf.data" | sed -n 's/ \[kernel.kallsyms\]$//p')
grep -q ' [tT] ' "$work/clock/debug/[kernel.kallsyms]/${id:-none}/kallsyms"
verdict $? "--kernel keeps the kernel's symbols by its build-id"
perf script -i "$work/clock/0001/perf.data" -F comm,ip,sym 2>/dev/null | awk '{print $1, $3}' | sort | uniq -c >"$work/log"
grep -q ' multiply_matrices$' "$work/log" && ! grep -qE ' (matmul-classic|ibsboot-workloa) (prepare|check)$' "$work/log"
verdict $? "only the measured part is in it"
grep -q ' matmul-classic multiply_matrices$' "$work/log"
verdict $? "its process is named as the workload, as in a run of ibsboot"

# A perf with IBS.
cat >"$work/bin/perf" <<PERF
#!/bin/sh
echo "\$*" >>"$work/asked"
[ "\$1" != record ] || cat "$work"/proc/sys/kernel/perf_* "$work"/sys/devices/system/cpu/cpufreq/boost >"$work/during"
if [ "\$1" = report ] && [ -e "$work/throttle" ]; then echo '     THROTTLE events:          2  ( 0.1%)'; fi
for word; do
    shift
    case \$word in ibs_*) word=cpu-clock ;; esac
    set -- "\$@" "\$word"
done
exec $(command -v perf) "\$@"
PERF
chmod +x "$work/bin/perf"
touch "$work/sys/bus/event_source/devices/ibs_op/format/cnt_ctl"
echo 1 >"$work/sys/devices/system/cpu/cpufreq/boost"
cp /proc/cpuinfo /proc/cmdline "$work/proc/"
grep Cpus_allowed_list /proc/self/status >"$work/proc/self/status"
echo 25 >"$work/proc/sys/kernel/perf_cpu_time_max_percent"
echo 50000 >"$work/proc/sys/kernel/perf_event_max_sample_rate"
export SYSFS="$work/sys" PROCFS="$work/proc" PATH="$work/bin:$PATH"

record tight-loop iterations=1000000 --runs=1 --out="$work/ibs"
status=$?
[ $status = 0 ] && grep -q -- '-e ibs_op/cnt_ctl=1/ -c 250000 -C [0-9]* -m 8M -R -d --delay=-1' "$work/asked"
verdict $? "ibs_op is recorded by dispatched ops, with registers and addresses"
[ "$(grep -c 'note: .*--tune sets' "$work/log")" = 3 ]
verdict $? "throttling and boost are told"
record tight-loop iterations=1000000 --runs=1 --cycles --period=65536 --out="$work/cycles" && grep -q -- '-e ibs_op// -c 65536 ' "$work/asked"
verdict $? "--cycles counts cycles"
record tight-loop iterations=1000000 --runs=1 --late --out="$work/late" && grep -q -- '-e ibs_op/cnt_ctl=1/GH .* --overwrite ' "$work/asked" &&
    grep -q 'late/0001: [1-9][0-9]* samples' "$work/log"
verdict $? "--late reads the buffer when all is over"
cp "$work/bin/perf" "$work/bin/perf.usual"
sed -i 's/^exec \(.*\)/\1\nstatus=$?\ncase "$*" in record*) for word; do file=$before before=$word; [ "$file" != -o ] || truncate -s 8M "$word"; done ;; esac\nexit $status/' "$work/bin/perf"
record tight-loop iterations=1000000 --runs=1 --late --out="$work/full"
[ $? = 1 ] && grep -q '0001: buffer overwritten' "$work/log" && [ -e "$work/full/0001/perf.data.throttled" ]
verdict $? "a buffer that was overwritten is told: status 1"
mv "$work/bin/perf.usual" "$work/bin/perf"
rm "$work/sys/bus/event_source/devices/ibs_op/format/cnt_ctl"
record tight-loop iterations=1000000 --runs=1 --period=131072 --out="$work/b" && grep -q -- '-e ibs_op// -c 131072 ' "$work/asked" &&
    grep -q 'counts cycles only' "$work/log"
verdict $? "so does a processor that cannot count ops, and it is told"
record tight-loop iterations=1000000 --runs=1 --tune --out="$work/tuned" && [ "$(tr '\n' ' ' <"$work/during")" = "0 1000000 0 " ] &&
    [ "$(cat "$work"/proc/sys/kernel/perf_* "$work/sys/devices/system/cpu/cpufreq/boost" | tr '\n' ' ')" = "25 50000 1 " ]
verdict $? "--tune sets boost and throttling, and puts them back"
record tight-loop iterations=1000000 --runs=2 --out="$work/after" --after="echo after \$1 \$(ls $work/after/debug | wc -l); false" &&
    [ "$(grep -c "^after $work/after/000[12] [1-9]" "$work/log")" = 2 ] && [ "$(grep -c -- '--after: status 1 for' "$work/log")" = 2 ] &&
    grep -A 1 '0001: [0-9]* samples$' "$work/log" | grep -q '^after .*0001 '
verdict $? "--after runs after each recording, when its symbols are there; a failure is told, and no more"
touch "$work/throttle"
record tight-loop iterations=1000000 --runs=2 --tune --out="$work/throttled"
[ $? = 1 ] && grep -q '0002: THROTTLE 2 : samples are missing' "$work/log" && grep -q '2 of 2 recordings are not fit' "$work/log" &&
    [ -e "$work/throttled/0001/perf.data.throttled" ] && [ ! -e "$work/throttled/0001/perf.data" ] &&
    [ "$(cat "$work/sys/devices/system/cpu/cpufreq/boost")" = 1 ]
verdict $? "a throttled recording is put aside: status 1, and the machine is put back"

finish
