#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""The screen on top of the prompt, from start to saved results: screen.py HOW OUT [BOOT-OPTION]...

HOW is line: keys are a terminal's, over the serial port; or keyboard: those of QEMU's, and its pictures are OUT/NAME.png. Each step waits for
what it must have changed on the screen: of a terminal that understands VT100's sequences, and on a BIOS with a keyboard of the VGA's memory."""
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import threading
import time

SECONDS = 150  # for one step
QUIET = 0.25  # without output, and a key's picture is there
ARROWS = {"UP": "\x1b[A", "DOWN": "\x1b[B", "RIGHT": "\x1b[C", "LEFT": "\x1b[D", "HOME": "\x1b[H", "END": "\x1b[F", "PAGE": "\x1b[6~", "DELETE": "\x1b[3~"}
NAMED = {"UP": "up", "DOWN": "down", "RIGHT": "right", "LEFT": "left", "HOME": "home", "END": "end", "PAGE": "pgdn", "DELETE": "delete", "\n": "ret", "\t": "tab", "/": "slash", " ": "spc",
         "=": "equal", "-": "minus", "\x1b": "esc"}


class Terminal:
    """What a console of so many rows and columns shows: places, erasing, and a new row at the end of each."""

    def __init__(self, rows=64, columns=160):
        self.rows, self.columns = rows, columns
        self.cells = [[" "] * columns for _ in range(rows)]
        self.row = self.column = 0
        self.rest = ""

    def feed(self, text):
        text = self.rest + text
        self.rest = ""
        at = 0
        while at < len(text):
            c = text[at]
            if c == "\x1b":
                found = re.compile(r"\x1b(?:\[([0-9;?=]*)([@-~]|(?=[^0-9;?=]))|[^\[])").match(text, at)  # another cuts one off
                if not found:
                    self.rest = text[at:]
                    return
                self.control(found.group(1) or "", found.group(2))
                at = found.end()
                continue
            at += 1
            if c == "\r":
                self.column = 0
            elif c == "\n":
                self.down()
            elif c == "\b":
                self.column = max(0, self.column - 1)
            elif c >= " ":
                self.cells[self.row][min(self.column, self.columns - 1)] = c
                self.column += 1
                if self.column >= self.columns:
                    self.column = 0
                    self.down()

    def down(self):
        self.row += 1
        if self.row == self.rows:
            self.row -= 1
            self.cells = self.cells[1:] + [[" "] * self.columns]

    def control(self, numbers, letter):
        values = [int(n or 0) for n in re.sub("[^0-9;]", "", numbers).split(";")]
        if letter == "H":
            self.row = min(max(values[0], 1), self.rows) - 1
            self.column = min(max(values[1] if len(values) > 1 else 1, 1), self.columns) - 1
        elif letter == "J":
            self.cells = [[" "] * self.columns for _ in range(self.rows)]

    def text(self):
        return "\n".join("".join(row).rstrip() for row in self.cells)


class Machine:
    def __init__(self, how, out, options):
        self.how, self.out, self.terminal, self.at = how, out, Terminal(), 0
        shutil.rmtree(out, ignore_errors=True)
        os.makedirs(out)
        self.line_path, self.monitor_path = os.path.abspath(out) + ".line", os.path.abspath(out) + ".qmp"
        command = ["tools/qemu/boot", "--cold", "--out", out, "--timeout", "900", "--stall", "0", "--options", "hold_s=0 n=20 selftest=no rows=8 op_period=144"] + options
        arguments = f"-qmp unix:{self.monitor_path},server=on,wait=off"
        if how == "line":
            command += ["--line", self.line_path]
        else:
            arguments += " -vga std"
        with open(out + ".boot", "w", encoding="utf-8") as said:
            self.boot = subprocess.Popen(command, env={**os.environ, "IBSBOOT_QEMU_ARGS": arguments}, stdout=said, stderr=said)
        self.monitor = self.connect(self.monitor_path).makefile("rw")
        self.monitor.readline()
        self.do("qmp_capabilities")
        self.line = self.connect(self.line_path) if how == "line" else None
        self.received, self.lock = b"", threading.Lock()
        if self.line:
            threading.Thread(target=self.receive, daemon=True).start()

    def connect(self, path):
        for _ in range(300):
            try:
                made = socket.socket(socket.AF_UNIX)
                made.connect(path)
                return made
            except OSError:
                time.sleep(0.1)
        sys.exit(f"no {path}")

    def receive(self):
        """QEMU waits for whoever does not read the line."""
        while True:
            try:
                new = self.line.recv(4096)
            except OSError:
                return
            if not new:
                return
            with self.lock:
                self.received += new

    def do(self, command, **arguments):
        self.monitor.write(json.dumps({"execute": command, "arguments": arguments}) + "\n")
        self.monitor.flush()
        while True:
            answer = json.loads(self.monitor.readline())
            if "event" not in answer:
                return answer

    def type(self, *keys):
        for key in keys:
            for letter in [key] if key in NAMED else key:
                if self.line:
                    self.line.sendall(ARROWS.get(letter, letter.replace("\n", "\r")).encode())
                else:
                    self.do("send-key", keys=[{"type": "qcode", "data": part} for part in NAMED.get(letter, letter).split("-")], **{"hold-time": 10})
                self.settle()

    def settle(self):
        """A person types when the picture stands; OVMF's serial driver loses characters that come while it writes on a busy host."""
        quiet = time.time() + QUIET
        until = time.time() + 20 * QUIET
        while time.time() < min(quiet, until):
            time.sleep(0.05)
            if self.read():
                quiet = time.time() + QUIET

    def read(self):
        """Returns whether something came."""
        if self.line:
            with self.lock:
                new, self.received = self.received, b""
        else:
            try:
                with open(self.out + "/console.raw", "rb") as file:
                    file.seek(self.at)
                    new = file.read()
            except OSError:
                return False
            self.at += len(new)
        self.terminal.feed(new.decode("latin-1"))
        return bool(new)

    def shows(self, *wanted, picture=None):
        """Waits until the screen has all of it."""
        until = time.time() + SECONDS
        while time.time() < until:
            self.read()
            if all(re.search(text, self.terminal.text(), re.M) for text in wanted):
                self.settle()
                if picture and self.how == "keyboard":
                    self.do("screendump", filename=os.path.abspath(f"{self.out}/{picture}.png"), format="png")
                with open(f"{self.out}/{picture or 'last'}.txt", "w", encoding="utf-8") as file:
                    file.write(self.terminal.text() + "\n")
                return
            if self.boot.poll() is not None:
                break
            time.sleep(0.1)
        self.end()
        sys.exit(f"the screen has no {wanted}:\n{self.terminal.text()}")

    def memory(self):
        """What a VGA in text mode shows."""
        path = os.path.abspath(self.out) + "/vga"
        self.do("pmemsave", val=0xb8000, size=4000, filename=path)
        with open(path, "rb") as file:
            cells = file.read()[::2].decode("latin-1")
        return "\n".join(cells[i:i + 80].rstrip() for i in range(0, 2000, 80))

    def wait(self):
        """Returns the boot's status; the line is read up to its end."""
        until = time.time() + SECONDS
        while self.boot.poll() is None and time.time() < until:
            self.read()
            time.sleep(0.1)
        return self.boot.poll()

    def end(self):
        if self.boot.poll() is None:
            self.boot.terminate()
        self.boot.wait()
        for path in (self.line_path, self.monitor_path):
            if os.path.exists(path):
                os.remove(path)


def session(machine, bios):
    model = r"^ ibsboot \d.*MODEL"
    machine.shows(r"Enter for the screen; running in \d s")
    machine.type("\n")
    machine.shows(model, r"^>  1 workload", "Samples: ", picture="settings")
    if bios and machine.how == "keyboard" and machine.memory() != "\n".join(machine.terminal.text().split("\n")[:25]):
        sys.exit("the VGA's memory is not what the serial port shows:\n" + machine.memory())
    machine.type("DOWN", "e", "3x", "LEFT", "DELETE", "0", "\n")
    machine.shows(r"^>  2\*n +30 ", "Samples: ", picture="changed")
    machine.type("HOME", "6", "RIGHT")
    machine.shows(model, r"^>  6\*sharing +multiplex", picture="stepped")
    machine.type("d", "HOME", "e", "matmul-i", "\t", "\x1b")
    machine.shows(model, r"^>  1 workload +matmul-classic", "Time: ")
    machine.type("\n")
    machine.shows("-- any key for the screen --", "Sav(ed to|ing )", picture="ran")
    machine.type(" ")
    machine.shows(model, "^ *Machine$", r"of \d+$", picture="report")
    machine.type("/", "restored", "\n")
    machine.shows("^ *PASS restored", picture="searched")
    machine.type("g", "/", "address ins", "\n")
    machine.shows(r"^>? *[#=]{1,4} *>? *[0-9a-f]+ [a-z]{2,} ", picture="heat")
    machine.type("h")
    machine.shows(r"^> +[0-9a-f]+ [a-z]{2,} ")
    machine.type("q", "r")
    machine.shows(model, r"^>  1  0001-matmul-classic-ibs .* good", picture="results")
    machine.type("\n")
    machine.shows(model, "0001-matmul-classic", "^ *Machine$")
    machine.type("q", "q", "HOME", "DOWN", "e", "20", "\n")
    machine.shows(r"^>  2\*n +20 ", "Samples: ")
    machine.type("\n")
    machine.shows("-- any key for the screen --")
    machine.type(" ")
    machine.shows(model, "0002-matmul-classic", "^ *Machine$")
    machine.type("q", "r", "m", "UP", "m")
    machine.shows(r"^>  1B 0001-matmul-classic-ibs .* good", r"^   2A 0002-matmul-classic-ibs .* good", picture="marked")
    machine.type("c")
    machine.shows(model, "^A: 0002-matmul-classic-ibs$", r"^  n +20 +30$", r"^  work, inner iterations +3200 +7200 +2\.250$", "^Share of samples",
                  r"^ +[0-9a-f]{4} [a-z]+ .* (different|inconclusive|equivalent)$", picture="compared")
    machine.type("q", "q", "p")
    machine.shows("^ibsboot>$")
    machine.type("see\t7\n", "UP", "HOME", "DELETE", "s", "END", "8\n", "show\n")
    machine.type("q")
    machine.shows("^ibsboot>$", picture="prompt")
    machine.type("screen\n")
    machine.shows(model, r"^>  1 workload")
    machine.type("q")


def main():
    how, out, options = sys.argv[1], sys.argv[2], sys.argv[3:]
    # OVMF polls its serial port's keys by a timer that may come while a character is sent: on a busy host "sampling" arrives as "samppli".
    tries = 2 if how == "line" and "bios" not in options else 1
    for left in reversed(range(tries)):
        machine = Machine(how, out, options)
        try:
            session(machine, "bios" in options)
            status = machine.wait()
            break
        except SystemExit as error:
            if not left:
                raise
            print(f"once more: {error}")
        finally:
            machine.end()
    with open(out + ".boot", encoding="utf-8") as file:
        said = file.read().strip()
    if status != 0:
        sys.exit(f"the boot ended with {status}: {said}")
    with open(out + "/console.txt", encoding="utf-8", errors="replace") as file:
        if "unknown command" in file.read():
            sys.exit("a key was lost at the prompt")
    runs = sorted(os.listdir(out + "/runs"))
    if runs != ["0001-matmul-classic-ibs", "0002-matmul-classic-ibs"] or not all(os.path.exists(f"{out}/runs/{run}/perf.data") for run in runs):
        sys.exit(f"runs that were saved: {runs}")
    print(f"a session by {how}: {said}")


if __name__ == "__main__":
    main()
