/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/run/plan.h"

#include "core/base/mem.h"
#include "core/base/str.h"
#include "core/run/plan_values.h"
#include "core/run/settings_problems.h"

/* A plan that is being read. */
struct reading {
    struct plan *plan;
    struct settings_problems problems;
    const char *begin; /* of the line */
    unsigned number;
};

/* Begins the line of a problem at this place of the line. */
static struct out *problem(struct reading *reading, const char *at)
{
    struct out *out = settings_problem(&reading->problems, reading->number);

    out_printf(out, "column %u: ", (unsigned)(at - reading->begin) + 1);
    return out;
}

static bool same_name(const struct settings_span *a, const struct settings_span *b)
{
    return a->length == b->length && memcmp(a->at, b->at, a->length) == 0;
}

/* Begins a section: "[name]", and perhaps a comment. */
static void read_section(struct reading *reading, struct settings_span text)
{
    struct plan *plan = reading->plan;
    struct settings_span name = {text.at + 1, 0}, rest;

    while (name.length + 1 < text.length && name.at[name.length] != ']')
        name.length++;
    rest = settings_trim((struct settings_span){name.at + name.length, text.length - 1 - name.length});
    if (!rest.length || (rest.length > 1 && !settings_is_blank(rest.at[1]))) {
        out_printf(problem(reading, text.at), "a section begins with its name in brackets, [name], and nothing else\n");
        return;
    }
    name = settings_trim(name);
    for (size_t i = 0; i < name.length; i++)
        if (name.at[i] < ' ' || name.at[i] > '~' || name.at[i] == '"')
            name.length = 0;
    if (!name.length || name.length > PLAN_NAME_MAX) {
        out_printf(problem(reading, text.at + 1), "a section's name has 1 to %d printable characters, and no quotes\n",
                   PLAN_NAME_MAX);
        return;
    }
    for (unsigned i = 1; i <= plan->sections; i++)
        if (same_name(&plan->section[i].name, &name)) {
            out_printf(problem(reading, name.at), "there is already a section [%.*s]\n", (int)name.length, name.at);
            return;
        }
    if (plan->sections == PLAN_SECTIONS_MAX) {
        out_printf(problem(reading, text.at), "more than %d sections\n", PLAN_SECTIONS_MAX);
        return;
    }
    plan->section[++plan->sections].name = name;
}

static bool same_key(const struct plan_line *a, const struct plan_line *b)
{
    return settings_same_key(a->words.key.at, a->words.key.length, b->words.key.at, b->words.key.length);
}

/* Returns whether the setting is about the whole plan. */
static bool is_of_plan(const struct plan_line *line)
{
    static const char begin[] = "plan_";
    size_t length = sizeof(begin) - 1;

    return line->words.key.length >= length && settings_same_key(line->words.key.at, length, begin, length);
}

/* Returns another line of the same part with the key, or NULL. */
static const struct plan_line *earlier(const struct plan *plan, const struct plan_line *line)
{
    for (unsigned i = 0; i < plan->lines; i++)
        if (plan->line[i].section == line->section && same_key(&plan->line[i], line))
            return &plan->line[i];
    return NULL;
}

/* Finds a character that no setting may have, or NULL. */
static const char *not_text(const struct settings_span *span)
{
    for (size_t i = 0; i < span->length; i++)
        if ((span->at[i] < ' ' || span->at[i] > '~') && span->at[i] != '\t')
            return span->at + i;
    return NULL;
}

static void read_setting(struct reading *reading, const struct settings_line *words)
{
    const char *bad = not_text(&words->key) ? not_text(&words->key) : not_text(&words->value);
    struct plan *plan = reading->plan;
    struct plan_line line = {.number = reading->number, .section = plan->sections, .choices = 1, .words = *words};
    const struct plan_line *other = earlier(plan, &line);
    struct settings_span wrong = words->value;

    if (bad) {
        out_printf(problem(reading, bad), "only printable ASCII characters may stand here\n");
        return;
    }
    if (!words->quoted)
        line.choices = plan_values_count(words->value, PLAN_POINTS_MAX, &wrong);
    if (!line.choices) {
        struct out *out = problem(reading, wrong.at);

        settings_show(out, wrong.at, wrong.length);
        out_printf(out, " is neither a value nor a range; ranges are 1..3, 10..50 +10 and 4..16384 x2\n");
    } else if (line.choices > PLAN_POINTS_MAX) {
        out_printf(problem(reading, words->value.at), "more than %d values\n", PLAN_POINTS_MAX);
    } else if (other) {
        out_printf(problem(reading, words->key.at), "line %u already has this setting\n", other->number);
    } else if (is_of_plan(&line) && (line.section || line.choices > 1)) {
        out_printf(problem(reading, words->key.at),
                   "settings of the plan itself stand before the first section, and are not lists\n");
    } else if (plan->lines == PLAN_LINES_MAX) {
        out_printf(problem(reading, words->key.at), "more than %d settings\n", PLAN_LINES_MAX);
    } else {
        plan->line[plan->lines++] = line;
    }
}

static void read_line(struct reading *reading, struct settings_span text)
{
    struct settings_line words;

    reading->begin = text.at;
    if (text.length > SETTINGS_LINE_MAX) {
        struct settings_span rest = {text.at + SETTINGS_LINE_MAX, text.length - SETTINGS_LINE_MAX};

        if (settings_trim(rest).length && settings_line_split(&text, &words) != SETTINGS_LINE_COMMENT) {
            out_printf(problem(reading, rest.at), "the line is too long; allowed are %d characters\n",
                       SETTINGS_LINE_MAX);
            return;
        }
    }
    switch (settings_line_split(&text, &words)) {
    case SETTINGS_LINE_SECTION:
        read_section(reading, text);
        break;
    case SETTINGS_LINE_SETTING:
        read_setting(reading, &words);
        break;
    case SETTINGS_LINE_NO_EQUALS:
        out_printf(problem(reading, text.at), "no '='; a line is 'key = value', or a section's [name]\n");
        break;
    case SETTINGS_LINE_QUOTES:
        out_printf(problem(reading, text.at), "the quotes are wrong; a value may stand in one pair of them\n");
        break;
    default:
        break;
    }
}

/* Returns whether the line belongs to the section: its own, or a common one with a setting that the section lacks. */
static bool belongs(const struct plan *plan, const struct plan_line *line, unsigned section)
{
    if (line->section == section)
        return true;
    for (unsigned i = 0; !line->section && i < plan->lines; i++)
        if (plan->line[i].section == section && same_key(&plan->line[i], line))
            return false;
    return !line->section;
}

static void count_points(struct reading *reading)
{
    struct plan *plan = reading->plan;

    for (unsigned section = plan->sections ? 1 : 0; section <= plan->sections; section++) {
        unsigned points = 1;

        for (unsigned i = 0; i < plan->lines && points <= PLAN_POINTS_MAX; i++)
            if (belongs(plan, &plan->line[i], section))
                points *= plan->line[i].choices;
        plan->section[section].points = points;
        plan->points += points;
        if (plan->points > PLAN_POINTS_MAX) {
            out_printf(settings_problem(&reading->problems, 0), "its lists make more than %d different runs\n",
                       PLAN_POINTS_MAX);
            return;
        }
    }
}

unsigned plan_read(struct plan *plan, const char *name, const void *text, size_t size, struct out *problems)
{
    struct reading reading = {.plan = plan};
    const char *at = text, *end = at + size;

    *plan = (struct plan){.section[0].name.at = ""};
    settings_problems_init(&reading.problems, name, problems);
    if (size > SETTINGS_TEXT_MAX) {
        out_printf(settings_problem(&reading.problems, 0), "%zu bytes are too many; allowed are %d\n", size,
                   SETTINGS_TEXT_MAX);
        return settings_problems_end(&reading.problems);
    }
    if (size >= 2 && (!memcmp(at, "\xFE\xFF", 2) || !memcmp(at, "\xFF\xFE", 2))) {
        out_printf(settings_problem(&reading.problems, 0), "UTF-16; save it as UTF-8\n");
        return settings_problems_end(&reading.problems);
    }
    if (size >= 3 && !memcmp(at, "\xEF\xBB\xBF", 3))
        at += 3;
    while (at < end) {
        struct settings_span line = {at, 0};

        while (at + line.length < end && at[line.length] != '\n')
            line.length++;
        reading.number++;
        read_line(&reading, line);
        at += line.length + 1;
    }
    count_points(&reading);
    return settings_problems_end(&reading.problems);
}

/* Finds the section of a point, and the point's number in it. */
static unsigned find_section(const struct plan *plan, unsigned *point)
{
    unsigned section = plan->sections ? 1 : 0;

    while (section < plan->sections && *point >= plan->section[section].points)
        *point -= plan->section[section++].points;
    return section;
}

const struct settings_span *plan_section_of(const struct plan *plan, unsigned point)
{
    return &plan->section[find_section(plan, &point)].name;
}

/* Calls write() for each of the point's lines, with the number of its value. */
static void each_line(const struct plan *plan, unsigned point,
                      void (*write)(struct out *out, const struct plan_line *line, unsigned choice), struct out *out)
{
    unsigned section = find_section(plan, &point), left = plan->section[section].points;

    for (unsigned i = 0; i < plan->lines; i++) {
        const struct plan_line *line = &plan->line[i];

        if (!belongs(plan, line, section))
            continue;
        /* The last list changes fastest. */
        left /= line->choices;
        write(out, line, point / left % line->choices);
    }
}

/* Writes to text lines, and knows which one is next. */
struct numbered {
    struct out out;
    struct out *to;
    unsigned line;
};

static void pass_on(struct out *out, const char *text, size_t length)
{
    struct out *to = ((struct numbered *)out)->to;

    to->write(to, text, length);
}

static void write_value(struct out *out, const struct plan_line *line, unsigned choice)
{
    const struct settings_span *value = &line->words.value;

    if (line->words.quoted)
        out_printf(out, "%.*s", (int)value->length, value->at);
    else
        plan_values_write(*value, choice, out);
}

static void write_setting(struct out *out, const struct plan_line *line, unsigned choice)
{
    struct numbered *numbered = (struct numbered *)out;

    for (; numbered->line < line->number; numbered->line++)
        out_printf(out, "\n");
    out_printf(out, "%.*s = \"", (int)line->words.key.length, line->words.key.at);
    write_value(out, line, choice);
    out_printf(out, "\"");
}

void plan_write_point(const struct plan *plan, unsigned point, struct out *out)
{
    struct numbered numbered = {{pass_on}, out, 1};

    each_line(plan, point, write_setting, &numbered.out);
    out_printf(out, "\n");
}

static void write_choice(struct out *out, const struct plan_line *line, unsigned choice)
{
    if (line->choices == 1)
        return;
    out_printf(out, " %.*s=", (int)line->words.key.length, line->words.key.at);
    write_value(out, line, choice);
}

void plan_write_name(const struct plan *plan, unsigned point, struct out *out)
{
    const struct settings_span *name = plan_section_of(plan, point);

    if (name->length)
        out_printf(out, " [%.*s]", (int)name->length, name->at);
    each_line(plan, point, write_choice, out);
}
