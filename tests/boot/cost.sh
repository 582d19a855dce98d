#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The cost of a sample, in instructions that the virtual PMU counted from the NMI's delivery to its iretq.
. "$(dirname "$0")/lib"

boot cost 0 --count-handler --options "menu=no n=100"
check handler-cost op 150
check handler-cost fetch 120
boot cost-counters 0 --count-handler --options "menu=no n=200 config=l2_access,tbp timer_us=10"
check handler-cost counter 400
check handler-cost timer 180
finish
