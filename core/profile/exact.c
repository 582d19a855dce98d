/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/profile/exact.h"

enum { WORD_BITS = 64, REG_RCX = 1, BITMAPS_BYTES = 64 << 20 };

static uint64_t words(uint64_t arena_size)
{
    return (arena_size / EXACT_LINE + 1 + WORD_BITS - 1) / WORD_BITS;
}

static size_t index_size(const struct codemap *map)
{
    return ((size_t)map->text_size * sizeof(uint32_t) + 7) / 8 * 8;
}

uint32_t exact_bitmaps(const struct codemap *map, uint64_t arena_size)
{
    uint64_t room = BITMAPS_BYTES / (words(arena_size) * sizeof(uint64_t)), operands = 0;

    for (uint32_t i = 0; i < map->insn_count; i++)
        operands += map->insns[i].mems;
    return (uint32_t)(operands < room ? operands : room);
}

size_t exact_memory_size(const struct codemap *map, uint64_t arena_size, uint32_t bitmaps)
{
    return map->insn_count * sizeof(struct exact_insn) + EXACT_EDGES * sizeof(struct exact_edge) + index_size(map) +
           bitmaps * words(arena_size) * sizeof(uint64_t);
}

static void fill_index(struct exact *exact)
{
    const struct codemap *map = exact->map;

    for (uint32_t byte = 0; byte < map->text_size; byte++)
        exact->index[byte] = EXACT_AWAY;
    for (uint32_t i = 0; i < map->insn_count; i++) {
        uint32_t first = map->insns[i].rva - map->text_rva;

        for (uint32_t byte = first; byte < first + map->insns[i].length && byte < map->text_size; byte++)
            exact->index[byte] = i;
    }
}

void exact_init(struct exact *exact, const struct codemap *map, uint64_t base, uint64_t arena_size, uint32_t bitmaps,
                void *memory)
{
    uint8_t *next = memory;

    *exact = (struct exact){.map = map,
                            .base = base,
                            .arena_size = arena_size,
                            .bits_each = words(arena_size),
                            .bitmaps = bitmaps,
                            .at = EXACT_AWAY};
    exact->insn = (struct exact_insn *)(void *)next;
    next += map->insn_count * sizeof(struct exact_insn);
    exact->edge = (struct exact_edge *)(void *)next;
    next += EXACT_EDGES * sizeof(struct exact_edge);
    exact->index = (uint32_t *)(void *)next;
    next += index_size(map);
    exact->bits = (uint64_t *)(void *)next;
    fill_index(exact);
}

static uint32_t find(const struct exact *exact, uint64_t rip)
{
    uint64_t byte = rip - exact->base - exact->map->text_rva;

    return byte < exact->map->text_size ? exact->index[byte] : EXACT_AWAY;
}

/* Finds the pair, or a free place, from a place on that depends on it. */
static void add_edge(struct exact *exact, uint32_t from, uint32_t to)
{
    uint32_t place = (from * 2654435761u ^ to * 2246822519u) >> 16; /* odd, so that all bits count */

    for (unsigned n = 0; n < EXACT_EDGES; n++, place++) {
        struct exact_edge *edge = &exact->edge[place % EXACT_EDGES];

        if (edge->count && (edge->from != from || edge->to != to))
            continue;
        edge->from = from;
        edge->to = to;
        edge->count++;
        return;
    }
    exact->edges_lost++;
}

static bool is_indirect(const struct codemap_insn *insn)
{
    return insn->branch == CODEMAP_BR_JUMP_INDIRECT || insn->branch == CODEMAP_BR_CALL_INDIRECT ||
           insn->branch == CODEMAP_BR_RETURN;
}

/* Returns whether the string instruction goes on with its next repetition. */
static bool goes_on(const struct exact *exact, uint32_t now)
{
    return now == exact->at && exact->map->insns[now].flags & CODEMAP_INSN_REP;
}

static void count(struct exact *exact, uint32_t now, uint64_t rip)
{
    const struct codemap_insn *insn = &exact->map->insns[exact->at];
    struct exact_insn *counts = &exact->insn[exact->at];

    counts->executions++;
    if (insn->branch == CODEMAP_BR_NONE)
        return;
    counts->taken += rip != exact->base + insn->rva + insn->length;
    if (is_indirect(insn))
        add_edge(exact, exact->at, now == EXACT_AWAY ? EXACT_AWAY : exact->map->insns[now].rva);
}

static uint64_t address(const struct exact *exact, const struct codemap_mem *mem, const uint64_t gpr[EXACT_GPRS])
{
    uint64_t sum = (uint64_t)(int64_t)mem->disp;

    if (mem->base == CODEMAP_REG_RIP)
        return exact->base + sum;
    if (mem->base < EXACT_GPRS)
        sum += gpr[mem->base];
    if (mem->index < EXACT_GPRS)
        sum += gpr[mem->index] * mem->scale;
    return sum;
}

static void mark(struct exact *exact, struct exact_operand *operand, uint64_t line)
{
    uint64_t *word = exact->bits + (operand->bits - 1) * exact->bits_each + line / WORD_BITS;
    uint64_t bit = 1ull << line % WORD_BITS;

    operand->lines += !(*word & bit);
    *word |= bit;
}

/* Marks the lines of an access to the arena, on an operand with a bitmap. */
static void mark_lines(struct exact *exact, struct exact_operand *operand, uint64_t from, uint32_t size)
{
    uint64_t offset = from - exact->arena;

    if (offset >= exact->arena_size)
        return;
    if (!operand->bits && operand->accesses == 1) {
        operand->bits = exact->bitmaps_used < exact->bitmaps ? ++exact->bitmaps_used : 0;
        exact->operands_lost += !operand->bits;
    }
    if (!operand->bits)
        return;
    for (uint64_t line = offset / EXACT_LINE;
         line <= (offset + size - 1) / EXACT_LINE && line * EXACT_LINE < exact->arena_size; line++)
        mark(exact, operand, line);
}

static void access(struct exact *exact, struct exact_operand *operand, uint64_t from, uint32_t size)
{
    uint64_t line = from / EXACT_LINE;

    operand->changes += operand->accesses && line != operand->last;
    operand->last = line;
    if (!operand->accesses || from < operand->low)
        operand->low = from;
    if (!operand->accesses || from > operand->high)
        operand->high = from;
    operand->accesses++;
    mark_lines(exact, operand, from, size ? size : 1);
}

void exact_end(struct exact *exact, uint64_t rip)
{
    uint32_t now = find(exact, rip);

    if (exact->at != EXACT_AWAY && !goes_on(exact, now))
        count(exact, now, rip);
    exact->at = now;
}

void exact_step(struct exact *exact, uint64_t rip, const uint64_t gpr[EXACT_GPRS])
{
    const struct codemap_insn *insn;
    uint32_t now;

    exact_end(exact, rip);
    now = exact->at;
    exact->steps++;
    if (now == EXACT_AWAY) {
        exact->outside++;
        return;
    }
    insn = &exact->map->insns[now];
    if (insn->flags & CODEMAP_INSN_REP) {
        if (!gpr[REG_RCX])
            return; /* nothing is left to do, and nothing is accessed */
        exact->insn[now].repetitions++;
    }
    for (unsigned i = 0; i < insn->mems; i++)
        access(exact, &exact->insn[now].mem[i], address(exact, &insn->mem[i], gpr), insn->mem[i].size);
}

struct exact_sums exact_sum(const struct exact *exact)
{
    struct exact_sums sums = {0};

    for (uint32_t i = 0; i < exact->map->insn_count; i++) {
        const struct codemap_insn *insn = &exact->map->insns[i];
        const struct exact_insn *counts = &exact->insn[i];
        bool branch = insn->branch != CODEMAP_BR_NONE;

        sums.executions += counts->executions;
        sums.branches += branch ? counts->executions : 0;
        sums.taken += branch ? counts->taken : 0;
        for (unsigned m = 0; m < insn->mems; m++) {
            sums.loads += insn->mem[m].flags & CODEMAP_LOAD ? counts->mem[m].accesses : 0;
            sums.stores += insn->mem[m].flags & CODEMAP_STORE ? counts->mem[m].accesses : 0;
        }
    }
    return sums;
}
