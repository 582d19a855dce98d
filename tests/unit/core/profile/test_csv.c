/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/core/check.h"

#include "core/profile/csv.h"

static char text[65536];

TEST(quoting)
{
    static const char *const rows[][2] = {
        {"", ""},
        {"plain text", "plain text"},
        {"mov eax, ebx", "\"mov eax, ebx\""},
        {"say \"hi\"", "\"say \"\"hi\"\"\""},
        {"\"", "\"\"\"\""},
        {"two\nlines", "\"two\nlines\""},
        {"return\r", "\"return\r\""},
        {"a;b\tc", "a;b\tc"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct out_memory memory;

        out_memory_init(&memory, text, sizeof(text));
        csv_field(&memory.out, rows[i][0]);
        assert_string_equal(text, rows[i][1]);
    }
}

/* Reads a field by RFC 4180's rules; returns the text after its separator. */
static const char *read_field(const char *from, char *field)
{
    if (*from == '"') {
        for (from++; *from != '"' || from[1] == '"'; from++) {
            from += *from == '"';
            *field++ = *from;
        }
        from++;
    } else {
        while (*from != ',' && *from != '\n')
            *field++ = *from++;
    }
    *field = 0;
    assert_true(*from == ',' || *from == '\n');
    return from + 1;
}

/* 'setup' has no samples, so its instructions are not in the file. */
enum { COLUMNS = 5 + DERIVED_FIRST, FIRST = 1 - SMALL_MULTIPLY, ROWS = FIRST + SMALL_INSNS + 1 };

static char cells[ROWS][COLUMNS][100];

TEST(the_file_reads_back)
{
    struct profile profile = small_profile();
    struct out_memory memory;
    const char *at = text;

    add_paper_run(&profile);
    out_memory_init(&memory, text, sizeof(text));
    csv_write_profile(&memory.out, &profile, NULL);
    assert_true(memory.needed < sizeof(text));
    for (int row = 0; row < ROWS; row++)
        for (int column = 0; column < COLUMNS; column++) {
            at = read_field(at, cells[row][column]);
            assert_int_equal(at[-1], column == COLUMNS - 1 ? '\n' : ',');
        }
    assert_int_equal(*at, 0);

    assert_string_equal(cells[0][0], "rva");
    assert_string_equal(cells[0][4], "instruction");
    assert_string_equal(cells[0][5], "F000 IBS all fetch [samples]");
    assert_string_equal(cells[0][5 + DERIVED_F00E_FETCH_LATENCY], "F00E IBS fetch lat [cycles]");
    assert_string_equal(cells[0][5 + DERIVED_X240_NB_STATUS], "X240 load NB status [samples]");

    assert_string_equal(cells[1][1], "multiply_matrices");
    assert_string_equal(cells[FIRST + SMALL_FMUL][0], "0x1022");
    assert_string_equal(cells[FIRST + SMALL_FMUL][1], "multiply_matrices");
    assert_string_equal(cells[FIRST + SMALL_FMUL][2], "workloads/matmul/matmul_classic.c");
    assert_string_equal(cells[FIRST + SMALL_FMUL][3], "41");
    assert_string_equal(cells[FIRST + SMALL_FMUL][4], "fmul dword ptr [rbx+rdx*4+0x7e48e8]");
    assert_string_equal(cells[FIRST + SMALL_FMUL][5 + DERIVED_F206_DC_MISS], "892");
    assert_string_equal(cells[FIRST + SMALL_CLEAR][2], "workloads/clear, \"fast\".c");
    assert_string_equal(cells[FIRST + SMALL_INSNS - 1][2], ""); /* file and line are not known */
    assert_string_equal(cells[FIRST + SMALL_INSNS - 1][3], "");
    assert_string_equal(cells[ROWS - 1][0], "");
    assert_string_equal(cells[ROWS - 1][1], "(outside the map)");

    for (int e = 0; e < DERIVED_FIRST; e++) {
        uint64_t sum = 0;

        for (int row = 1; row < ROWS; row++)
            sum += strtoull(cells[row][5 + e], NULL, 10);
        assert_int_equal(sum, profile.total[e]);
    }
}

/* The columns are the processor's events, whichever of the other events have no source on it. */
TEST(columns_of_other_processors)
{
    struct ibs_machine machine = ibs_machine_of(0x1A, 0x44, 0x81BFF);
    struct derived_set set = derived_set_of(&machine);
    struct profile profile;
    struct out_memory memory;
    unsigned gaps = 0;
    const char *at = text;
    char field[200];

    assert_true(profile_init(&profile, &small_map, SMALL_BASE, &set, small_memory, sizeof(small_memory)));
    out_memory_init(&memory, text, sizeof(text));
    csv_write_profile(&memory.out, &profile, NULL);
    for (int column = 0; column < 5; column++)
        at = read_field(at, field);
    for (int e = 0; e < DERIVED_COUNT; e++) {
        if (!set.has[e])
            continue;
        gaps += e > 0 && !set.has[e - 1];
        assert_int_equal(at[-1], ',');
        at = read_field(at, field);
        assert_memory_equal(field, derived_events[e].code, strlen(derived_events[e].code));
    }
    assert_true(gaps > 0);
    assert_int_equal(at[-1], '\n');
}

/* If one instruction of a function has samples, the file has all of the function's instructions. */
TEST(functions_are_whole)
{
    static const unsigned first[] = {SMALL_SETUP, SMALL_MULTIPLY, SMALL_CLEAR, SMALL_INSNS};

    for (unsigned insn = 0; insn < SMALL_INSNS; insn++) {
        struct profile profile = small_profile();
        struct out_memory memory;
        const char *line = text;
        unsigned f = 0, lines = 0;

        while (first[f + 1] <= insn)
            f++;
        add_many(&profile, op_record(insn, 0, 0, 0, 0), 3);
        out_memory_init(&memory, text, sizeof(text));
        csv_write_profile(&memory.out, &profile, NULL);
        for (; (line = strchr(line, '\n')) && line[1] == '0'; line++, lines++)
            assert_int_equal(strtoul(line + 1, NULL, 16), small_map.insns[first[f] + lines].rva);
        assert_int_equal(lines, first[f + 1] - first[f]);
    }
}

static void ends_with(const char *line, const struct time_share_part *part)
{
    char wanted[40];
    const char *end = strchr(line, '\n');

    snprintf(wanted, sizeof(wanted), ",%u,%u,%u", part->share, part->low, part->high);
    assert_memory_equal(end - strlen(wanted), wanted, strlen(wanted));
}

/* The columns of time come last, and the front end has its own row. */
TEST(with_time)
{
    static struct time_share_row rows[SMALL_INSNS + 1];
    struct time_share time = {.rows = rows, .front = {7, 6, 8}};
    struct profile profile = small_profile();
    struct out_memory memory;
    const char *line;

    add_many(&profile, op_record(SMALL_FMUL, 0, 0, 0, 0), 3);
    for (uint32_t i = 0; i <= SMALL_INSNS; i++)
        rows[i].part = (struct time_share_part){100 + i, i, 200 + i};
    out_memory_init(&memory, text, sizeof(text));
    csv_write_profile(&memory.out, &profile, &time);
    assert_non_null(strstr(text, " [samples],est. time [ppm],low [ppm],high [ppm]\n"));
    line = strchr(text, '\n') + 1;
    for (uint32_t i = SMALL_MULTIPLY; i < SMALL_CLEAR; i++, line = strchr(line, '\n') + 1) {
        assert_int_equal(strtoul(line, NULL, 16), small_map.insns[i].rva);
        ends_with(line, &rows[i].part);
    }
    assert_memory_equal(line, ",(outside the map),,,,0,", 24);
    ends_with(line, &rows[SMALL_INSNS].part);
    line = strchr(line, '\n') + 1;
    assert_memory_equal(line, ",(front end),,,,0,", 18);
    ends_with(line, &time.front);
    assert_string_equal(strchr(line, '\n'), "\n");
}

RUN_TESTS(NULL, NULL)
