#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The effect of pages and frames on the same loop: shuffled frames raise the DC misses, 2 MB and 1 GB pages end the DTLB misses.
. "$(dirname "$0")/../lib"

boot shuffled 0 --options "menu=no frames=shuffled rows=2 op_period=512 fetch_period=256 records=262144"
check walk shuffled
check truth-ratio 3.5
check culprit-share 90
check dtlb-share 3.5
check identities
check paper-row "revision C model, shuffled frames"
check walk-figures

boot pages-2m 0 --options "menu=no pages=2m rows=2 op_period=512 fetch_period=256 records=262144"
check dtlb-misses 0.01
check walk contiguous
check truth-ratio 3.5
check identities
check paper-row "revision C model, 2 MB pages"

boot pages-1g 0 --options "menu=no pages=1g n=300"
check dtlb-misses 0.01
check identities

# The SSE twin has the same culprit.
# 24,000 samples: with the 7,000 of the automatic period the distance scatters by 0.35 points by chance alone.
boot sse 0 --options "menu=no workload=matmul-classic-sse n=400 op_period=160 fetch=no"
shows "PASS result of matmul-classic-sse"
shows "mulss"
check hottest
check culprit-truth 3.5 80
check truth 0.4
check identities
finish
