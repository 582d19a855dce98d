/* SPDX-License-Identifier: BSD-2-Clause */
/* Text output and keys, through the firmware's console: 80x25 screens and serial lines look the same. */
#include "efi/efi_firmware.h"

/* Serial consoles of firmware write slowly, character by character; chunks reduce the number of calls. */
enum { CHUNK = 128 };

void efi_print(struct firmware *fw, const char *text, size_t length)
{
    SIMPLE_TEXT_OUTPUT_INTERFACE *out = efi_of(fw)->system->ConOut;
    CHAR16 chunk[CHUNK + 3];
    size_t used = 0;

    for (size_t i = 0; i < length; i++) {
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

int efi_read_key(struct firmware *fw, uint32_t timeout_ms)
{
    EFI_SYSTEM_TABLE *system = efi_of(fw)->system;
    EFI_BOOT_SERVICES *boot = system->BootServices;
    SIMPLE_INPUT_INTERFACE *in = system->ConIn;
    EFI_INPUT_KEY key;

    for (uint32_t waited = 0;; waited += 10) {
        if (in->ReadKeyStroke(in, &key) == EFI_SUCCESS) {
            if (key.UnicodeChar == '\r' || key.UnicodeChar == '\n')
                return FIRMWARE_KEY_ENTER;
            if (key.ScanCode == SCAN_ESC || key.UnicodeChar == 0x1b)
                return FIRMWARE_KEY_ESCAPE;
            if (key.UnicodeChar == '\b' || key.UnicodeChar == 0x7f)
                return FIRMWARE_KEY_BACKSPACE;
            if (key.UnicodeChar >= 0x20 && key.UnicodeChar < 0x7f)
                return (int)key.UnicodeChar;
            return FIRMWARE_KEY_OTHER;
        }
        if (waited >= timeout_ms)
            return FIRMWARE_KEY_NONE;
        (void)boot->Stall(10000);
    }
}
