/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/ibs/derived.h"

#include "core/family/ibs_regs.h"

/* clang-format off */
/* Gates. SET: all bits of 'yes' set and all bits of 'no' clear. ANY: at least one bit of the mask. */
#define SET(register, yes, no)   {.reg = (register), .mask = (yes) | (no), .value = (yes)}
#define ANY(register, bits)      {.reg = (register), .mask = (bits), .any = true}
#define FETCH_CTL(yes, no)       SET(IBS_FETCH_CTL, yes, no)
#define ATTEMPTED                ANY(IBS_FETCH_CTL, IBS_FETCH_REACHED)
#define NOT_REACHED              {.reg = IBS_FETCH_CTL, .mask = IBS_FETCH_REACHED, .weak = true}
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

/* Clear, or a bit that the family does not have: Family 14h has no pages of 1 GB. */
#define NOT_EVEN(bits)           {.reg = IBS_OP_DATA3, .mask = (bits), .weak = true}
#define WIDTH(coded)             LOAD_STORE, SET(IBS_OP_DATA3, (uint64_t)(coded) << 22, IBS_DC_WIDTH & ~((uint64_t)(coded) << 22))
#define PAGE_SIZE(coded)         LOAD_STORE, SET(IBS_OP_DATA3, IBS_DC_PHY_ADDR_VALID | (coded) << 4, \
                                                 IBS_DC_PAGE_SIZE & ~((uint64_t)(coded) << 4))

#define FETCH   .kind = SAMPLE_FETCH, .since = 'B'
#define FETCH_IC .kind = SAMPLE_FETCH, .since = 'B', .not_errata = IBS_E_1238
#define OP      .kind = SAMPLE_OP, .since = 'B'
#define OP_C    .kind = SAMPLE_OP, .since = 'C'
#define OP_MAB   .kind = SAMPLE_OP, .since = 'B', .traits = IBS_TRAIT_MAB_HIT
#define OP_NB    .kind = SAMPLE_OP, .since = 'B', .traits = IBS_TRAIT_NB_STATUS
#define OP_NB_L3 .kind = SAMPLE_OP, .since = 'B', .traits = IBS_TRAIT_NB_STATUS | IBS_TRAIT_NB_L3
#define LATER_FETCH(caps_) .kind = SAMPLE_FETCH, .later = true, .caps = (caps_)
#define LATER_OP(caps_)    .kind = SAMPLE_OP, .later = true, .caps = (caps_)
#define LATER_UC           LATER_OP(0), .traits = IBS_TRAIT_UC_FIRST
#define LATER_NO_MAB       LATER_OP(0), .traits = IBS_TRAIT_NO_MAB_ALLOC
#define SAMPLES_OF(register, shift) .unit = DERIVED_SAMPLES, .field_reg = (register), .field_shift = (shift)
#define SAMPLES .unit = DERIVED_SAMPLES
#define CYCLES(register, shift) .unit = DERIVED_CYCLES, .field_reg = (register), .field_shift = (shift)
#define DERIVED(code_, identifier, kind_, unit_, name_, abbreviation_, symbol_, ...)                              \
    {.code = #code_, kind_, unit_, .name = name_, .abbreviation = abbreviation_, .symbol = symbol_,               \
     .gate = {__VA_ARGS__}},

const struct derived_event derived_events[DERIVED_COUNT] = {
#include "core/ibs/derived_rows.h"
};
/* clang-format on */

_Static_assert(DERIVED_OFFERED == 60, "CodeAnalyst offers 60 derived events on Family 10h");

const char *derived_unit_name(const struct derived_event *event)
{
    return event->unit == DERIVED_CYCLES ? "cycles" : "samples";
}

static bool asks_for_fields(const struct derived_event *event, const uint64_t bits[IBS_RECORD_REGS])
{
    for (int i = 0; i < DERIVED_TESTS; i++) {
        const struct derived_test *test = &event->gate[i];
        uint64_t there = bits[test->reg] & test->mask;

        if (test->mask && !test->weak && (test->any ? there == 0 : there != test->mask))
            return false;
    }
    return (event->unit == DERIVED_SAMPLES && !event->field_shift) ||
           IBS_FIELD(bits[event->field_reg], event->field_shift + 15, event->field_shift) == 0xFFFF;
}

bool derived_has_source(const struct derived_event *event, const struct ibs_machine *machine)
{
    bool gated = event->unit != DERIVED_SAMPLES || event->gate[0].mask;

    if (!machine->row)
        return !gated;
    if ((machine->caps & event->caps) != event->caps || (machine->row->traits & event->traits) != event->traits ||
        (machine->row->errata & event->not_errata))
        return false;
    return asks_for_fields(event, event->later ? machine->bits[event->kind] : machine->first[event->kind]);
}

struct derived_set derived_set_of(const struct ibs_machine *machine)
{
    struct derived_set set = {.machine = *machine};
    unsigned count[IBS_RECORD_KINDS] = {0};

    for (int i = 0; i < DERIVED_COUNT; i++) {
        const struct derived_event *event = &derived_events[i];

        set.has[i] = derived_has_source(event, machine);
        set.sure[i] = !machine->row || asks_for_fields(event, machine->always[event->kind]);
        if (set.has[i])
            set.events[event->kind][count[event->kind]++] = (uint8_t)i;
    }
    for (int kind = 0; kind < IBS_RECORD_KINDS; kind++)
        set.events[kind][count[kind]] = DERIVED_COUNT;
    return set;
}

static bool is_missing(const struct derived_set *set, unsigned kinds, int event)
{
    return event < DERIVED_FIRST && (kinds >> derived_events[event].kind & 1) && !set->has[event];
}

unsigned derived_print_missing(struct out *out, const struct derived_set *set, unsigned kinds)
{
    unsigned count = 0;

    for (int i = 0; i < DERIVED_FIRST; i++) {
        int last = i;

        if (!is_missing(set, kinds, i))
            continue;
        while (is_missing(set, kinds, last + 1))
            last++;
        out_printf(out, "%s%s", count ? ", " : "", derived_events[i].code);
        if (last > i)
            out_printf(out, "%s%s", last > i + 1 ? " to " : ", ", derived_events[last].code);
        count += (unsigned)(last - i) + 1;
        i = last;
    }
    return count;
}

/* Returns whether a sample of the event's kind passes the gate. */
static inline __attribute__((always_inline)) bool passes(const struct derived_event *event,
                                                         const struct sample_record *record)
{
    for (int i = 0; i < DERIVED_TESTS; i++) {
        const struct derived_test *test = &event->gate[i];
        uint64_t bits = record->reg[test->reg] & test->mask;

        if (test->any ? bits == 0 : bits != test->value)
            return false;
    }
    return true;
}

bool derived_applies(const struct derived_event *event, const struct sample_record *record)
{
    return record->kind == event->kind && passes(event, record);
}

/* A sample as events read it: reserved or invalid bits are 0, page sizes are coded as Family 10h codes them. */
struct reading {
    struct sample_record record;
    uint64_t valid[IBS_RECORD_REGS];
};

static void read_sample(struct reading *reading, const struct ibs_machine *machine, const struct sample_record *record)
{
    reading->record = *record;
    ibs_valid_bits(machine, record, reading->valid);
    for (int reg = 0; reg < IBS_RECORD_REGS; reg++)
        reading->record.reg[reg] &= reading->valid[reg];
    if (record->kind == SAMPLE_FETCH)
        reading->record.reg[IBS_FETCH_CTL] = ibs_page_size_as_first(machine, reading->record.reg[IBS_FETCH_CTL]);
}

static unsigned find(const struct derived_set *set, const struct sample_record *record, struct reading *reading,
                     uint8_t ret_events[DERIVED_COUNT])
{
    unsigned count = 0;

    if (!sample_is_ibs(record->kind))
        return 0;
    read_sample(reading, &set->machine, record);
    for (const uint8_t *event = set->events[record->kind]; *event < DERIVED_COUNT; event++)
        if (passes(&derived_events[*event], &reading->record) &&
            (set->sure[*event] || asks_for_fields(&derived_events[*event], reading->valid)))
            ret_events[count++] = *event;
    return count;
}

unsigned derived_find(const struct derived_set *set, const struct sample_record *record,
                      uint8_t ret_events[DERIVED_COUNT])
{
    struct reading reading;

    return find(set, record, &reading, ret_events);
}

/* Returns what a sample that counts for the event adds. */
static uint64_t adds(const struct derived_event *event, const struct sample_record *record)
{
    if (event->unit == DERIVED_SAMPLES)
        return 1;
    return IBS_FIELD(record->reg[event->field_reg], event->field_shift + 15, event->field_shift);
}

void derived_add(const struct derived_set *set, uint64_t counts[DERIVED_COUNT], const struct sample_record *record)
{
    uint8_t events[DERIVED_COUNT];
    struct reading reading;
    unsigned count = find(set, record, &reading, events);

    for (unsigned i = 0; i < count; i++)
        counts[events[i]] += adds(&derived_events[events[i]], &reading.record);
}
