/* SPDX-License-Identifier: BSD-2-Clause */
/* Our volume among the BIOS's disks, and the run area on it. */
#ifndef BIOS_VOLUME_H
#define BIOS_VOLUME_H

#include <stdbool.h>
#include <stdint.h>

#include "bios/boot_info.h"

enum { VOLUME_SERIAL = 0x1B5B0071 }; /* as ./dev image gives it */

#define VOLUME_AREA "IBSRUNS.TAR" /* in the root; written in place, never by the file system */

struct fat;
struct store;

/* Looks at the disk that the loader came from first, then at all. Says what it finds. The results are NULL for what is
 * not there. 'chs': disks as if they had no extensions. */
void volume_find(const struct boot_info *info, bool chs, struct fat **ret_fat, struct store **ret_store);

/* The run area can be written, as far as a try at the start told. */
bool volume_writable(void);

/* The disk still answers. */
bool volume_there(void);

#endif
