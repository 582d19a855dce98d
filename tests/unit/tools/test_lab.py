#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""Tests of tools/lab-server: what it configures, makes, starts and shows. The programs below it are made up, but for those that machines talk to: these are
in tests/boot/machine/lab.sh."""
import contextlib
import http.client
import io
import ipaddress
import json
import os
import resource
import runpy
import signal
import socket
import subprocess
import sys
import threading
import time
import types

import helper

sys.path.insert(0, os.path.join(helper.ROOT, "tools", "lab"))
import lab_config  # noqa: E402 (of tools/lab)
import lab_page  # noqa: E402
import lab_state  # noqa: E402

PROGRAM = types.SimpleNamespace(**runpy.run_path(os.path.join(helper.ROOT, "tools/lab-server")))
MAC, BOOT = "52-54-00-12-34-56", "20261129-070000-1b5b0071"
WORDS = ("--card", "lab0")


class Lab(helper.Case):
    def setUp(self):
        super().setUp()
        if helper.REACH:
            sys.settrace(helper.note_line)
            threading.settrace(helper.note_line)
            self.addCleanup(sys.settrace, None)
            self.addCleanup(threading.settrace, None)
        self.lab = PROGRAM.Lab(self.path("lab"))

    def made(self, wait=600):
        helper.write(self.path("build/ibsboot.efi"), "image")
        self.lab.make(self.path("build"), wait)

    def upload(self, name, text="x", mac=MAC, boot=BOOT):
        helper.write(os.path.join(self.lab.uploads, f"{mac},{boot},{name}" if boot else name), text)

    def take(self, run, text="", mac=MAC, boot=BOOT):
        helper.write(os.path.join(self.lab.collected, mac, boot, run, "run.ini"), text)

    def rows(self):
        return {row["mac"]: row for row in lab_state.read(self.lab)["machines"]}


class Configuration(Lab):
    def test_configuration(self):
        four, six = ipaddress.ip_interface("10.0.17.1/24"), ipaddress.ip_interface("fd00:17::1/64")
        text = "".join(lab_config.dnsmasq("lab0", *words) + "---\n" for words in ((four, six), (ipaddress.ip_interface("192.168.0.9/28"),), (four, None, True)))
        self.kept("lab-config.txt", text + lab_config.IPXE + "---\n" + lab_config.SETTINGS + " ".join(lab_config.tftpd(four.ip, "/lab/tftp")) + "\n")

    def test_addresses(self):
        known = [{"family": "inet6", "scope": "link", "local": "fe80::1", "prefixlen": 64}, {"scope": "global", "local": "fd00:17::1", "prefixlen": 64},
                 {"scope": "global", "local": "10.0.17.1", "prefixlen": 24}, {"scope": "global", "local": "10.9.9.9", "prefixlen": 8}]
        helper.write(self.path("ip"), f"#!/bin/sh\n[ \"$*\" = '-json addr show dev lab0' ] || {{ echo no card >&2; exit 1; }}\ncat {self.path('out')}\n", 0o755)
        path, os.environ["PATH"] = os.environ["PATH"], self.folder + ":" + os.environ["PATH"]
        self.addCleanup(os.environ.__setitem__, "PATH", path)
        for used, wanted in ((known, "10.0.17.1/24 fd00:17::1/64"), (known[:1] + known[2:], "10.0.17.1/24 None"), (known[:2], "has no IPv4 address")):
            helper.write(self.path("out"), json.dumps([{"addr_info": used}]))
            try:
                said = " ".join(map(str, PROGRAM.addresses("lab0")))
            except SystemExit as end:
                said = end.code
            self.assertIn(wanted, said)
        with self.assertRaises(SystemExit) as end:
            PROGRAM.addresses("lab1")
        self.assertEqual(end.exception.code, "lab-server: lab1: no card")

    def test_arguments(self):
        options = PROGRAM.arguments(["/lab", *WORDS])
        self.assertEqual(vars(options), {"folder": "/lab", "card": "lab0", "proxy": False, "archive": None, "wait": 600, "largest": 1024, "port": 8017,
                                         "build": os.path.join(helper.ROOT, "build")})
        for wait, good in (("0", False), ("1", True), ("86400", True), ("86401", False)):
            with contextlib.redirect_stderr(io.StringIO()) as said:
                try:
                    self.assertEqual((PROGRAM.arguments(["/lab", *WORDS, "--wait", wait]).wait, good), (int(wait), True))
                except SystemExit:
                    self.assertTrue(not good and "--wait is from 1 to 86400" in said.getvalue())


class Folder(Lab):
    def test_made(self):
        """What the owner has written stays; the image is this version's; the wait is what machines read."""
        self.made()
        said = subprocess.run("cd lab && find . -printf '%M %p\\n' | sort -k 2 && cat tftp/ibsboot/ibsboot.ini tftp/confirmed/wait tftp/ibsboot.efi",
                              shell=True, cwd=self.folder, stdout=subprocess.PIPE, text=True, check=True).stdout
        self.kept("lab-folder.txt", said + "\n")
        helper.write(os.path.join(self.lab.settings, "ibsboot.ini"), "n = 20\n")
        self.take("0001-a", "kept")
        helper.write(self.path("build/ibsboot.efi"), "newer")
        self.lab.make(self.path("build"), 30)
        for path, wanted in (("tftp/ibsboot/ibsboot.ini", "n = 20\n"), ("tftp/ibsboot.efi", "newer"), ("tftp/confirmed/wait", "30\n"),
                             (f"collected/{MAC}/{BOOT}/0001-a/run.ini", "kept")):
            self.assertEqual(helper.read(self.path("lab", path)), wanted)

    def test_parts(self):
        self.made()
        self.take("0001-a")
        self.take(".new-77")
        helper.write(os.path.join(self.lab.collected, MAC, BOOT, ".new-file"))  # no folder: it stays, and stops nothing
        self.take(".new-78", mac="fe" + MAC[2:])
        self.lab.remove_parts()
        self.assertEqual(sorted(os.listdir(os.path.join(self.lab.collected, MAC, BOOT))), [".new-file", "0001-a"])
        self.assertEqual(os.listdir(os.path.join(self.lab.collected, "fe" + MAC[2:], BOOT)), [])

    def test_arrived(self):
        self.made()
        for name, text, wanted in (("0001-a,report.txt", "", False), ("0001-a,begun.ini", "xx", False), ("0001-a,begun.ini", "x", True), ("0001-a,begun.ini", "", True),
                                   ("0001-a,begun.ini", "xx", False), ("0001-a,sums.txt", "xx", True)):
            self.upload(name, text)
            self.assertEqual(self.lab.has_arrived(), wanted, name)

    def test_receive(self):
        """The words; what is told of what it says; a problem that goes away."""
        self.made()
        program = '#!/bin/sh\nprintf "%s\\n" "$*" "not finished: a"\nprintf "a\\033[2Jb\\n"\n'
        for end, wanted in (("exit 0", ""), ("echo 'ibsprof: x: 3 files that belong to no run are left there; the first: b' >&2; exit 1", ""), ("echo one >&2; echo two >&2; exit 4", "two"),
                            ("exit 4", ""), ("echo damaged >&2; exit 1", "")):
            helper.write(self.path("ibsprof"), program + end + "\n", 0o755)
            with contextlib.redirect_stdout(io.StringIO()) as said:
                self.lab.receive(self.path("ibsprof"), "db")
            self.assertEqual(self.lab.problem, wanted)
            self.assertTrue(said.getvalue().startswith(f"receive --to {self.lab.collected} --confirm {self.lab.confirmed} --archive db {self.lab.uploads}\na?[2Jb\n"))
            self.assertEqual("two" in said.getvalue(), wanted == "two")
            self.assertNotIn("files that belong to no run", said.getvalue())
        os.chmod(self.path("ibsprof"), 0o644)  # it is being installed
        self.lab.receive(self.path("ibsprof"), "db")
        self.assertIn("Permission denied", self.lab.problem)


class Daemons(Lab):
    def daemon(self, *words):
        made = PROGRAM.Daemon(self.lab, ["sh", "-c", *words], 1000)
        self.addCleanup(lambda: made.process and made.process.poll() is None and made.end())
        return made

    def test_again(self):
        """It is started once, again when it has ended, and cannot write larger files."""
        self.made()
        one = self.daemon("ulimit -f; echo said; exec sleep 1000")
        limit = resource.getrlimit(resource.RLIMIT_FSIZE)
        self.assertEqual((one.keep(), one.keep()), (False, False))
        self.assertEqual(resource.getrlimit(resource.RLIMIT_FSIZE), limit)
        first = one.process.pid
        for _ in range(100):
            if "said" in helper.read(one.path + ".log"):
                break
            time.sleep(0.05)
        self.assertEqual(helper.read(one.path + ".log"), "1\nsaid\n")  # in blocks of 512 bytes, rounded down
        one.process.kill()
        one.process.wait()
        self.assertTrue(one.keep())
        self.assertNotEqual(one.process.pid, first)
        self.assertEqual(helper.read(one.path + ".pid"), str(one.process.pid))
        one.end()
        self.assertEqual(one.process.returncode, -signal.SIGTERM)  # it was waited for

    def test_left(self):
        """One that is left ends, if it is the same; another program that has its number by now does not."""
        self.made()
        one = self.daemon("sleep 1000; echo")
        one.keep()
        self.daemon("sleep 1001; echo")
        self.assertIsNone(one.process.poll())
        again = PROGRAM.Daemon(self.lab, one.words, 1000)
        for _ in range(100):
            if one.process.poll() is not None:
                break
            time.sleep(0.05)
        self.assertEqual(one.process.poll(), -signal.SIGTERM)
        self.assertIsNone(again.process)
        for text in ("", "x", "999999999"):
            helper.write(one.path + ".pid", text)
            self.daemon("sleep 1")


class State(Lab):
    BEGUN = "workload = \"loop\"\nconfig = ibs\n#: machine.name = AMD <X>\n#: machine.serial = 7\n#: plan.run = 2\n#: plan.runs = 9\n#: phase = measuring\n#: phase = saving a\n"

    def test_states(self):
        self.made()
        self.assertEqual(self.rows(), {})
        helper.write(self.lab.leases, "1 52:54:00:12:34:56 10.0.17.50 * *\n2 fe:54:00:12:34:56 10.0.17.51 box *\nduid 00:01\n3 no 10.0.17.52 x *\n")
        self.assertEqual({mac: (row["address"], row["name"], row["state"], row["settings"]) for mac, row in self.rows().items()},
                         {MAC: ("10.0.17.50", "", "booted", "common"), "fe-54-00-12-34-56": ("10.0.17.51", "box", "booted", "common")})
        helper.write(os.path.join(self.lab.settings, MAC, "ibsboot.ini"))
        self.upload("0001-loop-ibs,begun.ini", self.BEGUN)
        self.upload("0001-loop-ibs,report.txt", "x" * 1000)
        self.upload("0001-loop-ibs,perf.data", "x" * 24)
        row = self.rows()[MAC]
        self.assertEqual([row[key] for key in ("state", "phase", "files", "bytes", "what", "plan", "processor", "board", "received", "settings", "run", "cut_off")],
                         ["measuring", "saving a", 2, 1024, "loop ibs", "2 of 9", "AMD <X>", "7", 0, "own", "0001-loop-ibs", 0])
        self.upload("0001-loop-ibs,begun.ini", "xx")
        self.assertEqual(self.rows()[MAC]["state"], "measuring")
        for name, text in (("sums.txt", "try"), ("begun.ini", "\n")):
            self.upload(f"0001-loop-ibs,{name}", text)
            self.assertEqual((self.rows()[MAC]["state"], self.rows()[MAC]["phase"]), ("sent", "waits for the check"))
        for name in os.listdir(self.lab.uploads):
            os.remove(os.path.join(self.lab.uploads, name))
        self.take("0001-loop-ibs", "workload = loop\n#: workload.check = 1\n")
        row = self.rows()[MAC]
        self.assertEqual([row[key] for key in ("state", "received", "last", "result", "what")],
                         ["finished", 1, f"{MAC}/{BOOT}/0001-loop-ibs", "right", "loop"])
        self.take("0002-loop-ibs", "#: workload.check = 0\n")
        os.utime(os.path.join(self.lab.collected, MAC, BOOT, "0001-loop-ibs"), (1, 1))
        self.take(".new-1")
        self.assertEqual([self.rows()[MAC][key] for key in ("received", "result")], [2, "WRONG"])
        self.upload("0003-refused,begun.ini", "#: phase = refused: no such\n")
        self.assertEqual([self.rows()[MAC][key] for key in ("state", "phase")], ["refused", "refused: no such"])

    def test_cut_off(self):
        """A machine that has begun something else, or has sent it, does not measure any more."""
        self.made()
        self.upload("0001-a,begun.ini", self.BEGUN)
        self.upload("0001-a,begun.ini", self.BEGUN, boot="20261130-000000-2")
        os.utime(os.path.join(self.lab.uploads, f"{MAC},{BOOT},0001-a,begun.ini"), (9, 9))
        self.assertEqual([self.rows()[MAC][key] for key in ("state", "cut_off", "run")], ["measuring", 1, "0001-a"])
        self.take("0001-a", boot="20261130-000000-2")
        os.remove(os.path.join(self.lab.uploads, f"{MAC},20261130-000000-2,0001-a,begun.ini"))
        self.assertEqual([self.rows()[MAC][key] for key in ("state", "cut_off", "received")], ["finished", 1, 1])
        self.take("0001-a")
        self.assertEqual([self.rows()[MAC][key] for key in ("state", "cut_off", "received")], ["finished", 0, 2])

    def test_hostile(self):
        """Names of other forms are counted and make no machine; links are not followed; long and odd texts are cut."""
        self.made()
        hostile = [f"{MAC},{BOOT},0001-a,../x".replace("/", "_"), "x", "<script>", f"{MAC},kept", f"{MAC},{BOOT},001-a,run.ini", f"{MAC},{BOOT},0001-a,run.ini,x",
                   "52-54-00-12-34-5G,20261129-070000,0001-a,run.ini", f"{MAC},{BOOT},0001-\u0661,run.ini", f"{MAC},{BOOT},0001-a,run.ini\n"]
        hostile[0] = f"{MAC},{BOOT},0001 a,x"
        for name in hostile:
            self.upload(name, boot="")
        self.upload(f"{MAC},kept,plan-1.0", boot="")
        os.symlink("/etc/passwd", os.path.join(self.lab.uploads, f"{MAC},{BOOT},0001-a,begun.ini"))
        with os.scandir(self.lab.uploads) as entries:
            run = lab_state.Run()
            run.add(next(entry for entry in entries if entry.is_symlink()), "run.ini")  # as if it had taken a file's place meanwhile
        self.assertEqual(run.bytes, len("/etc/passwd"))
        os.mkdir(os.path.join(self.lab.uploads, f"{MAC},{BOOT},0001-a,run.ini"))
        state = lab_state.read(self.lab)
        self.assertEqual((state["machines"], state["others"]), ([], len(hostile) + 2))
        helper.write(self.path("f"), b"#: phase = " + b"\xff" * 300 + b"\n" + b"x" * 70000 + b"\n#: config = late\n")
        self.assertEqual(lab_state.facts(self.path("f")), {"phase": "\ufffd" * 200})
        os.symlink("f", self.path("link"))
        os.mkfifo(self.path("pipe"))
        self.assertEqual([lab_state.facts(self.path(name)) for name in ("link", "none")], [{}, {}])
        self.assertEqual(lab_state.facts(self.path("pipe")), {})
        os.makedirs(os.path.join(self.lab.collected, "no-machine", "x", "0001-a"))
        self.assertEqual(lab_state.read(self.lab)["machines"], [])


class Page(Lab):
    def setUp(self):
        super().setUp()
        self.made()
        self.port = lab_page.serve(self.lab, "127.0.0.1", 0)

    def ask(self, path, method="GET"):
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        line.request(method, path)
        answer = line.getresponse()
        text = answer.read()
        line.close()
        return answer.status, answer.headers, text

    def test_paths(self):
        for path, kind, begin in (("/", "text/html; charset=utf-8", b"<!doctype html>"), ("/page.js?x", "text/javascript; charset=utf-8", b"// SPDX"),
                                  ("/state.json", "application/json", b'{"time"')):
            status, headers, text = self.ask(path)
            self.assertEqual((status, headers["Content-Type"], text[:len(begin)]), (200, kind, begin))
            self.assertEqual((headers["Cache-Control"], headers["X-Content-Type-Options"], headers["Server"].strip()), ("no-store", "nosniff", "ibsboot"))
            self.assertIn("default-src 'self'", headers["Content-Security-Policy"])
        for path in ("/lab_page.py", "/../lab-server", "//etc/passwd", "/%2e%2e/lab-server", "/state.json/"):
            self.assertEqual(self.ask(path)[0], 404)
        self.assertEqual(self.ask("/", "POST")[0], 501)
        self.lab.problem = "the disk is full"
        self.assertEqual(json.loads(self.ask("/state.json")[2])["problem"], "the disk is full")

    def test_clients(self):
        """Clients that ask for nothing, or for nonsense, take no place for ever, and there are no more of them than there is room for."""
        lab_page.Handler.timeout, before = 0.5, lab_page.Handler.timeout
        self.addCleanup(setattr, lab_page.Handler, "timeout", before)
        self.assertEqual(before, 10)
        lines = [socket.create_connection(("127.0.0.1", self.port)) for _ in range(lab_page.CLIENTS)]
        time.sleep(0.2)
        with socket.create_connection(("127.0.0.1", self.port)) as more:
            self.assertEqual(more.recv(10), b"")
        lines[0].sendall(b"\xff\0nonsense\r\n\r\n")
        for line in lines:
            line.settimeout(10)
            while line.recv(1000):
                pass
            line.close()
        time.sleep(0.2)
        self.assertEqual(self.ask("/state.json")[0], 200)


class Program(Lab):
    """The whole program, with made-up programs below it."""

    def setUp(self):
        super().setUp()
        self.bin = self.path("bin")
        address = json.dumps([{"addr_info": [{"scope": "global", "local": "127.0.0.1", "prefixlen": 8}]}])
        helper.write(os.path.join(self.bin, "ip"), f"#!/bin/sh\necho '{address}'\n", 0o755)
        for name in ("dnsmasq", "in.tftpd"):
            helper.write(os.path.join(self.bin, name), f'#!/bin/sh\necho "{name} $*" >>{self.path("calls")}\nexec sleep 1000\n', 0o755)
        helper.write(self.path("build/tools/ibsprof"), f'#!/bin/sh\nrm -f {self.lab.uploads}/*\necho "ibsprof $*" >>{self.path("calls")}\n', 0o755)

    def start(self, *words):
        server = subprocess.Popen([os.path.join(helper.ROOT, "tools/lab-server"), self.lab.folder, *WORDS, "--build", self.path("build"), "--port", "0", *words],
                                  env={**os.environ, "PATH": f"{self.bin}:{os.environ['PATH']}"}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.addCleanup(server.stdout.close)
        self.addCleanup(server.kill)
        return server

    def waited(self, text):
        for _ in range(200):
            if os.path.exists(self.path("calls")) and text in helper.read(self.path("calls")):
                return helper.read(self.path("calls"))
            time.sleep(0.05)
        return self.fail(text)

    def test_program(self):
        server = self.start("--wait", "77", "--proxy")
        port = int(server.stdout.readline().strip().removesuffix("/").rpartition(":")[2])
        self.waited("in.tftpd --listen")
        self.waited("dnsmasq --no-daemon")
        self.waited("ibsprof receive")  # at the start, and then only when something has come
        os.remove(self.path("calls"))
        time.sleep(2.5)
        self.assertFalse(os.path.exists(self.path("calls")))
        self.upload("0001-a,sums.txt")
        calls = self.waited("ibsprof receive")
        self.assertIn(f"--archive {self.lab.folder}/archive.db", calls)
        self.assertEqual(helper.read(os.path.join(self.lab.confirmed, "wait")), "77\n")
        self.assertIn(",proxy", helper.read(os.path.join(self.lab.state, "dnsmasq.conf")))
        line = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
        line.request("GET", "/state.json")
        self.assertEqual(json.loads(line.getresponse().read())["machines"], [])
        line.close()
        second = self.start()
        self.assertIn("another server is at work there", second.communicate(timeout=20)[0])
        self.assertEqual(second.returncode, 1)
        children = [int(helper.read(os.path.join(self.lab.state, name + ".pid"))) for name in ("dnsmasq", "in.tftpd")]
        os.kill(children[0], signal.SIGKILL)
        self.assertIn("dnsmasq ended; it is started again", server.stdout.readline())
        children = [int(helper.read(os.path.join(self.lab.state, name + ".pid"))) for name in ("dnsmasq", "in.tftpd")]
        server.terminate()
        self.assertEqual(server.wait(20), 0)
        self.assertEqual([os.path.exists(f"/proc/{child}") for child in children], [False, False])


if __name__ == "__main__":
    helper.main()
