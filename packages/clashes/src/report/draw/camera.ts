// An orthographic camera, as in drawings of assemblies: its direction, and how it is fitted to a scene.

export type Vector = readonly [number, number, number];

export const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const subtract = (a: Vector, b: Vector): Vector => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const cross = (a: Vector, b: Vector): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
export function normalise(v: Vector): Vector {
  const length = Math.hypot(v[0], v[1], v[2]) || 1;
  return [v[0] / length, v[1] / length, v[2] / length];
}

/** Minimum and maximum corner. */
export interface Extent {
  min: Vector;
  max: Vector;
}

export const middle = ({ min, max }: Extent): Vector => [
  (min[0] + max[0]) / 2,
  (min[1] + max[1]) / 2,
  (min[2] + max[2]) / 2,
];
/** Half the diagonal. */
export const radiusOf = ({ min, max }: Extent): number =>
  Math.hypot(max[0] - min[0], max[1] - min[1], max[2] - min[2]) / 2;

/** The bounds of points given as x, y, z triples; undefined if there are none. */
export function extentOf(points: ArrayLike<number>): Extent | undefined {
  if (points.length === 0) return undefined;
  const min = [Infinity, Infinity, Infinity];
  const max = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < points.length; i++) {
    const value = points[i];
    if (value < min[i % 3]) min[i % 3] = value;
    if (value > max[i % 3]) max[i % 3] = value;
  }
  return { min: min as unknown as Vector, max: max as unknown as Vector };
}

export const union = (extents: readonly Extent[]): Extent =>
  extents.reduce(({ min, max }, { min: low, max: high }) => ({
    min: [Math.min(min[0], low[0]), Math.min(min[1], low[1]), Math.min(min[2], low[2])],
    max: [Math.max(max[0], high[0]), Math.max(max[1], high[1]), Math.max(max[2], high[2])],
  }));

export interface Camera {
  width: number;
  height: number;
  /** Directions of the picture's right and up, and from the scene towards the eye: unit vectors at right angles. */
  right: Vector;
  up: Vector;
  toward: Vector;
  /** The point in the middle of the picture. */
  center: Vector;
  /** Pixels per unit of length. */
  scale: number;
}

/** Looks at `center` from the direction `from`, with +z up in the picture (+y when looking straight down). */
export function lookFrom(from: Vector, center: Vector, width: number, height: number, scale: number): Camera {
  const toward = normalise(from);
  const pole: Vector = Math.abs(toward[2]) > 0.999 ? [0, 1, 0] : [0, 0, 1];
  const right = normalise(cross(pole, toward));
  return { width, height, right, up: cross(toward, right), toward, center, scale };
}

/** The scale at which the box of an extent fills the picture except for a margin (a share of the picture). */
export function fitScale(
  from: Vector,
  extent: Extent,
  width: number,
  height: number,
  margin: number,
): number {
  const { right, up } = lookFrom(from, [0, 0, 0], width, height, 1);
  const size = subtract(extent.max, extent.min);
  const span = (axis: Vector) =>
    Math.abs(axis[0]) * size[0] + Math.abs(axis[1]) * size[1] + Math.abs(axis[2]) * size[2] || 1e-300;
  return (1 - 2 * margin) * Math.min(width / span(right), height / span(up));
}

/** A camera that shows exactly the points (x, y, z triples), plus a margin. */
export function fitPoints(
  points: readonly Float64Array[],
  from: Vector,
  width: number,
  height: number,
  margin: number,
): Camera {
  const camera = lookFrom(from, [0, 0, 0], width, height, 1);
  const axes = [camera.right, camera.up, camera.toward];
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (const array of points) {
    for (let i = 0; i < array.length; i += 3) {
      for (let k = 0; k < 3; k++) {
        const along = array[i] * axes[k][0] + array[i + 1] * axes[k][1] + array[i + 2] * axes[k][2];
        if (along < low[k]) low[k] = along;
        if (along > high[k]) high[k] = along;
      }
    }
  }
  if (low[0] > high[0]) return camera;
  const center = [0, 1, 2].map(k =>
    axes.reduce((sum, axis, i) => sum + ((low[i] + high[i]) / 2) * axis[k], 0),
  ) as unknown as Vector;
  const span = (k: number) => high[k] - low[k] || 1e-300;
  return { ...camera, center, scale: (1 - 2 * margin) * Math.min(width / span(0), height / span(1)) };
}

/** Projects a point: x to the right and y down in pixels, and depth towards the eye in units. */
export function project(camera: Camera, point: Vector): Vector {
  const offset = subtract(point, camera.center);
  return [
    camera.width / 2 + dot(offset, camera.right) * camera.scale,
    camera.height / 2 - dot(offset, camera.up) * camera.scale,
    dot(offset, camera.toward),
  ];
}

/** Candidate directions: twelve around, at three heights, and one nearly straight down. */
export const viewingSides: readonly Vector[] = [
  ...[0.5, 1.1, -0.35].flatMap(height =>
    Array.from({ length: 12 }, (_, i): Vector => {
      const angle = (Math.PI * (2 * i + 0.7)) / 12 - Math.PI / 2;
      return normalise([Math.cos(angle), Math.sin(angle), height]);
    }),
  ),
  normalise([0.1, -0.15, 1]),
];
