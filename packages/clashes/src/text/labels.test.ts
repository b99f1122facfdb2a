import { expect, it } from 'vitest';
import { distinctLabels, labelsOf } from './labels.ts';

it('adds the file if several bodies have the same name', () => {
  const bodies = [
    { name: 'part', file: 'left.stl' },
    { name: 'part', file: 'right.stl' },
    { name: 'lid', file: 'left.stl' },
  ];
  expect(labelsOf(bodies)).toEqual(['part (left.stl)', 'part (right.stl)', 'lid']);
  expect(labelsOf([bodies[0], bodies[0]])).toEqual(['part', 'part']);
  expect(labelsOf([{ name: 'gear' }, { name: 'gear' }])).toEqual(['gear', 'gear']);
});

it('adds the index if the name says nothing', () => {
  expect(distinctLabels([{ name: 'bolt' }, { name: 'nut' }, { name: 'bolt' }])).toEqual([
    ...['bolt (#0)', 'nut', 'bolt (#2)'],
  ]);
});
