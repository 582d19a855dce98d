/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The SBAT section of the image, as text: shim starts no image without it, and refuses those of a component whose
 * generation was revoked (github.com/rhboot/shim, SBAT.md: a line a component with its generation, vendor, package,
 * version and place). The generation rises with each mistake by which an image that was signed could start code that
 * was not.
 */
#include "core/base/version.h"

__asm__(".pushsection .sbat, \"a\", @progbits\n"
        ".ascii \"sbat,1,SBAT Version,sbat,1,https://github.com/rhboot/shim/blob/main/SBAT.md\\n\"\n"
        ".ascii \"ibsboot,1,ibsboot,ibsboot," IBSBOOT_VERSION ",docs/machines.md\\n\"\n"
        ".popsection\n");
