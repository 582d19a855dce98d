/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/unit/vpmu/random_driver.h"

#include "vpmu/model/pmu/pmc_events.h"
#include "vpmu/model/state.h"

#define FETCH_EN        (1ull << 48)
#define FETCH_VAL       (1ull << 49)
#define FETCH_RAND      (1ull << 57)
#define OP_EN           (1ull << 17)
#define OP_VAL          (1ull << 18)
#define OP_CNT_CTL      (1ull << 19)
#define DATA3_MISS      (1ull << 7)
#define DATA3_FORWARDED (1ull << 11)
#define PERF_USR        (1ull << 16)
#define PERF_OS         (1ull << 17)
#define PERF_EDGE       (1ull << 18)
#define PERF_INT        (1ull << 20)
#define PERF_EN         (1ull << 22)
#define PERF_INV        (1ull << 23)

enum {
    TSC = 0x10,
    PERF_CTL = 0xC0010000,
    PERF_CTR = 0xC0010004,
    NB_CFG = 0xC001001F,
    FETCH_CTL = 0xC0011030,
    OP_CTL = 0xC0011033,
    OP_RIP = 0xC0011034,
    LVT_TIMER = 0x320,
    LVT_COUNTERS = 0x340,
    TIMER_INITIAL = 0x380,
    TIMER_CURRENT = 0x390,
    TIMER_DIVIDE = 0x3E0,
    LVT_IBS = 0x510,
    NMI = 0x400,
    MASKED = 0x10000,
    PERIODIC = 0x20000,
};

/* Two random numbers are never drawn in one expression: C does not define their order. */
static uint32_t below(struct random_driver *driver, uint32_t bound)
{
    return rng_below(&driver->rng, bound);
}

static bool once_in(struct random_driver *driver, uint32_t times)
{
    return rng_below(&driver->rng, times) == 0;
}

/* Returns the number of rows of Family 10h. Rows that only other families have are the last ones, so that the digests
 * do not change whenever a row is added. */
static uint32_t rows_of_10h(void)
{
    uint32_t count = pmc_row_count;

    while ((pmc_rows[count - 1].flags & (PMC_EARLY | PMC_ZEN)) == PMC_ZEN)
        count--;
    return count;
}

/* Takes NMIs that are due outside stepping. */
static void take_pending(struct random_driver *driver)
{
    for (unsigned i = 0; i < 20 && vpmu_take_pending_nmi(driver->vpmu); i++)
        digest_registers(driver->digest, driver->vpmu);
}

static void write_msr(struct random_driver *driver, uint32_t msr, uint64_t value)
{
    digest_add(driver->digest, vpmu_wrmsr(driver->vpmu, msr, value));
    take_pending(driver);
}

static void write_apic(struct random_driver *driver, unsigned offset, uint32_t value)
{
    digest_add(driver->digest, vpmu_apic_write(driver->vpmu, offset, value));
    take_pending(driver);
}

static void start_op(struct random_driver *driver)
{
    static const uint16_t periods[] = {1, 5, 16, 16, 40, 100, 0, 0xFFFF};
    uint64_t value = periods[below(driver, 8)] | OP_EN;

    if (!once_in(driver, 3))
        value |= OP_CNT_CTL;
    if (once_in(driver, 3))
        value |= (uint64_t)below(driver, 128) << 32;
    if (once_in(driver, 20))
        value |= OP_VAL;
    write_msr(driver, OP_CTL, value);
}

static void start_fetch(struct random_driver *driver)
{
    static const uint16_t periods[] = {1, 2, 5, 16, 40, 0, 0xFFFF, 3};
    uint64_t value = periods[below(driver, 8)] | FETCH_EN;

    if (once_in(driver, 2))
        value |= FETCH_RAND;
    if (once_in(driver, 4))
        value |= (uint64_t)below(driver, 16) << 16;
    if (once_in(driver, 20))
        value |= FETCH_VAL;
    write_msr(driver, FETCH_CTL, value);
}

/* Returns any event with one or several bits of its mask. */
static uint64_t random_event(struct random_driver *driver)
{
    const struct pmc_row *row = &pmc_rows[below(driver, rows_of_10h())];
    uint64_t mask = row->want, select = once_in(driver, 8) ? 0xC1 : once_in(driver, 8) ? 0x76 : row->select;

    if (once_in(driver, 3))
        mask |= pmc_rows[below(driver, rows_of_10h())].want;
    return (select & 0xFF) | (select & 0xF00) << 24 | mask << 8;
}

static void start_counter(struct random_driver *driver)
{
    uint32_t n = below(driver, 4);
    uint64_t value = random_event(driver) | PERF_EN;

    value |= once_in(driver, 8) ? PERF_USR : PERF_OS | (once_in(driver, 2) ? PERF_USR : 0);
    if (once_in(driver, 3))
        value |= (uint64_t)below(driver, 6) << 24;
    value |= once_in(driver, 4) ? PERF_INV : 0;
    value |= once_in(driver, 6) ? PERF_EDGE : 0;
    value |= once_in(driver, 2) ? PERF_INT : 0;
    if (!once_in(driver, 3))
        write_msr(driver, PERF_CTR + n, 0 - (uint64_t)below(driver, once_in(driver, 2) ? 300 : 20000));
    write_msr(driver, PERF_CTL + n, value);
}

static void change_timer(struct random_driver *driver)
{
    uint32_t entry = NMI;

    switch (below(driver, 6)) {
    case 0:
    case 1:
        entry |= once_in(driver, 2) ? PERIODIC : 0;
        entry |= once_in(driver, 6) ? MASKED : 0;
        write_apic(driver, LVT_TIMER, entry);
        break;
    case 2:
    case 3:
        write_apic(driver, TIMER_INITIAL, below(driver, 200));
        break;
    case 4:
        write_apic(driver, TIMER_DIVIDE, below(driver, 16));
        write_apic(driver, TIMER_CURRENT, 0);
        break;
    default:
        write_apic(driver, LVT_TIMER, once_in(driver, 3) ? 0x20 : NMI);
        break;
    }
}

static void change_interrupts(struct random_driver *driver)
{
    write_apic(driver, LVT_IBS, once_in(driver, 6) ? NMI | MASKED : NMI);
    write_apic(driver, LVT_COUNTERS, once_in(driver, 6) ? 0x30 : NMI);
    digest_add(driver->digest, vpmu_pci_write(driver->vpmu, 0, 3, 0x1CC, once_in(driver, 12) ? 0 : 0x101));
}

static void stop(struct random_driver *driver)
{
    write_msr(driver, FETCH_CTL, 0);
    if (once_in(driver, 2))
        write_msr(driver, OP_CTL, OP_EN);
    write_msr(driver, OP_CTL, 0);
    for (uint32_t n = 0; n < 4 && !once_in(driver, 3); n++)
        write_msr(driver, PERF_CTL + n, 0);
    if (!vpmu_armed(driver->vpmu) && once_in(driver, 4)) {
        digest_truth(driver->digest, driver->vpmu);
        vpmu_reset_truth(driver->vpmu);
    }
}

static void write_data(struct random_driver *driver)
{
    uint32_t n = below(driver, 4);

    write_msr(driver, PERF_CTR + n, rng_next(&driver->rng));
    n = below(driver, 6);
    write_msr(driver, OP_RIP + n, rng_next(&driver->rng));
}

void driver_change(struct random_driver *driver)
{
    digest_registers(driver->digest, driver->vpmu);
    switch (below(driver, 12)) {
    case 0:
    case 1:
        start_op(driver);
        break;
    case 2:
        start_fetch(driver);
        break;
    case 3:
    case 4:
    case 5:
    case 6:
        start_counter(driver);
        break;
    case 7:
        change_timer(driver);
        break;
    case 8:
        change_interrupts(driver);
        break;
    case 9:
        stop(driver);
        break;
    case 10:
        write_data(driver);
        break;
    default:
        if (once_in(driver, 2))
            write_msr(driver, TSC, rng_next(&driver->rng) >> 8);
        else
            vpmu_elapse(driver->vpmu, below(driver, 5000));
        write_msr(driver, NB_CFG, rng_next(&driver->rng));
        break;
    }
}

/* Reads the registers of a sample; the registers have been written at random. */
static void look_at_sample(struct random_driver *driver)
{
    uint64_t data3 = driver->vpmu->ibs.candidate.data3;

    driver->impossible += (data3 & DATA3_MISS) && (data3 & DATA3_FORWARDED);
}

void driver_nmi(struct random_driver *driver)
{
    look_at_sample(driver);
    digest_registers(driver->digest, driver->vpmu);
    write_apic(driver, LVT_COUNTERS, NMI);
    if (once_in(driver, 4))
        return; /* a unit with a waiting sample does not count */
    start_op(driver);
    start_fetch(driver);
    if (once_in(driver, 4))
        start_counter(driver);
}

void driver_begin(struct random_driver *driver, struct vpmu *vpmu, struct digest *digest, uint64_t seed)
{
    *driver = (struct random_driver){.vpmu = vpmu, .digest = digest};
    rng_seed(&driver->rng, seed);
    (void)vpmu_pci_write(vpmu, 0, 3, 0x1CC, 0x101);
    write_apic(driver, LVT_IBS, NMI);
    write_apic(driver, LVT_COUNTERS, NMI);
    start_op(driver);
    start_counter(driver);
}
