// One scene asked repeatedly while its bodies come, go, split, move and deform, with filters and in less detail:
// images keep nothing of the previous question. Compared with a CPU scene that goes through the same changes.

import { type Body, type InterferenceOptions, type Mesh, mesh, type Scene, shapes } from 'nearfield';
import { expect, test } from 'vitest';
import { openBoth } from '../spec/both-engines.ts';
import { rigid } from '../spec/scenes.ts';

const slow = process.env.NEARFIELD_SLOW !== undefined;
const method = 'visibility';
const both = openBoth();

/** A scene on the GPU and the same on the CPU. */
class Twins {
  readonly seen = both.gpu.scene();
  readonly exact = both.cpu.scene();
  readonly bodies: [Body, Body][] = [];

  add(shape: Mesh, pose: number[]): void {
    this.bodies.push([this.seen.add(shape, { pose }), this.exact.add(shape, { pose })]);
  }
  remove(at: number): void {
    const [[seen, exact]] = this.bodies.splice(at, 1);
    this.seen.remove(seen);
    this.exact.remove(exact);
  }
  each(at: number, change: (body: Body) => void): void {
    this.bodies[at].forEach(change);
  }
  list(scene: Scene, pairs: Iterable<{ a: Body; b: Body; triangles: Uint32Array }>): unknown[] {
    const side = scene === this.seen ? 0 : 1;
    const placeOf = new Map(this.bodies.map((pair, i) => [pair[side], i]));
    return [...pairs].map(({ a, b, triangles }) => [placeOf.get(a), placeOf.get(b), ...triangles]);
  }
  async agree(note: string, options: InterferenceOptions): Promise<number> {
    const answer = await this.seen.interferences({ method, ...options });
    const exact = this.exact.interferencesSync();
    expect(this.list(this.seen, answer), note).toEqual(this.list(this.exact, exact));
    expect(answer.stats.visibility!.triangles.all, note).toBe(
      this.bodies.reduce((sum, [{ mesh }]) => sum + mesh.triangleCount, 0),
    );
    return exact.length;
  }
  close(): void {
    this.seen.close();
    this.exact.close();
  }
}

/** The triangles of a mesh on either side of a plane through the origin across an axis, by their first corner. */
function halves({ positions, indices }: Mesh, axis: number): Mesh[] {
  return [-1, 1].flatMap(side => {
    const kept: number[] = [];
    for (let t = 0; t < indices.length; t += 3) {
      if (positions[3 * indices[t] + axis] < 0 === side < 0) kept.push(...indices.subarray(t, t + 3));
    }
    return kept.length > 0 ? [mesh(positions, Uint32Array.from(kept))] : [];
  });
}

const ways: readonly InterferenceOptions[] = [
  { resolution: 32 },
  { resolution: 40, offset: 'boxes' },
  { resolution: 32, offset: 'exact' },
  { resolution: 24, queries: 'occlusion' },
  { resolution: 24, offset: 'bounded' },
  { resolution: 32, survivors: 'sweep' },
  { resolution: 24, survivors: 'sweep', stages: 'published' },
];

test('bodies come, go, split, move and deform at random', { timeout: 300_000 }, async () => {
  for (let seed = 1; seed <= (slow ? 12 : 1); seed++) {
    const random = shapes.createRandom(seed);
    const parts = [
      shapes.icosphere({ frequency: 2, radius: 0.5 }),
      shapes.box({ size: [1.5, 0.2, 0.15] }),
      shapes.torus({ majorSegments: 8, minorSegments: 5, majorRadius: 0.6, minorRadius: 0.15 }),
    ];
    const twins = new Twins();
    for (let i = 0; i < 4; i++) twins.add(parts[i % 3], rigid(random, 0.9));
    let found = 0;
    for (let step = 0; step < (slow ? 30 : 10); step++) {
      const at = random.integer(twins.bodies.length);
      const [body] = twins.bodies[at];
      const change = step < 6 ? step : random.integer(6);
      if (change === 0) twins.add(parts[random.integer(3)], rigid(random, 0.9));
      if (change === 1) {
        // The same number of bodies as before, with other triangles.
        twins.remove(at);
        twins.add(parts[random.integer(3)], rigid(random, 0.9));
      }
      if (change === 2) {
        const pose = [...body.pose];
        twins.remove(at);
        for (const half of halves(body.mesh, random.integer(3))) twins.add(half, pose);
      }
      if (change === 3) {
        const pose = rigid(random, 0.9);
        twins.each(at, one => {
          one.pose = pose;
        });
      }
      if (change === 4) {
        const positions = body.mesh.positions.map(x => x * 1.1 + random.between(-0.1, 0.1));
        twins.each(at, one => one.deform(positions));
      }
      if (change === 5 && twins.bodies.length > 3) twins.remove(at);
      found += await twins.agree(`seed ${seed}, step ${step}, change ${change}`, ways[step % ways.length]);
    }
    expect(found).toBeGreaterThan(0);
    twins.close();
  }
});

test('filters, counts, and yes or no', async () => {
  const random = shapes.createRandom(7);
  const scene = both.gpu.scene();
  const sphere = shapes.icosphere({ frequency: 2 });
  const bodies = Array.from({ length: 6 }, (_, i) =>
    scene.add(sphere, { pose: rigid(random, 0.8), group: i % 2 === 0 ? 'even' : 'odd' }),
  );
  const asked: InterferenceOptions[] = [
    { groups: 'different' },
    { allowed: [[bodies[0], bodies[1]]] },
    { keep: (a, b) => a.index + b.index > 4 },
  ];
  for (const options of asked) {
    const list = async (more: InterferenceOptions) =>
      [...(await scene.interferences({ ...options, ...more }))].map(({ a, b, triangleCount }) => [
        ...[a.index, b.index],
        triangleCount,
      ]);
    const trees = await list({});
    expect(trees.length).toBeGreaterThan(0);
    const resolution = 24;
    expect(await list({ method, resolution })).toEqual(trees);
    expect(await list({ method, resolution, detail: 'count' })).toEqual(trees);
    const any = await scene.interferences({ method, resolution, detail: 'any', ...options });
    expect([...any].map(({ a, b }) => [a.index, b.index])).toEqual(trees.map(([a, b]) => [a, b]));
  }
  scene.close();
});

test.each(ways)('solids that contain others are never culled: %j', async options => {
  // The large solid has no triangle near the small ones; no view sees them in front of it or behind it.
  const scene = both.gpu.scene();
  const sphere = shapes.icosphere({ frequency: 3 });
  const scaled = (by: number, x: number) => [by, 0, 0, 0, 0, by, 0, 0, 0, 0, by, 0, x, 0.1, -0.2, 1];
  scene.add(sphere, { pose: scaled(1000, 0) });
  for (const [by, x] of [
    [1, 0],
    [0.01, 0.3],
    [1e-4, 20],
  ]) {
    scene.add(sphere, { pose: scaled(by, x) });
  }
  const answer = await scene.interferences({ method, ...options });
  expect([...answer].map(({ a, b, relation }) => `${a.index} ${relation} ${b.index}`)).toEqual([
    '0 contains 1',
    '0 contains 2',
    '0 contains 3',
    '1 contains 2',
  ]);
  scene.close();
});
