# The tests: C programs and scripts that speak TAP, run from the top folder; the scripts first, which take longest.
#
# A test's first comment ends with a line "runs: TAG, TAG" if a tag holds for it:
#	check		`make check` has it; `make check-all` has all
#	machines	it needs machines, or names what runs on them; MACHINES=no leaves it out
#	shared		it runs once more with libdls.so: what it finds must not depend on how a program is linked
# and for those that choose what runs where (test/matrix):
#	alone		what one thread does alone
#	pthreads	threads without OpenMP
#	texts		what tools print
#	once		what hardly depends on the compiler
#	plain		parts of it run without sanitizers alone
TEST_SRC := $(wildcard $(patsubst %,test/%/*.c,chunk loop machine balance auto repart api))
TEST_CC := $(wildcard test/cpp/*.cc)
TEST_SH := $(wildcard test/cpp/*.sh test/package/cmake.sh test/package/tree.sh test/api/*.sh test/omp/*.sh)
# Words TAG@FILE.
TAGGED := $(shell grep -HE '^.{1,2} runs: ' $(TEST_SRC) $(TEST_CC) $(TEST_SH) | \
	awk -F '[:, ]+' '{ for (i = 4; i <= NF; i++) if ($$i != "*/") print $$i "@" $$1 }')
tagged = $(foreach tag,$1,$(patsubst $(tag)@%,%,$(filter $(tag)@%,$(TAGGED))))

# WITHOUT= names tests that are left out, with % those of a folder, or tags, or says scripts, or programs:
# those that a sanitizer's build runs as a whole.
LEFT_OUT := $(call tagged,$(WITHOUT) $(if $(LOOPS_ALONE),machines)) $(foreach t,$(WITHOUT),test/$t.c test/$t.cc test/$t.sh) \
	$(if $(filter scripts,$(WITHOUT)),%.sh) \
	$(if $(filter programs,$(WITHOUT)),$(filter-out $(call tagged,plain shared),$(TEST_SRC) $(TEST_CC)))
TEST_SRC := $(filter-out $(LEFT_OUT),$(TEST_SRC))
# Each program of test/cpp as it is, with OpenMP, and as NAME-threads without; none where there is no C++ compiler.
TEST_CC := $(if $(shell command -v $(firstword $(CXX))),$(filter-out $(LEFT_OUT),$(TEST_CC)))
CPP_TEST := $(TEST_CC:%.cc=$B/%) $(TEST_CC:%.cc=$B/%-threads)
# What these sources and scripts are run as.  With a sanitizer libdls.so would be a program's that has none.
run_as = $(filter %.sh,$1) $(patsubst %.cc,$B/%,$(filter %.cc,$1)) \
	$(filter-out $(WITHOUT:%=$B/test/%),$(patsubst %.cc,$B/%-threads,$(filter %.cc,$1))) \
	$(patsubst %.c,$B/%,$(filter %.c,$1)) $(if $(SAN),,$(patsubst %.c,$B/%-shared,$(filter $(call tagged,shared),$1)))
ALL := $(filter-out $(LEFT_OUT),$(TEST_SH)) $(TEST_CC) $(TEST_SRC)
NAMED := $(foreach t,$T,$(or $(wildcard test/$t.sh),$B/test/$t))
CHECK := $(or $(NAMED),$(call run_as,$(filter $(call tagged,check),$(ALL))))
CHECK_ALL := $(or $(NAMED),$(call run_as,$(ALL)))

$(TEST_SRC:%.c=$B/%.o): override CPPFLAGS += -Itest
# Many functions of tests are handlers, which do not need all that they are told.
$(TEST_SRC:%.c=$B/%.o): override CFLAGS += $(OPENMP) -Wno-missing-prototypes -Wno-unused-parameter
# Compiling and linking take half as long, with clang a fifth.  Not where a test is named, which may be
# debugged; sanitizers name lines.  With clang loops of dls.h and dls.hpp stay optimised, as users compile
# them; with sanitizers only cpp/loops, which waits until a loop is too short for a region, and two tests
# that would run longer by more than this saves.
QUICKLY := $(if $T,,-O0 $(if $(SAN),-g1,-g0) -U_FORTIFY_SOURCE)
OPTIMISED := $(if $(CLANG),$(if $(SAN),test/cpp/loops.cc test/api/for.c test/api/multiple.c,test/cpp/% test/api/for%))
$(patsubst %.c,$B/%.o,$(filter-out $(OPTIMISED),$(TEST_SRC))): override CFLAGS += $(QUICKLY)
LINKED_QUICKLY := $(if $T$(ARCH),,$(if $(SAN),,-Wl,--strip-debug) $(if $(shell command -v ld.gold),-fuse-ld=gold))

$B/test/loop/site: override LDLIBS += -Wl,--wrap=strcmp -Wl,--wrap=strncmp
$B/test/api/signals: override LDLIBS += -Wl,--wrap=pthread_create
# The stand-in of a program is not what a shared library calls.
$B/test/api/signals-shared: private override LDLIBS += -Wl,--defsym=__real_pthread_create=pthread_create
# These run tools.
$(patsubst %,$B/test/api/%,ran repeat report): | $(filter %/dls-advise,$(TOOLS:%=$B/bin/%))
$B/test/api/auto: override LDLIBS += -Wl,--wrap=pthread_mutex_trylock
$B/test/api/regions: override LDLIBS += -Wl,--wrap=dls__for_shared -Wl,--wrap=dls__for_plain

# What test/refuse.h stands in for.
REFUSED := malloc calloc realloc aligned_alloc posix_memalign strdup free fopen pthread_create
$(patsubst %,$B/test/%/memory,loop machine repart api) $(patsubst %,$B/test/api/%,reduce system): override LDFLAGS += $(REFUSED:%=-Wl,--wrap=%)
# What test/api/system.c stands in for.
SYSTEM := open fstat __fxstat fchown fchmod ftruncate fdopen rename fcntl gethostname
$B/test/api/system: override LDFLAGS += $(SYSTEM:%=-Wl,--wrap=%)

$B/test/%: $B/test/%.o $B/libdls-apps.a $B/libdls.a
	$Q$(CC) $(CFLAGS) $(OPENMP) $(LDFLAGS) $(LINKED_QUICKLY) -o $@ $^ $(LDLIBS)

$B/test/%-shared: $B/test/%.o $(SHARED)
	$Q$(CC) $(CFLAGS) $(OPENMP) $(LDFLAGS) -o $@ $< -L$B -ldls -Wl,-rpath,'$$ORIGIN/../..' $(LDLIBS)

cpp_test = $Qmkdir -p $(@D) && $(CXX) $(CPPFLAGS) -Itest -MMD -MP -MF $@.d $(CXXFLAGS) \
	$(if $(filter $(OPTIMISED),$<),,$(QUICKLY)) $1 $(LDFLAGS) $(LINKED_QUICKLY) \
	-o $@ $< $B/libdls.a $(LDLIBS)
$B/test/cpp/%-threads: test/cpp/%.cc $B/libdls.a
	$(call cpp_test,-std=c++20)
$B/test/cpp/%: test/cpp/%.cc $B/libdls.a
	$(call cpp_test,-std=c++17 $(OPENMP))

export CC CXX B SAN OPENMP
export DLS_BIN = $B/bin

# libarcher tells ThreadSanitizer what libomp orders; the runtime itself is not instrumented.
ifeq ($(SAN)$(CLANG),threadclang)
export TSAN_OPTIONS = ignore_noninstrumented_modules=1
export OMP_TOOL_LIBRARIES := $(shell $(CC) -print-resource-dir)/../../libarcher.so
endif

script_needs = $(if $(filter %.sh,$1),bench lib $B/names)

# ABOUT: seconds of processor time, on a machine on which nothing is known yet.
check: $(filter $B/%,$(CHECK)) $(call script_needs,$(CHECK))
	$Q$(if $T,,ABOUT=40) SECONDS_FILE=$B/test/seconds test/tap.sh $(CHECK)

check-all: $(filter $B/%,$(CHECK_ALL)) $(call script_needs,$(CHECK_ALL))
	$Q$(if $T,,ABOUT=600) SECONDS_FILE=$B/test/seconds test/tap.sh $(CHECK_ALL)
.PHONY: check-all

# make soak MINUTES=60 SEED=7: random programs.  make scale: large numbers.  More threads than processors: those
# that wait are to sleep.
LONG := $B/test/soak/soak $B/test/soak/scale
$(LONG:%=%.o): override CPPFLAGS += -Itest
$(LONG:%=%.o): override CFLAGS += $(OPENMP) -Wno-missing-prototypes
$B/test/soak/scale: override LDFLAGS += $(REFUSED:%=-Wl,--wrap=%)
soak: $B/test/soak/soak
	$Q$(if $(SEED),DLS_SEED=$(SEED)) OMP_WAIT_POLICY=$${OMP_WAIT_POLICY:-passive} MINUTES=$(or $(MINUTES),1) $<
scale: $B/test/soak/scale
	$Q$<
.PHONY: soak scale

# CI's matrix with nothing left out, each row with its own build; a failed one does not end the others.
nightly:
	$Qunset B$(if $(filter file,$(origin CXX)), CXX); test/matrix.sh nightly
.PHONY: nightly

# make coverage T=...: which branches of the library make check-all takes, whether or not all of it passes; without T= once more where
# each request for memory is refused in turn.  TIER=check: those that make check takes.  Other users' processes count, too.
COVERED := build-coverage
COVERED_CHECK = GCOV_ERROR_FILE=/dev/null $(MAKE) $(or $(TIER),check-all) B=$(COVERED) SAN= \
	CC='gcc --coverage -fprofile-update=atomic' CXX='g++ --coverage -fprofile-update=atomic' \
	CFLAGS='-O0 -g' CXXFLAGS='-O0 -g' FFLAGS=--coverage LDFLAGS='-Wl,--wrap=_exit,--wrap=abort,--wrap=raise,--wrap=__gcov_exit $(COVERED)/coverage.o' OPENMP='$(OPENMP)'
coverage:
	$Qmkdir -p $(COVERED) && gcc -fPIC -c -o $(COVERED)/coverage.o test/coverage.c
	$Q-+umask 0; $(COVERED_CHECK)
	$Q-$(if $T$(TIER),,DLS_STRESS=0.1 $(COVERED_CHECK) T='loop/memory machine/memory repart/memory api/memory api/reduce')
	$Qrm -f a--.gcno	# of programs that tests compile from a pipe
	$Qpython3 test/coverage.py $(COVERED)
.PHONY: coverage

# make mutants N=300 SEED=3 F=lib/region/team.c: faults planted one at a time; goes on where it was stopped.
mutants:
	$Qpython3 test/mutants.py $B/mutants '$N' '$(SEED)' $F
.PHONY: mutants

# Numbers that are the same on every processor: of calculators, nets, strategies on machines in virtual time, what auto
# chooses.  With ARCH= it takes minutes where the whole of check takes an hour.
NUMBERS := $(patsubst %.c,$B/%,$(wildcard test/chunk/*.c)) $(patsubst %,$B/test/machine/%,once virtual class_once net links) \
	$B/test/auto/once
check-arch: $(NUMBERS)
	$Qtest/tap.sh $^
.PHONY: check-arch

model:
	$Qtest/model/run.sh $B/model

# make weak W=ranges; without W all of test/weak/: the library's own code under every execution that C11's memory model allows.
# gcc calls the explorer before each access to memory, and these functions are the explorer's, too.
WEAK_CC = gcc
WEAK_PARTS := search execution model races hooks stand_in weaken
WEAK := $(filter-out $(WEAK_PARTS),$(basename $(notdir $(wildcard test/weak/*.c))))
WEAK_SRC := $(LIB_SRC) $(OMP_SRC)
WEAK_OWN := $(WEAK_PARTS:%=$B/weak/%.o)
WEAK_NAMES := malloc calloc realloc aligned_alloc posix_memalign free strdup memcpy memset strcpy strcmp strncmp strlen abort sched_yield \
	$(addprefix pthread_,once create join mutex_lock mutex_trylock mutex_unlock cond_wait cond_timedwait \
	cond_signal cond_broadcast)
# Of DWARF 5 addr2line sometimes gives the program's file in place of the one it includes.
WEAK_FLAGS := -std=c11 -D_POSIX_C_SOURCE=200809L $(WARN) -O1 -gdwarf-4 -fno-pie
WEAK_HOOKS := -fsanitize=thread --param=tsan-instrument-func-entry-exit=0 -Wno-tsan -Wno-missing-prototypes -Itest \
	$(foreach name,$(WEAK_NAMES),-D$(name)=weak_$(name))

weak: $(patsubst %,$B/weak/%,$(or $W,$(WEAK)))
	$QCOMPILE='$(WEAK_CC) $(CPPFLAGS) $(WEAK_FLAGS) -g0 $(WEAK_HOOKS)' OBJECTS='$(WEAK_OWN) $B/weak/libdls.a $(LDLIBS) -ldl' \
		test/weak/run.py $^
.PHONY: weak
.SECONDARY: $(WEAK:%=$B/weak/test/weak/%.o)

$B/weak/%: $B/weak/test/weak/%.o $(WEAK_OWN) $B/weak/libdls.a
	$Q$(WEAK_CC) -no-pie -o $@ $^ $(LDLIBS) -ldl

$B/weak/libdls.a: $(WEAK_SRC:%.c=$B/weak/%.o)
	$Qrm -f $@ && $(AR) rcs $@ $^

$(WEAK_OWN): $B/weak/%.o: test/weak/%.c Makefile
	$Qmkdir -p $(@D) && $(WEAK_CC) -std=c11 -D_GNU_SOURCE $(WARN) -Wno-missing-prototypes -MMD -MP -O2 -g -fno-pie -c -o $@ $<

$B/weak/lib/base/clock.o: override WEAK_HOOKS += -Dfopen=weak_clocksource
$B/weak/%.o: %.c Makefile
	$Qmkdir -p $(@D) && $(WEAK_CC) $(CPPFLAGS) -MMD -MP $(WEAK_FLAGS) $(WEAK_HOOKS) -c -o $@ $<

lint: lib $(MANUAL)
	$Qtest/lint.sh

# Neither builds nor needs a build; reports in $B/analyze.
analyze:
	$Qtest/analyze.sh $B/analyze
.PHONY: analyze

abi: lib bench
	$Qtest/abi.sh && test/interface.sh

abi-accept: lib bench
	$Qtest/abi.sh accept && test/interface.sh accept

# Debian's packages, built twice: of the tarball, not of $B.
packages:
	$Qtest/tap.sh test/package/deb.sh
.PHONY: packages

# make fuzz RUNS=100000 F=net; without F all of test/fuzz/.  They share one instrumented library, with the tools' readers.
FUZZ_CC = clang
FUZZ := $(or $F,$(basename $(notdir $(wildcard test/fuzz/*.c))))
FUZZ_SRC := $(LIB_SRC) lib/omp/elf.c lib/omp/lines.c bench/tool/tool.c bench/tool/read.c bench/tool/source.c \
	$(patsubst %,bench/sim/platform_%.c,names text trace units)
FUZZ_FLAGS := -std=c11 -D_POSIX_C_SOURCE=200809L $(WARN) -O1 -g -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all

fuzz: $(FUZZ:%=fuzz-%)
.PHONY: $(FUZZ:%=fuzz-%)
.SECONDARY: $(FUZZ:%=$B/fuzz/test/fuzz/%.o)
$(FUZZ:%=fuzz-%): fuzz-%: $B/fuzz/%
	$Qecho "fuzz: $*"
	$Q$< -runs=$(or $(RUNS),1000000) -max_len=512 -verbosity=0 -print_funcs=0 -print_final_stats=1 \
		-artifact_prefix=$B/fuzz/ $(patsubst %,-dict=%,$(wildcard test/fuzz/$*.dict))

$B/fuzz/%: $B/fuzz/test/fuzz/%.o $B/fuzz/libdls.a
	$Q$(FUZZ_CC) -fsanitize=fuzzer,address,undefined -o $@ $^ $(LDLIBS)

$B/fuzz/test/fuzz/platform.o: override CPPFLAGS += $(if $(EXPAT),-DSIM_EXPAT)
$B/fuzz/platform: override LDLIBS += $(EXPAT) -Wl,--wrap=tool_die

$B/fuzz/libdls.a: $(FUZZ_SRC:%.c=$B/fuzz/%.o)
	$Qrm -f $@ && $(AR) rcs $@ $^

$B/fuzz/%.o: %.c Makefile
	$Qmkdir -p $(@D) && $(FUZZ_CC) $(CPPFLAGS) -MMD -MP $(FUZZ_FLAGS) -c -o $@ $<

-include $(LONG:%=%.d) $(TEST_SRC:%.c=$B/%.d) $(CPP_TEST:%=%.d)
-include $(WEAK_SRC:%.c=$B/weak/%.d) $(WEAK:%=$B/weak/test/weak/%.d) $(WEAK_OWN:.o=.d)
-include $(FUZZ_SRC:%.c=$B/fuzz/%.d) $(FUZZ:%=$B/fuzz/test/fuzz/%.d)
