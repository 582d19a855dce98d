# SPDX-License-Identifier: BSD-2-Clause
# A program for the tests of ibsprof: known addresses, functions and source lines, whatever compiler there is.
# tests/unit/ibsprof/program.c assembles and links it with .text at 0x401000.
        .text
        .globl  _start, hot, image_workloads, image_workloads_end
        .file   1 "made/hot.c"
        .file   2 "work/cold.c"
.Ltext:
        .type   _start, @function
_start: .loc    2 3                     # 401000
        xor     %eax, %eax
        call    hot                     # 401002
        ret                             # 401007
        .size   _start, . - _start
        .p2align 4
image_workloads:
        .type   hot, @function
hot:    .loc    1 10                    # 401010
        push    %rbp
        .loc    1 11                    # 401011
        mov     $100, %ecx
.Lloop: .loc    1 13                    # 401016
        mov     (%rsi,%rcx,4), %eax
        .loc    1 13                    # 401019
        add     %eax, (%rdi)
        .loc    1 12                    # 40101b
        dec     %ecx
        jnz     .Lloop                  # 40101d
        .loc    1 14                    # 40101f
        pop     %rbp
        ret                             # 401020
        .size   hot, . - hot
        .p2align 4
        .type   cold, @function
cold:   .loc    2 7                     # 401030
        nop
        .loc    2 8                     # 401031
        jmp     hot
        .size   cold, . - cold
.Lend:
        .section .text.handler, "ax"    # one of its own, so that no line of another function holds here
        .p2align 4
image_workloads_end:
        .type   handler, @function
handler:                                # 401040
        nop
        iretq
        .size   handler, . - handler

        .section .debug_abbrev, "", @progbits
.Labbrev:
        .uleb128 1                      # DW_TAG_compile_unit, no children
        .uleb128 0x11
        .byte   0
        .uleb128 0x10, 0x17             # DW_AT_stmt_list, DW_FORM_sec_offset
        .uleb128 0x11, 0x01             # DW_AT_low_pc, DW_FORM_addr
        .uleb128 0x12, 0x07             # DW_AT_high_pc, DW_FORM_data8
        .uleb128 0, 0, 0

        .section .debug_line, "", @progbits
.Lline:
        .section .debug_info, "", @progbits
        .long   .Linfo_end - .Linfo
.Linfo: .value  4
        .long   .Labbrev
        .byte   8
        .uleb128 1
        .long   .Lline
        .quad   .Ltext
        .quad   .Lend - .Ltext
.Linfo_end:
