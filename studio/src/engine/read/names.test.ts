import { expect, it } from 'vitest';
import { modelsAmong, unreadBeside } from './names.ts';

it('reads only robots, if there are some, and knows the models beside them', () => {
  const among = modelsAmong(['arm.urdf', 'arm.srdf', 'link.stl', 'bench.obj', 'meshes/hand.stl', 'arm.dae']);
  expect(among.models).toEqual(['arm.urdf']);
  expect(among.srdf).toBe('arm.srdf');
  expect(among.besideRobots).toEqual(['link.stl', 'bench.obj']);
  expect(modelsAmong(['link.stl', 'bench.obj']).besideRobots).toEqual([]);
});

it('says which models beside a robot were not read', () => {
  const used = new Set(['link.stl']);
  expect(unreadBeside(['link.stl'], used)).toBeUndefined();
  expect(unreadBeside(['link.stl', 'bench.obj'], used)).toBe(
    'bench.obj was not read, because the robot does not refer to it: open it separately.',
  );
  expect(unreadBeside(['a.stl', 'b.stl', 'c.stl', 'd.stl'], used)).toBe(
    'a.stl, b.stl, c.stl and 1 more were not read, because the robot does not refer to them: open them separately.',
  );
});
