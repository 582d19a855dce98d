/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Keeps what a reset leaves of a run: its folder with begun.ini, written before anything is measured, and removed when
 * run.ini is complete. It has the settings, the machine, and a line for each phase; the last one shows how far the run
 * came.
 */
#ifndef APP_BEGUN_H
#define APP_BEGUN_H

#include "app/run/run.h"

/* Folder of the program, and its folder of runs. */
#define BEGUN_FOLDER "\\ibsboot"
#define BEGUN_RUNS   BEGUN_FOLDER "\\runs"

/* Returns about how many samples the run will record. */
uint64_t begun_expected_samples(const struct run *run);

/* Returns about how many bytes of files the run will leave. */
uint64_t begun_expected_bytes(const struct run *run);

/* Writes the path of the run's folder with this number. */
void begun_folder_path(const struct run *run, unsigned number, char (*ret_folder)[RUN_FOLDER_MAX]);

/* Tells the firmware where to save runs. */
void begun_place(struct firmware *fw, const struct options *options);

/* Makes the run's folder, run->begun.folder, if it has none yet. */
enum firmware_error begun_folder(struct run *run);

/* Writes begun.ini into the folder. An error is a line in 'problems' and does not stop the run. This also reports,
 * before a long run, that a folder cannot be made; saving tries again. */
void begun_write(struct run *run, const struct options *options, struct out *problems);

/* Appends a new phase, such as "saving perf.data". */
void begun_phase(struct run *run, const char *phase);

/* Removes begun.ini once run.ini exists and all files have been tried. */
void begun_remove(struct run *run);

/* Prints a line about the last run on the volume if it was not finished. */
void begun_report_last(struct firmware *fw, struct out *out);

/* Writes begun.ini for a refused run: the reason, 'text', the settings, the machine. A line says where the file is, or
 * why it could not be written. */
void begun_refused(struct run *run, const struct options *options, const char *text, struct out *out);

#endif
