/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes nodes and cores of a run as text, CSV and JSON. A node is the sum of its cores. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/profile/csv.h"
#include "tools/ibsprof/base/must.h"
#include "tools/ibsprof/report/json/report_parts.h"
#include "tools/ibsprof/report/tables/report_text.h"

/* Returns the highest number of a node, plus one. */
static uint32_t node_end(const struct run_profile *profile)
{
    uint32_t end = 0;

    for (uint32_t i = 0; i < profile->core_count; i++)
        if (profile->cores[i].node >= end)
            end = profile->cores[i].node + 1;
    return end;
}

/* Adds up the node's cores, or all cores (node UINT32_MAX). Returns their number. */
static uint32_t sum_node(const struct run_profile *profile, uint32_t node, struct profile_core *sum)
{
    uint32_t count = 0;

    *sum = (struct profile_core){.cpu = UINT32_MAX, .node = node};
    for (uint32_t i = 0; i < profile->core_count; i++) {
        const struct profile_core *core = &profile->cores[i];

        if (node != UINT32_MAX && core->node != node)
            continue;
        for (int event = 0; event < DERIVED_COUNT; event++)
            sum->counts[event] += core->counts[event];
        for (int kind = 0; kind < 2; kind++) {
            sum->samples[kind] += core->samples[kind];
            sum->outside[kind] += core->outside[kind];
        }
        for (int bin = 0; bin < LATENCY_BINS; bin++)
            sum->latency[bin] += core->latency[bin];
        sum->others += core->others;
        count++;
    }
    return count;
}

/* ---------------------------------------------------------------- text */

/* Prints "12.3", or "-" if there is nothing to divide. */
static void put_percent(struct out *out, uint64_t part, uint64_t whole, uint8_t width)
{
    out_ratio(out, part, whole, 100, 1, width);
}

/* Returns whether the processor has northbridge answers, which make two columns. */
static bool has_cache(const struct run_profile *profile)
{
    return profile_has(profile, DERIVED_F243_NB_LOCAL_CACHE);
}

static bool has_remote(const struct run_profile *profile)
{
    return profile_has(profile, DERIVED_F240_NB_LOCAL);
}

enum { NAME = 14 }; /* columns */

/* Prints a name; "core 3 node 0/1" uses a column of the figure after it, as in the image's tables. */
static void put_named(struct out *out, const char *name, uint64_t figure, int width)
{
    int more = (int)strlen(name) > NAME ? (int)strlen(name) - NAME : 0;

    out_printf(out, "%-*s%*" PRIu64, NAME, name, width - more, figure);
}

static const char *name_of(char name[40], const struct profile_core *core)
{
    int end = snprintf(name, 40, "core %u node %u", core->cpu, core->node);

    if (core->ccx)
        snprintf(name + end, 40 - (size_t)end, "/%u", core->ccx - 1);
    return name;
}

static void text_row(struct out *out, const struct run_profile *profile, const char *name,
                     const struct profile_core *core, const struct profile_core *all)
{
    const uint64_t *counts = core->counts;
    uint64_t local = counts[DERIVED_F240_NB_LOCAL], remote = counts[DERIVED_F241_NB_REMOTE];

    put_named(out, name, core->samples[SAMPLE_OP], 9);
    put_percent(out, core->samples[SAMPLE_OP], all->samples[SAMPLE_OP], 7);
    out_printf(out, "%9" PRIu64, core->samples[SAMPLE_FETCH]);
    put_percent(out, counts[DERIVED_F206_DC_MISS], counts[DERIVED_F200_LOAD_STORE], 8);
    put_percent(out, counts[DERIVED_F205_DTLB_L1M_L2M], counts[DERIVED_X201_LIN_ADDR_VALID], 7);
    if (has_cache(profile))
        put_percent(out, counts[DERIVED_F243_NB_LOCAL_CACHE], counts[DERIVED_F201_LOAD], 7);
    if (has_remote(profile))
        put_percent(out, remote, local + remote, 7);
    if (counts[DERIVED_X200_LOAD_DC_MISS])
        out_printf(out, "%6u%5u\n", latency_quantile(core->latency, 0.5), latency_quantile(core->latency, 0.9));
    else
        out_printf(out, "%6s%5s\n", "-", "-");
}

/* Prints the shorter rows of a file without op samples. */
static void few_rows(struct out *out, const struct run_profile *profile, const struct profile_core *all)
{
    uint64_t whole = all->samples[SAMPLE_FETCH] + all->others;

    out_printf(out, "\nCores\n%-14s%12s%12s%10s\n", "", "IBS fetches", "others", "% of all");
    for (uint32_t i = 0; i < profile->core_count; i++) {
        const struct profile_core *core = &profile->cores[i];
        char name[40];

        put_named(out, name_of(name, core), core->samples[SAMPLE_FETCH], 12);
        out_printf(out, "%12" PRIu64, core->others);
        put_percent(out, core->samples[SAMPLE_FETCH] + core->others, whole, 10);
        out_printf(out, "\n");
    }
}

void report_cores(struct out *out, const struct run_profile *profile)
{
    struct profile_core all, sum;
    uint32_t cores = sum_node(profile, UINT32_MAX, &all);

    if (all.samples[SAMPLE_OP] == 0) {
        few_rows(out, profile, &all);
        return;
    }

    out_printf(out, "\nCores\n%-14s%9s%7s%9s%8s%7s", "", "op", "% of", "fetch", "% DC", "% DTLB");
    out_printf(out, has_cache(profile) ? "%7s" : "", "% oth.");
    out_printf(out, has_remote(profile) ? "%7s" : "", "% re-");
    out_printf(out, "%6s\n%-14s%9s%7s%9s%8s%7s", "miss", "", "samples", "ops", "samples", "miss", "miss");
    out_printf(out, has_cache(profile) ? "%7s" : "", "cache");
    out_printf(out, has_remote(profile) ? "%7s" : "", "mote");
    out_printf(out, "%6s%5s\n", "p50", "p90");
    for (uint32_t i = 0; i < profile->core_count; i++) {
        const struct profile_core *core = &profile->cores[i];
        char name[40];

        text_row(out, profile, name_of(name, core), core, &all);
    }
    for (uint32_t node = 0; node < node_end(profile); node++) {
        char name[24];
        uint32_t of_node = sum_node(profile, node, &sum);

        if (of_node == 0 || of_node == cores)
            continue;
        snprintf(name, sizeof(name), "node %u", node);
        text_row(out, profile, name, &sum, &all);
    }
    text_row(out, profile, "all", &all, &all);
    out_printf(out, "Samples. DC miss: %% of loads and stores. DTLB miss: both levels, %% of accesses.\n");
    if (has_cache(profile) && has_remote(profile))
        out_printf(out, "Oth. cache (another core's cache on the node served): %% of loads. Remote: %% of\nloads that "
                        "a northbridge served.\n");
    out_printf(out, "Miss p50, p90: latency of loads that missed the DC, in cycles.\n");
}

/* ---------------------------------------------------------------- CSV */

static bool has_complexes(const struct run_profile *profile)
{
    bool has = false;

    for (uint32_t i = 0; i < profile->core_count; i++)
        has |= profile->cores[i].ccx > 0;
    return has;
}

static void csv_row(struct out *out, const struct run_profile *profile, const struct profile_core *core, bool is_node)
{
    if (is_node)
        out_printf(out, ",%u", core->node);
    else
        out_printf(out, "%u,%u", core->cpu, core->node);
    if (has_complexes(profile) && core->ccx)
        out_printf(out, ",%u", core->ccx - 1);
    else if (has_complexes(profile))
        out_printf(out, ",");
    for (int kind = SAMPLE_OP; kind >= SAMPLE_FETCH; kind--)
        out_printf(out, ",%" PRIu64 ",%" PRIu64, core->samples[kind], core->outside[kind]);
    out_printf(out, ",%" PRIu64, core->others);
    for (unsigned i = 0; i < 3; i++) {
        static const double quantiles[] = {0.1, 0.5, 0.9};

        if (core->counts[DERIVED_X200_LOAD_DC_MISS])
            out_printf(out, ",%u", latency_quantile(core->latency, quantiles[i]));
        else
            out_printf(out, ",");
    }
    for (int event = 0; event < DERIVED_COUNT; event++)
        if (profile_has(profile, event))
            out_printf(out, ",%" PRIu64, core->counts[event]);
    out_printf(out, "\n");
}

void report_cores_csv(struct out *out, const struct run_profile *profile)
{
    struct profile_core sum;

    out_printf(out, has_complexes(profile) ? "core,node,core complex," : "core,node,");
    out_printf(out, "op samples,op samples outside,fetch samples,fetch samples outside,other samples,"
                    "miss latency p10 [cycles],miss latency p50 [cycles],miss latency p90 [cycles]");
    for (int event = 0; event < DERIVED_COUNT; event++) {
        if (!profile_has(profile, event))
            continue;
        out_printf(out, ",");
        csv_event(out, (enum derived)event);
    }
    out_printf(out, "\n");
    for (uint32_t i = 0; i < profile->core_count; i++)
        csv_row(out, profile, &profile->cores[i], false);
    for (uint32_t node = 0; node < node_end(profile); node++)
        if (sum_node(profile, node, &sum) > 0)
            csv_row(out, profile, &sum, true);
}

/* ---------------------------------------------------------------- JSON */

static void json_core(struct json *json, const struct run_profile *profile, const struct profile_core *core)
{
    static const char *const kinds[] = {[SAMPLE_FETCH] = "fetch", [SAMPLE_OP] = "op"};

    json_object(json);
    if (core->cpu != UINT32_MAX)
        json_key_uint(json, "core", core->cpu);
    json_key_uint(json, "node", core->node);
    if (core->ccx)
        json_key_uint(json, "ccx", core->ccx - 1);
    for (unsigned kind = SAMPLE_FETCH; kind <= SAMPLE_OP; kind++) {
        json_key_object(json, kinds[kind]);
        json_key_uint(json, "all", core->samples[kind]);
        json_key_uint(json, "outside", core->outside[kind]);
        json_end(json);
    }
    json_key_uint(json, "others", core->others);
    report_derived(json, "counts", profile, core->counts);
    report_ratios(json, profile, core->counts);
    report_sparse(json, "latency", core->latency, LATENCY_BINS);
    json_end(json);
}

void report_cores_json(struct json *json, const struct run_profile *profile)
{
    struct core_nodes *nodes = must_new(nodes);
    struct profile_core sum;

    core_nodes_read(nodes, profile->facts);
    json_key_array(json, "cpus");
    for (uint32_t i = 0; i < profile->core_count; i++) {
        const struct profile_core *core = &profile->cores[i];

        if (core->samples[SAMPLE_FETCH] == 0 && core->samples[SAMPLE_OP] == 0)
            continue;
        json_array(json);
        json_uint(json, core->cpu);
        json_uint(json, core->samples[SAMPLE_FETCH]);
        json_uint(json, core->samples[SAMPLE_OP]);
        json_end(json);
    }
    json_end(json);
    json_key_array(json, "cores");
    for (uint32_t i = 0; i < profile->core_count; i++)
        json_core(json, profile, &profile->cores[i]);
    json_end(json);
    json_key_bool(json, "nodes_known", nodes->known && profile->core_count > 0);
    json_key_array(json, "nodes");
    for (uint32_t node = 0; node < node_end(profile); node++)
        if (sum_node(profile, node, &sum) > 0)
            json_core(json, profile, &sum);
    json_end(json);
    free(nodes);
}
