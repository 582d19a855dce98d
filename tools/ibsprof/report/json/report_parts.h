/* SPDX-License-Identifier: BSD-2-Clause */
/* Parts of report_json.c. */
#ifndef TOOLS_IBSPROF_REPORT_PARTS_H
#define TOOLS_IBSPROF_REPORT_PARTS_H

#include "core/explore/explore.h"
#include "core/profile/pmc_profile.h"
#include "tools/ibsprof/report/json/report_json.h"

/* Writes "functions": instructions with their counts. Sets row_of_place[place_count] to the number of each place's row,
 * counted through all functions; UINT32_MAX: omitted. */
void report_functions(struct json *json, const struct run_profile *profile, const struct report_json_options *options,
                      uint32_t *row_of_place);

/* Writes "points": accesses to data. */
void report_points(struct json *json, const struct run_profile *profile, const uint32_t *row_of_place);

/* Writes "views": core's tables, columns and formulas, only those with samples. */
void report_views(struct json *json, const struct run_profile *profile, const struct views *views);

/* Writes "cores", "nodes", "nodes_known"; and "cpus", which is older. */
void report_cores_json(struct json *json, const struct run_profile *profile);

/* Writes "certificate": verdicts and gaps, if the run has one. */
void report_certificate_json(struct json *json, const struct run_profile *profile);

/* Write "sampling": what sampling changed, for ibsboot runs with a reference. As text: its first line; and its table
 * after an empty line. Write nothing for other runs. */
void report_disturbance_json(struct json *json, const struct run_profile *profile);
void report_disturbance_verdict(struct out *out, const struct run_profile *profile);
void report_disturbance_table(struct out *out, const struct run_profile *profile);

/* Write "roofline" for runs of config=roofline; as text its table after an empty line. */
void report_roofline_json(struct json *json, const struct run_profile *profile);
void report_roofline_text(struct out *out, const struct run_profile *profile);

/* Write "found": how closely such samples agreed with exact counts, a sentence for each kind in an ibsboot run. As
 * text: for op samples; for counters and the timer. */
void report_found_json(struct json *json, const struct input_facts *facts);
void report_found_ops(struct out *out, const struct input_facts *facts);
void report_found_counters(struct out *out, const struct pmc_profile *profile);

struct time_file;

/* Reads the run's estimate of time. Returns false if there is none. */
bool report_time_read(struct time_file *file, const struct run_profile *profile);

/* Write "time": the estimated share of cycles of each sampled instruction, if the run has time.csv; as text its table
 * after an empty line. */
void report_time_json(struct json *json, const struct run_profile *profile);
void report_time_text(struct out *out, const struct run_profile *profile);

/* Write "causes": what the run waits for, sorted; as text only the first (tools/ibsprof/cause/cause.h). */
void report_cause_json(struct json *json, const struct run_profile *profile);
void report_cause_text(struct out *out, const struct run_profile *profile);
/* Selects the event of the run's cause to rank functions, instead of the one with the most samples, for a run of
 * counters. Returns false, with *ret_measure unchanged, if it has none. */
struct measure;
bool report_cause_measure(const struct run_profile *profile, struct measure *ret_measure);
/* Finds the tables of samples that show the first causes, each with at least a tenth of the first one's cycles. Returns
 * their number. */
enum { CAUSE_VIEWS_MAX = 3 };
unsigned report_cause_views(const struct run_profile *profile, const struct view *ret_views[CAUSE_VIEWS_MAX]);

/* Writes "counters" if the run counted events, with "tree" for General Exploration. */
void report_counters(struct json *json, const struct run_profile *profile);

/* Writes "cycles", "slots" except for Family 10h's, "tree" and "checks" of a tree. */
void report_tree(struct json *json, const struct explore_result *result);

/* Writes "counter_samples" if the run has pmc.csv. */
void report_pmc(struct json *json, const struct run_profile *profile);

/* Writes "explorations": tables by function and line, and for Linux' files also by module; nothing if there are
 * none. */
void report_explorations(struct json *json, const struct run_profile *profile);

/* Writes "ratios": by key part, whole and the ends of the 95 % interval of part / whole, if the whole is not 0. */
void report_ratios(struct json *json, const struct run_profile *profile, const uint64_t counts[DERIVED_COUNT]);

/* Writes the name that views use for an event's samples: "E041", "E1E0:01" or "timer"; "" for IBS and others. */
enum { REPORT_OPERAND_SIZE = 12 };
void report_operand(char text[REPORT_OPERAND_SIZE], enum event_set set, const struct input_event *event);

/* Writes [index, value, ...] of values other than 0, after 'key' unless that is NULL. */
void report_sparse(struct json *json, const char *key, const uint64_t *values, uint32_t count);

/* Writes counts of the derived events for which the processor has a source, by their index in the document's
 * "derived". */
void report_derived(struct json *json, const char *key, const struct run_profile *profile, const uint64_t *counts);

#endif
