import { expect, it } from 'vitest';
import { nearWord } from '../../request.ts';
import { movedList } from './closest-search.ts';

it('leaves a point to the CPU if the place of its list is too large for its word', () => {
  const most = nearWord.nothing - nearWord.list - 1;
  expect(movedList(nearWord.list + 5, 7)).toBe(nearWord.list + 12);
  expect(movedList(nearWord.list + 5, most - 5)).toBe(nearWord.nothing - 1);
  // Before, this was the certain answer of another triangle.
  expect(movedList(nearWord.list + 5, most + 5)).toBe(nearWord.open);
  for (const word of [0, 6 * 2 ** 29 + 3, nearWord.nothing, nearWord.open])
    expect(movedList(word, 9)).toBe(word);
});
