/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/base/duration.h"

#include "core/base/out.h"

void duration_write(char (*text)[DURATION_MAX], uint64_t ms)
{
    uint64_t seconds = (ms + 999) / 1000, minutes = (seconds + 59) / 60;
    struct out_memory to;

    out_memory_init(&to, *text, sizeof(*text));
    if (seconds < 100)
        out_printf(&to.out, "%lu s", seconds);
    else if (minutes < 100)
        out_printf(&to.out, "%lu min", minutes);
    else
        out_printf(&to.out, "%lu h %02lu min", minutes / 60, minutes % 60);
}
