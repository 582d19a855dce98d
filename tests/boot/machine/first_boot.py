#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""docs/first-boot.md followed: first_boot.py stick FILE | first_boot.py follow FILE OUT | first_boot.py read OUT

stick: runs the document's line that writes a stick, with FILE for the stick and its folder for build. follow: boots a machine with that stick on USB,
and types what the document says, in its order; a line waits for what ends the one before. read: each run is there and in order, and the document's
last commands read what would be sent."""
import glob
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time

DOCUMENT = "docs/first-boot.md"
# A model steps each instruction: what takes a second on silicon would take hours.
SHORTER = {"config=ibs rows=100": "config=ibs rows=1 n=60", "config=noise": "config=noise noise_ms=5"}
KEYS = {" ": "spc", "\n": "ret", "=": "equal", "_": "shift-minus"}
SECONDS = 240  # for one line


def document():
    with open(DOCUMENT, encoding="utf-8") as file:
        return file.read()


def stick(path):
    (line,) = re.findall(r"`sudo (dd if=build/ibsboot-usb\.img of=/dev/sdX [^`]*)`", document())
    folder = os.path.dirname(path)
    done = subprocess.run(line.replace("build/", folder + "/").replace("/dev/sdX", path), shell=True, stderr=subprocess.PIPE, text=True)
    if done.returncode or os.path.getsize(path) != os.path.getsize(folder + "/ibsboot-usb.img"):
        sys.exit(f"{line}: {done.stderr}")
    print(line)


class Keyboard:
    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        for _ in range(200):
            try:
                self.socket.connect(path)
                break
            except OSError:
                time.sleep(0.1)
        self.file = self.socket.makefile("rw")
        self.file.readline()
        self.do("qmp_capabilities")

    def do(self, command, **arguments):
        self.file.write(json.dumps({"execute": command, "arguments": arguments}) + "\n")
        self.file.flush()
        while "event" in json.loads(self.file.readline()):
            pass

    def type(self, text):
        for letter in text:
            self.do("send-key", keys=[{"type": "qcode", "data": key} for key in KEYS.get(letter, letter).split("-")], **{"hold-time": 10})
            time.sleep(0.03)


class Console:
    def __init__(self, path, boot):
        self.path, self.boot, self.at = path, boot, 0

    def wait(self, text):
        until = time.time() + SECONDS
        while time.time() < until and self.boot.poll() is None:
            try:
                with open(self.path, "rb") as file:
                    file.seek(self.at)
                    new = file.read()
            except OSError:
                new = b""
            if text.encode() in new:
                self.at += new.index(text.encode()) + len(text)
                return
            time.sleep(0.1)
        sys.exit(f"no '{text}' on the console")


def follow(path, out):
    monitor = os.path.abspath(out) + ".qmp"
    boot = subprocess.Popen(["tools/qemu/boot", "--stick", path, "--bus", "xhci", "--smp", "2", "--out", out, "--timeout", "500", "--options", "hold_s=0"],
                            env={**os.environ, "IBSBOOT_QEMU_ARGS": f"-qmp unix:{monitor},server=on,wait=off"}, stdout=subprocess.DEVNULL)
    try:
        keyboard, console = Keyboard(monitor), Console(out + "/console.raw", boot)
        console.wait("Any key for the prompt")
        keyboard.type("x")
        lines = re.findall(r"^    ibsboot> (.*)$", document(), re.M)
        for line in lines:
            console.wait("ibsboot> ")
            keyboard.type(SHORTER.get(line, line) + "\n")
        console.wait("ibsboot: end: status ")
        status = boot.wait(timeout=60)
    finally:
        boot.terminate()
        boot.wait()
        if os.path.exists(monitor):
            os.remove(monitor)
    if status or "quit" not in lines:
        sys.exit(f"the boot ended with {status}")
    print(f"{len(lines)} lines, each taken")


def read(out):
    """In the words of the document, what each step must give."""
    runs = [os.path.basename(run)[5:] for run in sorted(glob.glob(out + "/runs/*"))]
    wanted = ["selftest", "matmul-classic-ibs", "hardware", "matmul-classic-ibs", "matmul-classic-explore", "noise", "hardware"]
    if runs != wanted:
        sys.exit(f"runs {runs}, not {wanted}")
    with open(out + "/console.txt", encoding="utf-8", errors="replace") as file:
        text = file.read()
    for bad in ("FAIL ", "LOST: ", "STOPPED: ", "NOT SAVED", "The run failed", "NOT FINISHED"):
        if bad in text:
            sys.exit(f"the console says '{bad}'")
    for good in ("PASS restored", " as expected, 0 otherwise", "Saved to"):
        if good not in text:
            sys.exit(f"the console does not say '{good}'")
    place = out + ".sent"
    shutil.rmtree(place, ignore_errors=True)
    os.makedirs(place)
    shutil.copytree(out + "/runs", place + "/runs")
    shutil.copy(out + "/hardware.csv", place)
    commands = re.findall(r"^    (ibsprof .*)$", document(), re.M)
    for command in commands:
        done = subprocess.run(command.replace("ibsprof", os.path.abspath("build/tools/ibsprof"), 1), shell=True, cwd=place, capture_output=True, text=True)
        if done.returncode or not done.stdout.strip() or done.stderr:
            sys.exit(f"{command}: status {done.returncode}: {done.stderr}")
    print(f"{len(runs)} runs, {len(commands)} commands read them")


{"stick": stick, "follow": follow, "read": read}[sys.argv[1]](*sys.argv[2:])
