/* SPDX-License-Identifier: BSD-2-Clause */
/* The settings parser: what it accepts, and the line that each mistake gets. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/core/check.h"

#include "core/run/settings.h"

static uint64_t samples, seed;
static bool randomise, menu;
static uint32_t page;
static char workload[16];

static const struct settings_row rows[] = {
    {"samples", SETTINGS_UINT, &samples, "20000", 1, 1000000, NULL, "Op samples to take.", 0, false},
    {"seed", SETTINGS_UINT, &seed, "0x2a", 0, UINT64_MAX, NULL,
     "Seed of all pseudo-random choices.\nSame seed, same run.", 0, false},
    {"random_period", SETTINGS_BOOL, &randomise, "yes", 0, 0, NULL, "Randomise the period.", 0, false},
    {"menu", SETTINGS_BOOL, &menu, "off", 0, 0, NULL, NULL, 0, false},
    {"page_size", SETTINGS_CHOICE, &page, "4k", 0, 0, "4k|2m|1g", "Page size of the workload's memory.", 0, false},
    {"workload", SETTINGS_STRING, workload, "matmul classic", 0, 15, NULL, "What to run.", 0, false},
};
static const struct settings settings = {rows, sizeof(rows) / sizeof(rows[0]), NULL};

static char lines[8192];
static struct out_memory problems;

static void fresh(void)
{
    assert_int_equal(settings_defaults(&settings), 0);
    out_memory_init(&problems, lines, sizeof(lines));
}

static unsigned parse(const void *text, size_t size)
{
    fresh();
    return settings_parse_text(&settings, "a.ini", text, size, &problems.out);
}

static void assert_defaults(void)
{
    assert_int_equal(samples, 20000);
    assert_int_equal(seed, 42);
    assert_true(randomise);
    assert_false(menu);
    assert_int_equal(page, 0);
    assert_string_equal(workload, "matmul classic");
}

TEST(takes_what_is_legal)
{
    static const char text[] =
        "# a comment\r\n"
        "; another, of 300 characters: ------------------------------------------------------------"
        "----------------------------------------------------------------------------------------------"
        "----------------------------------------------------------------------------------------------"
        "--------------------\r\n"
        "\r\n"
        "  Samples = 500   # as many as that\r\n"
        "SEED=0xFFFFFFFFFFFFFFFF\n"
        "random-period\t=\tNo;not a comment\n";

    assert_int_equal(parse(text, sizeof(text) - 1), 1); /* the last line has no blank before ';' */
    assert_int_equal(samples, 500);
    assert_true(seed == UINT64_MAX);

    assert_int_equal(parse("page_size=1G", 12), 0);
    assert_int_equal(page, 2);
    assert_int_equal(parse("menu = TRUE ; yes\nrandom_period = 0", 35), 0);
    assert_true(menu);
    assert_false(randomise);
    assert_int_equal(parse("workload = \"a # b;c\" # d", 24), 0);
    assert_string_equal(workload, "a # b;c");
    assert_int_equal(parse("workload = a b#c  ", 18), 0);
    assert_string_equal(workload, "a b#c");
    assert_int_equal(parse("workload = a b# c", 17), 0);
    assert_string_equal(workload, "a b# c");
    assert_int_equal(parse("workload = a #b c", 17), 0);
    assert_string_equal(workload, "a");
    assert_int_equal(parse("workload = ", 11), 0);
    assert_string_equal(workload, "");
    assert_int_equal(parse("workload = \"\"", 13), 0);
    assert_string_equal(workload, "");
    assert_int_equal(parse(NULL, 0), 0);
    assert_defaults();
    assert_string_equal(lines, "");
}

TEST(takes_the_encodings_of_windows)
{
    static const char utf8[] = "\xEF\xBB\xBF# gr\xC3\xBC\xC3\x9F dich\r\nsamples=7\r\n";
    static const char utf16[] = "\xFF\xFE#\0 \0\xFC\0\r\0\n\0s\0a\0m\0p\0l\0e\0s\0=\0"
                                "8\0\r\0\n\0";

    assert_int_equal(parse(utf8, sizeof(utf8) - 1), 0);
    assert_int_equal(samples, 7);
    assert_int_equal(parse(utf16, sizeof(utf16) - 1), 0);
    assert_int_equal(samples, 8);
}

TEST(each_mistake_gets_its_line)
{
    static const struct {
        const char *text;
        const char *want;
    } cases[] = {
        {"sampels = 5", "a.ini:1: unknown key 'sampels'; did you mean 'samples'?\n"},
        {"zamples = 5", "a.ini:1: unknown key 'zamples'; did you mean 'samples'?\n"},
        {"\n\nworkloads=x", "a.ini:3: unknown key 'workloads'; did you mean 'workload'?\n"},
        {"page-siz = 2m", "a.ini:1: unknown key 'page-siz'; did you mean 'page_size'?\n"},
        {"zzzzzz = 1\nyyyyyyyy = 1",
         "a.ini:1: unknown key 'zzzzzz'; the keys are samples seed random_period menu page_size workload\n"
         "a.ini:2: unknown key 'yyyyyyyy'; see above for the keys\n"},
        {"= 5", "a.ini:1: unknown key ''; the keys are samples seed random_period menu page_size workload\n"},
        {"a_key_much_longer_than_any_that_is_known = 1",
         "a.ini:1: unknown key 'a_key_much_longer_than_a..'; the keys are samples seed random_period menu page_size "
         "workload\n"},
        {"samples = 0", "a.ini:1: '0' is not a value of 'samples'; allowed is a number from 1 to 1000000\n"},
        {"samples = 1000001",
         "a.ini:1: '1000001' is not a value of 'samples'; allowed is a number from 1 to 1000000\n"},
        {"samples = many", "a.ini:1: 'many' is not a value of 'samples'; allowed is a number from 1 to 1000000\n"},
        {"samples =", "a.ini:1: '' is not a value of 'samples'; allowed is a number from 1 to 1000000\n"},
        {"samples = -1", "a.ini:1: '-1' is not a value of 'samples'; allowed is a number from 1 to 1000000\n"},
        {"seed = 18446744073709551616",
         "a.ini:1: '18446744073709551616' is not a value of 'seed'; allowed is a number from 0\n"},
        {"menu = maybe", "a.ini:1: 'maybe' is not a value of 'menu'; allowed is yes or no\n"},
        {"page_size = 4m",
         "a.ini:1: '4m' is not a value of 'page_size'; allowed is one of 4k, 2m, 1g; did you mean '4k'?\n"},
        {"page_size = 4",
         "a.ini:1: '4' is not a value of 'page_size'; allowed is one of 4k, 2m, 1g; did you mean '4k'?\n"},
        {"page_size =", "a.ini:1: '' is not a value of 'page_size'; allowed is one of 4k, 2m, 1g\n"},
        {"workload = 0123456789abcdef",
         "a.ini:1: '0123456789abcdef' is not a value of 'workload'; allowed is text of at most 15 characters\n"},
        {"workload = gr\xC3\xBC\xC3\x9F",
         "a.ini:1: 'gr"
         "?"
         "?"
         "?"
         "?' is not a value of 'workload'; allowed is text of at most 15 characters\n"},
        {"workload = a\"b", "a.ini:1: 'a\"b' is not a value of 'workload'; allowed is text of at most 15 characters\n"},
        {"workload = \"open", "a.ini:1: the quotes are wrong; a value may stand in one pair of double quotes\n"},
        {"workload = \"a\" b", "a.ini:1: the quotes are wrong; a value may stand in one pair of double quotes\n"},
        {"workload = \"a\"b # c", "a.ini:1: the quotes are wrong; a value may stand in one pair of double quotes\n"},
        {"[ibsboot]\nsamples = 9",
         "a.ini:1: '[ibsboot]' starts a section, which only plans have; here are only lines of 'key = value'\n"},
        {"samples 5", "a.ini:1: no '=' in 'samples 5'; a line is 'key = value'; allowed for 'samples' is a number from "
                      "1 to 1000000\n"},
        {"something else", "a.ini:1: no '=' in 'something else'; a line is 'key = value'\n"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        unsigned count = 0;

        for (const char *p = cases[i].want; *p; p++)
            count += *p == '\n';
        assert_int_equal(parse(cases[i].text, strlen(cases[i].text)), count);
        assert_string_equal(lines, cases[i].want);
        samples = 20000; /* the one case that sets another value on its next line */
        assert_defaults();
    }
}

TEST(twice_is_said_and_the_later_counts)
{
    assert_int_equal(parse("samples=3\n\nsamples=4", 20), 1);
    assert_string_equal(lines,
                        "a.ini:3: 'samples' is already set in line 1; it may be set once, and this line is used\n");
    assert_int_equal(samples, 4);
}

TEST(the_rest_of_a_faulty_file_is_used)
{
    static const char text[] = "samples = x\nseed = 5\nnonsense\nmenu = yes\n";

    assert_int_equal(parse(text, sizeof(text) - 1), 2);
    assert_int_equal(samples, 20000);
    assert_int_equal(seed, 5);
    assert_true(menu);
}

TEST(many_problems_are_summed_up)
{
    char text[1000] = "";
    unsigned shown = 0;

    for (int i = 0; i < 50; i++)
        strcat(text, "samples = x\n");
    assert_int_equal(parse(text, strlen(text)), 50);
    for (const char *p = lines; (p = strstr(p, "a.ini:")); p++)
        shown += p[6] != ' ';
    assert_int_equal(shown, SETTINGS_PROBLEMS_SHOWN);
    assert_non_null(strstr(lines, "a.ini: and 30 more problems\n"));
}

/* The parser shows as many problems as can be shown, and sums up further ones. */
TEST(as_many_problems_as_are_shown)
{
    char text[1000] = "";

    for (int i = 0; i < SETTINGS_PROBLEMS_SHOWN; i++)
        strcat(text, "samples = x\n");
    assert_int_equal(parse(text, strlen(text)), SETTINGS_PROBLEMS_SHOWN);
    assert_null(strstr(lines, "more problems"));
    strcat(text, "samples = x\n");
    assert_int_equal(parse(text, strlen(text)), SETTINGS_PROBLEMS_SHOWN + 1);
    assert_non_null(strstr(lines, "a.ini: and 1 more problems\n"));
}

/* Messages repeat 24 characters of the user's text; a 25th is cut off. */
TEST(how_much_text_is_shown)
{
    assert_int_equal(parse("seed = abcdefghijklmnopqrstuvwx\n", 32), 1);
    assert_non_null(strstr(lines, "'abcdefghijklmnopqrstuvwx' "));
    assert_int_equal(parse("seed = abcdefghijklmnopqrstuvwxy\n", 33), 1);
    assert_non_null(strstr(lines, "'abcdefghijklmnopqrstuvwx..' "));
}

TEST(long_lines_are_said)
{
    char text[1000];

    memset(text, 'x', sizeof(text));
    memcpy(text + 500, "\nseed = 6\n", 10);
    assert_int_equal(parse(text, 510), 1);
    assert_string_equal(lines, "a.ini:1: the line is too long; allowed are 255 characters\n");
    assert_int_equal(seed, 6);

    /* Blanks after the limit do no harm; blanks before it do not hide the text that follows. */
    memset(text, ' ', sizeof(text));
    memcpy(text, "seed = 7", 8);
    assert_int_equal(parse(text, 600), 0);
    assert_int_equal(seed, 7);
    memset(text, ' ', sizeof(text));
    memcpy(text + 300, "seed = 8", 8);
    assert_int_equal(parse(text, 600), 1);
    assert_int_equal(seed, 42);
}

TEST(what_is_not_text_is_refused_whole)
{
    static char big[1 << 20];
    static const struct {
        const char *bytes;
        size_t size;
        const char *want;
    } cases[] = {
        {"samples = 5\nMZ\x90\0", 16,
         "a.ini:2: not text (character 00h); none of it is used, settings are plain text\n"},
        {"samples = 5\n\x1B[2J", 16,
         "a.ini:2: not text (character 1Bh); none of it is used, settings are plain text\n"},
        {"\x7F", 1, "a.ini:1: not text (character 7Fh); none of it is used, settings are plain text\n"},
        {"s\0a\0", 4, "a.ini:1: not text (character 00h); none of it is used, settings are plain text\n"},
        {"\xFE\xFF\0s", 4, "a.ini: UTF-16 big-endian, none of it is used; save it as UTF-8\n"},
        {"\xFF\xFEs\0=", 5, "a.ini:1: UTF-16 text ends in half a character; none of it is used\n"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        assert_int_equal(parse(cases[i].bytes, cases[i].size), 1);
        assert_string_equal(lines, cases[i].want);
        assert_defaults();
    }
    /* A part of a byte order mark counts as text: here as names of unknown keys. */
    static const char *const parts[] = {"\xFEx=1", "\xFFx=1", "\xEFx=1", "\xEF\xBBx=1"};
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
        assert_int_equal(parse(parts[i], strlen(parts[i])), 1);
        assert_non_null(strstr(lines, strlen(parts[i]) == 4 ? "unknown key '?x'" : "unknown key '??x'"));
    }
    memset(big, '\n', sizeof(big));
    memcpy(big, "samples=5", 9);
    assert_int_equal(parse(big, sizeof(big)), 1);
    assert_string_equal(lines, "a.ini: 1048576 bytes are too many, none of it is used; allowed are 65536\n");
    assert_defaults();
    assert_int_equal(parse(big, SETTINGS_TEXT_MAX), 0);
    assert_int_equal(samples, 5);
    assert_int_equal(parse(big, SETTINGS_TEXT_MAX + 1), 1);
    assert_defaults();
}

static unsigned words(const char *text, size_t size)
{
    fresh();
    return settings_parse_words(&settings, "load options", text, size, &problems.out);
}

TEST(takes_words)
{
    static char big[SETTINGS_TEXT_MAX];
    static const char many[] = "ibsboot.efi  samples=11\tseed=12 workload=\"a b\"\npage-size=2m \0 rubbish=1";

    assert_int_equal(words(many, sizeof(many)), 0);
    assert_string_equal(lines, "");
    assert_int_equal(samples, 11);
    assert_int_equal(seed, 12);
    assert_int_equal(page, 1);
    assert_string_equal(workload, "a b");
    assert_int_equal(words("\\EFI\\BOOT\\BOOTX64.EFI", 21), 0);
    assert_int_equal(words("IBSBOOT seed=13", 15), 0);
    assert_int_equal(seed, 13);
    assert_int_equal(words("fs0:ibsboot seed=14", 19), 0);
    assert_int_equal(words("fs0:\\efi\\boot\\bootx64 seed=15", 30), 0);
    assert_int_equal(seed, 15);
    assert_int_equal(words("seed=1 seed=2", 13), 0); /* the later word counts */
    assert_int_equal(seed, 2);
    memset(big, ' ', sizeof(big));
    memcpy(big + SETTINGS_TEXT_MAX - 6, "seed=9", 6);
    assert_int_equal(words(big, SETTINGS_TEXT_MAX), 0); /* each word is a line of its own, and none is too long */
    assert_int_equal(seed, 9);
    assert_int_equal(words(NULL, 0), 0);
    assert_int_equal(words("   \n\n ", 6), 0);
    assert_defaults();
}

TEST(words_have_problems_too)
{
    static const struct {
        const char *text;
        const char *want;
    } cases[] = {
        {"menu", "load options:1: no '=' in 'menu'; a setting is 'key=value'; allowed for 'menu' is yes or no\n"},
        {".efi seed=1",
         "load options:1: no '=' in '.efi'; a setting is 'key=value'\n"}, /* '.efi' alone is not a program's name */
        {"seed=1 b.efi", "load options:2: no '=' in 'b.efi'; a setting is 'key=value'\n"},
        {"  seed=1 \t  b.efi", "load options:2: no '=' in 'b.efi'; a setting is 'key=value'\n"},
        {"seed=1 ibsboot", "load options:2: no '=' in 'ibsboot'; a setting is 'key=value'\n"},
        {"xibsboot", "load options:1: no '=' in 'xibsboot'; a setting is 'key=value'\n"},
        {"ibsboo", "load options:1: no '=' in 'ibsboo'; a setting is 'key=value'\n"},
        {"a.efi sed=1", "load options:2: unknown key 'sed'; did you mean 'seed'?\n"},
        {"workload=\"open seed=1",
         "load options:1: the quotes are wrong; a value may stand in one pair of double quotes\n"},
        {"seed=1 \x01", "load options:1: not text (character 01h); none of it is used, settings are plain text\n"},
    };
    char *big = malloc(SETTINGS_TEXT_MAX + 1);

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        assert_int_equal(words(cases[i].text, strlen(cases[i].text)), 1);
        assert_string_equal(lines, cases[i].want);
    }
    memset(big, ' ', SETTINGS_TEXT_MAX + 1);
    assert_int_equal(words(big, SETTINGS_TEXT_MAX + 1), 1);
    assert_string_equal(lines, "load options: 65537 characters are too many, none of it is used; allowed are 65536\n");
    free(big);
}

TEST(what_is_written_reads_back)
{
    static const char text[] = "samples=77\nseed=18446744073709551615\nrandom_period=no\nmenu=on\npage_size=2m\n"
                               "workload=\" a;#b \"";
    char written[4096];
    struct out_memory memory;

    assert_int_equal(parse(text, sizeof(text) - 1), 0);
    out_memory_init(&memory, written, sizeof(written));
    settings_write(&settings, &memory.out);
    check_golden("settings.txt", written);
    assert_int_equal(parse(written, strlen(written)), 0);
    assert_int_equal(samples, 77);
    assert_true(seed == UINT64_MAX);
    assert_false(randomise);
    assert_true(menu);
    assert_int_equal(page, 1);
    assert_string_equal(workload, " a;#b ");
}

/* Near keys differ in at most one character of three, and one more. */
TEST(near_keys)
{
    static const struct settings_row one = {"abcdef", SETTINGS_BOOL, &menu, "no", 0, 0, NULL, NULL, 0, false};
    static const struct settings_row single = {"k", SETTINGS_BOOL, &menu, "no", 0, 0, NULL, NULL, 0, false};
    static const struct {
        const struct settings_row *row;
        const char *key;
        bool near;
    } cases[] = {
        {&one, "abcdef", true},
        {&one, "abcxyz", true},
        {&one, "abwxyz", false},
        {&one, "abc", true}, /* a beginning */
        {&one, "abcd", true},
        {&one, "abcdefgh", true},
        {&one, "abcdefghi", true},
        {&one, "abcdefghij", true},
        {&one, "abcdefghijk", false},
        {&one, "bcdefa", true},
        {&one, "ABC-EF", true},
        {&single, "j", false},
        {&single, "jj", false},
        {&single, "jk", true},
        {&one, "", false},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const struct settings table = {cases[i].row, 1, NULL};
        bool near = settings_nearest(&table, cases[i].key, strlen(cases[i].key)) != NULL;

        if (near != cases[i].near)
            fail_msg("%s", cases[i].key);
    }
}

/* Text is written as it is: a "%" in the text is no conversion. */
TEST(percent_signs_are_text)
{
    struct out_memory memory;
    char written[64];

    assert_int_equal(parse("workload = \"1%s 2%d%%\"", 22), 0);
    out_memory_init(&memory, written, sizeof(written));
    settings_write_value(&rows[5], &memory.out);
    assert_non_null(strstr(written, "1%s 2%d%%"));
}

/* No key is near to an empty key, or to a key longer than any row's. */
TEST(keys_of_no_length)
{
    char key[SETTINGS_KEY_MAX + 2], longer[SETTINGS_KEY_MAX + 2];
    const struct settings_row longest = {key, SETTINGS_BOOL, &menu, "no", 0, 0, NULL, NULL, 0, false};
    const struct settings_row single = {"k", SETTINGS_BOOL, &menu, "no", 0, 0, NULL, NULL, 0, false};

    memset(longer, 'a', sizeof(longer));
    memcpy(key, longer, SETTINGS_KEY_MAX);
    key[SETTINGS_KEY_MAX] = 0;
    assert_ptr_equal(settings_nearest(&(struct settings){&longest, 1, NULL}, longer, SETTINGS_KEY_MAX), &longest);
    assert_null(settings_nearest(&(struct settings){&longest, 1, NULL}, longer, SETTINGS_KEY_MAX + 1));
    assert_ptr_equal(settings_nearest(&(struct settings){&single, 1, NULL}, "jk", 2), &single);
    assert_null(settings_nearest(&(struct settings){&single, 1, NULL}, "", 0));
}

/* The result of one comparison of keys does not affect the next one. */
TEST(each_key_is_compared_anew)
{
    static const struct settings_row rows_of[] = {
        {"abcdef", SETTINGS_BOOL, &menu, "no", 0, 0, NULL, NULL, 0, false},
        {"xy", SETTINGS_BOOL, &menu, "no", 0, 0, NULL, NULL, 0, false},
        {"xqaaaa", SETTINGS_BOOL, &menu, "no", 0, 0, NULL, NULL, 0, false},
        {"zw", SETTINGS_BOOL, &menu, "no", 0, 0, NULL, NULL, 0, false},
    };
    static const struct settings far = {&rows_of[2], 1, NULL}, next = {&rows_of[3], 1, NULL};

    assert_ptr_equal(settings_nearest(&(struct settings){rows_of, 4, NULL}, "xq", 2), &rows_of[1]);
    assert_null(settings_nearest(&far, "xq", 2));
    assert_null(settings_nearest(&next, "x", 1));
}

/* A table with more rows than can be marked is one mistake. */
TEST(long_tables_are_noticed)
{
    static struct settings_row many[SETTINGS_ROWS_MAX + 1];

    for (unsigned i = 0; i <= SETTINGS_ROWS_MAX; i++)
        many[i] = (struct settings_row){"menu", SETTINGS_BOOL, &menu, "no", 0, 0, NULL, NULL, 0, false};
    assert_int_equal(settings_defaults(&(struct settings){many, SETTINGS_ROWS_MAX, NULL}), 0);
    assert_int_equal(settings_defaults(&(struct settings){many, SETTINGS_ROWS_MAX + 1, NULL}), 1);
}

TEST(wrong_tables_are_noticed)
{
    static const struct settings_row wrong[] = {
        {"samples", SETTINGS_UINT, &samples, "0", 1, 5, NULL, NULL, 0, false},
        {"a_key_that_is_longer_than_31_characters", SETTINGS_BOOL, &menu, "no", 0, 0, NULL, NULL, 0, false},
        {"page", SETTINGS_CHOICE, &page, "8k", 0, 0, "4k|2m", NULL, 0, false},
        {"type", 99, &page, "", 0, 0, NULL, NULL, 0, false},
        {"menu", SETTINGS_BOOL, &menu, "no", 0, 0, NULL, NULL, 0, false},
    };

    assert_int_equal(settings_defaults(&(struct settings){wrong, 5, NULL}), 4);
    page = 7; /* an index without a choice is written as nothing, not as rubbish */
    fresh();
    page = 7;
    settings_write_value(&rows[4], &problems.out);
    assert_string_equal(lines, "");
}

/* Help texts of several lines and blanks are joined into one text. */
TEST(help_is_wrapped)
{
    static const struct settings_row row[] = {
        {"samples", SETTINGS_UINT, &samples, "1", 1, 2, NULL, "a\n\nb  c\nd", 0, false}};
    static const struct settings one = {row, 1, NULL};

    samples = 2;
    out_memory_init(&problems, lines, sizeof(lines));
    settings_write(&one, &problems.out);
    assert_string_equal(lines, "# a  b  c d\n# Allowed: a number from 1 to 2; default: 1.\nsamples = 2\n");
}

/* A line has 79 characters at most, including "# ": here nine words of seven letters, and one of five. */
TEST(help_fills_its_lines)
{
#define NINE "sevenab sevenab sevenab sevenab sevenab sevenab sevenab sevenab sevenab"
    struct settings_row row = {"samples", SETTINGS_UINT, &samples, "1", 1, 2, NULL, NINE " fives c", 0, false};
    const struct settings one = {&row, 1, NULL};

    out_memory_init(&problems, lines, sizeof(lines));
    settings_write(&one, &problems.out);
    assert_int_equal(strcspn(lines, "\n"), 79);
    assert_ptr_equal(strstr(lines, "# " NINE " fives\n# c\n# Allowed"), lines);
    row.help = NINE " sixsix c";
    out_memory_init(&problems, lines, sizeof(lines));
    settings_write(&one, &problems.out);
    assert_ptr_equal(strstr(lines, "# " NINE "\n# sixsix c\n# Allowed"), lines);
#undef NINE
}

RUN_TESTS(NULL, NULL)
