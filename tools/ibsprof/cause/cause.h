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
    CAUSE_SOURCE,  /* loads that 'source' answered: their latency */
    CAUSE_EACH,    /* each takes cycles of 'cost' */
    CAUSE_BRANCH,  /* each a refill, and the time until it was known */
    CAUSE_LOCKED,  /* each from its tag to its completion */
    CAUSE_FETCH,   /* the latency of fetches, by the part of them that is counted */
    CAUSE_FRONT,   /* estimated time without an op to retire */
    CAUSE_WAITING, /* ops that wait for others */
    CAUSE_RETIRING,
    CAUSE_COUNTER, /* counters alone tell it */
};

/* Cycles that one event takes, by processor. */
enum cause_cost {
    CAUSE_COST_NONE,
    CAUSE_COST_REFILL, /* of the pipeline after a mispredicted branch */
    CAUSE_COST_TAKEN,  /* until the target of a taken branch is fetched */
    CAUSE_COST_WALK,
    CAUSE_COST_L2_TLB,
    CAUSE_COST_L2, /* until it answers */
    CAUSE_COST_L3,
    CAUSE_COST_FORWARD,
    CAUSE_COST_CANCELLED,
    CAUSE_COST_ONE,
    CAUSE_COST_WIDTH,   /* ops that retire in a cycle */
    CAUSE_COST_WAITING, /* ops that can wait at a time */
    CAUSE_COSTS,
};

enum { CAUSE_TERMS = 2 };

/* A derived event of a sum, or of its subtraction. */
struct cause_term {
    bool there, less;
    enum derived event;
};

struct cause_row {
    const char *name;  /* for programs: "dram" */
    const char *group; /* "source of data", "TLB", ... */
    const char *says;  /* the cause, a sentence without its end */
    const char *of;    /* what is counted is a part of them: "sampled loads" */
    const char *try_this;
    const char *view; /* the table that shows it; NULL: none of samples does */
    uint8_t kind, source, cost;
    uint8_t meaning;     /* of the event that counts it (enum event_meaning) */
    bool waits, counted; /* its cycles are in the time to completion of ops, too; an event counts it */
    struct cause_term count[CAUSE_TERMS], whole[CAUSE_TERMS];
};

extern const struct cause_row cause_rows[];
extern const unsigned cause_row_count;

/* Returns cycles of the profile's processor, by enum cause_cost. */
const double *cause_costs(const struct run_profile *profile);

enum cause_trust { CAUSE_LOW, CAUSE_FAIR, CAUSE_HIGH };

struct cause {
    const struct cause_row *row;
    uint64_t count, whole; /* samples */
    double cycles;         /* that all of them take; not time */
    double each;           /* cycles; 0: not known of one */
    enum cause_trust trust;
    const struct profile_place *where; /* with the most of it; NULL: nowhere, or not more than elsewhere */
    uint64_t there;                    /* samples of 'count' there */
};

enum { CAUSES_MAX = 32 };
struct causes {
    struct cause found[CAUSES_MAX]; /* the largest first */
    unsigned count;
    uint64_t ops;  /* samples that were weighed */
    double cycles; /* of the estimated time, in the unit of the causes'; 0: not known */
};

/* Words of a cause, however it was found. */
enum { CAUSE_TEXT = 512 };
struct cause_words {
    const char *name, *group, *try_this;
    const char *event;                                          /* of the file that says so; NULL: it is not one */
    char says[CAUSE_TEXT], where[CAUSE_TEXT], sure[CAUSE_TEXT]; /* where: "" when it is not known */
    enum cause_trust trust;
};

/* The estimate of a run's time; zeroed: it has none. */
struct cause_time {
    uint32_t front_ppm;                /* the part in which the front end has nothing, by the low end of its interval */
    double cycles;                     /* of all passes that were sampled, as they are without sampling */
    const struct codemap *map;         /* NULL: the time of single instructions is not known */
    const struct time_share_row *rows; /* of the map's instructions */
};

/* Finds the causes of a run, or none. */
void causes_find(struct causes *ret, const struct run_profile *profile, const struct cause_time *time);

/* Says of the first cause its name, figures, place, what to try, how sure that is; lines of at most 79 columns. Nothing
 * when there is none. */
void causes_print(struct out *out, const struct run_profile *profile, const struct causes *causes);

/* Writes a place: "fld dword ptr [rcx] (2d4a) in multiply_matrices, matmul_classic.c:64". */
void cause_place(char text[CAUSE_TEXT], const struct run_profile *profile, const struct profile_place *place);

/* "low", "fair", "high". */
const char *cause_trust_name(enum cause_trust trust);

/* Writes "causes": all of them. */
void causes_json(struct json *json, const struct run_profile *profile, const struct causes *causes);

/* Write words as these do: "causes" with this one alone. */
void cause_words_print(struct out *out, const struct cause_words *words);
void cause_words_json(struct json *json, const struct cause_words *words);

#endif
