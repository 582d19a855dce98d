/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/run/area_refusal.h"

const char *area_refusal_text(enum area_refusal refusal)
{
#define AREA_TEXT(name, text) [AREA_##name] = text,
    static const char *const texts[AREA_REFUSAL_COUNT] = {AREA_REFUSALS(AREA_TEXT)};

    return (unsigned)refusal < AREA_REFUSAL_COUNT ? texts[refusal] : "unknown error";
}
