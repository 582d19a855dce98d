#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""Tests of what packs and reads a guest's files: tools/linux-guest/initramfs, receive and misses; and tools/compile-commands."""
import hashlib
import io
import json
import os
import struct
import tarfile

import helper
from helper import python


class Initramfs(helper.Case):
    def unpacked(self, *words):
        self.assertEqual(python("tools/linux-guest/initramfs", self.path("initrd"), *words), (0, ""))
        with open(self.path("initrd"), "rb") as file:
            data = file.read()
        entries, at = [], 0
        while at < len(data):
            self.assertEqual((data[at:at + 6], at % 4), (b"070701", 0))
            number, mode, uid, gid, links, time, size, major, minor, of_major, of_minor, length, check = (
                int(data[at + 6 + 8 * i:at + 14 + 8 * i], 16) for i in range(13))
            name = data[at + 110:at + 110 + length]
            self.assertEqual((name[-1:], uid, gid, links, time, major, minor, check), (b"\0", 0, 0, 1, 0, 0, 0, 0))
            begin = at + 110 + length + -(110 + length) % 4
            entries.append((number, name[:-1].decode(), oct(mode), data[begin:begin + size], (of_major, of_minor)))
            at = begin + size + -size % 4
        return entries

    def test_entries(self):
        for size in range(5):
            with self.subTest(size):
                helper.write(self.path("a:b"), b"x" * size)
                found = self.unpacked(f"{self.path('a:b')}:bin/one", f"{self.path('a:b')}:deep/er/two")
                folders = [(name, "0o40755", b"", (0, 0)) for name in ("bin", "dev", "proc", "sys", "tmp")]
                wanted = folders + [("dev/console", "0o20600", b"", (5, 1)), ("bin/one", "0o100755", b"x" * size, (0, 0)), ("deep", "0o40755", b"", (0, 0)),
                                    ("deep/er", "0o40755", b"", (0, 0)), ("deep/er/two", "0o100755", b"x" * size, (0, 0)), ("TRAILER!!!", "0o0", b"", (0, 0))]
                self.assertEqual([entry[1:] for entry in found], wanted)
                self.assertEqual([entry[0] for entry in found], list(range(1, len(wanted) + 1)))


def tar_of(*members):
    """The bytes of a tar; a member: name, kind, target or text."""
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w") as tar:
        for name, kind, text in members:
            member = tarfile.TarInfo(name)
            member.type = kind
            if kind == tarfile.REGTYPE:
                member.size = len(text)
            else:
                member.linkname = text
            tar.addfile(member, io.BytesIO(text.encode()))
    return data.getvalue()


def part(number, data, sent=None):
    return b"\nlinux: part %d %d %s\n%s" % (number, len(sent or data), hashlib.md5(sent or data).hexdigest().encode(), data)


class Receive(helper.Case):
    FILE, LINK, HARD = tarfile.REGTYPE, tarfile.SYMTYPE, tarfile.LNKTYPE

    def receive(self, stream):
        helper.write(self.path("stream"), stream)
        status, line = python("tools/linux-guest/receive", self.path("stream"), self.path("out"))
        return status, line.strip()

    def test_whole(self):
        one = tar_of(("a", self.FILE, "some"), ("d", tarfile.DIRTYPE, ""), ("d/b", self.FILE, "more"), ("d/c", self.LINK, "../a"))
        two = tar_of(("a", self.FILE, "newer"), ("h", self.HARD, "d/b"))
        self.assertEqual(self.receive(b"firmware" + part(1, one) + b"text" + part(2, two)), (0, f"2 parts, {len(one) + len(two)} bytes"))
        self.assertEqual({name: helper.read(self.path("out", name)) for name in ("a", "d/b", "d/c", "h")},
                         {"a": "newer", "d/b": "more", "d/c": "newer", "h": "more"})

    def test_nothing(self):
        self.assertEqual(self.receive(b""), (1, "0 parts, 0 bytes"))
        os.remove(self.path("stream"))
        self.assertEqual(python("tools/linux-guest/receive", self.path("stream"), self.path("new/out")), (1, "0 parts, 0 bytes\n"))
        self.assertTrue(os.path.isdir(self.path("new/out")))

    def test_incomplete(self):
        data = tar_of(("a", self.FILE, "some"))
        bad = bytes([data[0] ^ 1]) + data[1:]
        cases = [
            (part(1, data) + part(4, data), f"2 parts, {2 * len(data)} bytes; part 2 is not there; part 3 is not there"),
            (part(2, data), f"1 parts, {len(data)} bytes; part 1 is not there"),
            (part(1, data) + part(2, data[:-7], data), f"1 parts, {len(data)} bytes; part 2 was cut off after {len(data) - 7} of {len(data)} bytes"),
            (part(1, bad, data) + part(2, data), f"1 parts, {len(data)} bytes; part 1 is not what was sent"),
            # Bytes of the first are lost: the second begins within its length.
            (part(1, data[:-20], data) + part(2, data), f"1 parts, {len(data)} bytes; part 1 is not what was sent"),
        ]
        for stream, line in cases:
            with self.subTest(line):
                self.assertEqual(self.receive(stream), (1, line))
                self.assertEqual(helper.read(self.path("out/a")), "some")

    def test_head_in_a_part(self):
        """What looks like a part within a part that is whole is a file's text."""
        inner = part(9, tar_of(("evil", self.FILE, "some"))).decode(errors="replace")
        data = tar_of(("a", self.FILE, inner))
        self.assertEqual(self.receive(part(1, data)), (0, f"1 parts, {len(data)} bytes"))
        self.assertFalse(os.path.exists(self.path("out/evil")))

    def test_names(self):
        """Whatever leads out of the folder is refused, also over a link of an earlier part, and told."""
        os.makedirs(self.path("kept"))
        refused = [("../kept/name", self.FILE, "some"), (self.path("kept/name"), self.FILE, "some"), ("out", self.LINK, "../kept"), ("hard", self.HARD, "../kept/x"),
                   ("pipe", tarfile.FIFOTYPE, ""), ("sub/far", self.LINK, "../../kept"), ("..", self.FILE, "some")]
        for name, kind, text in refused:
            with self.subTest(name):
                data = tar_of((name, kind, text), ("good", self.FILE, "fine"))
                self.assertEqual(self.receive(part(1, data)), (1, f"1 parts, {len(data)} bytes; part 1 has {name!r}, which is not taken"))
                self.assertEqual((os.listdir(self.path("kept")), helper.read(self.path("out/good"))), ([], "fine"))
        data = tar_of(("sub", tarfile.DIRTYPE, ""), ("sub/in", self.LINK, "../good"), ("sub/hard", self.HARD, "good"))
        self.assertEqual(self.receive(part(1, data))[0], 0)
        self.assertEqual(helper.read(self.path("out/sub/hard")), "fine")


IP, RAW, ID, IDENTIFIER, READ, CHAIN = 1, 1 << 10, 1 << 6, 1 << 16, 1 << 4, 1 << 5
LOAD, DC, DTLB, VALID = 1, 1 << 7, 1 << 2, 1 << 17
ALL_SINGLE = IP | 2 | 4 | 8 | ID | 1 << 9 | 1 << 7 | 1 << 8


def record(kind, body):
    return struct.pack("<IHH", kind, 0, 8 + len(body)) + body


def sample(data3, before=b"\1" * 8, size=60, after=b""):
    raw = struct.pack("<I7Q", 0x1F, 1, 2, 3, 4, data3, 6, 7)[:size]
    return record(9, before + struct.pack("<I", len(raw)) + raw + after)


def perf_file(records, attrs=((IP | RAW, ()),), features=(b"first", b"second feature"), flags=0b101):
    """A perf.data file: attrs are (sample type, ids)."""
    entry = 144
    ids_at = 104 + entry * len(attrs)
    ids = b"".join(struct.pack("<Q", one) for _, some in attrs for one in some)
    table, place = b"", ids_at
    for sample_type, some in attrs:
        table += struct.pack("<QQQQ", 0, 0, 0, sample_type).ljust(entry - 16, b"\0") + struct.pack("<QQ", place, 8 * len(some))
        place += 8 * len(some)
    data_at, data = ids_at + len(ids), b"".join(records)
    end = data_at + len(data)
    place = end + 16 * len(features)
    rows = b""
    for text in features:
        rows += struct.pack("<QQ", place, len(text))
        place += len(text)
    head = struct.pack("<8sQQQQQQQQ", b"PERFILE2", 104, entry, 104, len(table), data_at, len(data), 0, 0) + flags.to_bytes(32, "little")
    return head + table + ids + data + rows + b"".join(features)


class Misses(helper.Case):
    def misses(self, data, *event):
        helper.write(self.path("in"), data)
        status, line = python("tools/linux-guest/misses", self.path("in"), self.path("out"), *event)
        return status, line.strip().replace(self.path("in"), "IN")

    def out(self):
        with open(self.path("out"), "rb") as file:
            return file.read()

    def test_events(self):
        kinds = {"load dc": LOAD | DC | VALID, "store dc": 2 | DC | VALID, "load hit": LOAD | VALID, "load dtlb": LOAD | DTLB | VALID,
                 "store dtlb": 2 | DTLB | VALID, "dtlb without address": LOAD | DTLB, "no access": DTLB | VALID | DC}
        records = {name: sample(data3) for name, data3 in kinds.items()}
        other = record(1, b"12345678")
        data = perf_file([other, *records.values(), other])
        for event, kept in ((), ("load dc",)), (("dc",), ("load dc",)), (("dtlb",), ("load dtlb", "store dtlb")):
            with self.subTest(event):
                self.assertEqual(self.misses(data, *event), (0, str(len(kept))))
                self.assertEqual(self.out(), perf_file([other, *(records[name] for name in kept), other]))

    def test_layouts(self):
        """The raw bytes are found behind whatever is in front of them."""
        word = struct.pack("<Q", 5)
        # IP, TID, TIME, ADDR, ID, STREAM_ID, CPU, PERIOD, each of 8 bytes; a call chain of its own length.
        layouts = [(IP | RAW, word), (RAW, b""), (ALL_SINGLE | RAW, word * 8), (IDENTIFIER | IP | RAW, word * 2), (IP | CHAIN | RAW, word + struct.pack("<Q", 2) + word * 2)]
        layouts += [(RAW | bit, word) for bit in (1, 2, 4, 8, ID, 1 << 9, 1 << 7, 1 << 8)]
        for sample_type, before in layouts:
            with self.subTest(hex(sample_type)):
                records = [sample(LOAD | DC, before), sample(LOAD, before)]
                attrs = [(sample_type, (5,))]
                self.assertEqual(self.misses(perf_file(records, attrs)), (0, "1"))
                self.assertEqual(self.out(), perf_file(records[:1], attrs))
        for sample_type in (IP, IP | RAW | READ):
            self.assertEqual(self.misses(perf_file([sample(LOAD | DC)], [(sample_type, ())])), (0, "0"))

    def test_several_events(self):
        """A sample's fields are those of its event, by its id; of an unknown id those of the first event."""
        def one(number, before):
            return sample(LOAD | DC, struct.pack("<Q", number) + before)
        first, second = IDENTIFIER | RAW, IDENTIFIER | IP | 4 | RAW
        attrs = [(first, (7, 8)), (second, (9, 10))]
        records = [one(7, b""), one(8, b""), one(9, b"\0" * 16), one(10, b"\0" * 16), one(99, b"")]
        self.assertEqual(self.misses(perf_file(records, attrs)), (0, "5"))
        self.assertEqual(self.out(), perf_file(records, attrs))

    def test_short_raw(self):
        for size, kept in ((59, "0"), (60, "1")):
            self.assertEqual(self.misses(perf_file([sample(LOAD | DC, size=size)])), (0, kept))
        self.assertEqual(self.misses(perf_file([sample(LOAD | DC, after=b"\0" * 8)])), (0, "1"))

    def test_features(self):
        for features, flags in ((), 0), ((b"x",), 1 << 255), ((b"x", b"", b"yy"), 0b111):
            dropped, kept = sample(LOAD), sample(LOAD | DC)
            self.assertEqual(self.misses(perf_file([dropped, kept], features=features, flags=flags)), (0, "1"))
            self.assertEqual(self.out(), perf_file([kept], features=features, flags=flags))

    def test_damaged(self):
        whole = perf_file([sample(LOAD | DC)])
        self.assertEqual(self.misses(b"PERFILE1" + whole[8:]), (1, "IN: not a perf.data file"))
        self.assertEqual(self.misses(b"PERF"), (1, "IN: not a perf.data file"))
        self.assertRegex(self.misses(whole[:200])[1], "^IN: it ends early: ")
        self.assertEqual(self.misses(whole[:200])[0], 1)
        bad = perf_file([struct.pack("<IHH", 1, 0, 7)])
        self.assertEqual(self.misses(bad), (1, f"IN: a record of 7 bytes at {104 + 144}"))
        self.assertEqual(self.misses(perf_file([struct.pack("<IHH", 1, 0, 8)])), (0, "0"))
        status, line = python("tools/linux-guest/misses", self.path("none"), self.path("out"))
        self.assertEqual((status, "No such file" in line), (1, True))


class CompileCommands(helper.Case):
    def test_lines(self):
        lines = ["cc -O2 -c core/a.c -o build/a.o", "cc -O2 'core/x y.c' -o build/a", "echo -c", "gcc -DX='a b' -c core/b.c -o build/b.o",
                 "cc -g -c core/a.c -o build/unit/a.o", "echo ' -c  -o '", "ld -o out -c"]
        status, output = python("tools/compile-commands", stdin="\n".join(lines))
        here = os.getcwd()
        self.assertEqual((status, json.loads(output)), (0, [
            {"directory": here, "file": "core/a.c", "arguments": lines[0].split()},
            {"directory": here, "file": "core/b.c", "arguments": ["gcc", "-DX=a b", "-c", "core/b.c", "-o", "build/b.o"]}]))


if __name__ == "__main__":
    helper.main()
