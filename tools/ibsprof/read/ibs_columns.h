/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Fields of IBS samples as columns, with the names of AMD_IBS_Toolkit's decoder (tools/ibs_decoder), its order and its
 * text form: numbers in decimal, addresses as 0x and hexadecimal, "-" for invalid fields.
 *
 * Its errors are not copied: its IbsOpReturn shows bit 37 instead of 34; without IbsOpData2[5:4] it prints two fields
 * too many; its test for erratum 717 is inverted; and it has no name for a local L3 from Zen 4 on. Files with times in
 * nanoseconds have "Time_ns" instead of its "TSC".
 */
#ifndef TOOLS_IBSPROF_IBS_COLUMNS_H
#define TOOLS_IBSPROF_IBS_COLUMNS_H

#include <stdio.h>

#include "tools/ibsprof/read/ibs_layout.h"
#include "tools/ibsprof/read/input.h"

enum {
    IBS_COLUMNS_MAX = 64,
    IBS_VALUE_MAX = 32,
    IBS_ROW_MAX = IBS_COLUMNS_MAX * IBS_VALUE_MAX,
    IBS_COLUMN_RULES = 4, /* most rules of ibs_rules for one field on one processor */
};

struct ibs_column;

/* Columns for samples of this kind and layout. */
struct ibs_columns {
    struct ibs_layout layout;
    enum sample_kind kind;
    bool ticks; /* times are in TSC ticks */
    unsigned count;
    const struct ibs_column *column[IBS_COLUMNS_MAX];
    /* Rules of ibs_rules for when a column's field is invalid; the value is then "-". */
    uint8_t rule_count[IBS_COLUMNS_MAX], rule[IBS_COLUMNS_MAX][IBS_COLUMN_RULES];
    bool conditional[IBS_COLUMNS_MAX]; /* a rule, a gate, or a lost fetch can make the value "-" */
};

struct ibs_columns ibs_columns_of(enum sample_kind kind, const struct ibs_layout *layout, bool ticks);

const char *ibs_column_name(const struct ibs_columns *columns, unsigned index);

/* Writes the value as text without NUL to 'to' (IBS_VALUE_MAX bytes); returns its end. */
char *ibs_column_value(const struct ibs_columns *columns, unsigned index, const struct perfdata_item *sample, char *to);

/* Returns whether the value is a decimal number, not text. */
bool ibs_column_is_number(const struct ibs_columns *columns, unsigned index);

/* Write numbers as text without NUL; return the end. */
char *put_decimal(char *to, uint64_t value);
char *put_hex(char *to, uint64_t value); /* with 0x */

#endif
