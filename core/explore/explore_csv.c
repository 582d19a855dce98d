/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/explore/explore.h"
#include "core/profile/csv.h"

static const char *const states[] = {
    [EXPLORE_KNOWN] = "known",
    [EXPLORE_NOT_COUNTED] = "not counted",
    [EXPLORE_NOT_MODELLED] = "not modelled",
    [EXPLORE_NOT_OBSERVABLE] = "not observable",
    [EXPLORE_NO_BASE] = "nothing to divide",
    [EXPLORE_DROPPED] = "dropped",
    [EXPLORE_NOT_SPLIT] = "not split",
    [EXPLORE_NO_L3] = "no L3",
};

const char *explore_state_name(const struct explore_node_row *row, const struct explore_node *node)
{
    return states[row->unobservable ? EXPLORE_NOT_OBSERVABLE : node->state];
}

/* Writes percent, or a plain number, with all digits that millionths have. */
static void figure(struct out *out, bool known, int64_t value, bool percent)
{
    uint64_t size = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;

    out_printf(out, ",%s", known && value < 0 ? "-" : "");
    if (known)
        out_ratio(out, size, 1000000, percent ? 100 : 1, percent ? 4 : 6, 0);
}

static void write_node(struct out *out, const char *core, const struct explore_node_row *row,
                       const struct explore_node *node)
{
    bool percent = row->unit != EXPLORE_UNIT_RATIO, known = node->state == EXPLORE_KNOWN;
    bool raw = node->raw_state == EXPLORE_KNOWN && row->raw != EXPLORE_EVENTS;

    out_printf(out, "%s,", core);
    csv_field(out, row->name);
    out_printf(out, ",%u,", row->level);
    csv_field(out, row->unit_text);
    out_printf(out, ",%s", explore_state_name(row, node));
    figure(out, known || node->state == EXPLORE_DROPPED, node->value, percent);
    figure(out, raw, node->raw, true);
    figure(out, known || raw, node->reliability_ppm, false);
    figure(out, known || raw, node->cv_ppm, true);
    out_printf(out, ",%s\n", node->flagged ? "*" : node->greyed ? "()" : "");
}

void explore_csv_head(struct out *out)
{
    out_printf(out, "core,row,level,unit,state,value,raw [%% cycles],MUX,spread [%%],mark\n");
}

void explore_csv_rows(struct out *out, const char *core, const struct explore_result *result)
{
    for (unsigned i = 0; i < result->method->rows; i++)
        write_node(out, core, &result->method->row[i], &result->node[i]);
}
