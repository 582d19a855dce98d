#!/bin/sh
# Who includes whom ("Source layout" in README.md): inward only, and core/ knows no libc.
cd "$(dirname "$0")/../.." || exit 1
. tools/verdicts

# knows ROOM ROOMS: each "room/..." that a file of ROOM includes is of one of ROOMS; words in <> are headers without a room.
knows() {
    room=$1
    shift
    found=$(grep -rohE --include='*.[chS]' '^ *# *include +("[^/"]+|<[^>]+>)' "$room" | sed 's/.*["<]//; s/>//' | sort -u | tr '\n' ' ')
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
    knows vpmu/model vpmu core $free
}

# ibsprof ROOM ROOMS: the same for the folders of tools/ibsprof, which all may use libc, libraries, core/ and their own.
ibsprof() {
    room=$1
    found=$(grep -ohE '^ *# *include +"tools/ibsprof/[a-z]+/' tools/ibsprof/"$room"/*.[ch] | sed 's|.*ibsprof/||; s|/||' | sort -u | tr '\n' ' ')
    others=$(for name in $found; do case " $* " in *" $name "*) ;; *) printf ' %s' "$name" ;; esac; done)
    if [ -n "$others" ] || grep -q '"tools/ibsprof/[a-z_]*\.h"' tools/ibsprof/"$room"/*.[ch]; then
        not_ok "ibsprof's $room includes:$others, or a header of the commands"
    else
        ok "ibsprof's rooms: $room includes no more than: $*"
    fi
}
ibsprof base
for room in read symbols stat html; do ibsprof $room base; done
ibsprof profile base read symbols
ibsprof counters base read
ibsprof noise base read stat html
ibsprof export base read profile
ibsprof report base read symbols html profile counters noise
ibsprof compare base read stat html profile noise
for room in tools/ibsprof/*/; do
    room=$(basename "$room")
    case " base read symbols stat html profile counters noise export report compare " in
    *" $room "*) ;;
    *) not_ok "ibsprof's $room is not listed here" ;;
    esac
done
finish
