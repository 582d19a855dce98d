/* SPDX-License-Identifier: BSD-2-Clause */
/* Identifies the machine and its firmware: lines of the report, and facts of run.ini. */
#ifndef APP_REPORT_BOARD_H
#define APP_REPORT_BOARD_H

#include "app/base/firmware.h"
#include "core/base/out.h"
#include "core/platform/smbios.h"

/* Prints below "Machine": system, board and firmware. */
void report_board(struct out *out, const struct firmware *fw, const struct smbios *board);

/* Writes the facts that SMBIOS has. */
void save_board_facts(struct out *out, const struct firmware *fw, const struct smbios *board);

#endif
