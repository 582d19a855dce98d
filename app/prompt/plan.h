/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Plans (core/run/plan.h): says what is going to be run, what it takes, and whether it can be saved; runs what is not
 * there yet. The settings are those of ibsboot.ini and the load options with the plan's on top of them; its seeds are
 * its own.
 */
#ifndef APP_PLAN_H
#define APP_PLAN_H

#include "app/base/sinks.h"
#include "app/prompt/plan_rows.h"
#include "app/prompt/refusal.h"

/* Says what became of a run. */
enum plan_result { PLAN_RAN, PLAN_REFUSED, PLAN_NOT_SAVED };

/* Says about what a run takes. */
struct plan_cost {
    uint64_t bytes; /* of files */
    uint64_t ops;   /* of the measured part, in all repeats; 0: not known */
    uint64_t samples;
};

static inline void plan_cost_add(struct plan_cost *cost, const struct plan_cost *more)
{
    cost->bytes += more->bytes;
    cost->ops += more->ops;
    cost->samples += more->samples;
}

/* Names who runs a plan: the settings as they are, changed and put back. */
struct plan_actions {
    void *context;
    struct console *console;
    const struct machine *machine;
    struct options *options;
    /* Returns whether the run can be done, and about how much it takes; else a line says why. */
    bool (*check)(void *context, struct out *problems, struct plan_cost *ret_cost);
    /* Runs it, and sets place->ms and hottest. */
    enum plan_result (*run)(void *context, struct run_plan *place);
    void (*refused)(void *context, const struct refusal *refusal); /* nothing of it was run */
};

/* Runs the plan of the setting 'plan'. False: it was refused, or a run went wrong or could not be saved. */
bool plan_do(const struct plan_actions *actions);

/* Checks it alone, and sums up what all of its runs take. */
bool plan_check(const struct plan_actions *actions, struct out *problems, struct plan_cost *ret_cost);

/* Reads the settings of a point over those in 'options', and checks them (app/prompt/options_check.h): the number of
 * problems. 'text' is memory of PLAN_POINT_TEXT bytes. */
enum { PLAN_POINT_TEXT = 2 * SETTINGS_TEXT_MAX };
unsigned plan_read_point(const struct plan *plan, unsigned point, const char *name, struct options *options, char *text,
                         struct out *problems);

/* Fills *design from the settings of a point: those of the plan itself, which all have. False after a line. */
bool plan_read_design(const struct plan *plan, const struct options *options, const char *name,
                      struct plan_design *ret_design, struct out *problems);
/* Writes "4 runs: 2 different ones, 2 times each, as listed". */
enum { PLAN_DESIGN_TEXT = 100 };
void plan_write_design(const struct plan_design *design, char (*text)[PLAN_DESIGN_TEXT]);

/* Prints the line of a point: "  1  ibs matmul-classic [small] kb=4". */
void plan_print_point(const struct plan *plan, unsigned point, const struct options *options, struct out *out);

#endif
