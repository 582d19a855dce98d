/* SPDX-License-Identifier: BSD-2-Clause */
#include <string.h>

#include "tests/unit/core/check.h"
#include "tests/unit/first_set.h"

#include "core/family/ibs_regs.h"
#include "core/ibs/identities.h"
#include "core/view/view_data.h"

static uint64_t ops_at(const struct profile *profile, uint32_t insn)
{
    return profile_row(profile, insn)[DERIVED_F100_OP_ALL];
}

TEST(memory_is_checked)
{
    struct profile profile;
    size_t size = profile_memory_size(&small_map);

    assert_true(size <= sizeof(small_memory));
    assert_int_equal(size, 8 * SMALL_INSNS * DERIVED_COUNT + levels_memory_size(&small_map));
    /* Each instruction needs a line, the number of its own line, and the next instruction in that line. */
    assert_int_equal(levels_memory_size(&small_map), SMALL_INSNS * (8 + 4 + 4));
    assert_true(profile_init(&profile, &small_map, SMALL_BASE, first_set(), small_memory, size));
    assert_false(profile_init(&profile, &small_map, SMALL_BASE, first_set(), small_memory, size - 1));
    assert_false(profile_init(&profile, &small_map, SMALL_BASE, first_set(), (char *)small_memory + 4, size));
}

/* Samples that are in reused memory do not survive. */
TEST(starts_empty)
{
    struct profile profile;
    uint64_t counts[DERIVED_COUNT], none[DERIVED_COUNT] = {0};

    memset(small_memory, 0xAB, sizeof(small_memory));
    profile = small_profile();
    assert_int_equal(levels_count(&profile.levels, PROFILE_FUNCTIONS), profile.levels.map->func_count);
    assert_int_not_equal(profile.levels.map->func_count, profile.levels.map->insn_count);
    for (int level = PROFILE_INSTRUCTIONS; level <= PROFILE_FUNCTIONS; level++)
        for (uint32_t i = 0; i < levels_count(&profile.levels, level); i++) {
            profile_sum(&profile, level, i, counts);
            assert_memory_equal(counts, none, sizeof(none));
        }
    assert_memory_equal(profile.total, none, sizeof(none));
}

/* Sums by core add up to the totals; a core for which there is no room counts in the totals alone. */
TEST(sums_by_core)
{
    static const struct {
        uint32_t cpu;
        uint64_t data2, latency;
    } loads[] = {
        {0, IBS_NB_DRAM, 100},
        {0, IBS_NB_DRAM, 50},
        {0, IBS_NB_CACHE, 40},
        {2, IBS_NB_DRAM | IBS_NB_DST_PROC, 200},
        {2, IBS_NB_CACHE | IBS_NB_DST_PROC, 90},
        {3, IBS_NB_DRAM, 1},
    };
    struct profile profile = small_profile();
    struct profile_sums core[3] = {{{0}, {0}}}, all = {{0}, {0}};

    profile_by_core(&profile, core, 3);
    for (unsigned i = 0; i < sizeof(loads) / sizeof(loads[0]); i++) {
        struct sample_record record =
            op_record(0, 0, 0, loads[i].data2, IBS_LD_OP | IBS_DC_MISS | loads[i].latency << 32);

        record.cpu = loads[i].cpu;
        profile_add(&profile, &record);
    }
    struct sample_record fetched = fetch_record(0, 0, 0);
    fetched.cpu = 1;
    profile_add(&profile, &fetched);
    assert_int_equal(core[1].total[DERIVED_F000_FETCH_ALL], 1);
    assert_int_equal(core[0].total[DERIVED_F100_OP_ALL], 3);
    assert_int_equal(core[0].total[DERIVED_F206_DC_MISS], 3);
    assert_int_equal(core[0].total[DERIVED_F243_NB_LOCAL_CACHE], 1);
    assert_int_equal(core[0].total[DERIVED_F245_NB_LOCAL_DRAM], 2);
    assert_int_equal(core[0].dram_cycles[0], 150);
    assert_int_equal(core[0].dram_cycles[1], 0);
    assert_int_equal(core[1].total[DERIVED_F100_OP_ALL], 0);
    assert_int_equal(core[2].total[DERIVED_F244_NB_REMOTE_CACHE], 1);
    assert_int_equal(core[2].dram_cycles[0], 0);
    assert_int_equal(core[2].dram_cycles[1], 200);
    assert_int_equal(profile.total[DERIVED_F100_OP_ALL], 6);
    for (unsigned i = 0; i < 3; i++)
        profile_sums_add(&all, &core[i]);
    assert_int_equal(all.total[DERIVED_F100_OP_ALL], 5);
    assert_int_equal(all.total[DERIVED_F219_DC_LOAD_LATENCY], 480);
    assert_int_equal(all.dram_cycles[0] + all.dram_cycles[1], 350);
}

/* One sample of either kind is enough, whatever its flags: neither the instruction, its line nor its function is
 * empty. */
TEST(empty_is_without_any_sample)
{
    for (unsigned kind = 0; kind < 2; kind++) {
        struct profile profile = small_profile();
        const struct view_data data = {.profile = &profile, .levels = &profile.levels};
        const struct sample_record record =
            kind == SAMPLE_FETCH ? fetch_record(SMALL_LOOP, 0, 0) : op_record(SMALL_LOOP, 0, 0, 0, 0);
        uint64_t counts[VIEW_VALUES], none[DERIVED_COUNT] = {0};

        for (uint32_t i = 0; i < SMALL_INSNS; i++)
            assert_true(profile_empty(&profile, i));
        profile_add(&profile, &record);
        for (int level = PROFILE_INSTRUCTIONS; level <= PROFILE_FUNCTIONS; level++)
            for (uint32_t i = 0; i < levels_count(&profile.levels, level); i++) {
                bool empty = i != profile_level_of(&profile, level, SMALL_LOOP);

                assert_int_equal(view_data_empty(&data, level, i), empty);
                profile_sum(&profile, level, i, counts);
                assert_int_equal(memcmp(counts, none, sizeof(none)) == 0, empty);
            }
    }
}

/* An address inside an instruction belongs to this instruction: each byte of each instruction, for fetches and ops. */
TEST(straddle_rule)
{
    for (uint32_t insn = 0; insn < SMALL_INSNS; insn++)
        for (unsigned offset = 0; offset < small_map.insns[insn].length; offset++) {
            struct profile profile = small_profile();
            struct sample_record op = op_record(insn, offset, 0, 0, 0),
                                 fetch = fetch_record(insn, offset, IBS_FETCH_COMP);

            profile_add(&profile, &op);
            profile_add(&profile, &fetch);
            assert_int_equal(profile_find(&profile, &op), insn);
            assert_int_equal(ops_at(&profile, insn), 1);
            assert_int_equal(profile_row(&profile, insn)[DERIVED_F003_FETCH_COMPLETED], 1);
            assert_int_equal(profile.outside_records[SAMPLE_OP] + profile.outside_records[SAMPLE_FETCH], 0);
        }
}

TEST(outside_is_kept_apart)
{
    static const uint64_t addresses[] = {
        0,                           /* below the image */
        SMALL_BASE,                  /* in the image, before the map */
        SMALL_BASE + 0xfff,          /* just before */
        SMALL_BASE + 0x1005,         /* between two functions */
        SMALL_BASE + 0x1056,         /* just past the end */
        SMALL_BASE + 0x100001000ull, /* the same low 32 bits as an instruction */
        0xFFFFFFFF80000000ull,       /* an address of a kernel */
    };
    struct profile profile = small_profile();

    for (size_t i = 0; i < sizeof(addresses) / sizeof(addresses[0]); i++) {
        struct sample_record op = op_record(0, 0, 0, 0, IBS_LD_OP), fetch = fetch_record(0, 0, 0);

        op.reg[IBS_OP_RIP] = fetch.reg[IBS_FETCH_LINAD] = addresses[i];
        profile_add(&profile, &op);
        profile_add(&profile, &op);
        profile_add(&profile, &fetch);
        assert_int_equal(profile_find(&profile, &op), -1);
    }
    add_many(&profile, op_record(0, 0, 0, 0, 0), 5);
    assert_int_equal(profile.outside_records[SAMPLE_OP], 14);
    assert_int_equal(profile.outside_records[SAMPLE_FETCH], 7);
    assert_int_equal(profile.outside[DERIVED_F201_LOAD], 14);
    assert_int_equal(profile.records[SAMPLE_OP], 19);
    assert_int_equal(profile.total[DERIVED_F100_OP_ALL], 19);
    assert_int_equal(ops_at(&profile, 0), 5);
}

/* Upper bits of IbsFetchLinAd may be wrong; bit 47 decides. */
TEST(fetch_addresses_are_made_canonical)
{
    struct profile profile = small_profile();
    struct sample_record fetch = fetch_record(SMALL_FMUL, 0, IBS_FETCH_COMP);

    fetch.reg[IBS_FETCH_LINAD] |= 0xFFFF000000000000ull;
    assert_int_equal(profile_find(&profile, &fetch), SMALL_FMUL);
}

/* Samples of counters and of the timer are known kinds and never mixed in. */
TEST(other_kinds_are_left_alone)
{
    struct profile profile = small_profile();
    struct sample_record record = op_record(SMALL_FMUL, 0, 0, 0, IBS_LD_OP);
    uint64_t none[DERIVED_COUNT] = {0};

    for (record.kind = SAMPLE_PMC; record.kind <= SAMPLE_TIMER; record.kind++)
        profile_add(&profile, &record);
    assert_memory_equal(profile.total, none, sizeof(none));
    assert_int_equal(profile.unknown_records + profile.records[SAMPLE_FETCH] + profile.records[SAMPLE_OP], 0);
}

TEST(unknown_records_are_counted)
{
    struct profile profile = small_profile();
    struct sample_record record = op_record(0, 0, 0, 0, 0);

    record.kind = SAMPLE_KINDS;
    profile_add(&profile, &record);
    assert_int_equal(profile.unknown_records, 1);
    assert_int_equal(profile.total[DERIVED_F100_OP_ALL], 0);
}

/* At each level the rows and the samples outside the map add up to the totals. */
TEST(levels_add_up)
{
    struct profile profile = small_profile();

    add_paper_run(&profile);
    for (int level = PROFILE_INSTRUCTIONS; level <= PROFILE_FUNCTIONS; level++) {
        uint64_t sums[DERIVED_COUNT], counts[DERIVED_COUNT];

        memcpy(sums, profile.outside, sizeof(sums));
        for (uint32_t i = 0; i < levels_count(&profile.levels, level); i++) {
            profile_sum(&profile, level, i, counts);
            for (int e = 0; e < DERIVED_COUNT; e++)
                sums[e] += counts[e];
        }
        assert_memory_equal(sums, profile.total, sizeof(sums));
    }
    assert_int_equal(profile.records[SAMPLE_FETCH], profile.total[DERIVED_F000_FETCH_ALL]);
    assert_int_equal(profile.records[SAMPLE_OP], profile.total[DERIVED_F100_OP_ALL]);
    assert_int_equal(identities_check(NULL, first_set(), profile.total, IDENTITIES_ALL), 0);
}

TEST(lines_are_sorted_and_distinct)
{
    static const struct profile_line want[] = {{0, 0, 10},  {2, 0, 12}, {3, 0, 40}, {5, 0, 41},
                                               {14, 0, 44}, {15, 1, 7}, {16, 1, 8}, {17, 0xffff, 0}};
    struct profile profile = small_profile();
    uint64_t counts[DERIVED_COUNT];

    assert_int_equal(profile.levels.line_count, sizeof(want) / sizeof(want[0]));
    assert_memory_equal(profile.levels.lines, want, sizeof(want));

    /* Line 40 occurs in two places: before the loop's body and after it. */
    add_many(&profile, op_record(3, 0, 0, 0, 0), 2);
    add_many(&profile, op_record(11, 0, 0, 0, 0), 3);
    add_many(&profile, op_record(8, 0, 0, 0, 0), 40);
    profile_sum(&profile, PROFILE_LINES, 2, counts);
    assert_int_equal(counts[DERIVED_F100_OP_ALL], 5);
    assert_int_equal(profile_level_of(&profile, PROFILE_LINES, 11), 2);
    assert_int_equal(profile_level_of(&profile, PROFILE_FUNCTIONS, 11), 1);
    assert_int_equal(profile_level_of(&profile, PROFILE_INSTRUCTIONS, 11), 11);
}

/* The first instruction may be the only one of its line, and there is nothing beyond the last row of a level. */
TEST(each_level_has_its_first_and_its_end)
{
    static const struct codemap_func two[] = {{0x1000, 8, 0}, {0x1008, 4, 0}};
    struct codemap_insn insns[3];
    struct codemap map = small_map;
    struct profile profile;

    for (unsigned i = 0; i < 3; i++) {
        insns[i] = small_map.insns[0];
        insns[i].rva = 0x1000 + 4 * i;
        insns[i].length = 4;
        insns[i].line = (uint16_t)(10 - i);
        insns[i].func = i / 2;
    }
    map.insns = insns;
    map.funcs = two;
    map.insn_count = 3;
    map.func_count = 2;
    assert_true(profile_init(&profile, &map, SMALL_BASE, first_set(), small_memory, sizeof(small_memory)));
    assert_int_equal(levels_count(&profile.levels, PROFILE_LINES), 3);
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(profile_level_of(&profile, PROFILE_LINES, i), 2 - i);
        assert_int_equal(levels_first(&profile.levels, PROFILE_LINES, 2 - i), i);
        assert_int_equal(levels_next(&profile.levels, PROFILE_LINES, i), LEVELS_END);
        assert_int_equal(levels_first(&profile.levels, PROFILE_INSTRUCTIONS, i), i);
        assert_int_equal(levels_next(&profile.levels, PROFILE_INSTRUCTIONS, i), LEVELS_END);
    }
    assert_int_equal(levels_first(&profile.levels, PROFILE_FUNCTIONS, 0), 0);
    assert_int_equal(levels_next(&profile.levels, PROFILE_FUNCTIONS, 0), 1);
    assert_int_equal(levels_next(&profile.levels, PROFILE_FUNCTIONS, 1), LEVELS_END);
    assert_int_equal(levels_first(&profile.levels, PROFILE_FUNCTIONS, 1), 2);
    assert_int_equal(levels_next(&profile.levels, PROFILE_FUNCTIONS, 2), LEVELS_END);
    for (int level = PROFILE_INSTRUCTIONS; level <= PROFILE_FUNCTIONS; level++)
        assert_int_equal(levels_first(&profile.levels, (enum profile_level)level, levels_count(&profile.levels, level)),
                         LEVELS_END);
}

/* The map of the first link is empty, and so may be a map that failed to load. */
TEST(an_empty_map_is_no_trouble)
{
    static const struct codemap empty = {.strings = ""};
    struct sample_record record = op_record(0, 0, 0, 0, 0);
    struct profile profile;

    assert_int_equal(profile_memory_size(&empty), 0);
    assert_true(profile_init(&profile, &empty, SMALL_BASE, first_set(), small_memory, 0));
    profile_add(&profile, &record);
    assert_int_equal(profile.outside_records[SAMPLE_OP], 1);
    assert_int_equal(levels_count(&profile.levels, PROFILE_LINES), 0);
}

/* Sums have as many numbers as there are events, and memory behind them is unchanged. */
TEST(sums_end_with_the_events)
{
    struct profile profile = small_profile();
    uint64_t counts[DERIVED_COUNT + 1] = {[DERIVED_COUNT] = 77};

    for (unsigned i = SMALL_LOOP; i < SMALL_RET; i++)
        profile.rows[i * DERIVED_COUNT] = 5; /* the first event of the next row */
    for (unsigned i = 0; i < SMALL_INSNS; i++)
        profile.rows[i * DERIVED_COUNT + DERIVED_F100_OP_ALL] = 3;
    profile_sum(&profile, PROFILE_FUNCTIONS, 1, counts);
    assert_int_equal(counts[0], 5 * (SMALL_RET - SMALL_LOOP));
    assert_int_equal(counts[DERIVED_COUNT], 77);
}

RUN_TESTS(NULL, NULL)
