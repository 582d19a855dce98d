#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""Adds certificates to a variable of OVMF's store in a file, as somebody does in the firmware's setup, or with mokutil for MokList
(tests/boot/machine/secure.sh).

usage: enroll.py VARS db|dbx|MokList CERT.pem...

The store: EDK II, MdeModulePkg/Include/Guid/VariableFormat.h (VARIABLE_STORE_HEADER, AUTHENTICATED_VARIABLE_HEADER). A variable's
content: UEFI 2.10, section 32.4.1 (EFI_SIGNATURE_LIST, EFI_CERT_X509_GUID)."""
import base64
import re
import struct
import sys
import uuid

START, ADDED, DELETED = 0x55AA, 0x3F, 0x3D  # of a variable that is there, and of one that was
HEADER = struct.Struct("<HBBIQ16sIII16s")
KEPT, BOOT, RUNTIME, AUTHENTICATED = 1, 2, 4, 0x20  # attributes: UEFI 2.10, section 8.2.1
X509 = uuid.UUID("a5c059a1-94e4-4aa7-87b5-ab155c2bf072").bytes_le
OWNER = uuid.UUID("1b5b0071-0000-4000-8000-000000000000").bytes_le
DATABASE = uuid.UUID("d719b2cb-3d3a-4596-a3bc-dad00e67656f").bytes_le, KEPT | BOOT | RUNTIME | AUTHENTICATED
SHIM = uuid.UUID("605dab50-e046-4300-abb6-3dd810dd8b23").bytes_le, KEPT | BOOT  # github.com/rhboot/shim, lib/guid.c and mok.c
STORE = uuid.UUID("aaf32c78-947b-439a-a180-2e144ec37792").bytes_le


def signature_list(path):
    text = re.search("BEGIN CERTIFICATE-+(.*?)-+END", open(path).read(), re.S).group(1)
    der = base64.b64decode(text)
    return X509 + struct.pack("<III", 28 + 16 + len(der), 0, 16 + len(der)) + OWNER + der


def main(path, name, certificates):
    vendor, attributes = SHIM if name == "MokList" else DATABASE
    store = bytearray(open(path, "rb").read())
    at = store.index(STORE) + 28
    wanted, content, stamp = (name + "\0").encode("utf-16-le"), b"", bytes(16)
    while struct.unpack_from("<H", store, at)[0] == START:
        _, state, _, _, _, when, _, name_size, size, guid = HEADER.unpack_from(store, at)
        begin = at + HEADER.size
        if state == ADDED and guid == vendor and store[begin:begin + name_size] == wanted:
            store[at + 2] &= DELETED
            content, stamp = bytes(store[begin + name_size:begin + name_size + size]), when
        at = (begin + name_size + size + 3) & ~3
    content += b"".join(signature_list(certificate) for certificate in certificates)
    variable = HEADER.pack(START, ADDED, 0, attributes, 0, stamp, 0, len(wanted), len(content), vendor) + wanted + content
    if set(store[at:at + len(variable)]) != {0xFF}:
        sys.exit(f"enroll.py: no room in {path}")
    store[at:at + len(variable)] = variable
    open(path, "wb").write(store)


main(sys.argv[1], sys.argv[2], sys.argv[3:])
