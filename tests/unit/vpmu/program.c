/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/unit/vpmu/program.h"

#include <stdlib.h>
#include <string.h>

static char strings[4096];

void program_end(struct program *program)
{
    if (program->running)
        machine_free(&program->machine);
    program->running = false;
}

void program_load(struct program *program, enum vpmu_revision revision, const struct codemap_insn *code, unsigned count,
                  const char *const *texts)
{
    program_load_as(program, (struct vpmu_config){.revision = revision, .seed = 1}, code, count, texts);
}

void program_load_as(struct program *program, struct vpmu_config config, const struct codemap_insn *code,
                     unsigned count, const char *const *texts)
{
    size_t used = 1;

    if (count > PROGRAM_MAX)
        abort();
    program_end(program);
    memcpy(program->insns, code, count * sizeof(*code));
    for (unsigned i = 0; i < count; i++) {
        struct codemap_insn *insn = &program->insns[i];

        insn->rva = PROGRAM_FIRST + 4 * i;
        insn->length = 4;
        insn->ops = insn->ops ? insn->ops : 1;
        insn->op_size = insn->op_size ? insn->op_size : 8;
        if (texts && texts[i]) {
            insn->text = (uint32_t)used;
            strcpy(strings + used, texts[i]);
            used += strlen(texts[i]) + 1;
        }
    }
    program->map = (struct codemap){.insns = program->insns, .insn_count = count, .strings = strings};
    machine_init_as(&program->machine, &program->map, config);
    program->machine.gpr[5] = 0x8000;
    program->running = true;
}

void program_run(struct program *program, unsigned rounds)
{
    for (unsigned round = 0; round < rounds; round++)
        for (unsigned i = 0; i < program->map.insn_count; i++)
            machine_step(&program->machine, PAPER_BASE + program->insns[i].rva);
}

void counter_start(struct machine *machine, unsigned n, uint64_t ctl)
{
    machine_wrmsr(machine, PERF_CTR + n, 0);
    machine_wrmsr(machine, PERF_CTL + n, ctl | PERF_EN);
}

uint64_t counter_stop(struct machine *machine, unsigned n)
{
    machine_wrmsr(machine, PERF_CTL + n, 0);
    return machine_rdmsr(machine, PERF_CTR + n);
}

uint64_t program_count(struct program *program, uint64_t ctl, unsigned rounds)
{
    counter_start(&program->machine, 0, ctl);
    program_run(program, rounds);
    return counter_stop(&program->machine, 0);
}
