/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Plans (core/run/plan.h): announces the runs, their cost, and whether they can be saved; executes the missing ones.
 * The plan's settings override those of ibsboot.ini and the load options; its seeds are its own.
 */
#ifndef APP_PLAN_H
#define APP_PLAN_H

#include "app/base/sinks.h"
#include "app/prompt/plan_rows.h"
#include "app/prompt/refusal.h"

/* Says how a run ended. */
enum plan_result { PLAN_RAN, PLAN_REFUSED, PLAN_NOT_SAVED };

/* Estimates the cost of a run. */
struct plan_cost {
    uint64_t bytes; /* size of its files */
    uint64_t ops;   /* ops of the measured part, in all repeats; 0: not known */
    uint64_t samples;
};

static inline void plan_cost_add(struct plan_cost *cost, const struct plan_cost *more)
{
    cost->bytes += more->bytes;
    cost->ops += more->ops;
    cost->samples += more->samples;
}

/* Names the functions that execute a plan, and the settings, which a plan changes and restores. */
struct plan_actions {
    void *context;
    struct console *console;
    const struct machine *machine;
    struct options *options;
    /* Returns whether the run is possible, with its approximate cost; if not, a line says why. */
    bool (*check)(void *context, struct out *problems, struct plan_cost *ret_cost);
    /* Executes the run, and sets place->ms and hottest. */
    enum plan_result (*run)(void *context, struct run_plan *place);
    void (*refused)(void *context, const struct refusal *refusal); /* called if the whole plan is refused */
};

/* Executes the plan of the setting 'plan'. Returns false if it was refused, or a run failed or was not saved. */
bool plan_do(const struct plan_actions *actions);

/* Only checks the plan, and adds up the cost of all runs. */
bool plan_check(const struct plan_actions *actions, struct out *problems, struct plan_cost *ret_cost);

/* Reads the settings of a point over those in 'options', and checks them (app/prompt/options_check.h). Returns the
 * number of problems. 'text' is a buffer of PLAN_POINT_TEXT bytes. */
enum { PLAN_POINT_TEXT = 2 * SETTINGS_TEXT_MAX };
unsigned plan_read_point(const struct plan *plan, unsigned point, const char *name, struct options *options, char *text,
                         struct out *problems);

/* Fills *design from a point's settings of the plan itself, which all points share. Returns false after a line. */
bool plan_read_design(const struct plan *plan, const struct options *options, const char *name,
                      struct plan_design *ret_design, struct out *problems);
/* Writes "4 runs: 2 different ones, 2 times each, as listed". */
enum { PLAN_DESIGN_TEXT = 100 };
void plan_write_design(const struct plan_design *design, char (*text)[PLAN_DESIGN_TEXT]);

/* Prints the line of a point: "  1  ibs matmul-classic [small] kb=4". */
void plan_print_point(const struct plan *plan, unsigned point, const struct options *options, struct out *out);

#endif
