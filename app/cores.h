/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which cores run: the setting 'cores'. 0 is the boot core, which takes part as the leader even when it is not named.
 */
#ifndef APP_CORES_H
#define APP_CORES_H

#include "app/firmware.h"
#include "core/out.h"
#include "drivers/gang.h"
#include "drivers/machine.h"

struct cores {
    uint32_t count;
    uint32_t core[GANG_MEMBERS]; /* in ascending order, each once */
    int node[GANG_MEMBERS];      /* of each core, by its APIC ID; NODE_UNKNOWN where the firmware does not say */
    int boot_node;               /* of the boot core, whether or not it is among them */
};

/* Reads "0", "all", or a list such as "0,2-3". False after a line in 'problems': not such a list, or a core that is not
 * there. Where the firmware cannot start other cores, "all" is the boot core, and a line says so. */
bool cores_read(struct cores *cores, const char *text, struct firmware *fw, const struct machine *machine,
                struct out *problems);

/* Upper bound of those on one node. */
unsigned cores_of_a_node(const struct cores *cores);

#endif
