#!/bin/sh
# General Exploration of the matrix multiply, whose loop waits for its own results and for memory.
. "$(dirname "$0")/lib"

boot explore 0 --options "menu=no config=explore n=150"
check_counters invariants 6
check_counters counts 0.1
check_counters flagged "Back-end bound"
check_counters columns
finish
