/*
 * Counter samples and IBS samples of the same loop side by side: AMD's paper on IBS, section 3 against 4.2.
 *
 * A counter's sample says where retirement stood when the interrupt was taken, an IBS sample which op it was. The two
 * are printed beside each other and never added to or divided by one another: what they count is not the same.
 */
#ifndef APP_REPORT_SKID_H
#define APP_REPORT_SKID_H

#include "app/run.h"

void report_skid(struct out *out, const struct run *run);

#endif
