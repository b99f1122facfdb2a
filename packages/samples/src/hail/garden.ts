// The other objects: the lawn, a glass ball, a lantern on its post, a bush.

import { shapes } from 'nearfield';
import { ball, bush, disc, type HailPart, post, solid } from './parts.ts';

const lawnRadius = 7.2;

export function garden(): HailPart[] {
  const lantern = shapes.revolve({
    profile: [
      [0, -0.2],
      [0.13, -0.2],
      [0.15, -0.16],
      [0.2, 0.14],
      [0.27, 0.16],
      [0.05, 0.32],
      [0.03, 0.4],
      [0, 0.4],
    ],
    segments: 8,
  });
  const whole = 'lantern';
  return [
    disc(
      { whole: 'lawn', name: 'lawn', material: 'earth', colour: [96, 134, 76] },
      [-0.6, 0.5, 0],
      [0, 0, 1],
      lawnRadius,
      0.25,
    ),
    ball(
      { whole: 'glass ball', name: 'glass ball', material: 'glass', colour: [70, 112, 190] },
      [-2.7, -1.9, 0.42],
      0.34,
    ),
    post(
      { whole: 'glass ball', name: 'stone', material: 'plaster', colour: [170, 168, 160] },
      [-2.7, -1.9, 0],
      [0, 0, 1],
      0.12,
      0.2,
    ),
    solid({ whole, name: 'lantern', material: 'iron', colour: [62, 66, 74] }, lantern, [-0.55, -0.15, 1.95]),
    post(
      { whole, name: 'post', material: 'iron', colour: [62, 66, 74] },
      [-0.55, -0.15, 0],
      [0, 0, 1],
      1.75,
      0.045,
    ),
    bush(
      { whole: 'bush', name: 'bush', material: 'leaves', colour: [70, 112, 58] },
      [-5, -1.2, 0.55],
      [
        { at: [-5, -1.2, 0.5], radius: 1.15 },
        { at: [-5.6, -1.35, 0.4], radius: 0.85 },
        { at: [-4.4, -1.1, 0.4], radius: 0.9 },
        { at: [-4.9, -1.7, 0.3], radius: 0.7 },
        { at: [-5.1, -0.9, 0.9], radius: 0.75 },
      ],
      0.25,
    ),
  ];
}
