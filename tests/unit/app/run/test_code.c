/* SPDX-License-Identifier: BSD-2-Clause */
/* Own code: how files are found and listed, what is refused, and a run whose functions come from the file. */
#include "tests/unit/app/fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "app/run/code.h"
#include "app/run/run.h"
#include "drivers/cpu/kept_state.h"
#include "tests/unit/core/made_code.h"

static struct made_code file;
static uint64_t map_bytes[256];

/* The function run sets arena[0] = data[0] + 7 and increments data[0]; check tests whether arena[0] has the first
 * pass's value. */
static const uint8_t run_code[] = {0x8a, 0x05, 0xfa, 0x1f, 0, 0, /* mov al, [rip+1ffah]: .data, at 3000h */
                                   0x04, 0x07, 0x88, 0x07,       /* add al, 7; mov [rdi], al */
                                   0xfe, 0x05, 0xf0, 0x1f, 0, 0, /* inc byte [rip+1ff0h] */
                                   0xc3};
static const uint8_t check_code[] = {0x0f, 0xb6, 0x07,                   /* movzx eax, byte [rdi] */
                                     0x48, 0xc7, 0x02, 0x37, 0,    0, 0, /* mov qword [rdx], '0' + 7 */
                                     0x48, 0x89, 0x42, 0x08,             /* mov [rdx+8], rax */
                                     0x3c, 0x37, 0x0f, 0x94, 0xc0,       /* cmp al, '0' + 7; sete al */
                                     0xc3};

static void make_file(void)
{
    made_code(&file, 0);
    memcpy(file.text, run_code, sizeof(run_code));
    memcpy(file.text + 20, "\xc3", 1);
    memcpy(file.text + 32, check_code, sizeof(check_code));
    file.symbol[MADE_PREPARE].value = 0x1014;
}

static void put_file(const char *path)
{
    fake_folder_put(&fake_fw, "\\ibsboot");
    fake_folder_put(&fake_fw, "\\ibsboot\\code");
    fake_file_put(&fake_fw, path, &file, sizeof(file));
}

static uint64_t hash_of(const void *bytes, size_t size, uint32_t moved)
{
    static struct code code;
    struct out_memory problems;
    char line[200];

    out_memory_init(&problems, line, sizeof(line));
    (void)code_read(bytes, size, &code, &problems.out);
    code.piece[0].rva += moved;
    return code_hash(&code);
}

/* Makes a map with one instruction for the present file. */
static size_t make_map_of(const char *text)
{
    size_t shown = strlen(text) + 1;
    struct codemap_insn insn = {.rva = 0x1000, .text = 4, .file = 0xffff, .length = 6, .ops = 1};
    struct codemap_func func = {0x1000, 17, 0};
    struct codemap map = {.insn_count = 1, .func_count = 1, .text_rva = 0x1000, .text_size = 6};
    uint8_t *at = (uint8_t *)map_bytes + sizeof(struct code_map_header);

    memcpy(at, &insn, sizeof(insn));
    memcpy(at + sizeof(insn), &func, sizeof(func));
    memcpy(at + sizeof(insn) + sizeof(func), "run", 4);
    memcpy(at + sizeof(insn) + sizeof(func) + 4, text, shown);
    code_map_seal(map_bytes, &map, (uint32_t)(4 + shown), hash_of(&file, sizeof(file), 0));
    return sizeof(struct code_map_header) + sizeof(insn) + sizeof(func) + 4 + shown;
}

static size_t make_map(void)
{
    return make_map_of("the load");
}

static uint8_t *mapped;
static size_t mapped_size;

/* Maps the code as drivers/cpu/paging.c would, and checks the request. */
static void map_code(const struct session_plan *plan)
{
    const struct paging_own *own = &plan->place.paging.own;
    assert_int_equal(own->pages, 5);
    assert_int_equal(plan->place.paging.slot, 128);
    if (mapped)
        munmap(mapped, mapped_size);
    mapped_size = (size_t)own->pages * CODE_PAGE;
    mapped = mmap((void *)(uintptr_t)paging_own_address(128), mapped_size, PROT_READ | PROT_WRITE | PROT_EXEC,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    assert_ptr_equal(mapped, (void *)(uintptr_t)paging_own_address(128));
    assert_int_not_equal(own->data, 0);
    memcpy(mapped, (const uint8_t *)(uintptr_t)own->physical, mapped_size);
}

static int unmap(void **state)
{
    if (mapped)
        munmap(mapped, mapped_size);
    mapped = NULL;
    return fixture_teardown(state);
}

TEST_WITH(is_listed_with_its_parameters, fixture_setup, unmap)
{
    make_file();
    put_file("\\ibsboot\\code\\MADE.ELF");
    fake_file_put(&fake_fw, "\\ibsboot\\code\\bad.elf", "text", 4);
    fake_file_put(&fake_fw, "\\ibsboot\\code\\notes.txt", "text", 4);
    assert_int_equal(start("menu=no show=list"), 0);
    assert_in_order((const char *const[]){"-- sharing --", "-- own -- own code: files in \\ibsboot\\code\n",
                                          "  made                 made by hand\n",
                                          "  not usable: bad.elf: it is not an ELF file\n"},
                    4);
    assert_not_shown("notes");
    fake_firmware_clear(&fake_fw);
    assert_int_equal(start("menu=no show=\"list made\""), 0);
    assert_shown("passes=10  how often (1 to 100)");
    assert_shown("kb=8  size (multiples of 4 from 4 to 64)");
    fake_firmware_clear(&fake_fw);
    assert_int_equal(start("menu=no workload=bad"), 1);
    assert_shown("load options:2: workload = bad: bad.elf: it is not an ELF file\n");
    fake_firmware_clear(&fake_fw);
    assert_int_equal(start("menu=no workload=made kb=66"), 1);
    assert_says("kb = 66");
    fake_firmware_clear(&fake_fw);
    assert_int_equal(start("menu=no workload=mad"), 1);
    assert_shown("did you mean 'made'?");
}

/* The listing refuses code that changes the machine before the run, since nothing would stop the code. */
TEST_WITH(refuses_what_changes_the_machine, fixture_setup, unmap)
{
    make_file();
    put_file("\\ibsboot\\code\\made.elf");
    fake_file_put(&fake_fw, "\\ibsboot\\code\\made.map", map_bytes, make_map_of("sti"));
    assert_int_equal(start("menu=no show=list"), 0);
    assert_says("  not usable: made.elf: run+0x0, sti: it changes the processor's state: leave it out");
    fake_firmware_clear(&fake_fw);
    assert_int_equal(start("menu=no workload=made"), 1);
    assert_says("workload = made: made.elf: run+0x0, sti: it changes the processor's state: leave it out");
    fake_firmware_clear(&fake_fw);
    fake_file_put(&fake_fw, "\\ibsboot\\code\\made.map", map_bytes, make_map_of("rdtsc"));
    assert_int_equal(start("menu=no show=\"list made\""), 0);
    assert_shown("passes=10  how often (1 to 100)");
}

/* A boot server cannot list files, so a text names them. A path is refused as a name, because the run is saved under
 * that name. */
TEST_WITH(a_text_names_files, fixture_setup, unmap)
{
    static const char list[] = "made.elf\r\n\nother.elf\nnotes.txt\n../up.elf\nc:drive.elf\nback\\slash.elf";

    make_file();
    put_file("\\ibsboot\\code\\made.elf");
    fake_file_put(&fake_fw, "\\ibsboot\\code\\list.txt", list, sizeof(list) - 1);
    fake_fw.fail.call = FAKE_LIST;
    fake_fw.fail.at = 1;
    fake_fw.fail.error = FIRMWARE_NOT_FOUND;
    assert_int_equal(start("menu=no show=list"), 0);
    assert_shown("  made                 made by hand\n");
    assert_shown("  not usable: other.elf: ");
    assert_not_shown("notes");
    assert_says("3 files are left out: ");
    assert_not_shown("not usable: ../up.elf");
}

/* iPXE's UEFI program does not report a file's size; 64 bytes are too few for a file. The section headers are last, and
 * end with zeros. */
TEST_WITH(reads_files_of_no_size, fixture_setup, unmap)
{
    static uint8_t large[CODE_FILE_MAX + 1];
    static struct {
        struct made_code file;
        struct elf_section section[MADE_SECTIONS];
    } moved;
    unsigned refused = 0;
    size_t map_size;

    make_file();
    file.header.sections = sizeof(file);
    moved.file = file;
    memcpy(moved.section, file.section, sizeof(moved.section));
    fake_folder_put(&fake_fw, "\\ibsboot");
    fake_folder_put(&fake_fw, "\\ibsboot\\code");
    fake_file_put(&fake_fw, "\\ibsboot\\code\\made.elf", &moved, sizeof(moved));
    map_size = make_map_of("cli");
    ((struct code_map_header *)map_bytes)->elf_hash = hash_of(&moved, sizeof(moved), 0);
    fake_file_put(&fake_fw, "\\ibsboot\\code\\made.map", map_bytes, map_size);
    memset(large, 1, sizeof(large));
    fake_file_put(&fake_fw, "\\ibsboot\\code\\large.elf", large, sizeof(large));
    fake_fw.tells_no_size = true;
    assert_int_equal(start("menu=no show=list"), 0);
    assert_says("not usable: made.elf: run+0x0, cli: it changes");
    assert_says("not usable: large.elf: it has more than");
    for (unsigned at = 1; at < 20; at++) { /* the first read, and the file as it is kept */
        fake_firmware_clear(&fake_fw);
        fake_fw.tells_no_size = true;
        fake_fw.fail.call = FAKE_ALLOCATE;
        fake_fw.fail.at = at;
        (void)start("menu=no show=list");
        refused += times_said("not usable: made.elf: there is not enough memory");
    }
    assert_int_equal(refused, 2);
}

TEST_WITH(without_files_nothing_changes, fixture_setup, unmap)
{
    assert_int_equal(start("menu=no show=list"), 0);
    assert_not_shown("-- own");
    fake_folder_put(&fake_fw, "\\ibsboot");
    fake_folder_put(&fake_fw, "\\ibsboot\\code");
    assert_int_equal(start("menu=no " SMALL), 0);
    assert_int_equal(fake_session.own_code_told, 0);
}

struct name_row {
    const char *name, *parameter, *said;
};

TEST_WITH(names_are_unlike_others, fixture_setup, unmap)
{
    static const struct name_row rows[] = {
        {"tight-loop", "passes", "another workload has the name tight-loop: change the name in the note"},
        {"made", "seed", "its parameter seed has the name of a setting: change the name in the note"},
        {"made", "kb", "it has two parameters named kb"},
    };

    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        make_file();
        strcpy(file.note.note.name, rows[i].name);
        strcpy(file.note.note.parameter[0].name, rows[i].parameter);
        put_file("\\ibsboot\\code\\made.elf");
        fake_firmware_clear(&fake_fw);
        assert_int_equal(start("menu=no show=list"), 0);
        assert_shown(rows[i].said);
        fake_files_clear(&fake_fw);
    }
}

/* Sixteen files with parameters whose names are all different do not fit. */
TEST_WITH(there_are_limits, fixture_setup, unmap)
{
    char path[80];

    for (char n = 'a'; n <= 'q'; n++) {
        make_file();
        file.note.note.name[0] = n;
        file.note.note.parameter[0].name[0] = n;
        snprintf(path, sizeof(path), "\\ibsboot\\code\\%c.elf", n);
        put_file(path);
    }
    fake_file_put(&fake_fw, "\\ibsboot\\code\\a-name-of-more-than-31-characters-x.elf", "x", 1);
    assert_int_equal(start("menu=no show=list"), 0);
    assert_says("\\ibsboot\\code: 2 files are left out: there are more than 16");
    assert_shown("  pade ");
    fake_files_clear(&fake_fw);
    for (char n = 'a'; n <= 'p'; n++) {
        make_file();
        file.note.note.name[0] = n;
        file.note.note.parameter[0].name[0] = n;
        file.note.note.parameter[1].name[0] = n;
        snprintf(path, sizeof(path), "\\ibsboot\\code\\%c.elf", n);
        put_file(path);
    }
    fake_firmware_clear(&fake_fw);
    assert_int_equal(start("menu=no show=list"), 0);
    assert_says("there is no room for its parameters beside those of other workloads");
    assert_shown("  aade ");
}

TEST_WITH(runs_like_others, fixture_setup, unmap)
{
    const struct fake_file *saved;

    make_file();
    put_file("\\ibsboot\\code\\made.elf");
    fake_file_put(&fake_fw, "\\ibsboot\\code\\made.map", map_bytes, make_map());
    fake_session.on_run = map_code;
    fake_session.run_body = true;
    assert_int_equal(start("menu=no config=ibs repeats=3 workload=made kb=16"), 0);
    assert_shown("Workload      made passes=10 kb=16\n              made by hand\n");
    assert_shown("Code          made.elf at 404000000000");
    assert_not_shown("addresses stand for");
    assert_shown("PASS result of made: expected 55, got 55\n");
    assert_shown("right in 3 of 3 passes");
    saved = fake_file_find(&fake_fw, "\\ibsboot\\runs\\0001-made-ibs\\made.elf");
    assert_non_null(saved);
    assert_memory_equal(saved->data, &file, sizeof(file));
    saved = fake_file_find(&fake_fw, "\\ibsboot\\runs\\0001-made-ibs\\perf.data");
    assert_non_null(memmem(saved->data, saved->size, "made.elf", 9));
    assert_non_null(fake_session.own_code);
    assert_int_equal(fake_session.own_code->base, paging_own_address(128));
    assert_int_equal(fake_session.own_code->bytes, make_map());
}

TEST_WITH(is_not_compared_without_check, fixture_setup, unmap)
{
    make_file();
    file.symbol[MADE_CHECK].name = 0;
    put_file("\\ibsboot\\code\\made.elf");
    fake_file_put(&fake_fw, "\\ibsboot\\code\\made.map", map_bytes, make_map());
    fake_session.on_run = map_code;
    fake_session.run_body = true;
    assert_int_equal(start("menu=no config=ibs workload=made"), 0);
    assert_shown("     result of made: not compared, as the workload has no check()\n");
}

/* Each core's data are filled from the file, page after page. */
TEST_WITH(fills_data, fixture_setup, unmap)
{
    static uint8_t all[4 * CODE_PAGE], data[2 * CODE_PAGE + 1];
    static const uint8_t uses[4] = {CODE_WRITE, CODE_READ, CODE_NOTHING, CODE_WRITE};
    struct paging_own own = {4, uses, (uintptr_t)all, 0};

    for (unsigned i = 0; i < 4; i++)
        memset(all + i * CODE_PAGE, (int)i + 1, CODE_PAGE);
    code_fill_data(&own); /* a core without data of its own */
    own.data = (uintptr_t)data;
    code_fill_data(&own);
    assert_memory_equal(data, all, CODE_PAGE);
    assert_memory_equal(data + CODE_PAGE, all + 3 * CODE_PAGE, CODE_PAGE);
    assert_int_equal(data[2 * CODE_PAGE], 0);
}

TEST_WITH(shows_addresses_without_a_map, fixture_setup, unmap)
{
    make_file();
    put_file("\\ibsboot\\code\\made.elf");
    fake_session.on_run = map_code;
    fake_session.run_body = true;
    fake_session.machine.hypervisor = fake_session.machine.nxe = false;
    assert_int_equal(start("menu=no config=ibs workload=made"), 0);
    assert_says("NOTE: the code's data can be executed, because the firmware leaves EFER.NXE off.");
    assert_says("NOTE: addresses are shown instead of instructions, because the code map cannot be used: it is "
                "missing: 'ibsprof codemap "
                "made.elf' makes it.");
    (void)make_map();
    file.text[40] ^= 1; /* the map belongs to another file */
    put_file("\\ibsboot\\code\\made.elf");
    fake_file_put(&fake_fw, "\\ibsboot\\code\\made.map", map_bytes, sizeof(struct code_map_header) + 72 + 12 + 13);
    fake_firmware_clear(&fake_fw);
    assert_int_equal(start("menu=no show=list"), 0);
}

/* The model knows code only by its map. */
TEST_WITH(the_model_needs_a_map, fixture_setup, unmap)
{
    size_t size;

    make_file();
    put_file("\\ibsboot\\code\\made.elf");
    fake_session.machine.hypervisor = true;
    strcpy(fake_session.machine.hypervisor_signature, "ibsbootvPMU");
    assert_int_equal(start("menu=no config=ibs workload=made"), 1);
    assert_says("made.elf: the virtual PMU needs the file's code map to step it: it is missing");
    assert_int_equal(fake_session.runs, 0);
    make_map();
    fake_file_put(&fake_fw, "\\ibsboot\\code\\made.map", map_bytes, 20);
    fake_firmware_clear(&fake_fw);
    assert_int_equal(start("menu=no config=ibs workload=made"), 1);
    assert_says("file's code map to step it: it is not a code map");
    size = make_map();
    ((struct code_map_header *)map_bytes)->elf_hash = hash_of(&file, sizeof(file), 64); /* a map of another layout */
    fake_file_put(&fake_fw, "\\ibsboot\\code\\made.map", map_bytes, size);
    fake_firmware_clear(&fake_fw);
    assert_int_equal(start("menu=no config=ibs workload=made"), 1);
    assert_says("it was made for another made.elf, or by another version: make it again by 'ibsprof codemap'");
}

TEST_WITH(refuses_what_cannot_be_loaded, fixture_setup, unmap)
{
    make_file();
    file.rela[0] = (struct elf_rela){0x1004, (uint64_t)MADE_OUTSIDE << 32 | ELF_R_64, 0};
    put_file("\\ibsboot\\code\\made.elf");
    fake_session.machine.hypervisor = false;
    assert_int_equal(start("menu=no config=ibs workload=made"), 1);
    assert_says("workload = made: made.elf: relocation R_X86_64_64 (1) at run+0x4: 'memcpy' is not defined here");
    assert_int_equal(fake_session.runs, 0);
}

/* Each allocation and each read may fail: a line says so, and all memory is freed. */
TEST_WITH(survives_each_failure, fixture_setup, unmap)
{
    bool told_of_map = false;

    for (unsigned call = 0; call < 3; call++)
        for (unsigned at = 1; at < 60; at++) {
            make_file();
            fake_files_clear(&fake_fw);
            put_file("\\ibsboot\\code\\made.elf");
            fake_file_put(&fake_fw, "\\ibsboot\\code\\made.map", map_bytes, make_map());
            fake_firmware_clear(&fake_fw);
            fake_session.run_body = false;
            fake_fw.failed = false;
            fake_fw.fail.call = call == 0 ? FAKE_ALLOCATE : call == 1 ? FAKE_READ_FILE : FAKE_LIST;
            fake_fw.fail.at = at;
            (void)start("menu=no config=count save=no workload=made");
            assert_lines_fit();
            told_of_map |= times_said("needs the file's code map to step it: the firmware reported an error") > 0;
            if (!fake_fw.failed)
                break;
        }
    assert_true(told_of_map);
}

/* The report of an exception in own code begins with the reason. */
TEST_WITH(reports_a_fault, fixture_setup, unmap)
{
    make_file();
    put_file("\\ibsboot\\code\\made.elf");
    fake_session.on_run = map_code;
    fake_session.machine.hypervisor = false;
    fake_session.result = (struct session_result){.error = SESSION_FAULT,
                                                  .faulted = true,
                                                  .fault_phase = SESSION_BODY,
                                                  .fault = {.vector = 14, .error = 16, .rip = 16, .cr2 = 16}};
    assert_int_equal(start("menu=no config=ibs workload=made"), 1);
    assert_says("made.elf: #PF page fault: it jumped to 10, where nothing is mapped.");
}

struct fault_row {
    uint32_t vector;
    uint64_t error, rip, cr2;
    const char *said;
};

/* This explanation follows all others, because the file is not the firmware's. */
TEST(explains_changed_state)
{
    static const struct {
        enum session_phase phase;
        enum kept_register changed;
        const char *said;
    } rows[] = {
        {SESSION_PREPARE, KEPT_CR4, "made.elf: prepare() changed CR4, which own code must not; it was put back.\n"},
        {SESSION_BODY, KEPT_INTERRUPTS,
         "made.elf: run() changed RFLAGS.IF, which own code must not; it was put back.\n"},
        {SESSION_FINISH, KEPT_IDTR, "made.elf: check() changed IDTR, which own code must not; it was put back.\n"},
    };
    static const struct code_file code = {.file_name = "made.elf"};
    static struct run run;
    char said[200];

    run.code.file = &code;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct out_memory memory;

        run.passes.result.error = SESSION_STATE;
        run.passes.result.error_detail = rows[i].changed;
        run.passes.result.fault_phase = rows[i].phase;
        out_memory_init(&memory, said, sizeof(said));
        code_explain_state(&memory.out, &run);
        for (char *at = strstr(said, "\n    "); at; at = strstr(at, "\n    ")) { /* replaces line breaks */
            memmove(at, at + 4, strlen(at + 4) + 1);
            *at = ' ';
        }
        assert_string_equal(said, rows[i].said);
    }
}

TEST(explains_faults)
{
    enum { ARENA = 0x40000000, SIZE = 0x10000 };
    static const struct fault_row rows[] = {
        {0, 0, 0x1004, 0,
         "made.elf: #DE divide error at run+0x4, the load: it divided by zero, or the quotient is too large.\n"},
        {6, 0, 0x1012, 0,
         "made.elf: #UD invalid opcode at run+0x12: this processor does not have this instruction, or the instruction "
         "is off, as AVX is without an operating system.\n"},
        {3, 0, 0x1020, 0, "made.elf: #BP breakpoint at check+0x0.\n"},
        {14, 3, 0x1000, 0x2008 + 1,
         "made.elf: #PF page fault at run+0x0, the load: it wrote to 404000002009, which is its own "
         "code or constants.\n"},
        {14, 2, 0x1000, 0x5000,
         "made.elf: #PF page fault at run+0x0, the load: it wrote to 404000005000, where nothing is "
         "mapped.\n"},
        {14, 0, 0x1000, ARENA + SIZE + 8,
         "made.elf: #PF page fault at run+0x0, the load: it read from 40010008, 0x8 bytes "
         "after its arena and stack, where nothing is mapped.\n"},
        {14, 17, ARENA + 16, ARENA + 16,
         "made.elf: #PF page fault: it jumped to 40000010, which is its arena + 0x10.\n"},
        {14, 0, 16, 16, "made.elf: #PF page fault: it jumped to 10, where nothing is mapped.\n"},
    };
    static struct code_file code;
    static struct run run;
    static struct passes_core core;
    static char said[600];
    char plain[600];

    make_file();
    code.bytes = &file;
    code.size = sizeof(file);
    code.map_bytes = map_bytes;
    code.map_size = make_map();
    code_take(&code, "made.elf", 0, options_has_key);
    assert_string_equal(code.why, "");
    assert_string_equal(code.why_no_map, "");
    run.code = (struct run_code){.file = &code, .address = 0x404000000000};
    run.map = &code.map;
    run.map_base = run.code.address;
    run.passes.core = &core;
    core.plan.place.paging.size = SIZE;
    run.passes.result.arena = ARENA;
    run.passes.result.faulted = true;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const struct fault_row *row = &rows[i];
        struct out_memory memory;
        size_t used = 0;

        out_memory_init(&memory, said, sizeof(said));
        run.passes.result.fault =
            (struct cpu_fault){.vector = row->vector,
                               .error = row->error,
                               .rip = row->rip < 0x10000 && row->rip != 16 ? run.code.address + row->rip : row->rip,
                               .cr2 = row->cr2 < 0x10000 && row->cr2 != 16 ? run.code.address + row->cr2 : row->cr2};
        code_explain_fault(&memory.out, &run);
        for (const char *at = said; *at; at++) /* replaces line breaks */
            if (!strncmp(at, "\n    ", 5))
                plain[used++] = ' ', at += 4;
            else
                plain[used++] = *at;
        plain[used] = '\0';
        assert_string_equal(plain, row->said);
    }
    run.passes.result.limit_rip = run.code.address + 0x1002;
    code_write_limit(said, sizeof(said), &run);
    assert_string_equal(said, ", and was at run+0x2, the load");
    run.passes.result.limit_rip = 0x1002;
    code_write_limit(said, sizeof(said), &run);
    assert_string_equal(said, "");
    run.code.file = NULL;
    code_write_limit(said, sizeof(said), &run);
    assert_string_equal(said, "");
    code_explain_fault(NULL, &run); /* a built-in workload has no explanation */
    params_forget_own();
}

RUN_TESTS(fixture_load, NULL)
