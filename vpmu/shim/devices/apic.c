/* SPDX-License-Identifier: BSD-2-Clause */
#include "vpmu/shim/os/os.h"
#include "vpmu/shim/startup.h"

/* The extended APIC registers of Family 10h (BKDG 31116, APIC400 to APIC530; APM vol. 2 section 16.3.5): 400h to 420h
 * are feature, control and SEOI, 480h to 4F0h interrupt enable, 500h to 530h the extended LVT. QEMU's APIC lacks them.
 *
 * The counters' LVT entry is always the model's: QEMU has no counters. The timer is QEMU's, so that firmware's ticks
 * continue, until its LVT entry is written with message type NMI; while the model has the timer, QEMU's is masked. */
enum {
    APIC_VERSION = 0x30,
    APIC_SVR = 0xf0,
    APIC_COMMAND = 0x300,
    APIC_COMMAND_HIGH = 0x310,
    APIC_LVT_TIMER = 0x320,
    APIC_LVT_COUNTERS = 0x340,
    APIC_TIMER_DIVIDE = 0x3e0,
    EXTENDED_FIRST = 0x400,
    EXTENDED_END = 0x540,
    REGISTER_STRIDE = 16,
    LVT_MASKED = 0x10000,
};
#define VERSION_EXTENDED (1u << 31) /* of the version register: there are extended registers */

/* Returns the real register. For one instruction that touches a register of the model, the guest sees a page of
 * ordinary memory with the register's value (shim_pages.apic_shadow). No instruction is decoded: the page's contents
 * afterwards were written. */

static volatile uint32_t *real_register(const struct shim *shim, unsigned offset)
{
    return (volatile uint32_t *)(shim->apic_base + offset);
}

static uint32_t model_value(struct shim *shim, unsigned offset)
{
    uint32_t value = 0;
    return os_timer_read(shim, offset, &value) || vpmu_apic_read(shim->model, offset, &value) == VPMU_OK ? value : 0;
}

static bool is_extended(unsigned offset)
{
    return offset >= EXTENDED_FIRST && offset < EXTENDED_END;
}

/* Returns whether the model has the register now. */
static bool is_modelled(struct shim *shim, unsigned offset)
{
    uint32_t value;
    return is_extended(offset) || os_timer_read(shim, offset, &value) ||
           vpmu_apic_read(shim->model, offset, &value) == VPMU_OK;
}

uint32_t apic_get(struct shim *shim, unsigned offset)
{
    if (offset == APIC_VERSION)
        return *real_register(shim, APIC_VERSION) | VERSION_EXTENDED;
    return is_modelled(shim, offset) ? model_value(shim, offset) : *real_register(shim, offset);
}

static void begin(struct shim *shim, uint64_t address, bool write)
{
    unsigned offset = (unsigned)(address & (PAGE_SIZE - 1)) & ~(REGISTER_STRIDE - 1u);
    clock_sync(shim);
    clock_wait(shim);
    bool shadowed = offset == APIC_VERSION || offset == APIC_LVT_TIMER || is_modelled(shim, offset) ||
                    (offset == APIC_SVR && write) || (offset == APIC_COMMAND && write && !shim->settings.os);
    os_timer_watch(shim, offset);
    shim->apic_offset = offset;
    shim->apic_write = write;
    if (shadowed)
        shim->pages->apic_shadow[offset / 4] = shim->apic_shown = apic_get(shim, offset);
    identity_redirect(shim->nested, shadowed ? (uint64_t)shim->pages->apic_shadow : shim->apic_base);
    exit_begin_host_step(shim, shadowed ? HOST_STEP_APIC_SHADOW : HOST_STEP_APIC_REAL);
}

/* Writes the timer's LVT entry, which may hand the timer to the model or back. */
static void write_lvt_timer(struct shim *shim, uint32_t value)
{
    uint32_t value_before;
    bool had = vpmu_apic_read(shim->model, APIC_LVT_TIMER, &value_before) == VPMU_OK;
    uint32_t divide = model_value(shim, APIC_TIMER_DIVIDE);
    if (vpmu_apic_write(shim->model, APIC_LVT_TIMER, value) == VPMU_OK) {
        if (!had) {
            *real_register(shim, APIC_LVT_TIMER) |= LVT_MASKED;
            (void)vpmu_apic_write(shim->model, APIC_TIMER_DIVIDE, *real_register(shim, APIC_TIMER_DIVIDE));
        }
        return;
    }
    if (had && !os_timer_write(shim, APIC_TIMER_DIVIDE, divide))
        *real_register(shim, APIC_TIMER_DIVIDE) = divide;
    if (!os_timer_write(shim, APIC_LVT_TIMER, value))
        *real_register(shim, APIC_LVT_TIMER) = value;
}

static void write_command(struct shim *shim, uint32_t value)
{
    volatile uint32_t *command = real_register(shim, APIC_COMMAND);
    if (!startup_command(command, *real_register(shim, APIC_COMMAND_HIGH) >> 24, value))
        *command = value;
}

/* Masks the model's entries while the APIC is off, whoever has this register. */
static void write_svr(struct shim *shim, uint32_t value)
{
    if (vpmu_apic_write(shim->model, APIC_SVR, value) != VPMU_OK)
        *real_register(shim, APIC_SVR) = value;
}

void apic_put(struct shim *shim, unsigned offset, uint32_t value)
{
    if (offset == APIC_COMMAND)
        write_command(shim, value);
    else if (offset == APIC_LVT_TIMER)
        write_lvt_timer(shim, value);
    else if (offset == APIC_SVR)
        write_svr(shim, value);
    else if (offset != APIC_VERSION && !os_timer_write(shim, offset, value) &&
             vpmu_apic_write(shim->model, offset, value) != VPMU_OK)
        *real_register(shim, offset) = value;
}

void apic_end_host_step(struct shim *shim, bool shadowed)
{
    unsigned offset = shim->apic_offset;
    const uint32_t *shadow = shim->pages->apic_shadow;
    identity_redirect(shim->nested, 0);
    /* A read-modify-write instruction faults on its read: a changed value means a write, too. */
    if (!shadowed || (!shim->apic_write && shim->pages->apic_shadow[offset / 4] == shim->apic_shown))
        return;
    apic_put(shim, offset, shadow[offset / 4]);
    step_rearm(shim);
    if (vpmu_take_standing_nmi(shim->model))
        shim->nmi.pending = true;
}

void apic_connect(struct shim *shim)
{
    uint32_t value;
    if (vpmu_apic_read(shim->model, APIC_SVR, &value) != VPMU_OK)
        (void)vpmu_apic_write(shim->model, APIC_SVR, *real_register(shim, APIC_SVR));
    (void)vpmu_apic_write(shim->model, APIC_LVT_COUNTERS, *real_register(shim, APIC_LVT_COUNTERS));
}

void exit_npf(struct shim *shim)
{
    uint64_t address = shim->vmcb->exit_info2;
    uint64_t error = shim->vmcb->exit_info1;
    if (shim->nmi.awaiting_handler && (error & NPF_FETCH))
        nmi_handler_entered(shim);
    else if ((address & ~(PAGE_SIZE - 1)) == shim->apic_base && shim->x2apic)
        exit_fatal(shim, "a register of the APIC in memory, in x2APIC mode");
    else if ((address & ~(PAGE_SIZE - 1)) == shim->apic_base && shim->host_step == HOST_STEP_NONE)
        begin(shim, address, error & NPF_WRITE);
    else
        exit_fatal(shim, "nested page fault outside the APIC");
}
