/* SPDX-License-Identifier: BSD-2-Clause */
#include "drivers/trace/trace.h"

#include "core/base/out.h"
#include "drivers/cpu/cpu.h"
#include "drivers/trace/fault.h"
#include "drivers/trace/uart.h"

enum { POST_PORT = 0x80, LINE_MAX = 120, LOCK_PAUSES = 1 << 22 };

/* One for the machine, not passed on: there is one display and one port, and an exception's entry has no pointer to
 * them. */
static struct {
    bool post, com1;
    enum uart_rate rate;
    uint32_t busy; /* a core is sending */
} told;

/* A line on its way. Several cores may send: each line goes as a whole. */
struct line {
    struct out out;
    size_t used;
    char text[LINE_MAX];
};

/* Takes the lock. A core that was lost while sending does not silence the others for ever. */
static void lock(void)
{
    for (unsigned i = 0; i < LOCK_PAUSES && __atomic_exchange_n(&told.busy, 1, __ATOMIC_ACQUIRE); i++)
        cpu_pause();
}

static void send(struct line *line)
{
    bool flag = cpu_flags() & CPU_FLAG_INTERRUPT;
    cpu_cli();
    lock();
    if (told.com1 && !uart_send(told.rate, line->text, line->used))
        told.com1 = false; /* it does not take bytes: not waited for again */
    __atomic_store_n(&told.busy, 0, __ATOMIC_RELEASE);
    if (flag)
        cpu_sti();
    line->used = 0;
}

static void write(struct out *out, const char *text, size_t length)
{
    struct line *line = (struct line *)out;
    for (size_t i = 0; i < length; i++) {
        line->text[line->used++] = text[i];
        if (text[i] == '\n' || line->used == LINE_MAX)
            send(line);
    }
}

bool trace_begin(enum trace_mode mode, enum uart_rate rate)
{
    told.rate = rate;
    told.post = mode != TRACE_NONE;
    told.com1 = mode == TRACE_COM1 && uart_found();
    return mode != TRACE_COM1 || told.com1;
}

static void tell(uint32_t cpu, enum trace_step step, uint32_t number)
{
    const struct trace_row *row = &trace_table[step];
    uint8_t code = (uint8_t)(row->code + (number <= (uint32_t)(row->last - row->code) ? number : 0));
    struct line line = {.out = {write}};
    if (told.post && !cpu)
        cpu_out8(POST_PORT, code);
    if (!told.com1)
        return;
    if (cpu)
        out_printf(&line.out, "ibsboot: core %u: %02Xh %s\n", cpu, code, row->what);
    else
        out_printf(&line.out, "ibsboot: %02Xh %s\n", code, row->what);
}

void trace_number(enum trace_step step, uint32_t number)
{
    tell(0, step, number);
}

void trace_on(uint32_t cpu, enum trace_step step)
{
    tell(cpu, step, 0);
}

void trace_fault(const struct cpu_fault *fault, bool last)
{
    struct line line = {.out = {write}};
    struct out *out = &line.out;
    if (told.post)
        cpu_out8(POST_PORT, (uint8_t)(trace_table[TRACE_EXCEPTION].code + fault->vector));
    if (!told.com1)
        return;
    out_printf(out, "ibsboot: %s%s\n", fault_vector_name(fault->vector),
               last ? ", and nothing to return to: stopped" : "");
    out_printf(out, "ibsboot: rip %016lx error %lx cr2 %lx rflags %lx\n", fault->rip, fault->error, fault->cr2,
               fault->rflags);
    for (unsigned i = 0; i < 16; i += 4)
        out_printf(out, "ibsboot: %s %016lx %s %016lx %s %016lx %s %016lx\n", fault_register_name(i), fault->gpr[i],
                   fault_register_name(i + 1), fault->gpr[i + 1], fault_register_name(i + 2), fault->gpr[i + 2],
                   fault_register_name(i + 3), fault->gpr[i + 3]);
    for (uint32_t i = 0; i < fault->check.count; i++) {
        out_printf(out, "ibsboot: ");
        machine_check_print(out, &fault->check.bank[i]);
        out_printf(out, "\n");
    }
}
