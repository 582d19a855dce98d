#include "tests/vpmu/shim/shim.h"

/* The extended APIC registers of Family 10h (BKDG 31116, APIC400 to APIC530; APM vol. 2 section 16.3.5): 400h to 420h
 * are feature, control and SEOI, 480h to 4F0h interrupt enable, 500h to 530h the extended LVT. QEMU's APIC has none of
 * them. */
enum { APIC_VERSION = 0x30, EXTENDED_FIRST = 0x400, EXTENDED_END = 0x540, REGISTER_STRIDE = 16 };
#define VERSION_EXTENDED (1u << 31) /* of the version register: there are extended registers */

/* What the guest sees for one instruction when it touches an extended register: a page of ordinary memory with the
 * model's values. No instruction is decoded: what changed, or the register that the write fault named, is what was
 * written. */
static uint32_t shadow[PAGE_SIZE / 4] __attribute__((aligned(4096)));

static uint32_t model_value(struct shim *shim, unsigned offset)
{
    uint32_t value = 0;
    return vpmu_apic_read(shim->model, offset, &value) == VPMU_OK ? value : 0;
}

static void begin(struct shim *shim, uint64_t address, bool write)
{
    shim->apic_offset = (unsigned)(address & (PAGE_SIZE - 1));
    shim->apic_write = write;
    bool version = shim->apic_offset >= APIC_VERSION && shim->apic_offset < APIC_VERSION + 4;
    bool extended = version || (shim->apic_offset >= EXTENDED_FIRST && shim->apic_offset < EXTENDED_END);
    if (extended) {
        shadow[APIC_VERSION / 4] = *(const volatile uint32_t *)(shim->apic_base + APIC_VERSION) | VERSION_EXTENDED;
        for (unsigned offset = EXTENDED_FIRST; offset < EXTENDED_END; offset += REGISTER_STRIDE) {
            shadow[offset / 4] = model_value(shim, offset);
        }
    }
    identity_redirect(shim->nested, extended ? (uint64_t)shadow : shim->apic_base);
    exit_begin_host_step(shim, extended ? HOST_STEP_APIC_EXTENDED : HOST_STEP_APIC_REAL);
}

void apic_end_host_step(struct shim *shim, bool extended)
{
    identity_redirect(shim->nested, 0);
    if (!extended) {
        return;
    }
    for (unsigned offset = EXTENDED_FIRST; offset < EXTENDED_END; offset += REGISTER_STRIDE) {
        bool named = shim->apic_write && offset == (shim->apic_offset & ~15u);
        if (named || shadow[offset / 4] != model_value(shim, offset)) {
            (void)vpmu_apic_write(shim->model, offset, shadow[offset / 4]);
        }
    }
}

void exit_npf(struct shim *shim)
{
    uint64_t address = shim->vmcb->exit_info2;
    uint64_t error = shim->vmcb->exit_info1;
    if (shim->nmi.awaiting_handler && (error & NPF_FETCH)) {
        nmi_handler_entered(shim);
    } else if ((address & ~(PAGE_SIZE - 1)) == shim->apic_base && shim->host_step == HOST_STEP_NONE) {
        begin(shim, address, error & NPF_WRITE);
    } else {
        exit_fatal(shim, "nested page fault outside the APIC");
    }
}
