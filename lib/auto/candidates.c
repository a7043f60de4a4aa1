/* candidates.c - the schedules that auto chooses from, and their texts. */
#include <string.h>

#include "lib/auto/auto.h"

static const char *const fixed[DLS__AUTO_STEAL] = {
	"static", "serial", "fac2", "mfsc", "tss", "frac,x=3", "af", "awf-b", "static,weights=site",
};

size_t dls__auto_text(unsigned schedule, char *text, size_t size)
{
	char whole[32], digit[24];
	size_t length, digits = 0;

	if (schedule < DLS__AUTO_STEAL || schedule >= DLS__AUTO_SCHEDULES) {
		strcpy(whole, schedule < DLS__AUTO_STEAL ? fixed[schedule] : "");
	} else {
		bool steal = schedule < DLS__AUTO_SS;
		uint64_t K = (uint64_t)1 << (schedule - (steal ? DLS__AUTO_STEAL : DLS__AUTO_SS));

		strcpy(whole, steal ? "steal" : "ss");
		length = strlen(whole);
		whole[length++] = ',';
		for (; K > 0; K /= 10)
			digit[digits++] = (char)('0' + K % 10);
		while (digits > 0)
			whole[length++] = digit[--digits];
		whole[length] = 0;
	}
	length = strlen(whole);
	if (size > 0) {
		size_t fits = length < size ? length : size - 1;

		memcpy(text, whole, fits);
		text[fits] = 0;
	}
	return length;
}

int dls__auto_named(const char *text)
{
	char own[32];

	for (unsigned schedule = 0; schedule < DLS__AUTO_SCHEDULES; schedule++) {
		dls__auto_text(schedule, own, sizeof(own));
		if (strcmp(own, text) == 0)
			return (int)schedule;
	}
	return -1;
}
