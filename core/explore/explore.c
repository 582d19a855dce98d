/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/explore/explore_formulas.h"

#include "core/base/mem.h"
#include "core/run/turns.h"

enum {
    SHARE_MIN = -50000, /* toplev's rule: inputs of a share outside do not fit together */
    SHARE_MAX = 1050000,
};

/* ---------------------------------------------------------------- nodes */

static bool without_l3(const struct explore_input *input)
{
    return input->count[EXPLORE_4E0].state == COUNTS_NO_L3;
}

/* Returns the state of inputs. Events of a missing L3 count 0, and need not be known. */
static enum explore_state state_of_inputs(const struct explore_input *input, uint64_t inputs)
{
    enum explore_state state = EXPLORE_KNOWN;

    for (int i = 0; i <= EXPLORE_IBS; i++) {
        uint8_t one = i < EXPLORE_EVENTS ? input->count[i].state : input->ibs.state;

        if (!(inputs >> i & 1) || one == COUNTS_COUNTED || one == COUNTS_NO_L3)
            continue;
        if (one == COUNTS_NOT_MODELLED)
            return EXPLORE_NOT_MODELLED;
        state = EXPLORE_NOT_COUNTED;
    }
    return state;
}

static bool is_plausible(int64_t share)
{
    return share >= SHARE_MIN && share <= SHARE_MAX;
}

static void compute_raw(const struct explore_view *v, const struct explore_node_row *row, struct explore_node *node)
{
    node->raw_state = state_of_inputs(v->input, 1ull << EXPLORE_C | 1ull << row->raw);
    if (node->raw_state != EXPLORE_KNOWN)
        return;
    if (!explore_of_cycles(v, v->input->count[row->raw].total, &node->raw))
        node->raw_state = EXPLORE_NO_BASE;
    else if (!is_plausible(node->raw))
        node->raw_state = EXPLORE_DROPPED;
}

static void compute_value(const struct explore_view *v, unsigned index, struct explore_node *node)
{
    const struct explore_node_row *row = &v->result->method->row[index];
    const struct explore_node *parent = row->parent < EXPLORE_ROOT ? &v->result->node[row->parent] : NULL;
    bool some;

    node->state = row->unobservable ? EXPLORE_NOT_OBSERVABLE : state_of_inputs(v->input, row->inputs);
    if (without_l3(v->input) && (index == EXPLORE_MEMORY_L3 || index == EXPLORE_L3_HITS))
        node->state = EXPLORE_NO_L3;
    if (node->state != EXPLORE_KNOWN)
        return;
    if (row->raw < EXPLORE_EVENTS)
        some = explore_cause(v, index, &node->value);
    else
        some = v->result->method->formula(v, index, &node->value);
    if (!some) {
        node->value = 0;
        node->state = EXPLORE_NO_BASE;
    } else if (row->unit != EXPLORE_UNIT_RATIO && !is_plausible(node->value)) {
        node->state = EXPLORE_DROPPED;
    } else if (row->unit == EXPLORE_UNIT_SLOTS && parent && parent->state == EXPLORE_DROPPED) {
        node->state = EXPLORE_DROPPED;
    }
}

static void judge_inputs(const struct explore_input *input, uint64_t inputs, struct explore_node *node)
{
    node->reliability_ppm = PPM;
    for (int i = 0; i < EXPLORE_EVENTS; i++) {
        if (!(inputs >> i & 1) || input->count[i].state == COUNTS_NO_L3)
            continue;
        if (input->count[i].reliability_ppm < node->reliability_ppm)
            node->reliability_ppm = input->count[i].reliability_ppm;
        if (input->count[i].cv_ppm > node->cv_ppm)
            node->cv_ppm = input->count[i].cv_ppm;
    }
    node->unreliable = node->reliability_ppm < TURNS_RELIABLE_PPM;
}

static void compute_node(struct explore_result *result, const struct explore_view *v, unsigned index)
{
    const struct explore_node_row *row = &result->method->row[index];
    struct explore_node *node = &result->node[index];
    bool over = false;

    compute_value(v, index, node);
    if (row->raw < EXPLORE_EVENTS)
        compute_raw(v, row, node);
    else
        node->raw_state = EXPLORE_NOT_OBSERVABLE;
    if ((node->state == EXPLORE_NOT_MODELLED || node->state == EXPLORE_NOT_COUNTED) && node->raw_state == EXPLORE_KNOWN)
        node->state = EXPLORE_NOT_SPLIT;

    if (node->state == EXPLORE_KNOWN) {
        judge_inputs(v->input, row->inputs, node);
        over = row->limit_ppm != EXPLORE_NO_LIMIT && node->value > row->limit_ppm;
    } else if (node->raw_state == EXPLORE_KNOWN) {
        judge_inputs(v->input, 1ull << EXPLORE_C | 1ull << row->raw, node);
        over = node->raw > row->limit_ppm;
    }
    node->greyed = row->parent < EXPLORE_ROOT && !result->node[row->parent].flagged && !(row->alone && over);
    node->flagged = over && !node->greyed;
}

/* ---------------------------------------------------------------- checks */

static uint64_t fold(const struct explore_input *input, uint64_t events, bool largest)
{
    uint64_t value = 0;

    for (int i = 0; i < EXPLORE_EVENTS; i++) {
        uint64_t one = input->count[i].total;

        if (!(events >> i & 1))
            continue;
        if (!largest)
            value = add(value, one);
        else if (one > value)
            value = one;
    }
    return value;
}

/* Standard deviations of a pass's cycles by which totals of different passes may differ: a choice. 3 in 1,000 differ
 * by more. */
#define SPREADS 3

static void compute_check(const struct explore_input *input, const struct explore_check_row *row, uint64_t slots,
                          struct explore_check *check)
{
    const struct explore_count *cycles = &input->count[EXPLORE_C];
    uint64_t tolerance, off = 0;

    if (state_of_inputs(input, row->left | row->right) != EXPLORE_KNOWN)
        return;
    if (row->needs_expected && !input->expected_known)
        return;
    check->left = times(fold(input, row->left, row->left_is_max), row->left_slots ? slots : 1);
    check->right = times(fold(input, row->right, false), row->right_slots ? slots : 1);
    if (row->needs_expected)
        check->right = add(check->right, add(input->expected, input->exceptions));

    tolerance =
        add(stats_mul_div(check->right, row->tolerance_ppm, PPM), stats_mul_div(cycles->total, row->cycles_ppm, PPM));
    if (check->left > check->right)
        off = check->left - check->right;
    else if (row->relation == EXPLORE_EQUAL)
        off = check->right - check->left;
    if (off > tolerance && row->of_cycles) {
        tolerance = stats_mul_div(check->right, times(SPREADS, cycles->cv_ppm), PPM);
        check->spread_ppm = off <= tolerance ? cycles->cv_ppm : 0;
    }
    check->verdict = off <= tolerance ? EXPLORE_PASS : EXPLORE_FAIL;
}

/* ---------------------------------------------------------------- all of it */

const struct explore_cost_row explore_cost_rows[EXPLORE_COSTS] = {
    [EXPLORE_COST_MISPREDICT] = {.usual = 12},       /* AMD 40546 says at least 10 */
    [EXPLORE_COST_L2] = {15, FACT_COST_L2},          /* AnandTech, Phenom II review */
    [EXPLORE_COST_MEMORY] = {140, FACT_COST_MEMORY}, /* a choice, 55 ns at 2.5 GHz */
    [EXPLORE_COST_TLB_L2] = {3, FACT_COST_TLB_L2},   /* a choice */
    [EXPLORE_COST_WALK] = {30, FACT_COST_WALK},      /* a choice, two accesses to the L2 */
    /* From one to the next of additions to the same place: ADD [m64], r64 on Deneb (InstLatX64, AuthenticAMD0100F42).
     */
    [EXPLORE_COST_FORWARD] = {7, FACT_COST_FORWARD},
};

/* Fills in the usual cost where none is given. */
static void set_costs(struct explore_result *result, const struct explore_costs *given)
{
    result->measured = true;
    for (unsigned i = 0; i < EXPLORE_COSTS; i++) {
        result->costs.of[i] = given->of[i] ? given->of[i] : explore_cost_rows[i].usual;
        result->measured &= i < EXPLORE_COSTS_MEASURED || given->of[i];
    }
}

void explore_compute(struct explore_result *result, const struct explore_input *input)
{
    struct explore_view v = {.input = input, .result = result};

    memset(result, 0, sizeof(*result));
    result->method = input->method;
    result->model = input->model;
    set_costs(result, &input->costs);
    if (input->count[EXPLORE_C].state == COUNTS_COUNTED)
        result->cycles = input->count[EXPLORE_C].total;
    for (unsigned i = 0; i < result->method->events; i++)
        result->input_state[i] = input->count[i].state;
    result->input_state[EXPLORE_IBS] = result->method->ibs ? input->ibs.state : COUNTS_COUNTED;

    if (result->method->begin)
        result->method->begin(&v, result);
    for (unsigned i = 0; i < result->method->rows; i++)
        compute_node(result, &v, i);
    for (unsigned i = 0; i < result->method->checks; i++)
        compute_check(input, &result->method->check[i], result->method->slots, &result->check[i]);
}
