/* net.c - libFuzzer target: any text is refused with a message, or is a net whose links, distances and trees fit each other. */
#include "dls/net.h"
#include "test/fuzz/fuzz.h"

static size_t put(const void *net, char *text, size_t size)
{
	return dls_net_print(net, text, size);
}

static void links(const struct dls_net *net, unsigned p, unsigned pick)
{
	unsigned degree = dls_net_degree(net, p), q;

	MUST(degree < net->processors && (degree > 0 || net->processors == 1));
	if (degree == 0)
		return;
	q = dls_net_neighbour(net, p, pick % degree);
	MUST(q < net->processors && q != p && dls_net_neighbour_index(net, p, q) == pick % degree);
	MUST(dls_net_neighbour_index(net, q, p) < dls_net_degree(net, q));
}

static void distances(const struct dls_net *net, unsigned p, unsigned q)
{
	unsigned d = dls_net_distance(net, p, q);

	MUST(d == dls_net_distance(net, q, p) && d <= dls_net_diameter(net) && (d == 0) == (p == q));
}

static void trees(const struct dls_net *net, unsigned p, unsigned root)
{
	unsigned parent = dls_net_walk_parent(net, p), order = dls_net_walk_order(net, p), size = dls_net_walk_size(net, p);

	MUST(order < net->processors && size >= 1 && size <= net->processors - order);
	MUST((parent == DLS_NO_PROCESSOR) == (order == 0) && (order > 0 || size == net->processors));
	if (parent != DLS_NO_PROCESSOR) {
		unsigned first = dls_net_walk_order(net, parent);

		MUST(first < order && order + size <= first + dls_net_walk_size(net, parent));
	}
	parent = dls_net_broadcast_parent(net, root, p);
	MUST((parent == DLS_NO_PROCESSOR) == (p == root) && (p == root || parent < net->processors));
	for (unsigned i = 0; i < dls_net_folds(net); i++) {
		unsigned q = dls_net_fold(net, p, i);

		MUST(q == DLS_NO_PROCESSOR || (q < net->processors && q != p && dls_net_fold(net, q, i) == p));
	}
}

static void accepted(const struct dls_net *net, uint64_t h)
{
	char *text = fuzz_print(put, net), *twice;
	struct dls_net again;

	MUST(net->processors >= 1 && net->processors <= DLS_PROCESSORS_MAX);
	MUST(dls_net_parse(&again, text, net->processors, NULL) == 0 && again.processors == net->processors);
	twice = fuzz_print(put, &again);
	MUST(strcmp(text, twice) == 0);
	free(text);
	free(twice);
	for (int i = 0; i < 8; i++, h = (h ^ h >> 31) * 0x9e3779b97f4a7c15u) {
		unsigned p = (unsigned)(h >> 8) % net->processors, q = (unsigned)(h >> 32) % net->processors;

		links(net, p, q);
		distances(net, p, q);
		trees(net, p, q);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text("", data, size);
	uint64_t h = fuzz_hash(text);
	const unsigned P[] = { 0, 1 + ((unsigned)(h >> 24) % DLS_PROCESSORS_MAX >> h % 25), (unsigned)(h >> 8) };

	for (int i = 0; i < 3; i++) {
		struct dls_net net = { .kind = NULL };
		struct dls_parse_error error = FUZZ_UNSAID;
		int code = dls_net_parse(&net, text, P[i], &error);

		if (fuzz_accepts(net.kind, strlen(text), code, &error)) {
			MUST(!P[i] || net.processors == P[i]);
			accepted(&net, h);
		}
	}
	free(text);
	return 0;
}
