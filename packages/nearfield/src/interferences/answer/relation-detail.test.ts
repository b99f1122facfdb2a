// If two star-shaped or embedded solids cross, detail 'relation' counts their triangle pairs without listing them. The answer must be
// the same as with 'list'. If the kernel calls a pair of bodies crossing, exact predicates must find that they cross.

import { expect, it } from 'vitest';
import type { Body } from '../../bodies/body.ts';
import { placeCorners } from '../../bodies/snapshot/world.ts';
import { createCpuEngine } from '../../cpu/engine.ts';
import type { CpuScene } from '../../cpu-scene.ts';
import { properCrossing } from '../../math/triangles/triangle-triangle.ts';
import { mesh } from '../../mesh/mesh.ts';
import { open } from '../../nearfield.ts';
import { box, createRandom, icosphere, torus } from '../../shapes/index.ts';
import { cpuPairs } from '../hierarchy/cpu/driver.ts';
import { knownCrossing } from '../request.ts';
import type { Interferences } from './answer.ts';

const unit = box();
/** A box whose top is missing: no solid. */
const tray = mesh(unit.positions, unit.indices.subarray(6));
const kinds = [
  ...[unit, unit, unit, box({ size: [0.5, 0.5, 0.5] }), box({ size: [2, 0.25, 1] })],
  ...[
    icosphere({ frequency: 2 }),
    icosphere({ frequency: 8 }),
    torus({ majorSegments: 8, minorSegments: 6 }),
  ],
  tray,
];

/** Bodies on a grid, which touch, coincide and share corners, and others at random places. */
function fill(scene: CpuScene, seed: number, count = 120): void {
  const random = createRandom(seed);
  for (let i = 0; i < count; i++) {
    const onGrid = random.next() < 0.5;
    const place = () => (onGrid ? random.integer(12) / 4 : random.between(0, 3));
    const [x, y] = onGrid ? [1, 0] : [Math.SQRT1_2, random.between(-1, 1)];
    const pose = [
      x,
      y,
      0,
      0,
      -y,
      x,
      0,
      0,
      0,
      0,
      random.next() < 0.1 ? -1 : 1,
      0,
      place(),
      place(),
      place(),
      1,
    ];
    scene.add(kinds[random.integer(kinds.length)], { pose });
  }
  scene.remove(scene.bodies[random.integer(count)]);
  const squeezed = scene.bodies[random.integer(count - 1)];
  squeezed.deform(Float64Array.from(squeezed.mesh.positions, (x: number) => x / 2));
}

const plain = (answer: Interferences) => ({
  indices: [...answer.indices],
  counts: [...answer.triangleCounts!],
  pairs: answer.pairs.map(pair => ({ count: pair.triangleCount, relation: pair.relation })),
  triangles: answer.pairs.map(pair => [...pair.triangles]),
  points: answer.pairs.map(pair => [...pair.point]),
});

it("gives what 'list' gives: pairs, counts, relations, and what is searched for later", async () => {
  const nf = await open({ backend: 'cpu' });
  for (let seed = 1; seed <= 4; seed++) {
    const scene = nf.scene();
    fill(scene, seed);
    const list = scene.interferencesSync();
    const relation = await scene.interferences({ detail: 'relation' });
    const relations = list.pairs.map(pair => pair.relation);
    expect(await relation.relations(), `seed ${seed}`).toEqual(relations);
    expect(await relation.relations(), `seed ${seed}, asked again`).toEqual(relations);
    expect(plain(scene.interferencesSync({ detail: 'relation' })), `seed ${seed}`).toEqual(plain(list));
    expect(new Set(relations).size).toBeGreaterThanOrEqual(4);
    const keep = (a: Body, b: Body) => (a.index + b.index) % 3 === 0;
    const some = scene.interferencesSync({ detail: 'relation', keep });
    expect(plain(some), `seed ${seed}, filtered`).toEqual(plain(scene.interferencesSync({ keep })));
    // The answer is about the bodies as they were.
    for (const body of scene.bodies)
      body.pose = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 9 * body.index, 0, 0, 1];
    expect(relation.pairs.map(pair => [...pair.triangles])).toEqual(
      list.pairs.map(pair => [...pair.triangles]),
    );
    scene.close();
  }
  nf.close();
});

it('bodies whose triangle pairs are only counted have a pair that crosses by exact predicates', async () => {
  const engine = await createCpuEngine();
  const nf = await open({ backend: 'cpu' });
  let counted = 0;
  for (let seed = 11; seed <= 14; seed++) {
    const scene = nf.scene();
    fill(scene, seed);
    const placed = scene.bodies.map(({ mesh, pose }) => ({
      shape: { mesh, positions: mesh.positions, revision: 0 },
      pose,
      poseRevision: 0,
    }));
    const raw = cpuPairs(engine).interfereSync(placed, { detail: 'list', forRelations: true });
    const { candidates, certain, unsure, counts } = raw;
    const crossing = raw.known!.map(word => Number(word === knownCrossing));
    const all = cpuPairs(engine).interfereSync(placed, { detail: 'list' });
    expect(all.candidates).toEqual(candidates);
    const corners = new Float64Array(18);
    const crosses = new Uint8Array(candidates.length / 2);
    const listed = new Uint32Array(candidates.length / 2);
    for (let r = 0; r < all.certain.length; r += 3) {
      const [c, i, j] = all.certain.subarray(r, r + 3);
      listed[c]++;
      placeCorners(placed[candidates[2 * c]], i, corners, 0);
      placeCorners(placed[candidates[2 * c + 1]], j, corners, 9);
      if (properCrossing(corners)) crosses[c] = 1;
    }
    for (let r = 0; r < certain.length; r += 3) listed[certain[r]]--;
    expect(listed, `seed ${seed}`).toEqual(counts);
    expect(unsure.length).toBe(all.unsure.length);
    for (let c = 0; c < crosses.length; c++) {
      if (crossing[c] === 1) expect(crosses[c], `seed ${seed}, candidate ${c}`).toBe(1);
      expect(counts![c] > 0, `seed ${seed}, candidate ${c}`).toBe(crossing[c] === 1);
      counted += crossing[c];
    }
    scene.close();
  }
  expect(counted).toBeGreaterThan(100);
  nf.close();
});
