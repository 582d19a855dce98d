/* SPDX-License-Identifier: BSD-2-Clause */
/* perf_mem_data_src from Zen on, compared with what Linux computes from the same registers: arch/x86/events/amd/ibs.c
 * (perf_ibs_parse_ld_st_data and the functions it calls) as a table of numbers, written from that file's rules and from
 * the bits in include/uapi/linux/perf_event.h. None of this program's tables, masks or names is used. */
#include <stdio.h>

#include "tests/unit/core/check.h"

#include "core/base/rng.h"
#include "core/perfdata/perfdata.h"

enum { SAMPLES = 100000 };

/* Returns the word whose fields have these values, at the first bits that Linux uses. */
static uint64_t word(uint64_t op, uint64_t level, uint64_t snoop, uint64_t lock, uint64_t tlb)
{
    return op | level | snoop << 19 | lock << 24 | tlb << 26;
}

/* A level: its mask from bit 5 (2: hit), its number from bit 33, another node at bit 37, hops from bit 43. */
#define AT(level, number, far, hops)                                                                                   \
    ((uint64_t)(level) << 5 | (uint64_t)(number) << 33 | (uint64_t)(far) << 37 | (uint64_t)(hops) << 43)

/* A source as two levels, near and with the bit of another node; 0: no level. */
struct source {
    uint64_t near, far;
    bool state; /* a 0 in the state's bit means modified */
};

static const struct source three_bits[32] = {
    [2] = {AT(0x442, 0xB, 0, 1), AT(0x442, 0xB, 0, 1), true},
    [3] = {AT(0x82, 0xD, 0, 0), AT(0x102, 0xD, 1, 2), false},
    [4] = {AT(0x802, 0xB, 1, 2), AT(0x802, 0xB, 1, 2), false},
    [7] = {AT(0x1002, 0xA, 0, 0), AT(0x1002, 0xA, 0, 0), false},
};

static const struct source five_bits[32] = {
    [1] = {AT(0x42, 3, 0, 0), AT(0x42, 3, 0, 0), true},
    [2] = {AT(0x402, 0xB, 1, 1), AT(0x402, 0xB, 1, 1), true},
    [3] = {AT(0x82, 0xD, 0, 0), AT(0x102, 0xD, 1, 2), false},
    [5] = {AT(0x802, 0xB, 1, 2), AT(0x802, 0xB, 1, 2), true},
    [6] = {AT(0, 0xE, 0, 0), AT(0, 0xE, 1, 2), false},
    [7] = {AT(0x1002, 0xA, 0, 0), AT(0x1002, 0xA, 0, 0), false},
    [8] = {AT(0, 9, 0, 0), AT(0, 9, 1, 2), false},
};

static bool bit(uint64_t value, unsigned number)
{
    return value >> number & 1;
}

static uint64_t level(const struct source *source, uint64_t data2, uint64_t data3, bool io, bool erratum_1293)
{
    uint64_t told = bit(data3, 0) ? (bit(data2, 4) ? source->far : source->near) : 0;

    if (bit(data3, 14) && !io)
        return AT(0x2002, 8, 0, 0);
    if (!bit(data3, 7))
        return AT(0xA, 1, 0, 0);
    if (!bit(data3, 20) && !erratum_1293)
        return AT(0x22, 2, 0, 0);
    if (told)
        return told;
    return bit(data3, 16) ? AT(0x12, 0xC, 0, 0) : AT(1, 0xF, 0, 0);
}

static uint64_t linux_says(unsigned family, unsigned model, uint32_t caps, uint64_t data2, uint64_t data3)
{
    bool wide = bit(caps, 11), stateless = family == 0x19 && (model <= 0xF || (model >= 0x20 && model <= 0x5F));
    bool erratum_1293 = family == 0x19 && model <= 0xF && (bit(data3, 21) || bit(data3, 16));
    const struct source *source;
    uint64_t at, tlb = 1;
    unsigned number;

    if (!bit(data3, 0) && !bit(data3, 1))
        return word(1, AT(1, 0xF, 0, 0), 1, 1, 1);
    data2 = erratum_1293 ? 0 : data2;
    number = (unsigned)(data2 & 7) | (wide ? (unsigned)(data2 >> 6 & 3) << 3 : 0);
    source = wide ? &five_bits[number] : &three_bits[number];
    at = level(source, data2, data3, number == 7, erratum_1293);
    if (bit(data3, 17) && (!bit(caps, 19) || bit(data3, 18)))
        tlb = !bit(data3, 2) ? 0xA : !bit(data3, 3) ? 0x12 : 0x14;
    return word(bit(data3, 0) ? 2 : 4, at,
                bit(data3, 0) && source->state && !stateless && !bit(data2, 5) && !(at >> 5 & 0x28) ? 0x10 : 1,
                bit(data3, 15) ? 2 : 1, tlb);
}

/* Compares random registers with all bits; what is rare in a program occurs here in every second to fourth sample. */
TEST(random_samples)
{
    static const struct {
        const char *name;
        uint8_t family, model;
        uint32_t caps;
    } rows[] = {{"zen", 0x17, 0x01, 0x3FF},        {"zen2", 0x17, 0x71, 0x3FF},  {"zen3", 0x19, 0x01, 0x3FF},
                {"zen3, 21h", 0x19, 0x21, 0x3FF},  {"zen4", 0x19, 0x61, 0xBFF},  {"zen5", 0x1A, 0x44, 0x81BFF},
                {"zen5, 02h", 0x1A, 0x02, 0x1BFF}, {"zen6", 0x1A, 0x50, 0x9FBFF}};
    struct rng rng;

    rng_seed(&rng, 40);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const struct ibs_machine machine = ibs_machine_of(rows[i].family, rows[i].model, rows[i].caps);
        unsigned modified = 0;

        for (unsigned n = 0; n < SAMPLES; n++) {
            struct sample_record op = {.kind = SAMPLE_OP};
            uint64_t want;

            op.reg[IBS_OP_DATA2] = rng_next(&rng);
            op.reg[IBS_OP_DATA2] &= bit(rng_next(&rng), 0) ? ~0xC0ull : ~0ull; /* the upper bits of the source */
            op.reg[IBS_OP_DATA3] = rng_next(&rng) & ~(bit(rng_next(&rng), 0) << 14 | 0ull); /* uncacheable */
            want = linux_says(rows[i].family, rows[i].model, rows[i].caps, op.reg[IBS_OP_DATA2], op.reg[IBS_OP_DATA3]);
            modified += (want >> 19 & 0x1F) == 0x10;
            if (perfdata_data_src(&machine, &op) != want)
                fail_msg("%s: data2 %llx data3 %llx: %llx, not %llx", rows[i].name,
                         (unsigned long long)op.reg[IBS_OP_DATA2], (unsigned long long)op.reg[IBS_OP_DATA3],
                         (unsigned long long)perfdata_data_src(&machine, &op), (unsigned long long)want);
        }
        assert_true((modified > SAMPLES / 200) == (rows[i].family != 0x19 || rows[i].model > 0x5F));
    }
}

RUN_TESTS(NULL, NULL)
