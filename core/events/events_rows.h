/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Macros for the event tables (events_<unit>.c). Not for others.
 */
#ifndef CORE_EVENTS_ROWS_H
#define CORE_EVENTS_ROWS_H

#include "core/events/events.h"

/* clang-format off */
#define EVENT_ROW(since_, last_, select_, unit_, symbol_, name_, abbreviation_, period_min_)                           \
    .select = select_, .unit = unit_, .since = since_, .last = last_, .period_min = period_min_, .symbol = symbol_,    \
    .name = name_, .abbreviation = abbreviation_
#define EVENT_ROW_10H(...) EVENT_ROW(__VA_ARGS__), .sets = EVENT_IN(10H)
/* Select, unit, symbol, name, abbreviation, smallest period. */
#define EVENT(...)         EVENT_ROW_10H('B', 'E', __VA_ARGS__)
#define EVENT_SINCE_C(...) EVENT_ROW_10H('C', 'E', __VA_ARGS__)
#define EVENT_ONLY_D(...)  EVENT_ROW_10H('D', 'D', __VA_ARGS__)
/* Family 12h has it as well, with these mask bits (CodeXL Events/Public/0x12.xml; there 065h and 08Ch have more). */
#define EVENT_12H(...)   EVENT_ROW('B', 'E', __VA_ARGS__), .sets = EVENT_IN(10H) | EVENT_IN(12H)
#define EVENT_C_12H(...) EVENT_ROW('C', 'E', __VA_ARGS__), .sets = EVENT_IN(10H) | EVENT_IN(12H)
/* A row of later families: the sets that have it, then as in EVENT. Family 10h's revisions do not apply. */
#define EVENT_OF(sets_, ...) EVENT_ROW('B', 'E', __VA_ARGS__), .sets = (sets_)
/* Number, mask and meaning are those of Family 10h's event. */
#define EVENT_KEPT(sets_, ...) EVENT_OF(sets_, __VA_ARGS__), .as_first = true
#define ZEN_TO_3 (EVENT_IN(ZEN) | EVENT_IN(ZEN2) | EVENT_IN(ZEN3))
#define ZEN_4_5  (EVENT_IN(ZEN4) | EVENT_IN(ZEN5))
#define ZEN_5_6  (EVENT_IN(ZEN5) | EVENT_IN(ZEN6))
#define ZEN_FROM_4 (ZEN_4_5 | EVENT_IN(ZEN6))
#define ZEN_ALL  (ZEN_TO_3 | ZEN_FROM_4)
#define F15_TO_1F   (EVENT_IN(15H) | EVENT_IN(15H_10))
#define F15_TO_3F   (F15_TO_1F | EVENT_IN(15H_30))
#define F15_FROM_30 (EVENT_IN(15H_30) | EVENT_IN(15H_60))
#define F15_FROM_10 (EVENT_IN(15H_10) | F15_FROM_30)
#define F15_ALL     (F15_TO_1F | F15_FROM_30)
#define CAT_ALL     (EVENT_IN(14H) | EVENT_IN(16H))
#define MASK(default_, legal_) .mask_default = default_, .mask_legal = legal_
/* Names a mask bit that no list names, but that is set in a list's mask for all. */
#define ALL_ALONE "in the sum of all alone: FF"
/* clang-format on */

/* Begins the table of a file; the linker puts the tables of all files next to each other. The rows of one set and unit
 * stand in one file, ascending by select. */
#define EVENT_ROWS static const struct event rows[] __attribute__((section("event_rows"), used, aligned(8)))

#endif
