/* SPDX-License-Identifier: BSD-2-Clause */
/* All state that this room keeps between calls: functions of UEFI and exceptions have no argument for it. */
#ifndef BIOS_BIOS_H
#define BIOS_BIOS_H

#include "bios/boot_info.h"
#include "bios/console.h"
#include "bios/exceptions.h"
#include "bios/files.h"
#include "bios/real.h"
#include "bios/uefi/uefi.h"
#include "bios/disk/volume.h"

struct bios {
    struct exception_gate gate[EXCEPTION_VECTORS] __attribute__((aligned(16)));
    struct console console;
    struct real real;
    uint64_t tsc_khz; /* 0: not measured */
    struct boot_info info;
    struct volume volume;
    struct files files;
    struct memory memory; /* of the machine; programs allocate from it */
    struct uefi_program program[UEFI_PROGRAMS];
    struct uefi_cores cores;
    struct uefi_tables tables;
    struct uefi_network network;
};

extern struct bios bios;

#endif
