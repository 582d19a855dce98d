/* SPDX-License-Identifier: BSD-2-Clause */
/* Words and arithmetic shared by the functions that answer questions. */
#include "app/hardware/hardware.h"

#include "core/base/str.h"

enum { LATENCIES_MIN = 20, LATENCY_MAX = 4096, FEW = 30 /* samples: fewer are not enough for a share */ };

static void answer(struct hardware *hardware, enum hardware_verdict verdict, const char *format, va_list args)
{
    struct hardware_answer *answer = &hardware->answer[hardware->asking];
    struct out_memory text;

    answer->verdict = (uint8_t)verdict;
    out_memory_init(&text, answer->found, HARDWARE_FOUND);
    out_vprintf(&text.out, format, args);
}

void hardware_found(struct hardware *hardware, bool expected, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    answer(hardware, expected ? HARDWARE_EXPECTED : HARDWARE_OTHERWISE, format, args);
    va_end(args);
}

void hardware_cannot(struct hardware *hardware, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    answer(hardware, HARDWARE_NO_ANSWER, format, args);
    va_end(args);
}

bool hardware_enough(struct hardware *hardware, uint64_t samples)
{
    if (samples < FEW)
        hardware_cannot(hardware, "only %lu samples", samples);
    return samples >= FEW;
}

struct figure figure(uint64_t a, uint64_t b, int decimals)
{
    struct figure figure;
    struct out_memory text;

    out_memory_init(&text, figure.text, sizeof(figure.text));
    out_ratio(&text.out, a, b, 1, decimals, 0);
    return figure;
}

bool between(uint64_t a, uint64_t b, uint64_t low, uint64_t high)
{
    return b && a * 1000 >= low * b && a * 1000 <= high * b;
}

uint64_t hardware_samples(const struct hardware_step *step, enum sample_kind kind)
{
    return step->counts.recorded[kind] + step->counts.lost[kind];
}

uint64_t hardware_share(const struct hardware_step *step, enum derived event)
{
    uint64_t some = 0;

    for (uint32_t i = 0; i < step->samples; i++)
        some += derived_applies(&derived_events[event], &step->records[i]);
    return some;
}

struct ibs_machine hardware_ibs(const struct hardware *hardware)
{
    const struct machine *machine = hardware->run->machine;

    return ibs_machine_of(machine->family, machine->model, machine->ibs_caps);
}

uint64_t hardware_data2(const struct ibs_machine *machine, const struct hardware_step *step, uint32_t n)
{
    const struct sample_record *record = &step->records[n];
    uint64_t valid[IBS_RECORD_REGS];

    if (record->kind != SAMPLE_OP)
        return 0;
    ibs_valid_bits(machine, record, valid);
    return record->reg[IBS_OP_DATA2] & valid[IBS_OP_DATA2];
}

/* Counts the loads of at most this latency. */
static uint32_t loads_within(const struct hardware_step *step, uint32_t latency)
{
    uint32_t loads = 0;

    for (uint32_t i = 0; i < step->samples; i++)
        loads += derived_applies(&derived_events[DERIVED_F219_DC_LOAD_LATENCY], &step->records[i]) &&
                 (step->records[i].reg[IBS_OP_DATA3] >> 32 & 0xFFFF) <= latency;
    return loads;
}

/* Bisects, because a table of loads by latency exceeds the boot's stack. */
uint32_t hardware_miss_latency(const struct hardware_step *step)
{
    uint32_t all = loads_within(step, UINT16_MAX), least = 0, most = LATENCY_MAX - 1;

    while (least < most) {
        uint32_t middle = (least + most) / 2;

        if (loads_within(step, middle) * 2 < all)
            least = middle + 1;
        else
            most = middle;
    }
    return all < LATENCIES_MIN ? 0 : least;
}

uint32_t hardware_param(const struct hardware_step *step, const char *name)
{
    for (unsigned i = 0; i < WORKLOAD_PARAMS_MAX && step->workload->params[i].name; i++)
        if (str_equal(step->workload->params[i].name, name))
            return step->params[i];
    return 0;
}
