#!/bin/sh
# How ops are selected: fixed intervals alias with the loop, cycle counting favours ops that wait at dispatch.
. "$(dirname "$0")/lib.sh"

boot fixed 0 --options "menu=no random=no n=300"
shows "WARNING: the intervals are not random"
check biased 20

boot cycles 0 --options "menu=no count=cycles n=500"
shows "NOTE: op intervals were counted in core cycles"
check biased 8
check identities
finish
