/* SPDX-License-Identifier: BSD-2-Clause */
/* The code map of the first link: none yet. tools/codemap writes the real one from that link's result. */
#include "core/ibs/codemap.h"

const struct codemap image_codemap __attribute__((section(".data.codemap"))) = {0};
