// Robots of other people, if their files are there: an arm whose meshes lie below it, and a gear whose URDF names its
// meshes from the folder above.

import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { open } from 'nearfield';
import { describe, expect, it } from 'vitest';
import { type ReadOptions, readFile } from '../../packages/io/src/read-file.ts';
import { posesOfJoints } from '../../packages/io/src/urdf/robot.ts';

const models = process.env.NEARFIELD_MODELS ?? resolve(import.meta.dirname, '../../../shared/models');

const read = (name: string, options: ReadOptions = {}) => {
  const path = join(models, name);
  const fetchBeside = async (beside: string) => new Uint8Array(readFileSync(join(dirname(path), beside)));
  return readFile(name, new Uint8Array(readFileSync(path)), { fetchBeside, ...options });
};

const arm = 'kuka_iiwa/model.urdf';
describe.runIf(existsSync(join(models, arm)))('the KUKA arm', () => {
  it('has eight links in metres, its neighbours allowed', async () => {
    const { bodies, unit, allowed, robot, warnings } = await read(arm);
    expect([bodies.length, unit, warnings]).toEqual([8, 1, []]);
    expect(bodies[7].path).toEqual(Array.from({ length: 8 }, (_, i) => `lbr_iiwa_link_${i}`));
    expect(allowed!.map(({ a, b, reason }) => [a, b, reason])).toEqual(
      Array.from({ length: 7 }, (_, i) => [i, i + 1, `joined by lbr_iiwa_joint_${i + 1}`]),
    );
    // Straight up: the sum of the offsets in the file.
    const straight = posesOfJoints(robot!, {})[7];
    const height = 0.1575 + 0.2025 + 0.2045 + 0.2155 + 0.1845 + 0.2155 + 0.081;
    for (const [at, value] of [
      [12, 0],
      [13, 0],
      [14, height],
    ])
      expect(straight[at]).toBeCloseTo(value, 9);
  });

  it('is free of clashes upright, and found folded into itself, by joint values alone', async () => {
    const { bodies, allowed, robot } = await read(arm);
    const nf = await open({ backend: 'cpu' });
    try {
      const scene = nf.scene();
      const placed = bodies.map(({ mesh, name, pose }) => scene.add(mesh, { name, pose: pose! }));
      const neighbours = new Set(allowed!.map(({ a, b }) => `${a} ${b}`));
      const clashes = async (joints: Record<string, number>) => {
        posesOfJoints(robot!, joints).forEach((pose, i) => {
          placed[i].pose = pose;
        });
        const pairs = [...(await scene.interferences())].map(({ a, b }) => `${a.index} ${b.index}`);
        return pairs.filter(pair => !neighbours.has(pair)).sort();
      };
      expect(await clashes({})).toEqual([]);
      expect(await clashes({ lbr_iiwa_joint_2: 2, lbr_iiwa_joint_4: 1.5 })).toEqual([]);
      // The upper arm leans forward and the forearm folds back onto the base. All within the limits.
      const folded = { lbr_iiwa_joint_2: 2, lbr_iiwa_joint_4: -2.09, lbr_iiwa_joint_6: 1.5 };
      expect(await clashes(folded)).toEqual(['0 5', '0 6', '0 7']);
      expect((await read(arm, { joints: folded })).warnings).toEqual([]);
    } finally {
      nf.close();
    }
  });

  it('names the file that is missing if the shapes to look at are asked for', async () => {
    await expect(read(arm, { geometry: 'visual' })).rejects.toThrow(
      /^kuka_iiwa\/model\.urdf: line 70: link "lbr_iiwa_link_0": the mesh "meshes\/link_0\.obj" cannot be read/,
    );
  });
});

const gear = 'differential/diff_ring.urdf';
describe.runIf(existsSync(join(models, gear)))('the differential', () => {
  it('has cylinders for collision, and says how round they are', async () => {
    const { bodies, tessellation, unit } = await read(gear);
    expect(bodies.map(({ mesh }) => mesh.solid)).toEqual([true, true, true, true, true]);
    expect(tessellation).toBeCloseTo(0.05 * (1 - Math.cos(Math.PI / 128)), 12);
    expect(unit).toBe(1);
  });

  it('has meshes in millimetres to look at, scaled, found in its own folder', async () => {
    const { bodies, tessellation } = await read(gear, { geometry: 'visual' });
    expect(tessellation).toBeUndefined();
    // Two meshes of one link are merged; two links share a mesh.
    expect(bodies.map(({ mesh }) => mesh.triangleCount)).toEqual([60448, 11840, 11840, 11722, 11722]);
    expect(bodies[1].mesh).toBe(bodies[2].mesh);
    expect(bodies[1].pose![0]).toBeCloseTo(0, 5);
    expect(Math.hypot(...bodies[1].pose!.slice(0, 3))).toBeCloseTo(0.001, 12);
  });
});
