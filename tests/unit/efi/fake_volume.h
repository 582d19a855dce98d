/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A volume that takes clusters for files, folders and their entries as EDK II's FAT driver does
 * (FatPkg/EnhancedFatDxe), with what that driver leaves behind on a full volume: folders without a cluster, files whose
 * old name is gone and that got no new one. Any one call can be refused.
 */
#ifndef TESTS_UNIT_EFI_FAKE_VOLUME_H
#define TESTS_UNIT_EFI_FAKE_VOLUME_H

#include "tests/unit/efi/fake_system.h"

enum { FAKE_NODES = 64, FAKE_HANDLES = 8, FAKE_CLUSTER = 512 };

struct fake_node {
    char path[EFI_PATH_MAX]; /* "": not used; the root's is "\" */
    bool folder;
    unsigned clusters, entries; /* a folder that has none of the first is half */
    char *data;
    size_t size;
};

struct fake_volume {
    struct fake_node node[FAKE_NODES];
    unsigned free;        /* clusters */
    unsigned lost;        /* clusters that no entry leads to */
    unsigned open;        /* handles */
    unsigned pools;       /* pieces of memory that were taken and not given back */
    bool short_writes;    /* half of what is written is, and no error is told */
    bool without_sizes;   /* of folders, as drivers of other firmware may be */
    bool halves;          /* the next new folder gets no cluster, although there are some */
    bool deletes_half;    /* folders without a cluster can be deleted */
    unsigned calls;       /* since the volume was made */
    unsigned refuse_call; /* this call fails, once; 0: none */
    EFI_STATUS refuse_with;
};

extern struct fake_volume fake_volume;

/* An empty volume with this many free clusters, \EFI and \ibsboot, as efi's; memory comes from malloc(). */
void fake_volume_init(struct efi_firmware *efi, unsigned free);
void fake_volume_free(void);
/* NULL: there is none. */
struct fake_node *fake_volume_find(const char *path);
/* Puts a file as another program would have written it. */
void fake_volume_put(const char *path, const char *data, size_t size);
/* Counts the complaints of fsck.fat, half folders and lost clusters; and the files with this end. */
unsigned fake_volume_damage(void);
unsigned fake_volume_count(const char *suffix);

#endif
