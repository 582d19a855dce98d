#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# What a person may mistype after ./dev run, each with its answer: status 2, that line alone, and nothing boots. Each is given to
# build/tools/arguments and to ./dev run, with a Makefile that builds nothing and a runner that says that it was started.
# tests/unit/app/prompt/test_mistakes.c has those of load options, of ibsboot.ini and of the prompt.
cd "$(dirname "$0")/../../.." || exit 1
. tools/verdicts
work=$PWD/build/mistakes
rm -rf "$work"
mkdir -p "$work/tools/qemu" "$work/build/tools"
sed 's/^need() {/need() { return 0/' dev >"$work/dev" # the suite's packages are installed
printf '%s\n' 'all ibsprof build/tools/arguments:' '	@true' >"$work/Makefile"
cp build/tools/arguments "$work/build/tools/"
printf '%s\n' '#!/bin/sh' 'echo booted' >"$work/tools/qemu/boot"
chmod +x "$work/dev" "$work/tools/qemu/boot"

# answered HOW STATUS: the status is 2, and the answer all that was said.
answered() {
    if [ "$2" = 2 ] && [ "$(grep -v '^dev: building' "$work/said")" = "$answer" ] && ! grep -q booted "$work/out"; then
        ok "$1 $words: $answer"
    else
        not_ok "$1 $words: status $2: $(cat "$work/said")" "$work/out"
    fi
}
mistakes=0
while IFS='|' read -r words answer; do
    answer=$(printf '%b' "${answer# }") words=${words% }
    eval "set -- $words"
    build/tools/arguments "$@" >"$work/out" 2>"$work/said"
    answered arguments $?
    "$work/dev" run "$@" >"$work/out" 2>"$work/said"
    answered "./dev run" $?
    mistakes=$((mistakes + 1))
done <<'TABLE'
page=2m | dev: setting:1: unknown key 'page'; did you mean 'pages'?
seeed=1 | dev: setting:1: unknown key 'seeed'; did you mean 'seed'?
op-periods=512 | dev: setting:1: unknown key 'op-periods'; did you mean 'op_period'?
pages=3m | dev: setting:1: '3m' is not a value of 'pages'; allowed is one of 4k, 2m, 1g; did you mean '2m'?
frames=shufled | dev: setting:1: 'shufled' is not a value of 'frames'; allowed is one of contiguous, shuffled; did you mean 'shuffled'?
random=nein | dev: setting:1: 'nein' is not a value of 'random'; allowed is yes or no
rows=abc | dev: setting:1: 'abc' is not a value of 'rows'; allowed is a number from 1 to 1000, or 0
rows=-1 | dev: setting:1: '-1' is not a value of 'rows'; allowed is a number from 1 to 1000, or 0
n=5000 | dev: setting:1: '5000' is not a value of 'n'; allowed is a number from 1 to 1000, or 0
kb=99999999 | dev: setting:1: '99999999' is not a value of 'kb'; allowed is a number from 4 to 1048576, or 0
kb=64 | dev: setting:1: 'kb' is not a parameter of workload matmul-classic, which has n rows
kb=64k | dev: setting:1: '64k' is not a value of 'kb'; allowed is a number from 4 to 1048576, or 0; no unit is written
limit_ms=10s | dev: setting:1: '10s' is not a value of 'limit_ms'; allowed is a number from 0 to 86400000, or none; no unit is written
op_period=150 | dev: setting:1: '150' is not a value of 'op_period'; allowed is a multiple of 16 from 144 to 134217712, or 0
seed | dev: setting:1: no '=' in 'seed'; a setting is 'key=value'; allowed for 'seed' is a number from 0
explore | dev: setting:1: no '=' in 'explore'; a setting is 'key=value'
pages 2m | dev: setting:1: no '=' in 'pages'; a setting is 'key=value'; allowed for 'pages' is one of 4k, 2m, 1g\ndev: setting:2: no '=' in '2m'; a setting is 'key=value'
workload=false-sharing padding=12 | dev: setting:2: padding = 12: workload false-sharing takes multiples of 8 from 8 to 4096
workload=store-forward width=6 | dev: setting:2: width = 6: workload store-forward takes powers of two from 1 to 8
workload=stream-read kb=262145 | dev: setting:2: kb = 262145: workload stream-read takes 4 to 262144
workload=matmul | dev: setting:1: workload = matmul: no such workload; 'list' names all workloads; did you mean 'matmul-classic'?
workload=tightloop | dev: setting:1: workload = tightloop: no such workload; 'list' names all workloads; did you mean 'tight-loop'?
config=ibs,foo | dev: setting:1: config = foo: no such configuration; 'configs' lists them
config=count,expolre | dev: setting:1: config = expolre: no such configuration; 'configs' lists them; did you mean 'explore'?
config= | dev: setting:1: config = : no such configuration; 'configs' lists them
config=count events=0C0,07A | dev: setting:2: Family 10h has no event 07A; 'events' lists them
--revision zen2 config=count events=07D | dev: setting:2: Zen 2 has no event 07D; 'events' lists them
"cores=0;2" | dev: setting:1: cores = 0;2: neither all, first-threads, one-per-ccx, nor a list such as 0,2-3 of cores below 1024
memory=lokal | dev: setting:1: memory = lokal: not 'auto', 'local', 'remote', nor the number of a node with memory
show="events ZZZ" | dev: setting:1: events ZZZ: no event has this in its unit, select, symbol or name
show=evnts | dev: setting:1: show = evnts: not one of show, list, config NAME, configs, event NAME, events; did you mean 'events'?
show=event 041 | dev: setting:2: no '=' in '041'; a setting is 'key=value'\ndev: setting:1: show = event: not one of show, list, config NAME, configs, event NAME, events; did you mean 'event'?
--revison B | dev: there is no option --revison; did you mean '--revision'?
rows=2 --revison B | dev: there is no option --revison; did you mean '--revision'?
--hepl | dev: there is no option --hepl
--revision ryzen | dev: --revision takes a processor: B, C, E, 12h, 14h, 15h-00, 15h-10, 15h-30, 15h-60, 16h, zen, zen2, zen3, zen4, zen5, zen6; not 'ryzen'; did you mean 'zen'?
rows=2 --revision | dev: --revision takes a processor: B, C, E, 12h, 14h, 15h-00, 15h-10, 15h-30, 15h-60, 16h, zen, zen2, zen3, zen4, zen5, zen6; not ''
--firmware efi | dev: --firmware takes a firmware: uefi, bios; not 'efi'; did you mean 'uefi'?
--step=plugins | dev: --step takes a way to step: plugin, tf; not 'plugins'; did you mean 'plugin'?
--hostile storm+curnct-ignored | dev: --hostile takes names with + between (docs/model.md); not 'curnct-ignored'; did you mean 'curcnt-ignored'?
--free l1,dltb | dev: --free takes causes of time with , between: l1, l2, l3, dram, sharing, dtlb, itlb, ic, prediction, forwarding, banks, dependences, window, schedulers, locks, stores, taken, execution, dc; not 'dltb'; did you mean 'dtlb'?
--free l1+l2 | dev: --free takes causes of time with , between: l1, l2, l3, dram, sharing, dtlb, itlb, ic, prediction, forwarding, banks, dependences, window, schedulers, locks, stores, taken, execution, dc; not 'l1+l2'
--smp 0 | dev: --smp takes a number of cores; not '0'
--smp two | dev: --smp takes a number of cores; not 'two'
--nodes 9 | dev: --nodes takes a number of nodes from 1 to 8; not '9'
--timeout 1m | dev: --timeout takes seconds; not '1m'
TABLE
is "thirty mistakes of a person, and sixteen more" 46 "$mistakes"
finish
