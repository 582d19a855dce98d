/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Files to the boot server: their names, and waiting for a server that does not answer.
 *
 * A file of a run is "runs/MAC,DATE-TIME-NUMBER,RUN,NAME". TFTP overwrites existing files, a clock may stand still,
 * and two machines may have one MAC address. So the number differs in each boot, and before a run begins the server is
 * asked for its files: if one exists, this boot gets another number.
 */
#include "efi/efi_firmware.h"

#include "core/base/crc32c.h"
#include "core/base/mem.h"
#include "core/base/out.h"

enum {
    NOT_FOUND = 1, /* RFC 1350, appendix: error codes */
    DISK_FULL = 3,
    NUMBERS = 16, /* that are tried */
    AWAY_SECONDS = 60,
    PAUSE_SECONDS = 4,
};

enum firmware_error efi_network_error(EFI_STATUS status, UINT16 code)
{
    switch (status) {
    case EFI_SUCCESS:
        return FIRMWARE_OK;
    case EFI_BUFFER_TOO_SMALL:
        return FIRMWARE_TOO_LARGE;
    case EFI_TIMEOUT:
    case EFI_NO_RESPONSE:
    case EFI_ICMP_ERROR:
    case EFI_NO_MEDIA: /* no cable */
        return FIRMWARE_NO_ANSWER;
    case EFI_UNSUPPORTED:
        return FIRMWARE_NO_UPLOAD;
    case EFI_TFTP_ERROR:
        return code == NOT_FOUND ? FIRMWARE_NOT_FOUND : code == DISK_FULL ? FIRMWARE_FULL : FIRMWARE_REFUSED;
    case EFI_NOT_FOUND: /* this and the next: iPXE, which does not give the server's code */
        return FIRMWARE_NOT_FOUND;
    case EFI_ACCESS_DENIED:
        return FIRMWARE_REFUSED;
    default:
        return FIRMWARE_FAILED;
    }
}

const char *efi_upload_run(const char *path)
{
    static const char runs[] = "\\ibsboot\\runs\\";
    size_t length = sizeof(runs) - 1;

    return strlen(path) > length && !memcmp(path, runs, length) ? path + length : NULL;
}

bool efi_upload_is_kept(const char *path)
{
    static const char kept[] = FIRMWARE_KEPT;
    size_t length = sizeof(kept) - 1;

    return strlen(path) > length && !memcmp(path, kept, length);
}

/* Writes "runs/MAC,DATE-TIME-NUMBER,RUN,NAME"; for other files, "runs/MAC,DATE-TIME-NUMBER,,NAME"; for those kept from
 * boot to boot, "runs/MAC,kept,NAME". */
bool efi_upload_name(const struct efi_firmware *efi, const char *path, const char *end, char (*ret_name)[EFI_PATH_MAX])
{
    const char *rest = efi_upload_run(path);
    bool kept = efi_upload_is_kept(path);
    struct out_memory text;

    out_memory_init(&text, *ret_name, sizeof(*ret_name));
    out_printf(&text.out, "runs/%s,%s,", efi->network.machine, kept ? "kept" : efi->network.booted);
    if (!rest) {
        out_printf(&text.out, kept ? "" : ",");
        rest = path;
        for (const char *at = path; *at; at++)
            if (*at == '\\')
                rest = at + 1;
    }
    for (; *rest; rest++)
        out_printf(&text.out, "%c", *rest == '\\' ? ',' : *rest);
    out_printf(&text.out, "%s", end);
    return text.needed < sizeof(*ret_name);
}

void efi_upload_name_boot(struct efi_firmware *efi)
{
    /* The TSC counts from the reset on, and no two boots arrive here after the same number of ticks. The upper half of
     * the firmware's count is the number of resets (UEFI specification, GetNextMonotonicCount()). */
    struct {
        UINT64 ticks, count;
        EFI_TIME time;
    } boot = {.ticks = __builtin_ia32_rdtsc()};
    struct out_memory text;

    (void)efi->system->BootServices->GetNextMonotonicCount(&boot.count);
    if (efi->system->RuntimeServices->GetTime(&boot.time, NULL) != EFI_SUCCESS)
        memset(&boot.time, 0, sizeof(boot.time));
    out_memory_init(&text, efi->network.booted, sizeof(efi->network.booted));
    out_printf(&text.out, "%04u%02u%02u-%02u%02u%02u-%08x", boot.time.Year, boot.time.Month, boot.time.Day,
               boot.time.Hour, boot.time.Minute, boot.time.Second, crc32c(0, &boot, sizeof(boot)));
}

/* Returns whether the server has a file of this run. A server that delivers no files is asked for nothing more. */
static bool is_there(struct efi_firmware *efi, const char *path)
{
    static const char *const first[] = {",begun.ini",
                                        ",report.txt"}; /* the first file of a run, with and without begun.ini */
    char name[EFI_PATH_MAX];

    for (unsigned i = 0; i < sizeof(first) / sizeof(first[0]); i++) {
        UINT8 byte;
        UINT64 size = sizeof(byte);
        enum firmware_error error;

        if (!efi_upload_name(efi, path, first[i], &name))
            return false;
        error = efi_download(efi, name, &byte, &size);
        if (error == FIRMWARE_OK || error == FIRMWARE_TOO_LARGE)
            return true;
        if (error == FIRMWARE_NO_ANSWER)
            return false;
    }
    return false;
}

enum firmware_error efi_upload_begin(struct efi_firmware *efi, const char *path)
{
    for (unsigned i = 0; i < NUMBERS; i++) {
        if (!is_there(efi, path))
            return FIRMWARE_OK;
        efi_upload_name_boot(efi);
    }
    return FIRMWARE_REFUSED;
}

/* Returns false for begun.ini, without which only a run's last phase is unknown. */
static bool is_worth_waiting(const char *name)
{
    static const char begun[] = ",begun.ini";
    size_t length = strlen(name), end = sizeof(begun) - 1;

    return length < end || memcmp(name + length - end, begun, end) != 0;
}

enum firmware_error efi_upload(struct efi_firmware *efi, const char *name, void *bytes, size_t size)
{
    unsigned waited = 0, most = efi->network.receipt.wait > AWAY_SECONDS ? efi->network.receipt.wait : AWAY_SECONDS;

    for (;;) {
        UINT16 code;
        EFI_STATUS status = efi_mtftp_write(efi, name, bytes, size, &code);
        enum firmware_error error = efi_network_error(status, code);
        char line[100];
        struct out_memory text;

        if (error == FIRMWARE_NOT_FOUND)
            return FIRMWARE_REFUSED; /* the folder 'runs' is missing, or files must exist already */
        if (status == EFI_TIMEOUT)
            waited += EFI_MTFTP_SECONDS;
        if (error != FIRMWARE_NO_ANSWER || waited >= most || !is_worth_waiting(name))
            return error;
        waited += PAUSE_SECONDS;
        out_memory_init(&text, line, sizeof(line));
        out_printf(&text.out, "\nThe boot server does not answer (TFTP); tried again after %u s of %u.\n", waited,
                   most);
        efi->firmware.print(&efi->firmware, line, strlen(line));
        efi_rest(efi, PAUSE_SECONDS * 1000000);
    }
}
