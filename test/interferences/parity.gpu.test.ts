// The command line gives the same JSON on every backend, except for `backend` and `timing`.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Mesh, shapes } from 'nearfield';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { shareDevice } from '../../packages/cli/src/backend.ts';
import { runIn } from '../../packages/cli/src/testing.ts';
import { testDevice } from '../../packages/nearfield/src/gpu/testing/test-device.ts';
import { cubes, soup, subdivided } from '../spec/scenes.ts';

beforeAll(async () => shareDevice((await testDevice()).device));
afterAll(() => shareDevice(undefined));

const folder = mkdtempSync(join(tmpdir(), 'nearfield-parity-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function obj(name: string, mesh: Mesh, [x, y, z] = [0, 0, 0]): string {
  const lines = [`o ${name}`];
  for (let v = 0; v < mesh.positions.length; v += 3) {
    lines.push(`v ${mesh.positions[v] + x} ${mesh.positions[v + 1] + y} ${mesh.positions[v + 2] + z}`);
  }
  const last = mesh.vertexCount;
  for (let i = 0; i < mesh.indices.length; i += 3) {
    lines.push(`f ${[0, 1, 2].map(k => mesh.indices[i + k] - last).join(' ')}`);
  }
  return `${lines.join('\n')}\n`;
}

async function json(words: string[], backend: string): Promise<Record<string, unknown>> {
  const { out, err } = await runIn(folder, [...words, '--json', '--backend', backend]);
  // The only allowed message is that some bodies have no inside.
  expect(err.replace(/^nearfield: .* not (?:a solid|solids)[: ].*\n/, '')).toBe('');
  const answer = JSON.parse(out);
  if (answer.backend) expect(answer.backend.kind).toBe(backend);
  delete answer.backend;
  delete answer.timing;
  return answer;
}

const random = shapes.createRandom(7);
const models: Record<string, string> = {
  'boxes.obj': [0, 1, 2, 3]
    .map(i => obj(`b${i}`, subdivided(shapes.box({ size: [1, 1, 1] })), [i / 2, 0, i % 2]))
    .join(''),
  'cubes.obj': [0, 1, 2].map(i => obj(`c${i}`, cubes(random, 4, 3), [i, i, 0])).join(''),
  'soups.obj': [0, 1]
    .map(i =>
      obj(
        `s${i}`,
        soup(random, 40, () => random.between(0, 1)),
      ),
    )
    .join(''),
  'grid.obj': [0, 1]
    .map(i =>
      obj(
        `g${i}`,
        soup(random, 40, () => random.integer(4)),
      ),
    )
    .join(''),
  'round.obj': [0, 1, 2]
    .map(i => obj(`r${i}`, shapes.icosphere({ frequency: 4 }), [0.75 * i, 0.25 * i, 0]))
    .join(''),
};
for (const [name, text] of Object.entries(models)) writeFileSync(join(folder, name), text);

it.each(Object.keys(models))('check and self of %s', { timeout: 120_000 }, async name => {
  expect(await json(['check', name, '--triangles'], 'gpu')).toEqual(
    await json(['check', name, '--triangles'], 'cpu'),
  );
  expect(await json(['self', name], 'gpu')).toEqual(await json(['self', name], 'cpu'));
});

it('check of the sample', { timeout: 300_000 }, async () => {
  expect(await json(['sample', '--triangles'], 'gpu')).toEqual(await json(['sample', '--triangles'], 'cpu'));
});
