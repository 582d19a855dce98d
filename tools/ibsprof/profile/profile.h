/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A run, summed up: per instruction all derived events and latencies, and what the pictures need. Its memory depends on
 * how many different instructions were sampled, not on how many samples there are.
 *
 * How: a sample is reduced to (place, the bits that derived events look at); equal ones are counted together, with the
 * sums of their latencies, and only the distinct ones go through core/ibs/derived.h's tables, once each, after the file
 * was read.
 */
#ifndef TOOLS_IBSPROF_PROFILE_H
#define TOOLS_IBSPROF_PROFILE_H

#include "core/ibs/derived.h"
#include "tools/ibsprof/profile/cores.h"
#include "tools/ibsprof/read/input.h"
#include "tools/ibsprof/symbols/object.h"

/*
 * Latencies in cycles, 16 bits, are counted one by one up to 1023 cycles, which covers those of Family 10h;
 * from there on in 64 bins an octave. Wider bins would show quantiles that were not measured: a memory that always
 * takes 162 cycles seemed to take 180, and two sides to differ by how full the bin was.
 */
enum { LATENCY_SINGLES = 1024, LATENCY_PER_OCTAVE = 64, LATENCY_BINS = LATENCY_SINGLES + 6 * LATENCY_PER_OCTAVE };

static inline uint32_t latency_bin(uint32_t cycles)
{
    uint32_t octave;

    if (cycles < LATENCY_SINGLES)
        return cycles;
    if (cycles > 0xFFFF)
        cycles = 0xFFFF;
    octave = 31 - (uint32_t)__builtin_clz(cycles);
    return LATENCY_SINGLES + LATENCY_PER_OCTAVE * (octave - 10) + (cycles >> (octave - 6) & 63);
}
uint32_t latency_bin_low(uint32_t bin); /* lowest value of the bin */

/* Quantile q (0 to 1) of counts[LATENCY_BINS], within its bin by proportion; 0 when there are none. */
uint32_t latency_quantile(const uint64_t *counts, double q);

/* Where a load's data came from, decoded by the family's own rules. */
enum data_source {
    SOURCE_L1, /* no miss: no latency */
    SOURCE_L2, /* missed, and the northbridge was not asked */
    SOURCE_L3,
    SOURCE_CACHE,        /* of another core of this node */
    SOURCE_REMOTE_CACHE, /* of another node */
    SOURCE_DRAM,
    SOURCE_REMOTE_DRAM,
    SOURCE_OTHER, /* MMIO, configuration, APIC */
    /* Only of later families: */
    SOURCE_NEAR,                     /* L3 or another core of this node: Zen to Zen 3 do not tell which */
    SOURCE_UNKNOWN,                  /* the register says nothing, or what it says is not documented for this family */
    SOURCES_FIRST,                   /* those after it: from Zen on */
    SOURCE_UNCACHED = SOURCES_FIRST, /* an uncacheable access: the register does not say more */
    SOURCE_LONG_LATENCY,             /* persistent memory */
    SOURCE_EXTENSION,                /* CXL */
    SOURCE_PEER,                     /* memory of another kind of processor */
    SOURCES,
};
const char *data_source_name(enum data_source source);
/* Codes of the derived events whose sum is the sampled loads that the source answered; "-" before one: less these. NULL
 * beyond the last; a source of later families has none. */
enum { DATA_SOURCE_OPERANDS = 2 };
const char *const *data_source_loads(enum data_source source);

/* How a processor's registers say it: made once, asked for each load. */
struct data_sources {
    bool first;   /* as on Family 10h */
    bool l2_told; /* IbsOpData3[20] is the L2 miss */
    uint64_t
        uncached; /* bits of IbsOpData3: when one is set, an access is uncacheable, and hit and miss mean nothing */
    uint64_t no_status;               /* when one is set, IbsOpData2 and the L2 miss mean nothing */
    bool wide;                        /* five bits of source */
    uint8_t of[2][IBS_SOURCE_VALUES]; /* enum data_source, by IbsOpData2[4] and the raw source */
    unsigned count;                   /* of sources that the processor may name */
};
struct data_sources data_sources_of(const struct ibs_machine *machine);
enum data_source data_source_by(const struct data_sources *sources, uint64_t data2, uint64_t data3);

/* A load that missed the DC: its latency is there. */
static inline bool data_missed(const struct data_sources *sources, uint64_t data3)
{
    return (data3 & 0x81) == 0x81 && !(data3 & sources->uncached); /* IbsLdOp, IbsDcMiss */
}

/* Addresses of samples: upper bits put right where an erratum wants that; 0 where IbsRipInvalid says that it is not the
 * op's. */
uint64_t sample_linear_address(const struct ibs_machine *machine, uint64_t address);
uint64_t sample_op_address(const struct ibs_machine *machine, uint64_t rip, uint64_t data);

/* Was the fetch not killed, and is its latency valid? */
bool fetch_has_latency(const struct ibs_machine *machine, uint64_t ctl);

enum { PROFILE_NO_OBJECT = UINT32_MAX };

struct profile_place {
    uint32_t object;                /* index into run_profile.objects; PROFILE_NO_OBJECT: nothing is mapped there */
    uint64_t rva;                   /* in the object: of the instruction (objects without a path: place in the file;
                                       parts of the kernel: the address); without object the address itself */
    int32_t insn;                   /* index into the object's codemap, -1: not disassembled */
    int32_t func;                   /* index into the object's codemap.funcs, -1: none */
    uint8_t mode;                   /* enum input_mode */
    bool workload;                  /* of the measured program, not of kernel, firmware, handler or another process */
    uint64_t counts[DERIVED_COUNT]; /* samples and cycles, not weighted */
    uint64_t weighted[2];           /* by enum sample_kind: sums of PERIOD of fetch and op samples */
    uint64_t *events;               /* by facts.events: samples */
    uint64_t *event_weights;        /* sums of PERIOD */
    uint32_t *latency;              /* [LATENCY_BINS] of DcMissLat of loads that missed; NULL: none */
};

/* One of at most POINTS_MAX accesses, chosen evenly from all (reservoir, fixed seed). */
struct profile_point {
    uint64_t time, addr;
    uint32_t place; /* index into places */
    uint16_t latency;
    uint8_t source; /* enum data_source */
    bool store, tlb_miss;
};
enum { POINTS_MAX = 20000 };

/* All samples that one core took, wherever they were taken. */
struct profile_core {
    uint32_t cpu, node;
    uint32_t ccx; /* its core complex plus one, 0: not known */
    uint64_t counts[DERIVED_COUNT];
    uint64_t samples[2], outside[2]; /* by enum sample_kind: IBS; not the workload's */
    uint64_t others;                 /* samples that are no IBS */
    uint64_t latency[LATENCY_BINS];  /* loads that missed */
};

struct run_profile {
    const struct input_facts *facts;
    struct derived_set set;      /* the processor, and the events that its registers have a source for */
    struct objects own, *opened; /* that of the options, else its own */
    struct object **objects;
    const struct codemap **maps; /* per object */
    uint32_t object_count;
    struct profile_place
        *places; /* ascending by object, rva; then by mode and workload: those are places of their own */
    uint32_t place_count;
    uint64_t totals[DERIVED_COUNT]; /* of all samples, as all below */
    uint64_t samples[2];            /* by enum sample_kind */
    uint64_t *event_samples;        /* by facts.events */
    uint64_t *event_weights;        /* after event_samples in memory */
    bool *event_varies;   /* samples of the event stand for different numbers (recorded with a frequency); NULL: none */
    uint64_t outside[2];  /* IBS samples that are not the workload's */
    bool outside_unknown; /* of our runs: neither ELF file nor listing says what is the workload's */
    uint64_t latency[SOURCES][LATENCY_BINS]; /* loads that missed, by source */
    unsigned source_count;                   /* sources that the processor may name */
    uint64_t tag_to_ret[LATENCY_BINS];       /* ops */
    uint64_t fetch_latency[LATENCY_BINS];    /* fetches that were not killed */
    struct profile_point *points;
    uint32_t point_count;
    uint64_t points_seen;
    struct profile_core *cores; /* that have samples, ascending */
    uint32_t core_count;
    const struct core_choice *only; /* as in the options */
    const char *comm;               /* the same */
    uint64_t first_time, last_time;
    uint64_t lost, throttled;
    uint64_t records_other; /* that say nothing to us */
    char *error;            /* the line of where the file breaks off; NULL: it does not */
};

struct profile_options {
    struct object_search search; /* .beside NULL: the input's path */
    const char *comm; /* only this process is the workload; NULL: of our runs the image, else all of user mode */
    bool progress;    /* on stderr */
    const struct core_choice *only; /* samples of these cores; NULL: of all */
    /* NULL: all samples; else those of times that it says true to: a pure function, called in several threads.
     * 'compare' halves a run with it. */
    bool (*keep)(void *context, uint64_t time);
    void *keep_context;
    /* Sees all samples, many at a time, in their order and in one thread: lists that need each of them are made with it
     * while the file is read. NULL: nothing does. */
    void (*see)(void *context, const struct run_profile *profile, const struct perfdata_plain *samples, uint32_t count);
    void *see_context;
    unsigned threads; /* 0: as many as there are processors. The profile is the same with any number. */
};

/* Counter events are shown as sums of periods, not as samples, when the samples of one of them stand for different
 * numbers: all of them, since a table has one unit. */
bool profile_weighted(const struct run_profile *profile, uint32_t event);

static inline bool profile_varies(const struct run_profile *profile, uint32_t event)
{
    return profile->event_varies != NULL && profile->event_varies[event];
}

/* Name of the function of a place, NULL when it is not known; and of its object: "[unknown]" without one. */
const char *profile_function(const struct run_profile *profile, const struct profile_place *place);

/* Where a function of an object's code map begins, as profile_place.rva has it. */
uint64_t profile_function_start(const struct run_profile *profile, uint32_t object, int32_t func);
/* Has the processor a source for the event? */
static inline bool profile_has(const struct run_profile *profile, int event)
{
    return profile->set.has[event];
}

const char *profile_object(const struct run_profile *profile, const struct profile_place *place);

/* Reads all of the input. NULL with a line in error. A file that breaks off gives what came before it, and the line in
 * error as well (a warning for the user). */
struct run_profile *run_profile_read(struct input *input, const struct profile_options *options, char *error,
                                     size_t error_size);
void run_profile_free(struct run_profile *profile);

#endif
