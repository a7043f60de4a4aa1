// net.js - where the processors of a net are drawn, each kind of net as it is known.
//
// A layout has x and y of each processor, in units of about the distance of neighbours; lines to draw, each [x, y, x, y, bend] with
// bend the part of its length that it is curved by; and the switches of a fat tree as points.

function line(layout, a, b, bend) {
	layout.lines.push([layout.x[a], layout.y[a], layout.x[b], layout.y[b], bend]);
}

function placeMesh(net, layout) {
	const [A, B, C] = net.extent, stride = C > 1 ? .9 * C + .6 : 1;

	for (let p = 0; p < net.processors; p++) {
		const z = Math.floor(p / (A * B));

		layout.x.push(p % A * stride + .8 * z);
		layout.y.push(Math.floor(p / A) % B * stride - .6 * z);
	}
	for (const [a, b] of net.links) {
		const around = net.kind === 'torus' && [1, A, A * B].some((step, i) => net.extent[i] > 2 && b - a === (net.extent[i] - 1) * step &&
			Math.floor(b / step) % net.extent[i] === net.extent[i] - 1 && Math.floor(a / step) % net.extent[i] === 0);

		if (!around) {
			line(layout, a, b, 0);
			continue;
		}
		// A link around the end is drawn as two stubs.
		const dx = layout.x[b] - layout.x[a], dy = layout.y[b] - layout.y[a], d = Math.hypot(dx, dy) / .7;

		layout.lines.push([layout.x[a], layout.y[a], layout.x[a] - dx / d, layout.y[a] - dy / d, 0]);
		layout.lines.push([layout.x[b], layout.y[b], layout.x[b] + dx / d, layout.y[b] + dy / d, 0]);
	}
}

// Dimensions 0 to 2 are those of a cube; the others put cubes beside and below each other.
function placeHypercube(net, layout) {
	const step = [[1.6, 0], [0, 1.6], [.7, -.62]];
	let right = 3.7, down = 3.4;

	for (let d = 3; d < 24; d++) {
		step.push(d % 2 ? [right, 0] : [0, down]);
		if (d % 2)
			right *= 2.05;
		else
			down *= 2.05;
	}
	for (let p = 0; p < net.processors; p++) {
		let x = 0, y = 0;

		for (let d = 0; p >> d; d++)
			if (p >> d & 1) {
				x += step[d][0];
				y += step[d][1];
			}
		layout.x.push(x);
		layout.y.push(y);
	}
	for (const [a, b] of net.links)
		line(layout, a, b, (a ^ b) < 8 ? 0 : .12);
}

// Points of a tree from places (0 .. places) along its leaves and depths: flat if there are few leaves, else around the root.
function treePoint(place, places, depth, depths) {
	if (places <= 16)
		return [place * 1.1, depth * 1.6];

	const radius = Math.max(places * 1.05 / (2 * Math.PI), depths * 1.5) * depth / depths, angle = 2 * Math.PI * place / places - Math.PI / 2;

	return [radius * Math.cos(angle), radius * Math.sin(angle)];
}

function placeTree(net, layout) {
	const P = net.processors, K = net.arity, place = Array(P).fill(-1), depth = Array(P).fill(0);
	let leaves = 0, depths = 1;

	for (let p = 1; p < P; p++)
		depths = Math.max(depths, depth[p] = depth[Math.floor((p - 1) / K)] + 1);
	const visit = p => {
		let n = 0, sum = 0;

		for (let c = K * p + 1; c <= K * p + K && c < P; c++, n++)
			sum += visit(c);
		return place[p] = n ? sum / n : leaves++;
	};
	visit(0);
	for (let p = 0; p < P; p++) {
		const [x, y] = treePoint(place[p], leaves, depth[p], depths);

		layout.x.push(x);
		layout.y.push(y);
	}
	for (const [a, b] of net.links)
		line(layout, a, b, 0);
}

// The processors are the leaves; the links are those of the switches above them.
function placeFattree(net, layout) {
	const P = net.processors, K = net.arity;
	let depths = 1, below = [];

	for (let span = K; span < P; span *= K)
		depths++;
	for (let p = 0; p < P; p++) {
		below.push([p, ...treePoint(p, P, depths, depths)]);
		layout.x.push(below[p][1]);
		layout.y.push(below[p][2]);
	}
	for (let depth = depths - 1; depth >= 0; depth--) {
		const above = [];

		for (let i = 0; i < below.length; i += K) {
			const group = below.slice(i, i + K), place = group.reduce((sum, one) => sum + one[0], 0) / group.length;
			const [x, y] = treePoint(place, P, depth, depths);

			above.push([place, x, y]);
			layout.switches.push([x, y]);
			for (const one of group)
				layout.lines.push([one[1], one[2], x, y, 0]);
		}
		below = above;
	}
}

// Above 64 processors the ring is wavy, as they would be too small otherwise.
function placeRing(net, layout) {
	const P = net.processors, wavy = P > 64, arc = wavy ? .5 : 1, radius = Math.max(.8, arc * P / (2 * Math.PI));

	for (let p = 0; p < P; p++) {
		const r = radius + (wavy ? [0, .87, 1.74, .87][p % 4] : 0), angle = 2 * Math.PI * p / P - Math.PI / 2;

		layout.x.push(r * Math.cos(angle));
		layout.y.push(r * Math.sin(angle));
	}
	if (net.kind !== 'complete' || P <= 24)
		for (const [a, b] of net.links)
			line(layout, a, b, 0);
}

function layoutOf(net) {
	const layout = { x: [], y: [], r: [], lines: [], switches: [] };
	const place = { mesh: placeMesh, torus: placeMesh, hypercube: placeHypercube, tree: placeTree, fattree: placeFattree };
	const links = [];

	for (let i = 0; i < net.links.length; i += 2)
		links.push([net.links[i], net.links[i + 1]]);
	(place[net.kind] || placeRing)({ ...net, links }, layout);
	// The radius: .37 of the distance to the nearest processor, at most 1.5 times the smallest radius.
	const { x, y } = layout;
	let least = Infinity;

	for (let p = 0; p < net.processors; p++) {
		let nearest = net.processors > 1 ? Infinity : 1;

		for (let q = 0; q < net.processors; q++)
			if (q !== p)
				nearest = Math.min(nearest, Math.hypot(x[p] - x[q], y[p] - y[q]));
		layout.r.push(.37 * nearest);
		least = Math.min(least, .37 * nearest);
	}
	layout.r = layout.r.map(r => Math.min(r, 1.5 * least));
	return layout;
}
