/* text.c - characters. */
#include "lib/base/text.h"

size_t dls__character(const char *text)
{
	const unsigned char *s = (const unsigned char *)text;
	size_t n = *s < ' ' || *s == 0x7f ? 0 : *s < 0x80 ? 1 : *s < 0xc2 ? 0 : *s < 0xe0 ? 2 : *s < 0xf0 ? 3 :
		   *s < 0xf5 ? 4 : 0;

	for (size_t i = 1; i < n; i++)
		if (s[i] >> 6 != 2)
			return 0;
	if ((*s == 0xe0 && s[1] < 0xa0) || (*s == 0xed && s[1] > 0x9f) || (*s == 0xf0 && s[1] < 0x90) ||
	    (*s == 0xf4 && s[1] > 0x8f) || (*s == 0xef && s[1] == 0xbf && s[2] > 0xbd))
		return 0;
	return n;
}
