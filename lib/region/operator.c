/* operator.c - the operators of DLS_REDUCE for the arithmetic types: combinations and identities. */
#include <complex.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "dls/reduce.h"
#include "lib/region/reduce.h"

enum operator { SUM, PRODUCT, MIN, MAX, AND, OR, XOR, ALL, ANY, OPERATORS };
static const char *const sign[OPERATORS] = { "+", "*", "min", "max", "&", "|", "^", "&&", "||" };

typedef bool truth;
typedef long double long_double;
typedef float complex float_complex;
typedef double complex double_complex;
typedef long double complex long_complex;

#define OPERATION(type, name, expression) \
static void name##_##type(void *into, const void *from, size_t pairs, size_t stride) \
{ \
	type *x = into; \
	const type *y = from; \
 \
	for (size_t i = 0; i < pairs * stride; i += stride) { \
		type a = x[i], b = y[i]; \
 \
		x[i] = (type)(expression); \
	} \
}
#define ARITHMETIC(type) OPERATION(type, sum, a + b) OPERATION(type, product, a * b)
#define ORDER(type, least, most) \
	OPERATION(type, min, b < a ? b : a) OPERATION(type, max, b > a ? b : a) \
	static const type bound_##type[] = { least, most };
#define LOGIC(type) OPERATION(type, all, a && b) OPERATION(type, any, a || b)
#define BITS(type) OPERATION(type, and, a & b) OPERATION(type, or, a | b) OPERATION(type, xor, a ^ b)
#define REAL(type) ARITHMETIC(type) ORDER(type, -INFINITY, INFINITY) LOGIC(type) \
	static const type unit_##type[] = { 0, 1 };
#define COMPLEX(type) ARITHMETIC(type) static const type unit_##type[] = { 0, 1 };
/* Of these, signed ones take all but the order: sums and products wrap. */
#define INTEGER(type, most, multiplied) \
	OPERATION(type, sum, a + b) OPERATION(type, product, multiplied) BITS(type) ORDER(type, 0, most) LOGIC(type) \
	static const type unit_##type[] = { 0, 1, most };

INTEGER(truth, true, a && b)
INTEGER(uint8_t, UINT8_MAX, (uint64_t)a * b)
INTEGER(uint16_t, UINT16_MAX, (uint64_t)a * b)
INTEGER(uint32_t, UINT32_MAX, (uint64_t)a * b)
INTEGER(uint64_t, UINT64_MAX, (uint64_t)a * b)
ORDER(int8_t, INT8_MIN, INT8_MAX)
ORDER(int16_t, INT16_MIN, INT16_MAX)
ORDER(int32_t, INT32_MIN, INT32_MAX)
ORDER(int64_t, INT64_MIN, INT64_MAX)
REAL(float)
REAL(double)
REAL(long_double)
COMPLEX(float_complex)
COMPLEX(double_complex)
COMPLEX(long_complex)

#define UNITS(type) [SUM] = &unit_##type[0], [PRODUCT] = &unit_##type[1]
#define BOUNDS(type) [MIN] = &bound_##type[1], [MAX] = &bound_##type[0]
#define TRUTHS(type) [ALL] = &unit_##type[1], [ANY] = &unit_##type[0]
#define MASKS(type) [AND] = &unit_##type[2], [OR] = &unit_##type[0], [XOR] = &unit_##type[0]

#define ROW_COMPLEX(type) { DLS__KIND('c', type), { [SUM] = sum_##type, [PRODUCT] = product_##type }, { UNITS(type) } }
#define ROW_REAL(type) { DLS__KIND('f', type), { \
	[SUM] = sum_##type, [PRODUCT] = product_##type, [MIN] = min_##type, [MAX] = max_##type, \
	[ALL] = all_##type, [ANY] = any_##type }, { UNITS(type), BOUNDS(type), TRUTHS(type) } }
#define ROW_INTEGER(kind, type, ordered) { DLS__KIND(kind, type), { \
	[SUM] = sum_##type, [PRODUCT] = product_##type, [MIN] = min_##ordered, [MAX] = max_##ordered, \
	[AND] = and_##type, [OR] = or_##type, [XOR] = xor_##type, [ALL] = all_##type, [ANY] = any_##type }, \
	{ UNITS(type), BOUNDS(ordered), MASKS(type), TRUTHS(type) } }

static const struct {
	int type;
	dls__combine_pairs *combine[OPERATORS];
	const void *identity[OPERATORS];
} rows[] = {
	ROW_REAL(double), ROW_REAL(float), ROW_REAL(long_double),
	ROW_INTEGER('s', uint32_t, int32_t), ROW_INTEGER('u', uint32_t, uint32_t),
	ROW_INTEGER('s', uint64_t, int64_t), ROW_INTEGER('u', uint64_t, uint64_t), ROW_INTEGER('b', truth, truth),
	ROW_INTEGER('s', uint16_t, int16_t), ROW_INTEGER('u', uint16_t, uint16_t),
	ROW_INTEGER('s', uint8_t, int8_t), ROW_INTEGER('u', uint8_t, uint8_t),
	ROW_COMPLEX(double_complex), ROW_COMPLEX(float_complex), ROW_COMPLEX(long_complex),
};

dls__combine_pairs *dls__operator(const char *op, int type, void *identity)
{
	unsigned row = 0, o = 0;

	while (rows[row].type != type)	/* the macro has checked both */
		row++;
	while (strcmp(sign[o], op) != 0)
		o++;
	memcpy(identity, rows[row].identity[o], (size_t)(type & 0xff));
	return rows[row].combine[o];
}
