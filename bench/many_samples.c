/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Makes a long perf.data file from a short run: its op samples repeated, with continuing times, and with varying data
 * addresses and latencies. With a fourth argument also a raw file of AMD's Research IBS Toolkit with the same samples.
 *
 * --spread: each sample is a load or store at a cache line and page of its own (but for chance): the most that lists by
 * address have to keep.
 *
 * usage: many_samples [--spread] RUN.data OUT.data COUNT [OUT.op]
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "core/base/rng.h"
#include "core/family/ibs_regs.h"
#include "core/perfdata/perfdata.h"
#include "core/perfdata/perfdata_read.h"

enum { TICKS_PER_SAMPLE = 1500, ARRAY_BYTES = 4 << 20, PAGE_BYTES = 4096 };

static int write_file(void *context, const void *data, size_t size)
{
    return fwrite(data, 1, size, context) == size ? 0 : -1;
}

static const void *map_file(const char *path, size_t *ret_size)
{
    struct stat status;
    int fd = open(path, O_RDONLY);
    const void *bytes;

    if (fd < 0 || fstat(fd, &status) != 0)
        return NULL;
    *ret_size = (size_t)status.st_size;
    bytes = mmap(NULL, *ret_size, PROT_READ, MAP_PRIVATE, fd, 0);
    return bytes == MAP_FAILED ? NULL : bytes;
}

/* Returns a random address below 128 TB, aligned as data of four bytes are. */
static uint64_t anywhere(struct rng *rng)
{
    return (uint64_t)rng_below(rng, 1 << 23) << 24 | (rng_below(rng, 1 << 24) & ~3u);
}

static void vary(struct sample_record *record, struct rng *rng, bool spread)
{
    uint64_t *data3 = &record->reg[IBS_OP_DATA3];

    if (spread) {
        if (!(*data3 & IBS_DC_LIN_ADDR_VALID))
            *data3 |= IBS_LD_OP;
        *data3 |= IBS_DC_LIN_ADDR_VALID | IBS_DC_PHY_ADDR_VALID;
        record->reg[IBS_OP_DCLINAD] = anywhere(rng);
        record->reg[IBS_OP_DCPHYSAD] =
            (anywhere(rng) & ~(uint64_t)(PAGE_BYTES - 1)) | (record->reg[IBS_OP_DCLINAD] & (PAGE_BYTES - 1));
    } else if (*data3 & IBS_DC_LIN_ADDR_VALID)
        record->reg[IBS_OP_DCLINAD] += rng_below(rng, ARRAY_BYTES) & ~3u;
    if ((*data3 & IBS_DC_MISS) && (*data3 & IBS_LD_OP))
        *data3 = (*data3 & ~IBS_DC_MISS_LAT) | (uint64_t)(8 + rng_below(rng, 300)) << 32;
    record->reg[IBS_OP_DATA] = (record->reg[IBS_OP_DATA] & ~IBS_OP_TAG_TO_RET) | (uint64_t)rng_below(rng, 200) << 16;
}

/* The header that the toolkit's decoder needs, and its structures (include/ibs-uapi.h of
 * github.com/jlgreathouse/AMD_IBS_Toolkit). */
static int write_toolkit(const char *path, const struct sample_record *records, size_t count)
{
    static const char header[] =
        "IBS Op Sample File\nAMD Processor Family: 0x10\nAMD Processor Model: 0x4\nIBS Op Structure Version: 1\n"
        "IbsOpBrnResync: 1\nIbsOpMispReturn: 1\nIBSOpData2_4_5: 1\nIbsDcLdBnkCon: 1\nIbsDcStBnkCon: 1\n"
        "IbsDcStToLdFwd: 1\nIbsDcStToLdCan: 1\n=============================================\n";
    FILE *file = fopen(path, "wb");
    size_t written = 0;

    if (file == NULL || fputs(header, file) < 0)
        return -1;
    for (size_t i = 0; i < count; i++) {
        const uint64_t *reg = records[i].reg;
        struct {
            uint64_t ctl, rip, data, data2, data3, data4, lin_ad, phys_ad, target, tsc, cr3;
            int32_t tid, pid, cpu, kern_mode;
        } op = {reg[IBS_OP_CTL],
                reg[IBS_OP_RIP],
                reg[IBS_OP_DATA],
                reg[IBS_OP_DATA2],
                reg[IBS_OP_DATA3],
                0,
                reg[IBS_OP_DCLINAD],
                reg[IBS_OP_DCPHYSAD],
                0,
                records[i].tsc,
                0,
                1,
                1,
                0,
                0};

        written += fwrite(&op, sizeof(op), 1, file);
    }
    return fclose(file) == 0 && written == count ? 0 : -1;
}

int main(int argc, char **argv)
{
    struct perfdata_reader reader;
    struct perfdata_item item;
    struct perfdata_map map = {.name = "ibsboot.elf"};
    struct sample_record *some = NULL, *all;
    bool spread = argc > 1 && strcmp(argv[1], "--spread") == 0;
    size_t size, count = 0, wanted;
    const void *bytes;
    struct rng rng;
    FILE *file;

    argc -= spread;
    argv += spread;
    wanted = argc == 4 || argc == 5 ? strtoul(argv[3], NULL, 10) : 0;
    bytes = wanted ? map_file(argv[1], &size) : NULL;
    if (bytes == NULL || perfdata_open(&reader, bytes, size) != PERFDATA_OK) {
        fprintf(stderr, "usage: many_samples [--spread] RUN.data OUT.data COUNT [OUT.op]\n");
        return 2;
    }
    while (perfdata_next(&reader, &item) == PERFDATA_OK && item.kind != PERFDATA_ITEM_END) {
        if (item.kind == PERFDATA_ITEM_MAP)
            map = item.map;
        if (item.kind != PERFDATA_ITEM_SAMPLE || item.record.kind != SAMPLE_OP)
            continue;
        some = realloc(some, (count + 1) * sizeof(*some));
        some[count++] = item.record;
    }
    all = mmap(NULL, wanted * sizeof(*all), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (count == 0 || all == MAP_FAILED) {
        fprintf(stderr, "many_samples: no op samples in %s, or no memory\n", argv[1]);
        return 1;
    }
    rng_seed(&rng, 1);
    for (size_t i = 0; i < wanted; i++) {
        all[i] = some[i % count];
        all[i].tsc = (i + 1) * TICKS_PER_SAMPLE;
        vary(&all[i], &rng, spread);
    }
    struct perfdata_info info = {
        .vendor = "AuthenticAMD",
        .cpu_name = "AMD Phenom(tm) (samples of a short run, repeated)",
        .family = 16,
        .model = 4,
        .stepping = 2,
        .caps = 0x1f,
        .cores = 1,
        .tsc_khz = 3000000,
        .image_base = map.start - map.page_offset,
        .text_rva = (uint32_t)map.page_offset,
        .text_size = (uint32_t)map.length,
        .text_offset = (uint32_t)map.page_offset,
        .build_id = map.build_id_size == 20 ? map.build_id : NULL,
        .elf_name = "ibsboot.elf",
        .version = "bench",
        .command = "many_samples",
        .comm = "matmul-classic",
        .event = {[SAMPLE_OP] = {.sampled = true, .variant = true, .period = 512}},
    };
    file = fopen(argv[2], "wb");
    if (file == NULL || perfdata_write(&info, all, wanted, write_file, file) != 0 || fclose(file) != 0) {
        fprintf(stderr, "many_samples: %s cannot be written\n", argv[2]);
        return 1;
    }
    if (argc == 5 && write_toolkit(argv[4], all, wanted) != 0) {
        fprintf(stderr, "many_samples: %s cannot be written\n", argv[4]);
        return 1;
    }
    return 0;
}
