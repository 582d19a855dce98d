/* SPDX-License-Identifier: BSD-2-Clause */
#include "vpmu/shim/handler.h"

#include "vpmu/model/model.h"
#include "vpmu/shim/firmware/serial.h"

static const char *const kind_names[HANDLER_KINDS] = {"none", "fetch", "op", "both", "counter", "timer", "several"};

static enum handler_kind kind_of(bool fetch_valid, bool op_valid, unsigned causes)
{
    enum handler_kind ibs = fetch_valid ? (op_valid ? HANDLER_BOTH : HANDLER_FETCH)
                            : op_valid  ? HANDLER_OP
                                        : HANDLER_NONE;
    if (!causes)
        return ibs;
    if (ibs != HANDLER_NONE || causes == (VPMU_CAUSE_COUNTER | VPMU_CAUSE_TIMER))
        return HANDLER_SEVERAL;
    return causes == VPMU_CAUSE_COUNTER ? HANDLER_COUNTER : HANDLER_TIMER;
}

void handler_begin(struct handler_costs *costs, bool fetch_valid, bool op_valid, unsigned causes)
{
    costs->kind = kind_of(fetch_valid, op_valid, causes);
    costs->instructions = 0;
}

void handler_access(struct handler_costs *costs, uint32_t msr, bool write)
{
    struct handler_cost *cost = &costs->kinds[costs->kind];
    unsigned i = 0;
    while (i < cost->msr_count && cost->msrs[i].msr != msr)
        i++;
    if (i == HANDLER_MSRS)
        return;
    if (i == cost->msr_count) {
        cost->msr_count++;
        cost->msrs[i].msr = msr;
    }
    if (write)
        cost->msrs[i].writes++;
    else
        cost->msrs[i].reads++;
}

static void take_path(struct handler_cost *cost, uint64_t instructions)
{
    unsigned i = 0;
    while (i < cost->path_count && cost->paths[i].instructions != instructions)
        i++;
    if (i == HANDLER_PATHS)
        return;
    if (i == cost->path_count)
        cost->paths[cost->path_count++].instructions = instructions;
    cost->paths[i].samples++;
}

void handler_end(struct handler_costs *costs)
{
    struct handler_cost *cost = &costs->kinds[costs->kind];
    uint64_t count = costs->instructions;
    cost->minimum = !cost->samples || count < cost->minimum ? count : cost->minimum;
    cost->maximum = count > cost->maximum ? count : cost->maximum;
    cost->instructions += count;
    cost->samples++;
    if (count)
        take_path(cost, count);
}

static void csv_row(struct out *out, unsigned kind, const char *what, uint32_t msr, uint64_t count, uint64_t samples)
{
    out_printf(out, "%s,%s,", kind_names[kind], what);
    if (msr)
        out_printf(out, "%08x", msr);
    out_printf(out, ",%llu,", (unsigned long long)count);
    out_ratio(out, count, samples, 1, 3, 0);
    out_printf(out, "\n");
}

void handler_write_csv(const struct handler_costs *costs, struct out *out)
{
    out_printf(out, "kind,what,msr,count,per_sample\n");
    for (unsigned kind = 0; kind < HANDLER_KINDS; kind++) {
        const struct handler_cost *cost = &costs->kinds[kind];
        if (!cost->samples)
            continue;
        csv_row(out, kind, "nmis", 0, cost->samples, cost->samples);
        if (cost->instructions) {
            csv_row(out, kind, "instructions", 0, cost->instructions, cost->samples);
            csv_row(out, kind, "instructions_minimum", 0, cost->minimum, 1);
            csv_row(out, kind, "instructions_maximum", 0, cost->maximum, 1);
        }
        for (unsigned i = 0; i < cost->path_count; i++)
            out_printf(out, "%s,path_%llu,,%llu,1.000\n", kind_names[kind],
                       (unsigned long long)cost->paths[i].instructions, (unsigned long long)cost->paths[i].samples);
        for (unsigned i = 0; i < cost->msr_count; i++) {
            const struct handler_msr *row = &cost->msrs[i];
            if (row->reads)
                csv_row(out, kind, "msr_reads", row->msr, row->reads, cost->samples);
            if (row->writes)
                csv_row(out, kind, "msr_writes", row->msr, row->writes, cost->samples);
        }
    }
}

static void say_hundredths(uint64_t numerator, uint64_t denominator)
{
    uint64_t hundredths = (numerator * 100 + denominator / 2) / denominator;
    say("%llu.%02llu", (unsigned long long)(hundredths / 100), (unsigned long long)(hundredths % 100));
}

void handler_print(const struct handler_costs *costs)
{
    for (unsigned kind = 0; kind < HANDLER_KINDS; kind++) {
        const struct handler_cost *cost = &costs->kinds[kind];
        if (!cost->samples)
            continue;
        say("vpmu: handler %-7s %llu NMIs", kind_names[kind], (unsigned long long)cost->samples);
        if (cost->instructions) {
            say(", instructions ");
            say_hundredths(cost->instructions, cost->samples);
            say(" (%llu to %llu)", (unsigned long long)cost->minimum, (unsigned long long)cost->maximum);
        }
        say("\nvpmu:   MSR accesses for each:");
        for (unsigned i = 0; i < cost->msr_count; i++) {
            const struct handler_msr *row = &cost->msrs[i];
            if (row->reads) {
                say(" read %08x ", row->msr);
                say_hundredths(row->reads, cost->samples);
            }
            if (row->writes) {
                say(" write %08x ", row->msr);
                say_hundredths(row->writes, cost->samples);
            }
        }
        say("\n");
    }
}
