/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/base/mem.h"
#include "core/base/wrap.h"
#include "core/explore/explore.h"

_Static_assert(EXPLORE_NODES <= 64, "a bit for each row");

enum {
    LINE = 79,
    NAME = 34,
    VALUE = 9,
    UNIT = 10,
    RAW = 7,
    SPREAD = 8,
    INDENT = 8, /* of running text below a node's name */
};

static const char *const state_names[] = {
    [EXPLORE_NOT_COUNTED] = "not counted",       [EXPLORE_NOT_MODELLED] = "not modelled",
    [EXPLORE_NOT_OBSERVABLE] = "not observable", [EXPLORE_NO_BASE] = "nothing to divide",
    [EXPLORE_NOT_SPLIT] = "not split",           [EXPLORE_NO_L3] = "no L3",
};

/* Prints percent with one digit, or a plain number with two. */
static void put_value(struct out *out, int64_t value, bool percent)
{
    uint64_t size = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;

    /* A value that rounds to zero has no sign. */
    out_printf(out, "%s", value < 0 && (percent ? size >= 500 : size >= 5000) ? "-" : "");
    out_ratio(out, size, 1000000, percent ? 100 : 1, percent ? 1 : 2, 0);
}

static bool is_percent(const struct explore_node_row *row)
{
    return row->unit != EXPLORE_UNIT_RATIO;
}

static void print_figures(struct out *out, const struct explore_node_row *row, const struct explore_node *node)
{
    char text[32];
    struct out_memory memory;

    if (node->state != EXPLORE_KNOWN && node->state != EXPLORE_DROPPED) {
        out_printf(out, "  %-*s", node->raw_state == EXPLORE_KNOWN ? VALUE + UNIT - 1 : 0, state_names[node->state]);
        return;
    }
    out_memory_init(&memory, text, sizeof(text));
    out_printf(&memory.out, "%s", node->greyed ? "(" : "");
    put_value(&memory.out, node->value, is_percent(row));
    out_printf(&memory.out, "%s", node->greyed ? ")" : "");
    if (memory.needed > VALUE) {
        out_memory_init(&memory, text, sizeof(text));
        out_printf(&memory.out, "too large");
    }
    if (node->state == EXPLORE_DROPPED)
        out_printf(out, "%*s dropped", VALUE, text);
    else
        out_printf(out, "%*s %-*s", VALUE, text, UNIT, row->unit_text);
}

static void print_raw(struct out *out, const struct explore_node *node)
{
    char text[32] = "";
    struct out_memory memory;

    out_memory_init(&memory, text, sizeof(text));
    if (node->raw_state == EXPLORE_KNOWN)
        put_value(&memory.out, node->raw, true);
    out_printf(out, "%*s", RAW, text);
}

static void print_node(struct out *out, const struct explore_node_row *row, const struct explore_node *node)
{
    int indent = 2 * (row->level - 1);

    out_printf(out, "%c %*s%-*s", node->flagged ? '*' : ' ', indent, "", NAME - indent, row->name);
    print_figures(out, row, node);
    if (node->state != EXPLORE_KNOWN && node->raw_state != EXPLORE_KNOWN) {
        out_printf(out, "\n");
        return;
    }
    print_raw(out, node);
    out_printf(out, " ");
    out_ratio(out, node->reliability_ppm, 1000000, 1, 2, 5);
    out_printf(out, "%-4s", node->unreliable ? " LOW" : "");
    out_ratio(out, node->cv_ppm, 1000000, 100, 1, SPREAD - 3);
    out_printf(out, "\n");
}

static void print_tree(struct out *out, const struct explore_result *result)
{
    const struct explore_method *method = result->method;
    unsigned section = 0;

    for (unsigned i = 0; i < method->rows; i++) {
        if (section < method->sections && method->section[section].first == i) {
            out_printf(out, "%s\n", method->section[section].title);
            section++;
        }
        print_node(out, &method->row[i], &result->node[i]);
    }
}

static void print_part(struct out *out, const char *label, const char *text)
{
    out_printf(out, "  %-*s", INDENT - 2, label);
    wrap_text(out, text, INDENT, INDENT, LINE);
}

bool explore_but(struct out *out, const struct explore_result *result, unsigned row)
{
    int64_t slots;
    int other = result->method->either ? result->method->either(result, row, &slots) : -1;

    if (other < 0)
        return false;
    out_printf(out, "not told apart from '%s': up to ", result->method->row[other].name);
    put_value(out, slots, true);
    out_printf(out, " %% of the slots may be of either.");
    return true;
}

static void print_note(struct out *out, const struct explore_result *result, unsigned index)
{
    const struct explore_node_row *row = &result->method->row[index];
    const struct explore_node *node = &result->node[index];
    bool by_raw = node->state != EXPLORE_KNOWN;
    char text[200];
    struct out_memory memory;

    out_printf(out, "%s: ", row->name);
    put_value(out, by_raw ? node->raw : node->value, true);
    out_printf(out, " %s, over ", by_raw ? "% cycles, raw" : row->unit_text);
    put_value(out, row->limit_ppm, true);
    out_printf(out, " %%%s\n", node->unreliable ? " (unreliable)" : "");
    out_memory_init(&memory, text, sizeof(text));
    if (explore_but(&memory.out, result, index))
        print_part(out, "But", text);
    print_part(out, "Means", row->means);
    print_part(out, "Try", row->try_this);
    print_part(out, "Proof", row->proof);
}

/* Ranks rows with one parent. Causes of stalls overlap, and divide the back end once more: after its parts. */
static int64_t weight(const struct explore_result *result, unsigned row)
{
    if (result->method->row[row].raw != EXPLORE_EVENTS)
        return -1;
    return result->method->rank ? result->method->rank(result, row) : result->node[row].value;
}

/* Returns the row below which a row is reported: EXPLORE_ROOT for an 'alone' one whose parent is not flagged. */
static unsigned told_below(const struct explore_result *result, unsigned row)
{
    const struct explore_node_row *rows = result->method->row;

    return rows[row].alone && !result->node[rows[row].parent].flagged ? EXPLORE_ROOT : rows[row].parent;
}

int explore_largest(const struct explore_result *result, unsigned parent, uint64_t told)
{
    int found = -1;

    for (unsigned i = 0; i < result->method->rows; i++)
        if (result->node[i].flagged && told_below(result, i) == parent && !(told >> i & 1) &&
            (found < 0 || weight(result, i) > weight(result, (unsigned)found)))
            found = (int)i;
    return found;
}

/* Prints notes below a row before its own, so that the first note is of the largest part of the largest row. */
static void print_notes_below(struct out *out, const struct explore_result *result, unsigned parent, uint64_t *told)
{
    for (int row; (row = explore_largest(result, parent, *told)) >= 0;) {
        *told |= 1ull << row;
        print_notes_below(out, result, (unsigned)row, told);
        print_note(out, result, (unsigned)row);
    }
}

static void print_notes(struct out *out, const struct explore_result *result)
{
    uint64_t told = 0;

    if (explore_largest(result, EXPLORE_ROOT, told) < 0) {
        out_printf(out, "\nNo row is above its threshold.\n");
        return;
    }
    out_printf(out, "\nWhere to look (the largest first, each part before its parent)\n");
    print_notes_below(out, result, EXPLORE_ROOT, &told);
}

static bool has_state(const struct explore_result *result, enum counts_state state)
{
    for (unsigned i = 0; i < result->method->events; i++)
        if (result->input_state[i] == state)
            return true;
    return result->input_state[EXPLORE_IBS] == state;
}

/* Prints "Not modelled: 0D6 0D7"; with their masks where these tell events apart. */
static void print_missing(struct out *out, const struct explore_result *result, enum counts_state state,
                          const char *label)
{
    const struct explore_method *method = result->method;
    char text[(EXPLORE_IBS + 1) * 12];
    struct out_memory memory;

    if (!has_state(result, state))
        return;
    out_memory_init(&memory, text, sizeof(text));
    for (unsigned i = 0; i < method->events; i++) {
        const struct explore_event *event = &method->event[i];

        if (result->input_state[i] != state)
            continue;
        out_printf(&memory.out, "%s%03X", memory.needed ? " " : "", event->select);
        if (!method->fitted && event->mask)
            out_printf(&memory.out, ":%02X", event->mask);
        if (event->count_mask)
            out_printf(&memory.out, ":c=%u", event->count_mask);
    }
    if (result->input_state[EXPLORE_IBS] == state)
        out_printf(&memory.out, "%sIBS", memory.needed ? " " : "");
    out_printf(out, "%s: ", label);
    wrap_text(out, text, 14, 14, LINE);
}

static void print_legend(struct out *out, const struct explore_result *result)
{
    out_printf(out, "* above its threshold. ( ) its parent is below: no weight.\n"
                    "Each row in words: 'config explore' at the prompt, or show=\"config explore\".\n"
                    "MUX: the lowest reliability of the row's events; LOW: below 0.9.\n");
    result->method->legend(out, result);
}

/* Prints a row's name, and its unit with the denominator: "Retiring: % slots of 3 x 076, marked over 70.0 %". */
static void print_unit(struct out *out, const struct explore_method *method, const struct explore_node_row *row)
{
    out_printf(out, "%s: %s", row->name, row->unit_text);
    if (row->unit == EXPLORE_UNIT_SLOTS)
        out_printf(out, " of %u x 076", method->slots);
    if (row->unit == EXPLORE_UNIT_CYCLES)
        out_printf(out, " of 076");
    if (row->limit_ppm != EXPLORE_NO_LIMIT) {
        out_printf(out, ", marked over ");
        put_value(out, row->limit_ppm, true);
        out_printf(out, " %%");
    }
    out_printf(out, "\n");
}

void explore_print_rows(struct out *out, const struct explore_method *method)
{
    out_printf(out, "The rows of config=explore, %s\n", method->title);
    for (unsigned i = 0; i < method->rows; i++) {
        out_printf(out, "%*s", 2 * (method->row[i].level - 1), "");
        print_unit(out, method, &method->row[i]);
        out_printf(out, "%*s", INDENT, "");
        wrap_text(out, method->row[i].means, INDENT, INDENT, LINE);
    }
}

static void print_check(struct out *out, const struct explore_check_row *row, const struct explore_check *check)
{
    static const char *const verdicts[] = {
        [EXPLORE_NOT_CHECKED] = "not checked", [EXPLORE_PASS] = "PASS", [EXPLORE_FAIL] = "FAIL"};
    char text[LINE + 1];
    struct out_memory memory;

    out_printf(out, "%-12s%s", verdicts[check->verdict], row->says);
    if (check->verdict == EXPLORE_NOT_CHECKED) {
        out_printf(out, "\n");
        return;
    }
    out_memory_init(&memory, text, sizeof(text));
    out_printf(&memory.out, "%lu against %lu", check->left, check->right);
    if (12 + strlen(row->says) + 2 + memory.needed > LINE)
        out_printf(out, ":\n%12s%s\n", "", text);
    else
        out_printf(out, ": %s\n", text);
    if (check->spread_ppm) {
        out_printf(out, "%12spasses differ in their cycles by ", "");
        put_value(out, check->spread_ppm, true);
        out_printf(out, " %%\n");
    }
}

static void print_checks(struct out *out, const struct explore_result *result)
{
    unsigned verdicts[EXPLORE_FAIL + 1] = {0};

    out_printf(out, "\nChecks of counters and tool\n");
    for (unsigned i = 0; i < result->method->checks; i++) {
        print_check(out, &result->method->check[i], &result->check[i]);
        verdicts[result->check[i].verdict]++;
    }
    out_printf(out, "%u passed, %u failed, %u not checked\n", verdicts[EXPLORE_PASS], verdicts[EXPLORE_FAIL],
               verdicts[EXPLORE_NOT_CHECKED]);
}

bool explore_has_raw(const struct explore_method *method)
{
    for (unsigned i = 0; i < method->rows; i++)
        if (method->row[i].raw != EXPLORE_EVENTS)
            return true;
    return false;
}

void explore_print(struct out *out, const struct explore_result *result)
{
    out_printf(out, "General Exploration, %s: %lu cycles\n", result->method->title, result->cycles);
    out_printf(out, "%*s%*s%*s%*s\n", NAME + 2 + VALUE, "Value", 1 + UNIT + RAW,
               explore_has_raw(result->method) ? "Raw %" : "", 6, "MUX", 1 + SPREAD, "Spread %");
    print_tree(out, result);
    print_legend(out, result);
    print_missing(out, result, COUNTS_NOT_MODELLED, "Not modelled");
    print_missing(out, result, COUNTS_NOT_COUNTED, "Not counted");
    print_notes(out, result);
    print_checks(out, result);
}
