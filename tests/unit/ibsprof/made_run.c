/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/unit/ibsprof/made_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/ibsprof/files.h"
#include "tests/unit/ibsprof/program.h"

struct perfdata_info made_info;
static struct sample_record records[MADE_RECORDS];
static size_t count;
static uint64_t now;

void made_run_begin(void)
{
    made_info = (struct perfdata_info){
        .vendor = "AuthenticAMD",
        .cpu_name = "made by a test",
        .family = 16,
        .model = 4,
        .stepping = 2,
        .caps = 0x1f,
        .cores = 1,
        .tsc_khz = 1000000,
        .image_base = MADE_BASE,
        .text_rva = PROGRAM_TEXT,
        .text_size = PROGRAM_SIZE,
        .text_offset = PROGRAM_OFFSET,
        .build_id = program_id,
        .elf_name = "program.elf",
        .version = "test",
        .command = "n=8",
        .comm = "loop",
        .event = {[SAMPLE_OP] = {true, true, 1000, 0}, [SAMPLE_FETCH] = {true, true, 1000, 0}},
    };
    count = 0;
    now = 0;
}

void made_run_record(struct sample_record record)
{
    if (count == MADE_RECORDS)
        abort();
    if (record.tsc == 0)
        record.tsc = now + 1000;
    now = record.tsc;
    records[count++] = record;
}

void made_run_op(unsigned times, struct made_op op)
{
    struct sample_record record = {.kind = SAMPLE_OP, .cpu = op.cpu, .tsc = op.tsc};

    record.reg[IBS_OP_CTL] = IBS_OP_EN | IBS_OP_VAL | IBS_OP_CNT_CTL | 1000 >> 4;
    record.reg[IBS_OP_RIP] = MADE_BASE + op.at;
    record.reg[IBS_OP_DATA] = op.data;
    record.reg[IBS_OP_DATA2] = op.data2;
    record.reg[IBS_OP_DATA3] = op.data3;
    record.reg[IBS_OP_DCLINAD] = op.address;
    record.reg[IBS_OP_DCPHYSAD] = op.physical;
    while (times-- > 0)
        made_run_record(record);
}

void made_run_fetch(unsigned times, struct made_fetch fetch)
{
    struct sample_record record = {.kind = SAMPLE_FETCH, .cpu = fetch.cpu, .tsc = fetch.tsc};

    record.reg[IBS_FETCH_CTL] = IBS_FETCH_EN | IBS_FETCH_VAL | IBS_FETCH_RAND_EN | 1000 >> 4 | fetch.ctl;
    record.reg[IBS_FETCH_LINAD] = MADE_BASE + fetch.at;
    while (times-- > 0)
        made_run_record(record);
}

static int write_bytes(void *context, const void *data, size_t size)
{
    return fwrite(data, 1, size, context) == size ? 0 : -1;
}

const char *made_run_write(const char *folder, const char *ini)
{
    char name[300];
    FILE *file;

    snprintf(name, sizeof(name), "%s/perf.data", folder);
    file = fopen(files_path(name), "wb");
    if (file == NULL || perfdata_write(&made_info, records, count, write_bytes, file) != 0 || fclose(file) != 0)
        abort();
    if (ini != NULL) {
        snprintf(name, sizeof(name), "%s/run.ini", folder);
        files_write(name, ini, strlen(ini));
    }
    return files_path(folder);
}

void made_run_as_linux(const char *perfdata)
{
    static const char ours[] = "no operating system", theirs[] = "6.1.0-test\0\0\0\0\0\0\0\0\0";
    static char bytes[1 << 20];
    FILE *file = fopen(perfdata, "r+b");
    size_t size, replaced = 0;

    _Static_assert(sizeof(ours) == sizeof(theirs), "the one takes the place of the other");
    size = file != NULL ? fread(bytes, 1, sizeof(bytes), file) : 0;
    for (size_t at = 0; at + sizeof(ours) <= size; at++)
        if (memcmp(bytes + at, ours, sizeof(ours)) == 0) {
            memcpy(bytes + at, theirs, sizeof(theirs));
            replaced++;
        }
    if (replaced == 0 || size == sizeof(bytes))
        abort();
    rewind(file);
    if (fwrite(bytes, 1, size, file) != size || fclose(file) != 0)
        abort();
}
