/* SPDX-License-Identifier: BSD-2-Clause */
/* Also for the table of the documents. */
#include "app/selftest/selftest.h"

void selftest_parts(struct out *out, uint32_t parts)
{
    static const struct {
        uint32_t part;
        const char *name;
    } names[] = {
#define SELFTEST_PART(identifier, bit, name) {SELFTEST_##identifier, name},
        SELFTEST_PARTS
#undef SELFTEST_PART
    };
    const char *separator = "";

    for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (!(parts & names[i].part))
            continue;
        out_printf(out, "%s%s", separator, names[i].name);
        separator = ", ";
    }
}
