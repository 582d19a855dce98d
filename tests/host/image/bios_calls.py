# SPDX-License-Identifier: BSD-2-Clause
"""Compares the rows of bios/uefi/uefi_rows.h with the slots of UEFI's tables that efi/ and vpmu/ call, as the compiler sees them."""
import glob
import re
import sys

from clang import cindex

FLAGS = ["-std=gnu11", "-I.", "-ffreestanding", "-fshort-wchar", "-DGNU_EFI_USE_MS_ABI", "-isystem", "/usr/include/efi",
         "-isystem", "/usr/include/efi/x86_64", "-Wno-everything"]
SOURCES = sorted(glob.glob("efi/*.c") + glob.glob("vpmu/shim/**/*.c", recursive=True) + glob.glob("vpmu/boot/*.c"))

# The struct of each table of rows.
TABLES = {
    "BOOT": {"EFI_BOOT_SERVICES", "_EFI_BOOT_SERVICES"},
    "RUNTIME": {"EFI_RUNTIME_SERVICES"},
    "OUTPUT": {"_SIMPLE_TEXT_OUTPUT_INTERFACE"},
    "INPUT": {"_SIMPLE_INPUT_INTERFACE"},
    "FILE": {"_EFI_FILE_HANDLE"},
    "VOLUME": {"_EFI_SIMPLE_FILE_SYSTEM_PROTOCOL"},
    "MP": {"mp_services"},
    "PXE": {"_EFI_PXE_BASE_CODE_PROTOCOL"},
    "BINDING": {"_EFI_SERVICE_BINDING"},
    "MTFTP": {"mtftp"},
}
# Called, and not there on purpose.
NOT_HERE = {
    ("BOOT", "DisconnectController"): "vpmu/boot after a snapshot of OVMF: tools/qemu/boot makes none of a BIOS",
    ("BOOT", "ConnectController"): "the same",
    ("BOOT", "ReinstallProtocolInterface"): "efi/area.c, of a FAT driver: ibsbios has none that writes",
    ("BOOT", "SetTimer"): "efi/console.c, of a timer: uefi_create_event() makes none",
    ("BOOT", "WaitForEvent"): "the same",
    ("BOOT", "CloseEvent"): "the same",
}


def given():
    text = open("bios/uefi/uefi_rows.h").read().replace("\\\n", " ")
    return {(table, name) for table, rows in re.findall(r"#define UEFI_(\w+)_ROWS\(GIVEN, REFUSED\)(.*)", text)
            for name in re.findall(r"\bGIVEN\((\w+),", rows)}


def slots():
    """All rows, and the fields of the structs."""
    text = open("bios/uefi/uefi_rows.h").read().replace("\\\n", " ")
    return {(table, name) for table, rows in re.findall(r"#define UEFI_(\w+)_ROWS\(GIVEN, REFUSED\)(.*)", text)
            for name in re.findall(r"\b(?:GIVEN|REFUSED)\((\w+)", rows)}


def slots_of(field):
    """The table and name of a struct's field, in a list; [] if it is no function of ours."""
    kind = field.type.get_canonical()
    if kind.kind != cindex.TypeKind.POINTER or kind.get_pointee().kind != cindex.TypeKind.FUNCTIONPROTO:
        return []
    parent = field.semantic_parent
    names = {parent.spelling, parent.type.spelling.replace("struct ", "")}
    return [(table, field.spelling) for table, structs in TABLES.items() if names & structs]


def called():
    found, fields = {}, set()
    index = cindex.Index.create()
    for source in SOURCES:
        unit = index.parse(source, args=FLAGS)
        errors = [str(d) for d in unit.diagnostics if d.severity >= cindex.Diagnostic.Error]
        if errors:
            print("not ok %s does not compile here: %s" % (source, errors[0]))
            sys.exit(1)
        for node in unit.cursor.walk_preorder():
            if node.kind == cindex.CursorKind.FIELD_DECL:
                fields |= {slot for slot in slots_of(node) if slot[0] != "MP"}
            if node.kind != cindex.CursorKind.MEMBER_REF_EXPR or not node.referenced:
                continue
            for slot in slots_of(node.referenced):
                found.setdefault(slot, source)
    return found, fields


calls, fields = called()
rows, every = given(), slots()
problems = 0
for slot in sorted(fields - every):
    problems += 1
    print("not ok %s of %s has no row in bios/uefi/uefi_rows.h: a call of it would end at 0" % (slot[1], slot[0]))
for call in sorted(calls):
    if call in rows or call in NOT_HERE:
        continue
    problems += 1
    print("not ok %s calls %s of %s, which bios/uefi/uefi_rows.h does not give" % (calls[call], call[1], call[0]))
for row in sorted(rows):
    if row not in calls:
        problems += 1
        print("not ok bios/uefi/uefi_rows.h gives %s of %s, which nothing in efi/ and vpmu/ calls" % (row[1], row[0]))
for row in sorted(NOT_HERE):
    if row not in calls or row in rows:
        problems += 1
        print("not ok the reason for %s of %s is not needed any more" % (row[1], row[0]))
if not problems:
    print("ok %d functions of UEFI are called in %d files, and %d are there; %d others refuse" %
          (len(calls), len(SOURCES), len(rows), len(every - rows)))
sys.exit(problems != 0)
