/* SPDX-License-Identifier: BSD-2-Clause */
/* hardware.csv: finally in the run's folder, until then beside the settings. */
#include "app/hardware/hardware.h"

#include "app/base/sinks.h"
#include "core/base/version.h"

const char hardware_file_path[] = "\\ibsboot\\hardware.csv";

static void machine_lines(struct out *out, const struct run *run)
{
    const struct machine *machine = run->machine;

    out_printf(out, "# machine = %s, family %xh model %xh stepping %u revision %c\n",
               machine->name[0] ? machine->name : machine->vendor, machine->family, machine->model, machine->stepping,
               machine->revision ? machine->revision : '-');
    out_printf(out, "# firmware = %s\n# program = ibsboot %s\n# figures = %s\n", run->fw->name, IBSBOOT_VERSION,
               machine->hypervisor ? machine->hypervisor_signature : "silicon");
}

void hardware_file(struct out *out, const struct run *run)
{
    const struct hardware *hardware = run->own;

    machine_lines(out, run);
    hardware_csv(out, hardware->answer);
}

/* Keeps the answers so far beside the settings, for when a question ends the machine. */
void hardware_note(struct hardware *hardware)
{
    struct file_sink sink;

    if (!hardware->save)
        return;
    file_sink_open(&sink, hardware->run->fw, hardware_file_path, hardware->run->file_buffer, RUN_FILE_BUFFER);
    if (sink.error == FIRMWARE_OK)
        hardware_file(&sink.out, hardware->run);
    if (file_sink_close(&sink) != FIRMWARE_OK)
        hardware->save = false; /* saving the run will report the error */
}
