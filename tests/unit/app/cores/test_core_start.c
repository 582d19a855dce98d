/* SPDX-License-Identifier: BSD-2-Clause */
/* Starts of other cores: by the firmware, or by the program itself on the cores that ACPI names; and how such starts
 * end. */
#include "tests/unit/app/fake_memory.h"
#include "tests/unit/app/fixture.h"
#include "tests/unit/drivers/fake_cpu.h"

#include <stdio.h>
#include <string.h>

#include "app/base/sinks.h"
#include "app/cores/core_start.h"
#include "app/settings/options.h"
#include "core/perfdata/perfdata_read.h"

/* A root pointer, its list and a table of cores, at addresses that the test chooses. */
static struct {
    uint8_t root[36];
    _Alignas(8) uint8_t list[52];
    _Alignas(8) uint8_t cores[44 + 16 * 1100];
    _Alignas(8) uint8_t nodes[48 + 24 * 1100];
} acpi;

static void sum(uint8_t *bytes, size_t size, unsigned where)
{
    uint8_t total = 0;

    bytes[where] = 0;
    for (size_t i = 0; i < size; i++)
        total = (uint8_t)(total + bytes[i]);
    bytes[where] = (uint8_t)-total;
}

static void put(uint8_t *to, uint64_t value, size_t width)
{
    memcpy(to, &value, width);
}

static void make_root(void)
{
    memset(&acpi, 0, sizeof(acpi));
    memcpy(acpi.root, "RSD PTR ", 8);
    acpi.root[15] = 2;
    put(acpi.root + 20, 36, 4);
    put(acpi.root + 24, (uintptr_t)acpi.list, 8);
    sum(acpi.root, 20, 8);
    sum(acpi.root, 36, 32);
    memcpy(acpi.list, "XSDT", 4);
    put(acpi.list + 4, 52, 4);
    put(acpi.list + 36, (uintptr_t)acpi.cores, 8);
    put(acpi.list + 44, (uintptr_t)acpi.nodes, 8);
    sum(acpi.list, 52, 9);
    memcpy(acpi.cores, "APIC", 4);
    fake_fw.tables[FIRMWARE_ACPI] = acpi.root;
}

static void make_acpi(const uint8_t *ids, unsigned count)
{
    make_root();
    put(acpi.cores + 4, 44 + 8 * count, 4);
    for (unsigned i = 0; i < count; i++)
        memcpy(acpi.cores + 44 + 8 * i, ((const uint8_t[]){0, 8, (uint8_t)i, ids[i], 1, 0, 0, 0}), 8);
    sum(acpi.cores, 44 + 8 * count, 9);
}

/* Returns a core's APIC ID for entries of type 9: two threads per core, and 400h and up on the second processor. */
static uint32_t id_of(unsigned i)
{
    return i < 200 ? i : 0x400 + i - 200;
}

static void make_x2apic(unsigned count)
{
    make_root();
    put(acpi.cores + 4, 44 + 16 * count, 4);
    for (unsigned i = 0; i < count; i++) {
        uint8_t *entry = acpi.cores + 44 + 16 * i;

        memcpy(entry, ((const uint8_t[]){9, 16, 0, 0, 0, 0, 0, 0, 1}), 9);
        put(entry + 4, id_of(i), 4);
        put(entry + 12, i, 4);
    }
    sum(acpi.cores, 44 + 16 * count, 9);
}

/* Makes entries of type 2: so many cores in each domain. */
static void make_srat(unsigned count, unsigned each)
{
    memcpy(acpi.nodes, "SRAT", 4);
    put(acpi.nodes + 4, 48 + 24 * count, 4);
    for (unsigned i = 0; i < count; i++) {
        uint8_t *entry = acpi.nodes + 48 + 24 * i;

        memcpy(entry, ((const uint8_t[]){2, 24}), 2);
        put(entry + 4, i / each, 4);
        put(entry + 8, id_of(i), 4);
        put(entry + 12, 1, 4);
    }
    sum(acpi.nodes, 48 + 24 * count, 9);
}

#define OWN_PAGE "menu=no workload=own-page rounds=1 "
#define FOLDER   "0001-own-page-ibs"

/* Without MP Services the program starts ACPI's cores, in ACPI's order but the boot core first. */
APP_TEST(without_services)
{
    make_acpi((const uint8_t[]){2, 0, 5, 7}, 4);
    fake_session.own_id = 5;
    fake_session.machine.nxe = true;
    assert_int_equal(start(OWN_PAGE "cores=all"), 0);
    assert_int_equal(fake_session.runs, 4);
    assert_int_equal(fake_session.started, 1 << 2 | 1 << 0 | 1 << 7);
    assert_int_equal(fake_session.stopped, fake_session.started);
    assert_true(fake_session.startup_facts.registers_known && fake_session.startup_facts.nxe);
    assert_shown("core 3 node 0      5000     1000");
    assert_shown("Started by INIT and STARTUP: cores 1-3.\n");
    assert_not_shown("reset the");
    assert_string_equal(saved_fact(FOLDER, "core.1.start"), "INIT and STARTUP");
    assert_int_equal(fact(FOLDER, "core.1.start.set"), 2);
    assert_int_equal(fact(FOLDER, "core.2.start.set"), 0);
    assert_int_equal(fact(FOLDER, "core.3.start.set"), 7);
    assert_int_equal(fact(FOLDER, "core.3.start.wrong"), 3); /* the fake's number */
    assert_lines_fit();
}

/* Each core that the program starts has a block between 1 MB and 4 GB, and a block from anywhere if there is no
 * room. */
APP_TEST(where_its_memory_is)
{
    make_acpi((const uint8_t[]){0, 1, 2}, 3);
    assert_int_equal(start(OWN_PAGE "cores=all"), 0);
    assert_int_equal(fake_fw.placed_count, 2);
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(fake_fw.placed[i].size, STARTUP_CORE_BYTES);
        assert_int_equal(fake_fw.placed[i].alignment, 4096);
        assert_int_equal(fake_fw.placed[i].base, 0x100000);
        assert_int_equal(fake_fw.placed[i].end, 0x100000000);
    }
    fixture_teardown(NULL);
    fixture_setup(NULL);
    make_acpi((const uint8_t[]){0, 1, 2}, 3);
    fake_fw.fail.call = FAKE_ALLOCATE_IN;
    fake_fw.fail.at = 1;
    assert_int_equal(start(OWN_PAGE "cores=all"), 0);
    assert_int_equal(fake_fw.placed_count, 1);
    assert_int_equal(fake_session.own_starts, 2);
    assert_shown("Started by INIT and STARTUP: cores 1-2.\n");
    assert_int_equal(fake_memory_blocks(), 0);
}

/* If the firmware can start cores, the program prepares nothing of its own. */
APP_TEST(firmware_first)
{
    fake_fw.cores = 2;
    assert_int_equal(start(OWN_PAGE "cores=all"), 0);
    assert_int_equal(fake_fw.calls[FAKE_ALLOCATE_LOW], 0);
    assert_int_equal(fake_session.own_starts, 0);
    assert_shown("Started by the firmware: cores 1.\n");
    assert_string_equal(saved_fact(FOLDER, "core.1.start"), "the firmware");
}

/* If the firmware refuses, the program starts the same cores, by the APIC IDs that the firmware names, and says so once
 * for all passes. */
APP_TEST(firmware_refuses)
{
    static const enum firmware_error errors[] = {FIRMWARE_CORE_REFUSED, FIRMWARE_FAILED, FIRMWARE_CORE_BUSY};

    for (unsigned i = 0; i < 3; i++) {
        fake_fw.cores = 3;
        fake_fw.fail.call = FAKE_START_CORE;
        fake_fw.fail.at = 1;
        fake_fw.fail.and = 100;
        fake_fw.fail.error = errors[i];
        fake_fw.status = 0x8000000000000003;
        assert_int_equal(start(OWN_PAGE "cores=all config=count events=0C0,0C1,040,041,042"), 0);
        assert_int_equal(fake_session.own_starts, 2);
        assert_int_equal(fake_session.started, 6);
        assert_int_equal(fake_session.stopped, 6);
        assert_shown("Started by INIT and STARTUP (MP Services: EFI_STATUS 8000000000000003):\n    cores 1-2.\n");
        assert_shown("reset the\nmachine before you start other software that needs them.\n");
        assert_int_equal(fake_memory_blocks(), 0);
        fixture_teardown(NULL);
        fixture_setup(NULL);
    }
}

static void never(void *argument)
{
    fail_msg("%s is run", (const char *)argument);
}

/* The program neither asks for nor starts a core that the firmware does not list. */
APP_TEST(beyond_those_there_are)
{
    static const uint32_t ways[] = {OPTIONS_CORES_AUTO, OPTIONS_CORES_FIRMWARE};
    char name[] = "a core that is not there";

    for (unsigned i = 0; i < 2; i++)
        for (uint32_t core = 3; core < 6; core++) {
            struct core_start start;
            struct console console;
            uint32_t count;

            fake_fw.cores = 3;
            console_init(&console, &fake_fw.firmware);
            core_start_init(&start, &fake_fw.firmware, &fake_session.machine, &ways[i]);
            assert_int_equal(start.firmware.count_cores(&start.firmware, &count), FIRMWARE_OK);
            assert_int_equal(count, 3);
            assert_int_equal(start.firmware.start_core(&start.firmware, core, never, name), FIRMWARE_NOT_FOUND);
            assert_int_equal(fake_fw.calls[FAKE_START_CORE], 0);
            assert_int_equal(fake_session.own_starts, 0);
            core_start_end(&start, &console.out);
            assert_int_equal(fake_memory_blocks(), 0);
        }
}

/* The program starts only the core that the firmware refuses. */
APP_TEST(one_each)
{
    fake_fw.cores = 4;
    fake_fw.refused = 1 << 2;
    assert_int_equal(start(OWN_PAGE "cores=all"), 0);
    assert_int_equal(fake_session.started, 1 << 2);
    assert_shown("Started by the firmware: cores 1,3.\n");
    assert_shown("Started by INIT and STARTUP: cores 2.\n");
}

/* A list of cores fills its lines: 78 columns, including the comma. */
APP_TEST(long_lists)
{
    static const char *const wants[] = {
        "    cores 1,3,5,7,9,11,13,15,17,19,21,23,25,27,29,31,33,35,37,39,41,43,45,47,\n      49,51,53,55,57,59.\n",
        "    cores 3,5,7,9,11,13,15,17,19,21,23,25,27,29,31,33,35,37,39,41,43,45,47,49,\n      51,53,55,57,59.\n",
        "    cores 5,7,9,11,13,15,17,19,21,23,25,27,29,31,33,35,37,39,41,43,45,47,49,\n      51,53,55,57,59.\n"};

    for (unsigned i = 0; i < 3; i++) {
        char want[200];

        fake_fw.cores = 60;
        fake_fw.refused = 0xAAAAAAAAAAAAAAA & ~0ull << 2 * i;
        fake_fw.status = 0x8000000000000003;
        assert_int_equal(start(OWN_PAGE "cores=all"), 0);
        snprintf(want, sizeof(want), "Started by INIT and STARTUP (MP Services: EFI_STATUS 8000000000000003):\n%s",
                 wants[i]);
        assert_shown(want);
        fixture_teardown(NULL);
        fixture_setup(NULL);
    }
}

/* The setting can allow one of the two ways alone. */
APP_TEST(one_way_alone)
{
    fake_fw.cores = 3;
    fake_fw.refused = 1 << 2;
    assert_int_equal(start(OWN_PAGE "cores=all core_start=firmware"), 1);
    assert_shown("LOST: core 2 was not started: ");
    assert_int_equal(fake_session.own_starts, 0);
    assert_int_equal(start(OWN_PAGE "cores=all core_start=own"), 0);
    assert_shown("cores = all: ACPI's table of cores is missing or damaged");
    make_acpi((const uint8_t[]){0, 1, 2}, 3);
    fake_fw.started = 0;
    assert_int_equal(start(OWN_PAGE "cores=all core_start=own"), 0);
    assert_int_equal(fake_fw.started, 0);
    assert_int_equal(fake_session.started, 6);
    /* Without MP Services there is no other way to force. */
    fake_fw.cores = 0;
    assert_int_equal(start(OWN_PAGE "cores=all core_start=firmware"), 0);
    assert_shown("it has no MP Services);\nthis run is on the boot core alone");
}

/* A core that the program has started once is started by the program again, whatever is set later. */
APP_TEST(stays_own)
{
    fake_fw.cores = 2;
    make_acpi((const uint8_t[]){0, 1}, 2);
    fake_file_put(&fake_fw, "\\b.txt", "core_start=own\nrun\ncore_start=firmware\nrun\ncore_start=auto\nrun\n", 63);
    assert_int_equal(start("batch=\\b.txt workload=own-page rounds=1 cores=all"), 0);
    assert_int_equal(fake_session.runs, 6);
    assert_int_equal(fake_session.own_starts, 3); /* one start for each run: the core rests between runs */
    assert_int_equal(fake_fw.started, 0);
}

/* A core that the firmware has started but that never begins is missing in that run, and the program starts it in the
 * next; if the core begins after all, there is nothing for it to do. */
APP_TEST(kept_by_the_firmware)
{
    unsigned runs;

    fake_fw.cores = 3;
    fake_fw.dead = fake_fw.keeps = 1 << 1;
    fake_file_put(&fake_fw, "\\b.txt", "run\nrun\ncore_start=firmware\nrun\n", 32);
    assert_int_equal(start("batch=\\b.txt workload=own-page rounds=1 cores=all"), 1);
    assert_int_equal(times_said("LOST: core 1 did not answer: it never began.\n"), 1);
    assert_int_equal(times_said("are kept. The next run starts it by INIT and STARTUP.\n"), 1);
    assert_int_equal(times_said("core 1 node 0      5000     1000"),
                     2); /* once the program has started the core, it does so again */
    assert_int_equal(fake_session.own_starts, 2);
    assert_int_equal(fake_session.started, 1 << 1);
    runs = fake_session.runs;
    fake_fw.begin(fake_fw.begin_argument);
    assert_int_equal(fake_session.runs, runs);
    fake_memory_give_all();
}

/* With the firmware's way alone the program does not start the core. */
APP_TEST(kept_and_left)
{
    fake_fw.cores = 3;
    fake_fw.dead = fake_fw.keeps = 1 << 1;
    fake_file_put(&fake_fw, "\\b.txt", "run\nrun\n", 8);
    assert_int_equal(start("batch=\\b.txt workload=own-page rounds=1 cores=all core_start=firmware"), 1);
    assert_int_equal(fake_session.own_starts, 0);
    assert_not_shown("The next run starts it");
    assert_shown("LOST: core 1 was not started: an earlier run has not returned.\n");
    fake_memory_give_all();
}

APP_TEST(no_way)
{
    make_acpi((const uint8_t[]){0, 1}, 2);
    fake_session.startup_error = STARTUP_TABLES;
    assert_int_equal(start(OWN_PAGE "cores=all"), 0);
    assert_shown("cores = all: no usable memory below 640 KB");
    fake_session.startup_error = STARTUP_OK;
    fake_fw.fail.call = FAKE_ALLOCATE_LOW;
    fake_fw.fail.at = fake_fw.calls[FAKE_ALLOCATE_LOW] + 1;
    assert_int_equal(start(OWN_PAGE "cores=0-1"), 1);
    assert_shown("cores = 0-1: no usable memory below 640 KB");
    fake_fw.fail.at = 0;
    make_acpi((const uint8_t[]){7, 1}, 2); /* a table of another machine: the boot core is not in it */
    assert_int_equal(start(OWN_PAGE "cores=all"), 0);
    assert_shown("cores = all: ACPI's table of cores is missing or damaged");
    make_acpi((const uint8_t[]){0, 1}, 2);
    assert_int_equal(start(OWN_PAGE "cores=0,2"), 1);
    assert_shown("cores = 0,2: the firmware names 2, from 0 to 1\n");
}

/* A core that does not answer is asked once, and keeps its memory. */
APP_TEST(silent)
{
    make_acpi((const uint8_t[]){0, 1, 2}, 3);
    fake_session.silent = 1 << 1;
    fake_file_put(&fake_fw, "\\b.txt", "run\nrun\n", 8);
    assert_int_equal(start("batch=\\b.txt workload=own-page rounds=1 cores=all"), 1);
    assert_int_equal(times_said("LOST: core 1 was not started: no answer to INIT and STARTUP.\n"), 2);
    assert_shown("core 2 node 0      5000     1000");
    assert_int_equal(fake_session.own_starts, 3); /* core 1 once, core 2 for each run */
    assert_int_equal(fake_session.stopped, 1 << 2);
    assert_not_shown("does not stop at INIT");
    assert_int_equal(fake_memory_blocks(), 2); /* the core's own block, and the page where it may yet begin */
    fake_memory_give_all();
}

static void fall_silent(const struct session_plan *plan)
{
    (void)plan;
    fake_session.silent = fake_session.runs >= 4 ? 1 << 1 : 0;
}

/* Between runs cores rest, and are started again for the next run, in which a core may not come. */
APP_TEST(rest_between_runs)
{
    make_acpi((const uint8_t[]){0, 1, 2}, 3);
    fake_session.on_run = fall_silent;
    fake_file_put(&fake_fw, "\\b.txt", "run\nrun\nrun\n", 12);
    assert_int_equal(start("batch=\\b.txt workload=own-page rounds=1 cores=all"), 1);
    assert_int_equal(fake_session.runs, 3 + 3 + 2);
    assert_int_equal(fake_session.own_starts, 3 * 2);
    assert_int_equal(times_said("LOST: core 1 was not started: no answer to INIT and STARTUP.\n"), 1);
    assert_int_equal(fake_memory_blocks(), 2); /* the core's own block, and the page where it may yet begin */
    fake_memory_give_all();
}

/* Config=hardware reports a core's silence as an answer. */
APP_TEST(silent_is_an_answer)
{
    make_acpi((const uint8_t[]){0, 1, 2}, 3);
    fake_session.silent = 1 << 1;
    fake_session.endless_ms = 1; /* the question's own limit */
    assert_int_equal(start("menu=no config=hardware core_start=own"), 1);
    assert_says("own_start pass 1, core 1: no answer to INIT and STARTUP");
    assert_non_null(strstr(file_text("\\ibsboot\\runs\\0001-hardware\\hardware.csv"), ",own_start,otherwise,"));
    fake_memory_give_all();
}

/* Registers that do not take back the values found on them are reported. */
APP_TEST(memory_types_not_given_back)
{
    make_acpi((const uint8_t[]){0, 1, 2}, 3);
    fake_session.not_given_back = 4;
    assert_int_equal(start(OWN_PAGE "cores=all"), 0);
    assert_shown("The core with APIC ID 2 did not get back 4 registers: reset the machine.\n");
    assert_int_equal(times_said("did not get back"), 2);
    fake_session.not_given_back = 0;
    assert_int_equal(start(OWN_PAGE "cores=all"), 0);
    assert_int_equal(times_said("did not get back"), 2);
}

/* The memory of a core that does not return, or is still there after INIT, is not used for anything else. */
APP_TEST(do_not_end)
{
    make_acpi((const uint8_t[]){0, 1, 2}, 3);
    fake_session.never_returns = 1 << 1;
    fake_session.survives_init = 1 << 2;
    assert_int_equal(start(OWN_PAGE "cores=all"), 1);
    assert_shown("LOST: core 1 did not answer: it did not return at its end.\n");
    assert_shown("Core 1 is stopped by INIT, because this program returns its memory.\n");
    assert_shown("The core with APIC ID 2 does not stop at INIT: switch the machine off.\n");
    assert_int_equal(times_said("does not stop at INIT"), 1);
    assert_true(fake_memory_blocks() > 3);
    fake_memory_give_all();
}

/* APIC IDs beyond 255 need x2APIC mode. The list of started cores grows. */
APP_TEST(many)
{
    make_x2apic(300);
    fake_session.x2apic = true;
    fake_session.op_samples = 14;
    fake_session.fetch_samples = 2;
    assert_int_equal(start(OWN_PAGE "cores=all"), 0);
    assert_int_equal(fake_session.runs, 300);
    assert_int_equal(fake_session.own_starts, 299);
    assert_int_equal(fact(FOLDER, "samples.op"), 300 * 14);
    assert_shown("Started by INIT and STARTUP: cores 1-299.\n");
    assert_int_equal(fact(FOLDER, "core.199.start.set"), 199); /* the fake writes the APIC ID there */
    assert_int_equal(fact(FOLDER, "core.299.start.set"), 0x463);
    assert_int_equal(fake_memory_blocks(), 0);
}

/* Without x2APIC mode such cores are left out, and so are cores beyond the program's limit: the report says both. */
APP_TEST(some_are_left_out)
{
    make_x2apic(300);
    assert_int_equal(start(OWN_PAGE "cores=0,199"), 0);
    assert_shown("100 more cores have APIC IDs above 254, which only x2APIC mode reaches: not used.\n");
    assert_int_equal(start(OWN_PAGE "cores=200"), 1);
    assert_shown("cores = 200: the firmware names 200, from 0 to 199\n");
    fixture_teardown(NULL);
    fixture_setup(NULL);
    make_x2apic(1100);
    fake_session.x2apic = true;
    assert_int_equal(start(OWN_PAGE "cores=0,1023"), 0);
    assert_shown("This machine has 1100 cores, of which this program uses the first 1024.\n");
    assert_shown("Started by INIT and STARTUP: cores 1023.\n");
}

/* Two nodes have two cores each. In a socket each, both nodes count memory and energy; in one socket with two nodes,
 * both count memory; in a socket whose data fabric the firmware divides, one counts. */
APP_TEST(counted_in_each_socket)
{
    static const struct {
        uint32_t core_bits, of_processor;
        int dram, energy; /* the second node's counts: 0 bytes, or -1, not counted */
    } rows[] = {{1, 1, 0, 0}, {2, 2, 0, -1}, {2, 1, -1, -1}};

    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        static const int no[] = {-1, -1};
        const int second[] = {rows[i].dram, rows[i].energy}, first[] = {0, 0};
        const int *const wanted[] = {first, no, second, no};

        if (i) {
            assert_int_equal(fixture_teardown(state), 0);
            assert_int_equal(fixture_setup(state), 0);
        }
        make_acpi((const uint8_t[]){0, 1, 2, 3}, 4);
        make_srat(4, 2);
        fake_session.machine.row = ibs_family_of(0x17, 0x31);
        fake_session.machine.extended_ecx = 1u << 28 | 1u << 24 | 1u << 22;
        fake_session.machine.max_extended_leaf = 0x8000001E;
        fake_session.machine.core_bits = rows[i].core_bits;
        fake_set_leaf(0x80000007, 0, 0, 0, 1u << 14);
        fake_set_leaf(0x8000001E, 0, 0, (rows[i].of_processor - 1) << 8, 0);
        for (uint32_t msr = 0xC0010230; msr < 0xC0010248; msr++)
            fake_add_msr(msr, 0, ~0ull);
        for (uint32_t msr = 0xC0010299; msr < 0xC001029C; msr++)
            fake_add_msr(msr, 0, ~0ull);
        assert_int_equal(start(OWN_PAGE "cores=all"), 0);
        for (unsigned n = 0; n < 8; n++) {
            char key[64];

            snprintf(key, sizeof(key), "certificate.core.%u.%s", n / 2, n % 2 ? "energy" : "dram");
            if (fact(FOLDER, key) != wanted[n / 2][n % 2])
                fail_msg("row %u, %s", i, key);
        }
    }
}

/* Twelve nodes, as with one for each L3 cache, are told for each core in the run's facts, in the table, and in
 * perf.data, although not every node has a northbridge. */
APP_TEST(nodes_of_acpi)
{
    static struct perfdata_reader reader;
    const struct fake_file *file;
    const char *cores;
    uint32_t number;

    make_x2apic(300);
    make_srat(300, 25);
    fake_session.x2apic = true;
    fake_session.id_of = id_of;
    fake_session.machine.row = ibs_family_of(0x19, 0x11);
    fake_session.op_samples = 4;
    fake_session.fetch_samples = 0;
    assert_int_equal(start(OWN_PAGE "cores=0-1,180-299 fetch=no"), 0);
    assert_shown("Node 7, of each of 20 cores: 180-199\n");
    assert_shown("\nNode 11, of each of 25 cores: 275-299\n");
    assert_int_equal(fact(FOLDER, "core.299.apic_id"), 0x463);
    assert_int_equal(fact(FOLDER, "core.299.node"), 11);
    file = fake_file_find(&fake_fw, "\\ibsboot\\runs\\" FOLDER "\\perf.data");
    assert_int_equal(perfdata_open(&reader, file->data, file->size), PERFDATA_OK);
    assert_true(perfdata_node_at(&reader, 0, &number, &cores));
    assert_string_equal(cores, "0,1");
    assert_true(perfdata_node_at(&reader, 1, &number, &cores));
    assert_string_equal(cores, "");
    assert_true(perfdata_node_at(&reader, 11, &number, &cores));
    assert_int_equal(number, 11);
    assert_string_equal(cores, "275,276,277,278,279,280,281,282,283,284,285,286,287,288,289,290,291,292,293,294,295,"
                               "296,297,298,299");
    assert_false(perfdata_node_at(&reader, 12, &number, &cores));
}

RUN_TESTS(fixture_load, NULL)
