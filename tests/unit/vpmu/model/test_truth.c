/* SPDX-License-Identifier: BSD-2-Clause */
/* truth.csv: each count has its own name, column and row, and all of them can be reset. The values are tested
 * elsewhere. */
#include <stdio.h>
#include <string.h>

#include "tests/unit/test.h"
#include "tests/unit/vpmu/program.h"

enum { INSNS = 20 };

static struct program program;
static char text[40000];

static const char *written(void)
{
    struct out_memory memory;

    out_memory_init(&memory, text, sizeof(text));
    vpmu_write_truth(program.machine.vpmu, &memory.out);
    assert_true(memory.needed < memory.size);
    return text;
}

/* Loads twenty instructions, the third of which has three macro-ops. */
static void load(enum vpmu_revision revision)
{
    struct codemap_insn code[INSNS] = {{0}};

    code[2].ops = 3;
    program_load(&program, revision, code, INSNS, NULL);
}

static int end(void **state)
{
    program_end(&program);
    return 0;
}

struct total {
    const char *name;
    uint64_t *value;
};

enum { TOTALS = 31 };

static void list_totals(struct total *totals)
{
    struct vpmu *vpmu = program.machine.vpmu;
    struct truth_totals *truth = &vpmu->truth.totals;
    const struct total all[TOTALS] = {
        {"steps_broken", &truth->broken},
        {"decoder_empty_cycles", &truth->decoder_empty},
        {"op_samples", &vpmu->ibs.op_samples},
        {"op_tags_skipped", &vpmu->ibs.skipped_tags},
        {"fetch_samples", &vpmu->ibs.fetch_samples},
        {"fetches_completed", &truth->fetches.completed},
        {"fetches_aborted", &truth->fetches.aborted},
        {"fetches_killed", &truth->fetches.killed},
        {"fetches_completed_outside_map", &truth->fetches_outside.completed},
        {"fetches_aborted_outside_map", &truth->fetches_outside.aborted},
        {"fetches_killed_outside_map", &truth->fetches_outside.killed},
        {"dc_misses_from_l2", &vpmu->caches.from[SOURCE_L2]},
        {"dc_misses_from_l3", &vpmu->caches.from[SOURCE_L3]},
        {"dc_misses_from_dram", &vpmu->caches.from[SOURCE_DRAM]},
        {"dc_misses_from_modified", &vpmu->caches.from[SOURCE_MODIFIED]},
        {"dc_misses_from_owned", &vpmu->caches.from[SOURCE_OWNED]},
        {"upgrades", &vpmu->caches.upgrades},
        {"prefetches", &vpmu->caches.prefetches},
        {"prefetches_dropped", &vpmu->caches.prefetches_dropped},
        {"page_walks", &vpmu->tlbs.walks},
        {"page_walk_reads", &vpmu->tlbs.walk_reads},
        {"nmi_blocked", &truth->nmi_blocked},
        {"late_nmis", &truth->late_nmis},
        {"erratum420_hits", &vpmu->ibs.erratum_420_hits},
        {"erratum420_nmis", &truth->storm_nmis},
        {"apic_requests", &vpmu->apic.requests},
        {"apic_lost", &vpmu->apic.lost},
        {"apic_nmis", &vpmu->apic.taken},
        {"skid_ops", &vpmu->apic.skid_ops},
        {"skid_ops_maximum", &vpmu->apic.skid_max},
        {"dc_misses_from_remote_dram", &vpmu->caches.from_remote[SOURCE_DRAM]},
    };

    memcpy(totals, all, sizeof(all));
}

static void assert_line(const char *name, uint64_t value)
{
    char line[80];

    snprintf(line, sizeof(line), "\n# %s,%llu\n", name, (unsigned long long)value);
    if (!strstr(text, line))
        fail_msg("no line '%s,%llu'", name, (unsigned long long)value);
}

TEST(test_totals)
{
    static const char *const brands[] = {"B", "C", "E"};
    struct total totals[TOTALS];

    for (unsigned revision = 0; revision < 3; revision++) {
        char first[80];

        load((enum vpmu_revision)revision);
        list_totals(totals);
        for (unsigned i = 0; i < TOTALS; i++)
            *totals[i].value = 101 + i;
        program.machine.vpmu->caches.from_remote[SOURCE_MODIFIED] = 1000;
        program.machine.vpmu->caches.from_remote[SOURCE_OWNED] = 2000;
        for (unsigned i = 0; i <= INSNS; i++)
            program.machine.vpmu->truth.rows[i].executions = 10 + i;
        written();
        snprintf(first, sizeof(first), "# model,AMD Phenom(tm) virtual PMU model %s\n", brands[revision]);
        assert_memory_equal(text, first, strlen(first));
        for (unsigned i = 0; i < TOTALS; i++)
            assert_line(totals[i].name, 101 + i);
        assert_line("dc_misses_from_remote_caches", 3000);
        assert_line("steps", 10 * 21 + 20 * 21 / 2);
        assert_line("steps_outside_map", 30);
        assert_line("ops", 10 * 21 + 20 * 21 / 2 + 2 * 12); /* one each, except for the third instruction */
    }
}

/* Each field has its column; instructions that were not executed have no line. */
TEST(test_columns)
{
    static const char title[] =
        "\nrva,executions,ops,load_ops,store_ops,dc_load_misses,dc_store_misses,mab_hits,dc_miss_latency_cycles,"
        "dtlb_l1m_l2h,dtlb_l1m_l2m,misaligned,forwarded,forwarding_cancelled,branches,taken,mispredicted,"
        "dispatch_cycles_sixths,bank_conflicts,time_sixths,empty_cycles\n";
    struct truth *truth;

    load(VPMU_REV_C);
    truth = &program.machine.vpmu->truth;
    truth->rows[2] = (struct truth_row){.executions = 5,
                                        .loads = 21,
                                        .stores = 22,
                                        .load_misses = 23,
                                        .store_misses = 24,
                                        .mab_hits = 25,
                                        .miss_cycles = 26,
                                        .l1m_l2h = 27,
                                        .l1m_l2m = 28,
                                        .forwarded = 30,
                                        .cancelled = 31,
                                        .branches = 32,
                                        .taken = 33,
                                        .mispredicted = 34,
                                        .dispatch_sixths = 35,
                                        .time_beyond = 7};
    truth->rare[2] = (struct truth_rare){.misaligned = 29, .bank_conflicts = 36, .empty_cycles = 38};
    truth->rows[4].loads = 99; /* not executed */
    truth->rows[INSNS] = (struct truth_row){.executions = 7, .dispatch_sixths = 8};
    written();
    assert_string_equal(strstr(text, title) + strlen(title),
                        "0x1008,5,15,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38\n"
                        "outside,7,7,0,0,0,0,0,0,0,0,0,0,0,0,0,0,8,0,14,0\n");
    truth->rows[INSNS].executions = 0;
    written();
    assert_null(strstr(text, "\noutside"));
}

/* The code from 1000h to 104Fh is in three blocks, and a fetch may use two more; blocks without a fetch have no
 * line. */
TEST(test_blocks)
{
    struct truth *truth;
    const char *at;

    load(VPMU_REV_C);
    truth = &program.machine.vpmu->truth;
    assert_int_equal(truth->first_block, 0x1000 / 32);
    assert_int_equal(truth->block_count, 5);
    truth->blocks[0] = (struct truth_block){.completed = 10, .aborted = 200, .killed = 3000};
    truth->blocks[2] = (struct truth_block){.completed = 1};
    truth->blocks[3] = (struct truth_block){.aborted = 1};
    truth->blocks[4] = (struct truth_block){.killed = 1};
    at = strstr(written(), "\n# fetch_block,rva");
    assert_non_null(at);
    assert_memory_equal(at,
                        "\n# fetch_block,rva,attempted,completed,aborted,killed\n"
                        "# fetch_block,0x1000,210,10,200,3000\n"
                        "# fetch_block,0x1040,1,1,0,0\n"
                        "# fetch_block,0x1060,1,0,1,0\n"
                        "# fetch_block,0x1080,0,0,0,1\nrva,",
                        54 + 37 + 29 + 29 + 29 + 4);
}

/* After a reset no earlier counts are left, and the clock starts there. */
TEST(test_reset)
{
    struct total totals[TOTALS];
    struct truth *truth;
    uint64_t cycle;

    load(VPMU_REV_C);
    program_run(&program, 30);
    list_totals(totals);
    truth = &program.machine.vpmu->truth;
    for (unsigned i = 0; i < TOTALS; i++)
        *totals[i].value = 101 + i;
    program.machine.vpmu->caches.from_remote[SOURCE_OWNED] = 1;
    for (unsigned i = 0; i <= INSNS; i++) {
        memset(&truth->rows[i], 1, sizeof(truth->rows[i]));
        truth->rare[i] = (struct truth_rare){9, 9, 9};
    }
    for (unsigned i = 0; i < truth->block_count; i++)
        truth->blocks[i] = (struct truth_block){1, 1, 1};
    cycle = program.machine.vpmu->pipe.cycle;
    assert_true(cycle > 100);
    written();
    assert_line("cycles", cycle);
    vpmu_reset_truth(program.machine.vpmu);
    written();
    for (unsigned i = 0; i < TOTALS; i++)
        assert_line(totals[i].name, 0);
    assert_line("dc_misses_from_remote_caches", 0);
    assert_line("cycles", 0);
    assert_line("steps", 0);
    assert_null(strstr(text, "\n0x"));
    assert_null(strstr(text, "\noutside"));
    assert_null(strstr(text, "fetch_block,0x"));
    for (unsigned i = 0; i <= INSNS; i++)
        assert_int_equal(truth->rare[i].bank_conflicts | truth->rare[i].misaligned | truth->rare[i].empty_cycles, 0);
    program_run(&program, 3);
    written();
    assert_line("cycles", program.machine.vpmu->pipe.cycle - cycle);
    assert_line("steps", 3 * INSNS);
}

/* Counts of one part are not in another part; they return with their part, and continue where they ended. */
TEST(test_parts)
{
    struct total totals[TOTALS];
    struct vpmu *vpmu = program.machine.vpmu;
    uint64_t cycles;

    load(VPMU_REV_C);
    vpmu = program.machine.vpmu;
    list_totals(totals);
    assert_false(vpmu_truth_counted(vpmu));
    program_run(&program, 30);
    for (unsigned i = 0; i < TOTALS; i++)
        *totals[i].value = 101 + i;
    vpmu->pmc_truth.all[3] = 5;
    cycles = vpmu->pipe.cycle;
    assert_false(vpmu_truth_part(vpmu, VPMU_PARTS + 1));
    assert_true(vpmu_truth_part(vpmu, VPMU_PART_REFERENCE));
    assert_false(vpmu_truth_counted(vpmu));
    written();
    for (unsigned i = 0; i < TOTALS; i++)
        assert_line(totals[i].name, 0);
    assert_line("cycles", 0);
    assert_line("steps", 0);
    assert_int_equal(vpmu->pmc_truth.all[3], 0);
    program_run(&program, 3);
    assert_true(vpmu_truth_counted(vpmu));
    assert_true(vpmu_truth_part(vpmu, VPMU_PART_REFERENCE)); /* the part that is chosen already */
    written();
    assert_line("steps", 3 * INSNS);
    assert_line("cycles", vpmu->pipe.cycle - cycles);
    assert_true(vpmu_truth_part(vpmu, VPMU_PART_MEASURED));
    written();
    for (unsigned i = 0; i < TOTALS; i++)
        assert_line(totals[i].name, 101 + i);
    assert_line("cycles", cycles);
    assert_line("steps", 30 * INSNS - 1); /* the last instruction is only announced */
    assert_int_equal(vpmu->pmc_truth.all[3], 5);
    assert_true(vpmu_truth_part(vpmu, VPMU_PART_OTHER));
    assert_false(vpmu_truth_counted(vpmu));
    assert_true(vpmu_truth_part(vpmu, VPMU_PART_REFERENCE));
    written();
    assert_line("steps", 3 * INSNS);
    assert_true(vpmu_truth_part(vpmu, VPMU_PARTS)); /* dropped, and no other part is */
    assert_false(vpmu_truth_counted(vpmu));
    written();
    assert_line("steps", 0);
    assert_line("cycles", 0);
    program_run(&program, 2);
    written();
    assert_line("steps", 2 * INSNS);
    assert_true(vpmu_truth_part(vpmu, VPMU_PART_MEASURED));
    written();
    assert_line("steps", 30 * INSNS - 1);
}

/* An empty map has one row, for all code outside it, and no blocks. */
TEST(test_empty_map)
{
    program_load(&program, VPMU_REV_C, &(struct codemap_insn){0}, 0, NULL);
    machine_step(&program.machine, 0x500000);
    machine_step(&program.machine, 0x500002);
    machine_step(&program.machine, 0x500004);
    written();
    assert_line("steps", 2);
    assert_line("steps_outside_map", 2);
    assert_line("fetches_completed", 1);
    assert_line("fetches_completed_outside_map", 1);
    assert_null(strstr(text, "fetch_block,0x"));
}

RUN_TESTS(NULL, end)
