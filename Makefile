# libdls.  `make`, `make demo`, `make check`; gcc, make and the C library are all it takes.
#
#	make SAN=thread ...	builds in build-thread, likewise address, undefined
#	make CC=clang ...	builds in build-clang; CC=musl-gcc in build-musl
#	make MACHINES=no ...	loops alone, in build-loops: without machines, strategies, nets, repartitioning, dls-overhead, dls-paper, dls-sim
#	make check-all		all tests; make check has those that find most
#	make check T=chunk/rows	one test; WITHOUT='api/% machines' leaves some out, by name or tag (test/test.mk)
#	make check-all ARCH=s390x	for another architecture, under qemu-user; likewise aarch64, riscv64, ppc64le, i686
#	make check-arch ARCH=s390x	those tests of it whose results are numbers
#	make V=1 ...		shows the commands
#	make help		this
#	make compile_commands.json	the commands for editors and clang's tools
#	make install prefix=/usr DESTDIR=/tmp/stage; uninstall
#	make MPI=openmpi	libdls-mpi, too: openmpi, mpich, mpicc (whichever that belongs to) or, as without MPI=, none; likewise install
#	make check-mpi MPI=mpich	libdls-mpi's tests; openmpi, mpich, smpi, or without MPI= the one of mpicc
#	make mpi-scale		how loops across 16 to 1024 simulated ranks scale (SimGrid)
#	make lint, abi, model, fuzz	the manual and the layers, the interface, the protocols, the readers
#	make soak MINUTES=60	random programs; its counts of violations must be 0
#	make scale		5000 threads, 10^6 sites, 10^4 teams; memory of each
#	make coverage, mutants	which branches the tests take; which planted faults they miss
#	make analyze		static analysis
#	make weak		the memory orders: is each as strong as it must be, and is one too strong?
#	make nightly		all checks, of which CI leaves some out (test/matrix)
#	make papers		the papers' tables and figures: are they as before?
#	make hostile		auto beside all schedules on a disturbed machine: other programs, quotas, too many threads
#	make site		build/site: start, manual with search, pictures, papers, exercises (mandoc); install-site
#	make report site	... with all tables and figures of the papers, rebuilt in some minutes
#	make cpp, fortran	what loops cost in C++, in Fortran
#	make abi-accept		renews lib/libdls.abi and libdls.names after an addition to the interface
#	make dist		build/libdls-VERSION.tar.gz of the last commit
#	make packages		Debian's packages of it, built twice: the same bytes?
#
# CC, CXX, AR, CPPFLAGS, CFLAGS, CXXFLAGS and LDFLAGS of the environment are used, too; what the sources need is added.

# Debian's cross compilers; qemu-user runs what they link.
ifeq ($(origin ARCH),command line)
TRIPLE := $(patsubst ppc64le%,powerpc64le%,$(ARCH)-linux-gnu)
# The bare name where there is no such compiler, as messages and tests look for it.
cross = $(if $(shell command -v $(TRIPLE)-$1),$(CURDIR)/test/arch.sh $(ARCH) $1,$(TRIPLE)-$1)
CC := $(call cross,gcc)
CXX := $(call cross,g++)
FC := $(call cross,gfortran)
AR = $(TRIPLE)-ar
export ARCH
B = build-$(ARCH)$(if $(SAN),-$(SAN))
MPI = none
else
unexport ARCH
endif
ifeq ($(origin CC),default)
CC = gcc
endif
# With sanitizers gcc compiles a third faster at -O1.
CFLAGS ?= $(if $(SAN),-O1,-O2) -g
CXXFLAGS ?= $(if $(SAN),-O1,-O2) -g
# No built-in rules, which are tried on each of the hundreds of files with dependencies: half of the time that make takes to read.
MAKEFLAGS += -r
# As many jobs as there are processors where -j does not say; `make clean all` is one after the other.
ifeq ($(filter -j% --jobserver-auth=%,$(MAKEFLAGS))$(filter clean,$(MAKECMDGOALS)),)
MAKEFLAGS += -j$(shell nproc)
endif
prefix = /usr/local
includedir = $(prefix)/include
libdir = $(prefix)/lib
omplibdir = $(libdir)
bindir = $(prefix)/bin
mandir = $(prefix)/share/man
bashdir = $(prefix)/share/bash-completion/completions
zshdir = $(prefix)/share/zsh/site-functions
docdir = $(prefix)/share/doc/libdls
pkgconfigdir = $(libdir)/pkgconfig
INSTALL = install

empty :=
comma := ,
CLANG := $(findstring clang,$(CC))
MUSL := $(findstring musl,$(CC))
ifneq ($(MUSL),)
MPI = none
endif
ifeq ($(shell command -v $(firstword $(CC))),)
$(error $(firstword $(CC)) is not installed (package $(if $(TRIPLE),gcc-$(TRIPLE),$(firstword $(CC)))))
endif
ifeq ($(origin CXX),default)
CXX = $(if $(CLANG),clang++,g++)
endif
# The user's settings are for the user's programs.
unexport DLS_SCHEDULE DLS_STRICT DLS_DISPLAY_ENV DLS_REPORT DLS_TRACE DLS_TRACE_LIMIT DLS_PROGRESS DLS_OMP OMP_SCHEDULE

VERSION := $(shell sed -n 's/^.define DLS_VERSION "\(.*\)"/\1/p' include/dls.h)
# The version of the binary interface: MAJOR.  Within it programs need not be linked again.
# It ends the soname, libdls.so.ABI, and the symbols' version in lib/libdls.map, DLS_ABI.
ABI := $(firstword $(subst ., ,$(VERSION)))
B ?= build$(if $(filter no,$(MACHINES)),-loops)$(if $(CLANG),-clang)$(if $(MUSL),-musl)$(if $(SAN),-$(SAN))
Q := $(if $(V),,@)
WARN := -Wall -Wextra -Wshadow -Wpedantic -Wstrict-prototypes -Wmissing-prototypes -Wvla -Wpointer-arith
# gcc 10 warns of designated initializers, too, if there is a compound literal among them (its PR 82283).
WARN += $(if $(filter 10 10.%,$(shell $(CC) -dumpversion)),-Wno-missing-field-initializers)
override CPPFLAGS += -I. -Iinclude
override CFLAGS += -std=c11 -D_POSIX_C_SOURCE=200809L $(WARN) -fvisibility=hidden -ffp-contract=off \
	$(if $(SAN),-fsanitize=$(SAN) -fno-sanitize-recover=all -fno-omit-frame-pointer)
override CXXFLAGS += -Wall -Wextra -Wshadow -Wpedantic -ffp-contract=off \
	$(if $(SAN),-fsanitize=$(SAN) -fno-sanitize-recover=all -fno-omit-frame-pointer)
override LDLIBS += -lm -pthread
# Empty where the compiler has no OpenMP, for musl-gcc, whose programs cannot load the other C library's libgomp, and under gcc's
# ThreadSanitizer, which reports races that are libgomp's own.
OPENMP := $(if $(MUSL),,$(if $(filter thread,$(SAN)),$(CLANG),y))
OPENMP := $(if $(OPENMP),$(shell echo 'int main(void) { return 0; }' | $(CC) -fopenmp -x c - -o /dev/null 2>/dev/null && echo -fopenmp))

OMP_SRC := $(wildcard lib/omp/*.c)
# MACHINES=no: loops alone, without machines and the strategies that run on them.
LOOPS_ALONE := $(filter no,$(MACHINES))
override CPPFLAGS += $(if $(LOOPS_ALONE),-DDLS__LOOPS_ALONE)
MACHINE_SRC := lib/machine/% lib/net/% lib/loop_machine/% lib/repart/% lib/deal/balanced.c lib/schedule/spec.c sched/balance/%
LIB_SRC := $(filter-out $(OMP_SRC) lib/mpi/% $(if $(LOOPS_ALONE),$(MACHINE_SRC)),$(wildcard sched/*.c sched/*/*.c lib/*/*.c))
# What most programs' first loops do not run comes last, so that the pages of the rest, code and variables, are few: a page's first use
# takes some us.
LATER_SRC := $(filter-out lib/deal/%,$(filter $(MACHINE_SRC) lib/report/report% lib/report/page% lib/predict/predict% lib/observe/trace% \
	lib/observe/output% lib/region/fortran.c lib/region/operator.c,$(LIB_SRC)))
LIB_OBJ := $(patsubst %.c,$B/%.o,$(filter-out $(LATER_SRC),$(LIB_SRC)) $(LATER_SRC))
SONAME := libdls.so.$(ABI)
SHARED := $B/libdls.so.$(VERSION)
# For unmodified programs: finds libdls.so beside itself or, as omplibdir= may have it, one folder up, and is loaded before the program.
OMP := $B/libdls-omp.so
OMP_OBJ := $(OMP_SRC:%.c=$B/%.o)

# Never unloaded: plug-ins come and go, but what their loops did stands in one report; and what libdls-omp.so and libdls-mpi.so have
# registered with libdls.so must last as long.
STAYS := -Wl,-z,nodelete
# The loader looks up all functions at the start: at a first call it takes 2.5 kB of a stack, which a thread of an OpenMP runtime may not
# have.
BOUND := -Wl,-z,now

.PHONY: all lib demo check model bench lint abi abi-accept fuzz install uninstall report site install-site dist clean help compile_commands.json
all: lib bench $B/names
lib: $B/libdls.a $(SHARED) $(OMP)

$B/%.o: %.c Makefile
	$Qmkdir -p $(@D) && $(CC) $(CPPFLAGS) -MMD -MP $(CFLAGS) -c -o $@ $<

# libdls.a has the same objects as libdls.so: it can be linked into shared objects, too.
$(LIB_OBJ): private override CFLAGS += -fPIC

# Loops of 23 bytes, which take half as long again where they cross a multiple of 32.
$B/lib/region/operator.o: private override CFLAGS += -falign-loops=32

$B/libdls.a: $(LIB_OBJ)
	$Qrm -f $@ && $(AR) rcs $@ $^

$(SHARED): $(LIB_OBJ) lib/libdls.map
	$Q$(CC) $(CFLAGS) $(LDFLAGS) -shared $(STAYS) $(BOUND) -Wl,-soname,$(SONAME) -Wl,--version-script=lib/libdls.map \
		$(if $(SAN),,-Wl,--no-undefined) -o $@ $(LIB_OBJ) $(LDLIBS)
	$Qln -sf $(@F) $B/$(SONAME) && ln -sf $(SONAME) $B/libdls.so

$(OMP_OBJ): private override CFLAGS += -fPIC -ftls-model=initial-exec

$(OMP): $(OMP_OBJ) $(patsubst %,$B/lib/base/%.o,fork message room writing) $(SHARED)
	$Q$(CC) $(CFLAGS) $(LDFLAGS) -shared $(STAYS) $(BOUND) -Wl,-soname,$(@F) -Wl,-rpath,'$$ORIGIN:$$ORIGIN/..' \
		$(if $(SAN),,-Wl,--no-undefined) -o $@ $(filter %.o,$^) -L$B -ldls $(LDLIBS) -ldl

include bench/bench.mk test/test.mk lib/mpi/mpi.mk

help:
	$Qsed -n '1,/^$$/s/^#[[:blank:]]\{0,1\}//p' Makefile

compile_commands.json:
	$Q{ echo '[' && $(MAKE) -j1 -Bn V=1 lib bench 2>/dev/null | sed -nE -e 's/"/\\"/g' \
		-e 's|^mkdir -p [^ ]+ && (.* -c -o [^ ]+ ([^ ]+))$$|{"directory": "$(CURDIR)", "file": "\2", "command": "\1"},|p' | \
		sed '$$s/,$$//' && echo ']'; } >$@

PUBLIC := $(wildcard include/dls/*.h include/dls/*.hpp include/dls/*.F90)
MAN := $(wildcard man/*.[137])
MANUAL := $(MAN:%=$B/%)

# Where something is installed, for the shell: prefix and DESTDIR may have blanks.
at = '$(DESTDIR)$1'
# A file of lib/ with the places and the version of this installation; blanks are quoted.
filled = sed -e 's|@PREFIX@|$(prefix)|; s|@LIBDIR@|$(libdir)|; s|@VERSION@|$(VERSION)|; s|@MPI_LIB@|$(MPI_LIB)|' -e "s|@INCLUDEDIR@|$2|" lib/$1
# Installs what a command prints; several installations may run at the same time.
put = rm -f $2 && $1 >$2 && chmod 644 $2
# bash completes the options of tools.
complete = for tool in $1; do sed "s|@TOOLS@|$$tool|" bench/tool/completion.bash >$(call at,$(bashdir))/$$tool || exit; done && \
	(cd $(call at,$(bashdir)) && chmod 644 $1)
# Pages, completed by what the headers say of functions.
$(MANUAL): $B/%: % lib/page.awk $(PUBLIC)
	$Qmkdir -p $(@D) && awk -v include=include -f lib/page.awk $< >$@.new && mv $@.new $@

# The names of pages, each but its own a link to it: `man dls_vp_charge` finds dls_vp.3 without an index.
$B/names: $(MANUAL)
	$Qrm -rf $@ $@.new && mkdir -p $@.new/man1 $@.new/man3 $@.new/man7 && \
		awk 'FNR == 1 { end = page = substr(FILENAME, length("$B/man/") + 1); sub(/.*[.]/, "", end); head = 1 } $$1 == ".Nd" { head = 0 } \
			head && $$1 == ".Nm" { print page, $$2 "." end, end }' $^ | while read -r page name end; do \
			[ -e man/$$name ] || ln -s $$page $@.new/man$$end/$$name || exit; done && mv $@.new $@
CMAKE_FILES := dlsConfig.cmake dlsConfigVersion.cmake
cmakedir = $(libdir)/cmake/dls

install: all
	$Q$(INSTALL) -d $(call at,$(includedir)/dls) $(call at,$(libdir)) $(call at,$(pkgconfigdir)) $(call at,$(bindir)) \
		$(call at,$(mandir)/man1) $(call at,$(mandir)/man3) $(call at,$(mandir)/man7)
	$Q$(INSTALL) -m 644 include/dls.h include/dls.hpp include/dls.F90 $(call at,$(includedir))
	$Q$(INSTALL) -m 644 $(PUBLIC) $(call at,$(includedir)/dls)
	$Q$(INSTALL) -m 644 $B/libdls.a $(call at,$(libdir))
	$Q$(INSTALL) -m 755 $(SHARED) $(call at,$(libdir))
	$Q$(INSTALL) -d $(call at,$(omplibdir)) && $(INSTALL) -m 755 $(OMP) $(call at,$(omplibdir))
	$Qln -sf $(notdir $(SHARED)) $(call at,$(libdir)/$(SONAME))
	$Qln -sf $(SONAME) $(call at,$(libdir)/libdls.so)
	$Q$(call put,$(call filled,libdls.pc,$(includedir)),$(call at,$(pkgconfigdir)/libdls.pc))
	$Q$(INSTALL) -d $(call at,$(cmakedir))
	$Qinclude=$$(realpath -m --relative-to='$(cmakedir)' '$(includedir)') && for file in $(CMAKE_FILES); do \
		$(call put,$(call filled,$$file,$$include),$(call at,$(cmakedir))/$$file) || exit; done
	$Q$(INSTALL) -m 755 $(TOOLS:%=$B/bin/%) $(call at,$(bindir))
	$Qcp -RPf $B/names/. $(call at,$(mandir)) && \
		$(foreach end,1 3 7,$(INSTALL) -m 644 $(filter %.$(end),$(MANUAL)) $(call at,$(mandir)/man$(end)) &&) :
	$Q$(INSTALL) -d $(call at,$(bashdir)) $(call at,$(zshdir)) && $(call complete,$(TOOLS))
	$Q$(call put,sed 's|@TOOLS@|$(TOOLS)|' bench/tool/completion.zsh,$(call at,$(zshdir)/_dls-tools))
	$Q$(if $(DESTDIR),,PATH=$$PATH:/sbin:/usr/sbin; ldconfig >/dev/null 2>&1; ldconfig -p 2>/dev/null | grep -qF ' $(libdir)/$(SONAME)' || \
		printf '%s\n' 'The loader does not search $(libdir).  Link programs by' \
		'    gcc -fopenmp -I"$(includedir)" program.c -L"$(libdir)" -Wl,-rpath,"$(libdir)" -ldls' \
		$(if $(MPI_LINKED),'    $(MPICC) -I"$(includedir)" program.c -L"$(libdir)" -Wl$(comma)-rpath$(comma)"$(libdir)" -l$(MPI_LIB) -ldls') \
		'or run them with LD_LIBRARY_PATH=$(libdir).')
	$Q$(if $(DESTDIR),,echo ":$$PATH:" | grep -qF ':$(bindir):' || \
		printf '%s\n' 'A shell finds the tools and their pages by' '    export PATH="$(bindir):$$PATH"')

# The site has the report where there is one; REPORT=FOLDER: another one's, of `dls-paper report FOLDER`.
REPORT = $$([ ! -f $B/report/report.html ] || echo $B/report)
report: $B/bin/dls-paper
	$Q$< report $B/report
site: bench $(MANUAL) $(filter report,$(MAKECMDGOALS))
	$Qbench/site/site.sh $B/bin $B/site $(REPORT)

install-site: site
	$Q$(INSTALL) -d $(call at,$(docdir)) && rm -rf $(call at,$(docdir)/html) && cp -R $B/site $(call at,$(docdir)/html) && \
		chmod -R u=rwX,go=rX $(call at,$(docdir)/html)

uninstall: $B/names
	$Qrm -f $(foreach file,dls.h dls.hpp dls.F90 $(PUBLIC:include/%=%),$(call at,$(includedir)/$(file))) \
		$(foreach file,libdls.a libdls.so $(SONAME) $(notdir $(SHARED)),$(call at,$(libdir)/$(file))) \
		$(call at,$(omplibdir)/$(notdir $(OMP))) $(call at,$(pkgconfigdir)/libdls.pc) $(foreach file,$(CMAKE_FILES),$(call at,$(cmakedir)/$(file))) $(foreach file,$(TOOLS),$(call at,$(bindir)/$(file))) \
		$(foreach page,$(MAN),$(call at,$(mandir)/man$(subst .,,$(suffix $(page)))/$(notdir $(page)))) \
		$(foreach tool,$(TOOLS),$(call at,$(bashdir)/$(tool))) $(call at,$(zshdir)/_dls-tools)
	$Qnames=$$(cd $B/names && find . -type l) && ! cd $(call at,$(mandir)) 2>/dev/null || rm -f $$names
	$Qrm -rf $(call at,$(docdir)/html) && rmdir $(call at,$(docdir)) 2>/dev/null || true
	$Qrmdir $(call at,$(includedir)/dls) $(call at,$(cmakedir)) 2>/dev/null || true

# The same commit gives the same bytes, also where there is no git: in what the tarball unpacks to.
DIST = libdls-$(VERSION)
BUILT = CMakeCache.txt build.ninja	# in the folders of other builds
dist:
	$Qrm -rf $B/$(DIST) && mkdir -p $B/$(DIST)
	$Q$(if $(wildcard .git),git archive HEAD,tar c $(BUILT:%=--exclude-tag-all=%) --exclude=./build --exclude='./build-*' --exclude='./$B' .) | \
		tar x -C $B/$(DIST)
	$Qtime=$$($(if $(wildcard .git),git log -1 --format=%ct,stat -c %Y NEWS)) && tar c --format=ustar --sort=name \
		--owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX --mtime=@$$time -C $B $(DIST) | gzip -9n >$B/$(DIST).tar.gz
	$Qrm -r $B/$(DIST)

clean:
	$Qrm -rf build build-*

-include $(LIB_OBJ:.o=.d) $(OMP_OBJ:.o=.d)
