/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Own code (core/code): files in \ibsboot\code\, each a workload beside the built-in ones (app/settings/params.h).
 *
 * NAME.elf is the code, NAME.map its listing. Names and contents of files are data: what cannot be used has its reason
 * in the list, and the others stay usable.
 */
#ifndef APP_CODE_H
#define APP_CODE_H

#include "app/settings/code_row.h"
#include "app/base/firmware.h"
#include "drivers/cpu/paging.h"

/* Finds the files, before settings are read: these may name them and their parameters. Lines of 'problems' are about
 * the folder. */
void code_find_files(struct firmware *fw, struct out *problems);

/* Gives their memory back; no run may use it then. */
void code_forget(struct firmware *fw);

struct run;

/* Prepares a run of own code: takes memory, loads it for the address that it will have, and sets the workload's
 * functions and the run's map. A run of a built-in workload: nothing. False after a line in 'problems'. */
bool code_prepare(struct run *run, struct out *problems);

/* The pages of a run's own code, with the data of its n-th core that works; none of a built-in workload. */
struct paging_own code_pages(const struct run *run, unsigned worker);

/* Fills the data of a core as the file has it: before each pass, with its page tables in force or not. */
void code_fill_data(const struct paging_own *own);

/* Prints "run+0x1c" for an address in the code; false: it is none there. */
bool code_write_address(struct out *out, const struct run *run, uint64_t address);

/* Writes ", and was at run+0x1c, jmp 1000" for own code that the time limit ended, where that is known; else "". */
void code_write_limit(char *text, size_t size, const struct run *run);

/* Prints what own code did when an exception ended it: "dot.elf: #PF page fault at run+0x7, mov ...: it wrote to ...";
 * nothing for a built-in workload. */
void code_explain_fault(struct out *out, const struct run *run);

/* Prints which state of the processor own code changed, of a run that ended with SESSION_STATE. */
void code_explain_state(struct out *out, const struct run *run);

#endif
