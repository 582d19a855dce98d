/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * PCI configuration space through ports CF8h and CFCh.
 */
#ifndef DRIVERS_PCI_H
#define DRIVERS_PCI_H

#include <stdint.h>

enum { PCI_ADDRESS_PORT = 0xCF8, PCI_DATA_PORT = 0xCFC };

/* NB_CFG: bit 46 lets bits 27:24 of port CF8h carry bits 11:8 of the offset (BKDG 31116, EnableCf8ExtCfg). */
#define MSR_NB_CFG                0xC001001Fu
#define NB_CFG_ENABLE_CF8_EXT_CFG (1ull << 46)
/* Bit 54, InitApicIdCpuIdLo: the core is in the low bits of the initial APIC id (AGESA cpuRegisters.h). */
#define NB_CFG_INIT_APIC_ID_CPU_LOW (1ull << 54)

/* Access a register. device: on bus 0 its number, else with 32 times the bus added. offset: a multiple of 4; 100h and
 * up needs NB_CFG bit 46. Reads FFFF_FFFFh where there is no device. Callers save port CF8h, which is left changed. */
uint32_t pci_read(uint32_t device, uint32_t function, uint32_t offset);
void pci_write(uint32_t device, uint32_t function, uint32_t offset, uint32_t value);

/* Sets NB_CFG bit 46 of the node of the calling core, which reaches the registers of all nodes. The log has it and port
 * CF8h before they change. Returns 0 or the exception vector of NB_CFG. */
struct restore_log;
uint32_t pci_open_extended(struct restore_log *log);

#endif
