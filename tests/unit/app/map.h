/* SPDX-License-Identifier: BSD-2-Clause */
/* The program that the tests sample: its code map (core/ibs/codemap.h: image_codemap) and the places in it. */
#ifndef TESTS_UNIT_APP_MAP_H
#define TESTS_UNIT_APP_MAP_H

#include "core/ibs/codemap.h"

enum {
    MAP_INSNS = 14,
    MAP_TURN = 7,      /* instructions of a turn of the first function's loop; its ret follows */
    MAP_STORE = 4,     /* fstp, which misses where loads have sources */
    MAP_FMUL = 3,      /* the instruction that misses, where a test wants one */
    MAP_TEXT = 0x1000, /* the workloads, */
    MAP_TEXT_SIZE = 0x60,
    MAP_HANDLER = 0x1080, /* the NMI handler, */
    MAP_HANDLER_SIZE = 0x40,
    MAP_IMAGE_SIZE = 0x200, /* and all code, from MAP_TEXT on */
};

/* Byte i of the workloads, as the map's hash has it. */
uint8_t map_byte(unsigned i);

#endif
