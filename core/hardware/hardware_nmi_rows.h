/* SPDX-License-Identifier: BSD-2-Clause */
/* Questions about interrupts and the local APIC; core/hardware/hardware_rows.h says what the fields are. */
/* clang-format off */
HARDWARE(extended_lvt_free, 11, MACHINE,
         "How does firmware leave extended LVT entries 1 to 3?",
         "a masked entry is free, whatever its type (Linux eilvt_entry_is_changeable)",
         "entries 500h to 530h as the firmware left them",
         "drivers/pmu/lvt.c usable",
         "an entry that is not masked")
HARDWARE(ss_in_handler, 25, PERSON,
         "Is SS null inside an NMI handler that was entered through an IST stack at unchanged privilege, as QEMU loads it?",
         "yes in the virtual PMU, which copies QEMU",
         "look with a debugger at the NMI handler; nothing in it uses SS, so no run shows it",
         "vpmu/shim/nmi.c",
         "")
HARDWARE(timer_nmi_holds, 26, MACHINE,
         "LVT timer (APIC 320h) as NMI: does the entry hold, and does its count stay 0 after a one-shot?",
         "yes; it is written and read back, and refused if the value does not hold",
         "the entry is written and read; a count of 10 us runs down, and is read 50 us later",
         "drivers/pmu/timer.c timer_set_up",
         "`odd-reads`; the count is not 0")
HARDWARE(lvtpc_masked, 27, MACHINE,
         "Does the APIC mask LVTPC when it delivers its NMI?",
         "up to Family 14h yes (our choice), from 15h on no: \"the Mask (M) bit is not set\" (Linux "
         "arch/x86/events/amd/core.c); the driver works with both",
         "LVTPC (340h), read after one NMI from a counter",
         "vpmu/model/pmu/local_apic.c apic_take; the driver writes the entry in each NMI",
         "`lvtpc-masked`, `lvtpc-open`; not masked")
HARDWARE(lvt_restored, 63, MACHINE,
         "Do LVT entries that firmware has set to SMI or NMI come back after `config=noise`?",
         "yes; they are restored and read back",
         "all entries of the local vector table are masked as in `config=noise`, then restored and read back",
         "drivers/machine/quiet.c; drivers/machine/restore.c",
         "`lvt-sticks`; a register has another value")
HARDWARE(alarm, 68, MACHINE,
         "Does the alarm of `limit_ms` come in time: the timer's divider, and limits from 1 ms on?",
         "yes; the timer is written and read back, and periodic, so that an alarm that coincides with a sample is not lost",
         "an endless loop under a limit of 1 ms: stopped after 1 to 2 ms",
         "drivers/pmu/timer.c",
         "`timer-slows`; stopped after 2 ms")
HARDWARE(timer_nmi_arrives, 87, MACHINE,
         "Does an APIC timer entry of message type NMI deliver an NMI?",
         "yes; tested in each session; if not, counter 3 makes the ticks",
         "`timer.by` of a session with a time limit: apic; if not, the error status register 280h",
         "drivers/pmu/ticks.c; vpmu/model/pmu/local_apic.c apic_request",
         "`no-timer-nmi`; two NMIs for one end of the count")
HARDWARE(svr_boot_core, 88, MACHINE,
         "Is the local APIC of the boot core on by software (0F0h bit 8)?",
         "yes; the program switches it on where it is off",
         "APIC 0F0h before any session, from a row of the restore log",
         "drivers/cores/core_state.c",
         "`svr-off`; bit 8 clear")
HARDWARE(lvtpc_rewritten, 93, PERSON,
         "Does counter sampling work where the APIC does not mask LVTPC?",
         "the model masks it; Linux says that AMD does not; the driver writes the entry in each NMI",
         "row 27 says whether it masks; switch `lvtpc-open` of docs/model.md gives the other case",
         "drivers/pmu/nmi.c take_all",
         "")
HARDWARE(counter_nmi_late, 100, MACHINE,
         "Can a counter's NMI come later than the WRMSR that stops the counter?",
         "not later than the ops in flight take to drain (FreeBSD hwpmc and Linux detect overflows at the stopping WRMSR "
         "itself)",
         "a counter is stopped 64 times close to its overflow: NMIs from 1 us to 6 us after a stop",
         "drivers/pmu/pmc.c pmc_stop; drivers/session/sampling.c late_ticks",
         "`late-overflow`; an NMI 1 us after a stop")
HARDWARE(apic_timer_rate, 101, MACHINE,
         "Does the APIC timer run at 200 MHz?",
         "yes, divided by 1 (the reference clock of the family: our choice)",
         "`timer.khz` of a session with a time limit, within 2 %",
         "vpmu/model/params.h APIC_TIMER_MHZ; drivers/pmu/timer.c",
         "204,001 kHz")
HARDWARE(handler_cycles, 102, MACHINE,
         "How many cycles does one NMI take with its handler?",
         "less than 5000 (the IRQ round trip, four or five RDMSR and one WRMSR; no source)",
         "`alu-independent` with and without op samples: additional TSC ticks for each sample",
         "docs/measuring.md; tests/boot/measure/cost.sh",
         "`slow-nmi`; 5000 ticks for an NMI")
HARDWARE(x2apic_extended_lvt, 120, PERSON,
         "In x2APIC mode: is the extended local vector table at MSRs 850h to 853h?",
         "yes, by the mode's rule, MSR 800h + offset / 16 (AMD APM vol. 2 section 16.11); no source has these numbers",
         "a run with `config=ibs` on a processor of Family 17h or later whose firmware leaves the APIC in x2APIC mode",
         "drivers/cpu/apic.h; drivers/pmu/lvt.c; vpmu/shim/devices/x2apic.c",
         "")
HARDWARE(nmi_ports, 124, MACHINE,
         "Does the chipset report a reason for an NMI (port 61h, bits 7 SERR and 6 IOCHK), and may it send an NMI (bits 3:2, "
         "and port 70h bit 7, if that can be read back)?",
         "no reason: a new reason during sampling can be told from samples, an old one cannot (Linux "
         "arch/x86/include/asm/mach_traps.h)",
         "both ports are read in a session",
         "drivers/pmu/nmi.c nmi_reasons; bios/clock.c",
         "`nmi-reason`; IOCHK pending")
HARDWARE(threshold_entries, 126, MACHINE,
         "Do error thresholds use the entry of the extended local vector table that IBS takes: MC4_MISC0 to 2 (MSR 413h "
         "memory, C000_0408h links, C000_0409h L3), bit 63 valid, bits 55:52 the entry?",
         "no (Linux arch/x86/kernel/cpu/mce/amd.c, bank4_names, MASK_LVTOFF_HI). The program reads only 413h before it takes "
         "an entry",
         "the three registers are read in a session with IBS",
         "drivers/pmu/lvt.c threshold_entry",
         "the L3's threshold uses the entry of IBS")
/* clang-format on */
