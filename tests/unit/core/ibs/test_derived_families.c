/* SPDX-License-Identifier: BSD-2-Clause */
/* Derived events of each family: which events have a source, and that a sample counts by the family's own rules. The
 * rules are written from the registers' descriptions, by bit number, not from the rows. */
#include <string.h>

#include "tests/unit/core/check.h"
#include "tests/unit/first_set.h"

#include "core/base/rng.h"
#include "core/ibs/ibs_field.h"
#include "core/ibs/identities.h"

#define B(n)          (1ull << (n))
#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

static const struct machine {
    unsigned family, model, caps;
    const char *none; /* events without a source, blanks between */
} machines[] = {
    {0x10, 0x04, 0x1F, "F00F F010 X01 X11 X205 X206 X207 X208 X209 X20A X20B X20C X21 X22"},
    {0x12, 0x01, 0xFF, "F24 F00F F010 X01 X11 X205 X206 X207 X208 X209 X20A X20B X20C X21 X22"},
    {0x14, 0x01, 0xFF,
     "F109 F209 F20A F20C F213 F217 F24 F00F F010 X01 X11 X205 X206 X207 X208 X209 X20A X20B X20C "
     "X21 X22"},
    {0x15, 0x01, 0xFF, "F20A F00F F010 X01 X11 X205 X206 X207 X208 X209 X20A X20B X20C X21 X22"},
    {0x15, 0x10, 0xFF,
     "F109 F209 F20A F20B F20C F242 F00F F010 X01 X11 X205 X206 X207 X208 X209 X20A X20B X20C X21 X22"},
    {0x15, 0x30, 0xFF, "F109 F209 F20A F20B F20C F210 F242 F00F F010 X01 X11 X20C X21"},
    {0x15, 0x60, 0x7FF, "F109 F209 F20A F20B F20C F210 F242 X010 X011 X20C X21"},
    {0x16, 0x00, 0xFF, "F109 F209 F20A F20C F210 F24 F00F F010 X01 X11 X20C X21"},
    {0x17, 0x71, 0x3FF, "F109 F209 F20A F20B F20C F210 F24 X240 X010 X011 X21"},
    {0x19, 0x01, 0x3FF, "F008 F009 F109 F209 F20A F20B F20C F210 F24 X240 X010 X011 X21"},
    {0x19, 0x61, 0xBFF, "F109 F209 F20A F20B F20C F210 F24 X240 X21"},
    {0x1A, 0x44, 0x81BFF, "F109 F209 F20A F20B F20C F210 F211 F212 F213 F215 F216 F217 F24 X240"},
};

static struct derived_set set_of(unsigned family, unsigned model, unsigned caps)
{
    struct ibs_machine machine = ibs_machine_of(family, model, caps);

    return derived_set_of(&machine);
}

/* Returns whether the list has the code as a word or as the beginning of a word. */
static bool listed(const char *list, const char *code)
{
    for (const char *at = list; at; at = strchr(at, ' ')) {
        at += *at == ' ';
        if (strncmp(at, code, strcspn(at, " ")) == 0)
            return true;
    }
    return false;
}

TEST(events_without_a_source)
{
    for (size_t m = 0; m < LENGTH(machines); m++) {
        struct derived_set set = set_of(machines[m].family, machines[m].model, machines[m].caps);

        for (int i = 0; i < DERIVED_COUNT; i++)
            if (set.has[i] == listed(machines[m].none, derived_events[i].code))
                fail_msg("%Xh %Xh: %s %s", machines[m].family, machines[m].model, derived_events[i].code,
                         set.has[i] ? "has a source" : "has no source");
    }
}

/* The codes of the events that a family lacks, neighbours combined, for the requested kinds of samples. */
TEST(what_is_missing_in_words)
{
    static const struct {
        unsigned family, model, caps, kinds, count;
        const char *codes;
    } rows[] = {
        {0x15, 0x10, 0xFF, 1 << SAMPLE_OP, 6, "F109, F209 to F20C, F242"},
        {0x14, 0x01, 0xFF, 1 << SAMPLE_OP, 19, "F109, F209, F20A, F20C, F213, F217, F240 to F24C"},
        {0x19, 0x01, 0x3FF, 1 << SAMPLE_FETCH, 2, "F008, F009"},
        {0x19, 0x01, 0x3FF, 1 << SAMPLE_OP | 1 << SAMPLE_FETCH, 22,
         "F008, F009, F109, F209 to F20C, F210, F240 to F24C, X240"},
        {0x10, 0x04, 0x1F, 1 << SAMPLE_OP | 1 << SAMPLE_FETCH, 0, ""},
    };

    for (size_t i = 0; i < LENGTH(rows); i++) {
        struct derived_set set = set_of(rows[i].family, rows[i].model, rows[i].caps);
        char text[200] = "";
        struct out_memory memory;

        out_memory_init(&memory, text, sizeof(text));
        assert_int_equal(derived_print_missing(&memory.out, &set, rows[i].kinds), rows[i].count);
        assert_string_equal(text, rows[i].codes);
    }
}

/* Each condition of an event needs its bits: one of them, or all of them. */
TEST(each_bit_is_needed)
{
    struct ibs_machine machine = ibs_machine_of(0x1A, 0x44, ~0u);

    machine.caps = ~0u;
    for (int e = 0; e < DERIVED_COUNT; e++) {
        const struct derived_event *event = &derived_events[e];

        memset(machine.bits, 0xFF, sizeof(machine.bits));
        memset(machine.first, 0xFF, sizeof(machine.first));
        if (!derived_has_source(event, &machine))
            continue; /* another family's */
        for (int i = 0; i < DERIVED_TESTS; i++) {
            const struct derived_test *test = &event->gate[i];
            uint64_t *bits = &(event->later ? machine.bits : machine.first)[event->kind][test->reg];

            for (unsigned bit = 0; bit < 64; bit++) {
                if (!(test->mask >> bit & 1) || test->weak)
                    continue;
                *bits = ~(1ull << bit);
                if (!test->any)
                    assert_false(derived_has_source(event, &machine));
                *bits = ~test->mask;
                assert_false(derived_has_source(event, &machine));
            }
            *bits = ~0ull;
        }
    }
}

/* With registers of nothing but ones, an event without a source never counts, whatever the bits are. */
TEST(reserved_bits_are_never_counted)
{
    struct rng rng;

    rng_seed(&rng, 18);
    for (size_t m = 0; m < LENGTH(machines); m++) {
        struct derived_set set = set_of(machines[m].family, machines[m].model, machines[m].caps);

        for (int i = 0; i < 2000; i++) {
            struct sample_record record = {.kind = i % 2 ? SAMPLE_OP : SAMPLE_FETCH};
            uint64_t counts[DERIVED_COUNT] = {0};

            for (int reg = 0; reg < 8; reg++)
                record.reg[reg] = i < 2 ? ~0ull : rng_next(&rng);
            derived_add(&set, counts, &record);
            for (int e = 0; e < DERIVED_COUNT; e++)
                if (counts[e] && !set.has[e])
                    fail_msg("%Xh %Xh: %s", machines[m].family, machines[m].model, derived_events[e].code);
        }
    }
}

/* Family 10h's samples count as before there were other families: by the conditions alone. A file that does not name
 * its processor counts as Family 10h's. */
TEST(the_first_family_is_as_it_was)
{
    struct derived_set set = set_of(0x10, 4, 0x1F), unsaid = set_of(0, 0, ~0u);
    struct rng rng;

    rng_seed(&rng, 10);
    for (int i = 0; i < DERIVED_COUNT; i++)
        assert_true(set.has[i] == (i < DERIVED_FIRST) && unsaid.has[i] == set.has[i]);
    for (int i = 0; i < 20000; i++) {
        struct sample_record record = {.kind = i % 2 ? SAMPLE_OP : SAMPLE_FETCH};
        uint64_t old[DERIVED_COUNT] = {0}, new[DERIVED_COUNT] = {0}, other[DERIVED_COUNT] = {0};

        for (int reg = 0; reg < 8; reg++)
            record.reg[reg] = rng_next(&rng);
        for (int e = 0; e < DERIVED_FIRST; e++)
            if (derived_applies(&derived_events[e], &record))
                old[e] = derived_events[e].unit == DERIVED_SAMPLES
                             ? 1
                             : record.reg[derived_events[e].field_reg] >> derived_events[e].field_shift & 0xFFFF;
        derived_add(&set, new, &record);
        derived_add(&unsaid, other, &record);
        assert_memory_equal(old, new, sizeof(old));
        assert_memory_equal(old, other, sizeof(old));
    }
}

/* The rows name machines by index, and the registers IbsFetchCtl and its extension, or IbsOpData, 2 and 3. */
TEST(samples_count_by_the_familys_rules)
{
    enum { LLANO = 1, BOBCAT = 2, STEAMROLLER = 5, ZEN2 = 8, MILAN = 9, ZEN4 = 10, ZEN5 = 11 };
    static const struct {
        unsigned machine;
        enum derived event;
        uint64_t reg[3], adds;
    } rows[] = {
        /* Uncacheable accesses have neither hit nor miss from Zen on. */
        {ZEN2, DERIVED_F206_DC_MISS, {0, 0, B(0) | B(7)}, 1},
        {ZEN2, DERIVED_F206_DC_MISS, {0, 0, B(0) | B(7) | B(14)}, 0},
        {ZEN2, DERIVED_F207_DC_HIT, {0, 0, B(0) | B(14)}, 0},
        {ZEN2, DERIVED_F219_DC_LOAD_LATENCY, {0, 0, B(0) | B(7) | 77ull << 32}, 77},
        {ZEN2, DERIVED_F219_DC_LOAD_LATENCY, {0, 0, B(0) | B(7) | B(14) | 77ull << 32}, 0},
        {STEAMROLLER, DERIVED_F207_DC_HIT, {0, 0, B(0) | B(14)}, 1},
        {ZEN2, DERIVED_X205_NO_MAB, {0, 0, B(0) | B(7) | B(16)}, 1},
        {ZEN2, DERIVED_X205_NO_MAB, {0, 0, B(0) | B(16)}, 0},
        {ZEN2, DERIVED_X207_LOAD_L2_MISS, {0, 0, B(0) | B(7) | B(20)}, 1},
        {ZEN2, DERIVED_X208_LOAD_L2_HIT, {0, 0, B(0) | B(7)}, 1},
        {MILAN, DERIVED_X206_L2_MISS, {0, 0, B(0) | B(7) | B(20)}, 1},
        {MILAN, DERIVED_X206_L2_MISS, {0, 0, B(0) | B(7) | B(20) | B(21)}, 0}, /* erratum 1293 */
        {MILAN, DERIVED_X208_LOAD_L2_HIT, {0, 0, B(0) | B(7) | B(16)}, 0},
        {ZEN2, DERIVED_X209_SOFTWARE_PREFETCH, {0, 0, B(21)}, 1},
        {ZEN2, DERIVED_X226_WIDTH_32, {0, 0, B(0) | 6 << 22}, 1},
        {ZEN2, DERIVED_X226_WIDTH_32, {0, 0, B(0) | 7 << 22}, 0},
        {ZEN2, DERIVED_X227_WIDTH_64, {0, 0, B(1) | 7 << 22}, 1},
        {ZEN2, DERIVED_X20C_LOAD_UNCACHED, {0, 0, B(0) | B(7) | B(14)}, 1},
        {ZEN2, DERIVED_X110_MICROCODED, {B(40)}, 1},
        {ZEN2, DERIVED_X111_FUSED, {B(39) | B(37)}, 1},
        {ZEN2, DERIVED_X111_FUSED, {B(39)}, 0},
        {ZEN2, DERIVED_X20A_LOAD_DTLB_REFILL, {0, 0, B(0) | B(2) | B(17) | 55ull << 48}, 55},
        {ZEN2, DERIVED_X20B_LOAD_L1_DTLB_MISS, {0, 0, B(0) | B(2) | B(17)}, 1},
        {ZEN4, DERIVED_X20A_LOAD_DTLB_REFILL, {0, 0, B(0) | B(2) | B(17) | 55ull << 48}, 0},
        {ZEN4, DERIVED_X20A_LOAD_DTLB_REFILL, {0, 0, B(0) | B(2) | B(17) | B(18) | 55ull << 48}, 55},
        {ZEN4, DERIVED_X20B_LOAD_L1_DTLB_MISS, {0, 0, B(0) | B(2) | B(17)}, 0},
        {ZEN5, DERIVED_F203_DTLB_L1_HIT, {0, 0, B(0) | B(17)}, 0}, /* only with a physical address */
        {ZEN5, DERIVED_F203_DTLB_L1_HIT, {0, 0, B(0) | B(17) | B(18)}, 1},
        {ZEN5, DERIVED_X211_PAGE_4K, {0, 0, B(0) | B(18)}, 1},
        {ZEN5, DERIVED_X211_PAGE_4K, {0, 0, B(0)}, 0},
        {ZEN5, DERIVED_X212_PAGE_2M, {0, 0, B(0) | B(18) | B(4)}, 1},
        {ZEN5, DERIVED_X212_PAGE_2M, {0, 0, B(0) | B(18) | B(5)}, 0},
        {ZEN5, DERIVED_X213_PAGE_1G, {0, 0, B(0) | B(18) | B(5)}, 1},
        {BOBCAT, DERIVED_F211_DTLB_L1_4K, {0, 0, B(0) | B(17)}, 1},
        {BOBCAT, DERIVED_F211_DTLB_L1_4K, {0, 0, B(0) | B(17) | B(5)}, 1}, /* bit 5 is reserved */
        {BOBCAT, DERIVED_F211_DTLB_L1_4K, {0, 0, B(0) | B(17) | B(4)}, 0},
        {LLANO, DERIVED_F109_RESYNC, {B(32)}, 1},
        {LLANO, DERIVED_F20A_BANK_CONFLICT_STORE, {0, 0, B(1) | B(10)}, 1},
        /* Fetches. */
        {MILAN, DERIVED_F00A_FETCH_4K, {B(52)}, 1},
        {MILAN, DERIVED_F00B_FETCH_2M, {B(52) | 1ull << 53}, 0}, /* erratum 1347: 16 KB */
        {MILAN, DERIVED_F00B_FETCH_2M, {B(52) | 2ull << 53}, 1},
        {ZEN2, DERIVED_F00B_FETCH_2M, {B(52) | 1ull << 53}, 1},
        {MILAN, DERIVED_F001_FETCH_KILLED, {B(51)}, 1}, /* erratum 1238: the miss says nothing */
        {ZEN2, DERIVED_F001_FETCH_KILLED, {B(51)}, 0},
        {ZEN2, DERIVED_F00F_FETCH_L2_MISS, {B(50) | B(58)}, 1},
        {ZEN2, DERIVED_F00F_FETCH_L2_MISS, {B(58)}, 0},
        {ZEN2, DERIVED_F010_ITLB_REFILL_LATENCY, {B(50) | B(55), 33}, 33},
        {ZEN2, DERIVED_F010_ITLB_REFILL_LATENCY, {B(55), 33}, 0},
        {ZEN4, DERIVED_X010_FETCH_OC_MISS, {B(60)}, 1},
        {ZEN4, DERIVED_X011_FETCH_L3_MISS, {B(50) | B(58) | B(61)}, 1},
    };

    for (size_t i = 0; i < LENGTH(rows); i++) {
        const struct machine *machine = &machines[rows[i].machine];
        struct derived_set set = set_of(machine->family, machine->model, machine->caps);
        struct sample_record record = {.kind = derived_events[rows[i].event].kind};
        uint64_t counts[DERIVED_COUNT] = {0};

        if (record.kind == SAMPLE_OP) {
            memcpy(&record.reg[IBS_OP_DATA], rows[i].reg, sizeof(rows[i].reg));
        } else {
            record.reg[IBS_FETCH_CTL] = rows[i].reg[0];
            record.reg[IBS_FETCH_EXTD] = rows[i].reg[1];
        }
        derived_add(&set, counts, &record);
        if (counts[rows[i].event] != rows[i].adds)
            fail_msg("row %zu: %s adds %llu", i, derived_events[rows[i].event].code,
                     (unsigned long long)counts[rows[i].event]);
    }
}

/* The identities that apply to a family hold on its legal registers; fewer identities apply where events are
 * missing. */
TEST(identities_hold_on_each_family)
{
    struct rng rng;

    rng_seed(&rng, 2018);
    assert_int_equal(identities_asked(first_set()), 38);
    for (size_t m = 0; m < LENGTH(machines); m++) {
        struct derived_set set = set_of(machines[m].family, machines[m].model, machines[m].caps);

        assert_true(identities_asked(&set) >= 22 && identities_asked(&set) <= 38);
        for (int i = 0; i < 5000; i++) {
            struct sample_record record = {.kind = i % 2 ? SAMPLE_OP : SAMPLE_FETCH};
            uint64_t counts[DERIVED_COUNT] = {0};

            for (int reg = 0; reg < 8; reg++)
                record.reg[reg] = rng_next(&rng) & rng_next(&rng);
            if (record.kind == SAMPLE_OP) {
                uint64_t complete = record.reg[IBS_OP_DATA] & 0xFFFF;

                record.reg[IBS_OP_DATA] = (record.reg[IBS_OP_DATA] & ~0xFFFF0000ull) | complete << 16;
                record.reg[IBS_OP_DATA2] &= ~4ull; /* sources 4 to 6 are reserved */
                record.reg[IBS_OP_DATA3] &= ~B(19) | (record.reg[IBS_OP_DATA3] & B(6) ? 0 : B(19));
            }
            derived_add(&set, counts, &record);
            if (identities_check(NULL, &set, counts, IDENTITIES_ALL) != 0)
                fail_msg("%Xh %Xh record %d", machines[m].family, machines[m].model, i);
        }
    }
}

TEST(unknown_processors_have_samples_alone)
{
    struct derived_set set = set_of(0x1B, 0, ~0u);

    for (int i = 0; i < DERIVED_COUNT; i++)
        assert_int_equal(set.has[i], i == DERIVED_F000_FETCH_ALL || i == DERIVED_F100_OP_ALL);
}

RUN_TESTS(NULL, NULL)
