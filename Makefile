# SPDX-License-Identifier: GPL-2.0
#
# make KDIR=/path/to/kernel/build builds the module for another kernel, here in
# the tree; the lab builds in its own cache (selftests/lab/README.md).

KDIR ?= $(firstword $(wildcard /lib/modules/$(shell uname -r)/build) \
	$(wildcard /lib/modules/6.12*/build) $(wildcard /lib/modules/6.1.*/build))
KERNEL ?= stock-6.12
TOOLS := $(patsubst tools/%/Makefile,%,$(wildcard tools/lapsctl/Makefile tools/lapsperf/Makefile))
ifneq ($(O),)
override O := $(abspath $(O))
endif

.PHONY: all module tools demo check check-long bench report report-quick lab kernels clean help $(TOOLS:%=tools/%)

all: module tools

module:
	$(if $(KDIR),,$(error no kernel headers in /lib/modules; install linux-headers-amd64 or set KDIR=))
	$(MAKE) -C $(KDIR) M=$(CURDIR)/net/lapsmp modules

tools: $(TOOLS:%=tools/%)

$(TOOLS:%=tools/%):
	$(MAKE) -C $@ $(if $(O),O=$(O)/$(notdir $@))

demo:
	selftests/demo/demo

check:
	selftests/check

check-long:
	selftests/check --long

bench:
	selftests/bench/bench

report report-quick: tools
	selftests/fabric/report.py --out results/report --lapsctl $(if $(O),$(O)/lapsctl,tools/lapsctl)/lapsctl \
		$(if $(filter %-quick,$@),--quick --figures,--seeds 3 --write Documentation/evaluation.md)

lab:
	-@selftests/lab/run --kernel $(KERNEL) --interactive

kernels:
	selftests/lab/kernels

clean:
	$(if $(KDIR),$(MAKE) -C $(KDIR) M=$(CURDIR)/net/lapsmp clean)
	$(foreach t,$(TOOLS),$(MAKE) -C tools/$(t) clean &&) true

help:
	@echo 'all         the module for the kernel of KDIR, and the tools'
	@echo 'module      lapsmp.ko; KDIR=$(KDIR)'
	@echo 'tools       lapsctl and lapsperf; O=DIR builds outside the tree'
	@echo 'demo        a few hosts, links of different speeds, one failure'
	@echo 'check       every test that takes seconds (check-long: all of them)'
	@echo 'bench       the measurements'
	@echo 'report      all schemes over whole fabrics (report-quick: small ones)'
	@echo 'lab         a shell in a kernel with lapsmp loaded; KERNEL=$(KERNEL)'
	@echo 'kernels     prepare all kernels of the lab (half an hour of compiling)'
	@echo 'clean       remove what module and tools have built'
