#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Planted bottlenecks in the trees of Zen 2 and Zen 4: the first note of "Where to look" names what was planted; in the last rows a note says that
# it is one of two. The model dispatches three ops in six slots, so all its code is bound by bandwidth, from which microcode is not told apart,
# and retires half of the slots at most. Each of its cores has one thread, with a pipeline of its own. Two leaves cannot be planted ("none"):
# tests/unit/core/explore/test_explore_leaves.c has counts of them.
. "$(dirname "$0")/../lib"

explored() { # REVISION: rows of "workload | leaf" on standard input
    mkdir -p build/boot
    cat >"build/boot/leaves-$1.rows"
    batch_options="--revision $1"
    for file in $snippets; do batch_options="$batch_options --file $place/$file.elf:ibsboot/code/$file.elf --file $place/$file.map:ibsboot/code/$file.map"; done
    set -- "$1" config=explore
    while IFS='|' read -r settings _; do
        [ "$settings" = "none " ] || set -- "$@" "workload=$settings" run
    done <"build/boot/leaves-$1.rows"
    revision=$1
    shift
    batch "leaves-$revision" 0 "$@"
    check_with check_leaves.py planted "build/boot/leaves-$revision.rows"
}

place=build/boot/leaves-code
mkdir -p $place
make -s build/tools/ibsprof || not_ok "no ibsprof"
many() { # NUMBER INSTRUCTION
    count=$1 text=$2
    while [ "$((count -= 1))" -gt 0 ]; do text="$text; $2"; done
    echo "$text"
}
snippet() { # NAME UNROLL LOOP TEXT
    build/tools/ibsprof snippet "$4" --unroll "$2" --loop "$3" -o "$place/$1.elf" >"$place/$1.txt" || not_ok "no snippet $1"
    snippets="$snippets $1"
}
snippets=
snippet bits 20 500 'bsf rax, rbx; bsr rcx, rdx'
# The address of a store, by turns a load's, comes from a chain of products that is known long after the load's.
snippet passing 21 500 "xor rbx, 64; $(many 4 'imul rcx, rcx'); and rcx, 0; add rcx, rbx; mov [r14+rcx], rax; mov rdx, [r14]; add rsi, 1; add rdi, 1"
# Loads that wait for their address, and stores that wait for an older op, are more than their queue takes.
snippet loads 20 200 "$(many 6 'imul rcx, rcx'); $(many 20 'mov rdx, [r14+rcx]')"
snippet stores 10 100 "$(many 12 'imul rcx, rcx'); $(many 60 'mov [r14], rcx')"
explored zen4 <<'END'
bits | /Microcode (1C2)
alu-independent iterations=6000 | Bandwidth: too few supplied
branch-always iterations=20000 taken=2 | Bandwidth: too few supplied
branch-random iterations=30000 | Mispredicted branches
call-indirect iterations=20000 targets=16 | Mispredicted branches
passing | Pipeline restarts (resyncs)
code-walk rounds=2000 | Latency: nothing supplied
code-pages rounds=1000 pieces=40 | Latency: nothing supplied
pointer-chase hops=20000 | Memory bound
tlb-reach hops=30000 reach=6000 | Memory bound
store-forward iterations=20000 width=4 | Memory bound
tight-loop iterations=30000 | Memory bound
add-chain iterations=5000 | Core bound
divide-chain steps=40000 | Core bound
imul-chain iterations=3000 | Core bound
bank-conflict iterations=50000 stride=72 | ?Core bound
misaligned passes=20 kb=64 offset=3 stride=8 | ?Core bound
none | Retiring
none | Other thread (SMT contention)
END
explored zen2 <<'END'
alu-independent iterations=6000 | Front-end bandwidth
branch-always iterations=20000 taken=2 | Front-end bandwidth
branch-random iterations=30000 | Mispredicted branches
call-indirect iterations=20000 targets=16 | Mispredicted branches
passing | Pipeline restarts (0C7)
code-walk rounds=2000 | Front-end latency (0A9)
code-pages rounds=1000 pieces=40 | Front-end latency (0A9)
pointer-chase hops=20000 | Memory bound, est.
tlb-reach hops=30000 reach=6000 | Memory bound, est.
store-forward iterations=20000 width=4 | Core bound, est.
tight-loop iterations=30000 | Core bound, est.
add-chain iterations=5000 | Core bound, est.
divide-chain steps=40000 | Core bound, est. | &Floating-point scheduler
imul-chain iterations=3000 | Core bound, est. | &Integer, address schedulers
loads | Core bound, est. | &Load queue
stores | Core bound, est. | &Store queue
matmul-classic-sse n=500 rows=1 | ?Memory bound, est. | Core bound, est. | &Retire queue
none | Retiring
END
finish
