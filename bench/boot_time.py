# SPDX-License-Identifier: BSD-2-Clause
"""Measures the time that ibsbios adds to a boot: boot_time.py STICK BUS MACHINE.

The stick's syslinux prints on the serial port ("SERIAL 0 115200"). Times are from its last message before it jumps to ibsbios to the
first line of ibsbios, and to the first line of the image: in seconds of QEMU's processor time, which other programs on the host change
little, and by the clock. One line on standard output; status 1: more than two seconds of processor time, or no such line in a minute."""
import os
import re
import subprocess
import sys
import time

BUSES = {
    "ide": ["-device", "ide-hd,drive=stick,bootindex=1"],
    "ahci": ["-device", "ahci,id=disks", "-device", "ide-hd,drive=stick,bus=disks.0,bootindex=1"],
    "ehci": ["-device", "usb-ehci,id=usb", "-device", "usb-storage,drive=stick,bus=usb.0,bootindex=1"],
    "xhci": ["-device", "qemu-xhci,id=usb", "-device", "usb-storage,drive=stick,bus=usb.0,bootindex=1"],
    "uhci": ["-device", "piix3-usb-uhci,id=usb", "-device", "usb-storage,drive=stick,bus=usb.0,bootindex=1"],
}
SEEN = [re.compile(text) for text in (rb"Loading /boot/ibsbios[^\n]*ok", rb"ibsbios: version", rb"\nibsboot \d")]
LIMIT_S, PATIENCE_S = 2.0, 240


def spent(pid):
    fields = open("/proc/%d/stat" % pid).read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main(stick, bus, machine):
    qemu = subprocess.Popen(["qemu-system-x86_64", "-machine", machine, "-cpu", "phenom,-fxsr-opt", "-m", "512", "-display", "none", "-nic", "none",
                             "-no-reboot", "-snapshot", "-serial", "stdio", "-monitor", "none", "-drive",
                             "if=none,id=stick,format=raw,file=" + stick] + BUSES[bus], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
    text, times, end = b"", [], time.monotonic() + PATIENCE_S
    try:
        while len(times) < len(SEEN) and time.monotonic() < end:
            piece = os.read(qemu.stdout.fileno(), 4096)
            if not piece:
                break
            text += piece.replace(b"\r", b"")
            while len(times) < len(SEEN) and SEEN[len(times)].search(re.sub(rb"\x1b\[[0-9;?=]*[@-~]", b"", text)):
                times.append((spent(qemu.pid), time.monotonic()))
    finally:
        qemu.kill()
        qemu.wait()
    if len(times) < len(SEEN):
        print("boot_time: %s: not seen: %s" % (bus, SEEN[len(times)].pattern.decode()))
        return 1
    (from_cpu, from_clock), (own_cpu, own_clock), (image_cpu, image_clock) = times
    print("%-5s %-11s syslinux to ibsbios %.2f s (clock %.2f), ibsbios to ibsboot %.2f s (clock %.2f)" % (
        bus, machine, own_cpu - from_cpu, own_clock - from_clock, image_cpu - own_cpu, image_clock - own_clock))
    return image_cpu - from_cpu > LIMIT_S


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
