/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/hardware/hardware_report.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/wrap.h"
#include "core/profile/csv.h"
#include "tools/ibsprof/base/must.h"
#include "tools/ibsprof/base/shown.h"

enum { JSON_VERSION = 1, LINE = 79, INDENT = 8 };

static bool known(const struct hardware_report *report, const char *id)
{
    for (uint32_t q = 0; q < report->questions; q++)
        if (strcmp(report->question[q]->id, id) == 0)
            return true;
    return false;
}

void hardware_report_begin(struct hardware_report *report)
{
    for (uint32_t f = 0; f < report->files; f++)
        for (uint32_t i = 0; i < report->file[f].rows; i++)
            if (!known(report, report->file[f].row[i].id))
                *must_add(report->question, report->questions) = &report->file[f].row[i];
}

void hardware_report_free(struct hardware_report *report)
{
    for (uint32_t f = 0; f < report->files; f++)
        hardware_file_free(&report->file[f]);
    free(report->file);
    free(report->question);
    *report = (struct hardware_report){0};
}

static uint32_t with(const struct hardware_file *file, enum hardware_verdict verdict)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < file->rows; i++)
        n += file->row[i].verdict == verdict;
    return n;
}

/* ---------------------------------------------------------------- text */

/* Returns the word for a column of the table. */
static const char *word(const struct hardware_file_row *row)
{
    static const char *const words[HARDWARE_VERDICTS] = {
        [HARDWARE_NOT_REACHED] = ".", [HARDWARE_RUNNING] = "ENDED", [HARDWARE_BY_HAND] = "hand",
        [HARDWARE_NO_ANSWER] = "-",   [HARDWARE_EXPECTED] = "same", [HARDWARE_OTHERWISE] = "OTHER",
    };

    return row ? words[row->verdict] : "";
}

static void put_paragraph(struct out *out, const char *label, const char *text)
{
    char *line = must_text("%s%s", label, text);

    out_printf(out, "    ");
    wrap_text(out, line, 4, INDENT, LINE);
    free(line);
}

static void put_machines(struct out *out, const struct hardware_report *report)
{
    bool model = false;

    for (uint32_t f = 0; f < report->files; f++) {
        const struct hardware_file *file = &report->file[f];

        out_printf(out, "%3u  %s\n", f + 1, shown(file->path));
        out_printf(out, "     ");
        wrap_text(out, *file->machine ? file->machine : "the file does not name the machine", 5, INDENT, LINE);
        if (*file->firmware || *file->program)
            out_printf(out, "     %s%s%s\n", file->program, *file->firmware && *file->program ? ", " : "",
                       file->firmware);
        out_printf(out, "     %u as expected, %u otherwise, %u not answerable there, %u by hand\n",
                   with(file, HARDWARE_EXPECTED), with(file, HARDWARE_OTHERWISE), with(file, HARDWARE_NO_ANSWER),
                   with(file, HARDWARE_BY_HAND));
        if (with(file, HARDWARE_RUNNING) + with(file, HARDWARE_NOT_REACHED))
            out_printf(out, "     the check did not end: %u not reached\n", with(file, HARDWARE_NOT_REACHED));
        model |= file->is_model;
    }
    if (model)
        out_printf(out, "MODEL: answers of a virtual machine describe its model, not silicon.\n");
}

static void put_table(struct out *out, const struct hardware_report *report)
{
    out_printf(out, "\n%-31s", "Questions");
    for (uint32_t f = 0; f < report->files; f++)
        out_printf(out, "%6u", f + 1);
    out_printf(out, "\n");
    for (uint32_t q = 0; q < report->questions; q++) {
        out_printf(out, "%4u %-26s", report->question[q]->number, report->question[q]->id);
        for (uint32_t f = 0; f < report->files; f++)
            out_printf(out, "%6s", word(hardware_file_find(&report->file[f], report->question[q]->id)));
        out_printf(out, "\n");
    }
    out_printf(out, "same, OTHER: as expected, otherwise; -: not answerable there; hand: by hand;\nENDED: the question "
                    "ended the program or the machine; .: not reached.\n");
}

static bool told(const struct hardware_file_row *row)
{
    return row && (row->verdict == HARDWARE_OTHERWISE || row->verdict == HARDWARE_RUNNING);
}

static bool any_told(const struct hardware_report *report, const char *id)
{
    for (uint32_t f = 0; f < report->files; f++)
        if (told(hardware_file_find(&report->file[f], id)))
            return true;
    return false;
}

/* Prints the text of an answer that differs, and its consequences. */
static void put_answers(struct out *out, const struct hardware_report *report)
{
    for (uint32_t q = 0; q < report->questions; q++) {
        const struct hardware_file_row *question = report->question[q];

        if (!any_told(report, question->id))
            continue;
        out_printf(out, "\n%u %s\n", question->number, question->id);
        put_paragraph(out, "", question->question);
        put_paragraph(out, "expected: ", question->expected);
        for (uint32_t f = 0; f < report->files; f++) {
            const struct hardware_file_row *row = hardware_file_find(&report->file[f], question->id);
            char label[24];

            if (!told(row))
                continue;
            snprintf(label, sizeof(label), "machine %u: ", f + 1);
            put_paragraph(out, label, row->verdict == HARDWARE_RUNNING ? "ended at this question" : row->found);
        }
        put_paragraph(out, "this changes: ", question->changes);
    }
}

static void write_text(struct out_file *to, const void *what)
{
    put_machines(&to->out, what);
    put_table(&to->out, what);
    put_answers(&to->out, what);
}

/* ---------------------------------------------------------------- CSV */

static void write_csv(struct out_file *to, const void *what)
{
    const struct hardware_report *report = what;
    struct out *out = &to->out;

    out_printf(out, "file,machine,figures,number,id,verdict,found,question,expected,check,changes\n");
    for (uint32_t f = 0; f < report->files; f++) {
        const struct hardware_file *file = &report->file[f];

        for (uint32_t i = 0; i < file->rows; i++) {
            const struct hardware_file_row *row = &file->row[i];
            const char *const first[] = {file->path, file->machine, file->figures};
            const char *const last[] = {row->found, row->question, row->expected, row->check, row->changes};

            for (unsigned n = 0; n < 3; n++) {
                csv_field(out, first[n]);
                out_printf(out, ",");
            }
            out_printf(out, "%u,%s,%s", row->number, row->id, hardware_verdict_name(row->verdict));
            for (unsigned n = 0; n < 5; n++) {
                out_printf(out, ",");
                csv_field(out, last[n]);
            }
            out_printf(out, "\n");
        }
    }
}

/* ---------------------------------------------------------------- JSON */

static void put_file(struct json *json, const struct hardware_file *file)
{
    json_object(json);
    json_key_text(json, "path", shown(file->path));
    json_key_text(json, "machine", file->machine);
    json_key_text(json, "firmware", file->firmware);
    json_key_text(json, "program", file->program);
    json_key_text(json, "figures", file->figures);
    json_key_bool(json, "is_model", file->is_model);
    json_key_array(json, "answers");
    for (uint32_t i = 0; i < file->rows; i++) {
        json_object(json);
        json_key_text(json, "id", file->row[i].id);
        json_key_text(json, "verdict", hardware_verdict_name(file->row[i].verdict));
        json_key_text(json, "found", file->row[i].found);
        json_end(json);
    }
    json_end(json);
    json_end(json);
}

static void write_json(struct json *json, const void *what)
{
    const struct hardware_report *report = what;

    json_head(json, "ibsprof hardware", JSON_VERSION);
    json_key_array(json, "questions");
    for (uint32_t q = 0; q < report->questions; q++) {
        const struct hardware_file_row *question = report->question[q];

        json_object(json);
        json_key_uint(json, "number", question->number);
        json_key_text(json, "id", question->id);
        json_key_text(json, "question", question->question);
        json_key_text(json, "expected", question->expected);
        json_key_text(json, "check", question->check);
        json_key_text(json, "changes", question->changes);
        json_end(json);
    }
    json_end(json);
    json_key_array(json, "machines");
    for (uint32_t f = 0; f < report->files; f++)
        put_file(json, &report->file[f]);
    json_end(json);
    json_end(json);
}

const struct document hardware_document = {.text = write_text,
                                           .csv = write_csv,
                                           .json = write_json,
                                           .title = "Hardware check: ibsprof report",
                                           .script = "hardware.js",
                                           .id = "hardware"};
