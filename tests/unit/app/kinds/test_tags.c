/* SPDX-License-Identifier: BSD-2-Clause */
/* Tag survival: a pass that counts tags if the processor can, and what is printed. */
#include <stdio.h>
#include <string.h>

#include "tests/unit/app/fixture.h"

#define RUN    "menu=no reference=yes repeats=1 fetch=no op_period=65536 " SMALL " "
#define FOLDER "0001-tight-loop-ibs"

enum { TAGGED = 0x1CF };

static void set_tags(uint64_t tags)
{
    set_reference_counts();
    fake_session.machine.hypervisor = false;
    fake_session.op_samples = 500;
    for (unsigned i = 0; i < FAKE_COUNTS; i++)
        if (!fake_session.count[i].total) {
            fake_session.count[i] = (struct fake_count){.select = TAGGED, .total = tags};
            break;
        }
}

/* In the first pass IBS samples as usual, and one counter counts tags. */
APP_TEST(a_pass_of_its_own)
{
    const struct fake_pass *first;

    set_tags(512);
    assert_int_equal(start(RUN), 0);
    first = &fake_session.pass[0];
    assert_string_equal(group_text(first, 0), "1cf");
    assert_int_equal(first->pmc.mode, PMC_COUNTING);
    assert_int_equal(first->pmc.event[0].period, 0);
    assert_true(first->ibs.op);
    assert_int_equal(first->part, VPMU_PART_OTHER);
    assert_shown("Tags: 512, 500 sampled, in one pass: 2.3% lost to flushes\n");
    assert_int_equal(fact(FOLDER, "ibs.tags"), 512);
    assert_int_equal(fact(FOLDER, "ibs.tags.sampled"), 500);
    assert_int_equal(fact(FOLDER, "samples.op"), 500); /* that pass keeps no samples */
    assert_lines_fit();
}

static bool counts_tags(unsigned pass)
{
    return !strcmp(group_text(&fake_session.pass[pass], 0), "1cf");
}

/* If the period is searched for, the first pass after the search counts tags, and its samples are kept; if the search
 * has enough samples, a separate pass counts tags. */
APP_TEST(after_a_search)
{
    static const struct {
        const char *iterations;
        unsigned passes, from_last;
        enum vpmu_part part;
    } rows[] = {{"1000000", 4, 2, VPMU_PART_MEASURED}, {"2400000", 2, 1, VPMU_PART_OTHER}};

    for (unsigned r = 0; r < sizeof(rows) / sizeof(rows[0]); r++) {
        char settings[120], folder[40];
        unsigned pass;

        set_tags(512);
        fake_session.machine.hypervisor = true;
        fake_session.runs = 0;
        snprintf(settings, sizeof(settings), "menu=no reference=yes workload=tight-loop iterations=%s",
                 rows[r].iterations);
        snprintf(folder, sizeof(folder), "000%u-tight-loop-ibs", r + 1);
        assert_int_equal(start(settings), 0);
        pass = fake_session.runs - rows[r].from_last;
        for (unsigned i = 0; i < fake_session.runs; i++)
            assert_int_equal(counts_tags(i), i == pass);
        assert_int_equal(fake_session.pass[pass].part, rows[r].part);
        assert_int_equal(fake_session.pass[pass].pmc.mode, PMC_COUNTING);
        assert_shown("Tags: 512, 500 sampled, in one pass: 2.3% lost to flushes\n");
        assert_int_equal(fact(folder, "ibs.repeats"), rows[r].passes);
        assert_int_equal(fact(folder, "samples.op"), rows[r].passes * 500);
    }
}

/* There may be fewer tags than samples: the first tag may come before the counter counts. */
APP_TEST(fewer_tags_than_samples)
{
    set_tags(499);
    assert_int_equal(start(RUN), 0);
    assert_shown("Tags: 499, 500 sampled, in one pass: 0.0% lost to flushes\n");
}

static void assert_none(const char *options)
{
    (void)start(options);
    for (unsigned i = 0; i < fake_session.runs && i < FAKE_PASSES; i++)
        assert_null(strstr(group_text(&fake_session.pass[i], 0), "1cf"));
    assert_not_shown("Tags: ");
    assert_string_equal(saved_fact(FOLDER, "ibs.tags"), "");
}

APP_TEST(of_a_model_too)
{
    set_tags(512);
    fake_session.machine.hypervisor = true;
    assert_int_equal(start(RUN), 0);
    assert_shown("Tags: 512, 500 sampled, ");
}

APP_TEST(not_before_revision_c)
{
    set_tags(512);
    fake_session.machine.model = 2;
    fake_session.machine.revision = 'B';
    fake_session.machine.ibs_caps = 7;
    assert_none(RUN);
}

APP_TEST(not_without_a_reference)
{
    set_tags(512);
    assert_none("menu=no repeats=1 reference=no " SMALL);
}

APP_TEST(not_without_ops)
{
    set_tags(512);
    assert_none("menu=no repeats=1 reference=yes op=no " SMALL);
}

/* On Zen the mask selects all tags. */
APP_TEST(on_zen)
{
    set_tags(512);
    set_family(0x17, 0x31);
    assert_int_equal(start(RUN), 0);
    assert_int_equal(fake_session.pass[0].pmc.event[0].unit_mask, 1);
    assert_shown("Tags: 512, ");
}

RUN_TESTS(fixture_load, NULL)
