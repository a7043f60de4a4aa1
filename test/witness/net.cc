/* net.cc - three nets of dls_net(7), written from that page. */
#include "net.h"

#include <algorithm>
#include <stdexcept>

static int ones(unsigned x)
{
	return __builtin_popcount(x);
}

static int log2_up(int n)
{
	int d = 0;

	while ((1 << d) < n)
		d++;
	return d;
}

std::vector<int> Net::below(int p, int root) const
{
	int r = xor_tree ? p ^ root : (p - root + processors) % processors;
	int lowest = r ? r & -r : 1 << log2_up(processors);
	std::vector<int> list;

	for (int b = lowest / 2; b > 0; b /= 2)
		if (r + b < processors)
			list.push_back(xor_tree ? (r + b) ^ root : (r + b + root) % processors);
	return list;
}

int Net::number(int p)
{
	int next = tree[p].order + 1;

	for (int child : tree[p].children) {
		tree[child].order = next;
		next = number(child);
	}
	tree[p].size = next - tree[p].order;
	return next;
}

/* Pairs as in a hypercube. */
int Net::dimensions() const
{
	return log2_up(processors);
}

int Net::partner(int p, int dimension) const
{
	int q = p ^ 1 << dimension;

	return q < processors ? q : -1;
}

/* The parents are known. */
void Net::finish(int root)
{
	for (int p = 0; p < processors; p++)
		if (tree[p].parent >= 0)
			tree[tree[p].parent].children.push_back(p);
	tree[root].order = 0;
	if (number(root) != processors)
		throw std::logic_error("the tree does not span the net");
}

class Hypercube : public Net {
public:
	explicit Hypercube(int n) : Net(n)
	{
		xor_tree = (n & (n - 1)) == 0;
		for (int p = 0; p < n; p++) {
			for (int b = 1; b < 2 * n; b *= 2)
				if ((p ^ b) < n)
					neighbours[p].push_back(p ^ b);
			std::sort(neighbours[p].begin(), neighbours[p].end());
			tree[p].parent = p ? p & (p - 1) : -1;
		}
		finish(0);
	}
	int distance(int p, int q) const override { return ones(p ^ q); }
};

/* With the tree and pairs of an incomplete hypercube. */
class Complete : public Net {
public:
	explicit Complete(int n) : Net(n)
	{
		for (int p = 0; p < n; p++) {
			for (int q = 0; q < n; q++)
				if (q != p)
					neighbours[p].push_back(q);
			tree[p].parent = p ? p & (p - 1) : -1;
		}
		finish(0);
	}
	int distance(int p, int q) const override { return p != q; }
};

/* The 4-ary fat tree of Shu 1996, whose Figure 8 maps the tree onto it; full levels only. */
class FatTree : public Net {
public:
	explicit FatTree(int n) : Net(n)
	{
		int offset = 0, above = 0;	/* o_l, o_(l+1) */

		for (int p = 0; p < n; p++)
			for (int q = 0; q < n; q++)
				for (int low = 1; low < n; low *= 4)
					if (p != q && p / (4 * low) == q / (4 * low) && p % low == 0 && q % low == 0 && p / low != q / low) {
						neighbours[p].push_back(q);
						break;
					}
		std::vector<bool> represents(n, false);
		for (int size = 4, power = 1;; size *= 4, power *= 4) {
			above = offset + power;
			for (int first = 0; first < n; first += size) {
				if (first + offset >= n)
					throw std::invalid_argument("fattree: a level is not full enough");
				represents[first + offset] = true;
				if (size < n)
					tree[first + offset].parent = first / (4 * size) * (4 * size) + above;
			}
			if (size >= n)
				break;
			offset = above;
		}
		for (int p = 0; p < n; p++)
			if (!represents[p])
				tree[p].parent = p / 4 * 4;
		finish(offset);
	}
	int distance(int p, int q) const override
	{
		int level = 0;

		for (; p != q; p /= 4, q /= 4)
			level++;
		return 2 * level;
	}
};

std::unique_ptr<Net> Net::read(const std::string &name, int processors)
{
	if (name == "hypercube")
		return std::make_unique<Hypercube>(processors);
	if (name == "complete")
		return std::make_unique<Complete>(processors);
	if (name == "fattree")
		return std::make_unique<FatTree>(processors);
	throw std::invalid_argument("no net " + name);
}
