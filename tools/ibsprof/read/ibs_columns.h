/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The fields of IBS samples as columns, named as AMD_IBS_Toolkit's decoder names them (tools/ibs_decoder), in its order
 * and in its text form: numbers in decimal, addresses as 0x and hexadecimal, "-" for what is not valid.
 *
 * Where it errs we do not follow: its IbsOpReturn shows bit 37 instead of 34; without IbsOpData2[5:4] it prints two
 * fields too many; its test for erratum 717 is the wrong way round; and it has no name for a local L3 from Zen 4 on.
 * Files with times in nanoseconds have "Time_ns" instead of its "TSC".
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
    IBS_COLUMN_RULES = 4, /* most rules of ibs_rules that one field has on one processor */
};

struct ibs_column;

/* The columns that samples of this kind and layout have. */
struct ibs_columns {
    struct ibs_layout layout;
    enum sample_kind kind;
    bool ticks; /* times are TSC ticks */
    unsigned count;
    const struct ibs_column *column[IBS_COLUMNS_MAX];
    /* Rules of ibs_rules that say when a column's field is not valid; the value is "-" then. */
    uint8_t rule_count[IBS_COLUMNS_MAX], rule[IBS_COLUMNS_MAX][IBS_COLUMN_RULES];
    bool conditional[IBS_COLUMNS_MAX]; /* the value may be "-" by a rule, a gate, or a lost fetch */
};

struct ibs_columns ibs_columns_of(enum sample_kind kind, const struct ibs_layout *layout, bool ticks);

const char *ibs_column_name(const struct ibs_columns *columns, unsigned index);

/* The value as text, without NUL, at 'to' (room for IBS_VALUE_MAX); returns the end. */
char *ibs_column_value(const struct ibs_columns *columns, unsigned index, const struct perfdata_item *sample, char *to);

/* Is the value a decimal number, or text? */
bool ibs_column_is_number(const struct ibs_columns *columns, unsigned index);

/* Numbers as text, without NUL; return the end. */
char *put_decimal(char *to, uint64_t value);
char *put_hex(char *to, uint64_t value); /* with 0x */

#endif
