/* A comparison as one HTML file: web/compare.js draws what compare_json.c writes. */
#include "tools/ibsprof/compare/compare.h"
#include "tools/ibsprof/compare/compare_json.h"
#include "tools/ibsprof/html/html.h"

int compare_html(FILE *to, const struct comparison *c)
{
    bool good;

    html_begin(to, "ibsprof compare");
    good = html_data(to, "comparison", compare_json_value, c);
    good = html_end(to, "compare.js") && good;
    return good && fflush(to) == 0 && !ferror(to) ? 0 : -1;
}
