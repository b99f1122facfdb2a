import { orient3d } from 'robust-predicates';
import { describe, expect, it } from 'vitest';
import type { Mesh } from '../mesh/mesh.ts';
import { keyedCircle } from './gear.ts';
import * as shapes from './index.ts';

/** Counts by position from scratch, so that shapes and mesh facts are checked independently. */
function topology({ positions, indices }: Mesh) {
  const key = (v: number) =>
    `${positions[3 * v] + 0},${positions[3 * v + 1] + 0},${positions[3 * v + 2] + 0}`;
  const ids = new Map<string, number>();
  const id = (v: number) => {
    const k = key(v);
    if (!ids.has(k)) ids.set(k, ids.size);
    return ids.get(k)!;
  };
  const directed = new Map<string, number>();
  const undirected = new Set<string>();
  const fans = new Map<number, [number, number][]>();
  let degenerate = 0;
  for (let t = 0; t < indices.length; t += 3) {
    const corners = [id(indices[t]), id(indices[t + 1]), id(indices[t + 2])];
    if (new Set(corners).size < 3) degenerate++;
    for (let e = 0; e < 3; e++) {
      const [a, b, c] = [corners[e], corners[(e + 1) % 3], corners[(e + 2) % 3]];
      directed.set(`${a}>${b}`, (directed.get(`${a}>${b}`) ?? 0) + 1);
      undirected.add(a < b ? `${a},${b}` : `${b},${a}`);
      fans.set(a, [...(fans.get(a) ?? []), [b, c]]);
    }
  }
  let unmatched = 0;
  for (const [edge, count] of directed) {
    const [a, b] = edge.split('>');
    if (count !== 1 || directed.get(`${b}>${a}`) !== 1) unmatched++;
  }
  // Each vertex has one fan: following its opposite edges returns after all of them.
  let pinched = 0;
  for (const fan of fans.values()) {
    const next = new Map(fan);
    let [steps, at] = [0, fan[0][0]];
    do at = next.get(at) ?? -1;
    while (++steps <= fan.length && at !== fan[0][0] && at !== -1);
    if (steps !== fan.length) pinched++;
  }
  const vertices = ids.size;
  return {
    degenerate,
    unmatched,
    pinched,
    vertices,
    unshared: positions.length / 3 - vertices,
    euler: vertices - undirected.size + indices.length / 3,
  };
}

function volume({ positions, indices }: Mesh): number {
  let six = 0;
  for (let t = 0; t < indices.length; t += 3) {
    const [a, b, c] = [0, 1, 2].map(e => positions.subarray(3 * indices[t + e], 3 * indices[t + e] + 3));
    six +=
      a[0] * (b[1] * c[2] - b[2] * c[1]) -
      a[1] * (b[0] * c[2] - b[2] * c[0]) +
      a[2] * (b[0] * c[1] - b[1] * c[0]);
  }
  return six / 6;
}

/**
 * Whether an edge of one triangle passes strictly through the interior of another, with exact signs; tests all pairs
 * whose boxes meet.
 */
function cutsItself({ positions, indices }: Mesh): boolean {
  const count = indices.length / 3;
  const p = (v: number) => positions.subarray(3 * v, 3 * v + 3);
  const side = (a: number, b: number, c: number, d: number) => {
    const [pa, pb, pc, pd] = [p(a), p(b), p(c), p(d)];
    return Math.sign(
      orient3d(pa[0], pa[1], pa[2], pb[0], pb[1], pb[2], pc[0], pc[1], pc[2], pd[0], pd[1], pd[2]),
    );
  };
  const boxes = Array.from({ length: count }, (_, t) => {
    const corners = Array.from(indices.subarray(3 * t, 3 * t + 3), p);
    const along = [0, 1, 2].map(k => corners.map(corner => corner[k]));
    return [...along.map(values => Math.min(...values)), ...along.map(values => Math.max(...values))];
  });
  for (let s = 0; s < count; s++) {
    const own = boxes[s];
    const [a, b, c] = indices.subarray(3 * s, 3 * s + 3);
    for (let t = 0; t < count; t++) {
      if (t === s) continue;
      const other = boxes[t];
      if (own[0] > other[3] || own[1] > other[4] || own[2] > other[5]) continue;
      if (other[0] > own[3] || other[1] > own[4] || other[2] > own[5]) continue;
      for (let e = 0; e < 3; e++) {
        const [u, v] = [indices[3 * t + e], indices[3 * t + ((e + 1) % 3)]];
        if (u > v || side(a, b, c, u) * side(a, b, c, v) >= 0) continue;
        const first = side(a, b, u, v);
        if (first !== 0 && first === side(b, c, u, v) && first === side(c, a, u, v)) return true;
      }
    }
  }
  return false;
}

/** Area of a regular polygon on the unit circle. */
const polygon = (n: number) => (n / 2) * Math.sin((2 * Math.PI) / n);
const hexArea = (width: number) => (Math.sqrt(3) / 2) * width * width;

const loopArea = (loop: shapes.Loop) =>
  loop.reduce((sum, [x, y], i) => {
    const [u, v] = loop[(i + 1) % loop.length];
    return sum + (x * v - u * y) / 2;
  }, 0);

interface Case {
  name: string;
  make: () => Mesh;
  euler: number;
  /** The volume, and how much the mesh may differ from it, as a share. */
  volume: number;
  within?: number;
  /** Few enough triangles to test all pairs. */
  small?: () => Mesh;
}

const closed: Case[] = [
  {
    name: 'box',
    make: () => shapes.box({ size: [1, 2, 3], center: [5, 0, 0] }),
    euler: 2,
    volume: 6,
    small: shapes.box,
  },
  {
    name: 'uvSphere',
    make: () => shapes.uvSphere(),
    euler: 2,
    // A chord over an angle δ lies within 1 − cos(δ/2) of the arc, in both directions of the sphere.
    volume: (4 / 3) * Math.PI,
    within: 6 * (1 - Math.cos(Math.PI / 64)),
    small: () => shapes.uvSphere({ segments: 8, rings: 5 }),
  },
  {
    name: 'icosphere',
    make: () => shapes.icosphere({ frequency: 16 }),
    euler: 2,
    volume: (4 / 3) * Math.PI,
    within: 3 * (1 - Math.cos(1.2 / 16)),
    small: () => shapes.icosphere({ frequency: 2 }),
  },
  {
    name: 'torus',
    make: () => shapes.torus(),
    euler: 0,
    // Pappus: the polygonal section, swept along a polygon instead of a circle.
    volume: 2 * polygon(64) * polygon(32) * 0.375 ** 2,
    within: 1e-12,
    small: () => shapes.torus({ majorSegments: 9, minorSegments: 6 }),
  },
  {
    name: 'torusKnot',
    make: () => shapes.torusKnot(),
    euler: 0,
    volume: polygon(16) * 0.16 ** 2 * knotLength(2, 3, 1, 0.4),
    // Sides twist along the curve; a quad cut along one diagonal loses the volume that the twist of a step sweeps.
    within: 1e-2,
    small: () => shapes.torusKnot({ segments: 48, sides: 5 }),
  },
  {
    name: 'cylinder',
    make: () => shapes.cylinder({ radius: 3, height: 5, segments: 40 }),
    euler: 2,
    volume: 45 * polygon(40),
    within: 1e-12,
    small: () => shapes.cylinder({ segments: 12, chamfer: 0.25 }),
  },
  {
    name: 'tube',
    make: () => shapes.tube(),
    euler: 0,
    volume: 0.75 * polygon(64),
    within: 1e-12,
    small: () => shapes.tube({ segments: 12 }),
  },
  {
    name: 'gear',
    make: () => shapes.gear(),
    euler: 0,
    volume: 6 * (loopArea(shapes.gearOutline()) - polygon(64) * (10.75 / 3) ** 2),
    within: 1e-12,
    small: () => shapes.gear({ teeth: 9, flankPoints: 3, boreSegments: 12 }),
  },
  {
    name: 'gear with web and keyway',
    make: () =>
      shapes.gear({ teeth: 32, webThickness: 2, hubRadius: 8, boreRadius: 4, keyway: { width: 2, top: 5 } }),
    euler: 0,
    volume:
      6 * (loopArea(shapes.gearOutline({ teeth: 32 })) - loopArea(keyedCircle(4, 64, { width: 2, top: 5 }))) -
      4 * polygon(96) * (13.5 ** 2 - 8 ** 2),
    within: 1e-12,
  },
  {
    name: 'displacedSphere',
    make: () => shapes.displacedSphere({ triangles: 20 * 12 ** 2 }),
    euler: 2,
    volume: (4 / 3) * Math.PI,
    // Radii lie in [1 − a, 1 + a]; bumps are at most a quarter.
    within: 1.25 ** 3 - 1,
    small: () => shapes.displacedSphere({ triangles: 320, amplitude: 0.5 }),
  },
  {
    name: 'hexBolt',
    make: () => shapes.hexBolt(),
    euler: 2,
    volume:
      0.625 * hexArea(1.625) +
      polygon(32) * (0.25 * 3.875 + (0.125 * (0.5 ** 2 + 0.5 * 0.375 + 0.375 ** 2)) / 3),
    within: 1e-12,
    small: () => shapes.hexBolt({ segments: 10 }),
  },
  {
    name: 'hexNut',
    make: () => shapes.hexNut(),
    euler: 0,
    volume: 0.75 * (hexArea(1.625) - polygon(32) * 0.25),
    within: 1e-12,
    small: () => shapes.hexNut({ segments: 10 }),
  },
  {
    name: 'plate',
    make: () => shapes.plate(),
    euler: 2 - 2 * 4,
    volume: 0.5 * (12 - 4 * polygon(32) * 0.375 ** 2),
    within: 1e-12,
    small: () => shapes.plate({ holes: [{ x: 0.5, y: 0, radius: 1, segments: 9 }] }),
  },
];

function knotLength(p: number, q: number, major: number, minor: number): number {
  let sum = 0;
  const n = 10000;
  for (let i = 0; i < n; i++) {
    const reach = major + minor * Math.cos((2 * Math.PI * q * (i + 0.5)) / n);
    sum += (2 * Math.PI * Math.hypot(q * minor, p * reach)) / n;
  }
  return sum;
}

describe.each(closed)('$name', ({ make, euler, volume: expected, within = 1e-15, small }) => {
  const made = make();

  it('is closed, consistently oriented and manifold, without unused vertices', () => {
    expect(topology(made)).toMatchObject({ degenerate: 0, unmatched: 0, pinched: 0, unshared: 0, euler });
    expect([made.closed, made.oriented, made.manifold]).toEqual([true, true, true]);
    expect(made.positions).toBeInstanceOf(Float64Array);
  });

  it('has the right volume and faces outwards', () => {
    expect(volume(made)).toBeGreaterThan(0);
    expect(Math.abs(volume(made) / expected - 1)).toBeLessThanOrEqual(within);
  });

  it('is the same every time', () => {
    const again = make();
    expect(again.positions).toEqual(made.positions);
    expect(again.indices).toEqual(made.indices);
  });

  if (small) it('does not cut itself', () => expect(cutsItself(small())).toBe(false));
});

describe('cutsItself, the check above', () => {
  it('detects a knot whose tube is too thick', () => {
    expect(cutsItself(shapes.torusKnot({ segments: 48, sides: 5, tubeRadius: 0.5 }))).toBe(true);
  });
});

describe('displacedSphere', () => {
  it('makes the nearest number of triangles', () => {
    expect(shapes.displacedSphere().triangleCount).toBe(81920);
    expect(shapes.displacedSphere({ triangles: 70000 }).triangleCount).toBe(69620);
  });

  it('follows its seed', () => {
    const [one, two] = [1, 2].map(seed => shapes.displacedSphere({ triangles: 320, seed }));
    expect(one.indices).toEqual(two.indices);
    expect(one.positions).not.toEqual(two.positions);
  });
});

describe('cloth', () => {
  it('is one open sheet', () => {
    const made = shapes.cloth();
    const { degenerate, pinched, unshared, euler } = topology(made);
    expect({ degenerate, unshared, euler }).toEqual({ degenerate: 0, unshared: 0, euler: 1 });
    expect(pinched).toBeGreaterThan(0);
    expect([made.closed, made.oriented, made.manifold]).toEqual([false, true, true]);
    expect(made.triangleCount).toBeGreaterThan(8000);
  });

  it('overhangs and does not cut itself', () => {
    const made = shapes.cloth({ triangles: 800, folds: 2 });
    const { positions, indices } = made;
    let turned = 0;
    for (let t = 0; t < indices.length; t += 3) {
      const [a, b, c] = [indices[t], indices[t + 1], indices[t + 2]];
      const along = positions[3 * b] - positions[3 * a];
      const across = positions[3 * c + 1] - positions[3 * a + 1];
      if (along < 0 && across > 0) turned++;
    }
    expect(turned).toBeGreaterThan(0);
    expect(cutsItself(made)).toBe(false);
  });

  it('follows its seed', () => {
    expect(shapes.cloth({ seed: 3 }).positions).toEqual(shapes.cloth({ seed: 3 }).positions);
    expect(shapes.cloth({ seed: 3 }).positions).not.toEqual(shapes.cloth({ seed: 4 }).positions);
  });
});

describe('bad options', () => {
  const refused = (make: () => unknown) =>
    expect(make).toThrowError(expect.objectContaining({ code: 'bad-option' }));
  it('are refused', () => {
    refused(() => shapes.displacedSphere({ amplitude: 1 }));
    refused(() => shapes.icosphere({ frequency: 1.5 }));
    refused(() =>
      shapes.revolve({
        profile: [
          [0, 0],
          [1, 0],
          [1, 1],
        ],
      }),
    );
    refused(() => shapes.gear({ teeth: 12, boreRadius: 9 }));
    refused(() => shapes.extrude({ outline: shapes.circle(), from: 1, to: 1 }));
    refused(() => shapes.plate({ holes: [{ x: 10, y: 0, radius: 1 }] }));
  });
});
