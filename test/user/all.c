/* all.c - the programs of this folder as one, in C and C++, for compile.sh: right when run, it prints the bits of its reductions.
 *
 * Linked with this file compiled with OpenMP, or without it where this one is with, it runs both. */
static int program(void), reductions(void);
#ifdef __cplusplus
static int lambda();
#if __cplusplus >= 201703L
static int loops();
#define main loops
#include "loops.cc"
#undef main
/* The functor is the same type in both files, so the linker merges what its loops are made of, unless they have two names. */
__attribute__((weak)) int level();	/* of the file with OpenMP; 0 outside its regions */
struct look {
	std::atomic<int> *wrong;
	int expected;
	void operator()(int) const { *wrong += (level ? level() : 0) != expected; }
};
#pragma GCC diagnostic ignored "-Wold-style-cast"	/* dls.h is C */
#pragma GCC diagnostic ignored "-Wzero-as-null-pointer-constant"
#ifndef __clang__
#pragma GCC diagnostic ignored "-Wuseless-cast"
#endif
#endif
#define main lambda
#include "lambda.cc"
#undef main
#pragma GCC diagnostic ignored "-Wold-style-cast"
#endif

#define main program
#include "program.c"
#undef main
#define main reductions
#ifdef __cplusplus
#include "reduce.cc"
#else
#include "reduce.c"
#endif
#undef main

#ifdef _OPENMP
#define THIS with_openmp
#define OTHER without_openmp
int level(void) { return omp_get_level(); }
#else
#define THIS without_openmp
#define OTHER with_openmp
#define omp_set_num_threads(n) (void)(n)
#endif
int THIS(void);
__attribute__((weak)) int OTHER(void);

int THIS(void)
{
	static const int threads[] = { 1, 2, 3, 7 };

	for (int k = 0; k < 4; k++) {
		omp_set_num_threads(threads[k]);
		if (program() || reductions())
			return 1;
	}
#ifdef __cplusplus
	if (lambda())
		return 1;
#if __cplusplus >= 201703L
	std::atomic<int> wrong{0};
	int expected = 0;
#ifdef _OPENMP
	expected = 1;
#endif
	dls::for_each(0, 100, look{&wrong, expected});
	if (loops() || wrong)
		return 1;
#endif
#endif
	return 0;
}

__attribute__((weak)) int main(void)
{
	return THIS() || (OTHER && OTHER());
}
