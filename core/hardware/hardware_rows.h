/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * All questions to a machine, for hardware.h and hardware.c: HARDWARE(id, number, by, question, expected, check,
 * changes, turned). The number is what documents cite, for ever; by is an enum hardware_by without its prefix;
 * 'expected' is what driver and model take for true, with the source; 'check' what is measured or done; 'changes' the
 * constant of the model or the place in the driver that another answer would change; 'turned' what the virtual PMU
 * (`switches`, tests/boot/virtual/hardware.sh) or a unit test (tests/unit/app/hardware_made.h, TURNED) does to get
 * another answer: what nothing can turn is no answer. It is empty where a person answers. HARDWARE_IN is the part of a
 * row.
 */
#define HARDWARE_IN HARDWARE_IBS
#include "core/hardware/hardware_ibs_rows.h"
#undef HARDWARE_IN
#define HARDWARE_IN HARDWARE_NMI
#include "core/hardware/hardware_nmi_rows.h"
#undef HARDWARE_IN
#define HARDWARE_IN HARDWARE_COUNTERS
#include "core/hardware/hardware_counters_rows.h"
#undef HARDWARE_IN
#define HARDWARE_IN HARDWARE_MEMORY
#include "core/hardware/hardware_memory_rows.h"
#undef HARDWARE_IN
#define HARDWARE_IN HARDWARE_CODE
#include "core/hardware/hardware_code_rows.h"
#undef HARDWARE_IN
#define HARDWARE_IN HARDWARE_LATER
#include "core/hardware/hardware_later_rows.h"
#include "core/hardware/hardware_zen_rows.h"
#include "core/hardware/hardware_outer_rows.h"
#undef HARDWARE_IN
#define HARDWARE_IN HARDWARE_SEVERAL
#include "core/hardware/hardware_cores_rows.h"
#undef HARDWARE_IN
#define HARDWARE_IN HARDWARE_PROCESSOR
#include "core/hardware/hardware_machine_rows.h"
#undef HARDWARE_IN
