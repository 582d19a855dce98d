/* SPDX-License-Identifier: BSD-2-Clause */
#include "app/run/kind.h"
#include "app/kinds/ibs_once.h"
#include "app/kinds/ibs_period.h"
#include "app/kinds/ibs_tags.h"
#include "app/kinds/ibs_time.h"
#include "app/kinds/shared/filters.h"
#include "app/kinds/shared/sampled.h"
#include "app/run/reference.h"
#include "app/base/sentence.h"
#include "core/base/rng.h"
#include "core/base/stats.h"
#include "core/base/str.h"
#include "core/base/wrap.h"
#include "core/family/ibs_regs.h"
#include "core/ibs/identities.h"
#include "core/ibs/lost_tags.h"
#include "core/profile/csv.h"
#include "core/run/facts.h"
#include "core/view/view.h"

/* Returns whether a kind is sampled, by the configuration; for "ibs" and the configurations of counters, the settings
 * decide. */
static bool wanted(const struct task *task, bool setting, uint32_t configured)
{
    return task->config && task->config->kind == CONFIG_IBS && !str_equal(task->name, "ibs") ? configured != 0
                                                                                             : setting;
}

static struct ibs_plan ibs_plan(const struct run *run, const struct options *options)
{
    uint32_t period = run->reference ? ibs_period_first(run) : ibs_period_alone(run);
    bool can_count_ops = run->machine->ibs_caps & IBS_CAP_OPCNT;
    const struct task *task = &run->task;

    return (struct ibs_plan){
        .fetch = task->kinds[0] == &kind_ibs && wanted(task, options->fetch, task->config->fetch_period),
        .op = task->kinds[0] != &kind_ibs || wanted(task, options->op, task->config->op_period),
        .fetch_period = options->fetch_period ? (uint32_t)options->fetch_period : (period / IBS_FETCHES_PER_OPS) & ~15u,
        .op_period = options->op_period ? (uint32_t)options->op_period : period,
        .count_ops = options->count == OPTIONS_COUNT_AUTO ? can_count_ops : options->count == OPTIONS_COUNT_OPS,
        .random = options->random,
        .seed = options->seed,
        .l3_miss_only = options->l3_miss_only,
        .load_latency = (uint32_t)options->load_latency,
    };
}

/* Chooses the processor's own rules for counting samples. */
static const struct derived_set *find_events(struct run *run)
{
    const struct machine *machine = run->machine;
    struct ibs_machine of = ibs_machine_of(machine->family, machine->model, machine->ibs_caps);

    run->ibs.set = derived_set_of(&of);
    return &run->ibs.set;
}

/* Returns false on Family 10h, which has all events, so that nothing is printed. */
static bool may_miss_events(const struct run *run)
{
    const struct ibs_family *row = run->ibs.set.machine.row;

    return !row || !(row->traits & IBS_TRAIT_DEFAULT);
}

static struct ibs_plan pass_plan(const struct run *run)
{
    return run->ibs.once ? ibs_once_plan(run) : run->ibs.plan;
}

/* Returns whether samples are compared by their intervals, which must vary and count cycles. */
static bool compares_intervals(const struct run *run)
{
    return run->ibs.plan.op && !run->ibs.plan.count_ops && run->ibs.plan.random;
}

static bool prepare(struct run *run, const struct options *options, struct out *problems)
{
    size_t size = profile_memory_size(run->map);
    void *memory = pool_take(&run->pool, size, POOL_PAGE, "the profile", problems);
    uint32_t cores = run->cores.core[run->cores.count - 1] + 1; /* up to the last sampled core */
    struct profile_sums *sums =
        memory ? pool_take(&run->pool, cores * sizeof(*sums), POOL_PAGE, "the profile by core", problems) : NULL;

    run->ibs.plan = ibs_plan(run, options);
    run->ibs.searched = run->reference && !options->op_period && !options->fetch_period;
    run->ibs.wanted = run->task.kinds[0] == &kind_ibs ? run->task.repeats : 1;
    if (options->once && !ibs_once_prepare(run, options, problems))
        return false;
    if (compares_intervals(run)) {
        run->ibs.interval_memory =
            pool_take(&run->pool, intervals_memory_size(run->map), POOL_PAGE, "intervals", problems);
        if (!run->ibs.interval_memory)
            return false;
    }
    if (!sums || !profile_init(&run->ibs.profile, run->map, run->map_base, find_events(run), memory, size))
        return false;
    profile_by_core(&run->ibs.profile, sums, cores);
    if (!ibs_time_prepare(run, problems))
        return false;
    return passes_possible(&run->passes, &(struct session_program){.ibs = pass_plan(run)}, problems);
}

/* Samples in passes. Each repeat has random intervals of its own: with equal ones it would add samples, but no
 * information. The first one after a search counts tags. */
static void sample(struct run *run)
{
    bool tags = run->ibs.searched && !run->disturbance.why;

    passes_expect(&run->passes, run->ibs.wanted - run->ibs.repeats);
    for (unsigned r = run->ibs.repeats; r < run->ibs.wanted; r++) {
        struct session_program program = {.ibs = pass_plan(run)};
        bool good;

        tags = tags && ibs_tags_plan(run, &program);
        if (run->ibs.wanted > 1 && !run->ibs.once) {
            program.ibs.op_first = program.ibs.op_period;
            program.ibs.fetch_first = program.ibs.fetch_period;
        }
        program.ibs.seed = rng_part_seed(program.ibs.seed, RNG_PASS, r);
        good = passes_run(&run->passes, &program);
        run->ibs.repeats += good;
        if (!good)
            return;
        if (tags)
            ibs_tags_take(run);
        tags = false;
    }
}

static void sample_for_reference(struct run *run)
{
    const struct session_program program = {.ibs = run->ibs.plan};

    if (!run->ibs.searched) {
        reference_sampled(run, &program, NULL, false);
        return;
    }
    ibs_period_choose(run);
    if (run->ibs.wanted == run->ibs.repeats) /* no further pass can count them */
        ibs_tags_count(run);
}

/* Returns the passes of one search, and one that counts tags, or ops once. */
static unsigned passes(const struct run *run)
{
    struct session_program program = {.ibs = run->ibs.plan};
    unsigned before, sampled;

    if (!run->reference)
        return run->ibs.wanted + run->ibs.once;
    before = reference_passes(run, false, &program, NULL, &sampled);
    before += !run->ibs.searched && ibs_tags_plan(run, &program);
    return before + ibs_period_passes(run, sampled);
}

static void measure(struct run *run)
{
    struct run_ibs *ibs = &run->ibs;

    if (run->reference) {
        if (!run->ibs.searched)
            ibs_tags_count(run);
        reference_undisturbed(run, false);
        sample_for_reference(run);
    }
    if (run->ibs.once)
        ibs_once_count(run);
    sample(run);
    ibs->settings = run->passes.result.settings;
    filters_begin(run);
    if (ibs->interval_memory) /* now that the period is known */
        intervals_init(&ibs->intervals, run->map, ibs->interval_memory,
                       ibs->plan.op_period >> 4 & (uint32_t)IBS_OP_MAX_CNT);
    for (uint64_t i = 0; i < run->passes.samples; i++) { /* the profile ignores samples of counters */
        const struct sample_record *record = &run->passes.records[i];
        bool in_handler = record->kind <= SAMPLE_OP && run_in_handler(run, record);

        profile_add(&ibs->profile, record);
        filtered_add(&ibs->filtered, record);
        if (record->kind == SAMPLE_OP)
            intervals_add(&ibs->intervals, profile_find(&ibs->profile, record), record);
        if (in_handler)
            ibs->in_handler[record->kind]++;
        else if (record->kind == SAMPLE_OP)
            ibs_time_add(run, profile_find(&ibs->profile, record), record);
    }
    if (run->reference)
        ibs_period_judge(run);
    ibs->identities_failed = identities_check(NULL, ibs->profile.set, ibs->profile.total, IDENTITIES_FAILED_ONLY);
    aliasing_check(&ibs->aliasing, &ibs->profile, ibs->plan.count_ops);
    intervals_check(&ibs->intervals);
    ibs_time_estimate(run);
}

/* ---------------------------------------------------------------- what it says */

static void report_period(struct out *out, const char *name, bool on, uint32_t period, const char *unit, uint32_t range)
{
    out_printf(out, "%-13s ", name);
    if (!on)
        out_printf(out, "off\n");
    else if (range)
        out_printf(out, "1 sample per %u %s, interval random over %u\n", period, unit, range);
    else
        out_printf(out, "1 sample per %u %s, fixed interval\n", period, unit);
}

static void settings(struct out *out, const struct run *run)
{
    const struct ibs_plan *plan = &run->ibs.plan;
    const struct ibs_settings *written = &run->ibs.settings;

    if (run->ibs.once)
        out_printf(out, "IBS op        1 sample in each pass, on any of its ops (fewer than %u)\n", plan->op_period);
    else
        report_period(out, "IBS op", plan->op, plan->op_period, plan->count_ops ? "dispatched ops" : "core cycles",
                      written->op_random_range);
    report_period(out, "IBS fetch", plan->fetch, plan->fetch_period, "fetches",
                  written->fetch_ctl & IBS_FETCH_RAND_EN ? 16 : 0);
    if (run->ibs.wanted > 1)
        out_printf(out, "%-13s %u\n", run->task.kinds[0] == &kind_ibs ? "Repeats" : "IBS passes", run->ibs.wanted);
}

static void sample_row(struct out *out, const struct run *run, const char *name, enum sample_kind kind,
                       uint64_t recorded, uint64_t lost)
{
    uint64_t outside = run->ibs.profile.outside_records[kind], handler = run->ibs.in_handler[kind];

    out_printf(out, "%-12s%10lu%11lu%11lu%11lu%10lu\n", name, recorded, recorded - outside, handler, outside - handler,
               lost);
}

static void samples(struct out *out, const struct run *run)
{
    const struct nmi_counts *counts = &run->passes.counts;

    sample_row(out, run, "IBS op", SAMPLE_OP, counts->recorded[SAMPLE_OP], counts->lost[SAMPLE_OP]);
    sample_row(out, run, "IBS fetch", SAMPLE_FETCH, counts->recorded[SAMPLE_FETCH], counts->lost[SAMPLE_FETCH]);
}

/* Estimates lost tags, if the reference has the cycles that were sampled. Filtered samples say nothing about
 * intervals. */
static bool lost_tags(struct lost_tags *lost, const struct run *run)
{
    const struct run_ibs *ibs = &run->ibs;
    const struct disturbance *of = &run->disturbance;
    uint64_t cycles = of->sampled[DISTURBANCE_CYCLES] + of->handler[DISTURBANCE_CYCLES];
    uint64_t recorded = ibs->profile.records[SAMPLE_OP], all = recorded + run->passes.counts.lost[SAMPLE_OP];

    if (!run->reference || !of->counted[DISTURBANCE_CYCLES] || !ibs->plan.op || ibs->plan.count_ops ||
        ibs->plan.l3_miss_only || ibs->plan.load_latency || !recorded)
        return false;
    return lost_tags_work_out(lost, cycles * ibs->repeats,
                              stats_mul_div(ibs->profile.total[DERIVED_F101_TAG_TO_RETIRE], all, recorded), all,
                              ibs->plan.op_period);
}

static void notes(struct out *out, const struct run *run)
{
    const struct nmi_counts *counts = &run->passes.counts;
    struct lost_tags lost;

    filters_notes(out, run);
    sampled_notes(out, run->ibs.repeats, run->ibs.wanted, counts->recorded[run->ibs.plan.op ? SAMPLE_OP : SAMPLE_FETCH],
                  run->ibs.plan.op ? "a shorter op_period" : "a shorter fetch_period");
    if (!run->ibs.plan.random)
        out_printf(out, "WARNING: the intervals are not random: a loop is sampled at the same few ops.\n");
    if (run->ibs.plan.op && !run->ibs.plan.count_ops)
        out_printf(out, "NOTE: op intervals were counted in core cycles: ops that waited at dispatch are\n"
                        "      sampled more often. Shares of ops sampled are not shares of time.\n");
    if (lost_tags(&lost, run))
        lost_tags_print(out, &lost);
    ibs_tags_print(out, run);
}

/* Returns whether to show a view: the configuration's own ones; our own kinds show all of the paper's tables that have
 * samples, and mispredicted branches. */
static bool shown(const struct run *run, const struct view *view)
{
    if (view_kind(view) == SAMPLE_OP ? !run->ibs.plan.op : view_kind(view) != SAMPLE_FETCH || !run->ibs.plan.fetch)
        return false;
    return run->task.config ? config_prints(run->task.config, view) : view_by_default(view, &run->ibs.profile);
}

static void tables(struct out *out, const struct run *run)
{
    static const enum profile_level levels[] = {PROFILE_INSTRUCTIONS, PROFILE_LINES, PROFILE_FUNCTIONS};
    const struct view_options sums = {.no_footnote = true};

    for (unsigned l = 0; l < sizeof(levels) / sizeof(levels[0]); l++) {
        const struct view *view;
        struct view part;

        if (levels[l] == PROFILE_INSTRUCTIONS)
            ibs_time_print(out, run);
        for (unsigned v = 0; (view = view_at(v)); v++) {
            if (!shown(run, view) || !view_with_sources(view, run->ibs.profile.set, &part))
                continue;
            out_printf(out, "\n");
            view_print(out, &part, &run->ibs.profile, levels[l], l == 0 ? NULL : &sums);
        }
        if (l == 0 && run->workload->published)
            out_printf(out, "\nFor comparison\n%s\n", run->workload->published);
    }
}

static void checks(struct out *out, const struct run *run)
{
    (void)identities_check(out, run->ibs.profile.set, run->ibs.profile.total, IDENTITIES_ALL);
    if (may_miss_events(run)) {
        unsigned kinds = (run->ibs.plan.fetch ? 1u << SAMPLE_FETCH : 0) | (run->ibs.plan.op ? 1u << SAMPLE_OP : 0);

        char text[1024];
        struct out_memory list;

        out_memory_init(&list, text, sizeof(text));
        out_printf(&list.out, "left out, because this processor's registers do not show them: ");
        if (!derived_print_missing(&list.out, run->ibs.profile.set, kinds))
            out_printf(&list.out, "nothing");
        out_printf(out, "NOTE ");
        wrap_text(out, text, 5, 5, 79);
    }
    if (run->ibs.plan.op)
        aliasing_print(out, &run->ibs.aliasing, &run->ibs.profile);
    intervals_print(out, &run->ibs.intervals);
}

static void facts(struct out *out, const struct run *run)
{
    const struct ibs_plan *plan = &run->ibs.plan;
    const struct session_result *result = &run->passes.result;
    const struct nmi_counts *counts = &run->passes.counts;
    struct lost_tags lost;

    fact_number(out, FACT_IBS_OP_CTL, run->ibs.settings.op_ctl);
    fact_number(out, FACT_IBS_FETCH_CTL, run->ibs.settings.fetch_ctl);
    fact_number(out, FACT_IBS_OP_PERIOD, plan->op_period);
    fact_number(out, FACT_IBS_OP_RANDOM_RANGE, run->ibs.settings.op_random_range);
    if (run->ibs.intervals.df)
        fact_text(out, FACT_IBS_INTERVALS, intervals_verdict(&run->ibs.intervals));
    if (lost_tags(&lost, run)) {
        fact_number(out, FACT_IBS_TAG_INTERVALS, lost.intervals);
        fact_number(out, FACT_IBS_TAGS_LOST, lost.lost);
        fact_number(out, FACT_IBS_TAGS_IN_FLIGHT, lost.in_flight_ppm);
    }
    ibs_tags_facts(out, run);
    fact_number(out, FACT_IBS_FETCH_PERIOD, plan->fetch_period);
    fact_number(out, FACT_IBS_REPEATS, run->ibs.repeats);
    fact_number(out, FACT_IBS_LVT_OFFSET, result->lvt_offset);
    fact_number(out, FACT_SAMPLES_OP, counts->recorded[SAMPLE_OP]);
    fact_number(out, FACT_SAMPLES_FETCH, counts->recorded[SAMPLE_FETCH]);
    fact_number(out, FACT_SAMPLES_OP_LOST, counts->lost[SAMPLE_OP]);
    fact_number(out, FACT_SAMPLES_FETCH_LOST, counts->lost[SAMPLE_FETCH]);
    fact_number(out, FACT_SAMPLES_OP_OUTSIDE, run->ibs.profile.outside_records[SAMPLE_OP]);
    fact_number(out, FACT_SAMPLES_FETCH_OUTSIDE, run->ibs.profile.outside_records[SAMPLE_FETCH]);
    fact_number(out, FACT_SAMPLES_OP_IN_HANDLER, run->ibs.in_handler[SAMPLE_OP]);
    fact_number(out, FACT_SAMPLES_FETCH_IN_HANDLER, run->ibs.in_handler[SAMPLE_FETCH]);
    filters_facts(out, run);
}

static void csv(struct out *out, const struct run *run)
{
    csv_write_profile(out, &run->ibs.profile, ibs_time_known(run) ? &run->ibs.time : NULL);
}

static bool good(const struct run *run)
{
    return !run->ibs.identities_failed;
}

const struct kind kind_ibs = {
    .ibs = true,
    .prepare = prepare,
    .passes = passes,
    .measure = measure,
    .good = good,
    .expects = ibs_period_expects,
    .settings = settings,
    .samples = samples,
    .notes = notes,
    .tables = tables,
    .checks = checks,
    .facts = facts,
    .csv_name = "profile.csv",
    .csv = csv,
    .has_more_csv = ibs_time_known,
    .more_csv_name = "time.csv",
    .more_csv = ibs_time_csv,
};
