# adaptive.py - chunk sequences of schedules that learn, in virtual time and exact arithmetic, for adaptive.c.
#
# One line for each third cell of a fixed grid, or each: schedule|N|P|times|seed|speeds|mu|sigma|h|chunks|hash.  The times, ns, are
# those of adaptive.c, in whole numbers.  The hash is FNV-1a over worker, begin and size of each piece that is handed
# out, taken as 64-bit words.  Shares code with oracle.py, none with the library.
from decimal import Decimal, getcontext
from heapq import heapify, heappop, heapreplace
from itertools import islice
from math import isqrt
from os import environ

from oracle import UNIT, Close, Tickets, ceil_div, ceil_real as ceil_within, fac, fnv, normal, units

getcontext().prec = 36
MASK, MOST = 2 ** 64 - 1, 10007


def ceil_real(x, scale=None):
	return ceil_within(x, scale, "1e-10")


def mix(seed, i):
	z = (seed + (i + 1) * 0x9e3779b97f4a7c15) & MASK
	z = ((z ^ z >> 30) * 0xbf58476d1ce4e5b9) & MASK
	z = ((z ^ z >> 27) * 0x94d049bb133111eb) & MASK
	return z ^ z >> 31


def exponential(z):
	"""About -log2 of a uniform number, linear between powers of two; the mean is 1501 ns."""
	u = z >> 32 | 1
	zeros = 32 - u.bit_length()
	return zeros * 1000 + 1000 - (((u << zeros & 0x7fffffff) * 1000) >> 31) + 1


TIMES = {
	"const": lambda z, i: 1009,
	"uniform": lambda z, i: 11 + z % 2003,
	"exp": lambda z, i: exponential(z),
	"increasing": lambda z, i: 101 + i,
	"bimodal": lambda z, i: 307 if z % 10 else 20011,
}


def slowness(kind, w):
	"""Hundredths of the time that a worker takes longer."""
	return {"equal": 100, "slow": 200 if w == 0 else 100, "mixed": 100 + mix(7, w) % 400}[kind]


class World:
	"""The iterations' times, and who takes how long for them."""
	def __init__(self, times, seed):
		self.before = [0]
		for i in range(MOST):
			self.before.append(self.before[-1] + TIMES[times](mix(seed, i), i))

	def moments(self, N):
		"""Mean and deviation, whole ns."""
		total = self.before[N]
		square = sum((self.before[i + 1] - self.before[i]) ** 2 for i in range(N))
		return max(1, total // N), isqrt(max(0, square * N - total * total)) // N


class Loop:
	def __init__(self, N, P, c, h, mu, sigma):
		self.N, self.P, self.c, self.h, self.mu, self.sigma = N, P, c, h, mu, sigma
		self.R, self.done = N, 0
		self.sum, self.known = [Decimal(0), Decimal(0)], 0


class Worker:
	def __init__(self, number):
		self.number, self.own, self.seen = number, None, None
		self.k = self.t = self.n = 0		# AWF: sum k t_k, sum k n_k
		self.variance = self.squares = self.within = Decimal(0)
		self.freedom = 0
		self.batch, self.ticket = -1, 0


def tell(loop, worker, own):
	"""The worker's figures come to count, and it sees those of all."""
	for i in range(2):
		loop.sum[i] += own[i] - (worker.own[i] if worker.own else 0)
	loop.known += worker.own is None
	worker.own = own
	worker.seen = (own, tuple(loop.sum), loop.known)


class Shares:
	"""Tickets drawn by weight."""
	def __init__(self, loop, each, weights=None, pace=None, dispatch=False):
		self.loop, self.weights, self.pace, self.dispatch = loop, weights, pace, dispatch
		self.tickets = Tickets(loop.N, loop.P, loop.c, (loop.P + 7) // 8 if each else loop.P)

	def learn(self, worker, n, time, parts):
		worker.k += 1
		worker.t += worker.k * (time + (self.loop.h if self.dispatch else 0))
		worker.n += worker.k * n
		if self.pace == "batch":
			batch = worker.began // self.loop.P
			if batch <= worker.batch:
				return
			worker.batch = batch
		tell(self.loop, worker, (Decimal(worker.n) / worker.t, Decimal(0)))

	def units(self, worker):
		if self.weights:
			return units(self.weights[worker.number])
		if not worker.seen:
			return UNIT
		own, total, known = worker.seen
		size = self.tickets.size
		return min(units(min(max(known * own[0] / total[0], Decimal(1) / 64), Decimal(self.loop.P))),
			   UNIT * size[0] // size[min(worker.ticket, len(size) - 1)])

	def take(self, worker):
		x = self.tickets.draw(self.units(worker))
		worker.began, worker.ticket = x // UNIT, self.tickets.x // UNIT
		return self.tickets.place(x), self.tickets.place(self.tickets.x) - self.tickets.place(x)

	parts = None


class Af:
	def __init__(self, loop, first=None, window="last", exact=0):
		self.loop, self.window, self.exact = loop, window, exact
		self.most = ceil_div(loop.N, 2 * loop.P)
		self.first = first or ceil_div(self.most, 4)

	@staticmethod
	def scatter(squares, t, n):
		"""Sum of n_i (t_i / n_i - mean)^2 from sum t_i^2 / n_i, sum t_i and sum n_i."""
		return max(Decimal(0), squares - Decimal(t * t) / n)

	def learn(self, worker, n, time, parts):
		mu, variance, part = Decimal(time) / n, None, parts[0][0]
		if len(parts) > 1:	# all of one length but the last
			last = Decimal(parts[-1][1] ** 2) / parts[-1][0]
			squares = Decimal(sum(t * t for _, t in parts[:-1])) / part + last
			variance = self.scatter(squares, time, n) / (len(parts) - 1)
		if self.window == "all":
			worker.k += 1
			worker.n += n
			worker.t += time
			worker.squares += Decimal(time * time) / n
			if variance is not None:
				worker.within += (n - 1) * variance
				worker.freedom += n - 1
			mu = Decimal(worker.t) / worker.n
			freedom = worker.k - 1 + worker.freedom
			if freedom:
				between = self.scatter(worker.squares, worker.t, worker.n)
				worker.variance = (between + worker.within) / freedom
		elif variance is not None:
			worker.variance = variance
		tell(self.loop, worker, (1 / mu, worker.variance / mu))

	def take(self, worker):
		loop, R = self.loop, self.loop.R
		if R == 0:
			return loop.N, 0
		if worker.seen is None:
			K = min(self.first, ceil_div(R, 2 * loop.P))
		else:
			own, total, known = worker.seen
			T, D = known / (loop.P * total[0]), max(total[1], own[1]) * loop.P / known
			root = (D * D + 4 * D * T * R).sqrt()
			K = (D + 2 * T * R - root) * own[0] / 2
			K = self.most if K > self.most * Decimal("1.001") else min(self.most, ceil_real(K))
		K = min(max(K, loop.c), R)
		loop.R -= K
		return loop.N - R, K

	def parts(self, K):
		return K if self.exact else min(K, 8)


class Bold:
	def __init__(self, loop):
		self.loop = loop
		mu, h = Decimal(loop.mu), Decimal(loop.h)
		self.a = 2 * (loop.sigma / mu) ** 2
		self.b = 8 * self.a * (8 * self.a).ln() if self.a else Decimal(0)
		self.hand, self.own = [Decimal(0), Decimal(0)], [(Decimal(0), Decimal(0))] * loop.P
		self.c1 = h / (mu * Decimal(2).ln())
		self.c2 = (2 * Decimal("3.14159265358979323846264338327950288")).sqrt() * self.c1
		self.c3 = self.c2.ln() if h else None
		self.ln_b = self.b.ln() if self.b > 0 else Decimal(0)

	def learn(self, worker, n, time, parts):
		pass

	def size(self, R, own):
		loop = self.loop
		if R <= loop.P:
			return 1
		M, Q = Decimal(loop.N - loop.done), Decimal(R) / loop.P
		r = R + max(Decimal(0), self.hand[0] - own[0] - loop.now * (self.hand[1] - own[1]))
		t, v = r / loop.P, Q / (self.b + Q)
		d = R / (1 + 1 / Q.ln() - v)
		if self.c2 and abs(d / self.c2 - 1) < Decimal("1e-9"):
			raise Close
		if d <= self.c2 or self.a == 0:
			return ceil_real(t)
		if self.c3 is None:	# s is infinite
			return 1
		rise = max(Decimal(0), self.c1 * ((v * Q.ln()).ln() + self.ln_b))
		s = self.a * (d.ln() - self.c3) * (1 + M / (r * loop.P))
		return ceil_real(min(t, t + rise + s / 2 - (s * (t + s / 4)).sqrt()), t + rise + s)

	def take(self, worker):
		R = self.loop.R
		if R == 0:
			return self.loop.N, 0
		old = self.own[worker.number]
		K = min(max(self.size(R, old), self.loop.c), R)
		rate = Decimal(K) / (K * Decimal(self.loop.mu) + self.loop.h)
		own = self.own[worker.number] = K + self.loop.now * rate, rate
		self.hand = [self.hand[i] + own[i] - old[i] for i in range(2)]
		self.loop.R -= K
		return self.loop.N - R, K

	parts = None


def run(loop, rule, world, speeds):
	"""Chunks and hash; every request costs h, also that for the next part of a chunk."""
	workers = [Worker(w) for w in range(loop.P)]
	slow = [slowness(speeds, w) for w in range(loop.P)]
	queue = [(0, w) for w in range(loop.P)]
	hand = [None] * loop.P		# [n, time, pieces done, pieces to come]
	chunks, pieces = 0, []
	heapify(queue)
	while queue:
		now, w = queue[0]
		loop.now = now
		chunk = hand[w]
		if chunk is None or not chunk[3]:
			if chunk:
				loop.done += chunk[0]
				rule.learn(workers[w], chunk[0], chunk[1], chunk[2])
			lo, n = rule.take(workers[w])
			if n == 0:
				heappop(queue)
				continue
			m = rule.parts(n) if rule.parts else 1
			part = ceil_div(n, m)
			chunk = hand[w] = [n, 0, [], [(i, min(part, lo + n - i)) for i in range(lo, lo + n, part)]]
			chunk[3].reverse()
			chunks += 1
			wait = 0	# of this the dispatch is told apart
		else:
			wait = loop.h
		begin, n = chunk[3].pop()
		busy = (world.before[begin + n] - world.before[begin]) * slow[w] // 100
		chunk[1] += busy + wait
		chunk[2].append((n, busy + wait))
		pieces.append((w, begin, n))
		heapreplace(queue, (now + loop.h + busy, w))
	assert sum(n for _, _, n in pieces) == loop.N
	return chunks, fnv(pieces)


SCHEDULES = {
	"awf-b": lambda l: Shares(l, False, pace="batch"),
	"awf-c": lambda l: Shares(l, True, pace="chunk"),
	"awf-d": lambda l: Shares(l, False, pace="batch", dispatch=True),
	"awf-e": lambda l: Shares(l, True, pace="chunk", dispatch=True),
	"wf,weights=1:2:3:4": lambda l: Shares(l, False, normal("1:2:3:4", l.P)),
	"wf,weights=0.3:1.7:0.01": lambda l: Shares(l, False, normal("0.3:1.7:0.01", l.P)),
	"af": lambda l: Af(l),
	"af,3": lambda l: Af(l),
	"af,first=5,window=all": lambda l: Af(l, first=5, window="all"),
	"af,exact": lambda l: Af(l, exact=1),
	"bold": lambda l: Bold(l),
}


def cells():
	"""Schedule, rule, CHUNK, N, P, times, seed, speeds, h."""
	for times in TIMES:
		for seed in (1, 2) if times in ("uniform", "exp") else (1,):
			for N in (1, 10, 97, 1000, 4099, MOST):
				for P in (1, 2, 3, 4, 7, 16, 64) if N < MOST else (2, 5, 8):
					for j, (schedule, rule) in enumerate(SCHEDULES.items()):
						speeds = ("mixed", "slow", "equal")[(j + P + seed) % 3]
						h = (0, 150, 3000)[(j + P // 2 + N) % 3]
						if schedule == "bold" and N > 97:
							h = h or 40	# 0: chunks of 1
						c = 3 if schedule == "af,3" else 0
						yield schedule, rule, c, N, P, times, seed, speeds, h


def chosen():
	"""Each third cell; all of them under DLS_STRESS."""
	return islice(cells(), 0, None, 1 if float(environ.get("DLS_STRESS", 0)) >= 1 else 3)


def main():
	made, done, close, of_af, long = None, 0, 0, 0, []
	for schedule, rule, c, N, P, times, seed, speeds, h in chosen():
		if made != (times, seed):
			made, world = (times, seed), World(times, seed)
			moments = {}
		if N not in moments:
			moments[N] = world.moments(N)
		mu, sigma = moments[N]
		loop = Loop(N, P, c, h, mu, sigma)
		try:
			chunks, hash = run(loop, rule(loop), world, speeds)
		except Close:
			close += 1
			continue
		done += 1
		print(schedule, N, P, times, seed, speeds, mu, sigma, h, chunks, f"{hash:016x}", sep="|")
		if schedule == "af":
			of_af, of_fac = of_af + 1, fac(N, P, mu=mu, sigma=sigma, close=0).chunks
			if chunks > 2 * of_fac:
				long.append(f"N = {N}, P = {P}, {times}, {speeds}: {chunks} chunks, FAC {of_fac}")
	print(f"# {done} cells; left out: {close} too close to a boundary")
	print(f"# {len(long)} of {of_af} cells in which AF has more than twice as many chunks as FAC:")
	for line in long:
		print("#", line)


main()
