/* SPDX-License-Identifier: BSD-2-Clause */
/* The steps that each question of config=hardware needs, and the events that must be counted: each step fails once, and
 * each event is once not modelled. The list is tests/unit/app/golden/hardware_uses.txt. */
#include <stdio.h>
#include <string.h>

#include "core/family/ibs_regs.h"
#include "tests/unit/app/hardware_made.h"

static void (*const functions[HARDWARE_ROWS])(struct hardware *) = {
#define HARDWARE  HARDWARE_ASKED
#define ASKED(id) [HARDWARE_##id] = hardware_ask_##id,
#include "core/hardware/hardware_rows.h"
#undef ASKED
#undef HARDWARE
};

/* Makes enough samples of all kinds, so that no question ends early. */
static void begin(char revision)
{
    made_begin();
    made_machine->revision = revision;
    fake_session.endless_ms = 1;
    for (unsigned i = 0; i < STEPS; i++) {
        const struct hardware_step_row *row = &hardware_step_rows[i];

        if (row->op_period)
            made_ops((enum hardware_steps)i, 40, IBS_OP_BRN_RET | IBS_OP_RETURN, IBS_NB_L3,
                     IBS_LD_OP | IBS_DC_LIN_ADDR_VALID | IBS_DC_PHY_ADDR_VALID | IBS_DC_MISS | IBS_DC_MAB_HIT |
                         IBS_DC_L1TLB_MISS);
        if (row->fetch_period)
            made_fetches((enum hardware_steps)i, 40, 0, 0);
        made->step[i].timer.by = TIMER_BY_APIC;
        strcpy(made->step[i].why, "as it is");
    }
}

static bool answers(unsigned question, const char *text)
{
    made->asking = (enum hardware_question)question;
    made->answer[question] = (struct hardware_answer){0};
    functions[question](made);
    return strstr(made->answer[question].found, text);
}

static bool is_first(unsigned step, unsigned event)
{
    for (unsigned i = 0; i <= step; i++)
        for (unsigned e = 0; e < PMC_LEGACY && (i < step || e < event); e++)
            if (hardware_step_rows[i].event[e].select == hardware_step_rows[step].event[event].select)
                return false;
    return hardware_step_rows[step].event[event].select != 0;
}

static void all_steps(bool good)
{
    for (unsigned i = 0; i < STEPS; i++)
        made->step[i].good = good;
}

static void line(char *text, size_t room, unsigned question)
{
    size_t length = 0;
    bool any;

    all_steps(false);
    any = answers(question, "as it is");
    all_steps(true);
    if (!any)
        return;
    for (unsigned i = 0; i < STEPS; i++) {
        made->step[i].good = false;
        if (answers(question, "as it is"))
            length += (size_t)snprintf(text + length, room - length, " %s", hardware_step_rows[i].name);
        made->step[i].good = true;
    }
    for (unsigned i = 0; i < STEPS; i++)
        for (unsigned e = 0; e < PMC_LEGACY; e++) {
            if (!is_first(i, e))
                continue;
            fake_session.not_modelled[0] = hardware_step_rows[i].event[e].select;
            if (answers(question, "is not modelled"))
                length += (size_t)snprintf(text + length, room - length, " %03X", fake_session.not_modelled[0]);
            fake_session.not_modelled[0] = 0;
        }
}

MADE(each_step_fails)
{
    static char text[HARDWARE_ROWS * 300];
    size_t length = 0;

    for (unsigned question = 0; question < HARDWARE_ROWS; question++) {
        char last[1000] = "";

        for (const char *revision = "CBE"; *revision && functions[question]; revision++) {
            char uses[1000] = "";

            begin(*revision);
            line(uses, sizeof(uses), question);
            if (!strcmp(uses, last))
                continue; /* as on the revision before; on the first revision, none */
            length += (size_t)snprintf(text + length, sizeof(text) - length, "%s, revision %c:%s\n",
                                       hardware_rows[question].id, *revision, uses);
            strcpy(last, uses);
        }
    }
    check_golden_text("hardware_uses.txt", text);
}
