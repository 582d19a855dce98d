/* SPDX-License-Identifier: BSD-2-Clause */
/* The cause of a run: "causes" of the JSON, and the text. */
#include "tools/ibsprof/cause/cause_counters.h"
#include "tools/ibsprof/counters/exploration.h"
#include "tools/ibsprof/counters/time_file.h"
#include "tools/ibsprof/report/json/report_parts.h"

/* Returns the front end's estimated part of the time by the low end of its interval; 0: not known. */
static uint32_t front_end(const struct run_profile *profile)
{
    struct time_file file;
    uint32_t low;

    if (!report_time_read(&file, profile))
        return 0;
    low = file.share.front.low;
    time_file_free(&file);
    return low;
}

/* Finds the cause by counters: of General Exploration, whose samples of ops are a part of it, or, without samples of
 * ops, of the events. */
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
    causes_find(&causes, profile, front_end(profile));
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
    causes_find(&causes, profile, front_end(profile));
    causes_print(out, profile, &causes);
}
