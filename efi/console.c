/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Text output and keys, through the firmware's console: screens and serial lines look the same. ConOut or ConIn may be
 * NULL: UEFI 2.10 wants them even without a device (section 4.3, EFI_SYSTEM_TABLE), older firmware is not relied upon.
 */
#include "efi/efi_firmware.h"

/* Serial consoles of firmware write slowly, character by character; chunks reduce the number of calls. */
enum { CHUNK = 128, ROWS = 25, COLUMNS = 80 };

enum { LOOK_MS = 100, STEP_MS = 10 };

/* Before UEFI 2.0's graphics protocol, a boot logo is a mode of the console, and text is not seen until it is left
 * (Intel EFI toolkit and EDK, ConsoleControl.h; systemd-boot and rEFIt leave it in the same way). */
enum { SCREEN_TEXT, SCREEN_GRAPHICS };
struct efi_console_control {
    EFI_STATUS(EFIAPI *get_mode)(struct efi_console_control *, UINT32 *mode, BOOLEAN *graphics_exist, BOOLEAN *locked);
    EFI_STATUS(EFIAPI *set_mode)(struct efi_console_control *, UINT32 mode);
    VOID *lock;
};
static const EFI_GUID console_control_guid = {
    0xf42f7782, 0x012e, 0x4c12, {0x99, 0x56, 0x49, 0xf9, 0x43, 0x04, 0xf7, 0x21}};

static void leave_graphics(struct efi_firmware *efi)
{
    struct efi_console_control *control;
    UINT32 mode;
    BOOLEAN graphics_exist, locked;

    efi->graphics = NULL;
    if (efi->system->BootServices->LocateProtocol((EFI_GUID *)&console_control_guid, NULL, (VOID **)&control) !=
            EFI_SUCCESS ||
        control->get_mode(control, &mode, &graphics_exist, &locked) != EFI_SUCCESS || mode == SCREEN_TEXT)
        return;
    if (control->set_mode(control, SCREEN_TEXT) == EFI_SUCCESS && mode == SCREEN_GRAPHICS)
        efi->graphics = control;
}

void efi_console_open(struct efi_firmware *efi)
{
    SIMPLE_TEXT_OUTPUT_INTERFACE *out = efi->system->ConOut;
    UINTN rows, columns;

    efi->firmware.rows = ROWS;
    efi->firmware.columns = COLUMNS;
    efi->firmware.keys = efi->system->ConIn != NULL;
    efi->attribute = EFI_TEXT_ATTR(EFI_LIGHTGRAY, EFI_BLACK);
    leave_graphics(efi);
    if (!out)
        return;
    if (out->Mode)
        efi->attribute = (UINTN)(UINT32)out->Mode->Attribute;
    (void)out->ClearScreen(out); /* the firmware's logo would remain in the first table */
    if (out->Mode && out->Mode->Mode >= 0 &&
        out->QueryMode(out, (UINTN)out->Mode->Mode, &columns, &rows) == EFI_SUCCESS && rows >= 2 && columns >= 2) {
        efi->firmware.rows = (uint32_t)rows;
        efi->firmware.columns = (uint32_t)columns;
    }
}

void efi_console_close(struct efi_firmware *efi)
{
    if (efi->graphics)
        (void)efi->graphics->set_mode(efi->graphics, SCREEN_GRAPHICS);
}

void efi_print(struct firmware *fw, const char *text, size_t length)
{
    SIMPLE_TEXT_OUTPUT_INTERFACE *out = efi_of(fw)->system->ConOut;
    CHAR16 chunk[CHUNK + 3];
    size_t used = 0;

    for (size_t i = 0; out && i < length; i++) {
        unsigned char c = (unsigned char)text[i];

        if (c == '\n')
            chunk[used++] = '\r';
        /* Our own text is ASCII; what comes from a file name or a settings file may not be. */
        chunk[used++] = c < 0x80 ? c : '?';
        if (used >= CHUNK || i + 1 == length) {
            chunk[used] = 0;
            (void)out->OutputString(out, chunk); /* a failing console cannot be reported anywhere */
            used = 0;
        }
    }
}

void efi_clear(struct firmware *fw)
{
    SIMPLE_TEXT_OUTPUT_INTERFACE *out = efi_of(fw)->system->ConOut;

    if (out)
        (void)out->ClearScreen(out);
}

bool efi_place(struct firmware *fw, uint32_t row, uint32_t column)
{
    SIMPLE_TEXT_OUTPUT_INTERFACE *out = efi_of(fw)->system->ConOut;

    return out && out->SetCursorPosition(out, column, row) == EFI_SUCCESS;
}

void efi_paint(struct firmware *fw, enum paint paint)
{
    static const uint8_t attributes[PAINTS] = {
        [PAINT_TITLE] = EFI_WHITE | EFI_BACKGROUND_BLUE,   [PAINT_CHOSEN] = EFI_BLACK | EFI_BACKGROUND_LIGHTGRAY,
        [PAINT_FAINT] = EFI_CYAN | EFI_BACKGROUND_BLACK,   [PAINT_GOOD] = EFI_LIGHTGREEN | EFI_BACKGROUND_BLACK,
        [PAINT_BAD] = EFI_LIGHTRED | EFI_BACKGROUND_BLACK, [PAINT_WARNING] = EFI_YELLOW | EFI_BACKGROUND_BLACK,
        [PAINT_WARM] = EFI_YELLOW | EFI_BACKGROUND_BLACK,  [PAINT_HOT] = EFI_LIGHTRED | EFI_BACKGROUND_BLACK,
    };
    SIMPLE_TEXT_OUTPUT_INTERFACE *out = efi_of(fw)->system->ConOut;

    if (out)
        (void)out->SetAttribute(out, paint == PAINT_PLAIN ? efi_of(fw)->attribute : attributes[paint]);
}

/* Waits with the processor halted, if firmware does so, until this time has passed (returns true) or a key's event
 * comes; returns at once if firmware has no timers. */
static bool rests(EFI_BOOT_SERVICES *boot, uint64_t microseconds, EFI_EVENT key)
{
    EFI_EVENT events[2] = {NULL, key};
    UINTN index;

    if (boot->CreateEvent(EVT_TIMER, TPL_APPLICATION, NULL, NULL, &events[0]) != EFI_SUCCESS)
        return false;
    if (boot->SetTimer(events[0], TimerRelative, 10 * microseconds) != EFI_SUCCESS ||
        boot->WaitForEvent(key ? 2 : 1, events, &index) != EFI_SUCCESS)
        index = 1;
    (void)boot->CloseEvent(events[0]);
    return index == 0;
}

void efi_rest(struct efi_firmware *efi, uint32_t microseconds)
{
    EFI_BOOT_SERVICES *boot = efi->system->BootServices;

    if (!rests(boot, microseconds, NULL))
        (void)boot->Stall(microseconds);
}

/* UEFI 2.10, appendix B, table B.1 (EFI Scan Codes). */
static int key_of(UINT16 scan_code)
{
    static const uint16_t keys[] = {
        [SCAN_UP] = KEY_UP,         [SCAN_DOWN] = KEY_DOWN,       [SCAN_RIGHT] = KEY_RIGHT,
        [SCAN_LEFT] = KEY_LEFT,     [SCAN_HOME] = KEY_HOME,       [SCAN_END] = KEY_END,
        [SCAN_DELETE] = KEY_DELETE, [SCAN_PAGE_UP] = KEY_PAGE_UP, [SCAN_PAGE_DOWN] = KEY_PAGE_DOWN,
        [SCAN_ESC] = KEY_ESCAPE,
    };

    return scan_code < sizeof(keys) / sizeof(keys[0]) && keys[scan_code] ? keys[scan_code] : KEY_OTHER;
}

static int take_key(SIMPLE_INPUT_INTERFACE *in)
{
    EFI_INPUT_KEY key;

    if (!in || in->ReadKeyStroke(in, &key) != EFI_SUCCESS)
        return KEY_NONE;
    if (key.UnicodeChar == '\r' || key.UnicodeChar == '\n')
        return KEY_ENTER;
    if (key.UnicodeChar == 0x1b)
        return KEY_ESCAPE;
    if (key.UnicodeChar == '\t')
        return KEY_TAB;
    if (key.UnicodeChar == '\b' || key.UnicodeChar == 0x7f)
        return KEY_BACKSPACE;
    if (key.UnicodeChar >= 0x20 && key.UnicodeChar < 0x7f)
        return (int)key.UnicodeChar;
    return key_of(key.ScanCode);
}

/* Looks for a key from time to time even without its event, and again after an event without a key: firmware has both
 * faults. */
int efi_read_key(struct firmware *fw, uint32_t timeout_ms)
{
    EFI_SYSTEM_TABLE *system = efi_of(fw)->system;
    EFI_BOOT_SERVICES *boot = system->BootServices;
    SIMPLE_INPUT_INTERFACE *in = system->ConIn;
    int key = take_key(in);

    for (uint32_t waited = 0; key == KEY_NONE && waited < timeout_ms;) {
        uint32_t slice = timeout_ms - waited < LOOK_MS ? timeout_ms - waited : LOOK_MS;
        bool passed = rests(boot, 1000ull * slice, in ? in->WaitForKey : NULL);

        key = take_key(in);
        if (key == KEY_NONE && !passed) {
            slice = slice < STEP_MS ? slice : STEP_MS;
            (void)boot->Stall(1000 * slice);
        }
        waited += slice;
    }
    return key;
}
