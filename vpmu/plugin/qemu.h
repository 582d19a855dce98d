/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Declares what the plugin uses of QEMU. Debian has no package with qemu-plugin.h, so the documented part comes from
 * QEMU's documentation (docs/devel/tcg-plugins.rst; include/qemu/qemu-plugin.h of 7.2, API version 1, and of 10.0, API
 * version 4).
 *
 * The second part is no documented interface: functions that the binary exports for its own modules, looked up when
 * the plugin is loaded. Their meaning in both versions was read in accel/tcg/cpu-exec.c, accel/tcg/cpu-exec-common.c,
 * target/i386/tcg/sysemu/svm_helper.c, hw/core/cpu-common.c and softmmu/physmem.c.
 */
#ifndef VPMU_PLUGIN_QEMU_H
#define VPMU_PLUGIN_QEMU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---------------------------------------------------------------- the plugin API */

typedef uint64_t qemu_plugin_id_t;

typedef struct qemu_info_t {
    const char *target_name;
    struct {
        int min, cur;
    } version;
    bool system_emulation;
    struct {
        int smp_vcpus, max_vcpus;
    } system;
} qemu_info_t;

struct qemu_plugin_tb;
struct qemu_plugin_insn;
enum { QEMU_PLUGIN_CB_NO_REGS, QEMU_PLUGIN_CB_R_REGS, QEMU_PLUGIN_CB_RW_REGS };

/* The plugin's own two symbols that QEMU looks for. */
extern int qemu_plugin_version;
int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc, char **argv);

void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t id,
                                           void (*callback)(qemu_plugin_id_t id, struct qemu_plugin_tb *tb));
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *insn, void (*callback)(unsigned core, void *data),
                                            int flags, void *data);
void qemu_plugin_register_atexit_cb(qemu_plugin_id_t id, void (*callback)(qemu_plugin_id_t id, void *data), void *data);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *tb, size_t index);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *insn);
size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *insn);
/* Copies an instruction's bytes, from API version 3 on; up to 2 it took only the first argument and returned a pointer.
 */
size_t qemu_plugin_insn_data(const struct qemu_plugin_insn *insn, void *to, size_t bytes);
enum { API_COPIES_BYTES = 3 };

/* From API version 4 on (QEMU 9.2 and later; 10.0 was tried) one pass through a REP instruction may be many
 * iterations. */
enum { API_LOOPS_REP = 4 };

/* ---------------------------------------------------------------- beyond it */

/* CPUState and CPUX86State: opaque, except for what self-checks prove (plugin.c). */
typedef void qemu_cpu;

struct qemu_calls {
    qemu_cpu *(*get_cpu)(int index);
    void (*interrupt)(qemu_cpu *cpu, int mask); /* with the lock held */
    void (*exit)(qemu_cpu *cpu);                /* at the end of the current block */
    void (*loop_exit)(qemu_cpu *cpu) __attribute__((noreturn));
    /* Restores the guest's state before the instruction whose translation has this return address. */
    void (*loop_exit_restore)(qemu_cpu *cpu, uintptr_t host_pc) __attribute__((noreturn));
    void (*vmexit)(void *env, uint32_t code, uint64_t info, uintptr_t host_pc) __attribute__((noreturn));
    uint32_t (*curr_cflags)(qemu_cpu *cpu);
    void *(*map)(uint64_t physical, uint64_t *length, bool write);
    void (*unmap)(void *memory, uint64_t length, bool write, uint64_t used);
    int (*memory)(qemu_cpu *cpu, uint64_t virtual, void *bytes, size_t count, bool write); /* 0: done */
    void (*lock)(const char *file, int line);
    void (*unlock)(void);
};

/* Looks up all functions. Returns NULL, or the name of a missing one. */
const char *qemu_find_calls(struct qemu_calls *calls);
/* Finds the place in CPUState of the flags by which blocks are translated; 0: not found. */
size_t qemu_find_cflags(const struct qemu_calls *calls);

enum { QEMU_INTERRUPT_NMI = 0x200 };              /* CPU_INTERRUPT_NMI = CPU_INTERRUPT_TGT_EXT_3 */
enum { QEMU_CFLAGS_ONE_INSTRUCTION = 1 };         /* CF_COUNT_MASK: instructions in a block */
enum { QEMU_ENV_RIP = 16, QEMU_ENV_HFLAGS = 44 }; /* CPUX86State: as 64-bit words; as 32-bit words */
enum { QEMU_HFLAG_INHIBIT_IRQ = 1 << 3, QEMU_HFLAGS_LONG_MODE = 1 << 7 | 1 << 14 | 1 << 15 /* PE LMA CS64 */ };

#endif
