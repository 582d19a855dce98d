/* SPDX-License-Identifier: BSD-2-Clause */
/* The application on a fake firmware and a fake session: settings, prompt, report, files, and everything that can go
 * wrong. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/run/kind.h"
#include "app/kinds/ibs_period.h"
#include "app/report/report.h"
#include "core/run/area_refusal.h"
#include "core/explore/explore.h"
#include "core/base/version.h"
#include "core/view/view.h"
#include "tests/unit/test.h"
#include "tests/unit/app/fake_memory.h"
#include "tests/unit/app/fixture.h"
#include "tests/unit/drivers/fake_cpu.h"
#include "tests/unit/app/map.h"

APP_TEST(run_without_settings)
{
    static const char *const order[] = {"Machine\n",
                                        "revision C",
                                        "Run\n",
                                        "matmul-classic n=1000 rows=1",
                                        "4 KB pages, contiguous",
                                        "Samples\n",
                                        "MODEL: ",
                                        "IBS fetch",
                                        "IBS op",
                                        "multiply_matrices",
                                        "Checks\n",
                                        "PASS result of matmul-classic",
                                        "PASS restored",
                                        "Saved to \\ibsboot\\runs\\0001-matmul-classic-ibs",
                                        "ibsboot: end: status 0"};

    assert_int_equal(start("menu=no"), 0);
    assert_in_order(order, sizeof(order) / sizeof(order[0]));
    assert_int_equal(fake_session.runs, 1);
    assert_true(fake_session.plan.program.ibs.op && fake_session.plan.program.ibs.fetch &&
                fake_session.plan.program.ibs.random);
    assert_true(fake_session.plan.program.ibs.count_ops);
    /* 22 M ops for about 50,000 samples would need a period of 440; under a hypervisor 512 is the least. */
    assert_int_equal(fake_session.plan.program.ibs.op_period, 512);
}

APP_TEST(lines_fit_the_screen)
{
    assert_int_equal(start("menu=no"), 0);
    assert_lines_fit();
}

APP_TEST(files_are_written)
{
    static const char *const names[] = {"report.txt", "profile.csv", "run.ini", "perf.data"};
    const struct fake_file *report;

    assert_int_equal(start("menu=no"), 0);
    for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        char path[128];
        snprintf(path, sizeof(path), "\\ibsboot\\runs\\0001-matmul-classic-ibs\\%s", names[i]);
        if (!fake_file_find(&fake_fw, path))
            fail_msg("%s was not written", path);
    }
    /* The report is what the console showed, from the machine to the last check. */
    report = fake_file_find(&fake_fw, "\\ibsboot\\runs\\0001-matmul-classic-ibs\\report.txt");
    assert_non_null(strstr(fake_fw.screen, strchr(report->data, '\n') + 1));
}

/* A run with samples saves the image's whole ELF file; a run without samples does not need it. On a volume that becomes
 * full the ELF file is the one that is lost. */
APP_TEST(elf_file_is_taken_along)
{
    const struct fake_file *file;
    size_t bytes = 0;

    fake_fw.fail.call = FAKE_FILE_REMOVE; /* begun.ini stays until everything is saved */
    fake_fw.fail.at = 1;
    assert_int_equal(start("menu=no n=8"), 0);
    file = fake_file_find(&fake_fw, "\\ibsboot\\runs\\0001-matmul-classic-ibs\\ibsboot.elf");
    assert_non_null(file);
    assert_int_equal(file->size, image.elf_size);
    assert_memory_equal(file->data, image.elf, image.elf_size);
    for (unsigned i = 0; i < fake_fw.files; i++)
        bytes += fake_fw.file[i].size;
    assert_int_equal(start("menu=no n=8 config=count events=0C0"), 0);
    assert_non_null(fake_file_find(&fake_fw, "\\ibsboot\\runs\\0002-matmul-classic-count\\counts.csv"));
    assert_null(fake_file_find(&fake_fw, "\\ibsboot\\runs\\0002-matmul-classic-count\\ibsboot.elf"));
    fake_firmware_done(&fake_fw);
    fixture_setup(NULL);
    fake_fw.capacity = bytes - 1;
    assert_int_equal(start("menu=no n=8"), 1);
    assert_non_null(strstr(fake_fw.screen, "ibsboot.elf:"));
    assert_null(fake_file_find(&fake_fw, "\\ibsboot\\runs\\0001-matmul-classic-ibs\\ibsboot.elf"));
    assert_non_null(fake_file_find(&fake_fw, "\\ibsboot\\runs\\0001-matmul-classic-ibs\\perf.data"));
    assert_non_null(fake_file_find(&fake_fw, "\\ibsboot\\runs\\0001-matmul-classic-ibs\\run.ini"));
}

/* Every file of a run says that its figures come from a model, the CSV files in a comment before the header; on silicon
 * no file says so. */
APP_TEST(files_say_whose_figures_they_are)
{
    static const struct {
        const char *options, *path, *header;
    } files[] = {
        {"config=ibs", "0001-matmul-classic-ibs\\profile.csv", "rva,function,"},
        {"config=tbp", "0001-matmul-classic-tbp\\pmc.csv", "rva,function,"},
        {"config=count events=0C0", "0001-matmul-classic-count\\counts.csv", "select,mask,"},
        {"config=noise noise_ms=1 noise_quanta=1 noise_work=1000", "0001-noise\\noise.csv", "regime,start_ns,"},
    };
    static const struct {
        bool hypervisor;
        const char *signature, *first;
    } under[] = {
        {true, "ibsbootvPMU", "# MODEL: all figures come from ibsboot's virtual PMU (a model), not from silicon.\n"},
        {true, "KVMKVMKVM", "# VIRTUAL: hypervisor \"KVMKVMKVM\" is present; figures are not silicon's.\n"},
        {false, "", ""},
    };

    for (unsigned i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
        for (unsigned u = 0; u < sizeof(under) / sizeof(under[0]); u++) {
            char text[128];

            fake_firmware_done(&fake_fw);
            fixture_setup(NULL);
            fake_session.machine.hypervisor = under[u].hypervisor;
            snprintf(fake_session.machine.hypervisor_signature, sizeof(fake_session.machine.hypervisor_signature), "%s",
                     under[u].signature);
            snprintf(text, sizeof(text), "menu=no n=8 %s", files[i].options);
            assert_int_equal(start(text), 0);
            snprintf(text, sizeof(text), "\\ibsboot\\runs\\%s", files[i].path);
            const char *csv = file_text(text);
            if (strncmp(csv, under[u].first, strlen(under[u].first)) != 0 ||
                strncmp(csv + strlen(under[u].first), files[i].header, strlen(files[i].header)) != 0)
                fail_msg("%s begins with %.100s", text, csv);
        }
    }
}

APP_TEST(runs_are_numbered_on)
{
    fake_folder_put(&fake_fw, "\\ibsboot");
    fake_folder_put(&fake_fw, "\\ibsboot\\runs");
    fake_folder_put(&fake_fw, "\\ibsboot\\runs\\0041-something-ibs");
    fake_file_put(&fake_fw, "\\ibsboot\\runs\\notes.txt", "", 0);
    assert_int_equal(start("menu=no"), 0);
    assert_shown("Saved to \\ibsboot\\runs\\0042-matmul-classic-ibs");
}

/* Numbers of runs continue beyond four digits; names without a number, or with more digits than a folder of ours has,
 * do not count. */
APP_TEST(numbers_of_runs)
{
    static const struct {
        const char *there, *next;
    } rows[] = {
        {"9999-x", "10000"},     {"10000-x", "10001"},     {"99999-x", "100000"}, {"99999999-x", "100000000"},
        {"100000000-x", "0001"}, {"4294967297-x", "0001"}, {"0007", "0001"},      {"x0007-x", "0001"},
        {"7-x", "0008"},         {"-x", "0001"},           {"0000-x", "0001"},    {"12345678901-x", "0001"},
        {"1:-x", "0001"},
    };

    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char path[FAKE_PATH], saved[FAKE_PATH];

        fake_files_clear(&fake_fw);
        fake_firmware_clear(&fake_fw);
        fake_folder_put(&fake_fw, "\\ibsboot");
        fake_folder_put(&fake_fw, "\\ibsboot\\runs");
        snprintf(path, sizeof(path), "\\ibsboot\\runs\\%s", rows[i].there);
        fake_folder_put(&fake_fw, path);
        fake_folder_put(&fake_fw, "\\ibsboot\\runs\\0000-older");
        assert_int_equal(start("menu=no " SMALL), 0);
        snprintf(saved, sizeof(saved), "\nSaved to \\ibsboot\\runs\\%s-tight-loop-ibs\n", rows[i].next);
        assert_shown(saved);
    }
}

/* A copy of run.ini as ibsboot.ini repeats the run: with the same settings, and without a complaint. */
APP_TEST(run_ini_repeats_the_run)
{
    const struct fake_file *ini;
    char *copy;
    size_t size;

    assert_int_equal(start("menu=no pages=2m frames=shuffled seed=77 rows=3 op_period=4096"), 0);
    ini = fake_file_find(&fake_fw, "\\ibsboot\\runs\\0001-matmul-classic-ibs\\run.ini");
    size = ini->size;
    copy = malloc(size + 1);
    memcpy(copy, ini->data, size + 1);
    assert_non_null(strstr(
        copy, "\n#: figures = MODEL: all figures come from ibsboot's virtual PMU (a model), not from silicon.\n"));
    fake_firmware_done(&fake_fw);
    fixture_setup(NULL);
    fake_file_put(&fake_fw, "\\ibsboot\\ibsboot.ini", copy, size);
    free(copy);
    assert_int_equal(start(""), 0);
    assert_not_shown("ibsboot.ini:");
    assert_int_equal(fake_session.plan.place.paging.kind, PAGING_2M);
    assert_true(fake_session.plan.place.paging.shuffle);
    assert_int_equal(fake_session.plan.program.ibs.seed, 77);
    assert_int_equal(fake_session.plan.program.ibs.op_period, 4096);
    assert_shown("rows=3");
}

/* The arena avoids everything in the firmware's map, and the APIC, wherever it is; without a map no place is known to
 * be free. */
APP_TEST(slots_with_something)
{
    const struct paging_slots *slots = &fake_session.plan.place.paging.slots;

    assert_int_equal(start("menu=no"), 0);
    assert_true(slots->known);
    assert_int_equal(slots->used[0], 1);
    fake_fw.reserved = 200ull << 39;
    fake_session.machine.apic_msr = 3ull << 39 | 0x900;
    assert_int_equal(start("menu=no"), 0);
    assert_true(slots->known);
    assert_int_equal(slots->used[0], 1 | 1 << 3);
    assert_int_equal(slots->used[3], 1ull << (200 - 192));
    fake_fw.fail.call = FAKE_MEMORY_MAP;
    fake_fw.fail.at = fake_fw.calls[FAKE_MEMORY_MAP] + 1;
    assert_int_equal(start("menu=no"), 0);
    assert_false(slots->known);
    fake_session.machine.apic_msr = 0;
}

APP_TEST(load_options_beat_the_file)
{
    static const char ini[] = "pages = 1g\nrows = 2\n";

    fake_file_put(&fake_fw, "\\ibsboot\\ibsboot.ini", ini, sizeof(ini) - 1);
    assert_int_equal(start("ibsboot.efi menu=no pages=2m"), 0);
    assert_int_equal(fake_session.plan.place.paging.kind, PAGING_2M);
    assert_shown("rows=2");
}

APP_TEST(bad_settings_are_told_and_left)
{
    static const char ini[] = "pages = 3k\ncolour = blue\nrows = 2\n";

    fake_file_put(&fake_fw, "\\ibsboot\\ibsboot.ini", ini, sizeof(ini) - 1);
    assert_int_equal(start("menu=no"), 1);
    assert_shown("ibsboot.ini:1:");
    assert_shown("ibsboot.ini:2:");
    assert_shown("\nBecause of this nothing was run;");
    assert_int_equal(fake_session.runs, 0);
}

/* Both the problem of the settings file and that of the load options are reported. */
APP_TEST(problems_add_up)
{
    fake_folder_put(&fake_fw, "\\ibsboot");
    fake_file_put(&fake_fw, "\\ibsboot\\ibsboot.ini", "pages = 3k\n", 11);
    assert_int_equal(start("menu=no save=no colour=blue " SMALL), 1);
    assert_shown("ibsboot.ini:1: ");
    assert_shown("load options:3: ");
    assert_shown("\nBecause of this nothing was run");
}

APP_TEST(huge_settings_file_is_refused)
{
    char *text = malloc(1 << 20);

    memset(text, 'x', 1 << 20);
    fake_file_put(&fake_fw, "\\ibsboot\\ibsboot.ini", text, 1 << 20);
    free(text);
    assert_int_equal(start("menu=no"), 1);
    assert_shown("ibsboot.ini: 1048576 bytes");
    assert_int_equal(fake_session.runs, 0);
}

APP_TEST(parameters_have_ranges)
{
    assert_int_equal(start("menu=no workload=nonsense"), 1);
    assert_shown("workload = nonsense: no such workload");
    fake_fw.screen_length = 0;
    assert_int_equal(start("menu=no rows=1001"),
                     1); /* the parser refuses the number: no workload takes more than 1000 */
    assert_shown("load options:2:");
}

APP_TEST(volumes_that_cannot_be_written)
{
    fake_fw.read_only = true;
    assert_int_equal(start("menu=no"), 1);
    assert_shown("IBS op profile");
    assert_shown("NOT SAVED: the volume is write-protected");
    assert_shown("ibsboot: end: status 1");
    fake_fw.read_only = false;
    /* If one file does not fit, a later one may fit. */
    fake_session.op_samples = 3000;
    fake_fw.capacity = 100000;
    fake_fw.screen_length = 0;
    assert_int_equal(start("menu=no"), 1);
    assert_shown("IBS op profile");
    assert_says("Saving report.txt, profile.csv, perf.data "
                "NOT SAVED: \\ibsboot\\runs\\0001-matmul-classic-ibs\\perf.data: the volume is full "
                "Saving run.ini, ibsboot.elf "
                "The other files (4) are in \\ibsboot\\runs\\0001-matmul-classic-ibs ");
    assert_null(fake_file_find(&fake_fw, "\\ibsboot\\runs\\0001-matmul-classic-ibs\\perf.data"));
    assert_non_null(fake_file_find(&fake_fw, "\\ibsboot\\runs\\0001-matmul-classic-ibs\\run.ini"));
}

static uint64_t room_of(const char *options)
{
    fake_fw.room_asked = 0;
    (void)start(options);
    return fake_fw.room_asked;
}

/* Before the run the program tries whether there is room for about as much as the run will save: 152 bytes for an op
 * sample, 128 KB for other files, and the ELF file with samples. A volume with less room is reported before anything is
 * measured. */
APP_TEST(room_is_tried_before)
{
    enum { N = 32, OPS = N * N * N * 16, OTHERS = 128 << 10 };
    uint64_t none = room_of("menu=no n=32 rows=32 config=count events=0C0"), ten, fetch, twice, cut;
    char warning[200];

    assert_int_equal(none, OTHERS);
    ten = room_of("menu=no n=32 rows=32 reference=no fetch=no op_period=1024");
    assert_in_range(ten, OTHERS + image.elf_size + OPS / 1024 * 152 / 2,
                    OTHERS + image.elf_size + OPS / 1024 * 152 * 2);
    fetch = room_of("menu=no n=32 rows=32 reference=no op_period=1024 fetch_period=512");
    assert_in_range(fetch - ten, (ten - OTHERS - image.elf_size) * 9 / 10, (ten - OTHERS - image.elf_size) * 11 / 10);
    twice = room_of("menu=no n=32 rows=32 reference=no fetch=no op_period=1024 repeats=2");
    assert_int_equal(twice - ten, ten - OTHERS - image.elf_size);
    cut = room_of("menu=no n=32 rows=32 reference=no fetch=no op_period=1024 records=16");
    assert_int_equal(cut, OTHERS + image.elf_size + 16 * 152);

    /* A search for a period makes passes for 7,500 op samples, but at most 64; with once=yes each pass has one
     * sample. */
    assert_int_equal(room_of("menu=no n=32 rows=32 reference=yes fetch=no"),
                     OTHERS + image.elf_size + 64 * ((ten - OTHERS - image.elf_size) / 152 * 1024 / 10240) * 152);
    assert_int_equal(room_of("menu=no n=32 rows=32 once=yes repeats=100"), OTHERS + image.elf_size + 100 * 152);

    fake_fw.capacity = 1 << 20;
    fake_fw.screen_length = 0;
    (void)start("menu=no n=32 rows=32 reference=no fetch=no op_period=1024 repeats=20");
    snprintf(warning, sizeof(warning),
             "WARNING: this run cannot be saved completely now: its files take about %lu KB, and the volume has "
             "less room.",
             (unsigned long)fake_fw.room_asked / 1024);
    assert_says(warning);
    fake_fw.capacity = 100 << 20;
    fake_fw.screen_length = 0;
    fake_fw.screen[0] = '\0';
    (void)start("menu=no n=32 rows=32 reference=no fetch=no op_period=1024");
    assert_not_shown("WARNING: as it is now");
}

/* Files are written in large pieces, and each megabyte prints a dot on the console. */
APP_TEST(large_pieces)
{
    fake_session.op_samples = 40000;
    assert_int_equal(start("menu=no records=50000"), 0);
    assert_int_equal(fake_file_find(&fake_fw, "\\ibsboot\\runs\\0001-matmul-classic-ibs\\perf.data")->size >> 20, 5);
    assert_shown("\nSaving report.txt, profile.csv, perf.data....., run.ini, ibsboot.elf\nSaved to ");
    assert_in_range(fake_fw.calls[FAKE_FILE_WRITE], 20, 30);
}

static void afresh(void)
{
    fixture_teardown(NULL);
    fixture_setup(NULL);
}

/* The reason stays on the screen until a key is pressed, but not for ever, and not if a user was at the prompt. */
APP_TEST(errors_stay_on_the_screen)
{
    static const char *const errors[] = {"menu=no workload=nonsense", "menu=no show=nonsense", "batch=\\none.txt"};
    char options[80];

    for (unsigned i = 0; i < sizeof(errors) / sizeof(errors[0]); i++) {
        afresh();
        snprintf(options, sizeof(options), "%s hold_s=7", errors[i]);
        assert_int_equal(start(options), 1);
        assert_shown("\nThis screen stays for 7 s, or until you press a key.\nibsboot: end: status 1\n");
        assert_int_equal(fake_fw.calls[FAKE_READ_KEY], 7);
        afresh();
        fake_fw.keys = "x";
        assert_int_equal(start(options), 1);
        assert_int_equal(fake_fw.calls[FAKE_READ_KEY], 1);
    }
    afresh();
    assert_int_equal(start("menu=no hold_s=7 " SMALL), 0);
    assert_not_shown("This screen stays");
    assert_int_equal(start("menu=no workload=nonsense"), 1); /* 0 */
    assert_not_shown("This screen stays");
    fake_fw.keys = "xconfig=events\nrun\nquit\n";
    assert_int_equal(start("hold_s=7"), 1);
    assert_not_shown("This screen stays");

    /* This holds for a refusal, and for errors before the settings are known; without settings the time is a minute. */
    fake_session.machine.ibs = false;
    fake_session.machine.ibs_caps = 0;
    assert_int_equal(start("menu=no hold_s=7"), 1);
    assert_shown("This screen stays for 7 s");
    afresh();
    text_bytes[image_codemap.text_rva - 0x1000 + 5] ^= 1;
    assert_int_equal(app_main(&fake_fw.firmware, "menu=no", &image), 1);
    text_bytes[image_codemap.text_rva - 0x1000 + 5] ^= 1;
    assert_in_order(
        (const char *const[]){"The code in memory is not", "\nThis screen stays for 60 s,", "\nibsboot: end:"}, 3);
    assert_int_equal(fake_fw.calls[FAKE_READ_KEY], 60);
    /* Without a keyboard the reason stays, too. */
    afresh();
    fake_fw.firmware.keys = false;
    fake_session.machine.ibs = false;
    fake_session.machine.ibs_caps = 0;
    assert_int_equal(start("hold_s=7"), 1);
    assert_shown("This screen stays for 7 s");
}

/* The list of events without a source is longer than a line; no table tells the number of nodes. */
APP_TEST(report_of_a_later_family)
{
    size_t length = 0;

    fake_session.machine.family = 0x19;
    fake_session.machine.model = 0x61;
    fake_session.machine.ibs_caps = 0xBFF;
    fake_session.machine.nodes.count = 0;
    fake_family(&fake_session.machine);
    fake_fw.screen_length = 0;
    assert_int_equal(start("menu=no save=no count=cycles " SMALL), 0);
    assert_shown("NOTE left out, because this processor's registers do not show them: F109,");
    assert_not_shown("nothing\n");
    assert_not_shown(" nodes, TSC");
    for (size_t i = 0; i < fake_fw.screen_length; i++) {
        length = fake_fw.screen[i] == '\n' ? 0 : length + 1;
        assert_true(length <= 79);
    }
}

/* The line is missing on Family 10h, whose revision says the same, and if nothing is missing. */
APP_TEST(what_ibs_lacks)
{
    static const struct {
        uint32_t family, model, caps;
        const char *text;
    } rows[] = {
        {0x10, 0x02, 0x7, NULL},
        {0x10, 0x04, 0x1F, NULL},
        {0x12, 0x01, 0xFF, NULL},
        {0x12, 0x01, 0x1F, "branch target, 27-bit counts, invalid RIPs marked"},
        {0x15, 0x30, 0xFF, "fused branches"},
        {0x17, 0x01, 0x3FF, NULL},
        {0x17, 0x01, 0x2BF, "27-bit counts, fused branches"},
        {0x19, 0x61, 0x3FF, "L3 miss filter"},
        {0x1A, 0x44, 0x7,
         "op counting, CurCnt writable, branch target, 27-bit\n"
         "              counts, invalid RIPs marked, fused branches, ITLB refill latency,\n"
         "              L3 miss filter, load latency filter, DTLB page size"},
        {0x1A, 0x44, 0x81BFF, NULL},
    };

    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char wanted[400];

        fake_session.machine.family = rows[i].family;
        fake_session.machine.model = rows[i].model;
        fake_session.machine.ibs_caps = rows[i].caps;
        fake_family(&fake_session.machine);
        fake_fw.screen_length = 0;
        assert_int_equal(start("menu=no save=no count=cycles fetch=no config=tbp " SMALL), 0);
        snprintf(wanted, sizeof(wanted), "8000_001B)\n              not there: %s\nTopology",
                 rows[i].text ? rows[i].text : "");
        if (rows[i].text)
            assert_shown(wanted);
        else
            assert_not_shown("not there");
        assert_lines_fit();
    }
}

/* IBS is tried once after each change of the setting, and not without a change. */
APP_TEST(ibs_that_is_off)
{
    fake_session.machine.ibs = fake_session.machine.ibs_leaf = false;
    fake_session.machine.ibs_caps = 0;
    assert_int_equal(start("menu=no " SMALL), 1);
    assert_int_equal(fake_session.switches, 0);
    assert_int_equal(start("menu=no zen_ibs_on=yes config=ibs,tbp " SMALL), 0);
    assert_int_equal(fake_session.switches, 1);
    assert_shown("\n              switched on only during runs, by zen_ibs_on: CPUID reports none\n");
    assert_int_equal(fake_session.plan.place.machine->ibs_caps, 0x3FF);
    afresh();
    fake_session.machine.ibs = fake_session.machine.ibs_leaf = false;
    fake_session.machine.ibs_caps = 0;
    fake_fw.keys = "config=ibs\nrun\nzen_ibs_on=yes\nrun\nrun\nzen_ibs_on=no\nrun\nquit\n";
    assert_int_equal(start("pager=no " SMALL), 1);
    assert_int_equal(fake_session.switches, 2);
    assert_shown_times("Saved to ", 2);
    afresh();
    fake_session.machine.ibs = fake_session.machine.ibs_leaf = false;
    fake_session.machine.ibs_caps = 0;
    fake_session.switch_error = SESSION_IBS_SWITCH_SMT;
    assert_int_equal(start("menu=no zen_ibs_on=yes " SMALL), 1);
    assert_says("zen_ibs_on = yes: each core has two threads, and may lock up if one switches IBS on while the other "
                "runs: switch SMT off in the BIOS setup. IBS stays off.");
    assert_int_equal(fake_session.runs, 0);
}

/* The setting 'end' decides; the end comes after the last line, so that the status can be seen. */
APP_TEST(reset_or_off)
{
    assert_int_equal(start("menu=no " SMALL), 0);
    assert_int_equal(fake_fw.ended_by, FIRMWARE_RETURN);
    assert_int_equal(start("menu=no end=off " SMALL), 0);
    assert_int_equal(fake_fw.ended_by, FIRMWARE_OFF);
    assert_shown("\nibsboot: end: status 0\nThe firmware ignored the setting 'end'.\n");
    afresh();
    fake_fw.really_ends = true;
    if (!setjmp(fake_fw.gone)) {
        (void)start("menu=no end=reset " SMALL);
        fail();
    }
    assert_int_equal(fake_fw.ended_by, FIRMWARE_RESET);
    assert_shown("\nSaved to ");
    assert_not_shown("did not do it");
}

/* Each step of a run writes its code before it begins, for each core and each file. */
APP_TEST(codes_on_port_80h)
{
    fake_fw.cores = 3;
    assert_int_equal(start("menu=no cores=all save=no " SMALL), 0);
    assert_int_equal(fake.posts, 11);
    assert_memory_equal(fake.post, "\x01\x02\x03\x05\x41\x42\x81\x82\x20\x21\x2f", 11);
    afresh();
    assert_int_equal(start("menu=no end=off " SMALL), 0);
    assert_non_null(memmem(fake.post, fake.posts, "\x05\x20\x21\x22\x22\x22\x22\x22\x23\x2e\x2f", 11));
    afresh();
    assert_int_equal(start("menu=no trace=none " SMALL), 0);
    assert_int_equal(fake.posts, 0);
    afresh();
    assert_int_equal(start("menu=no trace=com1 " SMALL), 0);
    assert_true(fake.posts > 8);
    assert_says("trace = com1: no serial port answers at 3F8h; codes still go to port 80h.");
    afresh();
    fake.uart.there = true;
    fake_fw.keys = "xtrace=com1\nrun\nquit\n"; /* the setting from the prompt */
    assert_int_equal(start("pager=no " SMALL), 0);
    assert_non_null(strstr(fake.uart.sent, "ibsboot: 03h a run is prepared: memory is taken\r\n"));
    assert_null(strstr(fake.uart.sent, "02h"));
}

/* If a machine is reset at some step of a run, the next start says how far the run came. */
APP_TEST(what_was_not_finished_is_told)
{
    static const char folder[] = "\\ibsboot\\runs\\0001-tight-loop-count", path[] = "\\begun.ini";
    char begun[100];
    const struct fake_file *file;

    snprintf(begun, sizeof(begun), "%s%s", folder, path);
    fake_fw.fail.call = FAKE_FILE_REMOVE; /* the file's text at each step */
    fake_fw.fail.at = 1;
    fake_session.slow = 3000000000; /* ticks of each session, at 2 GHz */
    assert_int_equal(start("menu=no config=count events=0C0,0C1,040,041,042 " SMALL), 0);
    file = fake_file_find(&fake_fw, begun);
    assert_non_null(file);
    assert_non_null(strstr(file->data, "\nworkload = \"tight-loop\"\n"));
    assert_non_null(strstr(file->data, "\n#: machine.name = AMD Phenom(tm) fake\n"));
    assert_non_null(strstr(file->data, "\n#: config = count\n"));
    assert_non_null(
        strstr(file->data, "\n#: phase = measuring\n#: phase = measuring, pass 2\n#: phase = measuring, pass 3\n"));
    assert_non_null(strstr(
        file->data, "\n#: phase = saving report.txt\n#: phase = saving counts.csv\n#: phase = saving run.ini\n"));
    assert_int_equal(start("menu=no show=configs"), 0);
    assert_says("NOT FINISHED: \\ibsboot\\runs\\0001-tight-loop-count stopped in this step: saving run.ini. Its "
                "settings are in its begun.ini.");
    assert_says("If the machine was reset: the volume, or the firmware's driver for it");
    assert_not_shown("usb_legacy=off");
    assert_non_null(strstr(file->data, "\n\n# Suspects, should this machine have been reset, by the last phase:\n"
                                       "# measuring: system management mode"));
    assert_non_null(strstr(file->data, "\n# saving: the volume"));

    /* A line that was cut off does not count. */
    fake_firmware_clear(&fake_fw);
    fake_file_put(&fake_fw, begun, "#: phase = measuring\n#: phase = saving repo", 42);
    assert_int_equal(start("menu=no show=configs"), 0);
    assert_says("stopped in this step: measuring. Its");
    assert_says("If the machine was reset: system management mode, interrupted by an NMI of sampling: most SMIs come "
                "from USB legacy emulation, so try usb_legacy=off, or a PS/2 keyboard;");
    assert_not_shown("the volume, or");
    assert_lines_fit();
    for (unsigned i = 0; i < 4; i++) { /* this must be a line of the settings, and not a part of one */
        static const char *const texts[] = {"usb_legacy = off\n#: phase = measuring, pass 2\n",
                                            "\nusb_legacy = off\n#: phase = measuring, pass 2\n",
                                            "# usb_legacy = off\n#: phase = measuring, pass 2\n",
                                            "\nusb_legacy = off no\n#: phase = measuring, pass 2\n"};
        fake_firmware_clear(&fake_fw);
        fake_file_put(&fake_fw, begun, texts[i], strlen(texts[i]));
        assert_int_equal(start("menu=no show=configs"), 0);
        assert_says("stopped in this step: measuring, pass 2. Its");
        assert_int_equal(times_said("other SMIs (temperature, power; USB legacy emulation was off)"), i < 2);
        assert_int_equal(times_said("try usb_legacy=off"), i >= 2);
    }
    fake_firmware_clear(&fake_fw);
    fake_file_put(&fake_fw, begun, "#: phase = measured, the report is printed\n", 43);
    assert_int_equal(start("menu=no show=configs"), 0);
    assert_says("If the machine was reset: the firmware's console, which printed the report.");
    fake_firmware_clear(&fake_fw);
    fake_file_put(&fake_fw, begun, "#: phase = of another version\n", 30);
    assert_int_equal(start("menu=no show=configs"), 0);
    assert_says("stopped in this step: of another version. Its");
    assert_not_shown("If the machine was reset");
    /* The run has left only its folder, or half of begun.ini under its first name. */
    fake_firmware_clear(&fake_fw);
    fake_folder_put(&fake_fw, "\\ibsboot\\runs\\0007-reset-ibs");
    assert_int_equal(start("menu=no show=configs"), 0);
    assert_says("NOT FINISHED: \\ibsboot\\runs\\0007-reset-ibs was not started; nothing was measured.");
    /* After a run that was finished nothing is reported. */
    fake_fw.fail.at = 0;
    assert_int_equal(start("menu=no " SMALL), 0);
    fake_firmware_clear(&fake_fw);
    assert_null(fake_file_find(&fake_fw, "\\ibsboot\\runs\\0008-tight-loop-ibs\\begun.ini"));
    assert_int_equal(start("menu=no show=configs"), 0);
    assert_not_shown("NOT FINISHED");
    /* USB legacy emulation is not suspected if it was off. */
    fake_fw.fail.at = 1;
    fake_firmware_clear(&fake_fw);
    assert_int_equal(start("menu=no usb_legacy=off " SMALL), 0);
    file = fake_file_find(&fake_fw, "\\ibsboot\\runs\\0009-tight-loop-ibs\\begun.ini");
    assert_non_null(file);
    assert_non_null(strstr(file->data, "\n# measuring: other SMIs (temperature, power; USB legacy"));
    assert_non_null(strstr(file->data, "\nusb_legacy = off\n"));
    fake_fw.fail.at = 0;
    /* With save=no nothing is written. */
    assert_int_equal(start("menu=no save=no " SMALL), 0);
    assert_null(fake_file_find(&fake_fw, "\\ibsboot\\runs\\0010-tight-loop-ibs"));
}

APP_TEST(no_volume_at_all)
{
    fake_fw.no_volume = true;
    assert_int_equal(start("menu=no"), 1);
    assert_shown("ibsboot.ini: no volume");
    assert_shown("NOT SAVED: no volume");
    fake_fw.screen_length = 0;
    assert_int_equal(start("menu=no save=no"), 0);
    assert_not_shown("NOT SAVED");
}

APP_TEST(few_samples_are_noted)
{
    fake_session.op_samples = 1000;
    assert_int_equal(start("menu=no save=no " SMALL), 0);
    assert_not_shown("NOTE: few samples");
    assert_not_shown("The settings named above");
    fake_session.op_samples = 999;
    assert_int_equal(start("menu=no save=no op=no " SMALL), 0);
    assert_not_shown("NOTE: few samples");
    assert_int_equal(start("menu=no save=no " SMALL), 0);
    assert_shown("\nNOTE: few samples: ");
}

APP_TEST(lost_samples_are_told)
{
    assert_int_equal(start("menu=no records=100"), 0);
    assert_shown("WARNING: the buffer held 100 samples; 5900 more were lost");
}

APP_TEST(no_ibs_here)
{
    fake_session.machine.ibs = false;
    fake_session.machine.ibs_caps = 0;
    assert_int_equal(start("menu=no"), 1);
    assert_shown("IBS           none");
    assert_int_equal(fake_session.runs, 0);
    assert_shown("ibsboot: end: status 1");
}

APP_TEST(settings_that_cannot_run)
{
    fake_session.check_error = SESSION_NO_OP_COUNTING;
    assert_int_equal(start("menu=no count=ops"), 1);
    assert_says(session_error_text(SESSION_NO_OP_COUNTING));
    assert_int_equal(fake_session.runs, 0);
}

APP_TEST(out_of_memory)
{
    /* The allocations are 1: the settings text, 2: the text of the last run's begun.ini, 3: the probe's workspace,
     * 4..8: the run's. */
    fake_fw.fail.call = FAKE_ALLOCATE;
    assert_int_equal(start("menu=no"), 0);
    for (unsigned n = 1; n <= 8; n++) {
        fake_firmware_clear(&fake_fw);
        fake_fw.fail.at = n;
        assert_int_equal(start("menu=no"), n <= 2 ? 0 : 1); /* without the file's text the defaults are used */
        assert_shown("ibsboot: end: status");
        assert_int_equal(fake_memory_blocks(), 0);
    }
}

/* Each pass, even an empty one, fills the workload's memory again. Only a virtual PMU is told. */
APP_TEST(filled_memory_is_told_of)
{
    unsigned empty = 0, filled;

    fake_session.machine.hypervisor_signature[0] = 'I';
    assert_int_equal(start("menu=no " SMALL), 0);
    assert_int_equal(fake_session.prepared, 0);
    fake_session.machine.hypervisor_signature[0] = 'i';
    fake_session.runs = 0;
    assert_int_equal(start("menu=no workload=pointer-chase kb=16 hops=9 config=count events=0C0,076,040,041,0C2"), 0);
    for (unsigned i = 0; i < fake_session.runs; i++)
        empty += fake_session.pass[i].empty;
    filled = fake_session.runs;
    assert_true(empty > 0 && empty < filled);
    assert_int_equal(fake_session.prepared, filled);
    assert_int_equal(fake_session.prepared_told, filled);
    assert_int_equal(fake_session.prepared_at, fake_session.plan.place.paging.physical);
    assert_int_equal(fake_session.prepared_bytes, filled * (16 * 1024 + 4096));
    /* A workload may name the filled memory range by range: three matrices, row by row. */
    fake_session.prepared = fake_session.prepared_told = fake_session.prepared_bytes = 0;
    assert_int_equal(start("menu=no n=20 op=no fetch=yes"), 0);
    assert_int_equal(fake_session.prepared % 3000, 0);
    assert_int_equal(fake_session.prepared_told, fake_session.prepared);
    assert_int_equal(fake_session.prepared_bytes, (uint64_t)fake_session.prepared * 4000);
    assert_int_equal(fake_session.prepared_at,
                     fake_session.plan.place.paging.physical + 0xBB51E8 - 0x400000 + 999 * 4000);
}

APP_TEST(fault_shows_registers_and_keeps_samples)
{
    fake_session.run_body = false;
    fake_session.result = (struct session_result){
        .error = SESSION_FAULT,
        .faulted = true,
        .fault_phase = SESSION_BODY,
        .fault = {.vector = 0,
                  .rip = IMAGE_BASE + image_codemap.insns[3].rva,
                  .gpr = {[0] = 0x1234567, [15] = 0xfeedface}},
    };
    assert_int_equal(start("menu=no"), 1);
    assert_shown("Exception\n");
    assert_shown("in the measured part");
    assert_shown("rax 0000000001234567");
    assert_shown("r15 00000000feedface");
    assert_shown(image_codemap.strings + image_codemap.insns[3].text);
    assert_shown("IBS op profile");
    assert_shown("FAIL result");
}

/* The report tells in which phase the exception came. */
APP_TEST(phases_of_a_fault)
{
    static const char *const phases[] = {[SESSION_SET_UP] = "in setting up; error code 7",
                                         [SESSION_PREPARE] = "in preparing the workload; error code 7",
                                         [SESSION_BODY] = "in the measured part; error code 7",
                                         [SESSION_FINISH] = "in checking the result; error code 7",
                                         [SESSION_RESTORING] = "in restoring; error code 7"};

    for (unsigned i = 0; i < sizeof(phases) / sizeof(phases[0]); i++) {
        fake_fw.screen_length = 0;
        fake_session.result = (struct session_result){
            .error = SESSION_FAULT, .faulted = true, .fault_phase = (enum session_phase)i, .fault = {.error = 7}};
        assert_int_equal(start("menu=no save=no"), 1);
        assert_shown(phases[i]);
    }
}

APP_TEST(what_was_not_restored_is_told)
{
    fake_session.result.restore = (struct restore_log){
        .row = {{.what = "MSR C001_001F NB_CFG", .before = 1, .after = 2, .undone = true}}, .count = 1, .failed = 1};
    assert_int_equal(start("menu=no"), 1);
    assert_shown("FAIL MSR C001_001F NB_CFG was 1, is 2 (core 0)\n");
    assert_string_equal(saved_fact("0001-matmul-classic-ibs", "restored.0"),
                        "MSR C001_001F NB_CFG, 0x1, 0x2, DIFFERENT");
    assert_string_equal(saved_fact("0001-matmul-classic-ibs", "restored.1"),
                        "MSR C001_0004 PERF_CTR for the noise certificate, 0x0, 0x0, same");
    assert_int_equal(fact("0001-matmul-classic-ibs", "restored.dropped"), 0);
    assert_not_shown("the restore log of run.ini");
}

/* Registers that do not fit into a session's log are reported, for two passes. */
APP_TEST(registers_without_room_in_the_log_are_told)
{
    fake_session.result.restore = (struct restore_log){.dropped = 2};
    assert_int_equal(start("menu=no repeats=2"), 0);
    assert_shown("WARNING: the restore log of run.ini does not name every register that was\n");
    assert_shown("changed: it had no room for 4 rows from all passes.\n");
    assert_int_equal(fact("0001-matmul-classic-ibs", "restored.dropped"), 4);
}

APP_TEST(errors_in_words)
{
    static const struct {
        enum firmware_error error;
        const char *text;
    } rows[] = {
        {FIRMWARE_OK, "no error"},
        {FIRMWARE_NOT_FOUND, "no such file"},
        {FIRMWARE_READ_ONLY, "the volume is write-protected"},
        {FIRMWARE_FULL, "the volume is full"},
        {FIRMWARE_NO_VOLUME, "no volume (network boot, or the stick was removed)"},
        {FIRMWARE_TOO_LARGE, "the file is too large"},
        {FIRMWARE_NO_CORES, "the firmware runs nothing on other cores (it has no MP Services)"},
        {FIRMWARE_CORE_BUSY, "an earlier run has not returned"},
        {FIRMWARE_FAILED, "the firmware reported an error"},
        {FIRMWARE_AREA, "unknown error"},
        {FIRMWARE_AREA + AREA_FOLDER,
         "IBSRUNS.TAR on the stick is a folder; put a file of zeros of this name in its place"},
        {FIRMWARE_AREA + AREA_FULL,
         "IBSRUNS.TAR has less than 64 KB left; copy it to a computer, and put a file of zeros in its place"},
        {FIRMWARE_AREA + AREA_REFUSAL_COUNT, "unknown error"},
    };

    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        assert_string_equal(firmware_error_text(rows[i].error), rows[i].text);
}

APP_TEST(patched_image_is_refused)
{
    text_bytes[image_codemap.text_rva - 0x1000 + 5] ^= 1;
    assert_int_equal(start("menu=no"), 1);
    text_bytes[image_codemap.text_rva - 0x1000 + 5] ^= 1;
    assert_shown("is not the code that the code map describes");
    assert_int_equal(fake_session.runs, 0);
}

APP_TEST(prompt_sets_runs_and_leaves)
{
    fake_fw.keys = "x" /* ends the countdown */
                   "pager=no\n"
                   "list\n"
                   "list memory\n"
                   "list memories\n"
                   "pages=2m  rows=2\n"
                   "gibberish\n"
                   "pages=7\n"
                   "again\n"
                   "rnu\b\bun\n"
                   "again\n"
                   "quit\n";
    assert_int_equal(start(""), 0);
    assert_shown("  matmul-classic-sse ");
    assert_shown("Noise is not a workload");
    assert_shown("matmul-classic-sse: ");
    assert_shown("list memories: neither");
    assert_shown("unknown command 'gibberish'; 'help' lists the commands\n");
    assert_shown("setting:1:");
    assert_shown("There has been no run yet.");
    assert_int_equal(fake_session.runs, 1);
    assert_int_equal(fake_session.plan.place.paging.kind, PAGING_2M);
    assert_shown("rows=2");
    assert_shown("ibsboot: end: status 0");
}

/* The keys q, Q and Escape skip the rest of a report; any other key shows the next screen; without a key the pager
 * waits. */
APP_TEST(keys_of_the_pager)
{
    static const struct {
        const char *keys;
        unsigned screens; /* stops */
    } rows[] = {
        {"xrun\nqquit\n", 1},  {"xrun\nQquit\n", 1},      {"xrun\n\x1bquit\n", 1},
        {"xrun\n qquit\n", 2}, {"xrun\nr\n\bqquit\n", 4},
    };

    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        fixture_teardown(NULL);
        fixture_setup(NULL);
        fake_fw.keys = rows[i].keys;
        fake_fw.fail.call = FAKE_READ_KEY; /* at the first stop no key comes for three minutes */
        fake_fw.fail.at = 6;
        fake_fw.fail.and = 2;
        assert_int_equal(start(SMALL), 0);
        assert_shown_times("-- more: any key, q skips the rest --\n", rows[i].screens);
        assert_true(fake_fw.failed);
        assert_shown("\nSaved to \\ibsboot\\runs\\0001-tight-loop-ibs\nibsboot> quit\n");
    }
}

/* A screen has 24 lines of text and the pager's line; the first screen begins after what was typed. */
APP_TEST(screens_of_the_pager)
{
    static const char more[] = "-- more: any key, q skips the rest --\n";
    const char *at;

    fake_fw.keys = "xrun\n  qquit\n";
    assert_int_equal(start(""), 0);
    at = strstr(fake_fw.screen, "\nibsboot> run\n") + 14;
    for (unsigned screen = 0; screen < 3; screen++) {
        const char *stop = strstr(at, more);
        unsigned lines = 0;

        assert_non_null(stop);
        for (; at < stop; at++)
            lines += *at == '\n';
        assert_int_equal(lines, 24);
        assert_int_equal(stop[-1], '\n');
        at = stop + sizeof(more) - 1;
    }
    assert_string_equal(at,
                        "Saving report.txt, profile.csv, perf.data, run.ini, ibsboot.elf\n"
                        "Saved to \\ibsboot\\runs\\0001-matmul-classic-ibs\nibsboot> quit\nibsboot: end: status 0\n");
}

APP_TEST(nobody_there_runs_by_itself)
{
    /* There are 5 s of silence, the run, and then the prompt, which gets an Enter each minute; the script leaves. */
    fake_fw.keys = "";
    fake_session.op_samples = 10;
    assert_int_equal(start("menu=no op_period=160"), 0);
    assert_shown("NOTE: few samples");
    assert_int_equal(fake_session.plan.program.ibs.op_period, 160);
}

APP_TEST(revision_b_counts_cycles)
{
    fake_session.machine.revision = 'B';
    fake_session.machine.ibs_caps = 7;
    assert_int_equal(start("menu=no"), 0);
    assert_false(fake_session.plan.program.ibs.count_ops);
    assert_shown("core cycles");
    assert_shown("NOTE: op intervals were counted in core cycles");
}

/* Every second instruction is sampled after a long interval, which begins above the mean. */
APP_TEST(intervals_are_compared)
{
    static const struct {
        const char *settings;
        bool shown;
    } rows[] = {
        {"count=cycles op_period=1024", true},
        {"count=cycles op_period=1040", false}, /* no interval is long */
        {"count=cycles op_period=1024 random=no", false},
        {"count=cycles op_period=1024 op=no", false},
        {"count=ops op_period=1024", false},
    };

    fake_session.op_samples = 2000;
    fake_session.intervals_vary = true;
    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const struct fake_file *ini;
        char settings[100];

        snprintf(settings, sizeof(settings), "menu=no %s " SMALL, rows[i].settings);
        fake_fw.screen_length = 0;
        fake_files_clear(&fake_fw);
        assert_int_equal(start(settings), 0);
        ini = fake_file_find(&fake_fw, "\\ibsboot\\runs\\0001-tight-loop-ibs\\run.ini");
        assert_non_null(ini);
        assert_int_equal(strstr(ini->data, "#: ibs.intervals = different\n") != NULL, rows[i].shown);
        assert_int_equal(strstr(ini->data, "ibs.intervals") != NULL, rows[i].shown);
        if (rows[i].shown)
            assert_shown("WARNING: Op samples after short and long intervals: different");
        else
            assert_not_shown("short and long");
    }
}

APP_TEST(periods_are_chosen_for_the_work)
{
    const struct workload *matmul = params_find_workload("matmul-classic");
    static const struct {
        uint32_t rows;
        bool hypervisor;
        uint32_t period;
    } row[] = {
        {1, true, 512},        /* 440 is below the least */
        {10, true, 4400},      /* 220 M ops / 50,000 */
        {1, false, 65536},     /* silicon's least */
        {200, false, 88000},   /* 4.4 G ops / 50,000 */
        {1000, false, 440000}, /* 22 G ops / 50,000 */
    };
    const uint32_t much[WORKLOAD_PARAMS_MAX] = {1000, 1000};

    for (unsigned i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
        const uint32_t params[WORKLOAD_PARAMS_MAX] = {1000, row[i].rows};
        uint32_t period = ibs_period_for(matmul, params, 1, 50000, row[i].hypervisor ? 512 : 65536);

        assert_int_equal(period % 16, 0);
        assert_int_equal(period, row[i].period);
    }
    assert_int_equal(ibs_period_for(matmul, much, 2, 50000, 512), 880000); /* all cores together */
    assert_int_equal(ibs_period_for(matmul, much, 3, 50000, 512), 0xF0000);
}

/* With 17 ops in a pass the period is 530, so 528 ops; half of it is 264, so 256 fetches. A period from the user is
 * used unchanged. */
APP_TEST(periods_are_multiples_of_16)
{
    assert_int_equal(start("menu=no save=no workload=tight-loop iterations=1560000"), 0);
    assert_int_equal(fake_session.plan.program.ibs.op_period, 528);
    assert_int_equal(fake_session.plan.program.ibs.fetch_period, 256);
    assert_int_equal(start("menu=no save=no op_period=144 fetch_period=16 " SMALL), 0);
    assert_int_equal(fake_session.plan.program.ibs.op_period, 144);
    assert_int_equal(fake_session.plan.program.ibs.fetch_period, 16);
    assert_int_equal(fake_session.runs, 2);
    fake_session.machine.hypervisor = false; /* silicon's shortest periods, as README.md gives them */
    assert_int_equal(start("menu=no save=no " SMALL), 0);
    assert_int_equal(fake_session.plan.program.ibs.op_period, 65536);
    assert_int_equal(fake_session.plan.program.ibs.fetch_period, 32768);
}

/* The file has all settings of the run, with their help, and then the results. */
APP_TEST(run_ini_has_all_settings)
{
    static const char head[] =
        "# A run of ibsboot " IBSBOOT_VERSION ". To repeat it, copy this file to \\ibsboot\\ibsboot.ini.\n\n";
    static const char tail[] = "\n# The machine and the results.\n#: started = 2026-11-21T12:34:56\n#: figures = ";
    const char *ini, *shown, *end;

    assert_int_equal(start("menu=no seed=5 pages=1g " SMALL), 0);
    ini = file_text("\\ibsboot\\runs\\0001-tight-loop-ibs\\run.ini");
    assert_memory_equal(ini, head, sizeof(head) - 1);
    ini += sizeof(head) - 1;
    fake_firmware_clear(&fake_fw);
    assert_int_equal(start("menu=no seed=5 pages=1g show=show " SMALL), 0);
    shown = strchr(fake_fw.screen, '\n') + 1;
    end = strstr(shown, "show = \"show\"");
    assert_non_null(end);
    assert_memory_equal(ini, shown, (size_t)(end - shown));
    ini += end - shown;
    assert_memory_equal(ini, "show = \"\"", 9);
    ini += 9;
    shown = end + 13;
    end = strstr(shown, "ibsboot: end:");
    assert_memory_equal(ini, shown, (size_t)(end - shown));
    assert_memory_equal(ini + (end - shown), tail, sizeof(tail) - 1);
    /* The firmware has no clock. */
    fake_fw.time.valid = false;
    assert_int_equal(start("menu=no " SMALL), 0);
    assert_null(strstr(file_text("\\ibsboot\\runs\\0002-tight-loop-ibs\\run.ini"), "started"));
}

/* A single fault is enough to make a run bad. */
APP_TEST(a_good_run)
{
    static struct run run;
    static struct explore_result explored = {.method = &explore_10h};

    run.own = &explored;
    run.task.kinds[0] = &kind_ibs;
    run.passes.run = 2;
    run.passes.finished = 2;
    assert_true(run_good(&run));
    run.passes.finished = 1;
    assert_false(run_good(&run));
    run.passes.run = run.passes.finished = 0;
    assert_false(run_good(&run));
    run.passes.run = run.passes.finished = 2;
#define BAD(field, bad)                                                                                                \
    do {                                                                                                               \
        run.field = bad;                                                                                               \
        assert_false(run_good(&run));                                                                                  \
        run.field = 0;                                                                                                 \
        assert_true(run_good(&run));                                                                                   \
    } while (0)
    BAD(passes.incorrect, 1);
    BAD(passes.ring_full, true);
    BAD(passes.result.error, SESSION_LIMIT);
    BAD(passes.lost, 1);
    BAD(passes.restore_failed, 1);
    BAD(ibs.identities_failed, 1);
#undef BAD
    explored.check[EXPLORE_CHECKS - 1].verdict = EXPLORE_FAIL;
    assert_true(run_good(&run));
    run.task.kinds[1] = kind_find("explore");
    assert_false(run_good(&run));
    explored.check[EXPLORE_CHECKS - 1].verdict = EXPLORE_NOT_CHECKED;
    assert_true(run_good(&run));
}

/* Errata are named, even if the first one in the table does not apply. */
APP_TEST(errata_by_name)
{
    fake_session.machine.errata |= IBS_E_FETCH_LINAD;
    assert_int_equal(start("menu=no save=no " SMALL), 0);
    assert_shown("\nErrata        UBTS 228876\n");
    fake_firmware_clear(&fake_fw);
    fake_session.machine.errata = IBS_E_420;
    assert_int_equal(start("menu=no save=no " SMALL), 0);
    assert_shown("\nErrata        #420\n");
}

/* For each filter of IBS the report says what it does to shares, and the plan has the filter. */
APP_TEST(filters_of_samples)
{
    uint64_t kept = 0;
    char text[60];

    assert_int_equal(start("menu=no save=no l3_miss_only=yes " SMALL), 1);
    assert_shown("l3_miss_only=no");
    fake_firmware_clear(&fake_fw);
    fake_session.machine.ibs_caps = 0x81bff;
    assert_int_equal(start("menu=no save=no l3_miss_only=yes load_latency=256 " SMALL), 0);
    assert_shown("NOTE: only samples that missed the L3 were taken");
    assert_shown("NOTE: only op samples of loads of more than 256 cycles were taken");
    assert_true(fake_session.plan.program.ibs.l3_miss_only);
    assert_int_equal(fake_session.plan.program.ibs.load_latency, 256);
    fake_firmware_clear(&fake_fw);
    fake_session.culprit = 2; /* the only misses: one in each lap, of 50 cycles in the first, 51 in the second, ... */
    assert_int_equal(start("menu=no save=no load_latency=128 " SMALL), 0);
    for (uint64_t i = 0; i < fake_session.op_samples; i++)
        kept += i % image_codemap.insn_count == 2 && 50 + i / image_codemap.insn_count > 128;
    assert_in_range(kept, 2, 500);
    snprintf(text, sizeof(text), "\nIBS op      %10lu", kept);
    assert_shown(text);
    snprintf(text, sizeof(text), "%lu samples", fake_session.op_samples - kept);
    assert_shown(text);
    snprintf(text, sizeof(text), "filter leaks: %lu of %lu op", fake_session.op_samples - kept,
             fake_session.op_samples);
    assert_shown(text);
    fake_firmware_clear(&fake_fw);
    assert_int_equal(start("menu=no save=no " SMALL), 0);
    assert_not_shown("missed the L3");
    assert_not_shown("filter leaks");
}

/* One op in each lap misses. The others contradict the filter of misses, or are dropped by the latency filter. */
APP_TEST(samples_that_contradict_a_filter_are_counted)
{
    static const char run[] = "0001-tight-loop-ibs", next[] = "0002-tight-loop-ibs";
    uint64_t misses = 0;

    fake_session.machine.ibs_caps = 0x81bff;
    fake_session.culprit = 2;
    for (uint64_t i = 0; i < fake_session.op_samples; i++)
        misses += i % image_codemap.insn_count == 2;
    assert_int_equal(start("menu=no l3_miss_only=yes " SMALL), 0);
    assert_int_equal(fact(run, "samples.op_leaked"), fake_session.op_samples - misses);
    assert_int_equal(fact(run, "samples.fetch_leaked"), 0); /* Family 10h has no such bit */
    assert_string_equal(saved_fact(run, "samples.op_dropped"), "");
    assert_shown("WARNING: the processor's filter leaks: ");
    assert_int_equal(start("menu=no load_latency=128 " SMALL), 0);
    assert_string_equal(saved_fact(next, "samples.op_leaked"), "");
    assert_int_equal(fact(next, "samples.op_dropped") + fact(next, "samples.op"), fake_session.op_samples);
    assert_in_range(fact(next, "samples.op"), 1, misses);
}

/* Memory is freed in the reverse order, and the number of a run's blocks is limited. */
APP_TEST(blocks_of_memory)
{
    struct pool pool = {.fw = &fake_fw.firmware};
    struct out_memory problems;
    char said[200];

    out_memory_init(&problems, said, sizeof(said));
    for (unsigned i = 0; i < POOL_BLOCKS; i++)
        assert_non_null(pool_take(&pool, 100, POOL_PAGE, "tests", &problems.out));
    assert_int_equal(problems.needed, 0);
    assert_null(pool_take(&pool, 5000, POOL_PAGE, "tests", &problems.out));
    assert_string_equal(said, "no memory for tests: 4 KiB are needed; a smaller workload or fewer records need\n"
                              "    less\n");
    out_memory_init(&problems, said, sizeof(said));
    assert_null(pool_take_on(&pool, NULL, 1, true, 5000, POOL_PAGE, "tests", &problems.out));
    assert_string_equal(said, "no memory for tests on node 1: 4 KiB are needed\n");
    out_memory_init(&problems, said, sizeof(said)); /* a block on any node would have been possible */
    assert_null(pool_take_on(&pool, NULL, 1, false, 5000, POOL_PAGE, "tests", &problems.out));
    assert_string_equal(said, "no memory for tests: 4 KiB are needed; a smaller workload or fewer records need\n"
                              "    less\n");
    assert_int_equal(fake_memory_blocks(), POOL_BLOCKS);
    assert_int_equal(pool.count, POOL_BLOCKS);
    pool_release(&pool);
    assert_int_equal(fake_memory_blocks(), 0);
    assert_int_equal(pool.count, 0);
}

APP_TEST(parameters_of_the_workload)
{
    static const struct {
        const char *options, *says; /* NULL: the run is possible */
    } rows[] = {
        {"workload=pointer-chase hops=9 kb=3", "load options:"},
        {"workload=pointer-chase hops=9 kb=4", NULL},
        {"workload=strided passes=1 stride=12",
         "stride = 12: workload strided takes multiples of 8 from 8 to 1048576\n"},
        {"workload=misaligned kb=65537", "kb = 65537: workload misaligned takes 4 to 65536\n"},
        {"workload=matmul-classic n=7 rows=1001", "load options:"},
    };

    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char options[160];

        fake_firmware_clear(&fake_fw);
        fake_session.runs = 0;
        snprintf(options, sizeof(options), "menu=no save=no %s", rows[i].options);
        (void)start(options);
        if (rows[i].says)
            assert_shown(rows[i].says);
        assert_int_equal(fake_session.runs, !rows[i].says);
    }
    assert_int_equal(start("show=\"list tight-loop\""), 0);
    assert_shown("\n    iterations=100000  passes of the loop (1 to 1000000000)\n");
}

RUN_TESTS(fixture_load, NULL)
