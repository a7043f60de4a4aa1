/* rays.cc - a ray tracer by dls.hpp and by plain OpenMP: `make cpp`.
 *
 *	rays [WIDTH [HEIGHT]]		OMP_NUM_THREADS is used
 *
 * Mirrors hang over a chequered floor.  A ray that meets none costs some comparisons, one among mirrors many times that, and
 * neighbours in the picture cost the same.  An iteration is a pixel, reached by an iterator.  All pictures must be the serial one.
 * In a second scene one mirror is broken: the ray that meets it throws, and the loop ends early. */
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

#include <dls.hpp>

namespace {

struct vec {
	double x, y, z;
};
vec operator+(vec a, vec b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
vec operator-(vec a, vec b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
vec operator*(double s, vec a) { return {s * a.x, s * a.y, s * a.z}; }
double dot(vec a, vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
vec unit(vec a) { return (1 / std::sqrt(dot(a, a))) * a; }

struct sphere {
	vec centre;
	double radius;		/* not above 0: broken */
};

struct pixel {
	unsigned char r = 0, g = 0, b = 0;
	bool operator==(const pixel &p) const { return r == p.r && g == p.g && b == p.b; }
};
using picture = std::vector<pixel>;

enum { SPHERES = 60, DEPTH = 12, RUNS = 7 };

std::size_t width = 480, height = 360;

/* A spiral of mirrors, all in the lower half of the picture. */
std::vector<sphere> scene(bool broken)
{
	std::vector<sphere> spheres;

	for (int k = 0; k < SPHERES; k++) {
		double a = 0.7 * k, r = 0.15 + 0.025 * k;

		spheres.push_back({{r * std::cos(a), 0.2 * std::sin(1.3 * k) - 0.7, 3 + r * std::sin(a)}, 0.12 + 0.002 * k});
	}
	if (broken)
		spheres[SPHERES / 2].radius *= -1;
	return spheres;
}

/* The sphere that a ray meets first, and how far away; NULL: none. */
const sphere *meets(const std::vector<sphere> &spheres, vec from, vec along, double &distance)
{
	const sphere *nearest = nullptr;

	for (const sphere &s : spheres) {
		vec to = s.centre - from;
		double middle = dot(to, along), depth = s.radius * s.radius - dot(to, to) + middle * middle;

		if (depth <= 0 || middle - std::sqrt(depth) < 1e-6 || (nearest && middle - std::sqrt(depth) >= distance))
			continue;
		distance = middle - std::sqrt(depth);
		nearest = &s;
	}
	if (nearest && !(nearest->radius > 0))
		throw std::domain_error("sphere " + std::to_string(nearest - spheres.data()) + " has no radius");
	return nearest;
}

vec colour(const std::vector<sphere> &spheres, vec from, vec along, int depth)
{
	double distance = 0;
	const sphere *s = meets(spheres, from, along, distance);

	if (s && depth < DEPTH) {
		vec at = from + distance * along, out = unit(at - s->centre);

		return vec{0.02, 0.02, 0.03} + 0.9 * colour(spheres, at, along - 2 * dot(along, out) * out, depth + 1);
	}
	if (along.y < 0) {
		vec at = from - (from.y + 1) / along.y * along;
		bool dark = (static_cast<long>(std::floor(at.x)) + static_cast<long>(std::floor(at.z))) & 1;

		return dark ? vec{0.2, 0.2, 0.2} : vec{0.9, 0.8, 0.7};
	}
	return {0.4 - 0.3 * along.y, 0.6 - 0.2 * along.y, 0.9};
}

unsigned char byte(double x)
{
	return static_cast<unsigned char>(255 * std::min(1.0, std::max(0.0, x)));
}

/* The pixel of a picture that begins at `first`. */
void trace(const std::vector<sphere> &spheres, const pixel *first, pixel &p)
{
	std::size_t i = static_cast<std::size_t>(&p - first);
	double x = static_cast<double>(i % width) / static_cast<double>(width), y = static_cast<double>(i / width) / static_cast<double>(height);
	vec c = colour(spheres, {0, 0.3, 0}, unit({2 * x - 1, 0.75 - 1.5 * y, 1}), 0);

	p = {byte(c.x), byte(c.y), byte(c.z)};
}

void by_dls(const std::vector<sphere> &spheres, picture &to, const char *schedule)
{
	dls::for_each(to, [&, first = to.data()](pixel &p) { trace(spheres, first, p); }, {"rays", schedule});
}

#ifdef _OPENMP
/* What dls.hpp does with exceptions, by hand: iterations after the first one are passed over. */
void by_openmp(const std::vector<sphere> &spheres, picture &to)
{
	std::atomic<bool> failed{false};
	std::exception_ptr first;

#pragma omp parallel for schedule(runtime)
	for (auto p = to.begin(); p < to.end(); ++p) {
		if (failed.load(std::memory_order_relaxed))
			continue;
		try {
			trace(spheres, to.data(), *p);
		} catch (...) {
			if (!failed.exchange(true))
				first = std::current_exception();
		}
	}
	if (first)
		std::rethrow_exception(first);
}
#endif

template <class F> double seconds(F f)
{
	auto began = std::chrono::steady_clock::now();

	f();
	return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
}

double median(std::vector<double> times)
{
	std::nth_element(times.begin(), times.begin() + RUNS / 2, times.end());
	return times[RUNS / 2];
}

struct way {
	std::string name;
	void (*run)(const std::vector<sphere> &, picture &, const way &);
	const char *schedule;
	int kind, chunk;	/* of OpenMP */
	std::vector<double> times;
};

void run_dls(const std::vector<sphere> &spheres, picture &to, const way &w) { by_dls(spheres, to, w.schedule); }

#ifdef _OPENMP
void run_openmp(const std::vector<sphere> &spheres, picture &to, const way &w)
{
	omp_set_schedule(static_cast<omp_sched_t>(w.kind), w.chunk);
	by_openmp(spheres, to);
}
#endif

/* How long it takes to learn that the scene is broken, in ms. */
double broken(const way &w, std::string &said)
{
	const std::vector<sphere> spheres = scene(true);
	std::vector<double> times;

	for (int k = 0; k < RUNS; k++) {
		picture to(width * height);

		times.push_back(seconds([&] {
			try {
				w.run(spheres, to, w);
			} catch (const std::domain_error &e) {
				said = e.what();
			}
		}));
	}
	return 1e3 * median(times);
}

std::size_t number(const char *text)
{
	char *end;
	unsigned long n = std::strtoul(text, &end, 10);

	if (*text < '0' || *text > '9' || *end || n < 1 || n > 10000) {
		std::fprintf(stderr, "rays: \"%s\" is no whole number from 1 to 10000; usage: rays [WIDTH [HEIGHT]]\n", text);
		std::exit(2);
	}
	return n;
}

}

int main(int argc, char **argv)
{
	std::vector<way> ways;
	const std::vector<sphere> spheres = scene(false);
	bool right = true;

	if (argc > 1)
		width = number(argv[1]);
	if (argc > 2)
		height = number(argv[2]);

	picture serial(width * height);
	std::vector<double> alone;

	for (int k = 0; k < RUNS; k++)
		alone.push_back(seconds([&] {
			for (pixel &p : serial)
				trace(spheres, serial.data(), p);
		}));
#ifdef _OPENMP
	ways.push_back({"OpenMP static", run_openmp, nullptr, omp_sched_static, 0, {}});
	ways.push_back({"OpenMP dynamic,1", run_openmp, nullptr, omp_sched_dynamic, 1, {}});
	ways.push_back({"OpenMP dynamic,64", run_openmp, nullptr, omp_sched_dynamic, 64, {}});
	ways.push_back({"OpenMP guided", run_openmp, nullptr, omp_sched_guided, 1, {}});
#endif
	for (const char *schedule : { "static", "ss", "ss,64", "gss", "fac2", "steal", "auto" })
		ways.push_back({std::string("dls::for_each ") + schedule, run_dls, schedule, 0, 0, {}});
	for (int k = 0; k < RUNS; k++)
		for (way &w : ways) {
			picture to(width * height);

			w.times.push_back(seconds([&] { w.run(spheres, to, w); }));
			right = right && to == serial;
		}
	std::printf("%zu x %zu pixels, %d mirrors; medians of %d runs, ms\n", width, height, SPHERES, RUNS);
	std::printf("%-24s %9s %8s %14s\n", "", "picture", "speedup", "broken mirror");
	std::printf("%-24s %9.2f %8.2f\n", "serial", 1e3 * median(alone), 1.0);
	for (const way &w : ways) {
		std::string said;
		double ms = broken(w, said);

		std::printf("%-24s %9.2f %8.2f %14.2f\n", w.name.c_str(), 1e3 * median(w.times), median(alone) / median(w.times), ms);
		right = right && said == "sphere " + std::to_string(SPHERES / 2) + " has no radius";
	}
	std::printf("all pictures, and what was thrown: %s\n", right ? "right" : "WRONG");
	return !right;
}
