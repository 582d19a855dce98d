/* SPDX-License-Identifier: BSD-2-Clause */
/* Own code: what is read from an ELF file and its note, and the line for each file that is refused. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/test.h"
#include "tests/unit/core/made_code.h"

static struct made_code file;
static struct code code;
static char said[600];

/* Reads a copy that has exactly the file's bytes, so that ASan sees a read of one byte more. */
static bool read_code(size_t size)
{
    static uint8_t *copy;
    struct out_memory problems;

    free(copy);
    copy = malloc(size ? size : 1);
    memcpy(copy, &file, size < sizeof(file) ? size : sizeof(file));
    out_memory_init(&problems, said, sizeof(said));
    return code_read(copy, size, &code, &problems.out);
}

TEST(reads_both_types)
{
    for (int relocatable = 0; relocatable < 2; relocatable++) {
        uint32_t text = relocatable ? 0 : 0x1000, data = relocatable ? 0x2000 : 0x3000;
        struct code_function function;

        made_code(&file, relocatable);
        assert_true(read_code(sizeof(file)));
        assert_string_equal(said, "");
        assert_int_equal(code.run, text);
        assert_int_equal(code.prepare, text + 16);
        assert_int_equal(code.check, text + 32);
        assert_int_equal(code.memory, data + 0x2000);
        assert_int_equal(code.data_pages, 2);
        assert_int_equal(code.page[text / CODE_PAGE], CODE_EXECUTE);
        assert_int_equal(code.page[text / CODE_PAGE + 1], CODE_READ);
        assert_int_equal(code.page[data / CODE_PAGE], CODE_WRITE);
        assert_int_equal(code.page[data / CODE_PAGE + 1], CODE_WRITE);
        assert_int_equal(code.page[data / CODE_PAGE + 2], CODE_NOTHING);
        assert_string_equal(code.note.name, "made");
        assert_true(code_function_at(&code, MADE_CHECK, &function));
        assert_string_equal(function.name, "check");
        assert_int_equal(function.size, 16);
        assert_true(code_function_at(&code, MADE_TABLE, &function));
        assert_null(function.name);
        assert_false(code_function_at(&code, MADE_SYMBOL_COUNT, &function));
    }
}

/* In ET_REL files sections keep their places within pages, so that the file's pages can be mapped; no page has bytes of
 * two sections. */
TEST(lies_in_pages_as_in_the_file)
{
    enum { TEXT = offsetof(struct made_code, text), CONST = offsetof(struct made_code, constant) };
    struct elf_section *second = &file.section[MADE_CONST];
    static struct {
        struct made_code file;
        uint8_t more[2 * CODE_PAGE];
    } large;
    struct out_memory problems;

    made_code(&file, 1);
    file.section[MADE_TEXT].alignment = file.section[MADE_DATA].alignment = 8;
    second->alignment = 8;
    assert_true(read_code(sizeof(file)));
    assert_int_equal(code.run, TEXT);
    assert_int_equal(code.piece[1].rva, 0x1000 + CONST);
    assert_int_equal(code.piece[2].rva, 0x2000 + offsetof(struct made_code, data));
    assert_int_equal(code.piece[3].rva,
                     0x2000 + offsetof(struct made_code, data) + 16); /* .bss has no place in the file */
    second->flags = 6;                                                /* more code, in the same page of the file */
    assert_true(read_code(sizeof(file)));
    assert_int_equal(code.piece[1].rva, CONST);
    second->offset = TEXT - 8; /* before the first piece in the file: one page further on */
    assert_true(read_code(sizeof(file)));
    assert_int_equal(code.piece[1].rva, 0x1000 + TEXT - 8);
    second->offset = CODE_PAGE + CONST; /* on the file's next page: on the next page here, too */
    memcpy(&large.file, &file, sizeof(file));
    out_memory_init(&problems, said, sizeof(said));
    assert_true(code_read(&large, sizeof(large), &code, &problems.out));
    assert_int_equal(code.piece[1].rva, CODE_PAGE + CONST);
    second->offset = CONST + 4; /* not aligned in the file: placed as if it had no place there */
    assert_true(read_code(sizeof(file)));
    assert_int_equal(code.piece[1].rva, TEXT + 64);
}

TEST(has_a_build_id)
{
    uint8_t first[CODE_BUILD_ID];

    made_code(&file, 0);
    assert_true(read_code(sizeof(file)));
    assert_memory_equal(code.build_id, "ibsboot code", 12);
    memcpy(first, code.build_id, sizeof(first));
    file.text[3] ^= 1;
    assert_true(read_code(sizeof(file)));
    assert_memory_not_equal(code.build_id, first, sizeof(first));
    /* Puts GNU's note in place of the constants. */
    memcpy(file.constant, "\4\0\0\0\x14\0\0\0\3\0\0\0GNU", 16);
    for (uint8_t i = 0; i < CODE_BUILD_ID; i++)
        (&file.constant[16])[i] = i; /* the last four bytes are the data's */
    file.section[MADE_CONST].type = ELF_SECTION_NOTE;
    file.section[MADE_CONST].size = 36;
    assert_true(read_code(sizeof(file)));
    for (uint8_t i = 0; i < CODE_BUILD_ID; i++)
        assert_int_equal(code.build_id[i], i);
    file.section[MADE_CONST].size = 35; /* one byte is missing */
    assert_true(read_code(sizeof(file)));
    assert_memory_equal(code.build_id, "ibsboot code", 12);
}

/* ---------------------------------------------------------------- refusals */

struct change {
    size_t offset, size;
    uint64_t value;
    const char *said; /* how the line begins; NULL: the file is taken */
    bool relocatable;
};

#define SET(member, value_, said_)                                                                                     \
    {                                                                                                                  \
        offsetof(struct made_code, member), sizeof(file.member), value_, said_, false                                  \
    }
#define SET_REL(member, value_, said_)                                                                                 \
    {                                                                                                                  \
        offsetof(struct made_code, member), sizeof(file.member), value_, said_, true                                   \
    }

static const struct change changes[] = {
    SET(header.ident[0], 0, "it is not an ELF file"),
    SET(header.machine, 183, "it is for another machine (ELF machine 183, class 2)"),
    SET(header.ident[ELF_CLASS], 1, "it is for another machine (ELF machine 62, class 1)"),
    SET(header.ident[ELF_ORDER], 2, "it is for another machine"),
    SET(header.type, 2, "its type is 2, of a program with fixed addresses: link it"),
    SET(header.type, 4, "its type is 4: link it"),
    SET(header.section_count, 0, "it has no section headers"),
    SET(header.section_size, 40, "it has no section headers"),
    SET(header.section_count, 5000, "it has no section headers that can be read, or more than 4096"),
    SET(header.sections, sizeof(struct made_code), "its section headers are outside of the file"),
    SET(header.sections, UINT64_MAX - 8, "its section headers are outside of the file"),
    SET(header.section_names, MADE_TEXT, "its names of sections are outside"),
    SET(header.section_names, MADE_SECTIONS, "its names of sections are outside"),
    SET(section[MADE_SECTION_NAMES].size, 0, "its names of sections are outside"),
    SET(section_names[95], 1, "its names of sections are outside"),
    SET(section[MADE_SYMBOLS].entry_size, 16, "its symbols are outside"),
    SET(section[MADE_SYMBOLS].offset, UINT64_MAX, "its symbols are outside"),
    SET(section[MADE_SYMBOLS].size, sizeof(struct made_code), "its symbols are outside"),
    SET(section[MADE_SYMBOLS].link, 99, "its symbols are outside"),
    SET(names[63], 'x', "its symbols are outside"),
    SET(section[MADE_SYMBOLS].type, 1, "it has no function run()"),
    SET(section[MADE_SYMBOLS].type, ELF_SECTION_DYNAMIC_SYMBOLS, NULL),
    SET(symbol[MADE_RUN].name, 0, "it has no function run()"),
    SET(symbol[MADE_RUN].name, 1000, "it has no function run()"),
    SET(symbol[MADE_RUN].section, 0, "it has no function run()"),
    SET(symbol[MADE_RUN].value, 0x2000, "it has no function run()"),
    SET(symbol[MADE_RUN].info, 0x11, "it has no function run()"),
    SET(symbol[MADE_RUN].info, 0x10, NULL),
    SET(header.segments, sizeof(struct made_code), "its program headers are outside"),
    SET(header.segment_count, 65, "its program headers are outside"),
    SET(header.segment_size, 32, "its program headers are outside"),
    SET(segment[0].flags, 7, "it has memory that is both written and executed"),
    SET(segment[1].type, ELF_SEGMENT_TLS, "it has thread-local variables (TLS)"),
    SET(segment[1].memory_size, 31, "its segments are outside of the file"),
    SET(segment[1].offset, UINT64_MAX, "its segments are outside of the file"),
    SET(segment[2].memory_size, CODE_MEMORY_MAX - 0x3000, NULL),
    SET(segment[2].memory_size, CODE_MEMORY_MAX - 0x3000 + 1, "its loaded parts are larger than 8 MB"),
    SET(segment[2].memory_size, UINT64_MAX, "its loaded parts are larger than 8 MB"),
    SET(segment[2].address, UINT64_MAX - 0x1000, "its loaded parts are larger than 8 MB"),
    SET(segment[0].memory_size, CODE_TEXT_MAX + 1, "code and data share a page"),
    SET(segment[0].address, CODE_TEXT_MAX + 0x4000, "it has no function run()"),
    SET(segment[1].flags, 5, NULL),
    SET(segment[2].flags, 5, NULL),
    SET(segment[2].address, CODE_TEXT_MAX + 0x1000, NULL),
    SET(segment[1].address, 0x1040, "code and data share a page"),
    SET(segment[2].address, 0x2fff, "code and data share a page"),
    SET(segment[1].memory_size, 0, NULL),
    SET(section[MADE_DATA].type, ELF_SECTION_INIT_ARRAY, "it has constructors (.data)"),
    SET(section[MADE_DATA].type, ELF_SECTION_RELR, "it has packed relocations (.data)"),
    SET(section[MADE_DATA].type, ELF_SECTION_REL, "it has relocations without addends (.data)"),
    SET(section[MADE_NOTE].type, ELF_SECTION_NOBITS, "its notes are outside of the file"),
    SET(section[MADE_NOTE].offset, UINT64_MAX, "its notes are outside of the file"),
    SET(section[MADE_NOTE].name, 0, NULL),
    SET_REL(section[MADE_TEXT].flags, 7, "it has memory that is both written and executed"),
    SET_REL(section[MADE_DATA].flags, 0x403, "it has thread-local variables (TLS)"),
    SET_REL(section[MADE_DATA].alignment, 8192, "section .data is aligned to 8192"),
    SET_REL(section[MADE_DATA].alignment, 24, "section .data is aligned to 24"),
    SET_REL(section[MADE_DATA].alignment, 0, NULL),
    SET_REL(section[MADE_BSS].size, CODE_MEMORY_MAX, "its loaded parts are larger than 8 MB"),
    SET_REL(section[MADE_BSS].size, UINT64_MAX, "its loaded parts are larger than 8 MB"),
    SET_REL(section[MADE_CONST].offset, sizeof(struct made_code), "its sections are outside of the file"),
    SET_REL(symbol[MADE_RUN].value, 65, "it has no function run()"),
    SET_REL(symbol[MADE_RUN].section, MADE_NOTE, "it has no function run()"),
    /* The note's size, offset and header. */
    SET(note.size, 4096, "the note at 0 of its section is longer"),
    SET(note.name_size, 0xfffffff0, "the note at 0 of its section is longer"),
    SET(note.type, 2, "the note has version 2 with 632 bytes, but this program reads version 1 with 632"),
    SET(note.size, 628, "the note has version 1 with 628 bytes"),
    SET(note.owner[0], 'x', NULL),
    SET(note.note.name[0], 0, "the note: the name is empty or too long, or has"),
    SET(note.note.name[1], '/', "the note: the name is empty or too long, or has"),
    SET(note.note.title[1], '\n', "the note: its text has"),
    SET(note.note.unit[1], 0x80, "the note: its text has"),
    SET(note.note.name[1], '-', NULL),
    SET(note.note.parameter[0].name[2], '-',
        "the note: the name of a parameter has other characters than a-z, 0-9 and"),
    SET(note.note.parameter[0].name[2], '_', NULL),
    SET(note.note.parameter[0].name[2], '=', "the note: the name of a parameter"),
    SET(note.note.parameter[1].help[2], 7, "the note: the name of a parameter"),
    SET(note.note.parameter[0].min, 0, "the note: parameter passes: its range 0 to 100 is empty, begins with 0"),
    SET(note.note.parameter[0].min, 101, "the note: parameter passes: its range"),
    SET(note.note.parameter[0].initial, 101, "the note: parameter passes: its range"),
    SET(note.note.parameter[0].min, 11, "the note: parameter passes: its range"),
    SET(note.note.parameter[1].initial, 9, "the note: parameter kb: 9 is not a multiple"),
    SET(note.note.parameter[1].step, 1, NULL),
    SET(note.note.parameter[0].step, 1, "the note: parameter passes: 10 is not a multiple"),
};

TEST(refuses_with_one_line)
{
    for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
        const struct change *change = &changes[i];
        const char *wanted = change->said ? change->said : "";

        made_code(&file, change->relocatable);
        memcpy((uint8_t *)&file + change->offset, &change->value, change->size);
        if (read_code(sizeof(file)) == (change->said != NULL) || strncmp(said, wanted, strlen(wanted)) != 0)
            fail_msg("change %zu: wanted '%s', said '%s'", i, wanted, said);
        if (change->said && strchr(said, '\n') != said + strlen(said) - 1)
            fail_msg("change %zu: not one line: %s", i, said);
    }
}

/* Segments that are not loaded, or are empty, may be anywhere between those that are. */
TEST(segments_in_any_order)
{
    static const struct elf_segment empty = {.type = ELF_SEGMENT_LOAD, .flags = 4, .address = 0x5000};

    for (unsigned first = 0; first < 4; first++)
        for (unsigned is_empty = 0; is_empty < 2; is_empty++) {
            struct elf_segment segment[4];

            made_code(&file, 0);
            memcpy(segment, file.segment, sizeof(segment));
            if (is_empty)
                segment[3] = empty;
            for (unsigned i = 0; i < 4; i++)
                file.segment[(first + i) % 4] = segment[i];
            assert_true(read_code(sizeof(file)));
            assert_int_equal(code.pieces, 3);
            assert_int_equal(code.run, 0x1000);
            assert_int_equal(code.memory, 0x5000);
            assert_int_equal(code.page[1], CODE_EXECUTE);
            assert_int_equal(code.page[2], CODE_READ);
            assert_int_equal(code.page[3], CODE_WRITE);
        }
}

/* The numbers of segments and sections are limited; headers behind the last one are not read. */
TEST(has_limits_of_headers)
{
    enum { SEGMENTS = 64, SECTIONS = 4096 };
    static struct {
        struct made_code file;
        struct elf_segment segment[SEGMENTS + 1];
        struct elf_section section[SECTIONS + 1];
    } large;
    struct out_memory problems;

    made_code(&large.file, 0);
    memcpy(large.segment, large.file.segment, sizeof(large.file.segment));
    memcpy(large.section, large.file.section, sizeof(large.file.section));
    large.segment[SEGMENTS].type = ELF_SEGMENT_TLS;
    large.section[SECTIONS] = (struct elf_section){.type = ELF_SECTION_RELR, .flags = ELF_FLAG_ALLOC, .size = 1};
    large.file.header.segments = offsetof(typeof(large), segment);
    large.file.header.sections = offsetof(typeof(large), section);
    large.file.header.segment_count = SEGMENTS;
    large.file.header.section_count = SECTIONS;
    out_memory_init(&problems, said, sizeof(said));
    assert_true(code_read(&large, sizeof(large), &code, &problems.out));
    assert_int_equal(code.pieces, 3);
    large.segment[SEGMENTS].type = 0;
    large.file.header.segment_count++;
    assert_false(code_read(&large, sizeof(large), &code, &problems.out));
    assert_memory_equal(said, "its program headers are outside", 31);
    large.section[SECTIONS].flags = 0;
    large.file.header.segment_count--;
    large.file.header.section_count++;
    out_memory_init(&problems, said, sizeof(said));
    assert_false(code_read(&large, sizeof(large), &code, &problems.out));
    assert_memory_equal(said, "it has no section headers that can be read, or more than 4096", 61);
}

TEST(texts_need_an_end)
{
    made_code(&file, 0);
    memset(file.note.note.name, 'a', sizeof(file.note.note.name));
    assert_false(read_code(sizeof(file)));
    made_code(&file, 0);
    memset(file.note.note.title, 'a', sizeof(file.note.note.title));
    assert_false(read_code(sizeof(file)));
    file.note.note.title[sizeof(file.note.note.title) - 1] = 0;
    assert_true(read_code(sizeof(file)));
}

TEST(has_a_limit_of_code)
{
    made_code(&file, 0);
    file.segment[2].flags = 5;
    file.segment[2].memory_size = 0x1000;
    file.segment[2].address = CODE_TEXT_MAX;
    assert_true(read_code(sizeof(file)));
    file.segment[2].address++;
    assert_false(read_code(sizeof(file)));
    assert_string_equal(said, "it has more than 1024 KB of code: leave out code that run() does not call\n");
}

TEST(has_a_size_limit)
{
    made_code(&file, 0);
    assert_true(read_code(CODE_FILE_MAX));
    assert_false(read_code(CODE_FILE_MAX + 1));
    assert_string_equal(said, "it has more than 8 MB: 'strip --strip-debug' makes it smaller\n");
}

/* The file's last part has the names: the file is whole only with all of them. */
TEST(refuses_each_shorter_file)
{
    for (int relocatable = 0; relocatable < 2; relocatable++) {
        made_code(&file, relocatable);
        for (size_t size = 0; size < sizeof(file); size++)
            if (read_code(size))
                fail_msg("%zu of %zu bytes are taken", size, sizeof(file));
    }
}

TEST(the_note_computes)
{
    uint32_t values[CODE_NOTE_PARAMETERS] = {10, 8};
    struct code_note *note = &file.note.note;

    made_code(&file, 0);
    assert_int_equal(code_note_arena(note, values), 4096 + 8 * 1024);
    assert_int_equal(code_note_work(note, values), 80);
    note->parameter[1].multiplies = 0;
    assert_int_equal(code_note_work(note, values), 10);
    note->arena = UINT64_MAX - 8 * 1024 + 1;
    assert_int_equal(code_note_arena(note, values), UINT64_MAX);
    note->arena--;
    assert_int_equal(code_note_arena(note, values), UINT64_MAX);
    note->arena--;
    assert_int_equal(code_note_arena(note, values), UINT64_MAX - 1);
    memset(note, 0, sizeof(*note));
    assert_int_equal(code_note_work(note, values), 1);
    assert_int_equal(code_note_arena(note, values), 0);
}

/* The note is found after another owner's note, padded to four bytes, and before a second one of ours; or there is
 * none. */
TEST(finds_the_note)
{
    static uint8_t section[2048];
    struct code_note note;
    struct out_memory problems;

    made_code(&file, 0);
    out_memory_init(&problems, said, sizeof(said));
    memcpy(section, "\3\0\0\0\5\0\0\0\1\0\0\0ab\0\0hello\0\0\0", 24);
    memcpy(section + 24, &file.note.name_size, MADE_NOTE_SIZE);
    assert_true(code_note_read(section, 24 + MADE_NOTE_SIZE, &note, &problems.out));
    assert_string_equal(note.name, "made");
    file.note.note.name[0] = 'f';
    memcpy(section + 24 + MADE_NOTE_SIZE, &file.note.name_size, MADE_NOTE_SIZE);
    assert_true(code_note_read(section, 24 + 2 * MADE_NOTE_SIZE, &note, &problems.out));
    assert_string_equal(note.name, "made");
    assert_true(code_note_read(section, 24, &note, &problems.out));
    assert_string_equal(note.name, "");
    assert_int_equal(note.arena, 1 << 20);
    assert_string_equal(said, "");
}

RUN_TESTS(NULL, NULL)
