// Steps give what the whole gives, and large lists are worked through in many of them.

import { identity, mesh } from 'nearfield';
import { expect, it } from 'vitest';
import type { AssemblyPair } from '../assembly/types.ts';
import { groupByPart } from '../groups/by-part.ts';
import { clashIds, identify } from '../identity/clash-id.ts';
import { reportInput } from '../report/assembly-report.ts';
import { tableData } from '../report/table/data.ts';
import { byImportance } from '../severity/order.ts';
import { answerOf } from '../testing.ts';
import { each, finish, mapped, type Steps, sorted } from './steps.ts';

/** How often the work pauses, and what it returns. */
function counted<T>(steps: Steps<T>): { count: number; result: T } {
  for (let count = 0; ; count++) {
    const step = steps.next();
    if (step.done) return { count, result: step.value };
  }
}

it.each([0, 1, 2, 1023, 1024, 1025, 2048, 5000, 10_000])('sorts %i items stably, like Array.sort', count => {
  let seed = 7;
  const items = Array.from({ length: count }, (_, i) => {
    seed = (seed * 48271) % 2147483647;
    return { key: seed % 97, i };
  });
  const compare = (p: { key: number }, q: { key: number }) => p.key - q.key;
  const given = [...items];
  expect(finish(sorted(items, compare))).toEqual([...items].sort(compare));
  expect(items).toEqual(given);
});

it('visits every item once, in order', () => {
  const items = Array.from({ length: 3000 }, (_, i) => i);
  const seen: number[] = [];
  finish(each(items, (item, index) => seen.push(item + index)));
  expect(seen).toEqual(items.map(i => 2 * i));
  expect(finish(mapped(items, item => -item))).toEqual(items.map(i => -i));
});

it('everything that is done per pair or per body of a large assembly pauses at least once per 2,048 of them', () => {
  const count = 20_000;
  const names = Array.from({ length: count }, (_, i) => `part ${i}`);
  const pairs = names.slice(1).map((_, a): AssemblyPair => {
    const depth = { lower: (a % 89) + 1, upper: (a % 89) + 2 };
    return { a, b: a + 1, relation: 'crossing', triangleCount: 2, verdict: 'clash', depth };
  });
  const answer = answerOf(names, pairs);
  const least = count / 2048;
  const { count: inIds, result: ids } = counted(clashIds(answer.bodies, pairs));
  const { count: inIdentify, result: named } = counted(identify(answer));
  expect(named.frames[0].pairs.map(({ clash }) => clash)).toEqual(ids);
  const known = named.frames[0].pairs;
  const { count: inGroups, result: groups } = counted(groupByPart(named.bodies, known));
  expect(groups.flatMap(({ members }) => members).sort()).toEqual([...ids].sort());
  const triangle = mesh(new Float32Array([0, 0, 0, 1, 0, 0, 0, 1, 0]));
  const bodies = names.map(name => ({ name, mesh: triangle, pose: identity() }));
  const { count: inInput, result: input } = counted(reportInput({ title: 'x', answer: named, bodies }));
  const { count: inOrder, result: rows } = counted(byImportance(input.pairs));
  const { count: inTable, result: table } = counted(tableData(input, rows, groups, 0));
  expect(table.rows.clash).toEqual(rows.map(({ clash }) => clash));
  const counts = { inIds, inIdentify, inGroups, inInput, inOrder, inTable };
  for (const [where, pauses] of Object.entries(counts)) expect(pauses, where).toBeGreaterThan(least);
});
