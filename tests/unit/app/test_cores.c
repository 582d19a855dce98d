/* Runs on several cores: which ones, what is shown and kept of each, and what happens when one is missing. */
#include "tests/unit/app/fake_memory.h"
#include "tests/unit/app/fixture.h"

#include <string.h>

#include "app/cores.h"

static const struct machine one_node = {.nodes = {.count = 1}};

struct list_row {
    const char *text;
    uint32_t there;
    const char *cores;   /* as read, NULL: refused */
    const char *problem; /* NULL: none */
};

static void lists(void **state)
{
    static const struct list_row rows[] = {
        {"0", 4, "0 ", NULL},
        {"all", 4, "0 1 2 3 ", NULL},
        {"2", 4, "2 ", NULL},
        {"0,2-3", 4, "0 2 3 ", NULL},
        {"3,1,1-2", 4, "1 2 3 ", NULL},
        {"all", 0, "0 ", "it has no MP Services); this run is on the boot core alone"},
        {"0", 0, "0 ", NULL},
        {"0-1", 0, NULL, "cores = 0-1: the firmware runs nothing on other cores (it has no MP Services)"},
        {"4", 4, NULL, "cores = 4: the firmware names 4, from 0 to 3"},
        {"all", 1, "0 ", NULL},
        {"", 4, NULL, "not 'all', nor a list"},
        {"1-", 4, NULL, "not 'all', nor a list"},
        {"3-1", 4, NULL, "not 'all', nor a list"},
        {"1,", 4, NULL, "not 'all', nor a list"},
        {"1x", 4, NULL, "not 'all', nor a list"},
        {"64", 4, NULL, "not 'all', nor a list"},
        {"99999999999999999999", 4, NULL, "not 'all', nor a list"},
    };
    (void)state;
    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char text[400] = "", said[400] = "";
        struct out_memory list, problems;
        struct cores cores;
        bool good;

        out_memory_init(&list, text, sizeof(text));
        out_memory_init(&problems, said, sizeof(said));
        fake_fw.cores = rows[i].there;
        good = cores_read(&cores, rows[i].text, &fake_fw.firmware, &one_node, &problems.out);
        for (unsigned c = 0; good && c < cores.count; c++)
            out_printf(&list.out, "%u ", cores.core[c]);
        if (good != (rows[i].cores != NULL) || (good && strcmp(text, rows[i].cores)))
            fail_msg("'%s' of %u: %d '%s'", rows[i].text, rows[i].there, good, text);
        if (rows[i].problem ? !strstr(said, rows[i].problem) : said[0] != 0)
            fail_msg("'%s' of %u says '%s'", rows[i].text, rows[i].there, said);
    }
}

#define FOLDER "0001-own-page-ibs"

/* Samples of all cores are in one profile, and told apart. */
static void all_cores(void **state)
{
    (void)state;
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

/* The boot core leads without a workload, and is in no table. */
static void others_only(void **state)
{
    (void)state;
    fake_fw.cores = 4;
    assert_int_equal(start("menu=no workload=own-page rounds=1 cores=2-3"), 0);
    assert_int_equal(fake_fw.started, 0xC);
    assert_not_shown("core 0 node");
    assert_shown("core 2 node 0      5000     1000");
    assert_int_equal(fact(FOLDER, "samples.op"), 10000);
    assert_int_equal(fact(FOLDER, "core.0.works"), 0);
    assert_null(fake_session.plan.body); /* the last session was the boot core's */
    assert_false(fake_session.plan.ibs.op);
}

/* Records of a core that cannot be started or does not answer are missing; the others' are there. */
static void a_core_is_missing(void **state)
{
    (void)state;
    fake_fw.cores = 4;
    fake_fw.refused = 1 << 2;
    assert_int_equal(start("menu=no workload=own-page rounds=1 cores=all"), 1);
    assert_shown("LOST: core 2 was not started: it is not back from an earlier run");
    assert_shown("core 3 node 0      5000     1000");
    assert_int_equal(fact(FOLDER, "samples.op"), 15000);
    assert_int_equal(fact(FOLDER, "core.2.lost"), 1);
    assert_lines_fit();
}

/* Memory that it may still write to is not given back. */
static void a_core_hangs(void **state)
{
    (void)state;
    fake_fw.cores = 4;
    fake_fw.dead = 1 << 1;
    assert_int_equal(start("menu=no workload=own-page rounds=1 cores=all"), 1);
    assert_shown("LOST: core 1 did not answer:");
    assert_shown("A core is still running: switch the machine off");
    assert_int_equal(fact(FOLDER, "samples.op"), 15000);
    assert_true(fake_memory_blocks() > 4);
    fake_memory_give_all();
}

/* Events that exist once per node are not counted on several of its cores. */
static void node_events(void **state)
{
    (void)state;
    fake_fw.cores = 4;
    assert_int_equal(start("menu=no workload=own-page rounds=1 cores=all config=count events=0E0"), 1);
    assert_int_equal(fake_session.runs, 0);
    assert_int_equal(start("menu=no workload=own-page rounds=1 cores=1 config=count events=0E0"), 0);
}

/* Totals of counters are sums. */
static void counted(void **state)
{
    (void)state;
    fake_fw.cores = 2;
    fake_session.count[0] = (struct fake_count){.select = 0x0C0, .total = 1000};
    assert_int_equal(start("menu=no workload=own-page rounds=1 cores=all config=count events=0C0"), 0);
    assert_shown("2000");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(lists),
        TEST(all_cores),
        TEST(others_only),
        TEST(a_core_is_missing),
        TEST(a_core_hangs),
        TEST(node_events),
        TEST(counted),
    };
    return cmocka_run_group_tests(tests, fixture_load, NULL);
}
