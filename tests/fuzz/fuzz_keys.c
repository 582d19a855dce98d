/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A serial line's bytes as keys, of a line that is typed and of a text that is looked through. In all cases there are
 * no more keys than bytes, what is printed stays in the line's field, and the text's lines are on the screen.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/screen/keys.h"
#include "core/screen/line.h"
#include "core/screen/pages.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { WIDTH = 20 };

static struct screen screen;
static struct line line;
static struct line_history history;
static struct pages pages;
static unsigned column;

static void check(bool holds)
{
    if (!holds)
        abort();
}

static void print(struct out *out, const char *text, size_t length)
{
    (void)out;
    for (size_t i = 0; i < length; i++) {
        check(text[i] == '\b' ? column > 0 : column < WIDTH && text[i] >= ' ' && text[i] <= '~');
        column += text[i] == '\b' ? -1u : 1u;
    }
}

static void use(int key)
{
    struct out out = {print};

    check(key > 0 && key <= KEY_PAGE_DOWN);
    if (line_take(&line, key, &out) == LINE_ENTERED) {
        memcpy(pages.word, line.text, PAGES_WORD_MAX);
        column = 0;
        line_begin(&line, WIDTH, &history);
    }
    check(line.length <= LINE_MAX && line.at <= line.length && strlen(line.text) == line.length);
    check(column == line.at - line.first && column <= WIDTH);
    (void)pages_take(&pages, key);
    if (key == 'n' || key == 'N')
        (void)pages_find(&pages, key == 'n' ? 1 : -1);
    check(!pages.lines || pages.top < pages.lines);
    pages_draw(&pages, &screen, 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct keys keys = {0};
    size_t given = 0;
    int key;

    check(screen_begin(&screen, 25, 80));
    memset(&history, 0, sizeof(history));
    column = 0;
    line_begin(&line, WIDTH, &history);
    pages_begin(&pages, (const char *)data, size, 10);
    for (size_t i = 0; i < size || keys.held;) {
        int next = keys.held ? keys.held : data[i];

        i += !keys.held;
        keys.held = KEY_NONE;
        if (!next)
            continue;
        key = keys_take(&keys, next);
        if (key) {
            use(key);
            check(++given <= size);
        }
    }
    key = keys_begun(&keys) ? keys_expire(&keys) : KEY_NONE;
    if (key)
        use(key);
    check(!keys_begun(&keys));
    return 0;
}
