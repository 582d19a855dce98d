/* SPDX-License-Identifier: BSD-2-Clause */
/* Questions about branches, fetch and execution (core/hardware/hardware_code_rows.h). */
#include "app/hardware/hardware.h"

/* Returns whether three ops a cycle were reached; on revision B a line of ops ends with 16 bytes of code, and four
 * additions of 4 bytes take two. */
static bool full_width(const struct hardware *hardware, uint64_t executed, uint64_t cycles)
{
    return hardware->run->machine->revision == 'B' ? between(executed, cycles, 1900, 2200)
                                                   : between(executed, cycles, 2800, 3050);
}

void hardware_ask_divide_and_width(struct hardware *hardware)
{
    const struct hardware_step *divide = hardware_counted(hardware, STEP_DIVIDE);
    const struct hardware_step *alu = divide ? hardware_counted(hardware, STEP_ALU_COUNT) : NULL;
    uint32_t divisions;

    if (!alu)
        return;
    divisions = hardware_param(divide, "steps");
    hardware_found(hardware,
                   between(hardware_net(divide, 0), divisions, 24500, 27500) &&
                       full_width(hardware, hardware_net(alu, 1), hardware_net(alu, 0)),
                   "%s cycles per division, %s instructions per cycle",
                   figure(hardware_net(divide, 0), divisions, 2).text,
                   figure(hardware_net(alu, 1), hardware_net(alu, 0), 2).text);
}

void hardware_ask_dispatch_lines(struct hardware *hardware)
{
    const struct hardware_step *alu = hardware_counted(hardware, STEP_ALU_COUNT);

    if (alu)
        hardware_found(hardware, full_width(hardware, hardware_net(alu, 2), hardware_net(alu, 0)), "%s ops per cycle",
                       figure(hardware_net(alu, 2), hardware_net(alu, 0), 2).text);
}

void hardware_ask_mispredict_cycles(struct hardware *hardware)
{
    const struct hardware_step *step = hardware_counted(hardware, STEP_RANDOM);

    if (step)
        hardware_found(hardware,
                       between(hardware_net(step, 1) + hardware_net(step, 2), hardware_net(step, 0), 10000, 13000),
                       "%s cycles for each of %lu mispredicted branches",
                       figure(hardware_net(step, 1) + hardware_net(step, 2), hardware_net(step, 0), 2).text,
                       hardware_net(step, 0));
}

/* Answers by the event for each piece of walked code: one if the pieces do not fit, almost none if they do. */
static void of_pieces(struct hardware *hardware, const struct hardware_step *many, enum hardware_steps fewer,
                      const char *event)
{
    const struct hardware_step *few = many ? hardware_counted(hardware, fewer) : NULL;
    uint32_t more, less;
    uint64_t a, b;

    if (!few)
        return;
    more = hardware_param(many, "pieces");
    less = hardware_param(few, "pieces");
    a = (uint64_t)hardware_param(many, "rounds") * more;
    b = (uint64_t)hardware_param(few, "rounds") * less;
    hardware_found(hardware, between(hardware_net(many, 0), a, 950, 1100) && between(hardware_net(few, 0), b, 0, 100),
                   "%s per piece: %s with %u pieces, %s with %u", event, figure(hardware_net(many, 0), a, 2).text, more,
                   figure(hardware_net(few, 0), b, 2).text, less);
}

void hardware_ask_code_walk(struct hardware *hardware)
{
    of_pieces(hardware, hardware_counted(hardware, STEP_WALK_24), STEP_WALK_16, "081h");
}

/* Answers with the first period whose ends are all mispredicted. */
void hardware_ask_branch_history(struct hardware *hardware)
{
    for (unsigned step = STEP_PATTERN_4; step <= STEP_PATTERN_20; step++) {
        const struct hardware_step *pattern = hardware_counted(hardware, (enum hardware_steps)step);
        uint32_t period, ends;

        if (!pattern)
            return;
        period = hardware_param(pattern, "period");
        ends = hardware_param(pattern, "iterations") / period;
        if (!between(hardware_net(pattern, 0), ends, 900, 100000))
            continue;
        hardware_found(hardware, period >= 5 && period <= 16, "%u: %lu mispredicted of %u ends", period,
                       hardware_net(pattern, 0), ends);
        return;
    }
    hardware_found(hardware, false, "no period up to 20");
}

/* Answers with the mispredicted returns of each round. */
void hardware_ask_return_stack(struct hardware *hardware)
{
    static const enum hardware_steps steps[] = {STEP_CALLS_24, STEP_CALLS_25, STEP_CALLS_40};
    uint64_t wrong[3], pushed_out = 0;
    uint32_t rounds = 1;

    for (unsigned i = 0; i < 3; i++) {
        const struct hardware_step *step = hardware_counted(hardware, steps[i]);

        if (!step)
            return;
        rounds = hardware_param(step, "rounds");
        wrong[i] = hardware_net(step, 0);
        pushed_out = hardware_net(step, 2);
    }
    hardware_found(hardware,
                   between(wrong[0], rounds, 0, 200) && between(wrong[1], rounds, 800, 1500) &&
                       between(wrong[2], rounds, 15000, 17500),
                   "0C9h per round: %s at 24, %s at 25, %s at 40; 089h: %s at 40", figure(wrong[0], rounds, 2).text,
                   figure(wrong[1], rounds, 2).text, figure(wrong[2], rounds, 2).text,
                   figure(pushed_out, rounds, 2).text);
}

void hardware_ask_indirect_targets(struct hardware *hardware)
{
    const struct hardware_step *jumps = hardware_counted(hardware, STEP_JUMPS);
    const struct hardware_step *calls = jumps ? hardware_counted(hardware, STEP_CALLS_INDIRECT) : NULL;
    uint32_t j, c;

    if (!calls)
        return;
    j = hardware_param(jumps, "iterations");
    c = hardware_param(calls, "iterations");
    hardware_found(hardware,
                   between(hardware_net(jumps, 0), j, 950, 1050) && between(hardware_net(calls, 0), c, 700, 800),
                   "0CAh: %s per jump, %s per call", figure(hardware_net(jumps, 0), j, 3).text,
                   figure(hardware_net(calls, 0), c, 3).text);
}

void hardware_ask_itlb_reach(struct hardware *hardware)
{
    of_pieces(hardware, hardware_counted(hardware, STEP_CODE_40), STEP_CODE_24, "084h");
}
