/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * All questions to a machine, for hardware.h and hardware.c: HARDWARE(id, number, by, question, expected, check,
 * changes, turned). Documents cite the number, for ever; by is an enum hardware_by without its prefix; 'expected' is
 * the assumption of driver and model, with the source; 'check' the measurement or action; 'changes' the constant of
 * the model or the place in the driver that another answer would change; 'turned' how the virtual PMU (`switches`,
 * tests/boot/virtual/hardware.sh) or a unit test (tests/unit/app/hardware_made.h, TURNED) gets another answer: an
 * answer that nothing can turn is none. It is empty where a person answers. HARDWARE_IN is the part of a row.
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
