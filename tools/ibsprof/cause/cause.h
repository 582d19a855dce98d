/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Says what a run waits for, from its IBS samples: which of the causes below costs the most, with the figures that say
 * so.
 *
 * Each cause is a row: what is counted, and how many cycles one of it takes. These cycles rank causes, and are no time:
 * waits overlap. What is weighed are the samples of the workload. Where a run has an estimate of each instruction's
 * time, the waits of its ops take no more than that: an op that waits behind an older one costs nothing.
 *
 *   sources of data    IbsDcMissLat of loads that missed, by who answered
 *   branches           the refill, and how much later than at once the branch was known
 *   waiting for ops    of all ops the cycles from tag to completion, by as many ops as can wait at a time (J. Little's
 *                      law: what waits in a queue on the average is the rate times the wait), less the other waits
 *   taken branches     the cycles until the next fetch; with an estimate of time, as much of it as the others leave
 *   retirement         the ops, by as many as retire in a cycle: the least that the run can take
 *
 * No cause is found where there are too few samples of it, and none whose bits the processor does not have.
 */
#ifndef TOOLS_IBSPROF_CAUSE_H
#define TOOLS_IBSPROF_CAUSE_H

#include "core/base/out.h"
#include "core/events/meaning.h"
#include "core/ibs/time_share.h"
#include "tools/ibsprof/base/json.h"
#include "tools/ibsprof/profile/profile.h"

enum cause_kind {
    CAUSE_SOURCE,  /* loads answered by 'source': their latency */
    CAUSE_EACH,    /* each event takes cycles of 'cost' */
    CAUSE_BRANCH,  /* each takes a refill, and the time until the branch was known */
    CAUSE_LOCKED,  /* each takes the time from tag to completion */
    CAUSE_FETCH,   /* latency of fetches, by the counted share of them */
    CAUSE_FRONT,   /* estimated time without an op to retire */
    CAUSE_WAITING, /* ops that wait for other ops */
    CAUSE_RETIRING,
    CAUSE_COUNTER, /* visible only in counters */
};

/* Cycles of one event, by processor. */
enum cause_cost {
    CAUSE_COST_NONE,
    CAUSE_COST_REFILL, /* refill of the pipeline after a mispredicted branch */
    CAUSE_COST_TAKEN,  /* until the target of a taken branch is fetched */
    CAUSE_COST_WALK,
    CAUSE_COST_L2_TLB,
    CAUSE_COST_L2, /* until the L2 answers */
    CAUSE_COST_L3,
    CAUSE_COST_FORWARD,
    CAUSE_COST_CANCELLED,
    CAUSE_COST_ONE,
    CAUSE_COST_WIDTH,   /* ops retired per cycle */
    CAUSE_COST_WAITING, /* ops that can wait at the same time */
    CAUSE_COSTS,
};

enum { CAUSE_TERMS = 2 };

/* A derived event, added or subtracted ('less'). */
struct cause_term {
    bool there, less;
    enum derived event;
};

struct cause_row {
    const char *name;  /* identifier for programs: "dram" */
    const char *group; /* "source of data", "TLB", ... */
    const char *says;  /* the cause as a sentence without its end */
    const char *of;    /* the population of 'count': "sampled loads" */
    const char *try_this;
    const char *view; /* table of samples that shows it; NULL: none */
    uint8_t kind, source, cost;
    uint8_t meaning;     /* counter event that counts the cause (enum event_meaning) */
    bool waits, counted; /* its cycles are part of ops' time to completion; an event counts it */
    struct cause_term count[CAUSE_TERMS], whole[CAUSE_TERMS];
};

extern const struct cause_row cause_rows[];
extern const unsigned cause_row_count;

/* Returns cycles for the profile's processor, by enum cause_cost. */
const double *cause_costs(const struct run_profile *profile);

enum cause_trust { CAUSE_LOW, CAUSE_FAIR, CAUSE_HIGH };

struct cause {
    const struct cause_row *row;
    uint64_t count, whole; /* samples */
    double cycles;         /* sum, for ranking; not time */
    double each;           /* cycles of one; 0: not known */
    enum cause_trust trust;
    bool few;                          /* trust is low because there are few samples */
    const struct profile_place *where; /* place with the most; NULL: none, or not more than elsewhere */
    uint64_t there;                    /* samples of 'count' at that place */
};

enum { CAUSES_MAX = 32 };
struct causes {
    struct cause found[CAUSES_MAX]; /* sorted by cycles, the largest first */
    unsigned count;
    uint64_t ops;  /* number of weighed samples */
    double cycles; /* estimated time, in the same unit; 0: not known */
};

/* Text about a cause, from any source. */
enum { CAUSE_TEXT = 512 };
struct cause_words {
    const char *name, *group, *try_this;
    const char *event; /* name in the file that shows the cause; NULL: not an event */
    char says[CAUSE_TEXT], where[CAUSE_TEXT], sure[CAUSE_TEXT]; /* where: "" if not known */
    enum cause_trust trust;
};

/* Estimate of a run's time; zeroed: none. */
struct cause_time {
    uint32_t front_ppm;        /* share of time in which the front end delivers nothing: low end of its interval */
    double cycles;             /* of all sampled passes, as they would be without sampling */
    const struct codemap *map; /* NULL: the time of single instructions is not known */
    const struct time_share_row *rows; /* rows of the map's instructions */
};

/* Finds the causes of a run; none is possible. */
void causes_find(struct causes *ret, const struct run_profile *profile, const struct cause_time *time);

/* Prints name, figures, place, remedy and certainty of the first cause, in lines of at most 79 columns; nothing without
 * a cause. */
void causes_print(struct out *out, const struct run_profile *profile, const struct causes *causes);

/* Writes a place: "fld dword ptr [rcx] (2d4a) in multiply_matrices, matmul_classic.c:64". */
void cause_place(char text[CAUSE_TEXT], const struct run_profile *profile, const struct profile_place *place);

/* Returns "low", "fair" or "high". */
const char *cause_trust_name(enum cause_trust trust);

/* Writes all causes as "causes". */
void causes_json(struct json *json, const struct run_profile *profile, const struct causes *causes);

/* Write one cause in the same forms. */
void cause_words_print(struct out *out, const struct cause_words *words);
void cause_words_json(struct json *json, const struct cause_words *words);

#endif
