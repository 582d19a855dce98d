/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * EFI_MTFTP4_PROTOCOL and its service binding (UEFI specification 2.10 section 30.3; the driver's GUID is EDK II's,
 * whose first digits differ in the specification), missing in gnu-efi. Nothing calls the slots without types.
 */
#ifndef EFI_MTFTP_H
#define EFI_MTFTP_H

#include <efi.h>

// clang-format off
#define MTFTP_BINDING_GUID {0x2FE800BE, 0x8F01, 0x4AA6, {0x94, 0x6B, 0xD7, 0x13, 0x88, 0xE1, 0x83, 0x3F}}
#define MTFTP_GUID         {0x78247C57, 0x63DB, 0x4708, {0x99, 0xC2, 0xA8, 0xB4, 0xA9, 0xA6, 0x1F, 0x6B}}
// clang-format on

enum { MTFTP_PORT = 69, MTFTP_BLOCK_BYTES = 1428 };

struct mtftp_config {
    BOOLEAN defaults;
    UINT8 station[4], mask[4];
    UINT16 local_port;
    UINT8 gateway[4], server[4];
    UINT16 server_port, tries, try_seconds;
};

struct mtftp_option {
    const char *name, *value;
};

struct mtftp;
struct mtftp_token {
    EFI_STATUS status;
    EFI_EVENT event;
    VOID *override;
    const char *name, *mode;
    UINT32 options;
    const struct mtftp_option *option;
    UINT64 size;
    VOID *bytes;
    VOID *context;
    EFI_STATUS(EFIAPI *check)(struct mtftp *mtftp, struct mtftp_token *token, UINT16 size, const UINT8 *packet);
    VOID *timed_out, *needed;
};

struct mtftp {
    VOID *get_mode_data;
    EFI_STATUS(EFIAPI *configure)(struct mtftp *mtftp, const struct mtftp_config *config);
    VOID *get_info, *parse_options, *read_file;
    EFI_STATUS(EFIAPI *write_file)(struct mtftp *mtftp, struct mtftp_token *token);
};

#endif
