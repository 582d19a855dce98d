# SPDX-License-Identifier: BSD-2-Clause
# 'ibsprof plan' checks a plan by the image's own objects. They are one file in which all other symbols are local, so that they and ibsprof's
# own copy of core/ do not meet; the linker would put rows of both into one table, so those sections have other names.
PLAN_ROWS := family_rows event_rows
$(B)/tools/plan.o: $(B)/image/tools/plan/plan.o $(filter-out $(B)/image/efi/%,$(IMAGE_O)) $(B)/image/tools/codemap_empty.o
	@mkdir -p $(@D)
	ld -r --no-warn-execstack $^ -o $@.all
	objcopy --keep-global-symbol=plan_print --keep-global-symbol=plan_memory $(foreach rows,$(PLAN_ROWS),--rename-section $(rows)=plan_$(rows) \
	  --redefine-sym __start_$(rows)=__start_plan_$(rows) --redefine-sym __stop_$(rows)=__stop_plan_$(rows)) --strip-debug $@.all $@
	@rm $@.all
$(B)/tools/ibsprof $(B)/unit/ibsprof/all $(B)/unit/ibsprof/long: $(B)/tools/plan.o
