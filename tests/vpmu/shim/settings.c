#include "tests/vpmu/shim/settings.h"

#include "tests/vpmu/shim/serial.h"
#include "tests/vpmu/shim/x86.h"

/* QEMU docs/specs/fw_cfg: selector (16-bit, little-endian) and data (8-bit) ports of a PC, and two fixed keys. Numbers
 * in the directory are big-endian. */
enum {
    FW_CFG_SELECTOR = 0x510,
    FW_CFG_DATA = 0x511,
    FW_CFG_SIGNATURE = 0x0000,
    FW_CFG_DIRECTORY = 0x0019,
    FW_CFG_NAME = 56
};

static uint32_t read_be(unsigned bytes)
{
    uint32_t value = 0;
    while (bytes--) {
        value = value << 8 | x86_inb(FW_CFG_DATA);
    }
    return value;
}

static bool equal(const char *a, const char *b)
{
    while (*a && *a == *b) {
        a++;
        b++;
    }
    return *a == *b;
}

/* Copies the file's text. Returns false when there is no such file; *too_long when it does not fit. */
static bool read_file(const char *name, char *text, uint32_t size, bool *too_long)
{
    x86_outw(FW_CFG_SELECTOR, FW_CFG_SIGNATURE);
    if (read_be(4) != 0x51454d55) { /* "QEMU" */
        return false;
    }
    x86_outw(FW_CFG_SELECTOR, FW_CFG_DIRECTORY);
    uint32_t count = read_be(4);
    while (count--) {
        uint32_t length = read_be(4);
        uint16_t key = (uint16_t)read_be(2);
        (void)read_be(2);
        char found[FW_CFG_NAME];
        for (unsigned i = 0; i < FW_CFG_NAME; i++) {
            found[i] = (char)x86_inb(FW_CFG_DATA);
        }
        found[FW_CFG_NAME - 1] = 0;
        if (!equal(found, name)) {
            continue;
        }
        *too_long = length >= size;
        if (!*too_long) {
            x86_outw(FW_CFG_SELECTOR, key);
            for (uint32_t i = 0; i < length; i++) {
                text[i] = (char)x86_inb(FW_CFG_DATA);
            }
            text[length] = 0;
        }
        return true;
    }
    return false;
}

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
    if (!*text) {
        return false;
    }
    for (; *text; text++) {
        unsigned digit = *text >= '0' && *text <= '9'   ? (unsigned)(*text - '0')
                         : *text >= 'a' && *text <= 'f' ? (unsigned)(*text - 'a') + 10
                                                        : 99;
        if (digit >= base) {
            return false;
        }
        *value = *value * base + digit;
    }
    return true;
}

static bool parse_revision(const char *text, enum vpmu_revision *value)
{
    static const struct {
        char letter;
        enum vpmu_revision revision;
    } rows[] = {{'B', VPMU_REV_B}, {'C', VPMU_REV_C}, {'E', VPMU_REV_E}};
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (text[0] == rows[i].letter && !text[1]) {
            *value = rows[i].revision;
            return true;
        }
    }
    return false;
}

bool settings_read(struct shim_settings *settings)
{
    static const char default_image[] = "\\ibsboot\\ibsboot.efi";
    settings->revision = VPMU_REV_C;
    settings->late_nmi = false;
    settings->tag_stalled = false;
    settings->count_handler = settings->without_mp = false;
    settings->dead_core = 0;
    settings->nodes = 1;
    settings->os = settings->step_handlers = false;
    settings->code = 0;
    settings->seed = 1;
    settings->disturb = 0;
    settings->options[0] = 0;
    for (unsigned i = 0; i < sizeof default_image; i++) {
        settings->image[i] = default_image[i];
    }

    bool good = true;
    bool too_long = false;
    char text[32];
#define SETTING(name, buffer, parse)                                                                                   \
    if (read_file("opt/ibsboot/" name, buffer, sizeof(buffer), &too_long) && (too_long || !(parse))) {                 \
        say("vpmu: setting opt/ibsboot/" name ": %s\n", too_long ? "too long" : buffer);                               \
        good = false;                                                                                                  \
    }
    SETTING("revision", text, parse_revision(text, &settings->revision))
    SETTING("late-nmi", text, parse_bool(text, &settings->late_nmi))
    SETTING("tag-stalled", text, parse_bool(text, &settings->tag_stalled))
    SETTING("count-handler", text, parse_bool(text, &settings->count_handler))
    SETTING("without-mp", text, parse_bool(text, &settings->without_mp))
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
