// The definition of a collider: a function of points that is 0 on its surface, how far inside its outline a point
// lies, and its frame at a time. Written from the definitions only, as a reference for the particle system; it shares
// nothing with it.

import type { Bound, Collider, Outline, Vector } from 'nearfield';

/** The zero set of a function, cut off by an outline. */
export interface ImplicitSurface {
  readonly kind: 'implicit';
  value(x: number, y: number, z: number): number;
  /** Positive inside the outline, negative outside; a length, or at least as steep as one near 0. */
  margin(x: number, y: number, z: number): number;
  readonly front: boolean;
  /** From the world at time t into the frame of `value`. */
  readonly enter: Enter;
}

/** Every triangle separately: nine numbers per triangle, in the frame of `enter`. */
export interface TriangleSurface {
  readonly kind: 'triangles';
  readonly corners: Float64Array;
  readonly front: boolean;
  readonly enter: Enter;
}

export type Surface = ImplicitSurface | TriangleSurface;

/** Overwrites a point of the world with the same point in the collider's frame. */
export type Enter = (point: Float64Array, t: number) => void;

export function surfaceOf(collider: Collider): Surface {
  const front = collider.sides === 'front';
  const moved = motionOf(collider);
  if ('mesh' in collider || 'body' in collider) {
    const [mesh, pose] =
      'mesh' in collider ? [collider.mesh, collider.pose] : [collider.body.mesh, collider.body.pose];
    const corners = new Float64Array(3 * mesh.indices.length);
    for (let i = 0; i < mesh.indices.length; i++) {
      const at = 3 * mesh.indices[i];
      const [x, y, z] = [mesh.positions[at], mesh.positions[at + 1], mesh.positions[at + 2]];
      for (let k = 0; k < 3; k++) {
        const own = [x, y, z][k];
        corners[3 * i + k] =
          pose === undefined ? own : pose[k] * x + pose[4 + k] * y + pose[8 + k] * z + pose[12 + k];
      }
    }
    return { kind: 'triangles', corners, front, enter: moved };
  }
  const { value, margin } = implicitOf(collider);
  const bounds: Bound[] = 'bounds' in collider ? [...(collider.bounds ?? [])] : [];
  if ('quadric' in collider && collider.box !== undefined) {
    const [low, high] = collider.box;
    for (let k = 0; k < 3; k++) {
      const axis = [0, 1, 2].map(i => (i === k ? 1 : 0)) as unknown as Vector;
      const back = [0, 1, 2].map(i => (i === k ? -1 : 0)) as unknown as Vector;
      bounds.push({ normal: axis, offset: high[k] }, { normal: back, offset: -low[k] });
    }
  }
  const posed = 'field' in collider && collider.pose !== undefined ? entering(collider.pose, moved) : moved;
  return { kind: 'implicit', value, margin: bounded(margin, bounds), front, enter: posed };
}

type Implicit = Pick<ImplicitSurface, 'value' | 'margin'>;

const everywhere = () => Number.POSITIVE_INFINITY;

function implicitOf(collider: Collider): Implicit {
  if ('plane' in collider) {
    const { point, normal, right } = collider.plane;
    const n = unit(normal);
    const value = (x: number, y: number, z: number) =>
      n[0] * (x - point[0]) + n[1] * (y - point[1]) + n[2] * (z - point[2]);
    if (collider.within === undefined) return { value, margin: everywhere };
    if (right === undefined && !('disc' in collider.within) && !('ring' in collider.within)) {
      throw new Error('the oracle needs a right direction');
    }
    // The given right, minus its part along the normal.
    const given = right ?? (Math.abs(n[0]) < 0.5 ? [1, 0, 0] : [0, 1, 0]);
    const along = dot(given, n);
    const r = unit([given[0] - along * n[0], given[1] - along * n[1], given[2] - along * n[2]]);
    const u = cross(n, r);
    const outline = collider.within;
    const margin = (x: number, y: number, z: number) => {
      const from: Vector = [x - point[0], y - point[1], z - point[2]];
      return outlineMargin(outline, dot(from, r), dot(from, u));
    };
    return { value, margin };
  }
  if ('sphere' in collider) {
    const { centre, radius } = collider.sphere;
    const value = (x: number, y: number, z: number) =>
      (x - centre[0]) ** 2 + (y - centre[1]) ** 2 + (z - centre[2]) ** 2 - radius * radius;
    return { value, margin: everywhere };
  }
  if ('quadric' in collider) {
    const q = collider.quadric;
    const [A, B, C, D, E, F, G, H, I, J] =
      q.length === 10 ? q : [q[0], q[5], q[10], q[1], q[2], q[6], q[3], q[7], q[11], q[15]];
    const value = (x: number, y: number, z: number) =>
      x * (A * x + 2 * (D * y + E * z + G)) + y * (B * y + 2 * (F * z + H)) + z * (C * z + 2 * I) + J;
    return { value, margin: everywhere };
  }
  if ('field' in collider) return trilinear(collider.field);
  if (!('blobs' in collider)) throw new Error('no such collider');
  const { blobs, level = 0.5 } = collider;
  const value = (x: number, y: number, z: number) => {
    let outside = level;
    for (const blob of blobs) {
      const { radius, weight = 1 } = blob;
      const squared =
        'at' in blob ? pointSquared(blob.at, x, y, z) : segmentSquared(blob.from, blob.to, x, y, z);
      const rest = 1 - squared / (radius * radius);
      if (rest > 0) outside -= weight * rest * rest * rest;
    }
    return outside;
  };
  return { value, margin: everywhere };
}

const pointSquared = (at: Vector, x: number, y: number, z: number): number =>
  (x - at[0]) ** 2 + (y - at[1]) ** 2 + (z - at[2]) ** 2;

function segmentSquared(from: Vector, to: Vector, x: number, y: number, z: number): number {
  const [px, py, pz] = from;
  const dx = to[0] - px;
  const dy = to[1] - py;
  const dz = to[2] - pz;
  const along = ((x - px) * dx + (y - py) * dy + (z - pz) * dz) / (dx * dx + dy * dy + dz * dz);
  const t = Math.min(1, Math.max(0, along));
  return (x - px - t * dx) ** 2 + (y - py - t * dy) ** 2 + (z - pz - t * dz) ** 2;
}

interface Samples {
  readonly grid: {
    readonly origin: ArrayLike<number>;
    readonly cell: number;
  };
  readonly dimensions: readonly [number, number, number];
  readonly distance: Float32Array;
}

/** Samples are at the middles of cells; between eight of them the function is trilinear. */
function trilinear({ grid: { origin, cell }, dimensions: [nx, ny, nz], distance }: Samples): Implicit {
  const clamped = (value: number, most: number) => Math.min(most, Math.max(0, value));
  const value = (x: number, y: number, z: number) => {
    const u = clamped((x - origin[0]) / cell - 0.5, nx - 1);
    const v = clamped((y - origin[1]) / cell - 0.5, ny - 1);
    const w = clamped((z - origin[2]) / cell - 0.5, nz - 1);
    const i = Math.min(nx - 2, Math.floor(u));
    const j = Math.min(ny - 2, Math.floor(v));
    const k = Math.min(nz - 2, Math.floor(w));
    const at = i + nx * (j + ny * k);
    const [fx, fy] = [u - i, v - j];
    const above = at + nx * ny;
    const a = distance[at] + fx * (distance[at + 1] - distance[at]);
    const b = distance[at + nx] + fx * (distance[at + nx + 1] - distance[at + nx]);
    const c = distance[above] + fx * (distance[above + 1] - distance[above]);
    const d = distance[above + nx] + fx * (distance[above + nx + 1] - distance[above + nx]);
    const low = a + fy * (b - a);
    const high = c + fy * (d - c);
    return low + (w - k) * (high - low);
  };
  const margin = (x: number, y: number, z: number) =>
    Math.min(
      ...[x, y, z].map((own, axis) => {
        const place = (own - origin[axis]) / cell - 0.5;
        return Math.min(place, [nx, ny, nz][axis] - 1 - place) * cell;
      }),
    );
  return { value, margin };
}

export function outlineMargin(outline: Outline, u: number, v: number): number {
  if ('disc' in outline) return outline.disc - Math.hypot(u, v);
  if ('ring' in outline) {
    const r = Math.hypot(u, v);
    return Math.min(outline.ring[1] - r, r - outline.ring[0]);
  }
  if ('rectangle' in outline) {
    return Math.min(outline.rectangle[0] - Math.abs(u), outline.rectangle[1] - Math.abs(v));
  }
  const loops = [outline.polygon, ...(outline.holes ?? [])];
  let [inside, near] = [false, Number.POSITIVE_INFINITY];
  for (const loop of loops) {
    for (let i = 0; i < loop.length; i++) {
      const [a, b] = [loop[i], loop[(i + 1) % loop.length]];
      const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
      const t = Math.min(1, Math.max(0, ((u - a[0]) * dx + (v - a[1]) * dy) / (dx * dx + dy * dy)));
      near = Math.min(near, Math.hypot(u - a[0] - t * dx, v - a[1] - t * dy));
      if (a[1] > v !== b[1] > v && u < a[0] + ((v - a[1]) / dy) * dx) inside = !inside;
    }
  }
  return inside ? near : -near;
}

function bounded(
  margin: ImplicitSurface['margin'],
  bounds: readonly Bound[] = [],
): ImplicitSurface['margin'] {
  if (bounds.length === 0) return margin;
  return (x, y, z) => {
    let least = margin(x, y, z);
    for (const bound of bounds) {
      if ('ball' in bound) {
        const within = bound.ball.radius - Math.sqrt(pointSquared(bound.ball.centre, x, y, z));
        least = Math.min(least, bound.outside ? -within : within);
      } else least = Math.min(least, bound.offset - dot(bound.normal, [x, y, z]));
    }
    return least;
  };
}

/** Turned about the pivot by turn·(t − at), then moved by velocity·(t − at) + ½ acceleration·(t − at)²; here, back again. */
function motionOf({ motion }: Collider): Enter {
  if (motion === undefined) return () => {};
  const {
    velocity = [0, 0, 0],
    acceleration = [0, 0, 0],
    pivot = [0, 0, 0],
    turn = [0, 0, 0],
    at = 0,
  } = motion;
  const rate = Math.hypot(...turn);
  const axis: Vector = rate === 0 ? [0, 0, 1] : [turn[0] / rate, turn[1] / rate, turn[2] / rate];
  const [ax, ay, az] = axis;
  return (point, t) => {
    const dt = t - at;
    const x = point[0] - (velocity[0] * dt + 0.5 * acceleration[0] * dt * dt) - pivot[0];
    const y = point[1] - (velocity[1] * dt + 0.5 * acceleration[1] * dt * dt) - pivot[1];
    const z = point[2] - (velocity[2] * dt + 0.5 * acceleration[2] * dt * dt) - pivot[2];
    const [cosine, sine] = rate === 0 ? [1, 0] : [Math.cos(rate * dt), -Math.sin(rate * dt)];
    const along = (ax * x + ay * y + az * z) * (1 - cosine);
    point[0] = x * cosine + (ay * z - az * y) * sine + ax * along + pivot[0];
    point[1] = y * cosine + (az * x - ax * z) * sine + ay * along + pivot[1];
    point[2] = z * cosine + (ax * y - ay * x) * sine + az * along + pivot[2];
  };
}

/** Back through a pose too, by Cramer's rule. */
function entering(m: ArrayLike<number>, moved: Enter): Enter {
  const column = (k: number): Vector => [m[4 * k], m[4 * k + 1], m[4 * k + 2]];
  const [a, b, c] = [column(0), column(1), column(2)];
  const determinant = dot(a, cross(b, c));
  return (point, t) => {
    moved(point, t);
    const p: Vector = [point[0] - m[12], point[1] - m[13], point[2] - m[14]];
    point[0] = dot(p, cross(b, c)) / determinant;
    point[1] = dot(a, cross(p, c)) / determinant;
    point[2] = dot(a, cross(b, p)) / determinant;
  };
}

export const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const cross = (a: Vector, b: Vector): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
const unit = (v: Vector): Vector => {
  const length = Math.hypot(...v);
  return [v[0] / length, v[1] / length, v[2] / length];
};
