/* The layers that may stand between a dispenser and a worker, from the lowest to the highest. */
X(idempotent)
X(align)
X(hold)
X(measure)
X(timing)
