/* SPDX-License-Identifier: BSD-2-Clause */
/* The UEFI that programs find. Functions without comments follow the UEFI specification 2.10. */
#ifndef BIOS_UEFI_H
#define BIOS_UEFI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <efi.h>

#include "bios/memory.h"
#include "bios/table_root.h"
#include "drivers/cores/startup.h"
#include "efi/mp_services.h"
#include "efi/mtftp.h"

/* ---- tables (uefi.c) */
struct uefi_tables {
    EFI_BOOT_SERVICES boot;
    EFI_RUNTIME_SERVICES runtime;
    SIMPLE_TEXT_OUTPUT_MODE mode;
    SIMPLE_TEXT_OUTPUT_INTERFACE output;
    SIMPLE_INPUT_INTERFACE input;
    EFI_FILE_IO_INTERFACE volume;
    struct mp_services mp;
    bool mp_there;
    EFI_PXE_BASE_CODE pxe;
    EFI_SERVICE_BINDING binding;
    struct mtftp mtftp;
    EFI_DEVICE_PATH device_path; /* only an end node: the volume is the only device */
    EFI_CONFIGURATION_TABLE configuration[TABLE_ROOTS];
    EFI_SYSTEM_TABLE system;
};

/* 'roots': address of each root of firmware's tables; 0: none. 'cores': offer MP Services. */
void uefi_prepare(const uint64_t roots[TABLE_ROOTS], bool cores);
EFI_SYSTEM_TABLE *uefi_system(void);

/* ---- programs (uefi_image.c). Loads a file of the volume, with load options. */
EFI_STATUS uefi_load(const char *path, const char *options, EFI_HANDLE *ret_image);
enum { UEFI_PROGRAMS = 4, UEFI_OPTIONS = 512 };
struct uefi_program {
    EFI_LOADED_IMAGE loaded;
    uint64_t entry; /* 0: the row is free */
    CHAR16 options[UEFI_OPTIONS];
};
/* Returns NULL if the handle is not a program's. */
EFI_LOADED_IMAGE *uefi_loaded(EFI_HANDLE image);

/* Returns the handle of the volume. */
EFI_HANDLE uefi_device(void);

EFI_STATUS EFIAPI uefi_load_image(BOOLEAN policy, EFI_HANDLE parent, EFI_DEVICE_PATH *path, VOID *source, UINTN size,
                                  EFI_HANDLE *ret_image);
EFI_STATUS EFIAPI uefi_start_image(EFI_HANDLE image, UINTN *size, CHAR16 **data);
EFI_STATUS EFIAPI uefi_unload_image(EFI_HANDLE image);
EFI_STATUS EFIAPI uefi_handle_protocol(EFI_HANDLE handle, EFI_GUID *protocol, VOID **ret_interface);
EFI_STATUS EFIAPI uefi_locate_protocol(EFI_GUID *protocol, VOID *registration, VOID **ret_interface);
EFI_STATUS EFIAPI uefi_locate_handle(EFI_LOCATE_SEARCH_TYPE type, EFI_GUID *protocol, VOID *key, UINTN *size,
                                     EFI_HANDLE *handles);
EFI_STATUS EFIAPI uefi_uninstall_protocol(EFI_HANDLE handle, EFI_GUID *protocol, VOID *interface);

/* ---- the network (uefi_network.c) */
struct uefi_network {
    bool there;
    EFI_PXE_BASE_CODE_MODE mode;
    struct mtftp_config config;
    uint64_t transfers; /* counts from a random start */
    uint64_t counts;    /* for uefi_get_monotonic_count() */
};

/* Takes the results of DHCP, after pxe_find(). */
void uefi_network_prepare(void);
/* Reads a file of the server into new memory. Returns why it failed; NULL: success. */
const char *uefi_network_fetch(const char *name, uint64_t *ret_address, uint64_t *ret_size);
/* Returns a protocol of the network; NULL: the handle has none such. */
VOID *uefi_network(EFI_HANDLE handle, const EFI_GUID *protocol);

EFI_STATUS EFIAPI uefi_get_monotonic_count(UINT64 *ret_count);
EFI_STATUS EFIAPI uefi_locate_device_path(EFI_GUID *protocol, EFI_DEVICE_PATH **path, EFI_HANDLE *ret_device);
EFI_STATUS EFIAPI uefi_pxe_mtftp(EFI_PXE_BASE_CODE *pxe, EFI_PXE_BASE_CODE_TFTP_OPCODE operation, VOID *bytes,
                                 BOOLEAN overwrite, UINT64 *size, UINTN *block, EFI_IP_ADDRESS *server, UINT8 *name,
                                 EFI_PXE_BASE_CODE_MTFTP_INFO *info, BOOLEAN no_buffer);
EFI_STATUS EFIAPI uefi_mtftp_create(EFI_SERVICE_BINDING *binding, EFI_HANDLE *child);
EFI_STATUS EFIAPI uefi_mtftp_destroy(EFI_SERVICE_BINDING *binding, EFI_HANDLE child);
EFI_STATUS EFIAPI uefi_mtftp_configure(struct mtftp *mtftp, const struct mtftp_config *config);
EFI_STATUS EFIAPI uefi_mtftp_write(struct mtftp *mtftp, struct mtftp_token *token);

/* ---- memory (uefi_memory.c) */
EFI_STATUS EFIAPI uefi_allocate_pages(EFI_ALLOCATE_TYPE how, EFI_MEMORY_TYPE type, UINTN pages,
                                      EFI_PHYSICAL_ADDRESS *address);
EFI_STATUS EFIAPI uefi_free_pages(EFI_PHYSICAL_ADDRESS address, UINTN pages);
EFI_STATUS EFIAPI uefi_get_memory_map(UINTN *size, EFI_MEMORY_DESCRIPTOR *map, UINTN *key, UINTN *each,
                                      UINT32 *version);
EFI_STATUS EFIAPI uefi_allocate_pool(EFI_MEMORY_TYPE type, UINTN size, VOID **memory);
EFI_STATUS EFIAPI uefi_free_pool(VOID *memory);
/* Moves 'used' bytes to a new piece of 'room' bytes; 'old' may be NULL. Returns NULL if there is no memory; 'old' then
 * stays. */
VOID *uefi_grow_pool(VOID *old, uint64_t used, uint64_t room);
VOID EFIAPI uefi_set_mem(VOID *memory, UINTN size, UINT8 value);
VOID EFIAPI uefi_copy_mem(VOID *to, VOID *from, UINTN size);

/* ---- console and time (uefi_console.c) */
EFI_STATUS EFIAPI uefi_output_string(SIMPLE_TEXT_OUTPUT_INTERFACE *out, CHAR16 *text);
EFI_STATUS EFIAPI uefi_query_mode(SIMPLE_TEXT_OUTPUT_INTERFACE *out, UINTN mode, UINTN *columns, UINTN *rows);
EFI_STATUS EFIAPI uefi_clear_screen(SIMPLE_TEXT_OUTPUT_INTERFACE *out);
EFI_STATUS EFIAPI uefi_set_attribute(SIMPLE_TEXT_OUTPUT_INTERFACE *out, UINTN attribute);
EFI_STATUS EFIAPI uefi_set_cursor_position(SIMPLE_TEXT_OUTPUT_INTERFACE *out, UINTN column, UINTN row);
EFI_STATUS EFIAPI uefi_read_key_stroke(SIMPLE_INPUT_INTERFACE *in, EFI_INPUT_KEY *ret_key);
EFI_STATUS EFIAPI uefi_stall(UINTN microseconds);
EFI_STATUS EFIAPI uefi_set_watchdog_timer(UINTN seconds, UINT64 code, UINTN size, CHAR16 *data);
EFI_STATUS EFIAPI uefi_get_time(EFI_TIME *time, EFI_TIME_CAPABILITIES *capabilities);
EFI_STATUS EFIAPI uefi_reset_system(EFI_RESET_TYPE type, EFI_STATUS status, UINTN size, CHAR16 *data);

/* ---- files (uefi_files.c) */
EFI_STATUS EFIAPI uefi_open_volume(EFI_FILE_IO_INTERFACE *volume, EFI_FILE_HANDLE *ret_root);
EFI_STATUS EFIAPI uefi_file_open(EFI_FILE_HANDLE self, EFI_FILE_HANDLE *ret_file, CHAR16 *name, UINT64 mode,
                                 UINT64 attributes);
EFI_STATUS EFIAPI uefi_file_close(EFI_FILE_HANDLE file);
EFI_STATUS EFIAPI uefi_file_delete(EFI_FILE_HANDLE file);
EFI_STATUS EFIAPI uefi_file_read(EFI_FILE_HANDLE file, UINTN *size, VOID *buffer);
EFI_STATUS EFIAPI uefi_file_write(EFI_FILE_HANDLE file, UINTN *size, VOID *buffer);
EFI_STATUS EFIAPI uefi_file_get_position(EFI_FILE_HANDLE file, UINT64 *position);
EFI_STATUS EFIAPI uefi_file_set_position(EFI_FILE_HANDLE file, UINT64 position);
EFI_STATUS EFIAPI uefi_file_get_info(EFI_FILE_HANDLE file, EFI_GUID *type, UINTN *size, VOID *buffer);
EFI_STATUS EFIAPI uefi_file_set_info(EFI_FILE_HANDLE file, EFI_GUID *type, UINTN size, VOID *buffer);
EFI_STATUS EFIAPI uefi_file_flush(EFI_FILE_HANDLE file);
/* Functions of each open file. */
extern const EFI_FILE uefi_file_functions;

/* ---- events and other cores (uefi_cores.c) */
enum { UEFI_EVENTS = 32 }; /* events not used by cores */
struct uefi_event {
    bool used, signalled;
    UINT32 type;
    EFI_EVENT_NOTIFY notify;
    VOID *context;
};

struct uefi_core {
    uint32_t apic_id;
    struct startup_core *mailbox; /* NULL: never started */
    bool busy;
    struct uefi_event *event;
    mp_procedure procedure;
    VOID *argument;
};

struct uefi_cores {
    struct uefi_event first_event[UEFI_EVENTS], *event;
    struct uefi_core first_core, *core;
    unsigned events, cores, boot_core;
    struct startup startup;
};

/* Finds the cores of the machine. Returns false if there is only this one. */
bool uefi_cores_prepare(uint64_t acpi_root);
/* Signals the events of cores that have ended; must be called while waiting. */
void uefi_cores_look(void);

EFI_STATUS EFIAPI uefi_create_event(UINT32 type, EFI_TPL level, EFI_EVENT_NOTIFY notify, VOID *context,
                                    EFI_EVENT *ret_event);
EFI_STATUS EFIAPI uefi_signal_event(EFI_EVENT event);
EFI_STATUS EFIAPI uefi_check_event(EFI_EVENT event);
EFI_STATUS EFIAPI uefi_mp_get_number(struct mp_services *mp, UINTN *ret_all, UINTN *ret_enabled);
EFI_STATUS EFIAPI uefi_mp_get_info(struct mp_services *mp, UINTN number, struct mp_processor *ret_info);
EFI_STATUS EFIAPI uefi_mp_startup(struct mp_services *mp, mp_procedure procedure, UINTN number, EFI_EVENT event,
                                  UINTN microseconds, VOID *argument, BOOLEAN *finished);
EFI_STATUS EFIAPI uefi_mp_who_am_i(struct mp_services *mp, UINTN *ret_number);

#endif
