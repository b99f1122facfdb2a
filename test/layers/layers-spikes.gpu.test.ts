// Sharp and thin parts between the lines of the layers method (Myszkowski et al., section 7), against exact relations:
// tips at every phase of the pixels, and shapes that are thin in other ways.

import { LayersKeep, type Mesh, mesh, shapes } from 'nearfield';
import { describe, expect, test } from 'vitest';
import { openBoth } from '../spec/both-engines.ts';
import { boxBetween, joined, type Triple } from '../spec/sampled/solids.ts';

const slow = process.env.NEARFIELD_SLOW !== undefined;
const both = openBoth();
const { sceneOf } = both;
const asked = { method: 'layers', direction: [0, 0, 1] as Triple, resolution: 32 } as const;

/** A square pyramid with its base below or beside its apex. */
function pyramid(apex: Triple, base: Triple, halfWidth: number): Mesh {
  const axis = [0, 1, 2].reduce((best, k) => (base[k] !== apex[k] ? k : best), 0);
  const [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
  const corners = [
    [-1, -1],
    [1, -1],
    [1, 1],
    [-1, 1],
  ].map(([p, q]) => {
    const corner = [...base];
    corner[u] += p * halfWidth;
    corner[v] += q * halfWidth;
    return corner;
  });
  const indices = [0, 2, 1, 0, 3, 2, 0, 1, 4, 1, 2, 4, 2, 3, 4, 3, 0, 4];
  // Corners run counter-clockwise seen along the axis: the apex lies on the other side or not.
  const flipped = apex[axis] < base[axis];
  if (flipped)
    for (let i = 0; i < indices.length; i += 3) indices.splice(i + 1, 2, indices[i + 2], indices[i + 1]);
  return mesh(Float64Array.from([...corners.flat(), ...apex]), Uint32Array.from(indices));
}

/** Posts that span the view, so that its pixels are 16/31 wide, whatever is between them. */
const posts = (low: number, high: number): Mesh[] => [
  boxBetween([0, 0, low], [0.6, 0.6, high]),
  boxBetween([15.4, 15.4, low], [16, 16, high]),
];
const pixel = 16 / 31;
const phases = [0, 1 / 3, 2 / 3].flatMap(u => [0, 1 / 3, 2 / 3].map(v => [u, v] as const));

/** Whether two bodies meet, exactly. */
function meetsExactly(a: Mesh, b: Mesh): boolean {
  const scene = both.cpu.scene();
  scene.add(a);
  scene.add(b);
  const found = scene.interferencesSync({ detail: 'any' }).length === 1;
  scene.close();
  return found;
}

/** Asks with and without spikes. Returns how many pairs the lines alone found. */
async function expectFound(a: Mesh, b: Mesh, what: string, meeting = true): Promise<number> {
  expect(meetsExactly(a, b), what).toBe(meeting);
  const scene = sceneOf([a], [b]);
  const without = await scene.sampledInterferences({ ...asked, spikes: false });
  const found = await scene.sampledInterferences(asked);
  expect(found.length, `${what}, ${found.layers.spikes} spikes`).toBe(meeting ? 1 : 0);
  expect([found.complete, found.mayMissBelow], what).toEqual([true, without.mayMissBelow]);
  scene.close();
  return without.length;
}

// The slab's posts and the other body's do not touch, but make the common part as wide as the view.
const slab = joined(boxBetween([1, 1, 0], [15, 15, 6]), ...posts(8, 8.5));
const withPosts = (...parts: Mesh[]): Mesh => joined(...parts, ...posts(9, 14));

describe('the tip of a pyramid (M6)', () => {
  const tips = {
    'along the lines': (x: number, y: number) => pyramid([x, y, 6 - 5.8 * pixel], [x, y, 60], 3),
    'across the lines': (x: number, y: number) =>
      pyramid([1 + 5.8 * pixel, y, 3], [-12 + 0.001 * x, y, 3], 0.9),
    'along the lines, hidden between layers of its own body': (x: number, y: number) =>
      joined(
        pyramid([x, y, 6 - 5.8 * pixel], [x, y, 60], 3),
        boxBetween([4, 4, -2], [12, 12, -1]),
        boxBetween([4, 4, 10], [12, 12, 13]),
      ),
  } as const;
  test.each(Object.entries(tips))(
    '%s, 5.8 pixels deep in a slab, is found in every phase',
    async (what, tip) => {
      let byLines = 0;
      for (const [u, v] of phases) {
        const other = withPosts(tip(8 + u * pixel, 8 + v * pixel));
        byLines += await expectFound(slab, other, `${what}, phase ${u}, ${v}`);
        byLines += await expectFound(other, slab, `${what}, phase ${u}, ${v}, exchanged`);
      }
      // The lines alone miss some.
      expect(byLines).toBeLessThan(18);
    },
  );

  test('is not found where it ends above the slab', async () => {
    for (const [u, v] of phases) {
      const [x, y] = [8 + u * pixel, 8 + v * pixel];
      await expectFound(slab, withPosts(pyramid([x, y, 6.01], [x, y, 60], 3)), `phase ${u}, ${v}`, false);
    }
  });

  test('is found while the maps of the other body are kept', async () => {
    const scene = sceneOf([slab], [withPosts(pyramid([8, 8, 6 - 5.8 * pixel], [8, 8, 60], 3))]);
    const reuse = new LayersKeep();
    const [, moving] = scene.bodies;
    for (const [u, v] of phases) {
      // In units of the kept view's pixels, which are those of the whole slab.
      moving.pose = Float64Array.from([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, u * pixel, v * pixel, 0, 1]);
      expect((await scene.sampledInterferences({ ...asked, reuse })).length, `phase ${u}, ${v}`).toBe(1);
    }
    reuse.close();
    scene.close();
  });
});

describe('thin parts of other shapes', () => {
  const thin = 0.02 * pixel;
  const blade = (from: Triple, to: Triple) => boxBetween(from, to);
  test.each([
    ['a needle along the lines', (x: number, y: number) => blade([x, y, 2], [x + thin, y + thin, 13])],
    ['a needle across them', (_x: number, y: number) => blade([-1, y, 3], [5, y + thin, 3 + thin])],
    ['a plate seen edge-on', (x: number, _y: number) => blade([x, 4, 2], [x + thin, 12, 13])],
    ['a plate seen edge-on, askew', (x: number, y: number) => askew(x, y, thin)],
    ['the corner of a wide triangle', (x: number, y: number) => corner(x, y, thin)],
  ] as const)('%s is found in every phase', async (what, make) => {
    for (const [u, v] of phases) {
      const part = make(8 + u * pixel, 8 + v * pixel);
      await expectFound(slab, withPosts(part), `${what}, phase ${u}, ${v}`);
      await expectFound(withPosts(lifted(part)), slab, `${what}, phase ${u}, ${v}, apart`, false);
    }
  });

  test('a needle between needles of the other body', async () => {
    const lower = joined(blade([0, 8, 3], [16, 8 + thin, 3 + thin]), ...posts(8, 8.5));
    await expectFound(lower, withPosts(blade([8, 0, 3], [8 + thin, 16, 3 + thin])), 'crossing');
    const above = 3 + 1.01 * thin;
    await expectFound(lower, withPosts(blade([8, 0, above], [8 + thin, 16, above + thin])), 'above', false);
  });
});

// A surface point of one body is not missed if a ball of this many pixels around it lies in the other (proof.md).
const reach = Math.hypot(1.7, 1.7, 3.2);

test('random slivers whose corner is deep in the other body are always found', async () => {
  const seed = 18;
  const random = shapes.createRandom(seed);
  let byLines = 0;
  const count = slow ? 400 : 25;
  for (let i = 0; i < count; i++) {
    const deep = reach * pixel * 1.001;
    const at = (low: number, high: number) => random.between(low + deep, high - deep);
    const tip = [at(1, 15), at(1, 15), at(0, 6)];
    const width = 10 ** random.between(-6, 0) * pixel;
    const away = random.direction();
    const length = random.between(0.5, 12);
    // Three corners near the end of a ray from the tip.
    const end = tip.map((x, k) => x + length * away[k]);
    const near = () => end.map(x => x + random.between(-width, width));
    const [p, q, r] = [near(), near(), near()];
    const sliver = tetrahedron(tip, p, q, r);
    byLines += await expectFound(slab, withPosts(sliver), `seed ${seed}, number ${i}`);
  }
  expect(byLines).toBeLessThan(count);
});

/** Outward faces, whichever way the corners turn. */
function tetrahedron(...corners: readonly (readonly number[])[]): Mesh {
  const made = (indices: number[]) => mesh(Float64Array.from(corners.flat()), Uint32Array.from(indices));
  const one = made([0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3]);
  return one.volume > 0 ? one : made([0, 1, 2, 0, 3, 1, 1, 3, 2, 2, 3, 0]);
}

/** A box turned about the depth axis by an angle whose tangent is no simple fraction. */
function askew(x: number, y: number, thickness: number): Mesh {
  const part = boxBetween([-5, 0, 2], [5, thickness, 13]);
  const [c, s] = [0.8, 0.6];
  const positions = Float64Array.from(part.positions);
  for (let i = 0; i < positions.length; i += 3) {
    const [u, v] = [positions[i], positions[i + 1]];
    positions[i] = x + c * u - s * v;
    positions[i + 1] = y + s * u + c * v;
  }
  return mesh(positions, part.indices);
}

/** A plate whose wide triangles end in a corner inside the slab. */
function corner(x: number, y: number, thickness: number): Mesh {
  const outline: [number, number][] = [
    [x, 6 - 5.8 * pixel],
    [x + 3, 13],
    [x - 3, 13],
  ];
  const front = outline.map(([u, z]) => [u, y, z]);
  const back = outline.map(([u, z]) => [u, y + thickness, z]);
  const indices = [0, 1, 2, 3, 5, 4, 0, 3, 4, 0, 4, 1, 1, 4, 5, 1, 5, 2, 2, 5, 3, 2, 3, 0];
  return mesh(Float64Array.from([...front, ...back].flat()), Uint32Array.from(indices));
}

/** The part moved to end above the slab. */
function lifted(part: Mesh): Mesh {
  const positions = Float64Array.from(part.positions);
  const by = 6.01 - Math.min(...positions.filter((_, i) => i % 3 === 2));
  for (let i = 2; i < positions.length; i += 3) positions[i] += by;
  return mesh(positions, part.indices);
}
