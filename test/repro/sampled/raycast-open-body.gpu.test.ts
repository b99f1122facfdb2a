// Rays called a pair complete of which only the boxes meet: an open body has no inside, and counting its faces does
// not give one.

import { type Mesh, mesh, type Scene } from 'nearfield';
import { describe, expect, test } from 'vitest';
import { openBoth } from '../../spec/both-engines.ts';
import { boxBetween, joined } from '../../spec/sampled/solids.ts';
import { translation } from '../../spec/scenes.ts';

const { sceneOf } = openBoth();
const method = 'raycast';
const resolution = 64;
const nothingPromised = { complete: false, mayMissBelow: Infinity, mayReportWithin: Infinity };

/** A mesh less the triangles that lie in the plane z = level. */
function without({ positions, indices, triangleCount }: Mesh, level: number): Mesh {
  const kept = Array.from({ length: triangleCount }, (_, t) => [...indices.subarray(3 * t, 3 * t + 3)]);
  const isLevel = (corner: number) => positions[3 * corner + 2] === level;
  const left = kept.filter(corners => !corners.every(isLevel)).flat();
  return mesh(Float64Array.from(positions), Uint32Array.from(left));
}

/** A trough beside a post that makes boxes meet, and a block above the trough at a distance of 1. */
const trough = joined(without(boxBetween([0, 0, 0], [2, 2, 1]), 1), boxBetween([3, 3, 0], [3.5, 3.5, 5]));
const block = boxBetween([0.5, 0.5, 2], [1.5, 1.5, 2.9]);
const troughAndBlock = (): Scene => sceneOf([trough], [block]);

/** One of its triangles flipped: closed, but not oriented. */
function turnedOnce(source: Mesh): Mesh {
  const indices = Uint32Array.from(source.indices);
  [indices[0], indices[1]] = [indices[1], indices[0]];
  return mesh(Float64Array.from(source.positions), indices);
}

describe('raycast and bodies that are not solids', () => {
  test.each(['lists', 'stencil', 'queries'] as const)('%s refuses them by name', async counting => {
    const ask = { method, counting, ask: 'both', resolution } as const;
    const refused = { code: 'not-solid', message: expect.stringMatching(/^body 0 is open: /) };
    await expect(troughAndBlock().sampledInterferences(ask)).rejects.toMatchObject(refused);
    const scene = sceneOf([block], [turnedOnce(block), translation(0.1, 0.2, 0.3)]);
    await expect(scene.sampledInterferences(ask)).rejects.toMatchObject({
      code: 'not-solid',
      message: expect.stringMatching(/^body 1 is not consistently oriented: /),
    });
    // A body whose box meets no other is not checked.
    const apart = sceneOf([block], [block, translation(0.1, 0.2, 0.3)], [trough, translation(90, 0, 0)]);
    expect((await apart.sampledInterferences(ask)).any).toBe(true);
  });

  test('allowOpen runs the published form, which promises nothing', async () => {
    for (const views of [1, 2, 3] as const) {
      const answer = await troughAndBlock().sampledInterferences({
        method,
        resolution,
        views,
        allowOpen: true,
      });
      expect(answer).toMatchObject(nothingPromised);
      for (const { relation } of answer) expect(relation).toBe('separate');
    }
    for (const counting of ['stencil', 'queries'] as const) {
      for (const ask of ['any', 'penetrating', 'both'] as const) {
        const question = { method, counting, ask, resolution, allowOpen: true } as const;
        expect(await troughAndBlock().sampledInterferences(question), `${counting}, ${ask}`).toMatchObject(
          nothingPromised,
        );
      }
    }
  });

  test.each(['stencil', 'queries'] as const)(
    'a count below 0 names the body, whatever else is in front of it, %s',
    async counting => {
      // Seen along +z, a ray leaves the lid without having entered it. A plate in its opening makes boxes meet; two
      // boxes behind it have edges there. A room around them encloses every one of those, which hides the lid's count
      // in the sum.
      const lid = without(boxBetween([-1, -1, 0], [1, 1, 0.5]), 0);
      const room = boxBetween([-1.5, -1.5, -0.2], [1.5, 1.5, 2]);
      for (const before of [[], [room]]) {
        const parts = [
          ...before,
          lid,
          boxBetween([-1, -1, -0.1], [1, 1, 0.1]),
          boxBetween([-0.6, -0.6, 0.8], [0.6, 0.6, 1.2]),
          boxBetween([-0.5, -0.5, 1.1], [0.5, 0.5, 1.5]),
        ];
        const scene = sceneOf(...parts.map(part => [part] as const));
        const open = scene.bodies[before.length];
        for (const ask of ['any', 'penetrating', 'both'] as const) {
          const question = { method, counting, ask, resolution, allowOpen: true } as const;
          const answer = await scene.sampledInterferences(question);
          expect(answer.notClosed, `${before.length} before, ${ask}`).toEqual([open]);
          expect(answer).toMatchObject(nothingPromised);
        }
      }
    },
  );

  test('allowOpen changes nothing about solids', async () => {
    const scene = sceneOf([block], [block, translation(0.3, 0.2, 0.1)]);
    for (const ask of ['any', 'pairs', 'both'] as const) {
      const question = { method, counting: 'stencil', ask, resolution } as const;
      const [usual, open] = [
        await scene.sampledInterferences(question),
        await scene.sampledInterferences({ ...question, allowOpen: true }),
      ];
      const told = ({ any, complete, mayMissBelow, mayReportWithin, notClosed }: typeof usual) => ({
        ...{ any, complete, mayMissBelow, mayReportWithin, notClosed },
      });
      expect(told(open)).toEqual(told(usual));
      expect(open.complete).toBe(true);
    }
  });

  test('a solid whose count is below 0 is not called open: one of its shells is inside out', async () => {
    const { positions, indices } = boxBetween([2, 0, 0], [4, 2, 1]);
    const turned = mesh(Float64Array.from(positions), Uint32Array.from(indices).reverse());
    const odd = joined(boxBetween([0, 0, 0], [2, 2, 3]), turned);
    expect(odd.solid).toBe(true);
    for (const counting of ['stencil', 'queries'] as const) {
      const scene = sceneOf([odd], [boxBetween([2.5, 0.5, 0.3], [3.5, 1.5, 0.6])]);
      const answer = await scene.sampledInterferences({
        ...{ method, counting, ask: 'both', resolution, allowOpen: true },
      });
      expect(answer.notClosed, counting).toEqual([]);
    }
  });

  test('allowOpen with lists, and allowOpen that is not a boolean, are refused', async () => {
    const bad = { code: 'bad-option', message: expect.stringContaining('allowOpen') };
    const ask = { method, allowOpen: true } as const;
    await expect(async () =>
      troughAndBlock().sampledInterferences({ ...ask, counting: 'lists' }),
    ).rejects.toMatchObject(bad);
    await expect(async () =>
      troughAndBlock().sampledInterferences({ ...ask, allowOpen: 'yes' as never }),
    ).rejects.toMatchObject(bad);
  });
});
