/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * step_twin TWIN NAME [parameter=value]...: the Linux twin's workload on the virtual PMU's model, without a virtual
 * machine.
 *
 * The twin is stepped by ptrace from the call of the workload to its return, and each instruction announced to the
 * model as the shim does in QEMU; physical addresses are the linear ones, in 4 KB pages. So the model sees the same
 * instructions as another tool that runs the same twin (tests/host/image/oracle.sh). Prints truth.csv. No sampling: a
 * counter is enabled, so that the model counts.
 */
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/ibs/codemap.h"
#include "vpmu/model/model.h"

enum {
    PERF_CTL0 = 0xC0010000,
    COUNT_CYCLES = 1 << 22 | 1 << 17 | 1 << 16 | 0x76, /* enabled, OS and user */
};

static void die(const char *what)
{
    fprintf(stderr, "step_twin: %s: %s\n", what, errno ? strerror(errno) : "not as it must be");
    exit(1);
}

static unsigned translate(void *context, uint64_t linear, uint64_t *physical, uint64_t tables[4], unsigned *count)
{
    *physical = linear;
    for (unsigned i = 0; i < 4; i++) /* consecutive tables, after all addresses that a program can have */
        tables[i] = 0x800000000000 + 0x1000000000 * i + (linear >> (39 - 9 * i)) % 0x8000000 * 8;
    *count = 4;
    return 12;
}

/* The value of a symbol of the twin. */
static uint64_t symbol(const char *twin, const char *name)
{
    char command[4096], found[256];
    unsigned long value = 0;
    FILE *nm;

    snprintf(command, sizeof(command), "nm '%s'", twin);
    nm = popen(command, "r");
    for (unsigned long at; nm && fscanf(nm, "%lx %*c %255s", &at, found) == 2;)
        value = strcmp(found, name) ? value : at;
    if (!nm || pclose(nm) || !value)
        die(name);
    return value;
}

static void wait_for_stop(pid_t pid, const char *what)
{
    int status;

    errno = 0;
    if (waitpid(pid, &status, 0) != pid || !WIFSTOPPED(status) || WSTOPSIG(status) != SIGTRAP)
        die(what);
}

/* Each step is a switch to the twin and one back: on one processor a third of the time that two take. If it fails, only
 * time is lost. */
static void stay_on_one_processor(void)
{
    cpu_set_t one;

    CPU_ZERO(&one);
    CPU_SET(sched_getcpu(), &one);
    sched_setaffinity(0, sizeof one, &one);
}

/* Runs to the first instruction of the function, and restores the code. */
static void run_to(pid_t pid, uint64_t address, struct user_regs_struct *regs)
{
    long code = ptrace(PTRACE_PEEKTEXT, pid, address, 0);

    if (ptrace(PTRACE_POKETEXT, pid, address, (code & ~0xFFL) | 0xCC) || ptrace(PTRACE_CONT, pid, 0, 0))
        die("breakpoint");
    wait_for_stop(pid, "the workload is not called");
    ptrace(PTRACE_GETREGS, pid, 0, regs);
    regs->rip = address;
    if (ptrace(PTRACE_POKETEXT, pid, address, code) || ptrace(PTRACE_SETREGS, pid, 0, regs))
        die("breakpoint");
}

static void step(struct vpmu *vpmu, const struct user_regs_struct *r)
{
    const uint64_t gpr[16] = {r->rax, r->rcx, r->rdx, r->rbx, r->rsp, r->rbp, r->rsi, r->rdi,
                              r->r8,  r->r9,  r->r10, r->r11, r->r12, r->r13, r->r14, r->r15};

    vpmu_step(vpmu, r->rip, gpr);
}

static void print(struct out *out, const char *text, size_t length)
{
    (void)out;
    fwrite(text, 1, length, stdout);
}

int main(int argc, char **argv)
{
    struct out out = {.write = print};
    struct user_regs_struct regs;
    struct vpmu_config config = {.revision = VPMU_REV_C, .seed = 1, .map = &image_codemap, .translate = translate};
    struct vpmu *vpmu;
    uint64_t start, back;
    pid_t pid;

    if (argc < 3)
        die("usage: step_twin TWIN NAME [parameter=value]...");
    start = symbol(argv[1], "arena_call");
    config.image_base = symbol(argv[1], "image_workloads") - image_codemap.text_rva;
    stay_on_one_processor();
    pid = fork();
    if (pid == 0) {
        ptrace(PTRACE_TRACEME, 0, 0, 0);
        dup2(STDERR_FILENO, STDOUT_FILENO);
        execv(argv[1], argv + 1);
        _exit(1);
    }
    wait_for_stop(pid, argv[1]);
    run_to(pid, start, &regs);
    back = (uint64_t)ptrace(PTRACE_PEEKDATA, pid, regs.rsp, 0);

    vpmu = vpmu_init(malloc(vpmu_size(&image_codemap)), vpmu_size(&image_codemap), &config);
    vpmu_wrmsr(vpmu, PERF_CTL0, COUNT_CYCLES);
    for (; regs.rip != back; ptrace(PTRACE_GETREGS, pid, 0, &regs)) {
        step(vpmu, &regs);
        if (ptrace(PTRACE_SINGLESTEP, pid, 0, 0))
            die("step");
        wait_for_stop(pid, "step");
    }
    step(vpmu, &regs); /* the result of the last instruction is known now */
    vpmu_wrmsr(vpmu, PERF_CTL0, 0);
    vpmu_write_truth(vpmu, &out);
    ptrace(PTRACE_CONT, pid, 0, 0);
    wait(NULL);
    return fflush(stdout) != 0;
}
