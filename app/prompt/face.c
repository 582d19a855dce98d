/* SPDX-License-Identifier: BSD-2-Clause */
#include "app/prompt/face.h"

#include "app/base/pool.h"
#include "core/base/mem.h"
#include "core/base/version.h"
#include "drivers/machine/vpmu_query.h"

enum { FOREVER_MS = 60000, WHERE = 12 /* columns of the place in a text */ };

static struct firmware *fw_of(void *context)
{
    return ((struct face *)context)->console->fw;
}

static void place(void *context, unsigned row, unsigned column)
{
    (void)fw_of(context)->place(fw_of(context), row, column);
}

static void paint(void *context, enum paint how)
{
    fw_of(context)->paint(fw_of(context), how);
}

static void print(void *context, const char *text, size_t length)
{
    fw_of(context)->print(fw_of(context), text, length);
}

bool face_open(struct face *face, struct console *console, const struct machine *machine)
{
    struct firmware *fw = console->fw;

    *face = (struct face){.console = console, .machine = machine};
    if (fw->rows < SCREEN_ROWS_LEAST || fw->columns <= SCREEN_COLUMNS_LEAST) {
        out_printf(&console->out, "No screen: it needs %u rows and %u columns, but there are %u and %u.\n",
                   SCREEN_ROWS_LEAST, SCREEN_COLUMNS_LEAST + 1, fw->rows, fw->columns);
        return false;
    }
    if (!fw->place || !fw->place(fw, 0, 0)) {
        out_printf(&console->out, "No screen: this console cannot move its cursor.\n");
        return false;
    }
    face->screen = fw->allocate(fw, sizeof(*face->screen), POOL_PAGE);
    if (!face->screen) {
        out_printf(&console->out, "No screen: there is not enough memory.\n");
        return false;
    }
    (void)screen_begin(face->screen, fw->rows, fw->columns);
    face_return(face);
    return true;
}

void face_leave(struct face *face)
{
    struct firmware *fw = face->console->fw;

    fw->paint(fw, PAINT_PLAIN);
    fw->clear(fw);
    console_new_page(face->console);
}

void face_return(struct face *face)
{
    face_leave(face);
    screen_forget(face->screen);
}

void face_close(struct face *face)
{
    struct firmware *fw = face->console->fw;

    face_leave(face);
    fw->release(fw, face->screen, sizeof(*face->screen));
}

void face_frame(struct face *face, const char *what, const char *keys)
{
    struct screen *screen = face->screen;
    const struct machine *machine = face->machine;
    const char *origin = !machine->hypervisor ? "" : vpmu_is_model(machine) ? " MODEL " : " VIRTUAL ";
    const char *board = machine->board.text[SMBIOS_BOARD];
    unsigned width = (unsigned)strlen(origin), column, rest;
    char name[SCREEN_COLUMNS];
    struct out_memory text;

    out_memory_init(&text, name, sizeof(name));
    out_printf(&text.out, "%s%s%s", machine->name[0] ? machine->name : machine->vendor, board[0] ? ", " : "", board);
    column = screen_text(screen, 0, 0, PAINT_TITLE, " ibsboot %s  ", IBSBOOT_VERSION);
    /* A long name of the machine is cut, and not the name of what is shown. */
    rest = column + 2 + (unsigned)strlen(what) + width;
    (void)screen_text(screen, 0, column, PAINT_TITLE, "%.*s  %s%*s",
                      rest < screen->columns ? (int)(screen->columns - rest) : 0, name, what, (int)screen->columns, "");
    (void)screen_text(screen, 0, screen->columns - width, PAINT_WARNING, "%s", origin);
    (void)screen_text(screen, screen->rows - 1, 0, PAINT_TITLE, " %s%*s", keys, (int)screen->columns, "");
}

void face_show(struct face *face, unsigned row)
{
    const struct screen_device device = {face, place, paint, print};

    screen_show(face->screen, &device);
    place(face, row, 0);
}

int face_key(struct face *face, uint32_t timeout_ms)
{
    return console_key(face->console, timeout_ms);
}

struct typing {
    struct out out;
    struct face *face;
};

static void print_typed(struct out *out, const char *text, size_t length)
{
    print(((struct typing *)out)->face, text, length);
}

bool face_ask(struct face *face, unsigned row, const char *asks, struct line *line,
              void (*complete)(void *argument, struct line *line, struct out *out), void *argument)
{
    struct typing typing = {{print_typed}, face};
    enum line_result result = LINE_GOES_ON;
    int key = KEY_NONE;

    (void)screen_text(face->screen, row, 0, PAINT_PLAIN, "%s%*s", asks, (int)face->screen->columns, "");
    face_show(face, row);
    place(face, row, (unsigned)strlen(asks));
    while (result != LINE_ENTERED && key != KEY_ESCAPE) {
        key = face_key(face, FOREVER_MS);
        result = line_take(line, key, &typing.out);
        if (key == KEY_TAB && complete)
            complete(argument, line, &typing.out);
    }
    screen_forget_row(face->screen, row);
    return result == LINE_ENTERED;
}

void face_list_scroll(struct face_list *list)
{
    if (list->chosen < list->top)
        list->top = list->chosen;
    if (list->chosen >= list->top + list->rows)
        list->top = list->chosen - list->rows + 1;
}

bool face_list_take(struct face_list *list, int key)
{
    unsigned last = list->count ? list->count - 1 : 0, number = list->number;

    list->number = 0;
    if (key >= '0' && key <= '9') {
        number = 10 * number + (unsigned)(key - '0');
        if (number > list->count)
            number = (unsigned)(key - '0');
        if (number && number <= list->count)
            list->chosen = number - 1;
        list->number = number;
    } else if (key == KEY_UP) {
        list->chosen -= list->chosen != 0;
    } else if (key == KEY_DOWN) {
        list->chosen += list->chosen < last;
    } else if (key == KEY_PAGE_UP) {
        list->chosen -= list->chosen < list->rows ? list->chosen : list->rows;
    } else if (key == KEY_PAGE_DOWN) {
        list->chosen = list->chosen + list->rows < last ? list->chosen + list->rows : last;
    } else if (key == KEY_HOME || key == KEY_END) {
        list->chosen = key == KEY_HOME ? 0 : last;
    } else {
        return false;
    }
    face_list_scroll(list);
    return true;
}

/* Lets the user type a word, and goes to its first place. */
static void search(struct face *face, struct pages *pages)
{
    unsigned row = face->screen->rows - 1;
    struct line line;

    line_begin(&line, PAGES_WORD_MAX - 1, NULL);
    if (!face_ask(face, row, " Search: ", &line, NULL, NULL))
        return;
    if (line.length)
        memcpy(pages->word, line.text, line.length < PAGES_WORD_MAX ? line.length + 1 : PAGES_WORD_MAX);
    pages->word[PAGES_WORD_MAX] = '\0';
}

void face_read(struct face *face, const char *what, const char *text, size_t length, const uint8_t *heat)
{
    struct screen *screen = face->screen;
    const char *told = "";
    struct pages pages;

    pages_begin(&pages, text, length, screen->rows - 2);
    pages.heat = heat;
    for (;;) {
        unsigned end = pages.top + pages.rows;
        int key;

        screen_clear(screen);
        pages_draw(&pages, screen, 1);
        face_frame(face, what,
                   heat ? "arrows, pages  /: search  n N: next, previous  h: heat  q: back"
                        : "arrows, pages: move   /: search   n N: next, previous   q: back");
        if (told[0])
            (void)screen_text(screen, screen->rows - 1, screen->columns - WHERE, PAINT_WARNING, "%-*s", WHERE, told);
        else
            (void)screen_text(screen, screen->rows - 1, screen->columns - WHERE, PAINT_TITLE, "%4u of %u%*s",
                              end < pages.lines ? end : pages.lines, pages.lines, WHERE, "");
        face_show(face, 1);
        key = face_key(face, FOREVER_MS);
        told = "";
        if (key == KEY_ESCAPE || key == 'q')
            return;
        if (key == '/')
            search(face, &pages);
        if (key == 'h')
            pages.heat = pages.heat ? NULL : heat;
        if (pages_take(&pages, key) || (key != '/' && key != 'n' && key != 'N') || !pages.word[0])
            continue;
        if (!pages_find(&pages, key == 'N' ? -1 : 1))
            told = "not found";
    }
}
