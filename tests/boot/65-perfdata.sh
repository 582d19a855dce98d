#!/bin/sh
# perf.data of counters and the timer, as perf reads it: each instruction and symbol has the samples of our tables, and what they
# stand for is our estimate, however the events shared the counters; and of counters beside IBS.
. "$(dirname "$0")/lib"

boot perf-rerun 0 --timeout 300 --options "menu=no config=assess n=300"
perf_agrees

# Several runs, and an event in each group: what a sample stands for is no whole number.
boot perf-repeats 0 --timeout 300 --options "menu=no config=branch n=100 repeats=3"
perf_agrees

boot perf-turns 0 --timeout 300 --options "menu=no config=assess n=500 sharing=multiplex slice_us=20"
perf_agrees

boot perf-timer 0 --timeout 300 --options "menu=no config=tbp n=200 timer_us=10"
perf_agrees

boot perf-skid 0 --timeout 300 --options "menu=no config=skid n=400"
perf_agrees
finish
