/* SPDX-License-Identifier: BSD-2-Clause */
/* Derived events, compared with an independent statement of their conditions: bit numbers as CodeAnalyst's and
 * oprofile's sources have them, not the masks that core/ibs/derived.c uses. A row gives registers for which the event
 * counts, and the bits whose flip makes the event stop counting. Every other bit of every register is flipped too, and
 * must not matter. */
#include <stdio.h>
#include <string.h>

#include "tests/unit/core/check.h"
#include "tests/unit/first_set.h"

#include "core/ibs/derived.h"

#define B(n) (1ull << (n))

struct gate {
    enum derived event;
    uint64_t reg[3];  /* fetch: IbsFetchCtl; op: IbsOpData, IbsOpData2, IbsOpData3 */
    uint64_t stop[3]; /* bits that stop the event when they are flipped */
};

#define REACHED (B(50) | B(51) | B(52) | B(55) | B(56))
#define PAGE_L1 (B(17) | B(2))
#define PAGE_L2 (B(17) | B(2) | B(3))
#define MISSED  (B(0) | B(7))

static const struct gate gates[] = {
    {DERIVED_F000_FETCH_ALL, {0}, {0}},
    {DERIVED_F001_FETCH_KILLED, {0}, {REACHED}},
    {DERIVED_F002_FETCH_ATTEMPTED, {B(50)}, {B(50)}},
    {DERIVED_F002_FETCH_ATTEMPTED, {B(51)}, {B(51)}},
    {DERIVED_F002_FETCH_ATTEMPTED, {B(52)}, {B(52)}},
    {DERIVED_F002_FETCH_ATTEMPTED, {B(55)}, {B(55)}},
    {DERIVED_F002_FETCH_ATTEMPTED, {B(56)}, {B(56)}},
    {DERIVED_F003_FETCH_COMPLETED, {B(50)}, {B(50)}},
    {DERIVED_F004_FETCH_ABORTED, {B(51)}, {B(51) | B(50)}},
    {DERIVED_F004_FETCH_ABORTED, {B(52)}, {B(52) | B(50)}},
    {DERIVED_F004_FETCH_ABORTED, {B(55)}, {B(55) | B(50)}},
    {DERIVED_F004_FETCH_ABORTED, {B(56)}, {B(56) | B(50)}},
    {DERIVED_F005_ITLB_L1_HIT, {B(52)}, {B(52) | B(55)}},
    {DERIVED_F006_ITLB_L1M_L2H, {B(55)}, {B(55) | B(56)}},
    {DERIVED_F007_ITLB_L1M_L2M, {B(55) | B(56)}, {B(55) | B(56)}},
    {DERIVED_F008_IC_MISS, {B(51)}, {B(51)}},
    {DERIVED_F009_IC_HIT, {B(50)}, {B(50) | B(51)}},
    {DERIVED_F00A_FETCH_4K, {B(52)}, {B(52) | B(53) | B(54)}},
    {DERIVED_F00B_FETCH_2M, {B(52) | B(53)}, {B(52) | B(53) | B(54)}},
    {DERIVED_F00E_FETCH_LATENCY, {B(50)}, {B(50)}},
    {DERIVED_F00E_FETCH_LATENCY, {B(55)}, {B(55)}},

    {DERIVED_F100_OP_ALL, {0}, {0}},
    {DERIVED_F101_TAG_TO_RETIRE, {0}, {0}},
    {DERIVED_F102_COMP_TO_RETIRE, {0}, {0}},
    {DERIVED_F103_BRANCH, {B(37)}, {B(37)}},
    {DERIVED_F104_BRANCH_MISPREDICTED, {B(37) | B(36)}, {B(37) | B(36)}},
    {DERIVED_F105_BRANCH_TAKEN, {B(37) | B(35)}, {B(37) | B(35)}},
    {DERIVED_F106_BRANCH_TAKEN_MISPREDICTED, {B(37) | B(35) | B(36)}, {B(37) | B(35) | B(36)}},
    {DERIVED_F107_RETURN, {B(37) | B(34)}, {B(37) | B(34)}},
    {DERIVED_F108_RETURN_MISPREDICTED, {B(37) | B(34) | B(36)}, {B(37) | B(34) | B(36)}},
    {DERIVED_F109_RESYNC, {B(32)}, {B(32)}},

    {DERIVED_F200_LOAD_STORE, {0, 0, B(0)}, {0, 0, B(0)}},
    {DERIVED_F200_LOAD_STORE, {0, 0, B(1)}, {0, 0, B(1)}},
    {DERIVED_F200_LOAD_STORE, {0, 0, B(0) | B(1)}, {0, 0, 0}},
    {DERIVED_F201_LOAD, {0, 0, B(0)}, {0, 0, B(0)}},
    {DERIVED_F202_STORE, {0, 0, B(1)}, {0, 0, B(1)}},
    {DERIVED_F203_DTLB_L1_HIT, {0, 0, B(0) | B(17)}, {0, 0, B(0) | PAGE_L1}},
    {DERIVED_F203_DTLB_L1_HIT, {0, 0, B(1) | B(17)}, {0, 0, B(1) | PAGE_L1}},
    {DERIVED_F204_DTLB_L1M_L2H, {0, 0, B(1) | B(17) | B(2)}, {0, 0, B(1) | PAGE_L2}},
    {DERIVED_F205_DTLB_L1M_L2M, {0, 0, B(0) | B(17) | B(2) | B(3)}, {0, 0, B(0) | PAGE_L2}},
    {DERIVED_F206_DC_MISS, {0, 0, B(1) | B(7)}, {0, 0, B(1) | B(7)}},
    {DERIVED_F206_DC_MISS, {0, 0, B(0) | B(7)}, {0, 0, B(0) | B(7)}},
    {DERIVED_F207_DC_HIT, {0, 0, B(0)}, {0, 0, B(0) | B(7)}},
    {DERIVED_F208_MISALIGNED, {0, 0, B(0) | B(8)}, {0, 0, B(0) | B(8)}},
    {DERIVED_F209_BANK_CONFLICT_LOAD, {0, 0, B(0) | B(9)}, {0, 0, B(0) | B(9)}},
    {DERIVED_F20A_BANK_CONFLICT_STORE, {0, 0, B(1) | B(10)}, {0, 0, B(1) | B(10)}},
    {DERIVED_F20B_FORWARDED, {0, 0, B(0) | B(11)}, {0, 0, B(0) | B(11)}},
    {DERIVED_F20C_FORWARD_CANCELLED, {0, 0, B(0) | B(1) | B(12)}, {0, 0, B(0) | B(12)}},
    {DERIVED_F20D_UC_ACCESS, {0, 0, B(0) | B(14)}, {0, 0, B(0) | B(14)}},
    {DERIVED_F20E_WC_ACCESS, {0, 0, B(1) | B(13)}, {0, 0, B(1) | B(13)}},
    {DERIVED_F20F_LOCKED, {0, 0, B(0) | B(15)}, {0, 0, B(0) | B(15)}},
    {DERIVED_F210_MAB_HIT, {0, 0, B(0) | B(16)}, {0, 0, B(0) | B(16)}},
    {DERIVED_F211_DTLB_L1_4K, {0, 0, B(0) | B(17)}, {0, 0, B(0) | PAGE_L1 | B(4) | B(5)}},
    {DERIVED_F212_DTLB_L1_2M, {0, 0, B(0) | B(17) | B(4)}, {0, 0, B(0) | PAGE_L1 | B(4)}},
    {DERIVED_F213_DTLB_L1_1G, {0, 0, B(0) | B(17) | B(5)}, {0, 0, B(0) | PAGE_L1 | B(4) | B(5)}},
    {DERIVED_F215_DTLB_L2_4K, {0, 0, B(0) | B(17) | B(2)}, {0, 0, B(0) | PAGE_L2 | B(6) | B(19)}},
    {DERIVED_F216_DTLB_L2_2M, {0, 0, B(0) | B(17) | B(2) | B(6)}, {0, 0, B(0) | PAGE_L2 | B(6) | B(19)}},
    {DERIVED_F217_DTLB_L2_1G, {0, 0, B(0) | B(17) | B(2) | B(19)}, {0, 0, B(0) | PAGE_L2 | B(6) | B(19)}},
    {DERIVED_F219_DC_LOAD_LATENCY, {0, 0, MISSED}, {0, 0, MISSED}},

    {DERIVED_F240_NB_LOCAL, {0, 1, MISSED}, {0, B(0) | B(4), MISSED}},
    {DERIVED_F240_NB_LOCAL, {0, 3, MISSED}, {0, B(4), MISSED}},
    {DERIVED_F241_NB_REMOTE, {0, B(4) | 2, MISSED}, {0, B(4) | B(1), MISSED}},
    {DERIVED_F242_NB_LOCAL_L3, {0, 1, MISSED}, {0, 7 | B(4), MISSED}},
    {DERIVED_F243_NB_LOCAL_CACHE, {0, 2, MISSED}, {0, 7 | B(4), MISSED}},
    {DERIVED_F244_NB_REMOTE_CACHE, {0, B(4) | 2, MISSED}, {0, 7 | B(4), MISSED}},
    {DERIVED_F245_NB_LOCAL_DRAM, {0, 3, MISSED}, {0, 7 | B(4), MISSED}},
    {DERIVED_F246_NB_REMOTE_DRAM, {0, B(4) | 3, MISSED}, {0, 7 | B(4), MISSED}},
    {DERIVED_F247_NB_LOCAL_OTHER, {0, 7, MISSED}, {0, 7 | B(4), MISSED}},
    {DERIVED_F248_NB_REMOTE_OTHER, {0, B(4) | 7, MISSED}, {0, 7 | B(4), MISSED}},
    {DERIVED_F249_NB_CACHE_MODIFIED, {0, 2, MISSED}, {0, 7 | B(5), MISSED}},
    {DERIVED_F24A_NB_CACHE_OWNED, {0, B(5) | 2, MISSED}, {0, 7 | B(5), MISSED}},
    {DERIVED_F24B_NB_LOCAL_LATENCY, {0, 1, MISSED}, {0, B(0) | B(4), MISSED}},
    {DERIVED_F24C_NB_REMOTE_LATENCY, {0, B(4) | 3, MISSED}, {0, B(4), MISSED}},

    {DERIVED_X100_BRANCH_TAG_TO_RETIRE, {B(37)}, {B(37)}},
    {DERIVED_X101_BRANCH_COMP_TO_RETIRE, {B(37)}, {B(37)}},
    {DERIVED_X200_LOAD_DC_MISS, {0, 0, MISSED}, {0, 0, MISSED}},
    {DERIVED_X201_LIN_ADDR_VALID, {0, 0, B(1) | B(17)}, {0, 0, B(1) | B(17)}},
    {DERIVED_X202_LOAD_DTLB_L1M_L2M, {0, 0, B(0) | B(17) | B(2) | B(3)}, {0, 0, B(0) | PAGE_L2}},
    {DERIVED_X203_DC_MISS_TAG_TO_RETIRE, {0, 0, B(0) | B(7)}, {0, 0, B(0) | B(7)}},
    {DERIVED_X203_DC_MISS_TAG_TO_RETIRE, {0, 0, B(1) | B(7)}, {0, 0, B(1) | B(7)}},
    {DERIVED_X204_DC_MISS_COMP_TO_RETIRE, {0, 0, B(0) | B(7)}, {0, 0, B(0) | B(7)}},
    {DERIVED_X204_DC_MISS_COMP_TO_RETIRE, {0, 0, B(1) | B(7)}, {0, 0, B(1) | B(7)}},
    {DERIVED_X240_NB_STATUS, {0, 1, MISSED}, {0, B(0), MISSED}},
};

/* Returns whether this is an op event: fetch events begin at 0, op events at the number below. */
static int is_op(enum derived event)
{
    return event >= DERIVED_F100_OP_ALL;
}

static struct sample_record record_of(enum derived event, const uint64_t reg[3])
{
    struct sample_record record = {.kind = is_op(event) ? SAMPLE_OP : SAMPLE_FETCH};

    if (is_op(event))
        memcpy(&record.reg[IBS_OP_DATA], reg, 3 * sizeof(reg[0]));
    else
        record.reg[IBS_FETCH_CTL] = reg[0];
    return record;
}

TEST(gates_depend_on_exactly_their_bits)
{
    for (size_t i = 0; i < sizeof(gates) / sizeof(gates[0]); i++) {
        const struct gate *gate = &gates[i];
        const struct derived_event *event = &derived_events[gate->event];
        struct sample_record record = record_of(gate->event, gate->reg);
        int first = is_op(gate->event) ? IBS_OP_DATA : IBS_FETCH_CTL;

        if (!derived_applies(event, &record))
            fail_msg("row %zu: %s does not count", i, event->code);
        for (int r = 0; r < 8; r++) {
            uint64_t stop = r >= first && r < first + 3 ? gate->stop[r - first] : 0;

            for (unsigned bit = 0; bit < 64; bit++) {
                record.reg[r] ^= B(bit);
                if (derived_applies(event, &record) == !!(stop & B(bit)))
                    fail_msg("row %zu: %s, register %d, bit %u", i, event->code, r, bit);
                record.reg[r] ^= B(bit);
            }
        }
        record.kind = !record.kind;
        assert_false(derived_applies(event, &record));
    }
}

TEST(every_event_has_a_row)
{
    int rows[DERIVED_COUNT] = {0};

    for (size_t i = 0; i < sizeof(gates) / sizeof(gates[0]); i++)
        rows[gates[i].event]++;
    for (int i = 0; i < DERIVED_FIRST; i++)
        if (!rows[i])
            fail_msg("%s has no row", derived_events[i].code);
}

TEST(the_sixty_offered_events)
{
    static const char want[] = "F000 F001 F002 F003 F004 F005 F006 F007 F008 F009 F00A F00B F00E F100 F101 F102 F103 "
                               "F104 F105 F106 F107 F108 F109 "
                               "F200 F201 F202 F203 F204 F205 F206 F207 F208 F209 F20A F20B F20C F20D F20E F20F F210 "
                               "F211 F212 F213 F215 F216 F217 "
                               "F219 F240 F241 F242 F243 F244 F245 F246 F247 F248 F249 F24A F24B F24C ";
    char got[sizeof(want) + 100] = "";

    for (int i = 0; i < DERIVED_OFFERED; i++) {
        strcat(strcat(got, derived_events[i].code), " ");
        assert_int_equal(strncmp(derived_events[i].symbol, "IBS_", 4), 0);
        assert_int_equal(strncmp(derived_events[i].abbreviation, "IBS ", 4), 0);
        assert_int_equal(derived_events[i].kind, is_op(i) ? SAMPLE_OP : SAMPLE_FETCH);
        assert_int_equal(derived_events[i].since, i == DERIVED_F217_DTLB_L2_1G ? 'C' : 'B');
        for (int j = 0; j < i; j++) {
            assert_string_not_equal(derived_events[i].symbol, derived_events[j].symbol);
            assert_string_not_equal(derived_events[i].abbreviation, derived_events[j].abbreviation);
        }
    }
    assert_string_equal(got, want);
    for (int i = DERIVED_OFFERED; i < DERIVED_FIRST; i++)
        assert_int_equal(derived_events[i].code[0], 'X');
    for (int i = 0; i < DERIVED_COUNT; i++)
        assert_int_equal(derived_events[i].later, i >= DERIVED_FIRST);
}

TEST(cycles_are_sums_of_their_field)
{
    static const struct {
        enum derived event;
        uint64_t reg[3];
        uint64_t want;
    } rows[] = {
        {DERIVED_F00E_FETCH_LATENCY, {0x00041234FFFFFFFFull}, 0x1234},
        {DERIVED_F00E_FETCH_LATENCY, {0x0002123400000000ull}, 0}, /* killed */
        {DERIVED_F101_TAG_TO_RETIRE, {0xFFFFFFFF56780000ull}, 0x5678},
        {DERIVED_F102_COMP_TO_RETIRE, {0xFFFFFFFF00009ABCull}, 0x9ABC},
        {DERIVED_X100_BRANCH_TAG_TO_RETIRE, {B(37) | 0x56789ABCull}, 0x5678},
        {DERIVED_X100_BRANCH_TAG_TO_RETIRE, {0x56789ABCull}, 0}, /* no branch */
        {DERIVED_X101_BRANCH_COMP_TO_RETIRE, {B(37) | 0x56789ABCull}, 0x9ABC},
        {DERIVED_X203_DC_MISS_TAG_TO_RETIRE, {0x56789ABCull, 0, B(7) | B(1)}, 0x5678},
        {DERIVED_X204_DC_MISS_COMP_TO_RETIRE, {0x56789ABCull, 0, B(7) | B(1)}, 0x9ABC},
        {DERIVED_F219_DC_LOAD_LATENCY, {0, 0, 0xFFFFBEEF00000081ull}, 0xBEEF},
        {DERIVED_F219_DC_LOAD_LATENCY, {0, 0, 0xFFFFBEEF00000082ull}, 0}, /* a store */
        {DERIVED_F24B_NB_LOCAL_LATENCY, {0, 3, 0x0000010000000081ull}, 0x100},
        {DERIVED_F24C_NB_REMOTE_LATENCY, {0, 0x13, 0x0000010100000081ull}, 0x101},
    };

    for (int i = 0; i < DERIVED_FIRST; i++) {
        int cycles = 0;

        for (size_t j = 0; j < sizeof(rows) / sizeof(rows[0]); j++)
            cycles |= rows[j].event == (enum derived)i;
        assert_string_equal(derived_unit_name(&derived_events[i]), cycles ? "cycles" : "samples");
    }
    for (size_t j = 0; j < sizeof(rows) / sizeof(rows[0]); j++) {
        struct sample_record record = record_of(rows[j].event, rows[j].reg);
        uint64_t counts[DERIVED_COUNT] = {0};

        derived_add(first_set(), counts, &record);
        derived_add(first_set(), counts, &record);
        assert_int_equal(counts[rows[j].event], 2 * rows[j].want);
    }
}

TEST(one_sample_counts_for_many_events)
{
    /* A load missed all caches, and its data came from local DRAM after 104 cycles, on a 4K page. */
    struct sample_record record = record_of(DERIVED_F100_OP_ALL, (uint64_t[]){12 << 16 | 2, 3, 104ull << 32 | 0x2008D});
    static const enum derived ones[] = {DERIVED_F100_OP_ALL,         DERIVED_F200_LOAD_STORE,
                                        DERIVED_F201_LOAD,           DERIVED_F205_DTLB_L1M_L2M,
                                        DERIVED_F206_DC_MISS,        DERIVED_F240_NB_LOCAL,
                                        DERIVED_F245_NB_LOCAL_DRAM,  DERIVED_X200_LOAD_DC_MISS,
                                        DERIVED_X201_LIN_ADDR_VALID, DERIVED_X202_LOAD_DTLB_L1M_L2M,
                                        DERIVED_X240_NB_STATUS};
    uint64_t want[DERIVED_COUNT] = {0}, counts[DERIVED_COUNT] = {0};

    for (size_t i = 0; i < sizeof(ones) / sizeof(ones[0]); i++)
        want[ones[i]] = 1;
    want[DERIVED_F101_TAG_TO_RETIRE] = want[DERIVED_X203_DC_MISS_TAG_TO_RETIRE] = 12;
    want[DERIVED_F102_COMP_TO_RETIRE] = want[DERIVED_X204_DC_MISS_COMP_TO_RETIRE] = 2;
    want[DERIVED_F219_DC_LOAD_LATENCY] = want[DERIVED_F24B_NB_LOCAL_LATENCY] = 104;
    derived_add(first_set(), counts, &record);
    assert_memory_equal(counts, want, sizeof(want));

    /* The bit is reserved on this family: RipInvalid drops nothing and changes nothing. */
    record.reg[IBS_OP_DATA] |= B(38);
    memset(counts, 0, sizeof(counts));
    derived_add(first_set(), counts, &record);
    assert_memory_equal(counts, want, sizeof(want));

    record.kind = 7;
    memset(counts, 0, sizeof(counts));
    memset(want, 0, sizeof(want));
    derived_add(first_set(), counts, &record);
    assert_memory_equal(counts, want, sizeof(want));
}

RUN_TESTS(NULL, NULL)
