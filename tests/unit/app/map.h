/* SPDX-License-Identifier: BSD-2-Clause */
/* The program that the tests sample: its code map (core/ibs/codemap.h: image_codemap) and the places in it. */
#ifndef TESTS_UNIT_APP_MAP_H
#define TESTS_UNIT_APP_MAP_H

#include "core/ibs/codemap.h"

enum {
    MAP_INSNS = 14,
    MAP_TURN = 7,      /* instructions of an iteration of the first function's loop, before its ret */
    MAP_STORE = 4,     /* fstp, which misses if loads have sources */
    MAP_FMUL = 3,      /* the instruction that misses, if a test wants one */
    MAP_TEXT = 0x1000, /* the workloads, */
    MAP_TEXT_SIZE = 0x60,
    MAP_HANDLER = 0x1080, /* the NMI handler, */
    MAP_HANDLER_SIZE = 0x40,
    MAP_IMAGE_SIZE = 0x200, /* and all code, from MAP_TEXT on */
};

/* Returns byte i of the workloads, matching the map's hash. */
uint8_t map_byte(unsigned i);

#endif
