/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A volume that allocates clusters for files, folders and their entries like EDK II's FAT driver
 * (FatPkg/EnhancedFatDxe), with that driver's damage on a full volume: folders without a cluster, files that lost
 * their old name and got no new one. Any one call can fail.
 */
#ifndef TESTS_UNIT_EFI_FAKE_VOLUME_H
#define TESTS_UNIT_EFI_FAKE_VOLUME_H

#include "tests/unit/efi/fake_system.h"

enum { FAKE_NODES = 64, FAKE_HANDLES = 8, FAKE_CLUSTER = 512 };

struct fake_node {
    char path[EFI_PATH_MAX]; /* "": unused; the root's is "\" */
    bool folder;
    unsigned clusters, entries; /* a folder without clusters is incomplete */
    char *data;
    size_t size;
};

struct fake_volume {
    struct fake_node node[FAKE_NODES];
    unsigned free;        /* clusters */
    unsigned lost;        /* clusters without an entry */
    unsigned open;        /* handles */
    unsigned pools;       /* pieces of memory not released */
    bool short_writes;    /* only half of the data is written, without an error */
    bool without_sizes;   /* folders have no sizes, as with drivers of other firmware */
    bool halves;          /* the next new folder gets no cluster, although some are free */
    bool deletes_half;    /* folders without a cluster can be deleted */
    unsigned calls;       /* number of calls since the volume was made */
    unsigned refuse_call; /* number of a call that fails once; 0: none */
    EFI_STATUS refuse_with;
};

extern struct fake_volume fake_volume;

/* Makes an empty volume for efi with this many free clusters, \EFI and \ibsboot; memory comes from malloc(). */
void fake_volume_init(struct efi_firmware *efi, unsigned free);
void fake_volume_free(void);
/* Returns the node of a path, or NULL if there is none. */
struct fake_node *fake_volume_find(const char *path);
/* Adds a file as if written by another program. */
void fake_volume_put(const char *path, const char *data, size_t size);
/* Count the errors that fsck.fat would report, incomplete folders and lost clusters; and files whose names have this
 * ending. */
unsigned fake_volume_damage(void);
unsigned fake_volume_count(const char *suffix);

#endif
