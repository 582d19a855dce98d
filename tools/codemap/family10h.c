/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Decode paths and execution classes of AMD Family 10h.
 *
 * The authority is AMD's Software Optimization Guide for AMD Family 10h Processors (40546), appendix C. Rows marked G
 * are from GCC's description of the same processor (-mtune=amdfam10: gcc/config/i386/athlon.md, the reservations
 * athlon-direct, athlon-double and athlon-vector, and the attribute amdfam10_decode in i386.md and sse.md, which AMD
 * contributed from 40546). Rows marked M are from memory of 40546 and await a check against it
 * (docs/hardware-checks.md).
 *
 * Everything without a row is DirectPath single: one macro-op, a load or a store or both included (G: the reservations
 * athlon_idirect_*_amdfam10).
 *
 * GCC gives no number of macro-ops for VectorPath. By definition it is three or more, so those rows say 3 unless the
 * number is known; it is a lower bound.
 */
#include "tools/codemap/family10h.h"

#include <stddef.h>

/* The form of an instruction to which a row applies; all given bits must hold. */
enum form {
    ANY = 0,
    LOAD = 1,
    STORE = 2,
    NO_MEMORY = 4,
    IMMEDIATE = 8,
    ONE_OPERAND = 16,
    BYTE = 32,
    WORD = 64,
    TO_GENERAL = 128,
    FROM_GENERAL = 256,
    MEM80 = 512,
    SSE = 1024, /* uses xmm registers: movsd and cmpsd are also string instructions */
};

struct path_row {
    enum codemap_path path;
    uint8_t ops;
    unsigned form;
    char source;          /* G or M, see above */
    const char *patterns; /* mnemonics, separated by blanks; '*' at the end of one matches any rest */
};

#define SINGLE CODEMAP_PATH_SINGLE, 1
#define DOUBLE CODEMAP_PATH_DOUBLE, 2
#define VECTOR CODEMAP_PATH_VECTOR, 3

/* The first matching row applies. */
static const struct path_row path_rows[] = {
    /* stack and control flow */
    {VECTOR, LOAD, 'M', "call"},
    {DOUBLE, ANY, 'G', "call leave"},
    {VECTOR, IMMEDIATE, 'M', "ret"},
    {DOUBLE, ANY, 'M', "ret"},
    {DOUBLE, LOAD, 'M',
     "push"}, /* GCC's amdfam10 reservation makes no difference for memory, its Athlon attribute does */
    {VECTOR, STORE, 'M', "pop"},
    {SINGLE, ANY, 'G', "push pop"},
    {VECTOR, ANY, 'M', "enter pushf* popf* loop*"},
    {DOUBLE, ANY, 'M', "jrcxz jecxz"},
    /* integer multiply and divide */
    {SINGLE, ONE_OPERAND | BYTE, 'G', "mul imul"},
    {DOUBLE, ONE_OPERAND, 'G', "mul imul"},
    {VECTOR, IMMEDIATE | LOAD, 'G', "imul"},
    {VECTOR, IMMEDIATE | WORD, 'G', "imul"},
    {VECTOR, ANY, 'G', "div idiv"},
    /* other integer */
    {DOUBLE, NO_MEMORY, 'M', "xchg"},
    {VECTOR, ANY, 'M', "xchg xadd cmpxchg* shld shrd rcl rcr bsf bsr"},
    {DOUBLE, ANY, 'M', "bts btr btc"},
    {SINGLE, SSE, 'G', "movsd cmpsd"}, /* string instructions have the same names */
    {VECTOR, ANY, 'G', "lodsb lodsw lodsd lodsq stosb stosw stosd stosq movsb movsw movsd movsq"},
    {VECTOR, ANY, 'G', "scasb scasw scasd scasq cmpsb cmpsw cmpsd cmpsq"},
    {VECTOR, ANY, 'M', "cpuid rdtsc* rdpmc rdmsr wrmsr mfence sfence clflush"},
    /* x87 */
    {VECTOR, MEM80, 'G', "fld fstp"},
    {DOUBLE, ANY, 'M', "fiadd fisub* fimul fidiv* ficom*"},
    {VECTOR, ANY, 'G', "fcmov* fsincos fsin fcos fptan fpatan f2xm1 fyl2x* fscale fxtract fprem* frndint"},
    {VECTOR, ANY, 'M', "fldcw fnstcw fnstsw fldenv fnstenv fnsave frstor fxsave* fxrstor*"},
    /* SSE; loads are DirectPath single whatever their width */
    {VECTOR, STORE, 'G', "movups movupd movdqu"},
    {DOUBLE, STORE, 'G', "movaps movapd movdqa movntps movntpd movntdq"},
    {VECTOR, NO_MEMORY, 'G', "cvtsi2ss cvtsi2sd cvtss2sd cvtsd2ss"},
    {DOUBLE, ANY, 'G', "cvtsi2ss cvtsi2sd cvtss2sd cvtsd2ss"},
    {DOUBLE, ANY, 'G', "cvtss2si cvtsd2si cvttss2si cvttsd2si cvtpd2ps cvtpd2dq cvttpd2dq"},
    {DOUBLE, TO_GENERAL, 'G', "movd movq"}, /* GCC i386.c, amdfam10_cost: MOVD reg, xmmreg Double FADD 3 */
    {DOUBLE, FROM_GENERAL, 'M', "movd movq"},
    {VECTOR, ANY, 'G', "insertq"},
    {VECTOR, ANY, 'M', "maskmov*"},
};

struct unit_row {
    enum codemap_unit unit;
    unsigned form;
    const char *patterns; /* separated by blanks */
};

/* Execution class by mnemonic; the first matching row applies. Without a row: FMOVE for SSE, else ALU. GCC: sseadd,
 * ssecmp and ssecomi are FADD, ssemul FMUL, ssediv FMUL for many cycles. */
static const struct unit_row unit_rows[] = {
    {CODEMAP_UNIT_NOP, ANY, "nop endbr64 pause fnop"},
    {CODEMAP_UNIT_LEA, ANY, "lea"},
    {CODEMAP_UNIT_IMUL, ANY, "imul mul"},
    {CODEMAP_UNIT_IDIV, ANY, "idiv div"},
    {CODEMAP_UNIT_SHIFT, ANY, "shl shr sar rol ror rcl rcr shld shrd"},
    {CODEMAP_UNIT_FADD, ANY, "fadd* fiadd fsub* fisub* fcom* fucom* ficom* ftst"},
    {CODEMAP_UNIT_FMUL, ANY, "fmul* fimul"},
    {CODEMAP_UNIT_FDIV, ANY, "fdiv* fidiv*"},
    {CODEMAP_UNIT_FSQRT, ANY, "fsqrt"},
    {CODEMAP_UNIT_FMOVE, ANY, "fld* fild fst* fist* fnst* fxch fchs fabs fcmov*"},
    {CODEMAP_UNIT_OTHER, ANY, "f*"},
    {CODEMAP_UNIT_FADD, SSE, "add* sub* comis* ucomis* cmp* min* max* hadd* hsub*"},
    {CODEMAP_UNIT_FMUL, SSE, "mul* pmul* pmadd*"},
    {CODEMAP_UNIT_FDIV, SSE, "div*"},
    {CODEMAP_UNIT_FSQRT, SSE, "sqrt*"},
    {CODEMAP_UNIT_OTHER, ANY, "cpuid rdtsc* rdpmc rdmsr wrmsr mfence lfence sfence int* syscall hlt ud2"},
};

/* Returns whether the mnemonic matches a pattern; a final '*' matches any rest. */
static bool fits(const char *patterns, const char *mnemonic)
{
    while (*patterns != '\0') {
        const char *rest = mnemonic;
        while (*rest != '\0' && *rest == *patterns) {
            rest++;
            patterns++;
        }
        if (*patterns == '*' || (*rest == '\0' && (*patterns == ' ' || *patterns == '\0')))
            return true;
        while (*patterns != '\0' && *patterns++ != ' ') {
        }
    }
    return false;
}

static unsigned form_of(const struct family10h_key *key)
{
    unsigned form = 0;
    form |= key->loads ? LOAD : 0;
    form |= key->stores ? STORE : 0;
    form |= !key->loads && !key->stores ? NO_MEMORY : 0;
    form |= key->immediate ? IMMEDIATE : 0;
    form |= key->single_operand ? ONE_OPERAND : 0;
    form |= key->op_size == 1 ? BYTE : 0;
    form |= key->op_size == 2 ? WORD : 0;
    form |= key->to_general ? TO_GENERAL : 0;
    form |= key->from_general ? FROM_GENERAL : 0;
    form |= key->mem80 ? MEM80 : 0;
    form |= key->sse ? SSE : 0;
    return form;
}

struct family10h family10h_of(const struct family10h_key *key)
{
    struct family10h result = {CODEMAP_PATH_SINGLE, 1, key->sse ? CODEMAP_UNIT_FMOVE : CODEMAP_UNIT_ALU};
    unsigned form = form_of(key);
    for (size_t i = 0; i < sizeof(path_rows) / sizeof(path_rows[0]); i++) {
        const struct path_row *row = &path_rows[i];
        if ((row->form & ~form) == 0 && fits(row->patterns, key->mnemonic)) {
            result.path = row->path;
            result.ops = row->ops;
            break;
        }
    }
    if (key->branch != CODEMAP_BR_NONE) {
        result.unit = CODEMAP_UNIT_BRANCH;
        return result;
    }
    for (size_t i = 0; i < sizeof(unit_rows) / sizeof(unit_rows[0]); i++) {
        if ((unit_rows[i].form & ~form) == 0 && fits(unit_rows[i].patterns, key->mnemonic)) {
            result.unit = unit_rows[i].unit;
            break;
        }
    }
    return result;
}
