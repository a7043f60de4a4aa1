# The tools, one source each and what they share; dls-overhead and dls-loops want OpenMP.
TOOLS := dls-chunks dls-overhead dls-loops
KERNELS := $(wildcard bench/kernels/*.c)
BENCH_SRC := $(wildcard bench/*.c) $(KERNELS)

bench: $(TOOLS:%=$B/bin/%)

$(BENCH_SRC:%.c=$B/%.o): override CFLAGS += $(OPENMP)

$B/bin/dls-loops: $(KERNELS:%.c=$B/%.o)
$B/bin/dls-overhead: $(patsubst %.c,$B/%.o,$(wildcard bench/overhead_*.c))
$B/bin/dls-%: $B/bench/%.o $B/bench/tool.o $B/libdls.a
	$Qmkdir -p $(@D) && $(CC) $(CFLAGS) $(OPENMP) $(LDFLAGS) -o $@ $(filter %.o,$^) $B/libdls.a $(LDLIBS)

demo: $B/bin/dls-loops
	$Q$B/bin/dls-loops --demo

-include $(BENCH_SRC:%.c=$B/%.d)
