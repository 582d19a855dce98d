#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# A sample of planted defects: the unit tests notice at least the share of each room in tests/mutate/floors. Each commit tries the rooms
# whose turn it is; ./dev mutate --sample tries all of them.
exec /usr/bin/python3 -B tests/mutate --sample --turn
