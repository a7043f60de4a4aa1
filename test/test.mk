# The tests: C programs and scripts that speak TAP, run from the top folder.
TEST_SRC := $(wildcard test/chunk/*.c test/loop/*.c test/machine/*.c test/balance/*.c test/repart/*.c test/api/*.c)
TEST := $(if $T,$(foreach t,$T,$(or $(wildcard test/$t.sh),$B/test/$t)),$(TEST_SRC:%.c=$B/%) $(wildcard test/api/*.sh))

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
$(patsubst %,$B/test/%/memory,loop machine repart api): override LDFLAGS += $(REFUSED:%=-Wl,--wrap=%)

$B/test/%: $B/test/%.o $B/libdls.a
	$Q$(CC) $(CFLAGS) $(OPENMP) $(LDFLAGS) -o $@ $^ $(LDLIBS)

export CC CXX B SAN OPENMP
export DLS_BIN = $B/bin

# libarcher tells ThreadSanitizer what libomp orders; the runtime itself is not instrumented.
ifeq ($(SAN)$(CLANG),threadclang)
export TSAN_OPTIONS = ignore_noninstrumented_modules=1
export OMP_TOOL_LIBRARIES := $(shell $(CC) -print-resource-dir)/../../libarcher.so
endif

check: $(filter $B/%,$(TEST)) bench lib
	$Qif command -v prove >/dev/null; then prove --directives -e '' $(TEST); else test/tap.sh $(TEST); fi

model:
	$Qtest/model/run.sh $B/model

lint: lib
	$Qtest/lint.sh

FUZZ_CC = clang
fuzz: $B/fuzz-schedule
	$Q$< -runs=$(or $(RUNS),1000000) -max_len=256 -dict=test/fuzz/schedule.dict

$B/fuzz-schedule: test/fuzz/schedule.c $(LIB_SRC)
	$Qmkdir -p $(@D) && $(FUZZ_CC) $(CPPFLAGS) -std=c11 -D_POSIX_C_SOURCE=200809L -O2 -g \
		-fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all -o $@ $^ $(LDLIBS)

-include $(TEST_SRC:%.c=$B/%.d)
