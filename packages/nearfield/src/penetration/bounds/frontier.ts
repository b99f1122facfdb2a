// The point nearest to the origin that lies in the interior of none of some convex polytopes, found best first. Space
// that is still open is kept as regions. Each is the intersection of at most three half-spaces n·x ≥ h, and has its own
// point nearest to the origin. At the beginning there is one region, all of space. If the nearest of all these points
// lies inside a polytope, the rest of its region lies beyond some facet of that polytope. The region is then replaced
// by one per facet, with that facet's half-space added. If one of these has four half-spaces, only the three, or fewer,
// that determine the nearest point are kept. Dropping one only enlarges a region, and makes many of them equal: there are no more
// regions than places where facets meet. An equal region that was divided before need not be divided again, provided
// that each region is farther than the one it came from. That is checked; if rounding breaks it, only `floor` is known.
//
// No point outside all polytopes is nearer than the nearest region. That holds whatever rounding did to points, because
// the length of a region is a bound by duality: if n₁·x ≥ h₁, n₂·x ≥ h₂, … and all λ ≥ 0, then (Σ λn)·x ≥ Σ λh, so |x|
// ≥ Σ λh / |Σ λn|. Any λ ≥ 0 gives a bound, so rounding of λ does no harm; the rounding of both sums is less than 2^-48
// of their terms.

/** The half-space n·x ≥ height, |n| about 1. Every plane has its own number, from 0 to less than 2^17 − 1. */
export interface Plane {
  readonly x: number;
  readonly y: number;
  readonly z: number;
  readonly height: number;
  readonly number: number;
}

export interface Region {
  /** At most three. */
  readonly planes: readonly Plane[];
  /** Approximately its point nearest to the origin. */
  readonly x: number;
  readonly y: number;
  readonly z: number;
  /** No point of it is nearer to the origin. */
  readonly length: number;
}

export const mostPlanes = 2 ** 17 - 1;

/** A region not examined yet: its planes, its length and that of the region it is a part of. */
interface Waiting {
  readonly p: Plane;
  readonly q: Plane | undefined;
  readonly r: Plane | undefined;
  readonly length: number;
  readonly from: number;
}

/** The choice of planes with the largest bound so far, and the weighted sum of normals. */
const best: {
  p: Plane | undefined;
  q: Plane | undefined;
  r: Plane | undefined;
  x: number;
  y: number;
  z: number;
  length: number;
} = { p: undefined, q: undefined, r: undefined, x: 0, y: 0, z: 0, length: 0 };

export class Frontier {
  /** A heap, nearest first. */
  readonly #waiting: Waiting[] = [];
  /** The lengths of regions that were divided, by their planes. */
  readonly #divided = new Map<number, number>();
  /** The region nearest to the origin; undefined if none is left. */
  nearest: Region | undefined = { planes: [], x: 0, y: 0, z: 0, length: 0 };
  /** Nothing is known beyond this length, even if every region is farther. */
  floor = Infinity;

  /**
   * Replaces the nearest region by its parts beyond each of the planes, except those that are no nearer than `limit`.
   * The region's nearest point must lie inside all planes. Returns how many choices of planes were examined.
   */
  divide(planes: readonly Plane[], limit: number): number {
    const { planes: held, length: from } = this.nearest!;
    this.#divided.set(keyOf(held[0], held[1], held[2]), from);
    for (const plane of planes) {
      // The plane alone is that far.
      if (plane.height >= limit) continue;
      best.length = -Infinity;
      onOne(plane);
      for (let i = 0; i < held.length; i++) onTwo(plane, held[i]);
      // Each bound alone suffices: mostly those of two planes do.
      if (best.length >= limit) continue;
      for (let i = 1; i < held.length; i++) for (let j = 0; j < i; j++) onThree(plane, held[i], held[j]);
      const { length } = best;
      if (length >= limit) continue;
      if (length > from) this.#insert({ p: plane, q: best.q, r: best.r, length, from });
      else if (!(emptyFrom(plane, held) >= limit)) this.floor = Math.min(this.floor, from);
    }
    this.#takeNearest();
    return planes.length << held.length;
  }

  /**
   * Takes the nearest region that was not divided before. If an equal one was divided, it must have been farther than
   * the parent of this one.
   */
  #takeNearest(): void {
    for (;;) {
      const first = this.#takeFirst();
      if (first === undefined) {
        this.nearest = undefined;
        return;
      }
      const { p, q, r, length, from } = first;
      const divided = this.#divided.get(keyOf(p, q, r));
      if (divided === undefined) {
        best.length = -Infinity;
        if (q === undefined) onOne(p);
        else if (r === undefined) onTwo(p, q);
        else onThree(p, q, r);
        const { x, y, z } = best;
        this.nearest = { planes: r ? [p, q!, r] : q ? [p, q] : [p], x, y, z, length };
        return;
      }
      if (!(divided > from)) this.floor = Math.min(this.floor, from);
    }
  }

  #insert(region: Waiting): void {
    const heap = this.#waiting;
    let at = heap.push(region) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (heap[parent].length <= region.length) break;
      heap[at] = heap[parent];
      at = parent;
    }
    heap[at] = region;
  }

  #takeFirst(): Waiting | undefined {
    const heap = this.#waiting;
    const first = heap[0];
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return last;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && heap[child + 1].length < heap[child].length) child++;
      if (heap[child].length >= last.length) break;
      heap[at] = heap[child];
      at = child;
    }
    heap[at] = last;
    return first;
  }
}

/** A number for a set of planes. */
function keyOf(p: Plane | undefined, q: Plane | undefined, r: Plane | undefined): number {
  const a = p ? p.number + 1 : 0;
  const b = q ? q.number + 1 : 0;
  const c = r ? r.number + 1 : 0;
  const most = Math.max(a, b, c);
  const least = Math.min(a, b, c);
  return (most * 2 ** 17 + (a + b + c - most - least)) * 2 ** 17 + least;
}

/** Keeps the bound that multipliers of at least 0 give, if it is the largest. */
function keep(p: Plane, a: number, q: Plane | undefined, b: number, r: Plane | undefined, c: number): void {
  let x = a * p.x;
  let y = a * p.y;
  let z = a * p.z;
  let heights = a * p.height;
  let sizes = a * Math.abs(p.height);
  if (q !== undefined) {
    x += b * q.x;
    y += b * q.y;
    z += b * q.z;
    heights += b * q.height;
    sizes += b * Math.abs(q.height);
  }
  if (r !== undefined) {
    x += c * r.x;
    y += c * r.y;
    z += c * r.z;
    heights += c * r.height;
    sizes += c * Math.abs(r.height);
  }
  const above = heights - 2 ** -48 * sizes;
  const length = above / (Math.sqrt(x * x + y * y + z * z) * (1 + 2 ** -48) + 2 ** -48 * (a + b + c));
  if (!(above > 0 && length > best.length)) return;
  best.p = p;
  best.q = q;
  best.r = r;
  best.x = x;
  best.y = y;
  best.z = z;
  best.length = length;
}

/** The point of a plane nearest to the origin. */
function onOne(p: Plane): void {
  if (p.height > 0) keep(p, p.height, undefined, 0, undefined, 0);
}

/** The nearest point of the line in which two planes meet: x = a·p + b·q. */
function onTwo(p: Plane, q: Plane): void {
  const x = p.y * q.z - p.z * q.y;
  const y = p.z * q.x - p.x * q.z;
  const z = p.x * q.y - p.y * q.x;
  const sine = x * x + y * y + z * z;
  const cosine = p.x * q.x + p.y * q.y + p.z * q.z;
  const a = (p.height - cosine * q.height) / sine;
  const b = (q.height - cosine * p.height) / sine;
  if (a >= 0 && b >= 0 && a + b < Infinity) keep(p, a, q, b, undefined, 0);
}

/** The corner in which three planes meet: x = a·p + b·q + c·r. */
function onThree(p: Plane, q: Plane, r: Plane): void {
  const ux = q.y * r.z - q.z * r.y;
  const uy = q.z * r.x - q.x * r.z;
  const uz = q.x * r.y - q.y * r.x;
  const vx = r.y * p.z - r.z * p.y;
  const vy = r.z * p.x - r.x * p.z;
  const vz = r.x * p.y - r.y * p.x;
  const wx = p.y * q.z - p.z * q.y;
  const wy = p.z * q.x - p.x * q.z;
  const wz = p.x * q.y - p.y * q.x;
  const volume = p.x * ux + p.y * uy + p.z * uz;
  const x = (p.height * ux + q.height * vx + r.height * wx) / volume;
  const y = (p.height * uy + q.height * vy + r.height * wy) / volume;
  const z = (p.height * uz + q.height * vz + r.height * wz) / volume;
  const a = (x * ux + y * uy + z * uz) / volume;
  const b = (x * vx + y * vy + z * vz) / volume;
  const c = (x * wx + y * wy + z * wz) / volume;
  if (a >= 0 && b >= 0 && c >= 0 && a + b + c < Infinity) keep(p, a, q, b, r, c);
}

/**
 * Up to which length no point lies beyond a plane and in a region, if the plane's normal is opposite to a combination
 * of the region's. Then they have no point in common, and multipliers with which all normals add up to about 0 give a
 * large bound.
 */
function emptyFrom(p: Plane, held: readonly Plane[]): number {
  best.length = -Infinity;
  for (let i = 0; i < held.length; i++) {
    const q = held[i];
    const opposite = -(p.x * q.x + p.y * q.y + p.z * q.z);
    if (opposite > 0) keep(p, 1, q, opposite, undefined, 0);
    for (let j = 0; j < i; j++) oppositeTwo(p, q, held[j]);
  }
  return held.length === 3 ? Math.max(best.length, oppositeThree(p, held)) : best.length;
}

/** −p = b·q + c·r as nearly as possible, in the plane of q and r. */
function oppositeTwo(p: Plane, q: Plane, r: Plane): void {
  const [pq, pr] = [p.x * q.x + p.y * q.y + p.z * q.z, p.x * r.x + p.y * r.y + p.z * r.z];
  const qr = q.x * r.x + q.y * r.y + q.z * r.z;
  const sine = 1 - qr * qr;
  const [b, c] = [(qr * pr - pq) / sine, (qr * pq - pr) / sine];
  if (b >= 0 && c >= 0 && b + c < Infinity) keep(p, 1, q, b, r, c);
}

/** The bound from −p = a·q + b·r + c·s. */
function oppositeThree(p: Plane, [q, r, s]: readonly Plane[]): number {
  const [ux, uy, uz] = [r.y * s.z - r.z * s.y, r.z * s.x - r.x * s.z, r.x * s.y - r.y * s.x];
  const [vx, vy, vz] = [s.y * q.z - s.z * q.y, s.z * q.x - s.x * q.z, s.x * q.y - s.y * q.x];
  const [wx, wy, wz] = [q.y * r.z - q.z * r.y, q.z * r.x - q.x * r.z, q.x * r.y - q.y * r.x];
  const volume = -(q.x * ux + q.y * uy + q.z * uz);
  const a = (p.x * ux + p.y * uy + p.z * uz) / volume;
  const b = (p.x * vx + p.y * vy + p.z * vz) / volume;
  const c = (p.x * wx + p.y * wy + p.z * wz) / volume;
  const sum = 1 + a + b + c;
  if (!(a >= 0 && b >= 0 && c >= 0 && sum < Infinity)) return -Infinity;
  const heights = p.height + a * q.height + b * r.height + c * s.height;
  const sizes = Math.abs(p.height) + a * Math.abs(q.height) + b * Math.abs(r.height) + c * Math.abs(s.height);
  const x = p.x + a * q.x + b * r.x + c * s.x;
  const y = p.y + a * q.y + b * r.y + c * s.y;
  const z = p.z + a * q.z + b * r.z + c * s.z;
  return (heights - 2 ** -48 * sizes) / (Math.sqrt(x * x + y * y + z * z) * (1 + 2 ** -48) + 2 ** -48 * sum);
}
