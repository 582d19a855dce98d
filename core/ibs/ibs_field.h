/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The fields of IBS registers, a row each: which bits, and which capabilities they need. A field exists on a processor
 * where its family's row has the bits (core/family/ibs_family.h) and the capabilities agree; and it is valid in a
 * sample where no rule of ibs_rules says otherwise. Derived events and all that shows fields ask here, never for a
 * family's number.
 */
#ifndef CORE_IBS_FIELD_H
#define CORE_IBS_FIELD_H

#include "core/family/ibs_family.h"
#include "core/ibs/record.h"

enum { IBS_RECORD_KINDS = 2, IBS_RECORD_REGS = 8 };

/* A processor, as far as bits of its samples are concerned. */
struct ibs_machine {
    const struct ibs_family *row;                       /* NULL: unknown, only raw registers can be shown */
    uint32_t caps;                                      /* CPUID Fn8000_001B EAX, less what the family ignores */
    uint64_t bits[IBS_RECORD_KINDS][IBS_RECORD_REGS];   /* of all fields, by enum sample_kind and register */
    uint64_t first[IBS_RECORD_KINDS][IBS_RECORD_REGS];  /* of fields with their first meaning (not 'later') */
    uint64_t always[IBS_RECORD_KINDS][IBS_RECORD_REGS]; /* those of 'bits' that are valid in each sample */
    uint32_t rules[IBS_RECORD_KINDS];                   /* a bit for each of ibs_rules that applies */
};

/* Returns the processor. family 0: the file names none, and the family with IBS_TRAIT_DEFAULT is assumed, that of this
 * program's own files. */
struct ibs_machine ibs_machine_of(unsigned family, unsigned model, uint32_t caps);

struct ibs_field {
    const char *name;  /* AMD's or Linux' */
    uint8_t kind, reg; /* enum sample_kind; index into sample_record.reg */
    uint8_t high, low; /* bits */
    uint32_t caps;     /* all of these are needed */
    uint32_t not_caps; /* none of these may be there */
    uint32_t traits;   /* enum ibs_trait: all of these are needed */
    bool later;        /* the bits meant something else on earlier families */
};

extern const struct ibs_field ibs_fields[];
extern const unsigned ibs_field_count;

bool ibs_field_exists(const struct ibs_field *field, const struct ibs_machine *machine);

/* Says which bits are not valid in samples for which the condition holds. */
struct ibs_rule {
    uint32_t traits, errata, caps; /* the processor needs one of them; all 0: every processor */
    uint8_t kind, reg;             /* the condition: in this register */
    bool any;                      /* at least one bit of mask is set; else (register & mask) == value */
    uint64_t mask, value;          /* mask 0: always */
    uint64_t invalid[IBS_RECORD_REGS];
};
extern const struct ibs_rule ibs_rules[];

/* Returns whether the rule's condition holds for the sample. */
bool ibs_rule_holds(const struct ibs_rule *rule, const struct sample_record *record);

/* Finds the bits of each register that are fields (also later ones) and valid in this sample. Reads only registers of
 * conditions: IbsFetchCtl; IbsOpData, IbsOpData3. */
void ibs_valid_bits(const struct ibs_machine *machine, const struct sample_record *record,
                    uint64_t valid[IBS_RECORD_REGS]);

/* Returns the raw number of the source: three bits, or five where the family has them. */
uint32_t ibs_raw_source(const struct ibs_machine *machine, uint64_t data2);

/* Returns where a load's data came from; IBS_SOURCE_RESERVED for an unknown processor. */
enum ibs_source ibs_source_of(const struct ibs_machine *machine, uint64_t data2);

/* Returns a source's name: "L3", "cache", "DRAM", ...; "" for IBS_SOURCE_NONE. */
const char *ibs_source_text(enum ibs_source source);

/* Returns IbsFetchCtl with this family's page size coded as Family 10h codes it (enum ibs_page_size; 16 KB as 3). */
uint64_t ibs_page_size_as_first(const struct ibs_machine *machine, uint64_t fetch_ctl);

#endif
