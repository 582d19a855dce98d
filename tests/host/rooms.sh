#!/bin/sh
# Who includes whom ("The house" in README.md): inward only, and core/ knows no libc.
cd "$(dirname "$0")/../.." || exit 1
passed=0 failed=0
ok() { passed=$((passed + 1)); echo "ok $1"; }
not_ok() { failed=$((failed + 1)); echo "not ok $1"; }

# knows ROOM ROOMS: each "room/..." that a file of ROOM includes is of one of ROOMS; words in <> are headers without a room.
knows() {
    room=$1
    shift
    found=$(grep -ohE '^ *# *include +("[^/"]+|<[^>]+>)' "$room"/*.[chS] | sed 's/.*["<]//; s/>//' | sort -u | tr '\n' ' ')
    others=
    for name in $found; do
        case " $* " in *" $name "*) ;; *) others="$others $name" ;; esac
    done
    if [ -z "$found" ]; then
        not_ok "$room: includes nothing at all"
    elif [ -n "$others" ]; then
        not_ok "$room includes:$others"
    else
        ok "$room includes no more than: $*"
    fi
}

free="stdarg.h stdbool.h stddef.h stdint.h" # of the compiler, there without a libc
# shellcheck disable=SC2086 # several words
{
    knows core core $free
    knows noise noise core $free
    knows workloads workloads $free
    knows drivers drivers core $free
    knows app app drivers core noise workloads $free
    knows efi efi app $free efi.h
}
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
