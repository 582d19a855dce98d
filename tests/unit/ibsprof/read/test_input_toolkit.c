/* SPDX-License-Identifier: BSD-2-Clause */
/* Raw files of AMD_IBS_Toolkit: rows computed by hand from the layout of its structures and from the names and text
 * forms of its decoder. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/ibsprof/files.h"
#include "tools/ibsprof/read/ibs_columns.h"
#include "tools/ibsprof/read/input_inside.h"

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

/* Writes ctl, rip, data, data2, data3, data4, linad, physad, target, tsc, cr3, tid, pid, cpu and kernel. */
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

/* Returns all rows by ibs_columns, with the header first, and the input's error after them. */
static const char *export(const char *path, enum sample_kind kind)
{
    char error[512];
    struct input *input = input_open(path, error, sizeof(error));
    struct perfdata_item item;
    char *to = rows;

    assert_non_null(input);
    struct ibs_layout layout = ibs_layout_of_input(input);
    struct ibs_columns columns = ibs_columns_of(kind, &layout, true);
    for (unsigned i = 0; i < columns.count; i++)
        to += sprintf(to, "%s%c", ibs_column_name(&columns, i), i + 1 < columns.count ? ',' : '\n');
    bool good;
    while ((good = input_next(input, &item)) && item.kind == PERFDATA_ITEM_SAMPLE)
        for (unsigned i = 0; i < columns.count; i++) {
            to = ibs_column_value(&columns, i, &item, to);
            *to++ = i + 1 < columns.count ? ',' : '\n';
        }
    strcpy(to, good ? "" : input_error(input));
    input_close(input);
    return rows;
}

static void test_op_rows_of_family_10h(void **state)
{
    begin_10h();
    /* The load missed, and the owned line came from another core's cache on another node. IbsOpReturn is set,
     * IbsOpBrnRet clear. */
    op((uint64_t[]){0x0006186a, 0x401639, 0x400780005, 0x32, 0xd500060181, 0, 0x4a62e0, 0xffff0000014a62e0, 0, 123, 0},
       11, 12, 3, 0);
    /* The branch was taken and mispredicted, and is no return; the store missed: no source; the addresses are not
     * valid. */
    op((uint64_t[]){0x0006ffff, 0xffffffff81000000, 0x3800010002, 0x3, 0x82, 0, 0x1, 0x2, 0x3, UINT64_MAX, 0},
       0xffffffff, 0, 0, 1);
    /* The load came from the L2: a miss without an answer of the northbridge. */
    op((uint64_t[]){0x00060009, 0, 0, 0x30, 0xfffff | 0xffffull << 32, 0, 0, 0, 0, 0, 0}, 0, 0, 0, 0);
    assert_string_equal(
        export(files_write("op", raw.bytes, raw.size), SAMPLE_OP),
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

/* Later families have the columns that the header switches on, and a source only for loads that also missed the L2. */
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
    const char *got = export(files_write("op", raw.bytes, raw.size), SAMPLE_OP);
    assert_string_equal(
        strchr(got, '\n') + 1,
        "1,3,1,2,0,0x10,134217712,0,0,0,0,0,1,0,1,1,DRAM,same_node,-,1,0,0,0,0,0,0,1,0,0,0,0,0,0,0,0,1,0,8,5,0,7,-,-,"
        "0x77,1\n"
        "1,3,1,2,0,-,1048560,0,0,-,-,-,0,1,0,0,-,-,-,1,0,0,0,0,0,0,1,0,0,0,0,0,0,0,0,0,0,32,0,0,0,-,-,-,0\n");
    assert_non_null(strstr(got, "IbsOpMaxCnt[26:0],"));
    assert_non_null(strstr(got, ",IbsRipInvalid,IbsOpBrnFuse,IbsOpMicrocode,"));
    assert_non_null(strstr(got, ",DcMissNoMabAlloc,"));
    assert_non_null(
        strstr(got, ",IbsL2Miss,IbsSwPf,IbsOpMemWidth,IbsOpDcMissOpenMemReqs,IbsDcMissLat,IbstlbRefillLat,"));
    assert_non_null(strstr(got, ",IbsBrnTarget,IbsOpLdResync\n"));
}

/* Without IbsOpData2[5:4] there is one column for the northbridge, and one value. */
static void test_no_node_and_state(void **state)
{
    raw.size = 0;
    text("IBS Op Sample File\n" MACHINE("0x16", "0x0") "IBS Op Structure Version: 1\nIBSOpData2_4_5: 0\n"
                                                       "IbsData3_20_31_48_63: 1\n" END_LINE);
    op((uint64_t[]){0x6ffff, 0x10, 0, 0x33, 2, 0, 0, 0, 0, 1, 0}, 1, 2, 3, 0);
    const char *got = export(files_write("op", raw.bytes, raw.size), SAMPLE_OP);
    assert_non_null(strstr(got, ",NbIbsReqSrc,IbsLdOp,"));
    assert_non_null(strstr(got, "\n1,3,1,2,0,0x10,1048560,0,0,-,-,-,0,-,0,1,"));
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
        put64(0x1234); /* IbsFetchCtlExtd does not exist */
        put64(0x401000 + i);
        put64(0xffff00000000a000);
        put64(7 + i);
        put64(0);
        put32(1);
        put32(2);
        put32(3);
        put32(i == 2);
    }
    assert_string_equal(export(files_write("fetch", raw.bytes, raw.size), SAMPLE_FETCH),
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
    struct perfdata_item item;
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
        assert_int_equal(item.kind, PERFDATA_ITEM_SAMPLE);
        assert_int_equal(item.period, 100000);
        assert_int_equal(item.addr, 0x4a62e0);
        assert_int_equal(item.phys_addr, 0x14a62e0);
        assert_int_equal(item.record.reg[IBS_OP_RIP], 0x401639);
        assert_int_equal(item.register_count, IBS_OP_REGS);
        assert_true(input_next(input, &item));
        assert_int_equal(item.kind, PERFDATA_ITEM_END);
        assert_int_equal(input->position(input), facts->file_size);
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
        const char *got = export(files_write("cut", raw.bytes, raw.size - cut), SAMPLE_OP);

        assert_non_null(strstr(got, "\n0,3,11,12,0,")); /* everything before the cut */
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

/* ---- samples as other parts of ibsprof see them */

static struct input *open_raw(const char *name)
{
    char error[512];
    struct input *input = input_open(files_write(name, raw.bytes, raw.size), error, sizeof(error));

    if (input == NULL)
        fail_msg("%s", error);
    return input;
}

static struct perfdata_item next_sample(struct input *input)
{
    struct perfdata_item item;

    assert_true(input_next(input, &item));
    assert_int_equal(item.kind, PERFDATA_ITEM_SAMPLE);
    assert_int_equal(item.event, 0);
    assert_int_equal(item.type, 0);
    return item;
}

static void check_registers(const struct perfdata_item *sample, const uint64_t *wanted, uint32_t count)
{
    assert_int_equal(sample->register_count, count);
    for (uint32_t i = 0; i < count; i++)
        assert_int_equal(sample->registers[i], wanted[i]);
}

/* Each line of the header adds something: one register, or seven more bits of MaxCnt (26:20 in the same places). */
static void test_registers_by_the_header(void **state)
{
    static const char *const lines[] = {"",
                                        "BrnTrgt: 1\n",
                                        "IbsOpData4: 1\n",
                                        "BrnTrgt: 1\nIbsOpData4: 1\n",
                                        "OpCntExt: 1\n",
                                        "RipInvalidChk: 1\n",
                                        "OpBrnFuse: 1\n",
                                        "IbsFetchCtlExtd: 1\n"};
    static const uint32_t caps[] = {0x1f, 0x3f, 0x41f, 0x43f, 0x5f, 0x9f, 0x11f, 0x21f};
    const uint64_t all[] = {0x00f5186a, 0x401639, 3, 4, 0x60081, 0x46, 0x4a62e0, 0x30000014a62e0, 0xbb, 123, 0};
    static const uint64_t extra[][2] = {{0, 0}, {0xbb, 0}, {0x46, 0}, {0xbb, 0x46}, {0, 0}, {0, 0}, {0, 0}, {0, 0}};
    static const uint32_t extras[] = {0, 1, 1, 2, 0, 0, 0, 0};

    for (unsigned i = 0; i < 8; i++) {
        struct input *input;
        struct perfdata_item sample;
        uint64_t registers[9] = {0x00f5186a, 0x401639,        3,           4,          0x60081,
                                 0x4a62e0,   0x30000014a62e0, extra[i][0], extra[i][1]};
        size_t begin;

        raw.size = 0;
        text("IBS Op Sample File\n" MACHINE("0x15", "0x60") "IBS Op Structure Version: 1\n");
        text(lines[i]);
        text(END_LINE);
        begin = raw.size;
        op(all, 11, 12, 3, 1);
        input = open_raw("registers");
        assert_int_equal(input_facts(input)->ibs_caps, caps[i]);
        sample = next_sample(input);
        check_registers(&sample, registers, 7 + extras[i]);
        assert_int_equal(sample.caps, caps[i]);
        assert_int_equal(sample.period, 100000 + (i == 4 ? 0xf00000 : 0));
        assert_int_equal(input_facts(input)->events[0].period, sample.period);
        assert_true(sample.exact);
        assert_int_equal(sample.event, 0);
        assert_int_equal(sample.mode, MODE_KERNEL);
        assert_int_equal(sample.tid, 11);
        assert_int_equal(sample.pid, 12);
        assert_int_equal(sample.cpu, 3);
        assert_int_equal(sample.time, 123);
        assert_int_equal(sample.record.tsc, 123);
        assert_int_equal(sample.record.cpu, 3);
        assert_int_equal(sample.record.kind, SAMPLE_OP);
        assert_int_equal(sample.ip, 0x401639);
        assert_int_equal(sample.addr, 0x4a62e0);
        assert_int_equal(sample.phys_addr, 0x30000014a62e0);
        assert_int_equal(sample.weight, 0);
        assert_int_equal(sample.at, begin);
        input_close(input);
    }
}

static void test_addresses_and_weights(void **state)
{
    enum { LOAD = 1, STORE = 2, MISS = 1 << 7, LINEAR = 1 << 17, PHYSICAL = 1 << 18 };
    static const struct {
        uint64_t data3, addr, phys_addr, weight;
    } cases[] = {
        {0, 0, 0, 0},
        {LINEAR, 0x1111, 0, 0},
        {PHYSICAL, 0, 0x2222, 0},
        {LOAD | 99ull << 32, 0, 0, 0},
        {STORE | MISS | 99ull << 32, 0, 0, 0},
        {LOAD | MISS | 99ull << 32, 0, 0, 99},
    };
    struct input *input;

    begin_10h();
    for (unsigned i = 0; i < 6; i++)
        op((uint64_t[]){i, 0, 0, 0, cases[i].data3, 0, 0x1111, 0xffff000000002222, 0, 0, 0}, 1, 1, 1, 0);
    input = open_raw("addresses");
    for (unsigned i = 0; i < 6; i++) {
        struct perfdata_item sample = next_sample(input);

        assert_int_equal(sample.addr, cases[i].addr);
        assert_int_equal(sample.phys_addr, cases[i].phys_addr);
        assert_int_equal(sample.weight, cases[i].weight);
        assert_int_equal(sample.mode, MODE_USER);
        assert_int_equal(sample.period, i == 0 ? 1 : 16 * i); /* a period of 0 counts as one */
    }
    input_close(input);
}

static void test_fetch_samples(void **state)
{
    for (unsigned extended = 0; extended < 2; extended++) {
        const uint64_t registers[] = {0x1234, 0x0000ffff81000010, 0xffff00000000a000, 0x77};
        struct input *input;
        struct perfdata_item sample;

        raw.size = 0;
        text("IBS Fetch Sample File\n");
        text(extended ? MACHINE("0x17", "0x1") : MACHINE("0x10", "0x4"));
        text("IBS Fetch Structure Version: 1\n");
        text(extended ? "IbsFetchCtlExtd: 1\n" : "IbsFetchCtlExtd: 0\n");
        text(END_LINE);
        for (unsigned i = 0; i < 2; i++) {
            put64(i ? 0 : 0x1234);
            put64(0x77);
            put64(0x0000ffff81000010);
            put64(0xffff00000000a000);
            put64(7);
            put64(0);
            put32(11);
            put32(12);
            put32(3);
            put32(i);
        }
        input = open_raw("fetch");
        assert_int_equal(input_facts(input)->format, INPUT_TOOLKIT_FETCH);
        assert_int_equal(input_facts(input)->ibs_caps, extended ? 0x21f : 0x1f);
        assert_string_equal(input_facts(input)->events[0].name, "ibs_fetch//");
        assert_int_equal(input_facts(input)->events[0].kind, SAMPLE_FETCH);
        assert_int_equal(input_facts(input)->events[0].period, 0x12340);
        sample = next_sample(input);
        check_registers(&sample, registers, extended ? 4 : 3);
        /* The address is made canonical if its upper bits may be wrong. */
        assert_int_equal(sample.ip, extended ? 0x0000ffff81000010 : 0xffffffff81000010);
        assert_int_equal(sample.period, 0x12340);
        assert_int_equal(sample.record.kind, SAMPLE_FETCH);
        assert_int_equal(sample.time, 7);
        assert_int_equal(sample.tid, 11);
        assert_int_equal(sample.pid, 12);
        assert_int_equal(sample.cpu, 3);
        assert_int_equal(sample.mode, MODE_USER);
        sample = next_sample(input);
        assert_int_equal(sample.period, 1);
        assert_int_equal(sample.mode, MODE_KERNEL);
        input_close(input);
    }
}

/* Keys are whole words at the beginning of a line, and the first one counts; values have no blanks around them, and are
 * cut at 4095 bytes. */
static void test_lines_of_the_header(void **state)
{
    char long_line[5000] = "Command line:  ";
    struct input *input;
    const struct input_facts *facts;

    memset(long_line + 15, 'x', 4900);
    raw.size = 0;
    text("IBS Op Sample File\nSystem name: first  \nSystem name: second\nThe OS: not this\nOS X: nor this\nOS:Linux\n"
         "AMD Processor Name:\nAMD Processor Family: 16\n");
    text(long_line);
    text("\n====\nIBS Op Structure Version: 1\n" END_LINE);
    text("AMD Processor Model: 9\n"); /* no longer a line of the header, but the beginning of a sample */
    input = open_raw("header");
    facts = input_facts(input);
    assert_string_equal(facts->hostname, "first");
    assert_string_equal(facts->release, "Linux");
    assert_string_equal(facts->cpu_name, "");
    assert_int_equal(facts->family, 16);
    assert_int_equal(facts->model, 0);
    assert_int_equal(strlen(facts->command), 4095);
    assert_int_equal(facts->command[0], 'x');
    assert_int_equal(facts->events[0].period, 0); /* no sample has it */
    input_close(input);
}

/* The layout follows the header's word about each field, whatever the family has. */
static void test_layout_by_the_header(void **state)
{
    static const struct {
        const char *key;
        size_t place;
    } cases[] = {
        {"IbsOpBrnResync", offsetof(struct ibs_layout, brn_resync)},
        {"IbsOpMispReturn", offsetof(struct ibs_layout, misp_return)},
        {"Microcode", offsetof(struct ibs_layout, microcode)},
        {"IBSOpData2_4_5", offsetof(struct ibs_layout, node)},
        {"IbsDcLdBnkCon", offsetof(struct ibs_layout, ld_bnk_con)},
        {"IbsDcStBnkCon", offsetof(struct ibs_layout, st_bnk_con)},
        {"IbsDcStToLdFwd", offsetof(struct ibs_layout, st_to_ld_fwd)},
        {"IbsDcStToLdCan", offsetof(struct ibs_layout, st_to_ld_can)},
        {"IbsData3_20_31_48_63", offsetof(struct ibs_layout, l2_miss_and_width)},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct input *input;
        struct ibs_layout layout;

        raw.size = 0;
        text("IBS Op Sample File\n" MACHINE("0x10", "0x4") "IBS Op Structure Version: 1\n");
        text(cases[i].key);
        text(": 1\n" END_LINE);
        input = open_raw("layout");
        layout = ibs_layout_of_input(input);
        for (size_t k = 0; k < sizeof(cases) / sizeof(cases[0]); k++)
            assert_int_equal(*((const bool *)&layout + cases[k].place), k == i);
        input_close(input);
    }
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
        cmocka_unit_test(test_registers_by_the_header),
        cmocka_unit_test(test_addresses_and_weights),
        cmocka_unit_test(test_fetch_samples),
        cmocka_unit_test(test_lines_of_the_header),
        cmocka_unit_test(test_layout_by_the_header),
    };

    return cmocka_run_group_tests(tests, NULL, files_end);
}
