#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The arguments that ./dev run passes to the runner of boots, with a Makefile that builds nothing and a runner that prints them.
cd "$(dirname "$0")/../../.." || exit 1
. tools/verdicts
log=build/dev-test/check-log
work=$PWD/build/dev-test
rm -rf "$work"
mkdir -p "$work/tools/qemu"
cp dev "$work/"
printf '%s\n' 'all ibsprof build/tools/arguments:' '\t@true' | sed 's/^\\t/\t/' >"$work/Makefile"
mkdir -p "$work/build/tools"
cp build/tools/arguments "$work/build/tools/"
printf '%s\n' '#!/bin/sh' 'mkdir -p "$(echo "$*" | sed "s/.*--out \([^ ]*\).*/\1/")"; echo "$*"' >"$work/tools/qemu/boot"
chmod +x "$work/tools/qemu/boot"
dev_run() { "$work/dev" run "$@" >"$work/log" 2>&1; }
seeds() { grep -o 'seed=[0-9]*' "$work/log" | sort -u; }

dev_run pages=2m
first=$(seeds)
check "a run without a seed gets one, printed and handed on" [ "$(grep -c "$first" "$work/log")" = 2 ]
check "the words of the run are kept" grep -q -- "--options menu=no $first pages=2m --out" "$work/log"
check "build/latest is its folder" [ "$(cd "$work/build/latest" && pwd -P)" = "$(cd "$work/build/runs/"2* && pwd -P)" ]
dev_run pages=2m
check "the next run has another seed" [ "$(seeds)" != "$first" ]
dev_run pages=2m seed=7
check "seed= is taken as it is" grep -q -- '--options menu=no pages=2m seed=7 --out' "$work/log"
check "and no other is printed" [ "$(seeds)" = seed=7 ]
dev_run frame_seed=5
check "frame_seed= is another key" [ "$(grep -o ' seed=[0-9]*' "$work/log" | sort -u | wc -l)" = 1 ]
dev_run seed=7 n=100
check "another run has its own rows" grep -q -- '--options menu=no seed=7 n=100 --out' "$work/log"

# handed NAME WORDS ARGUMENT...: these arguments end in these words for the runner.
handed() {
    name=$1 words=$2
    shift 2
    dev_run "$@"
    check "$name" grep -qF -- "$words" "$work/log"
}
handed "options are handed on" "--live --revision zen2 --smp 2" --revision zen2 --smp=2 seed=1 rows=2
handed "options may follow settings" "--options menu=no rows=2 seed=1 --out" rows=2 --revision B seed=1
check "and count there, too" grep -q -- '--live --revision B$' "$work/log"
handed "a value with blanks keeps its quotes" '--options menu=no seed=1 show="event 041" --out' seed=1 show="event 041"
handed "quotes that were typed stay" '--options menu=no seed=1 show="event 041" --out' seed=1 'show="event 041"'
handed "what looks like a comment is quoted" '--options menu=no seed=1 batch="x #1" --out' seed=1 'batch=x #1'
handed "events of the revision" 'config=count events=0AB' --revision zen3 config=count events=0AB

# Folders and repeats.
dev_run --out "$work/mine" seed=3 pages=2m
check "--out is where the run goes" grep -q -- "--out $work/mine --live" "$work/log"
check "and build/latest leads there" [ "$work/build/latest" -ef "$work/mine" ]
touch "$work/mine/file"
dev_run --out "$work/mine" seed=4
is "a folder with files is refused" 2 $?
is "in words" "dev: $work/mine is not empty: choose another folder for --out" "$(tail -n 1 "$work/log")"
check "and nothing is run" sh -c "! grep -q -- --options '$work/log'"
dev_run --repeat 3 --out "$work/three" seed=8 --revision B pages=2m
is "three boots, each with its folder and a seed of its own" \
    "--options menu=no seed=8 pages=2m --out $work/three/01 --revision B
--options menu=no seed=9 pages=2m --out $work/three/02 --revision B
--options menu=no seed=10 pages=2m --out $work/three/03 --revision B" "$(grep -- --options "$work/log")"
is "and what to type next" "dev: the runs are in $work/three; two such folders are compared by:
    build/tools/ibsprof compare $work/three/* -- OTHER/*" "$(tail -n 2 "$work/log")"
dev_run --repeat 08 n=100
is "without a seed: eight, each 1 more" 8 "$(seeds | sort -t = -k 2 -n | awk -F = 'NR == 1 || $2 == last + 1 {n++} {last = $2} END {print n}')"
check "in a folder of build/runs" [ -d "$work/build/latest/08" ]
check "with the settings' defaults" grep -q -- '--options menu=no seed=[0-9]* n=100 --out build/runs/.*/01' "$work/log"
for wrong in 0 100 x; do
    dev_run --repeat $wrong
    is "--repeat $wrong" "dev: --repeat takes a number of boots from 1 to 99; not '$wrong'" "$(tail -n 1 "$work/log")"
done
dev_run --out --repeat
is "--out without a folder" "dev: --out takes a folder; not '--repeat'" "$(grep -- '--out takes' "$work/log")"

long=batch=$(printf '%0190d' 0)
dev_run "$long" "$long" "$long"
check "settings that the image would cut off are refused" grep -qx 'dev: the settings have more than 480 characters' "$work/log"
check "and nothing is run" sh -c "! grep -q -- --options '$work/log'"
for help in --help -h; do
    dev_run $help
    check "./dev run $help explains, and runs nothing" [ "$(head -c 9 "$work/log")" = "./dev run" ]
done

# The last lines: where the run is, and what to type next.
cat >"$work/tools/qemu/boot" <<'EOF'
#!/bin/sh
out=$(echo "$*" | sed 's/.*--out \([^ ]*\).*/\1/')
mkdir -p "$out"
for file in $RUNS; do
    mkdir -p "$out/runs/${file%/*}"
    touch "$out/runs/$file"
done
exit "${ENDS:-0}"
EOF
# after RUNS STATUS WORDS...: ./dev run with a boot that leaves these files and ends so.
after() {
    rm -rf "$work/build/runs"
    RUNS=$1 ENDS=$2
    export RUNS ENDS
    shift 2
    dev_run "$@"
}
after 0001-matmul-classic-ibs/run.ini 0
is "one run: status" 0 $?
is "one run: its place, and its report" "dev: the run is in build/latest/runs/0001-matmul-classic-ibs; its tables, with names, lines and rates:
    build/tools/ibsprof report build/latest/runs/0001-matmul-classic-ibs" "$(tail -n 2 "$work/log")"
after '0001-a-count/run.ini 0002-b-ibs/run.ini' 0
is "two runs: their folder, and the list" "dev: these runs are in build/latest/runs; 'build/tools/ibsprof runs build/latest' lists them. The first one's tables:
    build/tools/ibsprof report build/latest/runs/0001-a-count" "$(tail -n 2 "$work/log")"
after '0001-hardware/run.ini 0001-hardware/hardware.csv' 0 config=hardware
is "answers of a machine have a command of their own" "    build/tools/ibsprof hardware build/latest/runs/0001-hardware" "$(tail -n 1 "$work/log")"
after 0001-a/begun.ini 4
is "a boot that was ended: its status" 4 $?
is "and what there is of its run" "    build/tools/ibsprof runs build/latest/runs/0001-a" "$(tail -n 1 "$work/log")"
ENDS=1 RUNS=0001-a/run.ini && dev_run --repeat 2 seed=1
is "boots that fail: status" 1 $?
check "and the next one is tried" [ -e "$work/build/latest/02/runs/0001-a/run.ini" ]
# How far estimated time is from the model's: of 100 cycles 50 + 30 + 0 + 20 by the model, 40 + 35 + 5 + 20 by the estimate; ops 4 of 8, 3, 1; at dispatch 90 and 10.
cp tools/time-error "$work/tools/"
cat >"$work/truth" <<'EOF'
# model,made
# cycles,100
rva,op_samples,dispatch_cycles_sixths,time_sixths,empty_cycles
1000,0,540,300,15
1004,0,60,180,5
outside,0,0,0,0
EOF
cat >"$work/time" <<'EOF'
# MODEL: made
rva,function,file,line,instruction,est. time [ppm],low [ppm],high [ppm],ops [samples]
0x1000,f,f.c,1,nop,400000,0,0,4
0x1004,f,f.c,1,nop,350000,0,0,3
,(outside the map),,,,50000,0,0,1
,(front end),,,,200000,0,0,0
EOF
sed -i '$i [ -z "$TIMES" ] || { cp "$TIMES/truth" "$out/truth-reference.csv"; cp "$TIMES/time" "$out/runs/0001-a/time.csv"; }' "$work/tools/qemu/boot"
export TIMES="$work"
after 0001-a/run.ini 0
is "its error of time" "dev: 10.0 % of the estimated time is at other instructions than in the model's exact counts; of the ops 20.0 %, of the cycles at dispatch 40.0 %" "$(tail -n 2 "$work/log" | head -n 1)"
sed -i 's/^1004,0,60,180/1004,0,60,90/' "$work/truth"
after 0001-a/run.ini 0
check "exact times that are not the cycles are said" grep -qx 'dev: exact times are 85.0 of 100 cycles' "$work/log"
is "and the command is the last line" "    build/tools/ibsprof report build/latest/runs/0001-a" "$(tail -n 1 "$work/log")"
after '0001-a/run.ini 0002-b/run.ini' 0
check "of two runs, whose exact counts are one file, it says nothing" sh -c "! grep -qE '^dev: *$|exact' '$work/log'"
TIMES=''
after '' 0 save=no
is "no run" "dev: no run was saved; what the console showed is in build/latest/console.txt" "$(tail -n 1 "$work/log")"

# ./dev build builds ibsprof, too, and installs what that needs: each library it is linked with, and d3, is of a package in the list.
packages=" $(sed -n 's/^BUILD_PACKAGES="\(.*\)"$/\1/p' dev) "
{
    sed -n 's/^D3 ?= //p' Makefile
    # shellcheck disable=SC2013 # words
    for library in $(sed -n 's/^ibsprof_LIBS := //p' Makefile); do
        case $library in -l*) ;; *) continue ;; esac # an option of the linker
        file=$(${CC:-cc} -print-file-name="lib${library#-l}.so")
        [ -e "$file" ] || file=$(${CC:-cc} -print-file-name="lib${library#-l}.a")
        echo "$file"
    done
} >"$work/needed"
check "ibsprof needs d3 and libraries" [ "$(wc -l <"$work/needed")" -ge 5 ]
while read -r file; do
    package=$(dpkg -S "$(readlink -e "$(dirname "$file")")/$(basename "$file")" 2>"$work/log" | sed 's/:.*//')
    check "$(basename "$file") comes with ./dev build (${package:-no package})" expr "$packages" : ".* ${package:-no package} "
done <"$work/needed"
printf '%s\n' 'all ibsprof:' "\t@mkdir -p build/tools; echo \$@ >>made; touch build/ibsboot.efi build/ibsboot.elf build/ibsboot-vpmu.efi build/tools/\$@" \
    'build/ibsboot-workloads:' "\t@echo \$@ >>made; touch \$@" | sed 's/^\\t/\t/' >"$work/Makefile"
"$work/dev" build >"$work/log" 2>&1
is "./dev build: status" 0 $?
is "./dev build makes" "all build/ibsboot-workloads ibsprof" "$(sort "$work/made" | paste -s -d ' ')"
check "and shows ibsprof" grep -q build/tools/ibsprof "$work/log"
for text in README.md docs/reading-a-run.md; do
    check "$text has './dev build' before ibsprof's commands" sh -c "grep -nE '^ *(\./dev build|ibsprof) ' $text | head -n 1 | grep -q dev"
done
# Help fits a terminal of 100 columns.
for command in ./dev tools/record-linux bench/compare-real build/tools/ibsprof $(build/tools/ibsprof --help | sed -n 's,^  \([a-z]*\)  .*,build/tools/ibsprof:\1,p'); do
    $(echo "$command" | tr : ' ') --help >"$work/log"
    is "$command --help: no line of more than 100 characters" "" "$(awk 'length > 100' "$work/log")"
done
finish
