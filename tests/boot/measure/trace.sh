#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Traces of ops (config=trace): the sequence of a kernel written by hand, three times, with registers of two families; the matrix multiply's
# inner loop for Konata; and processors that cannot.
. "$(dirname "$0")/../lib"

check_trace() {
    check_with check_trace.py "$@"
}

mkdir -p build/boot
# examples/hand.S with six steps, as it stands there.
make -s -C examples hand && make -s build/tools/ibsprof && build/tools/ibsprof codemap build/code/hand.elf >build/boot/trace-map.txt || exit 1
hand="mov mov 6*(imul sub jne) mov ret"
for revision in C zen4; do
    batch_options="--revision $revision --file build/code/hand.elf:ibsboot/code/hand.elf --file build/code/hand.map:ibsboot/code/hand.map"
    batch trace-$revision 0 "config=trace" "workload=hand steps=6" run run run \
        "config=exact" "reference=no" run
    check_trace order 0001,0002,0003 "$hand"
    shows "same program order: "
    shows "the workload ends after op"
done
batch_options=

# 300 ops of the matrix multiply, from its inner loop on.
batch trace-matmul 0 "config=trace" "workload=matmul-classic n=6 rows=1" "trace_from=40" "trace_ops=300" "repeats=1" run
check_trace loop 0001 6 22
if build/tools/ibsprof export --format=konata -o build/boot/trace.kanata "$dir"/runs/0001-*; then ok "the trace is written for Konata"; else not_ok "no trace for Konata"; fi
check_trace konata 0001 build/boot/trace.kanata

# Ops are not counted; an IbsOpCurCnt that does not take what is written.
boot trace-b 1 --revision B --options "menu=no config=trace workload=divide-chain steps=2"
shows "config = trace: needs op intervals that are counted in ops"
boot trace-curcnt 1 --hostile curcnt-ignored --options "menu=no config=trace workload=divide-chain steps=2"
shows "WARNING: no sample came after a short first interval"

finish
