#!/bin/sh
# The code map's fields, instruction by instruction: the rows are in codemap_fields.py.
mkdir -p build/listing && exec python3 tests/host/codemap_fields.py build/listing
