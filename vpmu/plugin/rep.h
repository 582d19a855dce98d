/* SPDX-License-Identifier: BSD-2-Clause */
/* Instructions that are repeated. */
#ifndef VPMU_PLUGIN_REP_H
#define VPMU_PLUGIN_REP_H

#include "vpmu/plugin/qemu.h"

bool rep_is(const uint8_t *bytes, size_t length);
bool rep_is_fill(const uint8_t *bytes, size_t length); /* REP STOSB */

/* State of a core's fills, all 0 at first. */
struct rep {
    uint64_t end; /* of memory that begins at 1 MB; 0: QEMU has not been asked */
    struct {
        const uint64_t *env;
        uint64_t rip, rcx, rdi;
    } last; /* iteration that QEMU does */
};

/* Called before an iteration of a fill that is not announced, in a block of this instruction alone. number: the
 * core's. */
void rep_fill(struct rep *rep, const struct qemu_calls *qemu, uint32_t number, uint64_t rip, uint64_t *env);

#endif
