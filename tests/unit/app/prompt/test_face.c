/* SPDX-License-Identifier: BSD-2-Clause */
/* The frame of the screens, lines typed in it, texts to read, and lists: as pictures, with painted text and the
 * cursor's place. */
#include <stdio.h>
#include <string.h>

#include "app/prompt/face.h"
#include "tests/unit/app/fixture.h"
#include "tests/unit/app/typed_keys.h"

static struct face face;
static struct console console;
static struct machine machine;
static struct line line;
static const uint8_t *heat;

static bool open_of(unsigned rows, unsigned columns)
{
    fake_fw.firmware.rows = rows;
    fake_fw.firmware.columns = columns;
    fake_fw.terminal.tells_paint = true;
    console_init(&console, &fake_fw.firmware);
    return face_open(&face, &console, &machine);
}

static int setup(void **state)
{
    (void)fixture_setup(state);
    heat = NULL;
    machine = (struct machine){.vendor = "AuthenticAMD", .name = "Some processor"};
    return 0;
}

static const char *picture(unsigned n)
{
    assert_in_range(n, 0, fake_fw.terminal.pictures - 1);
    return fake_fw.terminal.picture[n];
}

/* ---------------------------------------------------------------- opened and closed */

TEST_WITH(smallest_sizes, setup, fixture_teardown)
{
    static const struct {
        unsigned rows, columns;
        bool good;
    } rows[] = {{20, 61, true}, {19, 61, false}, {20, 60, false}, {21, 62, true}, {0, 0, false}};

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        fake_firmware_clear(&fake_fw);
        assert_int_equal(open_of(rows[i].rows, rows[i].columns), rows[i].good);
        if (rows[i].good)
            face_close(&face);
        assert_int_equal(fake_fw.screen_length == 0, rows[i].good);
    }
}

TEST_WITH(no_memory, setup, fixture_teardown)
{
    fake_fw.fail.call = FAKE_ALLOCATE;
    fake_fw.fail.at = 1;
    assert_false(open_of(25, 80));
    assert_string_equal(fake_fw.screen, "No screen: there is not enough memory.\n");
    fake_fw.firmware.place = NULL;
    fake_firmware_clear(&fake_fw);
    assert_false(open_of(25, 80));
    assert_string_equal(fake_fw.screen, "No screen: this console cannot move its cursor.\n");
}

static void photograph(void)
{
    face_show(&face, 1);
    fake_terminal_picture(&fake_fw.terminal);
}

/* Frames for machines with and without a name, with a known board or not, on silicon or not; and names longer than the
 * screen. */
TEST_WITH(frames, setup, fixture_teardown)
{
    assert_true(open_of(20, 61));
    face_frame(&face, "what there is", "keys that there are");
    photograph();
    machine.name[0] = '\0';
    strcpy(machine.board.text[SMBIOS_BOARD], "A board");
    machine.hypervisor = true;
    strcpy(machine.hypervisor_signature, "KVMKVMKVM");
    screen_clear(face.screen);
    face_frame(&face, "", "");
    photograph();
    strcpy(machine.hypervisor_signature, "ibsbootvPMU");
    memset(machine.name, 'x', sizeof(machine.name) - 1);
    face_frame(&face, "a long name of what there is, which does not fit",
               "keys, of which there are more than fit the row, q");
    photograph();
    /* Text that was printed meanwhile is cleared, and the whole frame is drawn again. */
    face_leave(&face);
    out_printf(&console.out, "printed\nmeanwhile");
    fake_terminal_picture(&fake_fw.terminal);
    face_return(&face);
    assert_int_equal(console.column, 0);
    photograph();
    face_close(&face);
    fake_terminal_picture(&fake_fw.terminal);
    assert_int_equal(fake_fw.terminal.scrolled, 0);
    check_pictures("screen/frames.txt");
}

/* ---------------------------------------------------------------- typed */

static unsigned completed;

static void complete(void *argument, struct line *typed, struct out *out)
{
    assert_ptr_equal(argument, &completed);
    completed++;
    (void)line_replace(typed, 1, "done", out);
}

/* Returns the line, or NULL after Escape. */
static const char *ask(const char *keys, bool completes)
{
    fake_fw.keys = keys;
    line_begin(&line, 20, NULL);
    return face_ask(&face, 3, " Name: ", &line, completes ? complete : NULL, &completed) ? line.text : NULL;
}

TEST_WITH(typed, setup, fixture_teardown)
{
    assert_true(open_of(20, 61));
    (void)screen_text(face.screen, 3, 0, PAINT_BAD, "what was in the row before, up to the last of its columns..");
    (void)screen_text(face.screen, 4, 0, PAINT_PLAIN, "below");
    photograph();
    assert_string_equal(ask(PHOTO "abc" PHOTO "\4\5\t" PHOTO "\n", false), "abc");
    assert_null(ask("xyz" PHOTO "\x1b" PAUSE, true));
    assert_int_equal(completed, 0);
    assert_string_equal(ask("ab\t" PHOTO "\n", true), "adone");
    assert_int_equal(completed, 1);
    /* The typed line disappears when the row is drawn. */
    (void)screen_text(face.screen, 3, 0, PAINT_PLAIN, "%60s", "");
    photograph();
    face_close(&face);
    check_pictures("screen/typed.txt");
}

/* ---------------------------------------------------------------- read */

static char text[6000];

/* Writes so many lines, some of which contain the word. */
static void write_lines(unsigned lines)
{
    text[0] = '\0';
    for (unsigned i = 1; i <= lines; i++)
        sprintf(text + strlen(text), "line %u%s\n", i, i % 10 == 5 ? " has a Needle" : "");
}

static void read_keys(const char *keys)
{
    fake_fw.keys = keys;
    face_read(&face, "a text", text, strlen(text), heat);
    assert_string_equal(fake_fw.keys, "");
}

/* The texts have no line, one line, as many as there are rows, and one more. */
TEST_WITH(lengths_of_texts, setup, fixture_teardown)
{
    static const unsigned lengths[] = {0, 1, 17, 18, 19};

    assert_true(open_of(20, 61));
    for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
        write_lines(lengths[i]);
        read_keys(PHOTO DOWN PHOTO "q");
    }
    face_close(&face);
    check_pictures("screen/texts.txt");
}

TEST_WITH(searched_in_a_text, setup, fixture_teardown)
{
    assert_true(open_of(20, 61));
    write_lines(60);
    read_keys("n" PHOTO                /* there is no word to search for yet */
              "/" PHOTO "needle\n"     /* finds line 5 */
              PHOTO "n" PHOTO          /* 15 */
              "N" PHOTO                /* line 5 again, and no match before it */
              "N" PHOTO "x" PHOTO      /* "not found" disappears */
              "/other\x1b" PAUSE PHOTO /* Escape: the former word stays */
              "n" PHOTO "/\n" PHOTO    /* line 15; an empty line means the former word */
              "G/line 1\n" PHOTO       /* no match up to the end */
              "g/line 60\n" PHOTO "q");
    face_close(&face);
    check_pictures("screen/searched.txt");
}

/* The word of a search is cut at 40 characters; Escape leaves the text as well. */
TEST_WITH(long_words, setup, fixture_teardown)
{
    assert_true(open_of(25, 80));
    strcpy(text,
           "first\n0123456789012345678901234567890123456789 and more\n0123456789012345678901234567890123456789x\n");
    read_keys("/0123456789012345678901234567890123456789\n" PHOTO "/0123456789012345678901234567890123456789xyz\n" PHOTO
              "n" PHOTO "\x1b" PAUSE);
    assert_non_null(strstr(picture(0), "\n0123456789012345678901234567890123456789 and more\n"));
    assert_non_null(strstr(picture(0), "\n1: chosen 0-39\n"));
    assert_null(strstr(picture(0), "first"));
    assert_non_null(strstr(picture(1), "\n0123456789012345678901234567890123456789x\n"));
    assert_non_null(strstr(picture(1), "\n1: chosen 0-39\n"));
    assert_non_null(strstr(picture(2), " not found"));
    face_close(&face);
}

/* Bars of heat stand before the addresses while a line is as long as the screen is wide, beside the text if there is
 * room or the text is moved sideways, and nowhere after h. A word that is found is painted as a match. */
TEST_WITH(heat_of_a_text, setup, fixture_teardown)
{
    static const uint8_t steps[] = {0, 8, 5, 4, 2, 1, 0, 0};

    assert_true(open_of(20, 61));
    heat = steps;
    strcpy(text, "Address Instruction                             ops      all\n"
                 ">  1072 fld dword [rcx+rax*4+8]                 600    55.0%\n"
                 "   1076 fmul dword [rdx]                        300    27.5%\n"
                 "   1079 faddp                                   250    22.9%\n"
                 "   107c add rax, 4                               99     9.1%\n"
                 "   1080 cmp rax, rbx                              2     0.2%\n"
                 "   1083 jb 1072                                   0     0.0%\n"
                 "PASS all of it\n");
    read_keys(PHOTO "h" RIGHT PHOTO "h" PHOTO "q");
    face_close(&face);
    assert_true(open_of(20, 66));
    read_keys("/fm\n" PHOTO "q");
    face_close(&face);
    check_pictures("screen/heat.txt");
}

/* ---------------------------------------------------------------- lists */

/* The choice that each key makes in a list of 30 rows, of which 10 are shown. */
TEST(keys_of_a_list)
{
    static const struct {
        int key;
        unsigned chosen, top;
    } rows[] = {
        {KEY_UP, 0, 0},
        {KEY_DOWN, 1, 0},
        {KEY_PAGE_DOWN, 11, 2},
        {KEY_PAGE_DOWN, 21, 12},
        {KEY_PAGE_DOWN, 29, 20},
        {KEY_DOWN, 29, 20},
        {KEY_PAGE_UP, 19, 19},
        {KEY_PAGE_UP, 9, 9},
        {KEY_PAGE_UP, 0, 0},
        {KEY_END, 29, 20},
        {KEY_HOME, 0, 0},
        {'2', 1, 0},
        {'5', 24, 15},
        {'9', 8, 8},
        {KEY_UP, 7, 7},
        {'3', 2, 2},
        {'0', 29, 20},
        {KEY_HOME, 0, 0},
        {'0', 0, 0},
        {KEY_DOWN, 1, 0},
        {'1', 0, 0},
        {KEY_DOWN, 1, 0},
        {'1', 0, 0}, /* another key ends the number */
        {'3', 12, 3},
        {'1', 0, 0}, /* there is no row 131 */
        {KEY_PAGE_DOWN, 10, 1},
        {KEY_PAGE_UP, 0, 0},
    };
    struct face_list list = {.count = 30, .rows = 10};

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        assert_true(face_list_take(&list, rows[i].key));
        if (list.chosen != rows[i].chosen || list.top != rows[i].top)
            fail_msg("key %zu: row %u of those from %u on", i, list.chosen, list.top);
    }
    assert_false(face_list_take(&list, 'x'));
    assert_false(face_list_take(&list, '0' - 1));
    assert_false(face_list_take(&list, '9' + 1));
    assert_int_equal(list.chosen, 0);
}

/* Lists have no row, one row, as many as are shown, and one more: each key is tried at both ends. */
TEST(lengths_of_lists)
{
    static const int keys[] = {KEY_UP,   KEY_DOWN, KEY_PAGE_UP, KEY_PAGE_DOWN, KEY_HOME, KEY_END,
                               KEY_DOWN, KEY_UP,   KEY_PAGE_UP, KEY_PAGE_DOWN, '1',      '0'};
    static const struct {
        unsigned count;
        const char *chosen, *tops; /* after each key */
    } rows[] = {
        {0, "000000000000", "000000000000"}, {1, "000000000000", "000000000000"}, {2, "010101100100", "000000000000"},
        {4, "010303320300", "000000000000"}, {5, "010404430400", "000101110100"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct face_list list = {.count = rows[i].count, .rows = 4};

        for (size_t k = 0; k < sizeof(keys) / sizeof(keys[0]); k++) {
            assert_true(face_list_take(&list, keys[k]));
            if (list.chosen != (unsigned)(rows[i].chosen[k] - '0') || list.top != (unsigned)(rows[i].tops[k] - '0'))
                fail_msg("%u rows, key %zu: row %u of those from %u on", rows[i].count, k, list.chosen, list.top);
        }
    }
}

RUN_TESTS(fixture_load, NULL)
