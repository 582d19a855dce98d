#include "tools/ibsprof/compare/compare_many.h"

#include <stdlib.h>

#include "tools/ibsprof/base/terminal.h"
#include "tools/ibsprof/base/must.h"
#include "tools/ibsprof/base/out_file.h"

/* Of one side: how many are noise runs; -1, after a complaint, when one is damaged. */
static int read_side(const struct run_list *list, struct noise_files *files)
{
    char error[1024];

    files->file = must_alloc(list->count + 1ul, sizeof(*files->file));
    for (uint32_t i = 0; i < list->count; i++) {
        enum noise_file_state state = noise_file_read(&files->file[files->count], list->path[i], error, sizeof(error));

        if (state == NOISE_FILE_DAMAGED) {
            complain("%s", error);
            return -1;
        }
        files->count += state == NOISE_FILE_READ;
    }
    return (int)files->count;
}

static int write_comparison(const struct noise_comparison *c, int format, const char *output)
{
    FILE *to = output_open(output);

    if (to == NULL)
        return EXIT_OUTPUT;
    if (format == COMPARE_TEXT)
        noise_compare_text(to, c);
    else if (format == COMPARE_CSV)
        noise_compare_csv(to, c);
    else if (format == COMPARE_JSON)
        (void)noise_compare_json(to, c); /* output_close tells what could not be written */
    else
        (void)noise_compare_html(to, c);
    return output_close(to, output) ? EXIT_DONE : EXIT_OUTPUT;
}

int compare_noise(const struct run_list sides[NOISE_SIDES], const struct noise_compare_options *options, int format,
                  const char *output, enum stat_verdict *ret_verdict)
{
    struct noise_comparison c = {.options = *options};
    uint32_t noise = 0, all = 0;
    char error[1024];
    int status = -1;

    for (unsigned side = 0; side < NOISE_SIDES && status < 0; side++) {
        int found = read_side(&sides[side], &c.side[side].files);

        if (found < 0)
            status = EXIT_INPUT;
        noise += found > 0 ? (uint32_t)found : 0;
        all += sides[side].count;
    }
    if (status < 0 && noise > 0 && noise < all) {
        complain("compare: some of these are noise runs, others are not");
        status = EXIT_INPUT;
    } else if (status < 0 && noise > 0 && !noise_compare(&c, error, sizeof(error))) {
        complain("%s", error);
        status = EXIT_INPUT;
    } else if (status < 0 && noise > 0) {
        status = write_comparison(&c, format, output);
        *ret_verdict = c.verdict;
    }
    for (unsigned side = 0; side < NOISE_SIDES; side++) {
        for (uint32_t i = 0; i < c.side[side].files.count; i++)
            noise_file_free(&c.side[side].files.file[i]);
        free(c.side[side].files.file);
    }
    return status;
}
