/* SPDX-License-Identifier: BSD-2-Clause */
/* Console, time, and switching off. */
#include "bios/uefi/uefi.h"

#include "bios/clock.h"
#include "bios/console.h"
#include "bios/real.h"
#include "core/base/mem.h"
#include "drivers/cpu/cpu.h"

EFI_STATUS EFIAPI uefi_output_string(SIMPLE_TEXT_OUTPUT_INTERFACE *out, CHAR16 *text)
{
    for (; *text; text++)
        console_put(*text);
    return EFI_SUCCESS;
}

EFI_STATUS EFIAPI uefi_query_mode(SIMPLE_TEXT_OUTPUT_INTERFACE *out, UINTN mode, UINTN *columns, UINTN *rows)
{
    if (mode != 0)
        return EFI_UNSUPPORTED;
    *columns = CONSOLE_COLUMNS;
    *rows = CONSOLE_ROWS;
    return EFI_SUCCESS;
}

EFI_STATUS EFIAPI uefi_clear_screen(SIMPLE_TEXT_OUTPUT_INTERFACE *out)
{
    console_clear();
    return EFI_SUCCESS;
}

EFI_STATUS EFIAPI uefi_set_attribute(SIMPLE_TEXT_OUTPUT_INTERFACE *out, UINTN attribute)
{
    if (attribute > 0x7f)
        return EFI_UNSUPPORTED;
    console_attribute((uint8_t)attribute);
    return EFI_SUCCESS;
}

EFI_STATUS EFIAPI uefi_set_cursor_position(SIMPLE_TEXT_OUTPUT_INTERFACE *out, UINTN column, UINTN row)
{
    return row < CONSOLE_ROWS && console_move((unsigned)row, (unsigned)column) ? EFI_SUCCESS : EFI_UNSUPPORTED;
}

EFI_STATUS EFIAPI uefi_read_key_stroke(SIMPLE_INPUT_INTERFACE *in, EFI_INPUT_KEY *ret_key)
{
    struct console_key key;

    if (!console_key(&key))
        return EFI_NOT_READY;
    *ret_key = (EFI_INPUT_KEY){.ScanCode = key.scan_code, .UnicodeChar = key.character};
    return EFI_SUCCESS;
}

EFI_STATUS EFIAPI uefi_stall(UINTN microseconds)
{
    uefi_cores_look();
    clock_wait(microseconds);
    return EFI_SUCCESS;
}

/* There is no watchdog to set. */
EFI_STATUS EFIAPI uefi_set_watchdog_timer(UINTN seconds, UINT64 code, UINTN size, CHAR16 *data)
{
    return seconds ? EFI_UNSUPPORTED : EFI_SUCCESS;
}

EFI_STATUS EFIAPI uefi_get_time(EFI_TIME *time, EFI_TIME_CAPABILITIES *capabilities)
{
    struct civil now;

    if (!clock_read(&now))
        return EFI_DEVICE_ERROR;
    memset(time, 0, sizeof *time);
    time->Year = now.year;
    time->Month = now.month;
    time->Day = now.day;
    time->Hour = now.hour;
    time->Minute = now.minute;
    time->Second = now.second;
    time->TimeZone = EFI_UNSPECIFIED_TIMEZONE;
    return EFI_SUCCESS;
}

/* APM BIOS Interface Specification 1.2, section 4.6: connect, driver version, set power state of all devices. */
static void power_off(void)
{
    enum { SYSTEM = 0x15, CONNECT = 0x5301, VERSION = 0x530E, POWER = 0x5307, VERSION_1_2 = 0x102, ALL = 1, OFF = 3 };
    struct real_registers registers = {.eax = CONNECT};

    real_interrupt(SYSTEM, &registers);
    registers = (struct real_registers){.eax = VERSION, .ecx = VERSION_1_2};
    real_interrupt(SYSTEM, &registers);
    registers = (struct real_registers){.eax = POWER, .ebx = ALL, .ecx = OFF};
    real_interrupt(SYSTEM, &registers);
}

/* Pulses the reset line by the keyboard controller, then sets bits 1 and 2 of the chipsets' port CF9h. */
static void reset(void)
{
    enum { KEYBOARD = 0x64, PULSE_RESET = 0xfe, CHIPSET = 0xcf9, SYSTEM_RESET = 2, RESET_CPU = 4, WAIT_US = 100000 };

    cpu_out8(KEYBOARD, PULSE_RESET);
    clock_wait(WAIT_US);
    cpu_out8(CHIPSET, SYSTEM_RESET);
    cpu_out8(CHIPSET, SYSTEM_RESET | RESET_CPU);
    clock_wait(WAIT_US);
}

/* Returns if that failed. */
EFI_STATUS EFIAPI uefi_reset_system(EFI_RESET_TYPE type, EFI_STATUS status, UINTN size, CHAR16 *data)
{
    console_end();
    if (type == EfiResetShutdown)
        power_off();
    else
        reset();
    return EFI_DEVICE_ERROR;
}
