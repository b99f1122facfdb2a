import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jawParts } from '@nearfield/samples';
import { type Mesh, open } from 'nearfield';
import { afterEach, expect, it, vi } from 'vitest';
import { jawPair } from './scanned-jaws.ts';

afterEach(() => void vi.unstubAllEnvs());

/** An OBJ file without some of the triangles, as scans are open. */
const objOf = ({ positions, indices }: Mesh): string => {
  const lines: string[] = [];
  for (let i = 0; i < positions.length; i += 3) lines.push(`v ${positions.slice(i, i + 3).join(' ')}`);
  for (let i = 0; i < indices.length - 6; i += 3)
    lines.push(`f ${Array.from(indices.slice(i, i + 3), index => index + 1).join(' ')}`);
  return lines.join('\n');
};

it('reads two jaws, closes them, and places the lower one from apart to crossed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'jaws-'));
  const { upper, lower } = jawParts({ teeth: 'five', triangles: 2000 });
  const files = [upper, lower].map((jaw, i) => {
    const file = join(folder, `jaw-${i}.obj`);
    writeFileSync(file, objOf(jaw.mesh));
    return file;
  });
  vi.stubEnv('NEARFIELD_JAWS', files.join(','));
  const nf = await open({ backend: 'cpu' });
  const jaws = await jawPair(nf);
  rmSync(folder, { recursive: true });
  expect(jaws.name).toContain('scanned');
  expect([jaws.upper.solid, jaws.lower.solid]).toEqual([true, true]);
  const scene = nf.scene();
  scene.add(jaws.upper);
  const moving = scene.add(jaws.lower);
  const meeting = (['apart', 'touching', 'closed'] as const).map(stage => {
    moving.pose = jaws.poseAt(stage);
    return scene.interferencesSync({ detail: 'any' }).length;
  });
  expect(meeting).toEqual([0, 1, 1]);
  nf.close();
});

it('generates jaws otherwise, and refuses one file', async () => {
  const nf = await open({ backend: 'cpu' });
  vi.stubEnv('NEARFIELD_JAWS', '');
  expect((await jawPair(nf, 2000)).name).toContain('generated');
  vi.stubEnv('NEARFIELD_JAWS', 'upper.stl');
  await expect(jawPair(nf)).rejects.toThrow('two files');
  nf.close();
});
