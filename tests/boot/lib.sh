# Shared by the boot tests: boot NAME options..., then checks on what that boot left in $dir. Sourced, not run.
# shellcheck shell=sh
cd "$(dirname "$0")/../.." || exit 1
passed=0 failed=0
dir=

ok() {
    passed=$((passed + 1))
    printf "ok %s\n" "$1"
}

not_ok() {
    failed=$((failed + 1))
    printf "not ok %s\n" "$1"
}

# boot NAME WANTED run-options...: WANTED is 0 when all must go well, 1 when the program must end in order with status 1.
boot() {
    dir=build/boot/$1
    wanted=$2
    name=$1
    shift 2
    line=$(tests/boot/run --out "$dir" "$@")
    status=$?
    if [ "$wanted" = 0 ] && [ $status = 0 ]; then
        ok "$name: $line"
    elif [ "$wanted" = 1 ] && [ $status = 1 ] && grep -q '^ibsboot: end: status 1$' "$dir/console.txt"; then
        ok "$name: ended in order: $line"
    else
        not_ok "$name: $line"
        tail -n 40 "$dir/console.txt"
    fi
}

# check NAME arguments...: one of tests/boot/check.py's checks on the run in $dir.
check() {
    if result=$(python3 tests/boot/check.py "$dir" "$@" 2>&1); then
        ok "$(basename "$dir"): $result"
    else
        not_ok "$(basename "$dir"): $* : $result"
    fi
}

shows() {
    if grep -qF -- "$1" "$dir/console.txt"; then ok "$(basename "$dir") shows: $1"; else not_ok "$(basename "$dir") does not show: $1"; fi
}

shows_not() {
    if grep -qF -- "$1" "$dir/console.txt"; then not_ok "$(basename "$dir") shows: $1"; else ok "$(basename "$dir") does not show: $1"; fi
}

finish() {
    echo "$passed passed, $failed failed"
    [ "$failed" = 0 ]
}
