/* SPDX-License-Identifier: BSD-2-Clause */
/* Describes in one sentence what own code did when an exception ended it; the contract is in code.h. */
#include "app/run/code.h"

#include "app/run/run.h"
#include "app/base/sentence.h"
#include "drivers/trace/fault.h"
#include "drivers/cpu/kept_state.h"

enum {
    VECTOR_DE = 0,
    VECTOR_UD = 6,
    VECTOR_PF = 14,
    /* A page fault's error code (AMD APM vol. 2 section 8.4.2). */
    ERROR_PRESENT = 1,
    ERROR_WRITE = 2,
    ERROR_FETCH = 16,
};

/* Prints the address and its meaning: in its arena, in its code, or beyond its arena. */
static void write_where(struct out *out, const struct run *run, uint64_t address)
{
    const struct session_result *result = &run->passes.result;
    uint64_t size = run->passes.core[0].plan.place.paging.size;

    out_printf(out, "%lx", address);
    if (address - result->arena < size)
        out_printf(out, ", which is its arena + 0x%lx", address - result->arena);
    else if (address - run->code.address < run->code.file->code.memory)
        out_printf(out, ", which is its own code or constants");
    else if (address - result->arena < 2 * size)
        out_printf(out, ", 0x%lx bytes after its arena and stack", address - result->arena - size);
}

static void write_page_fault(struct out *out, const struct run *run, const struct cpu_fault *fault)
{
    if (fault->error & ERROR_FETCH || fault->cr2 == fault->rip)
        out_printf(out, "it jumped to ");
    else
        out_printf(out, "it %s ", fault->error & ERROR_WRITE ? "wrote to" : "read from");
    write_where(out, run, fault->cr2);
    if (!(fault->error & ERROR_PRESENT))
        out_printf(out, ", where nothing is mapped");
}

static void write_why(struct out *out, const struct run *run, const struct cpu_fault *fault)
{
    switch (fault->vector) {
    case VECTOR_DE:
        out_printf(out, ": it divided by zero, or the quotient is too large");
        break;
    case VECTOR_UD:
        out_printf(out, ": this processor does not have this instruction, or the instruction is off, as AVX is without "
                        "an operating system");
        break;
    case VECTOR_PF:
        out_printf(out, ": ");
        write_page_fault(out, run, fault);
        break;
    default:
        break;
    }
}

/* Prints "run+0x1c, jmp 1000"; nothing for an address outside of the code. */
static void write_place(struct out *out, const struct run *run, uint64_t rip, const char *before)
{
    int32_t insn = run_insn(run, rip);

    if (rip - run->code.address >= run->code.file->code.memory)
        return;
    out_printf(out, "%s", before);
    (void)code_write_address(out, run, rip);
    if (insn >= 0 && !run->code.file->why_no_map[0])
        out_printf(out, ", %s", run->map->strings + run->map->insns[insn].text);
}

void code_write_limit(char *text, size_t size, const struct run *run)
{
    struct out_memory memory;

    out_memory_init(&memory, text, size);
    if (run->code.file)
        write_place(&memory.out, run, run->passes.result.limit_rip, ", and was at ");
}

void code_explain_fault(struct out *out, const struct run *run)
{
    const struct cpu_fault *fault = &run->passes.result.fault;
    char text[SENTENCE_MAX];
    struct out_memory memory;

    if (!run->code.file || !run->passes.result.faulted)
        return;
    out_memory_init(&memory, text, sizeof(text));
    out_printf(&memory.out, "%s: %s", run->code.file->file_name, fault_vector_name(fault->vector));
    write_place(&memory.out, run, fault->rip, " at ");
    write_why(&memory.out, run, fault);
    sentence(out, "%s.", text);
}

void code_explain_state(struct out *out, const struct run *run)
{
    const struct session_result *result = &run->passes.result;
    const char *function = result->fault_phase == SESSION_PREPARE  ? "prepare"
                           : result->fault_phase == SESSION_FINISH ? "check"
                                                                   : "run";

    sentence(out, "%s: %s() changed %s, which own code must not; it was put back.",
             run->code.file ? run->code.file->file_name : run->workload->name, function,
             kept_register_name((enum kept_register)result->error_detail));
}
