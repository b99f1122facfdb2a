// Oracle: what two solids are like along the line of a pixel. It uses determinants of exact fractions in space, made of the
// doubles of the world and of the view as they are. The library works differently: it looks at triangles in the view's own
// plane.
//
// With right, up and direction those of the view and o its origin, the line of pixel (i, j) is where
//
//     right·(p − o) = x = (i + 1/2 + 2^-36)·pixel   and   up·(p − o) = y = (j + 1/2 + 2^-38)·pixel,
//
// so it runs along n = right × up through o + (x·(up × n) + y·(n × right))/(n·n). Depth is direction·(p − o). A line that meets an
// edge is thought of as moved by ε to the right and ε² up.

type Big = readonly [bigint, bigint, bigint];

interface Placed {
  readonly mesh: { readonly positions: ArrayLike<number>; readonly indices: ArrayLike<number> };
  readonly pose: ArrayLike<number>;
}

interface Axes {
  readonly right: readonly number[];
  readonly up: readonly number[];
  readonly direction: readonly number[];
  readonly origin: readonly number[];
  readonly pixel: number;
}

/** numerator / denominator, denominator > 0. */
export interface Fraction {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

interface Crossing {
  readonly depth: Fraction;
  readonly enters: boolean;
}

/** Everything is a whole multiple of 2^-bits. */
const bits = 160;
const one = 1n << BigInt(bits);

/** A double as a whole number of 2^-bits. */
function whole(value: number): bigint {
  let [mantissa, shift] = [value, 0];
  while (!Number.isInteger(mantissa)) {
    mantissa *= 2;
    shift++;
  }
  if (shift > bits) throw new RangeError(`${value} needs more than ${bits} bits after the point`);
  return BigInt(mantissa) << BigInt(bits - shift);
}

const wholes = (v: ArrayLike<number>): Big => [whole(v[0]), whole(v[1]), whole(v[2])];
const minus = (a: Big, b: Big): Big => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const dot = (a: Big, b: Big): bigint => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: Big, b: Big): Big => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
const times = (a: Big, factor: bigint): Big => [a[0] * factor, a[1] * factor, a[2] * factor];

export const compare = (p: Fraction, q: Fraction): number => {
  const difference = p.numerator * q.denominator - q.numerator * p.denominator;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
};
const subtract = (p: Fraction, q: Fraction): Fraction => ({
  numerator: p.numerator * q.denominator - q.numerator * p.denominator,
  denominator: p.denominator * q.denominator,
});
const add = (p: Fraction, q: Fraction): Fraction => subtract(p, { ...q, numerator: -q.numerator });
const negative = (p: Fraction): Fraction => ({ ...p, numerator: -p.numerator });
export const fraction = (value: number): Fraction => ({ numerator: whole(value), denominator: one });
export const toNumber = ({ numerator, denominator }: Fraction): number =>
  Number((numerator << 200n) / denominator) * 2 ** -200;

/** Lines of a view through bodies of few triangles. */
export class ViewLines {
  readonly #axes: Axes;
  readonly #bodies: readonly {
    readonly triangles: readonly (readonly Big[])[];
    readonly mirrored: boolean;
  }[];

  constructor(axes: Axes, bodies: readonly Placed[]) {
    this.#axes = axes;
    const origin = wholes(axes.origin);
    this.#bodies = bodies.map(({ mesh: { positions, indices }, pose: m }) => {
      // As the contract says: products and sums in this order, rounded.
      const corner = (v: number): Big => {
        const [x, y, z] = [positions[3 * v], positions[3 * v + 1], positions[3 * v + 2]];
        const at = (k: number) => m[k] * x + m[4 + k] * y + m[8 + k] * z + m[12 + k];
        return minus(wholes([at(0), at(1), at(2)]), origin);
      };
      const triangles = Array.from({ length: indices.length / 3 }, (_, t) =>
        [0, 1, 2].map(k => corner(indices[3 * t + k])),
      );
      const linear = [0, 4, 8].map(k => wholes([m[k], m[k + 1], m[k + 2]]));
      return { triangles, mirrored: dot(cross(linear[0], linear[1]), linear[2]) < 0n };
    });
  }

  /** Crossings of both bodies, in order of depth. */
  cast(column: number, row: number): Crossing[][] {
    const { right, up, direction, pixel } = this.#axes;
    const [r, u, d] = [wholes(right), wholes(up), wholes(direction)];
    const n = cross(r, u);
    const [toRight, upwards] = [cross(u, n), cross(n, r)];
    // In 2^-38 pixels.
    const steps = (place: number, shift: bigint) => (2n * BigInt(place) + 1n) * 2n ** 37n + shift;
    const [x, y] = [steps(column, 4n), steps(row, 1n)].map(s => s * whole(pixel));
    // The point is `sum` divided by n·n. With the units of all factors, a corner times 2^38·n·n has the same unit as
    // 2^bits·`sum`: x and y have 2^-(bits + 38), right and up 2^-bits each, n 2^-2·bits.
    const scale = dot(n, n) << 38n;
    const sum = [0, 1, 2].map(k => x * toRight[k] + y * upwards[k]) as unknown as Big;
    return this.#bodies.map(({ triangles, mirrored }) => {
      const found: Crossing[] = [];
      for (const corners of triangles) {
        // Corners times the same factor; common factors are left out.
        const seen = corners.map(corner => minus(times(corner, scale), times(sum, one)));
        const area = dot(cross(minus(corners[1], corners[0]), minus(corners[2], corners[0])), n);
        if (area === 0n) continue;
        const side = (a: number, b: number): boolean => {
          let sign = dot(cross(seen[a], seen[b]), n);
          const edge = minus(corners[a], corners[b]);
          if (sign === 0n) sign = dot(cross(toRight, edge), n);
          if (sign === 0n) sign = dot(cross(upwards, edge), n);
          return sign > 0n;
        };
        const first = side(0, 1);
        if (side(1, 2) !== first || side(2, 0) !== first) continue;
        // Weights are the parts that the line cuts the triangle into.
        const parts = [
          [1, 2],
          [2, 0],
          [0, 1],
        ].map(([a, b]) => dot(cross(seen[a], seen[b]), n));
        let denominator = (parts[0] + parts[1] + parts[2]) << BigInt(2 * bits);
        let numerator = parts.reduce((total, part, k) => total + part * dot(d, corners[k]), 0n);
        if (denominator < 0n) [numerator, denominator] = [-numerator, -denominator];
        found.push({ depth: { numerator, denominator }, enters: area < 0n !== mirrored });
      }
      return found.sort((p, q) => compare(p.depth, q.depth));
    });
  }

  /** From the last crossing of the first surface to the first of the second. Undefined if one is not met. */
  facing(column: number, row: number): Fraction | undefined {
    const [a, b] = this.cast(column, row);
    return a.length === 0 || b.length === 0 ? undefined : subtract(b[0].depth, a[a.length - 1].depth);
  }

  /**
   * Negative: minus the total common length of both solids; otherwise the smallest gap. Undefined if one is not met.
   */
  distance(column: number, row: number): Fraction | undefined {
    const [a, b] = this.cast(column, row).map(stretchesOf);
    let [common, gap]: [Fraction, Fraction | undefined] = [fraction(0), undefined];
    for (const p of a) {
      for (const q of b) {
        const from = compare(p[0], q[0]) < 0 ? q[0] : p[0];
        const to = compare(p[1], q[1]) < 0 ? p[1] : q[1];
        const length = subtract(to, from);
        if (length.numerator > 0n) common = add(common, length);
        else if (gap === undefined || compare(negative(length), gap) < 0) gap = negative(length);
      }
    }
    return common.numerator > 0n ? negative(common) : gap;
  }
}

/** Where the winding number is not 0. */
function stretchesOf(crossings: readonly Crossing[]): [Fraction, Fraction][] {
  const found: [Fraction, Fraction][] = [];
  let winding = 0;
  let from: Fraction | undefined;
  for (const { depth, enters } of crossings) {
    winding += enters ? 1 : -1;
    if (winding !== 0) from ??= depth;
    else if (from !== undefined) {
      found.push([from, depth]);
      from = undefined;
    }
  }
  if (winding !== 0) throw new Error(`a line ends with a winding number of ${winding}`);
  return found;
}
