/* SPDX-License-Identifier: BSD-2-Clause */
/* ibsprof hardware on files as config=hardware writes them, and on others. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/ibsprof/files.h"
#include "tests/unit/ibsprof/tool.h"
#include "tools/ibsprof/hardware/hardware_file.h"
#include "tools/ibsprof/html/html.h"

#define HEADER "number,id,verdict,found,question,expected,check,changes\n"

static const char silicon[] = "# machine = AMD Phenom(tm) II X4 940, family 10h model 4h stepping 2 revision C\n"
                              "# firmware = UEFI 2.0\n# program = ibsboot 1.0\n# figures = silicon\n" HEADER
                              "9,late_nmi,as expected,none,Late NMIs,at most one,counted,drivers/pmu/ibs.c\n"
                              "27,lvtpc_masked,otherwise,\"not masked, ever\",Is it masked,yes (model),read,"
                              "vpmu/model/pmu/local_apic.c apic_take\n"
                              "14,macro_ops,by hand,,Macro-ops,GCC's,shares,family10h.c\n"
                              "32,event_4ed,not answerable,revision C,4EDh,refused,counted,core/events/events_l3.c\n";

static const char model[] = "# MODEL: all figures come from ibsboot's virtual PMU (a model), not from silicon.\n"
                            "# machine = virtual\n# figures = ibsbootvPMU\n" HEADER
                            "9,late_nmi,running,,Late NMIs,at most one,counted,drivers/pmu/ibs.c\n"
                            "27,lvtpc_masked,not reached,,Is it masked,yes (model),read,x\n"
                            "200,new_one,as expected,1,New,old,made,y\n";

static const char *write_file(const char *name, const char *text)
{
    return files_write(name, text, strlen(text));
}

static void shows_machines_and_questions(void **state)
{
    const char *one = write_file("one.csv", silicon), *two = write_file("stick/ibsboot/hardware.csv", model);
    const char *stick = files_path("stick");

    (void)two;
    tool_expect(tool_run(&command_hardware, one, stick, NULL), EXIT_DONE,
                "  1  FILES/one.csv\n"
                "     AMD Phenom(tm) II X4 940, family 10h model 4h stepping 2 revision C\n"
                "     ibsboot 1.0, UEFI 2.0\n"
                "     1 as expected, 1 otherwise, 1 not answerable there, 1 by hand\n"
                "  2  FILES/stick\n"
                "     virtual\n"
                "     1 as expected, 0 otherwise, 0 not answerable there, 0 by hand\n"
                "     the check did not end: 1 not reached\n"
                "MODEL: answers of a virtual machine describe its model, not silicon.\n"
                "\n"
                "Questions                           1     2\n"
                "   9 late_nmi                    same ENDED\n"
                "  27 lvtpc_masked               OTHER     .\n"
                "  14 macro_ops                   hand      \n"
                "  32 event_4ed                      -      \n"
                " 200 new_one                           same\n"
                "same, OTHER: as expected, otherwise; -: not answerable there; hand: by hand;\n"
                "ENDED: the question ended the program or the machine; .: not reached.\n"
                "\n"
                "9 late_nmi\n"
                "    Late NMIs\n"
                "    expected: at most one\n"
                "    machine 2: ended at this question\n"
                "    this changes: drivers/pmu/ibs.c\n"
                "\n"
                "27 lvtpc_masked\n"
                "    Is it masked\n"
                "    expected: yes (model)\n"
                "    machine 1: not masked, ever\n"
                "    this changes: vpmu/model/pmu/local_apic.c apic_take\n",
                "");
}

static void writes_csv(void **state)
{
    tool_expect(
        tool_run(&command_hardware, "--csv", write_file("one.csv", silicon), write_file("two.csv", model), NULL),
        EXIT_DONE,
        "file,machine,figures,number,id,verdict,found,question,expected,check,changes\n"
        "FILES/one.csv,\"AMD Phenom(tm) II X4 940, family 10h model 4h stepping 2 revision C\",silicon,9,"
        "late_nmi,as expected,none,Late NMIs,at most one,counted,drivers/pmu/ibs.c\n"
        "FILES/one.csv,\"AMD Phenom(tm) II X4 940, family 10h model 4h stepping 2 revision C\",silicon,27,"
        "lvtpc_masked,otherwise,\"not masked, ever\",Is it masked,yes (model),read,"
        "vpmu/model/pmu/local_apic.c apic_take\n"
        "FILES/one.csv,\"AMD Phenom(tm) II X4 940, family 10h model 4h stepping 2 revision C\",silicon,14,"
        "macro_ops,by hand,,Macro-ops,GCC's,shares,family10h.c\n"
        "FILES/one.csv,\"AMD Phenom(tm) II X4 940, family 10h model 4h stepping 2 revision C\",silicon,32,"
        "event_4ed,not answerable,revision C,4EDh,refused,counted,core/events/events_l3.c\n"
        "FILES/two.csv,virtual,ibsbootvPMU,9,late_nmi,running,,Late NMIs,at most one,counted,"
        "drivers/pmu/ibs.c\n"
        "FILES/two.csv,virtual,ibsbootvPMU,27,lvtpc_masked,not reached,,Is it masked,yes (model),read,x\n"
        "FILES/two.csv,virtual,ibsbootvPMU,200,new_one,as expected,1,New,old,made,y\n",
        "");
}

/* Prints what a file says about its machine, and no line for what the file lacks. */
static void machines_with_less(void **state)
{
    static const struct {
        const char *facts, *wanted;
    } rows[] = {
        {"", "     the file does not name the machine\n     1 as"},
        {"# machine = m\n# firmware = UEFI 2.0\n", "     m\n     UEFI 2.0\n     1 as"},
        {"# machine = m\n# program = ibsboot 1.0\n", "     m\n     ibsboot 1.0\n     1 as"},
    };

    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char text[300];

        snprintf(text, sizeof(text), "%s" HEADER "1,a,as expected,,,,,\n", rows[i].facts);
        assert_non_null(strstr(tool_run(&command_hardware, write_file("less.csv", text), NULL).out, rows[i].wanted));
    }
}

static void writes_json(void **state)
{
    struct tool_result got = tool_run(&command_hardware, "-j", write_file("two.csv", model), NULL);

    assert_int_equal(got.status, EXIT_DONE);
    expect_file(got.out, "hardware/hardware.json");
    got = tool_run(&command_hardware, "--json", write_file("one.csv", silicon), NULL);
    assert_non_null(strstr(got.out,
                           "\"machine\":\"AMD Phenom(tm) II X4 940, family 10h model 4h stepping 2 revision C\","
                           "\"firmware\":\"UEFI 2.0\",\"program\":\"ibsboot 1.0\",\"figures\":\"silicon\","
                           "\"is_model\":false,\"answers\":[{\"id\":\"late_nmi\",\"verdict\":\"as expected\","
                           "\"found\":\"none\"},{\"id\":\"lvtpc_masked\",\"verdict\":\"otherwise\","
                           "\"found\":\"not masked, ever\"}"));
}

static void makes_a_page(void **state)
{
    struct tool_result got = tool_run(&command_hardware, "--html", write_file("one.csv", silicon), NULL);

    assert_int_equal(got.status, EXIT_DONE);
    assert_non_null(strstr(got.out, "id=\"hardware\""));
    assert_non_null(strstr(got.out, "hardware-questions"));
}

struct wrong {
    const char *text, *why;
    bool some; /* rows before the mistake are shown */
};

/* Each mistake has a line with what, where, and what to do; rows that could be read are shown. */
static void says_what_is_wrong(void **state)
{
    static const struct wrong rows[] = {
        {"", "line 0: it is empty", false},
        {"rva,function\n", "line 1: it is not a hardware.csv, which config=hardware writes", false},
        {"number,id,verdict,found,question,expected,check,change\n",
         "line 1: it is not a hardware.csv, which config=hardware writes", false},
        {"# a = b\n" HEADER, "line 2: it has no answers: run config=hardware again", false},
        {HEADER "x,a,otherwise,,,,,\n", "line 2: its number is not a number", false},
        {HEADER "70000,a,otherwise,,,,,\n", "line 2: its number is not a number", false},
        {HEADER "1,a,perhaps,,,,,\n", "line 2: this ibsprof does not know its verdict", false},
        {HEADER "1,a,otherwise,,,,,\n2,a,otherwise,,,,,\n", "line 3: its question appears twice", true},
        {HEADER "1,a,otherwise,,,,,\n2,b\n", "line 3: it has more or fewer fields than the first line", true},
        {"# k\n" HEADER "1,a,otherwise,,,,,\n2,b,as", "line 4: it ends in the middle of a line", true},
    };

    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct tool_result got = tool_run(&command_hardware, write_file("wrong.csv", rows[i].text), NULL);
        char want[200];

        snprintf(want, sizeof(want), "ibsprof: FILES/wrong.csv: %s\n", rows[i].why);
        assert_string_equal(got.err, want);
        assert_int_equal(got.status, EXIT_INPUT);
        assert_int_equal(strstr(got.out, "OTHER") != NULL, rows[i].some);
    }
}

static void says_what_is_not_there(void **state)
{
    files_write("empty/x", "", 0);
    tool_expect(tool_run(&command_hardware, files_path("none"), NULL), EXIT_INPUT, "",
                "ibsprof: FILES/none: No such file or directory\n");
    tool_expect(tool_run(&command_hardware, files_path("empty"), NULL), EXIT_INPUT, "",
                "ibsprof: FILES/empty: has no hardware.csv: config=hardware writes one\n");
    tool_expect(tool_run(&command_hardware, NULL), EXIT_USAGE, "",
                "ibsprof: hardware: no FILE; 'ibsprof hardware --help' explains\n");
}

/* Everything that the image writes can be read. */
static void reads_what_the_image_writes(void **state)
{
    static struct hardware_answer answers[HARDWARE_ROWS];
    static char text[1 << 17];
    struct out_memory out;
    struct hardware_file file;
    char error[200];

    for (unsigned i = 0; i < HARDWARE_ROWS; i++)
        answers[i] = (struct hardware_answer){.verdict = (uint8_t)(i % HARDWARE_VERDICTS), .found = "a, \"b\""};
    out_memory_init(&out, text, sizeof(text));
    hardware_csv(&out.out, answers);
    assert_true(hardware_file_read(&file, write_file("image.csv", text), error, sizeof(error)));
    assert_int_equal(file.rows, HARDWARE_ROWS);
    assert_false(file.is_model);
    for (unsigned i = 0; i < HARDWARE_ROWS; i++) {
        assert_string_equal(file.row[i].id, hardware_rows[i].id);
        assert_string_equal(file.row[i].found, "a, \"b\"");
        assert_string_equal(file.row[i].question, hardware_rows[i].question);
        assert_string_equal(file.row[i].expected, hardware_rows[i].expected);
        assert_string_equal(file.row[i].check, hardware_rows[i].check);
        assert_string_equal(file.row[i].changes, hardware_rows[i].changes);
        assert_int_equal(file.row[i].verdict, i % HARDWARE_VERDICTS);
        assert_int_equal(file.row[i].number, hardware_rows[i].number);
    }
    hardware_file_free(&file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shows_machines_and_questions),
        cmocka_unit_test(writes_csv),
        cmocka_unit_test(machines_with_less),
        cmocka_unit_test(writes_json),
        cmocka_unit_test(makes_a_page),
        cmocka_unit_test(says_what_is_wrong),
        cmocka_unit_test(says_what_is_not_there),
        cmocka_unit_test(reads_what_the_image_writes),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);

    files_remove_all();
    return failed;
}
