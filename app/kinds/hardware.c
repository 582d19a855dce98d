/* SPDX-License-Identifier: BSD-2-Clause */
#include "app/hardware/hardware.h"

#include "app/run/kind.h"
#include "app/base/sentence.h"
#include "core/base/wrap.h"
#include "drivers/machine/vpmu_query.h"

enum { FOUND_COLUMN = 27, EXPECTED_COLUMN = 14, CHANGES_COLUMN = 28, INDENT = 8 };

/* ---------------------------------------------------------------- what stands for the workload */

static const struct workload workload = {
    .name = "hardware",
    .title = "many workloads, as each question needs them",
    .shows = "whether the machine is as driver and model assume",
    .kernel = "hardware",
    .unit = "run",
    .unit_ops = 1,
    .arena_size = kind_one_page,
    .work = kind_one_piece,
};

/* ---------------------------------------------------------------- the questions */

static void (*const ask[HARDWARE_ROWS])(struct hardware *) = {
#define HARDWARE  HARDWARE_ASKED
#define ASKED(id) [HARDWARE_##id] = hardware_ask_##id,
#include "core/hardware/hardware_rows.h"
#undef ASKED
#undef HARDWARE
};

static void ask_all(struct hardware *hardware, enum hardware_by by)
{
    for (unsigned i = 0; i < HARDWARE_ROWS; i++) {
        const char *why = hardware_not_of_family(hardware, (enum hardware_question)i);

        if (hardware_rows[i].by != by)
            continue;
        passes_tell(&hardware->run->passes, ++hardware->asked);
        hardware->asking = (enum hardware_question)i;
        hardware->answer[i] = (struct hardware_answer){.verdict = HARDWARE_RUNNING};
        if (why)
            hardware_cannot(hardware, "not on this family: %s", why);
        else
            ask[i](hardware);
    }
}

static void set_aside(struct hardware *hardware, enum hardware_by by, enum hardware_verdict verdict, const char *why)
{
    for (unsigned i = 0; i < HARDWARE_ROWS; i++) {
        struct out_memory found;

        if (hardware_rows[i].by != by)
            continue;
        hardware->answer[i].verdict = (uint8_t)verdict;
        out_memory_init(&found, hardware->answer[i].found, HARDWARE_FOUND);
        out_printf(&found.out, "%s", why);
    }
}

/* Returns how many questions are asked. */
static unsigned passes(const struct run *run)
{
    const struct hardware *hardware = run->own;
    unsigned questions = 0;

    for (unsigned i = 0; i < HARDWARE_ROWS; i++)
        questions += hardware_rows[i].by == HARDWARE_BY_MACHINE || hardware_rows[i].by == HARDWARE_BY_OTHERS ||
                     hardware_rows[i].by == HARDWARE_BY_SUMMARY ||
                     (hardware_rows[i].by == HARDWARE_BY_DANGEROUS && hardware->dangerous);
    return questions;
}

static void measure(struct run *run)
{
    struct hardware *hardware = run->own;
    struct passes *passes = &run->passes;

    set_aside(hardware, HARDWARE_BY_PERSON, HARDWARE_BY_HAND, "");
    set_aside(hardware, HARDWARE_BY_CORES, HARDWARE_BY_HAND, "needs runs with cores=all");
    hardware->noted = HARDWARE_ROWS;
    passes->steps = "question";
    /* The volume of a network boot may lack the folder. */
    if (run->fw->make_folder(run->fw, "\\ibsboot") != FIRMWARE_OK)
        hardware->save = false;
    ask_all(hardware, HARDWARE_BY_MACHINE);
    ask_all(hardware, HARDWARE_BY_OTHERS);
    ask_all(hardware, HARDWARE_BY_SUMMARY);
    if (hardware->dangerous)
        ask_all(hardware, HARDWARE_BY_DANGEROUS);
    else
        set_aside(hardware, HARDWARE_BY_DANGEROUS, HARDWARE_NO_ANSWER, "only with dangerous=yes");
    hardware_note(hardware);
    passes->core[0].result.restore = hardware->result.restore;
    passes->run = passes->finished = 1; /* an unfinished measurement is a question's answer */
}

static bool good(const struct run *run)
{
    const struct hardware *hardware = run->own;

    for (unsigned i = 0; i < HARDWARE_ROWS; i++)
        if (hardware->answer[i].verdict <= HARDWARE_RUNNING)
            return false;
    return true;
}

/* ---------------------------------------------------------------- the page */

static unsigned with(const struct hardware *hardware, enum hardware_verdict verdict)
{
    unsigned n = 0;

    for (unsigned i = 0; i < HARDWARE_ROWS; i++)
        n += hardware->answer[i].verdict == verdict;
    return n;
}

static void list(struct out *out, const struct hardware *hardware, enum hardware_verdict verdict)
{
    for (unsigned i = 0; i < HARDWARE_ROWS; i++) {
        const struct hardware_row *row = &hardware_rows[i];

        if (hardware->answer[i].verdict != verdict)
            continue;
        out_printf(out, "%3u %-22s ", row->number, row->id);
        wrap_text(out, hardware->answer[i].found, FOUND_COLUMN, FOUND_COLUMN, SENTENCE_LINE);
        if (verdict != HARDWARE_OTHERWISE)
            continue;
        out_printf(out, "    expected: ");
        wrap_text(out, row->expected, EXPECTED_COLUMN, INDENT, SENTENCE_LINE);
        out_printf(out, "    another answer changes: ");
        wrap_text(out, row->changes, CHANGES_COLUMN, INDENT, SENTENCE_LINE);
    }
}

static void tables(struct out *out, const struct run *run)
{
    const struct hardware *hardware = run->own;
    static const struct {
        enum hardware_verdict verdict;
        const char *title;
    } parts[] = {
        {HARDWARE_OTHERWISE, "Otherwise: not what driver and model assume"},
        {HARDWARE_EXPECTED, "As expected"},
        {HARDWARE_NO_ANSWER, "Not answerable here"},
    };

    out_printf(out, "\n%u questions: %u as expected, %u otherwise, %u not answerable here, %u by hand\n", HARDWARE_ROWS,
               with(hardware, HARDWARE_EXPECTED), with(hardware, HARDWARE_OTHERWISE),
               with(hardware, HARDWARE_NO_ANSWER), with(hardware, HARDWARE_BY_HAND));
    if (hardware->model)
        sentence(out,
                 "The answers come from a model, and describe this model, not silicon: they show that the questions "
                 "can be asked.");
    for (unsigned i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
        if (!with(hardware, parts[i].verdict))
            continue;
        heading(out, parts[i].title);
        list(out, hardware, parts[i].verdict);
    }
    sentence(out, "hardware.csv has all rows, with the expected answers and their sources; ibsprof hardware reads it.");
}

static void settings(struct out *out, const struct run *run)
{
    const struct hardware *hardware = run->own;

    out_printf(out, "Sessions      %u, %u registers not as before%s\n", hardware->sessions, run->passes.restore_failed,
               hardware->dangerous ? "; with dangerous questions" : "");
}

/* ---------------------------------------------------------------- memory */

static bool prepare(struct run *run, const struct options *options, struct out *problems)
{
    struct hardware *hardware = run->own =
        pool_take(&run->pool, sizeof(struct hardware), POOL_PAGE, "the answers", problems);

    if (!hardware)
        return false;
    hardware->run = run;
    hardware->save = options->save;
    hardware->dangerous = options->dangerous;
    hardware->model = vpmu_is_model(run->machine);
    hardware->cores.core = pool_take(&run->pool, sizeof(struct hardware_core) * run->passes.cores, POOL_PAGE,
                                     "the answers of cores", problems);
    return hardware->cores.core && hardware_steps_prepare(hardware, problems) &&
           passes_possible(&run->passes, &(struct session_program){0}, problems);
}

KIND(kind_hardware, 60) = {
    .name = "hardware",
    .title = "Check what driver and model assume",
    .explanation = "Every question of docs/hardware-checks.md that a machine can answer by itself,\n"
                   "in some minutes: figures, and whether they are as expected. Writes\n"
                   "hardware.csv, for ibsprof hardware. dangerous=yes also asks questions that may\n"
                   "hang or reset the machine.\n",
    .workload = &workload,
    .all_cores = true,
    .prepare = prepare,
    .passes = passes,
    .measure = measure,
    .good = good,
    .settings = settings,
    .tables = tables,
    .csv_name = "hardware.csv",
    .csv = hardware_file,
};
