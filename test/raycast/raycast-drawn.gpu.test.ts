// The published algorithms (Knott, Algorithms 1 to 5) on many bodies in one picture, against exact distances and against
// edges that plainly lie in another body and are plainly in view.

import type { Body, CpuScene, RaycastFound, Scene } from 'nearfield';
import { mesh, shapes } from 'nearfield';
import { describe, expect, test } from 'vitest';
import { openBoth } from '../spec/both-engines.ts';
import { boxBetween, star, worldBox } from '../spec/sampled/solids.ts';
import { rigid, translation } from '../spec/scenes.ts';

const slow = process.env.NEARFIELD_SLOW !== undefined;
const both = openBoth();
const method = 'raycast';
const countings = ['stencil', 'queries', 'pixels'] as const;
const indices = (bodies: readonly Body[]) => bodies.map(({ index }) => index);

/** A scene of bodies of different sizes in mixed order, on both engines. */
function mixedScene(seed: number, count: number, reach: number): { scene: Scene; oracle: CpuScene } {
  const [scene, oracle] = [both.gpu.scene(), both.cpu.scene()];
  const random = shapes.createRandom(seed);
  for (let i = 0; i < count; i++) {
    // Few edges, so that many of them are in view.
    const size = () => random.between(0.4, 2);
    const mesh = random.integer(3) === 0 ? star(4, 0.4) : shapes.box({ size: [size(), size(), size()] });
    const pose = rigid(random, 0);
    for (let k = 0; k < 3; k++) pose[12 + k] = (k < 2 ? reach : 0.5) * random.between(-1, 1);
    scene.add(mesh, { pose });
    oracle.add(mesh, { pose });
  }
  return { scene, oracle };
}

interface Segment {
  readonly body: number;
  readonly ends: readonly [readonly number[], readonly number[]];
}

function worldEdges({ index, mesh, pose }: Body): Segment[] {
  const place = (vertex: number) => {
    const [x, y, z] = mesh.positions.subarray(3 * vertex, 3 * vertex + 3);
    return [0, 1, 2].map(row => pose[row] * x + pose[4 + row] * y + pose[8 + row] * z + pose[12 + row]);
  };
  const { vertices, count } = mesh.edges;
  return Array.from({ length: count }, (_, e) => ({
    body: index,
    ends: [place(vertices[2 * e]), place(vertices[2 * e + 1])],
  }));
}

/** The axis that one view looks along: the thinnest extent of the box around the common boxes of candidates. */
function viewAxis(oracle: CpuScene): number {
  const around = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
  for (const [a, b] of oracle.candidates()) {
    const [p, q] = [worldBox(a), worldBox(b)];
    for (let k = 0; k < 3; k++) {
      around[k] = Math.min(around[k], Math.max(p[k], q[k]));
      around[k + 3] = Math.max(around[k + 3], Math.min(p[k + 3], q[k + 3]));
    }
  }
  const extents = [0, 1, 2].map(k => around[k + 3] - around[k]);
  return extents.indexOf(Math.min(...extents));
}

/**
 * Points of edges that no form may overlook: deeper than `depth` in another body, and in view, since no other edge
 * passes nearer to the viewer within `beside` of the point, seen along the axis. Given as "edge's body in body"; the
 * second is left out if the point is in or near a third body too.
 */
function plainHits(oracle: CpuScene, axis: number, depth: number, beside: number): Set<string> {
  const edges = [...oracle.bodies].flatMap(worldEdges);
  const [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
  const shares = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];
  const samples = edges.flatMap((edge, e) =>
    shares.map(share => ({ e, at: edge.ends[0].map((x, k) => x + share * (edge.ends[1][k] - x)) })),
  );
  const points = Float64Array.from(samples.flatMap(({ at }) => at));
  const around = samples.map((): { deep: number[]; near: number } => ({ deep: [], near: 0 }));
  for (const body of oracle.bodies) {
    const places = oracle.insideSync(body, points);
    const { distances } = oracle.closestSync(body, points);
    samples.forEach(({ e }, i) => {
      if (edges[e].body === body.index) return;
      if (places[i] === 1 || distances[i] <= depth) around[i].near++;
      if (places[i] === 1 && distances[i] > depth) around[i].deep.push(body.index);
    });
  }
  const isHidden = ({ e, at }: (typeof samples)[number]) =>
    edges.some(({ ends: [p, q] }, other) => {
      if (other === e) return false;
      // The point of the other edge that is seen nearest to this one.
      const run = [q[u] - p[u], q[v] - p[v]];
      const length = run[0] ** 2 + run[1] ** 2;
      const along = length === 0 ? 0 : ((at[u] - p[u]) * run[0] + (at[v] - p[v]) * run[1]) / length;
      const share = Math.min(1, Math.max(0, along));
      const off = Math.hypot(p[u] + share * run[0] - at[u], p[v] + share * run[1] - at[v]);
      if (off > beside) return false;
      // Its least depth near there.
      const rise = q[axis] - p[axis];
      const least = p[axis] + share * rise - (2 * beside * Math.abs(rise)) / Math.sqrt(length);
      return length === 0 || Math.max(least, Math.min(p[axis], q[axis])) <= at[axis] + beside;
    });
  const hits = new Set<string>();
  samples.forEach((sample, i) => {
    const { deep, near } = around[i];
    if (deep.length === 0 || isHidden(sample)) return;
    const { body } = edges[sample.e];
    hits.add(`${body}`);
    if (near === 1) hits.add(`${body} in ${deep[0]}`);
  });
  return hits;
}

describe('Algorithms 1 to 5 on many bodies', () => {
  // Edges that are plainly in view are rare; these seeds have some, most others too.
  const seeds = Array.from({ length: slow ? 20 : 2 }, (_, i) => 301 + i);
  let plainCount = 0;
  test.each(seeds)('seed %i', async seed => {
    const { scene, oracle } = mixedScene(seed, slow ? 60 : 30, slow ? 5.5 : 4);
    const [resolution, offset] = [256, 0.02];
    const ask = <Asked extends 'any' | 'penetrating' | 'both'>(
      asked: Asked,
      counting: (typeof countings)[number],
    ) =>
      scene.sampledInterferences({
        method,
        ask: asked,
        counting,
        resolution,
        offset,
      }) as Promise<RaycastFound>;
    const first = await ask('penetrating', 'stencil');
    const { pixel, tiles } = first.raycast;
    expect(tiles).toBe(1);
    // Each edge is moved by up to twice the offset, and its line is a pixel wide: farther apart than that, two edges do
    // not share a pixel.
    const beside = 4 * offset + 3 * pixel;
    const plain = plainHits(oracle, viewAxis(oracle), first.mayReportWithin, beside);
    plainCount += plain.size;
    const near = [...oracle.withinSync(first.mayReportWithin * 1.0001)].map(({ a, b }) => [a.index, b.index]);
    const named = new Set(indices(first.penetrating));
    for (const hit of plain) if (!hit.includes('in')) expect(named, `seed ${seed}`).toContain(Number(hit));
    for (const index of named) expect(near.flat(), `seed ${seed}`).toContain(index);
    const penetrated = new Set<number>();
    for (const counting of countings) {
      const about = `seed ${seed}, ${counting}`;
      expect((await ask('any', counting)).any, about).toBe(named.size > 0);
      expect(indices((await ask('penetrating', counting)).penetrating), about).toEqual(
        indices(first.penetrating),
      );
      const answer = await ask('both', counting);
      expect(indices(answer.penetrating), about).toEqual(indices(first.penetrating));
      for (const body of answer.penetrated) penetrated.add(body.index);
      expect(answer.notClosed, about).toEqual([]);
    }
    const answers = await Promise.all(
      (['stencil', 'pixels'] as const).map(counting =>
        scene.sampledInterferences({ method, counting, resolution, offset }),
      ),
    );
    expect(answers[0].indices).toEqual(answers[1].indices);
    const pairs = new Set(answers[0].pairs.map(({ a, b }) => `${a.index} ${b.index}`));
    const nearPairs = new Set(near.map(([a, b]) => `${a} ${b}`));
    for (const pair of pairs) expect(nearPairs, `seed ${seed}`).toContain(pair);
    for (const hit of plain) {
      if (!hit.includes('in')) continue;
      const [edge, body] = hit.split(' in ').map(Number);
      expect(pairs, `seed ${seed}`).toContain(`${Math.min(edge, body)} ${Math.max(edge, body)}`);
      expect(penetrated, `seed ${seed}`).toContain(body);
    }
    scene.close();
    oracle.close();
  });

  test('some edges were plainly in view', () => {
    expect(plainCount).toBeGreaterThan(slow ? 60 : 10);
  });

  test('all bodies are one draw per pass, however their meshes differ', async () => {
    const dispatches = async (count: number, counting: 'stencil' | 'queries') => {
      const { scene, oracle } = mixedScene(7, count, 1.5);
      const question = { method, ask: 'any', counting, resolution: 32 } as const;
      await scene.sampledInterferences(question);
      const { stats } = await scene.sampledInterferences(question);
      scene.close();
      oracle.close();
      return stats.dispatches;
    };
    for (const counting of ['stencil', 'queries'] as const) {
      expect(await dispatches(24, counting)).toBe(await dispatches(6, counting));
    }
  });

  test('solids are drawn once before edges, and no pixel is summed up for queries', async () => {
    const scene = both.sceneOf([star(5, 0.4)], [star(5, 0.4), translation(0.3, 0.2, 0.1)]);
    const clear = both.sceneOf(
      [shapes.torus({ majorRadius: 1, minorRadius: 0.2, majorSegments: 16, minorSegments: 8 })],
      [shapes.icosphere({ radius: 0.3, frequency: 2 })],
    );
    const ask = { method, ask: 'both', counting: 'queries', resolution: 32 } as const;
    const first = async (asked: Scene) => {
      await asked.sampledInterferences(ask);
      return (await asked.sampledInterferences(ask)).stats.dispatches;
    };
    // Edges, the pixels without one, faces, a query for each body's edges; then each body's faces twice, to name it.
    expect([await first(clear), await first(scene)]).toEqual([5, 9]);
  });

  test('faces are counted only where there is an edge', async () => {
    // Two triangles in one square, clear of each other as seen. Their inner pixels have a face and no edge.
    const triangles = [
      [0, 0, 0, 1, 0, 0.1, 0, 1, 0.1],
      [1, 1, 0, 0.1, 1, 0.1, 1, 0.1, 0.1],
    ];
    for (const corners of [
      [0, 1, 2],
      [0, 2, 1],
    ]) {
      const scene = both.sceneOf(
        ...triangles.map(own => [mesh(new Float64Array(own), new Uint32Array(corners))] as const),
      );
      for (const counting of ['stencil', 'queries'] as const) {
        const ask = { method, ask: 'both', counting, allowOpen: true, resolution: 64 } as const;
        const { penetrated } = await scene.sampledInterferences(ask);
        expect(indices(penetrated), `${counting}, ${corners}`).toEqual([]);
      }
    }
  });

  test('the places of triangles are found again only after leaves may have moved', async () => {
    const [near, far] = [star(5, 0.4), shapes.icosphere({ frequency: 2 })];
    const scene = both.sceneOf([near], [far, translation(0.3, 0.2, 0.1)]);
    const ask = async (asked: Scene, counting: (typeof countings)[number]) => {
      const { penetrating, penetrated, stats } = await asked.sampledInterferences({
        ...{ method, ask: 'both', counting, resolution: 64 },
      });
      return { answer: [indices(penetrating), indices(penetrated)], dispatches: stats.dispatches };
    };
    for (const counting of countings) {
      await ask(scene, counting);
      const again = await ask(scene, counting);
      expect((await ask(scene, counting)).dispatches, counting).toBe(again.dispatches);
      // With other axes, the shape's triangles are in another order along the curve.
      const turned = far.positions.map((_, i) => far.positions[i - (i % 3) + ((i + 1) % 3)]);
      const other = mesh(turned, far.indices);
      const fresh = both.sceneOf([near], [other, translation(0.3, 0.2, 0.1)]);
      const before = await ask(fresh, counting);
      const deformed = both.sceneOf([near], [far, translation(0.3, 0.2, 0.1)]);
      await ask(deformed, counting);
      await ask(deformed, counting);
      deformed.bodies[1].deform(turned);
      const after = await ask(deformed, counting);
      expect(after.answer, counting).toEqual(before.answer);
      expect(after.dispatches, counting).toBeGreaterThan(again.dispatches);
    }
  });

  test.runIf(slow)('more bodies than 16 bits can name', async () => {
    // A plane of pairs: a box, and another one that pierces it aslant.
    const [scene, side] = [both.gpu.scene(), 182];
    const [plate, post] = [shapes.box({ size: [1, 1, 0.2] }), shapes.box({ size: [0.4, 0.4, 0.6] })];
    for (let i = 0; i < side * side; i++) {
      const pose = translation(1.5 * (i % side), 1.5 * Math.floor(i / side), 0);
      scene.add(plate, { pose });
      scene.add(post, { pose: [0.8, 0, -0.6, 0, 0, 1, 0, 0, 0.6, 0, 0.8, 0, ...pose.slice(12)] });
    }
    expect(scene.bodies.length).toBeGreaterThan(2 ** 16);
    const ask = { method, ask: 'penetrating', resolution: 8 * side, offset: 0 } as const;
    const named = async (counting: 'pixels' | 'stencil') =>
      indices((await scene.sampledInterferences({ ...ask, counting })).penetrating);
    const byPixels = await named('pixels');
    expect(byPixels).toEqual(await named('stencil'));
    expect(byPixels.length).toBeGreaterThan(0);
    expect(Math.max(...byPixels)).toBeGreaterThanOrEqual(2 ** 16);
    scene.close();
  });

  test('a filter leaves pairs out of pixels that are read back', async () => {
    const scene = both.gpu.scene();
    for (const [i, group] of ['a', 'a', 'b'].entries()) {
      const pose = translation(0.7 * i, 0.5 * i, 0.4 * i);
      scene.add(boxBetween([0, 0, 0], [2, 2, 2 + i]), { pose, group });
    }
    const question = { method, counting: 'pixels', resolution: 64, groups: 'different' } as const;
    expect((await scene.sampledInterferences(question)).indices).toEqual(Uint32Array.from([0, 2, 1, 2]));
    const none = await scene.sampledInterferences({ ...question, ask: 'any', keep: () => false });
    expect(none.any).toBe(false);
    scene.close();
  });
});

test('reads the stencil of pictures that become smaller', async () => {
  const scene = both.gpu.scene();
  const cube = boxBetween([0, 0, 0], [2, 2, 2]);
  scene.add(cube);
  const moved = scene.add(cube);
  const ask = { method, counting: 'pixels', ask: 'any', resolution: 64 } as const;
  for (const y of [0.6, 1.2, 0.6, 0.9]) {
    moved.pose = translation(0.5, y, 1);
    expect((await scene.sampledInterferences(ask)).any, `${y}`).toBe(true);
  }
  scene.close();
});

test('phases are timed if pixels are read back, and only then', async () => {
  const scene = both.sceneOf([star(5, 0.4)], [star(5, 0.4), translation(0.3, 0.2, 0.1)]);
  for (const ask of ['any', 'penetrating', 'both', 'pairs'] as const) {
    const { raycast, any } = await scene.sampledInterferences({ method, ask, counting: 'pixels' });
    expect(any).toBe(true);
    for (const phase of ['render', 'read', 'parse'] as const) {
      expect(raycast.phases![phase]).toBeGreaterThanOrEqual(0);
      expect(raycast.phases![phase]).toBeLessThan(60_000);
    }
  }
  const { raycast } = await scene.sampledInterferences({ method, ask: 'both', counting: 'stencil' });
  expect(raycast.phases).toBeUndefined();
});

test.each([
  [{ counting: 'pixels', ask: 'edges' }, 'edges'],
  [{ counting: 'pixels', ask: 'any', allowOpen: true }, 'allowOpen'],
])('refuses %o', async (options, word) => {
  const given = { method, ...options } as unknown as { method: 'raycast' };
  const scene = both.sceneOf([shapes.box()], [shapes.box(), translation(0.5, 0, 0)]);
  await expect(scene.sampledInterferences(given)).rejects.toMatchObject({
    code: 'bad-option',
    message: expect.stringContaining(word),
  });
});
