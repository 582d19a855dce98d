/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/snippet/snippet_runs.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools/ibsprof/base/must.h"
#include "tools/ibsprof/counters/exploration.h"
#include "tools/ibsprof/read/run_folder.h"
#include "tools/ibsprof/read/run_ini.h"

struct snippet_runs {
    struct snippet_run *run;
    unsigned count;
    struct snippet_side side[SNIPPET_BODIES]; /* by body */
};

/* ---------------------------------------------------------------- which runs they are */

static bool read_parameter(const struct input_facts *facts, const char *path, const char *key, uint32_t *ret)
{
    const char *value = run_value(facts, key, true);

    *ret = value ? (uint32_t)strtoul(value, NULL, 10) : 0;
    if (!*ret)
        complain("%s: it is not a run of a snippet: its run.ini has no %s; 'ibsprof snippet TEXT' makes one", path,
                 key);
    return *ret;
}

static unsigned cores_of(const struct input_facts *facts)
{
    unsigned cores = 0;
    uint32_t cpu;

    for (uint32_t i = 0; i < facts->setting_count; i++)
        cores += exploration_worker(&facts->settings[i], &cpu);
    return cores;
}

static bool take_facts(struct snippet_run *run, const struct input_facts *facts)
{
    unsigned cores = cores_of(facts);

    run->workload = must_copy(facts->workload ? facts->workload : "");
    if (input_figures(facts))
        run->figures = must_copy(input_figures(facts));
    if (!read_parameter(facts, run->path, "workload.loop", &run->loop) ||
        !read_parameter(facts, run->path, "workload.body", &run->body) ||
        !read_parameter(facts, run->path, "workload.unroll", &run->unroll) ||
        !read_parameter(facts, run->path, "workload.instructions", &run->instructions))
        return false;
    if (cores > 1)
        complain("%s: its counts are sums of %u cores: run the snippet on one core", run->path, cores);
    else if (run->body >= SNIPPET_BODIES)
        complain("%s: body=%u is not a body of a snippet", run->path, run->body);
    else
        return true;
    return false;
}

static bool read_run(struct snippet_run *run)
{
    struct run_ini ini = {0};
    struct input_facts facts = {.path = run->path};
    char error[200];
    bool good = run_ini_read(&ini, &facts, run->path, error, sizeof(error));

    if (!good)
        complain("%s: %s", run->path, error);
    good = good && take_facts(run, &facts);
    run->counted = run_folder_has(run->path, "counts.csv");
    run->sampled = run_folder_has(run->path, "perf.data");
    run_ini_free(&ini);
    return good;
}

static bool is_other(const struct snippet_run *run, const struct snippet_run *first)
{
    const struct {
        const char *name;
        uint32_t a, b;
    } row[] = {
        {"loop", run->loop, first->loop},
        {"unroll", run->unroll, first->unroll},
        {"instructions", run->instructions, first->instructions},
    };

    if (strcmp(run->workload, first->workload) != 0) {
        complain("%s: its workload is %s, but that of %s is %s: name runs of one workload", run->path, run->workload,
                 first->path, first->workload);
        return true;
    }
    for (unsigned i = 0; i < sizeof(row) / sizeof(row[0]); i++)
        if (row[i].a != row[i].b) {
            complain("%s: it has %s=%u, but %s has %u: name runs that differ only in the body", run->path, row[i].name,
                     row[i].a, first->path, row[i].b);
            return true;
        }
    return false;
}

static bool add_run(struct snippet_runs *runs, const char *path)
{
    struct snippet_run *run = must_add(runs->run, runs->count);

    *run = (struct snippet_run){.path = must_copy(path)};
    if (!read_run(run) || is_other(run, &runs->run[0]))
        return false;
    if (run->counted && !snippet_side_add(&runs->side[run->body], path))
        complain("%s: its counts.csv is damaged: copy the run again", path);
    else if (!run->counted && !run->sampled)
        complain("%s: it has neither counts nor samples: config=count counts, config=ibs samples", path);
    else
        return true;
    return false;
}

static bool add_path(struct snippet_runs *runs, const char *path)
{
    struct run_list list = {0};
    bool good = true;

    if (!run_list_find(&list, path) && !run_list_find_below(&list, path)) {
        complain("%s: there is no run", path);
        good = false;
    }
    for (uint32_t i = 0; good && i < list.count; i++)
        good = add_run(runs, list.path[i]);
    run_list_free(&list);
    return good;
}

/* ---------------------------------------------------------------- what they say */

static const char *const body_names[SNIPPET_BODIES] = {"", "the empty loop", "the snippet", "the snippet twice"};

static void print_head(FILE *to, const struct snippet_run *first)
{
    fprintf(to, "Snippet %s: %u instruction%s, %u times in a loop of %u\n", first->workload, first->instructions,
            first->instructions == 1 ? "" : "s", first->unroll, first->loop);
    if (first->figures)
        fprintf(to, "%s\n", first->figures);
}

static unsigned repeats_of(const struct snippet_side *side)
{
    unsigned repeats = 0;

    for (unsigned i = 0; i < side->count; i++)
        repeats = !repeats || side->event[i].repeats < repeats ? side->event[i].repeats : repeats;
    return repeats;
}

static const struct snippet_count *same_event(const struct snippet_side *side, const struct snippet_count *event)
{
    for (unsigned i = 0; i < side->count; i++)
        if (side->event[i].select == event->select && side->event[i].mask == event->mask &&
            side->event[i].count_mask == event->count_mask)
            return &side->event[i];
    return NULL;
}

static void print_event(FILE *to, const struct snippet_count *event, const struct snippet_figure *figure,
                        uint32_t instructions)
{
    char name[80];

    (void)snprintf(name, sizeof(name), "%03X:%02X %s", event->select, event->mask, event->event);
    fprintf(to, "%-34.34s %11.4f", name, figure->mean);
    if (figure->spread)
        fprintf(to, " %10.4f %10.4f", figure->least, figure->most);
    else
        fprintf(to, " %10s %10s", "-", "-");
    fprintf(to, " %10.4f\n", figure->mean * instructions);
}

static void print_counts(FILE *to, const struct snippet_runs *runs, unsigned more, unsigned less)
{
    const struct snippet_run *first = &runs->run[0];
    const struct snippet_side *side = runs->side;
    double instructions = (double)first->loop * first->unroll * first->instructions * (more - less);

    fprintf(to, "\nCounts: %s (body=%u, %u repeat%s) minus %s (body=%u, %u repeat%s)\n", body_names[more], more,
            repeats_of(&side[more]), repeats_of(&side[more]) == 1 ? "" : "s", body_names[less], less,
            repeats_of(&side[less]), repeats_of(&side[less]) == 1 ? "" : "s");
    fprintf(to, "%-34s %11s %10s %10s %10s\n", "", "instruction", "least", "most", "snippet");
    for (unsigned i = 0; i < side[more].count; i++) {
        const struct snippet_count *event = &side[more].event[i], *other = same_event(&side[less], event);

        if (other) {
            struct snippet_figure figure = snippet_figure_of(event, other, instructions);

            print_event(to, event, &figure, first->instructions);
        } else {
            fprintf(to, "%03X:%02X %s: not counted in both\n", event->select, event->mask, event->event);
        }
    }
    if (less == 1)
        fprintf(to,
                "This also subtracts cycles of the empty loop that the body hides; body=3 minus\nbody=2 does not.\n");
}

/* Finds the two counted bodies. Returns false after a complaint. */
static bool find_bodies(const struct snippet_runs *runs, unsigned *ret_more, unsigned *ret_less)
{
    unsigned found = 0;

    for (unsigned body = 1; body < SNIPPET_BODIES; body++) {
        if (!runs->side[body].runs)
            continue;
        if (!found++)
            *ret_less = body;
        *ret_more = body;
    }
    if (found == 1)
        complain("all counts are from body=%u: count body=%u as well, to subtract it", *ret_less,
                 *ret_less == 1 ? 2 : 1);
    else if (found == 3)
        complain("three bodies were counted: name the runs of two of them");
    return found == 2;
}

static bool print_all(FILE *to, const struct snippet_runs *runs)
{
    unsigned counted = 0, more = 0, less = 0;
    bool good = true;

    for (unsigned i = 0; i < runs->count; i++)
        counted += runs->run[i].counted;
    if (counted && !find_bodies(runs, &more, &less))
        return false;
    print_head(to, &runs->run[0]);
    if (counted)
        print_counts(to, runs, more, less);
    for (unsigned i = 0; good && i < runs->count; i++)
        if (runs->run[i].sampled)
            good = snippet_samples_print(to, &runs->run[i]);
    return good;
}

enum exit_code snippet_runs_print(FILE *to, char *const *paths, int count)
{
    struct snippet_runs *runs = must_new(runs);
    bool good = true;

    for (int i = 0; good && i < count; i++)
        good = add_path(runs, paths[i]);
    good = good && print_all(to, runs);
    for (unsigned i = 0; i < runs->count; i++) {
        free(runs->run[i].path);
        free(runs->run[i].workload);
        free(runs->run[i].figures);
    }
    free(runs->run);
    free(runs);
    return good ? EXIT_DONE : EXIT_INPUT;
}
