#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The cost of a sample, in instructions that the virtual PMU counted from the NMI's delivery to its iretq: on the average, and of each way
# through the handler. A way that is longer than it was is a decision, not an accident: the numbers here are changed with it.
. "$(dirname "$0")/../lib"

boot cost 0 --count-handler --options "menu=no n=100"
check handler-cost op 150
check handler-cost fetch 120
# Without an address, with one, with the northbridge's data; of an NMI without a sample. Rarely: after the stop (68), a fetch and an op at once.
check handler-paths op 135,146 68,152,163,168,173,178,179,184
check handler-paths fetch 93,98 68,163,168,173,178,179,184
check handler-paths none 92
boot cost-counters 0 --count-handler --options "menu=no n=200 config=l2_access,tbp timer_us=10"
check handler-cost counter 400
check handler-cost timer 180
# One overflow, two at once, after the stop; a tick, and that of the timer's test.
check handler-paths counter 324 68,389
check handler-paths timer 36,143
bench/run build/boot/cost build/boot/cost-counters >build/boot/cost.txt 2>&1 && grep -q '^timer / op handler instructions: [01][.][0-9]' build/boot/cost.txt
verdict $? "bench/run prints its figures of these boots"
finish
