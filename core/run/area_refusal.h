/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Why nothing can be saved to the run area of a stick, IBSRUNS.TAR: found in core/disk/area_file.c. ibsbios passes it
 * to the program as a status of UEFI's range for OEMs (UEFI 2.10, appendix D, table D.1), and both show it in the same
 * words.
 */
#ifndef CORE_AREA_REFUSAL_H
#define CORE_AREA_REFUSAL_H

#define AREA_REFUSALS(ROW)                                                                                             \
    ROW(NONE, "no error")                                                                                              \
    ROW(MISSING,                                                                                                       \
        "IBSRUNS.TAR is not in the root of the stick, and runs are saved nowhere else; copy a file of zeros of "       \
        "this name there")                                                                                             \
    ROW(FOLDER, "IBSRUNS.TAR on the stick is a folder; put a file of zeros of this name in its place")                 \
    ROW(UNREAD, "the firmware does not read a sector of the stick; try another port, or another stick")                \
    ROW(LOST, "the stick's file system is damaged where IBSRUNS.TAR is; chkdsk or fsck.fat repairs it")                \
    ROW(PIECES, "IBSRUNS.TAR is in more than 1024 pieces; delete it, make room, and copy a file of zeros there")       \
    ROW(DAMAGED, "IBSRUNS.TAR is damaged, or not a tar; copy it to a computer (ibsprof reads what is before the "      \
                 "damage), and put a file of zeros in its place")                                                      \
    ROW(UNWRITTEN, "the volume is write-protected, or the firmware does not write to it; try another port, or "        \
                   "another stick")                                                                                    \
    ROW(FULL, "IBSRUNS.TAR has less than 64 KB left; copy it to a computer, and put a file of zeros in its place")     \
    ROW(NO_SECTORS, "the firmware gives no access to the sectors that IBSRUNS.TAR is in; use save=yes")                \
    ROW(LARGE, "IBSRUNS.TAR is on a disk whose sectors do not have 512 bytes; use save=yes, or another stick")         \
    ROW(NOT_FAT, "IBSRUNS.TAR can be written only on FAT32 and FAT16, and the volume is neither; use save=yes")        \
    ROW(HELD, "the firmware's FAT driver does not release the volume of IBSRUNS.TAR; use save=yes")

#define AREA_ENUM(name, text) AREA_##name,
enum area_refusal { AREA_REFUSALS(AREA_ENUM) AREA_REFUSAL_COUNT };
#undef AREA_ENUM

/* The status is EFIERR_OEM(AREA_STATUS + refusal); other firmware's own numbers are elsewhere. */
#define AREA_STATUS 0x1B5B0000u

/* Returns one line without a full stop. */
const char *area_refusal_text(enum area_refusal refusal);

#endif
