/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/unit/test.h"
#include "tests/unit/app/fake_terminal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void fake_terminal_clear(struct fake_terminal *terminal, uint32_t rows, uint32_t columns)
{
    assert_true(rows <= FAKE_ROWS && columns <= FAKE_COLUMNS);
    terminal->rows = rows;
    terminal->columns = columns;
    terminal->row = terminal->column = 0;
    memset(terminal->c, ' ', sizeof(terminal->c));
    memset(terminal->painted, PAINT_PLAIN, sizeof(terminal->painted));
}

static void next_row(struct fake_terminal *terminal)
{
    terminal->column = 0;
    if (++terminal->row < terminal->rows)
        return;
    terminal->row--;
    terminal->scrolled++;
    memmove(terminal->c[0], terminal->c[1], sizeof(terminal->c) - FAKE_COLUMNS);
    memset(terminal->c[terminal->row], ' ', FAKE_COLUMNS);
}

void fake_terminal_print(struct fake_terminal *terminal, const char *text, size_t length)
{
    for (size_t i = 0; terminal->rows && i < length; i++) {
        if (text[i] == '\n') {
            next_row(terminal);
        } else if (text[i] == '\b') {
            terminal->column -= terminal->column != 0;
        } else if (text[i] == '\r') {
            terminal->column = 0;
        } else {
            terminal->c[terminal->row][terminal->column] = text[i];
            terminal->painted[terminal->row][terminal->column] = (uint8_t)terminal->paint;
            if (++terminal->column == terminal->columns)
                next_row(terminal);
        }
    }
}

bool fake_terminal_place(struct fake_terminal *terminal, uint32_t row, uint32_t column)
{
    if (terminal->refuses || row >= terminal->rows || column >= terminal->columns)
        return false;
    terminal->row = row;
    terminal->column = column;
    return true;
}

/* Writes the cursor's position, and for each row the columns that are not plain: "3: title 0-79". */
static void write_paints(const struct fake_terminal *terminal, char *end)
{
    static const char *const names[PAINTS] = {"plain", "title",   "chosen", "faint", "good",
                                              "bad",   "warning", "warm",   "hot"};

    end += sprintf(end, "cursor %u,%u\n", terminal->row, terminal->column);
    for (unsigned row = 0; row < terminal->rows; row++) {
        const uint8_t *painted = terminal->painted[row];
        bool any = false;

        for (unsigned column = 0, first = 0; column < terminal->columns; first = ++column) {
            while (column + 1 < terminal->columns && painted[column + 1] == painted[first])
                column++;
            if (painted[first] == PAINT_PLAIN)
                continue;
            if (!any)
                end += sprintf(end, "%u:", row);
            end += sprintf(end, " %s %u-%u", names[painted[first]], first, column);
            any = true;
        }
        if (any)
            *end++ = '\n';
    }
    *end = '\0';
}

void fake_terminal_picture(struct fake_terminal *terminal)
{
    char *text = malloc(2 * FAKE_ROWS * (FAKE_COLUMNS + 1) + 1), *end = text;

    assert_true(terminal->pictures < FAKE_PICTURES);
    for (unsigned row = 0; row < terminal->rows; row++) {
        memcpy(end, terminal->c[row], terminal->columns);
        end += terminal->columns;
        while (end > text && end[-1] == ' ')
            end--;
        *end++ = '\n';
    }
    *end = '\0';
    if (terminal->tells_paint)
        write_paints(terminal, end);
    terminal->picture[terminal->pictures++] = text;
}

void fake_terminal_done(struct fake_terminal *terminal)
{
    for (unsigned i = 0; i < terminal->pictures; i++)
        free(terminal->picture[i]);
    terminal->pictures = 0;
}
