/* SPDX-License-Identifier: BSD-2-Clause */
#include "app/report/report_silicon.h"

#include "app/base/sentence.h"
#include "core/base/wrap.h"
#include "core/platform/memory_type.h"
#include "core/run/facts.h"

enum {
    LABEL = 14,    /* columns of a line's label */
    PAT_ENTRY = 0, /* chosen by page tables: drivers/cpu/paging.c for the arena, UEFI for code */
};

/* ---------------------------------------------------------------- the machine */

static void report_clocks(struct out *out, const struct silicon *silicon)
{
    uint32_t p0 = silicon_p0_mhz(silicon), nb = silicon_nb_mhz(silicon);

    if (!p0)
        return;
    out_printf(out, "Clocks        P0 %u MHz", p0);
    if (silicon_boosted(silicon) && silicon_pstate_mhz(silicon, 0))
        out_printf(out, ", boosted %u MHz", silicon_pstate_mhz(silicon, 0));
    if (nb)
        out_printf(out, ", northbridge %u MHz", nb);
    out_printf(out, "\n");
}

/* Returns a byte of a register. */
static unsigned byte_of(const struct silicon *silicon, enum silicon_register row, unsigned byte)
{
    return silicon->value[row] >> 8 * byte & 0xFF;
}

/* Prints CPPC's levels; their bytes are in core/platform/silicon_rows.h; nominal, in 23:16 of the first: Linux
 * arch/x86/include/asm/msr-index.h, AMD_CPPC_NOMINAL_PERF_MASK. */
static void report_cppc(struct out *out, const struct silicon *silicon)
{
    enum silicon_register levels = SILICON_CPPC_CAP1, request = SILICON_CPPC_REQUEST;

    if (!silicon_has(silicon, levels))
        return;
    out_printf(out, "CPPC          levels %u to %u, nominal %u", byte_of(silicon, levels, 0),
               byte_of(silicon, levels, 3), byte_of(silicon, levels, 2));
    if (silicon_has(silicon, request))
        out_printf(out, "; asked for: %u to %u, desired %u", byte_of(silicon, request, 1), byte_of(silicon, request, 0),
                   byte_of(silicon, request, 2));
    out_printf(out, "\n");
}

/* Prints only an unexpected TSC. */
static void report_tsc(struct out *out, const struct machine *machine)
{
    if (machine->tsc_told && !machine->tsc_invariant) {
        out_printf(out, "%-*s", LABEL, "Note");
        wrap_text(out,
                  "CPUID 8000_0007h EDX[8] is clear: the TSC may change its rate, or stop, with power states. Times in "
                  "ns use the rate that was measured at the start.",
                  LABEL, LABEL, SENTENCE_LINE);
    }
    if (!silicon_agrees(&machine->silicon, machine->tsc_khz))
        sentence(out,
                 "WARNING: the TSC counts at %lu MHz and P0 is %u MHz (by its register, MSRC001_0064 or the next): "
                 "either the measured rate is wrong, or the TSC does not count at P0's rate. Clocks by the TSC are not "
                 "core clocks.",
                 machine->tsc_khz / 1000, silicon_p0_mhz(&machine->silicon));
}

static void report_switches(struct out *out, const struct silicon *silicon, bool off, const char *label)
{
    char text[SENTENCE_MAX + 1];
    struct out_memory names;
    unsigned count = 0;

    out_memory_init(&names, text, sizeof(text));
    for (unsigned i = 0; i < SILICON_SWITCHES; i++) {
        const struct silicon_switch *one = &silicon_switches[i];

        if (one->off == off && silicon_has(silicon, one->row) && silicon->value[one->row] & one->mask)
            out_printf(&names.out, "%s%s", count++ ? ", " : "", one->name);
    }
    if (!count)
        return;
    out_printf(out, "%-*s", LABEL, label);
    wrap_text(out, text, LABEL, LABEL, SENTENCE_LINE);
}

void report_silicon(struct out *out, const struct machine *machine)
{
    const struct silicon *silicon = &machine->silicon;

    if (!machine_has_l3(machine))
        out_printf(out, "L3            none: lines that miss an L2 come from memory or from another core\n");
    if (silicon_has(silicon, SILICON_PATCH_LEVEL))
        out_printf(out, "Microcode     %lxh\n", silicon->value[SILICON_PATCH_LEVEL]);
    report_clocks(out, silicon);
    report_cppc(out, silicon);
    report_switches(out, silicon, false, "Left on");
    report_switches(out, silicon, true, "Prefetch off");
    report_tsc(out, machine);
    for (unsigned i = 0; i < silicon_remark_count; i++) {
        if (!silicon_remark_applies(silicon, &silicon_remarks[i]))
            continue;
        out_printf(out, "%-*s", LABEL, "Note");
        wrap_text(out, silicon_remarks[i].says, LABEL, LABEL, SENTENCE_LINE);
    }
    if (machine->probe_not_restored)
        sentence(out, "FAIL: reading the registers left %u of them changed: NB_CFG or port CF8h.",
                 machine->probe_not_restored);
}

/* ---------------------------------------------------------------- the run */

static enum memory_type arena_type(const struct passes_core *core)
{
    const struct paging_plan *paging = &core->plan.place.paging;

    return memory_type_of(&core->silicon, paging->physical, paging->size, PAT_ENTRY);
}

static enum memory_type text_type(const struct run *run, const struct passes_core *core)
{
    return memory_type_of(&core->silicon, run->image->base + run->image->text_rva, run->image->text_size, PAT_ENTRY);
}

static void warn(struct out *out, const char *what, const struct passes_core *core, enum memory_type type)
{
    if (type == MEMORY_WB || type == MEMORY_UNKNOWN)
        return;
    sentence(
        out,
        "WARNING: the memory type of the %s is %s on core %u, not WB: the firmware's MTRRs say so. The caches serve "
        "none or only a part of it, so figures of memory differ from those of a machine whose memory is all WB.",
        what, memory_type_name(type), core->cpu);
}

/* Prints the names of registers that differ from the boot core's. */
static void report_differences(struct out *out, const struct run *run, const struct passes_core *core)
{
    char text[SENTENCE_MAX + 1];
    struct out_memory names;
    unsigned count = 0;

    out_memory_init(&names, text, sizeof(text));
    for (unsigned row = 0; row < SILICON_PCI_FIRST; row++)
        if (silicon_rows[row].varies == SILICON_STAYS && silicon_differs(&run->machine->silicon, &core->silicon, row))
            out_printf(&names.out, "%s%s", count++ ? ", " : "", silicon_rows[row].name);
    if (count)
        sentence(out, "NOTE: core %u is not set up like the boot core: %s (values in run.ini).", core->cpu, text);
}

static void report_usb(struct out *out, const struct usb_legacy *usb)
{
    out_printf(out, "USB legacy    SMIs off during the run: %u registers of %u controllers", usb->off,
               usb->controllers);
    if (usb->unreached)
        out_printf(out, ", %u not reached", usb->unreached);
    out_printf(out, "\n");
}

/* Prints what the settings changed; nothing if all is as firmware left it. */
static void report_power(struct out *out, const struct run *run)
{
    static const char *const boosts[] = {[POWER_BOOST_OFF] = "off", [POWER_BOOST_ON] = "on"};
    const struct power_plan *power = &run->passes.core[0].plan.place.power;
    const struct silicon *silicon = &run->machine->silicon;
    uint32_t mhz = silicon_pstate_mhz(silicon, silicon_boosted(silicon) + power->pstate);

    if (power->pin)
        out_printf(out, "P-state       %u during the run", power->pstate);
    if (power->pin && mhz)
        out_printf(out, " (%u MHz)", mhz);
    if (power->pin)
        out_printf(out, "\n");
    if (power->boost)
        out_printf(out, "Boost         %s during the run\n", boosts[power->boost]);
    if (power->cppc)
        out_printf(out, "CPPC          level %u during the run\n", power->cppc);
    if (power->erratum_721)
        out_printf(out, "Erratum 721   DE_CFG[0] set during the run\n");
    if (run->passes.core[0].plan.place.usb_off)
        report_usb(out, &run->passes.core[0].result.usb);
}

void report_memory_types(struct out *out, const struct run *run)
{
    const struct passes_core *first = &run->passes.core[0];

    report_power(out, run);
    if (arena_type(first) == MEMORY_UNKNOWN)
        return;
    out_printf(out, "Memory type   %s; of the program's code %s\n", memory_type_name(arena_type(first)),
               memory_type_name(text_type(run, first)));
    for (unsigned i = 0; i < run->passes.cores; i++) {
        const struct passes_core *core = &run->passes.core[i];

        if (core->lost)
            continue;
        warn(out, "workload's memory", core, arena_type(core));
        warn(out, "program's code", core, text_type(run, core));
        report_differences(out, run, core);
    }
}

/* ---------------------------------------------------------------- run.ini */

static void save_value(struct out *out, const struct silicon *silicon, unsigned row)
{
    out_printf(out, " ");
    silicon_write_value(out, silicon, row);
    out_printf(out, "\n");
}

static void save_nodes(struct out *out, const struct machine *machine)
{
    for (unsigned node = 0; node < NODES_PCI; node++) {
        struct silicon silicon = machine->silicon;

        for (unsigned i = 0; i < SILICON_PCI_ROWS; i++) {
            unsigned row = SILICON_PCI_FIRST + i;

            silicon.value[row] = machine->node_silicon[node].value[i];
            silicon.state[row] = machine->node_silicon[node].state[i];
            if (!silicon_differs(&machine->silicon, &silicon, row))
                continue;
            fact_begin(out, FACT_NODE_SILICON, node, silicon_rows[row].name);
            save_value(out, &silicon, row);
        }
    }
}

static void save_core(struct out *out, const struct run *run, const struct passes_core *core)
{
    for (unsigned row = 0; row < SILICON_PCI_FIRST; row++) {
        if (!silicon_differs(&run->machine->silicon, &core->silicon, row))
            continue;
        fact_begin(out, FACT_CORE_SILICON, core->cpu, silicon_rows[row].name);
        save_value(out, &core->silicon, row);
    }
    if (arena_type(core) != MEMORY_UNKNOWN)
        fact_text(out, FACT_CORE_ARENA_TYPE, memory_type_name(arena_type(core)), core->cpu);
}

void save_silicon_facts(struct out *out, const struct run *run)
{
    const struct machine *machine = run->machine;
    const struct passes_core *first = &run->passes.core[0];

    for (unsigned row = 0; row < SILICON_ROWS; row++) {
        if (!machine->silicon.state[row])
            continue;
        fact_begin(out, FACT_REGISTER, silicon_rows[row].name);
        save_value(out, &machine->silicon, row);
    }
    save_nodes(out, machine);
    if (arena_type(first) == MEMORY_UNKNOWN)
        return;
    fact_text(out, FACT_ARENA_TYPE, memory_type_name(arena_type(first)));
    fact_text(out, FACT_TEXT_TYPE, memory_type_name(text_type(run, first)));
    for (unsigned i = 1; i < run->passes.cores; i++)
        if (!run->passes.core[i].lost)
            save_core(out, run, &run->passes.core[i]);
}
