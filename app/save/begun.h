/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Keeps what a reset leaves of a run: its folder with begun.ini, written before anything is measured, and removed when
 * run.ini is there. It has the settings, the machine, and a line for each phase; the last one is how far the run came.
 */
#ifndef APP_BEGUN_H
#define APP_BEGUN_H

#include "app/run/run.h"

/* The program's folder, and the one of runs in it. */
#define BEGUN_FOLDER "\\ibsboot"
#define BEGUN_RUNS   BEGUN_FOLDER "\\runs"

/* Returns about how many samples the run will record. */
uint64_t begun_expected_samples(const struct run *run);

/* Returns about how many bytes of files the run will leave. */
uint64_t begun_expected_bytes(const struct run *run);

/* Writes the path of the folder of a run with this number. */
void begun_folder_path(const struct run *run, unsigned number, char (*ret_folder)[RUN_FOLDER_MAX]);

/* Tells the firmware where runs are to be saved. */
void begun_place(struct firmware *fw, const struct options *options);

/* Makes the run's folder, if it has none yet: run->begun.folder. */
enum firmware_error begun_folder(struct run *run);

/* Writes begun.ini into the folder. An error is a line in 'problems' and does not stop the run. A folder that cannot be
 * made is told as well, before a long run, and tried again when the run is saved. */
void begun_write(struct run *run, const struct options *options, struct out *problems);

/* Appends a new phase, such as "saving perf.data". */
void begun_phase(struct run *run, const char *phase);

/* Removes begun.ini: the run has its run.ini, and all files have been tried. */
void begun_remove(struct run *run);

/* Prints a line about the last run on the volume, if that run was not finished. */
void begun_report_last(struct firmware *fw, struct out *out);

/* Writes begun.ini for a run that is refused: the text that says why, the settings, the machine. A line says where the
 * file is, or why it could not be written. */
void begun_refused(struct run *run, const struct options *options, const char *text, struct out *out);

#endif
