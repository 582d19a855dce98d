/* SPDX-License-Identifier: BSD-2-Clause */
/* Recordings of later families whose samples have every reserved bit set: report, annotate, compare, HTML and JSON
 * leave out events without a source in the registers, and say so. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/perfdata/perfdata_format.h"
#include "tests/unit/ibsprof/files.h"
#include "tests/unit/ibsprof/made_linux.h"
#include "tests/unit/ibsprof/program.h"
#include "tests/unit/ibsprof/tool.h"

#define B(n)          (1ull << (n))
#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

enum { PID = 77 };

static const struct machine {
    const char *file, *cpuid;
    uint32_t caps;
    const char *missing; /* in the order of the codes, each followed by a blank */
    const char *named;   /* as in the note */
} machines[] = {
    {"16h.data", "AuthenticAMD,22,48,1", 0xFF,
     "F109 F209 F20A F20C F210 F240 F241 F242 F243 F244 F245 F246 F247 F248 F249 F24A F24B F24C ",
     "F109, F209, F20A, F20C, F210, F240 to F24C"},
    {"zen2.data", "AuthenticAMD,23,113,0", 0x3FF,
     "F109 F209 F20A F20B F20C F210 F240 F241 F242 F243 F244 F245 F246 F247 F248 F249 F24A F24B F24C X240 ",
     "F109, F209 to F20C, F210, F240 to F24C, X240"},
    {"zen3.data", "AuthenticAMD,25,1,1", 0x3FF,
     "F008 F009 F109 F209 F20A F20B F20C F210 F240 F241 F242 F243 F244 F245 F246 F247 F248 F249 F24A F24B F24C X240 ",
     "F008, F009, F109, F209 to F20C, F210, F240 to F24C, X240"},
    {"zen4.data", "AuthenticAMD,25,97,2", 0xBFF,
     "F109 F209 F20A F20B F20C F210 F240 F241 F242 F243 F244 F245 F246 F247 F248 F249 F24A F24B F24C X240 ",
     "F109, F209 to F20C, F210, F240 to F24C, X240"},
    {"zen5.data", "AuthenticAMD,26,68,0", 0x81BFF,
     "F109 F209 F20A F20B F20C F210 F211 F212 F213 F215 F216 F217 F240 F241 F242 F243 F244 F245 F246 F247 F248 F249 "
     "F24A F24B F24C X240 ",
     "F109, F209 to F20C, F210 to F217, F240 to F24C, X240"},
};

/* Makes loads that missed, with each bit set that has no other meaning on this family; and fetches likewise. */
static const char *record(const struct machine *machine, unsigned more)
{
    static const struct linux_event events[] = {{LINUX_IBS_FETCH, 0, 4000, PERFDATA_SAMPLE_RAW, 0, "ibs_fetch//"},
                                                {LINUX_IBS_OP, 0, 4000, PERFDATA_SAMPLE_RAW, 0, "ibs_op//"}};
    static const char *const command[] = {"perf", "record", NULL};
    const struct linux_facts facts = {.cpu_name = "made by a test", .cpuid = machine->cpuid, .command = command};
    const char *program = program_make("program.elf");
    char name[40];
    uint64_t time = 1000;

    linux_begin(events, LENGTH(events));
    linux_comm(PID, "program", 0, time);
    linux_map2(PID, PROGRAM_TEXT, 0x1000, PROGRAM_OFFSET, program, PERFDATA_MISC_USER, 4, program_id, 20);
    for (unsigned i = 0; i < 600 + more; i++) {
        /* In IbsOpData branch bits are clear, and 32 and 33 set. IbsOpData3 has a load that missed, translated; 9 to
         * 12, 16, 4 to 6, 19. */
        uint64_t op[] = {0x40000 | 250,
                         0x401016 + i % 2 * 7,
                         B(33) | B(32) | 10 << 16 | 2,
                         0x3F,
                         B(0) | B(7) | B(17) | B(18) | B(9) | B(10) | B(11) | B(12) | B(16) | B(4) | B(5) | B(6) |
                             B(19) | 100ull << 32,
                         0x7000,
                         0x8000,
                         0};
        uint64_t fetch[] = {B(49) | B(50) | B(51) | B(52), 0x401016, 0x9000, 0};

        linux_sample((struct linux_sample){.event = 1,
                                           .pid = PID,
                                           .tid = PID,
                                           .ip = op[1],
                                           .time = time += 1000,
                                           .period = 4000,
                                           .misc = PERFDATA_MISC_USER | PERFDATA_MISC_EXACT_IP,
                                           .registers = op,
                                           .register_count = LENGTH(op),
                                           .caps = machine->caps});
        linux_sample((struct linux_sample){.event = 0,
                                           .pid = PID,
                                           .tid = PID,
                                           .ip = fetch[1],
                                           .time = time += 1000,
                                           .period = 4000,
                                           .misc = PERFDATA_MISC_USER | PERFDATA_MISC_EXACT_IP,
                                           .registers = fetch,
                                           .register_count = LENGTH(fetch),
                                           .caps = machine->caps});
    }
    snprintf(name, sizeof(name), "%s%s", more ? "more-" : "", machine->file);
    return linux_write(name, &facts);
}

/* Checks that the event's code is nowhere in the text except in notes: as a column of CSV, or a quoted word of JSON. */
static void without(const char *text, const char *before, const char *code, const char *what)
{
    char wanted[16];

    snprintf(wanted, sizeof(wanted), "%s%.4s", before, code);
    if (strstr(text, wanted))
        fail_msg("%s has %s", what, wanted);
}

/* Checks that one line names them all. */
static void names(const char *text, const struct machine *machine, const char *what)
{
    const char *note = strstr(text, "ot on this processor (Family ");

    if (!note || !strstr(note, machine->named) || !strstr(note, "its registers do not show them"))
        fail_msg("%s of %s does not say what is missing", what, machine->file);
    assert_null(strstr(note + 1, "ot on this processor"));
}

static void each_missing_event_is_left_out(void **state)
{
    for (size_t m = 0; m < LENGTH(machines); m++) {
        const struct machine *machine = &machines[m];
        const char *path = record(machine, 0), *word, *begin, *end;
        char *copy;

        /* The text has every table. */
        copy = strdup(tool_run(&command_report, "--view=all_data", path, NULL).out);
        names(copy, machine, "the report");
        begin = strstr(copy, "All data");
        assert_non_null(begin);
        for (const char *code = machine->missing; *code; code += 5) {
            char title[8];

            snprintf(title, sizeof(title), "%.4s ", code);
            if (strstr(begin, title))
                fail_msg("the report of %s has %s", machine->file, title);
        }
        free(copy);
        /* The output is CSV. */
        copy = strdup(tool_run(&command_report, "--csv", path, NULL).out);
        names(copy, machine, "CSV");
        begin = strstr(copy, "F100 ");
        assert_non_null(begin);
        for (const char *code = machine->missing; *code; code += 5)
            without(begin, ",", code, "CSV");
        free(copy);
        /* In the JSON the event is not among the events, no view has it, and the list of missing events is complete. */
        copy = strdup(tool_run(&command_report, "--json", path, NULL).out);
        begin = strstr(copy, "\"no_source\":[");
        assert_non_null(begin);
        end = strchr(begin, ']');
        word = begin + strlen("\"no_source\":[");
        for (const char *code = machine->missing; *code; code += 5) {
            assert_int_equal(strncmp(word + 1, code, 4), 0);
            word += 8; /* "F109",\n */
        }
        assert_ptr_equal(word - 2, end);
        memset(copy + (begin - copy), ' ', (size_t)(end - begin));
        for (const char *code = machine->missing; *code; code += 5)
            without(copy, "\"", code, "JSON");
        free(copy);
    }
}

static void pages_and_listings_say_so(void **state)
{
    for (size_t m = 0; m < LENGTH(machines); m++) {
        const struct machine *machine = &machines[m];
        const char *path = record(machine, 0);
        char *copy = strdup(tool_run(&command_report, "--html", path, NULL).out), event[20];

        assert_non_null(strstr(copy, "\"no_source\":["));
        for (const char *code = machine->missing; *code; code += 5) {
            char entry[24];

            snprintf(entry, sizeof(entry), "{\"code\":\"%.4s\"", code);
            if (strstr(copy, entry))
                fail_msg("the page of %s has %s", machine->file, entry);
        }
        free(copy);
        copy = strdup(tool_run(&command_annotate, path, "hot", NULL).out);
        names(copy, machine, "annotate");
        free(copy);
        for (const char *code = machine->missing; *code; code += 5) {
            snprintf(event, sizeof(event), "--event=%.4s", code);
            if (tool_run(&command_annotate, event, path, "hot", NULL).status == 0)
                fail_msg("annotate of %s takes %s", machine->file, event);
        }
    }
}

static void comparisons_say_so(void **state)
{
    for (size_t m = 0; m < LENGTH(machines); m++) {
        const struct machine *machine = &machines[m];
        char *a = strdup(record(machine, 0)), *b = strdup(record(machine, 100)), *copy;
        bool no_ic = strstr(machine->missing, "F008") != NULL;

        copy = strdup(tool_run(&command_compare, "--json", "--event=fetch", a, b, NULL).out);
        names(copy, machine, "compare");
        if (!strstr(copy, "\"ic_miss\"") != no_ic)
            fail_msg("compare of %s %s the IC miss rate", machine->file, no_ic ? "has" : "lacks");
        free(copy);
        free(a);
        free(b);
    }
}

static void family_10h_says_nothing(void **state)
{
    static const struct machine first = {"10h.data", "AuthenticAMD,16,4,2", 0x1F, "", ""};
    const char *path = record(&first, 0);

    assert_null(strstr(tool_run(&command_report, path, NULL).out, "ot on this processor"));
    assert_null(strstr(tool_run(&command_report, "--json", path, NULL).out, "no_source"));
    assert_null(strstr(tool_run(&command_annotate, path, "hot", NULL).out, "ot on this processor"));
    assert_non_null(strstr(tool_run(&command_report, "--csv", path, NULL).out, ",F109 IBS resync"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_missing_event_is_left_out),
        cmocka_unit_test(pages_and_listings_say_so),
        cmocka_unit_test(comparisons_say_so),
        cmocka_unit_test(family_10h_says_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
