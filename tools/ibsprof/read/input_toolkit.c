/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Raw op and fetch files of AMD's Research IBS Toolkit: a header of text lines, a line of 45 '=', and then structures
 * without a count (tools/ibs_monitor/ibs_monitor.c, include/ibs-uapi.h of github.com/jlgreathouse/AMD_IBS_Toolkit).
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/bytes.h"
#include "core/family/ibs_regs.h"
#include "tools/ibsprof/read/input_inside.h"
#include "tools/ibsprof/base/must.h"

enum { HEADER_MAX = 1 << 20, TEXT_MAX = 4096, VERSION_KNOWN = 1, OP_SIZE = 104, FETCH_SIZE = 64 };

static const char op_magic[] = "IBS Op Sample File\n", fetch_magic[] = "IBS Fetch Sample File\n";
static const char end_line[] = "=============================================";

struct toolkit_input {
    uint64_t begin, at;
    uint32_t entry_size;
    char name[TEXT_MAX], system[TEXT_MAX], os[TEXT_MAX], command[TEXT_MAX];
};

bool input_is_toolkit(const struct input_file *file, enum input_format *ret_format)
{
    if (file->size >= sizeof(op_magic) - 1 && memcmp(file->bytes, op_magic, sizeof(op_magic) - 1) == 0)
        *ret_format = INPUT_TOOLKIT_OP;
    else if (file->size >= sizeof(fetch_magic) - 1 && memcmp(file->bytes, fetch_magic, sizeof(fetch_magic) - 1) == 0)
        *ret_format = INPUT_TOOLKIT_FETCH;
    else
        return false;
    return true;
}

/* Lines of the header up to the line of '='. */
struct header {
    const char *text;
    size_t size; /* up to and with the last line */
};

static bool find_header(const struct input_file *file, struct header *header)
{
    size_t limit = file->size < HEADER_MAX ? (size_t)file->size : HEADER_MAX;
    const char *text = (const char *)file->bytes, *line = text, *end;

    while ((end = memchr(line, '\n', limit - (size_t)(line - text)))) {
        if ((size_t)(end - line) == sizeof(end_line) - 1 && memcmp(line, end_line, sizeof(end_line) - 1) == 0) {
            *header = (struct header){text, (size_t)(end + 1 - text)};
            return true;
        }
        line = end + 1;
    }
    return false;
}

/* Finds the text after "key: " on its line; "": none. */
static void find_text(const struct header *header, const char *key, char value[TEXT_MAX])
{
    size_t key_size = strlen(key);
    const char *line = header->text, *limit = header->text + header->size, *end;

    for (; line < limit && (end = memchr(line, '\n', (size_t)(limit - line))); line = end + 1)
        if ((size_t)(end - line) > key_size && memcmp(line, key, key_size) == 0 && line[key_size] == ':') {
            size_t size;

            for (line += key_size + 1; line < end && *line == ' ';)
                line++;
            size = (size_t)(end - line) < TEXT_MAX ? (size_t)(end - line) : TEXT_MAX - 1;
            memcpy(value, line, size);
            value[size] = '\0';
            while (size > 0 && value[size - 1] == ' ')
                value[--size] = '\0';
            return;
        }
    value[0] = '\0';
}

static uint32_t find_number(const struct header *header, const char *key)
{
    char text[TEXT_MAX];

    find_text(header, key, text);
    return (uint32_t)strtoul(text, NULL, 0);
}

/* Returns the number of physical address bits; for an unknown family that of the first. */
static uint64_t physical_bits(const struct ibs_layout *layout)
{
    return layout->known ? (1ull << layout->machine.row->phys_bits) - 1 : IBS_PHYSAD;
}

static void fill_op(const struct input *input, const uint8_t *entry, struct perfdata_item *sample)
{
    enum { OP_DATA4 = 40, BR_TARGET = 64 }; /* in the structure ibs_op */
    const struct ibs_layout *layout = &input->layout;
    const uint64_t *reg = sample->record.reg;
    uint64_t data3 = reg[IBS_OP_DATA3];

    if (layout->brn_target)
        sample->registers[sample->register_count++] = bytes_read64(entry + BR_TARGET);
    if (layout->op_data4)
        sample->registers[sample->register_count++] = bytes_read64(entry + OP_DATA4);
    sample->ip = reg[IBS_OP_RIP];
    sample->addr = ibs_dc_lin_addr_valid(data3) ? reg[IBS_OP_DCLINAD] : 0;
    sample->phys_addr = ibs_dc_phy_addr_valid(data3) ? reg[IBS_OP_DCPHYSAD] & physical_bits(layout) : 0;
    sample->weight = ibs_ld_op(data3) && ibs_dc_miss(data3) ? ibs_dc_miss_lat(data3) : 0;
    sample->period = ibs_period(ibs_op_max_cnt(reg[IBS_OP_CTL]));
    if (layout->op_cnt_ext)
        sample->period += reg[IBS_OP_CTL] & IBS_OP_MAX_CNT_EXT;
}

static void fill_fetch(const struct input *input, const uint8_t *entry, struct perfdata_item *sample)
{
    enum { FETCH_CTL_EXTD = 8 }; /* in the structure ibs_fetch */

    if (input->layout.fetch_ctl_extd)
        sample->registers[sample->register_count++] = bytes_read64(entry + FETCH_CTL_EXTD);
    sample->ip = sample->record.reg[IBS_FETCH_LINAD];
    if (!input->layout.known || input->layout.machine.row->errata & IBS_E_FETCH_LINAD)
        sample->ip = ibs_canonical(sample->ip);
    sample->period = ibs_period(ibs_fetch_max_cnt(sample->record.reg[IBS_FETCH_CTL]));
}

/* Reads the common end of both structures: the TSC twice, thread, process, core, and whether it was in the kernel. */
static void fill_end(const uint8_t *end, struct perfdata_item *sample)
{
    enum { TSC = 0, TID = 16, PID = 20, CPU = 24, KERN_MODE = 28 };

    sample->time = sample->record.tsc = bytes_read64(end + TSC);
    sample->tid = bytes_read32(end + TID);
    sample->pid = bytes_read32(end + PID);
    sample->cpu = sample->record.cpu = bytes_read32(end + CPU);
    sample->mode = bytes_read32(end + KERN_MODE) ? MODE_KERNEL : MODE_USER;
}

static bool next_item(struct input *input, struct perfdata_item *item)
{
    /* Places in the structures ibs_op and ibs_fetch. */
    static const uint8_t op_places[IBS_OP_REGS] = {0, 8, 16, 24, 32, 48, 56},
                         fetch_places[IBS_FETCH_REGS] = {0, 16, 24};
    enum { OP_TSC = 72, FETCH_TSC = 32 };
    bool op = input->facts.format == INPUT_TOOLKIT_OP;
    struct toolkit_input *self = input->reader;
    const uint8_t *entry = input->file.bytes + self->at;
    uint64_t left = input->file.size - self->at;

    *item = (struct perfdata_item){.kind = PERFDATA_ITEM_END, .event = UINT32_MAX};
    if (left == 0)
        return true;
    if (left < self->entry_size)
        return input_fail(input, self->at, "the last sample is cut off: %" PRIu64 " of %u bytes are there", left,
                          self->entry_size);
    item->kind = PERFDATA_ITEM_SAMPLE;
    item->event = 0;
    item->exact = true;
    item->caps = input->facts.ibs_caps;
    item->at = self->at;
    item->record.kind = op ? SAMPLE_OP : SAMPLE_FETCH;
    for (unsigned i = 0; i < (op ? IBS_OP_REGS : IBS_FETCH_REGS); i++)
        item->registers[i] = item->record.reg[i] = bytes_read64(entry + (op ? op_places[i] : fetch_places[i]));
    item->register_count = op ? IBS_OP_REGS : IBS_FETCH_REGS;
    fill_end(entry + (op ? OP_TSC : FETCH_TSC), item);
    if (op)
        fill_op(input, entry, item);
    else
        fill_fetch(input, entry, item);
    item->period += item->period == 0;
    self->at += self->entry_size;
    input_release(&input->file, self->at);
    return true;
}

static void rewind_input(struct input *input)
{
    struct toolkit_input *self = input->reader;

    self->at = self->begin;
}

static uint64_t position(const struct input *input)
{
    return ((const struct toolkit_input *)input->reader)->at;
}

static void close_input(struct input *input)
{
    free(input->reader);
}

static void read_layout(struct input *input, const struct header *header)
{
    static const struct {
        const char *key;
        uint32_t cap;
    } caps[] = {
        {"BrnTrgt", IBS_CAP_BRNTRGT},     {"OpCntExt", IBS_CAP_OPCNTEXT},  {"RipInvalidChk", IBS_CAP_RIPINVALID},
        {"OpBrnFuse", IBS_CAP_OPBRNFUSE}, {"IbsOpData4", IBS_CAP_OPDATA4}, {"IbsFetchCtlExtd", IBS_CAP_FETCHCTLEXTD},
    };
    struct input_facts *facts = &input->facts;
    struct ibs_layout *layout = &input->layout;

    /* The toolkit requires these abilities. */
    facts->ibs_caps = IBS_CAPS_DEFAULT | IBS_CAP_RDWR_OPCNT | IBS_CAP_OPCNT;
    for (unsigned i = 0; i < sizeof(caps) / sizeof(caps[0]); i++)
        if (find_number(header, caps[i].key))
            facts->ibs_caps |= caps[i].cap;
    *layout = ibs_layout_of(facts->family, facts->model, facts->ibs_caps);
    if (facts->format != INPUT_TOOLKIT_OP)
        return;
    layout->brn_resync = find_number(header, "IbsOpBrnResync");
    layout->misp_return = find_number(header, "IbsOpMispReturn");
    layout->microcode = find_number(header, "Microcode");
    layout->node &= find_number(header, "IBSOpData2_4_5") != 0; /* set for 12h, where the bits are reserved */
    layout->state &= layout->node;
    layout->ld_bnk_con = find_number(header, "IbsDcLdBnkCon");
    layout->st_bnk_con = find_number(header, "IbsDcStBnkCon");
    layout->st_to_ld_fwd = find_number(header, "IbsDcStToLdFwd");
    layout->st_to_ld_can = find_number(header, "IbsDcStToLdCan");
    layout->l2_miss_and_width = find_number(header, "IbsData3_20_31_48_63");
}

static void read_facts(struct input *input, const struct header *header)
{
    struct toolkit_input *self = input->reader;
    struct input_facts *facts = &input->facts;

    find_text(header, "AMD Processor Name", self->name);
    find_text(header, "System name", self->system);
    find_text(header, "OS", self->os);
    find_text(header, "Command line", self->command);
    facts->vendor = "AuthenticAMD";
    facts->cpu_name = self->name;
    facts->hostname = self->system;
    facts->release = self->os;
    facts->command = self->command;
    facts->family = find_number(header, "AMD Processor Family");
    facts->model = find_number(header, "AMD Processor Model");
    facts->stepping = find_number(header, "AMD Processor Stepping");
    facts->is_linux = true;
}

static void read_event(struct input *input)
{
    bool op = input->facts.format == INPUT_TOOLKIT_OP;
    struct perfdata_item first;

    input->events = must_new(input->events);
    *input->events =
        (struct input_event){.name = op ? "ibs_op//" : "ibs_fetch//", .kind = op ? SAMPLE_OP : SAMPLE_FETCH};
    input->facts.events = input->events;
    input->facts.event_count = 1;
    if (next_item(input, &first) && first.kind == PERFDATA_ITEM_SAMPLE)
        input->events->period = first.period;
    input->error[0] = '\0';
    rewind_input(input);
}

bool input_open_toolkit(struct input *input)
{
    bool op = input->facts.format == INPUT_TOOLKIT_OP;
    const char *key = op ? "IBS Op Structure Version" : "IBS Fetch Structure Version";
    struct toolkit_input *self = must_new(self);
    struct header header;
    uint32_t version;

    input->reader = self;
    input->next = next_item;
    input->rewind = rewind_input;
    input->close = close_input;
    input->position = position;
    if (!find_header(&input->file, &header))
        return input_fail(input, 0, "the header of a toolkit file without its last line");
    version = find_number(&header, key);
    if (version != VERSION_KNOWN)
        return input_fail(input, 0, "'%s: %u': only version 1 is known", key, version);
    self->entry_size = op ? OP_SIZE : FETCH_SIZE;
    self->begin = self->at = header.size;
    read_facts(input, &header);
    read_layout(input, &header);
    read_event(input);
    return true;
}
