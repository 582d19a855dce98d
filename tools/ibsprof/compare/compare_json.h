/* The JSON of a comparison as one value, for the file and for the HTML page. */
#ifndef TOOLS_IBSPROF_COMPARE_JSON_H
#define TOOLS_IBSPROF_COMPARE_JSON_H

#include "tools/ibsprof/base/json.h"

void compare_json_value(struct json *json, const void *comparison);

#endif
