/* SPDX-License-Identifier: BSD-2-Clause */
/* The machine's probe: what it reads from CPUID, MSRs and PCI. */
#include "tests/unit/drivers/fake_cpu.h"

#include <string.h>

#include "drivers/machine/machine.h"

static void set_vendor(const char *vendor)
{
    uint32_t w[3];
    memcpy(w, vendor, 12);
    fake_set_leaf(0, 5, w[0], w[2], w[1]);
}

struct revision_row {
    uint32_t model;
    char revision;
};

TEST(test_revisions)
{
    static const struct revision_row rows[] = {{2, 'B'}, {4, 'C'},   {5, 'C'}, {6, 'C'}, {8, 'D'},
                                               {9, 'D'}, {0xA, 'E'}, {0, '?'}, {7, '?'}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct machine m;
        fake_machine(&m, rows[i].model);
        assert_int_equal(m.family, 0x10);
        assert_int_equal(m.model, rows[i].model);
        assert_int_equal(m.stepping, 3);
        assert_int_equal(m.cr4, 0x668);
        assert_int_equal(m.revision, rows[i].revision);
    }
}

/* The vendor's text is printed; characters that cannot be printed become dots. */
TEST(test_vendor_is_printable)
{
    struct machine m;
    fake_reset(4);
    set_vendor("A\x01\x1F ~\x7F\x80\xFFzZ09");
    machine_probe(&m);
    assert_string_equal(m.vendor, "A.. ~...zZ09");
    assert_false(m.amd);
}

struct caps_row {
    uint32_t max_leaf, eax;
    bool leaf;
    uint32_t caps;
};

TEST(test_caps)
{
    static const struct caps_row rows[] = {
        {0x8000001A, 0x1F, false, 7}, /* revision B: the leaf's value does not count */
        {0x8000001B, 0x1F, true, 0x1F},
        {0x8000001B, 0x1E, false, 7}, /* bit 0 clear: not valid */
        {0x8000001B, 0x07, true, 7},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct machine m;
        fake_reset(4);
        fake_set_leaf(0x80000000, rows[i].max_leaf, 0, 0, 0);
        fake_set_leaf(0x8000001B, rows[i].eax, 0, 0, 0);
        machine_probe(&m);
        assert_int_equal(m.ibs_leaf, rows[i].leaf);
        assert_int_equal(m.ibs_caps, rows[i].caps);
        assert_true(machine_ibs_usable(&m));
    }
}

TEST(test_family_10h)
{
    struct machine m;
    fake_reset(4);
    static const char name[48] = "   AMD Phenom(tm) II X4 955 Processor  ";
    for (uint32_t i = 0; i < 3; i++) {
        uint32_t w[4];
        memcpy(w, name + 16 * i, 16);
        fake_set_leaf(0x80000002 + i, w[0], w[1], w[2], w[3]);
    }
    fake_set_leaf(0x80000006, 0, 0, 0, 12 << 18 | 0xB140);
    fake_set_leaf(0x80000007, 0, 0, 0, 1 << 8);
    machine_probe(&m);
    m.tsc_khz = 3200000;
    assert_string_equal(m.vendor, "AuthenticAMD");
    assert_string_equal(m.name, "AMD Phenom(tm) II X4 955 Processor");
    assert_false(m.hypervisor);
    assert_string_equal(m.hypervisor_signature, "");
    assert_true(m.page_1g);
    assert_true(m.nx);
    assert_true(m.nxe);
    assert_int_equal(m.physical_address_bits, 48);
    assert_int_equal(m.cores, 4);
    assert_true(m.tsc_told && m.tsc_invariant);
    assert_true(m.caches_told);
    assert_int_equal(m.l3_kb, 6144);
    assert_true(machine_has_l3(&m));
    assert_int_equal(m.nodes.count, 1);
    assert_int_equal(m.nodes.mask, 1);
    assert_int_equal(m.tsc_khz, 3200000);
    assert_int_equal(m.apic_msr, 0xFEE00900);
    assert_true(m.errata & IBS_E_420);
    assert_int_equal(fake.cf8, 0x80000CAC); /* the probe of the nodes puts it back */
    char text[200];
    machine_ibs_refusal(&m, text, sizeof text);
    assert_string_equal(text, "");
    for (unsigned bit = 0; bit < 32; bit++) { /* AMD CPUID specification 25481, 8000_0007 EDX */
        fake_set_leaf(0x80000007, 0, 0, 0, 1u << bit);
        machine_probe(&m);
        assert_int_equal(m.pstates, bit == 7);
        assert_int_equal(m.tsc_invariant, bit == 8);
        assert_int_equal(m.boost, bit == 9);
    }
    fake_reset_later(FAKE_ZEN4); /* Zen has the same bits */
    fake_set_leaf(0x80000007, 0, 0, 0, 1u << 7 | 1u << 9);
    machine_probe(&m);
    assert_true(m.boost && m.pstates);
}

/* IBS has the capabilities in CPUID, except for those that mean nothing by the family's row. */
TEST(test_capabilities)
{
    struct machine m;

    fake_reset_later(FAKE_ZEN4);
    fake_set_leaf(0x8000001B, 0xFFFFFFFF, 0, 0, 0);
    machine_probe(&m);
    assert_int_equal(m.ibs_caps, 0xFFFFFFFF & ~m.row->caps_ignored);
    assert_int_equal(m.row->caps_ignored, 1 << 10);
    fake_set_leaf(1, 0x00F00F00, 0, 0x00802009, 0x178BFBFF); /* family 1Eh, which is unknown */
    machine_probe(&m);
    assert_null(m.row);
    assert_true(m.ibs && m.ibs_leaf);
    assert_int_equal(m.ibs_caps, 0xFFFFFFFF);
}

/* Banks are read if CPUID has them, by its bit 14 of EDX. */
TEST(test_banks)
{
    struct machine m;

    for (unsigned bit = 13; bit <= 15; bit++) {
        fake_reset(4);
        fake_set_leaf(1, 0x00100F42, 0, 0x00802009, 1u << bit);
        fake_add_msr(0x179, 0x106, 0);
        for (uint32_t n = 0; n < 6; n++) {
            fake_add_msr(0x401 + 4 * n, n == 4 ? 1ull << 63 | 5 : 0, ~0ull);
            fake_add_msr(0x402 + 4 * n, 0, 0);
        }
        machine_probe(&m);
        assert_int_equal(m.mca, bit == 14);
        assert_int_equal(m.check.count, bit == 14);
        assert_int_equal(m.check.bank[0].bank, bit == 14 ? 4 : 0);
    }
}

TEST(test_no_l3)
{
    struct machine m;
    fake_reset(5);
    fake_set_leaf(0x80000006, 0, 0, 0, 0);
    machine_probe(&m);
    assert_false(machine_has_l3(&m));
    fake_set_leaf(0x80000000, 0x80000005, 0, 0, 0); /* CPUID does not tell */
    machine_probe(&m);
    assert_false(m.caches_told);
    assert_false(m.tsc_told);
    assert_true(machine_has_l3(&m));
}

TEST(test_hypervisor)
{
    struct machine m;
    fake_reset(4);
    fake_set_leaf(1, 0x00100F42, 0, 0x80802009, 0);
    uint32_t w[3];
    memcpy(w, "TCGTCGTCG\0\x01 ", 12);
    fake_set_leaf(0x40000000, 0x40000001, w[0], w[1], w[2]);
    machine_probe(&m);
    assert_true(m.hypervisor);
    assert_string_equal(m.hypervisor_signature, "TCGTCGTCG");
    memcpy(w, "\x01MwareVMware", 12);
    fake_set_leaf(0x40000000, 0x40000001, w[0], w[1], w[2]);
    machine_probe(&m);
    assert_string_equal(m.hypervisor_signature, ".MwareVMware");
}

struct refusal_row {
    const char *vendor;
    uint32_t signature, max_extended, ecx;
    const char *text;
};

static void check_refusal(const struct refusal_row *row, const char *hypervisor)
{
    struct machine m;
    char text[300], cut[20];
    fake_reset(4);
    set_vendor(row->vendor);
    fake_set_leaf(1, row->signature, 0, hypervisor ? 1u << 31 : 0, 0);
    if (hypervisor) {
        uint32_t w[3] = {0};
        memcpy(w, hypervisor, strlen(hypervisor));
        fake_set_leaf(0x40000000, 0x40000000, w[0], w[1], w[2]);
    }
    fake_set_leaf(0x80000000, row->max_extended, 0, 0, 0);
    fake_set_leaf(0x80000001, 0, 0, row->ecx, 0);
    machine_probe(&m);
    assert_false(machine_ibs_usable(&m));
    assert_int_equal(m.revision, m.amd && m.family == 0x10 ? 'B' : 0);
    machine_ibs_refusal(&m, text, sizeof text);
    assert_string_equal(text, row->text);
    machine_ibs_refusal(&m, cut, sizeof cut);
    assert_int_equal(strlen(cut), sizeof cut - 1);
}

TEST(test_refusals)
{
    static const struct refusal_row rows[] = {
        {"GenuineIntel", 0x000006F2, 0x80000008, 0x1,
         "no usable IBS: GenuineIntel family 6h model fh stepping 2, CPUID 8000_0001h ECX = 00000001h (bit 10, IBS, "
         "is "
         "clear); IBS is in AMD processors, from family 10h on"},
        {"GenuineIntel", 0x000506E3, 0x80000008, 0x1,
         "no usable IBS: GenuineIntel family 6h model 5eh stepping 3, CPUID 8000_0001h ECX = 00000001h (bit 10, IBS, "
         "is "
         "clear); IBS is in AMD processors, from family 10h on"},
        {"AuthenticAMD", 0x00100F23, 0x8000001A, 0x37FF & ~0x400,
         "no usable IBS: AuthenticAMD family 10h model 2h stepping 3, CPUID 8000_0001h ECX = 000033ffh (bit 10, IBS, "
         "is "
         "clear)"},
        {"AuthenticAMD", 0x00F00F12, 0x8000001B, 0x37FF,
         "no usable IBS: AuthenticAMD family 1eh model 1h stepping 2, CPUID 8000_0001h ECX = 000037ffh (bit 10, "
         "IBS, is "
         "set); this program does not know the family: docs/adding.md"},
        {"AuthenticAMD", 0x00870F10, 0x8000001B, 0x33FF,
         "no usable IBS: AuthenticAMD family 17h model 71h stepping 0, CPUID 8000_0001h ECX = 000033ffh (bit 10, "
         "IBS, is clear); switch it on in the BIOS setup (CBS, Zen Common Options, Enable IBS), or update the BIOS"},
        {"AuthenticAMD", 0x00810F10, 0x8000001B, 0x33FF,
         "no usable IBS: AuthenticAMD family 17h model 11h stepping 0, CPUID 8000_0001h ECX = 000033ffh (bit 10, "
         "IBS, is clear); switch it on in the BIOS setup (CBS, Zen Common Options, Enable IBS), set zen_ibs_on=yes, or "
         "update the BIOS"},
        {"AuthenticAMD", 0x00630F01, 0x8000001B, 0x33FF,
         "no usable IBS: AuthenticAMD family 15h model 30h stepping 1, CPUID 8000_0001h ECX = 000033ffh (bit 10, "
         "IBS, is clear); other processors of the family have IBS, and no source says what hides it here: only from "
         "Family 17h on is it published that firmware can switch it off"},
        {"AuthenticAMD", 0x00000622, 0, 0,
         "no usable IBS: AuthenticAMD family 6h model 2h stepping 2, CPUID has no leaf 8000_0001h; this program "
         "does not know the family: docs/adding.md"},
    };
    static const struct refusal_row hidden = {
        "AuthenticAMD", 0x00870F10, 0x8000001B, 0x33FF,
        "no usable IBS: AuthenticAMD family 17h model 71h stepping 0, CPUID 8000_0001h ECX = 000033ffh (bit 10, "
        "IBS, is clear); the hypervisor (KVMKVMKVMxyz) hides it: run on the machine itself"};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        check_refusal(&rows[i], NULL);
    check_refusal(&hidden, "KVMKVMKVMxyz");
    check_refusal(&rows[4], "ibsbootvPMU"); /* on a model as on silicon */
}

/* Errata are listed by family and model, for AMD's processors alone. */
TEST(test_errata)
{
    struct machine m;
    fake_reset(4);
    machine_probe(&m);
    assert_int_equal(m.errata, IBS_E_420 | IBS_E_FETCH_LINAD | IBS_E_721);
    fake_set_leaf(1, 0x00610F01, 0, 0, 0); /* 15h model 10h */
    machine_probe(&m);
    assert_true(m.errata & IBS_E_718);
    assert_false(m.errata & (IBS_E_420 | IBS_E_FETCH_LINAD | IBS_E_FETCH_REARM));
    fake_set_leaf(1, 0x00870F10, 0, 0, 0); /* 17h model 71h */
    machine_probe(&m);
    assert_true(m.errata & IBS_E_FETCH_REARM);
    assert_false(m.errata & IBS_E_718);
    set_vendor("GenuineIntel");
    machine_probe(&m);
    assert_int_equal(m.errata, 0);
    for (unsigned i = 0; i < IBS_ERRATA; i++)
        assert_true(ibs_errata[i].name && ibs_errata[i].effect && ibs_errata[i].action && ibs_errata[i].source);
}

struct counters_row {
    uint32_t signature, ecx, leaf_eax, leaf_ebx;
    struct ibs_pmc pmc;
    uint32_t branches;
};

/* The row tells where the counters are, and CPUID whether they are there. */
TEST(test_counters)
{
    static const struct counters_row rows[] = {
        {0x00100F42, 0, 0, 0, {4, 1, 1, 3, 0xC0010000, 0xC0010004}, 0},
        {0x00630F01, 1 << 23, 0, 0, {6, 1, 2, 0x7F, 0xC0010200, 0xC0010201}, 0},
        {0x00630F01, 0, 0, 0, {4, 1, 1, 0x7F, 0xC0010000, 0xC0010004}, 0},
        {0x00700F01, 1 << 24, 0, 0, {4, 1, 1, 3, 0xC0010000, 0xC0010004}, 0},
        {0x00A60F12, 1 << 23, 1, 0x00304106, {6, 2, 2, 0x7F, 0xC0010200, 0xC0010201}, 0},
        {0x00A60F12, 1 << 23, 3, 0x00304106, {6, 2, 2, 0x7F, 0xC0010200, 0xC0010201}, 16},
        {0x00A60F12, 0, 3, 0x00304106, {4, 1, 1, 0x7F, 0xC0010000, 0xC0010004}, 0},
        {0x00870F10, 1 << 23, 3, 0x00304106, {6, 1, 2, 0x7F, 0xC0010200, 0xC0010201}, 0},  /* without that leaf */
        {0x00A60F12, 1 << 23, 2, 0x00304104, {6, 1, 2, 0x7F, 0xC0010200, 0xC0010201}, 16}, /* no global control */
        {0x00A60F12, 1 << 23, 1, 0x00304100, {6, 2, 2, 0x7F, 0xC0010200, 0xC0010201}, 0},  /* the leaf has no number */
        {0x00A60F12, 1 << 23, 0, 0, {6, 1, 2, 0x7F, 0xC0010200, 0xC0010201}, 0},
        {0x00B50F00, 1 << 23, 1, 4, {4, 2, 2, 0x7F, 0xC0010200, 0xC0010201}, 0},
        {0x00B50F00, 1 << 23, 1, 8, {6, 2, 2, 0x7F, 0xC0010200, 0xC0010201}, 0}, /* more counters than are used */
        {0x00F00F12, 1 << 23, 1, 6, {0}, 0},                                     /* an unknown family */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct machine m;
        fake_reset(4);
        fake_set_leaf(1, rows[i].signature, 0, 0, 0);
        fake_set_leaf(0x80000000, 0x80000022, 0, 0, 0);
        fake_set_leaf(0x80000001, 0, 0, 1 << 10 | rows[i].ecx, 0);
        fake_set_leaf(0x80000022, rows[i].leaf_eax, rows[i].leaf_ebx, 0, 0);
        machine_probe(&m);
        if (memcmp(&m.pmc, &rows[i].pmc, sizeof m.pmc))
            fail_msg("row %zu: %u counters, version %u, at %x", i, m.pmc.count, m.pmc.version, m.pmc.ctl);
        assert_int_equal(m.branches, rows[i].branches);
        assert_int_equal(machine_pmc_usable(&m), rows[i].pmc.count != 0);
        assert_int_equal(machine_registers_known(&m), i == 0);
    }
}

static void set_name(const char *name)
{
    char text[48] = {0};
    memcpy(text, name, strlen(name) < sizeof text ? strlen(name) : sizeof text);
    for (uint32_t i = 0; i < 3; i++) {
        uint32_t w[4];
        memcpy(w, text + 16 * i, 16);
        fake_set_leaf(0x80000002 + i, w[0], w[1], w[2], w[3]);
    }
}

/* Leaves that do not exist are not read, and characters that cannot be printed become dots. */
TEST(test_name)
{
    static const struct {
        uint32_t max_leaf;
        const char *name, *text;
    } rows[] = {
        {0x80000004, "  a  b ", "a  b"},
        {0x80000003, "a name", ""},
        {0x80000004, "\x1F \x7F~\x80", ". .~."},
        {0x80000004, "0123456789abcdef0123456789ABCDEF0123456789abcdef",
         "0123456789abcdef0123456789ABCDEF0123456789abcdef"},
        {0x80000004, "     ", ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct machine m;
        fake_reset(4);
        fake_set_leaf(0x80000000, rows[i].max_leaf, 0, 0, 0);
        set_name(rows[i].name);
        machine_probe(&m);
        assert_string_equal(m.name, rows[i].text);
    }
}

struct size_row {
    uint32_t max_leaf, eax, ecx; /* values of 8000_0008h */
    uint32_t address_bits, cores, core_bits;
};

/* CPUID 8000_0008h gives the sizes; the table has the values that are used without the leaf. */
TEST(test_sizes)
{
    static const struct size_row rows[] = {
        {0x80000007, 0x3028, 0x2003, 36, 1, 0},
        {0x80000008, 0x3028, 0x2003, 40, 4, 2},
        {0x80000008, 0x3030, 0x3005, 48, 6, 3},
        {0x80000008, 0x3030, 0x0005, 48, 6, 3}, /* no size is given: as many bits as the number of cores needs */
        {0x80000008, 0x3030, 0x0003, 48, 4, 2},
        {0x80000008, 0x3030, 0x0000, 48, 1, 0},
        {0x80000008, 0x3030, 0x4003, 48, 4, 4},
        {0x80000008, 0x3030, 0x2007, 48, 8, 2}, /* the given size counts */
        {0x80000008, 0x3030, 0x1007, 48, 8, 1},
        {0x80000008, 0x3030, 0x8003, 48, 4, 8},
        {0x80000008, 0x3027, 0x2003, 39, 4, 2},
        {0x80000008, 0x30D8, 0x2003, 0xD8, 4, 2},
        {0x80000008, 0x3934, 0x2003, 52, 4, 2}, /* 57 bits of a linear address, which are ignored */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct machine m;
        fake_reset(4);
        fake_set_leaf(0x80000000, rows[i].max_leaf, 0, 0, 0);
        fake_set_leaf(0x80000008, rows[i].eax, 0, rows[i].ecx, 0);
        machine_probe(&m);
        assert_int_equal(m.physical_address_bits, rows[i].address_bits);
        assert_int_equal(m.cores, rows[i].cores);
        assert_int_equal(m.core_bits, rows[i].core_bits);
    }
}

/* The threads of 192 cores do not fit into 8 bits: leaf 0Bh has their number, if the leaf exists and has such a
 * number. */
TEST(test_many_threads)
{
    static const struct {
        uint32_t max_leaf, threads, cores;
    } rows[] = {{0xB, 384, 384}, {0xA, 384, 128}, {0xB, 256, 128}, {0xB, 257, 257}, {0xB, 0, 128}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct machine m;
        fake_reset(4);
        fake_set_leaf(0, rows[i].max_leaf, 0x68747541, 0x444D4163, 0x69746E65); /* AuthenticAMD */
        fake_set_leaf(0x80000008, 0x3030, 0, 0x907F, 0);
        fake_set_leaf(0xB + FAKE_SECOND, 9, 0xFFFF0000 | rows[i].threads, 0x201, 0);
        machine_probe(&m);
        assert_int_equal(m.cores, rows[i].cores);
        assert_int_equal(m.core_bits, 9);
    }
}

/* Without leaf 8000_001Bh no other leaf's value is taken for it. */
TEST(test_no_leaf_of_ibs)
{
    struct machine m;
    fake_reset(4);
    fake_set_leaf(0x80000000, 0x8000001A, 0, 0, 0);
    fake_set_leaf(0x80000008, 0x303F, 0, 0x2003, 0); /* all bits of IBS' capabilities, if this were its leaf */
    machine_probe(&m);
    assert_true(m.ibs);
    assert_false(m.ibs_leaf);
    assert_int_equal(m.ibs_caps, 0x7); /* Linux: IBS_CAPS_DEFAULT */
    /* If the probe runs again without IBS, nothing is left of the earlier result. */
    fake_set_leaf(0x80000001, 0, 0, 0, 0);
    m.ibs_leaf = true;
    machine_probe_ibs(&m);
    assert_false(m.ibs || m.ibs_leaf);
    assert_int_equal(m.ibs_caps, 0);
}

/* There are no extended leaves: some processors answer with a basic leaf's value. */
TEST(test_no_extended_leaves)
{
    struct machine m;
    fake_reset(4);
    fake_set_leaf(0x80000000, 0x80000000, 0, 0, 0);
    machine_probe(&m);
    assert_int_equal(m.max_extended_leaf, 0x80000000);
    assert_false(m.ibs || m.nx || m.page_1g);
    assert_int_equal(m.extended_ecx, 0);
    fake_set_leaf(0x80000000, 0x7FFFFFFF, 0, 0, 0);
    machine_probe(&m);
    assert_int_equal(m.max_extended_leaf, 0);
    fake_set_leaf(0x80000000, 0x80000001, 0, 0, 0);
    machine_probe(&m);
    assert_true(m.ibs && m.nx && m.page_1g);
    for (unsigned bit = 0; bit < 32; bit++) {
        fake_set_leaf(0x80000001, 0, 0, 1u << bit, 1u << bit);
        machine_probe(&m);
        assert_int_equal(m.extended_ecx, 1u << bit);
        assert_int_equal(m.ibs, bit == 10);
        assert_int_equal(m.nx, bit == 20);
        assert_int_equal(m.page_1g, bit == 26);
    }
}

/* The rest of the probe works without the MSRs. */
TEST(test_probe_survives_faults)
{
    struct machine m;
    fake_reset(4);
    fake_remove_msr(0x1B);
    fake_remove_msr(0xC0000080);
    machine_probe(&m);
    assert_int_equal(m.apic_msr, 0);
    assert_false(m.nxe);
    assert_true(machine_ibs_usable(&m));
}

/* The APIC ID has 32 bits if the processor has x2APIC, from the first leaf that exists. */
TEST(ids_beyond_255)
{
    static const struct {
        uint32_t leaf_1_ecx, max_leaf, leaf_b_ebx, max_extended, extended_ecx, id;
    } rows[] = {
        {0, 0x10, 2, 0x80000020, 1 << 22, 0x45},          {1 << 21, 0x10, 2, 0x80000020, 1 << 22, 0x10145},
        {1 << 21, 0x0B, 0, 0x80000020, 1 << 22, 0x20145}, {1 << 21, 0x0A, 2, 0x8000001E, 1 << 22, 0x20145},
        {1 << 21, 0x0A, 2, 0x8000001D, 1 << 22, 0x45},    {1 << 21, 0x0A, 2, 0x80000020, 1 << 21, 0x45},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        fake_reset(4);
        fake_set_leaf(0, rows[i].max_leaf, 0, 0, 0);
        fake_set_leaf(1, 0, 0x45000000, rows[i].leaf_1_ecx, 0);
        fake_set_leaf(0xB, 0, rows[i].leaf_b_ebx, 0, 0x10145);
        fake_set_leaf(0x80000000, rows[i].max_extended, 0, 0, 0);
        fake_set_leaf(0x80000001, 0, 0, rows[i].extended_ecx, 0);
        fake_set_leaf(0x8000001E, 0x20145, 0, 0, 0);
        assert_int_equal(machine_apic_id(), rows[i].id);
    }
}

/* Each leaf is read only if the processor says that the leaf exists, and only on AMD's processors. */
TEST(threads_and_complexes)
{
    static const struct {
        uint32_t max_leaf, max_extended, extended_ecx;
        bool amd;
        struct topology expected;
    } rows[] = {
        {0x10, 0x80000020, 1 << 22, true, {1, 4, 2, 16}}, {0x0B, 0x8000001E, 1 << 22, true, {1, 4, 2, 16}},
        {0x0A, 0x80000020, 1 << 22, true, {2, 4, 4, 16}}, {0x10, 0x8000001D, 1 << 22, true, {1, 0, 2, 0}},
        {0x10, 0x80000020, 1 << 21, true, {1, 0, 2, 0}},  {0x0A, 0x80000020, 0, true, {0, 0, 1, 0}},
        {0x10, 0x80000020, 1 << 22, false, {0, 0, 1, 0}},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct machine m;
        fake_reset(4);
        if (rows[i].amd)
            fake_set_leaf(0, rows[i].max_leaf, 0x68747541, 0x444D4163, 0x69746E65);
        else
            fake_set_leaf(0, rows[i].max_leaf, 0x756E6547, 0x6C65746E, 0x49656E69);
        fake_set_leaf(0xB, 1, 2, 0, 0);
        fake_set_leaf(0x80000000, rows[i].max_extended, 0, 0, 0);
        fake_set_leaf(0x80000001, 0, 0, rows[i].extended_ecx, 0);
        fake_set_leaf(0x8000001D, 0x0003C163, 0, 0, 0);
        fake_set_leaf(0x8000001E, 0, 0x300, 0, 0);
        machine_probe(&m);
        assert_memory_equal(&m.topology, &rows[i].expected, sizeof m.topology);
    }
}

RUN_TESTS(NULL, NULL)
