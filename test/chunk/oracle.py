# oracle.py - chunk sequences from the published formulas, in exact arithmetic, for oracle.c to compare; adaptive.py uses parts of it.
#
# One line for each cell of a fixed grid: schedule|N|P|chunks|hash|first runs.  A run is `size` or `sizexcount`;
# the hash is FNV-1a over the runs' sizes and counts taken as 64-bit words.  Shares no code with the library.
from decimal import Decimal, getcontext, ROUND_CEILING, ROUND_HALF_EVEN
from fractions import Fraction
from math import ceil, floor
from random import Random

getcontext().prec = 40
MAX_RUNS, MAX_CHUNKS = 20000, 1 << 17
UNIT = 65536	# to a ticket
ANY = 1 << 70	# more chunks than any loop has


class Heavy(Exception):
	"""Too long a sequence to walk chunk by chunk."""


class Close(Exception):
	"""So near a whole number that a double may be rounded up to either side."""


def ceil_div(a, b):
	return -(-a // b)


def ceil_real(x, scale=None, close="1e-12"):
	"""ceil(x), at least 1; `scale`: the largest term of the sum that x is, `close`: the part of it that is too close."""
	near = x.to_integral_value(ROUND_HALF_EVEN)
	if near >= 1 and abs(x - near) < (scale or x) * Decimal(close):
		raise Close
	return max(1, int(x.to_integral_value(ROUND_CEILING)))


class Loop:
	"""A loop being dealt; self.c is the smallest chunk."""
	def __init__(self, N, c=0):
		self.R, self.c, self.runs, self.chunks = N, c, [], 0

	def deal(self, size, count=1):
		size = max(size, self.c, 1)
		whole = min(count, self.R // size)
		self.add(size, whole)
		if whole < count and self.R:
			self.add(self.R, 1)

	def add(self, size, count):
		if not count:
			return
		self.R -= size * count
		self.chunks += count
		if self.runs and self.runs[-1][0] == size:
			self.runs[-1][1] += count
		else:
			self.runs.append([size, count])
		if len(self.runs) > MAX_RUNS or self.chunks > MAX_CHUNKS:
			raise Heavy


def ss(N, P, c=1):
	loop = Loop(N)
	loop.deal(c, ANY)
	return loop


def static(N, P, c=0):
	if c:
		return ss(N, P, c)
	loop = Loop(N)
	loop.add(N // P + 1, N % P)
	loop.add(N // P, P - N % P if N >= P else 0)
	return loop


def fsc(N, P, c=0, sigma="0", h="0"):
	loop, sigma, h = Loop(N, c), Decimal(sigma), Decimal(h)
	if P == 1 or sigma == 0:
		K = ceil_div(N, P)
	elif h == 0:
		K = 1
	else:
		base = Decimal(2).sqrt() * N * h / (sigma * P * Decimal(P).ln().sqrt())
		size = (base.ln() * 2 / 3).exp()
		K = N if size >= N + 1 else min(N, ceil_real(size))
	loop.deal(K, ANY)
	return loop


def frac(N, P, c=0, x="2"):
	loop, x = Loop(N, c), Fraction(x)
	while loop.R:
		loop.deal(ceil_div(loop.R * x.denominator, x.numerator * P), P)
	return loop


fac2 = frac


def mfsc(N, P, c=0):
	n = fac2(N, P, c).chunks
	loop = Loop(N, c)
	loop.deal(ceil_div(N, n), ANY)
	return loop


def gss(N, P, c=0):
	loop = Loop(N, c)
	while loop.R:
		loop.deal(ceil_div(loop.R, P))
	return loop


def trapezoid(N, P, f=None, l=None):
	"""The sizes of TSS before any is cut, without end: (size, count)."""
	F, L = Fraction(N, 2 * P) if f is None else Fraction(f), 1 if l is None else l
	F = max(F, L)
	C = ceil(2 * N / (F + L))
	if C > 1 and F > L:
		# floor(F - i (F - L) / (C - 1)) over one denominator
		first, step, below = F.numerator * (C - 1), F.numerator - L * F.denominator, F.denominator * (C - 1)
		for i in range(C):
			size = max(L, (first - i * step) // below)
			if size == L:
				break
			yield size, 1
	elif F > L:
		yield floor(F), ANY
	yield max(L, 1), ANY


def tss(N, P, c=0, f=None, l=None):
	loop, sizes = Loop(N, c), trapezoid(N, P, f, l)
	while loop.R:
		loop.deal(*next(sizes))
	return loop


def tfss(N, P, c=0):
	loop, sizes = Loop(N, c), trapezoid(N, P)
	size, left = next(sizes)
	while loop.R:
		total, wanted = 0, P
		while wanted:
			if left == 0:
				size, left = next(sizes)
			take = min(left, wanted)
			total, left, wanted = total + take * size, left - take, wanted - take
		loop.deal(ceil_div(total, P), ANY if left > ANY // 2 and total == P * size else P)
	return loop


def fac(N, P, c=0, mu="1", sigma="0", close="1e-12"):
	loop, cov, j = Loop(N, c), Decimal(sigma) / Decimal(mu), 0
	while loop.R:
		b2 = (P * cov / 2) ** 2 / loop.R
		x = (1 + b2 + (b2 * (b2 + 2)).sqrt()) if j == 0 else (2 + b2 + (b2 * (b2 + 4)).sqrt())
		loop.deal(ceil_real(loop.R / (x * P), close=close) if cov else ceil_div(loop.R, P if j == 0 else 2 * P), P)
		j += 1
	return loop


class Tickets:
	"""fac2's chunks, `batch` of a size, drawn in units by workers of any weight."""
	def __init__(self, N, P, c, batch):
		self.N, self.c, self.x, self.begin, self.size = N, c, 0, [], []
		R = N
		while R:
			if len(self.size) % batch == 0:
				K = max(ceil_div(R, 2 * P), c)
			self.begin.append(N - R)
			self.size.append(min(K, R))
			R -= self.size[-1]

	def place(self, x):
		k, part = divmod(x, UNIT)
		return self.begin[k] + part * self.size[k] // UNIT if k < len(self.size) else self.N

	def draw(self, u):
		"""The first of u units drawn, of more if they hold less than CHUNK or nothing."""
		x, lo = self.x, self.place(self.x)
		if lo < self.N and u < UNIT and self.c > 1 and self.place(x + u) - lo < self.c:	# CHUNK's units, else a ticket
			u = min(UNIT, ceil_div(UNIT * self.c, self.size[x // UNIT]))
			if self.place(x + u) - lo < self.c:
				u = UNIT
		if self.place(x + u) == lo < self.N:	# one iteration's units, else a ticket
			x, u = x + u, ceil_div(UNIT, self.size[(x + u) // UNIT])
			if self.place(x + u) == lo:
				x, u = x + u, UNIT
		self.x = x + u
		return x


def units(weight):
	exact = Fraction(weight) * UNIT
	if abs(exact % 1 - Fraction(1, 2)) < Fraction(1, 10 ** 7):
		raise Close
	return max(1, round(exact))


def normal(weights, P):
	"""Each worker's weight, the mean being 1."""
	given = [Fraction(w) for w in weights.split(":")][:P]
	return [w * len(given) / sum(given) for w in given] + [Fraction(1)] * (P - len(given))


def wf(N, P, c=0, weights="1"):
	"""The workers draw in turn."""
	each = [units(w) for w in normal(weights, P)]
	if sum(each) == P * UNIT and max(each) == UNIT:
		return fac2(N, P, c)
	loop, tickets, worker = Loop(N, c), Tickets(N, P, c, P), 0
	while loop.R:
		x = tickets.draw(each[worker])
		loop.add(tickets.place(tickets.x) - tickets.place(x), 1)
		worker = (worker + 1) % P
	return loop


def tap(N, P, c=0, mu="1", sigma="0", alpha="1.3"):
	loop, v = Loop(N, c), Decimal(alpha) * Decimal(sigma) / Decimal(mu)
	while loop.R:
		if v == 0:
			loop.deal(ceil_div(loop.R, P))
		elif c >= loop.R or loop.R == 1:
			loop.deal(loop.R)
		else:
			t, half = Decimal(loop.R) / P, v * v / 2
			loop.deal(ceil_real(t + half - v * (2 * t + half / 2).sqrt(), t + half))
	return loop


def fiss(N, P, c=0, b=None):
	loop, B, j = Loop(N, c), max(2, P - 1) if b is None else b, 0
	while loop.R:
		# c_0 + j d, where d = 2N(1 - B/(B+2)) / (P B (B-1)) = 4N / ((B+2) P B (B-1))
		loop.deal(ceil_div(N * B * (B - 1) + 4 * N * j, (B + 2) * P * B * (B - 1)), P)
		j += 1
	return loop


def viss(N, P, c=0, x=None):
	loop, X, j = Loop(N, c), P if x is None else x, 0
	while loop.R:
		loop.deal(ceil_div(N * (2 ** (j + 1) - 1), X * P * 2 ** j), P if j < 62 else ANY)
		j += 1
	return loop


RULES = dict(static=static, ss=ss, steal=ss, fsc=fsc, mfsc=mfsc, gss=gss, tss=tss, tfss=tfss, fac=fac, fac2=fac2,
	     wf=wf, tap=tap, fiss=fiss, viss=viss, frac=frac)
SHORT = ("fsc", "fac", "tap",	# the library computes these in double: N up to 2^40
	 "wf")			# ... and raises the smallest chunk of these past 2^46

SMALL = (1, 2, 3, 7, 97, 1000, 1009, 4096, 65536, 65537, 10 ** 5, 999983, 10 ** 6)
LARGE = (2 ** 31 - 1, 2 ** 31, 2 ** 31 + 1, 2 ** 32 + 1, 2 ** 40)
HUGE = (2 ** 53 + 1, 2 ** 63 - 1, 2 ** 63 + 1, 2 ** 64 - 1)


def parameters(name, N, P, random):
	"""Parameter sets of one (name, N, P): dictionaries of texts and whole numbers; c is CHUNK."""
	some, few = N // 1000 + 1, N // 20000 + 1
	sets = {
		"static": [{}, dict(c=1), dict(c=5), dict(c=some), dict(c=few)],
		"ss": [{}, dict(c=4), dict(c=some), dict(c=few), dict(c=N)],
		"steal": [{}, dict(c=3), dict(c=some), dict(c=few)],
		"fsc": [dict(sigma=s, h=h, **c) for s, h, c in (("0", "1e-6", {}), ("1e-6", "0", dict(c=few)),
			("1e-6", "1e-5", {}), ("3e-7", "2e-3", {}), ("1e-3", "4e-6", dict(c=2)))],
		"gss": [{}, dict(c=2), dict(c=some)],
		"tss": [{}, dict(c=some), dict(f=some), dict(f=4 * some, l=some), dict(l=some // 2 + 1), dict(f=N),
			dict(l=N // 7 + 1), dict(f=3 * some, l=5 * some, c=2)],
		"fac": [dict(mu=m, sigma=s, **c) for m, s, c in (("1", "0", {}), ("1e-6", "2e-6", {}),
			("3", "1", dict(c=3)), ("2e-7", "5e-6", {}), ("1e-3", "4e-4", {}))],
		"wf": [{}, dict(weights="1:2:3:4"), dict(weights="0.3:1.7"), dict(weights="5", c=2),
		       dict(weights="1:1:1:9", c=some), dict(weights="10:1e-3:2.5"),
		       dict(weights="1e-3:1:0.02", c=9)],
		"tap": [dict(mu=m, sigma=s, **c) for m, s, c in (("1", "0", {}), ("1e-6", "2e-6", {}),
			("1", "0.25", dict(alpha="3")), ("2e-5", "7e-5", dict(c=4)))],
		"fiss": [{}, dict(b=2), dict(b=7), dict(b=3, c=some)],
		"frac": [{}, dict(x="3"), dict(x="1.5", c=some), dict(x="1.0625"), dict(x="17", c=few)],
		"viss": [{}, dict(x=1), dict(x=4), dict(x=3, c=some)],
	}.get(name, [{}, dict(c=3), dict(c=some)])
	if P >= 100:	# long sequences: one set is enough
		sets = [random.choice(sets)]
	return sets


def spec(name, given):
	text = "".join(f",{key}={value}" for key, value in given.items() if key != "c")
	return name + (f",{given['c']}" if "c" in given else "") + text


def fnv(runs):
	h = 14695981039346656037
	for run in runs:
		for word in run:
			h = (h ^ word) * 1099511628211 & 2 ** 64 - 1
	return h


def main():
	random = Random(1992)
	cells = close = heavy = 0
	for name, rule in RULES.items():
		for P in (1, 2, 3, 4, 5, 7, 8, 16, 17, 32, 64, 100, 1000):
			near = (P - 1, P, P + 1, P * P - 1, P * P, random.randrange(1, 10 ** 7))
			huge = () if name in SHORT else HUGE + (random.randrange(2 ** 60, 2 ** 64),)
			for N in sorted({N for N in SMALL + LARGE + near + huge if N > 0}):
				for given in parameters(name, N, P, random):
					try:
						loop = rule(N, P, **given)
					except Heavy:
						heavy += 1
						continue
					except Close:
						close += 1
						continue
					assert loop.R == 0 and sum(s * k for s, k in loop.runs) == N
					cells += 1
					first = " ".join(f"{s}x{k}" if k > 1 else str(s) for s, k in loop.runs[:12])
					print(spec(name, given), N, P, loop.chunks, f"{fnv(loop.runs):016x}", first,
					      sep="|")
	print(f"# {cells} cells; left out: {close} too close to a whole number, {heavy} too long")


if __name__ == "__main__":
	main()
