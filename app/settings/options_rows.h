/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * All settings but the workloads' parameters, in the order of the file: SETTING(type, key, default, further fields of
 * struct settings_row), for options.h and options.c. Types: NAME and TEXT (of at most OPTIONS_NAME_MAX and
 * OPTIONS_TEXT_MAX characters), UINT, BOOL, CHOICE (a uint32_t, index into the choices).
 */
/* clang-format off */
SETTING(NAME, workload, "matmul-classic", .help = "what to run; 'list' at the prompt names them all")
SETTING(TEXT, config, "ibs",
        .help = "what to measure; 'configs' at the prompt names them all; several, separated by commas,\n"
                "are run one after the other")
SETTING(TEXT, events, "",
        .help = "events to sample or count instead of the configuration's, separated by commas, for example\n"
                "RETIRED_INSTRUCTIONS@250000,041,046:07:k; 'events' at the prompt lists them. config=count takes\n"
                "also 'all', or all:DC for one unit: each event, and each bit of its mask separately")
SETTING(CHOICE, sharing, "rerun", .choices = "none|rerun|multiplex", /* enum event_sharing */
        .help = "more events than counters: refused, or the workload is run again for each group, or the groups\n"
                "take turns in one run (not for the totals of count and explore)")
SETTING(UINT, slice_us, "1000", .min = TIMER_PERIOD_MIN, .max = TIMER_PERIOD_MAX,
        .help = "multiplex: microseconds per turn")
SETTING(CHOICE, periods, "auto", .choices = "auto|given|measured", /* enum options_periods */
        .help = "period of an event without '@period' in 'events': the configuration's (given), or from a preceding\n"
                "counting run: up to 10,000 samples, one in 5,000 ops (measured); auto means given on silicon")
SETTING(UINT, repeats, "0", .max = OPTIONS_REPEATS_MAX,
        .help = "times that everything is counted or sampled, for the spread; 0: once, but counted 5 times on silicon,\n"
                "and sampled by IBS as often as some 10,000 samples take. More than 80 with once=yes alone")
SETTING(UINT, timer_us, "1000", .min = TIMER_PERIOD_MIN, .max = TIMER_PERIOD_MAX,
        .help = "microseconds between two time-based samples")
SETTING(TEXT, cores, "0",
        .help = "cores that run the workload at the same time, each sampled: all, or a list as in 0,2-3;\n"
                "0 is the boot core. first-threads: one thread of each core; one-per-ccx: one of what shares an L3")
SETTING(CHOICE, core_start, "auto", .choices = "auto|firmware|own", /* enum options_core_start */
        .help = "who starts other cores: the firmware (MP Services), or this program itself, by INIT and STARTUP on\n"
                "the cores that ACPI names; auto: the firmware, else this program")
SETTING(UINT, limit_ms, "0", .max = TIMER_LIMIT_MAX, .choices = "none", /* UINT64_MAX */
        .help = "the workload is stopped after this many milliseconds, and its samples are kept; 0: after 10 minutes\n"
                "on silicon, never under a hypervisor; none: never")
SETTING(BOOL, op, "yes", .help = "IBS op sampling")
SETTING(BOOL, fetch, "yes", .help = "IBS fetch sampling")
SETTING(CHOICE, count, "auto", .choices = "auto|ops|cycles", /* enum options_count */
        .help = "what the op interval counts: dispatched ops (uniform over executed ops; not on revision B of Family\n"
                "10h) or core cycles (weighted by where dispatch waits); auto takes ops where the processor has it")
SETTING(UINT, op_period, "0", .or_zero = true, .min = IBS_OP_PERIOD_MIN, .max = IBS_OP_PERIOD_EXT,
        .step = IBS_PERIOD_STEP, .help = "ops or cycles between op samples; 0: chosen for the workload")
SETTING(UINT, fetch_period, "0", .or_zero = true, .min = IBS_FETCH_PERIOD_MIN, .max = IBS_PERIOD_MAX, .step = IBS_PERIOD_STEP,
        .help = "fetches between fetch samples; 0: chosen for the workload")
SETTING(BOOL, reference, "yes",
        .help = "runs that take samples, except config=skid: count the workload without sampling as well, and\n"
                "again while it is sampled, to say what sampling changed; no: the workload runs less often")
SETTING(BOOL, once, "no",
        .help = "config=ibs: one op sample in each pass, on any op of the workload with the same chance, so that nothing\n"
                "before it was disturbed: a reference for other periods. 1000 passes, or 'repeats'; workloads of\n"
                "up to a million ops, on processors that count ops and whose IbsOpCurCnt may be written")
SETTING(UINT, trace_ops, "64", .min = 1, .max = OPTIONS_TRACE_OPS_MAX,
        .help = "config=trace: ops that are traced; each takes 'repeats' passes (0: two)")
SETTING(UINT, trace_from, "1", .min = 1, .max = 1u << 26,
        .help = "config=trace: the first of them, counted from the workload's first op on")
SETTING(BOOL, l3_miss_only, "no",
        .help = "IBS samples only of what missed the L3, where the processor can (Zen 4 and later): shares of samples\n"
                "are then shares of these, and counts cannot be multiplied by the period")
SETTING(UINT, load_latency, "0", .or_zero = true, .min = IBS_LDLAT_STEP, .max = IBS_LDLAT_MAX, .step = IBS_LDLAT_STEP,
        .help = "IBS op samples only of loads of more cycles than that, where the processor can (Zen 5 and later);\n"
                "0: of all ops")
SETTING(BOOL, zen_ibs_on, "no",
        .help = "Zen, Family 17h models 00h-2Fh and 50h-5Eh, with IBS off in CPUID: each run switches it on by the\n"
                "registers C001_1005, 1029, 1020 and 0296, as AMD_IBS_Toolkit does, and off again. A core may lock up\n"
                "while its other thread runs (refused: SMT must be off in the setup), and be slower. Never tried on\n"
                "silicon")
SETTING(BOOL, random, "yes",
        .help = "randomise the intervals; without it a loop is sampled at the same few ops (for teaching)")
SETTING(UINT, seed, "1", .max = UINT64_MAX, .help = "seed of the random intervals: the same seed repeats a run")
SETTING(CHOICE, pages, "4k", .choices = "4k|2m|1g", .help = "page size of the workload's memory") /* enum paging_kind */
SETTING(CHOICE, code_pages, "firmware", .choices = "firmware|4k", /* enum options_code_pages */
        .help = "page size of the program's code: as the firmware mapped it (mostly 2 MB), or 4 KB as under Linux")
SETTING(CHOICE, frames, "contiguous", .choices = "contiguous|shuffled",
        .help = "order of the page frames of the workload's memory")
SETTING(UINT, frame_seed, "1", .max = UINT64_MAX, .help = "seed of the shuffled order")
SETTING(NAME, memory, "auto",
        .help = "node whose memory the workload gets: local (its core's own), remote (the next one), a node's number;\n"
                "auto is local if there is room, else any")
SETTING(UINT, pstate, "firmware", .max = 7, .choices = "firmware", /* UINT64_MAX */
        .help = "P-state during the run, on Family 10h and from 17h on: 0 is the fastest that is not boosted; firmware: as it was left")
SETTING(CHOICE, boost, "firmware", .choices = "firmware|off|on", /* enum power_boost */
        .help = "core performance boost during the run, on the cores that are measured; firmware: as it was left")
SETTING(UINT, cppc, "firmware", .min = 1, .max = 255, .choices = "firmware", /* UINT64_MAX */
        .help = "CPPC's level of performance during the run, as least, most and desired one, where firmware left CPPC on; the\n"
                "report has the levels; firmware: as it was left")
SETTING(CHOICE, erratum_721, "firmware", .choices = "firmware|on",
        .help = "Families 10h and 12h: on sets DE_CFG bit 0 (C001_1029) during the run, against a stack pointer that is wrong\n"
                "after a long series of pushes and calls, or of pops and returns; firmware: as it was left")
SETTING(CHOICE, usb_legacy, "firmware", .choices = "firmware|off", /* enum options_usb_legacy */
        .help = "SMIs by which firmware emulates keyboard and disks on USB, during the run: as it was left, or off, where\n"
                "a machine hangs or resets while it is sampled; keys are not seen meanwhile")
SETTING(UINT, records, "131072", .min = 1, .max = 1u << 24,
        .help = "room for this many samples, 80 bytes each; more are counted as lost")
SETTING(UINT, call_stack, "0", .max = SAMPLE_STACK_MAX,
        .help = "with each sample up to this many return addresses, by frame pointers; in perf.data, for ibsprof\n"
                "report --by=caller and perf report -g. 144 bytes more a sample, and a longer handler; 0: none")
SETTING(BOOL, branches, "no",
        .help = "the latest taken branches with each sample (Zen 4 and later; Zen 3 with config=events events=0C4 alone),\n"
                "in perf.data for perf report --branch-history; 256 bytes more a sample, and a longer handler")
SETTING(UINT, noise_ms, "0", .max = 86400000,
        .help = "config=noise: milliseconds in each regime; 0: 10000, or 1 on the virtual PMU")
SETTING(UINT, noise_detours, "65536", .min = 1, .max = 1u << 24,
        .help = "config=noise: detours kept for each regime, 24 bytes each; more are only counted")
SETTING(UINT, noise_quanta, "0", .max = 10000000,
        .help = "config=noise: number of quanta of the same work; 0: 10000, or 20 on the virtual PMU")
SETTING(UINT, noise_work, "0", .max = 1000000000,
        .help = "config=noise: multiplications in each quantum; 0: 20000, or 500 on the virtual PMU")
SETTING(BOOL, dangerous, "no",
        .help = "config=hardware: also ask, last of all, what may hang or reset the machine")
SETTING(TEXT, show, "",
        .help = "print the output of this command of the prompt, and end: events DC, event 041, configs, config assess")
SETTING(TEXT, batch, "",
        .help = "a file with lines as at the prompt (settings and 'run'), for example \\ibsboot\\batch.txt: many runs\n"
                "in one boot, then it ends")
SETTING(TEXT, plan, "",
        .help = "a file of several runs: settings, in [sections], with lists as in kb=4..64 x2")
SETTING(UINT, plan_times, "1", .min = 1, .max = PLAN_TIMES_MAX,
        .help = "plan: rounds; each has every run once, with another seed")
SETTING(CHOICE, plan_order, "listed", .choices = "listed|abba|random", /* enum plan_order */
        .help = "plan: order of a round: as listed; forth and back in turns; by chance")
SETTING(UINT, plan_enough, "0", .max = UINT32_MAX,
        .help = "plan: ends once each run's hottest instruction has so many op samples, of all rounds; 0: not")
SETTING(UINT, plan_minutes, "0", .max = 1000000,
        .help = "plan: no run begins when those before took so many minutes; 0: any")
SETTING(CHOICE, selftest, "yes", .choices = "yes|no|force", /* enum options_selftest */
        .help = "test IBS and counters before the first run, by a loop whose counts are known; a run that uses what\n"
                "fails is refused (yes), or not (force); config=selftest tests again and shows each check")
SETTING(CHOICE, save, "yes", .choices = "no|yes|tar", /* enum options_save */
        .help = "write the run's files to the volume; tar: to IBSRUNS.TAR there, in place, past the firmware's FAT driver")
SETTING(CHOICE, output, "volume", .choices = "volume|serial", /* enum options_output */
        .help = "serial: each run's files are sent over the first serial port, too, as lines for 'ibsprof receive'; with\n"
                "save=no, or where there is no volume, only there. volume: not")
SETTING(CHOICE, serial_rate, "115200", .choices = "115200|57600|38400|19200|9600", /* enum uart_rate */
        .help = "baud of the first serial port (8N1) for output=serial and trace=com1; the firmware's own console keeps\n"
                "its rate, which should be the same")
SETTING(BOOL, menu, "yes", .help = "wait 5 seconds for a key, then offer a prompt, or a screen; no: run at once and end")
SETTING(UINT, hold_s, "60", .max = 86400,
        .help = "seconds for which a refusal or an error stays on the screen at the end, unless a key is pressed; 0: none.\n"
                "Firmware clears the screen when a program ends")
SETTING(CHOICE, end, "return", .choices = "return|reset|off", /* enum firmware_end */
        .help = "at the end: back to the firmware, a warm reset, or power off")
SETTING(CHOICE, trace, "post", .choices = "post|com1|none", /* enum trace_mode */
        .help = "where the program is, for when it hangs: a code for each step on port 80h; the same in words on the\n"
                "first serial port, too (serial_rate), with the registers of an exception; neither")
SETTING(BOOL, pager, "yes", .help = "at the prompt: stop after each screen")
/* clang-format on */
