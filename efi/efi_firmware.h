/* SPDX-License-Identifier: BSD-2-Clause */
/* The UEFI side of struct firmware. Nothing outside efi/ includes this. */
#ifndef EFI_EFI_FIRMWARE_H
#define EFI_EFI_FIRMWARE_H

#include <efi.h>

#include "app/base/firmware.h"
#include "core/base/out.h"

enum { EFI_PATH_MAX = 256 };

struct efi_core {
    UINTN number; /* number in the firmware */
    EFI_EVENT event;
    void (*function)(void *argument);
    void *argument;
    uint32_t running;  /* the function was handed over and has not returned */
    bool started;      /* at least once: the event then shows that the firmware has the core back */
    EFI_STATUS status; /* of the last call to start it */
};

/* Keeps what a checking server is told about the present run (efi/receipt.c). */
struct efi_receipt {
    unsigned wait; /* seconds in which the server confirms a run; 0: never */
    unsigned try;  /* number of the attempt to send the run, from 1 */
    bool asked;    /* sums.txt was sent */
    struct out_memory sums;
    char text[2048]; /* contents of sums.txt */
};

/* The volume of a machine booted over the network (efi/network.c). */
struct efi_network {
    EFI_PXE_BASE_CODE *pxe; /* NULL: booted from a disk */
    EFI_IP_ADDRESS server;
    char machine[18];  /* MAC address, "52-54-00-12-34-56"; "": not known */
    char booted[32];   /* "20261122-231200-1b5b0071": the firmware's clock, and a number that differs in each boot */
    char last_run[96]; /* "0001-matmul-classic-ibs"; "": none in this boot */
    bool unknown;      /* booted over the network, but not by a known TFTP server */
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
    EFI_FILE_HANDLE root;  /* root of the volume that the image was started from; NULL: none */
    bool to_area;          /* write files to IBSRUNS.TAR (efi/area.c) */
    struct efi_area *area; /* NULL: not open */
    struct efi_network network;
    char name[64];
    UINTN attribute;                      /* the console's text attribute at the start */
    bool bios;                            /* the firmware is ibsbios (bios/), over a BIOS */
    struct efi_console_control *graphics; /* console that was in graphics mode; NULL: it was not */
    struct mp_services *mp;               /* NULL: not offered */
    uint32_t cores;
    struct efi_core *core; /* [cores]; 0: the boot core */
};

/* Console and keys (efi/console.c). Opening sets the firmware's rows, columns and keys; closing restores graphics
 * mode. */
void efi_console_open(struct efi_firmware *efi);
void efi_console_close(struct efi_firmware *efi);
void efi_print(struct firmware *fw, const char *text, size_t length);
void efi_clear(struct firmware *fw);
bool efi_place(struct firmware *fw, uint32_t row, uint32_t column);
void efi_paint(struct firmware *fw, enum paint paint);
int efi_read_key(struct firmware *fw, uint32_t timeout_ms);
/* Waits this many microseconds, or up to one tick of the firmware's clock more. WaitForEvent() lets EDK II halt the
 * processor meanwhile; Stall(), for firmware without timers, keeps it busy. */
void efi_rest(struct efi_firmware *efi, uint32_t microseconds);

/* Memory (efi/memory.c). */
void *efi_allocate(struct firmware *fw, size_t size, size_t alignment);
void *efi_allocate_in(struct firmware *fw, size_t size, size_t alignment, uint64_t base, uint64_t end);
void *efi_allocate_low(struct firmware *fw, size_t size);
enum firmware_error efi_memory_map(struct firmware *fw, void (*each)(void *argument, uint64_t first, uint64_t last),
                                   void *argument);
void efi_release(struct firmware *fw, void *memory, size_t size);

/* Files (efi/files.c). Opens the root of the image's volume. */
void efi_files_open(struct efi_firmware *efi);
void efi_files_close(struct efi_firmware *efi);
enum firmware_error efi_file_error(EFI_STATUS status);
/* Opens path + suffix; the other arguments are those of EFI_FILE_PROTOCOL.Open(). */
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
/* Returns FIRMWARE_OK if the volume has room for the entry 'path', and for a cluster of a folder of that name. */
enum firmware_error efi_prove_room(struct efi_firmware *efi, const char *path);
enum firmware_error efi_room(struct firmware *fw, const char *folder, uint64_t bytes);

/* Runs in IBSRUNS.TAR (efi/run_area.c). efi_area_list() returns whether the folder has any; names may repeat.
 * efi_area_read() is like efi_read_file(). */
bool efi_area_list(struct efi_firmware *efi, const char *path, void (*each)(void *argument, const char *name),
                   void *argument);
enum firmware_error efi_area_read(struct efi_firmware *efi, const char *path, void *buffer, size_t max,
                                  size_t *ret_size);

/* Chooses where files are written from now on (efi/area.c); the first new folder opens the run area. */
void efi_save_to(struct firmware *fw, bool area);

/* efi_network_open() exchanges the functions in efi->firmware for those of the boot server, if the image came from one
 * (efi/network.c). efi_network_tell() prints a line if the image came over the network from no known server. */
void efi_network_open(struct efi_firmware *efi);
void efi_network_tell(struct efi_firmware *efi);
/* Reads a text of at most *size bytes. */
enum firmware_error efi_download(struct efi_firmware *efi, const char *name, void *bytes, UINT64 *size);

/* Files to the server (efi/upload.c). Returns the error of a transfer; code: the server's, or 0. */
enum firmware_error efi_network_error(EFI_STATUS status, UINT16 code);
/* Returns the part of the path after the folder of runs; NULL: not in that folder. */
const char *efi_upload_run(const char *path);
/* Returns whether the file is kept from boot to boot (FIRMWARE_KEPT). */
bool efi_upload_is_kept(const char *path);
/* Chooses a name for this boot. */
void efi_upload_name_boot(struct efi_firmware *efi);
/* Chooses other names for this boot until the server has no files of the run. FIRMWARE_REFUSED: every name is in
 * use. */
enum firmware_error efi_upload_begin(struct efi_firmware *efi, const char *path);
/* Writes the server's name for path + end. Returns false if it is too long. */
bool efi_upload_name(const struct efi_firmware *efi, const char *path, const char *end, char (*ret_name)[EFI_PATH_MAX]);
/* Sends a file. If the server does not answer, tries again, with a line each time, for a minute, or for the time that
 * the server may take to confirm a run. */
enum firmware_error efi_upload(struct efi_firmware *efi, const char *name, void *bytes, size_t size);

/* Receipts (efi/receipt.c). Begin: after making a run's folder. Add: records a file sent by this name. Finish: sends
 * sums.txt if the server wants it, and then a newline as 'name', which ends it as begun.ini of a run. Wait: as in
 * struct firmware. */
void efi_receipt_begin(struct efi_firmware *efi);
void efi_receipt_add(struct efi_firmware *efi, const char *name, const void *bytes, size_t size);
enum firmware_error efi_receipt_finish(struct efi_firmware *efi, const char *name);
enum firmware_error efi_receipt_wait(struct firmware *fw);

/* Sends a file to the server once (efi/mtftp.c); returns when all is acknowledged, or after EFI_MTFTP_SECONDS without
 * an answer. EFI_TFTP_ERROR: *ret_code is the server's code. EFI_UNSUPPORTED: the firmware has no such driver. */
enum { EFI_MTFTP_SECONDS = 6 };
EFI_STATUS efi_mtftp_write(struct efi_firmware *efi, const char *name, void *bytes, size_t size, UINT16 *ret_code);

/* Other cores (efi/cores.c), by MP Services of the Platform Initialization specification. None without memory for their
 * list. Closing keeps that memory for a core that has not returned. */
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
