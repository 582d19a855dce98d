/* SPDX-License-Identifier: BSD-2-Clause */
/* Lines between the L1s and the L2 of a core, by its family's rule (enum vpmu_l2). */
#ifndef VPMU_L2_H
#define VPMU_L2_H

#include "vpmu/model/caches/cache.h"

/* Removes a line that has left the L2 from an L1; its state is the L1's, where it was modified last. */
static inline void l2_drop_inner(struct l1_cache *cache, uint64_t line, uint8_t *modified)
{
    struct l1_line *inner = l1_peek(cache, line);

    if (!inner)
        return;
    *modified = inner->modified | (*modified & LINE_DIRTY);
    *inner = (struct l1_line){.line = LINE_NONE};
}

/* Puts a line into the L2, if it is not there. Returns what leaves the L2 and the inclusive L1s, or LINE_NONE, and its
 * state. */
static inline uint64_t l2_put(struct caches *caches, uint64_t line, uint8_t *modified)
{
    uint64_t leaving = outer_insert(&caches->l2, line, modified);

    if (caches->l2_has == L2_INCLUSIVE && leaving != LINE_NONE) {
        l2_drop_inner(&caches->l1i, leaving, modified);
        l2_drop_inner(&caches->l1d, leaving, modified);
    }
    return leaving;
}

/* Returns whether a line that leaves an L1 goes into the L2, which does not have it. */
static inline bool l2_gets(struct caches *caches, const struct l1_line *leaving)
{
    int64_t at;

    if (caches->l2_has == L2_EXCLUSIVE)
        return true;
    at = outer_find(&caches->l2, leaving->line);
    if (at < 0)
        return leaving->modified & LINE_DIRTY;
    caches->l2.modified[at] = leaving->modified | (caches->l2.modified[at] & LINE_DIRTY);
    return false;
}

/* Finds a line in the L2, and takes it from there unless the L2 keeps lines of an L1. */
static inline bool l2_gives(struct caches *caches, uint64_t line, uint8_t *modified)
{
    int64_t at;

    if (caches->l2_has == L2_EXCLUSIVE)
        return outer_take(&caches->l2, line, modified);
    at = outer_find(&caches->l2, line);
    if (at < 0)
        return false;
    *modified = caches->l2.modified[at];
    return outer_touch(&caches->l2, line);
}

#endif
