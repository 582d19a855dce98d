/* SPDX-License-Identifier: BSD-2-Clause */
/* A comparison as CSV: a row an item, and a row for each distance of the profiles as a whole. */
#include <math.h>
#include <string.h>

#include "core/profile/csv.h"
#include "tools/ibsprof/compare/compare_explore.h"
#include "tools/ibsprof/compare/compare_time.h"

static void write_whole(FILE *to, const struct comparison *c, const char *column, const struct stat_interval *interval)
{
    fprintf(to, "%s,all,,,,", column);
    for (int i = 0; i < 6; i++)
        fputc(',', to);
    csv_real(to, 10, interval->value);
    csv_real(to, 10, interval->low);
    csv_real(to, 10, interval->high);
    fputs(",,,", to);
    csv_real(to, 10, c->estimates[SIDE_A][0].n);
    csv_real(to, 10, c->estimates[SIDE_B][0].n);
    csv_real(to, 10, c->whole.phi);
    csv_real(to, 10, c->whole.phi);
    csv_real(to, 10, c->whole.p_value);
    csv_real(to, 10, c->whole_q);
    fputs(",,,,", to);
    csv_real(to, 10, interval->floor);
    fputc('\n', to);
}

void compare_csv(struct out_file *out, const void *what)
{
    const struct comparison *c = what;
    FILE *to = out->file;

    compare_figures(to, c, "# ");
    fputs("column,place,instruction,file,line,object,a,a_low,a_high,b,b_low,b_high,difference,low,high,log2_ratio,"
          "log2_low,log2_high,n_a,n_b,phi_a,phi_b,p,q,margin,verdict,needed_a,needed_b,by_chance\n",
          to);
    compare_time_csv(to, c);
    write_whole(to, c, "total_variation", &c->whole.tvd);
    write_whole(to, c, "jensen_shannon_bits", &c->whole.jsd);
    write_whole(to, c, "cramer_v", &c->whole.cramer);
    for (uint32_t i = 0; i < c->item_count; i++) {
        const struct compare_item *item = &c->items[i];
        const struct compare_place *place = item->place == COMPARE_WHOLE ? NULL : &c->places[item->place];
        const double values[] = {item->a,        item->low_a,      item->high_a, item->b,     item->low_b,
                                 item->high_b,   item->difference, item->low,    item->high,  item->log2_ratio,
                                 item->log2_low, item->log2_high,  item->n_a,    item->n_b,   item->phi_a,
                                 item->phi_b,    item->p_value,    item->q,      item->margin};
        char name[300];

        compare_place_name(c, item->place, name, sizeof(name));
        fprintf(to, "%s,", compare_columns[item->column].key);
        csv_field(&out->out, name);
        fputc(',', to);
        csv_field(&out->out, compare_place_text(c, item->place));
        fputc(',', to);
        csv_field(&out->out, place && place->file ? place->file : "");
        fputc(',', to);
        if (place && place->line != 0)
            fprintf(to, "%u", place->line);
        fputc(',', to);
        csv_field(&out->out, place && place->object ? place->object : "");
        for (size_t k = 0; k < sizeof(values) / sizeof(values[0]); k++)
            csv_real(to, 10, values[k]);
        fprintf(to, ",%s", stat_verdict_name(item->verdict));
        for (uint32_t side = 0; side < SIDES; side++)
            csv_real(to, 10,
                     item->verdict == VERDICT_INCONCLUSIVE && isfinite(item->factor) ? compare_needed(c, item, side)
                                                                                     : (double)NAN);
        fputs(",\n", to);
    }
    compare_explore_csv(to, c);
}
