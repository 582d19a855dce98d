/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Sums of a run: derived events and latencies by instruction, and data for plots. Memory depends on the number of
 * sampled instructions, not of samples.
 *
 * A sample is reduced to (place, the bits that derived events look at); equal ones are counted together, with the sums
 * of their latencies. After reading, each distinct one goes through core/ibs/derived.h's tables once.
 */
#ifndef TOOLS_IBSPROF_PROFILE_H
#define TOOLS_IBSPROF_PROFILE_H

#include "core/ibs/derived.h"
#include "tools/ibsprof/profile/cores.h"
#include "tools/ibsprof/read/input.h"
#include "tools/ibsprof/symbols/object.h"

/*
 * Latencies are 16 bits of cycles. Each value up to 1023 has its own bin, which covers Family 10h; from there on an
 * octave has 64 bins. Wider bins gave wrong quantiles: a memory that always took 162 cycles seemed to take 180, and
 * two sides to differ by how full the bin was.
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
uint32_t latency_bin_low(uint32_t bin); /* returns the lowest value of the bin */

/* Returns quantile q (0 to 1) of counts[LATENCY_BINS], interpolated within its bin; 0: no counts. */
uint32_t latency_quantile(const uint64_t *counts, double q);

/* Sources of a load's data, decoded by the family's rules. */
enum data_source {
    SOURCE_L1, /* no miss, so no latency */
    SOURCE_L2, /* missed, and the northbridge was not asked */
    SOURCE_L3,
    SOURCE_CACHE,        /* another core's cache in this node */
    SOURCE_REMOTE_CACHE, /* a cache of another node */
    SOURCE_DRAM,
    SOURCE_REMOTE_DRAM,
    SOURCE_OTHER, /* MMIO, configuration, APIC */
    /* Only on later families: */
    SOURCE_NEAR,                     /* L3 or another core of this node: Zen to Zen 3 do not distinguish them */
    SOURCE_UNKNOWN,                  /* the register says nothing, or a value not documented for this family */
    SOURCES_FIRST,                   /* the following exist from Zen on */
    SOURCE_UNCACHED = SOURCES_FIRST, /* an uncacheable access without more detail */
    SOURCE_LONG_LATENCY,             /* persistent memory */
    SOURCE_EXTENSION,                /* CXL */
    SOURCE_PEER,                     /* memory of another kind of processor */
    SOURCES,
};
const char *data_source_name(enum data_source source);
/* Returns codes of the derived events whose sum is the number of sampled loads with this source; "-" means less. Ends
 * with NULL; a source of later families has none. */
enum { DATA_SOURCE_OPERANDS = 2 };
const char *const *data_source_loads(enum data_source source);

/* Decoding rules of a processor, made once for all loads. */
struct data_sources {
    bool first;   /* as on Family 10h */
    bool l2_told; /* IbsOpData3[20] is the L2 miss */
    uint64_t
        uncached; /* bits of IbsOpData3: if one is set, the access is uncacheable, and hit and miss have no meaning */
    uint64_t no_status;               /* if one of these bits is set, IbsOpData2 and the L2 miss have no meaning */
    bool wide;                        /* the source has five bits */
    uint8_t of[2][IBS_SOURCE_VALUES]; /* enum data_source, by IbsOpData2[4] and the raw source */
    unsigned count;                   /* number of sources that the processor may report */
};
struct data_sources data_sources_of(const struct ibs_machine *machine);
enum data_source data_source_by(const struct data_sources *sources, uint64_t data2, uint64_t data3);

/* Returns whether a load missed the DC, so that its latency is valid. */
static inline bool data_missed(const struct data_sources *sources, uint64_t data3)
{
    return (data3 & 0x81) == 0x81 && !(data3 & sources->uncached); /* IbsLdOp, IbsDcMiss */
}

/* Return addresses of samples, with upper bits corrected for an erratum; 0 if IbsRipInvalid says that the address is
 * not the op's. */
uint64_t sample_linear_address(const struct ibs_machine *machine, uint64_t address);
uint64_t sample_op_address(const struct ibs_machine *machine, uint64_t rip, uint64_t data);

/* Returns whether the fetch was not killed, and its latency is valid. */
bool fetch_has_latency(const struct ibs_machine *machine, uint64_t ctl);

enum { PROFILE_NO_OBJECT = UINT32_MAX };

struct profile_place {
    uint32_t object;                /* index into run_profile.objects; PROFILE_NO_OBJECT: nothing is mapped */
    uint64_t rva;                   /* in the object: of the instruction (objects without a path: place in the file;
                                       parts of the kernel: the address); without object the address itself */
    int32_t insn;                   /* index into the object's codemap, -1: not disassembled */
    int32_t func;                   /* index into the object's codemap.funcs, -1: none */
    uint8_t mode;                   /* enum input_mode */
    bool workload;                  /* in the measured program, not in kernel, firmware, handler or another process */
    uint64_t counts[DERIVED_COUNT]; /* samples and cycles, not weighted */
    uint64_t weighted[2];           /* by enum sample_kind: sums of the periods of fetch and op samples */
    uint64_t *events;               /* samples, indexed as facts.events */
    uint64_t *event_weights;        /* sums of periods */
    uint32_t *latency;              /* [LATENCY_BINS] by DcMissLat of missed loads; NULL: none */
};

/* One of at most POINTS_MAX accesses, drawn evenly from all (reservoir, fixed seed). */
struct profile_point {
    uint64_t time, addr;
    uint32_t place; /* index into 'places' */
    uint16_t latency;
    uint8_t source; /* enum data_source */
    bool store, tlb_miss;
};
enum { POINTS_MAX = 20000 };

/* All samples of one core, at any place. */
struct profile_core {
    uint32_t cpu, node;
    uint32_t ccx; /* core complex plus one; 0: not known */
    uint64_t counts[DERIVED_COUNT];
    uint64_t samples[2], outside[2]; /* by enum sample_kind: IBS samples, and those outside of the workload */
    uint64_t others;                 /* samples other than IBS */
    uint64_t latency[LATENCY_BINS];  /* loads that missed */
};

struct run_profile {
    const struct input_facts *facts;
    struct derived_set set;      /* the processor, and the events for which it has a source */
    struct objects own, *opened; /* opened: the options' objects, or 'own' */
    struct object **objects;
    const struct codemap **maps; /* by object */
    uint32_t object_count;
    struct profile_place *places; /* ascending by object, rva, mode, workload, each combination a place */
    uint32_t place_count;
    uint64_t totals[DERIVED_COUNT]; /* sums over all samples, like everything below */
    uint64_t samples[2];            /* by enum sample_kind */
    uint64_t *event_samples;        /* indexed as facts.events */
    uint64_t *event_weights;        /* after event_samples in memory */
    bool *event_varies;   /* an event's samples stand for varying numbers (recorded with a frequency); NULL: none do */
    uint64_t outside[2];  /* IBS samples outside of the workload */
    bool outside_unknown; /* ibsboot runs: neither ELF file nor listing identifies the workload */
    uint64_t latency[SOURCES][LATENCY_BINS]; /* loads that missed, by source */
    unsigned source_count;                   /* number of sources that the processor may report */
    uint64_t tag_to_ret[LATENCY_BINS];       /* ops */
    uint64_t fetch_latency[LATENCY_BINS];    /* fetches not killed */
    struct profile_point *points;
    uint32_t point_count;
    uint64_t points_seen;
    struct profile_core *cores; /* cores with samples, ascending */
    uint32_t core_count;
    const struct core_choice *only; /* from the options */
    const char *comm;               /* from the options */
    uint64_t first_time, last_time;
    uint64_t lost, throttled;
    uint64_t records_other; /* records of no interest */
    char *error;            /* where the file breaks off; NULL: it does not */
};

struct profile_options {
    struct object_search search; /* .beside NULL: the input's path */
    const char *comm; /* process that is the workload; NULL: the image in ibsboot runs, all of user mode in others */
    const struct core_choice *only; /* cores to read; NULL: all */
    /* Returns whether to read samples of this time; NULL: all. Must be a pure function: several threads call it.
     * 'compare' halves a run with it. */
    bool (*keep)(void *context, uint64_t time);
    void *keep_context;
    /* Receives all samples, in blocks, in order and in one thread, for lists that need each of them; NULL: unused. */
    void (*see)(void *context, const struct run_profile *profile, const struct perfdata_plain *samples, uint32_t count);
    void *see_context;
    unsigned threads; /* 0: one for each processor; 1: the caller's. The number does not change the profile. */
};

/* Returns whether counter events are shown as sums of periods: all are if the samples of one stand for varying numbers,
 * since a table has one unit. */
bool profile_weighted(const struct run_profile *profile, uint32_t event);

static inline bool profile_varies(const struct run_profile *profile, uint32_t event)
{
    return profile->event_varies != NULL && profile->event_varies[event];
}

/* Returns the name of a place's function; NULL: not known. profile_object() returns its object's, or "[unknown]". */
const char *profile_function(const struct run_profile *profile, const struct profile_place *place);

/* Returns the start of a function of an object's code map, in the form of profile_place.rva. */
uint64_t profile_function_start(const struct run_profile *profile, uint32_t object, int32_t func);
/* Returns whether the processor has a source for the event. */
static inline bool profile_has(const struct run_profile *profile, int event)
{
    return profile->set.has[event];
}

const char *profile_object(const struct run_profile *profile, const struct profile_place *place);

/* Reads all of the input. Returns NULL with a line in 'error'. If the file breaks off, returns the profile before that,
 * and the line as a warning. */
struct run_profile *run_profile_read(struct input *input, const struct profile_options *options, char *error,
                                     size_t error_size);
void run_profile_free(struct run_profile *profile);

#endif
