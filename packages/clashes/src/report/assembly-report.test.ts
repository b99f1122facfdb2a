import { mesh } from 'nearfield';
import { expect, it } from 'vitest';
import type { AssemblyAnswer } from '../assembly/types.ts';
import { assemblyJson } from '../exchange/json.ts';
import { assemblyReport } from './assembly-report.ts';
import { pngUri } from './test-bodies.ts';

const indices = Uint32Array.of(0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3);
const answer: AssemblyAnswer = {
  version: '0',
  backend: { kind: 'cpu', name: 'test' },
  method: 'hierarchy',
  bodies: [{ index: 0, name: 'tower', vertices: 4, triangles: 4, closed: true, solid: true }],
  isMotion: false,
  frames: [{ frame: 0, pairs: [] }],
  timing: { read: 0, build: 0, query: 0 },
};
const pictures = async (file: string, positions: Float64Array): Promise<string[]> => {
  const bodies = [{ name: 'tower', file, mesh: mesh(positions, indices) }];
  const report = await assemblyReport({ title: '', answer, bodies, samples: 1, encode: pngUri });
  return report.match(/data:image[^"]+/g) ?? [];
};

it('turns a glTF so that its +y points up, like the +z of other files', async () => {
  const yUp = Float64Array.of(0, 0, 0, 1, 0, 0, 0, 0, -1, 0, 5, 0);
  const zUp = Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 5);
  const upright = await pictures('tower.stl', zUp);
  expect(upright).toHaveLength(1);
  expect(await pictures('tower.glb', yUp)).toEqual(upright);
  expect(await pictures('tower.stl', yUp)).not.toEqual(upright);
});

it('says how many depths were not measured, and so does the JSON', async () => {
  const unmeasured = { ...answer, unmeasured: 5001 };
  const positions = Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 5);
  const bodies = [{ name: 'tower', mesh: mesh(positions, indices) }];
  const report = (given: AssemblyAnswer) =>
    assemblyReport({ title: '', answer: given, bodies, samples: 1, encode: pngUri });
  expect(await report(unmeasured)).toContain('The depths of 5,001 pairs that overlap were not measured');
  expect(await report(answer)).not.toContain('were not measured');
  expect(JSON.parse([...assemblyJson(unmeasured, false)].join('')).unmeasured).toBe(5001);
});
