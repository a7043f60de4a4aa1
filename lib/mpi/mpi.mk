# libdls-mpi: loops across the ranks of an MPI program, with what stands on it.  Built where an MPI is asked for by name.
#
#	make mpi MPI=mpich	with mpicc.mpich, in build/mpi-mpich: libdls-mpi-mpich.so; likewise openmpi: side by side in one prefix
#	make mpi MPI=mpicc	with mpicc, whose MPI is not asked for, in build/mpi: libdls-mpi.so; likewise smpi with smpicc (SimGrid)
#			Plain names, libdls-mpi.so and dls-mpi-loops, are links to those of the MPI that mpicc belongs to at installation
#	make mpi, check-mpi	as MPI=mpicc; `make` and `make install` leave it out without MPI=, as with MPI=none
ifeq ($(filter file line,$(origin MPI)),)	# neither this Makefile nor the command line; modules set it in the environment
MPI := $(if $(filter mpi check-mpi install-mpi,$(MAKECMDGOALS)),mpicc,none)
endif
MPI_KINDS := openmpi mpich mpicc smpi none
ifneq ($(filter-out $(MPI_KINDS),$(or $(MPI),"")),)
$(error MPI=$(MPI): accepted are $(MPI_KINDS))
endif
# Its engine is one of machines.
ifneq ($(and $(LOOPS_ALONE),$(filter-out none,$(MPI))),)
$(error MPI=$(MPI) needs machines: leave out MACHINES=no)
endif
MPICC := $(if $(filter mpicc smpi,$(MPI)),$(patsubst smpi,smpicc,$(MPI)),mpicc.$(MPI))
MPI_PACKAGE := $(or $(if $(filter openmpi,$(MPI)),libopenmpi-dev),$(if $(filter mpich,$(MPI)),libmpich-dev),$(if \
	$(filter smpi,$(MPI)),libsimgrid-dev),libopenmpi-dev or libmpich-dev)
M := $B/mpi$(patsubst %,-%,$(filter-out mpicc,$(MPI)))
MPI_SRC := $(wildcard lib/mpi/*.c)
# In the names of what is installed.
MPI_NAMED := $(filter openmpi mpich,$(MPI))
MPI_LIB := dls-mpi$(MPI_NAMED:%=-%)
MPI_SONAME := lib$(MPI_LIB).so.$(ABI)
MPI_SHARED := $M/lib$(MPI_LIB).so.$(VERSION)
MPI_STATIC := $M/lib$(MPI_LIB).a
MPI_TEST := $(patsubst test/mpi/%.c,$M/test/%,$(wildcard test/mpi/*.c))
MPI_TOOL := dls-mpi-loops$(MPI_NAMED:%=.%)
# The wrappers call the compiler of this build.
export OMPI_CC = $(CC)
export MPICH_CC = $(CC)

.PHONY: mpi check-mpi mpi-scale install-mpi uninstall-mpi
all: mpi
ifeq ($(shell command -v $(MPICC)),)
MPI_MISSING = echo 'libdls-mpi is not built: $(MPICC) is not installed (package $(MPI_PACKAGE))'
mpi install-mpi:
	@$(if $(filter none,$(MPI)),:,$(MPI_MISSING); false)
check-mpi:
	@$(if $(filter none,$(MPI)),:,$(MPI_MISSING))
else
MPI_LINKED := y
mpi: $(MPI_SHARED) $(MPI_STATIC) $(if $(filter smpi,$(MPI)),,$B/bin/$(MPI_TOOL))

$M/lib/%.o: lib/%.c Makefile lib/mpi/mpi.mk
	$Qmkdir -p $(@D) && $(MPICC) $(CPPFLAGS) -MMD -MP $(CFLAGS) -fPIC -c -o $@ $<

$(MPI_SHARED): $(MPI_SRC:%.c=$M/%.o) $M/lib/base/writing.o lib/mpi/libdls-mpi.map $(SHARED)
	$Q$(MPICC) $(CFLAGS) $(LDFLAGS) -shared $(STAYS) -Wl,-soname,$(MPI_SONAME) -Wl,--version-script=lib/mpi/libdls-mpi.map \
		-Wl,-rpath,'$$ORIGIN' $(if $(SAN),,-Wl,--no-undefined) -o $@ $(filter %.o,$^) -L$B -ldls $(LDLIBS)
	$Qln -sf $(@F) $M/$(MPI_SONAME) && ln -sf $(MPI_SONAME) $M/lib$(MPI_LIB).so

# For programs with libdls.a, which has writing.o.
$(MPI_STATIC): $(MPI_SRC:%.c=$M/%.o)
	$Qrm -f $@ && $(AR) rcs $@ $^

# Programs find the libraries by LD_LIBRARY_PATH, as SimGrid copies them.
$M/test/%: test/mpi/%.c $(MPI_SHARED)
	$Qmkdir -p $(@D) && $(MPICC) $(CPPFLAGS) -Itest -MMD -MP -MF $@.d $(CFLAGS) $(if $(filter smpi,$(MPI)),,$(OPENMP)) \
		-Wno-missing-prototypes -fvisibility=default $(LDFLAGS) -o $@ $< -L$M -l$(MPI_LIB) -L$B -ldls $(LDLIBS)

# It draws nothing: what draws needs functions of libdls that libdls.so keeps to itself.
$B/bin/$(MPI_TOOL) $M/test/dls-mpi-loops: bench/mpi-loops/mpi_loops.c \
	$(filter-out %/stencils.o,$(call objects,bench/kernels/*.c bench/apps/barnes_hut.c)) \
	$(filter-out %/page.o %/plot.o %/svg.o,$(call objects,bench/tool/*.c)) $B/lib/base/name.o $(MPI_SHARED)
	$Qmkdir -p $(@D) && $(MPICC) $(CPPFLAGS) $(CFLAGS) $(OPENMP) $(LDFLAGS) $(call finds_libraries,$(notdir $M)) -o $@ \
		$(filter %.c %.o,$^) -L$M -l$(MPI_LIB) -L$B -ldls $(LDLIBS)

check-mpi: $(MPI_TEST) $(MPI_SHARED) $B/bin/dls-sim $(if $(filter smpi,$(MPI)),,$M/test/dls-mpi-loops)
	$QM=$M MPI=$(MPI) MPI_LIB=$(MPI_LIB) test/tap.sh test/mpi/check.sh test/mpi/package.sh

install: install-mpi
install-mpi: mpi
	$Q$(INSTALL) -d $(call at,$(libdir)) $(call at,$(pkgconfigdir)) $(call at,$(bindir)) $(call at,$(bashdir))
	$Q$(INSTALL) -m 755 $(MPI_SHARED) $(call at,$(libdir))
	$Q$(INSTALL) -m 644 $(MPI_STATIC) $(call at,$(libdir))
	$Qln -sf $(notdir $(MPI_SHARED)) $(call at,$(libdir)/$(MPI_SONAME))
	$Qln -sf $(MPI_SONAME) $(call at,$(libdir)/lib$(MPI_LIB).so)
	$Q$(call put,$(call filled,mpi/libdls-mpi.pc,$(includedir)),$(call at,$(pkgconfigdir)/lib$(MPI_LIB).pc))
	$Q$(if $(filter smpi,$(MPI)),,$(INSTALL) -m 755 $B/bin/$(MPI_TOOL) $(call at,$(bindir)) && $(call complete,$(MPI_TOOL)))
	$Q$(if $(MPI_NAMED),if [ "$$(mpicc -show 2>/dev/null)" = "$$($(MPICC) -show)" ]; then \
		for end in so a; do ln -sf lib$(MPI_LIB).$$end $(call at,$(libdir))/libdls-mpi.$$end || exit; done && \
		ln -sf lib$(MPI_LIB).pc $(call at,$(pkgconfigdir)/libdls-mpi.pc) && $(call complete,$(basename $(MPI_TOOL))) && \
		ln -sf $(MPI_TOOL) $(call at,$(bindir))/$(basename $(MPI_TOOL)); \
		$(if $(DESTDIR),,else echo 'mpicc is of another MPI: link programs by $(MPICC) and -l$(MPI_LIB), and run $(MPI_TOOL)';) fi)
endif

# Simulated ranks.
ifeq ($(MPI),smpi)
$M/mpi_scale: bench/mpi-scale/mpi_scale.c $(MPI_SHARED)
	$Q$(MPICC) $(CPPFLAGS) $(CFLAGS) -Wno-missing-prototypes -fvisibility=default $(LDFLAGS) -o $@ $< -L$M -l$(MPI_LIB) -L$B -ldls $(LDLIBS)
mpi-scale: $M/mpi_scale
	$Qbench/mpi-scale/scale.sh $M/mpi_scale $M:$B
check-mpi: $M/mpi_scale
else
mpi-scale:
	$Q$(MAKE) MPI=smpi mpi-scale
endif

# Of all kinds.
uninstall: uninstall-mpi
uninstall-mpi:
	$Qrm -f $(foreach kind,dls-mpi dls-mpi-openmpi dls-mpi-mpich,$(foreach file,lib$(kind).so lib$(kind).so.$(ABI) lib$(kind).so.$(VERSION) \
		lib$(kind).a,$(call at,$(libdir)/$(file))) $(call at,$(pkgconfigdir)/lib$(kind).pc)) \
		$(foreach file,dls-mpi-loops dls-mpi-loops.openmpi dls-mpi-loops.mpich,$(call at,$(bindir)/$(file)) $(call at,$(bashdir)/$(file)))

-include $(MPI_SRC:%.c=$M/%.d) $(MPI_TEST:%=%.d)
