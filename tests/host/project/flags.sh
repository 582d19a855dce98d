#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Objects are out of date when the flags that they were made with change, and only then. Empty files stand for the objects: make is asked
# what it would make again.
cd "$(dirname "$0")/../../.." || exit 1
. tools/verdicts
work=build/flags-test
rm -rf $work
log=$work/log
unset MAKEFLAGS MAKELEVEL MFLAGS
host=host/core/base/str.o unit=unit/workloads/alu_independent.o efi=image/efi/memory.o work_o=image/workloads/matmul/matmul_classic.o
all="$host $unit $efi $work_o"

objects=$(for object in $all; do echo "$work/$object"; done)

# stale WORDS: the objects that make with these words makes again; they are up to date without the words first.
# shellcheck disable=SC2086 # several words
stale() {
    make -n B=$work >/dev/null
    touch $objects
    make -n B=$work "$@" $objects | sed -nE "s|.* -c .* -o $work/||p" | paste -s -d ' '
}
made() { # NAME OBJECTS WORDS
    name=$1 wanted=$2
    shift 2
    is "$name" "$wanted" "$(stale "$@")"
}
for object in $all; do mkdir -p "$work/${object%/*}"; done
made "the same flags: nothing" ""
stat -c %y $work/*.flags >$work/before
make -n B=$work >/dev/null
check "none of the files is written again" sh -c "stat -c %y $work/*.flags | cmp - $work/before"
made "WARN: everything" "$all" WARN=-Wall
made "the compiler: everything" "$all" CC=gcc
made "another variable: nothing" "" FUZZ_SECONDS=3
made "HOST_CFLAGS: the host's objects" "$host" HOST_CFLAGS=-O1
made "DEFINES of one source: everything" "$all" DEFINES_str=-DX
made "EFI_CFLAGS: the image's objects" "$efi $work_o" EFI_CFLAGS=-O1
made "CFLAGS of a workload: the image's objects" "$efi $work_o" CFLAGS_matmul_classic=-O1
sed 's/^\($(B).unit.workloads.*\)-O2 \(.*\)$/\1-O1 \2/' Makefile >$work/Makefile
check "a line that sets flags for a folder is there" sh -c "! cmp -s Makefile $work/Makefile"
made "that line: the objects of its part" "$unit" -f $work/Makefile
# Its rule compares the code of both stages; a first one that is gone is linked anew.
check "the image depends on its first stage" sh -c "make -pn build/ibsboot.elf | grep -q '^build/ibsboot.elf:.* build/ibsboot-stage1.elf'"
finish
