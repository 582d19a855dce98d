/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/unit/vpmu/digest.h"

static const struct {
    uint32_t first, last;
} msrs[] = {
    {0x10, 0x10},             /* TSC */
    {0xC0010000, 0xC0010007}, /* PERF_CTL, PERF_CTR */
    {0xC001001F, 0xC001001F}, /* NB_CFG */
    {0xC0011030, 0xC001103D}, /* IBS */
};

static const uint16_t apic_registers[] = {0x320, 0x340, 0x380, 0x390, 0x3E0, 0x400, 0x500, 0x510, 0x520, 0x530};

void digest_add(struct digest *digest, uint64_t number)
{
    uint64_t mixed =
        (digest->value ^ number) * 0x9E3779B97F4A7C15ull; /* an odd factor, so that no two values become the same */

    digest->value = mixed ^ (mixed >> 29);
}

static void add_text(struct out *out, const char *text, size_t length)
{
    struct digest *digest = (struct digest *)out;

    for (size_t i = 0; i < length; i++)
        digest_add(digest, (unsigned char)text[i]);
}

void digest_init(struct digest *digest)
{
    *digest = (struct digest){.out = {add_text}};
}

void digest_registers(struct digest *digest, struct vpmu *vpmu)
{
    for (unsigned i = 0; i < sizeof(msrs) / sizeof(msrs[0]); i++) {
        for (uint32_t msr = msrs[i].first; msr <= msrs[i].last; msr++) {
            uint64_t value = 0;

            digest_add(digest, vpmu_rdmsr(vpmu, msr, &value));
            digest_add(digest, value);
        }
    }
    for (unsigned i = 0; i < sizeof(apic_registers) / sizeof(apic_registers[0]); i++) {
        uint32_t value = 0;

        digest_add(digest, vpmu_apic_read(vpmu, apic_registers[i], &value));
        digest_add(digest, value);
    }
    digest_add(digest, vpmu_tsc(vpmu));
    digest_add(digest, vpmu_planted(vpmu));
    digest_add(digest, vpmu_nmi_causes(vpmu) << 2 | vpmu_armed(vpmu) << 1 | vpmu_counts(vpmu));
}

void digest_cpuid(struct digest *digest, const struct vpmu *vpmu)
{
    static const struct {
        uint32_t first, last;
    } leaves[] = {{0, 1}, {0x40000000, 0x40000011}, {0x80000000, 0x8000001C}};

    for (unsigned i = 0; i < sizeof(leaves) / sizeof(leaves[0]); i++) {
        for (uint32_t leaf = leaves[i].first; leaf <= leaves[i].last; leaf++) {
            uint32_t regs[4] = {leaf, 0x12345678, 0x9ABCDEF0, 0x87654321};

            vpmu_cpuid(vpmu, leaf, 0xC0, regs); /* events: retired instructions */
            for (unsigned n = 0; n < 4; n++)
                digest_add(digest, regs[n]);
        }
    }
}

void digest_truth(struct digest *digest, struct vpmu *vpmu)
{
    vpmu_write_truth(vpmu, &digest->out);
}
