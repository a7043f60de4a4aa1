/* marks.hpp - how often each element was met. */
#ifndef MARKS_HPP
#define MARKS_HPP

#include <atomic>
#include <vector>

using marks = std::vector<std::atomic<unsigned>>;

/* Each of the marks is `times`; clears them. */
inline bool once(marks &m, unsigned times = 1)
{
	std::size_t wrong = 0;

	for (auto &mark : m)
		wrong += mark.exchange(0) != times;
	return wrong == 0;
}

#endif
