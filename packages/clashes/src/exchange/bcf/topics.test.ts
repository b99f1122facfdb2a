import { expect, it } from 'vitest';
import type { AssemblyPair, Status, Verdict } from '../../assembly/types.ts';
import { finish } from '../../steps/steps.ts';
import { answerOf } from '../../testing.ts';
import { topicsOf as topicSteps } from './topics.ts';

const topicsOf = (...given: Parameters<typeof topicSteps>) => finish(topicSteps(...given));

const date = '2026-11-18T09:30:00Z';
const pair = (b: number, verdict: Verdict, status?: Status): AssemblyPair => ({
  ...{ a: 0, b, relation: 'crossing', triangleCount: 1, verdict, clash: `00000000000${b}` },
  ...(status && { status: { status, by: 'Ada' } }),
});
const names = ['floor', 'p1', 'p2', 'p3'];
const statusOf = (...pairs: AssemblyPair[]) =>
  topicsOf(answerOf(names, pairs), date).map(({ status }) => status);

it('closes only clashes that are accepted as they are now', () => {
  expect(statusOf(pair(1, 'accepted', 'accepted'))).toEqual(['Closed']);
  expect(statusOf(pair(1, 'accepted', 'not-an-issue'))).toEqual(['Closed']);
  // Accepted, but deeper now; said to be fixed, but still there.
  expect(statusOf(pair(1, 'clash', 'accepted'))).toEqual(['Open']);
  expect(statusOf(pair(1, 'clash', 'fixed'))).toEqual(['Open']);
  expect(statusOf(pair(1, 'clash'))).toEqual(['Open']);
});

it('writes what people said as a comment', () => {
  const [topic] = topicsOf(answerOf(names, [pair(1, 'clash', 'fixed')]), date);
  expect(topic.comments).toMatchObject([{ text: 'Fixed', author: 'Ada', date }]);
});

it('a group is closed if all its clashes are', () => {
  const group = (...pairs: AssemblyPair[]) => {
    const members = pairs.map(({ clash }) => clash!);
    const groups = [{ id: '0'.repeat(12), title: 'floor', members }];
    return topicsOf(answerOf(names, pairs, { groups }), date).map(({ status }) => status);
  };
  const accepted = pair(1, 'accepted', 'accepted');
  expect(group(accepted, pair(2, 'accepted', 'accepted'))).toEqual(['Closed']);
  expect(group(accepted, pair(2, 'clash', 'accepted'))).toEqual(['Open']);
});
