/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A profile for compilers (clang -fprofile-sample-use, after AutoFDO): the text form of LLVM's sample profiles (comment
 * of llvm/ProfileData/SampleProfReader.h; profile_writer.h of google/autofdo). Of each function
 *
 *     name:total:head
 *      offset[.discriminator]: count
 *
 * Offsets are lines counted from the function's declaration. A line's count is the most that one of its instructions
 * has: op samples by instruction are in proportion to how often it ran, so that both ways out of a branch have their
 * counts, whichever the compiler chose to jump to.
 */
#ifndef TOOLS_IBSPROF_AUTOFDO_H
#define TOOLS_IBSPROF_AUTOFDO_H

#include <stdio.h>

#include "tools/ibsprof/profile/profile.h"

/* Writes op samples of the workload in functions whose first line is known from debug information. Leaves out
 * instructions that were inlined from another function, and counts them in a comment. Returns false, after a complaint,
 * if there are no such functions. */
bool export_autofdo(FILE *file, const struct run_profile *profile);

#endif
