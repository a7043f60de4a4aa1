/* paper.h - what the files of dls-paper share; experiments see paper/paper.h alone. */
#ifndef BENCH_PAPER_H
#define BENCH_PAPER_H

#include "bench/paper/paper.h"

/* The picture goes to this file; the program ends if it cannot. */
void paper_plot_begin(const char *file);
void paper_plot_end(void);

#endif
