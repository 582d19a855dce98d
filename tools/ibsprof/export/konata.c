/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/export/konata.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools/ibsprof/base/csv_file.h"
#include "tools/ibsprof/base/must.h"
#include "tools/ibsprof/base/terminal.h"
#include "tools/ibsprof/read/run_folder.h"

/* The columns of trace.csv (app/kinds/trace_report.c). */
enum column {
    OP,
    RVA,
    FUNCTION,
    SOURCE_FILE,
    LINE,
    INSTRUCTION,
    MACRO_OP,
    OPS,
    PASSES,
    SAMPLES,
    DIFFERS,
    TAG_TO_RETIRE,
    LEAST,
    MOST,
    COMPLETION_TO_RETIRE,
    BRANCH,
    ACCESS,
    ADDRESS,
    DC,
    DTLB,
    MISS_LATENCY,
    SOURCE,
    TAG,
    RETIRE,
    COLUMNS
};

static const char *const columns[COLUMNS] = {
    "op",           "rva",           "function", "file",   "line",
    "instruction",  "macro_op",      "ops",      "passes", "samples",
    "differs",      "tag_to_retire", "least",    "most",   "completion_to_retire",
    "branch",       "access",        "address",  "dc",     "dtlb",
    "miss_latency", "source",        "tag",      "retire"};

static uint64_t number(const struct csv_file *csv, enum column column)
{
    return strtoull(csv->field[column], NULL, 10);
}

/* Lists the non-empty fields of a sample, by their columns' names. */
static char *details_of(const struct csv_file *csv)
{
    char *text = NULL;
    size_t size = 0;
    FILE *to = must_have(open_memstream(&text, &size));

    fprintf(to, "%s %s:%s", csv->field[FUNCTION], csv->field[SOURCE_FILE], csv->field[LINE]);
    for (enum column column = PASSES; column < TAG; column++)
        if (csv->field[column][0])
            fprintf(to, ", %s %s", columns[column], csv->field[column]);
    fclose(to);
    return text;
}

static struct konata_op op_of(const struct csv_file *csv)
{
    struct konata_op op = {.number = number(csv, OP),
                           .tag = number(csv, TAG),
                           .retire = number(csv, RETIRE),
                           .lost = number(csv, SAMPLES) == 0,
                           .details = details_of(csv)};
    uint64_t waited = number(csv, COMPLETION_TO_RETIRE);
    bool several = number(csv, OPS) > 1;

    if (op.lost)
        op.label = must_text("%" PRIu64 ": lost", op.number);
    else
        op.label = must_text("%" PRIu64 ": %s %s%s%s", op.number, csv->field[RVA], csv->field[INSTRUCTION],
                             several ? " op " : "", several ? csv->field[MACRO_OP] : "");
    if (op.lost)
        op.retire = op.tag;
    op.completion = waited < op.retire - op.tag ? op.retire - waited : op.tag;
    return op;
}

bool trace_file_read(struct trace_file *file, const char *run)
{
    FILE *from = run_folder_open(run, "trace.csv");
    struct csv_file csv;
    bool good;

    *file = (struct trace_file){0};
    if (!from) {
        complain("%s: has no trace.csv: traces are runs of config=trace", run);
        return false;
    }
    good = csv_begin(&csv, from) && csv_has_columns(&csv, columns, COLUMNS);
    if (!good)
        complain("%s: trace.csv does not have the columns of a trace of ops", run);
    while (good && csv_next(&csv)) {
        struct konata_op op = op_of(&csv);

        if (op.retire < op.tag || (file->count && op.tag < file->op[file->count - 1].tag))
            csv.problem = "an op comes before its predecessor";
        *must_add(file->op, file->count) = op;
        if (csv.problem)
            break;
    }
    if (good && csv.problem) {
        complain("%s: trace.csv, line %u: %s", run, csv.number, csv.problem);
        good = false;
    }
    snprintf(file->comment, sizeof(file->comment), "%s", csv.comment + strspn(csv.comment, "# "));
    csv_end(&csv);
    fclose(from);
    if (!good)
        trace_file_free(file);
    return good;
}

void trace_file_free(struct trace_file *file)
{
    for (unsigned i = 0; i < file->count; i++) {
        free(file->op[i].label);
        free(file->op[i].details);
    }
    free(file->op);
    *file = (struct trace_file){0};
}

/* ---------------------------------------------------------------- the log */

enum phase { PHASE_TAG, PHASE_COMPLETION, PHASE_RETIRE, PHASES };

struct event {
    uint64_t cycle;
    unsigned op;
    enum phase phase;
};

static int earlier(const void *a, const void *b)
{
    const struct event *x = a, *y = b;

    if (x->cycle != y->cycle)
        return x->cycle < y->cycle ? -1 : 1;
    if (x->op != y->op)
        return x->op < y->op ? -1 : 1;
    return (int)x->phase - (int)y->phase;
}

/* Writes text without tabs and line ends, which separate fields. */
static void put_text(FILE *to, unsigned id, unsigned kind, const char *text)
{
    fprintf(to, "L\t%u\t%u\t", id, kind);
    for (; *text; text++)
        fputc(*text == '\t' || *text == '\n' || *text == '\r' ? ' ' : *text, to);
    fputc('\n', to);
}

static void put_event(FILE *to, const struct trace_file *file, const struct event *event, unsigned *retired)
{
    const struct konata_op *op = &file->op[event->op];
    unsigned id = event->op;

    switch (event->phase) {
    case PHASE_TAG:
        fprintf(to, "I\t%u\t%" PRIu64 "\t0\n", id, op->number);
        put_text(to, id, 0, op->label);
        put_text(to, id, 1, op->details);
        if (id == 0 && file->comment[0])
            put_text(to, id, 1, file->comment);
        fprintf(to, "S\t%u\t0\tT\n", id);
        break;
    case PHASE_COMPLETION:
        if (!op->lost)
            fprintf(to, "E\t%u\t0\tT\nS\t%u\t0\tC\n", id, id);
        break;
    default:
        fprintf(to, "E\t%u\t0\t%s\nR\t%u\t%u\t%d\n", id, op->lost ? "T" : "C", id, *retired, op->lost);
        *retired += !op->lost;
    }
}

bool export_konata(FILE *to, const struct trace_file *file)
{
    unsigned count = file->count * PHASES, retired = 0;
    struct event *events = must_alloc(count + 1, sizeof(*events));
    uint64_t cycle = 0;

    for (unsigned i = 0; i < count; i++) {
        const struct konata_op *op = &file->op[i / PHASES];
        enum phase phase = i % PHASES;

        events[i] = (struct event){phase == PHASE_TAG          ? op->tag
                                   : phase == PHASE_COMPLETION ? op->completion
                                                               : op->retire,
                                   i / PHASES, phase};
    }
    qsort(events, count, sizeof(*events), earlier);
    fputs("Kanata\t0004\nC=\t0\n", to);
    for (unsigned i = 0; i < count; i++) {
        if (events[i].cycle > cycle)
            fprintf(to, "C\t%" PRIu64 "\n", events[i].cycle - cycle);
        cycle = events[i].cycle;
        put_event(to, file, &events[i], &retired);
    }
    free(events);
    return !ferror(to);
}
