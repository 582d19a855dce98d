/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/unit/efi/fake_volume.h"

#include <stdlib.h>
#include <string.h>

struct fake_volume fake_volume;

enum { ENTRIES_PER_CLUSTER = FAKE_CLUSTER / 32, NAME_PART = 13, SHORT_NAME = 8, SHORT_END = 3 };

static struct fake_handle {
    EFI_FILE functions;
    struct fake_node *node; /* NULL: not open */
    size_t at;
    bool writes; /* opened for writing */
} handles[FAKE_HANDLES];

/* Counts the call, and returns whether it must fail. */
static bool refused(void)
{
    return ++fake_volume.calls == fake_volume.refuse_call;
}

static struct fake_handle *of(EFI_FILE_HANDLE handle)
{
    struct fake_handle *found = (struct fake_handle *)handle;

    assert_true(found >= handles && found < handles + FAKE_HANDLES && found->node);
    return found;
}

static unsigned clusters_of(size_t size)
{
    return (unsigned)((size + FAKE_CLUSTER - 1) / FAKE_CLUSTER);
}

struct fake_node *fake_volume_find(const char *path)
{
    for (unsigned i = 0; i < FAKE_NODES; i++)
        if (fake_volume.node[i].path[0] && !strcmp(fake_volume.node[i].path, path))
            return &fake_volume.node[i];
    return NULL;
}

static struct fake_node *parent_of(const char *path)
{
    char parent[EFI_PATH_MAX];
    char *end;

    strcpy(parent, path);
    end = strrchr(parent, '\\');
    end[end == parent] = '\0';
    return fake_volume_find(parent);
}

/* Returns the number of entries: one for a short name, otherwise one more for each 13 characters. */
static unsigned entries_of(const char *path)
{
    const char *name = strrchr(path, '\\') + 1, *dot = strchr(name, '.');
    size_t length = strlen(name), first = dot ? (size_t)(dot - name) : length;

    if (first <= SHORT_NAME && (!dot || (length - first - 1 <= SHORT_END && !strchr(dot + 1, '.'))))
        return 1;
    return (unsigned)(1 + (length + NAME_PART - 1) / NAME_PART);
}

/* Appends entries; those of deleted files are not used again. */
static EFI_STATUS add_entries(struct fake_node *folder, const char *path)
{
    unsigned entries = folder->entries + entries_of(path);

    if (entries > folder->clusters * ENTRIES_PER_CLUSTER) {
        if (!fake_volume.free)
            return EFI_VOLUME_FULL;
        fake_volume.free--;
        if (!folder->clusters) { /* the folder's own entry does not get the cluster */
            fake_volume.lost++;
            return EFI_NOT_FOUND;
        }
        folder->clusters++;
    }
    folder->entries = entries;
    return EFI_SUCCESS;
}

static struct fake_node *add_node(const char *path, bool folder)
{
    for (unsigned i = 0; i < FAKE_NODES; i++) {
        struct fake_node *node = &fake_volume.node[i];

        if (node->path[0])
            continue;
        *node = (struct fake_node){.folder = folder};
        strcpy(node->path, path);
        return node;
    }
    fail_msg("no room for %s", path);
    return NULL;
}

static EFI_STATUS create(const char *path, bool folder)
{
    struct fake_node *parent = parent_of(path), *node;
    EFI_STATUS status = parent && parent->folder ? add_entries(parent, path) : EFI_NOT_FOUND;

    if (status != EFI_SUCCESS)
        return status;
    node = add_node(path, folder);
    if (!folder)
        return EFI_SUCCESS;
    if (!fake_volume.free || fake_volume.halves)
        return EFI_VOLUME_FULL; /* and the entry stays behind */
    fake_volume.free--;
    node->clusters = 1;
    node->entries = 2;
    return EFI_SUCCESS;
}

static EFI_STATUS EFIAPI volume_open(EFI_FILE_HANDLE from, EFI_FILE_HANDLE *ret_file, CHAR16 *name, UINT64 mode,
                                     UINT64 attributes)
{
    char path[EFI_PATH_MAX];
    EFI_STATUS status = EFI_NOT_FOUND;

    assert_ptr_equal(from, &handles[0]);
    /* The modes and attributes are those that EFI_FILE_PROTOCOL.Open() accepts (UEFI specification 2.10 section
     * 13.5). */
    assert_true(mode == EFI_FILE_MODE_READ ||
                (mode & ~EFI_FILE_MODE_CREATE) == (EFI_FILE_MODE_READ | EFI_FILE_MODE_WRITE));
    assert_true(attributes == 0 || (attributes == EFI_FILE_DIRECTORY && mode & EFI_FILE_MODE_CREATE));
    if (refused())
        return fake_volume.refuse_with;
    for (unsigned i = 0; i == 0 || path[i - 1]; i++)
        path[i] = (char)name[i];
    if (!fake_volume_find(path)) {
        if (mode & EFI_FILE_MODE_CREATE)
            status = create(path, attributes & EFI_FILE_DIRECTORY);
        if (status != EFI_SUCCESS)
            return status;
    }
    for (unsigned i = 1; i < FAKE_HANDLES; i++) {
        if (handles[i].node)
            continue;
        handles[i].node = fake_volume_find(path);
        handles[i].at = 0;
        handles[i].writes = mode & EFI_FILE_MODE_WRITE;
        fake_volume.open++;
        *ret_file = &handles[i].functions;
        return EFI_SUCCESS;
    }
    fail_msg("too many files are open");
    return EFI_OUT_OF_RESOURCES;
}

static EFI_STATUS EFIAPI volume_close(EFI_FILE_HANDLE handle)
{
    of(handle)->node = NULL;
    fake_volume.open--;
    return EFI_SUCCESS;
}

static EFI_STATUS EFIAPI volume_delete(EFI_FILE_HANDLE handle)
{
    struct fake_node *node = of(handle)->node;
    bool refuse = refused() || !of(handle)->writes || (node->folder && (node->clusters || !fake_volume.deletes_half));

    volume_close(handle);
    if (refuse)
        return EFI_WARN_DELETE_FAILURE;
    fake_volume.free += node->clusters;
    free(node->data);
    *node = (struct fake_node){0};
    return EFI_SUCCESS;
}

static EFI_STATUS EFIAPI volume_write(EFI_FILE_HANDLE handle, UINTN *size, VOID *data)
{
    struct fake_handle *file = of(handle);
    struct fake_node *node = file->node;
    size_t end;

    assert_true(file->writes);
    if (refused()) {
        *size = 0;
        return fake_volume.refuse_with;
    }
    assert_false(node->folder);
    *size /= fake_volume.short_writes ? 2 : 1;
    end = file->at + *size;
    if (end > node->size) {
        unsigned more = clusters_of(end) - node->clusters;

        if (more > fake_volume.free) {
            *size = 0;
            return EFI_VOLUME_FULL;
        }
        fake_volume.free -= more;
        node->clusters += more;
        node->data = realloc(node->data, end);
        memset(node->data + node->size, 0x5A, end - node->size); /* earlier content of the clusters */
        node->size = end;
    }
    memcpy(node->data + file->at, data, *size);
    file->at = end;
    return EFI_SUCCESS;
}

static void add_name(EFI_FILE_INFO *info, const char *path, UINTN *size)
{
    const char *name = strrchr(path, '\\') + 1;
    UINTN n = 0;

    do
        info->FileName[n] = (CHAR16)name[n];
    while (name[n++]);
    *size = info->Size = SIZE_OF_EFI_FILE_INFO + n * sizeof(CHAR16);
}

/* Returns the next name in a folder: the next path that begins with the folder's. */
static EFI_STATUS read_folder(struct fake_handle *folder, UINTN *size, EFI_FILE_INFO *info)
{
    size_t length = strlen(folder->node->path);

    while (folder->at < FAKE_NODES) {
        const char *path = fake_volume.node[folder->at++].path;

        if (strncmp(path, folder->node->path, length) != 0 || path[length] != '\\' || strchr(path + length + 1, '\\'))
            continue;
        memset(info, 0, sizeof(*info));
        add_name(info, path, size);
        return EFI_SUCCESS;
    }
    *size = 0;
    return EFI_SUCCESS;
}

static EFI_STATUS EFIAPI volume_read(EFI_FILE_HANDLE handle, UINTN *size, VOID *data)
{
    struct fake_handle *file = of(handle);
    size_t left;

    if (refused())
        return fake_volume.refuse_with;
    if (file->node->folder)
        return read_folder(file, size, data);
    left = file->node->size - file->at;
    *size = *size < left ? *size : left;
    memcpy(data, file->node->data + file->at, *size);
    file->at += *size;
    return EFI_SUCCESS;
}

static EFI_STATUS EFIAPI volume_set_position(EFI_FILE_HANDLE handle, UINT64 position)
{
    if (refused())
        return fake_volume.refuse_with;
    of(handle)->at = position == ~(UINT64)0 ? of(handle)->node->size : position;
    return EFI_SUCCESS;
}

static EFI_STATUS EFIAPI volume_get_position(EFI_FILE_HANDLE handle, UINT64 *ret_position)
{
    *ret_position = of(handle)->at;
    return EFI_SUCCESS;
}

static EFI_STATUS EFIAPI volume_flush(EFI_FILE_HANDLE handle)
{
    (void)of(handle);
    return refused() ? fake_volume.refuse_with : EFI_SUCCESS;
}

static EFI_STATUS EFIAPI volume_get_info(EFI_FILE_HANDLE handle, EFI_GUID *type, UINTN *size, VOID *buffer)
{
    static EFI_GUID file_info = EFI_FILE_INFO_ID;
    const struct fake_node *node = of(handle)->node;
    EFI_FILE_INFO *info = buffer;

    if (refused())
        return fake_volume.refuse_with;
    assert_memory_equal(type, &file_info, sizeof(file_info));
    memset(info, 0, sizeof(*info));
    info->FileSize = !node->folder ? node->size : fake_volume.without_sizes ? 0 : node->clusters * FAKE_CLUSTER;
    info->Attribute = node->folder ? EFI_FILE_DIRECTORY : 0;
    add_name(info, node->path, size);
    return EFI_SUCCESS;
}

/* Renames a file: the old name is removed before there is a place for the new one. */
static EFI_STATUS EFIAPI volume_set_info(EFI_FILE_HANDLE handle, EFI_GUID *type, UINTN size, VOID *buffer)
{
    struct fake_node *node = of(handle)->node;
    const EFI_FILE_INFO *info = buffer;
    char path[EFI_PATH_MAX], *name;
    EFI_STATUS status;

    if (refused())
        return fake_volume.refuse_with;
    assert_true(of(handle)->writes);
    assert_int_equal(size, info->Size);
    assert_int_equal(info->FileSize, node->size); /* the size stays */
    strcpy(path, node->path);
    name = strrchr(path, '\\') + 1;
    for (UINTN i = 0; i == 0 || name[i - 1]; i++)
        name[i] = (char)info->FileName[i];
    /* The size covers the name with its end, and no more (UEFI specification 2.10 section 13.5, EFI_FILE_INFO). */
    assert_int_equal(size, offsetof(EFI_FILE_INFO, FileName) + (strlen(name) + 1) * sizeof(CHAR16));
    if (fake_volume_find(path))
        return EFI_ACCESS_DENIED;
    status = add_entries(parent_of(path), path);
    strcpy(node->path, path);
    if (status != EFI_SUCCESS) {
        fake_volume.lost += node->clusters;
        node->path[0] = '\0';
    }
    return status;
}

static EFI_STATUS EFIAPI allocate_pool(EFI_MEMORY_TYPE type, UINTN size, VOID **ret_memory)
{
    assert_int_equal(type, EfiLoaderData);
    *ret_memory = malloc(size);
    memset(*ret_memory, 0xA5, size);
    fake_volume.pools++;
    return EFI_SUCCESS;
}

static EFI_STATUS EFIAPI free_pool(VOID *memory)
{
    free(memory);
    fake_volume.pools--;
    return EFI_SUCCESS;
}

void fake_volume_put(const char *path, const char *data, size_t size)
{
    struct fake_node *node = add_node(path, !data);

    node->clusters = data ? clusters_of(size) : 1;
    node->entries = 2;
    node->size = size;
    node->data = malloc(size + 1);
    if (data)
        memcpy(node->data, data, size);
}

void fake_volume_init(struct efi_firmware *efi, unsigned free)
{
    memset(&fake_volume, 0, sizeof(fake_volume));
    memset(handles, 0, sizeof(handles));
    for (unsigned i = 0; i < FAKE_HANDLES; i++)
        handles[i].functions = (EFI_FILE){.Open = volume_open,
                                          .Close = volume_close,
                                          .Delete = volume_delete,
                                          .Read = volume_read,
                                          .Write = volume_write,
                                          .GetPosition = volume_get_position,
                                          .SetPosition = volume_set_position,
                                          .GetInfo = volume_get_info,
                                          .SetInfo = volume_set_info,
                                          .Flush = volume_flush};
    fake_volume_put("\\", NULL, 0);
    fake_volume_put("\\EFI", NULL, 0);
    fake_volume_put("\\ibsboot", NULL, 0);
    fake_volume.free = free;
    handles[0].node = fake_volume_find("\\");
    fake_system.boot.AllocatePool = allocate_pool;
    fake_system.boot.FreePool = free_pool;
    efi->root = &handles[0].functions;
}

void fake_volume_free(void)
{
    for (unsigned i = 0; i < FAKE_NODES; i++)
        free(fake_volume.node[i].data);
}

unsigned fake_volume_damage(void)
{
    unsigned damage = fake_volume.lost;

    for (unsigned i = 0; i < FAKE_NODES; i++)
        damage += fake_volume.node[i].path[0] && fake_volume.node[i].folder && !fake_volume.node[i].clusters;
    return damage;
}

unsigned fake_volume_count(const char *suffix)
{
    size_t length = strlen(suffix);
    unsigned count = 0;

    for (unsigned i = 0; i < FAKE_NODES; i++) {
        const char *path = fake_volume.node[i].path;

        count += strlen(path) > length && !strcmp(path + strlen(path) - length, suffix);
    }
    return count;
}
