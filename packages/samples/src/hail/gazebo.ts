// The gazebo: a conical copper roof on six posts, a wooden floor, a ball on top.

import type { Vector } from 'nearfield';
import { unitAt } from '../elementary.ts';
import { ball, type Colour, cone, disc, type HailPart, post } from './parts.ts';

const copper: Colour = [96, 158, 138];
const timber: Colour = [172, 138, 98];

const centre = [3.1, 2.3] as const;
const [apex, rim, radius] = [3.75, 2.25, 2.2];
const postCount = 6;

export function gazebo(): HailPart[] {
  const whole = 'gazebo';
  const wood = { whole, material: 'wood', colour: timber } as const;
  const posts = Array.from({ length: postCount }, (_, i): HailPart => {
    const [cos, sin] = unitAt((2 * Math.PI * (i + 0.5)) / postCount);
    const base: Vector = [centre[0] + 1.8 * cos, centre[1] + 1.8 * sin, 0.12];
    // Up to the cone at that distance, minus a hand's width.
    const top = apex - (apex - rim) * (1.87 / radius) - 0.02;
    return post({ ...wood, name: `post ${i + 1}` }, base, [0, 0, 1], top - base[2], 0.07);
  });
  return [
    cone({ whole, name: 'roof', material: 'copper', colour: copper }, [...centre, apex], apex - rim, radius),
    ball({ whole, name: 'ball', material: 'copper', colour: [206, 178, 92] }, [...centre, apex + 0.1], 0.14),
    disc({ ...wood, name: 'floor' }, [...centre, 0.12], [0, 0, 1], 2.05, 0.12),
    ...posts,
  ];
}
