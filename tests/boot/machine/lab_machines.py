#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""lab_machines.py FOLDER MACHINES RUNS KILLS SEED: so many machines, of which each sends so many runs to tools/lab-server with its files in FOLDER, by TFTP
and as efi/upload.c and efi/receipt.c do, while the server is killed and started again so many times. Each run must be there once and as it was sent, and the
page must be true whenever it is looked at. Prints "ok ..." and "not ok ..." lines. In a network namespace of its own, with the card lab0."""
import json
import os
import random
import socket
import struct
import subprocess
import sys
import threading
import time
import urllib.request

RRQ, WRQ, DATA, ACK, ERROR, OACK = range(1, 7)
BLOCK, TRIES, AWAY, PAUSE, REPEAT = 1428, 6, 4, 2, 20  # of efi/mtftp.c, upload.c, receipt.c
APART = 0.5  # seconds between two machines that are switched on
SERVER, PORT = "10.0.17.1", 8017
TABLE = [0] * 256
for value in range(256):
    crc = value
    for _ in range(8):
        crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    TABLE[value] = crc


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc = crc >> 8 ^ TABLE[(crc ^ byte) & 255]
    return crc ^ 0xFFFFFFFF


class Away(Exception):
    """The server does not answer."""


class Refused(Exception):
    """The server's error packet: its code."""


class Machine(threading.Thread):
    """A machine: what it has sent and what was confirmed, for the checks."""

    def __init__(self, number, runs, seed):
        super().__init__(daemon=True)
        self.number, self.mac = number, f"52-54-00-00-{number >> 8:02x}-{number & 255:02x}"
        self.runs, self.chance = runs, random.Random(f"{seed} {number}")
        self.sent, self.confirmed, self.damaged, self.away, self.error = {}, [], 0, 0, None

    def transfer(self, opcode, name, data=b""):
        """One try of RFC 1350 with RFC 2348's block size; what was read."""
        line = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        line.settimeout(4 if opcode == RRQ else 1)  # as EDK II does for efi_download(), and efi/mtftp.c
        request = struct.pack(">H", opcode) + name.encode() + b"\0octet\0blksize\0%d\0" % BLOCK
        peer, last, block, got, waited = (SERVER, 69), request, 0, b"", 0
        with line:
            line.sendto(request, peer)
            while True:
                try:
                    packet, whence = line.recvfrom(2048)
                except (socket.timeout, ConnectionError):
                    waited += 1
                    if waited == TRIES:
                        raise Away from None
                    line.sendto(last, peer)
                    continue
                code, number = struct.unpack_from(">HH", packet)
                if peer[1] != 69 and whence != peer:  # the answer to a request that was sent twice
                    line.sendto(struct.pack(">HH", ERROR, 5) + b"unknown\0", whence)
                    continue
                peer = whence
                if code == ERROR:
                    raise Refused(number)
                if opcode == RRQ:
                    if code == DATA and number == (block + 1) & 0xFFFF:
                        got, block = got + packet[4:], block + 1
                    last = struct.pack(">HH", ACK, block & 0xFFFF)
                    line.sendto(last, peer)
                    if code == DATA and len(packet) < 4 + BLOCK:
                        return got
                    continue
                if code != OACK and (code != ACK or number != block & 0xFFFF):
                    continue
                if code == ACK and block * BLOCK > len(data):
                    return got
                waited, block = 0, block + 1
                last = struct.pack(">HH", DATA, block & 0xFFFF) + data[(block - 1) * BLOCK:block * BLOCK]
                line.sendto(last, peer)

    def put(self, name, data):
        while True:
            try:
                return self.transfer(WRQ, name, data)
            except Away:
                self.away += 1
                time.sleep(AWAY)

    def answer(self, name):
        try:
            return self.transfer(RRQ, name)
        except (Away, Refused):
            return b""

    def send(self, run, files, count):
        text = f"try {count}\n".encode()
        for name, data in files.items():
            self.put(f"{run},{name}", data)
            text += f"{crc32c(data):08x} {len(data)} {name}\n".encode()
        text += b"end\n"
        self.put(f"{run},sums.txt", text)
        self.put(f"{run},begun.ini", b"\n")
        return text

    def one_run(self, number):
        run = f"runs/{self.mac},20261129-070000-{self.chance.getrandbits(32):08x},{number:04d}-loop-ibs"
        files = {name: self.chance.randbytes(self.chance.choice([0, 1, BLOCK - 1, BLOCK, 5000, 60000])) for name in ("report.txt", "ibsboot.elf", "own.elf")}
        files["run.ini"] = b"workload = tight-loop\n#: workload.check = 1\n# %d\n" % self.chance.getrandbits(64)
        self.put(f"{run},begun.ini", b"workload = tight-loop\n#: phase = measuring\n")
        time.sleep(1 + 2 * self.chance.random())
        self.sent[run] = files
        count, repeated = 1, time.time()
        text = self.send(run, files, count)
        while True:
            said = self.answer("confirmed/" + run.removeprefix("runs/"))
            if said == text:
                break
            if said == b"again\n" + text:
                self.damaged, count = self.damaged + 1, count + 1
                text = self.send(run, files, count)
            if time.time() - repeated > REPEAT:
                self.put(f"{run},sums.txt", text)
                self.put(f"{run},begun.ini", b"\n")
                repeated = time.time()
            time.sleep(PAUSE)
        self.confirmed.append(run)

    def run(self):
        try:
            time.sleep(APART * self.number)
            for number in range(1, self.runs + 1):
                self.one_run(number)
        except Exception as error:  # for the main thread, which fails then
            self.error = repr(error)


def start(folder):
    return subprocess.Popen(["tools/lab-server", folder, "--card", "lab0"], stdout=open(f"{folder}.log", "a"), stderr=subprocess.STDOUT, start_new_session=True)


def kill(server):
    """As a power cut does: all of the server's processes at once."""
    own = [int(line.split()[0]) for line in subprocess.run(["ps", "-e", "-o", "pid=,sid="], stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()
           if int(line.split()[1]) == server.pid]
    for number in own:
        try:
            os.kill(number, 9)
        except ProcessLookupError:
            pass
    server.wait()


def look(machines):
    """What the page says against what is known: runs that were confirmed before are received, and no more than were sent are. None: no answer."""
    confirmed = {machine.mac: len(machine.confirmed) for machine in machines}
    try:
        with urllib.request.urlopen(f"http://{SERVER}:{PORT}/state.json", timeout=5) as answer:
            state = json.load(answer)
    except OSError:
        return None
    sent, rows = {machine.mac: len(machine.sent) for machine in machines}, {row["mac"]: row for row in state["machines"]}
    wrong = []
    for mac, count in confirmed.items():
        row = rows.get(mac)
        if count and (not row or not count <= row["received"] <= sent[mac]):
            wrong.append(f"{mac}: {count} confirmed, {sent[mac]} sent, page {row and row['received']}")
        if row and row["cut_off"]:
            wrong.append(f"{mac}: cut off")
    return wrong


def main():
    folder, number, runs, kills, seed = sys.argv[1], *map(int, sys.argv[2:6])
    machines = [Machine(one, runs, seed) for one in range(number)]
    server, chance, looks, wrong, killed, began = start(folder), random.Random(seed), 0, [], 0, time.time()
    for machine in machines:
        machine.start()
    wanted = number * runs
    while any(machine.is_alive() for machine in machines):
        time.sleep(0.3)
        done = sum(len(machine.confirmed) for machine in machines)
        if killed < kills and done >= wanted * killed // (kills + 1) and chance.random() < 0.3:
            kill(server)
            killed += 1
            time.sleep(chance.random() * 3)
            server = start(folder)
        seen = look(machines)
        looks += seen is not None
        wrong += seen or []
    seen = look(machines)
    good = not [machine.error for machine in machines if machine.error]
    print(f"{'ok' if good else 'not ok'} {number} machines sent {wanted} runs in {time.time() - began:.0f} s, {sum(machine.away for machine in machines)} tries while "
          f"the server was away, {sum(machine.damaged for machine in machines)} runs sent again: {[machine.error for machine in machines if machine.error]}")
    print(f"{'ok' if killed == kills else 'not ok'} the server was killed {killed} times")
    print(f"{'ok' if not wrong and looks and seen == [] else 'not ok'} the page was true {looks} times: {wrong[:3]}")
    there, different = 0, []
    for top, _, names in os.walk(f"{folder}/collected"):
        there += "sums.txt" in names
    for machine in machines:
        for run, files in machine.sent.items():
            place = f"{folder}/collected/" + run.removeprefix("runs/").replace(",", "/")
            for name, data in files.items():
                try:
                    with open(f"{place}/{name}", "rb") as file:
                        if file.read() != data:
                            different.append(f"{place}/{name}")
                except OSError as error:
                    different.append(str(error))
    print(f"{'ok' if there == wanted else 'not ok'} {there} runs are there, of {wanted}")
    print(f"{'ok' if not different else 'not ok'} all files are as they were sent: {different[:3]}")
    listed = subprocess.run(["build/tools/ibsprof", "archive", "list", "--csv", f"{folder}/archive.db"], stdout=subprocess.PIPE, text=True, check=False).stdout
    for _ in range(400):  # requests that came late are removed at times
        if not os.listdir(f"{folder}/tftp/runs"):
            break
        time.sleep(0.1)
    archived, left = len(listed.splitlines()) - 1, os.listdir(f"{folder}/tftp/runs")
    print(f"{'ok' if archived == wanted else 'not ok'} {archived} runs are in the archive")
    print(f"{'ok' if not left else 'not ok'} nothing is left on its way: {left[:3]}")
    server.terminate()
    server.wait()


if __name__ == "__main__":
    main()
