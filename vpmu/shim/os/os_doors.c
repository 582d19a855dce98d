/* SPDX-License-Identifier: BSD-2-Clause */
/* AMD APM vol. 2 sections 8.9 (interrupts in long mode), 6.1 (SYSCALL, SYSRET), 4.8 (descriptors); vol. 3 (IRET, POPF,
 * PUSHF). 64-bit programs only. */
#include "vpmu/shim/os/os.h"

enum { GATE_BYTES = 16, TSS_RSP0 = 4, TSS_IST = 0x24, MSR_STAR = 0xc0000081, MSR_LSTAR, MSR_CSTAR, MSR_SFMASK };

#define FLAGS_ALWAYS  2ull
#define FLAGS_IOPL    (3ull << 12)
#define FLAGS_NT      (1ull << 14)
#define FLAGS_RF      (1ull << 16)
#define FLAGS_VM      (1ull << 17)
#define FLAGS_VIRTUAL (3ull << 19) /* VIF, VIP */
#define FLAGS_KNOWN   0x3f7fd7ull

/* Attributes as the VMCB has them, of the segments that SYSCALL and SYSRET load: flat, of the given privilege. */
enum { CODE_64 = 0xa9b, DATA = 0xc93, DPL_3 = 0x60 };

static uint64_t *guest_word(struct shim *shim, uint64_t linear)
{
    return (uint64_t *)step_guest_address(shim, linear);
}

static uint64_t need_word(struct shim *shim, uint64_t linear, const char *what)
{
    const uint64_t *word = guest_word(shim, linear);
    if (!word)
        exit_fatal(shim, what);
    return *word;
}

static struct vmcb_segment load_segment(struct shim *shim, uint16_t selector)
{
    const struct vmcb_segment *gdtr = &shim->vmcb->gdtr;
    if ((selector & 0xfff8) == 0 || (selector | 7u) > gdtr->limit)
        return (struct vmcb_segment){.selector = selector};
    return svm_descriptor(selector,
                          need_word(shim, gdtr->base + (selector & 0xfff8u), "the guest's GDT is not mapped"));
}

static void set_privilege(struct shim *shim, unsigned cpl)
{
    shim->vmcb->cpl = (uint8_t)cpl;
}

/* ---------------------------------------------------------------- into the kernel */

static uint64_t stack_for(struct shim *shim, unsigned ist)
{
    struct vmcb *vmcb = shim->vmcb;
    if (!ist && vmcb->cpl == 0)
        return shim->world.gpr[GPR_RSP];
    __asm__ volatile("vmsave %%rax" : : "a"(vmcb) : "memory"); /* for tr.base */
    return need_word(shim, vmcb->tr.base + (ist ? TSS_IST + 8 * (uint64_t)(ist - 1) : TSS_RSP0),
                     "the guest's TSS is not mapped");
}

static void push(struct shim *shim, uint64_t *stack, uint64_t value)
{
    *stack -= 8;
    struct guest_page page = guest_walk(shim->vmcb->cr3, *stack);
    if (!page.shift || !page.writable)
        exit_fatal(shim, "an interrupt's stack is not mapped");
    *(uint64_t *)page.physical = value;
}

static bool has_error_code(unsigned vector)
{
    return vector == 8 || (vector >= 10 && vector <= 14) || vector == 17;
}

void door_enter(struct shim *shim, unsigned vector, enum door_kind kind, uint32_t error)
{
    struct vmcb *vmcb = shim->vmcb;
    uint64_t gate[2];
    if (vector * GATE_BYTES + GATE_BYTES - 1 > vmcb->idtr.limit)
        exit_fatal(shim, "no gate for the vector");
    for (unsigned i = 0; i < 2; i++)
        gate[i] = need_word(shim, vmcb->idtr.base + vector * GATE_BYTES + 8 * i, "the guest's IDT is not mapped");
    unsigned type = gate[0] >> 40 & 0xf, dpl = gate[0] >> 45 & 3, ist = gate[0] >> 32 & 7;
    if (kind == DOOR_SOFTWARE && dpl < vmcb->cpl) {
        vmcb->rip -= vector == 3 ? 1 : 2;
        door_enter(shim, 13, DOOR_FAULT, vector * 8 + 2);
        return;
    }
    if (!(gate[0] >> 47 & 1) || (type != 0xe && type != 0xf))
        exit_fatal(shim, "the vector's gate is not an interrupt gate");

    uint64_t stack = stack_for(shim, ist) & ~15ull;
    uint64_t flags = vmcb->rflags & ~RFLAGS_TF;
    push(shim, &stack, vmcb->ss.selector);
    push(shim, &stack, shim->world.gpr[GPR_RSP]);
    push(shim, &stack, flags | (kind == DOOR_FAULT ? FLAGS_RF : 0));
    push(shim, &stack, vmcb->cs.selector);
    push(shim, &stack, vmcb->rip);
    if (kind == DOOR_FAULT && has_error_code(vector))
        push(shim, &stack, error);

    shim->world.gpr[GPR_RSP] = stack;
    vmcb->rflags = flags & ~(FLAGS_NT | FLAGS_RF | FLAGS_VM | (type == 0xe ? RFLAGS_IF : 0));
    vmcb->rip = (gate[0] & 0xffff) | (gate[0] >> 48 & 0xffff) << 16 | gate[1] << 32;
    if (vmcb->cpl != 0 || ist)
        vmcb->ss = (struct vmcb_segment){.selector = 0}; /* with an IST, as QEMU does (nmi.c) */
    vmcb->cs = load_segment(shim, gate[0] >> 16 & 0xfffc);
    set_privilege(shim, 0);
}

static struct vmcb_segment flat(uint64_t selector, unsigned attributes)
{
    return (struct vmcb_segment){
        .selector = (uint16_t)selector, .attributes = (uint16_t)attributes, .limit = 0xffffffff, .base = 0};
}

static bool system_call(struct shim *shim)
{
    struct vmcb *vmcb = shim->vmcb;
    uint64_t star = x86_rdmsr(MSR_STAR), *gpr = shim->world.gpr;
    if (!(vmcb->efer & 1))
        return false; /* SCE: #UD */
    gpr[GPR_RCX] = vmcb->rip + 2;
    gpr[11] = vmcb->rflags & ~(RFLAGS_TF | FLAGS_RF);
    vmcb->rip = x86_rdmsr(MSR_LSTAR);
    vmcb->rflags = (vmcb->rflags & ~(x86_rdmsr(MSR_SFMASK) | FLAGS_RF)) | FLAGS_ALWAYS;
    vmcb->cs = flat(star >> 32 & 0xfffc, CODE_64);
    vmcb->ss = flat((star >> 32 & 0xfffc) + 8, DATA);
    set_privilege(shim, 0);
    return true;
}

/* ---------------------------------------------------------------- and out of it */

static bool system_return(struct shim *shim)
{
    struct vmcb *vmcb = shim->vmcb;
    uint64_t star = x86_rdmsr(MSR_STAR);
    if (!(vmcb->efer & 1) || vmcb->cpl != 0)
        return false;
    vmcb->rip = shim->world.gpr[GPR_RCX];
    vmcb->rflags = (shim->world.gpr[11] & FLAGS_KNOWN & ~(FLAGS_RF | FLAGS_VM)) | FLAGS_ALWAYS;
    vmcb->cs = flat(((star >> 48) + 16) | 3, CODE_64 | DPL_3);
    vmcb->ss = flat(((star >> 48) + 8) | 3, DATA | DPL_3);
    set_privilege(shim, 3);
    return true;
}

static bool interrupt_return(struct shim *shim)
{
    struct vmcb *vmcb = shim->vmcb;
    uint64_t frame[5], stack = shim->world.gpr[GPR_RSP];
    if (vmcb->cpl != 0)
        return false;
    for (unsigned i = 0; i < 5; i++) {
        const uint64_t *word = guest_word(shim, stack + 8 * i);
        if (!word)
            return false;
        frame[i] = *word;
    }
    vmcb->rip = frame[0];
    vmcb->cs = load_segment(shim, (uint16_t)frame[1]);
    vmcb->rflags = (frame[2] & FLAGS_KNOWN) | FLAGS_ALWAYS;
    shim->world.gpr[GPR_RSP] = frame[3];
    vmcb->ss = load_segment(shim, (uint16_t)frame[4]);
    set_privilege(shim, frame[1] & 3);
    nmi_iret(shim);
    return true;
}

/* ---------------------------------------------------------------- flags on the stack */

static bool push_flags(struct shim *shim)
{
    uint64_t *rsp = &shim->world.gpr[GPR_RSP];
    struct guest_page page = guest_walk(shim->vmcb->cr3, *rsp - 8);
    if (!page.shift || !page.writable)
        return false;
    *rsp -= 8;
    *(uint64_t *)page.physical = shim->vmcb->rflags & ~(RFLAGS_TF | FLAGS_RF | FLAGS_VM);
    shim->vmcb->rip += 1;
    return true;
}

static bool pop_flags(struct shim *shim)
{
    struct vmcb *vmcb = shim->vmcb;
    const uint64_t *image = guest_word(shim, shim->world.gpr[GPR_RSP]);
    if (!image)
        return false;
    unsigned iopl = vmcb->rflags >> 12 & 3;
    uint64_t keep = FLAGS_VM | FLAGS_VIRTUAL | (vmcb->cpl ? FLAGS_IOPL : 0) | (vmcb->cpl > iopl ? RFLAGS_IF : 0);
    vmcb->rflags = (vmcb->rflags & keep) | (*image & FLAGS_KNOWN & ~(keep | RFLAGS_TF | FLAGS_RF)) | FLAGS_ALWAYS;
    shim->world.gpr[GPR_RSP] += 8;
    vmcb->rip += 1;
    return true;
}

void door_clean_image(struct shim *shim)
{
    uint64_t *image = guest_word(shim, shim->world.gpr[GPR_RSP]);
    if (image)
        *image &= ~RFLAGS_TF;
}

/* Sets interrupts. After STI, too, the debug exception comes one instruction late, and that instruction is often HLT.
 */
static bool set_interrupts(struct shim *shim)
{
    if (shim->vmcb->cpl != 0)
        return false;
    shim->vmcb->rflags |= RFLAGS_IF;
    shim->vmcb->rip += 1;
    return true;
}

/* Emulates MOV to SS from a register; kernels do not use memory. The processor delays its debug exception by one
 * instruction, which would not be announced. */
static bool load_stack_segment(struct shim *shim, unsigned reg, unsigned length)
{
    if (shim->vmcb->cpl != 0)
        return false;
    shim->vmcb->ss = load_segment(shim, (uint16_t)shim->world.gpr[reg]);
    shim->vmcb->rip += length;
    return true;
}

/* Emulates MOV to CR3: the only change of page tables that the plugin sees. */
static bool load_page_tables(struct shim *shim, unsigned reg, unsigned length)
{
    if (shim->vmcb->cpl != 0)
        return false;
    shim->vmcb->cr3 = shim->world.gpr[reg];
    shim->vmcb->rip += length;
    return true;
}

static bool software_interrupt(struct shim *shim, unsigned vector, unsigned length)
{
    shim->vmcb->rip += length;
    door_enter(shim, vector, DOOR_SOFTWARE, 0);
    return true;
}

/* ---------------------------------------------------------------- which they are */

enum {
    PREFIX_REX_B = 0x41,
    PREFIX_REX_W = 0x48,
    PREFIX_TWO_BYTES = 0x0f,
    OPCODE_MOV_SEGMENT = 0x8e,
    OPCODE_PUSHF = 0x9c,
    OPCODE_POPF = 0x9d,
    OPCODE_INT3 = 0xcc,
    OPCODE_INT = 0xcd,
    OPCODE_IRET = 0xcf,
    OPCODE_HLT = 0xf4,
    OPCODE_STI = 0xfb,
    SECOND_GROUP_7 = 0x01,
    SECOND_SYSCALL = 0x05,
    SECOND_SYSRET = 0x07,
    SECOND_MOV_TO_CR = 0x22,
};

bool door_is_iretq(const uint8_t code[4])
{
    return code[0] == PREFIX_REX_W && code[1] == OPCODE_IRET;
}

bool door_is_halt(const uint8_t code[4])
{
    return code[0] == OPCODE_HLT;
}

/* Returns whether it is 0F 01 /7 with a memory operand. */
bool door_is_invlpg(const uint8_t code[4])
{
    return code[0] == PREFIX_TWO_BYTES && code[1] == SECOND_GROUP_7 && (code[2] & 0x38) == 0x38 && code[2] < 0xc0;
}

/* Returns whether ModRM has a register and segment register 2. */
static bool is_stack_segment(uint8_t modrm)
{
    return (modrm & 0xf8) == 0xd0;
}

/* Returns whether ModRM has control register 3 and a general register. */
static bool is_cr3(uint8_t modrm)
{
    return (modrm & 0xf8) == 0xd8;
}

bool door_leads_elsewhere(const uint8_t code[4])
{
    switch (code[0]) {
    case PREFIX_TWO_BYTES:
        return code[1] == SECOND_SYSCALL || (code[1] == SECOND_MOV_TO_CR && is_cr3(code[2]));
    case PREFIX_REX_W:
        return code[1] == OPCODE_IRET || (code[1] == PREFIX_TWO_BYTES && code[2] == SECOND_SYSRET);
    case PREFIX_REX_B:
        return code[1] == PREFIX_TWO_BYTES && code[2] == SECOND_MOV_TO_CR && is_cr3(code[3]);
    case OPCODE_INT3:
    case OPCODE_INT:
    case OPCODE_HLT:
        return true;
    default:
        return false;
    }
}

bool door_pass(struct shim *shim, const uint8_t code[4])
{
    switch (code[0]) {
    case PREFIX_TWO_BYTES:
        if (code[1] == SECOND_MOV_TO_CR && is_cr3(code[2]))
            return load_page_tables(shim, code[2] & 7, 3);
        return code[1] == SECOND_SYSCALL && system_call(shim);
    case PREFIX_REX_W:
        return code[1] == OPCODE_IRET                                    ? interrupt_return(shim)
               : code[1] == PREFIX_TWO_BYTES && code[2] == SECOND_SYSRET ? system_return(shim)
                                                                         : false;
    case PREFIX_REX_B:
        if (code[1] == PREFIX_TWO_BYTES && code[2] == SECOND_MOV_TO_CR && is_cr3(code[3]))
            return load_page_tables(shim, 8 + (code[3] & 7), 4);
        return code[1] == OPCODE_MOV_SEGMENT && is_stack_segment(code[2]) &&
               load_stack_segment(shim, 8 + (code[2] & 7), 3);
    case OPCODE_MOV_SEGMENT:
        return is_stack_segment(code[1]) && load_stack_segment(shim, code[1] & 7, 2);
    case OPCODE_STI:
        return set_interrupts(shim);
    case OPCODE_PUSHF:
        return push_flags(shim);
    case OPCODE_POPF:
        return pop_flags(shim);
    case OPCODE_INT3:
        return software_interrupt(shim, 3, 1);
    case OPCODE_INT:
        return software_interrupt(shim, code[1], 2);
    default:
        return false;
    }
}
