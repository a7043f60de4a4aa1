/* net.h - the nets of dls_net(7) that the witness has: neighbours, distances, and the trees and pairs of the strategies. */
#ifndef TEST_WITNESS_NET_H
#define TEST_WITNESS_NET_H

#include <memory>
#include <string>
#include <vector>

/* A node of the tree that tasks walk along: numbers in preorder, as Shu 1996 has them. */
struct Node {
	int parent = -1;	/* processor; -1: the root */
	std::vector<int> children;
	int order = 0, size = 1;	/* i and N_i of Figure 5 */
};

class Net {
public:
	int processors;
	std::vector<std::vector<int>> neighbours;
	std::vector<Node> tree;

	virtual ~Net() = default;
	virtual int distance(int p, int q) const = 0;
	int dimensions() const;
	int partner(int p, int dimension) const;	/* -1: none */
	/* The binomial tree below `root`: to whom p passes on a broadcast. */
	std::vector<int> below(int p, int root) const;
	static std::unique_ptr<Net> read(const std::string &name, int processors);

protected:
	bool xor_tree = false;	/* numbers relative to a root are p xor root */

	explicit Net(int n) : processors(n), neighbours(n), tree(n) {}
	int number(int p);	/* of the subtree of p, from tree[p].order on */
	void finish(int root);
};

#endif
