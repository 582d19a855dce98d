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

/* Sizes of the parts of a result's memory: its report with the heat of the lines, figures, settings. */
struct sizes {
    size_t text, lines, settings;
};

static size_t begin_of_figures(const struct sizes *sizes)
{
    size_t align = _Alignof(struct figures);

    return (sizes->text + sizes->lines + align - 1) / align * align;
}

static void fill(struct result *result, const struct sizes *sizes, const struct run *run,
                 void (*report)(struct out *out, const struct run *run))
{
    size_t begin = begin_of_figures(sizes);
    char *settings = result->text + begin + sizeof(struct figures);
    struct out_memory memory;
    struct heat_text to;

    result->heat = (uint8_t *)result->text + sizes->text;
    heat_text_init(&to, result->text, sizes->text, result->heat, sizes->lines);
    report(&to.memory.out, run);
    if (!any(result->heat, sizes->lines))
        result->heat = NULL;
    result->figures = (struct figures *)(void *)(result->text + begin);
    out_memory_init(&memory, settings, sizes->settings);
    run_figures(run, result->figures, &memory.out);
    result->figures->settings = settings;
}

/* Returns the sizes, including the zeros at the ends of texts. */
static struct sizes measure(const struct run *run, void (*report)(struct out *out, const struct run *run))
{
    struct out_memory memory;
    struct figures figures;
    struct heat_text to;

    heat_text_init(&to, NULL, 0, NULL, 0);
    report(&to.memory.out, run);
    out_memory_init(&memory, NULL, 0);
    run_figures(run, &figures, &memory.out);
    /* The last line may be incomplete. */
    return (struct sizes){to.memory.needed + 1, to.line + 1, memory.needed + 1};
}

struct result *results_add(struct results *results, const struct run *run,
                           void (*report)(struct out *out, const struct run *run), struct out *problems)
{
    struct firmware *fw = results->fw;
    struct result result = {0};
    struct sizes sizes;

    if (!results->wanted)
        return NULL;
    sizes = measure(run, report);
    result.length = sizes.text - 1;
    result.size = begin_of_figures(&sizes) + sizeof(*result.figures) + sizes.settings;
    while (results->count == RESULTS_MAX || (results->count && results->bytes + result.size > RESULTS_BYTES_MAX))
        drop_oldest(results);
    result.text = fw->allocate(fw, result.size, POOL_PAGE);
    if (result.text) {
        fill(&result, &sizes, run, report);
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
