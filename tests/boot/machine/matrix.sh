#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The share of the boot matrix whose turn it is (tests/boot/machine/matrix.rows); ./dev matrix boots all of it.
. "$(dirname "$0")/../lib"
log=build/boot/matrix-log
mkdir -p build/boot
is "at least 150 machines" yes "$([ "$(tests/boot/machine/matrix.py --list | wc -l)" -lt 150 ] || echo yes)"
is "each has a name of its own" "" "$(tests/boot/machine/matrix.py --list | sort | uniq -d)"
is "the document has so many boots of each name" "$(tests/boot/machine/matrix.py --list | sed 's/-.*//' | sort | uniq -c | awk '{ print $2, $1 }')" \
    "$(sed -n '/^| name | boots |/,/^$/s/^| \([a-z]*\) | \([0-9]*\) .*/\1 \2/p' docs/testing.md | sort)"
turn=$(tests/turn 31)
# shellcheck disable=SC2086 # no words, or three
tests/boot/machine/matrix.py ${turn:+--share $turn 31} >$log
add_checks matrix $? $log
# A machine that ends otherwise is told.
printf 'wrong | 0 | - | --firmware bios | --cpu athlon | --stall 2 | -\nsilent | 4 | no such words | --firmware bios | --cpu athlon | --stall 2 | -\n' >build/boot/matrix.rows
is "other ends and other words are told" "not ok wrong-bios-athlon-2: status 4, not 0
not ok silent-bios-athlon-2: 'no such words'
0 passed, 2 failed" "$(tests/boot/machine/matrix.py --rows build/boot/matrix.rows | sed 's/: boot.*//; s/: \[.*//')"
finish
