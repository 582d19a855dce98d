#include "tools/ibsprof/report/report_many.h"

#include <stdlib.h>

#include "tools/ibsprof/base/terminal.h"
#include "tools/ibsprof/base/must.h"
#include "tools/ibsprof/noise/noise_report.h"
#include "tools/ibsprof/base/out_file.h"
#include "tools/ibsprof/report/report_sweep.h"

/* How many are noise runs; -1, after a complaint, when one is damaged. */
static int read_noise(const struct run_list *list, struct noise_files *files)
{
    char error[1024];

    files->file = must_alloc(list->count, sizeof(*files->file));
    for (uint32_t i = 0; i < list->count; i++) {
        switch (noise_file_read(&files->file[files->count], list->path[i], error, sizeof(error))) {
        case NOISE_FILE_READ:
            files->count++;
            break;
        case NOISE_FILE_DAMAGED:
            complain("%s", error);
            return -1;
        case NOISE_FILE_OTHER:
            break;
        }
    }
    return (int)files->count;
}

static void free_noise(struct noise_files *files)
{
    for (uint32_t i = 0; i < files->count; i++)
        noise_file_free(&files->file[i]);
    free(files->file);
}

static int report_noise(const struct noise_files *files, enum report_form form, const char *output)
{
    struct out_file out;
    FILE *to;

    if (form == FORM_FOLDED) {
        complain("noise runs have no stacks: --format is text, csv, json or html");
        return EXIT_USAGE;
    }
    to = output_open(output);
    if (to == NULL)
        return EXIT_OUTPUT;
    out_file_init(&out, to, false);
    if (form == FORM_TEXT)
        noise_report_text(&out.out, files);
    else if (form == FORM_CSV)
        noise_report_csv(&out.out, files);
    else if (form == FORM_JSON)
        (void)noise_report_json(to, files); /* output_close tells what could not be written */
    else
        (void)noise_report_html(to, files);
    return output_close(to, output) ? EXIT_DONE : EXIT_OUTPUT;
}

static int report_sweep(const struct run_list *list, enum report_form form, const char *against, const char *output)
{
    char error[1024] = "";
    struct out_file out;
    struct sweep *sweep;
    FILE *to;

    if (form == FORM_FOLDED) {
        complain("folded stacks are of one run");
        return EXIT_USAGE;
    }
    sweep = sweep_read(list, against, error, sizeof(error));
    if (sweep == NULL) {
        complain("%s", error);
        return EXIT_INPUT;
    }
    to = output_open(output);
    if (to != NULL) {
        out_file_init(&out, to, false);
        if (form == FORM_TEXT)
            sweep_text(&out.out, sweep);
        else if (form == FORM_CSV)
            sweep_csv(&out.out, sweep);
        else if (form == FORM_JSON)
            (void)sweep_json(to, sweep);
        else
            (void)sweep_html(to, sweep);
    }
    sweep_free(sweep);
    return to != NULL && output_close(to, output) ? EXIT_DONE : EXIT_OUTPUT;
}

int report_many(const struct run_list *list, enum report_form form, const char *against, const char *output)
{
    struct noise_files files = {0};
    int noise = read_noise(list, &files), status = -1;

    if (noise < 0) {
        status = EXIT_INPUT;
    } else if (noise > 0 && (uint32_t)noise == list->count) {
        status = report_noise(&files, form, output);
    } else if (noise > 0) {
        complain("some of these are noise runs, others are not: report them apart");
        status = EXIT_USAGE;
    } else if (list->count > 1) {
        status = report_sweep(list, form, against, output);
    }
    free_noise(&files);
    return status;
}
