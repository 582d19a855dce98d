/* SPDX-License-Identifier: BSD-2-Clause */
/* Parts of report_json.c. */
#ifndef TOOLS_IBSPROF_REPORT_PARTS_H
#define TOOLS_IBSPROF_REPORT_PARTS_H

#include "core/explore/explore.h"
#include "core/profile/pmc_profile.h"
#include "tools/ibsprof/report/json/report_json.h"

/* "functions": instructions with their counts. row_of_place[place_count] becomes the number of each place's row,
 * counted through all functions; UINT32_MAX where it was left out. */
void report_functions(struct json *json, const struct run_profile *profile, const struct report_json_options *options,
                      uint32_t *row_of_place);

/* "points": accesses to data. */
void report_points(struct json *json, const struct run_profile *profile, const uint32_t *row_of_place);

/* "views": core's tables, columns and formulas; only those whose samples there are. */
void report_views(struct json *json, const struct run_profile *profile, const struct views *views);

/* "cores" and "nodes", "nodes_known"; and "cpus", which is older. */
void report_cores_json(struct json *json, const struct run_profile *profile);

/* "certificate": verdicts and gaps; of runs of ours that have one. */
void report_certificate_json(struct json *json, const struct run_profile *profile);

/* "sampling": what sampling changed, of runs of ours with a reference. The text: its first line, and the table after an
 * empty line; nothing of other runs. */
void report_disturbance_json(struct json *json, const struct run_profile *profile);
void report_disturbance_verdict(struct out *out, const struct run_profile *profile);
void report_disturbance_table(struct out *out, const struct run_profile *profile);

/* "roofline", of runs of config=roofline; the text: its table after an empty line. */
void report_roofline_json(struct json *json, const struct run_profile *profile);
void report_roofline_text(struct out *out, const struct run_profile *profile);

/* "found": how near to exact counts shares of such samples were found to be, a sentence for each kind that a run of
 * ours has. The text: of op samples; of counters and the timer. */
void report_found_json(struct json *json, const struct input_facts *facts);
void report_found_ops(struct out *out, const struct input_facts *facts);
void report_found_counters(struct out *out, const struct pmc_profile *profile);

struct time_file;

/* Reads the run's estimate of time. False: there is none. */
bool report_time_read(struct time_file *file, const struct run_profile *profile);

/* "time": each sampled instruction's estimated share of the cycles, where the run has time.csv; the text is its table
 * after an empty line. */
void report_time_json(struct json *json, const struct run_profile *profile);
void report_time_text(struct out *out, const struct run_profile *profile);

/* "causes": what the run waits for, the first one most; the text: of the first (tools/ibsprof/cause/cause.h). */
void report_cause_json(struct json *json, const struct run_profile *profile);
void report_cause_text(struct out *out, const struct run_profile *profile);
/* Ranks functions of a run of counters by the event that its cause is of, not by the one with the most samples. False:
 * it has none, and *ret_measure stays. */
struct measure;
bool report_cause_measure(const struct run_profile *profile, struct measure *ret_measure);
/* Returns how many tables of samples show what costs most: at least a tenth of the first cause each. */
enum { CAUSE_VIEWS_MAX = 3 };
unsigned report_cause_views(const struct run_profile *profile, const struct view *ret_views[CAUSE_VIEWS_MAX]);

/* "counters", when the run counted events; "tree" in it for General Exploration. */
void report_counters(struct json *json, const struct run_profile *profile);

/* "cycles", "slots" unless it is Family 10h's, "tree" and "checks" of a tree. */
void report_tree(struct json *json, const struct explore_result *result);

/* "counter_samples", when the run has pmc.csv. */
void report_pmc(struct json *json, const struct run_profile *profile);

/* "explorations": tables by function and line, of Linux' files also by module; nothing when there are none. */
void report_explorations(struct json *json, const struct run_profile *profile);

/* "ratios": part, whole and the ends of the 95 % interval of part / whole by key; those with a whole that is not 0. */
void report_ratios(struct json *json, const struct run_profile *profile, const uint64_t counts[DERIVED_COUNT]);

/* Writes what a view calls the samples of an event of the file: "E041", "E1E0:01" or "timer"; "" for IBS and others. */
enum { REPORT_OPERAND_SIZE = 12 };
void report_operand(char text[REPORT_OPERAND_SIZE], enum event_set set, const struct input_event *event);

/* [index, value, ...] of what is not 0, after a key unless that is NULL. */
void report_sparse(struct json *json, const char *key, const uint64_t *values, uint32_t count);

/* Counts of derived events, those that the processor has a source for: by their places in the document's "derived". */
void report_derived(struct json *json, const char *key, const struct run_profile *profile, const uint64_t *counts);

#endif
