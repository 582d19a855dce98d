/* SPDX-License-Identifier: BSD-2-Clause */
/* Names paints by their purpose; a console without colours shows no difference. */
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
