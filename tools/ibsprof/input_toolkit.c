/* Raw op and fetch files of AMD's Research IBS Toolkit. */
#include "tools/ibsprof/input_inside.h"

bool input_is_toolkit(const struct input_file *file, enum input_format *ret_format)
{
    (void)file, (void)ret_format;
    return false;
}

bool input_open_toolkit(struct input *input)
{
    return input_fail(input, 0, "not read yet");
}
