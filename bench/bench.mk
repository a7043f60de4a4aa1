# The tools: dls-NAME is all of bench/NAME/ and bench/tool/; dls, of bench/dls/, runs the others.
# Without OpenMP dls-overhead and dls-loops say so.
# libdls-apps.a has the example programs of bench/apps, for dls-paper and for the tests; it is not installed.
# dls-advise reads JSON by jansson; empty where that is not installed.
JANSSON := $(shell printf '\043include <jansson.h>\nint main(void) { json_decref(0); }' | \
	$(CC) -x c - -o /dev/null -ljansson 2>/dev/null && echo -ljansson)
# dls-sim reads XML by expat; without it plain text alone.
EXPAT := $(shell printf '\043include <expat.h>\nint main(void) { XML_ParserFree(XML_ParserCreate(0)); }' | \
	$(CC) -x c - -o /dev/null -lexpat 2>/dev/null && echo -lexpat)
TOOLS := dls $(if $(JANSSON),dls-advise) dls-chunks dls-loops dls-run dls-study $(if $(LOOPS_ALONE),,dls-overhead dls-paper dls-sim)
BENCH_SRC := $(filter-out $(if $(JANSSON),,bench/advise/%),$(wildcard bench/*/*.c))

bench: $(TOOLS:%=$B/bin/%)
	$(if $(JANSSON),,@echo 'dls-advise is not built: jansson is not installed (package libjansson-dev)')
	$(if $(EXPAT),,@echo 'dls-sim reads no platforms in XML: expat is not installed (package libexpat1-dev)')

$(BENCH_SRC:%.c=$B/%.o): override CFLAGS += $(OPENMP)
$B/bench/overhead/vector.o: override CFLAGS += -O3
# Where a loop begins decides up to a quarter of its time: the same for the compiler's and ours, and for inner ones of few iterations.
$(patsubst %.c,$B/%.o,$(wildcard bench/kernels/*.c)): override CFLAGS += -falign-loops=64 \
	$(if $(CLANG),,--param=align-loop-iterations=1 --param=align-threshold=65536)

# dlopen(), which older C libraries have in one of its own.
$(TOOLS:%=$B/bin/%): override LDLIBS += -ldl

objects = $(patsubst %.c,$B/%.o,$(wildcard $1))
$B/bin/dls: $(call objects,bench/dls/*.c)
$B/bin/dls-advise: $(call objects,bench/advise/*.c)
$B/bin/dls-advise: override LDLIBS += $(JANSSON)
$B/bin/dls-chunks: $(call objects,bench/chunks/*.c)
$B/bin/dls-sim: $(call objects,bench/sim/*.c) $(filter-out %/loops.o,$(call objects,bench/study/*.c))
# dls-study runs the loops of dls-chunks.
$B/bin/dls-study: $(call objects,bench/study/*.c) $(patsubst %,$B/bench/chunks/%.o,family predict resolve times trace trial walk)
# --engine mpi loads libdls-mpi.
$B/bin/dls-sim: override LDLIBS += $(EXPAT) $(call finds_libraries,mpi-openmpi mpi-mpich mpi)
$B/bench/sim/platform_xml.o: override CPPFLAGS += $(if $(EXPAT),-DSIM_EXPAT)
# The pages of dls-sim --html and dls-chunks --html, up to their data, which between.html ends, and from there on, as strings of C.
PAGE := bench/tool/page
page = $(PAGE)/head.html bench/$1/page/style.css $(PAGE)/controls.html $(PAGE)/between.html $(PAGE)/clock.js $(patsubst %,bench/$1/page/%.js,$2)
$B/bench/sim/page.c: $(call page,sim,net run page)
$B/bench/chunks/page.c: $(call page,chunks,run page)
PAGES := $(addprefix $B/bench/,sim/page chunks/page)
$B/bin/dls-sim: $B/bench/sim/page.o
$B/bin/dls-chunks: $B/bench/chunks/page.o
$(PAGES:%=%.o): %.o: %.c
	$Q$(CC) $(CPPFLAGS) $(CFLAGS) -c -o $@ $<
$(PAGES:%=%.c): $(PAGE)/tail.html bench/bench.mk
	$Qmkdir -p $(@D) && { echo '#include "bench/tool/tool.h"'; echo 'const char *const tool_page_head[] = {'; \
		for part in $(filter-out %/tail.html %.mk,$^) $(PAGE)/tail.html; do \
			[ $$part != $(PAGE)/between.html ] || echo 'NULL }; const char *const tool_page_tail[] = {'; \
			sed 's/[\\"]/\\&/g; s/.*/"&\\n",/' $$part; done; echo 'NULL };'; } >$@
$B/bench/sim/ranks.o: override CPPFLAGS += -DSIM_ABI='"$(ABI)"'
$B/bin/dls-run: $(call objects,bench/run/*.c) $(OMP)
# Where libraries stand, from the folder of the tools that load some: beside it in the build, or as prefixes have them.
LIBDIRS := lib lib64 $(patsubst %,lib/%,$(shell $(CC) -print-multiarch 2>/dev/null))
finds_libraries = -Wl,-rpath,'$$ORIGIN/..$(subst $(empty) :,:,$(foreach dir,$1 $(LIBDIRS),:$$ORIGIN/../$(dir)))'
$B/bench/run/run.o: override CPPFLAGS += -DDLS_LIBDIR='"$(omplibdir)"' -DDLS_LIBDIRS='$(LIBDIRS:%="../%"$(comma))'
$B/bin/dls-paper: $(call objects,bench/paper/*.c) $B/libdls-apps.a
$B/bin/dls-overhead: $(call objects,$(if $(OPENMP),bench/overhead/*.c bench/kernels/stencils.c,bench/overhead/overhead.c))
$B/bin/dls-loops: $(call objects,$(if $(OPENMP),bench/loops/*.c bench/kernels/*.c bench/apps/barnes_hut.c,bench/loops/loops.c))
# The whole library, seen by plug-ins: what a preloaded shared object registers is the tool's own.
$(TOOLS:%=$B/bin/%): $(call objects,bench/tool/*.c) $B/libdls.a
	$Qmkdir -p $(@D) && $(CC) $(CFLAGS) $(OPENMP) $(LDFLAGS) -rdynamic -o $@ $(filter %.o,$^) \
		$(filter-out $B/libdls.a,$(filter %.a,$^)) -Wl,--whole-archive $B/libdls.a -Wl,--no-whole-archive $(LDLIBS)

$B/libdls-apps.a: $(call objects,bench/apps/*.c)
	$Qrm -f $@ && $(AR) rcs $@ $^

# Compare every experiment of dls-paper, or P="some of them", two at a time, with what is recorded.
# papers-renew records anew, also in dls-paper(1), when figures have changed on purpose.
papers: $B/bin/dls-paper
	$Qbench/paper/papers.sh $< $B/papers check $P

papers-renew: $B/bin/dls-paper
	$Qbench/paper/papers.sh $< $B/papers renew $P
	$Q$(MAKE) --no-print-directory $<
	$Qbench/paper/papers.sh $< $B/papers page
.PHONY: papers papers-renew

# auto beside all other schedules where other programs, quotas or too many threads disturb; CONDITIONS="some of them".
hostile: $B/bin/dls-loops
	$Qbench/loops/hostile.sh $< $(if $(CONDITIONS),-c "$(CONDITIONS)")
.PHONY: hostile

# What a loop costs by dls.F90, by gfortran.
ifeq ($(origin FC),default)
FC = gfortran
endif
FFLAGS ?= -O2 -g
$B/fortran/overhead: bench/fortran/overhead.f90 include/dls.F90 $B/bench/fortran/twin.o $B/libdls.a
	$Qmkdir -p $@.mod && $(FC) $(FFLAGS) -fopenmp -Wall -J$@.mod include/dls.F90 $< $B/bench/fortran/twin.o $B/libdls.a \
		$(LDFLAGS) $(LDLIBS) -o $@
fortran: $B/fortran/overhead
	$Q$<
.PHONY: fortran

# What a loop costs by dls.hpp.
$B/cpp/overhead: bench/cpp/overhead.cc $B/libdls.a
	$Qmkdir -p $(@D) && $(CXX) $(CPPFLAGS) -std=c++17 -MMD -MP -MF $@.d $(CXXFLAGS) $(OPENMP) $(LDFLAGS) -o $@ \
		$(filter %.cc %.a,$^) $(LDLIBS)
ifneq ($(shell command -v $(firstword $(CXX))),)
cpp: $B/cpp/overhead
	$Q$<
else
cpp:
	$Qecho 'cpp: $(CXX) is not installed (package g++)'
endif
.PHONY: cpp

demo: $B/bin/dls-loops
	$Q$B/bin/dls-loops --demo

-include $(BENCH_SRC:%.c=$B/%.d) $B/cpp/overhead.d
