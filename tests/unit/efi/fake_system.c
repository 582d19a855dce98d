/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/unit/efi/fake_system.h"

#include <string.h>

struct fake_system fake_system;

static EFI_STATUS EFIAPI output_string(SIMPLE_TEXT_OUTPUT_INTERFACE *out, CHAR16 *text)
{
    size_t before = fake_system.length;

    assert_ptr_equal(out, &fake_system.out);
    for (; *text; text++) {
        assert_true(fake_system.length + 1 < FAKE_TEXT);
        fake_system.text[fake_system.length++] = (char)*text;
    }
    fake_system.text[fake_system.length] = '\0';
    fake_system.pieces++;
    if (fake_system.length - before > fake_system.longest)
        fake_system.longest = fake_system.length - before;
    return EFI_SUCCESS;
}

static EFI_STATUS EFIAPI query_mode(SIMPLE_TEXT_OUTPUT_INTERFACE *out, UINTN mode, UINTN *columns, UINTN *rows)
{
    if (!fake_system.rows || mode != (UINTN)out->Mode->Mode)
        return EFI_UNSUPPORTED;
    *columns = fake_system.columns;
    *rows = fake_system.rows;
    return EFI_SUCCESS;
}

static EFI_STATUS EFIAPI set_attribute(SIMPLE_TEXT_OUTPUT_INTERFACE *out, UINTN attribute)
{
    assert_ptr_equal(out, &fake_system.out);
    fake_system.attribute = attribute;
    return EFI_SUCCESS;
}

static EFI_STATUS EFIAPI set_cursor_position(SIMPLE_TEXT_OUTPUT_INTERFACE *out, UINTN column, UINTN row)
{
    assert_ptr_equal(out, &fake_system.out);
    if (row >= fake_system.rows || column >= fake_system.columns)
        return EFI_UNSUPPORTED;
    fake_system.row = row;
    fake_system.column = column;
    return EFI_SUCCESS;
}

static EFI_STATUS EFIAPI clear_screen(SIMPLE_TEXT_OUTPUT_INTERFACE *out)
{
    assert_ptr_equal(out, &fake_system.out);
    fake_system.clears++;
    return EFI_SUCCESS;
}

static EFI_STATUS EFIAPI read_key_stroke(SIMPLE_INPUT_INTERFACE *in, EFI_INPUT_KEY *key)
{
    assert_ptr_equal(in, &fake_system.in);
    if (!fake_system.keys || !*fake_system.keys)
        return EFI_NOT_READY;
    *key = (EFI_INPUT_KEY){0, (UINT8)*fake_system.keys++};
    if (key->UnicodeChar == 0xff)
        *key = (EFI_INPUT_KEY){fake_system.scan_code, 0};
    return EFI_SUCCESS;
}

static void type(void)
{
    if (fake_system.typed_later)
        fake_system.keys = fake_system.typed_later;
    fake_system.typed_later = NULL;
}

static EFI_STATUS EFIAPI stall(UINTN microseconds)
{
    type();
    fake_system.stalled_us += microseconds;
    return EFI_SUCCESS;
}

static uint64_t timer; /* in units of 100 ns */

static EFI_STATUS EFIAPI create_event(UINT32 type, EFI_TPL tpl, EFI_EVENT_NOTIFY notify, VOID *context, EFI_EVENT *ret)
{
    assert_int_equal(type, EVT_TIMER);
    assert_null(notify); /* WaitForEvent() refuses an event with a notify function */
    if (fake_system.refused_timer == 1)
        return EFI_OUT_OF_RESOURCES;
    fake_system.timers++;
    *ret = &timer;
    return EFI_SUCCESS;
}

static EFI_STATUS EFIAPI set_timer(EFI_EVENT event, EFI_TIMER_DELAY how, UINT64 time)
{
    assert_ptr_equal(event, &timer);
    assert_int_equal(how, TimerRelative);
    timer = time;
    return fake_system.refused_timer == 2 ? EFI_UNSUPPORTED : EFI_SUCCESS;
}

static EFI_STATUS EFIAPI wait_for_event(UINTN events, EFI_EVENT *event, UINTN *ret_index)
{
    bool typed;

    if (fake_system.refused_timer != 3)
        type();
    typed = !fake_system.no_key_events && fake_system.keys && *fake_system.keys;
    typed = events == 2 && (typed || fake_system.key_events);
    assert_in_range(events, 1, 2);
    assert_ptr_equal(event[0], &timer);
    assert_true(events == 1 || event[1] == &fake_system.keys);
    if (fake_system.refused_timer == 3)
        return EFI_UNSUPPORTED;
    if (!typed)
        fake_system.rested_us += timer / 10;
    *ret_index = typed;
    return EFI_SUCCESS;
}

static EFI_STATUS EFIAPI close_event(EFI_EVENT event)
{
    assert_ptr_equal(event, &timer);
    fake_system.timers--;
    return EFI_SUCCESS;
}

/* The functions are in the order of ConsoleControl.h, which is part of the protocol. */
static EFI_STATUS EFIAPI get_mode(void *control, UINT32 *mode, BOOLEAN *graphics_exist, BOOLEAN *locked)
{
    *mode = fake_system.screen;
    *graphics_exist = TRUE;
    *locked = FALSE;
    return fake_system.refuses;
}

static EFI_STATUS EFIAPI set_mode(void *control, UINT32 mode)
{
    fake_system.screen = mode;
    return EFI_SUCCESS;
}

static const struct {
    EFI_STATUS(EFIAPI *get)(void *, UINT32 *, BOOLEAN *, BOOLEAN *);
    EFI_STATUS(EFIAPI *set)(void *, UINT32);
    void *lock;
} control = {get_mode, set_mode, NULL};

static EFI_STATUS EFIAPI locate_protocol(EFI_GUID *guid, VOID *registration, VOID **ret_interface)
{
    static const uint8_t console_control[16] = {0x82, 0x77, 0x2f, 0xf4, 0x2e, 0x01, 0x12, 0x4c,
                                                0x99, 0x56, 0x49, 0xf9, 0x43, 0x04, 0xf7, 0x21};

    if (fake_system.card && !memcmp(guid, &(EFI_GUID)EFI_SIMPLE_NETWORK_PROTOCOL_GUID, sizeof(EFI_GUID))) {
        *ret_interface = fake_system.card;
        return EFI_SUCCESS;
    }
    if (!fake_system.has_control || memcmp(guid, console_control, sizeof(console_control)) != 0)
        return EFI_NOT_FOUND;
    *ret_interface = (void *)&control;
    return EFI_SUCCESS;
}

void fake_system_init(struct efi_firmware *efi)
{
    memset(&fake_system, 0, sizeof(fake_system));
    fake_system.rows = 25;
    fake_system.columns = 80;
    fake_system.out = (SIMPLE_TEXT_OUTPUT_INTERFACE){.OutputString = output_string,
                                                     .QueryMode = query_mode,
                                                     .ClearScreen = clear_screen,
                                                     .SetAttribute = set_attribute,
                                                     .SetCursorPosition = set_cursor_position,
                                                     .Mode = &fake_system.mode};
    fake_system.in = (SIMPLE_INPUT_INTERFACE){.ReadKeyStroke = read_key_stroke, .WaitForKey = &fake_system.keys};
    fake_system.boot.Stall = stall;
    fake_system.boot.CreateEvent = create_event;
    fake_system.boot.SetTimer = set_timer;
    fake_system.boot.WaitForEvent = wait_for_event;
    fake_system.boot.CloseEvent = close_event;
    fake_system.boot.LocateProtocol = (EFI_LOCATE_PROTOCOL)locate_protocol;
    fake_system.table = (EFI_SYSTEM_TABLE){.ConOut = &fake_system.out,
                                           .ConIn = &fake_system.in,
                                           .BootServices = &fake_system.boot,
                                           .RuntimeServices = &fake_system.runtime};
    *efi = (struct efi_firmware){.system = &fake_system.table};
    efi->firmware.context = efi;
}
