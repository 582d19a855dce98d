/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdlib.h>
#include <string.h>

#include "tests/unit/core/check.h"

#include "core/profile/csv.h"

static char text[16384];
static struct pmc_profile profile;

static void add(uint32_t kind, uint64_t rip, uint64_t event)
{
    struct sample_record record = {.kind = kind};

    record.reg[PMC_RIP] = rip;
    record.reg[PMC_EVENT] = event;
    pmc_profile_add(&profile, &record);
}

TEST(events_and_the_timer_are_columns)
{
    const struct event_list list = {
        .count = 2,
        .spec = {{.event = event_by_select(EVENT_SET_10H, 0x041), .user = true, .kernel = true},
                 {.event = event_by_select(EVENT_SET_10H, 0x046), .mask = 0x07, .user = true, .kernel = true}}};
    struct out_memory memory;
    unsigned lines = 0;

    assert_true(pmc_profile_init(&profile, &small_map, SMALL_BASE, &list, 1000, small_memory, sizeof(small_memory)));
    all_ran(&profile);
    add(SAMPLE_PMC, SMALL_BASE + small_map.insns[0].rva, 0);
    add(SAMPLE_PMC, SMALL_BASE + small_map.insns[0].rva, 0);
    add(SAMPLE_PMC, SMALL_BASE + small_map.insns[1].rva, 1);
    add(SAMPLE_TIMER, SMALL_BASE + small_map.insns[1].rva, 0);
    add(SAMPLE_PMC, 1, 1);
    for (unsigned i = 0; i < 3; i++)
        add(SAMPLE_PMC, 1, 0);
    out_memory_init(&memory, text, sizeof(text));
    csv_write_pmc_profile(&memory.out, &profile);
    assert_non_null(strstr(text, "rva,function,file,line,instruction,041 DATA_CACHE_MISSES [samples],"
                                 "046:07 L1_DTLB_AND_L2_DTLB_MISS [samples],timer [samples]\n"));
    assert_non_null(strstr(text, ",push rbp,2,0,0\n"));
    assert_non_null(strstr(text, ",\"mov rbp, rsp\",0,1,1\n"));
    assert_non_null(strstr(text, "\n,(outside the map),,,,3,1,0\n"));
    for (const char *p = text; *p; p++)
        lines += *p == '\n';
    assert_int_equal(lines, 1 + SMALL_MULTIPLY + 1); /* only setup has samples */
}

/* An event whose turn never came has empty cells, not zeros. */
TEST(uncounted_events_are_empty)
{
    const struct event_list list = {
        .count = 2,
        .spec = {{.event = event_by_select(EVENT_SET_10H, 0x041), .user = true, .kernel = true},
                 {.event = event_by_select(EVENT_SET_10H, 0x046), .mask = 0x07, .user = true, .kernel = true}}};
    struct out_memory memory;

    assert_true(pmc_profile_init(&profile, &small_map, SMALL_BASE, &list, 0, small_memory, sizeof(small_memory)));
    pmc_profile_ran(&profile, 0, 1, 2);
    pmc_profile_ran(&profile, 1, 0, 2);
    add(SAMPLE_PMC, SMALL_BASE + small_map.insns[0].rva, 0);
    out_memory_init(&memory, text, sizeof(text));
    csv_write_pmc_profile(&memory.out, &profile);
    assert_non_null(strstr(text, ",push rbp,1,\n"));
    assert_non_null(strstr(text, "\n,(outside the map),,,,0,\n"));
}

/* The file is compared in full; its memory is exactly as large as was asked for. */
TEST(the_whole_file)
{
    const struct event_list list = {
        .count = 1, .spec = {{.event = event_by_select(EVENT_SET_10H, 0x041), .user = true, .kernel = true}}};
    size_t size = pmc_profile_memory_size(&small_map, 2); /* including the timer's samples */
    void *memory = malloc(size);
    struct out_memory out;

    assert_non_null(memory);
    assert_false(pmc_profile_init(&profile, &small_map, SMALL_BASE, &list, 1000, memory, size - 1));
    assert_true(pmc_profile_init(&profile, &small_map, SMALL_BASE, &list, 1000, memory, size));
    all_ran(&profile);
    for (int i = 0; i < 12; i++)
        add(SAMPLE_PMC, SMALL_BASE + small_map.insns[SMALL_RET].rva, 0);
    add(SAMPLE_TIMER, SMALL_BASE + small_map.insns[SMALL_CLEAR].rva, 0);
    out_memory_init(&out, text, sizeof(text));
    csv_write_pmc_profile(&out.out, &profile);
    check_golden("csv_pmc.csv", text);
    free(memory);
}

/* The widest file has all events of a list, and the timer. */
TEST(the_widest_file)
{
    struct event_list list = {.count = EVENT_LIST_MAX};
    size_t size = pmc_profile_memory_size(&small_map, PMC_PROFILE_EVENTS);
    void *memory = malloc(size);
    struct out_memory out;
    unsigned commas = 0;

    assert_non_null(memory);
    for (unsigned i = 0; i < EVENT_LIST_MAX; i++)
        list.spec[i] =
            (struct event_spec){.event = event_by_select(EVENT_SET_10H, 0x041), .user = true, .kernel = true};
    assert_true(pmc_profile_init(&profile, &small_map, SMALL_BASE, &list, 1000, memory, size));
    all_ran(&profile);
    add(SAMPLE_TIMER, SMALL_BASE + small_map.insns[SMALL_CLEAR].rva, 0);
    out_memory_init(&out, text, sizeof(text));
    csv_write_pmc_profile(&out.out, &profile);
    assert_true(out.needed < sizeof(text));
    for (const char *p = strrchr(text, '('); *p; p++)
        commas += *p == ',';
    assert_int_equal(commas, 3 + EVENT_LIST_MAX + 1);
    assert_non_null(strstr(text, ",0,1\n")); /* the timer's sample, in the last column */
    free(memory);
}

RUN_TESTS(NULL, NULL)
