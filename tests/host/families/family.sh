#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# docs/adding.md as it stands there: a family of its file is known to core/ when nothing but the file is added.
cd "$(dirname "$0")/../../.." || exit 1
. tools/verdicts

log=/dev/null
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
sed -n '/^## A family of processors$/,/^## /{/^```c$/,/^```$/{/^```/!p}}' docs/adding.md >"$dir/family_1fh.c"
cat >"$dir/main.c" <<'END'
#include <stdio.h>
#include <string.h>

#include "core/ibs/derived.h"

int main(void)
{
    struct ibs_machine machine = ibs_machine_of(0x1F, 3, 0x3FF);
    struct derived_set set = derived_set_of(&machine);

    if (!machine.row)
        return 1;
    printf("%s\n", machine.row->name);
    for (unsigned i = 0; i < ibs_field_count; i++)
        if (strcmp(ibs_fields[i].name, "IbsDcLdBnkCon") == 0 || strcmp(ibs_fields[i].name, "IbsOpMicrocode") == 0)
            printf("%s %d\n", ibs_fields[i].name, ibs_field_exists(&ibs_fields[i], &machine));
    for (int i = 0; i < DERIVED_FIRST; i++)
        if (!set.has[i])
            printf("%s ", derived_events[i].code);
    printf("\n%d\n", (int)ibs_source_of(&machine, 4));
    return 0;
}
END
# built [FILE]: with one more family.
built() {
    gcc -std=gnu11 -O1 -I. -Wall -Wextra -Werror -Wno-unused-parameter "$dir/main.c" "$@" core/family/family_*.c \
        core/family/ibs_family.c core/ibs/ibs_field.c core/ibs/derived.c core/base/out.c core/base/str.c -o "$dir/family" >"$dir/errors" 2>&1
}

if ! built "$dir/family_1fh.c"; then
    not_ok "the page's family does not build" "$dir/errors"
elif ! "$dir/family" >"$dir/got"; then
    not_ok "Family 1Fh is not known"
else
    ok "a family is added by its file"
    cat >"$dir/wanted" <<'END'
Family 1Fh, made up
IbsOpMicrocode 0
IbsDcLdBnkCon 1
F008 F009 F109 F20A F20B F20C F210 F240 F241 F242 F243 F244 F245 F246 F247 F248 F249 F24A F24B F24C X240 
5
END
    if diff "$dir/wanted" "$dir/got" >"$dir/diff"; then
        ok "its fields, events and sources are its row's"
    else
        not_ok "its fields, events and sources are not its row's" "$dir/diff"
    fi
fi
if built && ! "$dir/family" >/dev/null; then
    ok "without the file the family is unknown"
else
    not_ok "without the file the family is not unknown"
fi
finish
