/* SPDX-License-Identifier: BSD-2-Clause */
/* The IBS unit: counting, tags, sample registers of single ops and fetches, interrupts, erratum 420. */

#include "tests/unit/test.h"
#include "tests/unit/vpmu/stream.h"
#include "vpmu/model/hostile.h"

enum {
    FETCH_CTL = 0xC0011030,
    FETCH_LINAD = 0xC0011031,
    FETCH_PHYSAD = 0xC0011032,
    OP_CTL = 0xC0011033,
    OP_RIP = 0xC0011034,
    OP_DATA = 0xC0011035,
    OP_DATA2 = 0xC0011036,
    OP_DATA3 = 0xC0011037,
    DC_LINAD = 0xC0011038,
    DC_PHYSAD = 0xC0011039,
};

#define OP_EN     (1ull << 17)
#define OP_VAL    (1ull << 18)
#define FETCH_VAL (1ull << 49)
#define OP_OPS    (1ull << 19)
#define FETCH_EN  (1ull << 48)
#define BIT(n)    (1ull << (n))

/* Sets IbsFetchCtl so that 16 of 16 fetches are counted: after the next completed fetch, the following one is
 * tagged. */
#define COUNT_ONE (1 | FETCH_EN | 1ull << 16)

static struct machine machine;

static void start(enum vpmu_revision revision, bool late_nmi)
{
    machine_free(&machine);
    machine_init(&machine, revision, &paper_map, 1);
    machine.vpmu->ibs.late_nmi = late_nmi;
}

static int stop(void **state)
{
    machine_free(&machine);
    return 0;
}

static uint64_t rd(uint32_t msr)
{
    return machine_rdmsr(&machine, msr);
}

static void wr(uint32_t msr, uint64_t value)
{
    machine_wrmsr(&machine, msr, value);
}

static uint64_t at(unsigned index)
{
    return PAPER_BASE + paper_map.insns[index].rva;
}

/* Takes a sample of the op that is the n-th from now on (1 = the next op that is dispatched). */
static void tag_nth(unsigned n)
{
    wr(OP_CTL, 0x10 | OP_EN | OP_OPS | (uint64_t)(0x100 - n) << 32);
}

/* ---------------------------------------------------------------- op counting */

/* Fields that are not valid do not reveal the random bits of intervals, whatever the seed is. */
TEST(test_random_numbers_of_their_own)
{
    for (uint64_t seed = 0; seed < 5; seed++) {
        struct ibs_unit unit;
        unsigned same = 0;

        ibs_init(&unit, vpmu_params_of(VPMU_REV_C), &(struct vpmu_config){.seed = seed});
        for (unsigned i = 0; i < 64; i++)
            same += rng_next(&unit.rng) == rng_next(&unit.garbage);
        assert_int_equal(same, 0);
    }
}

TEST(test_nth_op_is_tagged)
{
    for (unsigned n = 1; n <= 24; n++) {
        start(VPMU_REV_C, false);
        tag_nth(n);
        for (unsigned i = 0; i < 25; i++)
            machine_step(&machine, at(i));
        assert_int_equal(machine.nmis, 1);
        assert_int_equal(rd(OP_RIP), at(n - 1));
        assert_true(rd(OP_CTL) & OP_VAL);
    }
}

TEST(test_current_count_reads_back)
{
    start(VPMU_REV_C, false);
    wr(OP_CTL, 0x100 | OP_EN | OP_OPS | 5ull << 32);
    assert_int_equal(rd(OP_CTL) >> 32, 5);
    for (unsigned i = 0; i < 8; i++)
        machine_step(&machine, at(i)); /* seven finished */
    assert_int_equal(rd(OP_CTL) >> 32, 12);
    wr(OP_CTL, 0x100 | OP_EN | 1000ull << 32); /* cycles */
    assert_int_equal(rd(OP_CTL) >> 32, 1000);
    start(VPMU_REV_B, false);
    wr(OP_CTL, 0x100 | OP_EN | OP_OPS | 5ull << 32);
    assert_int_equal(rd(OP_CTL), 0x100 | OP_EN);
}

TEST(test_counter_stops_until_val_is_cleared)
{
    start(VPMU_REV_C, false);
    wr(OP_CTL, 1 | OP_EN | OP_OPS);
    machine_matmul(&machine, 0, 1);
    assert_int_equal(machine.nmis, 1);
    wr(OP_CTL, rd(OP_CTL)); /* Val is written back: the counter is still stopped */
    machine_matmul(&machine, 1, 2);
    assert_int_equal(machine.nmis, 1);
    wr(OP_CTL, 1 | OP_EN | OP_OPS);
    machine_matmul(&machine, 2, 3);
    assert_int_equal(machine.nmis, 2);
}

TEST(test_max_count_zero_does_not_count)
{
    start(VPMU_REV_C, false);
    wr(OP_CTL, OP_EN | OP_OPS);
    wr(FETCH_CTL, FETCH_EN);
    machine_matmul(&machine, 0, 1);
    assert_int_equal(machine.nmis, 0);
    assert_int_equal(rd(OP_CTL), OP_EN | OP_OPS);
}

TEST(test_low_seven_bits_are_random_after_an_op_mode_sample)
{
    uint64_t seen[2] = {0}, last = 0;
    unsigned different = 0;

    start(VPMU_REV_C, false);
    for (unsigned i = 0; i < 200; i++) {
        uint64_t count;

        tag_nth(1);
        machine_step(&machine, at(8 + i % 2));
        machine_step(&machine, at(9 + i % 2));
        count = rd(OP_CTL) >> 32;
        assert_in_range(count, 0, 127);
        seen[count / 64] |= BIT(count % 64);
        different += count != last;
        last = count;
    }
    assert_true(__builtin_popcountll(seen[0]) + __builtin_popcountll(seen[1]) > 60);
    assert_true(different > 150);
}

/* By docs/model.md: "After a sample CurCnt holds 7 random bits in op mode, 0 in cycle mode." */
TEST(test_current_count_is_zero_after_a_cycle_mode_sample)
{
    start(VPMU_REV_C, false);
    for (unsigned i = 0; i < 50; i++) {
        uint64_t nmis = machine.nmis;

        wr(OP_CTL, 1 | OP_EN | (uint64_t)(i % 16) << 32);
        for (unsigned step = 0; machine.nmis == nmis; step++) {
            assert_true(step < 10000);
            machine_step(&machine, at(8 + step % 16));
        }
        assert_int_equal(rd(OP_CTL), 1 | OP_EN | OP_VAL);
    }
}

/* ---------------------------------------------------------------- what a sample holds */

TEST(test_load_sample)
{
    uint64_t linear = 0x7E48E8 + 7 * 4000, data3, data;

    start(VPMU_REV_C, false);
    machine.gpr[1] = 7 * 4000; /* rcx, for b[7][0] */
    tag_nth(1);
    machine_step(&machine, at(PAPER_FMUL_B));
    machine_step(&machine, at(PAPER_FADD_SUM));
    data3 = rd(OP_DATA3);
    data = rd(OP_DATA);
    assert_int_equal(rd(OP_RIP), at(PAPER_FMUL_B));
    assert_int_equal(rd(DC_LINAD), linear);
    assert_int_equal(rd(DC_PHYSAD), linear);
    /* Load, L1 and L2 DTLB miss, DC miss, both addresses valid; from DRAM, 162 cycles. */
    assert_int_equal(data3, BIT(0) | BIT(2) | BIT(3) | BIT(7) | BIT(17) | BIT(18) | 162ull << 32);
    assert_int_equal(rd(OP_DATA2), 3);
    assert_int_equal(data >> 32, 0);
    assert_true(((data >> 16) & 0xFFFF) > 162);
    assert_in_range(data & 0xFFFF, 1, 2);

    tag_nth(1);
    machine_step(&machine, at(PAPER_FMUL_B)); /* executes fadd; the load comes next */
    tag_nth(1);
    machine_step(&machine, at(PAPER_FADD_SUM));
    assert_int_equal(rd(OP_DATA3), BIT(0) | BIT(17) | BIT(18)); /* all hits */
    assert_int_equal(rd(OP_DATA2), 0);
}

TEST(test_source_of_a_miss)
{
    static const struct {
        unsigned lines_since; /* lines of the same L1 and L2 set */
        uint64_t source, latency;
    } rows[] = {{2, 0, 15 - 3}, {20, 1, 55 - 3}, {100, 3, 165 - 3}};

    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct dc_result result;
        uint64_t linear = 0x7E48E8;

        start(VPMU_REV_C, false);
        /* The lines are 128 KB apart, in one set of each cache, so the L3's 48 ways fill, too. */
        for (unsigned line = 0; line <= rows[i].lines_since; line++)
            caches_data(&machine.vpmu->caches, linear + line * 0x20000ull, line * 1000, false, &result);
        machine.vpmu->pipe.cycle = 1000000;
        tag_nth(1);
        machine_step(&machine, at(PAPER_FMUL_B));
        machine_step(&machine, at(PAPER_FADD_SUM));
        assert_int_equal(rd(OP_DATA2), rows[i].source);
        assert_int_equal((rd(OP_DATA3) >> 32) & 0xFFFF, rows[i].latency);
        assert_int_equal(rd(DC_LINAD), linear);
    }
}

/* An access to an address that is not mapped has only a linear address: neither a physical one nor a miss of the data
 * cache. */
TEST(test_access_that_is_not_mapped)
{
    for (unsigned store = 0; store < 2; store++) {
        start(VPMU_REV_C, false);
        machine.gpr[5] = 1ull << 41;
        for (unsigned times = 0; times < 2; times++) { /* nothing is cached, either */
            uint64_t dc[SOURCE_DRAM + 1] = {0};

            tag_nth(1);
            machine_step(&machine, at(store ? PAPER_FSTP_SUM : PAPER_FADD_SUM));
            machine_step(&machine, at(PAPER_JMP));
            vpmu_break(machine.vpmu);
            assert_int_equal(rd(OP_DATA3), BIT(store) | BIT(2) | BIT(3) | BIT(17));
            assert_int_equal(rd(DC_LINAD), (1ull << 41) - 12);
            assert_int_equal(rd(DC_PHYSAD), 0);
            assert_int_equal(rd(OP_DATA2), 0);
            assert_memory_equal(machine.vpmu->caches.from, dc, sizeof(dc));
        }
    }
}

/* A load across two lines has its data when the later line has, whichever that is, and reports the lower line. It takes
 * a cycle from dispatch to its address, one for the second access, and then 3 or 165. */
TEST(test_load_across_two_lines)
{
    for (unsigned there = 0; there < 4; there++) {
        uint64_t data, data3;

        start(VPMU_REV_C, false);
        space_init(&machine.space, 30, FRAMES_CONTIGUOUS);
        wr(FETCH_CTL, FETCH_EN);                    /* armed: no flush of the TLBs below */
        for (unsigned line = 0; line < 3; line++) { /* the last line keeps the code and the translation */
            machine.gpr[5] = 0x10010 + (line < 2 ? line * 64 : 0x3000);
            if (line == 2 || there >> line & 1)
                machine_step(&machine, at(PAPER_K_LOAD));
            machine_step(&machine, at(PAPER_K_LOAD + 1));
        }
        vpmu_break(machine.vpmu);
        machine.gpr[5] = 0x1004E; /* four bytes from 1003Eh on */
        tag_nth(1);
        machine_step(&machine, at(PAPER_K_LOAD));
        machine_step(&machine, at(PAPER_K_LOAD + 1));
        data = rd(OP_DATA);
        data3 = rd(OP_DATA3);
        /* Without both lines the second waits for memory's rate. */
        assert_in_range((data >> 16 & 0xFFFF) - (data & 0xFFFF), there == 3 ? 1 + 1 + 3 : 1 + 1 + 165 + !there,
                        there == 3 ? 1 + 1 + 3 : 1 + 1 + 165 + 30 * !there);
        assert_int_equal(data3 & (BIT(0) | BIT(7) | BIT(8)), BIT(0) | BIT(8) | (there & 1 ? 0 : BIT(7)));
        assert_int_equal(data3 >> 32, there & 1 ? 0 : 162);
        assert_int_equal(rd(DC_LINAD), 0x1003E);
    }
}

/* A store is executed when its data is ready, and does not wait for a later address. IbsCompToRetCtr is the time that a
 * completed op waits for older ops, here for a division of 83 cycles. */
TEST(test_stores_do_not_wait_for_addresses)
{
    enum { DX = 2, BP = 5, SI = 6, NONE = CODEMAP_REG_NONE };
    static const struct {
        uint8_t base, index;
        uint64_t reads;
        bool waits;
    } rows[] = {
        {DX, NONE, BIT(DX) | BIT(0), false},         {BP, DX, BIT(BP) | BIT(DX) | BIT(0), false},
        {DX, BP, BIT(BP) | BIT(DX) | BIT(0), false}, {BP, SI, BIT(BP) | BIT(SI) | BIT(DX), true}, /* the data */
        {CODEMAP_REG_RIP, NONE, BIT(DX), true},      {NONE, NONE, BIT(DX), true},
    };

    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const struct codemap_insn insns[3] = {
            {.rva = 0x1000,
             .length = 4,
             .ops = 1,
             .unit = CODEMAP_UNIT_IDIV,
             .op_size = 8,
             .reads = BIT(DX),
             .writes = BIT(DX)},
            {.rva = 0x1004,
             .length = 4,
             .ops = 1,
             .op_size = 8,
             .reads = rows[i].reads,
             .mems = 1,
             .mem = {{.disp = 0x8000,
                      .base = rows[i].base,
                      .index = rows[i].index,
                      .scale = 1,
                      .size = 8,
                      .flags = CODEMAP_STORE}}},
            {.rva = 0x1008, .length = 4, .ops = 1, .op_size = 8},
        };
        const struct codemap map = {.insns = insns, .insn_count = 3};
        uint64_t waited;

        stop(state);
        machine_init(&machine, VPMU_REV_C, &map, 1);
        tag_nth(2);
        for (unsigned n = 0; n < 3; n++)
            machine_step(&machine, PAPER_BASE + 0x1000 + 4 * n);
        assert_int_equal(rd(OP_RIP), PAPER_BASE + 0x1004);
        waited = rd(OP_DATA) & 0xFFFF;
        assert_in_range(waited, rows[i].waits ? 0 : 80, rows[i].waits ? 2 : 84);
    }
}

TEST(test_store_sample)
{
    start(VPMU_REV_C, false);
    tag_nth(1);
    machine_step(&machine, at(PAPER_FSTP_SUM));
    machine_step(&machine, at(PAPER_JMP));
    /* Latency and northbridge data are not valid for stores. */
    assert_int_equal(rd(OP_DATA3), BIT(1) | BIT(2) | BIT(3) | BIT(7) | BIT(17) | BIT(18));
    assert_int_equal(rd(OP_DATA2), 0);
    assert_int_equal(rd(DC_LINAD), 0x12FF74);
}

TEST(test_sample_without_access)
{
    start(VPMU_REV_C, false);
    wr(OP_DATA3, ~0ull);
    wr(DC_LINAD, ~0ull);
    wr(DC_PHYSAD, ~0ull);
    tag_nth(1);
    machine_step(&machine, at(9)); /* add edx, 1 */
    machine_step(&machine, at(10));
    assert_int_equal(rd(OP_DATA3), 0);
    assert_int_equal(rd(DC_LINAD), 0);
    assert_int_equal(rd(DC_PHYSAD), 0);
}

TEST(test_branch_samples)
{
    static const struct {
        unsigned branch, next;
        uint64_t bits;
    } rows[] = {
        {PAPER_JMP, PAPER_K_LOAD, BIT(37) | BIT(35)},
        {PAPER_JGE, PAPER_JGE + 1, BIT(37)},
        {PAPER_JGE, 24, BIT(37) | BIT(36) | BIT(35)}, /* the loop's exit, never taken before */
    };

    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        start(VPMU_REV_C, false);
        tag_nth(1);
        machine_step(&machine, at(rows[i].branch));
        machine_step(&machine, at(rows[i].next));
        assert_int_equal(rd(OP_DATA) >> 32, rows[i].bits >> 32);
    }
}

static const struct codemap_insn return_insns[] = {
    {.rva = 0x1000,
     .length = 5,
     .ops = 2,
     .path = CODEMAP_PATH_DOUBLE,
     .unit = CODEMAP_UNIT_BRANCH,
     .branch = CODEMAP_BR_CALL,
     .target = 0x1010,
     .op_size = 8,
     .mems = 1,
     .mem = {{.disp = -8, .base = 4, .index = 255, .scale = 1, .size = 8, .flags = CODEMAP_STORE}}},
    {.rva = 0x1010,
     .length = 1,
     .ops = 1,
     .unit = CODEMAP_UNIT_BRANCH,
     .branch = CODEMAP_BR_RETURN,
     .op_size = 8,
     .mems = 1,
     .mem = {{.base = 4, .index = 255, .scale = 1, .size = 8, .flags = CODEMAP_LOAD}}},
    {.rva = 0x1011, .length = 2, .ops = 1, .flags = CODEMAP_INSN_SERIAL, .path = CODEMAP_PATH_VECTOR, .op_size = 4},
};
static const struct codemap return_map = {.insns = return_insns, .insn_count = 3};

TEST(test_return_and_two_op_samples)
{
    for (unsigned wrong = 0; wrong < 2; wrong++) {
        stop(state);
        machine_init(&machine, VPMU_REV_C, &return_map, 1);
        machine.gpr[4] = 0x9000;
        /* The ops are call 1, call 2, ret 1. */
        for (unsigned op = 1; op <= 3; op++) {
            tag_nth(op);
            machine.gpr[4] = 0x9000;
            machine_step(&machine, PAPER_BASE + 0x1000);
            machine.gpr[4] = 0x8FF8;
            machine_step(&machine, PAPER_BASE + 0x1010);
            machine.gpr[4] = 0x9000;
            machine_step(&machine, wrong ? 0x777777 : PAPER_BASE + 0x1005);
            vpmu_break(machine.vpmu);
            if (op == 1) { /* the last op stores and branches */
                assert_int_equal(rd(OP_DATA) >> 32, 0);
                assert_int_equal(rd(OP_DATA3), 0);
            } else if (op == 2) {
                assert_int_equal(rd(OP_DATA) >> 32, (BIT(37) | BIT(35)) >> 32);
                assert_int_equal(rd(OP_DATA3) & 3, 2);
                assert_int_equal(rd(DC_LINAD), 0x8FF8);
            } else {
                uint64_t mispredicted = wrong ? BIT(36) | BIT(33) : 0;

                assert_int_equal(rd(OP_DATA) >> 32, (BIT(37) | BIT(35) | BIT(34) | mispredicted) >> 32);
                assert_int_equal(rd(OP_DATA3) & 3, 1);
            }
        }
    }
}

TEST(test_serialising_instruction_is_a_resync)
{
    stop(state);
    machine_init(&machine, VPMU_REV_C, &return_map, 1);
    tag_nth(1);
    machine_step(&machine, PAPER_BASE + 0x1011);
    machine_step(&machine, PAPER_BASE + 0x1013);
    assert_int_equal(rd(OP_DATA) >> 32, 1);
}

/* ---------------------------------------------------------------- interrupts */

TEST(test_interrupt_needs_the_extended_lvt)
{
    static const struct {
        uint32_t control, entry1;
        bool nmi;
    } rows[] = {
        {0x101, 0x400, true},    {0x001, 0x400, false}, /* LvtOffsetVal clear */
        {0x101, 0x10400, false},                        /* masked */
        {0x101, 0x0FE, false},                          /* fixed, not NMI */
        {0x102, 0x400, false},                          /* another entry, still masked */
        {0x107, 0x400, false},                          /* no such entry */
    };

    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        start(VPMU_REV_C, true);
        vpmu_pci_write(machine.vpmu, 0, 3, 0x1CC, rows[i].control);
        vpmu_apic_write(machine.vpmu, 0x510, rows[i].entry1);
        tag_nth(1);
        machine_step(&machine, at(8));
        machine_step(&machine, at(9));
        assert_int_equal(machine.nmis, rows[i].nmi);
        assert_true(rd(OP_CTL) & OP_VAL);
        assert_int_equal(machine.vpmu->truth.totals.nmi_blocked, !rows[i].nmi);
        wr(OP_CTL, 0);
        assert_int_equal(vpmu_take_pending_nmi(machine.vpmu), rows[i].nmi);
    }
}

/* Returns the number of NMIs that come outside stepping. */
static unsigned pending(void)
{
    unsigned count = 0;

    while (count < 1000 && vpmu_take_pending_nmi(machine.vpmu))
        count++;
    return count;
}

TEST(test_erratum_420)
{
    static const struct {
        uint32_t msr;
        uint64_t enabled, enable_only;
    } rows[] = {
        {OP_CTL, 0x1000 | OP_EN, OP_EN},
        {FETCH_CTL, 0x1000 | FETCH_EN, FETCH_EN},
    };

    for (unsigned revision = VPMU_REV_B; revision <= VPMU_REV_E; revision++) {
        for (unsigned i = 0; i < 2; i++) {
            start((enum vpmu_revision)revision, false);
            wr(rows[i].msr, rows[i].enabled);
            wr(rows[i].msr, 0); /* in one write: repeated NMIs without a sample */
            assert_int_equal(machine.vpmu->ibs.erratum_420_hits, 1);
            assert_int_equal(pending(), ERRATUM_420_NMIS);
            assert_false(rd(rows[i].msr) & (OP_VAL | BIT(49)));

            wr(rows[i].msr, rows[i].enabled);
            wr(rows[i].msr, rows[i].enabled & 0xFFFF); /* MaxCnt and En not in the same write */
            assert_int_equal(machine.vpmu->ibs.erratum_420_hits, 2);
            pending();

            wr(rows[i].msr, rows[i].enabled);
            wr(rows[i].msr, rows[i].enable_only); /* MaxCnt = 0 first */
            wr(rows[i].msr, 0);
            assert_int_equal(machine.vpmu->ibs.erratum_420_hits, 2);
            assert_int_equal(pending(), 0);
        }
    }
}

TEST(test_disable_with_a_sample_is_not_erratum_420)
{
    start(VPMU_REV_C, false);
    tag_nth(1);
    machine_step(&machine, at(8));
    machine_step(&machine, at(9));
    wr(OP_CTL, 0); /* the counter is stopped: Val is set */
    assert_int_equal(machine.vpmu->ibs.erratum_420_hits, 0);
    assert_int_equal(pending(), 0);
}

/* Four of the offsets that the control can name have an entry; without bit 8 none is used. */
TEST(test_offsets_of_the_entry)
{
    start(VPMU_REV_C, false);
    for (unsigned offset = 0; offset < 4; offset++)
        assert_int_equal(vpmu_apic_write(machine.vpmu, 0x500 + 16 * offset, 0x400), VPMU_OK);
    for (unsigned offset = 0; offset < 16; offset++) {
        vpmu_pci_write(machine.vpmu, 0, 3, 0x1CC, 0x100 | offset);
        assert_int_equal(vpmu_lvt_open(machine.vpmu), offset < 4);
        vpmu_pci_write(machine.vpmu, 0, 3, 0x1CC, offset);
        assert_false(vpmu_lvt_open(machine.vpmu));
    }
}

TEST(test_late_nmi)
{
    start(VPMU_REV_C, true);
    wr(OP_CTL, 0x1000 | OP_EN);
    wr(OP_CTL, OP_EN);
    assert_int_equal(pending(), 0);
    wr(OP_CTL, 0);
    assert_int_equal(pending(), 1);
    assert_int_equal(rd(OP_CTL), 0); /* Val = 0 */
    wr(OP_CTL, 0);
    assert_int_equal(pending(), 0); /* the unit was off already */
    wr(FETCH_CTL, FETCH_EN);
    wr(FETCH_CTL, 0);
    assert_int_equal(pending(), 1);
}

/* NMIs requested while the entry is masked are lost, not deferred. */
TEST(test_masked_entry_loses_late_ones)
{
    for (unsigned storm = 0; storm < 2; storm++) {
        start(VPMU_REV_C, true);
        vpmu_apic_write(machine.vpmu, 0x510, storm ? 0x400 : 0x10400);
        wr(OP_CTL, storm ? 0x1000 | OP_EN : OP_EN);
        wr(OP_CTL, 0);
        vpmu_apic_write(machine.vpmu, 0x510, 0x10400);
        assert_false(vpmu_take_pending_nmi(machine.vpmu));
        vpmu_apic_write(machine.vpmu, 0x510, 0x400);
        assert_int_equal(pending(), 0);
    }
}

/* An NMI that has left the APIC arrives, even if the entry was masked before the enable bit was cleared. */
TEST(test_late_one_has_left_the_apic)
{
    start(VPMU_REV_C, true);
    wr(FETCH_CTL, FETCH_EN | 1);
    wr(FETCH_CTL, FETCH_EN);
    vpmu_apic_write(machine.vpmu, 0x510, 0x10400);
    wr(FETCH_CTL, 0);
    assert_int_equal(pending(), 1);
}

/* HOSTILE_STORM: however counting ends, NMIs follow until the entry is masked. */
TEST(test_storm_until_masked)
{
    static const struct {
        uint32_t msr;
        uint64_t counting, ends;
    } rows[] = {{OP_CTL, 0x1000 | OP_EN, OP_EN}, {OP_CTL, 0x1000 | OP_EN, 0}, {FETCH_CTL, FETCH_EN | 1, FETCH_EN}};

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        start(VPMU_REV_C, false);
        machine.vpmu->ibs.storms = true;
        wr(rows[i].msr, rows[i].counting);
        assert_false(vpmu_take_pending_nmi(machine.vpmu));
        wr(rows[i].msr, rows[i].ends);
        for (unsigned n = 0; n < 1000; n++)
            assert_true(vpmu_take_pending_nmi(machine.vpmu));
        vpmu_apic_write(machine.vpmu, 0x510, 0x10400);
        assert_int_equal(pending(), 0);
        vpmu_apic_write(machine.vpmu, 0x510, 0x400);
        assert_int_equal(pending(), 0);
    }
}

/* HOSTILE_STORM_STAYS: the NMIs come again when the entry is opened, by whatever write. */
TEST(test_storm_stays)
{
    for (unsigned stays = 0; stays < 2; stays++) {
        stop(NULL);
        machine_init_as(&machine, &paper_map,
                        (struct vpmu_config){.revision = VPMU_REV_C,
                                             .seed = 1,
                                             .hostile = 1u << (stays ? HOSTILE_STORM_STAYS : HOSTILE_STORM)});
        wr(OP_CTL, 0x1000 | OP_EN);
        wr(OP_CTL, 0);
        for (unsigned n = 0; n < 100; n++)
            assert_true(vpmu_take_pending_nmi(machine.vpmu));
        assert_int_equal(vpmu_take_standing_nmi(machine.vpmu), stays);
        vpmu_apic_write(machine.vpmu, 0x510, 0x10400);
        assert_false(vpmu_take_pending_nmi(machine.vpmu));
        assert_false(vpmu_take_standing_nmi(machine.vpmu));
        vpmu_apic_write(machine.vpmu, 0x510, 0x400);
        for (unsigned n = 0; n < 100; n++)
            assert_int_equal(n % 2 ? vpmu_take_standing_nmi(machine.vpmu) : vpmu_take_pending_nmi(machine.vpmu), stays);
    }
}

static void start_hostile(uint32_t hostile)
{
    stop(NULL);
    machine_init_as(&machine, &paper_map, (struct vpmu_config){.revision = VPMU_REV_C, .seed = 1, .hostile = hostile});
}

/* HOSTILE_CURCNT: bits 51:32 of IbsOpCtl ignore writes (AMD APM vol. 2 section 13.3: IbsOpCurCnt). */
TEST(test_ignored_count)
{
    for (int ignored = 0; ignored < 2; ignored++) {
        start_hostile(ignored ? 1u << HOSTILE_CURCNT : ~(1u << HOSTILE_CURCNT));
        wr(OP_CTL, 0x1000 | 0x123ull << 32);
        assert_int_equal(rd(OP_CTL), 0x1000 | (ignored ? 0 : 0x123ull << 32));
    }
}

/* HOSTILE_STUCK_VALID: a sample's valid bit is not cleared by a write. */
TEST(test_stuck_valid)
{
    for (int stuck = 0; stuck < 2; stuck++) {
        start_hostile(stuck ? 1u << HOSTILE_STUCK_VALID : ~(1u << HOSTILE_STUCK_VALID));
        wr(OP_CTL, 0x1000 | OP_VAL);
        wr(OP_CTL, 0x1000);
        assert_int_equal(rd(OP_CTL), 0x1000 | (stuck ? OP_VAL : 0));
        wr(FETCH_CTL, 0x10 | FETCH_VAL);
        wr(FETCH_CTL, 0x10);
        assert_int_equal(rd(FETCH_CTL), 0x10 | (stuck ? FETCH_VAL : 0));
    }
}

TEST(test_names_of_switches)
{
    uint64_t set = 7;

    assert_true(hostile_parse("", &set));
    assert_int_equal(set, 0);
    for (unsigned i = 0; i < HOSTILE_SWITCHES; i++) {
        assert_true(hostile_parse(hostile_table[i].name, &set));
        assert_int_equal(set, 1ull << i);
        assert_true(hostile_table[i].what[0] && hostile_table[i].source[0]);
    }
    assert_true(hostile_parse("storm+storm", &set));
    assert_int_equal(set, 1u << HOSTILE_STORM);
    assert_false(hostile_parse("storms", &set));
    assert_false(hostile_parse("stor", &set));
    assert_false(hostile_parse("storm+", &set));
    assert_false(hostile_parse("storm storm", &set));
    assert_int_equal(set, 1u << HOSTILE_STORM); /* unchanged */
}

/* ---------------------------------------------------------------- fetch */

TEST(test_fetch_sample)
{
    uint64_t ctl;

    start(VPMU_REV_C, false);
    wr(FETCH_CTL, COUNT_ONE);
    machine_step(&machine, at(8));
    machine_step(&machine, at(9));
    machine_step(&machine, at(10));
    machine_step(&machine, at(11)); /* 40119A..4011A0: into the next block */
    machine_step(&machine, at(12));
    ctl = rd(FETCH_CTL);
    assert_int_equal(machine.nmis, 1);
    assert_int_equal(rd(FETCH_LINAD), 0x4011A0);
    assert_int_equal(rd(FETCH_PHYSAD), 0x4011A0);
    /* The sample has Val, Comp, PhyAddrValid, and the count at its maximum; the line and the page were fetched from
     * before. */
    assert_int_equal(ctl & ~(0xFFFFull << 32), 1 | 1 << 16 | FETCH_EN | BIT(49) | BIT(50) | BIT(52));
    assert_int_equal((ctl >> 32) & 0xFFFF, 3);
}

TEST(test_first_fetch_misses_everything)
{
    uint64_t ctl;

    start(VPMU_REV_C, false);
    wr(FETCH_CTL, COUNT_ONE);
    machine.vpmu->ibs.fetch_tag_next = true; /* the very first one */
    machine_step(&machine, at(8));
    machine_step(&machine, at(9));
    ctl = rd(FETCH_CTL);
    assert_int_equal(rd(FETCH_LINAD), at(8)); /* the jump's target, not the block's address */
    assert_int_equal(ctl & ~(0xFFFFull << 32),
                     1 | 1 << 16 | FETCH_EN | BIT(49) | BIT(50) | BIT(51) | BIT(52) | BIT(55) | BIT(56));
    assert_int_equal((ctl >> 32) & 0xFFFF, 3 + 3 + 4 * 165 + 162);
}

TEST(test_fetch_page_size)
{
    static const unsigned shifts[] = {12, 21, 30};

    for (unsigned i = 0; i < 3; i++) {
        start(VPMU_REV_C, false);
        space_init(&machine.space, shifts[i], FRAMES_CONTIGUOUS);
        wr(FETCH_CTL, COUNT_ONE);
        machine.vpmu->ibs.fetch_tag_next = true;
        machine_step(&machine, at(8));
        machine_step(&machine, at(9));
        assert_int_equal((rd(FETCH_CTL) >> 53) & 3, i > 0); /* the L1 ITLB has no 1 GB pages, but 2 MB of one */
    }
}

/* Tags the fetch after that of 'branch' itself: the loop has run, so its branches are known; then a jump leads to
 * 'branch', and from there to 'next'. */
static void tag_fetch_after(unsigned branch, unsigned next)
{
    start(VPMU_REV_C, false);
    wr(FETCH_CTL, FETCH_EN); /* armed: no flush of the TLBs below */
    machine_matmul(&machine, 0, 1);
    machine_step(&machine, at(branch));
    wr(FETCH_CTL, COUNT_ONE);
    machine_step(&machine, at(next));
    assert_int_equal(machine.nmis, 1);
}

TEST(test_killed_fetch)
{
    tag_fetch_after(PAPER_JMP, PAPER_K_LOAD);
    assert_int_equal(rd(FETCH_CTL) & (BIT(50) | BIT(51) | BIT(52) | BIT(55) | BIT(56)), 0);
    assert_int_equal(rd(FETCH_LINAD), 0x4011E0); /* as in the paper */
    assert_int_equal(rd(FETCH_PHYSAD), 0);
}

TEST(test_aborted_fetch)
{
    tag_fetch_after(PAPER_JGE, 24); /* the exit, which is mispredicted */
    assert_int_equal(rd(FETCH_LINAD), 0x4011C0);
    assert_int_equal(rd(FETCH_CTL) & (BIT(50) | BIT(52)), BIT(52));
}

TEST(test_fetch_count_and_random_start)
{
    unsigned different = 0;
    uint64_t last = 0;

    start(VPMU_REV_C, false);
    wr(FETCH_CTL, 0x100 | FETCH_EN | 0x20 << 16);
    assert_int_equal((rd(FETCH_CTL) >> 16) & 0xFFFF, 0x20);
    assert_int_equal(machine.vpmu->ibs.fetch_left, 0xE00);
    for (unsigned i = 0; i < 100; i++) {
        wr(FETCH_CTL, 0x100 | FETCH_EN | BIT(57));
        assert_in_range(machine.vpmu->ibs.fetch_left, 0x1000 - 15, 0x1000);
        different += machine.vpmu->ibs.fetch_left != last;
        last = machine.vpmu->ibs.fetch_left;
    }
    assert_true(different > 50);
}

/* During counting IbsFetchCnt advances with the completed fetches, by sixteenths; the rest of the register stays.
 * Consecutive blocks of 32 bytes, outside the map, are one fetch each. */
TEST(test_fetch_count_moves_on)
{
    static const uint64_t starts[] = {0, 0x7FF0, 0x5550, 0xAAA0};

    for (unsigned i = 0; i < 4; i++) {
        start(VPMU_REV_C, false);
        machine_step(&machine, 0x900000);
        wr(FETCH_CTL, 0xFFFF | FETCH_EN | starts[i] << 16);
        assert_int_equal(rd(FETCH_CTL), 0xFFFF | FETCH_EN | starts[i] << 16);
        for (unsigned n = 1; n <= 16 * 20; n++) {
            machine_step(&machine, 0x900000 + 32 * n);
            assert_int_equal(rd(FETCH_CTL), 0xFFFF | FETCH_EN | (starts[i] + n / 16) << 16);
        }
    }
}

/* Linux reads the number of fetches from this field. */
TEST(test_fetch_count_stands_at_its_maximum)
{
    tag_fetch_after(PAPER_JGE, 24);
    assert_true(rd(FETCH_CTL) & BIT(49));
    assert_int_equal(rd(FETCH_CTL) >> 16 & 0xFFFF, rd(FETCH_CTL) & 0xFFFF);
    assert_int_equal(rd(FETCH_CTL) & 0xFFFF, 1);
}

RUN_TESTS(NULL, stop)
