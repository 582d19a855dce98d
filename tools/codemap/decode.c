/* SPDX-License-Identifier: BSD-2-Clause */
/* Zydis to core/ibs/codemap.h; the contract is in decode.h. */
#include "tools/codemap/decode.h"

#include <Zycore/Format.h>
#include <Zydis/Zydis.h>
#include <string.h>

#include "tools/codemap/family10h.h"

/* ---- text: Zydis' Intel style, but addresses of the image bare and small numbers decimal, as the AMD paper prints
 * them */

/* A single digit is the same in both bases; more are hexadecimal with 0x. */
static ZyanStatus append_number(ZyanString *string, const char *sign, uint64_t value)
{
    return value < 10 ? ZyanStringAppendFormat(string, "%s%llu", sign, (unsigned long long)value)
                      : ZyanStringAppendFormat(string, "%s0x%llx", sign, (unsigned long long)value);
}

static ZyanStatus print_displacement(const ZydisFormatter *formatter, ZydisFormatterBuffer *buffer,
                                     ZydisFormatterContext *context)
{
    (void)formatter;
    ZyanString *string;
    ZYAN_CHECK(ZydisFormatterBufferGetString(buffer, &string));
    int64_t value = context->operand->mem.disp.value;
    bool alone =
        context->operand->mem.base == ZYDIS_REGISTER_NONE && context->operand->mem.index == ZYDIS_REGISTER_NONE;
    if (value < 0 && !alone)
        return append_number(string, "-", -(uint64_t)value);
    return append_number(string, alone ? "" : "+", (uint64_t)value);
}

static ZyanStatus print_immediate(const ZydisFormatter *formatter, ZydisFormatterBuffer *buffer,
                                  ZydisFormatterContext *context)
{
    (void)formatter;
    ZyanString *string;
    ZYAN_CHECK(ZydisFormatterBufferGetString(buffer, &string));
    if (context->operand->imm.is_signed && context->operand->imm.value.s < 0)
        return append_number(string, "-", -context->operand->imm.value.u);
    return append_number(string, "", context->operand->imm.value.u);
}

static ZyanStatus print_address(const ZydisFormatter *formatter, ZydisFormatterBuffer *buffer,
                                ZydisFormatterContext *context)
{
    (void)formatter;
    ZyanString *string;
    ZyanU64 address;
    ZYAN_CHECK(ZydisFormatterBufferGetString(buffer, &string));
    if (context->operand->type == ZYDIS_OPERAND_TYPE_MEMORY && context->operand->mem.base != ZYDIS_REGISTER_RIP)
        return append_number(string, "", context->operand->mem.disp.value);
    ZYAN_CHECK(ZydisCalcAbsoluteAddress(context->instruction, context->operand, context->runtime_address, &address));
    return ZyanStringAppendFormat(string, "%llx", (unsigned long long)address);
}

/* Prints conditions as AMD's manuals and objdump do: Zydis prints jnl for jge. */
static ZyanStatus print_mnemonic(const ZydisFormatter *formatter, ZydisFormatterBuffer *buffer,
                                 ZydisFormatterContext *context)
{
    static const char *const families[] = {"j", "set", "cmov"};
    static const char *const names[][2] = {{"z", "e"},   {"nz", "ne"}, {"nb", "ae"},
                                           {"nbe", "a"}, {"nl", "ge"}, {"nle", "g"}};
    (void)formatter;
    const char *mnemonic = ZydisMnemonicGetString(context->instruction->mnemonic);
    ZyanString *string;
    ZYAN_CHECK(ZydisFormatterBufferGetString(buffer, &string));
    for (size_t i = 0; i < sizeof(families) / sizeof(families[0]); i++) {
        size_t length = strlen(families[i]);
        for (size_t j = 0; j < sizeof(names) / sizeof(names[0]); j++)
            if (strncmp(mnemonic, families[i], length) == 0 && strcmp(mnemonic + length, names[j][0]) == 0)
                return ZyanStringAppendFormat(string, "%s%s", families[i], names[j][1]);
    }
    return ZyanStringAppendFormat(string, "%s", mnemonic);
}

static bool print(const ZydisDecodedInstruction *instruction, const ZydisDecodedOperand *operands, uint64_t rva,
                  char *text, size_t size)
{
    ZydisFormatter formatter;
    const void *displacement = (const void *)&print_displacement;
    const void *immediate = (const void *)&print_immediate;
    const void *address = (const void *)&print_address;
    const void *mnemonic = (const void *)&print_mnemonic;
    return ZYAN_SUCCESS(ZydisFormatterInit(&formatter, ZYDIS_FORMATTER_STYLE_INTEL)) &&
           ZYAN_SUCCESS(ZydisFormatterSetProperty(&formatter, ZYDIS_FORMATTER_PROP_FORCE_SIZE, ZYAN_TRUE)) &&
           ZYAN_SUCCESS(ZydisFormatterSetHook(&formatter, ZYDIS_FORMATTER_FUNC_PRINT_DISP, &displacement)) &&
           ZYAN_SUCCESS(ZydisFormatterSetHook(&formatter, ZYDIS_FORMATTER_FUNC_PRINT_IMM, &immediate)) &&
           ZYAN_SUCCESS(ZydisFormatterSetHook(&formatter, ZYDIS_FORMATTER_FUNC_PRINT_ADDRESS_ABS, &address)) &&
           ZYAN_SUCCESS(ZydisFormatterSetHook(&formatter, ZYDIS_FORMATTER_FUNC_PRINT_MNEMONIC, &mnemonic)) &&
           ZYAN_SUCCESS(ZydisFormatterFormatInstruction(&formatter, instruction, operands,
                                                        instruction->operand_count_visible, text, size, rva, NULL));
}

/* ---- registers */

/* Returns the bit of a register in reads and writes; -1: the map does not track it (rip, segments, control
 * registers). */
static int dep_of(ZydisRegister reg)
{
    switch (ZydisRegisterGetClass(reg)) {
    case ZYDIS_REGCLASS_GPR8:
    case ZYDIS_REGCLASS_GPR16:
    case ZYDIS_REGCLASS_GPR32:
    case ZYDIS_REGCLASS_GPR64:
        return ZydisRegisterGetId(ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, reg));
    case ZYDIS_REGCLASS_XMM:
        return ZydisRegisterGetId(reg) < 16 ? CODEMAP_DEP_XMM0 + ZydisRegisterGetId(reg) : -1;
    case ZYDIS_REGCLASS_X87:
    case ZYDIS_REGCLASS_MMX: /* aliases of the x87 registers */
        return CODEMAP_DEP_X87;
    case ZYDIS_REGCLASS_FLAGS:
        return CODEMAP_DEP_FLAGS;
    default:
        return -1;
    }
}

static bool is_partial(ZydisRegister reg)
{
    ZydisRegisterClass class = ZydisRegisterGetClass(reg);
    return class == ZYDIS_REGCLASS_GPR8 || class == ZYDIS_REGCLASS_GPR16;
}

static void add_register(struct codemap_insn *insn, const ZydisDecodedOperand *operand)
{
    int dep = dep_of(operand->reg.value);
    if (dep < 0)
        return;
    if (operand->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE)
        insn->writes |= 1ull << dep;
    /* A conditional or partial write depends on the old value. */
    if ((operand->actions & (ZYDIS_OPERAND_ACTION_MASK_READ | ZYDIS_OPERAND_ACTION_CONDWRITE)) ||
        ((operand->actions & ZYDIS_OPERAND_ACTION_WRITE) && is_partial(operand->reg.value)))
        insn->reads |= 1ull << dep;
}

/* x87 compares write the status word, which fnstsw reads; the map tracks both as the x87 stack. */
static void add_x87_status(struct codemap_insn *insn, const char *mnemonic)
{
    bool compares = strncmp(mnemonic, "fcom", 4) == 0 || strncmp(mnemonic, "fucom", 5) == 0 ||
                    strncmp(mnemonic, "ficom", 5) == 0 || strcmp(mnemonic, "ftst") == 0 ||
                    strcmp(mnemonic, "fxam") == 0;
    if (compares && (insn->writes & 1ull << CODEMAP_DEP_FLAGS) == 0)
        insn->writes |= 1ull << CODEMAP_DEP_X87;
    if (strcmp(mnemonic, "fnstsw") == 0)
        insn->reads |= 1ull << CODEMAP_DEP_X87;
}

/* ---- memory operands */

static uint8_t general_of(ZydisRegister reg)
{
    return reg == ZYDIS_REGISTER_NONE ? CODEMAP_REG_NONE : (uint8_t)ZydisRegisterGetId(reg);
}

static bool moves_stack_first(const ZydisDecodedInstruction *instruction)
{
    return instruction->meta.category == ZYDIS_CATEGORY_PUSH || instruction->meta.category == ZYDIS_CATEGORY_CALL ||
           instruction->mnemonic == ZYDIS_MNEMONIC_ENTER;
}

static const char *add_memory(struct codemap_insn *insn, const ZydisDecodedInstruction *instruction,
                              const ZydisDecodedOperand *operand)
{
    bool hidden = operand->visibility == ZYDIS_OPERAND_VISIBILITY_HIDDEN;
    struct codemap_mem mem = {.scale = operand->mem.scale == 0 ? 1 : operand->mem.scale};
    int64_t disp = operand->mem.disp.value;

    if (operand->mem.type != ZYDIS_MEMOP_TYPE_MEM)
        return "memory operand with a vector of addresses";
    if (operand->mem.segment == ZYDIS_REGISTER_FS || operand->mem.segment == ZYDIS_REGISTER_GS)
        return "memory operand relative to fs or gs";
    if (instruction->address_width != 64)
        return "memory operand with a 32-bit address";
    if (operand->size / 8 > UINT8_MAX)
        return "memory operand of more than 255 bytes";
    mem.size = (uint8_t)(operand->size / 8);
    if (operand->mem.base == ZYDIS_REGISTER_RIP) {
        mem.base = CODEMAP_REG_RIP;
        disp += insn->rva + instruction->length;
    } else {
        mem.base = general_of(operand->mem.base);
    }
    mem.index = general_of(operand->mem.index);
    if (hidden && operand->mem.base == ZYDIS_REGISTER_RSP && moves_stack_first(instruction))
        disp -= mem.size;
    if (!hidden && operand->mem.base == ZYDIS_REGISTER_RSP && instruction->meta.category == ZYDIS_CATEGORY_POP)
        disp += mem.size; /* pop computes its destination with the incremented rsp (AMD APM vol. 3, POP) */
    mem.disp = (int32_t)disp;
    mem.flags = (operand->actions & ZYDIS_OPERAND_ACTION_MASK_READ ? CODEMAP_LOAD : 0) |
                (operand->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE ? CODEMAP_STORE : 0);
    if (insn->mems == 2)
        return "more than two memory operands";
    insn->mem[insn->mems++] = mem;
    return NULL;
}

static void add_address_registers(struct codemap_insn *insn, const ZydisDecodedOperand *operand)
{
    int base = dep_of(operand->mem.base), index = dep_of(operand->mem.index);
    insn->reads |= base >= 0 ? 1ull << base : 0;
    insn->reads |= index >= 0 ? 1ull << index : 0;
}

/* ---- the rest */

static enum codemap_branch branch_of(const ZydisDecodedInstruction *instruction, const ZydisDecodedOperand *operands)
{
    bool direct = instruction->operand_count_visible > 0 && operands[0].type == ZYDIS_OPERAND_TYPE_IMMEDIATE;
    switch (instruction->meta.category) {
    case ZYDIS_CATEGORY_COND_BR:
        return CODEMAP_BR_COND;
    case ZYDIS_CATEGORY_UNCOND_BR:
        return direct ? CODEMAP_BR_JUMP : CODEMAP_BR_JUMP_INDIRECT;
    case ZYDIS_CATEGORY_CALL:
        return direct ? CODEMAP_BR_CALL : CODEMAP_BR_CALL_INDIRECT;
    case ZYDIS_CATEGORY_RET:
        return CODEMAP_BR_RETURN;
    default:
        return CODEMAP_BR_NONE;
    }
}

/* Serialising instructions, AMD APM vol. 2, section 7.6.4. */
static bool is_serializing(const ZydisDecodedInstruction *instruction, const ZydisDecodedOperand *operands)
{
    switch (instruction->mnemonic) {
    case ZYDIS_MNEMONIC_CPUID:
    case ZYDIS_MNEMONIC_IRET:
    case ZYDIS_MNEMONIC_IRETD:
    case ZYDIS_MNEMONIC_IRETQ:
    case ZYDIS_MNEMONIC_RSM:
    case ZYDIS_MNEMONIC_MFENCE:
    case ZYDIS_MNEMONIC_INVD:
    case ZYDIS_MNEMONIC_INVLPG:
    case ZYDIS_MNEMONIC_INVLPGA:
    case ZYDIS_MNEMONIC_LGDT:
    case ZYDIS_MNEMONIC_LIDT:
    case ZYDIS_MNEMONIC_LLDT:
    case ZYDIS_MNEMONIC_LTR:
    case ZYDIS_MNEMONIC_SWAPGS:
    case ZYDIS_MNEMONIC_WBINVD:
    case ZYDIS_MNEMONIC_WRMSR:
        return true;
    case ZYDIS_MNEMONIC_MOV: {
        ZydisRegisterClass class = ZydisRegisterGetClass(
            operands[0].type == ZYDIS_OPERAND_TYPE_REGISTER ? operands[0].reg.value : ZYDIS_REGISTER_NONE);
        return (class == ZYDIS_REGCLASS_CONTROL && operands[0].reg.value != ZYDIS_REGISTER_CR8) ||
               class == ZYDIS_REGCLASS_DEBUG;
    }
    default:
        return false;
    }
}

static bool touches_no_memory(const ZydisDecodedInstruction *instruction)
{
    /* A nop with a memory operand computes nothing and reads nothing. */
    return instruction->mnemonic == ZYDIS_MNEMONIC_NOP || instruction->meta.category == ZYDIS_CATEGORY_WIDENOP;
}

static uint8_t flags_of(const ZydisDecodedInstruction *instruction, const ZydisDecodedOperand *operands,
                        const char *mnemonic)
{
    const ZydisInstructionAttributes repeats = ZYDIS_ATTRIB_HAS_REP | ZYDIS_ATTRIB_HAS_REPE | ZYDIS_ATTRIB_HAS_REPNE;
    bool exchanges = instruction->mnemonic == ZYDIS_MNEMONIC_XCHG &&
                     (operands[0].type == ZYDIS_OPERAND_TYPE_MEMORY || operands[1].type == ZYDIS_OPERAND_TYPE_MEMORY);
    uint8_t flags = 0;
    flags |= instruction->attributes & repeats ? CODEMAP_INSN_REP : 0;
    flags |= (instruction->attributes & ZYDIS_ATTRIB_HAS_LOCK) || exchanges ? CODEMAP_INSN_LOCK : 0;
    flags |= is_serializing(instruction, operands) ? CODEMAP_INSN_SERIAL : 0;
    flags |= strncmp(mnemonic, "movnt", 5) == 0 ? CODEMAP_INSN_NONTEMPORAL : 0;
    return flags;
}

/* Family 10h has SSE up to SSE3 and SSE4a, 3DNow!, LZCNT and POPCNT (AMD CPUID Specification 25481). */
static bool is_too_new(const ZydisDecodedInstruction *instruction)
{
    if (instruction->mnemonic == ZYDIS_MNEMONIC_POPCNT)
        return false; /* Zydis counts it as SSE4 */
    if (instruction->encoding != ZYDIS_INSTRUCTION_ENCODING_LEGACY &&
        instruction->encoding != ZYDIS_INSTRUCTION_ENCODING_3DNOW)
        return true;
    return instruction->meta.isa_ext == ZYDIS_ISA_EXT_SSSE3 || instruction->meta.isa_ext == ZYDIS_ISA_EXT_SSE4 ||
           instruction->meta.isa_ext == ZYDIS_ISA_EXT_AES || instruction->meta.isa_ext == ZYDIS_ISA_EXT_BMI1;
}

/* Returns the bytes of one operation: the element of an SSE or x87 operand, otherwise the operand width. */
static uint8_t op_size_of(const ZydisDecodedInstruction *instruction, const ZydisDecodedOperand *operands)
{
    for (int i = 0; i < instruction->operand_count; i++) {
        const ZydisDecodedOperand *operand = &operands[i];
        bool sse = operand->type == ZYDIS_OPERAND_TYPE_REGISTER &&
                   ZydisRegisterGetClass(operand->reg.value) == ZYDIS_REGCLASS_XMM;
        bool x87 = instruction->meta.isa_ext == ZYDIS_ISA_EXT_X87 &&
                   (operand->type == ZYDIS_OPERAND_TYPE_MEMORY || operand->type == ZYDIS_OPERAND_TYPE_REGISTER);
        if (sse || x87)
            return (uint8_t)(operand->element_size / 8);
    }
    return instruction->operand_width / 8;
}

static struct family10h_key key_of(const struct codemap_insn *insn, const char *mnemonic,
                                   const ZydisDecodedInstruction *instruction, const ZydisDecodedOperand *operands)
{
    struct family10h_key key = {
        .mnemonic = mnemonic,
        .op_size = insn->op_size,
        .branch = insn->branch,
        .single_operand = instruction->operand_count_visible == 1,
    };
    for (int i = 0; i < instruction->operand_count_visible; i++) {
        const ZydisDecodedOperand *operand = &operands[i];
        bool reads = operand->actions & ZYDIS_OPERAND_ACTION_MASK_READ;
        bool writes = operand->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE;
        if (operand->type == ZYDIS_OPERAND_TYPE_MEMORY && operand->mem.type == ZYDIS_MEMOP_TYPE_MEM) {
            key.loads |= reads;
            key.stores |= writes;
            key.mem80 |= operand->size == 80;
        } else if (operand->type == ZYDIS_OPERAND_TYPE_IMMEDIATE) {
            key.immediate = true;
        } else if (operand->type == ZYDIS_OPERAND_TYPE_REGISTER) {
            int dep = dep_of(operand->reg.value);
            key.to_general |= writes && dep >= 0 && dep < 16;
            key.from_general |= reads && dep >= 0 && dep < 16;
            key.sse |= dep >= CODEMAP_DEP_XMM0;
        }
    }
    return key;
}

bool decode(const uint8_t *bytes, uint64_t size, uint64_t rva, struct decoded *ret_decoded)
{
    ZydisDecoder decoder;
    ZydisDecodedInstruction instruction;
    ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
    struct codemap_insn insn = {.rva = (uint32_t)rva};
    const char *problem = NULL;

    if (!ZYAN_SUCCESS(ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64)) ||
        !ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, bytes, size, &instruction, operands)) ||
        !print(&instruction, operands, rva, ret_decoded->text, sizeof(ret_decoded->text)))
        return false;
    const char *mnemonic = ZydisMnemonicGetString(instruction.mnemonic);
    insn.length = instruction.length;
    for (int i = 0; i < instruction.operand_count; i++) {
        const ZydisDecodedOperand *operand = &operands[i];
        if (operand->type == ZYDIS_OPERAND_TYPE_REGISTER && !touches_no_memory(&instruction)) {
            add_register(&insn, operand);
        } else if (operand->type == ZYDIS_OPERAND_TYPE_MEMORY && !touches_no_memory(&instruction)) {
            add_address_registers(&insn, operand);
            if (operand->mem.type != ZYDIS_MEMOP_TYPE_AGEN) {
                const char *said = add_memory(&insn, &instruction, operand);
                problem = problem != NULL ? problem : said;
            }
        }
    }
    add_x87_status(&insn, mnemonic);
    insn.branch = branch_of(&instruction, operands);
    if (insn.branch != CODEMAP_BR_NONE && instruction.operand_count_visible > 0 &&
        operands[0].type == ZYDIS_OPERAND_TYPE_IMMEDIATE && operands[0].imm.is_relative) {
        ZyanU64 target;
        if (ZYAN_SUCCESS(ZydisCalcAbsoluteAddress(&instruction, &operands[0], rva, &target)))
            insn.target = (uint32_t)target;
    }
    if (instruction.meta.branch_type == ZYDIS_BRANCH_TYPE_FAR)
        problem = "far branch";
    if (is_too_new(&instruction))
        problem = "instruction that Family 10h does not have";
    insn.flags = flags_of(&instruction, operands, mnemonic);
    insn.op_size = op_size_of(&instruction, operands);
    struct family10h_key key = key_of(&insn, mnemonic, &instruction, operands);
    struct family10h core = family10h_of(&key);
    insn.path = core.path;
    insn.ops = core.ops;
    insn.unit = core.unit;
    ret_decoded->insn = insn;
    ret_decoded->problem = problem;
    ret_decoded->padding = touches_no_memory(&instruction) || instruction.mnemonic == ZYDIS_MNEMONIC_INT3;
    return true;
}
