/* SPDX-License-Identifier: BSD-2-Clause */
/* Instructions that are repeated. */
#ifndef VPMU_PLUGIN_REP_H
#define VPMU_PLUGIN_REP_H

#include "vpmu/plugin/qemu.h"

bool rep_is(const uint8_t *bytes, size_t length);
bool rep_is_fill(const uint8_t *bytes, size_t length); /* REP STOSB */

/* Before an iteration of a fill that is not announced, in a block of this instruction alone. number: the core's. */
void rep_fill(const struct qemu_calls *qemu, uint32_t number, uint64_t rip, uint64_t *env);

#endif
