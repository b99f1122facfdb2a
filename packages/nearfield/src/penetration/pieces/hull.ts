// A growing hull of points of a convex set, and how deep the origin lies in it: expanding polytopes (van den Bergen,
// Proximity queries and penetration depth computation on 3D game objects, 2001).
//
// What is proved and what is not. The facets are a closed surface by construction: a point is added by removing a set
// of facets and joining the rim of the hole to the new point, which has the same boundary. If the origin lies strictly
// inside the plane of every facet, each adds a positive solid angle, so the surface winds around the origin. A ball
// about the origin that meets no plane meets no facet, so the surface winds around all its points. A point outside the
// convex hull of the points could move to infinity without meeting the surface, so the surface does not wind around it.
// So the ball lies in the hull of the points, whatever rounding did to the choice of facets: only the heights
// themselves must be right. Their rounding is some 10^-15 of the points' size: the caller subtracts more.

/** Writes the point of a convex set farthest along a unit direction to `out`. Returns their product. */
export type Support = (x: number, y: number, z: number, out: Float64Array) => number;

export interface Facet {
  readonly a: number;
  readonly b: number;
  readonly c: number;
  /** The outward unit normal, and the height of the plane over the origin. */
  readonly x: number;
  readonly y: number;
  readonly z: number;
  readonly height: number;
  /** Whether the set is known to reach no farther along the normal. */
  final: boolean;
}

const found = new Float64Array(3);

export class Hull {
  facets: Facet[] = [];
  /** x, y, z of every point. */
  readonly points: number[] = [];
  #size = 0;

  /** A hull that begins with four points far apart, or undefined for a set without volume. */
  static of(support: Support): Hull | undefined {
    const hull = new Hull();
    const at = (x: number, y: number, z: number): number => {
      support(x, y, z, found);
      return hull.#point(found[0], found[1], found[2]);
    };
    const p = hull.points;
    let best = 0;
    let [first, second] = [0, 0];
    for (const [x, y, z] of [
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ]) {
      const [i, j] = [at(x, y, z), at(-x, -y, -z)];
      const apart = Math.hypot(p[3 * i] - p[3 * j], p[3 * i + 1] - p[3 * j + 1], p[3 * i + 2] - p[3 * j + 2]);
      if (apart > best) [best, first, second] = [apart, i, j];
    }
    if (!(best > 0)) return undefined;
    const [ux, uy, uz] = [0, 1, 2].map(axis => (p[3 * second + axis] - p[3 * first + axis]) / best);
    // Perpendicular to the first two: the farther of both sides, for two axes.
    const [vx, vy, vz] = perpendicular(ux, uy, uz);
    const [wx, wy, wz] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
    let third = -1;
    let far = 1e-9 * best;
    for (const [x, y, z] of [
      [vx, vy, vz],
      [-vx, -vy, -vz],
      [wx, wy, wz],
      [-wx, -wy, -wz],
    ]) {
      const i = at(x, y, z);
      const [dx, dy, dz] = [0, 1, 2].map(axis => p[3 * i + axis] - p[3 * first + axis]);
      const along = dx * ux + dy * uy + dz * uz;
      const off = Math.hypot(dx - along * ux, dy - along * uy, dz - along * uz);
      if (off > far) [far, third] = [off, i];
    }
    if (third < 0) return undefined;
    const normal = hull.#facet(first, second, third);
    if (normal === undefined) return undefined;
    const up = at(normal.x, normal.y, normal.z);
    const down = at(-normal.x, -normal.y, -normal.z);
    const over = hull.#over(normal, up);
    const under = -hull.#over(normal, down);
    const fourth = over > under ? up : down;
    if (!(Math.max(over, under) > 1e-9 * best)) return undefined;
    const [b, c] = over > under ? [third, second] : [second, third];
    // Seen from the fourth point, first, b, c run clockwise: its facet faces away.
    for (const [i, j, k] of [
      [first, b, c],
      [first, fourth, b],
      [b, fourth, c],
      [c, fourth, first],
    ]) {
      const facet = hull.#facet(i, j, k);
      if (facet === undefined) return undefined;
      hull.facets.push(facet);
    }
    return hull;
  }

  /**
   * Adds a point. Returns false and changes nothing if the hull holds it already, if a facet to it would have no plane,
   * or if the facets to be removed are not connected as one disc (a disc has two more sides than facets). Only rounding
   * can cause the last; removing them anyway could triple the facets of a thin set with every point.
   */
  add(x: number, y: number, z: number): boolean {
    const slack = 1e-12 * this.#size;
    const seen: Facet[] = [];
    const kept: Facet[] = [];
    for (const facet of this.facets) {
      (facet.x * x + facet.y * y + facet.z * z > facet.height + slack ? seen : kept).push(facet);
    }
    if (seen.length === 0 || kept.length === 0) return false;
    const point = this.#point(x, y, z);
    const from: number[] = [];
    const to: number[] = [];
    for (const { a, b, c } of seen) {
      rim(from, to, a, b);
      rim(from, to, b, c);
      rim(from, to, c, a);
    }
    if (from.length > seen.length + 2) {
      this.points.length -= 3;
      return false;
    }
    const added: Facet[] = [];
    for (let i = 0; i < from.length; i++) {
      const facet = this.#facet(from[i], to[i], point);
      if (facet === undefined) {
        this.points.length -= 3;
        return false;
      }
      added.push(facet);
    }
    this.facets = kept.concat(added);
    return true;
  }

  #point(x: number, y: number, z: number): number {
    this.#size = Math.max(this.#size, Math.abs(x), Math.abs(y), Math.abs(z));
    return this.points.push(x, y, z) / 3 - 1;
  }

  #over({ x, y, z, height }: Facet, i: number): number {
    const p = this.points;
    return x * p[3 * i] + y * p[3 * i + 1] + z * p[3 * i + 2] - height;
  }

  #facet(a: number, b: number, c: number): Facet | undefined {
    const p = this.points;
    const ax = p[3 * a];
    const ay = p[3 * a + 1];
    const az = p[3 * a + 2];
    const ux = p[3 * b] - ax;
    const uy = p[3 * b + 1] - ay;
    const uz = p[3 * b + 2] - az;
    const vx = p[3 * c] - ax;
    const vy = p[3 * c + 1] - ay;
    const vz = p[3 * c + 2] - az;
    let x = uy * vz - uz * vy;
    let y = uz * vx - ux * vz;
    let z = ux * vy - uy * vx;
    const length = Math.sqrt(x * x + y * y + z * z);
    const edges = Math.sqrt((ux * ux + uy * uy + uz * uz) * (vx * vx + vy * vy + vz * vz));
    if (!(length > 1e-10 * edges) || !(edges > 1e-24 * this.#size * this.#size)) return undefined;
    x /= length;
    y /= length;
    z /= length;
    // The lowest of the three: the facet lies on the plane or beyond it.
    const height = Math.min(
      x * ax + y * ay + z * az,
      x * p[3 * b] + y * p[3 * b + 1] + z * p[3 * b + 2],
      x * p[3 * c] + y * p[3 * c + 1] + z * p[3 * c + 2],
    );
    return { a, b, c, x, y, z, height, final: false };
  }
}

/** Collects sides of removed facets. A side that runs both ways lies inside the hole. */
function rim(from: number[], to: number[], a: number, b: number): void {
  for (let i = 0; i < from.length; i++) {
    if (from[i] !== b || to[i] !== a) continue;
    from[i] = from[from.length - 1];
    to[i] = to[to.length - 1];
    from.pop();
    to.pop();
    return;
  }
  from.push(a);
  to.push(b);
}

export function perpendicular(x: number, y: number, z: number): [number, number, number] {
  const [ax, ay, az] = [Math.abs(x), Math.abs(y), Math.abs(z)];
  const least = ax <= ay && ax <= az ? 0 : ay <= az ? 1 : 2;
  const along = least === 0 ? x : least === 1 ? y : z;
  const v = [-along * x, -along * y, -along * z];
  v[least] += 1;
  const length = Math.hypot(v[0], v[1], v[2]);
  return [v[0] / length, v[1] / length, v[2] / length];
}

/** How deep the origin lies in a convex set: at least `lower`. A plane at `upper` along `direction` bounds the set. */
export interface Depth {
  lower: number;
  upper: number;
  readonly direction: Float64Array;
}

/**
 * Lets a hull grow where the origin is nearest to leaving it, until its depth is known to a ratio or the steps are used
 * up. `lower` is not positive if the origin may lie outside. `known` is a depth from elsewhere: the search ends once it
 * is near enough to that. `tried` is called with every direction and the set's height along it.
 */
export function expand(
  hull: Hull,
  support: Support,
  ratio: number,
  steps: number,
  known = 0,
  tried?: (x: number, y: number, z: number, height: number) => void,
): Depth {
  const depth: Depth = { lower: -Infinity, upper: Infinity, direction: new Float64Array(3) };
  const point = new Float64Array(3);
  for (let step = 0; ; step++) {
    let nearest = hull.facets[0];
    let open: Facet | undefined;
    for (const facet of hull.facets) {
      if (facet.height < nearest.height) nearest = facet;
      if (!facet.final && (open === undefined || facet.height < open.height)) open = facet;
    }
    depth.lower = nearest.height;
    if (open === undefined || step === steps) return depth;
    if (depth.upper <= ratio * Math.max(depth.lower, known)) return depth;
    // The others are final except for rounding: open facets beyond the bound cannot matter.
    if (open.height >= depth.upper) return depth;
    const height = support(open.x, open.y, open.z, point);
    tried?.(open.x, open.y, open.z, height);
    if (height < depth.upper) {
      depth.upper = height;
      depth.direction[0] = open.x;
      depth.direction[1] = open.y;
      depth.direction[2] = open.z;
      if (height < 0) return depth;
    }
    if (!hull.add(point[0], point[1], point[2])) open.final = true;
  }
}
