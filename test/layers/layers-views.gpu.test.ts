// The layers method: its view directions, what it keeps while a body moves, bodies too thin for lines, and both sides
// of its bounds.

import {
  type CpuScene,
  LayersKeep,
  type LayersOptions,
  type Mesh,
  mesh,
  type Scene,
  shapes,
} from 'nearfield';
import { describe, expect, test } from 'vitest';
import { jawParts, jawStages } from '../../packages/samples/src/jaws/jaws.ts';
import { openBoth } from '../spec/both-engines.ts';
import { boxBetween, joined, type Triple } from '../spec/sampled/solids.ts';
import { rigid, translation } from '../spec/scenes.ts';

const slow = process.env.NEARFIELD_SLOW !== undefined;
const both = openBoth();
const { sceneOf } = both;
const method = 'layers';

type Given = readonly [Mesh, (readonly number[])?];

const dot = (u: ArrayLike<number>, v: ArrayLike<number>) => u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
const degreesBetween = (u: ArrayLike<number>, v: ArrayLike<number>) =>
  (Math.acos(Math.min(1, Math.abs(dot(u, v)) / Math.sqrt(dot(u, u) * dot(v, v)))) * 180) / Math.PI;

/** About x, then about y, in degrees. */
function turn(aboutX: number, aboutY: number): number[] {
  const [s, c] = [Math.sin((aboutX * Math.PI) / 180), Math.cos((aboutX * Math.PI) / 180)];
  const [t, d] = [Math.sin((aboutY * Math.PI) / 180), Math.cos((aboutY * Math.PI) / 180)];
  return [d, 0, -t, 0, s * t, c, s * d, 0, c * t, -s, c * d, 0, 0, 0, 0, 1];
}

/** A mesh with rotated positions, so that its own box is oblique. */
function turned(part: Mesh, pose: readonly number[]): Mesh {
  const { positions } = part;
  const out = new Float64Array(positions.length);
  for (let i = 0; i < out.length; i += 3) {
    for (let k = 0; k < 3; k++) {
      out[i + k] =
        pose[k] * positions[i] +
        pose[4 + k] * positions[i + 1] +
        pose[8 + k] * positions[i + 2] +
        pose[12 + k];
    }
  }
  return mesh(out, part.indices);
}

async function mapOf(scene: Scene, options: LayersOptions) {
  const answer = await scene.sampledInterferences({ ...options, method });
  const [a, b] = scene.bodies;
  return { answer, map: answer.mapsOf({ a, b })[0] };
}

describe('view directions (M4)', () => {
  const slab = (low: number, high: number) => boxBetween([-2, -1.5, low], [2, 1.5, high]);
  test('boxes: across the largest sides of their intersection, each in its own frame', async () => {
    // The boxes of a and of b, rotated by 20 degrees, each have a flat common part. The direction is the mean of their
    // normals.
    const scene = sceneOf([slab(0, 1)], [slab(0.9, 1.9), turn(20, 0)]);
    const { map } = await mapOf(scene, { resolution: 24, direction: 'boxes' });
    const half = (10 * Math.PI) / 180;
    expect(degreesBetween(map.view.direction, [0, -Math.sin(half), Math.cos(half)])).toBeLessThan(0.01);
    // B lies ahead of A.
    expect(map.view.direction[2]).toBeGreaterThan(0);
  });

  test('normals: across the facing surfaces even if boxes are oblique, which makes depths more precise', async () => {
    const pose = turn(35, 25);
    const normal = [pose[8], pose[9], pose[10]];
    const scene = sceneOf([turned(slab(0, 0.5), pose)], [turned(slab(0.45, 1), pose)]);
    const boxes = await mapOf(scene, { resolution: 32, direction: 'boxes' });
    const normals = await mapOf(scene, { resolution: 32, direction: 'normals' });
    expect(degreesBetween(boxes.map.view.direction, normal)).toBeGreaterThan(5);
    expect(degreesBetween(normals.map.view.direction, normal)).toBeLessThan(5);
    expect([boxes.answer.length, normals.answer.length, normals.answer.layers.directions]).toEqual([1, 1, 1]);
    // Nearly along the slabs, depths are far less certain.
    const grazing: Triple = [
      pose[0] + 0.01 * normal[0],
      pose[1] + 0.01 * normal[1],
      pose[2] + 0.01 * normal[2],
    ];
    const bad = await mapOf(scene, { resolution: 32, direction: grazing });
    const relative = ({ answer }: typeof bad) => answer.mayReportWithin / answer.layers.pixel;
    expect(relative(normals)).toBeLessThan(relative(bad));
    expect(normals.answer.layers.overlapped).toBeGreaterThan(bad.answer.layers.overlapped);
  });

  test('several: if normals differ much, one direction is not enough', async () => {
    // A steep wedge, and blocks over both of its flanks.
    const wedge = shapes.extrude({
      outline: [
        [-1, 0],
        [1, 0],
        [0, 3],
      ],
      from: 0,
      to: 4,
    });
    const block = shapes.extrude({
      outline: [
        [1.15, 0],
        [2, 0],
        [2, 1.5],
        [0.65, 1.5],
      ],
      from: 0,
      to: 4,
    });
    const opposite = turned(block, [-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1, 0, 0, 0, 4, 1]);
    const scene = sceneOf([wedge], [joined(block, opposite)]);
    const answer = await scene.sampledInterferences({ method, resolution: 24, direction: 'normals' });
    expect([answer.layers.directions, answer.length, answer.complete]).toEqual([3, 0, true]);
    const [a, b] = scene.bodies;
    const maps = answer.mapsOf({ a, b });
    expect(Math.abs(dot(maps[0].view.direction, maps[1].view.direction))).toBeLessThan(1e-9);
    // Along z a wall between the lines is missed; across it is not.
    const wall = boxBetween([0, 0, 0], [1e-3, 4, 4]);
    const thin = sceneOf([wall], [boxBetween([-2, 0.5, 0.5], [2, 3, 3])]);
    const asked = { method, resolution: 16, spikes: false } as const;
    expect((await thin.sampledInterferences({ ...asked, direction: [0, 0, 1] })).length).toBe(0);
    expect((await thin.sampledInterferences({ ...asked, direction: 'several' })).length).toBe(1);
  });
});

describe("A's maps while B moves (M5)", () => {
  const steps = 20;
  const pairOf = (): [Scene, CpuScene] => {
    const parts: Given[] = [
      [shapes.torus({ majorRadius: 1, minorRadius: 0.35, majorSegments: 20, minorSegments: 10 })],
      [shapes.icosphere({ radius: 0.5, frequency: 3 }), translation(2, 0, 0.2)],
    ];
    const oracle = both.cpu.scene();
    for (const [part, pose] of parts) oracle.add(part, pose ? { pose } : {});
    return [sceneOf(...parts), oracle];
  };

  test('are kept wherever both bodies go, and do not change answers', async () => {
    const [scene, oracle] = pairOf();
    const reuse = new LayersKeep();
    const random = shapes.createRandom(6);
    const asked = {
      method,
      algorithm: 'extended',
      resolution: 32,
      direction: [0.1, 0.2, 1] as Triple,
    } as const;
    let [reused, met] = [0, 0];
    for (let step = 0; step < steps; step++) {
      const moved = [...rigid(random, 0).slice(0, 12), 2.2 - 0.1 * step, 0.05 * step, 0.2, 1];
      // Now and then the other body moves, rigidly.
      const carried = step % 7 === 6 ? rigid(random, 0.2) : undefined;
      for (const each of [scene, oracle]) {
        each.bodies[1].pose = Float64Array.from(moved);
        if (carried) each.bodies[0].pose = Float64Array.from(carried);
      }
      const kept = await scene.sampledInterferences({ ...asked, reuse });
      if (kept.length === 0 && !kept.layers.directions) continue;
      const exact = oracle.interferencesSync({ detail: 'any' }).length;
      const free = await scene.sampledInterferences(asked);
      expect([kept.length, free.length], `step ${step}`).toEqual([exact, exact]);
      met += exact;
      if (!kept.layers.reused) continue;
      reused++;
      // Neither triangles nor strips of A are drawn.
      expect(kept.stats.dispatches, `step ${step}`).toBeLessThan(free.stats.dispatches);
    }
    expect(met).toBeGreaterThan(3);
    expect(reused).toBeGreaterThan(5);
    reuse.close();
    await expect(scene.sampledInterferences({ ...asked, reuse })).rejects.toMatchObject({ code: 'closed' });
  });

  test('are drawn again if A deforms', async () => {
    const scene = sceneOf([shapes.icosphere({ frequency: 3 })], [shapes.box(), translation(0.68, 0, 1)]);
    const [a] = scene.bodies;
    const reuse = new LayersKeep();
    const ask = () =>
      scene.sampledInterferences({
        method,
        algorithm: 'extended',
        resolution: 16,
        direction: [0, 0, 1],
        reuse,
      });
    expect((await ask()).layers.reused).toBe(false);
    expect((await ask()).layers.reused).toBe(true);
    a.deform(a.mesh.positions.map((x, i) => (i % 3 === 0 ? 0.2 * x : x)) as Float64Array);
    const after = await ask();
    expect([after.layers.reused, after.length]).toEqual([false, 0]);
    expect((await ask()).layers.reused).toBe(true);
    reuse.close();
  });

  test('exchanges A and B if many pixels need the near side of A', async () => {
    // B before A.
    const scene = sceneOf([boxBetween([0, 0, 0], [2, 2, 2])], [boxBetween([0.2, 0.2, -1], [1.8, 1.8, 0.5])]);
    const reuse = new LayersKeep();
    const ask = () => scene.sampledInterferences({ method, resolution: 16, direction: [0, 0, 1], reuse });
    const orders = [];
    for (let i = 0; i < 3; i++) {
      const { layers, length } = await ask();
      orders.push(`${layers.order} ${layers.passes} ${layers.reused}`);
      expect(length).toBe(1);
    }
    expect(orders).toEqual(['ab 2 false', 'ba 1 false', 'ba 1 true']);
    reuse.close();
    // If only B is convex along many lines, it stays, however many pixels need its near side.
    const plates = joined(...[0, 2, 4].map(z => boxBetween([0, 0, z], [2, 2, z + 1])));
    const between = sceneOf([plates], [boxBetween([0.2, 0.2, 1.2], [1.8, 1.8, 1.8])]);
    const other = new LayersKeep();
    const again = [];
    for (let i = 0; i < 3; i++) {
      const answer = await between.sampledInterferences({
        method,
        resolution: 16,
        direction: [0, 0, 1],
        reuse: other,
      });
      again.push(`${answer.layers.order} ${answer.layers.passes} ${answer.layers.reused} ${answer.length}`);
    }
    expect(again).toEqual(['ba 2 false 0', 'ba 2 true 0', 'ba 2 true 0']);
    other.close();
  });
});

describe('bodies too thin for lines (M6)', () => {
  /** A block beside it, which sets the size of pixels, and a needle from it. */
  const needle = (from: Triple, to: Triple, width: number): Mesh => {
    const [x, y, z] = from;
    const base = [
      [x - width, y - width],
      [x + width, y - width],
      [x, y + width],
    ];
    const positions = [...base.flatMap(([u, v]) => [u, v, z]), ...to];
    return mesh(Float64Array.from(positions), Uint32Array.of(0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3));
  };
  const across = (y: number, z: number, width: number) =>
    turned(needle([0, 0, 0], [0, 0, 8], width), [0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, y, z, 1]);
  const asked = { method, direction: [0, 0, 1] as Triple, resolution: 32 } as const;

  test('a needle through a cube, and a needle against a needle', async () => {
    const cube = boxBetween([2, 2, 0], [6, 6, 4]);
    const width = 0.05 * (8 / 31);
    const pair = (b: Mesh, a: Mesh = cube) =>
      sceneOf(
        [joined(a, boxBetween([0, 0, 9], [8, 8, 9.5]))],
        [joined(b, boxBetween([0, 0, -2], [8, 8, -1]))],
      );
    for (const [what, scene, meeting] of [
      ['through a cube', pair(across(3.01, 1, width)), 1],
      ['above the cube', pair(across(3.01, 5, width)), 0],
      [
        'needle against needle',
        pair(
          across(3.01, 1, width),
          turned(needle([0, 0, 0], [0, 0, 8], width), [1, 0, 0, 0, 0, 0, -1, 0, 0, 1, 0, 0, 3.9, 0, 1, 1]),
        ),
        1,
      ],
    ] as const) {
      const oracle = both.cpu.scene();
      for (const { mesh: part } of scene.bodies) oracle.add(part);
      expect(oracle.interferencesSync({ detail: 'any' }).length, what).toBe(meeting);
      const without = await scene.sampledInterferences({ ...asked, spikes: false });
      const found = await scene.sampledInterferences(asked);
      expect([without.length, found.length], what).toEqual([0, meeting]);
      expect(found.layers.spikes, what).toBeGreaterThan(0);
      expect(found.layers.bySpikesAlone, what).toBe(meeting);
    }
  });

  test('bodies that lines see well have no spikes', async () => {
    const scene = sceneOf(
      [shapes.icosphere({ frequency: 6 })],
      [shapes.icosphere({ frequency: 6 }), translation(1, 0.3, 0.9)],
    );
    const { layers } = await scene.sampledInterferences({ method, resolution: 64 });
    expect(layers.spikes).toBe(0);
  });
});

describe('bounds', () => {
  const slab = boxBetween([0, 0, 0], [16, 16, 4]);
  /** Two posts above the slab span the view; the cube that hangs in the slab lies wholly in it. */
  const hanging = (side: number, x: number, y: number) =>
    joined(
      boxBetween([0, 0, 4.5], [0.5, 0.5, 5]),
      boxBetween([15.5, 15.5, 4.5], [16, 16, 5]),
      boxBetween([x - side / 2, y - side / 2, 1], [x + side / 2, y + side / 2, 1 + side]),
    );
  const asked = { method, resolution: 32, direction: [0, 0, 1] as Triple, spikes: false } as const;
  const ask = (side: number, x: number, y: number) =>
    sceneOf([slab], [hanging(side, x, y)]).sampledInterferences(asked);

  test('finds an interference slightly larger than mayMissBelow anywhere, and misses some smaller ones', async () => {
    const { mayMissBelow, layers } = await ask(1, 8, 8);
    const phases = slow ? 8 : 3;
    let missed = 0;
    for (let i = 0; i < phases; i++) {
      for (let j = 0; j < phases; j++) {
        const [x, y] = [8 + (layers.pixel * i) / phases, 8 + (layers.pixel * j) / phases];
        expect((await ask(1.001 * mayMissBelow, x, y)).length, `phase ${i}, ${j}`).toBe(1);
        if ((await ask(0.6 * layers.pixel, x, y)).length === 0) missed++;
      }
    }
    expect(missed).toBeGreaterThan(0);
  });

  test('does not report bodies farther apart than mayReportWithin, nor faces that touch', async () => {
    const gap = async (z: number) => {
      const [low, high] = [boxBetween([0, 0, 0], [4, 4, 1]), boxBetween([0.5, 0.5, 0], [3.5, 3.5, 1])];
      const askew = turn(17, 31);
      const scene = sceneOf(
        [turned(low, askew)],
        [turned(turned(high, [...translation(0, 0, 1 + z)]), askew)],
      );
      const normal: Triple = [askew[8], askew[9], askew[10]];
      return scene.sampledInterferences({ method, resolution: 24, direction: normal });
    };
    const { mayReportWithin, layers } = await gap(-0.1);
    expect(mayReportWithin).toBeGreaterThan(0);
    expect(mayReportWithin).toBeLessThan(0.01 * layers.pixel);
    for (const share of [1, 2, 10, 1000]) {
      expect((await gap(share * mayReportWithin)).length, `${share} times`).toBe(0);
      expect((await gap(-3 * share * mayReportWithin)).length, `${-3 * share} times`).toBe(1);
    }
    expect((await gap(0)).length).toBe(0);
  });

  test('the bound at 512 pixels is at most two per cent of the scene, and less with more pixels', async () => {
    const bar = [1, 0.01, 0.01] as const;
    const scene = sceneOf([shapes.box({ size: bar })], [shapes.box({ size: bar, center: [0, 0, 0.005] })]);
    const options = { method, direction: [0, 0, 1] as Triple } as const;
    const answer = await scene.sampledInterferences(options);
    expect(answer.layers.resolution).toBe(512);
    expect(answer.mayMissBelow).toBeGreaterThan(1 / 512);
    expect(answer.mayMissBelow).toBeLessThan(0.02);
    expect(answer.mayReportWithin).toBeLessThan(0.02);
    const finer = await scene.sampledInterferences({ ...options, resolution: 1024 });
    expect(finer.mayMissBelow).toBeLessThan(0.51 * answer.mayMissBelow);
  });

  test('boxes that share a face, an edge or a corner need few pixels, and do not meet', async () => {
    for (const [x, y, z] of [
      [1, 0, 0],
      [1, 1, 0],
      [1, 1, 1],
    ]) {
      const scene = sceneOf([shapes.box()], [shapes.box(), translation(x, y, z)]);
      const answer = await scene.sampledInterferences({ method, resolution: 64, spikes: false });
      expect([answer.length, answer.complete], `${x} ${y} ${z}`).toEqual([0, true]);
      expect(answer.layers.rays, `${x} ${y} ${z}`).toBeLessThan(300);
      expect(answer.mayMissBelow).toBeGreaterThan(0);
    }
  });

  test('far from the origin, mirrored, and with the bodies exchanged', async () => {
    const mirrored = [-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1e6, -2e6, 3e6, 1];
    const other = [...rigid(shapes.createRandom(8), 0).slice(0, 12), 1e6 + 0.4, -2e6 + 0.3, 3e6 + 0.4, 1];
    const parts: Given[] = [
      [shapes.icosphere({ frequency: 3 }), mirrored],
      [shapes.torus({ minorRadius: 0.3, majorSegments: 16, minorSegments: 8 }), other],
    ];
    const answers = [];
    for (const order of [parts, parts.toReversed()]) {
      const scene = sceneOf(...order);
      const answer = await scene.sampledInterferences({ method, resolution: 32, direction: [0.2, 0.3, 1] });
      const [a, b] = scene.bodies;
      answers.push({ answer, map: answer.mapsOf({ a, b })[0] });
    }
    const oracle = both.cpu.scene();
    for (const [part, pose] of parts) oracle.add(part, { pose: pose! });
    expect(oracle.interferencesSync({ detail: 'any' }).length).toBe(1);
    expect(answers.map(({ answer }) => answer.length)).toEqual([1, 1]);
    expect(answers[0].map.meeting).toBe(answers[1].map.meeting);
    expect(answers[0].map.meeting).toBeGreaterThan(20);
  });
});

test('jaws, stage by stage: apart or not, as the exact relations say', async () => {
  const { upper, lower, poseAt } = jawParts({ teeth: 'five', triangles: 4000 });
  const [scene, oracle] = [both.gpu.scene(), both.cpu.scene()];
  for (const each of [scene, oracle]) {
    each.add(upper.mesh, { pose: upper.pose });
    each.add(lower.mesh, { pose: lower.pose });
  }
  const meeting = [];
  for (const stage of jawStages) {
    for (const each of [scene, oracle]) each.bodies[1].pose = poseAt(stage);
    const answer = await scene.sampledInterferences({ method, resolution: 64 });
    const exact = oracle.interferencesSync({ detail: 'any' }).length;
    // Contact at a spot may be smaller than any line sees.
    if (stage !== 'touching') expect(answer.length, stage).toBe(exact);
    meeting.push(answer.length);
  }
  expect(meeting.filter(count => count === 1).length).toBeGreaterThan(1);
  scene.close();
  oracle.close();
});
