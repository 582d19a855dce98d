/* SPDX-License-Identifier: BSD-2-Clause */
#include "bios/clock.h"

#include "bios/bios.h"
#include "core/base/mem.h"
#include "drivers/cpu/cpu.h"

/* Intel 82C54: counter 2; port 61h has its gate (bit 0), the speaker (bit 1) and its output (bit 5). */
enum {
    TIMER_2 = 0x42,
    TIMER_CONTROL = 0x43,
    TIMER_2_ONCE = 0xb0,  /* counter 2, both bytes, mode 0: the output rises at the end */
    TIMER_2_LATCH = 0x80, /* latches the count for the next two reads */
    GATE_PORT = 0x61,
    GATE = 1,
    SPEAKER = 2,
    OUTPUT = 0x20,
    KEPT = 0x0f, /* bits 3 and 2 keep NMIs of IOCHK and SERR off; 7 to 4 are read-only, and written as 0 (Intel ICH) */
    TIMER_HZ = 1193182,
    MEASURE_HZ = 100,
    MEASURES = 5,
    TRIES = 20,
    POLLS = 100000, /* each makes four accesses to ports, of 1 us */
    ASSUMED_KHZ = 1000000,
};

/* Motorola MC146818, as in a PC. */
enum {
    CMOS_INDEX = 0x70,
    CMOS_DATA = 0x71,
    CMOS_STATUS_A = 10,
    CMOS_STATUS_B = 11,
    CMOS_STATUS_D = 13, /* index that BIOSes leave selected: a write there changes nothing */
    NMI_OFF = 0x80,
    UNREADABLE = 0xff,
    UPDATING = 0x80,
    BINARY = 4,
    HOURS_24 = 2,
    PM = 0x80,
    UPDATE_POLLS = 20000, /* an update takes 2 ms */
};

/* The timer's count and the TSC, read almost together. */
struct moment {
    uint16_t count;
    uint64_t before, after; /* TSC */
};

static struct moment look(void)
{
    struct moment now;

    now.before = cpu_rdtsc();
    cpu_out8(TIMER_CONTROL, TIMER_2_LATCH);
    now.after = cpu_rdtsc();
    now.count = cpu_in8(TIMER_2);
    now.count |= (uint16_t)(cpu_in8(TIMER_2) << 8);
    return now;
}

/* Measures the TSC's rate in kHz for some 10 ms, and the uncertainty of the two moments in its ticks. Returns false if
 * the timer does not count, or had run out when it was read: that is 55 ms later, so something else used the
 * processor. */
static bool measure(uint64_t *ret_khz, uint64_t *ret_width)
{
    uint8_t gate = cpu_in8(GATE_PORT);
    struct moment start, end;
    uint64_t counted = 0;
    bool over;

    cpu_out8(GATE_PORT, (uint8_t)((gate & KEPT & ~SPEAKER) | GATE));
    cpu_out8(TIMER_CONTROL, TIMER_2_ONCE);
    cpu_out8(TIMER_2, 0xff);
    cpu_out8(TIMER_2, 0xff);
    start = end = look();
    for (unsigned polls = 0; polls < POLLS && counted < TIMER_HZ / MEASURE_HZ; polls++) {
        end = look();
        counted = (uint16_t)(start.count - end.count);
    }
    over = cpu_in8(GATE_PORT) & OUTPUT;
    cpu_out8(GATE_PORT, gate & KEPT);
    if (over || counted < TIMER_HZ / MEASURE_HZ)
        return false;
    *ret_khz = (end.before - start.before) * TIMER_HZ / counted / 1000;
    *ret_width = end.after - end.before + (start.after - start.before);
    return true;
}

bool clock_measure(void)
{
    uint64_t best = UINT64_MAX, khz, width;

    for (unsigned i = 0, good = 0; i < TRIES && good < MEASURES; i++) {
        if (!measure(&khz, &width))
            continue;
        good++;
        if (width < best) {
            best = width;
            bios.tsc_khz = khz;
        }
    }
    return best != UINT64_MAX;
}

uint64_t clock_tsc_khz(void)
{
    return bios.tsc_khz ? bios.tsc_khz : ASSUMED_KHZ;
}

void clock_wait(uint64_t microseconds)
{
    uint64_t start = cpu_rdtsc(), ticks = clock_tsc_khz() * microseconds / 1000 + 1;

    while (cpu_rdtsc() - start < ticks)
        cpu_pause();
}

/* ---------------------------------------------------------------- CMOS */

/* Returns bit 7 of the index, which switches NMIs off and must not change (as in EDK II, RtcRead() in PcAtChipsetPkg).
 * An unreadable port gives FFh; the bit is then as BIOSes leave it, with NMIs on. */
static uint8_t before(void)
{
    uint8_t index = cpu_in8(CMOS_INDEX);

    return index == UNREADABLE ? CMOS_STATUS_D : index;
}

static uint8_t cmos(uint8_t index)
{
    cpu_out8(CMOS_INDEX, index | (before() & NMI_OFF));
    return cpu_in8(CMOS_DATA);
}

struct digits {
    uint8_t second, minute, hour, day, month, year;
};

static bool read_digits(struct digits *digits)
{
    unsigned polls = 0;

    while (cmos(CMOS_STATUS_A) & UPDATING)
        if (++polls == UPDATE_POLLS)
            return false;
    *digits = (struct digits){cmos(0), cmos(2), cmos(4), cmos(7), cmos(8), cmos(9)};
    return true;
}

static uint8_t value(uint8_t digits, bool binary)
{
    return binary ? digits : (uint8_t)((digits >> 4) * 10 + (digits & 15));
}

/* Reads until two results are equal, so that no update came between. */
static bool read_twice(struct digits *ret_digits)
{
    struct digits one;

    return read_digits(&one) && read_digits(ret_digits) &&
           (memcmp(&one, ret_digits, sizeof one) == 0 || read_digits(ret_digits));
}

bool clock_read(struct civil *ret_time)
{
    struct digits two;
    uint8_t index = before(), mode = cmos(CMOS_STATUS_B);
    bool binary = mode & BINARY, pm, good = read_twice(&two);
    struct civil time;

    cpu_out8(CMOS_INDEX, index);
    if (!good)
        return false;
    pm = two.hour & PM;
    if (!(mode & HOURS_24))
        two.hour &= (uint8_t)~PM;
    time = (struct civil){
        .year = (uint16_t)(2000 + value(two.year, binary)),
        .month = value(two.month, binary),
        .day = value(two.day, binary),
        .hour = value(two.hour, binary),
        .minute = value(two.minute, binary),
        .second = value(two.second, binary),
    };
    if (!(mode & HOURS_24))
        time.hour = (uint8_t)(time.hour % 12 + (pm ? 12 : 0));
    if (time.month < 1 || time.month > 12 || time.day < 1 || time.day > 31 || time.hour > 23 || time.minute > 59 ||
        time.second > 59)
        return false;
    *ret_time = time;
    return true;
}

uint64_t clock_unix_time(void)
{
    struct civil now;

    return clock_read(&now) ? civil_seconds(&now) : 0;
}
