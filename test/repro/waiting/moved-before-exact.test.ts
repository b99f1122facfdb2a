// `exact` decided what `narrow` had found with the bodies' current poses, even if they had moved since: pairs were
// missed.

import { exact, narrow, open, type Scene, shapes } from 'nearfield';
import { afterAll, describe, expect, it } from 'vitest';

const nf = await open({ backend: 'cpu' });
afterAll(() => nf.close());

const at = (x: number) => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, 0, 0, 1];
const box = shapes.box({ size: [2, 2, 2] });

/** Three boxes: the second touches the first, and the third crosses the second. */
function boxes(): Scene {
  const scene = nf.scene();
  for (const x of [0, 2, 3.5]) scene.add(box, { pose: at(x) });
  return scene;
}

const moves: [string, (scene: Scene) => void][] = [
  ['one body has moved', scene => void (scene.bodies[1].pose = at(100))],
  [
    'all have moved, again and again',
    scene => {
      for (const x of [7, -20, 30]) scene.setPoses([...at(x), ...at(x + 50), ...at(x - 50)]);
    },
  ],
  ['one was deformed', scene => scene.bodies[1].deform(box.positions.map(x => 50 + x))],
  [
    'one was deformed again and again',
    scene => {
      for (const by of [50, 60, 70]) scene.bodies[1].deform(box.positions.map(x => by + x));
    },
  ],
  ['one has left', scene => scene.remove(scene.bodies[0])],
  ['the scene was closed', scene => scene.close()],
];

describe.each(['list', 'count', 'any'] as const)('the result of narrow for a scene, detail %s', detail => {
  it.each(moves)('is decided for the bodies as they were, if %s', async (_, move) => {
    const answers: string[] = [];
    for (const moved of [false, true]) {
      const scene = boxes();
      const found = await narrow(scene, { detail });
      if (moved) move(scene);
      const { pairs } = exact(found);
      answers.push(
        pairs
          .map(p => `${p.a.index}-${p.b.index} ${detail === 'any' || p.triangleCount} ${p.relation}`)
          .join('; '),
      );
      scene.close();
    }
    expect(answers[1]).toBe(answers[0]);
    expect(answers[0]).toMatch(/0-1.*touching; 1-2.*crossing/);
  });
});
