/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/unit/bios/fake_disks.h"

#include <string.h>

#include "bios/low.h"

uint8_t low_memory[1 << 20] __attribute__((aligned(16)));
struct fake_disks fake_disks;

enum { BIOS_DATA_DISKS = 0x475, BAD_COMMAND = 1, BAD_SECTOR = 4 };

void fake_disks_init(void)
{
    for (unsigned i = 0; i < DISK_MOST; i++)
        if (fake_disks.drive[i].disk)
            disk_free(fake_disks.drive[i].disk);
    memset(&fake_disks, 0, sizeof fake_disks);
    memset(low_memory, 0, sizeof low_memory);
}

struct fake_drive *fake_disks_add(struct test_disk *disk)
{
    struct fake_drive *drive = &fake_disks.drive[low_memory[BIOS_DATA_DISKS]++];

    *drive = (struct fake_drive){.disk = disk, .heads = 16, .sectors = 63};
    return drive;
}

static void answer(struct real_registers *registers, uint8_t error)
{
    registers->flags = error ? REAL_CARRY : 0;
    registers->eax = (registers->eax & 0xff) | (uint32_t)error << 8;
}

/* Moves sectors; 'at' is the address of the bytes in low memory. */
static uint8_t move(struct fake_drive *drive, bool write, uint64_t sector, unsigned count, uint32_t at)
{
    const struct disk_ops *ops = &drive->disk->ops;

    fake_disks.moves++;
    fake_disks.largest = count > fake_disks.largest ? count : fake_disks.largest;
    assert_in_range(count, 1, 64);
    assert_in_range(at, LOW_BOUNCE, LOW_END - count * DISK_SECTOR);
    if (fake_disks.refuse_move && fake_disks.moves - fake_disks.refuse_move < fake_disks.refuse_tries)
        return BAD_SECTOR;
    if (drive->fail) {
        drive->fail--;
        return BAD_SECTOR;
    }
    if (write && drive->write_error)
        return drive->write_error;
    return (write ? ops->write(ops->context, sector, count, low_memory + at)
                  : ops->read(ops->context, sector, count, low_memory + at))
               ? BAD_SECTOR
               : 0;
}

/* Moves by a packet, whose bytes are numbered as in Phoenix, "BIOS Enhanced Disk Drive Specification" 3.0. */
static uint8_t by_packet(struct fake_drive *drive, bool write, const uint8_t *packet)
{
    uint64_t sector;
    uint16_t count, offset, segment;

    memcpy(&count, packet + 2, 2);
    memcpy(&offset, packet + 4, 2);
    memcpy(&segment, packet + 6, 2);
    memcpy(&sector, packet + 8, 8);
    assert_int_equal(packet[0], 16);
    assert_int_equal(packet[1], 0);
    return move(drive, write, sector, count, segment * 16u + offset);
}

/* Moves by cylinder, head and sector (IBM PC/AT): CH and bits 7:6 of CL are the cylinder, bits 5:0 the sector from 1
 * on, DH the head. */
static uint8_t by_chs(struct fake_drive *drive, bool write, const struct real_registers *registers)
{
    uint32_t cylinder = (registers->ecx >> 8 & 0xff) | (registers->ecx & 0xc0) << 2, sector = registers->ecx & 0x3f,
             head = registers->edx >> 8 & 0xff, count = registers->eax & 0xff;

    assert_in_range(sector, 1, drive->sectors);
    assert_in_range(head, 0, drive->heads - 1);
    assert_in_range(count, 1, drive->sectors - sector + 1); /* not beyond the end of the track */
    return move(drive, write, ((uint64_t)cylinder * drive->heads + head) * drive->sectors + sector - 1, count,
                registers->es * 16u + (registers->ebx & 0xffff));
}

void fake_disks_call(struct real_registers *registers)
{
    unsigned number = registers->edx & 0xff;
    struct fake_drive *drive = &fake_disks.drive[number - DISK_FIRST];

    assert_in_range(number, DISK_FIRST, DISK_FIRST + DISK_MOST - 1);
    if (!drive->disk) {
        answer(registers, BAD_COMMAND);
        return;
    }
    switch (registers->eax >> 8) {
    case 0x00:
        fake_disks.resets++;
        answer(registers, 0);
        break;
    case 0x02:
    case 0x03:
        answer(registers, by_chs(drive, registers->eax >> 8 == 3, registers));
        break;
    case 0x08:
        answer(registers, drive->no_parameters ? BAD_COMMAND : 0);
        registers->ecx = drive->sectors & 0x3f;
        registers->edx = (drive->heads - 1) << 8;
        break;
    case 0x41:
        assert_int_equal(registers->ebx, 0x55aa);
        answer(registers, drive->no_extensions ? BAD_COMMAND : 0);
        registers->ebx = 0xffff0000u | (drive->other_answer ? 0x55aa : 0xaa55);
        registers->ecx = drive->no_packet ? 6 : 7;
        break;
    case 0x42:
    case 0x43:
        assert_int_equal(registers->eax & 0xff, 0);
        assert_int_equal(registers->ds, 0);
        assert_false(drive->no_extensions || drive->other_answer || drive->no_packet);
        answer(registers, by_packet(drive, registers->eax >> 8 == 0x43, low_memory + registers->esi));
        break;
    default:
        fail_msg("INT 13h with EAX %x", registers->eax);
    }
}
