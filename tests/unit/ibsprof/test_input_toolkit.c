/* Raw files of AMD_IBS_Toolkit: rows computed by hand from the layout of its structures and the names and text forms of
 * its decoder. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/ibsprof/files.h"
#include "tools/ibsprof/ibs_columns.h"
#include "tools/ibsprof/input.h"

static struct {
    uint8_t bytes[8192];
    size_t size;
} raw;

static void text(const char *line)
{
    memcpy(raw.bytes + raw.size, line, strlen(line));
    raw.size += strlen(line);
}
static void put64(uint64_t value)
{
    memcpy(raw.bytes + raw.size, &value, 8);
    raw.size += 8;
}
static void put32(uint32_t value)
{
    memcpy(raw.bytes + raw.size, &value, 4);
    raw.size += 4;
}

#define MACHINE(family, model)                                                                                         \
    "AMD Processor Family: " family "\nAMD Processor Model: " model "\nAMD Processor Stepping: 0x2\n"                  \
    "AMD Processor Name: AMD Phenom(tm) II X4\nMemory Size: 8.0 GB\nSystem name: box\nOS: Linux 4.4\n"                 \
    "Timestamp: Sat\nWorking directory: /tmp\nCommand line: ./ibs_monitor -o a ./prog \n"
#define END_LINE "\n=============================================\n"

static void begin_10h(void)
{
    raw.size = 0;
    text("IBS Op Sample File\n" MACHINE(
        "0x10",
        "0x4") "IBS Op Structure Version: 1\n"
               "IbsOpBrnResync: 1\nIbsOpMispReturn: 1\nBrnTrgt: 0\nOpCntExt: 0\nRipInvalidChk: 0\nOpBrnFuse: 0\n"
               "IbsOpData4: 0\nMicrocode: 0\nIBSOpData2_4_5: 1\nIbsDcLdBnkCon: 1\nIbsDcStBnkCon: 1\nIbsDcStToLdFwd: 1\n"
               "IbsDcStToLdCan: 1\nIbsData3_20_31_48_63: 0\n" END_LINE);
}

/* ctl, rip, data, data2, data3, data4, linad, physad, target, tsc, cr3, tid, pid, cpu, kernel */
static void op(const uint64_t registers[11], uint32_t tid, uint32_t pid, uint32_t cpu, uint32_t kernel)
{
    for (int i = 0; i < 11; i++)
        put64(registers[i]);
    put32(tid);
    put32(pid);
    put32(cpu);
    put32(kernel);
}

static char rows[16384];

/* All rows as ibs_columns has them, the header first; the input's error behind them. */
static const char *export(const char *path, enum ibs_kind kind)
{
    char error[512];
    struct input *input = input_open(path, error, sizeof(error));
    struct input_item item;
    char *to = rows;

    assert_non_null(input);
    struct ibs_layout layout = ibs_layout_of_input(input);
    struct ibs_columns columns = ibs_columns_of(kind, &layout, true);
    for (unsigned i = 0; i < columns.count; i++)
        to += sprintf(to, "%s%c", ibs_column_name(&columns, i), i + 1 < columns.count ? ',' : '\n');
    bool good;
    while ((good = input_next(input, &item)) && item.kind == INPUT_SAMPLE)
        for (unsigned i = 0; i < columns.count; i++) {
            to = ibs_column_value(&columns, i, &item.sample, to);
            *to++ = i + 1 < columns.count ? ',' : '\n';
        }
    strcpy(to, good ? "" : input_error(input));
    input_close(input);
    return rows;
}

static void test_op_rows_of_family_10h(void **state)
{
    begin_10h();
    /* A load that missed, from another core's cache on another node, owned. IbsOpReturn set, IbsOpBrnRet clear. */
    op((uint64_t[]){0x0006186a, 0x401639, 0x400780005, 0x32, 0xd500060181, 0, 0x4a62e0, 0xffff0000014a62e0, 0, 123, 0},
       11, 12, 3, 0);
    /* A branch: taken, mispredicted, not a return; a store that missed: no source; the addresses are not valid. */
    op((uint64_t[]){0x0006ffff, 0xffffffff81000000, 0x3800010002, 0x3, 0x82, 0, 0x1, 0x2, 0x3, UINT64_MAX, 0},
       0xffffffff, 0, 0, 1);
    /* A load from the L2: a miss, and no answer of the northbridge. */
    op((uint64_t[]){0x00060009, 0, 0, 0x30, 0xfffff | 0xffffull << 32, 0, 0, 0, 0, 0, 0}, 0, 0, 0, 0);
    assert_string_equal(
        export(files_write("op", raw.bytes, raw.size), IBS_KIND_OP),
        "TSC,CPU_Number,TID,PID,Kern_mode,IbsOpRip,IbsOpMaxCnt[19:0],IbsCompToRetCtr,IbsTagToRetCtr,IbsOpBrnResync,"
        "IbsOpMispReturn,IbsOpReturn,IbsOpBrnTaken,IbsOpBrnMisp,IbsOpBrnRet,NbIbsReqSrc,NbIbsReqDstNode,"
        "NbIbsReqCacheHitSt,IbsLdOp,IbsStOp,IbsDcL1tlbMiss,IbsDcL2TlbMiss,IbsDcL1TlbHit2M,IbsDcL1TlbHit1G,"
        "IbsDcL2tlbHit2M,IbsDcMiss,IbsDcMissAcc,IbsDcLdBnkCon,IbsDcStBnkCon,IbsDcStToLdFwd,IbsDcStToLdCan,"
        "IbsDcWcMemAcc,IbsDcUcMemAcc,IbsDcLockedOp,IbsDcMabHit,IbsDcLinAddrValid,IbsDcPhyAddrValid,IbsDcL2tlbHit1G,"
        "IbsDcMissLat,IbsDcLinAd,IbsDcPhysAd\n"
        "123,3,11,12,0,0x401639,100000,5,120,0,0,1,0,0,0,other_core_cache,other_node,O,"
        "1,0,0,0,0,0,0,1,1,0,0,0,0,0,0,0,0,1,1,0,213,0x4a62e0,0x14a62e0\n"
        "18446744073709551615,0,-1,0,1,0xffffffff81000000,1048560,2,1,0,0,0,1,1,1,-,-,-,"
        "0,1,0,0,0,0,0,1,0,0,0,0,0,0,0,0,0,0,0,0,0,-,-\n"
        "0,0,0,0,0,0x0,144,0,0,0,0,0,0,0,0,-,-,-,"
        "1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,65535,0x0,0x0\n");
}

/* Later families: the columns that the header switches on, and a source only for loads that missed the L2 too. */
static void test_op_rows_of_family_15h_60h(void **state)
{
    enum { LOAD = 1, MISS = 1 << 7, L2_MISS = 1 << 20, WIDTH_8 = 4 << 22, REQUESTS_5 = 5 << 26 };

    raw.size = 0;
    text("IBS Op Sample File\n" MACHINE(
        "0x15",
        "0x60") "IBS Op Structure Version: 1\n"
                "IbsOpBrnResync: 0\nIbsOpMispReturn: 0\nBrnTrgt: 1\nOpCntExt: 1\nRipInvalidChk: 1\nOpBrnFuse: 1\n"
                "IbsOpData4: 1\nMicrocode: 1\nIBSOpData2_4_5: 1\nIbsDcLdBnkCon: 0\nIbsDcStBnkCon: 0\nIbsDcStToLdFwd: "
                "0\n"
                "IbsDcStToLdCan: 0\nIbsData3_20_31_48_63: 1\n" END_LINE);
    op((uint64_t[]){0x7f6ffff, 0x10, 0x1a0ull << 32, 3, LOAD | MISS | L2_MISS | WIDTH_8 | REQUESTS_5 | 7ull << 48, 1, 0,
                    0, 0x77, 1, 0},
       1, 2, 3, 0);
    op((uint64_t[]){0x6ffff, 0x10, 0x40ull << 32, 3, LOAD | MISS | 6 << 22, 0, 0, 0, 0x77, 1, 0}, 1, 2, 3, 0);
    const char *got = export(files_write("op", raw.bytes, raw.size), IBS_KIND_OP);
    assert_string_equal(
        strchr(got, '\n') + 1,
        "1,3,1,2,0,0x10,134217712,0,0,0,0,0,1,0,1,1,DRAM,same_node,-,1,0,0,0,0,0,0,1,0,0,0,0,0,0,0,0,1,0,8,5,0,7,-,-,"
        "0x77,1\n"
        "1,3,1,2,0,0x10,1048560,0,0,0,0,0,0,1,0,0,-,-,-,1,0,0,0,0,0,0,1,0,0,0,0,0,0,0,0,0,0,Reserved-6,0,0,0,-,-,-,"
        "0\n");
    assert_non_null(strstr(got, "IbsOpMaxCnt[26:0],"));
    assert_non_null(strstr(got, ",IbsRipInvalid,IbsOpBrnFuse,IbsOpMicrocode,"));
    assert_non_null(strstr(got, ",DcMissNoMabAlloc,"));
    assert_non_null(
        strstr(got, ",IbsL2Miss,IbsSwPf,IbsOpMemWidth,IbsOpDcMissOpenMemReqs,IbsDcMissLat,IbstlbRefillLat,"));
    assert_non_null(strstr(got, ",IbsBrnTarget,IbsOpLdResync\n"));
}

/* Without IbsOpData2[5:4] there is one column of the northbridge, and one value. */
static void test_no_node_and_state(void **state)
{
    raw.size = 0;
    text("IBS Op Sample File\n" MACHINE("0x16", "0x0") "IBS Op Structure Version: 1\nIBSOpData2_4_5: 0\n"
                                                       "IbsData3_20_31_48_63: 1\n" END_LINE);
    op((uint64_t[]){0x6ffff, 0x10, 0, 0x33, 2, 0, 0, 0, 0, 1, 0}, 1, 2, 3, 0);
    const char *got = export(files_write("op", raw.bytes, raw.size), IBS_KIND_OP);
    assert_non_null(strstr(got, ",NbIbsReqSrc,IbsLdOp,"));
    assert_non_null(strstr(got, "\n1,3,1,2,0,0x10,1048560,0,0,0,0,0,0,-,0,1,"));
}

static void test_fetch_rows(void **state)
{
    static const uint64_t ctl[] = {0x12ull << 32 | 0x1000 | 1ull << 50 | 1ull << 52 | 1ull << 53 | 1ull << 55,
                                   0xffffull << 32 | 0xffff | 1ull << 51 | 3ull << 53 | 1ull << 56,
                                   1ull << 52 | 3ull << 53 | 1ull << 58};

    raw.size = 0;
    text("IBS Fetch Sample File\n" MACHINE("0x10",
                                           "0x4") "IBS Fetch Structure Version: 1\nIbsFetchCtlExtd: 0\n" END_LINE);
    for (unsigned i = 0; i < 3; i++) {
        put64(ctl[i]);
        put64(0x1234); /* IbsFetchCtlExtd: not there */
        put64(0x401000 + i);
        put64(0xffff00000000a000);
        put64(7 + i);
        put64(0);
        put32(1);
        put32(2);
        put32(3);
        put32(i == 2);
    }
    assert_string_equal(export(files_write("fetch", raw.bytes, raw.size), IBS_KIND_FETCH),
                        "TSC,CPU_Number,TID,PID,Kern_mode,IbsPhyAddrValid,IbsFetchLinAd,IbsFetchPhysAd,IbsFetchMaxCnt["
                        "19:0],IbsFetchLat,"
                        "IbsFetchComp,IbsIcMiss,IbsL1TlbPgSz,IbsL1TlbMiss,IbsL2TlbMiss\n"
                        "7,3,1,2,0,1,0x401000,0xa000,65536,18,1,0,2 MB,1,0\n"
                        "8,3,1,2,0,0,0x401001,-,1048560,65535,0,1,-,0,1\n"
                        "9,3,1,2,1,1,0x401002,0xa000,0,0,0,0,Reserved-3,0,0\n");
}

static void test_what_the_header_says(void **state)
{
    char error[512];

    begin_10h();
    op((uint64_t[]){0x0006186a, 0x401639, 0, 0, 0x60081 | 1, 0, 0x4a62e0, 0x14a62e0, 0, 123, 0}, 11, 12, 3, 0);
    struct input *input = input_open(files_write("op", raw.bytes, raw.size), error, sizeof(error));
    struct input_item item;
    assert_non_null(input);
    const struct input_facts *facts = input_facts(input);
    assert_int_equal(facts->format, INPUT_TOOLKIT_OP);
    assert_int_equal(facts->family, 0x10);
    assert_int_equal(facts->model, 4);
    assert_int_equal(facts->stepping, 2);
    assert_int_equal(facts->ibs_caps, 0x1f);
    assert_string_equal(facts->vendor, "AuthenticAMD");
    assert_string_equal(facts->cpu_name, "AMD Phenom(tm) II X4");
    assert_string_equal(facts->hostname, "box");
    assert_string_equal(facts->release, "Linux 4.4");
    assert_string_equal(facts->command, "./ibs_monitor -o a ./prog");
    assert_true(facts->is_linux);
    assert_int_equal(facts->event_count, 1);
    assert_int_equal(facts->events[0].period, 100000);
    for (unsigned times = 0; times < 2; times++) {
        assert_true(input_next(input, &item));
        assert_int_equal(item.kind, INPUT_SAMPLE);
        assert_int_equal(item.sample.period, 100000);
        assert_int_equal(item.sample.addr, 0x4a62e0);
        assert_int_equal(item.sample.phys_addr, 0x14a62e0);
        assert_int_equal(item.sample.record.reg[IBS_OP_RIP], 0x401639);
        assert_int_equal(item.sample.register_count, IBS_OP_REGS);
        assert_true(input_next(input, &item));
        assert_int_equal(item.kind, INPUT_END);
        assert_int_equal(input_position(input), facts->file_size);
        input_rewind(input);
    }
    input_close(input);
}

static void test_a_tail_that_is_cut_off(void **state)
{
    begin_10h();
    size_t begin = raw.size;
    for (unsigned i = 0; i < 2; i++)
        op((uint64_t[]){0x0006186a, 0x401639, 0, 0, 0, 0, 0, 0, 0, i, 0}, 11, 12, 3, 0);
    for (size_t cut = 1; cut < 104; cut++) {
        char wanted[128];
        const char *got = export(files_write("cut", raw.bytes, raw.size - cut), IBS_KIND_OP);

        assert_non_null(strstr(got, "\n0,3,11,12,0,")); /* what came before */
        snprintf(wanted, sizeof(wanted), "cut: offset %zu: the last sample is cut off: %zu of 104 bytes are there",
                 begin + 104, 104 - cut);
        assert_non_null(strstr(got, wanted));
    }
}

static void refused(const char *words)
{
    char error[512];

    assert_null(input_open(files_write("refused", raw.bytes, raw.size), error, sizeof(error)));
    if (strstr(error, words) == NULL)
        fail_msg("'%s' is not in: %s", words, error);
}

static void test_refused(void **state)
{
    raw.size = 0;
    text("IBS Op Sample File\n" MACHINE("0x10", "0x4") "IBS Op Structure Version: 2\n" END_LINE);
    refused("'IBS Op Structure Version: 2': only version 1 is known");
    raw.size = 0;
    text("IBS Fetch Sample File\n" MACHINE("0x10", "0x4") END_LINE);
    refused("'IBS Fetch Structure Version: 0'");
    raw.size = 0;
    text("IBS Op Sample File\n" MACHINE("0x10", "0x4") "IBS Op Structure Version: 1\n\n=====\n");
    refused("without its last line");
    raw.size = 0;
    text("IBS Op Sample");
    refused("neither perf.data nor");
}

static int tidy(void **state)
{
    files_remove_all();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_op_rows_of_family_10h),
        cmocka_unit_test(test_op_rows_of_family_15h_60h),
        cmocka_unit_test(test_no_node_and_state),
        cmocka_unit_test(test_fetch_rows),
        cmocka_unit_test(test_what_the_header_says),
        cmocka_unit_test(test_a_tail_that_is_cut_off),
        cmocka_unit_test(test_refused),
    };

    return cmocka_run_group_tests(tests, NULL, tidy);
}
