/* SPDX-License-Identifier: BSD-2-Clause */
/* Questions about other cores than the boot core (core/hardware/hardware_cores_rows.h), by the passes of
 * hardware_passes.c. */
#include "app/hardware/hardware.h"

#include "core/family/ibs_regs.h"
#include "drivers/cpu/apic.h"

enum {
    APART_US = 10,
    FCW_START = 0x37F,    /* UEFI specification 2.3.4 promises both, */
    MXCSR_START = 0x1F80, /* only for the boot core */
};
/* drivers/cores/core_state.c: bits that prevent x87 or SSE, and bits that they need */
#define CR0_EM_TS 0xCull
#define CR4_SSE   0x600ull

static unsigned others(const struct hardware *hardware)
{
    return hardware->run->passes.cores - 1;
}

/* Returns the number of cores for which 'is' holds; *ret_first is the first such core, or the first of all. */
static unsigned how_many(const struct hardware *hardware, bool (*is)(const struct hardware_core *),
                         const struct hardware_core **ret_first)
{
    unsigned n = 0;

    *ret_first = &hardware->cores.core[1];
    for (unsigned i = others(hardware); i; i--) {
        if (!is(&hardware->cores.core[i]))
            continue;
        *ret_first = &hardware->cores.core[i];
        n++;
    }
    return n;
}

/* Here a failed pass is the answer. */
void hardware_ask_cores_come_back(struct hardware *hardware)
{
    if (!hardware_cores_run(hardware))
        return;
    if (hardware->cores.good)
        hardware_found(hardware, true, "%u passes on each of %u cores: all came back", hardware->cores.passes,
                       others(hardware) + 1);
    else
        hardware_found(hardware, false, "%s", hardware->cores.why);
}

static uint64_t size_of(int64_t value)
{
    return value < 0 ? -(uint64_t)value : (uint64_t)value;
}

void hardware_ask_tsc_of_cores(struct hardware *hardware)
{
    const struct hardware_cores *cores = hardware_cores(hardware);
    uint64_t khz = hardware->run->machine->tsc_khz, most = 0, width = 0, drift = 0;
    bool same = true;

    if (!cores)
        return;
    for (unsigned i = 1; i <= others(hardware); i++) {
        const struct clocks *first = &cores->core[i].first, *last = &cores->core[i].last;
        uint64_t apart = size_of(first->ahead), more = size_of(last->ahead - first->ahead);

        if (!first->known || !last->known) {
            hardware_cannot(hardware, "core %u had no answer from the boot core", hardware->run->passes.core[i].cpu);
            return;
        }
        same = same && apart <= first->width / 2 + APART_US * khz / 1000 &&
               more <= (first->width + last->width) / 2 + APART_US * khz / 1000;
        most = apart > most ? apart : most;
        drift = more > drift ? more : drift;
        width = first->width > width ? first->width : width;
        width = last->width > width ? last->width : width;
    }
    if (hardware->model)
        hardware_cannot(hardware, "each core of a model has its own time while it is not stepped; %s us apart",
                        figure(most * 1000, khz, 1).text);
    else
        hardware_found(hardware, same, "at most %s us apart, measured to %s us; %s ms later %s us more",
                       figure(most * 1000, khz, 1).text, figure(width * 500, khz, 1).text,
                       figure(cores->between, khz, 0).text, figure(drift * 1000, khz, 1).text);
}

static bool differs(int by_others, uint32_t by_itself)
{
    return by_others != NODE_UNKNOWN && by_others != (int)by_itself;
}

static bool on_another_node(const struct hardware_core *core)
{
    return differs(core->listed, core->node) || differs(core->table, core->node);
}

void hardware_ask_node_of_core(struct hardware *hardware)
{
    const struct hardware_cores *cores = hardware_cores(hardware);
    const struct hardware_core *first;
    unsigned n;

    if (!cores)
        return;
    if (hardware->run->machine->nodes.count < 2) {
        hardware_cannot(hardware, "there is one node");
        return;
    }
    n = how_many(hardware, on_another_node, &first);
    hardware_found(hardware, !n,
                   "%u of %u other cores differ; the first is on node %u by its own register, %d by the list of "
                   "cores, %d by SRAT (-1: unknown)",
                   n, others(hardware), first->node, first->listed, first->table);
}

static bool leaf_differs(const struct hardware_core *core)
{
    return core->leaf != core->table;
}

void hardware_ask_node_by_cpuid(struct hardware *hardware)
{
    const struct hardware_cores *cores = hardware_cores(hardware);
    const struct hardware_core *first;
    unsigned n;

    if (!cores)
        return;
    n = how_many(hardware, leaf_differs, &first);
    if (first->leaf == NODE_UNKNOWN || first->table == NODE_UNKNOWN)
        hardware_cannot(hardware, first->leaf == NODE_UNKNOWN ? "CPUID has no leaf 8000_001E"
                                                              : "ACPI's SRAT names no node for the core");
    else
        hardware_found(hardware, !n, "%u of %u other cores differ; the first is on %d by CPUID, on %d by SRAT", n,
                       others(hardware), first->leaf, first->table);
}

static bool is_lifted(const struct hardware_core *core)
{
    return core->apic_id != core->cpuid_id;
}

/* Includes the boot core, whose ID firmware may lift alone or leave alone. */
void hardware_ask_apic_ids(struct hardware *hardware)
{
    const struct hardware_cores *cores = hardware_cores(hardware);
    const struct hardware_core *first, *boot;
    unsigned n;

    if (!cores)
        return;
    boot = &cores->core[0];
    if (!boot->ids_known) {
        hardware_cannot(hardware, "the APIC's registers cannot be reached");
        return;
    }
    n = how_many(hardware, is_lifted, &first) + is_lifted(boot);
    hardware_found(hardware, !n, "%u of %u cores differ; APIC 20h and CPUID: boot core %x, %x, another %x, %x", n,
                   others(hardware) + 1, boot->apic_id, boot->cpuid_id, first->apic_id, first->cpuid_id);
}

void hardware_ask_ibs_control_of_node(struct hardware *hardware)
{
    const struct hardware_cores *cores = hardware_cores(hardware);
    const struct machine *machine = hardware->run->machine;
    uint32_t least = UINT32_MAX;
    bool same = true;

    if (!cores)
        return;
    if (!machine->ibs) {
        hardware_cannot(hardware, "there is no IBS");
        return;
    }
    for (unsigned i = 0; i <= others(hardware); i++) {
        same = same && cores->core[i].control == cores->core[0].control;
        least = cores->core[i].samples < least ? cores->core[i].samples : least;
    }
    hardware_found(hardware, same && least && cores->nb_cfg == 1 && cores->f3x1cc == machine->nodes.count,
                   "C001_103A %lx%s; NB_CFG set %u times, F3x1CC %u, on %u node%s; at least %u samples per core",
                   cores->core[0].control, same ? " on all cores" : ", and another value on others", cores->nb_cfg,
                   cores->f3x1cc, machine->nodes.count, machine->nodes.count == 1 ? "" : "s", least);
}

static bool in_another_state(const struct hardware_core *core)
{
    return core->state.fcw != FCW_START || core->state.mxcsr != MXCSR_START || core->state.cr0 & CR0_EM_TS ||
           (core->state.cr4 & CR4_SSE) != CR4_SSE;
}

void hardware_ask_state_of_cores(struct hardware *hardware)
{
    const struct hardware_core *first;
    unsigned n;

    if (!hardware_cores(hardware))
        return;
    n = how_many(hardware, in_another_state, &first);
    hardware_found(hardware, !n, "%u of %u other cores in another state; FCW %x, MXCSR %x, CR0 %lx, CR4 %lx", n,
                   others(hardware), first->state.fcw, first->state.mxcsr, first->state.cr0, first->state.cr4);
}

static bool is_refused(const struct hardware_core *core)
{
    return core->start.status;
}

static bool is_own(const struct hardware_core *core)
{
    return core->start.own;
}

void hardware_ask_start_this_ap(struct hardware *hardware)
{
    const struct hardware_core *refused, *own_start;
    unsigned n, owned;

    if (!hardware_cores(hardware))
        return;
    n = how_many(hardware, is_refused, &refused);
    owned = how_many(hardware, is_own, &own_start);
    if (owned && !n)
        hardware_cannot(hardware, "the firmware was not asked: it has no MP Services, or core_start=own");
    else
        hardware_found(hardware, !n, "%u of %u other cores refused, with EFI_STATUS %lx", n, others(hardware),
                       refused->start.status);
}

static bool is_switched_off(const struct hardware_core *core)
{
    return core->svr_off;
}

void hardware_ask_svr_other_cores(struct hardware *hardware)
{
    const struct hardware_core *first;
    unsigned n;

    if (!hardware_cores(hardware))
        return;
    n = how_many(hardware, is_switched_off, &first);
    hardware_found(hardware, !n, "off on %u of %u other cores", n, others(hardware));
}

static bool stays_masked(const struct hardware_core *core)
{
    return core->off_tried && core->off_entry & APIC_LVT_MASKED;
}

static bool is_untried(const struct hardware_core *core)
{
    return !core->off_tried;
}

void hardware_ask_svr_off_masks(struct hardware *hardware)
{
    const struct hardware_core *first;
    unsigned n;

    if (!hardware_cores(hardware))
        return;
    if (how_many(hardware, is_untried, &first)) {
        hardware_cannot(hardware, "the APIC's registers cannot be reached");
        return;
    }
    n = how_many(hardware, stays_masked, &first);
    hardware_found(hardware, n == others(hardware), "510h stayed masked on %u of %u other cores; it read %x", n,
                   others(hardware), hardware->cores.core[1].off_entry);
}

/* Returns true if the firmware started the core, so nothing is known. */
static bool by_firmware(struct hardware *hardware)
{
    const struct hardware_core *first;
    bool none = !how_many(hardware, is_own, &first);

    if (none)
        hardware_cannot(hardware, "the firmware started the cores; core_start=own answers this");
    return none;
}

void hardware_ask_own_start(struct hardware *hardware)
{
    const struct hardware_core *first;

    if (hardware->cores.silent)
        hardware_found(hardware, false, "%s", hardware->cores.why);
    else if (hardware_cores(hardware) && !by_firmware(hardware))
        hardware_found(hardware, true, "%u of %u other cores", how_many(hardware, is_own, &first), others(hardware));
}

static bool has_other_types(const struct hardware_core *core)
{
    return core->start.set || core->start.wrong;
}

void hardware_ask_own_start_types(struct hardware *hardware)
{
    const struct hardware_core *first;
    unsigned n;

    if (!hardware_cores(hardware) || by_firmware(hardware))
        return;
    n = how_many(hardware, has_other_types, &first);
    hardware_found(hardware, !n, "%u of %u other cores; on the first %u registers were set, and %u still differ", n,
                   others(hardware), first->start.set, first->start.wrong);
}
