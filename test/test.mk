# The tests: C programs and scripts that speak TAP, run from the top folder.
TEST_SRC := $(wildcard test/chunk/*.c test/loop/*.c test/machine/*.c test/balance/*.c test/auto/*.c test/repart/*.c test/api/*.c)
# Each program of test/cpp as it is, with OpenMP, and as NAME-threads without; none where there is no C++ compiler.
CPP_TEST := $(if $(shell command -v $(firstword $(CXX))),$(patsubst %.cc,$B/%,$(wildcard test/cpp/*.cc)))
CPP_TEST += $(CPP_TEST:%=%-threads)
TEST := $(if $T,$(foreach t,$T,$(or $(wildcard test/$t.sh),$B/test/$t)),$(TEST_SRC:%.c=$B/%) $(CPP_TEST) \
	$(wildcard test/api/*.sh test/omp/*.sh test/cpp/*.sh test/package/cmake.sh \
	test/package/meson.sh))

$(TEST_SRC:%.c=$B/%.o): override CPPFLAGS += -Itest
$(TEST_SRC:%.c=$B/%.o): override CFLAGS += $(OPENMP) -Wno-missing-prototypes

# Empty where the GNU Scientific Library is not installed; its test then says so.
GSL := $(shell printf '\043include <gsl/gsl_multifit.h>\nint main(void) { gsl_vector_free(0); }' | \
	$(CC) -x c - -o /dev/null -lgsl -lgslcblas -lm 2>/dev/null && echo -lgsl -lgslcblas)
$B/test/repart/burst_gsl.o: override CPPFLAGS += $(if $(GSL),-DWITH_GSL)
$B/test/repart/burst_gsl: override LDLIBS += $(GSL)
$B/test/loop/site: override LDLIBS += -Wl,--wrap=strcmp -Wl,--wrap=strncmp

# What test/refuse.h stands in for.
REFUSED := malloc calloc realloc aligned_alloc posix_memalign strdup free fopen pthread_create
$(patsubst %,$B/test/%/memory,loop machine repart api) $B/test/api/reduce_memory: override LDFLAGS += $(REFUSED:%=-Wl,--wrap=%)

$B/test/%: $B/test/%.o $B/libdls-apps.a $B/libdls.a
	$Q$(CC) $(CFLAGS) $(OPENMP) $(LDFLAGS) -o $@ $^ $(LDLIBS)

cpp_test = $Qmkdir -p $(@D) && $(CXX) $(CPPFLAGS) -Itest -MMD -MP -MF $@.d $(CXXFLAGS) $1 $(LDFLAGS) -o $@ $< $B/libdls.a $(LDLIBS)
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

check: $(filter $B/%,$(TEST)) bench lib
	$Qif command -v prove >/dev/null; then prove --directives -e '' $(TEST); else test/tap.sh $(TEST); fi

# Numbers that are the same on every processor: of calculators, nets, strategies on machines in virtual time.  With ARCH= it takes
# minutes where the whole of check takes an hour.
NUMBERS := $(wildcard test/chunk/*.c) $(patsubst %,test/machine/%.c,once virtual class_once net links trees)
check-arch:
	$Q$(MAKE) check T="$(NUMBERS:test/%.c=%)"
.PHONY: check-arch

model:
	$Qtest/model/run.sh $B/model

lint: lib
	$Qtest/lint.sh

# Neither builds nor needs a build; reports in $B/analyze.
analyze:
	$Qtest/analyze.sh $B/analyze
.PHONY: analyze

abi: lib
	$Qtest/abi.sh

abi-accept: lib
	$Qtest/abi.sh accept

# Debian's packages, built twice: of the tarball, not of $B.
packages:
	$Qif command -v prove >/dev/null; then prove --directives -e '' test/package/deb.sh; else test/tap.sh test/package/deb.sh; fi
.PHONY: packages

# make fuzz RUNS=100000 F=net; without F all of test/fuzz/.  They share one instrumented library, with the tools' readers.
FUZZ_CC = clang
FUZZ := $(or $F,$(basename $(notdir $(wildcard test/fuzz/*.c))))
FUZZ_SRC := $(LIB_SRC) lib/omp/elf.c lib/omp/lines.c bench/tool/tool.c bench/tool/read.c bench/tool/source.c
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

$B/fuzz/libdls.a: $(FUZZ_SRC:%.c=$B/fuzz/%.o)
	$Qrm -f $@ && $(AR) rcs $@ $^

$B/fuzz/%.o: %.c Makefile
	$Qmkdir -p $(@D) && $(FUZZ_CC) $(CPPFLAGS) -MMD -MP $(FUZZ_FLAGS) -c -o $@ $<

-include $(TEST_SRC:%.c=$B/%.d) $(CPP_TEST:%=%.d)
-include $(FUZZ_SRC:%.c=$B/fuzz/%.d) $(FUZZ:%=$B/fuzz/test/fuzz/%.d)
