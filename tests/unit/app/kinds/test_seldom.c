/* SPDX-License-Identifier: BSD-2-Clause */
/* Reports that few machines cause: modes of the processor, hardware errors, ticks that do not come, events left out. */
#include <string.h>

#include "app/base/sinks.h"
#include "tests/unit/app/fixture.h"

static void set_banks(struct machine_check *check)
{
    check->count = 2;
    check->bank[0] = (struct machine_check_bank){.bank = 4, .status = 0xB600000000010015, .address = 0x1234000};
    check->bank[1] = (struct machine_check_bank){.bank = 0, .status = 0x9000000000000001};
}

APP_TEST(the_machine)
{
    assert_int_equal(start("menu=no " SMALL), 0);
    assert_not_shown("x2APIC");
    assert_not_shown("five levels");
    assert_not_shown("Errors before");
    fake_session.machine.apic_msr =
        0xFEE00D00; /* the APIC is enabled, in x2APIC mode, on the boot core (AMD APM vol. 2 section 16.9) */
    fake_session.machine.cr4 |= 1 << 12; /* LA57 (section 3.1.3) */
    set_banks(&fake_session.machine.check);
    assert_int_equal(start("menu=no " SMALL), 0);
    assert_shown("\nLocal APIC    in x2APIC mode: its registers are MSRs\nPage tables   of five levels\n");
    assert_shown("\nErrors before bank 4 status b600000000010015h address 1234000h\n"
                 "              bank 0 status 9000000000000001h\n");
    assert_string_equal(saved_fact("0002-tight-loop-ibs", "machine.bank.0"),
                        "bank 4 status b600000000010015h address 1234000h");
    assert_string_equal(saved_fact("0002-tight-loop-ibs", "machine.bank.1"), "bank 0 status 9000000000000001h");
    assert_string_equal(saved_fact("0002-tight-loop-ibs", "machine.bank.2"), "");
    assert_lines_fit();
}

/* Each bank of a machine check is a line; the text after it begins a new line. */
APP_TEST(a_machine_check)
{
    fake_session.result = (struct session_result){
        .error = SESSION_FAULT, .faulted = true, .fault_phase = SESSION_BODY, .fault = {.vector = 18}};
    set_banks(&fake_session.result.fault.check);
    assert_int_equal(start("menu=no " SMALL), 1);
    assert_shown("\nmachine check: bank 4 status b600000000010015h address 1234000h\n"
                 "  bank 0 status 9000000000000001h\n"
                 "rax 0000000000000000  rcx ");
}

/* A shared arena with more cores than its smallest size has room for: each core has its page, and its stack. */
APP_TEST(a_page_for_each_core)
{
    enum { CORES = 70 };

    fake_fw.cores = CORES;
    assert_int_equal(start("menu=no save=no config=count events=0C0 workload=own-page rounds=1 cores=all"), 0);
    assert_int_equal(fake_session.plan.place.paging.size, CORES * (4096 + SESSION_STACK_BYTES));
}

APP_TEST(ticks)
{
    fake_session.result.timer.by = TIMER_BY_COUNTER;
    assert_int_equal(start("menu=no " SMALL), 0);
    assert_shown("\nTicks         by overflow of counter 3 (076h): the APIC's timer sends no NMI\n");
    assert_not_shown("WARNING: no time limit");
    assert_string_equal(saved_fact("0001-tight-loop-ibs", "timer.by"), "counter");
    fake_fw.screen_length = 0;
    fake_session.result.timer.by = TIMER_IMPOSSIBLE;
    assert_int_equal(start("menu=no " SMALL), 0);
    assert_not_shown("\nTicks ");
    assert_says("WARNING: no time limit: neither the APIC's timer nor a free counter sends an NMI here. Only switching "
                "the machine off ends a workload that does not end.");
    assert_lines_fit();
}

/* A part that lasted, here 400 us, without a tick is an error. A short part is none, nor is one with a tick or with a
 * lost tick. */
APP_TEST(no_ticks)
{
    static const struct {
        const char *options;
        uint64_t samples, lost;
        bool fails;
    } rows[] = {{"timer_us=101 ", 0, 0, false},
                {"timer_us=100 ", 0, 0, true},
                {"timer_us=100 ", 1, 0, false},
                {"timer_us=100 ", 0, 1, false}};

    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char options[100] = "menu=no config=tbp " SMALL " ";

        fixture_teardown(NULL);
        fixture_setup(NULL);
        fake_session.machine.tsc_khz = fake_session.tsc_khz = 2497500;
        fake_session.timer_samples = rows[i].samples;
        fake_session.result.counts.lost[SAMPLE_TIMER] = rows[i].lost;
        (void)start(strcat(options, rows[i].options));
        if (rows[i].fails)
            assert_says("FAIL ticks: the timer sent no NMI in the 400 us of the measured part");
        else
            assert_not_shown("FAIL ticks");
    }
}

/* Events that several cores would share are left out where the program chooses the events; no configuration has one. */
APP_TEST(events_of_several_cores)
{
    char alone[4000];

    fake_fw.cores = 2;
    assert_int_equal(start("menu=no config=count workload=own-page rounds=1"), 0);
    strcpy(alone, file_text("\\ibsboot\\runs\\0001-own-page-count\\counts.csv"));
    assert_non_null(strstr(alone, "\n0c0,"));
    assert_int_equal(start("menu=no config=count workload=own-page rounds=1 cores=all"), 0);
    for (const char *line = strchr(alone, '\n'); line[1]; line = strchr(line + 1, '\n')) {
        char select[9] = "";

        memcpy(select, line, 7);
        assert_non_null(strstr(file_text("\\ibsboot\\runs\\0002-own-page-count\\counts.csv"), select));
    }
}

/* Cores that do not work have no rows. */
APP_TEST(the_boot_core_rests)
{
    const char *csv;

    fake_fw.cores = 3;
    fake_session.count[0] = (struct fake_count){.select = 0x0C0, .total = 1000};
    fake_session.core[2].more = 7;
    assert_int_equal(start("menu=no config=count events=0C0 workload=own-page rounds=1 cores=1-2"), 0);
    csv = file_text("\\ibsboot\\runs\\0001-own-page-count\\core-counts.csv");
    assert_null(strstr(csv, "\n0,"));
    assert_non_null(strstr(csv, "\n1,0c0,00,0,RETIRED_INSTRUCTIONS,counted,1,1000,1000,1000,"));
    assert_non_null(strstr(csv, "\n2,0c0,00,0,RETIRED_INSTRUCTIONS,counted,1,1007,1007,1007,"));
    (void)start("menu=no config=explore workload=own-page rounds=1 cores=1-2");
    assert_shown("core 1");
    assert_shown("core 2");
    assert_not_shown("core 0");
}

APP_TEST(notes_on_events)
{
    assert_int_equal(start("menu=no config=events events=07D,0C0 " SMALL), 0);
    assert_shown_times("is not reliable", 0);
    fake_fw.screen_length = 0;
    assert_int_equal(start("menu=no config=events events=067,0C0 " SMALL), 0);
    assert_shown_times("is not reliable", 1);
    assert_shown_times("counts once per node", 0);
    assert_int_equal(start("menu=no config=events events=0E0,0C0 " SMALL), 0);
    assert_shown_times("counts once per node", 1);
}

/* Both kinds sample: their events interrupt. */
APP_TEST(exploration_by_samples)
{
    for (unsigned deep = 0; deep < 2; deep++) {
        fake_session.runs = 0;
        (void)start(deep ? "menu=no config=explore_deep periods=given " SMALL
                         : "menu=no config=explore_functions periods=given " SMALL);
        assert_int_equal(fake_session.pass[fake_session.runs - 1].pmc.mode, PMC_SAMPLING);
        assert_true(fake_session.pass[fake_session.runs - 1].pmc.event[0].period > 0);
    }
    assert_shown("raw: clocks with this cause; they overlap.\n");
}

/* A run that ends early has its tree, with nothing in it. */
APP_TEST(exploration_that_fails)
{
    fake_fw.cores = 2;
    for (unsigned fails = 1; fails <= 3; fails += 2) {
        fake_session.runs = 0;
        fake_session.fail_at = fails;
        assert_int_equal(start("menu=no config=explore cores=all workload=own-page rounds=1"), 1);
        assert_shown("General Exploration");
    }
}

/* A page begins at the left, whatever was printed before. */
APP_TEST(pages)
{
    struct console console;

    fake_fw.firmware.columns = 20;
    console_init(&console, &fake_fw.firmware);
    fake_fw.screen_length = 0;
    out_printf(&console.out, "ab");
    console_new_page(&console);
    out_printf(&console.out, "ccc cccc ccc cccccc\n");
    assert_string_equal(fake_fw.screen, "abccc cccc ccc cccccc\n");
}

APP_TEST(names_of_profiles)
{
    fake_fw.keys = "xprofile xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\nquit\n";
    (void)start("save=no");
    assert_shown("profile: a name of more than ");
}

RUN_TESTS(fixture_load, NULL)
