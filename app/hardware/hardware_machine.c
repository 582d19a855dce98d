/* SPDX-License-Identifier: BSD-2-Clause */
/* Questions about the processor and its firmware (core/hardware/hardware_machine_rows.h), and questions that need whole
 * sessions. */
#include "app/hardware/hardware.h"

#include "app/base/sinks.h"
#include "core/family/ibs_regs.h"
#include "drivers/cpu/cpu.h"

enum {
    ALARM_MS = 1,
    ALARM_NEVER_MS = 100, /* an alarm that is this late never comes */
    FILE_BYTES = 65536,
    SAVING_MS = 1000,
    HANDLER_CYCLES = 5000,
    CR4_MCE = 1 << 6,
    CR4_PGE = 1 << 7,
};

void hardware_ask_model_known(struct hardware *hardware)
{
    const struct machine *machine = hardware->run->machine;

    hardware_found(hardware, machine->revision != '?', "model %xh stepping %u: revision %c", machine->model,
                   machine->stepping, machine->revision);
}

/* A sampling session fails if F3x1CC and its copy differ, unless the firmware's entry is used. */
void hardware_ask_f3x1cc_mirrored(struct hardware *hardware)
{
    const struct hardware_step *step = hardware_step(hardware, STEP_OP_FIXED), *asked = &hardware->step[STEP_OP_FIXED];

    if (step && !step->firmware_entry)
        hardware_found(hardware, true, "C001_103A as written, on %u node%s", hardware->run->machine->nodes.count,
                       hardware->run->machine->nodes.count == 1 ? "" : "s");
    else if (step)
        hardware_found(hardware, false, "F3x1CC does not hold what is written");
    else if (asked->error == SESSION_F3X1CC || asked->error == SESSION_IBS_CONTROL)
        hardware_found(hardware, false, "%s", asked->why);
}

void hardware_ask_f3x1cc_sticks(struct hardware *hardware)
{
    const struct hardware_step *step = hardware_step(hardware, STEP_OP_FIXED);

    if (step)
        hardware_found(hardware, !step->firmware_entry, "entry %u, %s", step->lvt_offset,
                       step->firmware_entry ? "the firmware's" : "as written");
}

void hardware_ask_cr4_and_banks(struct hardware *hardware)
{
    const struct machine *machine = hardware->run->machine;

    hardware_found(hardware, (machine->cr4 & CR4_MCE) && !machine->check.count,
                   "CR4 %lx: MCE %u, PGE %u; %u banks with an error", machine->cr4, machine->cr4 & CR4_MCE ? 1 : 0,
                   machine->cr4 & CR4_PGE ? 1 : 0, machine->check.count);
}

/* Compares the loop with samples and without, by the TSC. */
void hardware_ask_handler_cycles(struct hardware *hardware)
{
    const struct hardware_step *sampled = hardware_step(hardware, STEP_OP_FIXED);
    const struct hardware_step *alone = sampled ? hardware_counted(hardware, STEP_ALU_COUNT) : NULL;
    uint64_t more, nmis;

    if (!alone)
        return;
    nmis = hardware_samples(sampled, SAMPLE_OP);
    more = sampled->elapsed > alone->ticks ? sampled->elapsed - alone->ticks : 0;
    if (!nmis)
        hardware_cannot(hardware, "no samples");
    else
        hardware_found(hardware, more < HANDLER_CYCLES * nmis, "%s TSC ticks for each of %lu NMIs",
                       figure(more, nmis, 0).text, nmis);
}

/* Runs until the alarm, which may be missing: each session tries anew what makes ticks, and one system management
 * interrupt at that moment can leave it without any. */
static void until_left(void *argument, uint64_t arena)
{
    const struct hardware *hardware = argument;
    uint64_t from = cpu_rdtsc(), ticks = ALARM_NEVER_MS * hardware->run->machine->tsc_khz;

    (void)arena;
    while (cpu_rdtsc() - from < ticks)
        cpu_pause();
}

/* Runs a pass that must end by the limit, which is a failure for hardware_session(). */
void hardware_ask_alarm(struct hardware *hardware)
{
    const struct session_program program = {.timer = {.limit_ms = ALARM_MS}};
    const struct session_result *result = &hardware->result;
    const struct hardware_step *limited = hardware_step(hardware, STEP_LIMITED);
    uint64_t us;
    bool ended;

    if (!limited)
        return;
    if (limited->timer.by == TIMER_IMPOSSIBLE) {
        hardware_cannot(hardware, "nothing makes ticks here");
        return;
    }
    ended = hardware_session(hardware, &program, until_left, hardware);
    if (ended && result->timer.by == TIMER_IMPOSSIBLE)
        hardware_cannot(hardware, "nothing made ticks in this pass");
    else if (ended)
        hardware_found(hardware, false, "not stopped within %u ms", (unsigned)ALARM_NEVER_MS);
    if (result->error != SESSION_LIMIT)
        return;
    us = (result->tsc_stop - result->tsc_start) * 1000 / hardware->run->machine->tsc_khz;
    hardware_found(hardware, us >= 1000 * ALARM_MS && us < 2000 * ALARM_MS, "stopped after %lu us", us);
}

/* Writes the check's own file, which the next note replaces. */
void hardware_ask_saving_speed(struct hardware *hardware)
{
    struct file_sink sink;
    struct firmware *fw = hardware->run->fw;
    char *back = fw->allocate(fw, FILE_BYTES, POOL_PAGE);
    enum firmware_error error;
    uint64_t from = cpu_rdtsc(), ms;
    size_t size = 0;

    if (!hardware->save || !back) {
        hardware_cannot(hardware, hardware->save ? "no memory" : "nothing is written: save=no, or a write failed");
        fw->release(fw, back, FILE_BYTES);
        return;
    }
    for (unsigned i = 0; i < FILE_BYTES; i++)
        back[i] = (char)('a' + i % 26);
    file_sink_open(&sink, fw, hardware_file_path, hardware->run->file_buffer, RUN_FILE_BUFFER);
    if (sink.error == FIRMWARE_OK)
        (void)file_sink_bytes(&sink, back, FILE_BYTES);
    error = file_sink_close(&sink);
    ms = (cpu_rdtsc() - from) / hardware->run->machine->tsc_khz;
    if (!error)
        error = fw->read_file(fw, hardware_file_path, back, FILE_BYTES, &size);
    for (unsigned i = 0; i < size && !error; i++)
        error = back[i] == (char)('a' + i % 26) ? FIRMWARE_OK : FIRMWARE_FAILED;
    if (error)
        hardware_found(hardware, false, "%s", firmware_error_text(error));
    else
        hardware_found(hardware, ms < SAVING_MS && size == FILE_BYTES, "%zu bytes in %lu ms", size, ms);
    fw->release(fw, back, FILE_BYTES);
}
