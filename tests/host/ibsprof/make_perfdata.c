/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Writes a perf.data file of pseudo-random samples with core/perfdata/perfdata.h: registers that a Family 10h core
 * could have reported, every defined bit set in some samples and clear in others; or, with COUNTERS, samples of
 * COUNTERS counter events and the timer, without IBS ('counters') or with it ('mixed'). The seed is fixed, so the file
 * is the same each time. COUNT: samples of each event; LOST: of the first event, the others have the double,
 * threefold...
 *
 * For counters and the timer it prints "NAME TYPE CONFIG PERIOD SAMPLES TOTAL", tab-separated, decimal.
 *
 * usage: make_perfdata FILE CAPS COUNT LOST BUILD_ID TEXT_RVA TEXT_SIZE TEXT_OFFSET [counters|mixed COUNTERS]
 * (numbers in hexadecimal)
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/family/ibs_regs.h"
#include "core/perfdata/perfdata.h"
#include "core/perfdata/perfdata_format.h"
#include "tests/host/ibsprof/generated.h"

static uint64_t state = 0x9e3779b97f4a7c15u;

/* splitmix64 (S. Vigna, public domain). */
static uint64_t next(void)
{
    uint64_t z = state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static uint64_t address(void)
{
    /* Both canonical halves. */
    return ibs_canonical(next());
}

/* A quarter of the samples is anywhere, half in the first workload, which tests name, the rest all over the code,
 * much of which is padding between pieces on separate pages. */
static uint64_t code_address(uint64_t text, uint64_t size)
{
    switch (next() % 4) {
    case 0:
        return address();
    case 1:
        return text + next() % size;
    default:
        return text + next() % (size < 192 ? size : 192);
    }
}

static void make_fetch(struct sample_record *record, uint64_t text, uint64_t size)
{
    uint64_t defined = IBS_FETCH_MAX_CNT | IBS_FETCH_CNT | IBS_FETCH_LAT | IBS_FETCH_COMP | IBS_FETCH_IC_MISS |
                       IBS_FETCH_PHY_VALID | IBS_FETCH_L1TLB_MISS | IBS_FETCH_L2TLB_MISS | IBS_FETCH_RAND_EN;
    uint64_t ctl = (next() & defined) | IBS_FETCH_EN | IBS_FETCH_VAL;
    ctl |= next() % 3 << 53; /* page size: 3 is reserved */
    record->kind = SAMPLE_FETCH;
    record->reg[IBS_FETCH_CTL] = ctl;
    record->reg[IBS_FETCH_LINAD] = code_address(text, size);
    record->reg[IBS_FETCH_PHYSAD] = ibs_fetch_phy_valid(ctl) ? ibs_physad(next()) : 0;
}

static void make_op(struct sample_record *record, uint32_t caps, uint64_t text, uint64_t size)
{
    static const uint64_t sources[] = {IBS_NB_NONE, IBS_NB_L3, IBS_NB_CACHE, IBS_NB_DRAM, IBS_NB_OTHER};
    uint64_t ctl = (next() & IBS_OP_MAX_CNT) | IBS_OP_EN | IBS_OP_VAL;
    if (caps & IBS_CAP_OPCNT)
        ctl |= next() & (IBS_OP_CUR_CNT | IBS_OP_CNT_CTL);
    uint64_t data3 = next() & (IBS_DC_MISS_LAT | 0xFFFFFu); /* bits 19:0 are all defined */
    uint64_t data2 = 0;
    if (ibs_ld_op(data3) && ibs_dc_miss(data3)) {
        uint64_t source = sources[next() % 5];
        data2 = source | (source != IBS_NB_NONE ? next() & IBS_NB_DST_PROC : 0) |
                (source == IBS_NB_CACHE ? next() & IBS_NB_CACHE_HIT_ST : 0);
    }
    record->kind = SAMPLE_OP;
    record->reg[IBS_OP_CTL] = ctl;
    record->reg[IBS_OP_RIP] = code_address(text, size);
    record->reg[IBS_OP_DATA] = next() & 0x3FFFFFFFFFu; /* 37:0 */
    record->reg[IBS_OP_DATA2] = data2;
    record->reg[IBS_OP_DATA3] = data3;
    record->reg[IBS_OP_DCLINAD] = ibs_dc_lin_addr_valid(data3) ? address() : 0;
    record->reg[IBS_OP_DCPHYSAD] = ibs_dc_phy_addr_valid(data3) ? ibs_physad(next()) : 0;
}

static void make_interrupt(struct sample_record *record, enum sample_kind kind, uint64_t event, uint64_t text,
                           uint64_t size)
{
    record->kind = kind;
    record->reg[kind == SAMPLE_PMC ? (int)PMC_RIP : (int)TIMER_RIP] = code_address(text, size);
    if (kind == SAMPLE_PMC)
        record->reg[PMC_EVENT] = event;
}

/* Names as in settings; periods and totals of which none divides another. */
static char names[PERFDATA_COUNTERS][32];
static struct perfdata_counter counters[PERFDATA_COUNTERS];
static struct perfdata_counter timer = {.sampled = true, .name = "cpu-clock", .period = 1000000};

static void make_counters(size_t count, uint64_t samples, uint64_t lost)
{
    for (uint64_t i = 0; i < count; i++) {
        uint64_t select = 0x40 + i * 37, mask = i * 5 & 0xFF, count_mask = i % 4, flags = (i & 1) << 18 | (i & 2) << 22;
        snprintf(names[i], sizeof(names[i]), "EVENT_%03X:%02X%s%s", (unsigned)(select & 0xFFF), (unsigned)mask,
                 flags & 1 << 18 ? ":e" : "", flags & 1 << 23 ? ":i" : "");
        counters[i] = (struct perfdata_counter){
            .sampled = true,
            .name = names[i],
            /* En, Int, OS and Usr as the processor has them: perf must not */
            .config = (select & 0xFF) | (select >> 8 & 0xF) << 32 | mask << 8 | count_mask << 24 | flags | 0x530000,
            .period = 1009 + 3 * i,
            .samples = samples,
            .total = samples * (1009 + 3 * i) / (i + 1) + i,
            .lost = lost * (i + 1),
        };
        printf("%s\t%d\t%llu\t%llu\t%llu\t%llu\n", names[i], PERFDATA_TYPE_RAW,
               (unsigned long long)(counters[i].config & ~0x530000ull), (unsigned long long)counters[i].period,
               (unsigned long long)samples, (unsigned long long)counters[i].total);
    }
    timer.samples = samples;
    timer.total = samples * timer.period;
    printf("%s\t%d\t%d\t%llu\t%llu\t%llu\n", timer.name, PERFDATA_TYPE_SOFTWARE, PERFDATA_SOFTWARE_CPU_CLOCK,
           (unsigned long long)timer.period, (unsigned long long)samples, (unsigned long long)timer.total);
}

static uint64_t number(const char *text)
{
    return strtoull(text, NULL, 16);
}

int main(int argc, char **argv)
{
    if (argc != 9 && argc != 11) {
        fprintf(stderr, "usage: make_perfdata FILE CAPS COUNT LOST BUILD_ID TEXT_RVA TEXT_SIZE TEXT_OFFSET"
                        " [counters|mixed COUNTERS]\n");
        return 2;
    }
    uint32_t caps = (uint32_t)number(argv[2]);
    size_t count = number(argv[3]), lost = number(argv[4]);
    uint64_t text = number(argv[6]), text_size = number(argv[7]);
    bool counted = argc == 11, ibs = !counted || strcmp(argv[9], "mixed") == 0;
    size_t events = counted ? number(argv[10]) : 0;
    size_t kinds = 2 * ibs + events + counted;
    struct perfdata_info info;
    if (events > PERFDATA_COUNTERS) {
        fprintf(stderr, "make_perfdata: too many counters\n");
        return 2;
    }
    if (!generated_info(&info, argv + 5)) {
        fprintf(stderr, "make_perfdata: the build-id has not 40 digits\n");
        return 2;
    }
    if (counted)
        make_counters(events, count, lost);
    struct sample_record *records = calloc(kinds * count + 1, sizeof(*records));
    uint64_t tsc = 1000000;
    for (size_t i = 0; i < kinds * count; i++) {
        size_t kind = i % kinds;
        if (ibs && kind == 0)
            make_op(&records[i], caps, IMAGE_BASE + text, text_size);
        else if (ibs && kind == 1)
            make_fetch(&records[i], IMAGE_BASE + text, text_size);
        else if (kind == kinds - 1)
            make_interrupt(&records[i], SAMPLE_TIMER, 0, IMAGE_BASE + text, text_size);
        else
            make_interrupt(&records[i], SAMPLE_PMC, kind - 2 * ibs, IMAGE_BASE + text, text_size);
        records[i].tsc = tsc += 1 + next() % 1000000;
        records[i].cpu = (uint32_t)(next() % 6);
    }
    info.cpu_name = "AMD Phenom(tm) II X6 1055T Processor";
    info.model = caps == IBS_CAPS_DEFAULT ? 2 : 10;
    info.stepping = caps == IBS_CAPS_DEFAULT ? 3 : 0;
    info.caps = caps;
    info.cores = 6;
    info.nodes = (const struct perfdata_node[]){{0, 1 << 22, "0-2"}, {1, 1 << 20, "3-5"}};
    info.node_count = 2;
    info.tsc_khz = 2800000;
    info.command = "make_perfdata";
    info.comm = "matmul-classic";
    info.event[SAMPLE_OP] = (struct perfdata_event){ibs, (caps & IBS_CAP_OPCNT) != 0, 0, lost};
    info.event[SAMPLE_FETCH] = (struct perfdata_event){ibs, true, 65536, lost * 2};
    info.counters = counters;
    info.counter_count = (uint32_t)events;
    info.timer = counted ? &timer : NULL;
    generated_perfdata(fopen(argv[1], "wb"), &info, records, kinds * count);
    free(records);
    return 0;
}
