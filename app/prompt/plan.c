/* SPDX-License-Identifier: BSD-2-Clause */
#include "app/prompt/plan.h"

#include "app/base/pool.h"
#include "app/base/sentence.h"
#include "app/save/begun.h"
#include "core/base/duration.h"
#include "core/base/mem.h"

enum { POINTS_SHOWN = 40 };

/* A plan in progress. */
struct planned {
    const struct plan_actions *actions;
    struct out *out; /* receives problems */
    struct firmware *fw;
    char path[OPTIONS_TEXT_MAX + 1];
    struct plan plan;
    struct plan_design design;
    unsigned runs;
    uint64_t enough, minutes; /* from the plan */
    bool save;
    struct options before; /* settings before the plan's */
    struct plan_rows rows;
    struct plan_cost cost; /* of the remaining runs */
    uint16_t order[PLAN_POINTS_MAX];
    struct plan_cost point_cost[PLAN_POINTS_MAX];
    char text[SETTINGS_TEXT_MAX], point[PLAN_POINT_TEXT];
};

/* Sets the options of a point. Returns the number of problems. */
static unsigned set_point(struct planned *planned, unsigned point)
{
    options_copy(planned->actions->options, &planned->before);
    return plan_read_point(&planned->plan, point, planned->path, planned->actions->options, planned->point,
                           planned->out);
}

static bool read_plan(struct planned *planned)
{
    struct firmware *fw = planned->fw;
    size_t size = 0;
    enum firmware_error error = fw->read_file(fw, planned->path, planned->text, sizeof(planned->text), &size);

    if (error) {
        out_printf(planned->out, "plan = %s: %s\n", planned->path, firmware_error_text(error));
        return false;
    }
    return !plan_read(&planned->plan, planned->path, planned->text, size, planned->out);
}

/* Reads the settings of the whole plan from its first point; all points have the same. */
static bool read_design(struct planned *planned)
{
    const struct options *options = planned->actions->options;
    struct plan_design *design = &planned->design;

    if (set_point(planned, 0) || !plan_read_design(&planned->plan, options, planned->path, design, planned->out))
        return false;
    planned->enough = options->plan_enough;
    planned->minutes = options->plan_minutes;
    planned->save = options->save;
    begun_place(planned->fw, options);
    planned->runs = design->points * design->times;
    planned->rows.points = design->points;
    planned->rows.times = design->times;
    return true;
}

/* Checks each point, and computes the keys of its runs. */
static bool check_points(struct planned *planned)
{
    struct options *options = planned->actions->options;

    for (unsigned point = 0; point < planned->design.points; point++) {
        if (set_point(planned, point) ||
            !planned->actions->check(planned->actions->context, planned->out, &planned->point_cost[point])) {
            out_printf(planned->out, "%s: ended at this run:", planned->path);
            plan_print_point(&planned->plan, point, options, planned->out);
            return false;
        }
        for (unsigned at = point; at < planned->runs; at += planned->design.points)
            planned->rows.row[at].key =
                plan_key(planned->path, plan_section_of(&planned->plan, point), at, options, planned->actions->machine);
    }
    return true;
}

/* Reads and checks the plan, and restores the settings. Returns NULL after a line in 'problems'. */
static struct planned *begin(const struct plan_actions *actions, struct out *problems)
{
    struct firmware *fw = actions->console->fw;
    struct planned *planned = fw->allocate(fw, sizeof(*planned), POOL_PAGE);
    bool good;

    if (!planned) {
        out_printf(problems, "plan = %s: there is not enough memory\n", actions->options->plan);
        return NULL;
    }
    planned->actions = actions;
    planned->out = problems;
    planned->fw = fw;
    memcpy(planned->path, actions->options->plan, sizeof(planned->path));
    options_copy(&planned->before, actions->options);
    good = read_plan(planned) && read_design(planned) && check_points(planned);
    options_copy(actions->options, &planned->before);
    if (good)
        return planned;
    fw->release(fw, planned, sizeof(*planned));
    return NULL;
}

static void end(struct planned *planned)
{
    options_copy(planned->actions->options, &planned->before);
    planned->fw->release(planned->fw, planned, sizeof(*planned));
}

bool plan_check(const struct plan_actions *actions, struct out *problems, struct plan_cost *ret_cost)
{
    struct planned *planned = begin(actions, problems);

    if (!planned)
        return false;
    *ret_cost = (struct plan_cost){0};
    for (unsigned i = 0; i < planned->runs; i++)
        plan_cost_add(ret_cost, &planned->point_cost[i % planned->design.points]);
    end(planned);
    return true;
}

/* ---------------------------------------------------------------- what is said before */

/* Returns the time of the remaining runs, by that of completed ones, or else by a cycle for each op; 0: not known. */
static uint64_t time_left(const struct planned *planned)
{
    uint64_t ms;
    unsigned done = plan_rows_done(&planned->rows, &ms);

    if (done)
        return ms / done * (planned->runs - done) + 1;
    return planned->actions->machine->tsc_khz ? planned->cost.ops / planned->actions->machine->tsc_khz : 0;
}

static void tell_time(const struct planned *planned)
{
    struct out *out = &planned->actions->console->out;
    char text[DURATION_MAX], most[DURATION_MAX];
    uint64_t ms;

    duration_write(&most, planned->minutes * 60000);
    if (planned->minutes)
        sentence(out, "No run begins when the runs before took %s (plan_minutes).", most);
    duration_write(&text, time_left(planned));
    if (plan_rows_done(&planned->rows, &ms))
        sentence(out, "Time: about %s, estimated from finished runs.", text);
    else if (time_left(planned))
        sentence(out, "Time: at least about %s, at one op per cycle; known after the first run.", text);
    else
        sentence(out, "Time: known after the first run.");
}

static void tell_files(const struct planned *planned)
{
    struct firmware *fw = planned->fw;
    struct out *out = &planned->actions->console->out;
    enum firmware_error error;

    if (!planned->save) {
        sentence(out, "WARNING: save=no: after a reset the plan starts from the beginning.");
        return;
    }
    error = fw->make_folder(fw, BEGUN_FOLDER);
    if (!error)
        error = fw->make_folder(fw, BEGUN_RUNS);
    if (error) {
        sentence(out, "WARNING: the runs cannot be saved now: %s", firmware_error_text(error));
        return;
    }
    error = fw->room ? fw->room(fw, BEGUN_FOLDER, planned->cost.bytes + 1) : FIRMWARE_OK;
    if (error == FIRMWARE_FULL)
        sentence(out,
                 "WARNING: not all runs can be saved: their files take about %lu KB, and the volume has less room.",
                 planned->cost.bytes >> 10);
    else
        sentence(out, "Files: about %lu KB%s", planned->cost.bytes >> 10,
                 !fw->room ? "; it is not known if the server has room for them."
                 : error   ? "; it is not known if the volume has room for them."
                           : ", for which the volume has room.");
}

static void announce(struct planned *planned)
{
    static const char *const ends[] = {
        [FIRMWARE_RETURN] = "back to the firmware", [FIRMWARE_RESET] = "a reset", [FIRMWARE_OFF] = "power off"};
    const struct plan_design *design = &planned->design;
    struct out *out = &planned->actions->console->out;
    uint64_t ms;
    unsigned done = plan_rows_done(&planned->rows, &ms);
    char text[PLAN_DESIGN_TEXT];

    out_printf(out, "\n");
    plan_write_design(design, &text);
    sentence(out, "Plan %s: %s", planned->path, text);
    for (unsigned point = 0; point < design->points && point < POINTS_SHOWN; point++) {
        (void)set_point(planned, point);
        plan_print_point(&planned->plan, point, planned->actions->options, out);
    }
    if (design->points > POINTS_SHOWN)
        out_printf(out, "       and %u more\n", design->points - POINTS_SHOWN);
    for (unsigned i = 0; i < planned->runs; i++)
        if (!planned->rows.row[i].done)
            plan_cost_add(&planned->cost, &planned->point_cost[i % design->points]);
    if (done)
        sentence(out, "This machine has done %u of the runs already; the plan continues with the others.", done);
    if (planned->enough)
        sentence(out, "The plan ends when each run has %lu op samples at its hottest instruction (plan_enough).",
                 planned->enough);
    tell_time(planned);
    tell_files(planned);
    sentence(out, "At the end: %s", ends[planned->before.end]);
}

/* ---------------------------------------------------------------- the runs */

/* Returns whether the plan ends before its n-th run. */
static bool is_over(const struct planned *planned, unsigned n, const struct plan_run *run)
{
    struct out *out = &planned->actions->console->out;
    bool whole = n % planned->design.points == 0 && !(planned->design.order == PLAN_ABBA && run->round % 2);
    uint64_t ms;

    (void)plan_rows_done(&planned->rows, &ms);
    if (planned->enough && whole && plan_rows_enough(&planned->rows, planned->enough)) {
        sentence(out, "Plan: ends after %u rounds, with enough samples (plan_enough).", run->round);
        return true;
    }
    if (planned->minutes && ms >= planned->minutes * 60000) {
        sentence(out, "Plan: ends before run %u, because its time is over (plan_minutes).", n + 1);
        return true;
    }
    return false;
}

static void tell_progress(const struct planned *planned)
{
    char text[DURATION_MAX];
    uint64_t ms;
    unsigned done = plan_rows_done(&planned->rows, &ms);

    duration_write(&text, time_left(planned));
    if (done < planned->runs)
        sentence(&planned->actions->console->out, "Plan: %u of %u runs are done; the rest will take about %s.", done,
                 planned->runs, text);
    else
        sentence(&planned->actions->console->out, "Plan: all %u runs are done.", done);
}

/* Executes one run. Returns false if it could not be saved, which ends the plan. */
static bool do_run(struct planned *planned, unsigned n, const struct plan_run *run, bool *good)
{
    struct plan_row *row = plan_row_of(&planned->rows, run);
    struct out *out = &planned->actions->console->out;
    struct run_plan place = {.name = planned->path,
                             .section = *plan_section_of(&planned->plan, run->point),
                             .at = *run,
                             .key = row->key,
                             .run = n,
                             .runs = planned->runs};
    enum plan_result result;
    enum firmware_error error;

    (void)set_point(planned, run->point);
    planned->actions->options->seed += run->seed;
    out_printf(out, "\n");
    sentence(out, "Plan: run %u of %u, round %u", n + 1, planned->runs, run->round + 1);
    plan_print_point(&planned->plan, run->point, planned->actions->options, out);
    result = planned->actions->run(planned->actions->context, &place);
    if (result != PLAN_RAN)
        *good = false;
    if (result == PLAN_NOT_SAVED)
        sentence(out, "Plan: ends because run %u could not be saved.", n + 1);
    if (result != PLAN_RAN)
        return result == PLAN_REFUSED;
    row->done = true;
    row->ms = (uint32_t)place.ms;
    row->hottest = (uint32_t)place.hottest;
    error = planned->save ? plan_rows_keep(&planned->rows, planned->fw, planned->path) : FIRMWARE_OK;
    if (error)
        sentence(out, "Plan: after a reset this run would be done again: %s", firmware_error_text(error));
    tell_progress(planned);
    return true;
}

static bool do_runs(struct planned *planned)
{
    struct out *out = &planned->actions->console->out;
    bool good = true;

    for (unsigned n = 0; n < planned->runs; n++) {
        struct plan_run run = plan_nth(&planned->design, n, planned->order);
        const struct plan_row *row = plan_row_of(&planned->rows, &run);

        if (is_over(planned, n, &run))
            break;
        if (!row->done && row->begun >= PLAN_BEGUN_MAX) {
            sentence(out, "Plan: run %u began %u times and never ended: it is left out.", n + 1, row->begun);
            good = false;
        } else if (!row->done && !do_run(planned, n, &run, &good)) {
            break;
        }
    }
    return good;
}

bool plan_do(const struct plan_actions *actions)
{
    struct planned *planned;
    struct refusal refusal;
    bool good;

    refusal_begin(&refusal, &actions->console->out);
    planned = begin(actions, &refusal.out);
    if (!planned) {
        actions->refused(actions->context, &refusal);
        return false;
    }
    if (!plan_rows_find(&planned->rows, planned->fw, planned->path))
        sentence(planned->out, "There is not enough memory to look for finished runs.");
    announce(planned);
    good = do_runs(planned);
    end(planned);
    return good;
}
