/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/unit/efi/fake_server.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The configuration for efi/mtftp.c, in the specification's order. */
struct config {
    BOOLEAN defaults;
    UINT8 station[4], mask[4];
    UINT16 local_port;
    UINT8 gateway[4], server[4];
    UINT16 server_port, tries, seconds;
};
struct token {
    EFI_STATUS status;
    EFI_EVENT event;
    VOID *override;
    const char *name, *mode;
    UINT32 options;
    const char *const *option;
    UINT64 size;
    UINT8 *bytes;
    VOID *context;
    EFI_STATUS(EFIAPI *check)(void *mtftp, struct token *token, UINT16 size, const UINT8 *packet);
    VOID *timed_out, *needed;
};

struct fake_server net;
struct efi_firmware efi;
EFI_LOADED_IMAGE loaded;
EFI_PXE_BASE_CODE_MODE mode;
static EFI_PXE_BASE_CODE pxe;
static EFI_SERVICE_BINDING binding;
static void *mtftp[8];

/* GUIDs of EDK II MdePkg/Include/Protocol/Mtftp4.h: gEfiMtftp4ServiceBindingProtocolGuid, gEfiMtftp4ProtocolGuid */
static const EFI_GUID binding_guid = {0x2FE800BE, 0x8F01, 0x4AA6, {0x94, 0x6B, 0xD7, 0x13, 0x88, 0xE1, 0x83, 0x3F}};
static const EFI_GUID mtftp_guid = {0x78247C57, 0x63DB, 0x4708, {0x99, 0xC2, 0xA8, 0xB4, 0xA9, 0xA6, 0x1F, 0x6B}};

/* Counts the call, and returns whether it must fail. */
static bool refused(void)
{
    return ++net.calls == net.refuse_call;
}

static EFI_STATUS EFIAPI handle_protocol(EFI_HANDLE handle, EFI_GUID *guid, VOID **ret)
{
    static EFI_GUID pxe_guid = EFI_PXE_BASE_CODE_PROTOCOL_GUID, path_guid = DEVICE_PATH_PROTOCOL;

    if (refused())
        return net.refuse_with;
    if (!memcmp(guid, &pxe_guid, sizeof(*guid)))
        *ret = &pxe;
    else if (!memcmp(guid, &path_guid, sizeof(*guid)))
        *ret = net.no_path ? NULL : &net;
    else if (!memcmp(guid, handle == &binding ? &binding_guid : &mtftp_guid, sizeof(*guid)))
        *ret = handle == &binding ? (void *)&binding : mtftp;
    else
        return EFI_UNSUPPORTED;
    if ((*ret == &binding && net.no_binding) || (*ret == mtftp && net.no_protocol))
        return EFI_UNSUPPORTED;
    return *ret ? EFI_SUCCESS : EFI_UNSUPPORTED;
}

static EFI_STATUS EFIAPI locate_path(EFI_GUID *guid, EFI_DEVICE_PATH **path, EFI_HANDLE *ret_handle)
{
    assert_memory_equal(guid, &binding_guid, sizeof(*guid));
    assert_ptr_equal(*path, &net);
    if (refused())
        return net.refuse_with;
    *ret_handle = &binding;
    return net.no_driver ? EFI_NOT_FOUND : EFI_SUCCESS;
}

static EFI_STATUS EFIAPI create_child(EFI_SERVICE_BINDING *self, EFI_HANDLE *child)
{
    if (refused())
        return net.refuse_with;
    net.children++;
    *child = mtftp;
    return EFI_SUCCESS;
}

static EFI_STATUS EFIAPI destroy_child(EFI_SERVICE_BINDING *self, EFI_HANDLE child)
{
    net.children--;
    assert_false(net.configured); /* the child must have been told that nothing more comes */
    return EFI_SUCCESS;
}

static EFI_STATUS EFIAPI configure(void *self, const struct config *config)
{
    net.configured = config != NULL;
    if (!config)
        return EFI_SUCCESS;
    if (refused())
        return net.refuse_with;
    assert_false(config->defaults);
    assert_memory_equal(config->station, ((UINT8[]){10, 0, 17, 50}), 4);
    assert_memory_equal(config->mask, ((UINT8[]){255, 255, 255, 0}), 4);
    assert_memory_equal(config->gateway, ((UINT8[]){net.gateway ? 10 : 0, 0, net.gateway ? 17 : 0, net.gateway}), 4);
    assert_int_equal(config->local_port, 0); /* any */
    assert_memory_equal(config->server, ((UINT8[]){10, 0, 17, 1}), 4);
    assert_int_equal(config->server_port, 69);
    assert_true(config->tries * config->seconds >= 5 && config->tries * config->seconds <= 30);
    return EFI_SUCCESS;
}

static EFI_STATUS EFIAPI write_file(void *self, struct token *token)
{
    const UINT8 packet[] = {0, net.status == EFI_TFTP_ERROR ? 5 : 6, net.code_high, net.code, 0};

    assert_true(net.configured && !token->event && token->context);
    assert_int_equal(token->options, 1);
    assert_string_equal(token->option[0], "blksize");
    assert_string_equal(token->option[1], "1428");
    if (refused())
        return net.refuse_with;
    if (net.writes < net.tries_away) {
        net.writes++;
        return net.away;
    }
    if (!net.silent)
        assert_int_equal(token->check(self, token, (UINT16)net.packet_bytes, packet), EFI_SUCCESS);
    strcpy(net.written, token->name);
    if (net.file_count < 20)
        strcpy(net.files[net.file_count++], token->name);
    net.size = token->size;
    if (strstr(token->name, ",sums.txt")) {
        snprintf(net.sums, sizeof(net.sums), "%.*s", (int)token->size, (const char *)token->bytes);
        net.sums_sent++;
    }
    memcpy(net.bytes, token->bytes, token->size < sizeof(net.bytes) ? token->size : sizeof(net.bytes));
    return net.writes++ < net.lost ? EFI_TIMEOUT : net.status;
}

/* Reads what the server reports about itself and about a run. */
static EFI_STATUS confirm(char *bytes, UINT64 *size, const char *name)
{
    static const char *const before[] = {['k'] = "", ['a'] = "again\n", ['o'] = "Again\n", ['p'] = "x"};
    bool waits = !strcmp(name, "confirmed/wait");
    char what = !waits && net.answers && *net.answers ? *net.answers++ : '-', text[3100];

    if (what == 't')
        return EFI_TIMEOUT;
    if (waits ? !net.wait : what == '-')
        return EFI_NOT_FOUND;
    snprintf(text, sizeof(text), "%s%s", waits ? net.wait : before[(unsigned char)what], waits ? "" : net.sums);
    if (*size < strlen(text)) {
        *size = strlen(text);
        return EFI_BUFFER_TOO_SMALL;
    }
    *size = strlen(text);
    memcpy(bytes, text, *size);
    return EFI_SUCCESS;
}

static EFI_STATUS EFIAPI read_by_pxe(EFI_PXE_BASE_CODE *self, EFI_PXE_BASE_CODE_TFTP_OPCODE what, VOID *bytes,
                                     BOOLEAN overwrite, UINT64 *size, UINTN *block, EFI_IP_ADDRESS *server, UINT8 *name,
                                     EFI_PXE_BASE_CODE_MTFTP_INFO *info, BOOLEAN without)
{
    assert_int_equal(what, EFI_PXE_BASE_CODE_TFTP_READ_FILE); /* the other function stops EDK II */
    assert_memory_equal(server, ((UINT8[16]){10, 0, 17, 1}), 16);
    assert_int_equal(*block, 1428);
    if (refused())
        return net.refuse_with;
    strcat(strcat(net.asked, (const char *)name), " ");
    mode.TftpErrorReceived = net.status == EFI_TFTP_ERROR && !net.no_packet;
    mode.TftpError.ErrorCode = net.code;
    for (unsigned i = 0; i < *size; i++)
        assert_int_equal(((const char *)bytes)[i], 0);
    if (!strncmp((const char *)name, "confirmed/", 10) && net.status == EFI_SUCCESS)
        return confirm(bytes, size, (const char *)name);
    if (net.taken) {
        net.taken--;
        return EFI_BUFFER_TOO_SMALL;
    }
    for (unsigned i = 0; i < net.file_count; i++)
        if (!strcmp((const char *)name, net.files[i]))
            return net.one_byte ? EFI_SUCCESS : EFI_BUFFER_TOO_SMALL;
    if (!net.there || strcmp((const char *)name, net.there) != 0)
        return net.status ? net.status : EFI_NOT_FOUND;
    if (net.empty)
        return EFI_SUCCESS;
    if (*size < 4) {
        *size = 4;
        return EFI_BUFFER_TOO_SMALL;
    }
    memcpy(bytes, "text", 4);
    *size = net.by_ipxe ? *size : 4;
    return EFI_SUCCESS;
}

static EFI_STATUS EFIAPI allocate_pool(EFI_MEMORY_TYPE type, UINTN size, VOID **ret)
{
    assert_int_equal(type, EfiLoaderData);
    if (refused())
        return net.refuse_with;
    *ret = net.full ? NULL : malloc(size);
    net.allocations++;
    net.memory += !net.full;
    return net.full ? EFI_OUT_OF_RESOURCES : EFI_SUCCESS;
}

static EFI_STATUS EFIAPI free_pool(VOID *memory)
{
    net.memory--;
    free(memory);
    return EFI_SUCCESS;
}

static EFI_STATUS EFIAPI get_time(EFI_TIME *time, EFI_TIME_CAPABILITIES *capabilities)
{
    *time = (EFI_TIME){.Year = 2026, .Month = 3, .Day = 9, .Hour = 1, .Minute = 2, .Second = 59};
    return net.clock_fails ? EFI_DEVICE_ERROR : EFI_SUCCESS;
}

static EFI_STATUS EFIAPI next_count(UINT64 *count)
{
    *count = 1;
    net.counts++;
    return EFI_SUCCESS;
}

static void print(struct firmware *fw, const char *text, size_t length)
{
    assert_null(memchr(text, '\0', length));
    assert_ptr_equal(fw, &efi.firmware);
    assert_true(strlen(net.screen) + length < sizeof(net.screen));
    strncat(net.screen, text, length);
}

void power_on(void)
{
    fake_system_init(&efi);
    fake_system.boot.HandleProtocol = handle_protocol;
    fake_system.boot.LocateDevicePath = locate_path;
    fake_system.boot.AllocatePool = allocate_pool;
    fake_system.boot.FreePool = free_pool;
    fake_system.boot.GetNextMonotonicCount = next_count;
    fake_system.runtime.GetTime = get_time;
    efi.firmware.print = print;
    binding = (EFI_SERVICE_BINDING){create_child, destroy_child};
    mtftp[1] = (void *)configure;
    mtftp[5] = (void *)write_file;
    pxe.Mtftp = read_by_pxe;
    pxe.Mode = &mode;
    mode.Started = mode.DhcpAckReceived = TRUE;
    memcpy(&mode.StationIp, (UINT8[]){10, 0, 17, 50}, 4);
    memcpy(&mode.SubnetMask, (UINT8[]){255, 255, 255, 0}, 4);
    mode.RouteTableEntries = 1;
    memcpy(&mode.RouteTable[0].GwAddr, (UINT8[]){10, 0, 17, 9}, 4);
    mode.SubnetMask.Addr[1] = 0xFFFFFFFF; /* behind the address: nothing with a meaning */
    memcpy(mode.DhcpAck.Dhcpv4.BootpSiAddr, (UINT8[]){10, 0, 17, 1}, 4);
    mode.DhcpAck.Dhcpv4.BootpGiAddr[0] = 77;
    memcpy(mode.DhcpAck.Dhcpv4.BootpHwAddr, (UINT8[]){0x52, 0x54, 0, 0x12, 0x34, 0x5F}, 6);
    loaded.DeviceHandle = &pxe;
    efi.loaded = &loaded;
    efi.firmware.context = &efi;
    efi.network = (struct efi_network){0};
    efi.firmware.read_file = NULL;
    efi.root = NULL;
}

int setup(void **state)
{
    memset(&net, 0, sizeof(net));
    memset(&mode, 0, sizeof(mode));
    net.packet_bytes = 5;
    net.gateway = 9;
    power_on();
    return 0;
}

const char *named(const char *run_and_file)
{
    static char name[100];

    assert_int_equal(strlen(efi.network.booted), strlen("20260309-010259-1b5b0071"));
    snprintf(name, sizeof(name), "runs/52-54-00-12-34-5f,%s,%s", efi.network.booted, run_and_file);
    return name;
}

enum firmware_error send(const char *path)
{
    struct firmware *fw = &efi.firmware;
    struct firmware_file *file;

    assert_int_equal(fw->file_create(fw, path, &file), FIRMWARE_OK);
    assert_int_equal(fw->file_write(file, "x", 1), FIRMWARE_OK);
    return fw->file_close(file, true);
}
