# SPDX-License-Identifier: BSD-2-Clause
"""pull.py SOCKET CONSOLE TEXT: when TEXT is on the console of a QEMU with a QMP socket, its USB stick is pulled out."""
import json
import os
import socket
import sys
import time

path, console, text = sys.argv[1:4]
while not os.path.exists(path):
    time.sleep(0.02)
monitor = socket.socket(socket.AF_UNIX)
monitor.connect(path)
lines = monitor.makefile()


def ask(command, **arguments):
    monitor.sendall(json.dumps({"execute": command, "arguments": arguments}).encode() + b"\n")
    while True:
        answer = json.loads(lines.readline())
        if "return" in answer or "error" in answer:
            return answer.get("return")


lines.readline()
ask("qmp_capabilities")
place = "/machine/peripheral-anon"
stick = next(place + "/" + row["name"] for row in ask("qom-list", path=place) if row["type"] == "child<usb-storage>")
while text not in open(console, errors="replace").read():
    time.sleep(0.02)
ask("device_del", id=stick)
