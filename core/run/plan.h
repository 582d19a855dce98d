/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A plan: a settings file of several runs.
 *
 * Lines before the first [section] apply to all runs; in a section's runs they come before its own lines. A value may
 * be a list with one run each: "4k | 2m", "4..16384 x2" (4, 8, ... 16384), "10..50 +10", "1..3". Several lists are
 * combined, the last one in the file changes fastest. A value in double quotes is no list.
 *
 * Each combination is a point. A round has all points once, in the order of enum plan_order; settings "plan_..." set
 * the number of rounds. A point is written as the text of a settings file in which each line keeps its number of the
 * plan, so the parser of settings reports what is wrong in which line.
 */
#ifndef CORE_PLAN_H
#define CORE_PLAN_H

#include "core/run/settings.h"
#include "core/run/settings_line.h"

enum {
    PLAN_LINES_MAX = 400,
    PLAN_SECTIONS_MAX = 32,
    PLAN_POINTS_MAX = 1000,
    PLAN_TIMES_MAX = 1000,
    PLAN_RUNS_MAX = 10000,
    PLAN_NAME_MAX = 31, /* characters of a section's name */
};

enum plan_order { PLAN_LISTED, PLAN_ABBA, PLAN_RANDOM };

struct plan_line {
    unsigned number;  /* in the file */
    unsigned section; /* 0: before the first */
    unsigned choices; /* 1: not a list */
    struct settings_line words;
};

struct plan_section {
    struct settings_span name; /* "" for section 0 */
    unsigned points;
};

struct plan {
    struct plan_line line[PLAN_LINES_MAX];
    struct plan_section section[PLAN_SECTIONS_MAX + 1];
    unsigned lines, sections; /* except section 0 */
    unsigned points;          /* of all sections */
};

/* Reads a plan's text, into which *plan points. Returns the number of problems, each a line "name:line: column: what
 * is wrong" in 'problems', as settings_parse_text() has them; with any the plan is not used. Readers of the points
 * check keys and values. */
unsigned plan_read(struct plan *plan, const char *name, const void *text, size_t size, struct out *problems);

/* Writes point 0..points - 1 as text for settings_parse_text(). */
void plan_write_point(const struct plan *plan, unsigned point, struct out *out);

/* Writes what a point is, in a line without its end: "[large] kb=64 pages=2m", its section and what its lists chose. */
void plan_write_name(const struct plan *plan, unsigned point, struct out *out);

/* Returns the section of a point. */
const struct settings_span *plan_section_of(const struct plan *plan, unsigned point);

/* Defines the runs: points and rounds. */
struct plan_design {
    unsigned points, times; /* 1..PLAN_POINTS_MAX; number of rounds */
    enum plan_order order;
    uint64_t seed;
};

struct plan_run {
    unsigned point, round, block; /* from 0 on; a block has two rounds with PLAN_ABBA, else one */
    uint64_t seed;                /* added to the point's seed, so that runs of a point differ */
};

/* Orders the points of a round: as listed, alternately forwards and backwards (A B, B A), or at random. */
void plan_order(const struct plan_design *design, unsigned round, uint16_t order[PLAN_POINTS_MAX]);

/* Returns run n, 0 to points * times - 1. The caller provides 'order'. */
struct plan_run plan_nth(const struct plan_design *design, unsigned n, uint16_t order[PLAN_POINTS_MAX]);

#endif
