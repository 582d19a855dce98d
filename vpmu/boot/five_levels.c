/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * five-levels.efi: a boot file for tests. Switches the processor to five-level paging (CR4.LA57), and AVX on
 * (CR4.OSXSAVE, XCR0) where it is there. OVMF leaves both off. Starts \ibsboot\ibsboot.efi: a machine whose firmware
 * runs so, and uses AVX in its console. All entries of the tables of the fifth and the fourth level are present, as
 * where the firmware maps all that the processor can address. Ends with the processor in that mode.
 */
#include "vpmu/shim/firmware/efi.h"

#include <stdbool.h>

#include "vpmu/shim/firmware/files.h"
#include "vpmu/shim/firmware/serial.h"

enum {
    LA57 = 1 << 16,
    OSXSAVE = 1 << 18,
    XSAVE_AND_AVX = 1 << 26 | 1 << 28,
    X87_SSE_AVX = 7,
    TABLE_FLAGS = 3,
    ENTRIES = 512,
    PRESENT = 1
};

EFI_STATUS efi_main(EFI_HANDLE handle, EFI_SYSTEM_TABLE *table);
/* five_levels_switch.S: loads CR3 with this table of the fifth level, below 4 GB, as this code and its stack are. */
void five_levels_switch(uint32_t root);

/* CPUID 7 ECX[16] (Intel SDM vol. 2, CPUID; AMD APM vol. 3, Fn0000_0007_ECX). */
static bool has_five_levels(void)
{
    uint32_t eax = 0, ebx, ecx = 0, edx;
    __asm__ volatile("cpuid" : "+a"(eax), "=b"(ebx), "+c"(ecx), "=d"(edx));
    if (eax < 7)
        return false;
    eax = 7;
    ecx = 0;
    __asm__ volatile("cpuid" : "+a"(eax), "=b"(ebx), "+c"(ecx), "=d"(edx));
    return ecx & LA57;
}

static EFI_TEXT_OUTPUT_STRING output;

/* Prints as the firmware does, and leaves other values in registers that are the called function's. */
static EFI_STATUS EFIAPI print(SIMPLE_TEXT_OUTPUT_INTERFACE *to, CHAR16 *text)
{
    __asm__ volatile("vxorps %ymm0, %ymm0, %ymm0\n\tvxorps %ymm1, %ymm1, %ymm1");
    return output(to, text);
}

/* CPUID 1 ECX[26] and [28]; XCR0 (AMD APM vol. 2 section 11.5.2). */
static void switch_avx_on(void)
{
    uint32_t eax = 1, ebx, ecx = 0, edx;
    uint64_t cr4;
    __asm__ volatile("cpuid" : "+a"(eax), "=b"(ebx), "+c"(ecx), "=d"(edx));
    if ((ecx & XSAVE_AND_AVX) != XSAVE_AND_AVX)
        return;
    __asm__ volatile("mov %%cr4, %0" : "=r"(cr4));
    __asm__ volatile("mov %0, %%cr4" : : "r"(cr4 | OSXSAVE));
    __asm__ volatile("xsetbv" : : "a"(X87_SSE_AVX), "d"(0), "c"(0));
    output = system_table->ConOut->OutputString;
    system_table->ConOut->OutputString = print;
}

static EFI_STATUS switch_over(void)
{
    EFI_PHYSICAL_ADDRESS memory = 0xffffffff;
    uint64_t *root, *fourth, cr3, cr4;
    EFI_STATUS status = system_table->BootServices->AllocatePages(AllocateMaxAddress, EfiBootServicesData, 2, &memory);
    if (EFI_ERROR(status))
        return status;
    root = (uint64_t *)memory;
    fourth = root + ENTRIES;
    __asm__ volatile("mov %%cr3, %0" : "=r"(cr3));
    const uint64_t *firmware = (const uint64_t *)(cr3 & 0x000ffffffffff000);
    for (unsigned i = 0; i < ENTRIES; i++) {
        fourth[i] = firmware[i] & PRESENT ? firmware[i] : firmware[0];
        root[i] = (uint64_t)fourth | TABLE_FLAGS;
    }
    five_levels_switch((uint32_t)memory);
    switch_avx_on();
    __asm__ volatile("mov %%cr4, %0" : "=r"(cr4));
    say("five-levels: CR4 %llx\n", (unsigned long long)cr4);
    return EFI_SUCCESS;
}

EFI_STATUS efi_main(EFI_HANDLE handle, EFI_SYSTEM_TABLE *table)
{
    EFI_LOADED_IMAGE *self;
    EFI_HANDLE image;
    system_table = table;
    if (!has_five_levels()) {
        say("five-levels: this processor has none\n");
        return EFI_UNSUPPORTED;
    }
    EFI_STATUS status =
        table->BootServices->HandleProtocol(handle, &(EFI_GUID)EFI_LOADED_IMAGE_PROTOCOL_GUID, (VOID **)&self);
    if (!EFI_ERROR(status))
        status = switch_over();
    if (!EFI_ERROR(status))
        status = files_load_image(handle, self->DeviceHandle, "\\ibsboot\\ibsboot.efi", &image);
    if (!EFI_ERROR(status))
        status = table->BootServices->StartImage(image, NULL, NULL);
    say("five-levels: the image returned %llx\n", (unsigned long long)status);
    return status;
}
