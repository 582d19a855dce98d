/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/report/lists/report_calls.h"

#include <inttypes.h>
#include <string.h>

#include "core/profile/csv.h"
#include "core/base/str.h"
#include "tools/ibsprof/base/json.h"
#include "tools/ibsprof/base/terminal.h"
#include "tools/ibsprof/profile/stacks/call_stacks.h"
#include "tools/ibsprof/profile/stacks/taken.h"
#include "tools/ibsprof/report/lists/report_columns.h"
#include "tools/ibsprof/base/shown.h"

enum { FIGURE_WIDTH = 10, PERCENT_WIDTH = 9, NAME_MIN = 20, CALLS_JSON_VERSION = 1 };

struct calls {
    const struct run_profile *profile;
    const struct report_options *options;
    const struct call_stacks *stacks;
    enum report_list list;
};

/* A row below a function: another function, and the samples of both. */
struct neighbour {
    uint32_t function;
    uint64_t count;
};

bool report_is_calls(enum report_list list)
{
    return list >= REPORT_CALLERS && list <= REPORT_STACKS;
}

static const char *name_of(const struct call_function *function)
{
    return function->name ? function->name : "[unknown]";
}

static const char *object_of(const struct call_function *function)
{
    return function->object ? str_basename(function->object->name) : "";
}

/* Returns the printed length of an object's name: for "[kernel.kallsyms]_text", perf's name of the kernel, that of the
 * part in brackets. */
static int object_length(const char *object)
{
    const char *end = object[0] == '[' ? strchr(object, ']') : NULL;

    return (int)(end ? end + 1 - object : (long)strlen(object));
}

/* Finds the next row below a function, from edge *at on. Returns false if there is none. */
static bool next_neighbour(const struct calls *calls, uint32_t function, uint32_t *at, struct neighbour *ret)
{
    const struct call_stacks *stacks = calls->stacks;

    for (; *at < stacks->edge_count; ++*at) {
        const struct call_edge *edge = &stacks->edges[*at];
        bool callers = calls->list == REPORT_CALLERS;

        if ((callers ? edge->callee : edge->caller) != function)
            continue;
        *ret = (struct neighbour){callers ? edge->caller : edge->callee, edge->count};
        ++*at;
        return true;
    }
    return false;
}

/* ---------------------------------------------------------------- text */

static bool is_small(const struct calls *calls, uint64_t count)
{
    return (double)count * 100 < calls->options->min_percent * (double)calls->stacks->all;
}

static void text_name(const struct calls *calls, struct out *out, const char *before, uint32_t function)
{
    const struct call_function *of = &calls->stacks->functions[function];
    int width = (int)calls->options->width - 2 * FIGURE_WIDTH - PERCENT_WIDTH - (int)strlen(before) - 2;
    const char *object = object_of(of);
    int object_width = object[0] ? object_length(object) + (object[0] == '[' ? 1 : 3) : 0;

    out_printf(out, "  %s", before);
    report_cut(out, name_of(of), width - object_width < NAME_MIN ? NAME_MIN : width - object_width, false);
    if (object[0])
        out_printf(out, object[0] == '[' ? " %.*s" : " [%.*s]", object_length(object), object);
    out_printf(out, "\n");
}

static void text_functions(const struct calls *calls, struct out *out, uint32_t *left_out)
{
    const struct call_stacks *stacks = calls->stacks;

    for (uint32_t i = 0; i < stacks->function_count; i++) {
        const struct call_function *function = &stacks->functions[i];
        struct neighbour row;

        if (is_small(calls, function->total)) {
            ++*left_out;
            continue;
        }
        out_printf(out, "%*" PRIu64 "%*" PRIu64, FIGURE_WIDTH, function->total, FIGURE_WIDTH, function->self);
        out_ratio(out, function->total, stacks->all, 100, 2, PERCENT_WIDTH);
        text_name(calls, out, "", i);
        for (uint32_t at = 0; next_neighbour(calls, i, &at, &row);) {
            if (is_small(calls, row.count)) {
                ++*left_out;
                continue;
            }
            out_printf(out, "%*" PRIu64 "%*s", FIGURE_WIDTH, row.count, FIGURE_WIDTH, "");
            out_ratio(out, row.count, stacks->all, 100, 2, PERCENT_WIDTH);
            text_name(calls, out, calls->list == REPORT_CALLERS ? "  < " : "  > ", row.function);
        }
    }
}

static void text_stacks(const struct calls *calls, struct out *out, uint32_t *left_out)
{
    const struct call_stacks *stacks = calls->stacks;

    for (uint32_t i = 0; i < stacks->stack_count; i++) {
        const struct call_stack *stack = &stacks->stacks[i];

        if (is_small(calls, stack->count)) {
            ++*left_out;
            continue;
        }
        out_printf(out, "%*" PRIu64 "%*u", FIGURE_WIDTH, stack->count, FIGURE_WIDTH, stack->depth);
        out_ratio(out, stack->count, stacks->all, 100, 2, PERCENT_WIDTH);
        for (uint32_t k = 0; k < stack->depth; k++) {
            if (k > 0)
                out_printf(out, "%*s", 2 * FIGURE_WIDTH + PERCENT_WIDTH, "");
            text_name(calls, out, k > 0 ? "  < " : "", stack->functions[k]);
        }
    }
}

static const char from_branches[] = "Made from branch records: callers from before the oldest branch are missing";

static void write_text(const struct calls *calls, struct out *out)
{
    static const char *const titles[] = {"Functions and what called them", "Functions and what they called",
                                         "Call stacks"};
    const struct report_options *options = calls->options;
    bool by_stack = calls->list == REPORT_STACKS;
    uint32_t left_out = 0;

    out_printf(out, "\n%s: %s, %s\n", titles[calls->list - REPORT_CALLERS], options->measure.name,
               options->measure.unit);
    report_rule(out, options->width, '=');
    out_printf(out, "%*s%*s%*s  %s\n", FIGURE_WIDTH, by_stack ? "Samples" : "Total", FIGURE_WIDTH,
               by_stack ? "Depth" : "Self", PERCENT_WIDTH, "Percent", "Function");
    report_rule(out, options->width, '-');
    if (by_stack)
        text_stacks(calls, out, &left_out);
    else
        text_functions(calls, out, &left_out);
    report_rule(out, options->width, '-');
    out_printf(out, "%*" PRIu64 "  all of them, %" PRIu64 " without %s\n", FIGURE_WIDTH, calls->stacks->all,
               calls->stacks->without,
               calls->stacks->from_branches ? "a call among their branches" : "a recorded call chain");
    if (calls->stacks->from_branches)
        out_printf(out, "%s.\n", from_branches);
    if (left_out)
        out_printf(out, "%u more rows have less (--limit=PERCENT, or --csv for all).\n", left_out);
    if (!by_stack)
        out_printf(out, "Total: samples with the function in the stack, counted once even in recursion;\nSelf: samples "
                        "in the function itself.\n");
}

/* ---------------------------------------------------------------- CSV */

static void percent(struct out *out, const struct calls *calls, uint64_t count)
{
    out_printf(out, ",");
    if (calls->stacks->all > 0)
        out_real(out, "%.15g", 100.0 * (double)count / (double)calls->stacks->all);
}

static void csv_name(struct out *out, const struct call_function *function)
{
    out_printf(out, ",");
    csv_field(out, name_of(function));
    out_printf(out, ",");
    csv_field(out, object_of(function));
    out_printf(out, "\n");
}

static void csv_functions(const struct calls *calls, struct out *out)
{
    const struct call_stacks *stacks = calls->stacks;

    out_printf(out, "row,total,self,percent,function,module\n");
    for (uint32_t i = 0; i < stacks->function_count; i++) {
        const struct call_function *function = &stacks->functions[i];
        struct neighbour row;

        out_printf(out, "function,%" PRIu64 ",%" PRIu64, function->total, function->self);
        percent(out, calls, function->total);
        csv_name(out, function);
        for (uint32_t at = 0; next_neighbour(calls, i, &at, &row);) {
            out_printf(out, "%s,%" PRIu64 ",", calls->list == REPORT_CALLERS ? "caller" : "callee", row.count);
            percent(out, calls, row.count);
            csv_name(out, &stacks->functions[row.function]);
        }
    }
}

/* Writes a row for each function of a stack, because names may have any character. */
static void csv_stacks(const struct calls *calls, struct out *out)
{
    const struct call_stacks *stacks = calls->stacks;

    out_printf(out, "stack,samples,depth,percent,function,module\n");
    for (uint32_t i = 0; i < stacks->stack_count; i++) {
        const struct call_stack *stack = &stacks->stacks[i];

        for (uint32_t k = 0; k < stack->depth; k++) {
            out_printf(out, "%u,%" PRIu64 ",%u", i + 1, stack->count, stack->depth);
            percent(out, calls, stack->count);
            csv_name(out, &stacks->functions[stack->functions[k]]);
        }
    }
}

/* ---------------------------------------------------------------- JSON */

static void json_counts(struct json *json, const struct calls *calls, uint64_t count, const char *name)
{
    json_key_uint(json, name, count);
    if (calls->stacks->all > 0)
        json_key_real(json, "percent", 100.0 * (double)count / (double)calls->stacks->all);
}

static void json_name(struct json *json, const struct call_function *function)
{
    json_key_text(json, "function", name_of(function));
    json_key_text(json, "module", object_of(function));
}

static void json_functions(const struct calls *calls, struct json *json)
{
    const struct call_stacks *stacks = calls->stacks;

    json_key_array(json, "functions");
    for (uint32_t i = 0; i < stacks->function_count; i++) {
        struct neighbour row;

        json_object(json);
        json_name(json, &stacks->functions[i]);
        json_counts(json, calls, stacks->functions[i].total, "total");
        json_key_uint(json, "self", stacks->functions[i].self);
        json_key_array(json, calls->list == REPORT_CALLERS ? "callers" : "callees");
        for (uint32_t at = 0; next_neighbour(calls, i, &at, &row);) {
            json_object(json);
            json_name(json, &stacks->functions[row.function]);
            json_counts(json, calls, row.count, "total");
            json_end(json);
        }
        json_end(json);
        json_end(json);
    }
    json_end(json);
}

static void json_stacks(const struct calls *calls, struct json *json)
{
    const struct call_stacks *stacks = calls->stacks;

    json_key_array(json, "stacks");
    for (uint32_t i = 0; i < stacks->stack_count; i++) {
        json_object(json);
        json_counts(json, calls, stacks->stacks[i].count, "samples");
        json_key_array(json, "functions");
        for (uint32_t k = 0; k < stacks->stacks[i].depth; k++) {
            json_object(json);
            json_name(json, &stacks->functions[stacks->stacks[i].functions[k]]);
            json_end(json);
        }
        json_end(json);
        json_end(json);
    }
    json_end(json);
}

static void write_json(const struct calls *calls, FILE *to)
{
    static const char *const names[] = {"caller", "callee", "stack"};
    struct json json;

    json_init(&json, to);
    json_head(&json, "ibsprof calls", CALLS_JSON_VERSION);
    json_key_text(&json, "file", shown(calls->profile->facts->path));
    json_key_text(&json, "figures", input_figures(calls->profile->facts));
    json_key_text(&json, "by", names[calls->list - REPORT_CALLERS]);
    json_key_text(&json, "event", calls->options->measure.name);
    json_key_text(&json, "unit", calls->options->measure.unit);
    json_key_text(&json, "made_from", calls->stacks->from_branches ? "branch records" : "call chains");
    json_key_uint(&json, "all", calls->stacks->all);
    json_key_uint(&json, "without_chain", calls->stacks->without);
    if (calls->list == REPORT_STACKS)
        json_stacks(calls, &json);
    else
        json_functions(calls, &json);
    json_end(&json);
    (void)json_finish(&json); /* output_close tells what could not be written */
}

/* ---------------------------------------------------------------- folded stacks */

/* Prints a frame without the characters that separate frames. */
static void folded_frame(struct out *out, const char *text)
{
    for (; *text; text++)
        out_printf(out, "%c", *text == ';' ? ':' : *text == '\n' ? ' ' : *text);
}

static void write_folded(const struct calls *calls, struct out *out)
{
    const struct call_stacks *stacks = calls->stacks;

    for (uint32_t i = 0; i < stacks->stack_count; i++) {
        const struct call_stack *stack = &stacks->stacks[i];

        for (uint32_t k = stack->depth; k > 0; k--) {
            const struct call_function *function = &stacks->functions[stack->functions[k - 1]];

            folded_frame(out, function->name || !function->object ? name_of(function) : object_of(function));
            out_printf(out, "%s", k > 1 ? ";" : "");
        }
        out_printf(out, " %" PRIu64 "\n", stack->count);
    }
}

bool report_calls(struct out_file *out, enum form form, const struct run_profile *profile,
                  const struct object_search *search, const struct report_options *options)
{
    struct calls calls = {.profile = profile, .options = options, .list = options->list};
    struct call_stacks *stacks;

    if (!call_stacks_recorded(profile->facts) && !taken_recorded(profile->facts)) {
        complain(
            "%s: no call stacks were recorded; 'perf record -g' records them for programs that keep frame pointers, "
            "and the setting call_stack on the image; branch records ('perf record -b', branches=yes) also suffice",
            profile->facts->path);
        return false;
    }
    if (call_stacks_not_unwound(profile->facts))
        complain("%s: stacks of --call-graph dwarf are unwound only for x86_64, and the program's callers are missing; "
                 "record with --call-graph fp",
                 profile->facts->path);
    stacks = call_stacks_read(profile, options->input, search, &options->measure);
    calls.stacks = stacks;
    if ((form == FORM_CSV || form == FORM_FOLDED) && input_figures(profile->facts))
        out_printf(&out->out, "# %s\n", input_figures(profile->facts));
    if ((form == FORM_CSV || form == FORM_FOLDED) && stacks->from_branches)
        out_printf(&out->out, "# %s\n", from_branches);
    if (form == FORM_JSON) {
        write_json(&calls, out->file);
    } else if (form == FORM_FOLDED) {
        write_folded(&calls, &out->out);
    } else if (form == FORM_CSV && calls.list == REPORT_STACKS) {
        csv_stacks(&calls, &out->out);
    } else if (form == FORM_CSV) {
        csv_functions(&calls, &out->out);
    } else {
        report_head(&out->out, profile);
        write_text(&calls, &out->out);
    }
    call_stacks_free(stacks);
    return true;
}
