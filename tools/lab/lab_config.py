# SPDX-License-Identifier: BSD-2-Clause
"""What a lab's server gives to the programs below it: the configuration of dnsmasq, the script of iPXE, the command of in.tftpd."""

# By the architecture that the firmware gives (RFC 4578): 7 and 9 are UEFI on x86-64, 0 is a BIOS.
DHCP = """\
dhcp-range={first},{last},1h
dhcp-match=set:uefi,option:client-arch,7
dhcp-match=set:uefi,option:client-arch,9
dhcp-boot=tag:uefi,ibsboot.efi,,{address}
dhcp-match=set:bios,option:client-arch,0
dhcp-boot=tag:bios,ibsbios.0,,{address}
"""
# Where another server gives the addresses.
PROXY = """\
dhcp-range={network},proxy
pxe-service=x86PC,"ibsboot",ibsbios.0
pxe-service=X86-64_EFI,"ibsboot",ibsboot.efi
pxe-service=BC_EFI,"ibsboot",ibsboot.efi
"""
# iPXE asks for an IPv6 router as well, and waits 14 s where none answers.
ROUTER = """\
enable-ra
dhcp-range={network},ra-only
"""
# For a card whose own code fails: without it runs go to a stick or a serial port. ibsbios takes 16 modules.
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
# For a lab whose owner has written none: one run, of which nobody must be asked.
SETTINGS = "menu = no\nend = off\n"


def dnsmasq(card, interface, router=None, proxy=False):
    """The configuration for a card with the address `interface`, an ipaddress.IPv4Interface, and the IPv6Interface `router`, if it has one.
    Machines get the addresses from the fifth to the last fifth of the network."""
    hosts = interface.network.num_addresses
    first, last = (interface.network.network_address + hosts * part // 5 for part in (1, 4))
    text = f"interface={card}\nbind-interfaces\nport=0\n"
    text += (PROXY if proxy else DHCP).format(first=first, last=last, address=interface.ip, network=interface.network.network_address)
    return text + (ROUTER.format(network=router.network.network_address) if router else "")


def tftpd(address, root):
    """in.tftpd's words. --create: files that are not there yet may be written."""
    return ["in.tftpd", "--listen", "--foreground", "--user", "tftp", "--address", f"{address}:69", "--ipv4", "--secure", "--create", root]
