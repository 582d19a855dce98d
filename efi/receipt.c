/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Receipts of a boot server that checks the runs which it takes. Its file "confirmed/wait" tells
 * that there is one, and for how many seconds a machine waits for it.
 *
 * The last file of a run but begun.ini is sums.txt:
 *
 *     try 1
 *     8d1f02a7 12345 report.txt     CRC-32C, bytes, and name of each file that was sent
 *     end
 *
 * The server answers in "confirmed/MAC,DATE-TIME-NUMBER,RUN": with the bytes of sums.txt when it has all that on its
 * disk, with "again" in a line before them when it has something else. Each sending of a run has another "try".
 */
#include "efi/efi_firmware.h"

#include "core/base/crc32c.h"
#include "core/base/mem.h"
#include "core/base/out.h"
#include "core/base/str.h"

enum {
    WAIT_MAX = 86400,    /* seconds */
    REPEAT_SECONDS = 20, /* then sums.txt is sent again: a server may have lost it with its memory */
    PAUSE_SECONDS = 2,
    /* EDK II asks seven times, for four seconds each (NetworkPkg/UefiPxeBcDxe/PxeBcImpl.h, PXEBC_MTFTP_*). */
    SILENT_SECONDS = 28,
};

static const char begun[] = "begun.ini", again[] = "again\n";

/* Returns the name of the run's file; NULL: not of a run. */
static const char *file_of(const struct efi_firmware *efi, const char *name)
{
    char first[EFI_PATH_MAX];
    struct out_memory text;

    out_memory_init(&text, first, sizeof(first));
    out_printf(&text.out, "runs/%s,%s,%s,", efi->network.machine, efi->network.booted, efi->network.last_run);
    return efi->network.last_run[0] && strlen(name) > text.needed && !memcmp(name, first, text.needed)
               ? name + text.needed
               : NULL;
}

static void start(struct efi_receipt *receipt, unsigned try)
{
    receipt->try = try;
    out_memory_init(&receipt->sums, receipt->text, sizeof(receipt->text));
    out_printf(&receipt->sums.out, "try %u\n", try);
}

/* Returns the number in the text's first line; 0: none, or too large. */
static unsigned seconds_of(const char *text, UINT64 size)
{
    uint64_t seconds;
    UINT64 length = 0;

    while (length < size && text[length] != '\n')
        length++;
    return length < size && str_to_uint(text, length, &seconds) && seconds <= WAIT_MAX ? (unsigned)seconds : 0;
}

void efi_receipt_begin(struct efi_firmware *efi)
{
    struct efi_receipt *receipt = &efi->network.receipt;
    char name[] = "confirmed/wait", text[16];
    UINT64 size = sizeof(text);
    enum firmware_error error = efi_download(efi, name, text, &size);

    if (error != FIRMWARE_NO_ANSWER)
        receipt->wait = error ? 0 : seconds_of(text, size);
    start(receipt, 1);
}

void efi_receipt_add(struct efi_firmware *efi, const char *name, const void *bytes, size_t size)
{
    const char *file = file_of(efi, name);

    if (file && !str_equal(file, begun))
        out_printf(&efi->network.receipt.sums.out, "%08x %zu %s\n", crc32c(0, bytes, size), size, file);
}

/* Sends a file of the run. */
static enum firmware_error send(struct efi_firmware *efi, const char *file, void *bytes, size_t size)
{
    char name[EFI_PATH_MAX];
    struct out_memory text;

    out_memory_init(&text, name, sizeof(name));
    out_printf(&text.out, "runs/%s,%s,%s,%s", efi->network.machine, efi->network.booted, efi->network.last_run, file);
    return text.needed < sizeof(name) ? efi_upload(efi, name, bytes, size) : FIRMWARE_FAILED;
}

enum firmware_error efi_receipt_finish(struct efi_firmware *efi, const char *name)
{
    struct efi_receipt *receipt = &efi->network.receipt;
    const char *file = file_of(efi, name);
    char newline[] = "\n";

    if (receipt->wait && file && str_equal(file, begun)) {
        enum firmware_error error;

        out_printf(&receipt->sums.out, "end\n");
        error = receipt->sums.needed < sizeof(receipt->text)
                    ? send(efi, "sums.txt", receipt->text, receipt->sums.needed)
                    : FIRMWARE_FAILED;
        receipt->asked = !error;
        if (error)
            return error;
    }
    return efi_upload(efi, name, newline, sizeof(newline) - 1);
}

/* Returns the server's answer on the run; FIRMWARE_NOT_FOUND: none yet. */
static enum firmware_error read_answer(struct efi_firmware *efi)
{
    struct efi_receipt *receipt = &efi->network.receipt;
    char name[EFI_PATH_MAX], answer[sizeof(receipt->text) + sizeof(again)];
    size_t length = receipt->sums.needed, before = sizeof(again) - 1;
    UINT64 size = sizeof(answer);
    struct out_memory text;
    enum firmware_error error;

    out_memory_init(&text, name, sizeof(name));
    out_printf(&text.out, "confirmed/%s,%s,%s", efi->network.machine, efi->network.booted, efi->network.last_run);
    error = text.needed < sizeof(name) ? efi_download(efi, name, answer, &size) : FIRMWARE_FAILED;
    if (error)
        return error == FIRMWARE_NO_ANSWER ? error : FIRMWARE_NOT_FOUND;
    if (size == length && !memcmp(answer, receipt->text, length))
        return FIRMWARE_OK;
    /* An answer to an earlier try: the server has not checked this one yet. */
    return size == before + length && !memcmp(answer, again, before) && !memcmp(answer + before, receipt->text, length)
               ? FIRMWARE_DAMAGED
               : FIRMWARE_NOT_FOUND;
}

enum firmware_error efi_receipt_wait(struct firmware *fw)
{
    static const char said[] = "The boot server has checked the run and keeps it.\n";
    struct efi_firmware *efi = efi_of(fw);
    struct efi_receipt *receipt = &efi->network.receipt;
    char newline[] = "\n";

    if (!receipt->wait)
        return FIRMWARE_OK;
    for (unsigned waited = 0, repeated = 0; receipt->asked;) {
        enum firmware_error error = read_answer(efi);

        if (error == FIRMWARE_OK)
            efi->firmware.print(&efi->firmware, said, sizeof(said) - 1);
        if (error == FIRMWARE_DAMAGED)
            start(receipt, receipt->try + 1);
        if (error == FIRMWARE_OK || error == FIRMWARE_DAMAGED)
            return error;
        waited += PAUSE_SECONDS + (error == FIRMWARE_NO_ANSWER ? SILENT_SECONDS : 0);
        if (waited >= receipt->wait)
            break;
        efi_rest(efi, PAUSE_SECONDS * 1000000);
        if (waited - repeated < REPEAT_SECONDS)
            continue;
        repeated = waited;
        if (send(efi, "sums.txt", receipt->text, receipt->sums.needed) == FIRMWARE_OK)
            (void)send(efi, begun, newline, sizeof(newline) - 1); /* the next time will do */
    }
    return FIRMWARE_UNCONFIRMED;
}
