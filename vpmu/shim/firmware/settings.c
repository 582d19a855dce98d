/* SPDX-License-Identifier: BSD-2-Clause */
#include "vpmu/shim/firmware/settings.h"

#include "vpmu/model/free.h"
#include "vpmu/model/hostile.h"
#include "vpmu/shim/firmware/fw_cfg.h"
#include "vpmu/shim/firmware/serial.h"

static bool parse_bool(const char *text, bool *value)
{
    *value = text[0] == '1';
    return (text[0] == '0' || text[0] == '1') && !text[1];
}

static bool parse_number(const char *text, uint64_t *value)
{
    unsigned base = 10;
    if (text[0] == '0' && text[1] == 'x') {
        base = 16;
        text += 2;
    }
    *value = 0;
    if (!*text)
        return false;
    for (; *text; text++) {
        unsigned digit = *text >= '0' && *text <= '9'   ? (unsigned)(*text - '0')
                         : *text >= 'a' && *text <= 'f' ? (unsigned)(*text - 'a') + 10
                                                        : 99;
        if (digit >= base)
            return false;
        *value = *value * base + digit;
    }
    return true;
}

bool settings_read(struct shim_settings *settings)
{
    static const char default_image[] = "\\ibsboot\\ibsboot.efi";
    settings->revision = VPMU_REV_C;
    settings->late_nmi = false;
    settings->hostile = 0;
    settings->free = 0;
    settings->lose_stalled = false;
    settings->count_handler = settings->without_mp = settings->x2apic = false;
    settings->dead_core = 0;
    settings->nodes = 1;
    settings->os = settings->step_handlers = false;
    settings->code = 0;
    settings->seed = 1;
    settings->disturb = 0;
    settings->options[0] = 0;
    for (unsigned i = 0; i < sizeof default_image; i++)
        settings->image[i] = default_image[i];

    bool good = true;
    bool too_long = false;
    char text[512]; /* of all switches of hostile.h */
#define SETTING(name, buffer, parse)                                                                                   \
    if (fw_cfg_read("opt/ibsboot/" name, buffer, sizeof(buffer), &too_long) && (too_long || !(parse))) {               \
        say("vpmu: setting opt/ibsboot/" name ": %s\n", too_long ? "too long" : buffer);                               \
        good = false;                                                                                                  \
    }
    SETTING("revision", text, vpmu_revision_parse(text, &settings->revision))
    SETTING("late-nmi", text, parse_bool(text, &settings->late_nmi))
    SETTING("hostile", text, hostile_parse(text, &settings->hostile))
    SETTING("free", text, free_parse(text, &settings->free))
    SETTING("lose-stalled", text, parse_bool(text, &settings->lose_stalled))
    SETTING("count-handler", text, parse_bool(text, &settings->count_handler))
    SETTING("without-mp", text, parse_bool(text, &settings->without_mp))
    SETTING("x2apic", text, parse_bool(text, &settings->x2apic))
    SETTING("nodes", text,
            parse_number(text, &settings->nodes) && settings->nodes >= 1 && settings->nodes <= VPMU_NODES)
    SETTING("dead-core", text, parse_number(text, &settings->dead_core))
    SETTING("os", text, parse_bool(text, &settings->os))
    SETTING("code", text, parse_number(text, &settings->code))
    SETTING("step-handlers", text, parse_bool(text, &settings->step_handlers))
    SETTING("seed", text, parse_number(text, &settings->seed))
    SETTING("disturb", text, parse_number(text, &settings->disturb))
    SETTING("options", settings->options, true)
    SETTING("image", settings->image, true)
#undef SETTING
    return good;
}
