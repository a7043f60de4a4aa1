/* rows.c - what each rule deals: the examples of its paper, and sizes evaluated apart from the library's code.
 *
 * Fails if a loop of a row is dealt otherwise; above the rows of a rule stands which faults they are for.  oracle.c has more loops.
 *
 * runs: check, alone */
#include "walk.h"

static const struct row {
	const char *schedule;
	uint64_t n;		/* N */
	unsigned p;		/* P */
	const char *dealt;	/* as walk() writes it, or "N chunks" */
} row[] = {
	/* Static chunking.  Fails if the remainder goes elsewhere than to the first workers, one iteration each, or an empty share is
	 * dealt. */
	{ "static", 1000, 4, "250x4" },
	{ "static", 1000, 7, "143x6 142" },
	{ "stat", 5, 1, "5" },
	/* Fails if CHUNK is taken for a smallest chunk, or for a number of chunks. */
	{ "static,3", 10, 4, "3x3 1" },
	{ "static,400", 1000, 4, "400x2 200" },
	{ "static,18446744073709551615", 1000, 4, "1000" },
	/* Fails if w N overflows 64 bits. */
	{ "static", UINT64_MAX, 3, "6148914691236517205x3" },
	{ "static,9223372036854775808", UINT64_MAX, 4, "9223372036854775808 9223372036854775807" },

	/* Self-scheduling, and stealing as one worker alone would take all.  Fails if a chunk but the last is not of CHUNK iterations, 1 by
	 * default, or the end of the loop is computed as a multiple of CHUNK past 2^64. */
	{ "ss", 1000, 4, "1x1000" },
	{ "ss,4", 1001, 4, "4x250 1" },
	{ "dynamic,7", 20, 2, "7x2 6" },
	{ "ss,9223372036854775808", UINT64_MAX, 2, "9223372036854775808 9223372036854775807" },
	{ "ss,18446744073709551614", UINT64_MAX, 2, "18446744073709551614 1" },
	{ "steal,3", 1000, 4, "3x333 1" },
	{ "static_steal,7", 20, 2, "7x2 6" },
	{ "steal,9223372036854775808", UINT64_MAX, 2, "9223372036854775808 9223372036854775807" },

	/* Fixed-size chunking, Kruskal & Weiss 1985: (sqrt2 N h / (sigma P sqrt(ln P)))^(2/3) is 131.1, 5506.6, 56.5 and 139679092.9;
	 * ln 2 < 1 at P = 2.  Fails if sqrt2, the logarithm's base, the exponent or the rounding changes. */
	{ "fsc,sigma=2e-6,h=1e-5", 1000, 4, "132x7 76" },
	{ "fsc,sigma=3e-6,h=1e-5", 1000000, 8, "5507x181 3233" },
	{ "fsc,sigma=1e-6,h=5e-7", 1000, 2, "57x17 31" },
	{ "fsc,sigma=2e-6,h=1e-5", (uint64_t)1 << 40, 4, "139679093x7871 97486773" },
	{ "fsc,200,sigma=2e-6,h=1e-5", 1000, 4, "200x5" },
	/* Fails if ln 1 = 0 or sigma = 0 is divided by, or the size is not held to 1..N. */
	{ "fsc,sigma=0,h=1", 1001, 4, "251x3 248" },
	{ "fsc,sigma=1e-6,h=0", 5, 4, "1x5" },
	{ "fsc,sigma=1e-300,h=1e300", 1000, 4, "1000" },
	{ "fsc,sigma=1e300,h=1e-300", 5, 4, "1x5" },

	/* Modified fixed-size chunking, ceil(N / n): FAC2 deals n = 32, 208 and, counted apart from this code, 189 chunks.
	 * Fails if n is that of another rule, of FAC2 with CHUNK, or approximate; if the size is rounded down; if N > 2^63 overflows. */
	{ "mfsc", 1000, 4, "32x31 8" },
	{ "mfsc", 100000, 16, "481x207 433" },
	{ "mfsc,50", 1000, 4, "77x12 76" },	/* fac2,50: 125x4 63x4 50x4 48 */
	{ "mfsc", UINT64_MAX, 3, "97601820495817734x188 97601820495817623" },

	/* Guided self-scheduling, Polychronopoulos & Kuck 1987.  Fails if the share is anything but ceil(R / P). */
	{ "gss", 1000, 4, "250 188 141 106 79 59 45 33 25 19 14 11 8 6 4 3x2 2 1x4" },
	{ "guided", 20, 4, "5 4 3 2x2 1x4" },
	{ "gss", 1000000, 2, "500000 250000 125000 62500 31250 15625 7813 3906 1953 977 488 244 122 61 31 15 8 4 2 1" },
	/* GSS(k).  Fails if k is not a lower bound, or what is dealt beyond ceil(R / P) is not counted. */
	{ "gss,10", 1000, 4, "250 188 141 106 79 59 45 33 25 19 14 11 10x3" },
	{ "gss,3", 1000, 4, "250 188 141 106 79 59 45 33 25 19 14 11 8 6 4 3x4" },
	/* Fails if R + P - 1 is computed in 64 bits, or R in a double. */
	{ "gss", UINT64_MAX, 3, "109 chunks" },
	{ "gss,4611686018427387905", UINT64_MAX, 3, "6148914691236517205 4611686018427387905x2 3074457345618258600" },

	/* Trapezoid self-scheduling, Tzen & Ni 1993.  Fails if F is not N / 2P, or L where that is below 1, L not 1, C not rounded up, or
	 * delta rounded at all: with delta = 8 the first row would go 125 117 109. */
	{ "tss", 1000, 4, "125 116 108 100 91 83 75 67 58 50 42 34 25 17 9" },
	{ "trapezoid", 1001, 4, "125 116 108 100 92 83 75 67 58 50 42 34 25 17 9" },
	{ "tss", 1000000, 2, "250000 214285 178571 142857 107143 71429 35715" },
	{ "trapezoidal", 100, 1, "50 33 17" },
	{ "tss", 100000, 16, "3125 3075 3025 2976 2926 2877 2827 2777 2728 2678 2629 2579 2529 2480 2430 2381 2331 2282 2232 2182 "
	  "2133 2083 2034 1984 1934 1885 1835 1786 1736 1686 1637 1587 1538 1488 1439 1389 1339 1290 1240 1191 1141 1091 1042 992 "
	  "943 893 843 794 744 695 645 596 546 496 447 397 348 298 248 199 149 100 50" },
	/* Fails if f= or l= is not the first or the last size, or CHUNK, which only raises what is dealt, is taken for L. */
	{ "tss,f=100", 1000, 4, "100 94 89 84 79 73 68 63 58 53 47 42 37 32 27 21 16 11 6" },
	{ "tss,f=100,l=10", 1000, 4, "100 95 90 85 80 75 70 65 60 55 50 45 40 35 30 25" },
	{ "tss,l=20", 1000, 4, "125 116 108 100 92 84 76 68 60 52 44 36 28 11" },
	{ "tss,f=333,l=7", 1000, 4, "333 267 202 137 61" },
	{ "tss,50", 1000, 4, "125 116 108 100 91 83 75 67 58 50x3 27" },
	{ "tss,f=5,l=8", 100, 4, "8x12 4" },
	/* Fails if C = 1 is divided by, or F larger than the loop is dealt. */
	{ "tss,f=18446744073709551615,l=18446744073709551615", 100, 4, "100" },
	{ "tss,f=18446744073709551615", UINT64_MAX, 4, "18446744073709551615" },
	/* Fails if F - i delta is formed in less than 128 bits. */
	{ "tss", UINT64_MAX, 2, "4611686018427387903 3952873730080618203 3294061441733848502 2635249153387078802 1976436865040309102 "
	  "1317624576693539401 658812288346769701 1" },

	/* Trapezoid factoring self-scheduling, Chronopoulos et al. 2001.  Means of P sizes of TSS, rounded up: 125 116 108 100 give 113
	 * each.  Fails if the mean is of the real trapezoid (112.6 .. 79.5, so 80), of sizes that the loop's end has cut, or rounded down,
	 * or the sum of P sizes overflows. */
	{ "tfss", 1000, 4, "113x4 79x4 46x4 13x3 9" },
	{ "tfss", 1000, 3, "151x3 106x3 61x3 16x2 14" },
	{ "tfss,50", 1000, 4, "113x4 79x4 50x4 32" },
	{ "tfss", UINT64_MAX, 2,
	  "4282279874254003053x2 2964655297560463652x2 1647030720866924252x2 329406144173384851 329406144173384850" },

	/* Factoring, Hummel, Schonberg & Flynn 1992.  Fails if any constant of x_0 or x_j changes, x_0 is used for later batches, b_j
	 * keeps the first R, mu below a microsecond is truncated, CHUNK does not raise what is dealt, or the next batch is not computed
	 * from the true R. */
	{ "fac,mu=1,sigma=2", 1000, 4, "210x4 15x4 9x4 5x4 4x4 2x8 1x12" },
	{ "fac,mu=2e-9,sigma=4e-9", 1000, 4, "210x4 15x4 9x4 5x4 4x4 2x8 1x12" },
	{ "fac,mu=1,sigma=1", 100000, 16, "6031x16 96x16 52x16 29x16 16x16 9x16 6x16 4x16 2x32 1x48" },
	{ "fac,mu=1e-6,sigma=5e-7", 1000000, 8, "124647x8 170x8 87x8 45x8 24x8 12x8 7x8 4x8 2x8 1x16" },
	{ "fac,6,mu=1,sigma=2", 1000, 4, "210x4 15x4 9x4 6x10 4" },
	/* Without variance the first batch is the loop; with nothing but variance every chunk is 1. */
	{ "fac,mu=1,sigma=0", 1000, 4, "250x4" },
	{ "fac,mu=1,sigma=1e9", 1000, 4, "1x1000" },
	{ "fac,mu=1e-300,sigma=1e300", 1000, 4, "1x1000" },

	/* Factoring with x = 2.  Fails if a batch is not P chunks of ceil(R / 2P), R being what remains at its start. */
	{ "fac2", 1000, 4, "125x4 63x4 31x4 16x4 8x4 4x4 2x4 1x4" },
	/* Fails if a chunk raised to CHUNK is not counted in the next batch's base. */
	{ "fac2,10", 1000, 4, "125x4 63x4 31x4 16x4 10x6" },
	{ "fac2,80", 1000, 4, "125x4 80x6 20" },
	/* Fails if 2P or R + 2P - 1 overflows, or R is held in a double. */
	{ "fac2", UINT64_MAX, 2, "127 chunks" },
	{ "fac2", 3, UINT32_MAX, "1x3" },

	/* Weighted factoring, Hummel, Schmidt, Uma & Wein 1996.  Equal weights are FAC2.  With weights the workers 0, 1, .. ask in turn
	 * and share its tickets: of 1:3, the first takes half a ticket and the second one and a half.  Fails if weights are not
	 * normalised to sum P, a batch base is not the R that is left, or what is left of a ticket is lost or rounded up. */
	{ "wf", 1000, 4, "125x4 63x4 31x4 16x4 8x4 4x4 2x4 1x4" },
	{ "wf,weights=7:7:7:7", 1000, 4, "125x4 63x4 31x4 16x4 8x4 4x4 2x4 1x4" },
	{ "wf,weights=1:3", 1000, 2, "125 375 62 188 31 95 15 47 8 24 4 12 2 6 1 3 1x2" },
	{ "wf,weights=0.125:0.125:0.125:0.625", 1000, 4, "62 63 62 313 31 32 31 158 15 16 15 78 8x3 40 4x3 20 2x3 10 1x3 5 1x4" },
	{ "wf,weights=5:1:1:1", 1000, 4, "312 63 62 63 157 32 31 32 77 16 15 16 40 8x3 20 4x3 10 2x3 5 1x3 2 1x2" },
	/* Fails if a missing weight is not the mean of those given (here 4, so 1/2, 3/2, 1, 1), or a surplus one counts. */
	{ "wf,weights=2:6", 1000, 4, "62 188 125x2 31 95 63x2 15 47 31x2 8 24 16x2 4 12 8x2 2 6 4x2 1 3 2x2 1 2 1" },
	{ "wf,weights=1:3:9", 1000, 2, "125 375 62 188 31 95 15 47 8 24 4 12 2 6 1 3 1x2" },
	/* Fails if a tiny weight gives nothing, or a whole ticket, or a great one does not end. */
	{ "wf,weights=1e-9:1", 1000, 2, "1 499 1 249 1 125 1 61 1 31 1 15 1 7 1 3 1x2" },
	{ "wf,weights=1e9:1e-9:1", 10000, 3, "5001 1x2 2501 1x2 1249 1x2 622 1x2 310 1x2 154 1x2 76 1x2 38 1x2 18 1x2 8 1x2 3" },
	{ "wf,weights=1e9:1e9:1e9:1e9", 1000, 4, "125x4 63x4 31x4 16x4 8x4 4x4 2x4 1x4" },

	/* Those that learn, of which nothing is measured here: fac2's tickets, and a quarter of fac2's chunk. */
	{ "awf", 1000, 4, "125x4 63x4 31x4 16x4 8x4 4x4 2x4 1x4" },
	{ "af", 1000, 4, "32x24 29 26 23 20 17 15 13 12 10 9 8 7 6 5 4x2 3x3 2x4 1x7" },

	/* Taper, Lucco 1992, t + v^2/2 - v sqrt(2t + v^2/4).  Fails if any of its constants changes, alpha is not 1.3 by default,
	 * or R is not what is left. */
	{ "tap,mu=1,sigma=2", 1000, 4, "196 153 120 94 75 59 47 38 31 25 21 17 14 12 10 8 7 6 5x2 4 3x3 2x4 1x36" },
	{ "tap,mu=2e-9,sigma=4e-9,alpha=1.7", 1000, 4,
	  "180 142 113 90 72 58 48 39 32 26 22 18 15 13 11 9 8 7 6 5x2 4x2 3x3 2x4 1x56" },
	{ "tap,mu=1,sigma=10", 10000, 4, "1662 1326 1064 858 696 568 467 385 320 267 225 190 161 138 118 102 88 76 67 58 51 45 40 35 32 "
	  "28 25 22 20 18 16 15 13 12 11 10 9 8 7x2 6x2 5x2 4x2 3x4 2x6 1x686" },
	{ "tap,10,mu=1,sigma=2", 1000, 4, "196 153 120 94 75 59 47 38 31 25 21 17 14 12 10x9 8" },
	/* Without variance: GSS.  With nothing but variance: 1, which fails if the difference of two terms of 10^18 is left to
	 * rounding, or infinity less infinity is not caught. */
	{ "tap,mu=1,sigma=0", 1000, 4, "250 188 141 106 79 59 45 33 25 19 14 11 8 6 4 3x2 2 1x4" },
	{ "tap,mu=1,sigma=2,alpha=0", 1000, 4, "250 188 141 106 79 59 45 33 25 19 14 11 8 6 4 3x2 2 1x4" },
	{ "tap,mu=1,sigma=1e6", 1000, 4, "1x1000" },
	{ "tap,mu=1,sigma=1e9", 1000, 4, "1x1000" },
	{ "tap,mu=1e-300,sigma=1e300", 1000, 4, "1x1000" },

	/* Bold, Hagerup 1997, with no chunk in hand.  Between them the rows have b > 0 and < 0 (sigma = 0.2), a c1 w that counts and one
	 * that does not, and d above c2 and below.  Fails if any constant changes. */
	{ "bold,mu=1,sigma=1,h=0.5", 1000, 4, "195 154 122 98 78 63 51 41 34 28 23 19 16 13 11 9 8 7 5x2 4 3x2 2x3 1x4" },
	{ "bold,mu=1e-6,sigma=2e-6,h=5e-7", 1000, 4,
	  "155 128 105 88 73 61 52 44 37 32 27 24 21 18 16 14 12 11 9 8x2 7 6 5x2 4x3 3x2 2x4 1x2 2 1x4" },
	{ "bold,mu=1,sigma=1,h=5", 1000, 4, "238 187 144 108 81 61 46 34 26 19 14 11 8 6 5 3x2 2 1x4" },
	{ "bold,mu=1,sigma=0.25,h=0.5", 1000, 4, "235 178 136 104 79 61 47 36 28 21 17 13 10 8 6 5 4 3 2x3 1x3" },
	{ "bold,mu=1,sigma=0.2,h=0.1", 1000, 4, "236 179 136 104 79 60 46 36 27 21 16 13 10 8 6 5 4 3 2x3 1x5" },
	/* Without variance the fair share; with nothing but variance, or h = 0, 1; where dispatch is dearer than all that remains, the
	 * fair share.  Fails if K is left as a difference, which is infinity less infinity where h = 0. */
	{ "bold,mu=1,sigma=0,h=0", 1000, 4, "250 188 141 106 79 59 45 33 25 19 14 11 8 6 4 3x2 2 1x4" },
	{ "bold,mu=1,sigma=0,h=3", 1000, 4, "250 188 141 106 79 59 45 33 25 19 14 11 8 6 4 3x2 2 1x4" },
	{ "bold,mu=1,sigma=1,h=1e9", 1000, 4, "250 188 141 106 79 59 45 33 25 19 14 11 8 6 4 3x2 2 1x4" },
	{ "bold,mu=1,sigma=2,h=0", 1000, 4, "1x1000" },
	{ "bold,mu=1,sigma=0.1,h=0", 1000, 4, "1x1000" },
	{ "bold,mu=1,sigma=1e9,h=1e-9", 1000, 4, "1x1000" },

	/* Fixed increase self-scheduling, Philip & Das 1997.  c_0 = 1000 / (5 4) = 50 and d = 2000 (1 - 3/5) / (4 3 2) = 33 1/3.  Fails
	 * if any constant of c_0 or d changes, d is rounded, or a stage is not P chunks. */
	{ "fiss", 1000, 4, "50x4 84x4 117x3 113" },
	{ "fiss", 10000, 3, "834x3 2500x2 2498" },
	{ "fiss,90", 1000, 4, "90x8 117x2 46" },
	/* Fails if B is not P - 1 by default and at least 2, or b= is not B. */
	{ "fiss", 1000, 2, "125x2 375x2" },
	{ "fiss,b=2", 1000, 4, "63x4 188x3 184" },
	{ "fiss,b=3", 1000, 4, "50x4 84x4 117x3 113" },
	{ "fiss,b=5", 1000, 4, "36x4 43x4 50x4 58x4 65x3 57" },
	{ "fiss,b=65536", 1000, 4, "1000 chunks" },
	/* Fails if c_0 + j d is formed in less than 128 bits, or in a double. */
	{ "fiss", UINT64_MAX, 4, "922337203685477581x4 1537228672809129302x4 2152120141932781022x3 2152120141932781017" },

	/* Variable increase self-scheduling, Philip & Das 1997.  c_0 = 1000 / 16 = 62.5, then 93.75, 109.375.  Fails if c_0 is rounded
	 * before it grows, the increment does not halve, or a stage is not P chunks. */
	{ "viss", 1000, 4, "63x4 94x4 110x3 42" },
	{ "viss,100", 1000, 4, "100x8 110 90" },
	/* Fails if X is not P by default, or x= is not X; the last row grows through 14 stages. */
	{ "viss,x=2", 1000, 4, "125x4 188x2 124" },
	{ "viss,x=3", 10000, 4, "834x4 1250x4 1459 205" },
	{ "viss,x=64", 1000000, 2, "7813x2 11719x2 13672x2 14649x2 15137x2 15381x2 15503x2 15564x2 15595x2 15610x2 15618x2 15622x2 "
	  "15624x2 15625x39 15611" },
	/* Fails if c_0 (2 - 2^-j) is formed in 64 bits or in a double, or j runs past the width of a shift. */
	{ "viss", UINT64_MAX, 8, "288230376151711744x8 432345564227567616x8 504403158265495552x8 540431955284459520x8 "
	  "558446353793941504x7 414331165718085631" },
	{ "viss,x=1000", 100000, 1, "501 chunks" },

	/* Random sizes, where nothing is left to chance.  Fails if a small N makes a bound 0, or a bound that is given is not kept. */
	{ "rnd,seed=5,min=7,max=7", 20, 4, "7x2 6" },
	{ "rnd,min=30", 30, 4, "30" },
	{ "rnd,max=1", 30, 4, "1x30" },
	{ "rnd,10,min=1,max=9", 35, 4, "10x3 5" },

	/* Fractiling: 1000/12 = 83.3, 664/12 = 55.3, 440/12 = 36.7, 292/12, 192/12, 128/12, ...  Fails if a batch is not
	 * P chunks of ceil(R / x P), or x = 2 is not the default. */
	{ "frac", 1000, 4, "125x4 63x4 31x4 16x4 8x4 4x4 2x4 1x4" },
	{ "frac,x=3", 1000, 4, "84x4 56x4 37x4 25x4 16x4 11x4 7x4 5x4 3x4 2x8 1x8" },
	{ "frac,x=1.25", 1000, 4, "200x4 40x4 8x4 2x4" },
	{ "fractiling,x=1", 1001, 4, "251x3 248" },
	{ "frac,x=1e6", 2000003, 2, "2x2 1x1999999" },
	/* Fails if CHUNK is anything but the smallest chunk. */
	{ "frac,10", 1000, 4, "125x4 63x4 31x4 16x4 10x6" },
	{ "frac,80", 1000, 4, "125x4 80x6 20" },
	{ "frac,50,x=3", 1000, 4, "84x4 56x4 50x8 40" },
	/* Fails if R, x P or a sum of them is held in a double or in 64 bits: 2^64 - 1 is none, and 2^63 / 2x is not 2^62 - 2^10. */
	{ "frac,x=1", UINT64_MAX, 3, "6148914691236517205x3" },
	{ "frac,x=1.0000000000000002220446", (uint64_t)1 << 63, 2, "4611686018427386881x2 1023x2" },
	{ "frac", UINT64_MAX, 2, "127 chunks" },
	{ "frac", 3, UINT32_MAX, "1x3" },
};

enum { ROWS = sizeof(row) / sizeof(*row) };

static void next_row(void)
{
	static const struct row *r = row;
	char chunks[32];

	snprintf(chunks, sizeof(chunks), "%" PRIu64 " chunks", walk_count(r->schedule, r->n, r->p));
	CHECK_TEXT(strstr(r->dealt, "chunks") ? chunks : walk(r->schedule, r->n, r->p), r->dealt);
	r++;
}

int main(void)
{
	static struct tap_test list[ROWS];

	for (size_t i = 0; i < ROWS; i++)
		list[i] = (struct tap_test){ .name = row[i].schedule, .run = next_row };
	return tap_run(list, ROWS);
}
