/* SPDX-License-Identifier: BSD-2-Clause */
/* Caches after memory was filled unseen. */
#include "vpmu/model/caches/coherence.h"
#include "vpmu/model/caches/l2.h"
#include "vpmu/model/state.h"

static void drop_l1(struct l1_cache *cache, uint64_t line)
{
    struct l1_line *there = l1_peek(cache, line);

    if (there)
        *there = (struct l1_line){.line = LINE_NONE};
}

static void drop_outer(struct outer_cache *cache, uint64_t line)
{
    int64_t at = outer_find(cache, line);

    if (at >= 0)
        outer_drop(cache, at);
}

/* Removes a line from all other caches, as a store does. */
static void drop_everywhere(const struct cache_fabric *fabric, uint64_t line)
{
    for (uint32_t n = 0; n < fabric->nodes; n++) {
        struct cache_node *node = fabric->node[n];

        for (uint32_t i = 0; i < node->cores; i++) {
            drop_l1(&node->core[i]->l1d, line);
            drop_outer(&node->core[i]->l2, line);
        }
        drop_outer(&node->l3, line);
    }
}

static void keep_l2(struct caches *caches, uint64_t line, uint8_t state)
{
    uint64_t leaving = l2_put(caches, line, &state);

    if (leaving != LINE_NONE)
        (void)outer_insert(&caches->node->l3, leaving, &state);
}

/* Puts the line into the L1D, its victim into the L2, and that one's victim into the L3. */
static void keep(struct caches *caches, uint64_t line)
{
    struct l1_line fill = {.line = line, .modified = LINE_MODIFIED}, leaving;

    if (caches->l2_has != L2_EXCLUSIVE)
        keep_l2(caches, line, LINE_MODIFIED);
    leaving = l1_push(&caches->l1d, &fill, caches->l1d.ways - 1);
    if (leaving.line != LINE_NONE && l2_gets(caches, &leaving))
        keep_l2(caches, leaving.line, leaving.modified);
}

static void fill_line(struct caches *caches, uint64_t line)
{
    struct l1_line *there = l1_peek(&caches->l1d, line);

    if (there && !(there->modified & LINE_ELSEWHERE)) {
        there->modified = LINE_MODIFIED;
        return;
    }
    drop_everywhere(caches->node->fabric, line);
    keep(caches, line);
}

void vpmu_prepared(struct vpmu *vpmu, uint64_t linear, uint64_t bytes)
{
    const uint64_t page = 4096, line = 1u << LINE_SHIFT;
    uint64_t end = linear + bytes, physical = 0, tables[4];
    unsigned shift = 0, depth;

    for (uint64_t at = linear & ~(line - 1); at < end; at += line) {
        if (!shift || !(at & (page - 1)))
            shift = vpmu->config.translate(vpmu->config.context, at, &physical, tables, &depth);
        if (shift)
            fill_line(&vpmu->caches, (physical & ~(page - 1)) >> LINE_SHIFT | (at & (page - 1)) >> LINE_SHIFT);
    }
}
