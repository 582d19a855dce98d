/* SPDX-License-Identifier: BSD-2-Clause */
#include "app/prompt/results.h"

#include "app/base/sentence.h"
#include "core/base/heat.h"
#include "core/base/mem.h"

static void drop_oldest(struct results *results)
{
    struct result *row = results->row;

    if (row->text)
        results->fw->release(results->fw, row->text, row->size);
    results->bytes -= row->text ? row->size : 0;
    results->count--;
    results->left++;
    memmove(row, row + 1, results->count * sizeof(*row));
}

static void write_name(char (*name)[RESULTS_NAME_MAX + 1], const struct run *run)
{
    const char *folder = run->begun.folder;
    struct out_memory text;

    for (const char *c = folder; *c; c++)
        folder = *c == '\\' ? c + 1 : folder;
    out_memory_init(&text, *name, sizeof(*name));
    if (*folder)
        out_printf(&text.out, "%s", folder);
    else
        out_printf(&text.out, "%s, %s", run->workload->name, run->task.name);
}

static bool any(const uint8_t *bytes, size_t count)
{
    while (count && !bytes[count - 1])
        count--;
    return count;
}

struct result *results_add(struct results *results, const struct run *run,
                           void (*report)(struct out *out, const struct run *run), struct out *problems)
{
    struct firmware *fw = results->fw;
    struct result result = {0};
    struct heat_text to;
    size_t lines;

    if (!results->wanted)
        return NULL;
    heat_text_init(&to, NULL, 0, NULL, 0);
    report(&to.memory.out, run);
    result.length = to.memory.needed;
    lines = to.line + 1; /* of which the last may not have ended */
    result.size = result.length + 1 + lines;
    while (results->count == RESULTS_MAX || (results->count && results->bytes + result.size > RESULTS_BYTES_MAX))
        drop_oldest(results);
    result.text = fw->allocate(fw, result.size, POOL_PAGE);
    if (result.text) {
        result.heat = (uint8_t *)result.text + result.length + 1;
        heat_text_init(&to, result.text, result.length + 1, result.heat, lines);
        report(&to.memory.out, run);
        if (!any(result.heat, lines))
            result.heat = NULL;
        results->bytes += result.size;
    } else {
        sentence(problems, "NOTE: there is no memory to keep this report for the screen.");
    }
    write_name(&result.name, run);
    results->row[results->count] = result;
    return &results->row[results->count++];
}

void results_release(struct results *results)
{
    while (results->count)
        drop_oldest(results);
}
