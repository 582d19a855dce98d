/* The report of one run as a page. */
#include "tools/ibsprof/html/html.h"
#include "tools/ibsprof/report/report_json.h"

struct page {
    const struct run_profile *profile;
    struct report_json_options options;
};

static void write_report(struct json *json, const void *what)
{
    const struct page *page = what;

    report_json_write(json, page->profile, &page->options);
}

int report_html(FILE *to, const struct run_profile *profile, const char *source_dir)
{
    struct page page = {profile, report_json_page};
    const struct input_facts *facts = profile->facts;
    bool good;

    html_begin(to, facts->workload && facts->workload[0] ? facts->workload : "ibsprof report");
    page.options.source_dir = source_dir;
    good = html_data(to, "profile", write_report, &page);
    good = html_end(to, "report.js") && good;
    return good && fflush(to) == 0 && !ferror(to) ? 0 : -1;
}
