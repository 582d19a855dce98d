#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The tests of ./dev mutate itself, on made-up C.
exec /usr/bin/python3 -B tests/mutate/test_mutate.py
