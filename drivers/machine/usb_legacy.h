/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Switches USB legacy emulation off for the measured part.
 *
 * Firmware emulates a keyboard of the 8042, and disks, by SMIs that USB controllers request. Only those requests are
 * switched off here, and restored: the controllers run on and stay the firmware's. The hand-off that operating systems
 * make (USBLEGSUP bit 24, HcCommandStatus OCR) is not made: firmware answers it by forgetting its devices, and nothing
 * makes it take them back; the stick that a run is saved to may be one of them.
 *
 * Sources: Linux drivers/usb/host/pci-quirks.c and xhci-ext-caps.h (registers, bits, and which of them a 1 clears);
 * EDK II MdeModulePkg/Bus/Pci/EhciDxe, EhcClearLegacySupport, and XhciDxe, XhcClearBiosOwnership (the walk along the
 * capabilities); EHCI 1.0 sections 2.1.7, 2.1.8; xHCI 1.2 section 7.1; OpenHCI 1.0a sections 7.1, B.1; Intel 82371SB
 * (PIIX3), USBLKMCR. A device's words on itself are data: lists end after as many steps as they may have, and
 * registers are touched only where the firmware's page tables map their page one to one.
 */
#ifndef DRIVERS_USB_LEGACY_H
#define DRIVERS_USB_LEGACY_H

#include <stdint.h>

#include "drivers/machine/restore.h"
#include "drivers/cpu/session_error.h"

struct usb_legacy {
    uint32_t controllers; /* UHCI, OHCI, EHCI, xHCI on the buses that bus 0 leads to */
    uint32_t off;         /* registers that no longer request SMIs; each is a row of the log */
    uint32_t unreached;   /* controllers whose registers are off, or not mapped, and were not looked at */
};

/* Switches the requests off, within a session, on one core; its log gives them back. Returns SESSION_OK, or
 * SESSION_USB, with the controller's bus, device and function as bits 15:8, 7:3 and 2:0 of *detail, where a register
 * keeps its request on or the log is full. */
enum session_error usb_legacy_off(struct restore_log *log, struct usb_legacy *ret_usb, uint64_t *detail);

#endif
