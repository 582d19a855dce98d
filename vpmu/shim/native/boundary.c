/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Single-stepping inside the guest: what happens at each instruction boundary. Runs in the guest, called by the stub,
 * and in the host for instructions that were emulated on an exit.
 *
 * TF must stay as the shim set it, and hidden from the guest. The three instructions that move RFLAGS to or from
 * memory are recognised at the boundary before them: PUSHF (the image is cleaned at the next boundary), POPF and IRETQ
 * (TF is put into the image, so that stepping goes on). Frames that an exception or interrupt pushed have TF set; when
 * their IRET executes after stepping has ended, nmi.c clears it.
 *
 * RDMSR and WRMSR of the modelled registers and RDTSC, most of what a sampling handler does, are carried out here too:
 * an exit for each would take as long as stepping the whole handler.
 */
#include "vpmu/shim/hypervisor.h"
#include "vpmu/shim/native/boundary.h"

#include "vpmu/shim/native/native.h"
#include "vpmu/shim/native/progress.h"

enum {
    OPCODE_PUSHF = 0x9c,
    OPCODE_POPF = 0x9d,
    OPCODE_NOP = 0x90,
    OPCODE_STI = 0xfb,
    PREFIX_REPE = 0xf3,
};

bool step_wanted(const struct shim *shim)
{
    return boundary_told(shim) || (shim->settings.count_handler && shim->nmi.in_service);
}

void step_rearm(struct shim *shim)
{
    bool armed = vpmu_armed(shim->model);
    if (armed && !boundary_told(shim))
        vpmu_break(shim->model);
    shim->stepper.armed = armed;
}

/* Sets or clears TF in an image of RFLAGS; the plugin has none to hide. */
static void put_tf(const struct shim *shim, uint64_t linear, bool set)
{
    if (hypervisor.native.stepping)
        return;
    uint64_t *flags = (uint64_t *)step_guest_address(shim, linear);
    if (flags)
        *flags = set ? *flags | RFLAGS_TF : *flags & ~RFLAGS_TF;
}

/* Returns 0 where nothing is mapped: the fetch will fault. */
static uint8_t code_byte(const struct shim *shim, uint64_t rip)
{
    uint64_t code = step_guest_address(shim, rip);
    if (hypervisor.native.stepping && code >= hypervisor.native.link.ram_end)
        return 0;
    return code ? *(const uint8_t *)code : 0;
}

bool step_is_iretq(const struct shim *shim, uint64_t rip)
{
    return code_byte(shim, rip) == PREFIX_REX_W && code_byte(shim, rip + 1) == OPCODE_IRET;
}

bool boundary_iretq(struct shim *shim, const uint64_t gpr[16])
{
    struct stepper *stepper = &shim->stepper;
    if (shim->nmi.in_service && !stepper->armed && !shim->settings.count_handler) {
        stepper->hold = false; /* the handler has disarmed: stepping ends */
        return true;
    }
    put_tf(shim, gpr[GPR_RSP] + 16, stepper->armed);
    stepper->stepping = stepper->armed;
    nmi_iret(shim);
    return hypervisor.native.stepping && !stepper->armed; /* the set of exits changes here */
}

static bool boundary(struct shim *shim, uint64_t rip, const uint64_t gpr[16], uint8_t *ret_opcode)
{
    struct stepper *stepper = &shim->stepper;
    if (stepper->after_pushf) {
        stepper->after_pushf = false;
        put_tf(shim, gpr[GPR_RSP], false);
    }
    if (boundary_announce(shim, rip, gpr))
        return true;
    uint8_t opcode = *ret_opcode = code_byte(shim, rip);
    if (opcode == OPCODE_PUSHF)
        stepper->after_pushf = true;
    else if (opcode == OPCODE_POPF)
        put_tf(shim, gpr[GPR_RSP], true);
    return opcode == PREFIX_REX_W && code_byte(shim, rip + 1) == OPCODE_IRET && boundary_iretq(shim, gpr);
}

/* Waits, but not for the plugin, which lets other cores run in between. */
static void wait_for_turn(struct shim *shim)
{
    while (!group_may_step(shim))
        __asm__ volatile("pause");
}

bool step_announce(struct shim *shim, uint64_t rip, const uint64_t gpr[16])
{
    uint8_t opcode;
    wait_for_turn(shim);
    return boundary(shim, rip, gpr, &opcode);
}

/* Emulates an instruction after which no debug exception comes, so that the next one would not be announced: QEMU
 * leaves PAUSE before it has checked TF (target/i386/tcg/misc_helper.c, helper_pause), and STI delays the exception.
 * Returns the instruction's length; 0: not one of these. */
static unsigned without_debug_exception(const uint8_t *code, struct interrupt_frame *frame)
{
    if (code[0] == PREFIX_REPE && code[1] == OPCODE_NOP) {
        __asm__ volatile("pause");
        return 2;
    }
    if (code[0] == OPCODE_STI) {
        frame->rflags |= RFLAGS_IF;
        return 1;
    }
    return 0;
}

struct interrupt_frame *world_step(struct interrupt_frame *frame, uint32_t core)
{
    struct shim *shim = &hypervisor.shim[core];
    uint64_t *gpr = world_step_data[core].gpr;
    for (;;) {
        uint8_t opcode;
        wait_for_turn(shim);
        bool leave = boundary(shim, frame->rip, gpr, &opcode);
        progress_step(shim->stepper.steps);
        if (leave) {
            shim->stepper.moved = *frame;
            frame = &shim->stepper.moved;
            if (shim->nmi.pending && !shim->nmi.in_service && step_wanted(shim) && nmi_deliver_in_stub(shim, frame)) {
                gpr[GPR_RSP] = frame->rsp;
                continue;
            }
            shim->stepper.frame = frame;
            return NULL;
        }
        const uint8_t *code = (const uint8_t *)frame->rip;
        unsigned length =
            opcode == PREFIX_TWO_BYTES ? msr_instruction(shim, code, gpr) : without_debug_exception(code, frame);
        if (!length)
            return frame;
        frame->rip += length;
    }
}
