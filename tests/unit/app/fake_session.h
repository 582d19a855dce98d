/* drivers/session.h played from a script: the application's tests decide what the machine is and what a run gives. */
#ifndef TESTS_UNIT_APP_FAKE_SESSION_H
#define TESTS_UNIT_APP_FAKE_SESSION_H

#include "drivers/session.h"

struct fake_session {
    struct machine machine; /* what session_probe() finds */
    enum session_error probe_error, check_error;
    struct session_result result; /* what session_run() reports, besides what it counts itself */
    bool run_body;                /* call prepare, body and finish over the arena */
    uint64_t op_samples;          /* records to make, spread over the map's instructions; more than fit are lost */
    uint64_t fetch_samples;
    struct session_plan plan; /* of the last run */
    unsigned runs;
};

extern struct fake_session fake_session;

/* A revision C machine with a run of 5000 op and 1000 fetch samples. */
void fake_session_init(uint64_t image_base);

#endif
