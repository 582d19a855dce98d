/* SPDX-License-Identifier: BSD-2-Clause */
/* IBS op samples by instruction of a snippet, over all copies of it; the contract is in snippet_runs.h. */
#include <stdlib.h>
#include <string.h>

#include "core/family/ibs_regs.h"
#include "core/ibs/record.h"
#include "tools/codemap/decode.h"
#include "tools/ibsprof/base/must.h"
#include "tools/ibsprof/read/input.h"
#include "tools/ibsprof/read/run_folder.h"
#include "tools/ibsprof/snippet/snippet_elf.h"
#include "tools/ibsprof/snippet/snippet_runs.h"
#include "tools/ibsprof/symbols/elf_file.h"

/* An instruction with the cycles of its samples. */
struct sampled {
    uint32_t offset; /* within the snippet */
    char text[96];
    uint16_t *tag, *completion; /* cycles to retirement */
    size_t samples, completions;
};

struct samples {
    const struct snippet_run *run;
    struct sampled *row; /* one for each instruction of the snippet */
    struct elf_file *elf;
    uint64_t begin, bytes; /* the copies in the ELF file; bytes of one copy */
    uint64_t copies;
    struct perfdata_map map;
    uint64_t all;
};

static bool open_elf(struct samples *samples)
{
    const struct snippet_run *run = samples->run;
    char *name = must_text("%s.elf", run->workload), *path = run_folder_file(run->path, name);
    const char *why = "it is missing";

    samples->elf = path ? elf_file_open(path, &why) : NULL;
    if (!samples->elf ||
        !elf_file_symbol(samples->elf, run->body == 2 ? SNIPPET_ONCE : SNIPPET_TWICE, &samples->begin)) {
        complain("%s: %s: %s: the run was saved with the file, whose code says which instructions were sampled",
                 run->path, name, samples->elf ? "it does not belong to a snippet" : why);
        elf_file_close(samples->elf);
        samples->elf = NULL;
    }
    free(path);
    free(name);
    return samples->elf;
}

/* Lists the instructions of the first copy. */
static bool list_instructions(struct samples *samples)
{
    const struct snippet_run *run = samples->run;

    samples->copies = (uint64_t)run->unroll * (run->body - 1);
    samples->row = must_alloc(run->instructions, sizeof(*samples->row));
    for (uint32_t i = 0; i < run->instructions; i++) {
        struct decoded decoded;
        uint64_t at = samples->begin + samples->bytes, size = 15; /* no instruction is longer */
        const uint8_t *code = NULL;

        while (size && !(code = elf_file_code(samples->elf, at, size)))
            size--;
        if (!code || !decode(code, size, at, &decoded)) {
            complain("%s: its ELF file has fewer than %u instructions", run->path, run->instructions);
            return false;
        }
        samples->row[i].offset = (uint32_t)samples->bytes;
        memcpy(samples->row[i].text, decoded.text, sizeof(decoded.text));
        samples->bytes += decoded.insn.length;
    }
    return true;
}

/* Returns the instruction at a sample's address; NULL: outside of the snippet. */
static struct sampled *row_at(struct samples *samples, uint64_t address)
{
    uint64_t at, offset = address - samples->map.start;

    if (offset >= samples->map.length || !elf_file_address(samples->elf, offset + samples->map.page_offset, &at) ||
        at < samples->begin || at - samples->begin >= samples->copies * samples->bytes)
        return NULL;
    offset = (at - samples->begin) % samples->bytes;
    for (uint32_t i = 0; i < samples->run->instructions; i++)
        if (samples->row[i].offset == offset)
            return &samples->row[i];
    return NULL;
}

static void take(struct samples *samples, const struct perfdata_item *item)
{
    const char *name = item->map.name;
    struct sampled *row;

    if (item->kind == PERFDATA_ITEM_MAP && name) {
        size_t length = strlen(samples->run->workload);

        name = strrchr(name, '/') ? strrchr(name, '/') + 1 : name;
        if (strncmp(name, samples->run->workload, length) == 0 && strcmp(name + length, ".elf") == 0)
            samples->map = item->map;
    }
    if (item->kind != PERFDATA_ITEM_SAMPLE || item->record.kind != SAMPLE_OP)
        return;
    samples->all++;
    row = row_at(samples, sample_address(&item->record));
    if (row) {
        *must_add(row->tag, row->samples) = (uint16_t)ibs_op_tag_to_ret(item->record.reg[IBS_OP_DATA]);
        *must_add(row->completion, row->completions) = (uint16_t)ibs_op_comp_to_ret(item->record.reg[IBS_OP_DATA]);
    }
}

static bool read_samples(struct samples *samples)
{
    char error[400];
    struct input *input = input_open(samples->run->path, error, sizeof(error));
    struct perfdata_item item = {0};
    bool good = input;

    while (good && (good = input_next(input, &item)) && item.kind != PERFDATA_ITEM_END)
        take(samples, &item);
    if (!good)
        complain("%s", input ? input_error(input) : error);
    input_close(input);
    return good;
}

static int by_cycles(const void *a, const void *b)
{
    return *(const uint16_t *)a - *(const uint16_t *)b;
}

/* Sorts the cycles, and prints their median, least and most. */
static void print_cycles(FILE *to, uint16_t *cycles, size_t count)
{
    qsort(cycles, count, sizeof(*cycles), by_cycles);
    fprintf(to, " %6u %5u %5u", cycles[count / 2], cycles[0], cycles[count - 1]);
}

static void print(FILE *to, struct samples *samples)
{
    size_t inside = 0;

    for (uint32_t i = 0; i < samples->run->instructions; i++)
        inside += samples->row[i].samples;
    fprintf(to, "\nIBS op samples: body=%u, %zu of %llu on the snippet; cycles, nothing subtracted\n",
            samples->run->body, inside, (unsigned long long)samples->all);
    fprintf(to, "%-28s %7s %18s %18s\n", "", "", "tag to retirement", "completion to ret.");
    fprintf(to, "%-28s %7s %6s %5s %5s %6s %5s %5s\n", "", "samples", "median", "least", "most", "median", "least",
            "most");
    for (uint32_t i = 0; i < samples->run->instructions; i++) {
        struct sampled *row = &samples->row[i];

        fprintf(to, "%-28.28s %7zu", row->text, row->samples);
        if (row->samples) {
            print_cycles(to, row->tag, row->samples);
            print_cycles(to, row->completion, row->completions);
        }
        fprintf(to, "\n");
    }
}

bool snippet_samples_print(FILE *to, const struct snippet_run *run)
{
    struct samples samples = {.run = run};
    bool good;

    if (run->body == 1) {
        fprintf(to, "\nIBS op samples of the empty loop (body=1) are on no instruction of the snippet.\n");
        return true;
    }
    if (!open_elf(&samples))
        return false;
    good = list_instructions(&samples) && read_samples(&samples);
    if (good)
        print(to, &samples);
    for (uint32_t i = 0; i < run->instructions; i++) {
        free(samples.row[i].tag);
        free(samples.row[i].completion);
    }
    free(samples.row);
    elf_file_close(samples.elf);
    return good;
}
