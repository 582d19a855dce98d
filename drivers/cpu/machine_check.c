/* SPDX-License-Identifier: BSD-2-Clause */
#include "drivers/cpu/machine_check.h"

#include "core/base/out.h"
#include "drivers/cpu/cpu.h"

enum {
    MSR_MCG_CAP = 0x179, /* 7:0: number of banks */
    MSR_MCG_STATUS = 0x17A,
};

/* Registers of bank 0, and the distance from one bank to the next. */
struct registers {
    uint32_t status, address, stride;
};

/* Scalable MCA, CPUID 8000_0007h EBX[3], has registers of its own, which all banks have; the first ones reach 32 (Linux
 * arch/x86/include/asm/mce.h, MSR_AMD64_SMCA_MC0_STATUS; cpufeatures.h, X86_FEATURE_SMCA). */
static const struct registers first = {0x401, 0x402, 4}, scalable = {0xC0002001, 0xC0002002, 0x10};

static const struct registers *find_registers(void)
{
    struct cpu_cpuid r;
    cpu_cpuid(0x80000000, 0, &r);
    if (r.eax < 0x80000007)
        return &first;
    cpu_cpuid(0x80000007, 0, &r);
    return r.ebx >> 3 & 1 ? &scalable : &first;
}

#define STATUS_VALID         (1ull << 63)
#define STATUS_ADDRESS_VALID (1ull << 58)

static void read_bank(struct machine_check *check, const struct registers *registers, uint32_t n, bool clear)
{
    struct machine_check_bank bank = {.bank = n};
    uint32_t status = registers->status + n * registers->stride;
    if (cpu_rdmsr_safe(status, &bank.status) || !(bank.status & STATUS_VALID))
        return;
    if (bank.status & STATUS_ADDRESS_VALID)
        (void)cpu_rdmsr_safe(registers->address + n * registers->stride, &bank.address);
    if (clear)
        (void)cpu_wrmsr_safe(status, 0);
    if (check->count < MACHINE_CHECK_KEPT)
        check->bank[check->count++] = bank;
}

void machine_check_read(struct machine_check *check, bool clear)
{
    uint64_t capabilities;
    *check = (struct machine_check){0};
    if (cpu_rdmsr_safe(MSR_MCG_CAP, &capabilities))
        return;
    (void)cpu_rdmsr_safe(MSR_MCG_STATUS, &check->global);
    const struct registers *registers = find_registers();
    for (uint32_t n = 0; n < (capabilities & 0xFF); n++)
        read_bank(check, registers, n, clear);
    if (clear)
        (void)cpu_wrmsr_safe(MSR_MCG_STATUS, 0);
}

void machine_check_print(struct out *out, const struct machine_check_bank *bank)
{
    out_printf(out, "bank %u status %016llxh", bank->bank, (unsigned long long)bank->status);
    if (bank->status & STATUS_ADDRESS_VALID)
        out_printf(out, " address %llxh", (unsigned long long)bank->address);
}
