/* SPDX-License-Identifier: BSD-2-Clause */
/* The volume among the BIOS's disks: which disk is chosen, and why its run area accepts no files, in the words that the
 * user sees and as a status of UEFI. */
#include <stdio.h>
#include <string.h>

#include "bios/console.h"
#include "bios/files.h"
#include "bios/disk/volume.h"
#include "tests/unit/bios/fake_disks.h"
#include "tests/unit/bios/fake_machine.h"
#include "tests/unit/bios/fake_ports.h"

enum { MBR_SECTORS = 2048, AREA_SECTORS = 2100, FAT16_AT = 39, ROOM_SECTORS = 64 * 2 + 1 + 2 };

static struct volume volume;
static struct boot_info info;

static int begin(void **state)
{
    fake_begin();
    memset(&info, 0, sizeof info);
    memset(&volume, 0, sizeof volume);
    return 0;
}

static int end(void **state)
{
    fake_disks_init();
    return 0;
}

/* Makes a volume of 20 MB with clusters of one sector and an area of this size, and changes it by a command. */
static struct fake_drive *stick(unsigned area, const char *command)
{
    return fake_disks_add(
        disk_made_by("s.img",
                     "rm -f s.img s.tar && truncate -s 20M s.img && mformat -i s.img -c 1 -v TEST -N 1B5B0071 :: && "
                     "truncate -s %u s.tar && mcopy -i s.img s.tar ::/IBSRUNS.TAR && %s",
                     area, command));
}

static uint8_t *sector(struct fake_drive *drive, uint64_t number)
{
    return drive->disk->bytes + number * DISK_SECTOR;
}

/* Returns the first cluster of the area, by a second mounted file system. */
static uint32_t area_cluster(struct fake_drive *drive, struct fat *fat)
{
    struct fat_file file;

    assert_int_equal(fat_mount(fat, &drive->disk->ops, 0), FAT_OK);
    assert_int_equal(fat_open(fat, "IBSRUNS.TAR", &file), FAT_OK);
    return file.first;
}

static uint64_t area_sector(struct fake_drive *drive)
{
    static struct fat fat;
    uint32_t first = area_cluster(drive, &fat);

    return fat.data_start + first - 2; /* a cluster is a sector */
}

/* Makes cluster 'next' follow this one (FAT16); FFFFh is the end. */
static void chain(struct fake_drive *drive, const struct fat *fat, uint32_t cluster, uint32_t next)
{
    uint8_t *entry = sector(drive, fat->table_start) + cluster * 2;

    entry[0] = (uint8_t)next;
    entry[1] = (uint8_t)(next >> 8);
}

/* ---------------------------------------------------------------- what is done to a stick */

static void as_it_is(struct fake_drive *drive)
{
    (void)drive;
}

static void loop(struct fake_drive *drive)
{
    static struct fat fat;
    uint32_t first = area_cluster(drive, &fat);

    chain(drive, &fat, first + 5, first);
}

/* Makes a file of clusters that are not neighbours, up to the largest number of pieces. */
static void scatter(struct fake_drive *drive, unsigned pieces)
{
    static struct fat fat;
    uint32_t at = area_cluster(drive, &fat);

    for (unsigned n = 1; n < AREA_SECTORS; n++) {
        uint32_t next = at + (n < pieces ? 2 : 1);

        chain(drive, &fat, at, next);
        at = next;
    }
    chain(drive, &fat, at, 0xffff);
}

static void most_pieces(struct fake_drive *drive)
{
    scatter(drive, AREA_FILE_PIECES);
}

static void too_many_pieces(struct fake_drive *drive)
{
    scatter(drive, AREA_FILE_PIECES + 1);
}

static void bad_folder(struct fake_drive *drive)
{
    static struct fat fat;

    (void)area_cluster(drive, &fat);
    drive->disk->bad_read = fat.root_start;
}

static void bad_table(struct fake_drive *drive)
{
    static struct fat fat;

    (void)area_cluster(drive, &fat);
    drive->disk->bad_read = fat.table_start;
}

static void bad_header(struct fake_drive *drive)
{
    drive->disk->bad_read = area_sector(drive);
}

static void no_tar(struct fake_drive *drive)
{
    memcpy(sector(drive, area_sector(drive)), "something else", 14);
}

static void protect(struct fake_drive *drive)
{
    drive->write_error = DISK_WRITE_PROTECTED;
}

static void refuse(struct fake_drive *drive)
{
    drive->write_error = 0x0c;
}

/* Leaves room for entries up to 64 KB, a header and two blocks before the end, or a sector less. */
static void leave(struct fake_drive *drive, unsigned sectors)
{
    uint8_t *first = sector(drive, area_sector(drive));

    tar_header(first, "ibsboot/runs/0001-a/run.ini", (AREA_SECTORS - sectors - 1) * DISK_SECTOR, 0);
}

static void just_room(struct fake_drive *drive)
{
    leave(drive, ROOM_SECTORS);
}

static void no_room(struct fake_drive *drive)
{
    leave(drive, ROOM_SECTORS - 1);
}

static void full(struct fake_drive *drive)
{
    leave(drive, 0);
}

static const struct row {
    const char *name;
    unsigned area; /* bytes */
    const char *command;
    void (*change)(struct fake_drive *drive);
    enum area_refusal found, folder; /* the refusal at the start; when a run begins */
    bool readable;                   /* whether the area's content can be read */
} rows[] = {
    {"whole", AREA_SECTORS * 512, "true", as_it_is, AREA_NONE, AREA_NONE, true},
    {"deleted", AREA_SECTORS * 512, "mdel -i s.img ::/IBSRUNS.TAR", as_it_is, AREA_MISSING, AREA_MISSING, false},
    {"renamed", AREA_SECTORS * 512, "mren -i s.img ::/IBSRUNS.TAR ::/IBSRUNS.OLD", as_it_is, AREA_MISSING, AREA_MISSING,
     false},
    {"a folder", AREA_SECTORS * 512, "mdel -i s.img ::/IBSRUNS.TAR && mmd -i s.img ::/IBSRUNS.TAR", as_it_is,
     AREA_FOLDER, AREA_FOLDER, false},
    {"looped", AREA_SECTORS * 512, "true", loop, AREA_LOST, AREA_LOST, false},
    {"1024 pieces", AREA_SECTORS * 512, "true", most_pieces, AREA_NONE, AREA_NONE, true},
    {"1025 pieces", AREA_SECTORS * 512, "true", too_many_pieces, AREA_PIECES, AREA_PIECES, false},
    {"its folder is not read", AREA_SECTORS * 512, "true", bad_folder, AREA_UNREAD, AREA_UNREAD, false},
    {"its chain is not read", AREA_SECTORS * 512, "true", bad_table, AREA_UNREAD, AREA_UNREAD, false},
    {"it is not read", AREA_SECTORS * 512, "true", bad_header, AREA_UNREAD, AREA_UNREAD, true},
    {"no tar", AREA_SECTORS * 512, "true", no_tar, AREA_DAMAGED, AREA_DAMAGED, true},
    {"write-protected", AREA_SECTORS * 512, "true", protect, AREA_UNWRITTEN, AREA_UNWRITTEN, true},
    {"not written", AREA_SECTORS * 512, "true", refuse, AREA_UNWRITTEN, AREA_UNWRITTEN, true},
    {"just room", AREA_SECTORS * 512, "true", just_room, AREA_NONE, AREA_NONE, true},
    {"no room", AREA_SECTORS * 512, "true", no_room, AREA_NONE, AREA_FULL, true},
    {"full", AREA_SECTORS * 512, "true", full, AREA_NONE, AREA_FULL, true},
    {"1000 bytes", 1000, "true", as_it_is, AREA_NONE, AREA_FULL, true},
    {"empty", 0, "true", as_it_is, AREA_NONE, AREA_FULL, true},
};

static EFI_STATUS make_folder(void)
{
    EFI_FILE_HANDLE root, folder;
    EFI_STATUS status;

    assert_int_equal(uefi_open_volume(NULL, &root), EFI_SUCCESS);
    status = root->Open(root, &folder, (CHAR16 *)u"\\ibsboot\\runs\\0002-a",
                        EFI_FILE_MODE_READ | EFI_FILE_MODE_WRITE | EFI_FILE_MODE_CREATE, EFI_FILE_DIRECTORY);
    if (status == EFI_SUCCESS)
        assert_int_equal(folder->Close(folder), EFI_SUCCESS);
    assert_int_equal(root->Close(root), EFI_SUCCESS);
    return status;
}

static bool said(const char *text)
{
    return strstr(ports.sent, text) != NULL;
}

/* The status is the number that core/run/area_refusal.h gives, repeated here. */
TEST_WITH(reasons, begin, end)
{
    for (const struct row *row = rows; row < rows + sizeof rows / sizeof rows[0]; row++) {
        EFI_STATUS status, wanted = row->folder ? 0xC00000001B5B0000 + (unsigned)row->folder : 0;
        struct fake_drive *drive;

        begin(state);
        drive = stick(row->area, row->command);
        row->change(drive);
        assert_true(volume_find(&volume, &info, false));
        if (volume.area.refusal != row->found || volume.area.readable != row->readable)
            fail_msg("%s: refusal %u, area %u", row->name, volume.area.refusal, volume.area.readable);
        if (said("ibsbios: runs are not saved: ") != (row->found != AREA_NONE) ||
            (row->found && !said(area_refusal_text(row->found))))
            fail_msg("%s: it says: %s", row->name, ports.sent);
        assert_int_equal(said("the disk's error is 3h\r\n"), row->change == protect);
        assert_int_equal(said("the disk's error is ch\r\n"), row->change == refuse);
        assert_int_equal(said("IBSRUNS.TAR is in 1024 pieces"), row->change == most_pieces);
        assert_int_equal(said(" pieces\r\n"), row->change == most_pieces);
        files_prepare(&info, &volume);
        status = make_folder();
        if (status != wanted)
            fail_msg("%s: status %llx, not %llx", row->name, (unsigned long long)status, (unsigned long long)wanted);
    }
}

/* Each text is one line that says what to do. */
TEST_WITH(texts, begin, end)
{
    for (unsigned i = AREA_MISSING; i < AREA_REFUSAL_COUNT; i++) {
        const char *text = area_refusal_text((enum area_refusal)i);

        assert_true(strlen(text) < 200 && !strchr(text, '\n'));
        if (!strstr(text, "IBSRUNS.TAR") && i != AREA_UNREAD && i != AREA_UNWRITTEN)
            fail_msg("%s", text);
        assert_non_null(i == AREA_LOST ? strstr(text, "repairs") : strchr(text, ';'));
    }
    assert_string_equal(area_refusal_text(AREA_NONE), "no error");
    assert_string_equal(area_refusal_text(AREA_REFUSAL_COUNT), "unknown error");
}

/* The room follows from the sectors that are left, without a header and two blocks of zeros. */
TEST_WITH(room, begin, end)
{
    stick(AREA_SECTORS * 512, "true");
    assert_true(volume_find(&volume, &info, false));
    assert_true(said("disk 80h: 1048 KB of runs may follow\r\n"));
    assert_true(volume_there(&volume));
    fake_disks.drive[0].disk->bad_read = 0;
    assert_false(volume_there(&volume));
    fake_disks.drive[0].disk->bad_read = ~0ull;
    begin(state);
    stick(AREA_SECTORS * 512, "true")->write_error = 1;
    assert_true(volume_find(&volume, &info, false));
    assert_true(said("disk 80h: 0 KB of runs may follow\r\n"));
}

/* ---------------------------------------------------------------- which disk */

/* Makes a partition table in which this row has the volume. */
static void partitioned(unsigned row, uint8_t type)
{
    struct test_disk *whole, *file;
    uint8_t *table;

    stick(AREA_SECTORS * 512, "true");
    file = fake_disks.drive[0].disk;
    whole = disk_of_size(MBR_SECTORS + file->sectors);
    memcpy(whole->bytes + MBR_SECTORS * DISK_SECTOR, file->bytes, file->sectors * DISK_SECTOR);
    table = whole->bytes + 446 + row * 16;
    table[4] = type;
    table[8] = (uint8_t)MBR_SECTORS;
    table[9] = MBR_SECTORS >> 8;
    whole->bytes[510] = 0x55;
    whole->bytes[511] = 0xaa;
    disk_free(file);
    fake_disks.drive[0].disk = whole;
}

TEST_WITH(partitions, begin, end)
{
    for (unsigned row = 0; row < 4; row++) {
        begin(state);
        partitioned(row, 0x0c);
        assert_true(volume_find(&volume, &info, false));
        assert_int_equal(volume.area.refusal, AREA_NONE);
        assert_true(volume.area.store.tar.area.extents[0].sector > MBR_SECTORS);
    }
    begin(state);
    partitioned(1, 0); /* the row is not in use */
    assert_false(volume_find(&volume, &info, false));
    assert_true(said("none of the BIOS's disks (it has 1) has our volume: runs are not saved"));
    files_prepare(&info, NULL);
    assert_int_equal(make_folder(), EFI_NO_MEDIA);
    for (unsigned byte = 510; byte < 512; byte++) {
        begin(state);
        partitioned(3, 6);
        fake_disks.drive[0].disk->bytes[byte] ^= 1;
        assert_false(volume_find(&volume, &info, false));
    }
    /* Without a table the volume is the whole disk. */
    begin(state);
    memset(sector(stick(AREA_SECTORS * 512, "true"), 0) + 446, 0, 64);
    assert_true(volume_find(&volume, &info, false));
    /* The start of a partition has four bytes. */
    begin(state);
    partitioned(0, 6);
    fake_disks.drive[0].disk->bytes[446 + 11] = 1;
    assert_false(volume_find(&volume, &info, false));
    fake_disks.drive[0].disk->bytes[446 + 11] = 0;
    fake_disks.drive[0].disk->bytes[446 + 10] = 1;
    assert_false(volume_find(&volume, &info, false));
    fake_disks.drive[0].disk->bytes[446 + 10] = 0;
    assert_true(volume_find(&volume, &info, false));
    fake_disks.drive[0].disk->bad_read = 0;
    assert_false(volume_find(&volume, &info, false));
}

/* A disk that is not ours is ignored; of several disks that are ours the booted one is used, otherwise the first with
 * an area, otherwise the first. */
TEST_WITH(chosen, begin, end)
{
    static const struct {
        const char *disks; /* o: ours; a: ours with an area; x: another's; -: does not answer */
        int booted;        /* -1: unknown */
        int used;          /* -1: none */
        unsigned found;
    } cases[] = {
        {"a", -1, 0, 1},  {"xa", -1, 1, 1},  {"x", -1, -1, 0}, {"-a", -1, 1, 1}, {"oa", -1, 1, 2},  {"oa", 0, 0, 2},
        {"ao", 1, 1, 2},  {"aa", -1, 0, 2},  {"aa", 1, 1, 2},  {"oo", -1, 0, 2}, {"ooa", -1, 2, 3}, {"oaa", -1, 1, 3},
        {"oaa", 0, 0, 3}, {"xaoa", 2, 2, 3}, {"xa", 0, 1, 1},  {"aoo", 2, 2, 3}, {"aoo", -1, 0, 3}, {"oao", 2, 2, 3},
    };

    for (unsigned c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        unsigned count = (unsigned)strlen(cases[c].disks);
        char line[100];

        begin(state);
        for (unsigned i = 0; i < count; i++) {
            struct fake_drive *drive =
                stick(AREA_SECTORS * 512, cases[c].disks[i] == 'a' ? "true" : "mdel -i s.img ::/IBSRUNS.TAR");

            if (cases[c].disks[i] == 'x')
                sector(drive, 0)[FAT16_AT] ^= 1; /* the serial number */
            else if (cases[c].disks[i] == '-')
                drive->no_extensions = drive->no_parameters = true;
        }
        info.has_disk = cases[c].booted >= 0;
        info.disk = (uint8_t)(DISK_FIRST + (cases[c].booted >= 0 ? cases[c].booted : 0));
        assert_int_equal(volume_find(&volume, &info, false), cases[c].used >= 0);
        if (cases[c].used >= 0 && volume.disk.number != DISK_FIRST + cases[c].used)
            fail_msg("%s, booted %d: %xh", cases[c].disks, cases[c].booted, volume.disk.number);
        snprintf(line, sizeof line, "%u disks have a volume with our serial number; that of disk %xh is used",
                 cases[c].found, DISK_FIRST + cases[c].used);
        assert_int_equal(said(line), cases[c].found > 1);
        assert_int_equal(said("our serial number"), cases[c].found > 1);
    }
}

TEST_WITH(by_chs, begin, end)
{
    stick(AREA_SECTORS * 512, "true");
    assert_true(volume_find(&volume, &info, true));
    assert_int_equal(volume.area.refusal, AREA_NONE);
    assert_true(said("disk 80h, by CHS: "));
}

RUN_TESTS(NULL, NULL)
