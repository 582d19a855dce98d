/* SPDX-License-Identifier: BSD-2-Clause */
/* Names how characters look: what they are for, which a console without colours shows by nothing. */
#ifndef CORE_PAINT_H
#define CORE_PAINT_H

enum paint {
    PAINT_PLAIN,
    PAINT_TITLE,
    PAINT_CHOSEN,
    PAINT_FAINT,
    PAINT_GOOD,
    PAINT_BAD,
    PAINT_WARNING,
    PAINT_WARM,
    PAINT_HOT,
    PAINTS,
};

#endif
