/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A QEMU plugin that steps the guest for the virtual PMU: it announces each instruction to the shim (link.h), whose
 * code and model it runs natively, and can stop the guest exactly before an instruction.
 *
 *   qemu-system-x86_64 -plugin vpmu-plugin.so[,progress=FILE][,fail=CHECK] ...   memory: share=on
 *
 * progress: gets a byte now and then while instructions are announced (vpmu/shim/native/progress.h).
 *
 * The plugin relies on these properties of QEMU that are not a documented interface; each has a check by this name:
 *
 *   symbols      functions that the binary exports for its modules (calls.c)
 *   cflags       the place in CPUState of the flags by which blocks are translated: curr_cflags() tells
 *   memory       guest memory that can be mapped a second time (memory.c)
 *   registers    a callback's host RBP is CPUX86State, which begins with the general registers and RIP: in a block of
 *                one instruction all are up to date (in longer ones some may be in host registers)
 *   rip          the callback runs for the instruction for which it was registered
 *   step         each instruction is announced, once
 *   stop         cpu_loop_exit() leaves the guest where RIP says
 *
 * The last four are checked by the shim (native_check.c) when it connects. If a check fails, the plugin does nothing
 * and the shim steps by RFLAGS.TF. fail: makes one of the checks fail, for tests.
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "vpmu/plugin/link.h"
#include "vpmu/plugin/memory.h"
#include "vpmu/plugin/qemu.h"
#include "vpmu/plugin/rep.h"
#include "vpmu/shim/native/progress.h"
#include "vpmu/shim/vmcb.h"

enum { CORES = 64 };

static const char *const checks[] = {"symbols", "cflags", "version", "memory", "registers", "rip", "step", "stop"};
enum fault {
    FAIL_SYMBOLS,
    FAIL_CFLAGS,
    FAIL_VERSION,
    FAIL_MEMORY,
    FAIL_REGISTERS,
    FAIL_RIP,
    FAIL_STEP,
    FAIL_STOP,
    FAIL_NONE
};

/* Callbacks of translated code have the address of an instruction for their one argument. */
static struct {
    struct qemu_calls qemu;
    size_t cflags_offset; /* in CPUState */
    int api;
    enum fault fail;
    const char *problem; /* why the plugin does nothing */
    char text[100];      /* where that is said */
    bool mapped;
    struct memory memory;
    struct plugin_link *shim; /* NULL until it has connected */
    bool checking;

    struct core {
        qemu_cpu *cpu;
        uint64_t *env;         /* its CPUX86State */
        plugin_function *tell; /* NULL: nothing is announced */
        uint32_t number;
        uint64_t last;    /* RIP of the last announcement */
        uint64_t repeats; /* RCX at that time, for a REP instruction */
        struct rep rep;
        uintptr_t ra; /* return address of the last announcement's call in the translated block */
    } __attribute__((aligned(64))) cores[CORES];
    unsigned core_count;
    unsigned armed; /* number of cores whose instructions are announced */
    int32_t until_progress;
    int progress;
} plugin = {.fail = FAIL_NONE, .until_progress = PROGRESS_STEPS, .progress = -1};

/* Identifies the core by its CPUX86State. QEMU's number is not always right: where all cores share one thread, 10.0
 * passes that of the core for which the block was translated (accel/tcg/plugin-gen.c, gen_cpu_index). */
static inline struct core *core_of(uint32_t number, const uint64_t *env)
{
    struct core *core = &plugin.cores[number % CORES];
    for (unsigned i = 0; core->env != env && i < plugin.core_count; i++)
        core = &plugin.cores[i];
    return core;
}

static void refuse(struct plugin_link *asking, const char *why)
{
    plugin.problem = why;
    fprintf(stderr, "plugin: %s\n", why);
    if (memory_has(&plugin.memory, (uint64_t)asking, sizeof *asking))
        snprintf(asking->problem, sizeof asking->problem, "%s", why);
}

/* ---------------------------------------------------------------- an announcement */

/* Returns only if the instruction is to execute. */
static __attribute__((noinline)) void act(struct core *core, uint32_t action)
{
    uint64_t rip = core->last, *env = core->env;
    switch (action) {
    case PLUGIN_GO_ON:
        return;
    case PLUGIN_LEAVE:
        core->last = 0;
        plugin.qemu.vmexit(env, EXIT_PLUGIN, 0, core->ra);
    case PLUGIN_NMI:
        core->last = 0;
        if (plugin.api >= API_LOOPS_REP)
            ((uint32_t *)env)[QEMU_ENV_HFLAGS] &= ~(uint32_t)QEMU_HFLAG_INHIBIT_IRQ;
        plugin.qemu.lock(__FILE__, __LINE__);
        plugin.qemu.interrupt(core->cpu, QEMU_INTERRUPT_NMI);
        plugin.qemu.unlock();
        plugin.qemu.loop_exit_restore(core->cpu, core->ra);
    case PLUGIN_YIELD:
        core->last = 0;
        plugin.qemu.exit(core->cpu);
        plugin.qemu.loop_exit_restore(core->cpu, core->ra);
    default: /* in a block of one instruction all state is that at its beginning: nothing to restore */
        env[QEMU_ENV_RIP] = rip + (action - PLUGIN_SKIP);
        plugin.qemu.loop_exit(core->cpu);
    }
}

static __attribute__((noinline)) void report_progress(void)
{
    plugin.until_progress += PROGRESS_STEPS;
    if (write(plugin.progress, ".", 1) < 0)
        plugin.progress = -1; /* no file, or a full disk: give up reporting */
}

/* Keeps what act() needs in the core, and is inline: so each step saves one register around its call. */
static inline __attribute__((always_inline)) void announce(struct core *core, uint64_t rip, uint64_t *env, uintptr_t ra)
{
    plugin.until_progress--;
    core->last = rip;
    core->repeats = 0;
    core->ra = ra;
    uint32_t action = core->tell(core->number, rip, env);
    if (__builtin_expect(plugin.until_progress <= 0, 0))
        report_progress();
    if (__builtin_expect(action != PLUGIN_GO_ON, 0))
        act(core, action);
}

static void step(uint32_t number, uint64_t rip, uint64_t *env, uintptr_t ra)
{
    struct core *core = core_of(number, env);
    if (core->tell)
        announce(core, rip, env, ra);
}

/* Announces an instruction of the self-check. */
static void check(uint32_t number, uint64_t rip, uint64_t *env, uintptr_t ra)
{
    struct core *core = core_of(number, env);
    if (!core->tell)
        return;
    if ((((uint32_t *)env)[QEMU_ENV_HFLAGS] & QEMU_HFLAGS_LONG_MODE) != QEMU_HFLAGS_LONG_MODE)
        refuse(plugin.shim, "registers: CPUX86State does not have hflags where they should be");
    core->last = rip;
    core->ra = ra;
    uint32_t action = core->tell(core->number, rip + (plugin.fail == FAIL_RIP), env + (plugin.fail == FAIL_REGISTERS));
    if (plugin.fail != FAIL_STOP)
        act(core, action);
}

/*
 * A REP instruction is announced for each iteration, and once when its count is 0. QEMU 7.2 passes through the
 * instruction once more, with RCX 0, after the last iteration: that pass is ignored. QEMU 10 does all iterations in one
 * pass, but one by one while interrupts are inhibited for an instruction (target/i386/tcg/translate.c, do_gen_rep).
 */
static void step_rep(uint32_t number, uint64_t rip, uint64_t *env, uintptr_t ra)
{
    enum { RCX = 1 };
    struct core *core = core_of(number, env);
    uint64_t repeats = env[RCX];
    uint32_t *hflags = (uint32_t *)env + QEMU_ENV_HFLAGS;
    if (!core->tell)
        return;
    if (core->last == rip && core->repeats && !repeats) {
        core->last = 0;
        return;
    }
    if (plugin.api >= API_LOOPS_REP && repeats > 1 && !(*hflags & QEMU_HFLAG_INHIBIT_IRQ)) {
        *hflags |= QEMU_HFLAG_INHIBIT_IRQ;
        plugin.qemu.loop_exit_restore(core->cpu, ra);
    }
    announce(core, rip, env, ra);
    core->repeats = repeats;
}

/* ---------------------------------------------------------------- the bells */

static void arm(struct core *core, plugin_function *tell)
{
    uint32_t *cflags = (uint32_t *)((char *)core->cpu + plugin.cflags_offset);
    plugin.armed += !!tell;
    plugin.armed -= !!core->tell;
    core->tell = tell;
    core->last = 0;
    *cflags = tell ? *cflags | QEMU_CFLAGS_ONE_INSTRUCTION : *cflags & ~(uint32_t)QEMU_CFLAGS_ONE_INSTRUCTION;
}

/* Starts from the boot core, number 0, which has just translated the bell. */
static void find_cores(uint64_t *env)
{
    char *first = plugin.qemu.get_cpu(0);
    qemu_cpu *cpu;
    for (plugin.core_count = 0; plugin.core_count < CORES && (cpu = plugin.qemu.get_cpu((int)plugin.core_count));
         plugin.core_count++)
        plugin.cores[plugin.core_count] = (struct core){
            .cpu = cpu, .env = (uint64_t *)((char *)cpu + ((char *)env - first)), .number = plugin.core_count};
}

static void connect(struct plugin_link *asking, uint64_t *env)
{
    if (plugin.problem) {
        refuse(asking, plugin.problem);
    } else if (asking->magic != PLUGIN_MAGIC || asking->version != PLUGIN_VERSION || asking->size != sizeof *asking ||
               plugin.fail == FAIL_VERSION) {
        refuse(asking, "plugin and virtual PMU are of different versions");
    } else {
        find_cores(env);
        plugin.shim = asking;
        plugin.shim->ram_end = memory_end(&plugin.memory);
        plugin.shim->answer = ~plugin.shim->question;
    }
}

static void bell(uint32_t number, uint64_t at, uint64_t *env, uintptr_t ra)
{
    const struct plugin_ring *ring = (const struct plugin_ring *)at;
    (void)ra;
    if (!plugin.mapped) {
        plugin.mapped = true;
        const char *wrong =
            plugin.fail == FAIL_MEMORY ? "memory: made to fail" : memory_map(&plugin.memory, &plugin.qemu);
        plugin.problem = plugin.problem ? plugin.problem : wrong;
        if (wrong)
            fprintf(stderr, "plugin: %s\n", wrong);
    }
    if (!memory_has(&plugin.memory, (uint64_t)ring, sizeof *ring) || ring->magic != PLUGIN_MAGIC)
        return; /* a NOP of another program */
    if (ring->bell == BELL_CONNECT) {
        connect(ring->link, env);
    } else if (plugin.shim && !plugin.problem && ring->bell == BELL_WORK) {
        (void)plugin.shim->work(core_of(number, env)->number, 0, NULL);
    } else if (plugin.shim && !plugin.problem) {
        plugin.checking = ring->bell == BELL_CHECK;
        arm(core_of(number, env), plugin.checking          ? plugin.shim->check
                                  : ring->bell == BELL_ARM ? plugin.shim->boundary
                                                           : NULL);
    }
}

static void fill_here(uint32_t number, uint64_t rip, uint64_t *env, uintptr_t ra)
{
    (void)ra;
    if (!plugin.problem)
        rep_fill(&core_of(number, env)->rep, &plugin.qemu, number, rip, env);
}

/* In translated code RBP is CPUX86State (TCG_AREG0 on x86-64 hosts). */
#define FROM_TCG(name, to)                                                                                             \
    void name(unsigned core, void *data);                                                                              \
    __attribute__((naked)) void name(unsigned core, void *data)                                                        \
    {                                                                                                                  \
        __asm__("mov %rbp, %rdx\n\tmov (%rsp), %rcx\n\tjmp *" #to "_address(%rip)");                                   \
    }
static void (*const step_address)(uint32_t, uint64_t, uint64_t *, uintptr_t) __attribute__((used)) = step;
static void (*const step_rep_address)(uint32_t, uint64_t, uint64_t *, uintptr_t) __attribute__((used)) = step_rep;
static void (*const check_address)(uint32_t, uint64_t, uint64_t *, uintptr_t) __attribute__((used)) = check;
static void (*const bell_address)(uint32_t, uint64_t, uint64_t *, uintptr_t) __attribute__((used)) = bell;
static void (*const fill_address)(uint32_t, uint64_t, uint64_t *, uintptr_t) __attribute__((used)) = fill_here;
FROM_TCG(from_tcg, step)
FROM_TCG(from_tcg_rep, step_rep)
FROM_TCG(from_tcg_check, check)
FROM_TCG(from_tcg_bell, bell)
FROM_TCG(from_tcg_fill, fill)

/* ---------------------------------------------------------------- translation */

static size_t bytes_of(const struct qemu_plugin_insn *insn, uint8_t bytes[16])
{
    size_t length = qemu_plugin_insn_size(insn);
    length = length > 15 ? 15 : length;
    if (plugin.api >= API_COPIES_BYTES)
        return qemu_plugin_insn_data(insn, bytes, length);
    const void *(*where)(const struct qemu_plugin_insn *insn);
    where = (const void *(*)(const struct qemu_plugin_insn *))(void *)qemu_plugin_insn_data;
    memcpy(bytes, where(insn), length);
    return length;
}

/* Returns the operand's address of NOPL disp32(%rip), or 0. */
static uint64_t ring_of(uint64_t rip, const uint8_t *bytes, size_t length)
{
    enum { LENGTH = 7 };
    int32_t displacement;
    if (length != LENGTH || memcmp(bytes, "\x0f\x1f\x05", 3))
        return 0;
    memcpy(&displacement, bytes + 3, 4);
    return rip + LENGTH + (uint64_t)(int64_t)displacement;
}

/* Returns the instruction's callback; NULL: it is not announced. */
static void (*callback_of(uint64_t rip, const uint8_t *bytes, size_t length))(unsigned, void *)
{
    if (plugin.checking)
        return rip >= plugin.shim->check_low && rip < plugin.shim->check_high && plugin.fail != FAIL_STEP
                   ? from_tcg_check
                   : NULL;
    if (rip >= plugin.shim->low && rip < plugin.shim->high)
        return NULL;
    return rep_is(bytes, length) ? from_tcg_rep : from_tcg;
}

static void translate(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
    size_t count = qemu_plugin_tb_n_insns(tb);
    (void)id;
    for (size_t i = 0; i < count; i++) {
        struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
        uint64_t rip = qemu_plugin_insn_vaddr(insn);
        uint8_t bytes[16] = {0};
        size_t length = bytes_of(insn, bytes);
        uint64_t ring = ring_of(rip, bytes, length);
        if (ring) {
            qemu_plugin_register_vcpu_insn_exec_cb(insn, from_tcg_bell, QEMU_PLUGIN_CB_RW_REGS, (void *)ring);
        } else if (plugin.armed && count == 1) {
            void (*callback)(unsigned, void *) = callback_of(rip, bytes, length);
            if (callback)
                qemu_plugin_register_vcpu_insn_exec_cb(insn, callback, QEMU_PLUGIN_CB_RW_REGS, (void *)rip);
        } else if (count == 1 && plugin.api < API_LOOPS_REP && rep_is_fill(bytes, length)) {
            qemu_plugin_register_vcpu_insn_exec_cb(insn, from_tcg_fill, QEMU_PLUGIN_CB_RW_REGS, (void *)rip);
        }
    }
}

/* ---------------------------------------------------------------- loading */

static void find(void)
{
    const char *missing = qemu_find_calls(&plugin.qemu);
    if (missing || plugin.fail == FAIL_SYMBOLS) {
        snprintf(plugin.text, sizeof plugin.text, "symbols: this QEMU does not export %s",
                 missing ? missing : "any (made to fail)");
        plugin.problem = plugin.text;
        return;
    }
    plugin.cflags_offset = qemu_find_cflags(&plugin.qemu);
    if (!plugin.cflags_offset || plugin.fail == FAIL_CFLAGS)
        plugin.problem = "cflags: not found in CPUState";
}

static bool option(const char *text)
{
    static const char progress_is[] = "progress=", fail_is[] = "fail=";
    if (!strncmp(text, progress_is, sizeof progress_is - 1)) {
        plugin.progress = open(text + sizeof progress_is - 1, O_WRONLY | O_CREAT | O_APPEND, 0666);
        return true;
    }
    for (unsigned k = 0; k < FAIL_NONE && !strncmp(text, fail_is, sizeof fail_is - 1); k++) {
        if (!strcmp(text + sizeof fail_is - 1, checks[k])) {
            plugin.fail = (enum fault)k;
            return true;
        }
    }
    return false;
}

/* QEMU reads this when it has loaded the library, and accepts versions between its own least and newest: 7.2 up to 1,
 * 10.0 from 2 on. Scoreboards came with 2. */
__attribute__((visibility("default"))) int qemu_plugin_version = 1;
__attribute__((constructor)) static void choose_version(void)
{
    extern void qemu_plugin_scoreboard_new(void) __attribute__((weak));
    qemu_plugin_version = qemu_plugin_scoreboard_new ? 2 : 1;
}

__attribute__((visibility("default"))) int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc,
                                                               char **argv)
{
    for (int i = 0; i < argc; i++) {
        if (!option(argv[i])) {
            fprintf(stderr, "plugin: unknown option %s\n", argv[i]);
            return -1;
        }
    }
    plugin.api = info->version.cur;
    find();
    if (plugin.problem)
        fprintf(stderr, "plugin: %s\n", plugin.problem);
    qemu_plugin_register_vcpu_tb_trans_cb(id, translate);
    return 0;
}
