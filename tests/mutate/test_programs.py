# SPDX-License-Identifier: BSD-2-Clause
"""Tests of how test programs are run, beside those of test_mutate.py, which runs these as well."""
import tempfile
import threading
import time
import unittest
import unittest.mock

import programs


class Programs(unittest.TestCase):
    def test_one_at_a_time(self):
        """Two jobs that ask at once whether a test is sound run that test once: its files would be those of two runs."""
        runs, both = [], threading.Barrier(2)
        shop, room = unittest.mock.Mock(), unittest.mock.Mock(flags=[], sources=[], programs=[])
        with tempfile.TemporaryDirectory() as shop.home:
            reach = programs.Reach(shop, room)

        def run_program(*_, **__):
            runs.append(1)
            time.sleep(0.3)
            return "passed", 0

        def ask():
            both.wait()
            reach.refuse_unsound("test_made")

        with unittest.mock.patch.object(programs, "run_program", run_program):
            jobs = [threading.Thread(target=ask) for _ in range(2)]
            for job in jobs:
                job.start()
            for job in jobs:
                job.join()
        self.assertEqual(len(runs), 1)
