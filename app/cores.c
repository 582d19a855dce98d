/* SPDX-License-Identifier: BSD-2-Clause */
#include "app/cores.h"

#include "core/str.h"

/* A number below 'end' from *at on; *at is then after the number. */
static bool read_number(const char **at, uint32_t end, uint32_t *ret_number)
{
    const char *start = *at;

    for (*ret_number = 0; **at >= '0' && **at <= '9' && *ret_number < end; ++*at)
        *ret_number = *ret_number * 10 + (uint32_t)(**at - '0');
    return *at > start && *ret_number < end;
}

static bool read_range(const char **at, uint32_t end, uint64_t *mask)
{
    uint32_t first, last;

    if (!read_number(at, end, &first))
        return false;
    last = first;
    if (**at == '-') {
        ++*at;
        if (!read_number(at, end, &last) || last < first)
            return false;
    }
    for (uint32_t core = first; core <= last; core++)
        *mask |= 1ull << core;
    return true;
}

static bool read_list(const char *at, uint32_t count, uint64_t *mask)
{
    *mask = 0;
    do {
        if (!read_range(&at, count, mask))
            return false;
    } while (*at++ == ',');
    return at[-1] == '\0';
}

/* The boot core is the one that probed. */
static int node_of(struct firmware *fw, const struct machine *machine, uint32_t core)
{
    uint32_t id = machine->nodes.boot_apic_id;

    if (machine->nodes.count < 2)
        return 0;
    if (core && fw->core_apic_id(fw, core, &id) != FIRMWARE_OK)
        return NODE_UNKNOWN;
    return (int)nodes_of_core(machine, id);
}

bool cores_read(struct cores *cores, const char *text, struct firmware *fw, const struct machine *machine,
                struct out *problems)
{
    uint32_t count = 1;
    uint64_t mask, allowed;
    bool all = str_equal(text, "all"), alone = str_equal(text, "0"); /* there are others, or not: nobody is asked */
    enum firmware_error error = alone ? FIRMWARE_OK : fw->count_cores(fw, &count);

    if (count > GANG_MEMBERS)
        count = GANG_MEMBERS;
    allowed = count == GANG_MEMBERS ? ~0ull : (1ull << count) - 1;
    *cores = (struct cores){0};
    if (all) {
        if (error)
            out_printf(problems, "cores = all: %s;\nthis run is on the boot core alone\n", firmware_error_text(error));
        mask = allowed;
    } else if (!read_list(text, GANG_MEMBERS, &mask)) {
        out_printf(problems, "cores = %s: not 'all', nor a list such as 0,2-3 of cores below %u\n", text, GANG_MEMBERS);
        return false;
    }
    if (mask & ~allowed) {
        if (error)
            out_printf(problems, "cores = %s: %s\n", text, firmware_error_text(error));
        else
            out_printf(problems, "cores = %s: the firmware names %u, from 0 to %u\n", text, count, count - 1);
        return false;
    }
    cores->boot_node = node_of(fw, machine, 0);
    for (uint32_t core = 0; core < GANG_MEMBERS; core++) {
        if (!(mask >> core & 1))
            continue;
        cores->node[cores->count] = node_of(fw, machine, core);
        cores->core[cores->count++] = core;
    }
    return true;
}

unsigned cores_of_a_node(const struct cores *cores)
{
    unsigned most = 0;

    for (unsigned i = 0; i < cores->count; i++) {
        unsigned together = 0;

        for (unsigned k = 0; k < cores->count; k++)
            together += cores->node[k] == cores->node[i] || cores->node[k] == NODE_UNKNOWN;
        most = together > most ? together : most;
    }
    return most;
}
