# SPDX-License-Identifier: BSD-2-Clause
"""Makes what a lab's server gives to its programs: the configuration of dnsmasq, the script of iPXE, the command of in.tftpd."""

# Selects by the architecture that the firmware reports (RFC 4578): 7 and 9 are UEFI on x86-64, 0 is a BIOS.
DHCP = """\
dhcp-range={first},{last},1h
dhcp-match=set:uefi,option:client-arch,7
dhcp-match=set:uefi,option:client-arch,9
dhcp-boot=tag:uefi,ibsboot.efi,,{address}
dhcp-match=set:bios,option:client-arch,0
dhcp-boot=tag:bios,ibsbios.0,,{address}
"""
# For networks where another server assigns the addresses.
PROXY = """\
dhcp-range={network},proxy
pxe-service=x86PC,"ibsboot",ibsbios.0
pxe-service=X86-64_EFI,"ibsboot",ibsboot.efi
pxe-service=BC_EFI,"ibsboot",ibsboot.efi
"""
# iPXE also asks for an IPv6 router, and waits 14 s if none answers.
ROUTER = """\
enable-ra
dhcp-range={network},ra-only
"""
# For cards whose own code fails: without that code, runs go to a stick or a serial port. ibsbios takes 16 modules.
IPXE = """\
#!ipxe
kernel ibsbios
module ibsboot.efi EFI/BOOT/BOOTX64.EFI
module ibsboot/${netX/mac:hexhyp}/ibsboot.ini ibsboot/ibsboot.ini || module ibsboot/ibsboot.ini ibsboot/ibsboot.ini
module ibsboot/batch.txt ibsboot/batch.txt ||
module ibsboot/code/hand.elf ibsboot/code/hand.elf ||
module ibsboot/code/hand.map ibsboot/code/hand.map ||
boot
"""
# For labs without settings of their own: one run, without asking anybody.
SETTINGS = "menu = no\nend = off\n"


def dnsmasq(card, interface, router=None, proxy=False):
    """Returns the configuration for a card with the address `interface`, an ipaddress.IPv4Interface, and the IPv6Interface `router`, if
    it has one. Machines get the addresses from the fifth to the last fifth of the network."""
    hosts = interface.network.num_addresses
    first, last = (interface.network.network_address + hosts * part // 5 for part in (1, 4))
    text = f"interface={card}\nbind-interfaces\nport=0\n"
    text += (PROXY if proxy else DHCP).format(first=first, last=last, address=interface.ip, network=interface.network.network_address)
    return text + (ROUTER.format(network=router.network.network_address) if router else "")


def tftpd(address, root):
    """Returns the command of in.tftpd. --create allows new files."""
    return ["in.tftpd", "--listen", "--foreground", "--user", "tftp", "--address", f"{address}:69", "--ipv4", "--secure", "--create", root]
