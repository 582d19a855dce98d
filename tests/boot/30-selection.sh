#!/bin/sh
# How ops are selected: fixed intervals alias with the loop, cycle counting favours ops that wait at dispatch.
. "$(dirname "$0")/lib.sh"

# 736 = 32 times the 23 ops of the loop: every sample falls on the same one.
boot fixed 0 --options "menu=no random=no fetch=no op_period=736 n=300"
shows "WARNING: the intervals are not random"
shows "WARNING: op samples"
check biased 50

boot cycles 0 --options "menu=no count=cycles n=600"
shows "NOTE: op intervals were counted in core cycles"
check biased 2
check identities
finish
