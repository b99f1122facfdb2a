// Two cans: one stands and has its lid on askew, one is empty and rolls away.

import { shapes, type Vector } from 'nearfield';
import { at, type Colour, disc, type HailPart, post } from './parts.ts';

const tin: Colour = [176, 186, 196];

export function cans(): HailPart[] {
  return [...standing(), ...rolling()];
}

function standing(): HailPart[] {
  const [whole, base, height, radius]: [string, Vector, number, number] = ['can', [2.5, -0.9, 0], 0.85, 0.36];
  const metal = { whole, material: 'tin', colour: tin } as const;
  const side = post({ ...metal, name: 'side' }, base, [0, 0, 1], height, radius);
  const hoops = [0.18, 0.6].map(z => ({
    mesh: shapes.cylinder({ radius: radius + 0.015, height: 0.04, segments: 40 }),
    pose: at([base[0], base[1], z]),
    colour: [150, 160, 172] as const,
  }));
  return [
    { ...side, look: [...side.look, ...hoops] },
    disc(
      { ...metal, name: 'lid', colour: [196, 204, 212] },
      [base[0] + 0.03, base[1], height + 0.07],
      [0.16, 0.05, 1],
      radius + 0.06,
      0.03,
    ),
  ];
}

/** On its side, towards the house: it turns as fast as it rolls. */
function rolling(): HailPart[] {
  const [radius, half] = [0.3, 0.42];
  const middle: Vector = [3.9, -2.5, radius];
  const speed = -0.3;
  const motion = { velocity: [speed, 0, 0], pivot: middle, turn: [0, speed / radius, 0] } as const;
  const metal = { whole: 'rolling can', material: 'tin', motion } as const;
  const side = post(
    { ...metal, name: 'side', colour: [196, 96, 72] },
    [middle[0], middle[1] - half, middle[2]],
    [0, 1, 0],
    2 * half,
    radius,
  );
  const label = {
    mesh: shapes.box({ size: [0.1, 0.5, 0.02] }),
    pose: at([middle[0], middle[1], middle[2] + radius]),
    colour: [238, 226, 196] as const,
    motion,
  };
  const end = (name: string, y: number): HailPart =>
    disc(
      { ...metal, name, colour: tin },
      [middle[0], middle[1] + y, middle[2]],
      [0, Math.sign(y), 0],
      radius,
    );
  return [{ ...side, look: [...side.look, label] }, end('front end', -half), end('back end', half)];
}
