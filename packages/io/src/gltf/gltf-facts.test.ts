// What a glTF says about its bodies beside their triangles: the way down to them, and extras.

import { expect, it } from 'vitest';
import { mergeBodies } from '../merge-bodies.ts';
import { readFile } from '../read-file.ts';
import { glb, gltfJson, refusal } from '../testing/samples.ts';

function house() {
  const json = gltfJson();
  json.nodes = [
    { name: 'house', children: [1, 4] },
    { children: [2, 3] },
    { name: 'wall', mesh: 0 },
    { mesh: 0 },
    { name: 'door', mesh: 0, children: [5] },
    { name: 'handle', mesh: 0 },
  ];
  json.scenes = [{ nodes: [0] }];
  return json;
}

it('gives the way down to a body by names, without the nodes that have none', async () => {
  const json = house();
  json.meshes[0].name = undefined;
  const { bodies, unit } = await readFile('h.glb', glb(json));
  expect(bodies.map(({ path }) => path)).toEqual([
    ['house', 'wall'],
    ['house', 'node 3'],
    ['house', 'door'],
    ['house', 'door', 'handle'],
  ]);
  expect(unit).toBe(1);
});

it('flattens the extras of the node and its mesh; those of the node win', async () => {
  const json = house();
  json.meshes[0].extras = { material: 'brick', fire: { rating: 30 }, list: [1, 'two'], nothing: null };
  json.nodes[2].extras = { fire: { rating: 60 }, load: true };
  json.nodes[5].extras = 'loose';
  const { bodies, warnings } = await readFile('h.glb', glb(json));
  const shared = { material: 'brick', 'fire.rating': 30, 'list.0': 1, 'list.1': 'two' };
  expect(bodies[0].properties).toEqual({ ...shared, 'fire.rating': 60, load: true });
  expect(bodies[1].properties).toEqual(shared);
  expect(bodies[3].properties).toEqual({ ...shared, extras: 'loose' });
  expect(warnings).toEqual([]);
  const key = JSON.parse('{"__proto__": {"polluted": 1}}');
  json.nodes[4].extras = key;
  const again = (await readFile('h.glb', glb(json))).bodies[2].properties!;
  expect(Object.keys(again)).toContain('__proto__.polluted');
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});

it('bounds extras: many, long and deep ones are left out with a warning', async () => {
  const many = Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`k${i}`, i]));
  let deep: object = { end: 1 };
  for (let i = 0; i < 500; i++) deep = { a: deep };
  for (const extras of [many, { text: 'x'.repeat(10_000) }, deep]) {
    const json = house();
    json.nodes[2].extras = extras;
    const { bodies, warnings } = await readFile('h.glb', glb(json));
    expect(Object.keys(bodies[0].properties ?? {}).length).toBeLessThanOrEqual(256);
    expect(warnings).toEqual([
      'h.glb: nodes[2].extras: only 256 values are kept, none of them long or deeply nested',
    ]);
  }
});

it('counts the extras that many nodes copy from one mesh', async () => {
  const json = gltfJson();
  json.meshes[0].extras = Object.fromEntries(Array.from({ length: 250 }, (_, i) => [`k${i}`, i]));
  json.nodes = Array.from({ length: 2000 }, () => ({ mesh: 0, extras: { own: 1 } }));
  json.scenes = [{ nodes: [...json.nodes.keys()] }];
  expect(await refusal('x.glb', glb(json), { maxExpansion: 1 })).toMatch(/the file expands/);
});

it('gives deep nodes the last 64 names, in short time', async () => {
  const json = gltfJson();
  const count = 20_000;
  json.nodes = Array.from({ length: count }, (_, i) => ({
    name: `n${i}`,
    mesh: 0,
    ...(i + 1 < count && { children: [i + 1] }),
  }));
  json.scenes = [{ nodes: [0] }];
  const { bodies } = await readFile('deep.glb', glb(json));
  expect(bodies).toHaveLength(count);
  expect(bodies.at(-1)!.path).toEqual(Array.from({ length: 64 }, (_, i) => `n${count - 64 + i}`));
});

it('keeps the facts of a single body that is merged, and the largest rounding of several', async () => {
  const json = gltfJson();
  json.nodes = [{ name: 'a', mesh: 0, extras: { k: 1 }, translation: [1, 0, 0] }];
  json.scenes = [{ nodes: [0] }];
  const [one] = (await readFile('one.glb', glb(json), { oneBody: true })).bodies;
  expect([one.name, one.path, one.properties]).toEqual(['one', ['a'], { k: 1 }]);
  json.nodes.push({ name: 'b', mesh: 0, scale: [100, 100, 100] });
  json.scenes = [{ nodes: [0, 1] }];
  const { bodies } = await readFile('two.glb', glb(json));
  const merged = mergeBodies('two.glb', 'two', bodies);
  expect([merged.path, merged.properties]).toEqual([undefined, undefined]);
  expect(merged.rounding).toBe(bodies[1].rounding);
  expect(bodies[1].rounding).toBeGreaterThan(50 * bodies[0].rounding!);
  const result = await readFile('two.glb', glb(json), { oneBody: true });
  expect([result.unit, result.bodies[0].rounding]).toEqual([1, bodies[1].rounding]);
});
