/* SPDX-License-Identifier: BSD-2-Clause */
/* The cause of a run: "causes" of the JSON, and the text. */
#include "tools/ibsprof/cause/cause_counters.h"
#include "tools/ibsprof/counters/disturbance_facts.h"
#include "tools/ibsprof/counters/exploration.h"
#include "tools/ibsprof/counters/time_file.h"
#include "tools/ibsprof/profile/measure.h"
#include "tools/ibsprof/read/run_ini.h"
#include "tools/ibsprof/report/json/report_parts.h"

/* Finds the causes by samples, and by the estimate of time if the run has one. */
static void by_samples(struct causes *ret, const struct run_profile *profile)
{
    struct cause_time time = {0};
    struct disturbance run;
    struct time_file file;

    if (!report_time_read(&file, profile)) {
        causes_find(ret, profile, &time);
        return;
    }
    time.front_ppm = file.share.front.low;
    if (disturbance_read(&run, profile->facts)) {
        time.map = &file.map.map;
        time.rows = file.rows;
        time.cycles =
            (double)run.undisturbed[DISTURBANCE_CYCLES] * (double)run_number(profile->facts, FACT_IBS_REPEATS);
    }
    causes_find(ret, profile, &time);
    time_file_free(&file);
}

/* Finds the cause by counters: of General Exploration, which includes samples of ops, or, without samples of ops, of
 * the events. */
static bool by_counters(struct cause_words *ret, const struct run_profile *profile)
{
    struct explore_result result;
    struct cause_counter counter;

    if (exploration_read(&result, profile->facts) && cause_exploration_words(ret, &result))
        return true;
    if (profile->samples[SAMPLE_OP] || !cause_counters_find(&counter, profile))
        return false;
    cause_counters_words(ret, profile, &counter);
    return true;
}

void report_cause_json(struct json *json, const struct run_profile *profile)
{
    struct cause_words words;
    struct causes causes;

    if (by_counters(&words, profile)) {
        cause_words_json(json, &words);
        return;
    }
    by_samples(&causes, profile);
    causes_json(json, profile, &causes);
}

void report_cause_text(struct out *out, const struct run_profile *profile)
{
    struct cause_words words;
    struct causes causes;

    if (by_counters(&words, profile)) {
        cause_words_print(out, &words);
        return;
    }
    by_samples(&causes, profile);
    causes_print(out, profile, &causes);
}

bool report_cause_measure(const struct run_profile *profile, struct measure *ret_measure)
{
    struct cause_counter counter;

    if (profile->samples[SAMPLE_OP] || !cause_counters_find(&counter, profile))
        return false;
    *ret_measure = measure_at(profile, counter.event);
    return true;
}

unsigned report_cause_views(const struct run_profile *profile, const struct view *ret_views[CAUSE_VIEWS_MAX])
{
    struct causes causes;
    unsigned count = 0;

    by_samples(&causes, profile);
    for (unsigned i = 0; i < causes.count && count < CAUSE_VIEWS_MAX; i++) {
        const struct cause_row *row = causes.found[i].row;
        const struct view *view = row->view ? view_find(row->view) : NULL;
        bool again = false;

        if (causes.found[i].cycles * 10 < causes.found[0].cycles || (row->kind == CAUSE_RETIRING && i > 0))
            break;
        for (unsigned other = 0; other < count; other++)
            again |= ret_views[other] == view;
        if (view && !again)
            ret_views[count++] = view;
    }
    return count;
}
