/* SPDX-License-Identifier: BSD-2-Clause */
/* The version of the image and of its host programs. */
#ifndef CORE_VERSION_H
#define CORE_VERSION_H

#define IBSBOOT_VERSION "0.4.0"

#endif
