import { expect, it } from 'vitest';
import { spreadOf, trialsOf } from './trials.ts';

it('places bodies anew for each trial, and times all tasks of it but those of the warm-up', async () => {
  const done: string[] = [];
  const times = await trialsOf({}, 3, random => done.push(`place ${random.integer(2 ** 20)}`), [
    async isTimed => done.push(`a ${isTimed}`),
    async isTimed => done.push(`b ${isTimed}`),
  ]);
  expect(times.map(list => list.length)).toEqual([3, 3]);
  expect(done.filter(word => word.endsWith('true')).length).toBe(6);
  expect(done.filter(word => word.endsWith('false')).length).toBe(4);
  expect(new Set(done.filter(word => word.startsWith('place'))).size).toBe(5);
});

it('has mean and standard deviation', () => {
  expect(spreadOf([1, 2, 3, 4])).toEqual({ mean: 2.5, deviation: Math.sqrt(1.25) });
  expect(spreadOf([7])).toEqual({ mean: 7, deviation: 0 });
});
