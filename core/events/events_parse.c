/* SPDX-License-Identifier: BSD-2-Clause */
/* Events from text, and whether a processor can count them. */
#include "core/base/str.h"
#include "core/events/events.h"
#include "core/family/pmc_regs.h"
#include "core/run/settings_problems.h"

_Static_assert(PMC_COUNT_MASK_MAX == 3 && PMC_COUNT_MASK_LATER == 127, "the message about count masks says so");

struct span {
    const char *at;
    size_t length;
};

/* Cuts off and returns the text before the first 'separator' (all when there is none). */
static struct span cut(struct span *rest, char separator)
{
    struct span part = {rest->at, 0};

    while (part.length < rest->length && rest->at[part.length] != separator)
        part.length++;
    rest->at += part.length;
    rest->length -= part.length;
    return part;
}

/* Skips the separator at which cut() stopped; returns false when nothing is left. */
static bool skip(struct span *rest)
{
    if (rest->length == 0)
        return false;
    rest->at++;
    rest->length--;
    return true;
}

/* Reads a hexadecimal number with or without 0x, 1..digits digits. */
static bool hexadecimal(struct span text, size_t digits, uint32_t *value)
{
    uint32_t result = 0;

    if (text.length > 2 && text.at[0] == '0' && str_lower(text.at[1]) == 'x') {
        text.at += 2;
        text.length -= 2;
    }
    if (text.length == 0 || text.length > digits)
        return false;
    for (size_t i = 0; i < text.length; i++) {
        char c = str_lower(text.at[i]);

        if (c >= '0' && c <= '9')
            result = result * 16 + (uint32_t)(c - '0');
        else if (c >= 'a' && c <= 'f')
            result = result * 16 + (uint32_t)(c - 'a' + 10);
        else
            return false;
    }
    *value = result;
    return true;
}

/* Writes one line of a problem; returns false, for the caller to return. */
__attribute__((format(printf, 2, 3))) static bool refuse(struct out *problem, const char *format, ...)
{
    va_list args;

    if (problem) {
        va_start(args, format);
        out_vprintf(problem, format, args);
        va_end(args);
    }
    return false;
}

/* Writes "what 'text' rest", with the user's text made safe to print. */
static bool refuse_text(struct out *problem, const char *what, struct span text, const char *rest)
{
    if (problem) {
        out_printf(problem, "%s ", what);
        settings_show(problem, text.at, text.length);
        out_printf(problem, "%s", rest);
    }
    return false;
}

static bool parse_event(enum event_set set, struct span name, struct event_spec *spec, struct out *problem)
{
    uint32_t select;

    spec->event = event_by_symbol(set, name.at, name.length);
    if (spec->event)
        return true;
    if (!hexadecimal(name, 3, &select))
        return refuse_text(problem, "no event is called", name, "; 'events' lists them");
    spec->event = event_by_select(set, select);
    if (!spec->event)
        return refuse(problem, "%s has no event %03X; 'events' lists them", event_set_name(set), select);
    return true;
}

/* Reads "u", "k", "e", "i", or several of them in one word; each at most once. */
static bool parse_letters(struct span part, struct event_spec *spec)
{
    struct event_spec result = *spec;

    for (size_t i = 0; i < part.length; i++) {
        bool *flag;

        switch (str_lower(part.at[i])) {
        case 'u':
            flag = &result.user;
            break;
        case 'k':
            flag = &result.kernel;
            break;
        case 'e':
            flag = &result.edge;
            break;
        case 'i':
            flag = &result.invert;
            break;
        default:
            return false;
        }
        if (*flag)
            return false;
        *flag = true;
    }
    if (part.length == 0)
        return false;
    *spec = result;
    return true;
}

static bool parse_count_mask(struct span part, struct event_spec *spec, struct out *problem)
{
    unsigned most = event_count_mask_max(spec->event);
    uint64_t value;

    if (!str_to_uint(part.at + 2, part.length - 2, &value) || value < 1 || value > most)
        return refuse_text(problem, "count mask", part,
                           most == PMC_COUNT_MASK_MAX ? " is not c=1 to c=3" : " is not c=1 to c=127");
    if (spec->count_mask)
        return refuse(problem, "more than one count mask");
    spec->count_mask = (uint8_t)value;
    return true;
}

static bool parse_part(struct span part, struct event_spec *spec, struct out *problem)
{
    uint32_t mask;

    if (part.length >= 2 && str_lower(part.at[0]) == 'c' && part.at[1] == '=')
        return parse_count_mask(part, spec, problem);
    if (parse_letters(part, spec))
        return true;
    if (!hexadecimal(part, 2, &mask))
        return refuse_text(problem, "part", part, " is neither a mask (00 to FF) nor one of u, k, e, i, c=N");
    if (spec->mask_given)
        return refuse(problem, "more than one mask");
    spec->mask_given = true;
    spec->mask = (uint8_t)mask;
    return true;
}

bool event_parse(enum event_set set, const char *text, size_t length, struct event_spec *spec, struct out *problem)
{
    struct span rest = {text, length}, parts;
    struct event_spec result = {0};

    parts = cut(&rest, '@');
    if (skip(&rest) && (!str_to_uint(rest.at, rest.length, &result.period) || result.period == 0))
        return refuse_text(problem, "period", rest, " is not a number from 1");
    if (!parse_event(set, cut(&parts, ':'), &result, problem))
        return false;
    while (skip(&parts))
        if (!parse_part(cut(&parts, ':'), &result, problem))
            return false;
    if (!result.mask_given)
        result.mask = result.event->mask_default;
    if (!result.user && !result.kernel)
        result.user = result.kernel = true;
    *spec = result;
    return true;
}

/* ---------------------------------------------------------------- what a processor can count */

static bool check_mask(const struct event *event, uint8_t mask, char revision, struct out *problem)
{
    uint8_t legal = revision < 'C' ? event->mask_legal & (uint8_t)~event->mask_since_c : event->mask_legal;

    if (event->flags & EVENT_MASK_INDEX) {
        if (mask > legal)
            return refuse(problem, "%03X: mask %02X; allowed is 00 to %02X", event->select, mask, legal);
        return true;
    }
    if (legal == 0 && mask)
        return refuse(problem, "%03X: has no mask, but %02X was given", event->select, mask);
    if (mask & ~legal)
        return refuse(problem, "%03X: mask %02X has reserved bits %02X; allowed are %02X", event->select, mask,
                      mask & ~legal, legal);
    if (legal && !event->mask_none && !(mask & ~event->mask_modifier))
        return refuse(problem, "%03X: mask %02X counts nothing; allowed are bits of %02X", event->select, mask, legal);
    if ((event->flags & EVENT_CORE_SELECT) && (mask & 0xF0) != 0xF0)
        return refuse(problem, "%03X: mask %02X; bits F0 must all be set (erratum 437)", event->select, mask);
    if ((event->flags & EVENT_CORE_SELECT) && (mask & 0x0F) == 0)
        return refuse(problem, "%03X: mask %02X counts nothing: a bit of %02X is needed", event->select, mask,
                      legal & 0x0F);
    if ((event->flags & EVENT_MASK_GROUPS) && (!(mask & 0xF0) || !(mask & 0x0F)))
        return refuse(problem, "%03X: mask %02X counts nothing: a bit of 0F and one of F0 are needed", event->select,
                      mask);
    if ((mask & event->mask_alone) && (mask & ~event->mask_alone))
        return refuse(problem, "%03X: mask %02X; bits %02X go with no others", event->select, mask, event->mask_alone);
    return true;
}

bool event_check(const struct event_spec *spec, char revision, struct out *problem)
{
    const struct event *event = spec->event;

    if (revision < event->since || revision > event->last) {
        if (event->since == event->last)
            return refuse(problem, "%03X: only revision %c has it, this is %c", event->select, event->since, revision);
        return refuse(problem, "%03X: exists from revision %c on, this is %c", event->select, event->since, revision);
    }
    if (!check_mask(event, spec->mask, revision, problem))
        return false;
    if (!spec->user && !spec->kernel)
        return refuse(problem, "%03X: neither user nor kernel level is counted", event->select);
    if (spec->count_mask > event_count_mask_max(event))
        return refuse(problem, "%03X: count mask %u; allowed is up to %u", event->select, spec->count_mask,
                      event_count_mask_max(event));
    if (spec->period && spec->period < event->period_min)
        return refuse(problem, "%03X: period %lu is under its minimum of %u", event->select, spec->period,
                      event->period_min);
    if (spec->period > PMC_PERIOD_MAX)
        return refuse(problem, "%03X: period %lu is over %lu", event->select, spec->period, (uint64_t)PMC_PERIOD_MAX);
    return true;
}
