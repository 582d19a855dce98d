#include "tools/ibsprof/counters/counts_csv.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools/ibsprof/read/run_folder.h"

static const char header[] =
    "select,mask,count_mask,event,state,repeats,mean,min,max,cv_ppm,overhead,residue,reliability_ppm\n";

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
        !number(&line, 10, UINT64_MAX, &result->residue) || !number(&line, 10, 1000000, &reliability))
        return false;
    result->residue_known = true;
    result->repeats = (unsigned)repeats;
    result->cv_ppm = (uint32_t)cv;
    result->reliability_ppm = (uint32_t)reliability;
    return line == NULL;
}

bool counts_csv_read(struct counts_csv *counts, FILE *from)
{
    char line[512];

    counts->count = 0;
    do { /* "# MODEL: ..." */
        if (!fgets(line, sizeof(line), from))
            return false;
    } while (line[0] == '#');
    if (strcmp(line, header) != 0)
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

bool counts_csv_open(struct counts_csv *counts, const char *path)
{
    FILE *file = run_folder_open(path, "counts.csv");
    bool good;

    counts->count = 0;
    if (file == NULL)
        return false;
    good = counts_csv_read(counts, file);
    fclose(file);
    return good;
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
