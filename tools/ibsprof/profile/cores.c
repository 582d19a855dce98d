/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/profile/cores.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/ibsprof/read/run_ini.h"

void core_nodes_read(struct core_nodes *nodes, const struct input_facts *facts)
{
    unsigned last = CORES_MAX;

    *nodes = (struct core_nodes){0};
    for (uint32_t i = 0; i < facts->setting_count; i++) {
        const char *node, *ccx;
        unsigned cpu;

        /* keys of one core are adjacent */
        if (sscanf(facts->settings[i].key, "core.%u.", &cpu) != 1 || cpu == last || cpu >= CORES_MAX)
            continue;
        last = cpu;
        node = run_fact(facts, FACT_CORE_NODE, cpu);
        if (!node)
            continue;
        nodes->node[cpu] = (uint8_t)strtoul(node, NULL, 0);
        nodes->known = true;
        ccx = run_fact(facts, FACT_CORE_COMPLEX, cpu);
        if (ccx)
            nodes->ccx[cpu] = (uint16_t)(strtoul(ccx, NULL, 0) + 1);
    }
    for (uint32_t i = 0; !nodes->known && i < facts->node_count; i++) {
        struct core_list cores;

        if (!core_list_read(&cores, facts->nodes[i].cores)) /* a node without cores */
            continue;
        for (uint32_t cpu = 0; cpu < CORES_MAX; cpu++)
            if (cores.bits[cpu / 64] >> (cpu % 64) & 1)
                nodes->node[cpu] = (uint8_t)facts->nodes[i].number;
    }
    nodes->known |= facts->node_count > 0;
}

uint32_t core_node(const struct core_nodes *nodes, uint32_t cpu)
{
    return cpu < CORES_MAX ? nodes->node[cpu] : 0;
}

uint32_t core_ccx(const struct core_nodes *nodes, uint32_t cpu)
{
    return cpu < CORES_MAX ? nodes->ccx[cpu] : 0;
}

/* Reads up to four digits, without the blanks and signs that sscanf() would skip. */
static bool read_number(const char **text, unsigned *ret)
{
    int end = 0;

    if (!isdigit((unsigned char)**text) || sscanf(*text, "%4u%n", ret, &end) != 1)
        return false;
    *text += end;
    return true;
}

bool core_list_read(struct core_list *list, const char *text)
{
    *list = (struct core_list){0};
    for (;;) {
        unsigned first, last;

        if (!read_number(&text, &first))
            return false;
        last = first;
        if (*text == '-') {
            text++;
            if (!read_number(&text, &last))
                return false;
        }
        if (last < first || last >= CORES_MAX)
            return false;
        for (unsigned i = first; i <= last; i++)
            list->bits[i / 64] |= 1ull << (i % 64);
        if (*text == '\0')
            return true;
        if (*text++ != ',')
            return false;
    }
}

static bool is_in(const struct core_list *list, uint32_t number)
{
    return number < CORES_MAX && (list->bits[number / 64] >> (number % 64) & 1);
}

bool core_chosen(const struct core_choice *choice, uint32_t cpu, const struct core_nodes *nodes)
{
    return (!choice->core_text || is_in(&choice->cores, cpu)) &&
           (!choice->node_text || is_in(&choice->nodes, core_node(nodes, cpu)));
}
