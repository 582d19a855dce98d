/* SPDX-License-Identifier: BSD-2-Clause */
/* Loads programs from the volume, starts them, and frees them. */
#include "bios/uefi/uefi.h"

#include "bios/bios.h"
#include "bios/console.h"
#include "bios/files.h"
#include "bios/uefi/pe.h"
#include "core/base/mem.h"

enum { PROGRAMS = UEFI_PROGRAMS, ONE_MB = 1 << 20 };

static struct uefi_program *const programs = bios.program;

static struct uefi_program *program_of(EFI_HANDLE image)
{
    for (unsigned i = 0; i < PROGRAMS; i++)
        if (image == &programs[i] && programs[i].entry)
            return &programs[i];
    return NULL;
}

EFI_LOADED_IMAGE *uefi_loaded(EFI_HANDLE image)
{
    struct uefi_program *program = program_of(image);

    return program ? &program->loaded : NULL;
}

static EFI_STATUS place(struct uefi_program *program, const void *file, const struct pe *pe)
{
    EFI_MEMORY_TYPE code = pe->subsystem == PE_RUNTIME_DRIVER ? EfiRuntimeServicesCode : EfiLoaderCode;
    UINTN pages = (pe->size + MEMORY_PAGE - 1) / MEMORY_PAGE;
    EFI_PHYSICAL_ADDRESS base = pe->place;
    EFI_STATUS status = EFI_NOT_FOUND;

    /* EDK II does the same (CoreLoadPeImage in MdeModulePkg/Core/Dxe/Image/Image.c). */
    if (base >= ONE_MB)
        status = uefi_allocate_pages(AllocateAddress, code, pages, &base);
    if (status != EFI_SUCCESS)
        status = uefi_allocate_pages(AllocateAnyPages, code, pages, &base);
    if (status != EFI_SUCCESS)
        return status;
    pe_copy(file, pe, (void *)base);
    memset(program, 0, sizeof *program);
    program->entry = base + pe->entry;
    program->loaded = (EFI_LOADED_IMAGE){
        .Revision = EFI_IMAGE_INFORMATION_REVISION,
        .SystemTable = uefi_system(),
        .DeviceHandle = uefi_device(),
        .ImageBase = (VOID *)base,
        .ImageSize = pe->size,
        .ImageCodeType = code,
        .ImageDataType = pe->subsystem == PE_RUNTIME_DRIVER ? EfiRuntimeServicesData : EfiLoaderData,
    };
    return EFI_SUCCESS;
}

/* Loads a program; 'path' is for messages. */
static EFI_STATUS load(const char *path, const void *data, uint64_t size, EFI_HANDLE *ret_image)
{
    struct uefi_program *program = programs;
    struct pe pe;
    enum pe_error error;
    EFI_STATUS status;

    while (program < programs + PROGRAMS && program->entry)
        program++;
    if (program == programs + PROGRAMS)
        return EFI_OUT_OF_RESOURCES;
    error = pe_read(data, size, &pe);
    if (error) {
        console_say("%s: %s\n", path, pe_error_text(error));
        return EFI_LOAD_ERROR;
    }
    status = place(program, data, &pe);
    if (status != EFI_SUCCESS)
        console_say("%s: no memory for it: %u KB are wanted\n", path, pe.size >> 10);
    else
        *ret_image = program;
    return status;
}

EFI_STATUS uefi_load(const char *path, const char *options, EFI_HANDLE *ret_image)
{
    struct files_node *file;
    enum files_error found;
    EFI_STATUS status;

    found = files_open(path, false, &file);
    if (found == FILES_NOT_FOUND)
        return EFI_NOT_FOUND;
    if (found) {
        console_say("%s: %s\n", path, found == FILES_MEMORY ? "no memory to read it" : "the disk does not read it");
        return EFI_DEVICE_ERROR;
    }
    status = load(path, file->data, file->size, ret_image);
    (void)files_close(file);
    if (status != EFI_SUCCESS)
        return status;
    if (options && options[0]) {
        struct uefi_program *program = *ret_image;
        size_t i = 0;

        for (; options[i] && i + 1 < UEFI_OPTIONS; i++)
            program->options[i] = (uint8_t)options[i];
        program->loaded.LoadOptions = program->options;
        program->loaded.LoadOptionsSize = (UINT32)((i + 1) * sizeof(CHAR16));
    }
    return EFI_SUCCESS;
}

/* The last nodes of the path are the file's (UEFI 2.10, section 10.3.5.4); earlier ones name the only device. */
EFI_STATUS EFIAPI uefi_load_image(BOOLEAN policy, EFI_HANDLE parent, EFI_DEVICE_PATH *path, VOID *source, UINTN size,
                                  EFI_HANDLE *ret_image)
{
    const UINT8 *node = (const UINT8 *)path;
    char name[FILES_PATH];
    size_t n = 0;

    if (source)
        return load("a program in memory", source, size, ret_image);
    if (!path)
        return EFI_UNSUPPORTED;
    while (node[0] != END_DEVICE_PATH_TYPE && !(node[0] == MEDIA_DEVICE_PATH && node[1] == MEDIA_FILEPATH_DP)) {
        size_t length = node[2] | (size_t)node[3] << 8;

        if (length < sizeof(EFI_DEVICE_PATH))
            return EFI_INVALID_PARAMETER;
        node += length;
    }
    if (node[0] == END_DEVICE_PATH_TYPE)
        return EFI_NOT_FOUND;
    for (const UINT8 *c = node + sizeof(EFI_DEVICE_PATH); c[0] || c[1]; c += sizeof(CHAR16)) {
        if (n + 1 == sizeof name)
            return EFI_NOT_FOUND;
        if (c[0] == '\\' && n == 0)
            continue;
        name[n++] = c[1] ? '?' : c[0] == '\\' ? '/' : (char)c[0];
    }
    name[n] = '\0';
    return uefi_load(name, NULL, ret_image);
}

EFI_STATUS EFIAPI uefi_start_image(EFI_HANDLE image, UINTN *size, CHAR16 **data)
{
    struct uefi_program *program = program_of(image);
    EFI_STATUS(EFIAPI * entry)(EFI_HANDLE, EFI_SYSTEM_TABLE *);

    if (!program)
        return EFI_INVALID_PARAMETER;
    entry = (EFI_STATUS(EFIAPI *)(EFI_HANDLE, EFI_SYSTEM_TABLE *))program->entry;
    return entry(image, uefi_system());
}

EFI_STATUS EFIAPI uefi_unload_image(EFI_HANDLE image)
{
    struct uefi_program *program = program_of(image);

    if (!program)
        return EFI_INVALID_PARAMETER;
    program->entry = 0;
    return uefi_free_pages((EFI_PHYSICAL_ADDRESS)program->loaded.ImageBase,
                           (program->loaded.ImageSize + MEMORY_PAGE - 1) / MEMORY_PAGE);
}
