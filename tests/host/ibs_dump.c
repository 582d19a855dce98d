/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ibs_dump: prints every sample of a perf.data file, a line each, of IBS all fields by the getters of core/ibs_regs.h.
 *
 * usage: ibs_dump FILE
 * "op|fetch|pmc|timer name=value ..."; addresses and registers are hexadecimal, the rest decimal. pmc (any event that
 * is not IBS) and timer (clocks) end with "event=" and its name, which may have blanks. Lost samples: "lost n". Status
 * 0: all read. 1: the file cannot be read or is damaged. 2: wrong usage.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/ibs_regs.h"
#include "core/perfdata_read.h"

struct field {
    const char *name;
    enum sample_kind kind;
    unsigned reg;
    uint32_t (*get32)(uint64_t reg);
    bool (*get)(uint64_t reg);
};

#define NUMBER(kind, reg, name, get)                                                                                   \
    {                                                                                                                  \
        name, kind, reg, get, NULL                                                                                     \
    }
#define FLAG(kind, reg, name, get)                                                                                     \
    {                                                                                                                  \
        name, kind, reg, NULL, get                                                                                     \
    }

/* Names as in AMD's documents, without "Ibs". */
static const struct field fields[] = {
    NUMBER(SAMPLE_FETCH, IBS_FETCH_CTL, "FetchMaxCnt", ibs_fetch_max_cnt),
    NUMBER(SAMPLE_FETCH, IBS_FETCH_CTL, "FetchCnt", ibs_fetch_cnt),
    NUMBER(SAMPLE_FETCH, IBS_FETCH_CTL, "FetchLat", ibs_fetch_lat),
    FLAG(SAMPLE_FETCH, IBS_FETCH_CTL, "FetchEn", ibs_fetch_en),
    FLAG(SAMPLE_FETCH, IBS_FETCH_CTL, "FetchVal", ibs_fetch_val),
    FLAG(SAMPLE_FETCH, IBS_FETCH_CTL, "FetchComp", ibs_fetch_comp),
    FLAG(SAMPLE_FETCH, IBS_FETCH_CTL, "IcMiss", ibs_fetch_ic_miss),
    FLAG(SAMPLE_FETCH, IBS_FETCH_CTL, "PhyAddrValid", ibs_fetch_phy_valid),
    NUMBER(SAMPLE_FETCH, IBS_FETCH_CTL, "L1TlbPgSz", ibs_fetch_pg_sz),
    FLAG(SAMPLE_FETCH, IBS_FETCH_CTL, "L1TlbMiss", ibs_fetch_l1tlb_miss),
    FLAG(SAMPLE_FETCH, IBS_FETCH_CTL, "L2TlbMiss", ibs_fetch_l2tlb_miss),
    FLAG(SAMPLE_FETCH, IBS_FETCH_CTL, "RandEn", ibs_fetch_rand_en),
    NUMBER(SAMPLE_OP, IBS_OP_CTL, "OpMaxCnt", ibs_op_max_cnt),
    FLAG(SAMPLE_OP, IBS_OP_CTL, "OpEn", ibs_op_en),
    FLAG(SAMPLE_OP, IBS_OP_CTL, "OpVal", ibs_op_val),
    FLAG(SAMPLE_OP, IBS_OP_CTL, "OpCntCtl", ibs_op_cnt_ctl),
    NUMBER(SAMPLE_OP, IBS_OP_CTL, "OpCurCnt", ibs_op_cur_cnt),
    NUMBER(SAMPLE_OP, IBS_OP_DATA, "CompToRetCtr", ibs_op_comp_to_ret),
    NUMBER(SAMPLE_OP, IBS_OP_DATA, "TagToRetCtr", ibs_op_tag_to_ret),
    FLAG(SAMPLE_OP, IBS_OP_DATA, "OpBrnResync", ibs_op_brn_resync),
    FLAG(SAMPLE_OP, IBS_OP_DATA, "OpMispReturn", ibs_op_misp_return),
    FLAG(SAMPLE_OP, IBS_OP_DATA, "OpReturn", ibs_op_return),
    FLAG(SAMPLE_OP, IBS_OP_DATA, "OpBrnTaken", ibs_op_brn_taken),
    FLAG(SAMPLE_OP, IBS_OP_DATA, "OpBrnMisp", ibs_op_brn_misp),
    FLAG(SAMPLE_OP, IBS_OP_DATA, "OpBrnRet", ibs_op_brn_ret),
    NUMBER(SAMPLE_OP, IBS_OP_DATA2, "NbReqSrc", ibs_nb_req_src),
    FLAG(SAMPLE_OP, IBS_OP_DATA2, "NbReqDstProc", ibs_nb_dst_proc),
    FLAG(SAMPLE_OP, IBS_OP_DATA2, "NbReqCacheHitSt", ibs_nb_cache_hit_st),
    FLAG(SAMPLE_OP, IBS_OP_DATA3, "LdOp", ibs_ld_op),
    FLAG(SAMPLE_OP, IBS_OP_DATA3, "StOp", ibs_st_op),
    FLAG(SAMPLE_OP, IBS_OP_DATA3, "DcL1TlbMiss", ibs_dc_l1tlb_miss),
    FLAG(SAMPLE_OP, IBS_OP_DATA3, "DcL2TlbMiss", ibs_dc_l2tlb_miss),
    FLAG(SAMPLE_OP, IBS_OP_DATA3, "DcL1TlbHit2M", ibs_dc_l1tlb_hit_2m),
    FLAG(SAMPLE_OP, IBS_OP_DATA3, "DcL1TlbHit1G", ibs_dc_l1tlb_hit_1g),
    FLAG(SAMPLE_OP, IBS_OP_DATA3, "DcL2TlbHit2M", ibs_dc_l2tlb_hit_2m),
    FLAG(SAMPLE_OP, IBS_OP_DATA3, "DcMiss", ibs_dc_miss),
    FLAG(SAMPLE_OP, IBS_OP_DATA3, "DcMisAcc", ibs_dc_mis_acc),
    FLAG(SAMPLE_OP, IBS_OP_DATA3, "DcLdBnkCon", ibs_dc_ld_bnk_con),
    FLAG(SAMPLE_OP, IBS_OP_DATA3, "DcStBnkCon", ibs_dc_st_bnk_con),
    FLAG(SAMPLE_OP, IBS_OP_DATA3, "DcStToLdFwd", ibs_dc_st_to_ld_fwd),
    FLAG(SAMPLE_OP, IBS_OP_DATA3, "DcStToLdCan", ibs_dc_st_to_ld_can),
    FLAG(SAMPLE_OP, IBS_OP_DATA3, "DcWcMemAcc", ibs_dc_wc_mem_acc),
    FLAG(SAMPLE_OP, IBS_OP_DATA3, "DcUcMemAcc", ibs_dc_uc_mem_acc),
    FLAG(SAMPLE_OP, IBS_OP_DATA3, "DcLockedOp", ibs_dc_locked_op),
    FLAG(SAMPLE_OP, IBS_OP_DATA3, "DcMabHit", ibs_dc_mab_hit),
    FLAG(SAMPLE_OP, IBS_OP_DATA3, "DcLinAddrValid", ibs_dc_lin_addr_valid),
    FLAG(SAMPLE_OP, IBS_OP_DATA3, "DcPhyAddrValid", ibs_dc_phy_addr_valid),
    FLAG(SAMPLE_OP, IBS_OP_DATA3, "DcL2TlbHit1G", ibs_dc_l2tlb_hit_1g),
    NUMBER(SAMPLE_OP, IBS_OP_DATA3, "DcMissLat", ibs_dc_miss_lat),
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
            uint64_t reg = record->reg[field->reg];
            printf(" %s=%" PRIu32, field->name, field->get32 != NULL ? field->get32(reg) : field->get(reg));
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
