/* SPDX-License-Identifier: BSD-2-Clause */
/* * Every form of the commands that read runs, on samples with random registers: ties, sources that are reserved,
 * addresses outside code, several cores, processes and events. Texts are compared by their checksums, a line for each
 * command; the texts themselves are in build/unit/ibsprof-got/every-form.out. Other tests compare forms with figures
 * made by hand. */
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
#include "tests/unit/ibsprof/forms.h"
#include "tests/unit/ibsprof/made_linux.h"
#include "tests/unit/ibsprof/made_run.h"
#include "tests/unit/ibsprof/program.h"
#include "tests/unit/ibsprof/tool.h"

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))
#define KERNEL        0xffffffff81000000u

enum { OPS = 500, FETCHES = 200, OTHERS = 600, PIDS = 3, USER = 2, SUPERVISOR = 1 };

static const uint64_t code[] = {0x401000, 0x401002, 0x401007, 0x401010, 0x401011, 0x401016, 0x401016, 0x401016,
                                0x401017, 0x401019, 0x401019, 0x40101b, 0x40101d, 0x40101d, 0x40101f, 0x401020,
                                0x401021, 0x401030, 0x401031, 0x401031, 0x401040, 0x401041, 0x77,     0x401fff};

/* Makes the registers of an op: loads and stores in few pages, and cycles with few values, so that there are ties. */
static void make_op(uint64_t reg[7])
{
    reg[0] = 0x40000 | 250;
    reg[1] = code[forms_any(LENGTH(code))];
    reg[2] = (forms_few_bits() & 0x1F800000000) | forms_any(40) << 16 | forms_any(20);
    reg[3] = forms_few_bits() & 0x37;
    reg[4] =
        (forms_few_bits() & 0x7FFFF) | forms_any(9) * 25 << 32 | (forms_any(4) ? IBS_DC_LIN_ADDR_VALID | IBS_LD_OP : 0);
    reg[5] = 0x7000000 + forms_any(3) * 0x200000 + forms_any(4) * 0x1000 + forms_any(8) * 0x40;
    reg[6] = 0x9000 + forms_any(8) * 0x40;
}

static uint64_t fetch_ctl(void)
{
    return (forms_any(4) ? IBS_FETCH_COMP | IBS_FETCH_PHY_VALID : 0) | (forms_few_bits() & 0x7B8000000000000) |
           forms_any(60) << 32;
}

/* Makes a run of ibsboot on four cores of two nodes. */
static const char *own_run(const char *folder, const char *n, uint64_t seed)
{
    char ini[1000];
    int length;

    forms_seed(seed);
    made_run_begin();
    made_info.cores = 4;
    for (unsigned i = 0; i < OPS; i++) {
        uint64_t reg[7];

        make_op(reg);
        made_run_op(1, (struct made_op){.at = reg[1],
                                        .data = reg[2],
                                        .data2 = reg[3],
                                        .data3 = reg[4],
                                        .address = reg[5],
                                        .physical = reg[6],
                                        .cpu = (uint32_t)forms_any(4)});
    }
    for (unsigned i = 0; i < FETCHES; i++)
        made_run_fetch(1, (struct made_fetch){
                              .at = code[forms_any(LENGTH(code))], .ctl = fetch_ctl(), .cpu = (uint32_t)forms_any(4)});
    length = snprintf(ini, sizeof(ini),
                      "workload = \"loop\"\nrows = 3\nn = %s\n#: figures = silicon\n#: machine.name = made by a test\n"
                      "#: silicon.HWCR = 0x1000000\n#: core.1.silicon.PAT = 0x7\n#: workload.rows = 3\n"
                      "#: workload.n = %s\n#: workload.work = 800\n#: workload.unit = turns\n#: elapsed_us = 1300\n"
                      "#: started = 2026-11-22T19:05:38\n#: sampling.cycles.undisturbed = 1300000\n",
                      n, n);
    for (int core = 0; core < 4; core++)
        length += snprintf(ini + length, sizeof(ini) - (size_t)length, "#: core.%d.node = %d\n", core, core / 2);
    return made_run_write(folder, ini);
}

/* Writes samples of counters and of the timer, in their own folder or beside those of IBS. */
static void counters(const char *folder)
{
    static const char ini[] = "workload = loop\n#: figures = silicon\n#: timer.us = 500\n#: groups = 2\n"
                              "#: group.0.run.0 = 1000000 ticks, 3 slices\n#: group.1.run.0 = 3000000 ticks, 3 slices\n"
                              "#: event.0 = 076\n#: event.0.groups = 0 1\n#: event.0.period = 100000\n"
                              "#: event.0.active_ppm = 1000000\n#: event.0.runs = 2\n#: event.1.groups = 0\n"
                              "#: event.1.period = 50000\n#: event.1.active_ppm = 250000\n#: event.1.runs = 1\n"
                              "#: event.2.groups = 1\n#: event.2.period = 1000\n#: event.2.active_ppm = 750000\n"
                              "#: event.2.runs = 1\n";
    static const char *const rows[] = {"0x401010,hot,made/hot.c,10,push rbp",
                                       "0x401011,hot,made/hot.c,11,\"mov ecx, 0x64\"",
                                       "0x401016,hot,made/hot.c,13,\"mov eax, dword ptr [rsi+rcx*4]\"",
                                       "0x401030,cold,work/cold.c,7,nop",
                                       "0x401031,cold,,,jmp 401010",
                                       ",(outside the map),,,"};
    char name[100], text[2000];
    int length = snprintf(text, sizeof(text),
                          "rva,function,file,line,instruction,076 CPU_CLK_UNHALTED [samples],"
                          "0C0 RETIRED_INSTRUCTIONS [samples],041 DATA_CACHE_MISSES [samples],timer [samples]\n");

    for (unsigned i = 0; i < LENGTH(rows); i++)
        length += snprintf(text + length, sizeof(text) - (size_t)length, "%s,%u,%u,%u,%u\n", rows[i],
                           (unsigned)forms_any(300), (unsigned)forms_any(90), (unsigned)forms_any(40),
                           (unsigned)forms_any(30));
    snprintf(name, sizeof(name), "%s/pmc.csv", folder);
    files_write(name, text, (size_t)length);
    if (folder[0] != 'b') {
        snprintf(name, sizeof(name), "%s/run.ini", folder);
        files_write(name, ini, strlen(ini));
    }
}

/* Makes a recording of Linux: IBS, cycles with branches and call stacks, and two more events. */
static const char *recording(const char *name, const char *cpuid, uint32_t caps, uint64_t seed)
{
    static const struct linux_event events[] = {
        {LINUX_IBS_FETCH, 0, 4000, PERFDATA_SAMPLE_RAW, 0, "ibs_fetch//"},
        {LINUX_IBS_OP, 0, 4000, PERFDATA_SAMPLE_RAW, 0, "ibs_op//"},
        {LINUX_CPU, 0x76, 1000, PERFDATA_SAMPLE_CALLCHAIN | PERFDATA_SAMPLE_BRANCH_STACK, 0, "cycles"},
        {LINUX_CPU, 0xC0, 1000, 0, 0, "instructions"},
        {LINUX_CPU, 0xC3, 100, 0, 0, "rc3"},
        {LINUX_CPU, 0xC1, 100, 0, 0, "rc1"},
        {LINUX_CPU, 0xD0, 100, 0, 0, "rd0"},
        {LINUX_CPU, 0xD1, 100, 0, 0, "rd1"},
        {LINUX_CPU, 0xD2, 100, 0, 0, "rd2"}};
    static const char *const command[] = {"perf", "record", "-a", NULL}, *const nodes[] = {"0-1", "2-3"};
    const struct linux_facts facts = {.hostname = "host",
                                      .release = "6.1.0-test",
                                      .arch = "x86_64",
                                      .cpu_name = "made by a test",
                                      .cpuid = cpuid,
                                      .command = command,
                                      .node_count = 2,
                                      .nodes = nodes};
    uint64_t time = 1000;

    forms_seed(seed);
    linux_begin(events, LENGTH(events));
    linux_map(UINT32_MAX, KERNEL, 0x100000, KERNEL, "[kernel.kallsyms]_text", SUPERVISOR);
    for (uint32_t pid = 1; pid <= PIDS; pid++) {
        linux_comm(pid, pid == 1 ? "other" : "program", PERFDATA_MISC_COMM_EXEC, time);
        linux_map2(pid, PROGRAM_TEXT, 0x1000, PROGRAM_OFFSET, "/gone/program.elf", USER, 5, program_id, 20);
        linux_map(pid, 0x30000000, 0x10000, 0x5000, "/usr/lib/libgone.so", USER);
    }
    for (unsigned i = 0; i < OPS + FETCHES + OTHERS; i++) {
        uint64_t op[8] = {0}, fetch[4] = {0}, chain[4], branches[9];
        struct linux_sample sample = {.pid = 1 + (uint32_t)forms_any(PIDS),
                                      .cpu = (uint32_t)forms_any(4),
                                      .time = time += 500 + forms_any(2) * 1000,
                                      .period = 4000,
                                      .misc = USER,
                                      .caps = caps};

        sample.tid = sample.pid + (uint32_t)forms_any(2) * 10;
        make_op(op);
        if (forms_any(9) == 0)
            op[1] = 0x30000010 + forms_any(3) * 8;
        if (forms_any(9) == 0) {
            op[1] = KERNEL + forms_any(3) * 16;
            sample.misc = SUPERVISOR;
        }
        sample.ip = fetch[1] = op[1];
        fetch[0] = fetch_ctl();
        if (i < OPS + FETCHES) {
            sample.event = i < OPS;
            sample.registers = i < OPS ? op : fetch;
            sample.register_count = i < OPS ? 8 : 4;
            sample.misc |= PERFDATA_MISC_EXACT_IP;
        } else {
            sample.event = 2 + (uint32_t)(forms_any(3) ? forms_any(7) : 0);
            sample.period = sample.event >= 4 ? 100 + forms_any(60) : 1000 + forms_any(300);
            chain[0] = op[1];
            for (unsigned k = 1; k < LENGTH(chain); k++)
                chain[k] = code[forms_any(LENGTH(code))];
            for (unsigned k = 0; k < LENGTH(branches); k++)
                branches[k] = k % 3 == 2 ? forms_any(4) : code[forms_any(LENGTH(code))];
            sample.chain = chain;
            sample.chain_count = sample.event == 2 ? 2 + forms_any(3) : 0;
            sample.branches = branches;
            sample.branch_count = sample.event == 2 ? forms_any(4) : 0;
        }
        linux_sample(sample);
    }
    return linux_write(name, &facts);
}

/* Writes runs of four machines in four months, the last machine with other shares. */
static void to_archive(const char *folder)
{
    static const char *const rows[] = {"0x1000,f,f.c,7,push rbp", "0x1004,f,f.c,8,\"mov rax, rbx\"", "0x1010,g,,,nop",
                                       "0x1011,g,g.c,9,ret", ",(outside the map),,,"};

    for (unsigned i = 0; i < 48; i++) {
        char ini[1000], csv[1000], name[100];
        unsigned machine = i % 4;
        int length = snprintf(csv, sizeof(csv),
                              "rva,function,file,line,instruction,F100 All IBS op [samples],"
                              "F206 IBS DC miss [samples]\n");

        for (unsigned k = 0; k < LENGTH(rows); k++)
            length += snprintf(csv + length, sizeof(csv) - (size_t)length, "%s,%u,%u\n", rows[k],
                               (unsigned)(900 + 100 * k + forms_any(60) + (machine == 3 && k == 1) * 700),
                               (unsigned)(machine + forms_any(30)));
        snprintf(name, sizeof(name), "%s/%02u/profile.csv", folder, i);
        files_write(name, csv, (size_t)length);
        length = snprintf(ini, sizeof(ini),
                          "workload = %s\n#: started = 2026-%02u-02T03:04:05\n#: figures = silicon\n"
                          "#: machine.name = Phenom\n#: machine.vendor = AuthenticAMD\n#: machine.family = 16\n"
                          "#: machine.model = 4\n#: machine.stepping = %u\n#: machine.product = Box\n"
                          "#: machine.serial = S%u\n#: machine.firmware.version = F%u\n#: config = ibs\n"
                          "#: samples.op = %u\n",
                          i < 40 ? "loop" : "chain", 1 + i / 12, machine, machine, machine / 2 + i / 24, 5000 + i);
        snprintf(name, sizeof(name), "%s/%02u/run.ini", folder, i);
        files_write(name, ini, (size_t)length);
    }
}

/* Makes a noise run with these regimes, the first of them without a detour if it is "alone". */
static const char *noise_run(const char *name, const char *const *regimes)
{
    static const struct {
        const char *key;
        unsigned least, more;
    } rows[] = {
        {"reads", 400000000, 1000},
        {"usual_ps", 20000, 900},
        {"largest_ns", 5000, 9000},
        {"not_kept", 0, 3},
        {"blind_ns", 0, 90},
        {"nine.threshold_ns", 180, 9},
        {"nine.detours", 5, 9},
        {"nine.milli_per_second", 500, 900},
        {"nine.lost_ppb", 1700, 900},
        {"microsecond.threshold_ns", 1000, 1},
        {"microsecond.detours", 4, 5},
        {"microsecond.milli_per_second", 400, 500},
        {"microsecond.lost_ppb", 1600, 90},
        {"detours: unknown", 1, 4},
        {"detours: SMI", 1, 4},
        {"bin.9", 1, 4},
        {"bin.12", 1, 4},
        {"quanta", 500, 1},
        {"quanta.least_ticks", 20000, 90},
        {"quanta.most_ticks", 20500, 900},
        {"quanta.lost_ppb", 1800, 900},
        {"quanta.late.4", 1, 9},
    };
    char path[100], ini[8000], csv[4000] = "regime,start_ns,length_ns,cause\n";
    int length = snprintf(ini, sizeof(ini),
                          "config = noise\n#: figures = silicon\n#: machine.tsc_khz = 2000000\n"
                          "#: silicon.HWCR = 0x%x\n",
                          (unsigned)forms_any(2)),
        used = (int)strlen(csv);

    for (unsigned i = 0; regimes[i]; i++) {
        bool calm = strcmp(regimes[i], "alone") == 0;

        length += snprintf(ini + length, sizeof(ini) - (size_t)length,
                           "#: noise.%s.duration_ns = 10000000000\n#: noise.%s.period.0 = 4000000 ns, 9 of 9, HZ 250\n"
                           "#: noise.%s.microsecond.fewer_micro_per_second = 300000\n",
                           regimes[i], regimes[i], regimes[i]);
        for (unsigned k = 0; k < LENGTH(rows); k++)
            length += snprintf(
                ini + length, sizeof(ini) - (size_t)length, "#: noise.%s.%s = %u\n", regimes[i], rows[k].key,
                calm && strstr(rows[k].key, "detours") ? 0 : rows[k].least + (unsigned)forms_any(rows[k].more));
        for (unsigned k = 0; k < 9 && !calm; k++)
            used += snprintf(csv + used, sizeof(csv) - (size_t)used, "%s,%u,%u,%s\n", regimes[i], 1000 * (k + 1),
                             1000 + (unsigned)forms_any(9000), forms_any(2) ? "SMI" : "unknown");
    }
    snprintf(path, sizeof(path), "%s/noise.csv", name);
    files_write(path, csv, (size_t)used);
    snprintf(path, sizeof(path), "%s/run.ini", name);
    files_write(path, ini, (size_t)length);
    return files_path(name);
}

/* ---------------------------------------------------------------- commands */

static const char *const of_each[] = {
    "--json",
    "--csv",
    "--folded",
    "--folded --all-samples",
    "--format=autofdo",
    "--by=function --limit=3.2",
    "--by=line --width=60",
    "--by=line --csv",
    "--by=function --csv --event=F206",
    "--by=core",
    "--by=core --json",
    "--by=fetch",
    "--by=fetch --csv",
    "--by=fetch --json",
    "--by=region",
    "--by=region --csv",
    "--by=page",
    "--by=page --json",
    "--by=cache-line",
    "--by=cache-line --csv",
    "--by=object",
    "--by=object --csv",
    "--by=load",
    "--by=load --csv",
    "--view=all --json",
    "--view=all --width=120",
    "--view=ibs_op --csv",
    "--view=timer --csv",
    "--view=ipc_assess --json",
    "--view=all_data",
    "--core=1-2 --by=instruction",
    "--node=1 --csv",
    "--object=program.elf --event=F101",
    "--view=exploration",
    "--view=exploration --csv",
    "--view=exploration --json",
    "--view=exploration --by=module",
    "--view=exploration --by=line --csv",
    "--view=exploration --by=process --json",
    "--view=exploration --by=thread --width=110",
    "--view=none",
};
static const char *const of_linux[] = {
    "--by=module",           "--by=module --csv",
    "--by=module --json",    "--by=process",
    "--by=process --json",   "--by=thread",
    "--by=thread --csv",     "--by=caller",
    "--by=caller --csv",     "--by=callee --limit=8",
    "--by=callee --json",    "--by=stack",
    "--by=stack --csv",      "--by=branch",
    "--by=branch --json",    "--by=block",
    "--by=block --csv",      "--comm=program",
    "--comm=program --json", "--event=cycles --by=function --all-samples",
    "--event=rc3 --folded",
};
static const char *const of_annotate[] = {
    "",         "--limit=12",       "--event=F206 --event=F101 --width=70", "--csv", "--csv --event=F202",
    "--core=0", "--limit=0.1 --csv"};
static const char *const of_export[] = {"--samples=op",
                                        "--samples=fetch",
                                        "--samples=op --format=jsonl",
                                        "--samples=events",
                                        "--samples=events --format=jsonl",
                                        "--format=folded"};
static const char *const of_sweep[] = {"", "--csv", "--json", "--against=rows"};
static const char *const of_runs[] = {"", "--json", "--csv", "--properties"};
static const char *const of_info[] = {"", "--json"};
static const char *const of_compare[] = {"",
                                         "--json",
                                         "--csv",
                                         "--all",
                                         "--all --csv",
                                         "--event=fetch",
                                         "--level=90 --seed=7 --resamples=300",
                                         "--event=rc3",
                                         "--margin=9 --margin-relative=30",
                                         "--by=function",
                                         "--comm=program --csv"};

static const char *const of_noise[] = {"", "--csv", "--json"};
static const char *const of_noises[] = {"",           "--csv",
                                        "--json",     "--regime=firmware",
                                        "--level=90", "--regime=alone,firmware --json",
                                        "--margin=9", "--regime=alone,firmware --csv"};
static const char *const of_adding[] = {"add", "add"};
static const char *const of_archive[] = {
    "list",
    "list --csv",
    "list --json",
    "list --machine=S1",
    "query",
    "query --csv",
    "query --json",
    "query --runs",
    "query --runs --json",
    "query --functions",
    "query --functions --csv",
    "query --function=f",
    "query --event=F206",
    "query --by=machine",
    "query --by=firmware --csv",
    "query --by=kernel",
    "query --by=date --json",
    "query --since=2026-02-02 --until=2026-04",
    "query --workload=chain --instruction=nop",
    "compare",
    "compare --csv",
    "compare --json",
    "compare --functions",
    "compare --functions --json",
    "compare --by=firmware",
    "compare --by=firmware --csv",
    "compare --by=date",
    "compare --by=date --json",
    "compare --by=kernel",
    "compare --workload=chain --event=F206",
};

static void every_form(void **unused)
{
    static const struct {
        const char *name, *cpuid;
        uint32_t caps;
    } machines[] = {{"zen6", "AuthenticAMD,26,80,0", 0x81BFF},
                    {"10h", "AuthenticAMD,16,4,2", 0x1F},
                    {"zen2", "AuthenticAMD,23,113,0", 0x3FF},
                    {"zen5", "AuthenticAMD,26,68,0", 0x81BFF}};
    static const char *const runs[] = {"s/1", "s/2", "s/3", "s/4", "s/5", "s/6", "s/7", "s/8"};
    static const char *const noises[] = {"n/1", "n/2", "n/3", "n/4", "n/5", "n/6", "n/7", "n/8"};
    char a[300], b[300], *paths[LENGTH(runs)];

    forms_begin("every-form");
    program_make("program.elf");
    for (unsigned i = 0; i <= LENGTH(machines); i++) {
        bool own = i == LENGTH(machines);
        const char *name = own ? "own" : machines[i].name;

        snprintf(a, sizeof(a), "%s",
                 own ? own_run("a", "4", 1) : recording("a.data", machines[i].cpuid, machines[i].caps, i));
        snprintf(b, sizeof(b), "%s",
                 own ? own_run("b", "8", 2) : recording("b.data", machines[i].cpuid, machines[i].caps, i + 9));
        FORMS_EACH(command_report, of_each, ((const char *const[]){a, NULL}), name);
        FORMS_EACH(command_report, of_linux, ((const char *const[]){a, NULL}), name);
        FORMS_EACH(command_annotate, of_annotate, ((const char *const[]){a, NULL}), name);
        FORMS_EACH(command_annotate, of_annotate, ((const char *const[]){a, "hot", NULL}), name);
        FORMS_EACH(command_export, of_export, ((const char *const[]){a, NULL}), name);
        FORMS_EACH(command_info, of_info, ((const char *const[]){a, NULL}), name);
        FORMS_EACH(command_compare, of_compare, ((const char *const[]){a, b, NULL}), name);
        forms_line("report", "terminal", name, tool_run_on_terminal(100, &command_report, a, NULL));
        forms_line("annotate", "terminal", name, tool_run_on_terminal(100, &command_annotate, a, NULL));
        forms_line("compare", "terminal", name, tool_run_on_terminal(100, &command_compare, a, b, NULL));
    }
    for (unsigned i = 0; i < LENGTH(runs); i++)
        paths[i] = strdup(own_run(runs[i], i < 4 ? "4" : i < 6 ? "8" : "16", 3 + i));
    FORMS_EACH(command_compare, of_compare, ((const char *const[]){paths[0], paths[1], "--", paths[2], paths[3], NULL}),
               "two and two");
    FORMS_EACH(command_compare, of_compare,
               ((const char *const[]){paths[0], paths[1], paths[2], "--", paths[4], paths[5], paths[6], NULL}),
               "three");
    counters("b");
    FORMS_EACH(command_report, of_each, ((const char *const[]){b, NULL}), "counters beside");
    counters("counters");
    FORMS_EACH(command_report, of_each, ((const char *const[]){files_path("counters"), NULL}), "counters");
    FORMS_EACH(command_info, of_info, ((const char *const[]){files_path("counters"), NULL}), "counters");
    FORMS_EACH(command_report, of_sweep, ((const char *const[]){files_path("s"), NULL}), "sweep");
    for (unsigned i = 0; i < LENGTH(runs); i++) {
        static const char *const regimes[] = {"alone", "firmware", NULL}, *const theirs[] = {"linux", NULL};

        free(paths[i]);
        paths[i] = strdup(noise_run(noises[i], i < 6 ? regimes : theirs));
    }
    FORMS_EACH(command_report, of_noise, ((const char *const[]){paths[0], NULL}), "noise");
    FORMS_EACH(command_report, of_noise, ((const char *const[]){paths[0], paths[1], paths[6], NULL}), "three noises");
    FORMS_EACH(command_compare, of_noises,
               ((const char *const[]){paths[0], paths[1], paths[2], "--", paths[3], paths[4], paths[5], NULL}),
               "noise");
    FORMS_EACH(command_compare, of_noises, ((const char *const[]){paths[0], "--", paths[6], paths[7], NULL}), "theirs");
    to_archive("archived");
    FORMS_EACH(command_archive, of_adding, ((const char *const[]){files_path("runs.db"), files_path("archived"), NULL}),
               "archive");
    FORMS_EACH(command_archive, of_archive, ((const char *const[]){files_path("runs.db"), NULL}), "archive");
    FORMS_EACH(command_runs, of_runs, ((const char *const[]){files_path("."), NULL}), "own");
    for (unsigned i = 0; i < LENGTH(runs); i++)
        free(paths[i]);
    forms_end();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_form),
    };

    return cmocka_run_group_tests(tests, NULL, files_end);
}
