/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Texts given to QEMU with -fw_cfg name=NAME,string=TEXT.
 */
#ifndef VPMU_SHIM_FW_CFG_H
#define VPMU_SHIM_FW_CFG_H

#include <stdbool.h>
#include <stdint.h>

/* Copies the text, zero-terminated. Returns false if no text has that name. *too_long: with the zero it is longer than
 * size bytes, and nothing was copied. */
bool fw_cfg_read(const char *name, char *text, uint32_t size, bool *too_long);

#endif
