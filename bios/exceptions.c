/* SPDX-License-Identifier: BSD-2-Clause */
#include "bios/exceptions.h"

#include "bios/bios.h"
#include "bios/console.h"
#include "bios/low.h"
#include "drivers/cpu/cpu.h"

enum { CODE_PORT = 0x80, CODE_EXCEPTION = 0xee }; /* codes outside of drivers/trace/trace_rows.h */
enum { VECTORS = EXCEPTION_VECTORS, STUB_BYTES = 16, FIRST_INTERRUPT = 32, NMI = 2 };
enum { GATE_INTERRUPT = 0x8e00, TASK_AVAILABLE = 0x89 }; /* AMD APM vol. 2 sections 4.8.3 and 4.8.4 */

/* An exception as start.S leaves it on the stack. */
struct exception {
    uint64_t vector, error, rip, cs, flags, rsp, ss;
};

/* AMD APM vol. 2 section 12.2.5. The stacks and the port map are unused. */
static const struct {
    uint32_t reserved;
    uint64_t stacks[12];
    uint16_t reserved_end, ports;
} __attribute__((packed)) task = {.ports = sizeof task};

extern const uint8_t exception_stubs[];
extern uint64_t gdt[];

void exception(const struct exception *exception);

void exception(const struct exception *exception)
{
    /* Interrupts of the controllers are for the BIOS, which polls; an NMI comes from the board. */
    if (exception->vector >= FIRST_INTERRUPT)
        return;
    if (exception->vector == NMI) {
        console_say("unexpected NMI at %lx\n", exception->rip);
        return;
    }
    cpu_out8(CODE_PORT, CODE_EXCEPTION);
    console_say("exception %lu, error %lx, at %lx, address %lx, stack %lx: switch the machine off\n", exception->vector,
                exception->error, exception->rip, cpu_read_cr2(), exception->rsp);
    cpu_halt();
}

void exceptions_prepare(void)
{
    struct cpu_table table = {sizeof bios.gate - 1, (uint64_t)bios.gate};
    uint64_t base = (uint64_t)&task;

    for (unsigned i = 0; i < VECTORS; i++) {
        uint64_t stub = (uint64_t)exception_stubs + i * STUB_BYTES;

        bios.gate[i] = (struct exception_gate){
            .low = (uint16_t)stub,
            .selector = GDT_CODE_64,
            .type = GATE_INTERRUPT,
            .middle = (uint16_t)(stub >> 16),
            .high = (uint32_t)(stub >> 32),
        };
    }
    cpu_lidt(&table);
    gdt[GDT_TASK / 8] =
        (sizeof task - 1) | (base & 0xffffff) << 16 | (uint64_t)TASK_AVAILABLE << 40 | (base >> 24 & 0xff) << 56;
    gdt[GDT_TASK / 8 + 1] = base >> 32;
    cpu_ltr(GDT_TASK);
}
