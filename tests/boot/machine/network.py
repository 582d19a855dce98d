# SPDX-License-Identifier: BSD-2-Clause
"""network.py SERVER: the network of one machine, in a network namespace of its own: the card lab0 with the server's address, dnsmasq and in.tftpd as
tools/lab-server configures them, with files in the folder SERVER, and a wire to QEMU (frames as UDP datagrams). Prints "up" when it is. WIRE=bad: from the run 0002 on the wire loses
5 % of the frames in both directions, by seed; in 0003 all, until the first file after begun.ini is
tried again. BIOS=ipxe: the card's iPXE gets its script."""
import fcntl
import ipaddress
import os
import random
import select
import socket
import struct
import subprocess
import sys
import time

sys.path.insert(0, "tools/lab")
import lab_config  # noqa: E402 (of tools/lab)

TUNSETIFF, IFF_TAP, IFF_NO_PI = 0x400454CA, 0x0002, 0x1000
SEED, LOSS = 5, 0.05
TRIES = 6  # of efi/mtftp.c
BLOCK_FRAME = 42 + 4 + 1428  # bytes of one with a full block: Ethernet, IP, UDP, TFTP, efi/mtftp.c
QEMU, WIRE = ("127.0.0.1", 17002), ("127.0.0.1", 17001)


def services(server):
    """Starts both; their output goes to files beside the folder."""
    with open(f"{server}.dnsmasq", "w", encoding="utf-8") as conf:
        text = lab_config.dnsmasq("lab0", ipaddress.ip_interface("10.0.17.1/24"), ipaddress.ip_interface("fd00:17::1/64"))
        conf.write(text.replace("ibsbios.0", "bios.ipxe") if os.environ.get("BIOS") == "ipxe" else text)
    # On the virtual PMU the boot file loads two more.
    with open(f"{server}/bios.ipxe", "w", encoding="utf-8") as script:
        script.write(lab_config.IPXE.replace("boot\n", "module vpmu.efi vpmu.efi\nmodule ibsboot/ibsboot.efi ibsboot/ibsboot.efi\nboot\n"))
    log = open(f"{server}.log", "w", encoding="utf-8")
    yield subprocess.Popen(["dnsmasq", "--no-daemon", f"--conf-file={server}.dnsmasq", f"--dhcp-leasefile={server}.leases", "--pid-file="],
                           stdout=log, stderr=log)
    yield subprocess.Popen(lab_config.tftpd("10.0.17.1", server), stdout=log, stderr=log)


def wire(tap, line, server):
    chance, loss, lost, uploads, last, tries = random.Random(SEED), 0.0, 0, 0, 0, 0
    while True:
        for end in select.select([tap, line], [], [])[0]:
            frame = os.read(tap, 65536) if end is tap else line.recv(65536)
            if b"\0\2runs/" in frame and os.environ.get("WIRE") == "bad":  # a write request (RFC 1350)
                loss = LOSS if b",0002-" in frame else loss
                if b",0003-" in frame:
                    tries += b",begun.ini" not in frame
                    loss = 1.0 if tries <= TRIES else 0.0
            # LAST_ANSWER=lost: that to the last block of the first file, and the block comes again when the server has ended the transfer.
            if end is line and b"\0\2runs/" in frame:
                uploads += os.environ.get("LAST_ANSWER") == "lost"
            elif end is line and uploads == 1 and frame[42:44] == b"\0\3" and len(frame) < BLOCK_FRAME:
                last += 1
                time.sleep(1.5 if last == 2 else 0)
            elif end is tap and uploads == 1 and last == 1 and frame[42:44] == b"\0\4":
                continue
            if loss and chance.random() < loss:
                lost += loss == LOSS
                with open(f"{server}.lost", "w", encoding="utf-8") as file:
                    file.write(str(lost))
                continue
            if end is tap:
                line.sendto(frame, QEMU)
            else:
                os.write(tap, frame)


def main():
    tap = os.open("/dev/net/tun", os.O_RDWR)
    fcntl.ioctl(tap, TUNSETIFF, struct.pack("16sH", b"lab0", IFF_TAP | IFF_NO_PI))
    for command in "ip link set lo up", "ip addr add 10.0.17.1/24 dev lab0", "ip link set lab0 up", "ip addr add fd00:17::1/64 dev lab0 nodad":
        subprocess.run(command.split(), check=True)
    line = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    line.bind(WIRE)
    started = list(services(sys.argv[1]))
    print("up", flush=True)
    try:
        wire(tap, line, sys.argv[1])
    finally:
        for service in started:
            service.terminate()
            service.wait()


if __name__ == "__main__":
    import signal
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    main()
