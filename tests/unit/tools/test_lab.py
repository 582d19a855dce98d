#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""Tests of what tools/lab gives to the programs of a lab's server."""
import ipaddress
import os
import sys

import helper

sys.path.insert(0, os.path.join(helper.ROOT, "tools", "lab"))
import lab_config  # noqa: E402 (of tools/lab)


class Configuration(helper.Case):
    def test_configuration(self):
        four, six = ipaddress.ip_interface("10.0.17.1/24"), ipaddress.ip_interface("fd00:17::1/64")
        text = "".join(lab_config.dnsmasq("lab0", *words) + "---\n" for words in ((four, six), (ipaddress.ip_interface("192.168.0.9/28"),), (four, None, True)))
        self.kept("lab-config.txt", text + lab_config.IPXE + "---\n" + lab_config.SETTINGS + " ".join(lab_config.tftpd(four.ip, "/lab/tftp")) + "\n")


if __name__ == "__main__":
    helper.main()
