/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/unit/core/golden_rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/core/check.h"

#include "core/base/crc32c.h"

enum { IN_LINE = 8 };

void golden_rows_begin(struct golden_rows *rows, const char *name)
{
    rows->name = name;
    rows->part = "";
    rows->want = golden_text(name);
    rows->in_line = 0;
    out_memory_init(&rows->all, rows->text, sizeof(rows->text));
    rows->said[0] = '\0';
    out_memory_init(&rows->changed, rows->said, sizeof(rows->said));
}

void golden_rows_line(struct golden_rows *rows, const char *text, size_t length)
{
    if (rows->in_line)
        out_printf(&rows->all.out, "\n");
    rows->in_line = 0;
    out_printf(&rows->all.out, "%.*s", (int)length, text);
}

void golden_rows_part(struct golden_rows *rows, const char *part)
{
    rows->part = part;
    golden_rows_line(rows, part, strlen(part));
    golden_rows_line(rows, "\n", 1);
}

void golden_rows_add(struct golden_rows *rows, uint16_t key, const char *text, size_t length, bool in_full)
{
    char part[32], sum[16], row[4096];

    /* The checksum covers the part's whole name, so a row that moves to another part is noticed. */
    snprintf(part, sizeof(part), "%-31s", rows->part);
    snprintf(sum, sizeof(sum), "%03X:%08x", key, (unsigned)crc32c(crc32c(0, part, sizeof(part)), text, length));
    assert_true(length < sizeof(row));
    memcpy(row, text, length);
    row[length] = '\0';
    if (!strstr(rows->want, in_full ? row : sum))
        out_printf(&rows->changed.out, "%s, %03X is now:\n%s", rows->part, key, row);
    if (in_full) {
        golden_rows_line(rows, text, length);
        return;
    }
    out_printf(&rows->all.out, rows->in_line == 0 ? "  %s" : rows->in_line == IN_LINE ? "\n  %s" : " %s", sum);
    rows->in_line = rows->in_line % IN_LINE + 1;
}

void golden_rows_check(struct golden_rows *rows)
{
    const char *rebase = getenv("REBASE");
    bool same;

    golden_rows_line(rows, "", 0);
    assert_true(rows->all.needed < sizeof(rows->text));
    same = strcmp(rows->want, rows->text) == 0;
    free(rows->want);
    if (same || !rows->changed.needed || (rebase && *rebase == '1')) {
        check_golden(rows->name, rows->text);
        return;
    }
    print_error("%s", rows->said);
    fail_msg("these rows of %s differ (REBASE=1 writes it anew)", rows->name);
}
