/* SPDX-License-Identifier: BSD-2-Clause */
#include "fake_cpu.h"

#include <stdio.h>
#include <string.h>

#include "core/family/branch_regs.h"
#include "core/family/ibs_regs.h"
#include "core/family/pmc_regs.h"
#include "drivers/cpu/apic.h"
#include "drivers/trace/fault.h"
#include "drivers/pmu/nmi.h"
#include "drivers/pmu/tables.h"
#include "drivers/cores/trampoline.h"

struct fake fake;

/* ---------------------------------------------------------------- script and log */

void fake_log(const char *format, ...)
{
    va_list args;
    if (fake.no_log)
        return;
    va_start(args, format);
    int length = vsnprintf(fake.log + fake.log_length, sizeof fake.log - fake.log_length, format, args);
    va_end(args);
    assert_true(length >= 0 && fake.log_length + (size_t)length + 2 < sizeof fake.log);
    fake.log_length += (size_t)length;
    fake.log[fake.log_length++] = '\n';
    fake.log[fake.log_length] = 0;
}

void fake_clear_log(void)
{
    fake.log_length = 0;
    fake.log[0] = 0;
}

/* Ends a test that would hang with a machine that does nothing but handle NMIs: the limit is far above that of a
 * storm. */
static void standing_nmis(void)
{
    while (fake.standing && !fake.in_nmi &&
           (fake.apic[fake.standing / 16] & (APIC_LVT_MASKED | APIC_LVT_TYPE)) == APIC_LVT_NMI) {
        if (++fake.stood > 5000)
            fail_msg("NMIs without end");
        fake_nmi();
    }
}

/* Returns whether this access must raise an exception. */
static bool access_faults(void)
{
    fake.accesses++;
    standing_nmis();
    if (fake.accesses == fake.nmi_at) {
        fake_log("nmi");
        fake_nmi();
    }
    if (fake.accesses != fake.fault_at)
        return false;
    fake.fault_done = true;
    fake_log("#GP");
    return true;
}

static void access(void)
{
    if (access_faults())
        fake_raise(13, 0);
}

/* ---------------------------------------------------------------- delivery through the tables */

static const struct tables_tss *tss_in_force(void)
{
    assert_true(fake.tr && fake.tr + 15 <= fake.gdt.limit);
    const uint64_t *descriptor = (const uint64_t *)(uintptr_t)fake.gdt.base + fake.tr / 8;
    assert_int_equal(descriptor[0] >> 40 & 0xFF, 0x8B); /* present, busy TSS */
    assert_int_equal(descriptor[0] & 0xFFFF, 103);
    uint64_t base = (descriptor[0] >> 16 & 0xFFFFFF) | (descriptor[0] >> 56) << 24 | descriptor[1] << 32;
    return (const struct tables_tss *)(uintptr_t)base;
}

static void *context_for(uint32_t vector)
{
    assert_int_not_equal(fake.idt.base, 0xF1DE0000); /* no exception while the firmware's tables are in force */
    assert_true(fake.idt.limit == 256 * sizeof(struct tables_gate) - 1);
    const struct tables_gate *gate = (const struct tables_gate *)(uintptr_t)fake.idt.base + vector;
    uint64_t offset = gate->offset_low | (uint64_t)gate->offset_middle << 16 | (uint64_t)gate->offset_high << 32;
    fake.stacks_gate = vector == 2 && offset == cpu_nmi_stacks_address();
    fake.later_gate = vector == 2 && offset == cpu_nmi_later_address();
    fake.lingers_gate = vector == 2 && offset == cpu_nmi_lingers_address();
    fake.branches_gate = vector == 2 && offset == cpu_nmi_branches_address();
    fake.branch_sampling_gate = vector == 2 && offset == cpu_nmi_branch_sampling_address();
    assert_true(fake.stacks_gate || fake.later_gate || fake.lingers_gate || fake.branches_gate ||
                fake.branch_sampling_gate || offset == cpu_gate_address((uint8_t)vector));
    assert_int_equal(gate->type, 0x8E);
    assert_int_equal(gate->selector, fake.segments.cs);
    assert_in_range(gate->ist, 1, 7);

    uint64_t stack = tss_in_force()->ist[gate->ist - 1];
    assert_int_equal(stack % 16, 0);
    return *(void **)(uintptr_t)stack;
}

/* Resumes where a handler returns: it leaves a guarded call. */
static void resume(uint64_t rip, uint64_t rsp, uint64_t rflags, uint64_t rdi)
{
    assert_int_equal(rip, FAKE_RECOVERY);
    assert_int_equal(rflags, 2);
    for (unsigned i = fake.guards; i-- > 0;) {
        if ((uint64_t)(uintptr_t)fake.guard[i] == rdi) {
            assert_int_equal(rsp, fake.guard[i]->rsp);
            fake.guards = i;
            fake.flags = rflags;
            longjmp(fake.jump[i], 1);
        }
    }
    fail_msg("a handler resumed at a guarded call that is over");
}

/* Does the same as the entry in drivers/pmu/entry.S. */
static void with_branches(struct nmi_context *nmi)
{
    if (nmi->branches.msr && fake.branch_sampling_gate)
        nmi->branches.found = (uint32_t)cpu_rdmsr(nmi->branches.msr);
    if (nmi->branches.msr)
        cpu_wrmsr(nmi->branches.msr, nmi->branches.off);
    (fake.branch_sampling_gate ? nmi_handler_branch_sampling : nmi_handler_branches)(nmi, fake.rbp);
    if (nmi->branches.msr)
        cpu_wrmsr(nmi->branches.msr, nmi->branches.on);
}

void fake_nmi(void)
{
    void *context = context_for(2);
    /* The context is at the end of the stack, and the frame below it. */
    const struct tables_tss *tss = tss_in_force();
    uint64_t *stack = (uint64_t *)(uintptr_t)tss->ist[TABLES_IST_NMI - 1];
    struct cpu_nmi_saved *saved = (struct cpu_nmi_saved *)(void *)(stack - 5) - 1;
    stack[-5] = fake.rip;
    stack[-4] = fake.segments.cs;
    stack[-3] = fake.flags;
    stack[-2] = 0x57AC4;
    stack[-1] = fake.segments.ss;
    fake.in_nmi = true; /* no other NMI comes before its IRETQ */
    if (fake.branches_gate || fake.branch_sampling_gate)
        with_branches(context);
    else if (fake.later_gate)
        nmi_handler_later(context, fake.rbp);
    else if (fake.lingers_gate)
        nmi_handler_lingers(context, fake.rbp);
    else if (fake.stacks_gate)
        nmi_handler_stacks(context, fake.rbp);
    else
        nmi_handler(context);
    fake.in_nmi = false;
    if (stack[-5] != fake.rip)
        resume(stack[-5], stack[-2], stack[-3], saved->rdi);
}

bool fake_count(unsigned counter, uint64_t events)
{
    struct fake_msr *ctl = fake_msr(MSR_PERF_CTL(counter)), *ctr = fake_msr(MSR_PERF_CTR(counter));
    if (!(ctl->value & PMC_CTL_EN))
        return false;
    uint64_t before = ctr->value;
    ctr->value = (before + events) & PMC_COUNTER_MASK;
    uint32_t *lvt = &fake.apic[APIC_LVT_PERF / 16];
    if (ctr->value >= before || !(ctl->value & PMC_CTL_INT) || *lvt != APIC_LVT_NMI)
        return false;
    *lvt |= APIC_LVT_MASKED;
    return true;
}

void fake_raise(uint32_t vector, uint64_t error)
{
    struct fault_context *context = context_for(vector);
    struct cpu_trap_frame frame = {
        .vector = vector, .error = error, .rip = FAKE_CODE, .rflags = 0x10202, .rsp = 0x57AC4, .cs = fake.segments.cs};
    for (unsigned i = 0; i < 16; i++)
        frame.gpr[i] = 0x1000 + i;
    fault_dispatch(&frame, context);
    if (frame.rip == FAKE_CODE)
        return;
    resume(frame.rip, frame.rsp, frame.rflags, frame.gpr[7]);
}

/* RFLAGS.TF is off in the frame: the stepped code has cleared it. */
void fake_trap(uint32_t vector, uint64_t rip)
{
    struct cpu_trap_frame frame = fake.entered;

    frame.vector = vector;
    frame.rip = rip;
    frame.rflags = 2;
    fake.dr6 |= 0x4000;
    fault_dispatch(&frame, context_for(vector));
    if (frame.rip != rip)
        resume(frame.rip, frame.rsp, frame.rflags, frame.gpr[7]);
    assert_int_equal(frame.rflags, 0x102);
}

_Noreturn void cpu_enter_frame(const struct cpu_trap_frame *frame)
{
    fake.entered = *frame;
    fake_log("enter %llx", (unsigned long long)frame->rip);
    fake.on_enter();
    fail_msg("steps did not end");
    __builtin_unreachable();
}

_Noreturn void cpu_call_frame(struct cpu_trap_frame *frame)
{
    frame->rsp -= 8;
    cpu_enter_frame(frame);
}

uint64_t cpu_step_end_address(void)
{
    return 0xFFFF800000500000ull;
}

uint64_t cpu_nmi_branch_sampling_address(void)
{
    return 0xFFFF800000600000ull;
}

uint32_t cpu_guarded_call(struct cpu_recovery *recovery, uint64_t stack_top, void (*function)(void *, uint64_t),
                          void *argument, uint64_t value)
{
    unsigned depth = fake.guards;
    assert_true(depth < FAKE_GUARDS);
    assert_int_equal(stack_top % 16, 0);
    recovery->rip = FAKE_RECOVERY;
    recovery->rsp = 0xABBA0000 + depth;
    fake.guard[depth] = recovery;
    fake.guard_stack[depth] = stack_top;
    fake.guards = depth + 1;
    if (setjmp(fake.jump[depth]))
        return 1;
    function(argument, value);
    fake.guards = depth;
    return 0;
}

uint64_t cpu_gate_address(uint8_t vector)
{
    return 0xFFFF800000100000ull + vector * 16u;
}

uint64_t cpu_nmi_stacks_address(void)
{
    return 0xFFFF800000200000ull;
}

uint64_t cpu_nmi_later_address(void)
{
    return 0xFFFF800000300000ull;
}

uint64_t cpu_nmi_branches_address(void)
{
    return 0xFFFF800000500000ull;
}

uint64_t cpu_nmi_lingers_address(void)
{
    return 0xFFFF800000400000ull;
}

uint64_t cpu_fixup(uint64_t rip)
{
    return fake.fixup_rip && rip == fake.fixup_rip ? fake.fixup_to : 0;
}

_Noreturn void cpu_halt(void)
{
    fake.halted = true;
    if (fake.may_halt)
        longjmp(fake.halt, 1);
    fail_msg("the processor was halted");
    __builtin_unreachable();
}

/* This array takes the place of trampoline.S. */
const uint8_t trampoline_code[600] = {0xEB, [200] = 0x20, [300] = 0x30, [599] = 0x59};
const uint32_t trampoline_places[3] = {300, 400, 600};

/* ---------------------------------------------------------------- registers */

/* Remembers where the register was found last: a machine that waits reads the same few registers thousands of times. */
static struct fake_msr *find_msr(uint32_t number)
{
    static uint8_t found[256];
    uint8_t *at = &found[(uint8_t)number];

    if (*at < fake.msrs && fake.msr[*at].number == number)
        return &fake.msr[*at];
    for (unsigned i = 0; i < fake.msrs; i++)
        if (fake.msr[i].number == number) {
            *at = (uint8_t)i;
            return &fake.msr[i];
        }
    return NULL;
}

struct fake_msr *fake_msr(uint32_t number)
{
    struct fake_msr *msr = find_msr(number);
    if (!msr)
        fail_msg("no MSR %x", number);
    return msr;
}

static bool msr_has(uint32_t number, uint64_t set, uint64_t clear)
{
    uint64_t value = fake_msr(number)->value;
    return (value & set) == set && !(value & clear);
}

/* Returns whether CPUID shows IBS. */
static bool ibs_shown(void)
{
    return !fake.ibs_off || msr_has(0xC0011005, 1ull << 42, 0);
}

/* Returns whether IBS can be enabled. */
static bool ibs_on(void)
{
    return !fake.ibs_off || (ibs_shown() && msr_has(0xC0011029, 1 << 19, 0) && msr_has(0xC0011020, 1ull << 54, 0) &&
                             msr_has(0xC0010296, 0, 0x404040));
}

static uint64_t msr_value(const struct fake_msr *msr)
{
    return msr->number == MSR_IBS_CONTROL && fake.mirrors ? fake.f3x1cc[0] : msr->value;
}

static bool is_x2apic(uint32_t number)
{
    return fake.x2apic && number >= 0x800 && number < 0x854;
}

static uint32_t timer_count(void);
static unsigned delivered; /* number of the pause in which a command is sent */
static void write_apic(uint32_t offset, uint32_t value);

static uint64_t read_x2apic(uint32_t number)
{
    uint32_t offset = (number - 0x800) * 16;
    fake_log("x2apic r %x", offset);
    assert_int_not_equal(offset, APIC_COMMAND_HIGH);
    if (offset == APIC_COMMAND)
        return fake.x2apic_command;
    return offset == APIC_TIMER_CURRENT ? timer_count() : fake.apic[offset / 16];
}

/* Bits that these registers do not have are refused: the timer's entry has only vector, mask and mode. */
static bool write_x2apic(uint32_t number, uint64_t value)
{
    uint32_t offset = (number - 0x800) * 16;
    uint64_t reserved = offset == APIC_COMMAND               ? 0x1000
                        : offset == APIC_LVT_TIMER           ? ~0x700FFull
                        : offset >= 0x330 && offset <= 0x370 ? ~0x1A7FFull
                                                             : ~0xFFFFFFFFull;
    assert_int_not_equal(offset, APIC_COMMAND_HIGH);
    fake_log("x2apic w %x %llx", offset, (unsigned long long)value);
    if (value & reserved)
        return false;
    if (offset == APIC_COMMAND)
        fake.x2apic_command = value;
    else
        write_apic(offset, (uint32_t)value);
    return true;
}

uint32_t cpu_rdmsr_safe(uint32_t number, uint64_t *value)
{
    struct fake_msr *msr = find_msr(number);
    if (is_x2apic(number)) {
        access();
        *value = read_x2apic(number);
        return 0;
    }
    *value = 0;
    if (access_faults() || !msr) {
        fake_log("rdmsr %x refused", number);
        return 13;
    }
    *value = msr_value(msr);
    fake_log("rdmsr %x", number);
    return 0;
}

static void write_msr(struct fake_msr *msr, uint64_t value)
{
    fake_log("wrmsr %x %llx", msr->number, (unsigned long long)value);
    if ((msr->number == MSR_IBS_FETCH_CTL || msr->number == MSR_IBS_OP_CTL) && !ibs_on())
        return;
    msr->value = (msr->value & ~msr->writable) | (value & msr->writable);
    if (msr->number == MSR_PMC_GLOBAL_STATUS_CLEAR)
        fake_msr(MSR_PMC_GLOBAL_STATUS)->value &= ~value;
}

uint32_t cpu_wrmsr_safe(uint32_t number, uint64_t value)
{
    struct fake_msr *msr = find_msr(number);
    if (is_x2apic(number)) {
        access();
        return write_x2apic(number, value) ? 0 : 13;
    }
    if (access_faults() || !msr) {
        fake_log("wrmsr %x refused", number);
        return 13;
    }
    write_msr(msr, value);
    return 0;
}

uint64_t cpu_rdmsr(uint32_t number)
{
    access();
    if (is_x2apic(number))
        return read_x2apic(number);
    fake_log("rdmsr %x", number);
    return msr_value(fake_msr(number));
}

void cpu_wrmsr(uint32_t number, uint64_t value)
{
    access();
    if (is_x2apic(number))
        assert_true(write_x2apic(number, value));
    else
        write_msr(fake_msr(number), value);
}

uint64_t cpu_rdtsc(void)
{
    return fake.tsc += 1000;
}

void cpu_cpuid(uint32_t leaf, uint32_t subleaf, struct cpu_cpuid *registers)
{
    *registers = (struct cpu_cpuid){0};
    assert_true(subleaf == 0 || leaf == 0x40000010 || (leaf == 0xB && subleaf == 1) ||
                (leaf == 0x8000001D && subleaf == 3)); /* other leaves have no subleaves here */
    fake.subleaf = subleaf;
    leaf += leaf == 0xB && subleaf ? FAKE_SECOND : 0;
    for (unsigned i = 0; i < fake.leaves; i++)
        if (fake.leaf[i].leaf == leaf)
            *registers = fake.leaf[i].registers;
    if (leaf == 0x80000001 && !ibs_shown())
        registers->ecx &= ~(1u << 10);
    if (leaf == 0x8000001B && !ibs_shown())
        registers->eax = 0;
}

static void due_nmis(void)
{
    uint32_t lvt = fake.apic[APIC_LVT_TIMER / 16];
    bool due = fake.timer_nmis && fake.apic[APIC_TIMER_INITIAL / 16] && !timer_count() && !fake.timer_told &&
               (lvt & (APIC_LVT_MASKED | APIC_LVT_TYPE)) == APIC_LVT_NMI;
    fake.timer_told |= due;
    for (unsigned c = 0; fake.clock_nmis && c < PMC_LEGACY; c++)
        due |= (fake_msr(MSR_PERF_CTL(c))->value & 0xFFF) == 0x76 && fake_count(c, CLOCKS_OF_PAUSE * fake.clock_nmis);
    if (due)
        fake_nmi();
}

void cpu_pause(void)
{
    due_nmis();
    standing_nmis();
    if (fake.delivery && fake.delivery != ~0u && fake.pauses + 1 >= delivered)
        fake.apic[APIC_COMMAND / 16] &= ~0x1000u;
    if (++fake.pauses == fake.nmi_at_pause) {
        fake_log("nmi");
        fake_nmi();
    }
    if (fake.on_pause)
        fake.on_pause(fake.pauses);
}

void cpu_wbinvd(void)
{
    fake_log("wbinvd");
}

/* ---------------------------------------------------------------- ports, PCI, APIC */

/* Returns the configuration register that port CF8h selects, or NULL if there is no such device or register. */
static uint32_t *pci_register(void)
{
    uint32_t offset = (fake.cf8 & 0xFC) | (fake.cf8 >> 24 & 0xF) << 8;
    uint32_t device = fake.cf8 >> 11 & 0x1F, function = fake.cf8 >> 8 & 7, bus = fake.cf8 >> 16 & 0xFF;
    if (!(fake.cf8 >> 31) || bus || device < 0x18 || !fake.node_id[device - 0x18])
        return NULL;
    if (function == 1 && fake.map_id && (offset == 0 || (offset >= 0x40 && offset < 0x80)))
        return offset ? &fake.map[(offset - 0x40) / 4] : &fake.map_id;
    static uint32_t other;
    uint32_t *or_none = fake.all_registers ? &other : NULL;
    other = (device - 0x18) << 24 | function << 16 | offset;
    if (function != 3)
        return or_none;
    if (offset >= 0x100 && !(find_msr(0xC001001F) && find_msr(0xC001001F)->value >> 46 & 1))
        offset &= 0xFF; /* without EnableCf8ExtCfg the bits are reserved */
    if (offset == 0)
        return &fake.node_id[device - 0x18];
    other = (device - 0x18) << 24 | function << 16 | offset;
    return offset == 0x1CC ? &fake.f3x1cc[device - 0x18] : or_none;
}

static bool other_device(bool write, uint32_t *value)
{
    return fake.config && fake.cf8 >> 31 && fake.config(fake.cf8 >> 8 & 0xFFFF, fake.cf8 & 0xFC, write, value);
}

uint32_t cpu_in32(uint16_t port)
{
    access();
    if (port == 0xCF8) {
        fake_log("in cf8");
        return fake.cf8;
    }
    assert_int_equal(port, 0xCFC);
    assert_int_equal(fake.cf8 & 3, 0); /* all four bytes of a register, from the first one on */
    fake_log("in cfc");
    uint32_t value;
    if (other_device(false, &value))
        return value;
    uint32_t *reg = pci_register();
    return reg ? *reg : 0xFFFFFFFF;
}

void cpu_out32(uint16_t port, uint32_t value)
{
    access();
    fake_log("out %x %x", port, value);
    if (port == 0xCF8) {
        fake.cf8 = (fake.cf8 & ~fake.cf8_writable) | (value & fake.cf8_writable);
        return;
    }
    assert_int_equal(port, 0xCFC);
    if (other_device(true, &value))
        return;
    uint32_t *reg = pci_register();
    assert_true(reg >= fake.f3x1cc && reg < fake.f3x1cc + FAKE_NODES); /* nothing else may be written */
    *reg = (*reg & ~fake.f3x1cc_writable) | (value & fake.f3x1cc_writable);
}

enum { UART = 0x3F8, UART_LINE = 3, UART_STATUS = 5, UART_SCRATCH = 7, UART_FIFO = 2, LATCH = 0x80 };

static uint8_t uart_read(unsigned offset)
{
    struct fake_uart *uart = &fake.uart;
    if (!uart->there)
        return 0xFF;
    if (offset < 2 && (uart->reg[UART_LINE] & LATCH))
        return uart->divisor[offset];
    if (offset == UART_SCRATCH && uart->forgets)
        return 0xFF;
    if (offset != UART_STATUS)
        return uart->reg[offset];
    uart->reads++;
    uart->since = 0;
    return (uart->stuck ? 0 : 0x60) | uart->comes;
}

static void uart_write(unsigned offset, uint8_t value)
{
    struct fake_uart *uart = &fake.uart;
    if (offset < 2 && (uart->reg[UART_LINE] & LATCH)) {
        uart->divisor[offset] = value;
    } else if (offset == 0) {
        assert_int_equal(uart->divisor[0] | uart->divisor[1] << 8, uart->rate ? uart->rate : 1);
        assert_int_equal(uart->reg[UART_LINE], 3);
        assert_int_equal(uart->reg[1], 0); /* interrupts must be off */
        assert_false(fake.flags & CPU_FLAG_INTERRUPT);
        assert_true(uart->since++ < ((uart->reg[2] & 0xC0) == 0xC0 ? 16 : 1)); /* there must be room */
        uart->stuck |= uart->breaks && ++uart->bytes == uart->breaks;
        if (uart->take) {
            uart->take((char)value);
            return;
        }
        assert_true(uart->length + 1 < sizeof uart->sent);
        uart->sent[uart->length++] = (char)value;
    } else if (offset == UART_FIFO) {
        uart->reg[offset] = value & 1 ? 0xC1 : 1; /* reading returns both bits of a FIFO that is on and works */
        uart->fifo_writes++;
    } else {
        uart->reg[offset] = value;
    }
}

void cpu_out8(uint16_t port, uint8_t value)
{
    if (port == 0x80) {
        fake_log("post %02x", value);
        if (fake.posts < sizeof fake.post)
            fake.post[fake.posts++] = value;
        return;
    }
    assert_in_range(port, UART, UART + 7);
    if (fake.uart.there)
        uart_write(port - UART, value);
}

void cpu_linger(uint32_t turns)
{
    assert_true(turns < FAKE_TURNS);
    fake_log("lingers");
    fake.lingered[turns]++;
}

uint8_t cpu_in8(uint16_t port)
{
    if (port >= UART && port < UART + 8)
        return uart_read(port - UART);
    access();
    assert_true(port == 0x61 || port == 0x70);
    fake_log("in %x", port);
    return port == 0x61 ? fake.port_61 : fake.port_70;
}

static uint32_t *apic_register(uint64_t address)
{
    assert_false(fake.x2apic);
    assert_in_range(address, FAKE_APIC, FAKE_APIC + 0x53F);
    assert_int_equal(address % 16, 0);
    return &fake.apic[(address - FAKE_APIC) / 16];
}

/* Returns the count of a one-shot timer, which counts down to 0 and stays there. */
static uint32_t timer_count(void)
{
    uint32_t initial = fake.apic[APIC_TIMER_INITIAL / 16];
    uint64_t counted = fake.timer_tsc ? (fake.tsc - fake.timer_from) / fake.timer_tsc : 0;
    return counted < initial ? initial - (uint32_t)counted : 0;
}

uint32_t cpu_mmio_read32(uint64_t address)
{
    access();
    uint32_t value;
    if (fake.memory && fake.memory(address, false, &value))
        return value;
    fake_log("apic r %x", (unsigned)(address - FAKE_APIC));
    return address == FAKE_APIC + APIC_TIMER_CURRENT ? timer_count() : *apic_register(address);
}

void cpu_mmio_write32(uint64_t address, uint32_t value)
{
    access();
    if (fake.memory && fake.memory(address, true, &value))
        return;
    fake_log("apic w %x %x", (unsigned)(address - FAKE_APIC), value);
    (void)apic_register(address);
    write_apic((uint32_t)(address - FAKE_APIC), value);
}

static bool is_lvt(uint32_t offset)
{
    return (offset >= 0x320 && offset <= 0x370) || offset >= APIC_EXTENDED_LVT;
}

/* Masks all entries, as switching the APIC off does (AMD APM vol. 2 section 16.4.6). Entries that are 0 do not
 * exist. */
static void mask_all(void)
{
    for (uint32_t offset = 0; offset < sizeof fake.apic * 4; offset += 16)
        if (is_lvt(offset) && fake.apic[offset / 16])
            fake.apic[offset / 16] |= APIC_LVT_MASKED;
}

static void write_apic(uint32_t offset, uint32_t value)
{
    if (is_lvt(offset) && !(fake.apic[APIC_SPURIOUS / 16] & APIC_SOFTWARE_ENABLE))
        value |= APIC_LVT_MASKED;
    if (offset != fake.apic_read_only)
        fake.apic[offset / 16] = value;
    if (offset == APIC_SPURIOUS && !(fake.apic[offset / 16] & APIC_SOFTWARE_ENABLE))
        mask_all();
    if (offset == APIC_COMMAND && fake.delivery) {
        fake.apic[offset / 16] |= 0x1000;
        delivered = fake.pauses + fake.delivery;
    }
    if (offset == APIC_TIMER_INITIAL)
        fake.timer_from = fake.tsc, fake.timer_told = false;
    standing_nmis();
}

/* ---------------------------------------------------------------- control registers, tables */

uint64_t cpu_read_cr0(void)
{
    return fake.cr0;
}

void cpu_write_cr0(uint64_t value)
{
    fake_log("cr0 %llx", (unsigned long long)value);
    fake.cr0 = value;
}

uint64_t cpu_read_dr6(void)
{
    return fake.dr6;
}

void cpu_write_dr6(uint64_t value)
{
    fake_log("dr6 %llx", (unsigned long long)value);
    fake.dr6 = value;
}

uint64_t cpu_read_cr2(void)
{
    return fake.cr2;
}

uint64_t cpu_read_cr3(void)
{
    return fake.cr3;
}

uint64_t cpu_read_cr4(void)
{
    return fake.cr4;
}

void cpu_write_cr4(uint64_t value)
{
    fake_log("cr4 %llx", (unsigned long long)value);
    fake.cr4 = value;
}

void cpu_write_cr3(uint64_t value)
{
    fake_log("cr3 %s", (value & ~0xFFFull) == (uintptr_t)fake.firmware_pml4 ? "firmware" : "ours");
    fake.cr3 = value;
}

uint64_t cpu_flags(void)
{
    return fake.flags;
}

void cpu_cli(void)
{
    fake_log("cli");
    fake.flags &= ~(uint64_t)CPU_FLAG_INTERRUPT;
}

void cpu_sti(void)
{
    fake_log("sti");
    fake.flags |= CPU_FLAG_INTERRUPT;
}

/* Raises #NM with EM or TS; without OSFXSR the state is not complete. */
static void fpu_usable(void)
{
    if (fake.cr0 & 0xC)
        fake_raise(7, 0);
    assert_int_equal(fake.cr4 & 0x600, 0x600);
}

void cpu_fpu_save(struct cpu_fpu *fpu)
{
    for (unsigned i = 0; i < sizeof fpu->bytes; i++)
        fpu->bytes[i] = (uint8_t)(0x50 + i);
    fake_log("fxsave");
    fpu_usable();
}

void cpu_fpu_init(void)
{
    fake_log("fninit");
    fpu_usable();
}

void cpu_fpu_restore(const struct cpu_fpu *fpu)
{
    assert_int_equal(fpu->bytes[511], 0x4F);
    fake_log("fxrstor");
    fpu_usable();
}

void cpu_sgdt(struct cpu_table *table)
{
    *table = fake.gdt;
}

void cpu_lgdt(const struct cpu_table *table)
{
    fake_log("lgdt %s", table->base == (uintptr_t)fake.firmware_gdt ? "firmware" : "ours");
    if (!fake.keeps_tables)
        fake.gdt = *table;
}

void cpu_sidt(struct cpu_table *table)
{
    *table = fake.idt;
}

void cpu_lidt(const struct cpu_table *table)
{
    fake_log("lidt %s", table->base == 0xF1DE0000 ? "firmware" : "ours");
    if (!fake.keeps_tables)
        fake.idt = *table;
}

uint16_t cpu_str(void)
{
    return fake.tr;
}

void cpu_ltr(uint16_t selector)
{
    fake_log("ltr %x", selector);
    assert_true(selector && selector + 15 <= fake.gdt.limit);
    uint64_t *descriptor = (uint64_t *)(uintptr_t)fake.gdt.base + selector / 8;
    assert_int_equal(*descriptor >> 40 & 0xFF, 0x89); /* loading a busy descriptor raises #GP */
    *descriptor |= 2ull << 40;
    fake.tr = selector;
}

void cpu_read_segments(struct cpu_segments *segments)
{
    *segments = fake.segments;
}

/* ---------------------------------------------------------------- the machine */

void fake_set_leaf(uint32_t leaf, uint32_t eax, uint32_t ebx, uint32_t ecx, uint32_t edx)
{
    struct cpu_cpuid registers = {eax, ebx, ecx, edx};
    for (unsigned i = 0; i < fake.leaves; i++) {
        if (fake.leaf[i].leaf == leaf) {
            fake.leaf[i].registers = registers;
            return;
        }
    }
    assert_true(fake.leaves < FAKE_LEAVES);
    fake.leaf[fake.leaves++] = (struct fake_leaf){leaf, registers};
}

void fake_add_msr(uint32_t number, uint64_t value, uint64_t writable)
{
    assert_true(fake.msrs < FAKE_MSRS);
    fake.msr[fake.msrs++] = (struct fake_msr){number, value, writable};
}

void fake_remove_msr(uint32_t number)
{
    fake_msr(number)->number = 0;
}

static void set_vendor(uint32_t leaf, const char *text, uint32_t eax)
{
    uint32_t w[3];
    memcpy(w, text, 12);
    if (leaf == 0)
        fake_set_leaf(leaf, eax, w[0], w[2], w[1]); /* the order is ebx, edx, ecx */
    else
        fake_set_leaf(leaf, eax, w[0], w[1], w[2]);
}

void fake_reset(uint32_t model)
{
    bool revision_b = model == 2;
    fake = (struct fake){
        .mirrors = true,
        .cf8 = 0x80000CAC,
        .cf8_writable = ~0u,
        .cr0 = 0x80010033,
        .dr6 = 0xFFFF0FF0,
        .cr4 = 0x668,
        .flags = 0x202,
        .f3x1cc_writable = 0x10F,
        .timer_tsc = 10,
        .timer_nmis = true,
        .clock_nmis = 1,
        .idt = {.limit = 0xFFF, .base = 0xF1DE0000},
        .segments = {.cs = 0x38, .ss = 0x30, .ds = 0x30, .es = 0x30, .fs = 0x30, .gs = 0x30},
    };
    fake.cr3 = (uintptr_t)fake.firmware_pml4;
    fake.firmware_pml4[0] = (uintptr_t)fake.firmware_gigabytes | 0x23;
    fake.firmware_gigabytes[0] = 0xE3;
    fake.gdt = (struct cpu_table){.limit = 0x47, .base = (uintptr_t)fake.firmware_gdt};
    for (unsigned i = 1; i < 8; i++)
        fake.firmware_gdt[i] = 0x00AF9B000000FFFFull + i;
    fake.node_id[0] = 0x12031022;
    fake.apic[0x400 / 16] = 0x00040007;
    for (unsigned n = 0; n < 4; n++)
        fake.apic[0x500 / 16 + n] = 0x10000;
    fake.apic[0x320 / 16] = fake.apic[0x340 / 16] = 0x10000;
    fake.apic[APIC_SPURIOUS / 16] = 0x1FF;

    set_vendor(0, "AuthenticAMD", 5);
    fake_set_leaf(1, 0x00100F03 | model << 4, 0, 0x00802009, 0x178BFBFF);
    fake_set_leaf(0x80000000, revision_b ? 0x8000001A : 0x8000001B, 0, 0, 0);
    fake_set_leaf(0x80000001, 0, 0, 0x000037FF | 1u << 10, 1u << 26 | 1u << 20 | 1u << 29);
    fake_set_leaf(0x80000008, 0x3030, 0, 0x2003, 0);
    if (!revision_b)
        fake_set_leaf(0x8000001B, 0x1F, 0, 0, 0);

    fake_add_msr(0x1B, FAKE_APIC | 0x900, 0);
    fake_add_msr(0xC0000080, 0xD01, 0);
    fake_add_msr(0xC001001F, 0x2000000008ull, ~0ull);
    fake_add_msr(MSR_IBS_FETCH_CTL, 0, ~0ull);
    fake_add_msr(MSR_IBS_FETCH_LINAD, 0, 0);
    fake_add_msr(MSR_IBS_FETCH_PHYSAD, 0, 0);
    fake_add_msr(MSR_IBS_OP_CTL, 0, revision_b ? 0x6FFFFull : 0xFFFFF000EFFFFull);
    for (uint32_t msr = MSR_IBS_OP_RIP; msr <= MSR_IBS_DC_PHYSAD; msr++)
        fake_add_msr(msr, 0, 0);
    fake_add_msr(MSR_IBS_CONTROL, 0, 0);
    for (unsigned n = 0; n < PMC_LEGACY; n++) {
        fake_add_msr(MSR_PERF_CTL(n), 0, ~0ull);
        fake_add_msr(MSR_PERF_CTR(n), 0, PMC_COUNTER_MASK);
    }
}

void fake_reset_later(enum fake_later which)
{
    /* CPUID of each processor: signature, Fn8000_001B EAX as machines printed it, counters (8000_0001h ECX[23],
     * 8000_0022h). */
    static const struct {
        uint32_t signature, caps;
        bool counters_at_200h, version_2;
    } later[FAKE_LATER] = {
        [FAKE_15H_00] = {0x00600F12, 0xFF, true, false},
        [FAKE_15H_30] = {0x00630F01, 0xFF, true, false},
        [FAKE_16H] = {0x00700F01, 0xFF, false, false},
        [FAKE_ZEN] = {0x00800F11, 0x3FF, true, false},
        [FAKE_ZEN2] = {0x00870F10, 0x3FF, true, false},
        [FAKE_ZEN4] = {0x00A60F12, 0xBFF, true, true},
        [FAKE_ZEN3] = {0x00A00F11, 0x3FF, true, false},
        [FAKE_ZEN5] = {0x00B40F40, 0x81BFF, true, true},
        [FAKE_ZEN6] = {0x00B50F00, 0x81BFF | IBS_CAP_DIS, true, true},
    };
    uint32_t caps = later[which].caps;
    fake_reset(4);
    fake.mirrors = false;
    fake.node_id[0] = 0;
    fake_msr(MSR_IBS_CONTROL)->value = IBS_CTL_LVT_VALID;
    fake_set_leaf(1, later[which].signature, 0, 0x00802009, 0x178BFBFF);
    fake_set_leaf(0x80000000, 0x80000022, 0, 0, 0);
    fake_set_leaf(0x80000001, 0, 0, 0x000037FF | 1u << 10 | (later[which].counters_at_200h ? 1u << 23 : 0),
                  1u << 26 | 1u << 20 | 1u << 29);
    fake_set_leaf(0x8000001B, caps, 0, 0, 0);
    fake_set_leaf(0x80000022, later[which].version_2 ? 3 : 0, later[which].version_2 ? FAKE_BRANCHES << 4 | 6 : 0, 0,
                  0);
    fake_msr(MSR_IBS_OP_CTL)->writable = ~(0xFull << 28);
    fake_msr(MSR_IBS_OP_DATA3)->writable = ~0ull;
    if (caps & IBS_CAP_BRNTRGT)
        fake_add_msr(MSR_IBS_BR_TARGET, 0, 0);
    if (caps & IBS_CAP_FETCHCTLEXTD)
        fake_add_msr(MSR_IBS_FETCH_EXTD, 0, 0);
    if (caps & IBS_CAP_DIS) {
        fake_add_msr(MSR_IBS_OP_CTL2, IBS_CTL2_DIS, ~0ull);
        fake_add_msr(MSR_IBS_FETCH_CTL2, IBS_CTL2_DIS, ~0ull);
    }
    for (uint32_t n = 0; later[which].counters_at_200h && n < 6; n++) {
        fake_add_msr(0xC0010200 + 2 * n, 0, ~0ull);
        fake_add_msr(0xC0010201 + 2 * n, 0, PMC_COUNTER_MASK);
    }
    if (which == FAKE_ZEN3) {
        fake_set_leaf(0x80000008, 0x3030, 1u << 31, 0x2003, 0);
        fake_add_msr(MSR_DBG_EXTN_CFG, 0x80000000001Cull | 5 << 16 | 1 << 5, ~0ull);
        for (uint32_t i = 0; i < 2 * 16; i++)
            fake_add_msr(MSR_BRANCH_FROM0 + i, 0x401000 + i, ~0ull);
    }
    if (later[which].version_2) {
        fake_add_msr(MSR_LBR_SELECT, 5, 0x1FF);
        fake_add_msr(MSR_DBG_EXTN_CFG, 0x30, ~0ull);
        for (uint32_t i = 0; i < 2 * FAKE_BRANCHES; i++)
            fake_add_msr(MSR_BRANCH_FROM0 + i, 0x8000000000401000 + i, ~0ull);
        fake_add_msr(MSR_PMC_GLOBAL_STATUS, 0, 0);
        fake_add_msr(MSR_PMC_GLOBAL_CTL, 0x3F, 0x3F);
        fake_add_msr(MSR_PMC_GLOBAL_STATUS_CLEAR, 0, ~0ull);
    }
}

void fake_reset_ibs_off(void)
{
    fake_reset_later(FAKE_ZEN);
    fake.ibs_off = true;
    fake_add_msr(0xC0011005, 0x35C233FF178BFBFF, ~0ull);
    fake_add_msr(0xC0011020, 0x0006404000000000, ~0ull);
    fake_add_msr(0xC0011029, 0x3000310E08003, ~0ull);
    fake_add_msr(0xC0010296, 0x484848, ~0ull);
}

void fake_machine_later(struct machine *machine, enum fake_later which)
{
    fake_reset_later(which);
    machine_probe(machine);
    machine->tsc_khz = 2500000;
    fake_clear_log();
    fake.accesses = 0;
}

void fake_machine(struct machine *machine, uint32_t model)
{
    fake_reset(model);
    machine_probe(machine);
    machine->tsc_khz = 2500000;
    fake_clear_log();
    fake.accesses = 0;
}
