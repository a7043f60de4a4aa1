# libdls-mpi: loops across the ranks of an MPI program, with what stands on it.  Built where there is an MPI; one for each MPI.
#
#	make mpi MPI=mpich	with mpicc.mpich, in build/mpi-mpich; likewise openmpi, smpi (SimGrid); without MPI= with mpicc, in build/mpi; none leaves it out
# Its engine is one of machines.
MPI := $(if $(LOOPS_ALONE),none,$(MPI))
MPICC := $(if $(filter smpi,$(MPI)),smpicc,$(if $(MPI),mpicc.$(MPI),mpicc))
MPI_PACKAGE := $(or $(if $(filter openmpi,$(MPI)),libopenmpi-dev),$(if $(filter mpich,$(MPI)),libmpich-dev),$(if \
	$(filter smpi,$(MPI)),libsimgrid-dev),libopenmpi-dev or libmpich-dev)
MPI_FOUND := $(shell command -v $(MPICC))
M := $B/mpi$(MPI:%=-%)
MPI_SRC := $(wildcard lib/mpi/*.c)
MPI_SONAME := libdls-mpi.so.$(ABI)
MPI_SHARED := $M/libdls-mpi.so.$(VERSION)
MPI_TEST := $(patsubst test/mpi/%.c,$M/test/%,$(wildcard test/mpi/*.c))
MPI_TOOLS := dls-mpi-overhead dls-mpi-loops
# The wrappers call the compiler of this build.
export OMPI_CC = $(CC)
export MPICH_CC = $(CC)

.PHONY: mpi check-mpi mpi-scale install-mpi uninstall-mpi
all: mpi
ifeq ($(MPI_FOUND),)
mpi check-mpi mpi-scale:
	@$(if $(filter none,$(MPI)),:,echo 'libdls-mpi is not built: $(MPICC) is not installed (package $(MPI_PACKAGE))')
else
mpi: $(MPI_SHARED) $(if $(MPI),,$(MPI_TOOLS:%=$B/bin/%))

$M/lib/%.o: lib/%.c Makefile lib/mpi/mpi.mk
	$Qmkdir -p $(@D) && $(MPICC) $(CPPFLAGS) -MMD -MP $(CFLAGS) -fPIC -c -o $@ $<

$(MPI_SHARED): $(MPI_SRC:%.c=$M/%.o) $M/lib/base/writing.o lib/mpi/libdls-mpi.map $(SHARED)
	$Q$(MPICC) $(CFLAGS) $(LDFLAGS) -shared $(STAYS) -Wl,-soname,$(MPI_SONAME) -Wl,--version-script=lib/mpi/libdls-mpi.map \
		$(if $(SAN),,-Wl,--no-undefined) -o $@ $(filter %.o,$^) -L$B -ldls $(LDLIBS)
	$Qln -sf $(@F) $M/$(MPI_SONAME) && ln -sf $(MPI_SONAME) $M/libdls-mpi.so

# Programs find the libraries by LD_LIBRARY_PATH, as SimGrid copies them.
$M/test/%: test/mpi/%.c $(MPI_SHARED)
	$Qmkdir -p $(@D) && $(MPICC) $(CPPFLAGS) -Itest -MMD -MP -MF $@.d $(CFLAGS) $(if $(filter smpi,$(MPI)),,$(OPENMP)) \
		-Wno-missing-prototypes -fvisibility=default $(LDFLAGS) -o $@ $< -L$M -ldls-mpi -L$B -ldls $(LDLIBS)

$B/bin/dls-mpi-overhead: bench/mpi-overhead/mpi_overhead.c
$B/bin/dls-mpi-loops $M/test/dls-mpi-loops: bench/mpi-loops/mpi_loops.c $(filter-out %/stencils.o,$(call objects,bench/kernels/*.c bench/apps/barnes_hut.c))
$(MPI_TOOLS:%=$B/bin/%) $M/test/dls-mpi-loops: $(call objects,bench/tool/*.c) $(MPI_SHARED)
	$Qmkdir -p $(@D) && $(MPICC) $(CPPFLAGS) $(CFLAGS) $(OPENMP) $(LDFLAGS) -Wl,-rpath,'$$ORIGIN/../mpi:$$ORIGIN/..:$$ORIGIN/../lib' -o $@ \
		$(filter %.c %.o,$^) -L$M -ldls-mpi -L$B -ldls $(LDLIBS)

# Simulated ranks: PLOT=FILE.svg draws the table.
$M/mpi_scale: bench/mpi-scale/mpi_scale.c $(MPI_SHARED)
	$Q$(MPICC) $(CPPFLAGS) $(CFLAGS) -Wno-missing-prototypes -fvisibility=default $(LDFLAGS) -o $@ $< -L$M -ldls-mpi -L$B -ldls $(LDLIBS)
ifeq ($(MPI),smpi)
mpi-scale: $M/mpi_scale
	$Qbench/mpi-scale/scale.sh $M/mpi_scale $M:$B $(PLOT)
MPI_TEST += $M/mpi_scale
else
mpi-scale:
	$Q$(MAKE) MPI=smpi mpi-scale
endif

check-mpi: $(MPI_TEST) $(MPI_SHARED) $B/bin/dls-sim $(if $(filter smpi,$(MPI)),,$M/test/dls-mpi-loops)
	$QM=$M MPI=$(MPI) test/tap.sh test/mpi/check.sh

install: install-mpi
install-mpi: mpi
	$Q$(INSTALL) -d $(call at,$(libdir)) $(call at,$(pkgconfigdir)) $(call at,$(bindir))
	$Q$(INSTALL) -m 755 $(MPI_SHARED) $(call at,$(libdir))
	$Qln -sf $(notdir $(MPI_SHARED)) $(call at,$(libdir)/$(MPI_SONAME))
	$Qln -sf $(MPI_SONAME) $(call at,$(libdir)/libdls-mpi.so)
	$Qprintf '%s\n' 'prefix=$(prefix)' 'includedir=$(includedir)' 'libdir=$(libdir)' '' \
		'Name: libdls-mpi' 'Description: Scheduling of loops across MPI ranks' 'Version: $(VERSION)' 'Requires: libdls' \
		'Cflags: -I"$${includedir}"' 'Libs: -L"$${libdir}" -ldls-mpi' > $M/libdls-mpi.pc
	$Q$(INSTALL) -m 644 $M/libdls-mpi.pc $(call at,$(pkgconfigdir))
	$Q$(if $(MPI),,$(INSTALL) -m 755 $(MPI_TOOLS:%=$B/bin/%) $(call at,$(bindir)))
endif

uninstall: uninstall-mpi
uninstall-mpi:
	$Qrm -f $(foreach file,libdls-mpi.so $(MPI_SONAME) $(notdir $(MPI_SHARED)),$(call at,$(libdir)/$(file))) \
		$(call at,$(pkgconfigdir)/libdls-mpi.pc) $(foreach file,$(MPI_TOOLS),$(call at,$(bindir)/$(file)))

-include $(MPI_SRC:%.c=$M/%.d) $(MPI_TEST:%=%.d)
