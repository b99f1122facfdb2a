// First contacts whose times are known: boxes, bars, bullets, contained and touching starts, and what grazes.

import { afterAll, describe, expect, test } from 'vitest';
import { openCpu } from '../../entries/cpu.ts';
import type { Body } from '../../index.ts';
import { shapes } from '../../index.ts';
import { firstContact } from '../first-contact.ts';
import type { FirstContact } from '../types.ts';

const nf = await openCpu();
afterAll(() => nf.close());

const at = (x: number, y: number, z: number) =>
  Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1);
/** A turn about z by an angle, and then a translation. */
const turned = (angle: number, x = 0, y = 0, z = 0) => {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  return Float64Array.of(c, s, 0, 0, -s, c, 0, 0, 0, 0, 1, 0, x, y, z, 1);
};
const cube = shapes.box({ size: [2, 2, 2] });

function expectTime({ time, state }: FirstContact, value: number, width = 2 ** -36): void {
  expect(state).toBe('contact');
  expect(time.from).toBeLessThanOrEqual(value + 1e-15);
  expect(time.to).toBeGreaterThanOrEqual(value - 1e-15);
  expect(time.to - time.from).toBeLessThanOrEqual(width);
}

test('a box that moves to a box meets it when the gap is closed', async () => {
  const scene = nf.scene();
  scene.add(cube);
  const b = scene.add(cube, { pose: at(10, 0.25, 0.5) });
  const [found] = await firstContact(scene, { bodies: [{ body: b, to: at(0, 0.25, 0.5) }] });
  console.log(found);
  expectTime(found, 0.8);
});

test('aligned boxes, whose edges meet edges', async () => {
  const scene = nf.scene();
  scene.add(cube);
  const b = scene.add(cube, { pose: at(10, 0, 0) });
  const [found] = await firstContact(scene, { bodies: [{ body: b, to: at(0, 0, 0) }] });
  console.log(found);
  expectTime(found, 0.8);
});

test('bar and peg', async () => {
  const scene = nf.scene();
  const bar = scene.add(shapes.box({ size: [4, 0.2, 0.2] }));
  scene.add(shapes.box({ size: [0.2, 0.2, 2] }), { pose: at(0, 1.5, 0) });
  const [found] = await firstContact(scene, { bodies: [{ body: bar, to: turned(Math.PI / 2) }] });
  console.log(found);
});
