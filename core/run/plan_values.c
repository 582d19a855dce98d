/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/run/plan_values.h"

#include "core/base/str.h"

/* A part of a list: a range of numbers, or a text as it is. */
struct item {
    struct settings_span text;
    bool range, times; /* each the one before times 'step', else plus it */
    uint64_t first, last, step;
};

/* Takes the part before the next '|' off the rest. */
static struct settings_span next_part(struct settings_span *rest)
{
    struct settings_span part = {rest->at, 0};

    while (part.length < rest->length && part.at[part.length] != '|')
        part.length++;
    rest->at += part.length;
    rest->length -= part.length;
    return settings_trim(part);
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Returns the place of ".." in the text, or its length. */
static size_t dots(struct settings_span text)
{
    size_t at = 0;

    while (at + 1 < text.length && !(text.at[at] == '.' && text.at[at + 1] == '.'))
        at++;
    return at + 1 < text.length ? at : text.length;
}

/* Reads the range's numbers; returns false if it is none. */
static bool read_range(struct item *item, size_t at)
{
    struct settings_span text = item->text, first = settings_trim((struct settings_span){text.at, at}),
                         last = settings_trim((struct settings_span){text.at + at + 2, text.length - at - 2}), step,
                         rest;
    size_t end = 0;

    while (end < last.length && !settings_is_blank(last.at[end]))
        end++;
    step = settings_trim((struct settings_span){last.at + end, last.length - end});
    item->step = 1;
    if (step.length) {
        item->times = str_lower(step.at[0]) == 'x';
        rest = settings_trim((struct settings_span){step.at + 1, step.length - 1});
        if ((!item->times && step.at[0] != '+') || !str_to_uint(rest.at, rest.length, &item->step))
            return false;
    }
    return str_to_uint(first.at, first.length, &item->first) && str_to_uint(last.at, end, &item->last) &&
           item->first <= item->last && item->step >= (item->times ? 2 : 1) && (!item->times || item->first);
}

static bool has_quotes(struct settings_span text)
{
    for (size_t i = 0; i < text.length; i++)
        if (text.at[i] == '"')
            return true;
    return false;
}

/* Reads the next part of the list; returns false if it is empty, in quotes, or no range. */
static bool next_item(struct settings_span *rest, struct item *ret_item)
{
    size_t at;

    *ret_item = (struct item){.text = next_part(rest)};
    at = dots(ret_item->text);
    ret_item->range = at < ret_item->text.length && is_digit(ret_item->text.at[0]);
    return ret_item->range ? read_range(ret_item, at) : ret_item->text.length && !has_quotes(ret_item->text);
}

/* Goes on to the range's next number; returns false if there is none. */
static bool step(const struct item *item, uint64_t *number)
{
    if (item->times ? *number > item->last / item->step : item->last - *number < item->step)
        return false;
    *number = item->times ? *number * item->step : *number + item->step;
    return true;
}

unsigned plan_values_count(struct settings_span value, unsigned most, struct settings_span *ret_wrong)
{
    unsigned count = 0;
    bool more = true;

    /* One empty value is a text that is set to nothing. */
    if (!value.length)
        return 1;
    while (more && count <= most) {
        struct item item;
        uint64_t number;

        if (!next_item(&value, &item)) {
            *ret_wrong = item.text;
            return 0;
        }
        number = item.first;
        for (count++; item.range && count <= most && step(&item, &number); count++)
            ;
        more = value.length > 0;
        value.at += more;
        value.length -= more;
    }
    return count;
}

void plan_values_write(struct settings_span value, unsigned n, struct out *out)
{
    for (;;) {
        struct item item;
        uint64_t number;

        (void)next_item(&value, &item);
        number = item.first;
        while (n && item.range && step(&item, &number))
            n--;
        if (!n || !value.length) {
            if (item.range)
                out_printf(out, "%lu", number);
            else
                out_printf(out, "%.*s", (int)item.text.length, item.text.at);
            return;
        }
        n--;
        value.at++;
        value.length--;
    }
}
