/* SPDX-License-Identifier: BSD-2-Clause */
#include "app/report/report_board.h"

#include "core/run/facts.h"

/* Prints a line on a system or a board; nothing if SMBIOS has no name of it. */
static void report_thing(struct out *out, const char *title, const char *maker, const char *name, const char *serial)
{
    if (!maker[0] && !name[0])
        return;
    out_printf(out, "%-13s %s%s%s", title, maker, maker[0] && name[0] ? " " : "", name);
    if (serial[0])
        out_printf(out, ", serial number %s", serial);
    out_printf(out, "\n");
}

void report_board(struct out *out, const struct firmware *fw, const struct smbios *board)
{
    const char *version = board->text[SMBIOS_FIRMWARE_VERSION], *date = board->text[SMBIOS_FIRMWARE_DATE];

    report_thing(out, "System", board->text[SMBIOS_MAKER], board->text[SMBIOS_PRODUCT], board->text[SMBIOS_SERIAL]);
    report_thing(out, "Board", board->text[SMBIOS_BOARD_MAKER], board->text[SMBIOS_BOARD],
                 board->text[SMBIOS_BOARD_SERIAL]);
    out_printf(out, "Firmware      %s%s%s%s%s\n", fw->name, version[0] ? ", version " : "", version,
               date[0] ? " of " : "", date);
}

void save_board_facts(struct out *out, const struct firmware *fw, const struct smbios *board)
{
    static const enum fact facts[SMBIOS_TEXTS] = {
        [SMBIOS_FIRMWARE_VENDOR] = FACT_MACHINE_FIRMWARE_BY,
        [SMBIOS_FIRMWARE_VERSION] = FACT_MACHINE_FIRMWARE_VERSION,
        [SMBIOS_FIRMWARE_DATE] = FACT_MACHINE_FIRMWARE_DATE,
        [SMBIOS_MAKER] = FACT_MACHINE_MAKER,
        [SMBIOS_PRODUCT] = FACT_MACHINE_PRODUCT,
        [SMBIOS_SERIAL] = FACT_MACHINE_SERIAL,
        [SMBIOS_BOARD_MAKER] = FACT_MACHINE_BOARD_MAKER,
        [SMBIOS_BOARD] = FACT_MACHINE_BOARD,
        [SMBIOS_BOARD_SERIAL] = FACT_MACHINE_BOARD_SERIAL,
    };

    for (unsigned i = 0; i < SMBIOS_TEXTS; i++)
        if (board->text[i][0])
            fact_text(out, facts[i], board->text[i]);
    if (board->uuid[0])
        fact_text(out, FACT_MACHINE_UUID, board->uuid);
    if (fw->mac[0])
        fact_text(out, FACT_MACHINE_MAC, fw->mac);
}
