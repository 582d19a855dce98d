/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/screen/screen.h"

#include "core/base/mem.h"

static const struct screen_cell empty = {' ', PAINT_PLAIN};

static bool same(struct screen_cell a, struct screen_cell b)
{
    return a.c == b.c && a.paint == b.paint;
}

bool screen_begin(struct screen *screen, unsigned rows, unsigned columns)
{
    if (rows < SCREEN_ROWS_LEAST || columns <= SCREEN_COLUMNS_LEAST)
        return false;
    screen->rows = rows < SCREEN_ROWS ? rows : SCREEN_ROWS;
    screen->columns = columns - 1 < SCREEN_COLUMNS ? columns - 1 : SCREEN_COLUMNS;
    screen_clear(screen);
    screen_forget(screen);
    return true;
}

/* Fills it with cells of no character, which differ from each drawn one. */
void screen_forget(struct screen *screen)
{
    memset(screen->shown, 0, sizeof(screen->shown));
}

void screen_forget_row(struct screen *screen, unsigned row)
{
    if (row < screen->rows)
        memset(screen->shown[row], 0, sizeof(screen->shown[row]));
}

void screen_clear(struct screen *screen)
{
    for (unsigned row = 0; row < screen->rows; row++)
        for (unsigned column = 0; column < screen->columns; column++)
            screen->now[row][column] = empty;
}

static void draw(struct screen *screen, unsigned row, unsigned column, enum paint paint, char c)
{
    if (row < screen->rows && column < screen->columns)
        screen->now[row][column] = (struct screen_cell){c >= ' ' && c <= '~' ? c : '?', (uint8_t)paint};
}

unsigned screen_text(struct screen *screen, unsigned row, unsigned column, enum paint paint, const char *format, ...)
{
    char text[SCREEN_COLUMNS + 1];
    struct out_memory memory;
    va_list args;

    out_memory_init(&memory, text, sizeof(text));
    va_start(args, format);
    out_vprintf(&memory.out, format, args);
    va_end(args);
    for (const char *c = text; *c; c++)
        draw(screen, row, column++, paint, *c);
    return column;
}

void screen_paint(struct screen *screen, unsigned row, unsigned column, unsigned length, enum paint paint)
{
    for (; row < screen->rows && column < screen->columns && length; column++, length--)
        screen->now[row][column].paint = (uint8_t)paint;
}

static void write_block(struct out *out, const char *text, size_t length)
{
    struct screen_block *block = (struct screen_block *)out;

    for (size_t i = 0; i < length; i++) {
        if (text[i] == '\n') {
            block->row++;
            block->column = 0;
        } else if (block->row < block->end) {
            draw(block->screen, block->row, block->column++, block->paint, text[i]);
        }
    }
}

void screen_block_begin(struct screen_block *block, struct screen *screen, unsigned first, unsigned end,
                        enum paint paint)
{
    *block = (struct screen_block){.out = {write_block}, .screen = screen, .row = first, .end = end, .paint = paint};
}

/* Prints cells first..end - 1 of a row, those of one paint at a time. */
static void print_cells(const struct screen_cell *cells, unsigned first, unsigned end,
                        const struct screen_device *device)
{
    char text[SCREEN_COLUMNS];

    while (first < end) {
        unsigned length = 0;
        uint8_t paint = cells[first].paint;

        for (; first < end && cells[first].paint == paint; first++)
            text[length++] = cells[first].c;
        device->paint(device->context, (enum paint)paint);
        device->print(device->context, text, length);
    }
}

void screen_show(struct screen *screen, const struct screen_device *device)
{
    for (unsigned row = 0; row < screen->rows; row++) {
        const struct screen_cell *now = screen->now[row];
        struct screen_cell *shown = screen->shown[row];
        unsigned first = 0, end = screen->columns;

        while (first < end && same(now[first], shown[first]))
            first++;
        while (end > first && same(now[end - 1], shown[end - 1]))
            end--;
        if (first == end)
            continue;
        device->place(device->context, row, first);
        print_cells(now, first, end, device);
        memcpy(shown + first, now + first, (end - first) * sizeof(shown[0]));
    }
    device->paint(device->context, PAINT_PLAIN);
}
