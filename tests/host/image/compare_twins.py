# SPDX-License-Identifier: BSD-2-Clause
"""compare_twins.py IMAGE.elf TWIN.elf OBJECT.o...: checks that every function of these objects is the same, byte by byte, in both.

An operand that the linker filled in (a constant's address) may differ in its four bytes when it refers to a place of the same
object with the same contents; calls out of the object may not be. Measured functions must have the same distances from the first one; others (the noise loops) the same place in their cache line.
Prints a line for each object. Status 1, with a line for each difference, when there is one."""
import struct
import sys

SYMTAB, RELA, NOBITS, FUNC, FILE, R_X86_64_PC32, EXECUTABLE = 2, 4, 8, 2, 4, 2, 4
problems, masked = [], set()


class Elf:
    def __init__(self, path):
        self.data = open(path, "rb").read()
        offset, size, count, names = (struct.unpack_from("<Q", self.data, 0x28)[0], *struct.unpack_from("<HHH", self.data, 0x3A))
        self.sections = [struct.unpack_from("<IIQQQQIIQQ", self.data, offset + size * i) for i in range(count)]
        self.names = [self.string(self.sections[names], section[0]) for section in self.sections]
        self.symbols = []  # (name, type, section, value, size, file); file is "" of global ones
        for section in (s for s in self.sections if s[1] == SYMTAB):
            source = ""
            for i in range(section[5] // 24):
                name, info, _, index, value, length = struct.unpack_from("<IBBHQQ", self.data, section[4] + 24 * i)
                name = self.string(self.sections[section[6]], name)
                source = name if info & 15 == FILE else source
                self.symbols.append((name, info & 15, index, value, length, "" if info >> 4 else source))

    def string(self, section, at):
        start = section[4] + at
        return self.data[start : self.data.index(b"\0", start)].decode()

    def value(self, name):
        return next(s[3] for s in self.symbols if s[0] == name)

    def read(self, address, size):
        """Bytes as loaded there; fewer at the end of the section."""
        for _, kind, flags, start, offset, length, *_ in self.sections:
            if flags & 2 and kind != NOBITS and start <= address < start + length:
                return self.data[offset + address - start : offset + min(address - start + size, length)]
        return b""

    def functions(self):
        """(file, name) to (address from the first measured one, size, address); only measured ones have a place (not None). Hidden
        ones, which are local to no file when linked, by ("", name)."""
        first, end = self.value("image_workloads"), self.value("image_workloads_end")
        found = {}
        for name, kind, _, value, length, source in self.symbols:
            place = value - first if first <= value < end else None
            if kind == FUNC:
                found[source, name] = found["", name] = (place, length, value)
        return found


def same_operand(image, twin, places, obj, symbol, addend):
    """True when both refer to the object's contents at that place. The addend of such an operand counts from its own end: 4 bytes on."""
    name, _, index, value, _, _ = symbol
    if index == 0 or index >= len(obj.sections) or obj.sections[index][2] & EXECUTABLE:
        return f"refers to {name or 'code'}, outside of its function and constants"
    section = obj.sections[index]
    start = value + addend + 4
    wanted = obj.data[section[4] + start : section[4] + min(start + 16, section[5])]
    for elf, place in zip((image, twin), places):
        target = place + 4 + struct.unpack("<i", elf.read(place, 4))[0]
        if not wanted or elf.read(target, len(wanted)) != wanted:
            return f"refers to other contents than {obj.names[index]}+{start:#x}"
    return None


def compare(image, twin, path):
    obj = Elf(path)
    text = obj.names.index(".text")
    offset = obj.sections[text][4]
    relocations = []
    for section in (s for s in obj.sections if s[1] == RELA and s[7] == text):
        relocations += [struct.unpack_from("<QQq", obj.data, section[4] + at) for at in range(0, section[5], 24)]
    in_image, in_twin = image.functions(), twin.functions()
    functions = size = relocated = 0
    for name, kind, index, value, length, source in obj.symbols:
        if kind != FUNC or index != text:
            continue
        functions, size, where = functions + 1, size + length, f"{path}: {name}"
        a, b = in_image.get((source, name)), in_twin.get((source, name))
        if not a or not b:
            problems.append(f"{where}: is not in {'the twin' if a else 'the image'}")
            continue
        if a[:2] != b[:2] or (a[2] - b[2]) % (64 if a[0] is None else 4096):
            problems.append(f"{where}: {a[1]} bytes at {a[2]:#x} in the image, {b[1]} at {b[2]:#x} in the twin")
        own, ours, theirs = (bytearray(x) for x in (obj.data[offset + value : offset + value + length],
                                                    image.read(a[2], length), twin.read(b[2], length)))
        for at, info, addend in relocations:
            if not value <= at < value + length:
                continue
            relocated, places = relocated + 1, (a[2] + at - value, b[2] + at - value)
            wrong = f"relocation type {info & 0xffffffff}" if info & 0xFFFFFFFF != R_X86_64_PC32 else \
                same_operand(image, twin, places, obj, obj.symbols[info >> 32], addend)
            if wrong:
                problems.append(f"{where}+{at - value:#x}: {wrong}")
            if a[0] is not None:
                masked.update(range(a[0] + at - value, a[0] + at - value + 4))
            for code in own, ours, theirs:
                code[at - value : at - value + 4] = b"\0\0\0\0"
        if not own == ours == theirs or len(own) != length:
            first = next((i for i in range(length) if own[i : i + 1] != ours[i : i + 1] or own[i : i + 1] != theirs[i : i + 1]), length)
            problems.append(f"{where}+{first:#x}: object {own[first:first + 4].hex()}, image {ours[first:first + 4].hex()}, "
                            f"twin {theirs[first:first + 4].hex()}")
    if not functions:
        problems.append(f"{path}: has no functions")
    print(f"{path}: {functions} functions, {size} bytes compared, {relocated} relocated operands")
    return size


image, twin = Elf(sys.argv[1]), Elf(sys.argv[2])
total = sum(compare(image, twin, path) for path in sys.argv[3:])
code = []
for elf in image, twin:
    first, end = elf.value("image_workloads"), elf.value("image_workloads_end")
    code.append(bytes(0 if i in masked else byte for i, byte in enumerate(elf.read(first, end - first))))
    if first % 4096 or len(code[-1]) != end - first:
        problems.append("the measured code does not begin on a page, or is not in one section")
if code[0] != code[1] and not problems:
    problems.append("what is between the functions differs")
print("\n".join(problems) or f"{total} bytes of functions, and the {len(code[0])} bytes of measured code with what is between them")
sys.exit(bool(problems))
