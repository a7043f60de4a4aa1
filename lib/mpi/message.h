/* message.h - tags of messages between ranks, and what a rank sends to ask for units. */
#ifndef LIB_MPI_MESSAGE_H
#define LIB_MPI_MESSAGE_H

#include "lib/mpi/ranks.h"

/* Tags; the answer to worker w has the tag DLS__MPI_ANSWER + w modulo DLS__MPI_ANSWERS, all below 32767, MPI's least bound. */
enum { DLS__MPI_ASK = 1, DLS__MPI_ANSWER = 2, DLS__MPI_ANSWERS = 32000, DLS__MPI_MACHINE = 32010 };

#endif
