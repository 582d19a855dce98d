/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Steps that a hang can be told by, in their usual order: TRACE_ROW(name, code, last, what is being done). The code is
 * the byte on port 80h; 'last' is the last of a range, with the number of a core or vector in it; else it is the code.
 * A code is written before its step begins.
 */
/* clang-format off */
TRACE_ROW(SETTINGS, 0x01, 0x01, "settings have been read")
TRACE_ROW(PROBE, 0x02, 0x02, "the machine is probed: CPUID, model-specific registers, PCI")
TRACE_ROW(PREPARE, 0x03, 0x03, "a run is prepared: memory is taken")
TRACE_ROW(BEGUN, 0x04, 0x04, "begun.ini is written")
TRACE_ROW(PASS, 0x05, 0x05, "a pass begins")
TRACE_ROW(TABLES, 0x10, 0x10, "the descriptor tables are replaced")
TRACE_ROW(CORE_STATE, 0x11, 0x11, "the APIC is switched on; CR0, CR4, x87 and SSE are set")
TRACE_ROW(PAGING, 0x12, 0x12, "page tables are built, and CR3 is written")
TRACE_ROW(LVT, 0x13, 0x13, "the program looks for a free entry in the APIC's extended vector table")
TRACE_ROW(NODES, 0x14, 0x14, "F3x1CC of each node gets the entry's number, by PCI configuration")
TRACE_ROW(ENTRY, 0x15, 0x15, "the entry is written")
TRACE_ROW(TICKS, 0x16, 0x16, "the APIC's timer, or counter 3, is tried for NMIs")
TRACE_ROW(FILL, 0x17, 0x17, "the workload fills its memory")
TRACE_ROW(TOGETHER, 0x18, 0x18, "the program waits for the other cores; with several cores this code stays until 1Ch")
TRACE_ROW(DETOURS, 0x19, 0x19, "the program looks for detours before the measurement, for its certificate")
TRACE_ROW(COUNTERS, 0x1A, 0x1A, "performance counters are set up")
TRACE_ROW(BODY, 0x1B, 0x1B, "sampling is switched on, the workload runs, and sampling is switched off")
TRACE_ROW(STOP, 0x1C, 0x1C, "sampling is off; the program waits for a late NMI")
TRACE_ROW(FINISH, 0x1D, 0x1D, "the program looks for detours again, and checks the workload's result")
TRACE_ROW(UNDO, 0x1E, 0x1E, "all registers are restored")
TRACE_ROW(TABLES_BACK, 0x1F, 0x1F, "the firmware's descriptor tables are restored")
TRACE_ROW(PASS_ENDED, 0x20, 0x20, "a pass has ended")
TRACE_ROW(REPORT, 0x21, 0x21, "the report is printed")
TRACE_ROW(SAVE, 0x22, 0x22, "a file of the run is written")
TRACE_ROW(SAVED, 0x23, 0x23, "the run is saved")
TRACE_ROW(RESET, 0x2E, 0x2E, "the firmware is asked to reset or to switch off")
TRACE_ROW(END, 0x2F, 0x2F, "the program ends, and returns to the firmware")
TRACE_ROW(START_CORE, 0x40, 0x7F, "core 0 to 63 is started")
TRACE_ROW(AWAIT_CORE, 0x80, 0xBF, "the program waits for core 0 to 63, after a pass")
TRACE_ROW(EXCEPTION, 0xC0, 0xDF, "exception 0 to 31: C8h is a double fault, CDh general protection, CEh a page fault, D2h a machine check")
/* clang-format on */
