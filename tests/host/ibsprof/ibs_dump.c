/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ibs_dump: prints every sample of a perf.data file, a line each, of IBS all fields by the masks of
 * core/family/ibs_regs.h.
 *
 * usage: ibs_dump FILE
 * "op|fetch|pmc|timer name=value ..."; addresses and registers are hexadecimal, the rest decimal. pmc (any event that
 * is not IBS) and timer (clocks) end with "event=" and its name, which may have blanks. Lost samples: "lost n". Status
 * 0: all read. 1: the file cannot be read or is damaged. 2: wrong usage.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/family/ibs_regs.h"
#include "core/perfdata/perfdata_read.h"

struct field {
    const char *name;
    enum sample_kind kind;
    unsigned reg;
    uint64_t mask;
};

/* Names as in AMD's documents, without "Ibs". */
static const struct field fields[] = {
    {"FetchMaxCnt", SAMPLE_FETCH, IBS_FETCH_CTL, IBS_FETCH_MAX_CNT},
    {"FetchCnt", SAMPLE_FETCH, IBS_FETCH_CTL, IBS_FETCH_CNT},
    {"FetchLat", SAMPLE_FETCH, IBS_FETCH_CTL, IBS_FETCH_LAT},
    {"FetchEn", SAMPLE_FETCH, IBS_FETCH_CTL, IBS_FETCH_EN},
    {"FetchVal", SAMPLE_FETCH, IBS_FETCH_CTL, IBS_FETCH_VAL},
    {"FetchComp", SAMPLE_FETCH, IBS_FETCH_CTL, IBS_FETCH_COMP},
    {"IcMiss", SAMPLE_FETCH, IBS_FETCH_CTL, IBS_FETCH_IC_MISS},
    {"PhyAddrValid", SAMPLE_FETCH, IBS_FETCH_CTL, IBS_FETCH_PHY_VALID},
    {"L1TlbPgSz", SAMPLE_FETCH, IBS_FETCH_CTL, IBS_FETCH_PG_SZ},
    {"L1TlbMiss", SAMPLE_FETCH, IBS_FETCH_CTL, IBS_FETCH_L1TLB_MISS},
    {"L2TlbMiss", SAMPLE_FETCH, IBS_FETCH_CTL, IBS_FETCH_L2TLB_MISS},
    {"RandEn", SAMPLE_FETCH, IBS_FETCH_CTL, IBS_FETCH_RAND_EN},
    {"OpMaxCnt", SAMPLE_OP, IBS_OP_CTL, IBS_OP_MAX_CNT},
    {"OpEn", SAMPLE_OP, IBS_OP_CTL, IBS_OP_EN},
    {"OpVal", SAMPLE_OP, IBS_OP_CTL, IBS_OP_VAL},
    {"OpCntCtl", SAMPLE_OP, IBS_OP_CTL, IBS_OP_CNT_CTL},
    {"OpCurCnt", SAMPLE_OP, IBS_OP_CTL, IBS_OP_CUR_CNT},
    {"CompToRetCtr", SAMPLE_OP, IBS_OP_DATA, IBS_OP_COMP_TO_RET},
    {"TagToRetCtr", SAMPLE_OP, IBS_OP_DATA, IBS_OP_TAG_TO_RET},
    {"OpBrnResync", SAMPLE_OP, IBS_OP_DATA, IBS_OP_BRN_RESYNC},
    {"OpMispReturn", SAMPLE_OP, IBS_OP_DATA, IBS_OP_MISP_RETURN},
    {"OpReturn", SAMPLE_OP, IBS_OP_DATA, IBS_OP_RETURN},
    {"OpBrnTaken", SAMPLE_OP, IBS_OP_DATA, IBS_OP_BRN_TAKEN},
    {"OpBrnMisp", SAMPLE_OP, IBS_OP_DATA, IBS_OP_BRN_MISP},
    {"OpBrnRet", SAMPLE_OP, IBS_OP_DATA, IBS_OP_BRN_RET},
    {"NbReqSrc", SAMPLE_OP, IBS_OP_DATA2, IBS_NB_REQ_SRC},
    {"NbReqDstProc", SAMPLE_OP, IBS_OP_DATA2, IBS_NB_DST_PROC},
    {"NbReqCacheHitSt", SAMPLE_OP, IBS_OP_DATA2, IBS_NB_CACHE_HIT_ST},
    {"LdOp", SAMPLE_OP, IBS_OP_DATA3, IBS_LD_OP},
    {"StOp", SAMPLE_OP, IBS_OP_DATA3, IBS_ST_OP},
    {"DcL1TlbMiss", SAMPLE_OP, IBS_OP_DATA3, IBS_DC_L1TLB_MISS},
    {"DcL2TlbMiss", SAMPLE_OP, IBS_OP_DATA3, IBS_DC_L2TLB_MISS},
    {"DcL1TlbHit2M", SAMPLE_OP, IBS_OP_DATA3, IBS_DC_L1TLB_HIT_2M},
    {"DcL1TlbHit1G", SAMPLE_OP, IBS_OP_DATA3, IBS_DC_L1TLB_HIT_1G},
    {"DcL2TlbHit2M", SAMPLE_OP, IBS_OP_DATA3, IBS_DC_L2TLB_HIT_2M},
    {"DcMiss", SAMPLE_OP, IBS_OP_DATA3, IBS_DC_MISS},
    {"DcMisAcc", SAMPLE_OP, IBS_OP_DATA3, IBS_DC_MIS_ACC},
    {"DcLdBnkCon", SAMPLE_OP, IBS_OP_DATA3, IBS_DC_LD_BNK_CON},
    {"DcStBnkCon", SAMPLE_OP, IBS_OP_DATA3, IBS_DC_ST_BNK_CON},
    {"DcStToLdFwd", SAMPLE_OP, IBS_OP_DATA3, IBS_DC_ST_TO_LD_FWD},
    {"DcStToLdCan", SAMPLE_OP, IBS_OP_DATA3, IBS_DC_ST_TO_LD_CAN},
    {"DcWcMemAcc", SAMPLE_OP, IBS_OP_DATA3, IBS_DC_WC_MEM_ACC},
    {"DcUcMemAcc", SAMPLE_OP, IBS_OP_DATA3, IBS_DC_UC_MEM_ACC},
    {"DcLockedOp", SAMPLE_OP, IBS_OP_DATA3, IBS_DC_LOCKED_OP},
    {"DcMabHit", SAMPLE_OP, IBS_OP_DATA3, IBS_DC_MAB_HIT},
    {"DcLinAddrValid", SAMPLE_OP, IBS_OP_DATA3, IBS_DC_LIN_ADDR_VALID},
    {"DcPhyAddrValid", SAMPLE_OP, IBS_OP_DATA3, IBS_DC_PHY_ADDR_VALID},
    {"DcL2TlbHit1G", SAMPLE_OP, IBS_OP_DATA3, IBS_DC_L2TLB_HIT_1G},
    {"DcMissLat", SAMPLE_OP, IBS_OP_DATA3, IBS_DC_MISS_LAT},
};

static void print_ibs_sample(const struct perfdata_item *item)
{
    const struct sample_record *record = &item->record;
    bool op = record->kind == SAMPLE_OP;
    printf("%s time=%" PRIu64 " pid=%" PRIu32 " tid=%" PRIu32 " cpu=%" PRIu32 " ip=%" PRIx64 " addr=%" PRIx64
           " period=%" PRIu64 " caps=%" PRIx32,
           op ? "op" : "fetch", item->time, item->pid, item->tid, item->cpu, item->ip, item->addr, item->period,
           item->caps);
    for (unsigned i = 0; i < (unsigned)(op ? IBS_OP_REGS : IBS_FETCH_REGS); i++)
        printf(" reg%u=%016" PRIx64, i, record->reg[i]);
    for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
        const struct field *field = &fields[i];
        if (field->kind == record->kind) {
            uint64_t bits = record->reg[field->reg] & field->mask;
            printf(" %s=%" PRIu64, field->name, bits >> __builtin_ctzll(field->mask));
        }
    }
    putchar('\n');
}

static void print_sample(const struct perfdata_reader *reader, const struct perfdata_item *item)
{
    const struct perfdata_file_event *event = &reader->events[item->event];
    if (item->record.kind == SAMPLE_OP || item->record.kind == SAMPLE_FETCH) {
        print_ibs_sample(item);
        return;
    }
    printf("%s time=%" PRIu64 " pid=%" PRIu32 " tid=%" PRIu32 " cpu=%" PRIu32 " ip=%" PRIx64 " addr=%" PRIx64
           " period=%" PRIu64 " event=%s\n",
           item->record.kind == SAMPLE_TIMER ? "timer" : "pmc", item->time, item->pid, item->tid, item->cpu, item->ip,
           item->addr, item->period, event->name != NULL ? event->name : "");
}

/* The whole file, or NULL. */
static void *read_all(const char *path, size_t *ret_size)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL || fseek(file, 0, SEEK_END) != 0)
        return NULL;
    long size = ftell(file);
    rewind(file);
    void *bytes = size < 0 ? NULL : malloc((size_t)size + 1);
    if (bytes == NULL || fread(bytes, 1, (size_t)size, file) != (size_t)size) {
        fclose(file);
        free(bytes);
        return NULL;
    }
    fclose(file);
    *ret_size = (size_t)size;
    return bytes;
}

int main(int argc, char **argv)
{
    size_t size;
    struct perfdata_reader reader;
    struct perfdata_item item = {.kind = PERFDATA_ITEM_OTHER};
    if (argc != 2) {
        fprintf(stderr, "usage: ibs_dump FILE\n");
        return 2;
    }
    void *file = read_all(argv[1], &size);
    if (file == NULL) {
        fprintf(stderr, "ibs_dump: %s cannot be read\n", argv[1]);
        return 1;
    }
    enum perfdata_error error = perfdata_open(&reader, file, size);
    while (error == PERFDATA_OK && (error = perfdata_next(&reader, &item)) == PERFDATA_OK &&
           item.kind != PERFDATA_ITEM_END)
        if (item.kind == PERFDATA_ITEM_SAMPLE)
            print_sample(&reader, &item);
        else if (item.kind == PERFDATA_ITEM_LOST)
            printf("lost %" PRIu64 "\n", item.lost);
    free(file);
    if (error != PERFDATA_OK) {
        fprintf(stderr, "ibs_dump: %s: %s\n", argv[1], perfdata_error_text(error));
        return 1;
    }
    return 0;
}
