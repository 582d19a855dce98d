/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes the configurations of counters on each family as Markdown: whether they run, and which event is missing. */
#include "tools/tables/tables.h"

#include <stdio.h>

#include "core/explore/explore.h"
#include "core/view/configs.h"

static void missing(const struct event_list *list)
{
    const char *before = "";

    for (unsigned m = 0; m < EVENT_MEANINGS; m++) {
        if (!(list->missing >> m & 1))
            continue;
        printf("%s%s (", before, event_meaning_name((enum event_meaning)m));
        tables_cell(event_meaning_of(list->set, (enum event_meaning)m)->remark);
        printf(")");
        before = ", ";
    }
}

static void of_config(const struct config *config, enum event_set set)
{
    struct event_groups groups;
    struct event_list list;
    bool runs = config_events(config, set, &list, &groups);

    printf(" | %s", !runs ? "no: " : list.missing ? "without " : "yes");
    missing(&list);
}

void tables_configs(void)
{
    printf("| processors");
    for (unsigned i = 0; i < config_count; i++)
        if (config_table[i].kind == CONFIG_PMC)
            printf(" | `%s`", config_table[i].name);
    puts(" | `skid`, `tbp`, `count`, `events` | `explore`, `explore_functions`, `explore_deep` |");
    puts("|---|---|---|---|---|---|---|---|");
    for (enum event_set set = EVENT_SET_10H; set < EVENT_SETS; set++) {
        printf("| %s", event_set_name(set));
        for (unsigned i = 0; i < config_count; i++)
            if (config_table[i].kind == CONFIG_PMC)
                of_config(&config_table[i], set);
        printf(" | yes | %s |\n", explore_of(set) ? "yes" : "no: this program has no tree of its events");
    }
}
