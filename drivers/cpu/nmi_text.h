/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Code that runs between an NMI and its iretq is one piece of the image (linker.ld), so that samples taken there can
 * be told from the workload's and from the rest of this program. Whatever the handler calls has this attribute;
 * tests/host/image/image.sh walks the calls from the NMI's entry and finds what lacks it.
 */
#ifndef DRIVERS_NMI_TEXT_H
#define DRIVERS_NMI_TEXT_H

#define NMI_TEXT __attribute__((section(".text.nmi")))

#endif
