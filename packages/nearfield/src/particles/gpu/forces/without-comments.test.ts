import { expect, test } from 'vitest';
import { withoutComments } from './without-comments.ts';

test.each([
  ['a // b\nc', 'a     \nc'],
  ['a // b /*\u2028c */', 'a        \u2028c */'],
  ['a /* b // c */ d', 'a              d'],
  ['a /* b\nc */ d', 'a     \n     d'],
  // Nested: the comment does not end at the first end.
  ['/* /* */ a */ b', '              b'],
  ['/* /* */ // */ b', '               b'],
  ['/*/ a */ b', '         b'],
  ['a / b * c', 'a / b * c'],
  // What is not a comment, or does not end, is left to the compiler.
  ['a */ b', 'a */ b'],
  ['a /* b', 'a     /*'],
])('%j without comments', (wgsl, code) => {
  expect(withoutComments(wgsl)).toBe(code);
});
