/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/derived.h"

#include "core/ibs_regs.h"

/* clang-format off */
/* Gates. SET: all bits of 'yes' set and all bits of 'no' clear. ANY: at least one bit of the mask. */
#define SET(register, yes, no)   {.reg = (register), .mask = (yes) | (no), .value = (yes)}
#define ANY(register, bits)      {.reg = (register), .mask = (bits), .any = true}
#define FETCH_CTL(yes, no)       SET(IBS_FETCH_CTL, yes, no)
#define ATTEMPTED                ANY(IBS_FETCH_CTL, IBS_FETCH_REACHED)
#define BRANCH(yes)              SET(IBS_OP_DATA, IBS_OP_BRN_RET | (yes), 0)
#define LOAD_STORE               ANY(IBS_OP_DATA3, IBS_LD_OP | IBS_ST_OP)
#define DC(yes, no)              LOAD_STORE, SET(IBS_OP_DATA3, yes, no)
#define L1_PAGE(yes, no)         DC(IBS_DC_LIN_ADDR_VALID | (yes), IBS_DC_L1TLB_MISS | (no))
#define L2_PAGE(yes, no)         DC(IBS_DC_LIN_ADDR_VALID | IBS_DC_L1TLB_MISS | (yes), IBS_DC_L2TLB_MISS | (no))
/* Northbridge: loads that missed the DC and have a source. */
#define NB_STATUS                SET(IBS_OP_DATA3, IBS_LD_OP | IBS_DC_MISS, 0), ANY(IBS_OP_DATA2, IBS_NB_REQ_SRC)
#define NB(flags, source)        NB_STATUS, {.reg = IBS_OP_DATA2, .mask = (flags) | IBS_NB_REQ_SRC, .value = (source)}
#define NB_LOCAL                 NB_STATUS, SET(IBS_OP_DATA2, 0, IBS_NB_DST_PROC)
#define NB_REMOTE                NB_STATUS, SET(IBS_OP_DATA2, IBS_NB_DST_PROC, 0)
#define NB_LOCAL_FROM(source)    NB(IBS_NB_DST_PROC, source)
#define NB_REMOTE_FROM(source)   NB(IBS_NB_DST_PROC, IBS_NB_DST_PROC | (source))

#define FETCH   .kind = SAMPLE_FETCH, .since = 'B'
#define OP      .kind = SAMPLE_OP, .since = 'B'
#define OP_C    .kind = SAMPLE_OP, .since = 'C'
#define SAMPLES .unit = DERIVED_SAMPLES
#define CYCLES(register, shift) .unit = DERIVED_CYCLES, .field_reg = (register), .field_shift = (shift)
#define DERIVED(code_, identifier, kind_, unit_, name_, abbreviation_, symbol_, ...)                              \
    {.code = #code_, kind_, unit_, .name = name_, .abbreviation = abbreviation_, .symbol = symbol_,               \
     .gate = {__VA_ARGS__}},

const struct derived_event derived_events[DERIVED_COUNT] = {
#include "core/derived_rows.h"
};
/* clang-format on */

_Static_assert(DERIVED_OFFERED == 60, "CodeAnalyst offers 60 derived events on Family 10h");

const char *derived_unit_name(const struct derived_event *event)
{
    return event->unit == DERIVED_CYCLES ? "cycles" : "samples";
}

bool derived_applies(const struct derived_event *event, const struct sample_record *record)
{
    if (record->kind != event->kind)
        return false;
    for (int i = 0; i < DERIVED_TESTS; i++) {
        const struct derived_test *test = &event->gate[i];
        uint64_t bits = record->reg[test->reg] & test->mask;

        if (test->mask && (test->any ? bits == 0 : bits != test->value))
            return false;
    }
    return true;
}

void derived_add(uint64_t counts[DERIVED_COUNT], const struct sample_record *record)
{
    for (int i = 0; i < DERIVED_COUNT; i++) {
        const struct derived_event *event = &derived_events[i];

        if (!derived_applies(event, record))
            continue;
        if (event->unit == DERIVED_CYCLES)
            counts[i] += IBS_FIELD(record->reg[event->field_reg], event->field_shift + 15, event->field_shift);
        else
            counts[i]++;
    }
}
