/* SPDX-License-Identifier: BSD-2-Clause */
#include "app/prompt/options_check.h"

#include "app/cores/cores.h"
#include "app/run/kind.h"
#include "app/base/place.h"
#include "app/prompt/show.h"
#include "core/base/mem.h"
#include "core/base/nearest.h"
#include "core/base/str.h"
#include "core/family/event_set.h"

struct checking {
    const struct options *options;
    const char *name;
    struct out *problems;
    unsigned count;
};

static const struct settings_row *row_of(const struct options *options, const void *value)
{
    for (unsigned i = 0; i < options->settings.count; i++)
        if (options->row[i].value == value)
            return &options->row[i];
    return NULL;
}

/* Returns the line of the last text that sets the value; 0: none does. */
static unsigned line_of(const struct options *options, const void *value)
{
    return options->line[row_of(options, value) - options->row];
}

/* Begins the line of a problem. */
static struct out *problem(struct checking *checking, const void *value)
{
    unsigned line = line_of(checking->options, value);

    checking->count++;
    out_printf(checking->problems, line ? "%s:%u: " : "%s: ", checking->name, line);
    return checking->problems;
}

static void check_workload(struct checking *checking)
{
    const struct options *options = checking->options;
    const char *usual = row_of(options, options->workload)->initial;

    if (line_of(options, options->workload) && !params_find_workload(options->workload))
        params_no_workload(problem(checking, options->workload), options->workload, usual);
}

static void check_configs(struct checking *checking)
{
    const struct options *options = checking->options;
    const char *at = options->config;
    char name[OPTIONS_TEXT_MAX + 1];
    bool some = false;

    if (!line_of(options, options->config))
        return;
    while (options_next_config(&at, name)) {
        some = true;
        if (!kind_find(name))
            kind_not_found(problem(checking, options->config), name);
    }
    if (!some)
        kind_not_found(problem(checking, options->config), options->config);
}

/* Checks the parameters that the text has set, or all of the workload's if it has set the workload. */
static void check_params(struct checking *checking)
{
    const struct options *options = checking->options;
    const struct params *params = &options->params;
    const struct workload *workload = params_find_workload(options->workload);
    bool other = line_of(options, options->workload) != 0;

    for (unsigned i = 0; workload && i < params->count; i++) {
        const uint64_t *value = &params->value[i];
        int at = params_index(workload, params->row[i].key);
        bool given = line_of(options, value) != 0;

        if (at < 0 && given && *value) {
            struct out *out = problem(checking, value);

            out_printf(out, "'%s' is not a parameter of workload %s, which has", params->row[i].key, workload->name);
            for (unsigned k = 0; k < WORKLOAD_PARAMS_MAX && workload->params[k].name; k++)
                out_printf(out, " %s", workload->params[k].name);
            out_printf(out, "\n");
        } else if (at >= 0 && (given || other) && !params_takes(params, workload, (unsigned)at)) {
            params_refuse(problem(checking, value), params, workload, (unsigned)at);
        }
    }
}

static void check_places(struct checking *checking)
{
    const struct options *options = checking->options;

    if (line_of(options, options->cores) && !cores_understood(options->cores))
        cores_refuse(problem(checking, options->cores), options->cores);
    if (line_of(options, options->memory) && !place_understood(options->memory))
        place_refuse(problem(checking, options->memory), options->memory);
}

static void write_nowhere(struct out *out, const char *text, size_t length)
{
    (void)out;
    (void)text;
    (void)length;
}

/* Checks the command; an event's name only once the processor is known. */
static void check_show(struct checking *checking)
{
    const struct options *options = checking->options;
    struct out nowhere = {.write = write_nowhere};
    enum show_result result;

    if (!line_of(options, options->show) || !options->show[0])
        return;
    result = show_command(&nowhere, options, options->show);
    if (result == SHOW_NO_COMMAND)
        show_refuse(problem(checking, options->show), options->show);
    else if (result == SHOW_NOTHING && options->event_set)
        (void)show_command(problem(checking, options->show), options, options->show);
}

/* Returns the number of events that this processor lacks, after a line for each, unless 'problems' is NULL. Only some
 * configurations take 'all' and 'all:DC'. */
static unsigned wrong_events(const struct options *options, struct out *problems)
{
    struct event_list list;

    if (!options->event_set || str_is(options->events, 3, "all"))
        return 0;
    return event_list_parse((enum event_set)options->event_set, options->events, strlen(options->events), &list,
                            problems);
}

static void check_events(struct checking *checking)
{
    const struct options *options = checking->options;

    if (line_of(options, options->events) && wrong_events(options, NULL))
        (void)wrong_events(options, problem(checking, options->events));
}

static unsigned check(const struct options *options, const char *name, struct out *problems)
{
    struct checking checking = {.options = options, .name = name, .problems = problems};

    check_workload(&checking);
    check_configs(&checking);
    check_params(&checking);
    check_places(&checking);
    check_show(&checking);
    check_events(&checking);
    return checking.count;
}

unsigned options_check_events(const struct options *options, struct out *problems)
{
    if (!wrong_events(options, NULL))
        return 0;
    out_printf(problems, "events: ");
    return wrong_events(options, problems);
}

unsigned options_read_text(struct options *options, const char *name, const void *text, size_t size,
                           struct out *problems)
{
    unsigned wrong = settings_parse_text(&options->settings, name, text, size, problems);

    return wrong + check(options, name, problems);
}

unsigned options_read_words(struct options *options, const char *name, const char *words, struct out *problems)
{
    unsigned wrong = settings_parse_words(&options->settings, name, words, strlen(words), problems);

    return wrong + check(options, name, problems);
}

bool options_change(struct options *options, const char *words, struct out *problems)
{
    struct options before;

    options_copy(&before, options);
    if (!options_read_words(options, "setting", words, problems))
        return true;
    options_copy(options, &before);
    return false;
}
