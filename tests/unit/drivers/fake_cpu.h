/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A processor that exists only in tests: what drivers/cpu/cpu.h declares, played from a script.
 *
 * It keeps MSRs, APIC registers, northbridge configuration and descriptor tables, logs every access as a line of text,
 * can raise an exception or an NMI at the n-th access, and delivers both through the descriptor tables that are in
 * force: gate, interrupt stack table, context pointer. A mistake in the tables is a failed test.
 */
#ifndef TESTS_UNIT_DRIVERS_FAKE_CPU_H
#define TESTS_UNIT_DRIVERS_FAKE_CPU_H

#include <stdbool.h>

#include "tests/unit/test.h"
#include "drivers/cpu/cpu.h"
#include "drivers/machine/machine.h"

enum { FAKE_SECOND = 0x10000 }; /* added to a leaf's number: its subleaf 1 */

enum { FAKE_MSRS = 128, FAKE_LEAVES = 24, FAKE_NODES = 8, FAKE_GUARDS = 8, FAKE_LOG_BYTES = 1 << 16 };

enum { CLOCKS_OF_PAUSE = 1000, FAKE_TURNS = 16, FAKE_BRANCHES = 3 /* records of processors that have them */ };

#define FAKE_APIC     0xFEE00000ull
#define FAKE_RECOVERY 0x5EC0FE12ull /* represents the address at which a guarded call resumes */
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
    bool x2apic;             /* they are MSRs 800h to 853h, and memory accesses fail the test */
    uint64_t x2apic_command; /* MSR 830h */
    unsigned delivery;       /* pauses for which a command is not sent yet, ~0u: for ever */
    uint32_t apic_read_only; /* offset of a register that drops writes, 0: none */
    uint32_t standing;       /* offset of an entry whose request stands: NMIs while it is open; 0: none */
    unsigned stood;          /* how many came */
    bool in_nmi;
    uint32_t node_id[FAKE_NODES]; /* of function 3, offset 0; 0: no device */
    uint32_t f3x1cc[FAKE_NODES];
    uint32_t map_id, map[16]; /* of function 1 of every node: offset 0; 40h to 7Ch */
    uint32_t f3x1cc_writable; /* bits that a write changes */
    bool all_registers;       /* of a node that is there read as node << 24 | function << 16 | offset; else none is */
    bool mirrors;             /* node 0's F3x1CC shows in MSR C001_103A */
    uint32_t cf8, cf8_writable;
    uint8_t port_61, port_70;
    /* Other devices, in configuration space (bus << 8 | device << 3 | function) and in memory: read or written there;
     * false: there is none. NULL: none at all. */
    bool (*config)(uint32_t device, uint32_t offset, bool write, uint32_t *value);
    bool (*memory)(uint64_t address, bool write, uint32_t *value);
    uint8_t post[256]; /* bytes written to port 80h */
    unsigned posts;
    struct fake_uart {
        bool there;
        bool stuck;     /* it says that it is busy, for ever */
        uint8_t reg[8]; /* by offset; those behind the divisor latch are apart */
        uint8_t divisor[2];
        unsigned rate;   /* divisor that bytes are sent with; 0: 1, of 115200 */
        unsigned since;  /* bytes written since its status was read last */
        unsigned breaks; /* after this many bytes it is stuck; 0: never */
        unsigned bytes;
        char sent[4096]; /* 8N1 */
        size_t length;
        void (*take)(char byte); /* gets them instead of 'sent' */
        unsigned reads;          /* of its status */
        bool forgets;            /* its scratch register reads FFh */
        bool comes;              /* a byte waits in register 0 */
        unsigned fifo_writes;
    } uart;
    uint64_t cr0, cr2, cr3, cr4, dr6, flags, tsc;
    uint64_t rip;                  /* what the next NMI interrupts */
    uint64_t rbp;                  /* its frame pointer */
    bool stacks_gate;              /* the NMI's gate is the entry with call stacks */
    bool later_gate;               /* ... that of later families */
    bool lingers_gate;             /* ... the one that takes a random time more */
    bool branches_gate;            /* ... the one with branch records */
    bool branch_sampling_gate;     /* ... the one of Branch Sampling */
    unsigned lingered[FAKE_TURNS]; /* how often it took this many turns */
    uint64_t timer_tsc;            /* TSC ticks for one count of the APIC's timer, 0: it stands still */
    uint64_t timer_from;           /* TSC when its count was started */
    bool timer_nmis;               /* in a pause: its NMI comes when its count is over, if its entry is one of an NMI */
    bool timer_told;               /* that has come */
    uint64_t clock_nmis; /* 0: the same of a counter of event 076h; a pause takes CLOCKS_OF_PAUSE times this */
    struct cpu_table gdt, idt;
    bool keeps_tables; /* LGDT and LIDT do nothing */
    uint16_t tr;
    struct cpu_segments segments;
    uint64_t fixup_rip, fixup_to;

    /* the firmware's tables and page map */
    _Alignas(16) uint64_t firmware_gdt[10];
    _Alignas(4096) uint64_t firmware_pml4[512];
    _Alignas(4096) uint64_t firmware_gigabytes[512]; /* its first entry's: one page of 1 GB, to its own address */

    /* script: access numbers count from 1, 0 = never */
    unsigned accesses;
    unsigned fault_at;
    unsigned nmi_at;       /* delivered before that access */
    unsigned nmi_at_pause; /* delivered in that pause */
    unsigned pauses;
    void (*on_pause)(unsigned pauses); /* what happens meanwhile, for example on other cores */
    bool fault_done;

    struct cpu_recovery *guard[FAKE_GUARDS];
    jmp_buf jump[FAKE_GUARDS];
    volatile unsigned guards;
    uint64_t guard_stack[FAKE_GUARDS];
    struct cpu_trap_frame entered; /* by cpu_call_frame() or cpu_enter_frame(), which go on with: */
    void (*on_enter)(void);        /* steps by fake_trap(), up to one that leaves */
    bool halted;
    bool may_halt; /* cpu_halt() jumps to 'halt' instead of failing the test */
    jmp_buf halt;

    bool no_log; /* loops over real time access registers as often as this machine disturbs them */
    char log[FAKE_LOG_BYTES];
    size_t log_length;
};

extern struct fake fake;

/* A Family 10h machine of the given model, one node, as firmware leaves it. */
void fake_reset(uint32_t model);
/* Machines of later families, with the firmware's entry 0 of the extended LVT in C001_103A and no F3x1CC. */
enum fake_later {
    FAKE_15H_00, /* Bulldozer */
    FAKE_15H_30, /* Steamroller */
    FAKE_16H,
    FAKE_ZEN,
    FAKE_ZEN2,
    FAKE_ZEN3,
    FAKE_ZEN4,
    FAKE_ZEN5,
    FAKE_ZEN6, /* what its capabilities are has not been published: those of Zen 5, and CTL2[Dis] */
    FAKE_LATER,
};
void fake_reset_later(enum fake_later which);
/* Zen whose firmware has left IBS off. */
void fake_reset_ibs_off(void);
/* Resets to a machine of a later family, and fills in 'machine' as machine_probe() should. */
void fake_machine_later(struct machine *machine, enum fake_later which);
/* Resets to a Family 10h machine of the model, and fills in 'machine' as machine_probe() should. */
void fake_machine(struct machine *machine, uint32_t model);

void fake_set_leaf(uint32_t leaf, uint32_t eax, uint32_t ebx, uint32_t ecx, uint32_t edx);
struct fake_msr *fake_msr(uint32_t number); /* fails the test when there is none */
void fake_add_msr(uint32_t number, uint64_t value, uint64_t writable);
void fake_remove_msr(uint32_t number);
void fake_clear_log(void);
void fake_log(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The performance counter counts this many events if it is enabled. True when the APIC sends an NMI for it, and masks
 * its LVTPC entry, as it does. */
bool fake_count(unsigned counter, uint64_t events);

/* Through the tables in force. fake_raise() does not return when a guarded call is there to be left. */
void fake_nmi(void);
void fake_raise(uint32_t vector, uint64_t error);

/* #DB or #BP at rip, of code that runs by cpu_enter_frame(). */
void fake_trap(uint32_t vector, uint64_t rip);

#endif
