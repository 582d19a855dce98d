/* SPDX-License-Identifier: BSD-2-Clause */
/* * Forms that are rarely seen: help, each family of processors, texts of one letter, files with one item each, counts
 * beside samples, certificates, answers of machines and plans. The texts are compared as in test_every_form.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "core/ibs/record.h"
#include "core/perfdata/perfdata_format.h"
#include "tests/unit/ibsprof/files.h"
#include "tests/unit/ibsprof/forms.h"
#include "tests/unit/ibsprof/made_linux.h"
#include "tests/unit/ibsprof/made_run.h"
#include "tests/unit/ibsprof/program.h"

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

enum { USER = 2, SAMPLES = 300 };

static const char *const of_family[] = {"--json", "--view=all --width=120", "--by=core", "--by=fetch"};
static const char *const of_export[] = {"--samples=op", "--samples=fetch", "--samples=op --format=jsonl"};
static const char *const of_report[] = {"",
                                        "--json",
                                        "--csv",
                                        "--folded",
                                        "--by=function",
                                        "--by=core",
                                        "--by=core --csv",
                                        "--view=exploration",
                                        "--view=exploration --json",
                                        "--view=timer --by=function",
                                        "--view=mine",
                                        "--view=mine --csv",
                                        "--view=all_data"};
static const char *const of_linux[] = {"",           "--json",        "--csv",         "--folded",    "--by=module",
                                       "--by=core",  "--by=process",  "--by=thread",   "--by=caller", "--by=stack",
                                       "--by=fetch", "--by=function", "--comm=p --csv"};
static const char *const of_any[] = {"", "--json", "--csv"};
static const char *const of_help[] = {"--help", "--manual"};

/* Makes ops and fetches with any bits on this processor. */
static const char *family(const char *cpuid, uint32_t caps)
{
    static const struct linux_event events[] = {{LINUX_IBS_FETCH, 0, 4000, PERFDATA_SAMPLE_RAW, 0, "ibs_fetch//"},
                                                {LINUX_IBS_OP, 1 << 19, 4000, PERFDATA_SAMPLE_RAW, 0, "ibs_op//"}};
    const struct linux_facts facts = {.release = "6.1.0-test", .arch = "x86_64", .cpuid = cpuid};
    static const uint64_t code[] = {0x401010, 0x401016, 0x401017, 0x401019, 0x401020, 0x401030};

    forms_seed(caps);
    linux_begin(events, LENGTH(events));
    linux_comm(1, "program", PERFDATA_MISC_COMM_EXEC, 0);
    linux_map2(1, PROGRAM_TEXT, 0x1000, PROGRAM_OFFSET, "/gone/program.elf", USER, 5, program_id, 20);
    for (unsigned i = 0; i < SAMPLES; i++) {
        uint64_t at = code[forms_any(LENGTH(code))], op[8] = {0x40000 | 250, at}, fetch[5] = {0, at};

        for (unsigned r = 2; r < LENGTH(op); r++)
            op[r] = i % 2 ? forms_few_bits() : forms_bits();
        op[4] |= forms_any(3) ? 1 : 0; /* loads */
        fetch[0] = forms_bits();
        fetch[2] = forms_few_bits();
        fetch[3] = forms_any(200);
        linux_sample((struct linux_sample){.event = i % 3 != 0,
                                           .pid = 1,
                                           .tid = 1,
                                           .cpu = (uint32_t)forms_any(2),
                                           .ip = at,
                                           .time = 1000 * (i + 1),
                                           .period = 4000,
                                           .misc = USER | PERFDATA_MISC_EXACT_IP,
                                           .caps = caps,
                                           .registers = i % 3 ? op : fetch,
                                           .register_count = i % 3 ? 8 : 4});
    }
    return linux_write("family.data", &facts);
}

static void families(void **state)
{
    static const struct {
        const char *name, *cpuid;
        uint32_t caps;
    } rows[] = {
        {"12h", "AuthenticAMD,18,1,0", 0x1F},        {"14h", "AuthenticAMD,20,2,0", 0x1F},
        {"15h", "AuthenticAMD,21,1,0", 0xFF},        {"15h, 10h", "AuthenticAMD,21,16,0", 0xFF},
        {"15h, 30h", "AuthenticAMD,21,48,0", 0x1FF}, {"15h, 60h", "AuthenticAMD,21,96,0", 0x3FF},
        {"16h", "AuthenticAMD,22,0,1", 0xFF},        {"zen", "AuthenticAMD,23,1,1", 0x3FF},
        {"zen3", "AuthenticAMD,25,1,0", 0x3FF},      {"zen3, 20h", "AuthenticAMD,25,33,0", 0x3FF},
        {"zen4", "AuthenticAMD,25,97,2", 0xBFF},     {"zen6", "AuthenticAMD,26,80,0", 0x9FBFF},
        {"unknown", "AuthenticAMD,51,1,0", 0x3FF},   {"other", "GenuineIntel,6,85,4", 0x3FF},
    };

    program_make("program.elf");
    forms_begin("rare-families");
    for (unsigned i = 0; i < LENGTH(rows); i++) {
        const char *path = family(rows[i].cpuid, rows[i].caps);

        FORMS_EACH(command_export, of_export, ((const char *const[]){path, NULL}), rows[i].name);
        FORMS_EACH(command_report, of_family, ((const char *const[]){path, NULL}), rows[i].name);
    }
    forms_end();
}

static void help(void **state)
{
    static const struct command *const commands[] = {
        &command_annotate, &command_archive,  &command_bias,   &command_codemap, &command_compare,
        &command_export,   &command_hardware, &command_info,   &command_plan,    &command_receive,
        &command_report,   &command_runs,     &command_snippet};

    forms_begin("rare-help");
    for (unsigned i = 0; i < LENGTH(commands); i++)
        forms_each(commands[i], of_help, LENGTH(of_help), (const char *const[]){NULL}, "");
    forms_end();
}

/* Makes a recording with this many files, each of another process; all texts have one letter. */
static const char *letters(unsigned files, unsigned times)
{
    static const struct linux_event events[] = {
        {LINUX_IBS_OP, 0, 4000, PERFDATA_SAMPLE_RAW, 0, "o"},
        {LINUX_CPU, 0x76, 1000, PERFDATA_SAMPLE_CALLCHAIN, 0, "c"},
        {LINUX_CPU, 0xC0, 1000, 0, 0, "i"},
    };
    static const char *const command[] = {"x", NULL}, *const nodes[] = {"0"};
    const struct linux_facts facts = {.hostname = "h",
                                      .release = "6",
                                      .version = "v",
                                      .arch = "a",
                                      .cpu_name = "n",
                                      .cpuid = "AuthenticAMD,16,4,2",
                                      .command = command,
                                      .node_count = 1,
                                      .nodes = nodes};
    uint64_t time = 1000;

    linux_begin(events, LENGTH(events));
    for (unsigned i = 1; i <= files; i++) {
        linux_comm(i, i % 2 ? "p" : "q", PERFDATA_MISC_COMM_EXEC, time);
        linux_map(i, 0x1000, 0x1000, 0, (const char *[]){"/z", "/y", "/x"}[i % 3], USER);
    }
    for (unsigned i = 0; i < times; i++)
        for (unsigned event = 0; event < LENGTH(events); event++) {
            const uint64_t op[8] = {0x40000 | 250, 0x1000 + i % 2, (40 + i) << 16, 0, 0}, chain[] = {0x1010, 0x1020};

            linux_sample((struct linux_sample){.event = event,
                                               .pid = 1 + i % files,
                                               .tid = 1 + i % files,
                                               .ip = 0x1000 + i % 2,
                                               .time = time += 500,
                                               .period = event ? 1000 : 4000,
                                               .misc = USER | PERFDATA_MISC_EXACT_IP,
                                               .caps = 0x1F,
                                               .registers = event ? NULL : op,
                                               .register_count = event ? 0 : 8,
                                               .chain = chain,
                                               .chain_count = event == 1 ? 2 : 0});
        }
    return linux_write("l.data", &facts);
}

static void one_letter(void **state)
{
    static const char ini[] =
        "n = 1\nworkload = \"w\"\n#: figures = m\n#: machine.name = m\n#: machine.vendor = v\n#: machine.serial = s\n"
        "#: machine.product = p\n#: machine.firmware.vendor = f\n#: machine.firmware.version = g\n"
        "#: machine.hostname = h\n#: config = c\n#: started = 2\n#: workload.unit = u\n#: workload.work = 2\n"
        "#: workload.n = 1\n#: image.version = i\n#: image.build = b\n#: elapsed_us = 7\n",
                      csv[] = "rva,function,file,line,instruction,F100 All IBS op [samples]\n0x1,f,c,1,n,3\n";
    static const char *const of_archive[] = {"list", "list --json", "query", "query --json", "compare"};
    static const char *const of_adding[] = {"add"};
    char path[300];

    forms_begin("rare-letters");
    for (unsigned files = 1; files <= 3; files++) {
        char name[20];

        snprintf(name, sizeof(name), "%u files", files);
        snprintf(path, sizeof(path), "%s", letters(files, 24));
        FORMS_EACH(command_report, of_linux, ((const char *const[]){path, NULL}), name);
        FORMS_EACH(command_info, of_any, ((const char *const[]){path, NULL}), name);
        FORMS_EACH(command_annotate, of_any, ((const char *const[]){path, NULL}), name);
        FORMS_EACH(command_compare, of_any, ((const char *const[]){path, path, NULL}), name);
    }
    made_run_begin();
    made_info.cpu_name = "n";
    made_info.elf_name = "e";
    made_info.command = "c";
    made_info.comm = "l";
    made_run_op(3, (struct made_op){.at = 0x401016, .data = 40 << 16 | 1});
    snprintf(path, sizeof(path), "%s", made_run_write("r/1", ini));
    files_write("r/1/note.txt", "n", 1);
    files_write("r/1/profile.csv", csv, sizeof(csv) - 1);
    FORMS_EACH(command_report, of_report, ((const char *const[]){path, NULL}), "a run");
    FORMS_EACH(command_info, of_any, ((const char *const[]){path, NULL}), "a run");
    FORMS_EACH(command_runs, of_any, ((const char *const[]){files_path("r"), NULL}), "a run");
    FORMS_EACH(command_archive, of_adding, ((const char *const[]){files_path("l.db"), path, NULL}), "a run");
    FORMS_EACH(command_archive, of_archive, ((const char *const[]){files_path("l.db"), NULL}), "a run");
    forms_end();
}

/* Counts of General Exploration are beside samples, on cores of two complexes; and a timer is alone, with the user's
 * views. */
static void counts(void **state)
{
    static const char csv[] =
        "select,mask,count_mask,event,state,repeats,mean,min,max,cv_ppm,overhead,residue,reliability_ppm\n"
        "076,00,0,CPU_CLK_UNHALTED,counted,4,1000000,999000,1001000,500,17,3,999546\n"
        "0c0,00,0,RETIRED_INSTRUCTIONS,counted,4,1500000,1500000,1500000,0,9,0,1000000\n"
        "0c1,00,0,RETIRED_UOPS,counted,4,1800000,1800000,1800000,0,9,0,1000000\n"
        "0d0,00,0,DECODER_EMPTY,counted,4,100000,100000,100000,0,9,0,990000\n"
        "0d1,00,0,DISPATCH_STALLS,counted,4,350000,350000,350000,0,9,0,990000\n"
        "0d2,00,0,DISPATCH_STALL_FOR_BRANCH_ABORT,counted,4,20000,20000,20000,0,9,0,990000\n"
        "0c3,00,0,RETIRED_MISPREDICTED_BRANCH_INSTRUCTIONS,counted,4,5000,5000,5000,0,9,0,990000\n"
        "0d3,00,0,DISPATCH_STALL_FOR_SERIALIZATION,not modelled,,,,,,,,\n";
    static const char ini[] =
        "workload = loop\n#: figures = silicon\n#: config = explore\n#: expected.0C0.00 = 1500000\n"
        "#: certificate.samples.elsewhere = 1\n#: elapsed_us = 900\n#: machine.tsc_khz = 1000000\n"
        "#: ibs.tags = 2000\n#: ibs.tags.sampled = 1900\n#: ibs.repeats = 3\n#: sampling.cycles.undisturbed = 1300000\n"
        "#: sampling.cycles.ibs = 1400000\n#: core.0.works = 1\n#: core.0.node = 0\n#: core.0.ccx = 0\n"
        "#: core.1.works = 1\n#: core.1.node = 0\n#: core.1.ccx = 1\n#: certificate.core.0.passes = 2\n"
        "#: certificate.core.0.smis = 1\n#: certificate.core.0.gaps = 2\n#: certificate.core.0.looked_us = 5000\n"
        "#: certificate.core.0.gap.0 = 900 ns, TSC 1234, before pass 0, SMI\n"
        "#: certificate.core.0.gap.1 = 200 ns, TSC 9999, after pass 1, NMI\n#: certificate.core.1.passes = 2\n"
        "#: certificate.core.1.interrupts = 12\n#: certificate.core.1.nmis = 12\n#: certificate.core.1.pstate = 1, 2\n"
        "#: certificate.core.1.aperf = 30000\n#: certificate.core.1.mperf = 20000\n";
    static const char timer[] = "rva,function,file,line,instruction,timer [samples]\n0x401010,hot,made/hot.c,10,nop,4\n"
                                "0x401030,cold,,,nop,1\n,(outside the map),,,,2\n",
                      one[] = "rva,function,file,line,instruction,041 DATA_CACHE_MISSES [samples]\n"
                              "0x401010,hot,made/hot.c,10,nop,4\n,(outside the map),,,,2\n",
                      views[] = "[mine]\nnote = n\ncolumn_1 = T: timer\n", counted[] = "[mine]\ncolumn_1 = M: 041\n";
    char path[300];

    program_make("program.elf");
    forms_begin("rare-counts");
    forms_seed(5);
    made_run_begin();
    made_info.cores = 2;
    for (unsigned i = 0; i < 200; i++)
        made_run_op(1, (struct made_op){.at = (uint64_t[]){0x401010, 0x401016, 0x401030}[i % 3],
                                        .data = (forms_few_bits() & 0x3F00000000) | forms_any(60) << 16 | 1,
                                        .data2 = forms_bits() & 0x37,
                                        .data3 = (forms_few_bits() & 0x7FFFF) | forms_any(90) << 32,
                                        .address = 0x7000000 + forms_any(9) * 64,
                                        .cpu = i % 2});
    snprintf(path, sizeof(path), "%s", made_run_write("c", ini));
    FORMS_EACH(command_report, of_report, ((const char *const[]){path, NULL}), "samples");
    files_write("c/counts.csv", csv, sizeof(csv) - 1);
    FORMS_EACH(command_report, of_report, ((const char *const[]){path, NULL}), "counts");
    FORMS_EACH(command_info, of_any, ((const char *const[]){path, NULL}), "counts");
    files_write("t/pmc.csv", timer, sizeof(timer) - 1);
    files_write("t/run.ini", "#: timer.us = 500\n", 18);
    files_write("t/views.ini", views, sizeof(views) - 1);
    FORMS_EACH(command_report, of_report, ((const char *const[]){files_path("t"), NULL}), "a timer");
    files_write("o/pmc.csv", one, sizeof(one) - 1);
    files_write("o/run.ini", "#: event.0.period = 7\n", 22);
    files_write("o/views.ini", counted, sizeof(counted) - 1);
    FORMS_EACH(command_report, of_report, ((const char *const[]){files_path("o"), NULL}), "an event");
    forms_end();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(families),
        cmocka_unit_test(help),
        cmocka_unit_test(one_letter),
        cmocka_unit_test(counts),
    };

    return cmocka_run_group_tests(tests, NULL, files_end);
}
