/* SPDX-License-Identifier: BSD-2-Clause */
/* From start to end: settings, machine, prompt or direct run, report, files, last line. */
#include "app/save/begun.h"
#include "app/run/code.h"
#include "app/cores/core_start.h"
#include "app/prompt/options_check.h"
#include "app/prompt/plan.h"
#include "app/run/probe.h"
#include "app/prompt/profiles.h"
#include "app/prompt/progress.h"
#include "app/prompt/prompt.h"
#include "app/prompt/refusal.h"
#include "app/prompt/results.h"
#include "app/report/report.h"
#include "app/cores/lost_cores.h"
#include "app/run/run.h"
#include "app/run/run_plan.h"
#include "app/save/save.h"
#include "app/selftest/selftest_first.h"
#include "app/save/send.h"
#include "app/base/sentence.h"
#include "app/run/sequence.h"
#include "app/prompt/show.h"
#include "core/base/version.h"
#include "core/base/mem.h"
#include "drivers/trace/trace.h"

struct app {
    struct firmware *fw;
    struct core_start start;
    struct console console;
    struct options options;
    struct machine machine;
    const struct image *image;
    struct run run;
    bool have_run;
    unsigned runs; /* number of runs begun in this boot */
    struct selftest_summary selftest;
    struct cores_set away; /* cores that did not return from some run */
    struct plan_cost cost; /* of checked runs */
    struct results results;
    bool failed;           /* something that was asked for failed */
    bool kept;             /* the last run was saved, as far as wanted */
    struct run_plan *plan; /* plan of the next run; NULL: none */
    bool zen_ibs_asked;
    bool attended; /* a user is at the prompt */
};

/* Applies the setting, which the prompt may have changed. */
static void set_trace(struct app *app)
{
    if (!trace_begin((enum trace_mode)app->options.trace, (enum uart_rate)app->options.serial_rate))
        out_printf(&app->console.out, "trace = com1: no serial port answers at 3F8h; codes still go to port 80h.\n");
}

/* Applies the setting, which the prompt may have changed after a self-test without IBS. */
static void switch_ibs(struct app *app)
{
    if (probe_switch_ibs(&app->machine, app->fw, app->options.zen_ibs_on, &app->zen_ibs_asked, &app->console.out))
        app->selftest = (struct selftest_summary){0};
}

/* Fails the program, and leaves the reason in the run's place, unless someone at the prompt has read it. */
static void refused(struct app *app, const struct refusal *refusal)
{
    app->failed = true;
    if (!app->attended)
        refusal_save(refusal, &app->run, &app->options);
}

/* Refuses a batch or settings of which nothing was run, so there is no run to keep. */
static void nothing_run(void *context, const struct refusal *refusal)
{
    struct app *app = context;

    if (app->attended)
        return;
    app->run = (struct run){.fw = app->fw, .machine = &app->machine};
    refused(app, refusal);
}

static bool prepare(struct app *app, struct out *problems)
{
    if (app->have_run)
        run_release(&app->run);
    switch_ibs(app);
    app->have_run = run_prepare(&app->run, app->fw, &app->machine, &app->options, app->image, problems);
    return app->have_run;
}

static bool run_once(struct app *app)
{
    struct out *out = &app->console.out;
    struct progress progress = {0};
    struct result *result;
    struct refusal refusal;
    uint64_t begun_ms = run_plan_now(app->fw, &app->machine);

    refusal_begin(&refusal, out);
    set_trace(app);
    trace(TRACE_PREPARE);
    if (!prepare(app, &refusal.out) || !selftest_allows(&app->selftest, &app->run, &app->options, &refusal.out)) {
        refused(app, &refusal);
        return false;
    }
    app->runs++;
    app->run.plan = app->plan;
    app->run.selftest = app->selftest.made ? &app->selftest : NULL;
    if (app->options.save)
        begun_write(&app->run, &app->options, out);
    out_printf(out, "\nRunning %s: no output during a pass.\n", app->run.workload->name);
    run_begins(out, &app->run);
    if (app->results.wanted)
        progress_begin(&progress, &app->console, &app->run);
    run_measure(&app->run);
    progress_end(&progress);
    for (unsigned i = 1; i < app->run.passes.cores; i++)
        if (!app->fw->core_ended(app->fw, app->run.passes.core[i].cpu))
            cores_set_add(&app->away, app->run.passes.core[i].cpu);
    begun_phase(&app->run, "measured, the report is printed");
    trace(TRACE_REPORT);
    result = results_add(&app->results, &app->run, report_run, out);
    if (!result || !result->text)
        report_run(out, &app->run);
    else if (!app->results.instead)
        out->write(out, result->text, result->length);
    console_new_page(&app->console); /* what became of the files is shown even if the report was skipped */
    if (app->plan)
        run_plan_measured(&app->run, app->plan, begun_ms);
    app->kept = save_wanted(&app->console, &app->run, &app->options, app->runs);
    app->run.plan = NULL;
    if (!app->kept)
        app->failed = true;
    if (!run_good(&app->run))
        app->failed = true;
    if (result) {
        result->ms = run_plan_since(app->fw, &app->machine, begun_ms);
        result->good = run_good(&app->run);
        result->saved = app->kept;
    }
    return true;
}

/* Calls one() for each configuration until it returns false. */
static bool each_config(struct app *app, bool (*one)(void *app, struct out *problems), struct out *problems)
{
    return sequence_each(&(struct sequence){app->fw, &app->machine, &app->options, one, app}, problems);
}

/* Prints only problems; the run prints the rest again. */
static bool check_once(void *context, struct out *problems)
{
    struct app *app = context;
    struct refusal refusal;

    refusal_begin(&refusal, NULL);
    if (!prepare(app, &refusal.out)) {
        problems->write(problems, refusal.text, refusal.length);
        return false;
    }
    plan_cost_add(&app->cost, &(struct plan_cost){begun_expected_bytes(&app->run), run_plan_ops(&app->run),
                                                  begun_expected_samples(&app->run)});
    run_release(&app->run);
    app->have_run = false;
    return true;
}

static bool run_one(void *app, struct out *problems)
{
    (void)problems;
    return run_once(app);
}

/* ---------------------------------------------------------------- plans */

static bool check_of_plan(void *context, struct out *problems, struct plan_cost *ret_cost)
{
    struct app *app = context;

    app->cost = (struct plan_cost){0};
    if (!check_once(app, problems))
        return false;
    *ret_cost = app->cost;
    if (probe_suits(&app->machine, &app->options))
        return true;
    probe_refusal(&app->machine, problems);
    return false;
}

static enum plan_result run_of_plan(void *context, struct run_plan *place)
{
    struct app *app = context;
    bool ran;

    app->plan = place;
    ran = run_once(app);
    app->plan = NULL;
    return !ran ? PLAN_REFUSED : app->kept ? PLAN_RAN : PLAN_NOT_SAVED;
}

static struct plan_actions of_plan(struct app *app)
{
    return (struct plan_actions){.context = app,
                                 .console = &app->console,
                                 .machine = &app->machine,
                                 .options = &app->options,
                                 .check = check_of_plan,
                                 .run = run_of_plan,
                                 .refused = nothing_run};
}

/* Runs what is set; checks all configurations of a list before the first. */
static void run_all(void *context)
{
    struct app *app = context;
    struct refusal refusal;

    if (app->options.plan[0]) {
        const struct plan_actions actions = of_plan(app);

        if (!plan_do(&actions))
            app->failed = true;
        return;
    }
    refusal_begin(&refusal, &app->console.out);
    if (sequence_is_several(app->options.config) && !each_config(app, check_once, &refusal.out))
        refused(app, &refusal);
    else
        (void)each_config(app, run_one, &app->console.out);
}

static bool expect_all(void *context, struct out *problems, struct plan_cost *ret_cost)
{
    struct app *app = context;
    const struct plan_actions actions = of_plan(app);

    if (app->options.plan[0])
        return plan_check(&actions, problems, ret_cost);
    app->cost = (struct plan_cost){0};
    if (!each_config(app, check_once, problems))
        return false;
    *ret_cost = app->cost;
    return true;
}

static bool check_all(void *context, struct out *problems)
{
    struct plan_cost cost;

    return expect_all(context, problems, &cost);
}

static void report_again(void *context)
{
    struct app *app = context;

    if (app->have_run)
        report_run(&app->console.out, &app->run);
    else
        out_printf(&app->console.out, "There has been no run yet.\n");
}

static bool send_again(void *context, const char *what)
{
    struct app *app = context;

    if (app->have_run)
        return send_run(&app->console, &app->run, what, app->runs);
    out_printf(&app->console.out, "There has been no run yet.\n");
    return false;
}

static void refuse(const struct app *app, struct out *out)
{
    report_machine(out, app->fw, &app->machine);
    out_printf(out, "\n");
    probe_refusal(&app->machine, out);
}

static bool show_once(struct app *app)
{
    return show_command(&app->console.out, &app->options, app->options.show) == SHOW_DONE;
}

static bool batch(struct app *app, const struct prompt_actions *actions)
{
    return profiles_run_file(&app->console, &app->options, actions, "batch = ", app->options.batch);
}

static bool prompt(struct app *app, const struct prompt_actions *actions, bool screen)
{
    app->attended = true;
    app->results.wanted = true;
    return prompt_loop(&app->console, &app->options, actions, screen);
}

/* Refuses settings with errors. */
static bool refuse_settings(struct app *app, struct refusal *refusal, const struct prompt_actions *actions)
{
    out_printf(&app->console.out, "Because of this nothing was run; 'show' at the prompt lists what is allowed.\n");
    nothing_run(app, refusal);
    return app->options.menu && prompt(app, actions, false);
}

/* Returns whether all went well. *ret_prompted: a user at the prompt has already seen what went wrong. */
static bool run_app(struct app *app, const char *options, bool *ret_prompted)
{
    const struct prompt_actions actions = {
        .context = app,
        .run = run_all,
        .check = check_all,
        .refused = nothing_run,
        .again = report_again,
        .send = send_again,
        .expect = expect_all,
        .machine = &app->machine,
        .results = &app->results,
    };
    struct out *out = &app->console.out;
    struct refusal refusal;
    enum prompt_how how;
    unsigned problems;

    code_find_files(app->fw, out);
    if (!options_init(&app->options))
        return false;
    refusal_begin(&refusal, out);
    /* Settings come first: 'end' is one of them. */
    problems = refusal_read_settings(&refusal, app->fw, &app->options, options);
    set_trace(app);
    trace(TRACE_SETTINGS);
    if (!probe_code(app->image, out))
        return false;
    begun_report_last(app->fw, &app->console.out);
    trace(TRACE_PROBE);
    if (!probe_machine(&app->machine, app->fw, &app->console.out))
        return false;
    app->options.event_set = (uint8_t)task_event_set(&app->machine);
    problems += options_check_events(&app->options, &refusal.out);
    if (problems) {
        *ret_prompted = refuse_settings(app, &refusal, &actions);
        return false;
    }
    if (app->options.show[0])
        return show_once(app);
    if (app->options.batch[0])
        return batch(app, &actions);
    switch_ibs(app);
    if (!app->options.plan[0] && !probe_suits(&app->machine, &app->options)) {
        refuse(app, out);
        if (app->options.menu) {
            out_printf(out, "config=noise still runs here: it needs neither IBS nor counters.\n");
            *ret_prompted = prompt(app, &actions, false);
        }
        return false;
    }
    if (!app->options.menu) {
        run_all(app);
        return true;
    }
    report_machine(out, app->fw, &app->machine);
    report_origin(out, &app->machine);
    app->results.wanted = app->fw->keys;
    how = prompt_wanted(&app->console, 5);
    if (how == PROMPT_NOT_WANTED)
        run_all(app);
    *ret_prompted = prompt(app, &actions, how == PROMPT_SCREEN);
    return true;
}

int app_main(struct firmware *fw, const char *options, const struct image *image)
{
    struct app app = {.fw = &app.start.firmware, .image = image};
    struct out *out = &app.console.out;
    bool prompted = false;

    app.results.fw = app.fw;
    core_start_init(&app.start, fw, &app.machine, &app.options.core_start);
    console_init(&app.console, fw);
    out_printf(out, "ibsboot %s: instruction-based sampling with no operating system\n", IBSBOOT_VERSION);
    if (!run_app(&app, options, &prompted))
        app.failed = true;
    if (app.have_run)
        run_release(&app.run);
    results_release(&app.results);
    lost_cores_stop(app.fw, &app.machine, &app.away, out);
    code_forget(app.fw);
    core_start_end(&app.start, out);
    if (app.failed && !prompted)
        console_hold(&app.console, app.options.hold_s);
    out_printf(out, "ibsboot: end: status %d\n", app.failed);
    if (app.options.end != FIRMWARE_RETURN) {
        trace(TRACE_RESET);
        fw->end(fw, (enum firmware_end)app.options.end);
        out_printf(out, "The firmware ignored the setting 'end'.\n");
    }
    trace(TRACE_END);
    return app.failed;
}
