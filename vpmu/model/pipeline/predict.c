/* SPDX-License-Identifier: BSD-2-Clause */
#include "vpmu/model/pipeline/predict.h"

static bool btb_find(struct predictor *predictor, uint64_t rip, uint64_t *target)
{
    uint32_t set = predict_set(rip);

    for (uint32_t way = 0; way < BTB_WAYS; way++) {
        if (predictor->btb[set][way].branch == rip) {
            *target = predictor->btb[set][way].target;
            return true;
        }
    }
    return false;
}

static void btb_insert(struct predictor *predictor, uint64_t rip, uint64_t target)
{
    uint32_t set = predict_set(rip), way = 0;

    if (predictor->btb[set][0].branch != rip) {
        while (way < BTB_WAYS - 1 && predictor->btb[set][way].branch != rip)
            way++;
        for (; way > 0; way--)
            predictor->btb[set][way] = predictor->btb[set][way - 1];
        predictor->btb[set][0].branch = rip;
    }
    predictor->btb[set][0].target = target;
}

static enum branch_result conditional(struct predictor *predictor, const struct branch *branch, uint64_t *wrong_path)
{
    uint32_t counter = predict_counter(predictor, branch->rip);
    uint64_t target = 0;
    /* Without a BTB entry nothing tells the fetcher that there is a branch: it goes on sequentially. */
    bool taken = btb_find(predictor, branch->rip, &target) && predictor->counters[counter] >= 2;

    predict_learn(predictor, counter, branch->taken);
    if (branch->taken)
        btb_insert(predictor, branch->rip, branch->target);
    if (taken == branch->taken)
        return BRANCH_RIGHT;
    *wrong_path = taken ? target : branch->fall_through;
    return BRANCH_WRONG;
}

static enum branch_result direct(struct predictor *predictor, const struct branch *branch)
{
    uint64_t target;
    bool known = btb_find(predictor, branch->rip, &target);

    btb_insert(predictor, branch->rip, branch->target);
    return known ? BRANCH_RIGHT : BRANCH_LATE;
}

static enum branch_result indirect(struct predictor *predictor, const struct branch *branch, uint64_t *wrong_path)
{
    uint32_t at = (uint32_t)(branch->rip ^ (branch->rip >> 9) ^ predictor->history) & (INDIRECT_ENTRIES - 1);
    uint64_t predicted = predictor->indirect[at];

    predictor->indirect[at] = branch->target;
    if (predicted == branch->target)
        return BRANCH_RIGHT;
    *wrong_path = predicted ? predicted : branch->fall_through;
    return BRANCH_WRONG;
}

static void push_return(struct predictor *predictor, uint64_t address)
{
    predictor->top = predictor->top + 1 == RETURN_STACK ? 0 : predictor->top + 1;
    predictor->returns[predictor->top] = address;
    if (predictor->depth < RETURN_STACK)
        predictor->depth++;
    else
        predictor->stack_overflows++; /* the oldest is lost */
}

static enum branch_result pop_return(struct predictor *predictor, const struct branch *branch, uint64_t *wrong_path)
{
    uint64_t predicted = branch->fall_through;

    if (predictor->depth > 0) {
        predicted = predictor->returns[predictor->top];
        predictor->top = predictor->top == 0 ? RETURN_STACK - 1 : predictor->top - 1;
        predictor->depth--;
        predictor->stack_hits++;
    }
    if (predicted == branch->target)
        return BRANCH_RIGHT;
    *wrong_path = predicted;
    return BRANCH_WRONG;
}

enum branch_result predict(struct predictor *predictor, const struct branch *branch, uint64_t *wrong_path)
{
    enum branch_result result;

    switch (branch->kind) {
    case CODEMAP_BR_COND:
        return conditional(predictor, branch, wrong_path);
    case CODEMAP_BR_JUMP:
        return direct(predictor, branch);
    case CODEMAP_BR_JUMP_INDIRECT:
        return indirect(predictor, branch, wrong_path);
    case CODEMAP_BR_CALL:
        result = direct(predictor, branch);
        push_return(predictor, branch->fall_through);
        return result;
    case CODEMAP_BR_CALL_INDIRECT:
        result = indirect(predictor, branch, wrong_path);
        push_return(predictor, branch->fall_through);
        return result;
    case CODEMAP_BR_RETURN:
        return pop_return(predictor, branch, wrong_path);
    default:
        return BRANCH_RIGHT;
    }
}
