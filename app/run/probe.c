/* SPDX-License-Identifier: BSD-2-Clause */
#include "app/run/probe.h"

#include "app/base/physical.h"
#include "app/run/kind.h"
#include "app/base/sentence.h"
#include "drivers/session/session.h"
#include "drivers/machine/vpmu_query.h"

enum { TSC_TRIES = 5, TSC_TRY_MS = 10, TSC_LEAST_KHZ = 1000 };

/* Measures the kHz of the time-stamp counter by the firmware's delay, and returns the least of several, because an SMI
 * or an interrupt of the firmware only makes a delay longer. 0: a delay returned at once. */
static uint64_t measure_tsc_khz(struct firmware *fw)
{
    uint64_t least = UINT64_MAX;

    for (unsigned i = 0; i < TSC_TRIES; i++) {
        uint64_t ticks, start = cpu_rdtsc();

        fw->stall(fw, TSC_TRY_MS * 1000);
        ticks = cpu_rdtsc() - start;
        least = ticks < least ? ticks : least;
    }
    return least / TSC_TRY_MS < TSC_LEAST_KHZ ? 0 : least / TSC_TRY_MS;
}

/* Reads the nodes from ACPI's table if the processor reports only its own; ignores a damaged table. */
static void take_nodes(struct machine *machine, struct firmware *fw)
{
    static struct srat srat;
    const struct ibs_family *row = machine->row;

    if (!row || row->nodes != IBS_NODES_CPUID)
        return;
    nodes_take(machine, srat_find(&physical_mapped, fw->tables(fw, FIRMWARE_ACPI), &srat) ? NULL : &srat);
}

bool probe_machine(struct machine *machine, struct firmware *fw, struct out *problems)
{
    size_t size = session_workspace_size();
    void *workspace = fw->allocate(fw, size, 4096);
    enum session_error error = workspace ? session_probe(machine, workspace) : SESSION_NO_WORKSPACE;

    fw->release(fw, workspace, size);
    if (error) {
        sentence(problems, "The machine could not be probed: %s", session_error_text(error));
        return false;
    }
    take_nodes(machine, fw);
    /* Without a table all texts are "". */
    smbios_read(&physical_mapped, fw->tables(fw, FIRMWARE_SMBIOS), &machine->board);
    machine->tsc_khz = vpmu_tsc_khz(machine);
    if (!machine->tsc_khz)
        machine->tsc_khz = measure_tsc_khz(fw);
    return true;
}

bool probe_suits(const struct machine *machine, const struct options *options)
{
    const char *at = options->config;
    char name[OPTIONS_TEXT_MAX + 1];
    bool good = options->config[0] || machine_ibs_usable(machine) || machine_pmc_usable(machine);

    while (options_next_config(&at, name)) {
        const struct kind *kind = kind_find(name);

        good = good && ((kind && (kind->anywhere || kind->ibs)) || machine_pmc_usable(machine)) &&
               (!kind || !kind->ibs || machine_ibs_usable(machine));
    }
    return good;
}

bool probe_switch_ibs(struct machine *machine, struct firmware *fw, bool on, bool *asked, struct out *problems)
{
    size_t size = session_workspace_size();
    enum session_error error;
    void *workspace;

    if (on == *asked)
        return false;
    *asked = on;
    workspace = fw->allocate(fw, size, 4096);
    error = session_switch_ibs(machine, workspace, on);
    fw->release(fw, workspace, size);
    if (error)
        sentence(problems, "zen_ibs_on = yes: %s. IBS stays off.", session_error_text(error));
    return true;
}

void probe_refusal(const struct machine *machine, struct out *out)
{
    char why[SENTENCE_MAX];

    machine_ibs_refusal(machine, why, sizeof(why));
    sentence(out, "%s", why[0] ? why : session_error_text(SESSION_NO_PMC));
}

bool probe_code(const struct image *image, struct out *out)
{
    const void *text = (const void *)(uintptr_t)(image->base + image_codemap.text_rva);

    if (image_codemap.insn_count && codemap_hash(text, image_codemap.text_size) == image_codemap.text_hash)
        return true;
    out_printf(out, "The code in memory is not the code that the code map describes: the image was\n"
                    "changed after it was built. Write the stick again.\n");
    return false;
}
