/* fac2.c - factoring with x = 2: each batch of P equal chunks takes half of what remains.
 *
 * Hummel, Schonberg, Flynn, "Factoring: a method for scheduling parallel loops", CACM 35(8):90-101, 1992. */
#include "fac2.h"

const struct dls_calc dls__calc_fac2 = {
	.size = sizeof(struct dls_calc), .name = "fac2", .source = "Hummel 1992",
	.dispenser = DLS_DISPENSER_TICKETS, .state_size = sizeof(struct batch), .init = fac2_init, .next = fac2_next,
	.repeat = batch_repeat,
};
