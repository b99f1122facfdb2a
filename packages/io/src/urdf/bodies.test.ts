// URDF links: which become bodies, and of which shapes.

import { describe, expect, it } from 'vitest';
import { readFile } from '../read-file.ts';
import { joint, link, readRobot, robot } from '../testing/urdf-samples.ts';

describe('bodies', () => {
  it('are links with a shape, each with the way down to it', async () => {
    const bytes = robot(
      '<link name="world"/>',
      link('base'),
      '<link name="frame"/>',
      link('arm'),
      joint('j0', 'fixed', 'world', 'base'),
      joint('j1', 'fixed', 'base', 'frame'),
      joint('j2', 'revolute', 'frame', 'arm'),
    );
    const { bodies, allowed, unit } = await readRobot(bytes);
    expect(bodies.map(({ path }) => path)).toEqual([
      ['world', 'base'],
      ['world', 'base', 'frame', 'arm'],
    ]);
    expect(allowed).toEqual([{ a: 0, b: 1, reason: 'joined by j2, over links without a shape' }]);
    expect(unit).toBe(1);
    const one = await readRobot(bytes, { oneBody: true });
    expect([one.bodies.length, one.allowed, one.robot, one.unit]).toEqual([1, undefined, undefined, 1]);
  });

  it('have the shapes of the sizes in the file', async () => {
    const { bodies, tessellation } = await readRobot(
      robot(
        link('a', '<box size="1 2 3"/>'),
        link('b', '<cylinder radius="0.5" length="2"/>'),
        link('c', '<sphere radius="0.25"/>'),
        joint('j1', 'fixed', 'a', 'b'),
        joint('j2', 'fixed', 'a', 'c'),
      ),
    );
    expect([...bodies[0].mesh.bounds]).toEqual([-0.5, -1, -1.5, 0.5, 1, 1.5]);
    // The triangles lie inside the round shapes, by at most what is stated.
    const radius = (index: number, axes: number) => {
      const { positions } = bodies[index].mesh;
      let largest = 0;
      for (let i = 0; i < positions.length; i += 3)
        largest = Math.max(largest, Math.hypot(...positions.subarray(i, i + axes)));
      return largest;
    };
    expect(radius(1, 2)).toBeCloseTo(0.5, 12);
    expect(radius(2, 3)).toBeCloseTo(0.25, 12);
    const volume = (exact: number, inner: number, index: number) => {
      expect(bodies[index].mesh.volume).toBeLessThan(exact);
      expect(bodies[index].mesh.volume).toBeGreaterThan(inner);
    };
    volume(Math.PI * 0.25 * 2, Math.PI * (0.5 - tessellation!) ** 2 * 2, 1);
    volume((4 / 3) * Math.PI * 0.25 ** 3, (4 / 3) * Math.PI * (0.25 - tessellation!) ** 3, 2);
    expect(tessellation).toBeLessThan(0.002);
  });

  it('merge several shapes of a link in its frame', async () => {
    const shape = (x: number) =>
      `<collision><origin xyz="${x} 0 0"/><geometry><box size="1 1 1"/></geometry></collision>`;
    const { bodies } = await readRobot(robot(`<link name="a">${shape(-2)}${shape(2)}</link>`));
    expect(bodies).toHaveLength(1);
    expect([...bodies[0].mesh.bounds]).toEqual([-2.5, -0.5, -0.5, 2.5, 0.5, 0.5]);
  });

  it('take the shapes for collision, those to look at, or the first there are', async () => {
    const both = (name: string, kinds: readonly string[]) =>
      `<link name="${name}">${kinds
        .map(kind => `<${kind}><geometry><box size="${kind === 'visual' ? 1 : 2} 1 1"/></geometry></${kind}>`)
        .join('')}</link>`;
    const bytes = robot(
      both('a', ['visual', 'collision']),
      both('b', ['visual']),
      joint('j', 'fixed', 'a', 'b'),
    );
    const widths = async (geometry?: 'collision' | 'visual') =>
      (await readRobot(bytes, { geometry })).bodies.map(({ mesh }) => 2 * mesh.bounds[3]);
    expect([await widths(), await widths('visual'), await widths('collision')]).toEqual([
      [2, 1],
      [1, 1],
      [2],
    ]);
    await expect(readFile('r.urdf', bytes, { geometry: 'both' as never })).rejects.toThrow(
      "geometry must be 'collision' or 'visual', not \"both\"",
    );
  });
});

it('warns of elements that it does not know', async () => {
  const text = link('a')
    .replace(/collision>/, 'collisions>')
    .replace('</collision>', '</collisions>');
  const { warnings } = await readRobot(
    robot(text, link('b'), '<x:y xmlns:x="u"/>', joint('j', 'fixed', 'a', 'b')),
  );
  expect(warnings).toEqual(['r.urdf: line 3: <collisions> in <link> is skipped']);
});
