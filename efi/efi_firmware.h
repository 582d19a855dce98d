/* The UEFI side of struct firmware. Nothing outside efi/ includes this. */
#ifndef EFI_EFI_FIRMWARE_H
#define EFI_EFI_FIRMWARE_H

#include <efi.h>

#include "app/firmware.h"

enum { EFI_PATH_MAX = 256 };

struct efi_firmware {
    struct firmware firmware;
    EFI_HANDLE image;
    EFI_SYSTEM_TABLE *system;
    EFI_LOADED_IMAGE *loaded;
    EFI_FILE_HANDLE root; /* of the volume we were started from; NULL when there is none */
    char name[64];
};

/* Console and keys (efi/console.c). */
void efi_print(struct firmware *fw, const char *text, size_t length);
int efi_read_key(struct firmware *fw, uint32_t timeout_ms);

/* Files (efi/files.c). Opens the root of the volume that the image was loaded from. */
void efi_files_open(struct efi_firmware *efi);
void efi_files_close(struct efi_firmware *efi);
enum firmware_error efi_read_file(struct firmware *fw, const char *path, void *buffer, size_t max, size_t *ret_size);
enum firmware_error efi_list(struct firmware *fw, const char *path, void (*each)(void *argument, const char *name),
                             void *argument);
enum firmware_error efi_make_folder(struct firmware *fw, const char *path);
enum firmware_error efi_file_create(struct firmware *fw, const char *path, struct firmware_file **ret_file);
enum firmware_error efi_file_write(struct firmware_file *file, const void *data, size_t size);
enum firmware_error efi_file_close(struct firmware_file *file, bool keep);

static inline struct efi_firmware *efi_of(struct firmware *fw)
{
    return fw->context;
}

#endif
