#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Counter samples: eight events by re-runs and multiplexed give the same rates; each sample is weighted by the count it represents;
# short runs are flagged; the timer. And their perf.data, as perf reads it: each instruction and symbol has the samples of our tables,
# and the represented counts equal our estimate, however the events shared the counters.
. "$(dirname "$0")/../lib"

boot rerun 0 --options "menu=no config=assess n=500"
check_counters columns
check_counters estimate RETIRED_INSTRUCTIONS:00 5507583 2
perf_agrees

boot turns 0 --options "menu=no config=assess n=500 sharing=multiplex slice_us=20"
check_counters columns
check_counters same-rates build/boot/rerun 7
# In each of three groups, so counted all the time: three times too many with the naive weight.
check_counters estimate RETIRED_INSTRUCTIONS:00 5507583 2
check_counters reliability high
perf_agrees

boot few-turns 0 --options "menu=no config=assess n=60 sharing=multiplex slice_us=20"
shows " LOW"

boot timer 0 --options "menu=no config=tbp n=200 timer_us=10"
shows "Time-based profile"
check_counters columns
perf_agrees

# Several runs, and an event in each group: a sample's weight is not a whole number.
boot repeats 0 --options "menu=no config=branch n=100 repeats=3"
perf_agrees
finish
