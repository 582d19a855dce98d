/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/hardware/hardware.h"
#include "core/profile/csv.h"

void hardware_csv(struct out *out, const struct hardware_answer *answers)
{
    out_printf(out, "number,id,verdict,found,question,expected,check,changes\n");
    for (unsigned i = 0; i < HARDWARE_ROWS; i++) {
        const struct hardware_row *row = &hardware_rows[i];
        const char *const fields[] = {answers[i].found, row->question, row->expected, row->check, row->changes};

        out_printf(out, "%u,%s,%s", row->number, row->id, hardware_verdict_name(answers[i].verdict));
        for (unsigned f = 0; f < sizeof(fields) / sizeof(fields[0]); f++) {
            out_printf(out, ",");
            csv_field(out, fields[f]);
        }
        out_printf(out, "\n");
    }
}
