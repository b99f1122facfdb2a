// The cases of lines through two bodies (Myszkowski, Okunev and Kunii 1995), from all their crossings.

import { CollisionCase } from 'nearfield';
import type { LinesData, Two } from '../types.ts';
import { type Crossing, crossingsOf, placedTwo, sharedBox, viewOf } from './crossings.ts';

const letters: Readonly<Record<string, number>> = {
  AABB: CollisionCase.a,
  ABAB: CollisionCase.b,
  BAAB: CollisionCase.c,
  ABBA: CollisionCase.d,
  BABA: CollisionCase.e,
  BBAA: CollisionCase.f,
};

export function linesOf(shapes: Two, resolution: number): LinesData {
  const two = placedTwo(shapes);
  const box = sharedBox(two);
  if (box === undefined) return { method: 'layers' };
  const view = viewOf(box, resolution);
  const lines = crossingsOf(view, two);
  const [farSide, nearSide] = [new Uint8Array(lines.length), new Uint8Array(lines.length)];
  const cases = new Uint8Array(lines.length);
  lines.forEach((line, pixel) => {
    cases[pixel] = caseOf(line);
    if (cases[pixel] === CollisionCase.neither || isOfOne(cases[pixel])) return;
    farSide[pixel] = isOpen(line) ? 1 : 0;
    // Test 3 decides if the line passes A once.
    nearSide[pixel] = farSide[pixel] === 1 && line.filter(({ side }) => side === 0).length !== 2 ? 1 : 0;
  });
  return { method: 'layers', map: { view, cases, farSide, nearSide, orders: lines.map(orderOf) } };
}

const isOfOne = (value: number): boolean => value === CollisionCase.onlyA || value === CollisionCase.onlyB;

const orderOf = (line: readonly Crossing[]): string => line.map(({ side }) => 'AB'[side]).join('');

function caseOf(line: readonly Crossing[]): number {
  const order = orderOf(line);
  if (order === '') return CollisionCase.neither;
  if (!order.includes('B')) return CollisionCase.onlyA;
  if (!order.includes('A')) return CollisionCase.onlyB;
  const winding = [0, 0];
  let meets = false;
  line.forEach(({ side, leaves, depth }, i) => {
    winding[side] += leaves ? -1 : 1;
    meets ||= winding[0] > 0 && winding[1] > 0 && (line[i + 1]?.depth ?? depth) > depth;
  });
  const letter = letters[order] ?? CollisionCase.neither;
  const isApart = letter === CollisionCase.a || letter === CollisionCase.f;
  if (letter !== CollisionCase.neither && meets !== isApart) return letter;
  return meets ? CollisionCase.meets : CollisionCase.clear;
}

/** Whether test 2 leaves the line open: B has layers in front of A's far side, and as many enter as leave. */
function isOpen(line: readonly Crossing[]): boolean {
  const last = line.findLastIndex(({ side }) => side === 0);
  const before = line.slice(0, last).filter(({ side }) => side === 1);
  return before.length > 0 && before.reduce((sum, { leaves }) => sum + (leaves ? -1 : 1), 0) === 0;
}
