#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# An independent oracle: Valgrind counts the workloads instruction by instruction, and the virtual PMU's model must agree for the
# same program. oracle.py lists what may differ, and why. Each commit tries every second row (tests/turn), on one of the two processors.
cd "$(dirname "$0")/../../.." || exit 1
. tools/verdicts
twin=build/ibsboot-workloads
work=build/oracle
rm -rf $work
mkdir -p $work
log=$work/log
compare() { python3 tests/host/image/oracle.py compare "$@"; }

python3 tests/host/image/oracle.py rows >$work/rows
number=0 numbers="" turn=$(tests/turn 2 "$0")
while read -r run; do
    here=$work/$number
    # The last part is about number 4.
    if [ $number != 4 ] && [ $((number % 2)) != "${turn:-$((number % 2))}" ]; then
        number=$((number + 1))
        continue
    fi
    # shellcheck disable=SC2086
    valgrind -q --tool=callgrind --dump-instr=yes --dump-line=no --collect-jumps=yes --cache-sim=yes --branch-sim=yes --I1=65536,2,64 \
        --D1=65536,2,64 --callgrind-out-file=$here.callgrind $twin $run --format=ini >$here.ini 2>$here.log || cat $here.log
    # shellcheck disable=SC2086
    build/tools/step_twin $twin $run >$here.truth.csv 2>>$here.log || cat $here.log
    numbers="$numbers $number"
    number=$((number + 1))
done <$work/rows
# shellcheck disable=SC2086
python3 tests/host/image/oracle.py compare-all $work $twin $numbers >$log 2>&1
count_log $log
is "runs that were compared" "$(echo "$numbers" | wc -w)" $((passed + failed))
[ $passed -ge 10 ] || not_ok "$passed runs"

# The image's own exact counts (config=exact) of the same runs and of own code: one half on an Intel processor of QEMU's, the other on one of
# AMD's, both without the virtual PMU.
make -s -C examples dot hand && make -s build/tools/ibsprof && build/tools/ibsprof codemap build/code/dot.elf build/code/hand.elf >$work/maps || exit 1
printf '%s\n' 'menu = no' 'hold_s = 0' 'end = off' 'batch = \ibsboot\batch.txt' >$work/exact.ini
exact() { # processor, whether the rows are those of odd numbers, own code, its parameters
    dir=$work/exact-$1
    {
        echo config=exact
        awk -v odd="$2" 'NR % 2 != odd { print "workload=" $0; print "run" }' $work/rows
        printf 'workload=%s\nrun\n' "$3 $4"
    } >"$dir.txt"
    # shellcheck disable=SC2086
    valgrind -q --tool=callgrind --dump-instr=yes --dump-line=no --collect-jumps=yes --cache-sim=yes --branch-sim=yes \
        --callgrind-out-file="$work/$3.callgrind" $twin --code=build/code/$3.elf $4 >"$work/$3.log" 2>&1 || cat "$work/$3.log"
    line=$(tools/qemu/boot --without-vpmu --cpu "$1" --out "$dir" --file "$dir.txt:ibsboot/batch.txt" --file $work/exact.ini:ibsboot/ibsboot.ini \
        --file "build/code/$3.elf:ibsboot/code/$3.elf" --file "build/code/$3.map:ibsboot/code/$3.map")
    if result=$(python3 tests/host/image/oracle.py exact "$dir" $work $twin "$2" "$3" 2>&1); then ok "exact counts on $1: $result"; else not_ok "$1: $line: $result"; fi
}
[ "$turn" = 1 ] || exact Nehalem 0 dot "passes=2 n=1000"
[ "$turn" = 0 ] || exact EPYC 1 hand "steps=300"

# The comparison detects one changed count in the truth, or in the workload's row.
sees() { # name, sed expression for the truth, for the ini
    sed "$2" $work/4.truth.csv >$work/wrong.csv
    sed "$3" $work/4.ini >$work/wrong.ini
    if result=$(compare 4 $work/4.callgrind $work/wrong.csv $work/wrong.ini $twin 2>&1); then not_ok "$1 is not seen"; else ok "$1 is seen: $result"; fi
}
sees "one execution more" '/,20000,20000,20000,/s/,20000,/,20001,/' ''
sees "one load less" '/,20000,20000,20000,/s/,20000,20000,20000,/,20000,20000,19999,/' ''
sees "one branch more that was not taken" 's/,20000,19999,/,20000,19998,/' ''
sees "another known count" '' 's/\(expected.0c0:00 = \)./\19/'
sees "a cache of another size" '/,20000,20000,20000,/s/,20000,20000,20000,0,[0-9]*,/,20000,20000,20000,0,18000,/' ''

finish
