// Every public function refuses every wrong kind of argument with a NearfieldError that names it. The functions come
// from the exports of the entry points and from the objects that those functions return, so a new function without a
// row here fails. The wrong values are those of arguments/kinds.ts. After all refusals a right call gives the same as
// before, and nothing has changed.

import * as io from '@nearfield/io';
import * as png from '@nearfield/io/png';
import * as nearfield from 'nearfield';
import { useBreadthFirst } from 'nearfield/breadth-first';
import * as three from 'nearfield/three';
import { afterAll, describe, expect, it } from 'vitest';
import { Attempt, digest, rightArguments } from './arguments/attempt.ts';
import { Discovery } from './arguments/discover.ts';
import { aroundRows } from './arguments/rows-around.ts';
import { particleRows } from './arguments/rows-particles.ts';
import { sceneRows } from './arguments/rows-scene.ts';
import { shapeRows } from './arguments/rows-shapes.ts';
import { makeWorld } from './arguments/world.ts';

useBreadthFirst();
const nf = await nearfield.open({ backend: 'cpu' });
afterAll(() => nf.close());
const world = await makeWorld(nf);
const rows = [
  ...(await sceneRows(world)),
  ...(await particleRows(world)),
  ...shapeRows(),
  ...(await aroundRows(world)),
];
const discovery = new Discovery()
  .module(nearfield)
  .module(three, 'three: ')
  .module(io, 'io: ')
  .module(png, 'io/png: ');

/** Marked @internal in the sources, so the published declarations do not have them. */
const internal = new Set([
  // Takes nothing: it is all that the script of a worker does.
  'io: serveForeign',
  ...[
    'Body.snapshotNow',
    'Body.leave',
    'Candidates.filtered',
    'TrianglePairs.decide',
    'TrianglePairs.decideInSlices',
  ],
  ...['Mesh.solidInSteps', 'Mesh.partsInSteps', 'Adjacency.edgesInSteps', 'Adjacency.partsInSteps'],
  ...[
    'LayersKeep.whenClosed',
    'Impacts.made',
    'ImpactMap.paint',
    'ImpactMap.paintedOnGpu',
    'View.see',
    'View.turn',
    'View.lineOf',
  ],
]);
describe('wrong arguments are refused by', () => {
  for (const row of rows) {
    it(row.name, async () => {
      const before = row.repeats ? await row.call(...(rightArguments(row) as never[])) : undefined;
      discovery.given(before, row.name);
      const state = digest(row.state?.());
      const attempt = new Attempt(row);
      await attempt.all();
      expect(attempt.complaints.join('\n')).toBe('');
      expect(digest(row.state?.())).toBe(state);
      if (row.answers === false) return;
      const after = await row.call(...(rightArguments(row) as never[]));
      if (row.repeats) expect(digest(after)).toBe(digest(before));
      else discovery.given(after, row.name);
      if (after instanceof nf.constructor) (after as typeof nf).close();
    });
  }
});

it('the table lists exactly the public functions', () => {
  const known = new Set([...rows.map(({ name }) => name), ...internal]);
  expect([...discovery.names].filter(name => !known.has(name))).toEqual([]);
  const named = rows.map(({ name }) => name).filter(name => !/ (of|by) /.test(name));
  expect(named.filter(name => !discovery.names.has(name))).toEqual([]);
});
