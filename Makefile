# SPDX-License-Identifier: BSD-2-Clause
# One Makefile for the whole project; ./dev calls it after it has installed missing packages.
#
#   make            the image, its ELF, and the virtual PMU      (build/ibsboot.efi, .elf and -vpmu.efi)
#   make unit       unit tests on the host, ASan and UBSan on    (unit-core, unit-drivers, unit-app, unit-noise, unit-vpmu, unit-efi: one room)
#                   REBASE=1 make unit-core writes the golden files (tests/unit/core/golden: each view, list and table
#                   on fixed inputs; tests/unit/app/golden: whole runs) again: look at git diff before you commit them
#   make fuzz       every fuzzer for FUZZ_SECONDS
#   make compile_commands.json   for editors
#   make coverage   line coverage of each room by its unit tests, against the floors in tests/mutate/coverage-floors
#   make ibsprof    the host's program (build/tools/ibsprof); make install [PREFIX=/usr/local] [DESTDIR=] installs it
#   make host-tests tests/host/*/*.sh: against perf, objdump, Valgrind and other independent tools
#   make boot-tests tests/boot/*/*.sh: in QEMU; make script-tests: both
#
# Rooms and what they may include are described in README.md; a new file in a room is found automatically.

B := build
EFIINC := /usr/include/efi
EFILIB := /usr/lib
FUZZ_SECONDS ?= 20

# No rules of make's own: trying them on a thousand headers takes ten times as long as all the rest.
MAKEFLAGS += -r
.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
.SECONDARY:

WARN := -Wall -Wextra -Werror -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wundef -Wvla -Wdate-time -Wno-unused-parameter
BASE := -std=gnu11 -g -I. -ffile-prefix-map=$(CURDIR)=. $(WARN)

$(if $(wildcard $(B)/.),,$(shell mkdir -p $(B)))
# remember FILE,TEXT: writes a file, unless it holds the text already. make 4.3 does not always remove the newline that it reads.
remember = $(if $(findstring |$(2)|,$(file <$(1))),,$(file >$(1),|$(2)|))
# The lines below that set flags for objects of a folder, with "_" for blanks and without "$(B)/".
FOLDER_FLAGS := $(shell sed -n '/^$$(B).*FLAGS *+*=/{s/[[:blank:]]\{1,\}/_/g; s/^$$(B).//p}' $(firstword $(MAKEFILE_LIST)))
# values NAMES: of variables.
values = $(foreach name,$(1),$(name)=$($(name)))
DEFINES = $(sort $(filter DEFINES_%,$(.VARIABLES)))

# object_rules FOLDER,FLAGS[,COMPILER[,MORE]]: objects below build/FOLDER, with the flags in the variable of that name. Each part below has
# its own folder, so that a source can be compiled in several ways. The objects are made again when these flags change, or those in the
# variables MORE, or DEFINES_<source>, or a line that sets flags for a folder of the part.
flags_file = $(B)/$(subst /,-,$(1)).flags
define object_rules
$(call remember,$(flags_file),$(subst $(CURDIR),.,$(or $(3),$(CC)) $(call values,$(2) $(4) $(DEFINES)) $(filter $(1)/%,$(FOLDER_FLAGS))))
$(B)/$(1)/%.o: %.c $(flags_file)
	@mkdir -p $$(@D)
	$(or $(3),$$(CC)) $$($(2)) $$(DEFINES_$$(*F)) -MMD -c $$< -o $$@
$(B)/$(1)/%.o: %.S $(flags_file)
	@mkdir -p $$(@D)
	$(or $(3),$$(CC)) $$($(2)) -MMD -c $$< -o $$@
endef

# The files of HTML reports are read by the assembler (html_files.c); d3 is Debian's package node-d3.
D3 ?= /usr/share/nodejs/d3/dist/d3.min.js
DEFINES_html_files := -DD3_FILE='"$(D3)"'

# ---------------------------------------------------------------- the image
# -mgeneral-regs-only: the NMI handler must not touch x87 or SSE state of the workload, and gcc uses SSE for struct copies.
# -mno-red-zone: an interrupt on the same stack would destroy it.
FIRM := $(BASE) -O2 -ffreestanding -fno-stack-protector -fcf-protection=none -fno-strict-aliasing -fno-asynchronous-unwind-tables \
        -fvisibility=hidden -mno-red-zone -mgeneral-regs-only
IMAGE_CFLAGS := $(FIRM) -fPIC -fshort-wchar
EFI_CFLAGS := $(IMAGE_CFLAGS) -DGNU_EFI_USE_MS_ABI -isystem $(EFIINC) -isystem $(EFIINC)/x86_64
# Workloads: SSE and x87 allowed, still no red zone. -O0 unless set otherwise for a workload below: the algorithm is
# measured as it is written.
WORK_CFLAGS := $(BASE) -O0 -ffreestanding -fno-stack-protector -fcf-protection=none -fno-asynchronous-unwind-tables \
        -fvisibility=hidden -mno-red-zone -fPIC

# sources FOLDERS,ENDINGS: files of rooms, and of the rooms in them.
sources = $(foreach ending,$(2),$(wildcard $(foreach depth,* */* */*/*,$(addsuffix /$(depth).$(ending),$(1)))))
CORE_C := $(call sources,core,c)
# in_rooms ROOMS,FILES: those of the files that are in these rooms of core/.
in_rooms = $(filter $(foreach room,$(1),core/$(room)/%),$(2))
DRIVERS_C := $(call sources,drivers,c)
APP_C := $(call sources,app,c)
EFI_C := $(wildcard efi/*.c)
# In the order of their names, in which lists show them.
WORK_C := $(foreach file,$(sort $(notdir $(call sources,workloads,c))),$(filter %/$(file),$(call sources,workloads,c)))
NOISE_C := $(wildcard noise/*.c)

IMAGE_FLAGS = $(IMAGE_CFLAGS)
$(B)/image/efi/%.o: IMAGE_FLAGS = $(EFI_CFLAGS)
$(B)/image/workloads/%.o $(B)/image/tests/workloads/%.o: IMAGE_FLAGS = $(WORK_CFLAGS) $(CFLAGS_$(*F))

image_objects = $(patsubst %.c,$(B)/image/%.o,$(CORE_C) $(DRIVERS_C) $(APP_C) $(EFI_C)) $(patsubst %.S,$(B)/image/%.o,$(call sources,drivers,S))
work_objects = $(patsubst %.c,$(B)/image/%.o,$(WORK_C))
noise_objects = $(patsubst %.c,$(B)/image/%.o,$(NOISE_C))
IMAGE_O := $(image_objects) $(work_objects) $(noise_objects)

# The paper's program was x87 code; its twin uses SSE.
CFLAGS_matmul_classic := -mfpmath=387
CFLAGS_matmul_interchanged := -mfpmath=387
CFLAGS_matmul_blocked := -mfpmath=387
# Ways between cores, without stores to a loop's counter beside them.
CFLAGS_two_cores := -O1
$(eval $(call object_rules,image,IMAGE_FLAGS,,EFI_CFLAGS WORK_CFLAGS $(sort $(filter CFLAGS_%,$(.VARIABLES)))))

LD_SCRIPTS := linker.ld workloads/order.ld
LINK := ld -nostdlib -znocombreloc -z noexecstack -z nopack-relative-relocs --no-warn-rwx-segments -shared -Bsymbolic \
        --no-undefined --build-id=sha1 -T linker.ld $(EFILIB)/crt0-efi-x86_64.o
# Where in memory the image would like to be: firmware loads it there if that memory is free, and anywhere else if not. So the
# measured code is at the same place on most machines, whatever their firmware is (docs/decisions.md).
IMAGE_PLACE := 0x4000000
# Without symbols and names of more than 8 bytes, which stand after the last section: signing tools take that for a gap.
PE := objcopy --strip-all -j .text -j .rodata -j .note.gnu.build-id -j .sbat -j .data -j .codemap -j .dynamic -j .rela -j .reloc --rename-section .note.gnu.build-id=.buildid
RUN_ELF := -j .text -j .note.gnu.build-id -j .debug_line -j .debug_line_str --compress-debug-sections=zlib
# efi_program NAME,OBJECTS,TARGET: a program for UEFI from these objects alone.
APPLICATION := --target efi-app-x86_64 --subsystem=10
DRIVER := --target efi-rtdrv-x86_64 --subsystem=12
define efi_program
$(B)/$(1).elf: $(2) $(LD_SCRIPTS)
	$(LINK) $(2) -o $$@ -L$(EFILIB) -lgnuefi
$(B)/$(1).efi: $(B)/$(1).elf
	$(PE) $(3) $$< $$@
endef

# Two links: the first with an empty code map, so that the generator sees the final addresses; the second with the map in
# place. The map's section comes after all sections that code refers to, so no byte of code may move: cmp checks it.
# $(1): the image's name, $(2): workload objects that only this image has.
define image_rules
$(B)/$(1)-stage1.elf: $(IMAGE_O) $(2) $(B)/image/tools/codemap_empty.o $(LD_SCRIPTS)
	$(LINK) $(IMAGE_O) $(2) $(B)/image/tools/codemap_empty.o -o $$@ -L$(EFILIB) -lgnuefi
$(B)/$(1)-codemap.c: $(B)/$(1)-stage1.elf $(B)/tools/codemap
	$(B)/tools/codemap emit $$< > $$@
$(B)/$(1).elf: $(IMAGE_O) $(2) $(B)/image/$(B)/$(1)-codemap.o $(LD_SCRIPTS) $(B)/$(1)-stage1.elf
	$(LINK) $(IMAGE_O) $(2) $(B)/image/$(B)/$(1)-codemap.o -o $$@ -L$(EFILIB) -lgnuefi
	@objcopy -O binary -j .text $(B)/$(1)-stage1.elf $(B)/$(1)-stage1.text && objcopy -O binary -j .text $$@ $(B)/$(1)-stage2.text
	@cmp $(B)/$(1)-stage1.text $(B)/$(1)-stage2.text
# The parts of the ELF that a run's folder needs: code, symbols, lines. objcopy warns of the segments that become empty.
$(B)/$(1)-run.elf: $(B)/$(1).elf
	@objcopy $(RUN_ELF) $$< $$@ 2>$$@.log || { cat $$@.log >&2; false; }
$(B)/$(1).efi: $(B)/$(1).elf $(B)/$(1)-run.elf
	$(PE) --add-section .elf=$(B)/$(1)-run.elf --set-section-flags .elf=alloc,load,readonly,data \
	  --change-section-address .elf=$$$$(printf '%#x' $$$$((0x$$$$(nm $$< | sed -n 's/ . image_elf$$$$//p') + $(IMAGE_PLACE)))) \
	  --change-addresses $(IMAGE_PLACE) --image-base $(IMAGE_PLACE) $(APPLICATION) $$< $$@ && tools/pe-nx $$@
# Its virtual PMU (a runtime driver: a kernel leaves its memory alone) has the same code map.
$(call efi_program,$(1)-vpmu,$(VPMU_O) $(B)/image/$(B)/$(1)-codemap.o,$(DRIVER))
endef
VPMU_S := $(call sources,vpmu/shim,S)
# The model is optimised as a whole: a step crosses twenty of its files. Without the passes that make its long functions spill registers.
WHOLE_CFLAGS := -flto=auto --param=max-inline-insns-auto=200 --param=inline-unit-growth=400 --param=large-function-growth=1000 \
        --param=large-function-insns=10000 -fno-gcse -fno-tree-pre -fno-align-functions -fno-align-loops -fno-align-jumps
$(B)/vpmu/vpmu/model/%.o: EFI_CFLAGS += -ffat-lto-objects $(WHOLE_CFLAGS)
# core/ is compiled as for the image.
VPMU_O := $(patsubst %.c,$(B)/vpmu/%.o,$(call sources,vpmu/shim,c)) $(patsubst %.c,$(B)/image/%.o,$(CORE_C)) $(patsubst %.S,$(B)/vpmu/%.o,$(VPMU_S)) $(B)/vpmu/model.o
$(eval $(call object_rules,vpmu,EFI_CFLAGS,,WHOLE_CFLAGS))
$(B)/vpmu/model.o: $(patsubst %.c,$(B)/vpmu/%.o,$(call sources,vpmu/model,c))
	$(CC) $(EFI_CFLAGS) $(WHOLE_CFLAGS) -nostdlib -r -flinker-output=nolto-rel $^ -o $@

# The QEMU plugin that steps for it, natively.
PLUGIN_C := $(wildcard vpmu/plugin/*.c)
$(B)/vpmu-plugin.so: $(PLUGIN_C) $(wildcard vpmu/plugin/*.h) vpmu/shim/vmcb.h $(B)/host.flags
	@mkdir -p $(@D)
	$(CC) $(HOST_CFLAGS) -fPIC -shared -fvisibility=hidden $(PLUGIN_C) -o $@

# Gives QEMU the memory of a machine whose firmware has started (tools/qemu/snapshot).
$(B)/qemu-memory: tools/qemu/memory.c $(B)/host.flags
	@mkdir -p $(@D)
	$(CC) $(HOST_CFLAGS) $< -o $@

# Starts it, as the boot file of its volume.
BOOT_O := $(patsubst %.c,$(B)/vpmu/%.o,vpmu/boot/boot.c $(patsubst %,vpmu/shim/firmware/%.c,files fw_cfg serial) $(CORE_C))
$(eval $(call efi_program,vpmu-boot,$(BOOT_O),$(APPLICATION)))

# Starts the image with five levels of page tables, as the boot file of a volume.
FIVE_O := $(B)/vpmu/vpmu/boot/five_levels.o $(B)/vpmu/vpmu/boot/five_levels_switch.o $(filter-out %/boot.o,$(BOOT_O))
$(eval $(call efi_program,five-levels,$(FIVE_O),$(APPLICATION)))

# For tests/boot/machine/bios.sh: a boot file that calls address 0, and a boot loader that starts ibsbios with address line 20 off.
$(eval $(call efi_program,null-call,$(B)/vpmu/tests/boot/machine/null_call.o,$(APPLICATION)))
$(B)/a20-off: tests/boot/machine/a20_off.S
	$(CC) -m32 -c $< -o $@.o && ld -m elf_i386 -z noexecstack -Ttext 0x400000 $@.o -o $@

# Requests the shim's exact counts from a Linux guest.
$(B)/vpmu-ask: vpmu/guest/ask.c $(B)/host.flags
	@mkdir -p $(@D)
	$(CC) $(HOST_CFLAGS) -static $< -o $@

# Tests the shim's guarantees as its guest (tests/boot/virtual/shim.sh), without workloads and with an empty code map.
SELFTEST_O := $(patsubst %.c,$(B)/vpmu/%.o,$(wildcard tests/vpmu/selftest/*.c) vpmu/shim/firmware/serial.c $(CORE_C)) \
        $(patsubst %.S,$(B)/vpmu/%.o,$(wildcard tests/vpmu/selftest/*.S))
$(eval $(call efi_program,vpmu-selftest,$(SELFTEST_O),$(APPLICATION)))
$(eval $(call efi_program,vpmu-selftest-vpmu,$(VPMU_O) $(B)/image/tools/codemap_empty.o,$(DRIVER)))

# ibsbios: the UEFI functions that these programs call, on a machine with a BIOS. Loaders take ELF32 files alone.
BIOS_CFLAGS := $(filter-out -O2,$(FIRM)) -Os --param=min-pagesize=0 -ffunction-sections -fdata-sections -fno-pie -fshort-wchar -DGNU_EFI_USE_MS_ABI \
        -isystem $(EFIINC) -isystem $(EFIINC)/x86_64
$(eval $(call object_rules,bios,BIOS_CFLAGS))
bios_objects = $(patsubst %.S,$(B)/bios/%.o,$(patsubst %.c,%.S,$(1)))
# No symbol asks for the rows of families, which the linker collects. Of the rest ld takes the files that are called.
BIOS_O := $(call bios_objects,$(filter-out bios/net/boot.S,$(call sources,bios,S c)) $(wildcard core/family/family_*.c)) $(B)/bios/below.a
# 'q': two files of the same name are two.
$(B)/bios/below.a: $(call bios_objects,$(call in_rooms,base run disk family platform,$(CORE_C)) $(call sources,drivers,c S))
	rm -f $@ && ar qcs $@ $^
$(B)/ibsbios.elf: $(BIOS_O) bios/linker.ld
	ld -nostdlib -static -no-pie -z noexecstack -z max-page-size=4096 --gc-sections --no-warn-rwx-segments -T bios/linker.ld \
	  $(BIOS_O) -o $@
$(B)/ibsbios: $(B)/ibsbios.elf
	objcopy -O elf32-i386 --strip-all $< $@
# The same for a network card, which loads it to 7C00h.
$(B)/ibsbios.bin: $(B)/ibsbios.elf
	objcopy -O binary $< $@
$(B)/ibsbios.0: bios/net/boot.S $(B)/ibsbios.bin
	$(CC) -Wa,-I. -c $< -o $@.o && ld -z noexecstack --oformat binary -Ttext 0x7C00 -e boot -R $(B)/ibsbios.elf $@.o -o $@

# The shipped image, and one with workloads that misbehave on purpose (tests/workloads).
TEST_WORK_O := $(patsubst %.c,$(B)/image/%.o,$(wildcard tests/workloads/*.c))
$(eval $(call image_rules,ibsboot,))
$(eval $(call image_rules,ibsboot-test,$(TEST_WORK_O)))

# ---------------------------------------------------------------- host tools
HOST_CFLAGS := $(BASE) -O2 -D_GNU_SOURCE
$(eval $(call object_rules,host,HOST_CFLAGS))
CORE_HOST := $(filter-out core/base/mem.c,$(CORE_C)) # libc has the functions of core/base/mem.c
PERFDATA_C := $(call in_rooms,perfdata family,$(CORE_HOST)) core/ibs/ibs_field.c core/ibs/sample_branches.c
CODEMAP_C := $(B)/ibsboot-codemap.c core/ibs/codemap.c

# The listing in the image.
codemap_C := $(wildcard tools/codemap/*.c) core/ibs/codemap.c
codemap_LIBS := -lZydis -lZycore -ldw -lelf
# For the tests: one that prints the samples of a perf.data file; three that make such files: of any samples, as the matrix multiply leaves
# them, and of a pointer chase over sizes.
ibs_dump_C := tests/host/ibsprof/ibs_dump.c $(PERFDATA_C)
make_perfdata_C := tests/host/ibsprof/make_perfdata.c tests/host/ibsprof/generated.c $(PERFDATA_C)
make_walk_C := tests/host/ibsprof/make_walk.c tests/host/ibsprof/generated.c $(PERFDATA_C) $(CODEMAP_C)
make_chase_C := tests/host/ibsprof/make_chase.c tests/host/ibsprof/generated.c $(PERFDATA_C) $(CODEMAP_C)
# The twin's workloads on the virtual PMU's model, stepped by ptrace.
step_twin_C := tests/host/image/step_twin.c $(call sources,vpmu/model,c) $(CORE_HOST) $(B)/ibsboot-codemap.c
# The tables of the documents (docs/refresh), with the workloads' rows for their parameters.
tables_C := tools/tables/main.c tools/tables/events.c tools/tables/configs.c drivers/trace/trace_table.c vpmu/model/hostile.c app/settings/options.c app/settings/params.c app/selftest/selftest_parts.c $(CORE_HOST) $(WORK_C)
# The paper's figures beside the model's (docs/paper.md).
paper_C := $(wildcard bench/paper/*.c) tests/unit/vpmu/stream.c $(call sources,vpmu/model,c) $(CORE_HOST)
paper_LIBS := -lm
# bench/ibsprof: makes a long recording of a short one. bench/compare-sim: the statistics of 'ibsprof compare' on simulated profiles.
many_samples_C := bench/many_samples.c $(PERFDATA_C)
compare_sim_C := bench/compare_sim.c tests/unit/ibsprof/simulate.c $(wildcard tools/ibsprof/stat/*.c) tools/ibsprof/base/must.c
compare_sim_LIBS := -lgsl -lgslcblas -lm
# ibsprof: reads runs and perf.data files, draws and compares them. The files of its HTML reports (tools/ibsprof/html/web) are
# linked in, so that the program is one file.
ibsprof_C := $(call sources,tools/ibsprof,c) tools/codemap/decode.c tools/codemap/family10h.c $(CORE_HOST)
$(B)/host/tools/ibsprof/html/html_files.o $(B)/unit/tools/ibsprof/html/html_files.o: $(wildcard tools/ibsprof/html/web/*) $(D3)
ibsprof_LIBS := -Wl,-z,noexecstack -larchive -lzstd -lpthread -lgsl -lgslcblas -lZydis -lZycore -ldw -lelf -liberty -lsqlite3 -lnettle -lpq -lm
HOST_PROGRAMS := codemap ibs_dump make_perfdata make_walk make_chase step_twin tables paper many_samples compare_sim ibsprof
define host_program
$(B)/tools/$(1): $(patsubst %.c,$(B)/host/%.o,$($(1)_C))
	@mkdir -p $$(@D)
	$(CC) $(HOST_CFLAGS) $$^ -o $$@ $($(1)_LIBS)
endef
$(foreach program,$(HOST_PROGRAMS),$(eval $(call host_program,$(program))))

# What ./dev run is given. It is linked from the image's own objects: the settings' rows and their parser are those that will read them.
ARGUMENTS_O := $(B)/host/tools/arguments/main.o $(patsubst %,$(B)/vpmu/vpmu/model/%.o,free hostile pmu/later params) \
        $(filter-out $(B)/image/efi/%,$(IMAGE_O)) $(B)/image/tools/codemap_empty.o
$(B)/tools/arguments: $(ARGUMENTS_O)
	@mkdir -p $(@D)
	$(CC) -no-pie -Wl,-z,noexecstack $^ -o $@

# bench/model_speed: the virtual PMU's own objects of the model, so that the timed code is the code that runs there.
$(B)/bench/model_speed: bench/model_speed.c tests/unit/vpmu/stream.c $(B)/vpmu/model.o $(patsubst %,$(B)/image/core/%.o,ibs/codemap base/mem base/out)
	@mkdir -p $(@D)
	$(CC) $(HOST_CFLAGS) $^ -o $@

# ---------------------------------------------------------------- the Linux twin
# The image's own objects of the workloads and noise loops, in the image's order; only the code around them is for Linux.
TWIN_C := $(wildcard tools/workloads/*.c) app/settings/params.c app/settings/code_row.c core/ibs/codemap.c $(call in_rooms,base run noise code,$(CORE_HOST))
TWIN_O := $(patsubst %.c,$(B)/host/%.o,$(TWIN_C))
TWIN_LINK := $(CC) -static -no-pie -Wl,--build-id=sha1 -Wl,-T,tools/workloads/twin.ld
$(B)/ibsboot-workloads: $(TWIN_O) $(work_objects) $(noise_objects) tools/workloads/twin.ld workloads/order.ld
	$(TWIN_LINK) $(TWIN_O) $(work_objects) $(noise_objects) -o $@

# ---------------------------------------------------------------- unit tests
# Each test_*.c below tests/unit/<room>, in folders by what it tests, is a program; the other .c files there are helpers (fakes) and are linked
# into all of that room's tests. UNIT_<room> lists what else is linked. All programs of a room are one file, which runs the one by whose name
# it is called (tests/unit-main): to link each of them on its own takes a fifth of the compiler's time, and 1.6 GB.
# -g1: functions and lines, as sanitizers print them; more takes a fifth of the compiler's time. -Og: as fast as -O1, compiled in 5/6 of its time.
UNIT_CFLAGS = $(BASE) -g1 -Og -D_GNU_SOURCE -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer
# The tests themselves seldom take the time, and optimising their many lines does. Nothing declares the name of their main().
$(B)/unit/tests/unit/%.o: UNIT_CFLAGS += -O0 -Dmain=run_$(*F) -Wno-missing-prototypes
UNIT_core := $(CORE_HOST)
UNIT_drivers := $(CORE_HOST) $(filter-out drivers/cpu/cpu_x86.c drivers/cpu/cpu_fpu.c,$(DRIVERS_C))
# The real workloads; the code map, the session, the start of cores, experiments with registers, the noise loops, a virtual PMU's CPUID
# leaves, and the processor below the drivers' tables are fakes.
UNIT_app := $(CORE_HOST) $(APP_C) $(WORK_C) tests/unit/drivers/fake_cpu.c tests/unit/core/made_code.c \
            $(filter-out drivers/cpu/cpu_x86.c drivers/cpu/cpu_fpu.c drivers/session/session.c drivers/session/session_probe.c drivers/cores/startup.c drivers/pmu/trial.c drivers/machine/vpmu_query.c,$(DRIVERS_C))
# They fill matrices of a million elements in each run of each test.
$(B)/unit/workloads/%.o: UNIT_CFLAGS += -O2 -fno-sanitize=all
UNIT_noise := $(CORE_HOST) $(NOISE_C)
# The UEFI side without its entry, on a made-up system table.
UNIT_efi := $(CORE_HOST) $(filter-out efi/main.c,$(EFI_C)) tests/unit/core/disk/disk.c
$(B)/unit/efi/%.o $(B)/unit/tests/unit/efi/%.o $(B)/unit/bios/%.o $(B)/unit/tests/unit/bios/%.o: UNIT_CFLAGS += -fshort-wchar -DGNU_EFI_USE_MS_ABI -isystem $(EFIINC) -isystem $(EFIINC)/x86_64
# The BIOS side on a fake BIOS, without its entry, exceptions, and the way to real mode.
BIOS_HOST := $(filter-out $(addprefix bios/,exceptions.c main.c real.c),$(call sources,bios,c))
UNIT_bios := $(CORE_HOST) $(BIOS_HOST) drivers/trace/uart.c tests/unit/core/disk/disk.c
UNIT_vpmu := $(CORE_HOST) $(patsubst %,bench/paper/%.c,published reading samples) $(call sources,vpmu/model,c) vpmu/shim/clock.c vpmu/shim/group.c vpmu/shim/os/os_code.c vpmu/plugin/rep.c
UNIT_ibsprof := $(filter-out tools/ibsprof/main.c,$(ibsprof_C))
UNIT_LIBS_ibsprof := $(ibsprof_LIBS)
# Rooms with the longest tests first, so that none of them runs alone at the end.
ROOMS := ibsprof vpmu app core drivers noise efi bios

$(eval $(call object_rules,unit,UNIT_CFLAGS))

# These compute for long, on code that other tests run with sanitizers: all but their own objects is linked as for the host's programs.
LONG_vpmu := test_matmul test_pmc_all test_pmc_events test_pmc_interrupts test_golden
LONG_ibsprof := test_stat_rates test_stat_quantile test_compare
$(foreach room,$(ROOMS),$(eval TESTS_$(room) := $(foreach file,$(call sources,tests/unit/$(room),c),$(if $(filter test_%,$(notdir $(file))),$(file)))))
# unit_program ROOM,FILE,TESTS,FOLDER: the file that all these tests are, from objects in that folder of build/. gold takes half of ld's time.
define unit_program
$(B)/unit/$(1)/$(2): $(patsubst %.c,$(B)/unit/%.o,$(3)) \
        $(patsubst %.c,$(B)/$(4)/%.o,$(UNIT_$(1)) $(filter-out $(TESTS_$(1)),$(call sources,tests/unit/$(1),c)))
	@mkdir -p $$(@D)
	@tests/unit-main $(basename $(notdir $(3))) >$$@.c
	$$(CC) $$(UNIT_CFLAGS) -fuse-ld=gold $$@.c $$^ -o $$@ -lcmocka $$(UNIT_LIBS_$(1))
$(patsubst %.c,$(B)/unit/$(1)/%,$(notdir $(3))): $(B)/unit/$(1)/$(2)
	@ln -sf $(2) $$@
endef
define room_rules
$(call unit_program,$(1),all,$(filter-out $(patsubst %,\%/%.c,$(LONG_$(1))),$(TESTS_$(1))),unit)
$(if $(LONG_$(1)),$(call unit_program,$(1),long,$(filter $(patsubst %,\%/%.c,$(LONG_$(1))),$(TESTS_$(1))),host))
UNIT_T_$(1) := $(patsubst %.c,$(B)/unit/$(1)/%,$(notdir $(TESTS_$(1))))
.PHONY: unit-$(1)
unit-$(1): $$(UNIT_T_$(1))
	@tests/run-unit $$^
endef
$(foreach room,$(ROOMS),$(eval $(call room_rules,$(room))))
# ibsprof's tests read the image's symbols and code.
$(UNIT_T_ibsprof): | $(B)/ibsboot.elf $(B)/ibsboot-run.elf
$(B)/unit/bios/test_pe: | $(B)/ibsboot.efi

.PHONY: unit
PICK := echo # or tests/in-turn: what ./dev test runs now
unit: $(foreach room,$(ROOMS),$(UNIT_T_$(room)))
	@tests/run-unit $$($(PICK) $^)

# Programs of tools/ in Python, and the pages' JavaScript: nothing is built.
.PHONY: unit-tools unit-web
unit-tools unit-web: unit-%:
	@$(wildcard tests/host/*/$*.sh)

# ---------------------------------------------------------------- fuzzing (clang's libFuzzer)
# All fuzzers link from one archive, but for rows that the linker collects: no symbol asks for them. fuzzer-no-link: coverage without a main.
FUZZ_CFLAGS := $(BASE) -O1 -D_GNU_SOURCE -fsanitize=address,undefined -fno-sanitize-recover=undefined
FUZZERS := $(patsubst tests/fuzz/%.c,$(B)/fuzz/%,$(wildcard tests/fuzz/fuzz_*.c))
COLLECTED := $(wildcard core/family/family_*.c core/events/events_*.c)
# Without General Exploration, which no fuzzer links.
FUZZED := $(BIOS_HOST) $(filter-out $(COLLECTED) core/explore/%,$(CORE_HOST)) $(wildcard tools/ibsprof/base/*.c) $(call sources,tools/ibsprof/read,c) $(wildcard tools/ibsprof/views/*.c) tools/ibsprof/noise/noise_file.c tools/ibsprof/hardware/hardware_file.c tools/ibsprof/counters/time_file.c tools/ibsprof/symbols/kallsyms.c $(patsubst %,tools/ibsprof/receive/%.c,collect folder received sums summed upload_files uploads)
FUZZED_CFLAGS = $(FUZZ_CFLAGS) -fsanitize=fuzzer-no-link
$(B)/fuzz/bios/%.o: FUZZED_CFLAGS += -fshort-wchar -DGNU_EFI_USE_MS_ABI -isystem $(EFIINC) -isystem $(EFIINC)/x86_64
$(eval $(call object_rules,fuzz,FUZZED_CFLAGS,clang))
$(B)/fuzz/fuzzed.a: $(FUZZED:%.c=$(B)/fuzz/%.o)
	rm -f $@ && ar qcs $@ $^
$(B)/fuzz/fuzz_%: $(B)/fuzz/tests/fuzz/fuzz_%.o $(patsubst %.c,$(B)/fuzz/%.o,$(COLLECTED)) $(B)/fuzz/fuzzed.a
	clang $(FUZZ_CFLAGS) -fsanitize=fuzzer $^ -o $@ $(LIBS_fuzz_$*) -lzstd
LIBS_fuzz_archive := -larchive
.PHONY: fuzz
fuzz: $(FUZZERS)
	@FUZZ_SHARES=$(FUZZ_SHARES) tests/run-fuzz $(FUZZ_SECONDS) $^

# ---------------------------------------------------------------- everything else
# Tables too long for the documents, as the program prints them: build/pages/NAME.md.
PAGES := events events_later derived facts configs views hostile hardware_turned paper_counters paper_variants paper_stations paper_readings
.PHONY: pages
pages: $(B)/tools/tables $(B)/tools/paper
	@mkdir -p $(B)/pages
	@for name in $(PAGES); do case $$name in paper_*) of=paper ;; *) of=tables ;; esac; \
	$(B)/tools/$$of $$name >$(B)/pages/$$name.md || exit 1; echo $(B)/pages/$$name.md; done
.PHONY: all programs compile_commands.json test-images clean coverage host-tests boot-tests script-tests ibsprof install uninstall
ibsprof: $(B)/tools/ibsprof $(B)/tools/ibsprof.1
$(B)/tools/ibsprof.1: tools/ibsprof/ibsprof.1 $(B)/tools/ibsprof
	awk '/^@/ { fflush(); system("$(B)/tools/ibsprof " substr($$0, 2) " --manual"); next } 1' $< >$@
include tools/ibsprof/install.mk tools/plan/plan.mk
all: $(B)/ibsbios $(B)/ibsbios.0 $(B)/ibsboot.efi $(B)/ibsboot-vpmu.efi $(B)/vpmu-boot.efi $(B)/vpmu-plugin.so $(B)/qemu-memory
test-images: all $(B)/ibsboot-test.efi $(B)/ibsboot-test-vpmu.efi \
        $(B)/five-levels.efi $(B)/null-call.efi $(B)/a20-off $(B)/vpmu-selftest.efi $(B)/vpmu-selftest-vpmu.efi $(B)/ibsboot-workloads
# For clangd and other tools: how each file is compiled.
compile_commands.json:
	@$(MAKE) -nB all ibsprof unit $(FUZZERS) | tools/compile-commands >$@
coverage:
	@tests/coverage $(COVERAGE)
# The longest first, so that none runs alone at the end.
LONG := $(wildcard $(patsubst %,tests/%.sh,$(subst /,/*/,host/planted host/html boot/cores boot/families boot/stick boot/network boot/explore boot/noise \
        boot/reference boot/revisions host/oracle boot/first-boot host/mutate boot/paper boot/hostile boot/configs boot/code host/tables host/web boot/stepping)))
HOST_SCRIPTS := $(wildcard tests/host/*/*.sh)
BOOT_SCRIPTS := $(wildcard tests/boot/*/*.sh)
host_programs := all $(B)/tools/arguments $(B)/ibsboot-workloads $(B)/bench/model_speed $(HOST_PROGRAMS:%=$(B)/tools/%)
boot_programs := test-images ibsprof $(B)/tools/arguments $(B)/tools/ibs_dump $(B)/tools/tables
# All that ./dev test builds, without the unit tests.
programs: $(host_programs) $(boot_programs) $(FUZZERS)
host-tests: $(host_programs)
	@RESULTS=host tests/run-scripts $(HOST_SCRIPTS)
boot-tests: $(boot_programs)
	@RESULTS=boot tests/run-scripts $(BOOT_SCRIPTS)
script-tests: $(host_programs) $(boot_programs)
	@RESULTS=script tests/run-scripts $$($(PICK) $(LONG) $(filter-out $(LONG),$(HOST_SCRIPTS) $(BOOT_SCRIPTS)))
clean:
	rm -rf $(B)

# A renamed header: rebuild whatever was built with it.
%.h: ;
-include $(shell find $(B) -path $(B)/each -prune -o -type f -name '*.d' -print 2>/dev/null)
