import { createRandom } from 'nearfield/shapes';
import { expect, it } from 'vitest';
import { firstBy } from './rows.ts';

it('the first items in an order are those of a sorted list, and equal ones keep their places', () => {
  const random = createRandom(5);
  const items = Array.from({ length: 3000 }, (_, place) => ({ key: random.integer(40), place }));
  const compare = (p: { key: number }, q: { key: number }) => p.key - q.key;
  const sorted = [...items].sort(compare);
  for (const most of [0, 1, 7, 100, 1000, 1001, 2999, 3000, Infinity]) {
    expect(firstBy(items, most, compare), `${most}`).toEqual(sorted.slice(0, most));
    const isOdd = ({ key }: { key: number }) => key % 2 === 1;
    expect(firstBy(items, most, compare, isOdd), `${most}`).toEqual(sorted.filter(isOdd).slice(0, most));
  }
});
