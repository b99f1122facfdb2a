import { open, shapes } from 'nearfield';
import { expect, it } from 'vitest';
import { findPairs, type PairsQuestion } from './find-pairs.ts';

it('finds the pairs of an answer that reports no progress of its relations', async () => {
  const nf = await open({ backend: 'cpu' });
  const scene = nf.scene();
  for (const x of [0, 0.5, 3]) {
    scene.add(shapes.box(), { pose: Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, 0, 0, 1) });
  }
  const question: PairsQuestion = {
    method: 'hierarchy',
    resolution: undefined,
    rules: { all: true, keep: () => true, decide: () => undefined, clearances: [] },
    keepTriangles: 'none',
    points: true,
    progress() {},
  };
  const { pairs } = await findPairs(scene, question, undefined, async options => {
    const answer = await scene.interferences(options);
    const relations = await answer.relations();
    answer.relations = async () => relations;
    return answer;
  });
  expect(pairs.map(({ a, b, relation }) => [a, b, relation])).toEqual([[0, 1, 'crossing']]);
  expect(pairs[0].point).toHaveLength(3);
  nf.close();
});
