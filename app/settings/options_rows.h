/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * All settings but the workloads' parameters, in the order of the file: SETTING(type, key, default, further fields of
 * struct settings_row), for options.h and options.c. Types: NAME and TEXT (of at most OPTIONS_NAME_MAX and
 * OPTIONS_TEXT_MAX characters), UINT, BOOL, CHOICE (a uint32_t, index into the choices).
 */
/* clang-format off */
SETTING(NAME, workload, "matmul-classic", .help = "what to run; 'list' at the prompt names all workloads")
SETTING(TEXT, config, "ibs",
        .help = "what to measure; 'configs' at the prompt names all configurations; several, separated by\n"
                "commas, run one after the other")
SETTING(TEXT, events, "",
        .help = "events to sample or count instead of the configuration's own, separated by commas, for example\n"
                "RETIRED_INSTRUCTIONS@250000,041,046:07:k; 'events' at the prompt lists them. config=count also\n"
                "takes 'all', or all:DC for one unit: each event, and each bit of its mask separately")
SETTING(CHOICE, sharing, "rerun", .choices = "none|rerun|multiplex", /* enum event_sharing */
        .help = "what happens if there are more events than counters: none: the run is refused; rerun: the workload\n"
                "runs again for each group; multiplex: the groups take turns in one run (not for the totals of\n"
                "count and explore)")
SETTING(UINT, slice_us, "1000", .min = TIMER_PERIOD_MIN, .max = TIMER_PERIOD_MAX,
        .help = "sharing=multiplex: microseconds per turn")
SETTING(CHOICE, periods, "auto", .choices = "auto|given|measured", /* enum options_periods */
        .help = "period of an event without '@period' in 'events'; given: the configuration's; measured: from a\n"
                "preceding counting run, for up to 10,000 samples, at most one in 5,000 ops; auto: given on silicon,\n"
                "measured under a hypervisor")
SETTING(UINT, repeats, "0", .max = OPTIONS_REPEATS_MAX,
        .help = "how often everything is counted or sampled, for the spread; 0: once, but events are counted 5 times\n"
                "on silicon, and IBS samples until there are some 10,000 samples. More than 80 only with once=yes")
SETTING(UINT, timer_us, "1000", .min = TIMER_PERIOD_MIN, .max = TIMER_PERIOD_MAX,
        .help = "microseconds between two time-based samples")
SETTING(TEXT, cores, "0",
        .help = "cores that run the workload at the same time, each sampled: all, or a list such as 0,2-3;\n"
                "0 is the boot core. first-threads: one thread of each core; one-per-ccx: one core for each L3")
SETTING(CHOICE, core_start, "auto", .choices = "auto|firmware|own", /* enum options_core_start */
        .help = "who starts other cores: the firmware (MP Services), or this program itself (own), by INIT and STARTUP\n"
                "on the cores that ACPI names; auto: the firmware if it can, else this program")
SETTING(UINT, limit_ms, "0", .max = TIMER_LIMIT_MAX, .choices = "none", /* UINT64_MAX */
        .help = "milliseconds after which the workload is stopped; its samples are kept; 0: 10 minutes on silicon,\n"
                "no limit under a hypervisor; none: no limit")
SETTING(BOOL, op, "yes", .help = "IBS op sampling")
SETTING(BOOL, fetch, "yes", .help = "IBS fetch sampling")
SETTING(CHOICE, count, "auto", .choices = "auto|ops|cycles", /* enum options_count */
        .help = "what the op interval counts: dispatched ops (all executed ops are equally likely; not on revision B of\n"
                "Family 10h) or core cycles (ops that wait at dispatch are more likely); auto: ops where the processor\n"
                "can count them")
SETTING(UINT, op_period, "0", .or_zero = true, .min = IBS_OP_PERIOD_MIN, .max = IBS_OP_PERIOD_EXT,
        .step = IBS_PERIOD_STEP, .help = "ops or cycles between op samples; 0: chosen for the workload")
SETTING(UINT, fetch_period, "0", .or_zero = true, .min = IBS_FETCH_PERIOD_MIN, .max = IBS_PERIOD_MAX, .step = IBS_PERIOD_STEP,
        .help = "fetches between fetch samples; 0: chosen for the workload")
SETTING(BOOL, reference, "yes",
        .help = "count the workload also without sampling, and again while it is sampled, to say what sampling changed\n"
                "(in runs that take samples, except config=skid); no: the workload runs fewer times")
SETTING(BOOL, once, "no",
        .help = "config=ibs: take one op sample in each pass, on any op of the workload with equal chance. Nothing before\n"
                "it is disturbed, so this is a reference for other periods. 1000 passes, or 'repeats'. For workloads of\n"
                "up to a million ops, on processors that count ops and whose IbsOpCurCnt may be written")
SETTING(UINT, trace_ops, "64", .min = 1, .max = OPTIONS_TRACE_OPS_MAX,
        .help = "config=trace: number of ops to trace; each takes 'repeats' passes (0: two)")
SETTING(UINT, trace_from, "1", .min = 1, .max = 1u << 26,
        .help = "config=trace: the first op to trace; the workload's first op is 1")
SETTING(BOOL, l3_miss_only, "no",
        .help = "take only IBS samples that missed the L3, where the processor can (Zen 4 and later): shares of samples\n"
                "are then shares of L3 misses, and counts cannot be multiplied by the period")
SETTING(UINT, load_latency, "0", .or_zero = true, .min = IBS_LDLAT_STEP, .max = IBS_LDLAT_MAX, .step = IBS_LDLAT_STEP,
        .help = "take only IBS op samples of loads that took more cycles than this, where the processor can (Zen 5 and\n"
                "later); 0: sample all ops")
SETTING(BOOL, zen_ibs_on, "no",
        .help = "Zen, Family 17h models 00h-2Fh and 50h-5Eh, if CPUID reports no IBS: each run switches IBS on by the\n"
                "registers C001_1005, 1029, 1020 and 0296, as AMD_IBS_Toolkit does, and off again. A core may be slower,\n"
                "and may lock up while its other thread runs (so SMT must be off in the setup, or the run is refused).\n"
                "Never tried on silicon")
SETTING(BOOL, random, "yes",
        .help = "randomise the intervals; without it a loop is sampled at the same few ops (for teaching)")
SETTING(UINT, seed, "1", .max = UINT64_MAX, .help = "seed of the random intervals: the same seed repeats a run")
SETTING(CHOICE, pages, "4k", .choices = "4k|2m|1g", .help = "page size of the workload's memory") /* enum paging_kind */
SETTING(CHOICE, code_pages, "firmware", .choices = "firmware|4k", /* enum options_code_pages */
        .help = "page size of the program's code: as the firmware mapped it (mostly 2 MB), or 4 KB, as in Linux")
SETTING(CHOICE, frames, "contiguous", .choices = "contiguous|shuffled",
        .help = "order of the page frames of the workload's memory")
SETTING(UINT, frame_seed, "1", .max = UINT64_MAX, .help = "seed of the shuffled order")
SETTING(NAME, memory, "auto",
        .help = "node whose memory the workload gets: local (its core's node), remote (the next node), or a node's\n"
                "number; auto: local if there is room, else any node")
SETTING(UINT, pstate, "firmware", .max = 7, .choices = "firmware", /* UINT64_MAX */
        .help = "P-state during the run, on Family 10h and from 17h on: 0 is the fastest state without boost; firmware: no change")
SETTING(CHOICE, boost, "firmware", .choices = "firmware|off|on", /* enum power_boost */
        .help = "core performance boost during the run, on the measured cores; firmware: no change")
SETTING(UINT, cppc, "firmware", .min = 1, .max = 255, .choices = "firmware", /* UINT64_MAX */
        .help = "CPPC performance level during the run: lowest, highest and desired level alike, if firmware left CPPC on;\n"
                "the report has the levels; firmware: no change")
SETTING(CHOICE, erratum_721, "firmware", .choices = "firmware|on",
        .help = "Families 10h and 12h: on sets DE_CFG bit 0 (C001_1029) during the run; it prevents a wrong stack pointer\n"
                "after a long series of pushes and calls, or of pops and returns; firmware: no change")
SETTING(CHOICE, usb_legacy, "firmware", .choices = "firmware|off", /* enum options_usb_legacy */
        .help = "SMIs by which firmware emulates keyboard and disks on USB; off: none during the run, for machines that\n"
                "hang or reset while they are sampled (keys have no effect then); firmware: no change")
SETTING(UINT, records, "131072", .min = 1, .max = 1u << 24,
        .help = "room for this many samples, 80 bytes each; further samples are counted as lost")
SETTING(UINT, call_stack, "0", .max = SAMPLE_STACK_MAX,
        .help = "number of return addresses to save with each sample, found by frame pointers; in perf.data, for ibsprof\n"
                "report --by=caller and perf report -g. A sample takes 144 more bytes, and the handler more time; 0: none")
SETTING(BOOL, branches, "no",
        .help = "save the latest taken branches with each sample (Zen 4 and later; on Zen 3 only config=events events=0C4),\n"
                "in perf.data for perf report --branch-history; each sample takes 256 more bytes, and the handler more time")
SETTING(UINT, noise_ms, "0", .max = 86400000,
        .help = "config=noise: milliseconds in each regime; 0: 10000, or 1 on the virtual PMU")
SETTING(UINT, noise_detours, "65536", .min = 1, .max = 1u << 24,
        .help = "config=noise: room for this many detours in each regime, 24 bytes each; further ones are only counted")
SETTING(UINT, noise_quanta, "0", .max = 10000000,
        .help = "config=noise: number of quanta of equal work; 0: 10000, or 20 on the virtual PMU")
SETTING(UINT, noise_work, "0", .max = 1000000000,
        .help = "config=noise: multiplications in each quantum; 0: 20000, or 500 on the virtual PMU")
SETTING(BOOL, dangerous, "no",
        .help = "config=hardware: at the end also ask questions that may hang or reset the machine")
SETTING(TEXT, show, "",
        .help = "print the output of a command of the prompt, and end: events DC, event 041, configs, config assess")
SETTING(TEXT, batch, "",
        .help = "file with lines as at the prompt (settings and 'run'), for example \\ibsboot\\batch.txt: many runs in one\n"
                "boot; then the program ends")
SETTING(TEXT, plan, "",
        .help = "file that describes several runs: settings in [sections], with lists such as kb=4..64 x2")
SETTING(UINT, plan_times, "1", .min = 1, .max = PLAN_TIMES_MAX,
        .help = "plan: number of rounds; each round has every run once, with another seed")
SETTING(CHOICE, plan_order, "listed", .choices = "listed|abba|random", /* enum plan_order */
        .help = "plan: order of the runs in a round; listed: as in the file; abba: forwards and backwards in turn; random")
SETTING(UINT, plan_enough, "0", .max = UINT32_MAX,
        .help = "plan: end when each run's hottest instruction has this many op samples from all rounds; 0: no limit")
SETTING(UINT, plan_minutes, "0", .max = 1000000,
        .help = "plan: begin no further run when the runs before took this many minutes; 0: no limit")
SETTING(CHOICE, selftest, "yes", .choices = "yes|no|force", /* enum options_selftest */
        .help = "test IBS and counters before the first run, with a loop whose counts are known; if a check fails, runs\n"
                "that depend on it are refused (yes) or allowed (force); config=selftest tests again and shows each check")
SETTING(CHOICE, save, "yes", .choices = "no|yes|tar", /* enum options_save */
        .help = "write the run's files to the volume; tar: into its IBSRUNS.TAR, in place, without the firmware's FAT driver")
SETTING(CHOICE, output, "volume", .choices = "volume|serial", /* enum options_output */
        .help = "serial: send each run's files also over the first serial port, as lines for 'ibsprof receive'; with\n"
                "save=no, or without a volume, only there; volume: do not send them")
SETTING(CHOICE, serial_rate, "115200", .choices = "115200|57600|38400|19200|9600", /* enum uart_rate */
        .help = "baud rate of the first serial port (8N1) for output=serial and trace=com1; the firmware's own console\n"
                "keeps its rate, which should be the same")
SETTING(BOOL, menu, "yes", .help = "wait 5 seconds for a key, which opens a prompt or a screen; no: run at once and end")
SETTING(UINT, hold_s, "60", .max = 86400,
        .help = "seconds for which a refusal or an error stays on the screen at the end, unless a key is pressed; 0: none.\n"
                "Firmware clears the screen when a program ends")
SETTING(CHOICE, end, "return", .choices = "return|reset|off", /* enum firmware_end */
        .help = "what to do at the end: return to the firmware, make a warm reset, or switch the power off")
SETTING(CHOICE, trace, "post", .choices = "post|com1|none", /* enum trace_mode */
        .help = "show where the program is, in case it hangs; post: a code for each step on port 80h; com1: also words on the\n"
                "first serial port (serial_rate), with the registers of an exception; none: neither")
SETTING(BOOL, pager, "yes", .help = "at the prompt: stop the output after each screen")
/* clang-format on */
