/* SPDX-License-Identifier: BSD-2-Clause */
/* A cause in words, and as JSON. */
#include "tools/ibsprof/cause/cause.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/base/str.h"
#include "core/base/wrap.h"

enum { LINE = 79, INDENT = 10, TEXT = CAUSE_TEXT };

static const char *const trusts[] = {[CAUSE_LOW] = "low", [CAUSE_FAIR] = "fair", [CAUSE_HIGH] = "high"};

__attribute__((format(printf, 2, 3))) static void add(char text[TEXT], const char *format, ...)
{
    size_t used = strlen(text);
    va_list args;

    va_start(args, format);
    vsnprintf(text + used, TEXT - used, format, args);
    va_end(args);
}

/* Adds the figures of the cause: "611 of 640 sampled loads (95.5 %), 162.0 cycles each". */
static void add_figures(char text[TEXT], const struct cause *cause)
{
    enum cause_kind kind = (enum cause_kind)cause->row->kind;

    if (kind == CAUSE_FRONT)
        add(text, "an estimated %.1f %% of the time passes without an op to retire", cause->each);
    else if (kind == CAUSE_WAITING || kind == CAUSE_RETIRING)
        add(text, "%" PRIu64 " sampled ops take %.1f cycles each from tag to completion", cause->count, cause->each);
    else
        add(text, "%" PRIu64 " of %" PRIu64 " %s (%.1f %%)", cause->count, cause->whole, cause->row->of,
            cause->whole ? 100.0 * (double)cause->count / (double)cause->whole : 0.0);
    if (kind == CAUSE_SOURCE)
        add(text, ", %.1f cycles each", cause->each);
    if (kind == CAUSE_BRANCH)
        add(text, ", about %.1f cycles each until the right path arrives", cause->each);
    if (kind == CAUSE_LOCKED)
        add(text, ", %.1f cycles each from tag to completion", cause->each);
}

static void sentence(char text[TEXT], const struct cause *cause)
{
    snprintf(text, TEXT, "%s: ", cause->row->says);
    add_figures(text, cause);
}

const char *cause_trust_name(enum cause_trust trust)
{
    return trusts[trust];
}

void cause_place(char text[CAUSE_TEXT], const struct run_profile *profile, const struct profile_place *place)
{
    const struct codemap *map = place->object == PROFILE_NO_OBJECT ? NULL : profile->maps[place->object];
    const struct codemap_insn *insn = map && place->insn >= 0 ? &map->insns[place->insn] : NULL;
    const char *function = profile_function(profile, place);

    text[0] = '\0';
    add(text, insn ? "%s (%" PRIx64 ")" : "%s%" PRIx64, insn ? map->strings + insn->text : "", place->rva);
    add(text, " in %s", function ? function : profile_object(profile, place));
    if (insn && insn->line && insn->file < map->file_count)
        add(text, ", %s:%u", str_basename(map->strings + map->files[insn->file]), insn->line);
}

/* Writes the certainty of a cause, by how much the next one takes. */
static void trust_text(char text[TEXT], const struct causes *causes, unsigned i)
{
    const struct cause *first = &causes->found[i], *next = first + 1;

    snprintf(text, TEXT, "%s", trusts[first->trust]);
    if (first->few)
        add(text, ", from %" PRIu64 " samples only", first->count);
    add(text, ": ");
    if (i + 1 >= causes->count || next->cycles <= 0)
        add(text, "no other cause takes a tenth of the time that these ops take at least");
    else
        add(text, "by %s %.1f times the next", causes->cycles > 0 ? "estimated time" : "rough weights",
            first->cycles / next->cycles);
    if (causes->cycles > 0)
        add(text, "; at most %.1f %% of the time", 100 * first->cycles / causes->cycles);
}

static void line(struct out *out, const char *name, const char *text)
{
    if (!text[0])
        return;
    out_printf(out, "%-*s", INDENT, name);
    wrap_text(out, text, INDENT, INDENT, LINE);
}

void cause_words_print(struct out *out, const struct cause_words *words)
{
    char text[TEXT + 1];

    snprintf(text, sizeof(text), "%s.", words->says);
    line(out, "Cause", text);
    line(out, "  where", words->where);
    line(out, "  try", words->try_this);
    line(out, "  sure", words->sure);
}

static struct cause_words words_of(const struct run_profile *profile, const struct causes *causes, unsigned i)
{
    const struct cause *cause = &causes->found[i];
    struct cause_words words = {
        .name = cause->row->name, .group = cause->row->group, .try_this = cause->row->try_this, .trust = cause->trust};

    sentence(words.says, cause);
    trust_text(words.sure, causes, i);
    if (cause->where)
        cause_place(words.where, profile, cause->where);
    return words;
}

void causes_print(struct out *out, const struct run_profile *profile, const struct causes *causes)
{
    struct cause_words words;

    if (causes->count == 0)
        return;
    words = words_of(profile, causes, 0);
    if (words.where[0] && causes->found[0].row->kind != CAUSE_WAITING)
        add(words.where, ": %" PRIu64 " of them", causes->found[0].there);
    cause_words_print(out, &words);
    if (causes->count > 1 && causes->found[1].row->kind != CAUSE_RETIRING) {
        sentence(words.says, &causes->found[1]);
        line(out, "  next", words.says);
    }
}

/* Writes the keys common to all causes, in the open object. */
static void words_json(struct json *json, const struct cause_words *words)
{
    json_key_text(json, "name", words->name);
    json_key_text(json, "group", words->group);
    json_key_text(json, "says", words->says);
    json_key_text(json, "try", words->try_this);
    json_key_text(json, "trust", trusts[words->trust]);
    json_key_text(json, "sure", words->sure);
    if (words->where[0])
        json_key_text(json, "where", words->where);
    if (words->event)
        json_key_text(json, "event", words->event);
}

void cause_words_json(struct json *json, const struct cause_words *words)
{
    json_key_array(json, "causes");
    json_object(json);
    words_json(json, words);
    json_end(json);
    json_end(json);
}

void causes_json(struct json *json, const struct run_profile *profile, const struct causes *causes)
{
    if (causes->count == 0)
        return;
    json_key_array(json, "causes");
    for (unsigned i = 0; i < causes->count; i++) {
        const struct cause *cause = &causes->found[i];
        struct cause_words words = words_of(profile, causes, i);

        json_object(json);
        words_json(json, &words);
        json_key_uint(json, "count", cause->count);
        json_key_uint(json, "whole", cause->whole);
        json_key_text(json, "of", cause->row->of);
        json_key_real(json, "weight", cause->cycles);
        if (cause->where) {
            json_key_hex(json, "address", cause->where->rva);
            json_key_uint(json, "there", cause->there);
        }
        json_end(json);
    }
    json_end(json);
}
