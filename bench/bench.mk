# The tools: dls-NAME is NAME.c, its NAME_*.c and what all share.  Without OpenMP dls-overhead and dls-loops say so.
TOOLS := dls-chunks dls-overhead dls-loops dls-paper dls-sim
BENCH_SRC := $(wildcard bench/*.c bench/kernels/*.c bench/paper/*.c bench/apps/*.c)

bench: $(TOOLS:%=$B/bin/%)

$(BENCH_SRC:%.c=$B/%.o): override CFLAGS += $(OPENMP)

objects = $(patsubst %.c,$B/%.o,$(wildcard $1))
$B/bin/dls-chunks: $(call objects,bench/chunks_*.c)
$B/bin/dls-sim: $(call objects,bench/sim_*.c)
$B/bin/dls-paper: $(call objects,bench/paper_*.c bench/paper/*.c bench/apps/*.c)
ifneq ($(OPENMP),)
$B/bin/dls-overhead: $(call objects,bench/overhead_*.c)
$B/bin/dls-loops: $(call objects,bench/loops_*.c bench/kernels/*.c)
endif
$B/bin/dls-%: $B/bench/%.o $(call objects,bench/tool*.c) $B/libdls.a
	$Qmkdir -p $(@D) && $(CC) $(CFLAGS) $(OPENMP) $(LDFLAGS) -o $@ $(filter %.o,$^) $B/libdls.a $(LDLIBS)

demo: $B/bin/dls-loops
	$Q$B/bin/dls-loops --demo

-include $(BENCH_SRC:%.c=$B/%.d)
