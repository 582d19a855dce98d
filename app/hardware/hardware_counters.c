/* SPDX-License-Identifier: BSD-2-Clause */
/* Questions about the counters (core/hardware/hardware_counters_rows.h). */
#include "app/hardware/hardware.h"

#include "core/family/pmc_regs.h"

enum {
    THOUSAND = 1000,

};

/* Returns how often an event occurs in the step's workload by its row, less the count of an empty workload. */
static uint64_t known(const struct hardware_step *step, uint16_t select)
{
    for (unsigned i = 0; i < WORKLOAD_EXPECTED_MAX && step->workload->expected[i].select; i++)
        if (step->workload->expected[i].select == select)
            return workload_count(step->workload, i, step->params);
    return 0;
}

void hardware_ask_event_087(struct hardware *hardware)
{
    const struct hardware_step *step = hardware_counted(hardware, STEP_TIGHT_FETCH);

    if (step)
        hardware_found(hardware,
                       hardware_net(step, 2) > 4 * hardware_net(step, 3) &&
                           between(hardware_net(step, 3), hardware_net(step, 0), 0, 50),
                       "of 1000 cycles 087h counts %s, 0D0h %s",
                       figure(THOUSAND * hardware_net(step, 2), hardware_net(step, 0), 0).text,
                       figure(THOUSAND * hardware_net(step, 3), hardware_net(step, 0), 0).text);
}

void hardware_ask_invert_edge(struct hardware *hardware)
{
    const struct hardware_step *step = hardware_counted(hardware, STEP_TIGHT_FLAGS);

    if (step)
        hardware_found(hardware, between(step->count[1], step->count[0], 990, 1010) && step->count[2] < 100,
                       "0C1h %lu, 0C1h:i %lu, 076h:e %lu", step->count[0], step->count[1], step->count[2]);
}

void hardware_ask_drain_0d3(struct hardware *hardware)
{
    const struct hardware_step *step = hardware_counted(hardware, STEP_TIGHT_FETCH);

    if (step)
        hardware_found(hardware, hardware_net(step, 1) <= 100, "0D3h %lu cycles, %lu for an empty region",
                       step->count[1], step->empty[1]);
}

void hardware_ask_event_080_unit(struct hardware *hardware)
{
    const struct hardware_step *step = hardware_counted(hardware, STEP_ALU_FETCH);
    uint64_t passes;

    if (!step)
        return;
    passes = hardware_param(step, "iterations");
    hardware_found(hardware, between(hardware_net(step, 0), passes, 15000, 18500), "%s in a pass of 249 bytes",
                   figure(hardware_net(step, 0), passes, 2).text);
}

void hardware_ask_misaligned_in_040(struct hardware *hardware)
{
    const struct hardware_step *step = hardware_counted(hardware, STEP_MISALIGNED);
    uint64_t accesses, crossings;

    if (!step)
        return;
    accesses = known(step, 0x040);
    crossings = known(step, 0x047);
    hardware_found(hardware,
                   between(step->count[0], accesses, 990, 1010) && between(step->count[1], crossings, 990, 1010),
                   "040h %lu of %lu, 047h %lu of %lu", step->count[0], accesses, step->count[1], crossings);
}

void hardware_ask_refills_agree(struct hardware *hardware)
{
    const struct hardware_step *step = hardware_counted(hardware, STEP_REFILLS);

    if (step)
        hardware_found(hardware, between(step->count[0], step->count[1], 980, 1020), "042h:01 %lu, 043h:1F %lu",
                       step->count[0], step->count[1]);
}

void hardware_ask_empty_ret(struct hardware *hardware)
{
    const struct hardware_step *step = hardware_counted(hardware, STEP_RETS);

    if (!step)
        return;
    if (hardware->model) {
        hardware_cannot(hardware, "the model counts only instructions for code outside of the workloads");
        return;
    }
    hardware_found(hardware, step->empty[0] == 1 && step->empty[1] == 1 && step->empty[2] == 1 && step->empty[3] >= 1,
                   "0C2h %lu, 0C4h %lu, 0C8h %lu, 040h %lu", step->empty[0], step->empty[1], step->empty[2],
                   step->empty[3]);
}

void hardware_ask_tsc_is_core_clock(struct hardware *hardware)
{
    const struct hardware_step *step = hardware_counted(hardware, STEP_DIVIDE);

    if (!step)
        return;
    hardware_found(hardware, between(step->count[0], step->ticks, 980, 1020), "%s clocks for each TSC tick",
                   figure(step->count[0], step->ticks, 3).text);
}

/* Compares the NMIs of samples by counter 0 with those that the event of interrupts counted. */
static void interrupts_counted(struct hardware *hardware, enum hardware_steps which)
{
    const struct hardware_step *step = hardware_counted(hardware, which);
    uint64_t nmis = step ? hardware_samples(step, SAMPLE_PMC) : 0;
    const struct hardware_event interrupts = hardware_event_here(hardware, &hardware_step_rows[which].event[1]);

    if (step && !nmis)
        hardware_cannot(hardware, "no samples");
    else if (step)
        hardware_found(hardware, step->count[1] + 2 >= nmis && step->count[1] <= nmis + 2,
                       "%03Xh %lu, NMIs with a sample %lu", interrupts.select, step->count[1], nmis);
}

void hardware_ask_nmis_in_0cf(struct hardware *hardware)
{
    interrupts_counted(hardware, STEP_SAMPLED_OFTEN);
}

void hardware_ask_interrupts_are_nmis(struct hardware *hardware)
{
    interrupts_counted(hardware, STEP_SAMPLED_SELDOM);
}

void hardware_ask_stall_identities(struct hardware *hardware)
{
    const struct hardware_step *a = hardware_counted(hardware, STEP_STALLS_A);
    const struct hardware_step *b = a ? hardware_counted(hardware, STEP_STALLS_B) : NULL;
    const struct hardware_step *c =
        b ? hardware_step(hardware, STEP_STALLS_C) : NULL; /* the model has 0 for 0D4h, 0D9h */
    uint64_t causes;

    if (!c)
        return;
    causes = hardware_net(a, 3);
    for (unsigned i = 0; i < PMC_LEGACY; i++)
        causes += hardware_net(b, i) + hardware_net(c, i);
    hardware_found(hardware,
                   between(hardware_net(a, 1) + hardware_net(a, 2), hardware_net(a, 0), 0, 1020) &&
                       between(hardware_net(a, 2), causes, 0, 1020),
                   "076h %lu, 0D0h %lu, 0D1h %lu, 0D2h to 0DAh %lu", hardware_net(a, 0), hardware_net(a, 1),
                   hardware_net(a, 2), causes);
}

void hardware_ask_prefetches_067(struct hardware *hardware)
{
    const struct hardware_step *step = hardware_counted(hardware, STEP_PREFETCHES);

    if (step)
        hardware_found(hardware, !hardware_net(step, 0) && !hardware_net(step, 1), "067h:01 %lu, 067h:02 %lu",
                       hardware_net(step, 0), hardware_net(step, 1));
}

void hardware_ask_core_select_437(struct hardware *hardware)
{
    const struct hardware_step *step = hardware_counted(hardware, STEP_CORE_SELECT);

    if (step)
        hardware_found(hardware, !between(hardware_net(step, 1), hardware_net(step, 0), 950, 1050),
                       "4E0h:F7 %lu, 4E0h:17 %lu", hardware_net(step, 0), hardware_net(step, 1));
}

void hardware_ask_event_4ed(struct hardware *hardware)
{
    const struct hardware_step *step;

    if (hardware->run->machine->revision != 'E') {
        hardware_cannot(hardware, "revision %c", hardware->run->machine->revision);
        return;
    }
    step = hardware_counted(hardware, STEP_EVENT_4ED);
    if (step)
        hardware_found(hardware, !hardware_net(step, 0), "4EDh %lu, 4E1h %lu", hardware_net(step, 0),
                       hardware_net(step, 1));
}
