/* SPDX-License-Identifier: BSD-2-Clause */
#include "app/save/send_wanted.h"

#include "core/base/str.h"

static bool is_in(char c, const char *set)
{
    for (; *set; set++)
        if (c == *set)
            return true;
    return false;
}

static size_t until(const char *text, const char *set)
{
    size_t length = 0;

    while (text[length] && !is_in(text[length], set))
        length++;
    return length;
}

static bool number(const char *text, size_t length, uint32_t *ret_number)
{
    uint64_t value;

    if (!str_to_uint(text, length, &value) || value > UINT32_MAX)
        return false;
    *ret_number = (uint32_t)value;
    return true;
}

/* Adds "12" or "12-40" in text[0..length - 1]. */
static bool add_range(struct send_wanted *wanted, const char *name, const char *text, size_t length)
{
    size_t dash = until(text, "-, ");
    uint32_t first, last;

    if (wanted->count == SEND_RANGES || !number(text, dash < length ? dash : length, &first))
        return false;
    last = first;
    if (dash < length && !number(text + dash + 1, length - dash - 1, &last))
        return false;
    wanted->range[wanted->count].name = name;
    wanted->range[wanted->count].first = first;
    wanted->range[wanted->count++].last = last;
    return first <= last;
}

/* Adds one word: a file, perhaps with blocks. */
static bool add_word(struct send_wanted *wanted, const char *word, const struct run_file *files, unsigned count)
{
    size_t length = until(word, ": ");
    const char *name = NULL;

    for (unsigned i = 0; i < count; i++)
        if (str_is(word, length, files[i].name))
            name = files[i].name;
    if (!name)
        return false;
    if (word[length] != ':')
        return add_range(wanted, name, "0-0xffffffff", 12);
    do {
        word += length + 1;
        length = until(word, ", ");
        if (!add_range(wanted, name, word, length))
            return false;
    } while (word[length] == ',');
    return true;
}

bool send_wanted_read(struct send_wanted *wanted, const char *what, const struct run_file *files, unsigned count,
                      struct out *problems)
{
    wanted->count = 0;
    for (; *what; what += until(what, " ")) {
        while (*what == ' ')
            what++;
        if (!*what)
            break;
        if (!add_word(wanted, what, files, count)) {
            out_printf(problems, "send %.*s: not a file of this run (", (int)until(what, " "), what);
            for (unsigned i = 0; i < count; i++)
                out_printf(problems, "%s%s", i ? " " : "", files[i].name);
            out_printf(problems, "),\nnor blocks of one, such as perf.data:12,40-47; at most %u ranges\n", SEND_RANGES);
            return false;
        }
    }
    return true;
}

bool send_wants_block(const struct send_wanted *wanted, const char *name, uint32_t block)
{
    for (unsigned i = 0; i < wanted->count; i++)
        if (str_equal(wanted->range[i].name, name) && block >= wanted->range[i].first && block <= wanted->range[i].last)
            return true;
    return !wanted->count;
}

bool send_wants_file(const struct send_wanted *wanted, const char *name)
{
    for (unsigned i = 0; i < wanted->count; i++)
        if (str_equal(wanted->range[i].name, name))
            return true;
    return !wanted->count;
}

uint32_t send_wanted_blocks(const struct send_wanted *wanted, const char *name, uint32_t blocks)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < blocks; i++)
        count += send_wants_block(wanted, name, i);
    return count;
}
