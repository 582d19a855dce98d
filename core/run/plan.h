/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A plan: a settings file of several runs.
 *
 * Lines before the first [section] are for all runs, a section's for its own, where they come before those. A value may
 * be a list, each of which is a run: "4k | 2m", "4..16384 x2" (4, 8, ... 16384), "10..50 +10", "1..3". Several lists
 * are combined, the last one in the file changes fastest. What stands in double quotes is no list.
 *
 * Each combination is a point. A round has all points once, in an order that enum plan_order says; settings whose names
 * begin with "plan_" say how many rounds there are. A point is written as the text of a settings file in which each
 * line has the number that it has in the plan, so the parser of settings reads it and says what is wrong in which line.
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
    unsigned choices; /* 1: its value is no list */
    struct settings_line words;
};

struct plan_section {
    struct settings_span name; /* of 0: "" */
    unsigned points;
};

struct plan {
    struct plan_line line[PLAN_LINES_MAX];
    struct plan_section section[PLAN_SECTIONS_MAX + 1];
    unsigned lines, sections; /* without the part before the first */
    unsigned points;          /* of all */
};

/* Reads a plan's text, to which *plan then points. Returns the number of problems, each a line
 * "name:line: column: what is wrong" in 'problems', as settings_parse_text() has them; with any the plan is not used.
 * Keys and values are looked at by who reads the points. */
unsigned plan_read(struct plan *plan, const char *name, const void *text, size_t size, struct out *problems);

/* Writes point 0..points - 1 as text for settings_parse_text(). */
void plan_write_point(const struct plan *plan, unsigned point, struct out *out);

/* Writes what a point is, in a line without its end: "[large] kb=64 pages=2m", its section and what its lists chose. */
void plan_write_name(const struct plan *plan, unsigned point, struct out *out);

/* Returns the section of a point. */
const struct settings_span *plan_section_of(const struct plan *plan, unsigned point);

/* Says which runs there are of so many points. */
struct plan_design {
    unsigned points, times; /* 1..PLAN_POINTS_MAX, and so many rounds */
    enum plan_order order;
    uint64_t seed;
};

struct plan_run {
    unsigned point, round, block; /* all from 0 on; a block has two rounds with PLAN_ABBA, else one */
    uint64_t seed;                /* to be added to the point's, so that no two runs of a point have the same */
};

/* Orders the points of a round: as listed, listed and backwards in turns (A B, B A), or by chance. */
void plan_order(const struct plan_design *design, unsigned round, uint16_t order[PLAN_POINTS_MAX]);

/* The n-th run from 0 on, of points * times. 'order' is memory of the caller's. */
struct plan_run plan_nth(const struct plan_design *design, unsigned n, uint16_t order[PLAN_POINTS_MAX]);

#endif
