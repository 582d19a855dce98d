/* SPDX-License-Identifier: BSD-2-Clause */
/* The boot server as a volume: which names are read and written there, and what each answer of the firmware becomes. */
#include <stdlib.h>
#include <string.h>

#include "tests/unit/efi/fake_system.h"

/* As in efi/mtftp.c, in the specification's order. */
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

static struct efi_firmware efi;
static EFI_LOADED_IMAGE loaded;
static EFI_PXE_BASE_CODE pxe;
static EFI_PXE_BASE_CODE_MODE mode;
static EFI_SERVICE_BINDING binding;
static void *mtftp[8];
static struct {
    bool no_driver;
    char asked[200];   /* names that were to be read, with blanks between */
    const char *there; /* the one that is there; its text is "text" */
    EFI_STATUS status; /* of other reads and of all writes */
    UINT8 code;        /* that of an ERROR packet */
    bool silent;       /* no packet at all comes */
    unsigned lost;     /* of so many writes the last answer is lost */
    unsigned writes;
    char written[200]; /* name */
    char bytes[100];
    size_t size;
    unsigned children, memory;
    bool configured, full; /* full: of memory */
} net;

static EFI_STATUS EFIAPI handle_protocol(EFI_HANDLE handle, EFI_GUID *guid, VOID **ret)
{
    static EFI_GUID pxe_guid = EFI_PXE_BASE_CODE_PROTOCOL_GUID, path_guid = DEVICE_PATH_PROTOCOL;
    /* EDK II MdePkg/Include/Protocol/Mtftp4.h: gEfiMtftp4ServiceBindingProtocolGuid, gEfiMtftp4ProtocolGuid */
    static const EFI_GUID binding_guid = {0x2FE800BE, 0x8F01, 0x4AA6, {0x94, 0x6B, 0xD7, 0x13, 0x88, 0xE1, 0x83, 0x3F}};
    static const EFI_GUID mtftp_guid = {0x78247C57, 0x63DB, 0x4708, {0x99, 0xC2, 0xA8, 0xB4, 0xA9, 0xA6, 0x1F, 0x6B}};

    if (!memcmp(guid, &pxe_guid, sizeof(*guid)))
        *ret = &pxe;
    else if (!memcmp(guid, &path_guid, sizeof(*guid)))
        *ret = &net;
    else if (!memcmp(guid, handle == &binding ? &binding_guid : &mtftp_guid, sizeof(*guid)))
        *ret = handle == &binding ? (void *)&binding : mtftp;
    else
        return EFI_UNSUPPORTED;
    return EFI_SUCCESS;
}

static EFI_STATUS EFIAPI locate_path(EFI_GUID *guid, EFI_DEVICE_PATH **path, EFI_HANDLE *ret_handle)
{
    *ret_handle = &binding;
    return net.no_driver ? EFI_NOT_FOUND : EFI_SUCCESS;
}

static EFI_STATUS EFIAPI create_child(EFI_SERVICE_BINDING *self, EFI_HANDLE *child)
{
    net.children++;
    *child = mtftp;
    return EFI_SUCCESS;
}

static EFI_STATUS EFIAPI destroy_child(EFI_SERVICE_BINDING *self, EFI_HANDLE child)
{
    net.children--;
    assert_false(net.configured); /* it was told that nothing more comes */
    return EFI_SUCCESS;
}

static EFI_STATUS EFIAPI configure(void *self, const struct config *config)
{
    net.configured = config != NULL;
    if (!config)
        return EFI_SUCCESS;
    assert_false(config->defaults);
    assert_memory_equal(config->station, ((UINT8[]){10, 0, 17, 50}), 4);
    assert_memory_equal(config->mask, ((UINT8[]){255, 255, 255, 0}), 4);
    assert_memory_equal(config->gateway, ((UINT8[]){10, 0, 17, 9}), 4);
    assert_memory_equal(config->server, ((UINT8[]){10, 0, 17, 1}), 4);
    assert_int_equal(config->server_port, 69);
    assert_true(config->tries * config->seconds >= 5 && config->tries * config->seconds <= 30);
    return EFI_SUCCESS;
}

static EFI_STATUS EFIAPI write_file(void *self, struct token *token)
{
    const UINT8 packet[] = {0, net.status == EFI_TFTP_ERROR ? 5 : 6, 0, net.code, 0};

    assert_true(net.configured && !token->event && token->context);
    assert_int_equal(token->options, 1);
    assert_string_equal(token->option[0], "blksize");
    assert_string_equal(token->option[1], "1428");
    if (!net.silent)
        assert_int_equal(token->check(self, token, 5, packet), EFI_SUCCESS);
    strcpy(net.written, token->name);
    net.size = token->size;
    memcpy(net.bytes, token->bytes, token->size < sizeof(net.bytes) ? token->size : sizeof(net.bytes));
    return net.writes++ < net.lost ? EFI_TIMEOUT : net.status;
}

static EFI_STATUS EFIAPI read_by_pxe(EFI_PXE_BASE_CODE *self, EFI_PXE_BASE_CODE_TFTP_OPCODE what, VOID *bytes,
                                     BOOLEAN overwrite, UINT64 *size, UINTN *block, EFI_IP_ADDRESS *server, UINT8 *name,
                                     EFI_PXE_BASE_CODE_MTFTP_INFO *info, BOOLEAN without)
{
    assert_int_equal(what, EFI_PXE_BASE_CODE_TFTP_READ_FILE); /* the other stops EDK II */
    assert_memory_equal(server, ((UINT8[]){10, 0, 17, 1}), 4);
    strcat(strcat(net.asked, (const char *)name), " ");
    mode.TftpErrorReceived = net.status == EFI_TFTP_ERROR;
    mode.TftpError.ErrorCode = net.code;
    if (!net.there || strcmp((const char *)name, net.there) != 0)
        return net.status;
    if (*size < 4) {
        *size = 4;
        return EFI_BUFFER_TOO_SMALL;
    }
    memcpy(bytes, "text", 4);
    *size = 4;
    return EFI_SUCCESS;
}

static EFI_STATUS EFIAPI allocate_pool(EFI_MEMORY_TYPE type, UINTN size, VOID **ret)
{
    *ret = net.full ? NULL : malloc(size);
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
    return EFI_SUCCESS;
}

static int setup(void **state)
{
    fake_system_init(&efi);
    memset(&net, 0, sizeof(net));
    memset(&mode, 0, sizeof(mode));
    fake_system.boot.HandleProtocol = handle_protocol;
    fake_system.boot.LocateDevicePath = locate_path;
    fake_system.boot.AllocatePool = allocate_pool;
    fake_system.boot.FreePool = free_pool;
    fake_system.runtime.GetTime = get_time;
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
    memcpy(mode.DhcpAck.Dhcpv4.BootpSiAddr, (UINT8[]){10, 0, 17, 1}, 4);
    memcpy(mode.DhcpAck.Dhcpv4.BootpHwAddr, (UINT8[]){0x52, 0x54, 0, 0x12, 0x34, 0x5F}, 6);
    loaded.DeviceHandle = &pxe;
    efi.loaded = &loaded;
    efi.firmware.context = &efi;
    efi.network = (struct efi_network){0};
    efi.firmware.read_file = NULL;
    efi.root = NULL;
    return 0;
}

/* Not where there is a volume, nor where the network was not what booted. */
static void only_without_a_volume(void **state)
{
    EFI_FILE root;

    efi.root = &root;
    efi_network_open(&efi);
    assert_null(efi.firmware.read_file);
    setup(NULL);
    mode.Started = FALSE;
    efi_network_open(&efi);
    assert_null(efi.firmware.read_file);
    setup(NULL);
    memset(mode.DhcpAck.Dhcpv4.BootpSiAddr, 0, 4);
    efi_network_open(&efi);
    assert_null(efi.firmware.read_file);
    setup(NULL);
    mode.UsingIpv6 = TRUE;
    efi_network_open(&efi);
    assert_null(efi.firmware.read_file);
}

static void reads(void **state)
{
    struct firmware *fw = &efi.firmware;
    char text[8];
    size_t size = 0;

    efi_network_open(&efi);
    net.status = EFI_TFTP_ERROR;
    net.code = 1;
    net.there = "ibsboot/ibsboot.ini";
    assert_int_equal(fw->read_file(fw, "\\ibsboot\\ibsboot.ini", text, 8, &size), FIRMWARE_OK);
    assert_int_equal(size, 4);
    assert_string_equal(net.asked, "ibsboot/52-54-00-12-34-5f/ibsboot.ini ibsboot/ibsboot.ini ");
    net.there = "ibsboot/52-54-00-12-34-5f/a";
    net.asked[0] = '\0';
    assert_int_equal(fw->read_file(fw, "\\ibsboot\\a", text, 3, &size), FIRMWARE_TOO_LARGE);
    assert_string_equal(net.asked, "ibsboot/52-54-00-12-34-5f/a ");
    assert_int_equal(fw->read_file(fw, "\\ibsboot\\b", text, 8, &size), FIRMWARE_NOT_FOUND);
    assert_int_equal(fw->read_file(fw, "\\other", text, 8, &size), FIRMWARE_NOT_FOUND);
    net.status = EFI_TIMEOUT; /* not asked twice */
    net.asked[0] = '\0';
    assert_int_equal(fw->read_file(fw, "\\ibsboot\\b", text, 8, &size), FIRMWARE_NO_ANSWER);
    assert_string_equal(net.asked, "ibsboot/52-54-00-12-34-5f/b ");
}

static void note_name(void *argument, const char *name)
{
    strcpy(argument, name);
}

static void writes(void **state)
{
    struct firmware *fw = &efi.firmware;
    struct firmware_file *file;
    char *large = calloc(1, 100000), name[100] = "";

    efi_network_open(&efi);
    assert_int_equal(fw->list(fw, "\\ibsboot\\runs", note_name, name), FIRMWARE_NOT_FOUND);
    assert_int_equal(fw->make_folder(fw, "\\ibsboot"), FIRMWARE_OK);
    assert_int_equal(fw->make_folder(fw, "\\ibsboot\\runs"), FIRMWARE_OK);
    assert_int_equal(fw->make_folder(fw, "\\ibsboot\\runs\\0001-a"), FIRMWARE_OK);
    assert_int_equal(fw->list(fw, "\\ibsboot\\runs", note_name, name), FIRMWARE_OK);
    assert_string_equal(name, "0001-a");
    assert_int_equal(fw->make_folder(fw, "\\ibsboot\\runs\\0002-100%d"), FIRMWARE_OK);
    assert_int_equal(fw->list(fw, "\\ibsboot\\runs", note_name, name), FIRMWARE_OK);
    assert_string_equal(name, "0002-100%d");
    net.full = true;
    assert_int_equal(fw->file_create(fw, "\\ibsboot\\runs\\0001-a\\run.ini", &file), FIRMWARE_FAILED);
    net.full = false;
    assert_int_equal(fw->file_create(fw, "\\ibsboot\\runs\\0001-a\\run.ini", &file), FIRMWARE_OK);
    assert_int_equal(fw->file_write(file, "begin", 5), FIRMWARE_OK);
    assert_int_equal(fw->file_write(file, large, 100000), FIRMWARE_OK);
    assert_string_equal(net.written, "");
    assert_int_equal(fw->file_close(file, true), FIRMWARE_OK);
    assert_string_equal(net.written, "runs/52-54-00-12-34-5f,20260309-010259,0001-a,run.ini");
    assert_int_equal(net.size, 100005);
    assert_memory_equal(net.bytes, "begin\0", 6);
    assert_int_equal(fw->file_remove(fw, "\\ibsboot\\runs\\0001-a\\begun.ini"), FIRMWARE_OK);
    assert_string_equal(net.written, "runs/52-54-00-12-34-5f,20260309-010259,0001-a,begun.ini");
    assert_int_equal(net.size, 1);
    assert_int_equal(fw->file_create(fw, "\\ibsboot\\hardware.csv", &file), FIRMWARE_OK);
    assert_int_equal(fw->file_write(file, "x", 1), FIRMWARE_OK);
    assert_int_equal(fw->file_close(file, true), FIRMWARE_OK);
    assert_string_equal(net.written, "runs/52-54-00-12-34-5f,20260309-010259,,hardware.csv");
    net.written[0] = '\0';
    assert_int_equal(fw->file_create(fw, "\\ibsboot\\runs\\0001-a\\run.ini", &file), FIRMWARE_OK);
    assert_int_equal(fw->file_close(file, false), FIRMWARE_OK);
    assert_string_equal(net.written, "");
    assert_int_equal(net.children, 0);
    assert_int_equal(net.memory, 0);
    free(large);
}

static void answers(void **state)
{
    static const struct {
        EFI_STATUS status;
        UINT8 code;
        enum firmware_error error;
    } rows[] = {
        {EFI_TIMEOUT, 0, FIRMWARE_NO_ANSWER},   {EFI_ICMP_ERROR, 0, FIRMWARE_NO_ANSWER},
        {EFI_TFTP_ERROR, 1, FIRMWARE_REFUSED},  {EFI_TFTP_ERROR, 2, FIRMWARE_REFUSED},
        {EFI_TFTP_ERROR, 3, FIRMWARE_FULL},     {EFI_UNSUPPORTED, 0, FIRMWARE_NO_UPLOAD},
        {EFI_DEVICE_ERROR, 0, FIRMWARE_FAILED}, {EFI_SUCCESS, 0, FIRMWARE_OK},
    };
    struct firmware *fw = &efi.firmware;
    struct firmware_file *file;

    efi_network_open(&efi);
    for (unsigned i = 0; i <= sizeof(rows) / sizeof(rows[0]); i++) {
        bool last = i == sizeof(rows) / sizeof(rows[0]);

        net.no_driver = last;
        net.status = last ? EFI_SUCCESS : rows[i].status;
        net.code = last ? 0 : rows[i].code;
        assert_int_equal(fw->file_create(fw, "\\ibsboot\\runs\\0001-a\\x", &file), FIRMWARE_OK);
        assert_int_equal(fw->file_write(file, "x", 1), FIRMWARE_OK);
        assert_int_equal(fw->file_close(file, true), last ? FIRMWARE_NO_UPLOAD : rows[i].error);
        assert_int_equal(net.children, 0);
        assert_int_equal(net.memory, 0);
    }
}

/* A server that answered first and then did not gets the whole file once more, any other not. */
static void last_answer_is_lost(void **state)
{
    static const struct {
        unsigned lost;
        bool silent;
        EFI_STATUS status;
        unsigned writes;
        enum firmware_error error;
    } rows[] = {
        {0, false, EFI_SUCCESS, 1, FIRMWARE_OK},         {1, false, EFI_SUCCESS, 2, FIRMWARE_OK},
        {2, false, EFI_SUCCESS, 2, FIRMWARE_NO_ANSWER},  {1, true, EFI_SUCCESS, 1, FIRMWARE_NO_ANSWER},
        {0, false, EFI_TFTP_ERROR, 1, FIRMWARE_REFUSED}, {1, false, EFI_TFTP_ERROR, 2, FIRMWARE_REFUSED},
    };
    struct firmware *fw = &efi.firmware;
    struct firmware_file *file;

    efi_network_open(&efi);
    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        net.lost = rows[i].lost;
        net.silent = rows[i].silent;
        net.status = rows[i].status;
        net.writes = 0;
        assert_int_equal(fw->file_create(fw, "\\ibsboot\\runs\\0001-a\\x", &file), FIRMWARE_OK);
        assert_int_equal(fw->file_write(file, "x", 1), FIRMWARE_OK);
        assert_int_equal(fw->file_close(file, true), rows[i].error);
        assert_int_equal(net.writes, rows[i].writes);
        assert_int_equal(net.children, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(only_without_a_volume, setup),
        cmocka_unit_test_setup(reads, setup),
        cmocka_unit_test_setup(writes, setup),
        cmocka_unit_test_setup(answers, setup),
        cmocka_unit_test_setup(last_answer_is_lost, setup),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
