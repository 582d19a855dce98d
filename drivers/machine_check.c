/* SPDX-License-Identifier: BSD-2-Clause */
#include "drivers/machine_check.h"

#include "core/out.h"
#include "drivers/cpu.h"

enum {
    MSR_MCG_CAP = 0x179, /* 7:0: number of banks */
    MSR_MCG_STATUS = 0x17A,
    MSR_MC0_STATUS = 0x401, /* + 4 for each bank */
    MSR_MC0_ADDR = 0x402,
    BANK_STRIDE = 4,
};

#define STATUS_VALID         (1ull << 63)
#define STATUS_ADDRESS_VALID (1ull << 58)

static void read_bank(struct machine_check *check, uint32_t n, bool clear)
{
    struct machine_check_bank bank = {.bank = n};
    if (cpu_rdmsr_safe(MSR_MC0_STATUS + n * BANK_STRIDE, &bank.status) || !(bank.status & STATUS_VALID))
        return;
    if (bank.status & STATUS_ADDRESS_VALID)
        (void)cpu_rdmsr_safe(MSR_MC0_ADDR + n * BANK_STRIDE, &bank.address);
    if (clear)
        (void)cpu_wrmsr_safe(MSR_MC0_STATUS + n * BANK_STRIDE, 0);
    check->bank[check->count++] = bank;
}

void machine_check_read(struct machine_check *check, bool clear)
{
    uint64_t capabilities;
    *check = (struct machine_check){0};
    if (cpu_rdmsr_safe(MSR_MCG_CAP, &capabilities))
        return;
    (void)cpu_rdmsr_safe(MSR_MCG_STATUS, &check->global);
    for (uint32_t n = 0; n < (capabilities & 0xFF) && n < MACHINE_CHECK_BANKS; n++)
        read_bank(check, n, clear);
    if (clear)
        (void)cpu_wrmsr_safe(MSR_MCG_STATUS, 0);
}

void machine_check_print(struct out *out, const struct machine_check_bank *bank)
{
    out_printf(out, "bank %u status %016llxh", bank->bank, (unsigned long long)bank->status);
    if (bank->status & STATUS_ADDRESS_VALID)
        out_printf(out, " address %llxh", (unsigned long long)bank->address);
}
