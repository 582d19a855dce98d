/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/symbols/debuginfod.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

/* Functions of libdebuginfod.so.1 (debuginfod_find_debuginfo(3)). libdw depends on the package, and also loads it like
 * this. */
struct client {
    void *(*begin)(void);
    int (*find[2])(void *client, const unsigned char *build_id, int size, char **ret_path); /* indexed by 'debug' */
    void (*end)(void *client);
};

/* Returns false if the library is not installed. It stays loaded. */
static bool load(struct client *client)
{
    void *library = dlopen("libdebuginfod.so.1", RTLD_LAZY);

    if (!library)
        return false;
    *(void **)&client->begin = dlsym(library, "debuginfod_begin");
    *(void **)&client->find[false] = dlsym(library, "debuginfod_find_executable");
    *(void **)&client->find[true] = dlsym(library, "debuginfod_find_debuginfo");
    *(void **)&client->end = dlsym(library, "debuginfod_end");
    return client->begin && client->find[false] && client->find[true] && client->end;
}

char *debuginfod_file(const uint8_t *build_id, size_t size, bool debug)
{
    const char *urls = getenv("DEBUGINFOD_URLS");
    struct client client;
    char *path = NULL;
    void *handle;
    int file;

    if (!urls || urls[0] == '\0' || size == 0 || !load(&client) || !(handle = client.begin()))
        return NULL;
    file = client.find[debug](handle, build_id, (int)size, &path);
    client.end(handle);
    if (file < 0)
        return NULL;
    close(file);
    return path;
}
