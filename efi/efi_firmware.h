/* SPDX-License-Identifier: BSD-2-Clause */
/* The UEFI side of struct firmware. Nothing outside efi/ includes this. */
#ifndef EFI_EFI_FIRMWARE_H
#define EFI_EFI_FIRMWARE_H

#include <efi.h>

#include "app/base/firmware.h"
#include "core/base/out.h"

enum { EFI_PATH_MAX = 256 };

struct efi_core {
    UINTN number; /* the firmware's */
    EFI_EVENT event;
    void (*function)(void *argument);
    void *argument;
    uint32_t running;  /* the function was handed over and has not returned */
    bool started;      /* ever: the event says when the firmware has the core back */
    EFI_STATUS status; /* of the last call that was to start it */
};

/* Keeps what a server that checks runs is told of the present one (efi/receipt.c). */
struct efi_receipt {
    unsigned wait; /* seconds in which the server confirms a run; 0: it does not */
    unsigned try;  /* 1: the run is sent for the first time */
    bool asked;    /* sums.txt was sent */
    struct out_memory sums;
    char text[2048]; /* sums.txt */
};

/* The volume of a machine that was booted over the network (efi/network.c). */
struct efi_network {
    EFI_PXE_BASE_CODE *pxe; /* NULL: it was not */
    EFI_IP_ADDRESS server;
    char machine[18];  /* the machine's MAC address, "52-54-00-12-34-56"; "": not known */
    char booted[32];   /* "20261122-231200-1b5b0071": the firmware's clock, and another number in each boot */
    char last_run[96]; /* "0001-matmul-classic-ibs"; "": none in this boot */
    bool unknown;      /* booted over the network, by something else than a TFTP server that is known */
    struct efi_receipt receipt;
};

struct mp_services;
struct efi_area;
struct efi_console_control;

struct efi_firmware {
    struct firmware firmware;
    EFI_HANDLE image;
    EFI_SYSTEM_TABLE *system;
    EFI_LOADED_IMAGE *loaded;
    EFI_FILE_HANDLE root;  /* of the volume we were started from; NULL when there is none */
    bool to_area;          /* files are to be written to IBSRUNS.TAR (efi/area.c) */
    struct efi_area *area; /* NULL: not open */
    struct efi_network network;
    char name[64];
    UINTN attribute;                      /* of the console's text, at the start */
    bool bios;                            /* the functions of UEFI are ibsbios's (bios/), over a BIOS */
    struct efi_console_control *graphics; /* the console was in graphics mode; NULL: it was not */
    struct mp_services *mp;               /* NULL: this firmware has none */
    uint32_t cores;
    struct efi_core *core; /* as many; 0: the boot core */
};

/* Console and keys (efi/console.c). Opening fills the firmware's rows, columns and keys; closing gives back a logo's
 * mode. */
void efi_console_open(struct efi_firmware *efi);
void efi_console_close(struct efi_firmware *efi);
void efi_print(struct firmware *fw, const char *text, size_t length);
void efi_clear(struct firmware *fw);
bool efi_place(struct firmware *fw, uint32_t row, uint32_t column);
void efi_paint(struct firmware *fw, enum paint paint);
int efi_read_key(struct firmware *fw, uint32_t timeout_ms);
/* Waits so many microseconds, or up to a tick of the firmware's clock longer. WaitForEvent() lets EDK II halt the
 * processor meanwhile; Stall(), for a firmware that has no timers, keeps it busy. */
void efi_rest(struct efi_firmware *efi, uint32_t microseconds);

/* Memory (efi/memory.c). */
void *efi_allocate(struct firmware *fw, size_t size, size_t alignment);
void *efi_allocate_in(struct firmware *fw, size_t size, size_t alignment, uint64_t base, uint64_t end);
void *efi_allocate_low(struct firmware *fw, size_t size);
enum firmware_error efi_memory_map(struct firmware *fw, void (*each)(void *argument, uint64_t first, uint64_t last),
                                   void *argument);
void efi_release(struct firmware *fw, void *memory, size_t size);

/* Files (efi/files.c). Opens the root of the volume that the image was loaded from. */
void efi_files_open(struct efi_firmware *efi);
void efi_files_close(struct efi_firmware *efi);
enum firmware_error efi_file_error(EFI_STATUS status);
/* Opens path + suffix; the arguments after them are those of EFI_FILE_PROTOCOL.Open(). */
enum firmware_error efi_open(struct efi_firmware *efi, const char *path, const char *suffix, UINT64 mode,
                             UINT64 attributes, EFI_FILE_HANDLE *ret_handle);
enum firmware_error efi_read_file(struct firmware *fw, const char *path, void *buffer, size_t max, size_t *ret_size);
enum firmware_error efi_list(struct firmware *fw, const char *path, void (*each)(void *argument, const char *name),
                             void *argument);
enum firmware_error efi_file_create(struct firmware *fw, const char *path, struct firmware_file **ret_file);
enum firmware_error efi_file_write(struct firmware_file *file, const void *data, size_t size);
enum firmware_error efi_file_close(struct firmware_file *file, bool keep);
enum firmware_error efi_file_append(struct firmware *fw, const char *path, const void *data, size_t size);
enum firmware_error efi_file_remove(struct firmware *fw, const char *path);

/* Folders (efi/folders.c). */
enum firmware_error efi_make_folder(struct firmware *fw, const char *path);
/* FIRMWARE_OK: the volume has room for the entry 'path', and for a cluster of a folder of that name. */
enum firmware_error efi_prove_room(struct efi_firmware *efi, const char *path);
enum firmware_error efi_room(struct firmware *fw, const char *folder, uint64_t bytes);

/* Runs in IBSRUNS.TAR (efi/run_area.c). List: whether the folder has any; names may come more than once. Read: as
 * efi_read_file(). */
bool efi_area_list(struct efi_firmware *efi, const char *path, void (*each)(void *argument, const char *name),
                   void *argument);
enum firmware_error efi_area_read(struct efi_firmware *efi, const char *path, void *buffer, size_t max,
                                  size_t *ret_size);

/* Says where files are written from now on (efi/area.c): the run area is opened by the first folder that is made. */
void efi_save_to(struct firmware *fw, bool area);

/* Open: takes files from the boot server (efi/network.c), where the image came from one, by exchanging the functions in
 * efi->firmware. Tell: says on the console if the image came over the network and no server is known. */
void efi_network_open(struct efi_firmware *efi);
void efi_network_tell(struct efi_firmware *efi);
/* Reads a text of at most *size bytes. */
enum firmware_error efi_download(struct efi_firmware *efi, const char *name, void *bytes, UINT64 *size);

/* Files to the server (efi/upload.c). The error of a transfer, with the server's code if there is one. */
enum firmware_error efi_network_error(EFI_STATUS status, UINT16 code);
/* The part of the path after the folder of runs; NULL: it is not in there. */
const char *efi_upload_run(const char *path);
/* The file is kept from boot to boot (FIRMWARE_KEPT). */
bool efi_upload_is_kept(const char *path);
/* Names this boot. */
void efi_upload_name_boot(struct efi_firmware *efi);
/* Names this boot anew while the server has files of the run. FIRMWARE_REFUSED: under every name. */
enum firmware_error efi_upload_begin(struct efi_firmware *efi, const char *path);
/* The server's name for path + end; false: too long. */
bool efi_upload_name(const struct efi_firmware *efi, const char *path, const char *end, char (*ret_name)[EFI_PATH_MAX]);
/* Sends a file; waits for a server that is away, with a line for each try: a minute, or as long as the server said that
 * it may take to confirm a run. */
enum firmware_error efi_upload(struct efi_firmware *efi, const char *name, void *bytes, size_t size);

/* Receipts (efi/receipt.c). Begin: a run, whose folder was made. Add: a file that was sent by this name. Finish: sends
 * sums.txt, where the server wants it, and a newline as 'name', which is then no longer begun.ini of a run. Wait: that
 * of struct firmware. */
void efi_receipt_begin(struct efi_firmware *efi);
void efi_receipt_add(struct efi_firmware *efi, const char *name, const void *bytes, size_t size);
enum firmware_error efi_receipt_finish(struct efi_firmware *efi, const char *name);
enum firmware_error efi_receipt_wait(struct firmware *fw);

/* Sends a file there once (efi/mtftp.c); blocks until all is acknowledged, or for EFI_MTFTP_SECONDS without an answer.
 * EFI_TFTP_ERROR: the server's code is in *ret_code. EFI_UNSUPPORTED: the firmware has no such driver. */
enum { EFI_MTFTP_SECONDS = 6 };
EFI_STATUS efi_mtftp_write(struct efi_firmware *efi, const char *name, void *bytes, size_t size, UINT16 *ret_code);

/* Other cores (efi/cores.c), by the MP Services protocol of the Platform Initialization specification. Without memory
 * for their list there are none. Closing leaves it to a core that has not come back. */
void efi_cores_open(struct efi_firmware *efi);
void efi_cores_close(struct efi_firmware *efi);
enum firmware_error efi_count_cores(struct firmware *fw, uint32_t *ret_count);
enum firmware_error efi_start_core(struct firmware *fw, uint32_t core, void (*function)(void *argument),
                                   void *argument);
bool efi_core_ended(struct firmware *fw, uint32_t core);
enum firmware_error efi_core_apic_id(struct firmware *fw, uint32_t core, uint32_t *ret_id);
void efi_core_started(struct firmware *fw, uint32_t core, struct firmware_start *ret_start);

static inline struct efi_firmware *efi_of(struct firmware *fw)
{
    return fw->context;
}

#endif
