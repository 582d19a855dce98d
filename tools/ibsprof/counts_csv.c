#include "tools/ibsprof/counts_csv.h"

#include <glob.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char header[] =
    "select,mask,count_mask,event,state,repeats,mean,min,max,cv_ppm,overhead,reliability_ppm\n";

static bool number(char **fields, int base, uint64_t max, uint64_t *ret)
{
    char *field = strsep(fields, ","), *end;

    if (field == NULL || *field < '0' || (base == 10 && *field > '9'))
        return false;
    *ret = strtoull(field, &end, base);
    return *end == '\0' && *ret <= max;
}

static bool read_row(struct counts_csv_row *row, char *line)
{
    struct counts_result *result = &row->result;
    uint64_t select, mask, count_mask, repeats, cv, reliability;
    char *event, *state;

    memset(row, 0, sizeof(*row));
    if (!number(&line, 16, 0xFFF, &select) || !number(&line, 16, 0xFF, &mask) || !number(&line, 10, 0xFF, &count_mask))
        return false;
    event = strsep(&line, ",");
    state = strsep(&line, ",");
    if (state == NULL || line == NULL)
        return false;
    row->select = (uint16_t)select;
    row->mask = (uint8_t)mask;
    row->count_mask = (uint8_t)count_mask;
    snprintf(row->event, sizeof(row->event), "%s", event);
    if (strcmp(state, "not modelled") == 0)
        result->state = COUNTS_NOT_MODELLED;
    else if (strcmp(state, "counted") == 0)
        result->state = COUNTS_COUNTED;
    else
        return strcmp(state, "not counted") == 0;
    if (result->state != COUNTS_COUNTED)
        return true;
    if (!number(&line, 10, UINT32_MAX, &repeats) || !number(&line, 10, UINT64_MAX, &result->mean) ||
        !number(&line, 10, UINT64_MAX, &result->min) || !number(&line, 10, UINT64_MAX, &result->max) ||
        !number(&line, 10, UINT32_MAX, &cv) || !number(&line, 10, UINT64_MAX, &result->overhead) ||
        !number(&line, 10, 1000000, &reliability))
        return false;
    result->repeats = (unsigned)repeats;
    result->cv_ppm = (uint32_t)cv;
    result->reliability_ppm = (uint32_t)reliability;
    return line == NULL;
}

bool counts_csv_read(struct counts_csv *counts, FILE *from)
{
    char line[512];

    counts->count = 0;
    if (!fgets(line, sizeof(line), from) || strcmp(line, header) != 0)
        return false;
    while (fgets(line, sizeof(line), from)) {
        size_t length = strcspn(line, "\n");

        if (line[length] != '\n' || counts->count == COUNTS_CSV_ROWS)
            return false;
        line[length] = '\0';
        if (!read_row(&counts->row[counts->count], line))
            return false;
        counts->count++;
    }
    return !ferror(from);
}

static bool open_one(struct counts_csv *counts, const char *pattern)
{
    glob_t found;
    bool good = false;

    if (glob(pattern, GLOB_NOSORT, NULL, &found) == 0) {
        FILE *file = found.gl_pathc == 1 ? fopen(found.gl_pathv[0], "r") : NULL;

        if (file) {
            good = counts_csv_read(counts, file);
            fclose(file);
        }
        globfree(&found);
    }
    return good;
}

bool counts_csv_open(struct counts_csv *counts, const char *path)
{
    static const char *const below[] = {"counts.csv", "*/counts.csv", "runs/*/counts.csv"};
    char escaped[8192], pattern[8300];
    size_t length = 0, folder = 0;

    counts->count = 0;
    for (; *path && length + 2 < sizeof(escaped); path++) {
        if (strchr("*?[\\", *path))
            escaped[length++] = '\\';
        escaped[length++] = *path;
        if (*path == '/')
            folder = length;
    }
    escaped[length] = '\0';
    for (unsigned i = 0; i < sizeof(below) / sizeof(below[0]); i++) {
        snprintf(pattern, sizeof(pattern), "%s/%s", escaped, below[i]);
        if (open_one(counts, pattern))
            return true;
    }
    if (length >= 9 && strcmp(escaped + length - 9, "perf.data") == 0) {
        snprintf(pattern, sizeof(pattern), "%.*scounts.csv", (int)folder, escaped);
        return open_one(counts, pattern);
    }
    return false;
}

unsigned counts_csv_explore(const struct counts_csv *counts, struct explore_input *input)
{
    unsigned found = 0;

    /* Masks may have been fitted to the revision; select and count mask tell the events apart. */
    for (unsigned e = 0; e < EXPLORE_EVENTS; e++) {
        for (unsigned i = 0; i < counts->count; i++) {
            if (counts->row[i].select != explore_events[e].select ||
                counts->row[i].count_mask != explore_events[e].count_mask)
                continue;
            explore_take(input, (enum explore_event_index)e, &counts->row[i].result);
            found++;
            break;
        }
    }
    return found;
}
