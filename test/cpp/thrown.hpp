/* thrown.hpp - what a call throws. */
#ifndef THROWN_HPP
#define THROWN_HPP

#include <string>

#include <dls.hpp>

/* The code of a dls::error, and its text in `what`; 0: none is thrown. */
template <class F> int code_of(F f, std::string *what = nullptr)
{
	try {
		f();
	} catch (const dls::error &e) {
		if (what)
			*what = e.what();
		return e.code();
	}
	return 0;
}

/* The number that it throws; -1: none. */
template <class F> int number_of(F f)
{
	try {
		f();
	} catch (int number) {
		return number;
	}
	return -1;
}

/* Whether it throws an E. */
template <class E, class F> bool throws(F f)
{
	try {
		f();
	} catch (const E &) {
		return true;
	}
	return false;
}

#endif
