#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Every predefined configuration by its name: its run, its title, and its views with samples in them.
. "$(dirname "$0")/../lib"

# name|title|view|... of each configuration; a boot runs several, one after the other.
counted='assess|Assess performance|Overall assessment|IPC assessment|Branch assessment|Data access assessment|DTLB assessment|Misalign access assessment
branch|Investigate branching|Branch assessment|Taken branch report|Near return report
data_access|Investigate data access|Data access report|DTLB report|Misalign access assessment
inst_access|Investigate instruction access|Instruction access report|ITLB report
l2_access|Investigate L2 cache access|L2 access report
tbp|Time-based profile|Time-based profile
ibs|Instruction-based sampling|IBS fetch profile|IBS op profile|IBS load/store breakdown|IBS DC miss latency'
fetched='ibs_fetch_overall|IBS fetch overall|IBS fetch overall
ibs_fetch_ic|IBS fetch instruction cache|IBS fetch instruction cache
ibs_fetch_itlb|IBS fetch ITLB|IBS fetch ITLB
ibs_fetch_page|IBS fetch page translations|IBS fetch page translations'
ops='ibs_op_overall|IBS all ops|IBS all ops
ibs_op_branch|IBS BR branch|IBS BR branch
ibs_op_ls|IBS MEM all load/store|IBS MEM all load/store
ibs_op_ls_dc|IBS MEM data cache|IBS MEM data cache
ibs_op_ls_dtlb|IBS MEM data TLB|IBS MEM data TLB
ibs_op_ls_expert|IBS MEM forwarding and bank conflicts|IBS MEM forwarding and bank conflicts
ibs_op_ls_memacc|IBS MEM locked ops and access by type|IBS MEM locked ops and access by type
ibs_op_ls_page|IBS MEM translations by page size|IBS MEM translations by page size
ibs_op_nb_access|IBS NB local/remote access|IBS NB local/remote access
ibs_op_nb_cache|IBS NB cache state|IBS NB cache state
ibs_op_nb_service|IBS NB request breakdown|IBS NB request breakdown'

# every NAME OPTIONS ROWS
every() {
    boot "$1" 0 --options "menu=no $2 config=$(printf '%s\n' "$3" | cut -d '|' -f 1 | paste -s -d , -)"
    while IFS= read -r row; do
        check_counters configuration "$row"
    done <<END
$3
END
}

every configs-counters "n=200 timer_us=10" "$counted"
every configs-fetch "n=100" "$fetched"
every configs-ops "n=100" "$ops"
# The matrix multiply has no returns. (A variable before a function stays set in some shells, so it is set for good.)
IBSBOOT_IMAGE=ibsboot-test
export IBSBOOT_IMAGE
every configs-returns "workload=calls calls=50000 depth=3 call_stack=5 op_period=16384 fetch_period=16384 timer_us=10" \
    "ibs_op_return|IBS BR return|IBS BR return
tbp|Time-based profile|Time-based profile"
# The call stacks that were asked for, too: by the machine code, and those of the timer, whose address is the stack's, as perf has them.
elf=${IBSBOOT_BUILD:-build}/ibsboot-test.elf work=$PWD/$dir/perf
python3 tests/boot/check/check_stacks.py "$elf" "$dir"/runs/* >"$dir/stacks.txt" 2>&1
add_checks check_stacks.py $? "$dir/stacks.txt"
mkdir -p "$work"
perf --buildid-dir "$work" buildid-cache --add "$(realpath "$elf")"
timed=$dir/runs/0002-calls-tbp
perf --buildid-dir "$work" script --no-inline -i "$timed/perf.data" -F ip,sym,dso >"$work/script" 2>/dev/null
perf --buildid-dir "$work" report --children --stdio -g none --sort dso,sym -i "$timed/perf.data" >"$work/report" 2>/dev/null
for by in caller callee stack; do
    "${IBSBOOT_BUILD:-build}/tools/ibsprof" report --by=$by --csv --debug-dir="${IBSBOOT_BUILD:-build}" -o "$work/$by" "$timed"
done
if result=$(python3 tests/host/ibsprof/compare_calls.py ibsboot.elf "$work/script" "$work/report" "$work/caller" "$work/callee" "$work/stack"); then
    ok "call stacks as perf has them: $result"
else
    not_ok "call stacks are not perf's: $result"
fi
# A compiler takes the op samples of its functions.
if command -v clang >/dev/null; then
    python3 tests/boot/check/check_autofdo.py "${IBSBOOT_BUILD:-build}/tools/ibsprof" "$elf" "$dir"/runs/0001-* tests/workloads/calls.c "$work" >"$dir/autofdo.txt" 2>&1
    add_checks check_autofdo.py $? "$dir/autofdo.txt"
fi
IBSBOOT_IMAGE=
boot configs-selftest 0 --options "menu=no selftest=yes config=selftest,ibs n=20"
shows "PASS op.intervals: random op intervals have the mean that was set"
shows "Self-test: 12 of 12 checks passed."
if grep -qx '#: selftest = passed' "$dir"/runs/0002-*/run.ini; then ok "configs-selftest: in run.ini"; else not_ok "configs-selftest: not in run.ini"; fi
if [ "$passed" -ge 34 ]; then ok "23 configurations"; else not_ok "$passed checks, wanted 34"; fi
finish
