import { expect, it } from 'vitest';
import { readFile } from './read-file.ts';
import { encode, glb, gltfJson, objText, tetrahedronPositions } from './testing/samples.ts';

it('merges instances in world positions; mirrored ones still face outwards', async () => {
  const json = gltfJson();
  json.nodes = [
    { mesh: 0, translation: [10, 0, 0] },
    { mesh: 0, scale: [-1, 1, 1] },
  ];
  json.scenes[0].nodes = [0, 1];
  const { bodies } = await readFile('two.glb', glb(json), { oneBody: true });
  expect(bodies).toHaveLength(1);
  const { name, mesh, pose } = bodies[0];
  expect([name, pose, mesh.triangleCount, mesh.vertexCount]).toEqual(['two', undefined, 8, 8]);
  expect([...mesh.positions.slice(0, 6)]).toEqual([10, 0, 0, 11, 0, 0]);
  expect(mesh.volume).toBeCloseTo(2 / 6, 12);
});

it('keeps a single body unchanged, with the name of the file', async () => {
  const { bodies } = await readFile('lone.obj', encode(`o thing\n${objText}`), { oneBody: true });
  expect(bodies[0].name).toBe('lone');
  expect([...bodies[0].mesh.positions]).toEqual(tetrahedronPositions);
});
