/* SPDX-License-Identifier: BSD-2-Clause */
/* Passes on all cores, for questions about other cores (hardware_cores.c). Each is a session on every core at once,
 * with the limits of a run with cores=all; a core that does not return ends them. */
#include "app/hardware/hardware.h"

#include "app/base/physical.h"
#include "core/family/ibs_regs.h"
#include "core/platform/topology.h"
#include "drivers/cpu/apic.h"
#include "drivers/machine/pci.h"

enum {
    PASSES = 16,
    LOOPS = 4000,
    PERIOD = 1024,
    QUESTIONS = 32,
    ANSWER_MS = 200,
};

static struct hardware_core *core_of(const struct passes_core *core)
{
    return core->own;
}

static uint64_t answer_ticks(const struct run *run)
{
    return ANSWER_MS * run->machine->tsc_khz;
}

static void finish(void *argument, uint64_t arena)
{
    struct passes_core *core = argument;

    (void)arena;
    core->finished = core->correct = true;
}

/* AMD APM vol. 3, CPUID Fn8000_001E: the node is ECX[7:0], where Fn8000_0001 ECX[22] is set. */
static int node_leaf(const struct machine *machine)
{
    struct cpu_cpuid r;

    if (machine->max_extended_leaf < CPUID_LEAF_CORE || !(machine->extended_ecx & CPUID_EXT_ECX_TOPOLOGY))
        return NODE_UNKNOWN;
    cpu_cpuid(CPUID_LEAF_CORE, 0, &r);
    return r.ecx & 0xFF;
}

/* Runs before any core has restored anything. */
static void end_sampled(void *argument, uint64_t arena)
{
    struct hardware_core *core = core_of(argument);
    const struct machine *machine = core->hardware->run->machine;
    uint64_t apic;

    (void)arena;
    (void)trial_read(MSR_IBS_CONTROL, &core->control);
    core->leaf = node_leaf(machine);
    core->cpuid_id = machine_apic_id();
    core->ids_known = !apic_find(machine->apic_msr, &apic);
    if (core->ids_known)
        core->apic_id = apic_own_id(apic);
}

static void sampled_body(void *argument, uint64_t arena)
{
    (void)argument;
    (void)arena;
    for (volatile uint32_t n = 0; n < LOOPS; n = n + 1)
        ;
}

static void empty_body(void *argument, uint64_t arena)
{
    (void)argument;
    (void)arena;
}

/* Compares clocks; the boot core answers one core after the other. */
static void compare_clocks(struct passes_core *core, struct clocks *(*of)(struct hardware_core *))
{
    const struct run *run = core_of(core)->hardware->run;
    const struct passes *passes = &run->passes;

    if (core != passes->core) {
        clocks_ask(of(core_of(core)), QUESTIONS, answer_ticks(run) * passes->cores);
        return;
    }
    for (unsigned i = 1; i < passes->cores; i++)
        clocks_answer(of(core_of(&passes->core[i])), answer_ticks(run));
}

static struct clocks *first_of(struct hardware_core *core)
{
    return &core->first;
}

static struct clocks *last_of(struct hardware_core *core)
{
    return &core->last;
}

static void first_body(void *argument, uint64_t arena)
{
    (void)arena;
    compare_clocks(argument, first_of);
}

static void last_body(void *argument, uint64_t arena)
{
    (void)arena;
    compare_clocks(argument, last_of);
}

/* Runs on other cores: the boot core's APIC may have the firmware's next interrupt. After the measured part, because
 * that waits for a core no longer than the first one took. */
static void finish_off(void *argument, uint64_t arena)
{
    struct passes_core *core = argument;
    struct trial trial = {.machine = core->plan.place.machine,
                          .log = &core->result.restore,
                          .nmi = session_nmi(core->plan.place.workspace)};

    (void)apic_find(trial.machine->apic_msr, &trial.apic);
    if (core != core_of(core)->hardware->run->passes.core)
        core_of(core)->off_tried = trial_apic_off(&trial, &core_of(core)->off_entry);
    finish(argument, arena);
}

/* Returns the error of the first failed core; NULL: none failed. */
static const char *wrong_of(const struct passes_core *core)
{
    if (core->start_error)
        return firmware_error_text(core->start_error);
    if (core->lost)
        return gang_step_text(core->lost_at);
    return core->result.error ? session_error_text(core->result.error) : NULL;
}

static bool one_pass(struct hardware *hardware, const struct session_program *program,
                     const struct session_calls *calls)
{
    struct hardware_cores *cores = &hardware->cores;
    struct passes *passes = &hardware->run->passes;
    struct out_memory text;

    passes->run++;
    passes_run_cores(passes, program, calls, NULL);
    for (unsigned i = 0; i < passes->cores; i++) {
        const char *wrong = wrong_of(&passes->core[i]);

        if (!wrong)
            continue;
        out_memory_init(&text, cores->why, STEP_WHY);
        out_printf(&text.out, "pass %u, core %u: %s", passes->run, passes->core[i].cpu, wrong);
        cores->silent = passes->core[i].start_error == FIRMWARE_CORE_SILENT;
        return false;
    }
    cores->passes++;
    return true;
}

static int listed_node(const struct cores *cores, uint32_t cpu)
{
    for (uint32_t i = 0; i < cores->count; i++)
        if (cores->core[i] == cpu)
            return cores->node[i];
    return NODE_UNKNOWN;
}

/* Reads the table, which no other code reads on Family 10h. */
static const struct srat *find_srat(struct hardware *hardware)
{
    const struct run *run = hardware->run;
    struct srat *srat = &hardware->cores.srat;

    if (run->machine->nodes.srat)
        return run->machine->nodes.srat;
    return srat_find(&physical_mapped, run->fw->tables(run->fw, FIRMWARE_ACPI), srat) ? NULL : srat;
}

static void look(struct hardware *hardware)
{
    const struct srat *srat = find_srat(hardware);
    struct hardware_cores *cores = &hardware->cores;
    const struct passes *passes = &hardware->run->passes;

    for (unsigned i = 0; i < passes->cores; i++) {
        const struct passes_core *from = &passes->core[i];
        struct hardware_core *core = &cores->core[i];

        core->samples = (uint32_t)from->result.counts.recorded[SAMPLE_OP];
        core->state = from->result.state;
        core->node = from->result.node;
        core->listed = listed_node(&hardware->run->cores, from->cpu);
        core->table = srat && core->ids_known ? srat_node_of(srat, core->apic_id) : NODE_UNKNOWN;
        if (i)
            passes->fw->core_started(passes->fw, from->cpu, &core->start);
        for (uint32_t r = 0; r < from->result.restore.count; r++) {
            const struct restore_row *row = &from->result.restore.row[r];

            core->svr_off |= row->kind == RESTORE_MMIO && (row->address & 0xFFF) == APIC_SPURIOUS;
            cores->nb_cfg += row->kind == RESTORE_MSR && row->address == MSR_NB_CFG;
            cores->f3x1cc += row->kind == RESTORE_PCI && row->address == PCI_IBS_CONTROL;
        }
    }
}

static bool run_passes(struct hardware *hardware)
{
    const struct passes *passes = &hardware->run->passes;
    const struct session_program nothing = {0},
                                 sampled = {
                                     .ibs = {.op = hardware->run->machine->ibs, .op_period = PERIOD, .random = true}};
    const struct session_calls samples = {.body = sampled_body, .end = end_sampled, .finish = finish};
    const struct session_calls first = {.body = first_body, .finish = finish};
    const struct session_calls off = {.body = empty_body, .finish = finish_off};
    const struct session_calls empty = {.body = empty_body, .finish = finish};
    const struct session_calls last = {.body = last_body, .finish = finish};
    uint64_t from;

    for (unsigned i = 0; i < passes->cores; i++) {
        hardware->cores.core[i].hardware = hardware;
        passes->core[i].own = &hardware->cores.core[i];
    }
    if (!one_pass(hardware, &sampled, &samples))
        return false;
    look(hardware);
    if (!one_pass(hardware, &nothing, &first))
        return false;
    from = passes->result.tsc_start;
    if (!one_pass(hardware, &nothing, &off))
        return false;
    while (hardware->cores.passes < PASSES - 1)
        if (!one_pass(hardware, &nothing, &empty))
            return false;
    if (!one_pass(hardware, &nothing, &last))
        return false;
    hardware->cores.between = passes->result.tsc_start - from;
    return true;
}

bool hardware_cores_run(struct hardware *hardware)
{
    struct hardware_cores *cores = &hardware->cores;

    if (hardware->run->passes.cores < 2 || !hardware->run->passes.core[0].worker) {
        hardware_cannot(hardware, hardware->run->passes.cores < 2 ? "there is one core, or 'cores' names only one"
                                                                  : "'cores' leaves the boot core out");
        return false;
    }
    if (!cores->done) {
        hardware_note(hardware);
        cores->good = run_passes(hardware);
    }
    cores->done = true;
    return true;
}

const struct hardware_cores *hardware_cores(struct hardware *hardware)
{
    if (!hardware_cores_run(hardware))
        return NULL;
    if (hardware->cores.good)
        return &hardware->cores;
    hardware_cannot(hardware, "%s", hardware->cores.why);
    return NULL;
}
