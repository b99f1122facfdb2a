// The table: an eight-sided top with a hole for an umbrella, on one leg; and two benches.

import { shapes, type Vector } from 'nearfield';
import { type Colour, type HailPart, plate, post, solid } from './parts.ts';

const timber: Colour = [190, 146, 92];
const centre = [0.2, -2.1] as const;

export function table(): HailPart[] {
  const whole = 'table';
  const wood = { whole, material: 'wood', colour: timber } as const;
  const eight = (radius: number) => shapes.circle({ radius, segments: 8, phase: Math.PI / 8 });
  const bench = (name: string, y: number): HailPart => {
    const top = shapes.box({ size: [1.7, 0.36, 0.07] });
    return solid({ ...wood, name }, top, [centre[0], centre[1] + y, 0.44]);
  };
  const leg = (name: string, x: number, y: number): HailPart => {
    const foot: Vector = [centre[0] + x, centre[1] + y, 0.2];
    return solid({ ...wood, name, colour: [150, 112, 70] }, shapes.box({ size: [0.07, 0.3, 0.4] }), foot);
  };
  return [
    plate(
      { ...wood, name: 'top' },
      [...centre, 0.76],
      [
        [1, 0, 0],
        [0, 1, 0],
      ],
      eight(0.95),
      [eight(0.12)],
      0.06,
    ),
    post({ ...wood, name: 'leg', colour: [150, 112, 70] }, [...centre, 0], [0, 0, 1], 0.7, 0.09),
    bench('front bench', -1.3),
    bench('back bench', 1.3),
    leg('front bench, left leg', -0.65, -1.3),
    leg('front bench, right leg', 0.65, -1.3),
    leg('back bench, left leg', -0.65, 1.3),
    leg('back bench, right leg', 0.65, 1.3),
  ];
}
