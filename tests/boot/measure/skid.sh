#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# AMD's paper on IBS, section 3 against 4.2, in one command: counters smear the DC misses over the following instructions, IBS does not.
. "$(dirname "$0")/../lib"

boot skid 0 --options "menu=no config=skid"
check_counters skid 20 90
check_counters columns
shows "Counter samples beside IBS op samples"
perf_agrees
finish
