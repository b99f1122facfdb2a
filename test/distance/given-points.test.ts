// Points of which a GPU found the triangles, measured by several threads: answers are copied while threads still work on
// others. Whatever a GPU leaves open, the answer is that of the CPU alone, bit for bit.

import { shapes } from 'nearfield';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type CpuEngine, createCpuEngine } from '../../packages/nearfield/src/cpu/engine.ts';
import { allStarted } from '../../packages/nearfield/src/cpu/threads/testing.ts';
import type { ClosestPoints } from '../../packages/nearfield/src/distance/closest-points.ts';
import type { GpuDistanceDriver } from '../../packages/nearfield/src/distance/driver.ts';
import { listedIn } from '../../packages/nearfield/src/distance/gpu/closest/closest-search.ts';
import { type NearTriangles, nearWord } from '../../packages/nearfield/src/distance/request.ts';
import { fakeEngine } from '../../packages/nearfield/src/gpu/testing/fake-engine.ts';
import { Scene } from '../../packages/nearfield/src/scene.ts';

const count = 40_000;
const model = shapes.torusKnot({ segments: 150, sides: 12 });
const random = shapes.createRandom(3);
const points = Float64Array.from({ length: 3 * count }, () => random.between(-2, 2));

let cpu: CpuEngine;
beforeAll(async () => {
  cpu = await createCpuEngine({ threads: 3 });
  await cpu.compile();
  await allStarted(cpu);
});
afterAll(() => cpu.close());

/**
 * What a GPU could give: nearest faces are certain, other triangles are in lists. Every `openEach`-th point is left open. Words,
 * or plain triangles.
 */
function nearOf({ triangles, features }: ClosestPoints, openEach: number, plain: boolean): NearTriangles {
  const answers = new Uint32Array(count);
  const lists: number[] = [];
  for (let i = 0; i < count; i++) {
    if (triangles[i] < 0) answers[i] = plain ? -1 : nearWord.nothing;
    else if (i % openEach === openEach - 1) {
      answers[i] = nearWord.open;
      if (plain) lists.push(i, 0);
    } else if (features[i] === 0 && i % 5 > 0) answers[i] = triangles[i];
    else {
      answers[i] = nearWord.list + lists.length + 1;
      const others = Array.from({ length: i % 4 }, () => random.integer(model.triangleCount));
      const listed = [...new Set([...others, triangles[i]])];
      lists.push(i, listed.length, ...listed);
    }
  }
  const found = Uint32Array.from(lists);
  return { answers, triangles: found, listed: plain ? listedIn(found) : undefined };
}

it('is measured and decided as by the CPU alone', async () => {
  const alone = new Scene(cpu, cpu);
  const body = alone.add(model);
  for (const [openEach, upTo] of [
    [100, Infinity],
    [1000, 0.3],
  ]) {
    const expected = await alone.closest(body, points, { upTo });
    const nearTriangles: GpuDistanceDriver['nearTriangles'] = async (_body, _points, { plain }) =>
      nearOf(expected, openEach, plain);
    const scene = new Scene(fakeEngine({ distance: { nearTriangles } }), cpu);
    const own = scene.add(model);
    for (let turn = 0; turn < 3; turn++) {
      const { backend, ...found } = await scene.closest(own, points, { upTo });
      expect(backend).toBe('gpu');
      const { backend: _, ...wanted } = expected;
      for (const [name, array] of Object.entries(wanted)) {
        const other = found[name as keyof typeof found];
        const wrong = array.findIndex((x: number, i: number) => !Object.is(x, other[i]));
        expect(wrong, `${name}, seed 3, turn ${turn}`).toBe(-1);
      }
      const { triangles } = await scene.closest(own, points, { upTo, detail: 'triangles' });
      expect(triangles.findIndex((t, i) => t !== expected.triangles[i])).toBe(-1);
    }
    scene.close();
  }
  alone.close();
});
