/* SPDX-License-Identifier: BSD-2-Clause */
/* The estimate of time that a run has saved, as ibsprof reads and shows it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/ibsprof/files.h"
#include "tools/ibsprof/counters/time_file.h"
#include "tools/ibsprof/report/json/report_parts.h"

#define HEAD                                                                                                           \
    "# MODEL: all figures\nrva,function,file,line,instruction,est. time [ppm],low [ppm],high [ppm],ops [samples]\n"
#define ROWS                                                                                                           \
    "0x4f,chain,w/chain.c,24,\"addsd xmm0, xmm2\",150000,90000,210000,180\n"                                           \
    "0x57,chain,w/chain.c,25,\"divsd xmm1, xmm0\",740000,640000,830000,160\n"
#define REST ",(outside the map),,,,10000,9000,11000,60\n,(front end),,,,100000,95000,105000,0\n"

static struct input_facts facts;
static struct run_profile profile = {.facts = &facts};
static char text[4096], made_json[4096];

static void write_file(const char *csv)
{
    files_write("run/time.csv", csv, strlen(csv));
    facts.path = files_path("run");
}

static const char *shown(void)
{
    struct out_memory memory;

    out_memory_init(&memory, text, sizeof(text));
    report_time_text(&memory.out, &profile);
    return text;
}

static const char *json(void)
{
    FILE *to = fmemopen(made_json, sizeof(made_json), "w");
    struct json written;
    size_t size = 0;

    json_init(&written, to);
    json_object(&written);
    report_time_json(&written, &profile);
    json_end(&written);
    assert_true(json_finish(&written));
    fclose(to);
    for (const char *at = made_json; *at; at++) /* line breaks do not matter */
        if (*at != '\n')
            made_json[size++] = *at;
    made_json[size] = 0;
    return made_json;
}

static void as_it_was_written(void **state)
{
    (void)state;
    write_file(HEAD ROWS REST);
    assert_string_equal(shown(), "\nEstimated time by instruction: share of the cycles\n"
                                 "===============================================================================\n"
                                 "                                             est.                        % of\n"
                                 "Address Instruction                          time      95 % interval      ops\n"
                                 "-------------------------------------------------------------------------------\n"
                                 " chain                                       89.0 %                     85.0 %\n"
                                 "     4f addsd xmm0, xmm2                     15.0 %     9.0 to  21.0 %   45.0 %\n"
                                 ">    57 divsd xmm1, xmm0                     74.0 %    64.0 to  83.0 %   40.0 %\n"
                                 "-------------------------------------------------------------------------------\n"
                                 " outside of the workloads                     1.0 %     0.9 to   1.1 %   15.0 %\n"
                                 " front end: no op to retire                  10.0 %     9.5 to  10.5 %    0.0 %\n"
                                 "Est. time: the cycles in which an instruction retires, or in which later ones\n"
                                 "wait for this; estimated from the time of ops in flight, and from the cycles of\n"
                                 "the workload without sampling. The interval contains only chance. >: the most,\n"
                                 "apart from chance.\n");
    assert_string_equal(json(), "{\"time\":{\"front_end\":{\"ppm\":100000,\"low\":95000,\"high\":105000,\"samples\":0},"
                                "\"outside\":{\"ppm\":10000,\"low\":9000,\"high\":11000,\"samples\":60},\"rows\":["
                                "{\"address\":79,\"function\":\"chain\",\"instruction\":\"addsd xmm0, xmm2\","
                                "\"ppm\":150000,\"low\":90000,\"high\":210000,\"samples\":180},"
                                "{\"address\":87,\"function\":\"chain\",\"instruction\":\"divsd xmm1, xmm0\","
                                "\"ppm\":740000,\"low\":640000,\"high\":830000,\"samples\":160}]}}");
}

/* A file of another kind, or an incomplete one, is not shown. */
static void damaged(void **state)
{
    static const char *const files[] = {
        "",
        HEAD,
        HEAD REST,
        HEAD ROWS "0x4f,chain,w/chain.c,24,addsd,150000,90000,210000\n" REST,
        HEAD ROWS "0x4f,chain,w/chain.c,24,addsd,1000001,90000,210000,180\n" REST,
        HEAD ROWS "0x4f,chain,w/chain.c,24,addsd,150000,-1,210000,180\n" REST,
        HEAD ROWS "0x4f,chain,w/chain.c,24,addsd,150000,90000,21x,180\n" REST,
        HEAD ROWS "0x4f,chain,w/chain.c,24,addsd,150000,90000,210000,4294967296\n" REST,
        HEAD ROWS "0x4f,chain,w/chain.c,24,addsd,150000,90000,210000,\n" REST,
        HEAD ROWS "0x100000000,chain,w/chain.c,24,addsd,150000,90000,210000,180\n" REST,
        "rva,function,file,line,instruction,est. time [ppm],low [ppm],high "
        "[ppm]\n0x4f,chain,w/chain.c,24,addsd,1,1,1\n",
        "rva,function,file,line,event,est. time [ppm],low [ppm],high [ppm],ops "
        "[samples]\n0x4f,chain,w,24,addsd,1,1,1,1\n",
    };

    (void)state;
    for (unsigned i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
        write_file(files[i]);
        assert_string_equal(shown(), "");
        assert_string_equal(json(), "{}");
    }
    write_file(HEAD "0x4f,chain,w/chain.c,24,addsd,1000000,1000000,1000000,4294967295\n" REST);
    assert_non_null(strstr(shown(), "100.0 %"));
}

/* Each instruction is moved to its place in a larger map. */
static void moved(void **state)
{
    static struct codemap_insn insns[] = {
        {.rva = 0x4b, .length = 4}, {.rva = 0x4f, .length = 4}, {.rva = 0x53, .length = 4}, {.rva = 0x57, .length = 4}};
    const struct codemap map = {.insns = insns, .insn_count = 4};
    const uint32_t share[] = {0, 150000, 0, 740000, 10000};
    struct time_file file;

    (void)state;
    write_file(HEAD ROWS REST);
    assert_true(time_file_read(&file, facts.path));
    time_file_move(&file, &map);
    assert_int_equal(file.share.row_count, 5);
    for (unsigned i = 0; i < 5; i++)
        assert_int_equal(file.rows[i].part.share, share[i]);
    time_file_free(&file);
}

static void not_of_others(void **state)
{
    struct core_choice only = {.core_text = "1"};

    (void)state;
    write_file(HEAD ROWS REST);
    facts.is_linux = true;
    assert_string_equal(shown(), "");
    facts.is_linux = false;
    profile.only = &only;
    assert_string_equal(shown(), "");
    only = (struct core_choice){.node_text = "0"};
    assert_string_equal(shown(), "");
    only = (struct core_choice){0};
    assert_true(shown()[0]);
    profile.only = NULL;
    facts.path = files_path("elsewhere");
    assert_string_equal(shown(), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_it_was_written),
        cmocka_unit_test(damaged),
        cmocka_unit_test(moved),
        cmocka_unit_test(not_of_others),
    };

    return cmocka_run_group_tests_name("test_time_file", tests, NULL, files_end);
}
