/* SPDX-License-Identifier: BSD-2-Clause */
#include "app/cores/lost_cores.h"

#include "drivers/session/session.h"

void lost_cores_stop(struct firmware *fw, const struct machine *machine, const struct cores_set *away, struct out *out)
{
    uint32_t id;

    for (uint32_t core = 1; core < CORES_MAX; core++) {
        bool lost = cores_set_has(away, core) && !fw->core_ended(fw, core);

        if (!lost)
            continue;
        if (fw->core_apic_id(fw, core, &id) == FIRMWARE_OK) {
            session_stop_core(machine, id);
            out_printf(out, "Core %u is stopped by INIT, because this program returns its memory.\n", core);
        } else {
            out_printf(out, "Core %u is still running, and cannot be stopped: its APIC ID is not known.\n", core);
        }
    }
}
