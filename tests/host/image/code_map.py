# SPDX-License-Identifier: BSD-2-Clause
"""code_map.py MAP: the listing in a map of own code (core/code/code_map.h), a line for each instruction: place in its
function, source line, text. Addresses are replaced by places, so that it says nothing of the layout."""
import re
import struct
import sys

HEADER, FUNC = 48, 12
FIRST, FIELDS = 16, struct.Struct("<3I3H")  # of struct codemap_insn: rva, text, target, func, file, line


def text_at(strings, at):
    return strings[at:strings.index(b"\0", at)].decode()


def main(path):
    with open(path, "rb") as file:
        data = file.read()
    insns, funcs, files, string_bytes = struct.unpack_from("<4I", data, 24)
    size = (len(data) - HEADER - funcs * FUNC - files * 4 - string_bytes) // insns
    functions = [struct.unpack_from("<3I", data, HEADER + insns * size + i * FUNC) for i in range(funcs)]
    names = struct.unpack_from(f"<{files}I", data, HEADER + insns * size + funcs * FUNC)
    strings = data[len(data) - string_bytes:]

    def place(address):
        for start, length, name in functions:
            if start <= address < start + length:
                return f"{text_at(strings, name)}+{address - start:#x}"
        return hex(address)

    for i in range(insns):
        rva, text, _, func, file, line = FIELDS.unpack_from(data, HEADER + i * size + FIRST)
        source = f"{text_at(strings, names[file]).rsplit('/', 1)[-1]}:{line}" if file != 0xffff else "-"
        shown = re.sub(r"^(j\w+|call|loop\w*) ([0-9a-f]+)$", lambda m: f"{m[1]} {place(int(m[2], 16))}", text_at(strings, text))
        print(place(rva), source, re.sub(r"\[[0-9a-f]+\]", "[]", shown))
        assert text_at(strings, functions[func][2]) == place(rva).split("+")[0]


main(sys.argv[1])
