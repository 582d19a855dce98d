#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The code map's fields, instruction by instruction: the rows are in codemap_fields.py.
mkdir -p build/listing && exec python3 tests/host/image/codemap_fields.py build/listing
