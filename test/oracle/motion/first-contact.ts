// When do a vertex and a face, or two edges, first touch, if all four points move linearly? Times are whole numbers n, meaning
// n / 2^places, with so many places that a value which is nearly 0 must be 0: if p and q have integer coefficients and q is not
// 0 at a root of p, it is at least 1 / (|lead of p|^deg q · ∏ |q(other roots)|) there, because the resultant is an integer. So
// there are no isolating intervals and no common divisors: roots come from those of the derivative, by Newton's method, and
// positions from scalar products. It shares nothing with the library.

type Polynomial = bigint[];
type Vector = [bigint, bigint, bigint];

/** The time of the first contact: n / 2^places, off by less than 2^(slack − places). Undefined without contact. */
export interface OracleTime {
  readonly n: bigint;
  readonly places: bigint;
  readonly slack: bigint;
}

/** `points`: four points at time 0, the same at time 1. 'vf': vertex and three corners; 'ee': two ends and two ends. */
export function oracleContact(kind: 'vf' | 'ee', points: ArrayLike<number>): OracleTime | undefined {
  const whole = wholeNumbers(points);
  const at = (point: number, time: number): Vector =>
    [0, 1, 2].map(k => whole[12 * time + 3 * point + k]) as Vector;
  const start = [0, 1, 2, 3].map(point => at(point, 0));
  const move = start.map((from, point) => minus(at(point, 1), from));
  const paths = start.map((from, point) => from.map((c, k) => [c, move[point][k]]));
  const relevant = kind === 'vf' ? facePolynomials(paths) : edgePolynomials(paths);
  const [volume, ...others] = relevant.map(trim);
  const asked = volume.length > 0 ? [volume] : others;
  const bits = Math.max(1, ...relevant.flat().map(length));
  const places = BigInt(2 * (19 * bits + 20) + 160);
  const slack = places / 2n;
  const times = [0n, ...asked.flatMap(p => zeros(p, places))].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  for (const n of times) {
    const now = start.map((from, point) => from.map((c, k) => (c << places) + move[point][k] * n) as Vector);
    // Values of degree d in the positions count as 0 below 2^(d·places − slack).
    const isZero = (value: bigint, degree: number) => abs(value) >> (BigInt(degree) * places - slack) === 0n;
    const sign = (value: bigint, degree: number) => (isZero(value, degree) ? 0 : value > 0n ? 1 : -1);
    if (sign(volumeOf(now), 3) !== 0) continue;
    const meets = kind === 'vf' ? inFace(now, sign) : edgesMeet(now, sign);
    if (meets) return { n, places, slack };
  }
  return undefined;
}

/** Which cell of a grid of 2^bits intervals: 2n on a grid point, 2n + 1 between two. Infinity without contact. */
export function cellOf(time: OracleTime | undefined, bits: number): number {
  if (time === undefined) return Infinity;
  const unit = time.places - BigInt(bits);
  const nearest = (time.n + (1n << (unit - 1n))) >> unit;
  if (abs(time.n - (nearest << unit)) >> time.slack === 0n) return 2 * Number(nearest);
  return 2 * Number(time.n >> unit) + 1;
}

type Triangle = readonly (readonly number[])[];

/** The cell of the first contact of any features of two triangles that do not meet at time 0: a0, b0 then, a1, b1 at time 1. */
export function cellOfTriangles(
  [a0, b0, a1, b1]: readonly [Triangle, Triangle, Triangle, Triangle],
  bits: number,
): number {
  let least = Infinity;
  const ask = (kind: 'vf' | 'ee', start: Triangle, end: Triangle) => {
    least = Math.min(least, cellOf(oracleContact(kind, [...start, ...end].flat()), bits));
  };
  for (let k = 0; k < 3; k++) {
    ask('vf', [a0[k], ...b0], [a1[k], ...b1]);
    ask('vf', [b0[k], ...a0], [b1[k], ...a1]);
    for (let l = 0; l < 3; l++) {
      const [m, n] = [(k + 1) % 3, (l + 1) % 3];
      ask('ee', [a0[k], a0[m], b0[l], b0[n]], [a1[k], a1[m], b1[l], b1[n]]);
    }
  }
  return least;
}

type SignOf = (value: bigint, degree: number) => number;

function volumeOf([a, b, c, d]: readonly Vector[]): bigint {
  return dot(minus(b, a), cross(minus(c, a), minus(d, a)));
}

function inFace([v, ...corners]: readonly Vector[], sign: SignOf): boolean {
  const [a, b, c] = corners.map(corner => minus(corner, v));
  const normal = cross(minus(b, a), minus(c, a));
  if (sign(dot(normal, normal), 4) > 0) {
    return [cross(a, b), cross(b, c), cross(c, a)].every(part => sign(dot(part, normal), 4) >= 0);
  }
  return onSegment(a, b, sign) || onSegment(b, c, sign) || onSegment(c, a, sign);
}

/** Whether the origin is on the segment from p to q. */
const onSegment = (p: Vector, q: Vector, sign: SignOf): boolean => {
  const turned = cross(p, q);
  return sign(dot(turned, turned), 4) === 0 && sign(dot(p, q), 2) <= 0;
};

function edgesMeet([a0, a1, b0, b1]: readonly Vector[], sign: SignOf): boolean {
  const [d, e, r] = [minus(a1, a0), minus(b1, b0), minus(b0, a0)];
  const all = dot(d, d) * dot(e, e) - dot(d, e) ** 2n;
  if (sign(all, 4) === 0) {
    return (
      onSegment(minus(b0, a0), minus(b1, a0), sign) ||
      onSegment(minus(b0, a1), minus(b1, a1), sign) ||
      onSegment(minus(a0, b0), minus(a1, b0), sign) ||
      onSegment(minus(a0, b1), minus(a1, b1), sign)
    );
  }
  const onA = dot(d, r) * dot(e, e) - dot(e, r) * dot(d, e);
  const onB = dot(d, r) * dot(d, e) - dot(e, r) * dot(d, d);
  return [onA, all - onA, onB, all - onB].every(value => sign(value, 4) >= 0);
}

// The same expressions as polynomials in time: the volume, and all whose signs matter.

type Path = Polynomial[];

function facePolynomials([v, ...corners]: Path[]): Polynomial[] {
  const [a, b, c] = corners.map(corner => pathMinus(corner, v));
  const normal = pathCross(pathMinus(b, a), pathMinus(c, a));
  const sides = [pathCross(a, b), pathCross(b, c), pathCross(c, a)];
  return [
    pathDot(a, pathCross(b, c)),
    pathDot(normal, normal),
    ...sides.map(side => pathDot(side, normal)),
    ...sides.map(side => pathDot(side, side)),
    ...[pathDot(a, b), pathDot(b, c), pathDot(c, a)],
  ];
}

function edgePolynomials([a0, a1, b0, b1]: Path[]): Polynomial[] {
  const [d, e, r] = [pathMinus(a1, a0), pathMinus(b1, b0), pathMinus(b0, a0)];
  const all = subtract(times(pathDot(d, d), pathDot(e, e)), times(pathDot(d, e), pathDot(d, e)));
  const onA = subtract(times(pathDot(d, r), pathDot(e, e)), times(pathDot(e, r), pathDot(d, e)));
  const onB = subtract(times(pathDot(d, r), pathDot(d, e)), times(pathDot(e, r), pathDot(d, d)));
  const ends = [
    [pathMinus(b0, a0), pathMinus(b1, a0)],
    [pathMinus(b0, a1), pathMinus(b1, a1)],
    [pathMinus(a0, b0), pathMinus(a1, b0)],
    [pathMinus(a0, b1), pathMinus(a1, b1)],
  ];
  return [
    pathDot(r, pathCross(d, e)),
    ...[all, onA, subtract(all, onA), onB, subtract(all, onB)],
    ...ends.map(([p, q]) => pathDot(p, q)),
    ...ends.map(([p, q]) => pathDot(pathCross(p, q), pathCross(p, q))),
  ];
}

/** The real roots in [0, 1], each once, ascending, off by a few units in the last place. */
function zeros(p: Polynomial, places: bigint): bigint[] {
  const q = trim(p);
  if (q.length < 2) return [];
  const one = 1n << places;
  const slopes = q.slice(1).map((c, i) => c * BigInt(i + 1));
  const at = (of: Polynomial, n: bigint, bits: bigint): bigint =>
    of.reduceRight((sum, c) => ((sum * n) >> bits) + (c << bits), 0n);
  const turns = zeros(slopes, places);
  const value = (n: bigint, bits = places) => at(q, n, bits);
  const slope = (n: bigint, bits: bigint) => at(slopes, n, bits);
  const isZero = (n: bigint) => abs(value(n)) >> (places / 2n) === 0n;
  const ends = [0n, ...turns.filter(n => n > 0n && n < one), one];
  const found: bigint[] = [];
  const add = (n: bigint) => {
    // A turn that is a root is the end of two pieces.
    if (found.length === 0 || abs(found[found.length - 1] - n) >> (places / 2n) !== 0n) found.push(n);
  };
  for (let i = 0; i + 1 < ends.length; i++) {
    const [low, high] = [ends[i], ends[i + 1]];
    const [zeroLow, zeroHigh] = [isZero(low), isZero(high)];
    if (zeroLow) add(low);
    if (!zeroLow && !zeroHigh && value(low) > 0n !== value(high) > 0n)
      add(bisect(value, slope, low, high, places));
    if (zeroHigh) add(high);
  }
  return found;
}

/**
 * The root between two times of opposite sign: bisection, and now and then Newton's method, whose end is taken if the sign changes
 * there. Every step doubles the number of right places, so most of Newton's steps need only few places.
 */
function bisect(
  value: (n: bigint, bits?: bigint) => bigint,
  slope: (n: bigint, bits: bigint) => bigint,
  low: bigint,
  high: bigint,
  places: bigint,
): bigint {
  const isUp = value(high) > 0n;
  const isHigh = (n: bigint) => value(n) > 0n === isUp;
  for (let step = 1; high - low > 8n; step++) {
    const middle = (low + high) >> 1n;
    if (isHigh(middle)) high = middle;
    else low = middle;
    if (step !== 6 && step % 24 !== 0) continue;
    const n = newton(value, slope, middle, BigInt(2 * step + 64), places);
    if (n !== undefined && n - 4n > low && n + 4n < high && !isHigh(n - 4n) && isHigh(n + 4n)) return n;
  }
  return (low + high) >> 1n;
}

/** Where Newton's method leads from a time, beginning with so many places; undefined if that is not between 0 and 1. */
function newton(
  value: (n: bigint, bits: bigint) => bigint,
  slope: (n: bigint, bits: bigint) => bigint,
  from: bigint,
  few: bigint,
  places: bigint,
): bigint | undefined {
  let bits = few < places ? few : places;
  let n = from >> (places - bits);
  for (let left = 8; ; left = 2) {
    for (; left > 0; left--) {
      const rise = slope(n, bits);
      if (rise === 0n) return undefined;
      n -= (value(n, bits) << bits) / rise;
      if (n < 0n || n >> bits > 0n) return undefined;
    }
    if (bits === places) return n;
    const more = 2n * bits < places ? bits : places - bits;
    n <<= more;
    bits += more;
  }
}

const minus = (p: Vector, q: Vector): Vector => [p[0] - q[0], p[1] - q[1], p[2] - q[2]];
const dot = (p: Vector, q: Vector): bigint => p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
const cross = (p: Vector, q: Vector): Vector => [
  p[1] * q[2] - p[2] * q[1],
  p[2] * q[0] - p[0] * q[2],
  p[0] * q[1] - p[1] * q[0],
];
const abs = (n: bigint): bigint => (n < 0n ? -n : n);
const length = (n: bigint): number => abs(n).toString(2).length;

function trim(p: Polynomial): Polynomial {
  const out = [...p];
  while (out.length > 0 && out[out.length - 1] === 0n) out.pop();
  return out;
}
const combine = (p: Polynomial, q: Polynomial, sign: bigint): Polynomial =>
  Array.from({ length: Math.max(p.length, q.length) }, (_, i) => (p[i] ?? 0n) + sign * (q[i] ?? 0n));
const subtract = (p: Polynomial, q: Polynomial): Polynomial => combine(p, q, -1n);
const times = (p: Polynomial, q: Polynomial): Polynomial => {
  const out: Polynomial = new Array(p.length + q.length - 1).fill(0n);
  p.forEach((a, i) => {
    q.forEach((b, j) => {
      out[i + j] += a * b;
    });
  });
  return out;
};
const pathMinus = (p: Path, q: Path): Path => p.map((c, k) => subtract(c, q[k]));
const pathDot = (p: Path, q: Path): Polynomial =>
  p.map((c, k) => times(c, q[k])).reduce((sum, c) => combine(sum, c, 1n));
const pathCross = (p: Path, q: Path): Path =>
  [0, 1, 2].map(k => {
    const [i, j] = [(k + 1) % 3, (k + 2) % 3];
    return subtract(times(p[i], q[j]), times(p[j], q[i]));
  });

/** The doubles times a power of two, as integers: by doubling, so that nothing depends on the layout of doubles. */
function wholeNumbers(points: ArrayLike<number>): bigint[] {
  const fractions = Array.from(points, x => {
    let [value, doublings] = [x, 0];
    while (!Number.isInteger(value)) {
      value *= 2;
      doublings++;
    }
    return { whole: BigInt(value), doublings };
  });
  const most = Math.max(...fractions.map(({ doublings }) => doublings));
  const all = fractions.map(({ whole, doublings }) => whole << BigInt(most - doublings));
  // Without the factors of two that all have in common.
  const bits = all.reduce((sum, n) => sum | n, 0n);
  return bits === 0n ? all : all.map(n => n / (bits & -bits));
}
