/* SPDX-License-Identifier: BSD-2-Clause */
/* Runs on several cores: which cores work, what is shown and kept of each, and what happens when one is missing. */
#include "tests/unit/app/fake_memory.h"
#include "tests/unit/app/fixture.h"
#include "tests/unit/drivers/fake_cpu.h"

#include <stdio.h>
#include <string.h>

#include "app/cores/cores.h"
#include "app/run/passes.h"
#include "core/base/rng.h"

static const struct machine one_node = {.nodes = {.count = 1}};

struct list_row {
    const char *text;
    uint32_t there;
    const char *cores;   /* the cores as read, NULL: refused */
    const char *problem; /* NULL: no problem */
};

APP_TEST(lists)
{
    static const struct list_row rows[] = {
        {"0", 4, "0 ", NULL},
        {"all", 4, "0 1 2 3 ", NULL},
        {"2", 4, "2 ", NULL},
        {"2-2", 4, "2 ", NULL},
        {"0-3", 4, "0 1 2 3 ", NULL},
        {"0,2-3", 4, "0 2 3 ", NULL},
        {"3,1,1-2", 4, "1 2 3 ", NULL},
        {"all", 0, "0 ", "it has no MP Services);\nthis run is on the boot core alone"},
        {"0", 0, "0 ", NULL},
        {"0-1", 0, NULL, "cores = 0-1: the firmware runs nothing on other cores (it has no MP Services)"},
        {"4", 4, NULL, "cores = 4: the firmware names 4, from 0 to 3"},
        {"all", 1, "0 ", NULL},
        {"", 4, NULL, "neither all, first-threads, one-per-ccx, nor a list"},
        {"1-", 4, NULL, "neither all, first-threads, one-per-ccx, nor a list"},
        {"3-1", 4, NULL, "neither all, first-threads, one-per-ccx, nor a list"},
        {"1,", 4, NULL, "neither all, first-threads, one-per-ccx, nor a list"},
        {"1x", 4, NULL, "neither all, first-threads, one-per-ccx, nor a list"},
        {"63-64,255-256,511", 1024, "63 64 255 256 511 ", NULL},
        {"0,2-3,500", 501, "0 2 3 500 ", NULL},
        {"0,2-3,500", 500, NULL, "cores = 0,2-3,500: the firmware names 500, from 0 to 499"},
        {"1023", 1024, "1023 ", NULL},
        {"1023", 1030, "1023 ", "This machine has 1030 cores, of which this program uses the first 1024.\n"},
        {"1024", 1030, NULL, "neither all, first-threads, one-per-ccx, nor a list such as 0,2-3 of cores below 1024\n"},
        {"0", 1030, "0 ", NULL},
        {"99999999999999999999", 4, NULL, "neither all, first-threads, one-per-ccx, nor a list"},
    };
    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char text[400] = "", said[400] = "";
        struct pool pool = {.fw = &fake_fw.firmware};
        struct out_memory list, problems;
        struct cores cores;
        bool good;

        out_memory_init(&list, text, sizeof(text));
        out_memory_init(&problems, said, sizeof(said));
        fake_fw.cores = rows[i].there;
        good = cores_read(&cores, rows[i].text, &fake_fw.firmware, &one_node, &pool, &problems.out);
        for (unsigned c = 0; good && c < cores.count; c++)
            out_printf(&list.out, "%u ", cores.core[c]);
        if (good != (rows[i].cores != NULL) || (good && strcmp(text, rows[i].cores)))
            fail_msg("'%s' of %u: %d '%s'", rows[i].text, rows[i].there, good, text);
        if (rows[i].problem ? !strstr(said, rows[i].problem) : said[0] != 0)
            fail_msg("'%s' of %u says '%s'", rows[i].text, rows[i].there, said);
        pool_release(&pool);
    }
}

/* Returns an APIC ID as on processors whose complexes have three cores of two threads; the firmware's order differs. */
static uint32_t id_of_six(unsigned core)
{
    static const uint32_t ids[] = {0, 2, 4, 8, 10, 12, 1, 3, 5, 9, 11, 13};

    return ids[core];
}

/* One core is chosen by threads and complexes: in the first row CPUID tells both, in the second only the node is
 * known. */
APP_TEST(one_of_each)
{
    static const struct {
        struct topology topology;
        uint32_t nodes;
        const char *text;
        unsigned fails_at;
        const char *cores, *problem;
    } rows[] = {
        {{1, 3, 2, 6}, 1, "first-threads", 0, "0 1 2 3 4 5 ", ""},
        {{1, 3, 2, 6}, 1, "one-per-ccx", 0, "0 3 ", ""},
        {{1, 3, 2, 6}, 1, "all", 0, "0 1 2 3 4 5 6 7 8 9 10 11 ", ""},
        {{0, 0, 1, 0}, 1, "first-threads", 0, "0 1 2 3 4 5 6 7 8 9 10 11 ", ""},
        {{0, 0, 1, 0}, 1, "one-per-ccx", 0, "0 ", ""},
        {{0, 0, 1, 0}, 2, "one-per-ccx", 0, "0 3 ", ""},
        {{1, 3, 2, 6}, 1, "one-per-ccx", 1, "0 3 ", ""}, /* CPUID tells them for the boot core */
        {{1, 3, 2, 6}, 1, "one-per-ccx", 2, NULL, "The firmware does not say which APIC id core 1 has: name cores by"},
    };

    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct machine machine = {.cores = 8, .core_bits = 3, .topology = rows[i].topology};
        struct pool pool = {.fw = &fake_fw.firmware};
        char text[80] = "", said[200] = "";
        struct out_memory list, problems;
        struct cores cores = {0};

        machine.nodes = (struct nodes){.count = rows[i].nodes, .of_processor = 1};
        fake_firmware_clear(&fake_fw);
        fake_fw.cores = 12;
        fake_fw.id_of = id_of_six;
        fake_fw.fail.call = FAKE_CORE_APIC_ID;
        fake_fw.fail.at = rows[i].fails_at;
        out_memory_init(&list, text, sizeof(text));
        out_memory_init(&problems, said, sizeof(said));
        assert_int_equal(cores_read(&cores, rows[i].text, &fake_fw.firmware, &machine, &pool, &problems.out),
                         rows[i].cores != NULL);
        for (unsigned c = 0; c < cores.count; c++)
            out_printf(&list.out, "%u ", cores.core[c]);
        assert_string_equal(text, rows[i].cores ? rows[i].cores : "");
        assert_ptr_equal(strstr(said, rows[i].problem), said);
        pool_release(&pool);
        assert_true(cores_understood(rows[i].text));
    }
}

#define FOLDER "0001-own-page-ibs"

/* If CPUID tells core complexes and threads, so do tables and run.ini. */
APP_TEST(complexes)
{
    fake_fw.cores = 4;
    fake_session.machine.topology = (struct topology){1, 1, 2, 2};
    assert_int_equal(start("menu=no workload=own-page rounds=1 cores=one-per-ccx"), 0);
    assert_shown("\nShared        a core by 2 threads, an L3 by 2 threads (a core complex)\n");
    assert_shown("core 2 node 0/1    5000     1000");
    assert_shown("\nNode 0/1: core complex (L3) 1, on node 0.\n");
    assert_int_equal(fact(FOLDER, "samples.op"), 10000);
    assert_int_equal(fact(FOLDER, "machine.threads"), 2);
    assert_int_equal(fact(FOLDER, "machine.ccx_threads"), 2);
    assert_int_equal(fact(FOLDER, "core.2.ccx"), 1);
    assert_int_equal(fact(FOLDER, "core.2.core"), 1);
    assert_lines_fit();
}

/* The first of the working cores counts for its node, and the first in each complex for its complex. */
APP_TEST(counted_once)
{
    fake_fw.cores = 4;
    set_family(0x17, 0x71);
    fake_session.machine.topology = (struct topology){1, 1, 2, 2};
    fake_session.machine.core_bits = 2;
    fake_session.machine.extended_ecx = 1u << 28 | 1u << 24;
    for (uint32_t msr = 0xC0010230; msr < 0xC0010248; msr++)
        fake_add_msr(msr, 0, ~0ull);
    assert_int_equal(start("menu=no workload=own-page rounds=1 cores=1-3"), 0);
    assert_int_equal(fact(FOLDER, "certificate.core.1.l3_requests"), 0);
    assert_int_equal(fact(FOLDER, "certificate.core.1.dram"), 0);
    assert_int_equal(fact(FOLDER, "certificate.core.2.l3_requests"), 0);
    assert_int_equal(fact(FOLDER, "certificate.core.2.dram"), -1);
    assert_int_equal(fact(FOLDER, "certificate.core.3.l3_requests"), -1);
    assert_shown("     DRAM, by channels 0 to 3: 0 bytes, 0.000 MB/s\n");
}

/* The samples of all cores are in one profile, and can be told apart. */
APP_TEST(all_cores)
{
    fake_fw.cores = 4;
    assert_int_equal(start("menu=no workload=own-page rounds=1 cores=all"), 0);
    assert_int_equal(fake_session.runs, 4);
    assert_int_equal(fake_fw.started, 0xE);
    assert_shown("core 3 node 0      5000     1000");
    assert_shown("all               20000     4000");
    assert_int_equal(fact(FOLDER, "samples.op"), 20000);
    assert_int_equal(fact(FOLDER, "core.2.samples.op"), 5000);
    assert_int_equal(fact(FOLDER, "core.2.check"), 1);
    assert_non_null(strstr(file_text("\\ibsboot\\runs\\" FOLDER "\\run.ini"), "\n#: cores = 0,1,2,3\n"));
    assert_lines_fit();
}

/* The boot core only leads: it has no workload, and is in no table. */
APP_TEST(others_only)
{
    fake_fw.cores = 4;
    assert_int_equal(start("menu=no workload=own-page rounds=1 cores=2-3"), 0);
    assert_int_equal(fake_fw.started, 0xC);
    assert_not_shown("core 0 node");
    assert_shown("core 2 node 0      5000     1000");
    assert_int_equal(fact(FOLDER, "samples.op"), 10000);
    assert_int_equal(fact(FOLDER, "core.0.works"), 0);
    assert_null(fake_session.plan.calls.body); /* the last session belonged to the boot core */
    assert_false(fake_session.plan.program.ibs.op);
}

/* Records of a core that cannot be started, or does not answer, are missing; those of the other cores are there. */
APP_TEST(a_core_is_missing)
{
    fake_fw.cores = 4;
    fake_fw.refused = 1 << 2;
    fake_fw.status = 0x8000000000000003;
    assert_int_equal(start("menu=no workload=own-page rounds=1 cores=all core_start=firmware"), 1);
    assert_shown("LOST: core 2 was not started: an earlier run has not returned\n"
                 "      (MP Services: EFI_STATUS 8000000000000003).\n");
    assert_shown("core 3 node 0      5000     1000");
    assert_int_equal(fact(FOLDER, "samples.op"), 15000);
    assert_int_equal(fact(FOLDER, "core.2.lost"), 1);
    assert_lines_fit();
}

/* Memory that a hanging core may still write to is not freed. */
APP_TEST(a_core_hangs)
{
    fake_fw.cores = 4;
    fake_fw.dead = 1 << 1;
    assert_int_equal(start("menu=no workload=own-page rounds=1 cores=all"), 1);
    assert_shown("LOST: core 1 did not answer:");
    assert_shown("A core is still running: switch the machine off");
    assert_int_equal(fact(FOLDER, "samples.op"), 15000);
    assert_true(fake_memory_blocks() > 4);
    fake_memory_give_all();
}

/* If cores share an arena, one core checks the result of all; otherwise each core checks its own. */
APP_TEST(wrong_results)
{
    fake_fw.cores = 3;
    fake_session.core[2].spoils = true;
    assert_int_equal(start("menu=no workload=own-page rounds=1 cores=all"), 1);
    assert_shown("FAIL result of own-page: expected 3072, got ");
    assert_int_equal(fact(FOLDER, "core.0.check"), 0);
    assert_int_equal(fact(FOLDER, "core.1.check"), 1);
    assert_int_equal(fact(FOLDER, "core.2.check"), 1);
    assert_int_equal(fact(FOLDER, "workload.check"), 0);
    assert_int_equal(start("menu=no cores=1-2 " SMALL), 1);
    assert_shown("FAIL result of tight-loop: expected ");
    assert_int_equal(fact("0002-tight-loop-ibs", "core.0.check"), 0); /* the boot core only leads */
    assert_int_equal(fact("0002-tight-loop-ibs", "core.1.check"), 1);
    assert_int_equal(fact("0002-tight-loop-ibs", "core.2.check"), 0);
}

/* The first wrong result is shown, whatever follows; a right result after a wrong one does not correct it. */
APP_TEST(wrong_in_some_passes)
{
    fake_fw.cores = 2;
    fake_session.core[1].spoils = true;
    assert_int_equal(start("menu=no cores=all config=count events=0C0 repeats=3 " SMALL), 1);
    assert_shown("FAIL result of tight-loop: expected ");
    assert_shown("     right in 0 of 4 passes\n");
}

/* Each core's ring is full to its last record, and no further: all records are the core's own. */
APP_TEST(full_rings)
{
    fake_fw.cores = 4;
    fake_session.op_samples = 300;
    fake_session.fetch_samples = 50;
    assert_int_equal(start("menu=no cores=all records=1003 " SMALL), 0);
    for (unsigned core = 0; core < 4; core++) {
        char key[40];

        snprintf(key, sizeof(key), "core.%u.samples.op", core);
        assert_int_equal(fact("0001-tight-loop-ibs", key), 250);
        snprintf(key, sizeof(key), "core.%u.samples.lost", core);
        assert_int_equal(fact("0001-tight-loop-ibs", key), 100);
    }
    assert_int_equal(fact("0001-tight-loop-ibs", "samples.op_lost"), 200);
    assert_int_equal(fact("0001-tight-loop-ibs", "samples.fetch_lost"), 200);
    assert_shown("WARNING: the buffer held 1003 samples; 400 more were lost at the end of the run.\n"
                 "         Set records=1400 or longer periods.\n");
    /* There is room for less than one record per core: the second pass is not begun. */
    fake_session.runs = 0;
    assert_int_equal(start("menu=no cores=all records=4 config=tbp " SMALL), 0);
    assert_int_equal(fake_session.runs, 4);
    assert_int_equal(start("menu=no cores=all records=3 config=tbp " SMALL), 1);
    assert_int_equal(fake_session.runs, 4);
    assert_shown("WARNING: the buffer of 3 samples was full before the last pass. Set more records.\n");
}

/* The program waits for a core that comes back late, but at most ten seconds. */
APP_TEST(late_cores)
{
    fake_fw.cores = 3;
    fake_fw.late = 1 << 1 | 1 << 2;
    fake_fw.late_us = 9000000;
    assert_int_equal(start("menu=no cores=all " SMALL), 0);
    assert_int_equal(fake_fw.stalled_since, 9000000);
    fake_fw.late_us = 10000000;
    assert_int_equal(start("menu=no cores=all " SMALL), 0);
    fake_fw.late_us = 10000001;
    fake_fw.late = 1 << 1;
    assert_int_equal(start("menu=no cores=all " SMALL), 1);
    assert_int_equal(fake_fw.stalled_since, 10000000);
    assert_shown("LOST: core 1 did not answer: it did not return at its end.\n");
    assert_shown("A core is still running");
    fake_memory_give_all();
}

/* Results of a core that was abandoned are ignored. */
APP_TEST(results_of_lost_cores)
{
    fake_fw.cores = 2;
    fake_session.core[1].given_up_at = GANG_READY;
    fake_session.core[1].error = SESSION_LIMIT;
    fake_session.core[1].counts.nmi = 7;
    fake_session.core[1].restore = (struct restore_log){
        .row = {{.what = "CR3", .kind = RESTORE_CR3, .before = 1, .after = 2, .undone = true}}, .count = 1};
    assert_int_equal(start("menu=no cores=all " SMALL), 1);
    assert_shown("LOST: core 1 did not answer: the measured part did not end.\n");
    assert_not_shown("STOPPED");
    assert_not_shown("FAIL CR3");
    assert_shown("PASS restored: ");
    assert_int_equal(fact("0001-tight-loop-ibs", "error"), 0);
    assert_int_equal(fact("0001-tight-loop-ibs", "nmi.all"), 0);
}

/* Logs each register of each core once: CR3 is the same on all cores except core 2, which did not restore it; CR4
 * differs in four ways, two of which share a value with another; CR0 differs on each core; only core 4 changed DR6. */
APP_TEST(each_register_of_each_core_is_logged_once)
{
    static const char run[] = "0001-tight-loop-ibs";

    fake_fw.cores = 6;
    for (uint32_t c = 0; c < 6; c++) {
        struct restore_log *log = &fake_session.core[c].restore;

        *log = (struct restore_log){
            .row = {{.what = "CR3", .kind = RESTORE_CR3, .before = 7, .after = 7, .undone = true, .ok = true},
                    {.what = "CR4", .kind = RESTORE_CR4, .before = 5, .after = 5, .undone = true, .ok = true},
                    {.what = "CR0", .kind = RESTORE_CR0, .before = 16 - c, .after = c, .undone = true, .ok = true},
                    {.what = "DR6", .kind = RESTORE_DR6, .before = 1, .after = 1, .undone = true, .ok = true}},
            .count = c == 4 ? 4 : 3};
        log->row[1].before = log->row[1].after = c % 2 ? 5 : 6;
    }
    fake_session.core[4].restore.row[1].before = 8;
    fake_session.core[5].restore.row[1].after = 4;
    fake_session.core[2].restore.row[0].after = 9;
    fake_session.core[2].restore.row[0].ok = false;
    fake_session.core[5].restore.dropped = 3;
    assert_int_equal(start("menu=no cores=all reference=no selftest=no " SMALL), 1);
    assert_string_equal(saved_fact(run, "restored.0"), "CR3 (cores 0-1,3-5), 0x7, 0x7, same");
    assert_string_equal(saved_fact(run, "restored.1"), "CR3 (core 2), 0x7, 0x9, DIFFERENT");
    assert_string_equal(saved_fact(run, "restored.2"), "CR4 (cores 0,2), 0x6, 0x6, same");
    assert_string_equal(saved_fact(run, "restored.3"), "CR4 (cores 1,3), 0x5, 0x5, same");
    assert_string_equal(saved_fact(run, "restored.4"), "CR4 (core 4), 0x8, 0x6, same");
    assert_string_equal(saved_fact(run, "restored.5"), "CR4 (core 5), 0x5, 0x4, same");
    assert_string_equal(saved_fact(run, "restored.6"), "CR0 (cores 0-5), 0xb..0x10, 0x0..0x5, same");
    assert_string_equal(saved_fact(run, "restored.7"),
                        "MSR C001_0004 PERF_CTR for the noise certificate (cores 0-5), 0x0, 0x0, same");
    assert_string_equal(saved_fact(run, "restored.15"), "DR6 (core 4), 0x1, 0x1, same");
    assert_int_equal(fact(run, "restored.dropped"), 3);
}

/* If all cores that should have worked are lost, the state of the boot core, which led them, counts for the run. */
APP_TEST(all_are_lost)
{
    fake_fw.cores = 3;
    fake_fw.dead = 1 << 1 | 1 << 2;
    fake_session.core[0].restore = (struct restore_log){
        .row = {{.what = "CR3", .kind = RESTORE_CR3, .before = 7, .after = 7, .undone = true, .ok = true}}, .count = 1};
    assert_int_equal(start("menu=no cores=1-2 " SMALL), 1);
    assert_string_equal(saved_fact("0001-tight-loop-ibs", "restored.0"), "CR3 (core 0), 0x7, 0x7, same");
    assert_int_equal(fact("0001-tight-loop-ibs", "samples.op"), 0);
    assert_shown("FAIL result of tight-loop: missing, as the workload did not run to its end\n");
    assert_shown("PASS restored: 1 registers and tables read as before the run\n");
    fake_memory_give_all();
}

/* A core that never begins is not waited for once the leader has abandoned it. */
APP_TEST(dead_cores)
{
    fake_fw.cores = 3;
    fake_fw.dead = 1 << 2;
    assert_int_equal(start("menu=no cores=all " SMALL), 1);
    assert_int_equal(fake_fw.stalled_since, 0);
    assert_shown("LOST: core 2 did not answer: it never began.\n");
    fake_session.waits_for_ever = true;
    fake_fw.cores = 4;
    fake_fw.dead = 3 << 2;
    assert_int_equal(start("menu=no cores=all " SMALL), 1);
    assert_int_equal(fake_fw.stalled_since, 20000000);
    assert_shown("LOST: core 2 did not answer: it did not return at its end.\n");
    /* The cores must not run on after the image is unloaded. */
    assert_shown("Core 2 is stopped by INIT, because this program returns its memory.\n");
    assert_shown("Core 3 is stopped by INIT, because this program returns its memory.\n");
    assert_int_equal(fake_session.stopped, 3 << 2);
    fake_memory_give_all();
}

/* If the firmware does not tell a core's node, the core may be on any node. */
APP_TEST(cores_of_unknown_nodes)
{
    static const struct {
        const char *text;
        unsigned fails_at; /* number of the failing call of core_apic_id: after four calls for the ids of all, one for
                              each core but the first */
        unsigned most;
    } rows[] = {{"0", 0, 1},   {"1-3", 0, 2}, {"0,2", 0, 1}, {"all", 0, 2}, {"1-3", 5, 3},
                {"0,2", 5, 2}, {"all", 7, 3}, {"all", 1, 2}, {"all", 2, 2}, {"all", 4, 2}};
    static const struct machine *machine = &fake_session.machine;

    set_two_nodes();
    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct pool pool = {.fw = &fake_fw.firmware};
        struct out_memory problems;
        struct cores cores;

        out_memory_init(&problems, NULL, 0);
        fake_firmware_clear(&fake_fw);
        fake_fw.fail.call = FAKE_CORE_APIC_ID;
        fake_fw.fail.at = rows[i].fails_at;
        assert_true(cores_read(&cores, rows[i].text, &fake_fw.firmware, machine, &pool, &problems.out));
        if (cores_of_a_node(&cores) != rows[i].most)
            fail_msg("row %u: %u of a node", i, cores_of_a_node(&cores));
        assert_int_equal(cores.boot_node, 0);
        pool_release(&pool);
    }
}

static uint32_t lift, lift_boot;

static uint32_t lifted_id(unsigned core)
{
    return core + (core ? lift : lift_boot);
}

/* On boards that raise APIC IDs, two nodes of four cores each are found by their northbridges or by ACPI's table. */
APP_TEST(nodes_of_lifted_ids)
{
    static const struct {
        uint32_t lift, boot;
    } rows[] = {{0, 0}, {1, 1}, {1, 0}, {8, 8}, {8, 0}, {0x10, 0x10}, {0x10, 0}};
    static struct srat srat;

    for (unsigned i = 0; i < 2 * sizeof(rows) / sizeof(rows[0]); i++) {
        struct machine machine = {
            .cores = 4, .core_bits = 2, .nodes = {.count = 2, .of_processor = 1, .srat = i % 2 ? &srat : NULL}};
        struct pool pool = {.fw = &fake_fw.firmware};
        char text[40] = "";
        struct out_memory list, problems;
        struct cores cores;

        lift = rows[i / 2].lift;
        lift_boot = rows[i / 2].boot;
        srat = (struct srat){.nodes = 2, .cores = 8};
        for (unsigned core = 0; core < 8; core++) {
            srat.core[core].apic_id = lifted_id(core);
            srat.core[core].node = core / 4;
        }
        fake_fw.cores = 8;
        fake_fw.id_of = lifted_id;
        out_memory_init(&problems, NULL, 0);
        out_memory_init(&list, text, sizeof(text));
        assert_true(cores_read(&cores, "all", &fake_fw.firmware, &machine, &pool, &problems.out));
        for (unsigned c = 0; c < cores.count; c++)
            out_printf(&list.out, "%d ", cores.node[c]);
        if (strcmp(text, "0 0 0 0 1 1 1 1 ") || cores.boot_node)
            fail_msg("lifted by %x, boot core by %x%s: nodes %s", lift, lift_boot, i % 2 ? ", with SRAT" : "", text);
        pool_release(&pool);
        assert_true(cores_read(&cores, "5", &fake_fw.firmware, &machine, &pool, &problems.out));
        assert_int_equal(cores.node[0], 1);
        pool_release(&pool);
        if (i % 2) { /* the table puts the boot core on the second node, and does not name the last core */
            for (unsigned core = 0; core < 8; core++)
                srat.core[core].node = core / 4 ^ 1;
            srat.cores = 7;
            assert_true(cores_read(&cores, "0,7", &fake_fw.firmware, &machine, &pool, &problems.out));
            assert_int_equal(cores.boot_node, 1);
            assert_int_equal(cores.node[0], 1);
            assert_int_equal(cores.node[1], NODE_UNKNOWN);
            pool_release(&pool);
        }
    }
}

/* The leader prepares the nodes for IBS if any core samples by IBS; each core's measured part may take as long as the
 * limit says, and a thirty-second more. */
APP_TEST(what_the_leader_is_told)
{
    static const struct {
        const char *options, *leads;
    } rows[] = {
        {"", "  leads 2 with IBS, waits 20000000000, body 0, slack 200000\n"},
        {"fetch=no", "  leads 2 with IBS, waits 20000000000, body 0, slack 200000\n"},
        {"op=no", "  leads 2 with IBS, waits 20000000000, body 0, slack 200000\n"},
        {"config=tbp", "  leads 2, waits 20000000000, body 0, slack 200000\n"},
        {"limit_ms=32", "  leads 2 with IBS, waits 20000000000, body 66000000, slack 200000\n"},
    };

    fake_fw.cores = 2;
    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char options[128];

        fake_session.trace_length = 0;
        snprintf(options, sizeof(options), "menu=no save=no cores=all %s " SMALL, rows[i].options);
        assert_int_equal(start(options), 0);
        assert_non_null(strstr(fake_session.trace, rows[i].leads));
    }
    fake_session.trace_length = 0;
    fake_session.machine.hypervisor = false;
    assert_int_equal(start("menu=no save=no cores=all " SMALL), 0); /* 10 minutes */
    assert_non_null(strstr(fake_session.trace, "waits 20000000000, body 1237500000000, slack 20000000000\n"));
}

/* Each core has its own random intervals, whatever is sampled. */
APP_TEST(seeds_of_each_core)
{
    fake_fw.cores = 3;
    assert_int_equal(start("menu=no save=no cores=all seed=40 config=tbp " SMALL), 0);
    assert_int_equal(start("menu=no save=no cores=all seed=40 config=events periods=given events=041 " SMALL), 0);
    assert_int_equal(start("menu=no save=no cores=all seed=40 fetch=no " SMALL), 0);
    assert_int_equal(fake_session.runs, 9);
    for (unsigned i = 0; i < 9; i++) {
        const struct fake_pass *pass = &fake_session.pass[i];
        uint64_t seed = i < 3 ? pass->timer.seed : i < 6 ? pass->pmc.seed : pass->ibs.seed;

        assert_int_equal(pass->cpu, (i + 1) % 3);
        assert_int_equal(seed, rng_part_seed(40, RNG_CORE, pass->cpu));
    }
}

/* A core that fails before its measured part has neither times nor samples. */
APP_TEST(a_core_that_does_not_begin)
{
    fake_fw.cores = 3;
    fake_session.op_samples = 14;
    fake_session.fetch_samples = 0;
    fake_session.core[1].error = SESSION_APIC_DISABLED;
    fake_session.core[2].later = 70;
    assert_int_equal(start("menu=no cores=all " SMALL), 1);
    assert_int_equal(fact("0001-tight-loop-ibs", "tsc.start"), 1000);
    assert_int_equal(fact("0001-tight-loop-ibs", "tsc.stop"), 1000070);
    assert_int_equal(fact("0001-tight-loop-ibs", "core.1.tsc.start"), 0);
    assert_int_equal(fact("0001-tight-loop-ibs", "samples.op"), 28);
    assert_shown("\ncore 0 node 0        14        0        0        9        0        0         0\n");
    assert_shown("\ncore 1 node 0         0        0        0        0        0        0         -\n");
    assert_shown("\ncore 2 node 0        14        0        0        9        0        0        70\n");
}

/* After an error no further pass is run, neither with the workload nor without. */
APP_TEST(nothing_after_an_error)
{
    static struct passes bad[] = {
        {.lost = 1}, {.restore_failed = 1}, {.ring_full = true}, {.run = 1}, {.result.error = SESSION_LIMIT}};

    for (unsigned i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        assert_false(passes_run_empty(&bad[i], &(struct session_program){0}));
}

/* The program uses CORES_MAX cores; if there is one more, it uses the first ones, and says so in a line. */
APP_TEST(many_cores)
{
    char said[200];

    for (fake_fw.cores = CORES_MAX - 1; fake_fw.cores <= CORES_MAX + 1; fake_fw.cores++) {
        struct pool pool = {.fw = &fake_fw.firmware};
        struct out_memory problems;
        struct cores cores;

        out_memory_init(&problems, said, sizeof(said));
        assert_true(cores_read(&cores, "all", &fake_fw.firmware, &one_node, &pool, &problems.out));
        assert_int_equal(cores.count, fake_fw.cores < CORES_MAX ? fake_fw.cores : CORES_MAX);
        assert_int_equal(cores.core[cores.count - 1], cores.count - 1);
        assert_string_equal(said, fake_fw.cores > CORES_MAX
                                      ? "This machine has 1025 cores, of which this program uses the first 1024.\n"
                                      : "");
        pool_release(&pool);
    }
}

/* Each core has its samples, its records and its result, whatever its number. */
APP_TEST(three_hundred)
{
    fake_fw.cores = 300;
    fake_session.op_samples = 14;
    fake_session.fetch_samples = 2;
    fake_session.core[299].own = true;
    fake_session.core[299].op_samples = 5;
    assert_int_equal(start("menu=no workload=own-page rounds=1 cores=all"), 0);
    assert_int_equal(fake_session.runs, 300);
    assert_int_equal(fact(FOLDER, "samples.op"), 299 * 14 + 5);
    assert_int_equal(fact(FOLDER, "core.255.samples.op"), 14);
    assert_int_equal(fact(FOLDER, "core.256.samples.op"), 14);
    assert_int_equal(fact(FOLDER, "core.299.samples.op"), 5);
    assert_non_null(strstr(file_text("\\ibsboot\\runs\\" FOLDER "\\profile.csv"), ","));
    assert_lines_fit();
    fake_session.runs = 0;
    assert_int_equal(start("menu=no workload=own-page rounds=1 cores=70,256-257"), 0);
    assert_int_equal(fake_session.runs, 4);
    assert_int_equal(fact("0002-own-page-ibs", "samples.op"), 3 * 14);
    assert_int_equal(fact("0002-own-page-ibs", "core.257.check"), 1);
    assert_shown("\ncore 70 node 0       14        2        0        9        0        0         0\n"
                 "core 256 node 0      14        2        0        9        0        0         0\n");
    /* The counts of all cores are one block of memory, not one block for each core. */
    fake_session.count[0] = (struct fake_count){.select = 0x0C0, .total = 1000};
    assert_int_equal(start("menu=no workload=own-page rounds=1 cores=all config=count events=0C0"), 0);
    assert_non_null(strstr(file_text("\\ibsboot\\runs\\0003-own-page-count\\core-counts.csv"), "\n299,"));
}

/* With more cores than a report lists, it shows least, mean and most of each node, and cores that stand out or are
 * missing. */
APP_TEST(grouped)
{
    fake_fw.cores = 300;
    fake_session.op_samples = 14;
    fake_session.fetch_samples = 2;
    for (unsigned core = 280; core < 300; core++) {
        fake_session.core[core].own = true;
        fake_session.core[core].op_samples = core == 280 ? 40 : 5;
        fake_session.core[core].fetch_samples = 1;
    }
    for (unsigned core = 70; core < 79; core++)
        fake_session.core[core].given_up_at = GANG_READY;
    fake_session.core[78].given_up_at = GANG_DONE;
    for (unsigned core = 177; core < 180; core++)
        fake_session.core[core].error = SESSION_LIMIT;
    fake_fw.refused = 1 << 3 | 1 << 5;
    assert_int_equal(start("menu=no workload=own-page rounds=1 cores=all core_start=firmware"), 1);
    assert_shown("\nNode 0, of each of 289 cores: 0-2,4,6-69,79-299\n"
                 "  least               5        1        0        4        0        0\n"
                 "  mean               13        2        0        9        0        0\n"
                 "  most               40        2        0       26        0        0\n"
                 "core 280 node 0      40        1        0       26        0        0         0\n"
                 "core 281 node 0       5        1        0        4        0        0         0\n");
    assert_shown("\ncore 295 node 0       5        1        0        4        0        0         0\n"
                 "and 4 more cores with less than half or more than twice the mean\n");
    assert_not_shown("core 296 node");
    assert_not_shown("core 279 node");
    assert_shown("Started by the firmware: cores 1-2,4,6-299.\n");
    assert_shown_times("LOST: ", 3);
    assert_shown("LOST: cores 3,5 were not started: an earlier run has not returned.\n");
    assert_shown("LOST: cores 70-77 did not answer: the measured part did not end.\n");
    assert_shown("LOST: core 78 did not answer: it did not return at its end.\n");
    assert_says("3 cores, the first of them core 177: the workload did not end within the time limit (0).");
    assert_shown("286 cores with the same judgement, shown for core 0: 0-2,4,6-69,79-176,180-299\nPASS SMIs: 0\n");
    assert_shown_times("PASS SMIs: 0\n", 1);
    assert_shown("3 cores with the same judgement, shown for core 177: 177-179\n     none: no pass was completed\n");
    assert_lines_fit();
}

/* A boot core that only starts the others is not judged with them. */
APP_TEST(grouped_without_the_boot_core)
{
    fake_fw.cores = 60;
    assert_int_equal(start("menu=no workload=own-page rounds=1 cores=1-59"), 0);
    assert_shown("\n59 cores with the same judgement, shown for core 1: 1-59\n");
    assert_shown_times("PASS SMIs: 0\n", 1);
    assert_not_shown("Core 0\n");
}

/* Samples of all kinds are added up before a core is said to stand out. */
APP_TEST(apart_by_fetches)
{
    fake_fw.cores = 300;
    fake_session.op_samples = 10;
    fake_session.fetch_samples = 90;
    fake_session.core[200] = (struct fake_core){.own = true, .op_samples = 10};
    (void)start("menu=no workload=own-page rounds=1 cores=all core_start=firmware");
    assert_shown("\ncore 200 node 0      10        0 ");
    assert_not_shown("\ncore 199 node 0 ");
}

/* A list that is longer than a line continues in the next. */
APP_TEST(long_lists)
{
    fake_fw.cores = 300;
    fake_session.op_samples = 14;
    fake_session.fetch_samples = 2;
    for (unsigned core = 100; core < 300; core += 3)
        fake_session.core[core].given_up_at = GANG_READY;
    assert_int_equal(start("menu=no workload=own-page rounds=1 cores=all"), 1);
    assert_shown("LOST: 67 cores did not answer: the measured part did not end.\n"
                 "      100,103,106,109,112,115,118,121,124,127,130,133,136,139,142,145,148,151,\n"
                 "      154,157,");
    assert_shown(",292,295,298\n      The results of the others are kept.\n");
    assert_lines_fit();
}

/* A node beyond those that the program keeps is not used: memory is allocated wherever there is room. */
APP_TEST(nodes_beyond)
{
    set_two_nodes();
    fake_fw.cores = 40;
    fake_session.op_samples = 14;
    fake_session.fetch_samples = 2;
    assert_int_equal(start("menu=no workload=own-page rounds=1 cores=all"), 0);
    assert_int_equal(fact(FOLDER, "samples.op"), 40 * 14);
}

/* Events that exist once per node are not counted on several cores of the node. */
APP_TEST(node_events)
{
    fake_fw.cores = 4;
    assert_int_equal(start("menu=no workload=own-page rounds=1 cores=all config=count events=0E0"), 1);
    assert_int_equal(fake_session.runs, 0);
    assert_int_equal(start("menu=no workload=own-page rounds=1 cores=1 config=count events=0E0"), 0);
}

/* Totals of counters are sums over the cores. */
APP_TEST(counted)
{
    fake_fw.cores = 2;
    fake_session.count[0] = (struct fake_count){.select = 0x0C0, .total = 1000};
    assert_int_equal(start("menu=no workload=own-page rounds=1 cores=all config=count events=0C0"), 0);
    assert_shown("2000");
    /* Each core's own totals are kept, whichever repeats and groups they come from. */
    fake_session.core[1].more = 5;
    assert_int_equal(start("menu=no workload=own-page rounds=1 cores=all config=count events=0C0,041 repeats=2"), 0);
    assert_non_null(strstr(file_text("\\ibsboot\\runs\\0002-own-page-count\\core-counts.csv"),
                           "\n0,0c0,00,0,RETIRED_INSTRUCTIONS,counted,2,1000,1000,1000,"));
    assert_non_null(strstr(file_text("\\ibsboot\\runs\\0002-own-page-count\\core-counts.csv"),
                           "\n1,0c0,00,0,RETIRED_INSTRUCTIONS,counted,2,1005,1005,1005,"));
}

RUN_TESTS(fixture_load, NULL)
