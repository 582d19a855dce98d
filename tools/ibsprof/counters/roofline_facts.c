/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/counters/roofline_facts.h"

#include "tools/ibsprof/read/run_ini.h"

static const char *read_count(uint64_t *ret_count, const struct input_facts *facts, enum fact fact, const char *loop)
{
    const char *text = run_fact(facts, fact, loop);

    return text ? run_why_not(text, ret_count) : "the file does not say";
}

bool roofline_read(struct roofline_counts counts[ROOFLINE_LOOPS], struct roofline *ret, const struct input_facts *facts)
{
    if (!run_fact(facts, FACT_ROOFLINE_NS, roofline_loop_name(ROOFLINE_WORKLOAD)))
        return false;
    for (unsigned i = 0; i < ROOFLINE_LOOPS; i++) {
        const char *loop = roofline_loop_name((enum roofline_loop)i);

        counts[i] = (struct roofline_counts){.ns = run_number(facts, FACT_ROOFLINE_NS, loop)};
        counts[i].no_operations = read_count(&counts[i].operations, facts, FACT_ROOFLINE_OPERATIONS, loop);
        counts[i].no_bytes = read_count(&counts[i].bytes, facts, FACT_ROOFLINE_BYTES, loop);
    }
    roofline_compute(ret, counts);
    return true;
}
