/* SPDX-License-Identifier: BSD-2-Clause */
#include "app/settings/params.h"

#include "core/base/mem.h"
#include "core/base/nearest.h"
#include "core/base/str.h"
#include "core/base/wrap.h"
#include "core/run/facts.h"

/* Widths of the list. */
enum {
    LINE = 79,
    INDENT = 4,
    DEEPER = 8, /* indentation of continued lines */
};

/* Own code, in addition to the rows that the linker has collected. */
static struct {
    struct own {
        const struct workload *workload;
        const char *why;
    } row[PARAMS_OWN_MAX];
    unsigned count;
} own;

void params_forget_own(void)
{
    own.count = 0;
}

const struct workload *params_own(unsigned n)
{
    return n < own.count ? own.row[n].workload : NULL;
}

const struct workload *params_nth(unsigned n)
{
    unsigned built_in = (unsigned)(__stop_workload_rows - __start_workload_rows);

    if (n < built_in)
        return __start_workload_rows[n];
    for (unsigned i = 0; i < own.count; i++)
        if (!own.row[i].why && n-- == built_in)
            return own.row[i].workload;
    return NULL;
}

static int find(const struct params *params, const char *name)
{
    for (unsigned i = 0; i < params->count; i++)
        if (str_equal(params->row[i].key, name))
            return (int)i;
    return -1;
}

static bool add(struct params *params, const struct workload_param *param)
{
    int known = find(params, param->name);

    if (known < 0) {
        if (params->count == PARAMS_MAX)
            return false;
        known = (int)params->count++;
        params->row[known] = (struct settings_row){.key = param->name,
                                                   .type = SETTINGS_UINT,
                                                   .initial = "0",
                                                   .help = param->help,
                                                   .value = &params->value[known],
                                                   .min = param->min,
                                                   .or_zero = true};
    }
    if (param->min < params->row[known].min)
        params->row[known].min = param->min;
    if (param->max > params->row[known].max)
        params->row[known].max = param->max;
    return true;
}

bool params_init(struct params *params, struct settings_row *row)
{
    const struct workload *workload;
    bool good = true;

    *params = (struct params){.row = row};
    for (unsigned n = 0; (workload = params_nth(n)); n++)
        for (unsigned i = 0; i < WORKLOAD_PARAMS_MAX && workload->params[i].name; i++)
            good &= add(params, &workload->params[i]);
    return good;
}

/* Returns whether all parameter names are shared with others, or fit into the table. */
static bool has_room(const struct workload *workload)
{
    struct settings_row row[PARAMS_MAX];
    struct params params;
    bool good = params_init(&params, row);

    for (unsigned i = 0; i < WORKLOAD_PARAMS_MAX && workload->params[i].name; i++)
        good = good && add(&params, &workload->params[i]);
    return good;
}

bool params_add_own(const struct workload *workload, const char *why)
{
    if (own.count == PARAMS_OWN_MAX || (!why && !has_room(workload)))
        return false;
    own.row[own.count++] = (struct own){workload, why};
    return true;
}

void params_write_range(struct out *out, const struct workload *workload, unsigned i)
{
    const struct workload_param *param = &workload->params[i];
    uint32_t step = workload->steps[i];

    if (step == WORKLOAD_POWERS)
        out_printf(out, "powers of two from ");
    else if (step)
        out_printf(out, "multiples of %u from ", step);
    out_printf(out, "%u to %u", param->min, param->max);
}

static uint32_t value_of(const struct params *params, const struct workload *workload, unsigned i)
{
    int at = find(params, workload->params[i].name);
    uint64_t value = at < 0 ? 0 : params->value[at];

    return value ? (uint32_t)value : workload->params[i].fallback;
}

int params_index(const struct workload *workload, const char *name)
{
    for (int i = 0; i < WORKLOAD_PARAMS_MAX && workload->params[i].name; i++)
        if (str_equal(workload->params[i].name, name))
            return i;
    return -1;
}

bool params_takes(const struct params *params, const struct workload *workload, unsigned i)
{
    const struct workload_param *param = &workload->params[i];
    uint32_t value = value_of(params, workload, i), step = workload->steps[i];

    if (value < param->min || value > param->max)
        return false;
    return step == WORKLOAD_POWERS ? !(value & (value - 1)) : !step || value % step == 0;
}

void params_refuse(struct out *out, const struct params *params, const struct workload *workload, unsigned i)
{
    out_printf(out, "%s = %u: workload %s takes ", workload->params[i].name, value_of(params, workload, i),
               workload->name);
    params_write_range(out, workload, i);
    out_printf(out, "\n");
}

bool params_of(const struct params *params, const struct workload *workload, uint32_t *values, struct out *problems)
{
    bool good = true;

    for (unsigned i = 0; i < WORKLOAD_PARAMS_MAX && workload->params[i].name; i++) {
        values[i] = value_of(params, workload, i);
        if (params_takes(params, workload, i))
            continue;
        params_refuse(problems, params, workload, i);
        good = false;
    }
    return good;
}

void params_expected_facts(struct out *out, const struct workload *workload, const uint32_t *values)
{
    for (unsigned i = 0; i < WORKLOAD_EXPECTED_MAX && workload->expected[i].select; i++)
        fact_number(out, FACT_EXPECTED, workload_count(workload, i, values), workload->expected[i].select,
                    workload->expected[i].mask);
}

const struct workload *params_find_workload(const char *name)
{
    const struct workload *workload = NULL;

    for (unsigned n = 0; (workload = params_nth(n)); n++)
        if (str_equal(workload->name, name))
            break;
    return workload;
}

void params_no_workload(struct out *out, const char *name, const char *usual)
{
    const struct workload *workload;
    struct nearest nearest;

    for (unsigned i = 0; i < own.count; i++)
        if (own.row[i].why && str_equal(own.row[i].workload->name, name)) {
            out_printf(out, "workload = %s: %s: %s\n", name, own.row[i].workload->title, own.row[i].why);
            return;
        }
    nearest_begin(&nearest, name, strlen(name));
    (void)nearest_try(&nearest, usual, strlen(usual));
    for (unsigned n = 0; (workload = params_nth(n)); n++)
        (void)nearest_try(&nearest, workload->name, strlen(workload->name));
    out_printf(out, "workload = %s: no such workload; 'list' names all workloads", name);
    nearest_print(&nearest, out);
    out_printf(out, "\n");
}

static void list_param(struct out *out, const struct workload *workload, unsigned i)
{
    const struct workload_param *param = &workload->params[i];
    char text[256];
    struct out_memory memory;
    size_t used;

    out_memory_init(&memory, text, sizeof(text));
    out_printf(&memory.out, "%s=%u  ", param->name, param->fallback);
    out_printf(out, "%*s%s", INDENT, "", text);
    used = INDENT + memory.needed;
    out_memory_init(&memory, text, sizeof(text));
    out_printf(&memory.out, "%s (", param->help);
    params_write_range(&memory.out, workload, i);
    out_printf(&memory.out, ")");
    wrap_text(out, text, (int)used, DEEPER, LINE);
}

static void list_workload(struct out *out, const struct workload *workload)
{
    out_printf(out, "%s: %s\n%*sshows ", workload->name, workload->title, INDENT, "");
    wrap_text(out, workload->shows, INDENT + 6, DEEPER, LINE);
    for (unsigned i = 0; i < WORKLOAD_PARAMS_MAX && workload->params[i].name; i++)
        list_param(out, workload, i);
}

/* Words that 'list' takes, and headings of groups. */
static const struct {
    const char *word, *title;
} groups[WORKLOAD_ABOUT_GROUPS] = {
    [WORKLOAD_ABOUT_MEMORY] = {"memory", "caches, TLBs, latency"},
    [WORKLOAD_ABOUT_BRANCHES] = {"branches", "predictable and unpredictable branches"},
    [WORKLOAD_ABOUT_CORE] = {"core", "execution: latencies and width"},
    [WORKLOAD_ABOUT_FRONT_END] = {"front-end", "fetching code"},
    [WORKLOAD_ABOUT_SHARING] = {"sharing", "several cores"},
    [WORKLOAD_ABOUT_OWN] = {"own", "own code: files in \\ibsboot\\code"},
};

static void list_group(struct out *out, unsigned group, bool whole)
{
    const struct workload *workload;

    if (group == WORKLOAD_ABOUT_OWN && !own.count)
        return;
    out_printf(out, "-- %s -- %s\n", groups[group].word, groups[group].title);
    for (unsigned n = 0; (workload = params_nth(n)); n++) {
        if (workload->group != group)
            continue;
        if (whole)
            list_workload(out, workload);
        else
            out_printf(out, "  %-20s %s\n", workload->name, workload->title);
    }
    for (unsigned i = 0; group == WORKLOAD_ABOUT_OWN && i < own.count; i++)
        if (own.row[i].why)
            out_printf(out, "  not usable: %s: %s\n", own.row[i].workload->title, own.row[i].why);
}

bool params_list(struct out *out, const char *argument, struct out *problems)
{
    const struct workload *workload = params_find_workload(argument);
    bool all = str_equal(argument, "all"), found = !*argument || all || workload;

    for (unsigned group = 0; group < WORKLOAD_ABOUT_GROUPS; group++) {
        bool named = all || str_equal(argument, groups[group].word);

        if (named || !*argument)
            list_group(out, group, named);
        found |= named;
    }
    if (workload)
        list_workload(out, workload);
    if (!found)
        out_printf(problems, "list %s: neither 'all', nor a group (memory, branches, ...), nor a workload\n", argument);
    else if (!*argument)
        out_printf(out, "'list NAME' explains a workload or a group; 'list all' explains everything.\n");
    return found;
}
