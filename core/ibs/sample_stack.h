/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The call stack at a sample's NMI: return addresses, found by frame pointers.
 *
 * Code with frame pointers begins with 'push rbp; mov rbp, rsp': RBP leads to the saved RBP of the caller, and the
 * return address is 8 bytes above (System V ABI, AMD64 supplement, section 3.2.2). Whoever ends a chain sets RBP to 0.
 * Between a call and that 'mov' the innermost caller is missing, which no walk by frame pointers can know.
 */
#ifndef CORE_SAMPLE_STACK_H
#define CORE_SAMPLE_STACK_H

#include <stdint.h>

enum { SAMPLE_STACK_MAX = 16 };

/* How the walk ended. */
enum sample_stack_end {
    SAMPLE_STACK_WHOLE,  /* the chain's own end: a frame pointer of 0 */
    SAMPLE_STACK_CUT,    /* as many addresses as were asked for, and more frames above */
    SAMPLE_STACK_BROKEN, /* a frame pointer that is not aligned, does not rise, or leads out of the stack */
    SAMPLE_STACK_ENDS,
};

struct sample_stack {
    uint64_t rip;                       /* where the NMI came */
    uint32_t depth;                     /* addresses that are there */
    uint32_t end;                       /* enum sample_stack_end */
    uint64_t address[SAMPLE_STACK_MAX]; /* return addresses, the innermost first */
};

/*
 * Walks from frame pointer rbp, at most 'depth' (1 to SAMPLE_STACK_MAX) addresses. Reads memory of the stack [low,
 * high) only: each frame is checked before it is read, and lies above the one before, so the walk ends whatever the
 * memory holds. For the NMI handler: general registers only, no calls.
 */
static inline __attribute__((always_inline)) void
sample_stack_walk(struct sample_stack *stack, uint64_t rip, uint64_t rbp, uint64_t low, uint64_t high, uint32_t depth)
{
    uint32_t found = 0, end = SAMPLE_STACK_WHOLE;
    while (rbp) {
        if (rbp & 7 || rbp < low || high < 16 || rbp > high - 16) {
            end = SAMPLE_STACK_BROKEN;
            break;
        }
        if (found == depth) {
            end = SAMPLE_STACK_CUT;
            break;
        }
        const uint64_t *frame = (const uint64_t *)(uintptr_t)rbp;
        stack->address[found++] = frame[1];
        low = rbp + 16;
        rbp = frame[0];
    }
    stack->rip = rip;
    stack->depth = found;
    stack->end = end;
}

#endif
