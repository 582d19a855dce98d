#!/bin/sh
# A sample of planted defects: as many of each room as the floors of tests/mutate/floors say are noticed by the unit tests.
exec /usr/bin/python3 -B tests/mutate --sample
