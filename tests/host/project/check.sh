#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# ./dev check sees one planted violation of each kind, in a copy of a part of the tree, and names the file. All of the tree is checked by
# ./dev check itself.
cd "$(dirname "$0")/../../.." || exit 1
. tools/verdicts
work=$PWD/build/check-test
rm -rf "$work"
mkdir -p "$work/tree"
git ls-files -co --exclude-standard | while IFS= read -r file; do [ ! -f "$file" ] || echo "$file"; done |
    grep -E '^(\.[^/]*|core/.*|docs/.*|tests/check/.*|tests/host/project/check.*|tools/verdicts|tools/ibsprof/html/web/.*)$' | tar -cf - -T - | tar -xf - -C "$work/tree"
cd "$work/tree" && git init -q || exit 1
licence="SPDX-License-Identifier: BSD-2-Clause"

plant() { # FILE LINE...: with a licence
    file=$1
    shift
    case $file in
    *.sh) printf '%s\n' '#!/bin/sh' "# $licence" "$@" >"$file" ;;
    *.md) printf '%s\n' "<!-- $licence -->" "$@" >"$file" ;;
    *.py) printf '%s\n' "# $licence" "$@" >"$file" ;;
    *) printf '%s\n' "/* $licence */" "$@" >"$file" ;;
    esac
}
plant core/base/planted_good.c 'extern int planted_good;'
plant core/base/planted_layout.c 'int  planted_layout;'
plant core/base/planted_family.c 'int planted_family(int family)' '{' '    return family == 0x19;' '}'
plant core/base/planted_include.c '#include "drivers/pmu/ibs.h"'
plant core/base/planted_rooms.c '#include "core/view/view.h"'
sed -i 's/^inside core run base.*/& view/' tests/check/includes
mkdir core/planted
plant core/planted/planted_good.c 'extern int planted_good_too;'
plant core/flat.c 'int flat;'
printf '%s\n' '/* A file without a licence in its first two lines. */' '' "/* $licence */" >core/base/planted_licence.c
plant core/base/planted_long.c "$(seq -f 'int planted_%g;' 400)"
plant tools/ibsprof/html/web/planted_good.js 'const plantedGood = 1;'
plant tools/ibsprof/html/web/planted_name.js 'const plantedName = plantedBad;'
plant tools/ibsprof/html/web/planted_layout.js "const plantedLayout = [" "  $(seq -s ', ' 50)," "];"
plant tests/host/project/planted.sh 'rm $1'
plant tests/host/project/planted.py 'import os'
plant docs/planted.md '[a link](planted_nowhere.md), [another](testing.md#files), [a third](https://example.org/)' \
    'core/base/planted_gone.c, core/base/planted_NAME.c, core/base/planted_good, core/base/planted_*.c, planted_gone(), `planted_good`, `planted_gone_word`'
plant core/hardware/hardware_planted_rows.h '/* planted_nowhere() */' '"core/base/planted_layout.c planted_layout, planted_other"'
echo 'core/base/planted_good.c  short' >>tests/check/long-files
plant core/base/planted_state.c 'static int planted_number, planted_field[2] = {1};' 'static const char *planted_pointer;' 'static const int planted_constant;' \
    'static struct {' '    int member;' '} planted_struct;' 'void (*planted_function)(void);' 'int planted_call(int argument);' 'int planted_call(int argument)' '{' \
    '    static int planted_inside;' '    static const int *const planted_none = &planted_constant;' '    int planted_local = argument;' \
    '    return planted_inside + *planted_none + planted_local;' '}'
plant core/base/planted_exported.h 'void planted_alone(void);' 'void planted_called(void);' 'void planted_inside(void);' 'int planted_long(int first,' '    int second);' \
    'static inline void planted_inline(void)' '{' '    planted_inside();' '}'
plant core/base/planted_exported.c '#include "core/base/planted_exported.h"' '' 'void planted_alone(void)' '{' '}' 'void planted_called(void)' '{' '    planted_alone();' '}' \
    'void planted_inside(void)' '{' '}' 'int planted_long(int first, int second)' '{' '    return first + second;' '}'
plant core/base/planted_calls.c '/* Calls planted_alone(). */' 'void planted_calls(void)' '{' '    planted_called();' '}'
{ printf '## 9.9 (unreleased)\n## 9.9 (2026-11-30)\n'; seq 200; } >CHANGELOG.md
mkdir docs/planted_many docs/planted_enough
for number in $(seq 31); do plant "docs/planted_many/$number.md"; [ "$number" = 31 ] || plant "docs/planted_enough/$number.md"; done
plant core/base/planted_voice.c '/* Of the planted one. */' '/* Offers none. */' '/*' ' * The same as above.' ' */'

tests/check/run >"$work/log" 2>&1
status=$?
# sees CHECK LINE: the line is below that check, which is not ok.
sees() {
    if sed -n "/^not ok $1/,/^\(not \)\{0,1\}ok\|passed/p" "$work/log" | sed 1d | grep -q "^  $2"; then ok "$1: $2"; else not_ok "$1: not seen: $2"; fi
}
sees "C is laid out" "core/base/planted_layout.c:2"
sees "JavaScript: eslint" "tools/ibsprof/html/web/planted_name.js:2:.*'plantedBad' is not defined"
sees "JavaScript: eslint" "tools/ibsprof/html/web/planted_layout.js:3:1: .*Expected indentation of 4"
sees "JavaScript: eslint" "tools/ibsprof/html/web/planted_layout.js:3:1: .*Maximum allowed is 140"
sees "shell scripts" "tests/host/project/planted.sh:3:.*SC2086"
sees "Python" "tests/host/project/planted.py:2:.*F401"
sees "includes go inward" ".*core includes: drivers"
sees "includes go inward" ".*core/base includes of core: view"
sees "includes go inward" ".*core/run includes rooms that are not listed above it: view"
sees "includes go inward" ".*core/planted is not listed here"
sees "includes go inward" ".*core/flat.c is in none of the rooms"
sees "links of documents" "docs/planted.md: planted_nowhere.md"
sees "the changelog" "CHANGELOG.md: twice: 9.9"
sees "the changelog" "CHANGELOG.md: over 200 lines"
sees "files, functions" "docs/planted.md:3: core/base/planted_gone.c: there is no such file"
sees "files, functions" "docs/planted.md:3: planted_gone: no code has"
sees "files, functions" "docs/planted.md:3: planted_gone_word: no code has"
sees "files, functions" "core/hardware/hardware_planted_rows.h:2: planted_nowhere: no code has"
sees "files, functions" "core/hardware/hardware_planted_rows.h:3: planted_other: core/base/planted_layout.c does not have it"
sees "comments begin" "core/base/planted_voice.c:2: Of the planted one. \*/"
sees "comments begin" "core/base/planted_voice.c:5: The same as above."
is "no other comment, and none of other folders" "2 0" "$(tests/check/voice core | grep -c .) $(tests/check/voice docs | grep -c .)"
state=$(sed -nE 's/^  core.base.planted_state.c:([0-9]+): (planted_[a-z]*) outlives .*/\1 \2/p' "$work/log" | paste -s -d ,)
is "variables that outlive a call" "2 planted_number,2 planted_field,3 planted_pointer,7 planted_struct,8 planted_function,12 planted_inside" "$state"
sees "variables that outlive" "tests/check/state-kept: bios/uefi/uefi.c bios: there is no such variable"
exported=$(sed -nE 's/^  core.base.planted_exported.h: .* calls (planted_[a-z]*)\(\): .*/\1/p' "$work/log" | paste -s -d ,)
is "functions that tests alone call" "planted_alone,planted_long" "$exported"
sees "functions that tests alone" "tests/check/exported-kept: console_text: other files call it"
sees "a licence" "core/base/planted_licence.c: its first two lines"
sees "no file over 400" "core/base/planted_long.c: 401 lines"
sees "no folder" "docs/planted_many: 31 files"
is "no folder: 30 are right" 0 "$(grep -c planted_enough "$work/log")"
sees "no code asks for a processor.s family" "core/base/planted_family.c:4: a family by its number"
sees "no reason for a file" "tests/check/long-files: core/base/planted_good\\\\.c"
if grep -qE 'planted_good\.(c|js)[: ]' "$work/log"; then not_ok "named where nothing is wrong: $(grep -E 'planted_good\.(c|js)[: ]' "$work/log")"; else ok "what is right is not named"; fi
if [ $status = 1 ] && [ "$(tail -n 1 "$work/log")" = "0 passed, 16 failed" ] && [ "$(cat build/results/check)" = "0 16" ]; then
    ok "each failure counts"
else
    not_ok "status $status, $(tail -n 1 "$work/log"), results $(cat build/results/check)"
fi
rm -rf "$work/tree"
finish
