/* SPDX-License-Identifier: BSD-2-Clause */
/* Tasks that are refused before anything is programmed, errors during a run, and texts that are shown without a run. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/run/kind.h"
#include "app/kinds/counters/pmc.h"
#include "app/run/task.h"
#include "tests/unit/app/fixture.h"

#define RUN "menu=no n=50 "

/* ---------------------------------------------------------------- the kinds */

extern const struct kind_row __start_kind_rows[], __stop_kind_rows[];

/* Lists have each configuration once, which is found by its name; the kinds that a kind consists of do not consist of
 * others. */
APP_TEST(kinds_are_rows)
{
    static const struct kind *const unlisted[] = {&kind_ibs, &kind_timer};
    unsigned rows = (unsigned)(__stop_kind_rows - __start_kind_rows), listed = 0;
    const struct kind *last = NULL;

    for (unsigned n = 0; n < rows + 2; n++) {
        const struct kind *kind = n < rows ? __start_kind_rows[n].kind : unlisted[n - rows];

        assert_int_equal(kind->name != NULL, n < rows);
        assert_true(n >= rows || (kind->title && kind->explanation));
        for (unsigned i = 0; i < TASK_KINDS_MAX - 1; i++)
            if (kind->parts[i])
                assert_null(kind->parts[i]->parts[0]);
        assert_int_equal(kind->csv != NULL, kind->csv_name != NULL);
    }
    for (const struct kind *kind = kind_next(NULL); kind; last = kind, kind = kind_next(kind), listed++)
        assert_ptr_equal(kind_find(kind->name), kind);
    assert_int_equal(listed, rows);
    assert_true(listed >= 5);
    assert_ptr_equal(kind_next(NULL), &kind_pmc);
    assert_string_equal(last->name, "selftest");
    assert_ptr_equal(kind_find("ibs"), &kind_ibs);
    assert_ptr_equal(kind_find("tbp"), &kind_timer);
    assert_ptr_equal(kind_find("l2_access"), &kind_pmc);
    assert_null(kind_find("nonsense"));
}

/* ---------------------------------------------------------------- what goes wrong */

APP_TEST(refused_before_anything_is_programmed)
{
    static const struct {
        const char *options, *says;
    } rows[] = {
        {"config=nonsense", "config = nonsense: no such configuration"},
        {"config=ibs events=041", "config = ibs: its events cannot be chosen"},
        {"config=tbp events=041", "config = tbp: its events cannot be chosen"},
        {"config=events", "name the events"},
        {"config=events events=999", "999"},
        {"config=events events=NO_SUCH_EVENT", "NO_SUCH_EVENT"},
        {"config=events events=041,041", "041"},
        {"config=count events=all:XX", "no event is called 'all'; 'events' lists them"},
        {"config=events sharing=none events=076,0C0,0C2,0C3,040", "allow re-runs or multiplexing"},
        {"config=events events=042:ff", "42"},
        {"config=events events=0C0@281474976710656", "281474976710656"},
        {"config=events events=041@499", "041: period 499 is under its minimum of 500"},
    };

    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char options[160];

        fake_fw.screen_length = 0;
        snprintf(options, sizeof(options), RUN "save=no %s", rows[i].options);
        assert_int_equal(start(options), 1);
        assert_int_equal(fake_session.runs, 0);
        assert_shown(rows[i].says);
        assert_lines_fit();
    }
}

/* Settings that cannot run here are refused before any run, whatever is measured. */
APP_TEST(impossible_sessions)
{
    static const char *const configs[] = {"ibs",
                                          "tbp",
                                          "count",
                                          "noise",
                                          "data_access",
                                          "events events=076",
                                          "count events=076,041",
                                          "events events=076,041,0C0,0C1,0C2 sharing=rerun"};

    for (unsigned i = 0; i < sizeof(configs) / sizeof(configs[0]); i++) {
        char options[120];

        fake_fw.screen_length = 0;
        fake_session.check_error = SESSION_NO_OP_COUNTING;
        snprintf(options, sizeof(options), RUN "save=no config=%s", configs[i]);
        assert_int_equal(start(options), 1);
        assert_shown("these settings cannot run here: ");
        assert_int_equal(fake_session.runs, 0);
    }
}

APP_TEST(revisions_lack_events)
{
    fake_session.machine.revision = 'B';
    assert_int_equal(start(RUN "config=events events=1CF@500000"), 1);
    assert_int_equal(fake_session.runs, 0);
    fake_fw.screen_length = 0;
    /* Masks are read before the revision is known. */
    assert_int_equal(start(RUN "config=events events=045:07@500"), 1);
    assert_shown("045: mask 07 has reserved bits 04; allowed are 03");
    assert_int_equal(start(RUN "config=count events=045:04"), 1);
    assert_int_equal(fake_session.runs, 0);
    fake_fw.screen_length = 0;
    assert_int_equal(start(RUN "config=data_access periods=given"), 0); /* our own masks are legal */
    for (unsigned i = 0; i < fake_session.pass[0].pmc.events; i++)
        if (fake_session.pass[0].pmc.event[i].select == 0x045)
            assert_int_equal(fake_session.pass[0].pmc.event[i].unit_mask, 0x03);
    /* Unknown revisions get what all revisions have. */
    for (const char *revision = "B?AF"; *revision; revision++) {
        fake_session.runs = 0;
        fake_session.machine.revision = *revision;
        assert_int_equal(start(RUN "save=no config=events periods=given events=045,041"), 0);
        assert_int_equal(fake_session.pass[0].pmc.event[0].unit_mask, 0x03);
    }
    for (const char *revision = "CDE"; *revision; revision++) {
        fake_session.runs = 0;
        fake_session.machine.revision = *revision;
        assert_int_equal(start(RUN "save=no config=events periods=given events=045,041"), 0);
        assert_int_equal(fake_session.pass[0].pmc.event[0].unit_mask, 0x07);
    }
}

APP_TEST(too_many_turns_are_refused)
{
    char options[300] = RUN "save=no config=events sharing=multiplex periods=given events=";

    for (unsigned i = 0; i < 33; i++)
        snprintf(options + strlen(options), sizeof(options) - strlen(options), "%s%03x", i ? "," : "",
                 event_at(EVENT_SET_10H, i)->select);
    assert_int_equal(start(options), 1);
    assert_shown("33 events are 9 groups, but at most 8 take turns: name fewer, or allow re-runs");
    assert_int_equal(fake_session.runs, 0);
    assert_lines_fit();
}

APP_TEST(counting_takes_no_turns)
{
    assert_int_equal(start(RUN "config=explore sharing=multiplex"), 1);
    assert_shown("sharing = multiplex: config=explore counts whole runs; set rerun or none");
    assert_shown("config = explore_deep: groups take turns in a run, for work that never repeats");
    assert_int_equal(start(RUN "config=count events=0C0 sharing=multiplex"), 1);
    assert_shown("sharing = multiplex: config=count counts");
    assert_int_equal(fake_session.runs, 0);
    assert_lines_fit();
}

/* The model states its own clock, which is used instead of the firmware's delay (2 GHz in the fake). */
APP_TEST(the_model_states_its_clock)
{
    assert_int_equal(start(RUN "config=tbp"), 0);
    assert_int_equal(fact("0001-matmul-classic-tbp", "machine.tsc_khz"), 2000000);
    fake_session.tsc_khz = 3000000;
    assert_int_equal(start(RUN "config=tbp"), 0);
    assert_int_equal(fact("0002-matmul-classic-tbp", "machine.tsc_khz"), 3000000);
}

APP_TEST(a_pass_that_fails_ends_the_run)
{
    fake_session.fail_at = 2;
    assert_int_equal(start(RUN "config=assess periods=given repeats=3"), 1);
    assert_int_equal(fake_session.runs, 2);
    assert_shown("The run failed: ");
    assert_shown("0 of 3 repeats were completed");
    assert_shown("ibsboot: end: status 1");
    /* This also holds for a pass that should find the periods, and for the counts of the second group. */
    for (unsigned fails = 1; fails <= 2; fails++) {
        fake_session.runs = 0;
        fake_session.fail_at = fails;
        assert_int_equal(start(RUN "config=events periods=measured events=076,0C0,0C2,0C3,041"), 1);
        assert_int_equal(fake_session.runs, fails);
    }
}

APP_TEST(a_full_buffer_ends_the_run)
{
    assert_int_equal(start(RUN "config=events periods=given records=50 events=076,0C0,0C2,0C3@1000,041"), 1);
    assert_int_equal(fake_session.runs, 2); /* the second group had no room */
    assert_shown("was full before the last pass");
    assert_shown("WARNING: 0 of 1 repeats were completed.\n");
    /* The figures of the first group are printed once, and no figures of the second. */
    assert_shown("\ncounters            50         50          0          0       998\n");
    assert_int_equal(fact("0001-matmul-classic-events", "event.0.samples"), 4);
    assert_int_equal(fact("0001-matmul-classic-events", "event.1.samples"), 4);
    assert_int_equal(fact("0001-matmul-classic-events", "event.2.samples"), 40);
    assert_int_equal(fact("0001-matmul-classic-events", "event.3.samples"), 2);
    /* The event of the second group has no figures, not even zeros. */
    assert_shown("041                25000  was not measured\n");
    assert_int_equal(fact("0001-matmul-classic-events", "event.4.samples"), -1);
    assert_int_equal(fact("0001-matmul-classic-events", "event.4.runs"), -1);
}

/* The pass of IBS is not made, so its profile is empty: it does not have the samples of the pass before. */
APP_TEST(no_ibs_after_a_failure)
{
    fake_session.fail_at = 2;
    assert_int_equal(start(RUN "config=skid periods=given repeats=2"), 1);
    assert_int_equal(fake_session.runs, 2);
    assert_int_equal(fact("0001-matmul-classic-skid", "samples.op"), 0);
    assert_shown("\nIBS op               0          0          0          0         0\n");
    assert_shown("\ncounters             0          0          0          0         0\n");
}

/* No tree exists for this processor. */
APP_TEST(no_tree)
{
    set_family(0x15, 0x01);
    assert_int_equal(start(RUN "save=no config=explore"), 1);
    assert_shown("config = explore: this program has no tree of the events of");
    assert_int_equal(start(RUN "save=no config=explore_deep"), 1);
    assert_shown("Family 15h models 00h-0Fh, Bulldozer");
    assert_int_equal(fake_session.runs, 0);
    assert_lines_fit();
}

/* Events of each family are found by number and name, and the default list is the family's own; events that only Family
 * 10h has are refused. */
APP_TEST(families_with_their_own_events)
{
    static const struct {
        const char *options, *says;
    } refused[] = {
        {"config=events", "config = events: name the events, for example events=0C0,0C1"},
        {"config=events events=07D", "Zen 2 has no event 07D; 'events' lists them"},
        {"config=events events=RETIRED_UOPS", "no event is called 'RETIRED_UOPS'"},
        {"config=events events=045:100", "part '100' is neither a mask"},
    };

    set_family(0x17, 0x71);
    for (unsigned i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
        char options[160];

        fake_fw.screen_length = 0;
        snprintf(options, sizeof(options), RUN "save=no %s", refused[i].options);
        assert_int_equal(start(options), 1);
        assert_int_equal(fake_session.runs, 0);
        assert_shown(refused[i].says);
        assert_lines_fit();
    }
    (void)start(RUN "save=no config=explore"); /* the counts agree with no processor: checks fail */
    assert_shown("\nGeneral Exploration, Zen 2, six slots, stalls by token: ");
    fake_fw.screen_length = 0;
    assert_int_equal(start(RUN "save=no config=events events=EX_RET_COPS@100000,045:f0"), 0);
    assert_string_equal(group_text(&fake_session.pass[fake_session.runs - 1], 0), "0c1 045");
    assert_shown("045:F0 L1 DTLB misses");
    fake_fw.screen_length = 0;
    assert_int_equal(start(RUN "save=no config=count"), 0);
    assert_shown("\n029:07 ");
    assert_shown("\n0D1 ");
    assert_lines_fit();
    fake_fw.screen_length = 0;
    assert_int_equal(start("menu=no show=\"event 0C1\""), 0);
    assert_shown("0C1 ex_ret_cops");
    /* With slots the tree by function works, too. */
    set_family(0x19, 0x61);
    assert_int_equal(start(RUN "save=no config=explore_functions periods=given"), 0);
    assert_string_equal(group_text(&fake_session.pass[fake_session.runs - 2], 0), "076 0c0 0c1 0aa 1a0 1a0");
    assert_string_equal(group_text(&fake_session.pass[fake_session.runs - 1], 0), "1a0");
    assert_shown("Not attributed");
    assert_lines_fit();
    assert_int_equal(start(RUN "save=no config=explore_deep periods=given"), 0);
    assert_string_equal(group_text(&fake_session.pass[fake_session.runs - 1], 0), "1c2");
}

/* Returns the selects of a run's counts.csv, in its order, without the sentinel, whose place may differ. */
static const char *counted_selects(const char *folder)
{
    static char text[400];
    char path[100];
    size_t length = 0;

    snprintf(path, sizeof(path), "\\ibsboot\\runs\\%s\\counts.csv", folder);
    for (const char *line = strchr(file_text(path), '\n'); line && line[1]; line = strchr(line + 1, '\n'))
        if (line[4] == ',' && strncmp(line + 1, "076", 3) != 0)
            length += (size_t)snprintf(text + length, sizeof(text) - length, "%.3s ", line + 1);
    return text;
}

/* Lists the default events of config=count for each set of events. */
APP_TEST(lists_of_later_families)
{
    static const struct {
        uint32_t family, model;
        const char *selects;
    } rows[] = {{0x15, 0x01,
                 "0c0 0c1 0c2 0c3 0c4 0c5 0c8 0c9 0ca 003 029 040 041 042 043 045 046 047 06c 07d 07e 07f 080 081 082 "
                 "083 084 085 087 0d0 0d1 0d5 0d6 0d7 0d8 1d8 02b 0cf "},
                {0x15, 0x60,
                 "0c0 0c1 0c2 0c3 0c4 0c5 0c8 0c9 0ca 003 029 040 041 042 043 045 046 047 06c 07d 07e 07f 080 081 082 "
                 "083 084 085 087 0d0 0d1 0d5 0d6 0d7 0d8 1d8 02b 0cf "},
                {0x14, 0x01,
                 "0c0 0c1 0c2 0c3 0c4 0c5 0c8 0c9 0ca 003 040 041 042 043 045 046 047 06c 07d 07e 07f 080 081 082 083 "
                 "085 087 0cf "},
                {0x16, 0x00,
                 "0c0 0c1 0c2 0c3 0c4 0c5 0c8 0c9 0ca 003 029 040 041 042 043 045 046 047 06c 080 081 082 083 084 085 "
                 "087 0cf "},
                {0x17, 0x01,
                 "0c0 0c1 0c2 0c3 0c4 0c5 0c8 0c9 0ca 0d1 029 041 045 046 047 060 064 082 083 084 085 0aa 0ae 0af "},
                {0x17, 0x71,
                 "0c0 0c1 0c2 0c3 0c4 0c5 0c8 0c9 0ca 0d1 029 041 043 045 046 047 060 064 082 083 084 085 0a9 0aa 0ae "
                 "0af 02b 02c "},
                {0x19, 0x21,
                 "0c0 0c1 0c2 0c3 0c4 0c5 0c8 0c9 0ca 0d1 029 041 043 044 045 046 047 060 064 082 083 084 085 18e 0a9 "
                 "0aa 0ab 0ae 0af 02b 02c "},
                {0x19, 0x61,
                 "0c0 0c1 0c2 0c3 0c4 0c5 0c8 0c9 0ca 0d1 029 041 043 044 045 047 060 064 082 083 084 085 18e 0a9 0aa "
                 "0ab 0ae 0af 0d6 1a0 02b 02c "},
                {0x1A, 0x44,
                 "0c0 0c1 0c2 0c3 0c4 0c5 0c8 0c9 0ca 0d1 029 041 043 044 045 047 060 064 082 083 084 085 0a9 0aa "
                 "0ab 0ae 0af 0d6 1a0 02b 02c "}};
    char folder[100];

    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        set_family(rows[i].family, rows[i].model);
        assert_int_equal(start(RUN "config=count"), 0);
        snprintf(folder, sizeof(folder), "%04u-matmul-classic-count", i + 1);
        assert_string_equal(counted_selects(folder), rows[i].selects);
    }
}

/* On Family 15h an event gets a counter that can count it, in separate runs and in groups. */
APP_TEST(counters_that_not_all_events_have)
{
    set_family(0x15, 0x30);
    assert_int_equal(start(RUN "save=no config=events events=0C0,RETIRED_SSE_OPS,07D,081 sharing=none"), 0);
    assert_string_equal(group_text(&fake_session.pass[fake_session.runs - 1], 0), "0c0 07d 081 003");
    fake_fw.screen_length = 0;
    assert_int_equal(start(RUN "save=no config=events events=003:01,003:02 sharing=none"), 1);
    assert_shown("events that need the same counter: allow re-runs or multiplexing");
    /* There are six counters; counters that a group leaves empty count nothing. */
    assert_int_equal(start(RUN "save=no config=events events=003,000 sharing=none"), 0);
    assert_string_equal(group_text(&fake_session.pass[fake_session.runs - 1], 0), "076 076 076 003 000");
    fake_fw.screen_length = 0;
    assert_int_equal(start(RUN "save=no config=events events=0C0,0C2,0C3,0C4,0C5,0CA,0C1 sharing=none"), 1);
    assert_shown("7 events, but 6 counters: allow re-runs or multiplexing");
    fake_fw.screen_length = 0;
    assert_int_equal(start(RUN "save=no config=count"), 0);
    assert_shown("\n0D8 ");
    assert_shown("\n003:FF ");
    assert_lines_fit();
    for (unsigned model = 0x01; model <= 0x61; model += 0x20) { /* and the models before and after it */
        set_family(0x15, model);
        fake_fw.screen_length = 0;
        assert_int_equal(start(RUN "save=no config=count"), 0);
        assert_shown("\n0D8 ");
        assert_shown("\n003:FF ");
    }
}

/* IBS works alone on families whose counter events are in no table, and without counters of any kind. */
APP_TEST(families_without_an_event_table)
{
    set_family(0x12, 0x01);
    assert_int_equal(start(RUN "save=no config=count events=0C0,165,1C0,1D3"), 0); /* from revision C on, on 10h */
    fake_session.runs = 0;
    set_family(0x18, 0x00);
    assert_int_equal(start(RUN "save=no config=count events=0C0"), 1);
    assert_shown("config = count: this program has no table of the counter events of Family 18h");
    assert_int_equal(start(RUN "save=no config=explore"), 1);
    assert_int_equal(fake_session.runs, 0);
    fake_session.machine.pmc.count = 0;
    assert_int_equal(start(RUN "save=no config=ibs"), 0);
    assert_int_equal(fake_session.runs, 1);
}

APP_TEST(machines_without_ibs_can_count)
{
    fake_session.machine.ibs = false;
    assert_int_equal(start(RUN "config=count events=0C0"), 0);
    assert_int_equal(start(RUN "config=skid"), 1);
    fake_session.machine.amd = false;
    fake_family(&fake_session.machine);
    assert_int_equal(start(RUN "config=count events=0C0"), 1);
    assert_shown("no usable IBS");
}

/* Configurations name meanings: each family samples its own events of these meanings, and the report names meanings
 * without an event. */
APP_TEST(configurations_by_meaning)
{
    static const struct {
        uint32_t family, model;
        const char *config, *group, *says;
    } rows[] = {
        {0x17, 0x71, "assess", "0c0 040 041 045",
         "NOTE: data cache misses (041:03): misses that allocate a buffer, without"},
        {0x19, 0x61, "assess", "0c0 029 041 045", "NOTE: data cache accesses (029:07): ops that are dispatched to the"},
        {0x1A, 0x44, "branch", "0c0 0c8 0c9 0ca", "Near return report by instruction"},
        {0x17, 0x01, "data_access", "0c0 040 041",
         "NOTE: not counted on Zen: data cache refills (Linux' list of its events has"},
        {0x1A, 0x50, "inst_access", "0c0 084 085",
         "NOTE: not counted on Zen 6: instruction cache fetches (Linux' list of its"},
        {0x19, 0x01, "l2_access", "0c0 060 064",
         "NOTE: not counted on Zen 3: L2 fills and writebacks (Linux' lists of their"},
        {0x14, 0x01, "l2_access", "0c0 07d 07e 07f", "L2 access report by instruction"},
        {0x15, 0x02, "l2_access", "07d 07e 07f 0c0", "L2 access report by instruction"}, /* counters 2:0 */
        {0x19, 0x61, "skid", "0c0 029 041 045", "Counter samples beside IBS op samples"},
    };

    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char options[160];
        bool found = false;

        set_family(rows[i].family, rows[i].model);
        fake_session.runs = 0;
        fake_fw.screen_length = 0;
        snprintf(options, sizeof(options), RUN "save=no periods=given config=%s", rows[i].config);
        assert_int_equal(start(options), 0);
        for (unsigned pass = 0; pass < fake_session.runs; pass++)
            for (unsigned g = 0; g < fake_session.pass[pass].pmc.groups; g++)
                found |= !strcmp(group_text(&fake_session.pass[pass], g), rows[i].group);
        if (!found)
            fail_msg("%s on %x: no group %s: %s", rows[i].config, rows[i].family, rows[i].group,
                     group_text(&fake_session.pass[1], 0));
        assert_shown(rows[i].says);
        assert_lines_fit();
    }
    set_family(0x16, 0);
    assert_int_equal(start(RUN "save=no config=l2_access"), 1);
    assert_shown("config = l2_access: this processor has too few of its events\nnot counted on Jaguar: requests to the "
                 "L2 cache, L2");
}

/* Events that are not modelled leave their group, and a group that becomes empty is dropped. */
APP_TEST(groups_without_what_is_not_modelled)
{
    fake_session.not_modelled[0] = 0x0C0;
    fake_session.not_modelled[1] = 0x047;
    assert_int_equal(start(RUN "config=assess periods=given"), 0);
    assert_int_equal(fake_session.runs, 3); /* one pass to warm up */
    assert_string_equal(group_text(&fake_session.pass[1], 0), "076 0c2 0c3");
    assert_string_equal(group_text(&fake_session.pass[2], 0), "040 041 046");
    assert_shown("Events        6 in 2 groups of up to 4, each in its own run\n");
    assert_shown_times("                 is not modelled\n", 2);
    assert_int_equal(fact("0001-matmul-classic-assess", "groups"), 2);
    assert_string_equal(saved_fact("0001-matmul-classic-assess", "event.0.groups"), "");
    assert_string_equal(saved_fact("0001-matmul-classic-assess", "event.4.groups"), "1");
    assert_string_equal(saved_fact("0001-matmul-classic-assess", "event.7.state"), "not modelled");
    fake_session.runs = 0;
    assert_int_equal(start(RUN "save=no config=events periods=given events=0C0,076,0C2,0C3,0C4,040,041"), 0);
    assert_int_equal(fake_session.runs, 3);
    assert_string_equal(group_text(&fake_session.pass[1], 0), "076 0c2 0c3 0c4");
    assert_string_equal(group_text(&fake_session.pass[2], 0), "040 041");
}

/* ---------------------------------------------------------------- show and prompt */

APP_TEST(show_prints_and_ends)
{
    assert_int_equal(start("show=events"), 0);
    assert_shown("DATA_CACHE_MISSES");
    assert_int_equal(fake_session.runs, 0);
    assert_int_equal(start("show=\"event 041\""), 0);
    assert_int_equal(start("show=configs"), 0);
    assert_shown("explore");
    assert_shown("data_access");
    assert_int_equal(start("show=\"config assess\""), 0);
    assert_int_equal(start("show=\"config skid\""), 0);
    assert_shown("side by side");
    assert_lines_fit();
    assert_int_equal(start("show=\"config nonsense\""), 1);
    assert_int_equal(start("show=\"events nonsense\""), 1);
    assert_int_equal(start("menu=no show=run"), 1);
    assert_shown("show = run: not one of");
    assert_int_equal(fake_session.runs, 0);
}

APP_TEST(prompt_lists_events_and_configurations)
{
    fake_fw.keys = "x"
                   "pager=no\n"
                   "events  dc\n"
                   "event RETIRED_UOPS\n"
                   "configs\n"
                   "config assess\n"
                   "config=count events=0C0\n"
                   "run\n"
                   "quit\n";
    assert_int_equal(start("n=50"), 0);
    assert_shown("DATA_CACHE_MISSES");
    assert_shown("Assess performance");
    assert_shown("Measured      count: ");
    assert_shown("Saved to \\ibsboot\\runs\\0001-matmul-classic-count");
}

/* A copy of run.ini as ibsboot.ini repeats a run of counters, too. */
APP_TEST(run_ini_repeats_it)
{
    char *copy;

    assert_int_equal(start(RUN "config=events periods=given events=0C0@50000,041:00:k@1000 sharing=multiplex"), 0);
    copy = strdup(file_text("\\ibsboot\\runs\\0001-matmul-classic-events\\run.ini"));
    fixture_teardown(NULL);
    fixture_setup(NULL);
    fake_file_put(&fake_fw, "\\ibsboot\\ibsboot.ini", copy, strlen(copy));
    free(copy);
    assert_int_equal(start(""), 0);
    assert_not_shown("ibsboot.ini:");
    assert_int_equal(fake_session.pass[0].pmc.event[0].period, 50000);
    assert_false(fake_session.pass[0].pmc.event[1].user);
}

RUN_TESTS(fixture_load, NULL)
