/* Pieces of JSON (RFC 8259). Numbers above 2^53, which readers may round, are for whoever calls to write as text. */
#ifndef TOOLS_IBSPROF_JSON_H
#define TOOLS_IBSPROF_JSON_H

#include <stdio.h>

/* Text in quotes, escaped. Bytes that are no UTF-8 become U+FFFD, so that the output is always valid. */
void json_text(FILE *file, const char *text);

#endif
