/* SPDX-License-Identifier: BSD-2-Clause */
/* The predefined configurations are sound and complete, and count what their views need. */
#include <string.h>

#include "tests/unit/core/check.h"

#include "core/view/configs.h"
#include "core/view/view.h"

static char text[32768];

static struct out *sink(struct out_memory *memory)
{
    out_memory_init(memory, text, sizeof(text));
    return &memory->out;
}

TEST(all_names_are_there)
{
    static const char *const names[] = {"assess",
                                        "branch",
                                        "data_access",
                                        "inst_access",
                                        "l2_access",
                                        "tbp",
                                        "ibs",
                                        "ibs_fetch_overall",
                                        "ibs_fetch_ic",
                                        "ibs_fetch_itlb",
                                        "ibs_fetch_page",
                                        "ibs_op_overall",
                                        "ibs_op_branch",
                                        "ibs_op_return",
                                        "ibs_op_ls",
                                        "ibs_op_ls_dc",
                                        "ibs_op_ls_dtlb",
                                        "ibs_op_ls_expert",
                                        "ibs_op_ls_memacc",
                                        "ibs_op_ls_page",
                                        "ibs_op_nb_access",
                                        "ibs_op_nb_cache",
                                        "ibs_op_nb_service"};

    assert_int_equal(config_count, sizeof(names) / sizeof(names[0]));
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        assert_non_null(config_find(names[i]));
    assert_null(config_find("triage_assess"));
}

/* Events and periods are those of CodeAnalyst's files. */
TEST(contents)
{
    static const struct {
        const char *name, *events, *groups;
    } rows[] = {
        {"assess", "0C0@250000 076@250000 0C2@25000 0C3@25000 040@250000 041@25000 046:07@25000 047@25000 ",
         "0123 0456 07 "},
        {"branch", "0C0@250000 0C2@25000 0C3@25000 0C4@25000 0C8@25000 0C9@25000 0CA@25000 ", "0123 0456 "},
        {"data_access", "0C0@250000 040@250000 041@25000 042:1F@25000 045:07@25000 046:07@25000 047@25000 ",
         "0123 0456 "},
        {"inst_access", "0C0@250000 080@250000 081@25000 084@25000 085:03@25000 ", "012 034 "},
        {"l2_access", "0C0@250000 07D:07@25000 07E:07@25000 07F:03@25000 ", "0123 "},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct event_list list = {.count = 0};
        struct event_groups groups;
        struct out_memory memory;
        struct out *out = sink(&memory);

        assert_true(config_events(config_find(rows[i].name), EVENT_SET_10H, &list, &groups));
        for (unsigned e = 0; e < list.count; e++) {
            event_write(&list.spec[e], false, out);
            out_printf(out, "@%llu ", (unsigned long long)list.spec[e].period);
        }
        assert_string_equal(text, rows[i].events);
        out = sink(&memory);
        for (unsigned g = 0; g < groups.count; g++) {
            for (unsigned e = 0; e < groups.group[g].count; e++)
                out_printf(out, "%u", groups.group[g].event[e]);
            out_printf(out, " ");
        }
        assert_string_equal(text, rows[i].groups);
    }
}

/* Every configuration can be programmed on every revision, with retired instructions in each group. */
TEST(events_can_be_programmed)
{
    for (unsigned i = 0; i < config_count; i++) {
        const struct config *config = &config_table[i];

        for (char revision = 'B'; revision <= 'E' && config->kind == CONFIG_PMC; revision++) {
            struct event_list list = {.count = 0};
            struct event_groups groups;
            struct event_request request = {.list = &list,
                                            .revision = revision,
                                            .sharing = EVENT_SHARING_RERUN,
                                            .sampling = true,
                                            .cores_per_node = 4};
            struct out_memory memory;

            assert_true(config_events(config, EVENT_SET_10H, &list, &groups));
            for (unsigned e = 0; e < list.count; e++)
                event_fit(&list.spec[e], revision);
            if (event_request_check(&request, sink(&memory)))
                fail_msg("%s on %c: %s", config->name, revision, text);
            for (unsigned e = 0; e < list.count; e++)
                assert_int_equal(event_groups_with(&groups, e), list.spec[e].event->select == 0x0C0 ? groups.count : 1);
        }
    }
}

TEST(kinds_have_what_they_need)
{
    for (unsigned i = 0; i < config_count; i++) {
        const struct config *config = &config_table[i];

        assert_int_equal(config->event_count != 0, config->kind == CONFIG_PMC);
        assert_int_equal(config->group_count != 0, config->kind == CONFIG_PMC);
        assert_int_equal(config->timer_us, config->kind == CONFIG_TIMER ? 1000 : 0);
        assert_int_equal(config->fetch_period + config->op_period != 0, config->kind == CONFIG_IBS);
        for (unsigned d = 0; d < config->derived_count; d++)
            assert_int_not_equal(
                derived_events[config->derived[d]].kind == SAMPLE_OP ? config->op_period : config->fetch_period, 0);
    }
}

/* The views of a configuration print only what it measures, and each of CodeAnalyst's views belongs to one
 * configuration. */
TEST(views_have_their_events)
{
    static uint64_t memory[2048];
    const struct view *view;
    bool printed[64] = {false};

    for (unsigned i = 0; i < config_count; i++) {
        const struct config *config = &config_table[i];
        unsigned views = 0;

        for (unsigned v = 0; (view = view_at(v)); v++) {
            struct event_list list = {0};
            struct event_groups groups;
            struct pmc_profile pmc;
            struct profile profile;
            struct out_memory out;

            if (!config_prints(config, view))
                continue;
            views++, printed[v] = true;
            if (config->kind == CONFIG_IBS) {
                profile = small_profile();
                view_print(sink(&out), view, &profile, PROFILE_FUNCTIONS, NULL);
                assert_int_not_equal(view_kind(view) == SAMPLE_OP ? config->op_period : config->fetch_period, 0);
            } else {
                assert_true(config_events(config, EVENT_SET_10H, &list, &groups));
                assert_true(
                    pmc_profile_init(&pmc, &small_map, SMALL_BASE, &list, config->timer_us, memory, sizeof(memory)));
                all_ran(&pmc);
                view_print_pmc(sink(&out), view, &pmc, PROFILE_FUNCTIONS, NULL);
            }
            assert_non_null(strstr(text, ": no samples\n")); /* there is no other complaint */
        }
        assert_int_not_equal(views, 0);
    }
    for (unsigned n = 0; (view = view_at(n)); n++)
        if (!printed[n])
            fail_msg("no configuration prints %s", view->name);
}

TEST(for_people)
{
    struct out_memory memory;
    struct out *out = sink(&memory);

    configs_list(out);
    for (unsigned i = 0; i < config_count; i++)
        config_explain(out, &config_table[i], EVENT_SET_10H);
    for (const char *line = text; *line; line = strchr(line, '\n') + 1)
        assert_true(strcspn(line, "\n") <= 79);
    check_golden("configs.txt", text);
}

RUN_TESTS(NULL, NULL)
