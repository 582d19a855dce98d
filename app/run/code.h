/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Own code (core/code): files in \ibsboot\code\, each a workload beside the built-in ones (app/settings/params.h).
 *
 * NAME.elf is the code, NAME.map its listing. File names and contents are data: an unusable file is listed with the
 * reason, and does not affect the others.
 */
#ifndef APP_CODE_H
#define APP_CODE_H

#include "app/settings/code_row.h"
#include "app/base/firmware.h"
#include "drivers/cpu/paging.h"

/* Finds the files before settings are read, which may name them and their parameters. Writes problems with the folder
 * to 'problems'. */
void code_find_files(struct firmware *fw, struct out *problems);

/* Frees the memory of the files; no run may use them any more. */
void code_forget(struct firmware *fw);

struct run;

/* Prepares a run of own code: takes memory, relocates the code to its address, and sets the workload's functions and
 * the run's map. Does nothing for a built-in workload. Returns false after a line in 'problems'. */
bool code_prepare(struct run *run, struct out *problems);

/* Returns the pages of own code, with the data of the n-th working core; no pages for a built-in workload. */
struct paging_own code_pages(const struct run *run, unsigned worker);

/* Fills a core's data with the file's contents before each pass, whether or not its page tables are in force. */
void code_fill_data(const struct paging_own *own);

/* Prints an address in the code as "run+0x1c". Returns false if it is not in the code. */
bool code_write_address(struct out *out, const struct run *run, uint64_t address);

/* Writes ", and was at run+0x1c, jmp 1000" if the time limit ended own code at a known place; otherwise "". */
void code_write_limit(char *text, size_t size, const struct run *run);

/* Prints what own code did when an exception ended it: "dot.elf: #PF page fault at run+0x7, mov ...: it wrote to ...";
 * nothing for a built-in workload. */
void code_explain_fault(struct out *out, const struct run *run);

/* Prints which processor state own code changed in a run that ended with SESSION_STATE. */
void code_explain_state(struct out *out, const struct run *run);

#endif
