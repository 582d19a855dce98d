/* SPDX-License-Identifier: BSD-2-Clause */
/* Features of a perf.data file: descriptions of machine and program, and data for decoding the samples. Source:
 * tools/perf/Documentation/perf.data-file-format.txt, tools/perf/util/header.c. */
#include "core/family/ibs_regs.h"
#include "core/perfdata/perfdata_format.h"
#include "core/perfdata/perfdata_put.h"

/* Puts a string of a feature: length including the zeros that fill it up to a multiple of 64 (NAME_ALIGN), then the
 * bytes. */
static void put_string(struct perfdata_sink *sink, const char *text)
{
    perfdata_put32(sink, (uint32_t)perfdata_padded(text, 64));
    perfdata_put_text(sink, text, 64);
}

/* Writes a decimal without leading zeros at *to, and moves *to after it. */
static void add_decimal(char **to, uint32_t value)
{
    char digits[10];
    int count = 0;
    do {
        digits[count++] = (char)('0' + value % 10);
        value /= 10;
    } while (value != 0);
    while (count > 0)
        *(*to)++ = digits[--count];
}

static void put_one_build_id(struct perfdata_sink *sink, const char *elf_name, const uint8_t *build_id)
{
    size_t size = 8 + 4 + 24 + perfdata_padded(elf_name, 64);
    perfdata_put32(sink, PERFDATA_RECORD_BUILD_ID);
    perfdata_put16(sink, PERFDATA_MISC_USER | PERFDATA_MISC_BUILD_ID_SIZE);
    perfdata_put16(sink, (uint16_t)size);
    perfdata_put32(sink, (uint32_t)-1); /* of all processes */
    perfdata_put(sink, build_id, PERFDATA_BUILD_ID_SIZE);
    perfdata_put32(sink, PERFDATA_BUILD_ID_SIZE); /* u8 size, 3 reserved */
    perfdata_put_text(sink, elf_name, 64);
}

static void put_build_id(struct perfdata_sink *sink, const struct perfdata_info *info, const struct perfdata_span *span)
{
    put_one_build_id(sink, info->elf_name, info->build_id);
    if (info->code_count > 0) /* all pieces are of one file */
        put_one_build_id(sink, info->code[0].elf_name, info->code[0].build_id);
}

static void put_hostname(struct perfdata_sink *sink, const struct perfdata_info *info, const struct perfdata_span *span)
{
    put_string(sink, "ibsboot");
}

/* Puts it because perf data convert crashes without one. */
static void put_os_release(struct perfdata_sink *sink, const struct perfdata_info *info,
                           const struct perfdata_span *span)
{
    put_string(sink, "no operating system");
}

static void put_version(struct perfdata_sink *sink, const struct perfdata_info *info, const struct perfdata_span *span)
{
    put_string(sink, info->version);
}

static void put_arch(struct perfdata_sink *sink, const struct perfdata_info *info, const struct perfdata_span *span)
{
    put_string(sink, "x86_64"); /* without it perf takes its own machine's, and decodes on AMD machines only */
}

static void put_cores(struct perfdata_sink *sink, const struct perfdata_info *info, const struct perfdata_span *span)
{
    perfdata_put32(sink, info->cores); /* available */
    perfdata_put32(sink, info->cores); /* online */
}

static void put_cpu_name(struct perfdata_sink *sink, const struct perfdata_info *info, const struct perfdata_span *span)
{
    put_string(sink, info->cpu_name);
}

/* Puts "AuthenticAMD,16,4,2": perf decodes IBS samples only when it begins like that. */
static void put_cpuid(struct perfdata_sink *sink, const struct perfdata_info *info, const struct perfdata_span *span)
{
    char text[64];
    char *to = text;
    for (const char *from = info->vendor; *from != '\0' && to < text + 12; from++)
        *to++ = *from;
    const uint32_t numbers[] = {info->family, info->model, info->stepping};
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
        *to++ = ',';
        add_decimal(&to, numbers[i]);
    }
    *to = '\0';
    put_string(sink, text);
}

static void put_command(struct perfdata_sink *sink, const struct perfdata_info *info, const struct perfdata_span *span)
{
    perfdata_put32(sink, 1);
    put_string(sink, info->command);
}

static void put_events(struct perfdata_sink *sink, const struct perfdata_info *info, const struct perfdata_span *span)
{
    struct perfdata_source source;
    perfdata_put32(sink, perfdata_source_count(info));
    perfdata_put32(sink, PERFDATA_ATTR_SIZE);
    for (uint32_t i = 0; perfdata_source_at(info, i, &source); i++) {
        perfdata_put_attr(sink, &source);
        perfdata_put32(sink, 1); /* one id */
        put_string(sink, source.name);
        perfdata_put64(sink, source.id);
    }
}

/* Puts nodes: perf c2c opens no file without them. Free memory is not known. */
static void put_nodes(struct perfdata_sink *sink, const struct perfdata_info *info, const struct perfdata_span *span)
{
    perfdata_put32(sink, info->node_count);
    for (uint32_t i = 0; i < info->node_count; i++) {
        perfdata_put32(sink, info->nodes[i].number);
        perfdata_put64(sink, info->nodes[i].memory_kb);
        perfdata_put64(sink, 0);
        put_string(sink, info->nodes[i].cores);
    }
}

/* Puts PMUs: without them perf knows none by the numbers in the attributes, and decodes nothing. */
static void put_pmus(struct perfdata_sink *sink, const struct perfdata_info *info, const struct perfdata_span *span)
{
    perfdata_put32(sink, PERFDATA_PMUS);
    for (size_t i = 0; i < PERFDATA_PMUS; i++) {
        perfdata_put32(sink, perfdata_pmus[i].type);
        put_string(sink, perfdata_pmus[i].name);
    }
}

/* Capabilities by which perf script -D decodes registers (tools/perf/util/amd-sample-raw.c, evlist__has_amd_ibs): the
 * caps word of a sample means nothing to it. Names: Linux arch/x86/events/amd/ibs.c. */
static const struct {
    const char *name;
    uint32_t caps;
} pmu_caps[] = {
    {"zen4_ibs_extensions", IBS_CAP_L3MISSONLY},
    {"ldlat", IBS_CAP_LDLAT},
    {"rmtsocket", IBS_CAP_STRMST},
    {"strmst", IBS_CAP_STRMST},
    {"dtlb_pgsize", IBS_CAP_DTLB_PGSIZE},
};

enum { PMU_CAPS = sizeof(pmu_caps) / sizeof(pmu_caps[0]) };

static uint32_t pmu_caps_of(const struct perfdata_info *info)
{
    uint32_t count = 0;
    for (size_t i = 0; i < PMU_CAPS; i++)
        count += (info->caps & pmu_caps[i].caps) != 0;
    return count;
}

static void put_pmu_caps(struct perfdata_sink *sink, const struct perfdata_info *info, const struct perfdata_span *span)
{
    perfdata_put32(sink, 1); /* PMU */
    perfdata_put32(sink, pmu_caps_of(info));
    for (size_t i = 0; i < PMU_CAPS; i++) {
        if (info->caps & pmu_caps[i].caps) {
            put_string(sink, pmu_caps[i].name);
            put_string(sink, "1");
        }
    }
    put_string(sink, perfdata_pmus[0].name); /* ibs_op */
}

static void put_span(struct perfdata_sink *sink, const struct perfdata_info *info, const struct perfdata_span *span)
{
    perfdata_put64(sink, span->first);
    perfdata_put64(sink, span->last);
}

/* Puts no contents: perf report asks for the feature's bit. */
static void put_nothing(struct perfdata_sink *sink, const struct perfdata_info *info, const struct perfdata_span *span)
{
    (void)sink;
    (void)info;
    (void)span;
}

/* Ascending by bit: the table in the file has no bit numbers, only the order. */
static const struct {
    unsigned bit;
    void (*put)(struct perfdata_sink *sink, const struct perfdata_info *info, const struct perfdata_span *span);
} features[] = {
    {PERFDATA_FEATURE_BUILD_ID, put_build_id},
    {PERFDATA_FEATURE_HOSTNAME, put_hostname},
    {PERFDATA_FEATURE_OSRELEASE, put_os_release},
    {PERFDATA_FEATURE_VERSION, put_version},
    {PERFDATA_FEATURE_ARCH, put_arch},
    {PERFDATA_FEATURE_NRCPUS, put_cores},
    {PERFDATA_FEATURE_CPUDESC, put_cpu_name},
    {PERFDATA_FEATURE_CPUID, put_cpuid},
    {PERFDATA_FEATURE_CMDLINE, put_command},
    {PERFDATA_FEATURE_EVENT_DESC, put_events},
    {PERFDATA_FEATURE_NUMA_TOPOLOGY, put_nodes},
    {PERFDATA_FEATURE_BRANCH_STACK, put_nothing},
    {PERFDATA_FEATURE_PMU_MAPPINGS, put_pmus},
    {PERFDATA_FEATURE_SAMPLE_TIME, put_span},
    {PERFDATA_FEATURE_PMU_CAPS, put_pmu_caps},
};

enum { FEATURES = sizeof(features) / sizeof(features[0]) };

static bool is_left_out(const struct perfdata_info *info, unsigned bit)
{
    return (bit == PERFDATA_FEATURE_BUILD_ID && info->build_id == NULL) ||
           (bit == PERFDATA_FEATURE_BRANCH_STACK && info->branches == NULL) ||
           (bit == PERFDATA_FEATURE_NUMA_TOPOLOGY && info->node_count == 0) ||
           (bit == PERFDATA_FEATURE_PMU_CAPS && pmu_caps_of(info) == 0);
}

void perfdata_feature_bits(const struct perfdata_info *info, uint64_t bits[4])
{
    memset(bits, 0, 4 * sizeof(bits[0]));
    for (size_t i = 0; i < FEATURES; i++)
        if (!is_left_out(info, features[i].bit))
            bits[features[i].bit / 64] |= 1ull << features[i].bit % 64;
}

void perfdata_put_features(struct perfdata_sink *sink, const struct perfdata_info *info,
                           const struct perfdata_span *span)
{
    uint64_t at = sink->offset;
    for (size_t i = 0; i < FEATURES; i++)
        at += is_left_out(info, features[i].bit) ? 0 : 16;
    for (size_t i = 0; i < FEATURES; i++) {
        if (!is_left_out(info, features[i].bit)) {
            struct perfdata_sink count = {0};
            features[i].put(&count, info, span);
            perfdata_put64(sink, at);
            perfdata_put64(sink, count.offset);
            at += count.offset;
        }
    }
    for (size_t i = 0; i < FEATURES; i++)
        if (!is_left_out(info, features[i].bit))
            features[i].put(sink, info, span);
}
