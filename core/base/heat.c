/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/base/heat.h"

/* Steps of the whole total: a row with half of it has the longest bar. */
enum { STEPS_OF_ALL = 2 * HEAT_STEPS };

unsigned heat_steps(uint64_t value, uint64_t total)
{
    if (!value || !total)
        return 0;
    if (value >= total / 2 + total % 2)
        return HEAT_STEPS;
    for (; total > UINT64_MAX / (2 * STEPS_OF_ALL); total >>= 1)
        value >>= 1;
    return value ? (unsigned)((value * STEPS_OF_ALL + total - 1) / total) : 1;
}

void heat_bar(char (*bar)[HEAT_WIDTH + 1], unsigned steps)
{
    for (unsigned i = 0; i < HEAT_WIDTH; i++)
        (*bar)[i] = steps >= 2 * i + 2 ? '#' : steps > 2 * i ? '=' : ' ';
    (*bar)[HEAT_WIDTH] = '\0';
}

static void write(struct out *out, const char *text, size_t length)
{
    struct heat_text *to = (struct heat_text *)out;

    for (size_t i = 0; i < length; i++)
        to->line += text[i] == '\n';
    to->write_text(out, text, length);
}

void heat_text_init(struct heat_text *to, char *text, size_t size, uint8_t *heat, size_t lines)
{
    *to = (struct heat_text){.heat = heat, .lines = lines};
    out_memory_init(&to->memory, text, size);
    to->write_text = to->memory.out.write;
    to->memory.out.write = write;
}

void heat_row(struct out *out, uint64_t value, uint64_t total)
{
    struct heat_text *to = (struct heat_text *)out;

    if (out->write == write && to->line < to->lines)
        to->heat[to->line] = (uint8_t)heat_steps(value, total);
}
