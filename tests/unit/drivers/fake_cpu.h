/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A processor for tests: the interface of drivers/cpu/cpu.h, from a script.
 *
 * It keeps MSRs, APIC registers, northbridge configuration and descriptor tables, logs every access as a line of text,
 * can raise an exception or an NMI at the n-th access, and delivers both through the present descriptor tables: gate,
 * interrupt stack table, context pointer. A mistake in the tables is a failed test.
 */
#ifndef TESTS_UNIT_DRIVERS_FAKE_CPU_H
#define TESTS_UNIT_DRIVERS_FAKE_CPU_H

#include <stdbool.h>

#include "tests/unit/test.h"
#include "drivers/cpu/cpu.h"
#include "drivers/machine/machine.h"

enum { FAKE_SECOND = 0x10000 }; /* a leaf's number plus this is its subleaf 1 */

enum { FAKE_MSRS = 128, FAKE_LEAVES = 24, FAKE_NODES = 8, FAKE_GUARDS = 8, FAKE_LOG_BYTES = 1 << 16 };

enum {
    CLOCKS_OF_PAUSE = 1000,
    FAKE_TURNS = 16,
    FAKE_BRANCHES = 3 /* number of records, on processors that have branch records */
};

#define FAKE_APIC     0xFEE00000ull
#define FAKE_RECOVERY 0x5EC0FE12ull /* address at which a guarded call resumes */
#define FAKE_CODE     0x00C0DE00ull /* rip of exceptions */

struct fake_msr {
    uint32_t number;
    uint64_t value;
    uint64_t writable; /* bits that a write changes */
};

struct fake_leaf {
    uint32_t leaf;
    struct cpu_cpuid registers;
};

struct fake {
    struct fake_msr msr[FAKE_MSRS];
    unsigned msrs;
    struct fake_leaf leaf[FAKE_LEAVES];
    unsigned leaves;
    uint32_t subleaf;          /* ECX of the last CPUID; all subleaves read the same */
    uint32_t apic[0x540 / 16]; /* one register each 16 bytes */
    bool ibs_off;            /* until the registers of drivers/machine/zen_ibs.h are set: CPUID, and the enable bits */
    bool x2apic;             /* APIC registers are MSRs 800h to 853h, and memory accesses to them fail the test */
    uint64_t x2apic_command; /* MSR 830h */
    unsigned delivery;       /* pauses before a command is sent; ~0u: never */
    uint32_t apic_read_only; /* offset of a register that drops writes, 0: none */
    uint32_t standing; /* offset of an entry with a pending request, which raises NMIs while it is open; 0: none */
    unsigned stood;    /* number of these NMIs */
    bool in_nmi;
    uint32_t node_id[FAKE_NODES]; /* of function 3, offset 0; 0: no device */
    uint32_t f3x1cc[FAKE_NODES];
    uint32_t map_id, map[16]; /* of function 1 of every node: offset 0; 40h to 7Ch */
    uint32_t f3x1cc_writable; /* bits that a write changes */
    bool all_registers; /* registers of an existing node read as node << 24 | function << 16 | offset; otherwise none
                           exists */
    bool mirrors;       /* MSR C001_103A shows node 0's F3x1CC */
    uint32_t cf8, cf8_writable;
    uint8_t port_61, port_70;
    /* Other devices, in configuration space (bus << 8 | device << 3 | function) and in memory: reads or writes; false:
     * no such device. NULL: no devices. */
    bool (*config)(uint32_t device, uint32_t offset, bool write, uint32_t *value);
    bool (*memory)(uint64_t address, bool write, uint32_t *value);
    uint8_t post[256]; /* bytes written to port 80h */
    unsigned posts;
    struct fake_uart {
        bool there;
        bool stuck;     /* always reports that it is busy */
        uint8_t reg[8]; /* by offset; the two behind the divisor latch are separate */
        uint8_t divisor[2];
        unsigned rate;   /* divisor at which bytes are sent; 0: 1, of 115200 */
        unsigned since;  /* bytes written since the status was last read */
        unsigned breaks; /* bytes after which it is stuck; 0: never */
        unsigned bytes;
        char sent[4096]; /* 8N1 */
        size_t length;
        void (*take)(char byte); /* receives bytes instead of 'sent' */
        unsigned reads;          /* reads of its status */
        bool forgets;            /* its scratch register reads FFh */
        bool comes;              /* a byte waits in register 0 */
        unsigned fifo_writes;
    } uart;
    uint64_t cr0, cr2, cr3, cr4, dr6, flags, tsc;
    uint64_t rip;                  /* address that the next NMI interrupts */
    uint64_t rbp;                  /* its frame pointer */
    bool stacks_gate;              /* the NMI's gate is the entry with call stacks */
    bool later_gate;               /* ... is that of later families */
    bool lingers_gate;             /* ... is the one that takes a random additional time */
    bool branches_gate;            /* ... is the one with branch records */
    bool branch_sampling_gate;     /* ... is the one with Branch Sampling's records */
    unsigned lingered[FAKE_TURNS]; /* how many NMIs took this many turns */
    uint64_t timer_tsc;            /* TSC ticks for each count of the APIC's timer; 0: the timer stands still */
    uint64_t timer_from;           /* TSC when its count was started */
    bool timer_nmis;               /* in a pause the timer's NMI comes when the count ends, if the entry sends NMIs */
    bool timer_told;               /* the timer's NMI has come */
    uint64_t
        clock_nmis; /* the same for a counter of event 076h, or 0; a pause takes CLOCKS_OF_PAUSE times this number */
    struct cpu_table gdt, idt;
    bool keeps_tables; /* LGDT and LIDT do nothing */
    uint16_t tr;
    struct cpu_segments segments;
    uint64_t fixup_rip, fixup_to;

    /* the firmware's tables and page map */
    _Alignas(16) uint64_t firmware_gdt[10];
    _Alignas(4096) uint64_t firmware_pml4[512];
    _Alignas(4096) uint64_t
        firmware_gigabytes[512]; /* page table of its first entry: one page of 1 GB, at its own address */

    /* script: access numbers count from 1, 0 = never */
    unsigned accesses;
    unsigned fault_at;
    unsigned nmi_at;       /* delivered before that access */
    unsigned nmi_at_pause; /* delivered in that pause */
    unsigned pauses;
    void (*on_pause)(unsigned pauses); /* called in a pause, for example to act for other cores */
    bool fault_done;

    struct cpu_recovery *guard[FAKE_GUARDS];
    jmp_buf jump[FAKE_GUARDS];
    volatile unsigned guards;
    uint64_t guard_stack[FAKE_GUARDS];
    struct cpu_trap_frame entered; /* set by cpu_call_frame() or cpu_enter_frame(), which continue with: */
    void (*on_enter)(void);        /* steps by fake_trap(), up to one that leaves */
    bool halted;
    bool may_halt; /* cpu_halt() jumps to 'halt' instead of failing the test */
    jmp_buf halt;

    bool no_log; /* because loops over real time access registers a varying number of times */
    char log[FAKE_LOG_BYTES];
    size_t log_length;
};

extern struct fake fake;

/* Makes a Family 10h machine of the model, with one node, as firmware leaves it. */
void fake_reset(uint32_t model);
/* Machines of later families. Entry 0 of the extended LVT is the firmware's, in C001_103A; there is no F3x1CC. */
enum fake_later {
    FAKE_15H_00, /* Bulldozer */
    FAKE_15H_30, /* Steamroller */
    FAKE_16H,
    FAKE_ZEN,
    FAKE_ZEN2,
    FAKE_ZEN3,
    FAKE_ZEN4,
    FAKE_ZEN5,
    FAKE_ZEN6, /* its capabilities are not published: it has those of Zen 5, and CTL2[Dis] */
    FAKE_LATER,
};
void fake_reset_later(enum fake_later which);
/* Makes a Zen whose firmware has left IBS off. */
void fake_reset_ibs_off(void);
/* Makes a machine of a later family, and fills in 'machine' as machine_probe() should. */
void fake_machine_later(struct machine *machine, enum fake_later which);
/* Makes a Family 10h machine of the model, and fills in 'machine' as machine_probe() should. */
void fake_machine(struct machine *machine, uint32_t model);

void fake_set_leaf(uint32_t leaf, uint32_t eax, uint32_t ebx, uint32_t ecx, uint32_t edx);
struct fake_msr *fake_msr(uint32_t number); /* fails the test if there is none */
void fake_add_msr(uint32_t number, uint64_t value, uint64_t writable);
void fake_remove_msr(uint32_t number);
void fake_clear_log(void);
void fake_log(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Lets the performance counter count this many events if it is enabled. Returns true if the APIC sends an NMI for it,
 * and masks its LVTPC entry, as the APIC does. */
bool fake_count(unsigned counter, uint64_t events);

/* Deliver through the present tables. fake_raise() does not return if a guarded call can be left. */
void fake_nmi(void);
void fake_raise(uint32_t vector, uint64_t error);

/* Raises #DB or #BP at rip, in code that cpu_enter_frame() runs. */
void fake_trap(uint32_t vector, uint64_t rip);

#endif
