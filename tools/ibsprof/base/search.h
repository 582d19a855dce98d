/* SPDX-License-Identifier: BSD-2-Clause */
/* Binary search. */
#ifndef TOOLS_IBSPROF_SEARCH_H
#define TOOLS_IBSPROF_SEARCH_H

#include <stddef.h>

/* Returns the first index i_ below count_ for which the condition holds; count_: none. The condition must hold for all
 * later indices, too. */
#define search_first(count_, i_, condition_)                                                                           \
    ({                                                                                                                 \
        size_t low_ = 0, high_ = (count_);                                                                             \
        while (low_ < high_) {                                                                                         \
            size_t i_ = low_ + (high_ - low_) / 2;                                                                     \
            if (condition_)                                                                                            \
                high_ = i_;                                                                                            \
            else                                                                                                       \
                low_ = i_ + 1;                                                                                         \
        }                                                                                                              \
        low_;                                                                                                          \
    })

#endif
