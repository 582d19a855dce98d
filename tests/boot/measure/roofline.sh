#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The roofline of known loops: operations exactly, bytes by the arrays and the caches, peaks by what the model can do in a cycle.
. "$(dirname "$0")/../lib"
make -s build/tools/ibsprof || exit 1

check_roofline() {
    check_with check_roofline.py "$@"
}

# On Family 10h an event counts lines, on Zen 2 the data fabric, on Zen 4 the memory controllers: boot, KB of an array of the peak's triad, and of
# the caches that keep what is written.
for row in "C 4096 6720" "zen2 8192 16384" "zen4 16384 32768"; do
    # shellcheck disable=SC2086 # three words
    set -- $row
    batch_options="--revision $1"
    batch "roofline-$1" 0 "config=roofline" "workload=matmul-classic-sse n=100 rows=20" run \
        "workload=stream-triad kb=$2 pages=2m" run "workload=tight-loop iterations=1000" run
    check_roofline counts 1 $((2 * 100 * 100 * 20))
    check_roofline counts 2 $((2 * $2 * 1024 / 8))
    check_roofline counts 3 0
    check_roofline peaks 1
    check_roofline bytes 1 memory "$2" "$3"
    check_roofline bytes 2 workload "$2" "$3"
    check_roofline roof 2 memory
    check_roofline shown 1
    shows_not "NOT RESTORED"
done

# Two cores of a node: the event of lines is not theirs, and the output says so once.
boot roofline-cores 0 --smp 2 --options "menu=no cores=0,1 config=roofline workload=tight-loop iterations=1000"
shows "Bytes: not counted, several cores of"
check_roofline counts 1 0
finish
