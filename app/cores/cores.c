/* SPDX-License-Identifier: BSD-2-Clause */
#include "app/cores/cores.h"

#include "core/base/str.h"

/* Reads a number below 'end' from *at, and moves *at past its digits. */
static bool read_number(const char **at, uint32_t end, uint32_t *ret_number)
{
    const char *start = *at;

    for (*ret_number = 0; **at >= '0' && **at <= '9' && *ret_number < end; ++*at)
        *ret_number = *ret_number * 10 + (uint32_t)(**at - '0');
    return *at > start && *ret_number < end;
}

static bool read_range(const char **at, uint32_t end, struct cores_set *set)
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
        cores_set_add(set, core);
    return true;
}

static bool read_list(const char *at, uint32_t count, struct cores_set *set)
{
    do {
        if (!read_range(&at, count, set))
            return false;
    } while (*at++ == ',');
    return at[-1] == '\0';
}

enum share { SHARE_NOTHING, SHARE_CORE, SHARE_COMPLEX, SHARE_PROCESSOR }; /* unit that gives one core */

static const struct {
    const char *text;
    enum share share;
} words[] = {{"all", SHARE_NOTHING}, {"first-threads", SHARE_CORE}, {"one-per-ccx", SHARE_COMPLEX}};

static const enum share *share_of(const char *text)
{
    for (unsigned i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        if (str_equal(text, words[i].text))
            return &words[i].share;
    return NULL;
}

bool cores_understood(const char *text)
{
    struct cores_set set = {0};

    return share_of(text) || read_list(text, CORES_MAX, &set);
}

void cores_refuse(struct out *out, const char *text)
{
    out_printf(out, "cores = %s: neither all, first-threads, one-per-ccx, nor a list such as 0,2-3 of cores below %u\n",
               text, CORES_MAX);
}

/* Reads the IDs of all cores that the firmware lists; the boot core's is CPUID's if the firmware does not say. */
static struct nodes_ids ids_of(struct firmware *fw, const struct machine *machine, uint32_t count)
{
    struct nodes_ids ids = {.boot = machine->nodes.boot_apic_id, .least = UINT32_MAX};
    uint32_t id;

    if ((count > 1 || machine->nodes.srat) && fw->core_apic_id(fw, 0, &id) == FIRMWARE_OK)
        ids.boot = id;
    for (uint32_t core = 1; core < count; core++) {
        if (fw->core_apic_id(fw, core, &id) != FIRMWARE_OK)
            continue;
        ids.least = id < ids.least ? id : ids.least;
        ids.most = id > ids.most ? id : ids.most;
    }
    return ids;
}

/* Returns a core's node; the boot core did the probing, so its node is CPUID's unless ACPI's table names it. */
static int node_of(struct firmware *fw, const struct machine *machine, const struct nodes_ids *ids, uint32_t core)
{
    const struct nodes *nodes = &machine->nodes;
    uint32_t id = ids->boot;

    if (nodes->count < 2)
        return 0;
    if (!core)
        return nodes_of_listed(machine, nodes->srat ? id : nodes->boot_apic_id, 0);
    return fw->core_apic_id(fw, core, &id) == FIRMWARE_OK ? nodes_of_listed(machine, id, nodes_lift(machine, ids))
                                                          : NODE_UNKNOWN;
}

/* Finds the number of a thread's core, processor or core complex. The number is the node's if CPUID does not report
 * complexes, because an L3 is then the node's, and for a processor before Zen, whose IDs may be lifted. */
static bool number_of(struct firmware *fw, const struct machine *machine, const struct nodes_ids *ids, uint32_t core,
                      enum share share, uint32_t *ret_number)
{
    uint32_t id = machine->nodes.boot_apic_id;

    if (fw->core_apic_id(fw, core, &id) != FIRMWARE_OK && core)
        return false;
    if (share == SHARE_CORE)
        *ret_number = topology_core(&machine->topology, id);
    else if (share == SHARE_PROCESSOR && machine_zen(machine))
        *ret_number = id >> machine->core_bits;
    else if (share == SHARE_COMPLEX && machine->topology.sharers)
        *ret_number = topology_complex(&machine->topology, id);
    else
        *ret_number = (uint32_t)node_of(fw, machine, ids, core);
    return true;
}

/* Adds the first core of each such number. */
static bool add_first_of_each(struct cores_set *set, enum share share, uint32_t count, struct firmware *fw,
                              const struct machine *machine, struct pool *pool, struct out *problems)
{
    const struct nodes_ids ids = machine->nodes.count > 1 ? ids_of(fw, machine, count) : (struct nodes_ids){0};
    uint32_t *number = pool_take(pool, count * sizeof(*number), POOL_PAGE, "the numbers of cores", problems);

    for (uint32_t core = 0, before = 0; number && core < count; core++, before = 0) {
        if (!number_of(fw, machine, &ids, core, share, &number[core])) {
            out_printf(problems, "The firmware does not say which APIC id core %u has: name cores by a list.\n", core);
            return false;
        }
        while (number[before] != number[core])
            before++;
        if (before == core)
            cores_set_add(set, core);
    }
    return number;
}

static void tell_of_others(uint32_t count, const struct firmware *fw, struct out *problems)
{
    if (count > CORES_MAX)
        out_printf(problems, "This machine has %u cores, of which this program uses the first %u.\n", count, CORES_MAX);
    if (fw->unreached)
        out_printf(problems, "%u more cores have APIC IDs above 254, which only x2APIC mode reaches: not used.\n",
                   fw->unreached);
}

static uint32_t members(const struct cores_set *set, uint32_t *ret_last)
{
    uint32_t count = 0;

    for (uint32_t core = 0; core < CORES_MAX; core++) {
        if (!cores_set_has(set, core))
            continue;
        *ret_last = core;
        count++;
    }
    return count;
}

/* Fills the list; there: number of cores that the firmware lists. */
static bool take(struct cores *cores, const struct cores_set *set, uint32_t count, uint32_t there, struct firmware *fw,
                 const struct machine *machine, struct pool *pool, struct out *problems)
{
    const struct nodes_ids ids = machine->nodes.count > 1 ? ids_of(fw, machine, there) : (struct nodes_ids){0};

    *cores = (struct cores){.boot_node = node_of(fw, machine, &ids, 0)};
    cores->core = pool_take(pool, count * (3 * sizeof(*cores->core) + sizeof(*cores->node)), POOL_PAGE,
                            "the list of chosen cores", problems);
    if (!cores->core)
        return false;
    cores->complex = cores->core + count;
    cores->processor = cores->complex + count;
    cores->node = (int *)(cores->processor + count);
    for (uint32_t core = 0; core < CORES_MAX; core++) {
        if (!cores_set_has(set, core))
            continue;
        cores->node[cores->count] = node_of(fw, machine, &ids, core);
        cores->core[cores->count++] = core;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (count == 1 || !number_of(fw, machine, &ids, cores->core[i], SHARE_COMPLEX, &cores->complex[i]))
            cores->complex[i] = COMPLEX_UNKNOWN;
        if (count == 1 || !number_of(fw, machine, &ids, cores->core[i], SHARE_PROCESSOR, &cores->processor[i]))
            cores->processor[i] = PROCESSOR_UNKNOWN;
    }
    return true;
}

bool cores_read(struct cores *cores, const char *text, struct firmware *fw, const struct machine *machine,
                struct pool *pool, struct out *problems)
{
    struct cores_set set = {0};
    uint32_t count = 1, chosen, last = 0;
    const enum share *share = share_of(text);
    bool alone = str_equal(text, "0"); /* without others, the firmware is not asked */
    enum firmware_error error = alone ? FIRMWARE_OK : fw->count_cores(fw, &count);

    if (!error && !alone)
        tell_of_others(count, fw, problems);
    if (count > CORES_MAX)
        count = CORES_MAX;
    if (share) {
        if (error)
            out_printf(problems, "cores = %s: %s;\nthis run is on the boot core alone\n", text,
                       firmware_error_text(error));
        for (uint32_t core = 0; *share == SHARE_NOTHING && core < count; core++)
            cores_set_add(&set, core);
        if (*share != SHARE_NOTHING && !add_first_of_each(&set, *share, count, fw, machine, pool, problems))
            return false;
    } else if (!read_list(text, CORES_MAX, &set)) {
        cores_refuse(problems, text);
        return false;
    }
    chosen = members(&set, &last);
    if (last >= count) {
        if (error)
            out_printf(problems, "cores = %s: %s\n", text, firmware_error_text(error));
        else
            out_printf(problems, "cores = %s: the firmware names %u, from 0 to %u\n", text, count, count - 1);
        return false;
    }
    return take(cores, &set, chosen, count, fw, machine, pool, problems);
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
