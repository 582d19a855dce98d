#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""The code map's fields of single instructions: assembled with GNU as, mapped with `codemap emit`, compared with the rows below.

usage: codemap_fields.py WORKFOLDER

A row: the instruction, and its expected fields. Registers read (r=) and written (w=) are complete lists; memory operands
(m=) are base+index*scale+disp:size with the access in front; kind is branch kind, unit, path, macro-ops and operand size as far
as the row names them.
"""
import re
import subprocess
import sys

GENERAL = "rax rcx rdx rbx rsp rbp rsi rdi r8 r9 r10 r11 r12 r13 r14 r15".split()
DEPS = GENERAL + ["flags", "x87"] + ["xmm%d" % i for i in range(16)]
PATHS = ["single", "double", "vector"]
UNITS = "alu lea shift imul idiv branch fadd fmul fdiv fsqrt fmove nop other".split()
BRANCHES = "none cond jump jump-indirect call call-indirect return".split()
FLAGS = ["rep", "lock", "serial", "nontemporal"]

# instruction | registers read | registers written | memory operands | the rest, in any order
ROWS = """
mov rax, rdx                    | rdx             | rax             |                        | alu single 1 size8 none
mov eax, [rbp-4]                | rbp             | rax             | load rbp-4:4           | alu single 1 size4
mov [rbp+rcx*8+0x100], rdx      | rbp rcx rdx     |                 | store rbp+rcx*8+256:8  | alu single 1
mov al, cl                      | rax rcx         | rax             |                        | size1
mov ah, [rdi]                   | rax rdi         | rax             | load rdi:1             | size1
mov ax, [rdi]                   | rax rdi         | rax             | load rdi:2             | size2
mov rax, [rip+0x1234]           |                 | rax             | load rip@0x1234:8      |
movzx eax, byte ptr [rsi]       | rsi             | rax             | load rsi:1             | single
lea rax, [rcx+rax*4+8]          | rax rcx         | rax             |                        | lea single 1
add qword ptr [rbp-0x20], 1     | rbp             | flags           | loadstore rbp-32:8     | alu single 1
adc rax, rcx                    | rax rcx flags   | rax flags       |                        | alu single 1
cmp rax, [rbp-0x30]             | rax rbp         | flags           | load rbp-48:8          | alu
xor eax, eax                    | rax             | rax flags       |                        | alu
shl rax, cl                     | rax rcx flags   | rax flags       |                        | shift
sar edx, 3                      | rdx             | rdx flags       |                        | shift single
setl al                         | rax flags       | rax             |                        | single
cmovl rax, rcx                  | rax rcx flags   | rax             |                        | single 1
push rbp                        | rbp rsp         | rsp             | store rsp-8:8          | single 1
push [rax]                      | rax rsp         | rsp             | load rax:8 store rsp-8:8 | double 2
pop rbp                         | rsp             | rbp rsp         | load rsp:8             | single 1
pop [rsp+8]                     | rsp             | rsp             | store rsp+16:8 load rsp:8 | vector
leave                           | rbp rsp         | rbp rsp         | load rbp:8             | double 2
ret                             | rsp             | rsp             | load rsp:8             | return branch double 2
ret 8                           | rsp             | rsp             | load rsp:8             | return vector
call [rax]                      | rax rsp         | rsp             | load rax:8 store rsp-8:8 | call-indirect vector
call rax                        | rax rsp         | rsp             | store rsp-8:8          | call-indirect double
call f                          | rsp             | rsp             | store rsp-8:8          | call branch double 2 target
jmp f                           |                 |                 |                        | jump branch single target
jmp rax                         | rax             |                 |                        | jump-indirect branch
jmp [rax+rcx*8]                 | rax rcx         |                 | load rax+rcx*8:8       | jump-indirect
jl f                            | flags           |                 |                        | cond branch single target
loop f                          | rcx             | rcx             |                        | cond vector target
imul rdx, rax, 0x3e8            | rax             | rdx flags       |                        | imul single 1 size8
imul rdx, [rax], 0x3e8          | rax             | rdx flags       | load rax:8             | imul vector
imul edx, eax                   | rax rdx         | rdx flags       |                        | imul single size4
imul edx, [rax]                 | rax rdx         | rdx flags       | load rax:4             | imul single
imul dx, ax, 7                  | rax rdx         | rdx flags       |                        | imul vector size2
mul rcx                         | rax rcx         | rax rdx flags   |                        | imul double 2
imul rcx                        | rax rcx         | rax rdx flags   |                        | imul double
mul cl                          | rax rcx         | rax flags       |                        | imul single size1
div ecx                         | rax rcx rdx     | rax rdx flags   |                        | idiv vector size4
idiv qword ptr [rbp-8]          | rax rbp rdx     | rax rdx flags   | load rbp-8:8           | idiv vector size8
cdqe                            | rax             | rax             |                        | single
xchg rax, rcx                   | rax rcx         | rax rcx         |                        | double
xchg rax, [rcx]                 | rax rcx         | rax             | loadstore rcx:8        | vector lock
lock inc dword ptr [rdi]        | rdi             | flags           | loadstore rdi:4        | lock
rep movsb                       | rcx rdi rsi flags | rcx rdi rsi   | store rdi:1 load rsi:1 | vector rep
rep stosq                       | rax rcx rdi flags | rcx rdi       | store rdi:8            | vector rep
movsd                           | rdi rsi flags   | rdi rsi         | store rdi:4 load rsi:4 | vector alu
nop                             |                 |                 |                        | nop single 1
nop dword ptr [rax+rcx]         |                 |                 |                        | nop single
cpuid                           | rax rcx         | rax rbx rcx rdx |                        | vector serial other
mfence                          |                 |                 |                        | serial
pause                           |                 |                 |                        | nop
prefetchnta [rax]               | rax             |                 | load rax:1             | single
movnti [rax], ecx               | rax rcx         |                 | store rax:4            | nontemporal
fld dword ptr [rcx+rax*4+8]     | rax rcx         | x87             | load rcx+rax*4+8:4     | fmove single 1 size4
fld qword ptr [rax]             | rax             | x87             | load rax:8             | fmove single size8
fld tbyte ptr [rax]             | rax             | x87             | load rax:10            | fmove vector
fldz                            |                 | x87             |                        | fmove single
fmulp st(1), st                 | x87             | x87             |                        | fmul single 1
fmul dword ptr [rbx]            | rbx x87         | x87             | load rbx:4             | fmul single
faddp st(1), st                 | x87             | x87             |                        | fadd single 1
fadd dword ptr [rbp-0x14]       | rbp x87         | x87             | load rbp-20:4          | fadd single
fdiv st, st(1)                  | x87             | x87             |                        | fdiv single
fsqrt                           | x87             | x87             |                        | fsqrt single
fsin                            | x87             | x87             |                        | other vector
fstp dword ptr [rbp-0x14]       | rbp x87         |                 | store rbp-20:4         | fmove single 1
fstp tbyte ptr [rbp-0x20]       | rbp x87         |                 | store rbp-32:10        | fmove vector
fild qword ptr [rax]            | rax             | x87             | load rax:8             | fmove single
fistp dword ptr [rax]           | rax x87         |                 | store rax:4            | fmove single
fxch st(1)                      | x87             | x87             |                        | fmove single
fcomip st, st(1)                | x87             | flags           |                        | fadd single
fucompp                         | x87             | x87             |                        | fadd single
fnstsw ax                       | rax x87         | rax             |                        | fmove vector
movss xmm0, [rax+rdx*4]         | rax rdx         | xmm0            | load rax+rdx*4:4       | fmove single 1 size4
movss [rbp-0x14], xmm0          | rbp xmm0        |                 | store rbp-20:4         | fmove single
movaps xmm1, xmm0               | xmm0            | xmm1            |                        | fmove single
movaps [rax], xmm1              | rax xmm1        |                 | store rax:16           | fmove double
movups [rax], xmm1              | rax xmm1        |                 | store rax:16           | fmove vector
movups xmm1, [rax]              | rax             | xmm1            | load rax:16            | fmove single
movsd xmm1, qword ptr [rax]     | rax             | xmm1            | load rax:8             | fmove single size8
mulss xmm0, xmm1                | xmm0 xmm1       | xmm0            |                        | fmul single size4
mulss xmm0, [rax]               | rax xmm0        | xmm0            | load rax:4             | fmul single
addsd xmm8, xmm15               | xmm8 xmm15      | xmm8            |                        | fadd single size8
addss xmm1, [rbp-0x14]          | rbp xmm1        | xmm1            | load rbp-20:4          | fadd single
divss xmm0, xmm1                | xmm0 xmm1       | xmm0            |                        | fdiv size4
divsd xmm0, xmm1                | xmm0 xmm1       | xmm0            |                        | fdiv size8
sqrtss xmm0, xmm1               | xmm1            | xmm0            |                        | fsqrt size4
cmpsd xmm0, xmm1, 1             | xmm0 xmm1       | xmm0            |                        | fadd single
comiss xmm0, xmm1               | xmm0 xmm1       | flags           |                        | fadd single
pxor xmm0, xmm0                 | xmm0            | xmm0            |                        | fmove single
cvtsi2ss xmm0, eax              | rax xmm0        | xmm0            |                        | fmove vector
cvtsi2ss xmm0, dword ptr [rax]  | rax xmm0        | xmm0            | load rax:4             | fmove double
cvttss2si rax, xmm0             | xmm0            | rax             |                        | fmove double
movd eax, xmm0                  | xmm0            | rax             |                        | fmove double 2
movd xmm0, eax                  | rax             | xmm0            |                        | fmove double 2
movntps [rax], xmm0             | rax xmm0        |                 | store rax:16           | nontemporal double
popcnt rax, rcx                 | rcx             | rax flags       |                        | alu single
"""


def names(mask):
    return [DEPS[i] for i in range(len(DEPS)) if mask >> i & 1]


def memory(disp, base, index, scale, size, flags, rip_next):
    access = {1: "load", 2: "store", 3: "loadstore"}[flags]
    if base == 16:
        return f"{access} rip@{disp - rip_next:#x}:{size}"
    text = GENERAL[base] if base != 255 else ""
    text += f"+{GENERAL[index]}*{scale}" if index != 255 else ""
    text += f"{disp:+d}" if disp else ""
    return f"{access} {text}:{size}"


def mapped(folder, instructions):
    source = "".join(f"    {text}\n" for text in instructions)
    with open(f"{folder}/fields.s", "w") as file:
        file.write(".intel_syntax noprefix\n.text\n.globl image_workloads, image_workloads_end, _start\n_start:\n"
                   f"image_workloads:\n.type f, @function\nf:\n{source}.size f, . - f\nimage_workloads_end:\n")
    subprocess.run(["as", f"{folder}/fields.s", "-o", f"{folder}/fields.o"], check=True)
    subprocess.run(["ld", "-Ttext=0x1000", f"{folder}/fields.o", "-o", f"{folder}/fields.elf"], check=True)
    text = subprocess.run(["build/tools/codemap", "emit", f"{folder}/fields.elf"], check=True, capture_output=True,
                          text=True).stdout
    table = text[text.index("insns[] IN_MAP"):text.index("funcs[] IN_MAP")]
    return [[int(n, 0) for n in re.findall(r"-?(?:0x[0-9a-f]+|\d+)", line)] for line in table.splitlines()[1:] if "}" in line
            and line.startswith("    {")]


def described(n):
    reads, writes, rva, _, target, _, _, _, length, op_size, ops, path, unit, branch, flags, mems = n[:16]
    operands = [memory(*n[16 + 7 * i:22 + 7 * i], rva + length) for i in range(mems)]
    words = {UNITS[unit], PATHS[path], str(ops), f"size{op_size}", BRANCHES[branch]}
    words |= {flag for i, flag in enumerate(FLAGS) if flags >> i & 1}
    words |= {"target"} if target == 0x1000 else set()
    return names(reads), names(writes), operands, words


def main():
    rows = [[part.strip() for part in line.split("|")] for line in ROWS.strip().splitlines()]
    found = mapped(sys.argv[1], [row[0] for row in rows])
    failed = 0 if len(found) == len(rows) else 1
    for (text, reads, writes, operands, rest), insn in zip(rows, found):
        got_reads, got_writes, got_operands, words = described(insn)
        wrong = []
        if sorted(got_reads) != sorted(reads.split()):
            wrong.append(f"reads {got_reads}")
        if sorted(got_writes) != sorted(writes.split()):
            wrong.append(f"writes {got_writes}")
        if " ".join(got_operands) != operands:
            wrong.append(f"memory {got_operands}")
        wrong += [f"not {word}: {sorted(words)}" for word in rest.split() if word not in words]
        flags = set(rest.split()) & set(FLAGS)
        wrong += [f"also {flag}" for flag in set(FLAGS) & words - flags]
        if wrong:
            failed += 1
            print(f"not ok {text}: " + "; ".join(wrong))
        else:
            print(f"ok {text}")
    print(f"{len(rows) - failed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


main()
