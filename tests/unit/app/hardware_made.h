/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A prepared run of config=hardware whose steps are done, with made-up counts and samples: what each question makes of
 * them.
 */
#ifndef TESTS_UNIT_APP_HARDWARE_MADE_H
#define TESTS_UNIT_APP_HARDWARE_MADE_H

#include "app/hardware/hardware.h"
#include "tests/unit/app/fake_trial.h"
#include "tests/unit/app/fixture.h"

#define CANNOT HARDWARE_NO_ANSWER
#define SAME   HARDWARE_EXPECTED
#define OTHER  HARDWARE_OTHERWISE

extern struct hardware *made;

/* A new run on the fixture's machine, which 'made_machine' is, with no counts and no samples; each test has one. */
extern struct machine *made_machine;
void made_begin(void);

int made_setup(void **state);
int made_teardown(void **state);
#define MADE(f) cmocka_unit_test_setup_teardown(f, made_setup, made_teardown)

/* The counters' totals of a step; so many op samples, and fetch samples. */
void made_count(enum hardware_steps step, uint64_t a, uint64_t b, uint64_t c, uint64_t d);
void made_ops(enum hardware_steps step, unsigned many, uint64_t data, uint64_t data2, uint64_t data3);
void made_fetches(enum hardware_steps step, unsigned many, uint64_t address, uint64_t ctl);

/* Asks, and compares verdict and text. */
void made_expect(enum hardware_question question, void (*ask)(struct hardware *), enum hardware_verdict verdict,
                 const char *found);
#define EXPECT(id, verdict, found) made_expect(HARDWARE_##id, hardware_ask_##id, verdict, found)

/* Expects the verdict "otherwise"; the row's 'turned' must name this condition. */
void made_turned(enum hardware_question question, void (*ask)(struct hardware *), const char *condition,
                 const char *found);
#define TURNED(id, condition, found) made_turned(HARDWARE_##id, hardware_ask_##id, condition, found)

/* The last test: each question that a machine answers was seen as expected, and turned. */
void each_answer_turns(void **state);

/* The tests, by file: hardware_of_samples.c, */
void of_places_of_loads(void **state);
void of_later_places(void **state);
void of_latencies(void **state);
void of_bits(void **state);
void of_banks(void **state);
void of_intervals(void **state);
void of_fetches(void **state);
void of_a_line(void **state);
void of_failed_steps(void **state);
/* hardware_of_registers.c, */
void of_ibs_registers(void **state);
void of_ibs_bits(void **state);
void of_writes(void **state);
void of_stops(void **state);
void of_memory_types(void **state);
void of_overflows(void **state);
void of_entries(void **state);
void of_the_spurious_vector(void **state);
void of_counters_registers(void **state);
void of_firmware_registers(void **state);
void of_ports_and_thresholds(void **state);
void of_steps(void **state);
void of_sizes(void **state);
void of_sums(void **state);
void of_families(void **state);
/* hardware_of_later.c, */
void of_capabilities(void **state);
void of_later_bits(void **state);
void of_later_counters(void **state);
/* hardware_of_later_samples.c, */
void of_filters(void **state);
void of_all_samples(void **state);
void of_later_fields(void **state);
void of_page_sizes(void **state);
/* hardware_of_zen.c, */
void of_branch_fields(void **state);
void of_addresses(void **state);
void of_misses(void **state);
void of_sources(void **state);
void of_latencies_of_levels(void **state);
/* hardware_of_outer.c, */
void of_outer_counters(void **state);
void of_power(void **state);
void of_clocks_of_zen(void **state);
void of_fields_of_misses(void **state);
void of_places(void **state);
/* hardware_uses.c, */
void each_step_fails(void **state);
/* hardware_limits.c, */
void limits_of_counters(void **state);
void limits_of_stalls(void **state);
void limits_of_code(void **state);
void limits_of_patterns(void **state);
void limits_of_hops(void **state);
void limits_of_memory(void **state);
void limits_of_tlbs(void **state);
void limits_of_banks(void **state);
void limits_of_latencies(void **state);
void limits_of_samples(void **state);
void limits_of_lines(void **state);
/* hardware_of_cores.c. */
void of_clocks(void **state);
void of_nodes(void **state);
void of_later_nodes(void **state);
void of_ids(void **state);
void of_firmware_entries(void **state);
void of_states(void **state);
void of_starts(void **state);

#endif
