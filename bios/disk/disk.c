/* SPDX-License-Identifier: BSD-2-Clause */
#include "bios/disk/disk.h"

#include "bios/low.h"
#include "bios/real.h"
#include "core/base/mem.h"

/* Phoenix, "BIOS Enhanced Disk Drive Specification" 3.0, section 3: functions 41h to 43h and the packet. */
enum {
    DISK = 0x13,
    RESET = 0x0000,
    READ_CHS = 0x0200,
    WRITE_CHS = 0x0300,
    PARAMETERS = 0x0800,
    EXTENSIONS = 0x4100,
    READ = 0x4200,
    WRITE = 0x4300, /* AL 0: without verification */
    EXTENSIONS_ASK = 0x55aa,
    EXTENSIONS_ANSWER = 0xaa55,
    EXTENSIONS_PACKET = 1,
    TRIES = 4,
    /* 32 KB in a call: almost as fast as more, and within every BIOS's limit. */
    SECTORS_MOST = 64,
    CYLINDERS = 1024,
};

enum { BIOS_DATA_DISKS = 0x475 }; /* BIOS data area: number of fixed disks */

struct packet {
    uint8_t size, reserved;
    uint16_t count, offset, segment;
    uint64_t sector;
};

unsigned disk_count(void)
{
    unsigned count = low_memory[BIOS_DATA_DISKS];

    return count < 1 ? 1 : count > DISK_MOST ? DISK_MOST : count;
}

/* Calls INT 13h; the lowest byte of EDX is the disk. */
static bool call(struct real_registers *registers)
{
    real_interrupt(DISK, registers);
    return !(registers->flags & REAL_CARRY);
}

static bool extended(struct disk *disk, bool write, uint64_t sector, unsigned count)
{
    struct packet *packet = (struct packet *)(low_memory + LOW_PACKET);
    struct real_registers registers = {.eax = write ? WRITE : READ, .edx = disk->number, .esi = LOW_PACKET};
    bool good;

    *packet =
        (struct packet){.size = sizeof *packet, .count = (uint16_t)count, .segment = LOW_BOUNCE >> 4, .sector = sector};
    good = call(&registers);
    disk->error = (uint8_t)(registers.eax >> 8);
    return good;
}

static bool by_chs(struct disk *disk, bool write, uint64_t sector, unsigned count)
{
    uint64_t track = sector / disk->sectors, cylinder = track / disk->heads;
    uint32_t head = (uint32_t)(track % disk->heads);
    struct real_registers registers = {
        .eax = (write ? WRITE_CHS : READ_CHS) | count,
        .ecx = (uint32_t)((cylinder & 0xff) << 8 | (cylinder >> 2 & 0xc0) | (sector % disk->sectors + 1)),
        .edx = disk->number | head << 8,
        .es = LOW_BOUNCE >> 4,
    };
    bool good;

    if (cylinder >= CYLINDERS)
        return false;
    good = call(&registers);
    disk->error = (uint8_t)(registers.eax >> 8);
    return good;
}

/* Returns how many sectors fit into the bounce buffer, or, for CHS, are left in the track. */
static unsigned part_of(const struct disk *disk, uint64_t sector, unsigned count)
{
    unsigned most = SECTORS_MOST;

    if (disk->chs && disk->sectors - sector % disk->sectors < most)
        most = (unsigned)(disk->sectors - sector % disk->sectors);
    return count < most ? count : most;
}

/* A first try may fail because a motor starts, or a stick slept. After all tries have failed, later transfers get only
 * one until one succeeds: a BIOS needs seconds each time to notice that a stick was pulled out. */
static bool transfer(struct disk *disk, bool write, uint64_t sector, unsigned count)
{
    unsigned tries = disk->failed ? 1 : TRIES;

    disk->failed = false;
    for (unsigned i = 0; i < tries; i++) {
        struct real_registers reset = {.eax = RESET, .edx = disk->number};

        if (disk->chs ? by_chs(disk, write, sector, count) : extended(disk, write, sector, count))
            return true;
        if (disk->error == DISK_WRITE_PROTECTED)
            return false;
        (void)call(&reset);
    }
    disk->failed = true;
    return false;
}

static int read(void *context, uint64_t sector, unsigned count, void *to)
{
    struct disk *disk = context;
    uint8_t *bytes = to;

    while (count) {
        unsigned part = part_of(disk, sector, count);

        if (!transfer(disk, false, sector, part))
            return -1;
        memcpy(bytes, low_memory + LOW_BOUNCE, part * DISK_SECTOR);
        bytes += part * DISK_SECTOR;
        sector += part;
        count -= part;
    }
    return 0;
}

static int write(void *context, uint64_t sector, unsigned count, const void *from)
{
    struct disk *disk = context;
    const uint8_t *bytes = from;

    while (count) {
        unsigned part = part_of(disk, sector, count);

        memcpy(low_memory + LOW_BOUNCE, bytes, part * DISK_SECTOR);
        if (!transfer(disk, true, sector, part))
            return -1;
        bytes += part * DISK_SECTOR;
        sector += part;
        count -= part;
    }
    return 0;
}

bool disk_open(struct disk *disk, uint8_t number, bool chs)
{
    struct real_registers parameters = {.eax = PARAMETERS, .edx = number};
    struct real_registers extensions = {.eax = EXTENSIONS, .ebx = EXTENSIONS_ASK, .edx = number};
    bool has_extensions;

    *disk = (struct disk){.ops = {disk, read, write}, .number = number};
    has_extensions =
        call(&extensions) && (extensions.ebx & 0xffff) == EXTENSIONS_ANSWER && extensions.ecx & EXTENSIONS_PACKET;
    disk->chs = chs || !has_extensions;
    if (!call(&parameters))
        return !disk->chs;
    disk->heads = (parameters.edx >> 8 & 0xff) + 1;
    disk->sectors = parameters.ecx & 0x3f;
    /* SeaBIOS returns 0 for 64 sectors per track, which no address of cylinder and head can reach. */
    if (!disk->sectors && has_extensions)
        disk->chs = false;
    return !disk->chs || disk->sectors;
}
