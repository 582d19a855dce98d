/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * REP instructions; and REP STOSB, a page at a time.
 *
 * Debian's OVMF fills all memory that it allocates or frees: 90 MB in a short boot, which QEMU does byte by byte. Where
 * the page has code, as that of a program that has ended, each byte also looks for blocks that were translated from it.
 *
 * QEMU itself does the first iteration in each page, so that pages which are missing or protected fault as ever. That
 * the registers then are those of the next iteration shows that RDI goes up, and that they are where they should be.
 */
#include "vpmu/plugin/rep.h"

#include <string.h>

enum { RAX, RCX, RDI = 7, PAGE = 4096, MB = 1 << 20 };

/* Returns whether REP stands before INS, OUTS, MOVS, CMPS, STOS, LODS, SCAS (AMD APM vol. 3, "Repeat Prefixes"). */
bool rep_is(const uint8_t *bytes, size_t length)
{
    bool rep = false;
    size_t i = 0;
    for (; i < length && memchr("\x66\x67\xf2\xf3\x2e\x36\x3e\x26\x64\x65", bytes[i], 10); i++)
        rep |= bytes[i] == 0xf2 || bytes[i] == 0xf3;
    i += i < length && (bytes[i] & 0xf0) == 0x40; /* REX */
    uint8_t opcode = i < length ? bytes[i] : 0;
    return rep && ((opcode >= 0x6c && opcode <= 0x6f) || (opcode >= 0xa4 && opcode <= 0xa7) ||
                   (opcode >= 0xaa && opcode <= 0xaf));
}

bool rep_is_fill(const uint8_t *bytes, size_t length)
{
    return length == 2 && !memcmp(bytes, "\xf3\xaa", 2);
}

static bool is_next(const struct rep *rep, uint64_t rip, const uint64_t *env)
{
    return rep->last.env == env && rep->last.rip == rip && env[RCX] == rep->last.rcx - 1 &&
           env[RDI] == rep->last.rdi + 1;
}

/* Returns the end of memory that begins at 1 MB. Writes to devices would be lost. */
static uint64_t memory_above(struct rep *rep, const struct qemu_calls *qemu)
{
    uint64_t length = 1ull << 40;
    if (rep->end)
        return rep->end;
    void *host = qemu->map(MB, &length, true);
    rep->end = MB;
    if (host) {
        qemu->unmap(host, length, false, 0);
        rep->end += length;
    }
    return rep->end;
}

void rep_fill(struct rep *rep, const struct qemu_calls *qemu, uint32_t number, uint64_t rip, uint64_t *env)
{
    uint8_t bytes[PAGE];
    uint64_t at = env[RDI], count = PAGE - at % PAGE;

    /* In 64-bit mode the segment begins at 0, and all of RCX and RDI counts. */
    if (count < PAGE && is_next(rep, rip, env) && at >= MB && at < memory_above(rep, qemu) &&
        (((uint32_t *)env)[QEMU_ENV_HFLAGS] & QEMU_HFLAGS_LONG_MODE) == QEMU_HFLAGS_LONG_MODE) {
        count = count < env[RCX] ? count : env[RCX];
        memset(bytes, (uint8_t)env[RAX], count);
        /* By the guest's page tables; blocks that were translated from there are forgotten. */
        if (!qemu->memory(qemu->get_cpu((int)number), at, bytes, count, true)) {
            env[RDI] += count;
            env[RCX] -= count;
        }
    }
    rep->last.env = env;
    rep->last.rip = rip;
    rep->last.rcx = env[RCX];
    rep->last.rdi = env[RDI];
}
