// The house: two roof planes, four walls, a chimney with its opening, and a weather vane that turns on the ridge.

import { shapes, type Vector } from 'nearfield';
import { at, type Colour, type HailPart, type Look, plate, sheet } from './parts.ts';

const tiles: Colour = [168, 84, 62];
const plaster: Colour = [226, 214, 190];
const brick: Colour = [150, 92, 74];
const timber: Colour = [112, 84, 60];
const pane: Colour = [104, 132, 152];

const [left, right, front, back] = [-5.6, -1.2, 0.6, 3.8];
const [eave, ridge, overhang] = [2.2, 3.7, 0.4];
const [middleX, middleY] = [(left + right) / 2, (front + back) / 2];

export function house(): HailPart[] {
  const whole = 'house';
  const halfWidth = (right - left) / 2 + overhang;
  const slope = (ridge - eave) / (middleY - front);
  // From the ridge down to the edge of the overhang, halved.
  const reach = (middleY - front + overhang) / 2;
  const roof = (name: string, side: -1 | 1): HailPart =>
    sheet(
      { whole, name, material: 'clay', colour: tiles },
      [middleX, middleY + side * reach, ridge - slope * reach],
      [-side * halfWidth, 0, 0],
      [0, -side * reach, slope * reach],
      0.06,
    );
  const wall = (name: string, place: Vector, across: Vector): HailPart =>
    sheet({ whole, name, material: 'plaster', colour: plaster }, place, across, [0, 0, eave / 2]);
  /** Up to just under the roof. */
  const gable = (name: string, x: number, side: -1 | 1): HailPart => {
    const half = middleY - front;
    const peak = ridge - 0.08;
    const outline = [
      [-half, 0],
      [half, 0],
      [half, eave - 0.05],
      [0, peak],
      [-half, eave - 0.05],
    ] as const;
    return plate(
      { whole, name, material: 'plaster', colour: plaster },
      [x, middleY, 0],
      [
        [0, side, 0],
        [0, 0, 1],
      ],
      outline,
    );
  };
  const parts = [
    roof('front roof', -1),
    roof('back roof', 1),
    wall('front wall', [middleX, front, eave / 2], [(right - left) / 2, 0, 0]),
    wall('back wall', [middleX, back, eave / 2], [(left - right) / 2, 0, 0]),
    gable('right gable', right, 1),
    gable('left gable', left, -1),
    ...chimney(whole),
    vane(whole),
  ];
  const [wallInFront] = parts.slice(2);
  return parts.map(part => (part === wallInFront ? { ...part, look: [...part.look, ...openings()] } : part));
}

const [chimneyX, chimneyY, chimneyHalf, chimneyTop] = [-4.3, 2.9, 0.28, 4.25];

function chimney(whole: string): HailPart[] {
  const kind = { whole, material: 'clay', colour: brick } as const;
  const [low, half] = [2.6, chimneyHalf];
  const [middle, up] = [(low + chimneyTop) / 2, [0, 0, (chimneyTop - low) / 2] as const];
  const square = (r: number) =>
    [
      [-r, -r],
      [r, -r],
      [r, r],
      [-r, r],
    ] as const;
  return [
    sheet({ ...kind, name: 'chimney, front' }, [chimneyX, chimneyY - half, middle], [half, 0, 0], up),
    sheet({ ...kind, name: 'chimney, right' }, [chimneyX + half, chimneyY, middle], [0, half, 0], up),
    sheet({ ...kind, name: 'chimney, back' }, [chimneyX, chimneyY + half, middle], [-half, 0, 0], up),
    sheet({ ...kind, name: 'chimney, left' }, [chimneyX - half, chimneyY, middle], [0, -half, 0], up),
    plate(
      { ...kind, name: 'chimney, rim' },
      [chimneyX, chimneyY, chimneyTop],
      [
        [1, 0, 0],
        [0, 1, 0],
      ],
      square(half + 0.05),
      [square(half - 0.1)],
      0.08,
    ),
  ];
}

/** A sheet of copper on a rod, turning with the gusts: once in five seconds. */
function vane(whole: string): HailPart {
  const pivot: Vector = [right - 0.5, middleY, ridge + 0.75];
  const motion = { pivot, turn: [0, 0, 2 * Math.PI * 0.2] } as const;
  const made = sheet(
    { whole, name: 'weather vane', material: 'copper', colour: [120, 170, 150], motion },
    [pivot[0] + 0.28, pivot[1], pivot[2]],
    [0.3, 0, 0],
    [0, 0, 0.16],
  );
  const rod = shapes.cylinder({ radius: 0.02, height: 1.1, segments: 12 });
  return {
    ...made,
    look: [...made.look, { mesh: rod, pose: at([pivot[0], pivot[1], ridge - 0.1]), colour: timber }],
  };
}

/** A door and two windows, only for drawing. */
function openings(): Look[] {
  const panel = (x: number, z: number, width: number, height: number, colour: Colour): Look[] => [
    {
      mesh: shapes.box({ size: [width + 0.14, 0.03, height + 0.14] }),
      pose: at([x, front - 0.015, z]),
      colour: timber,
    },
    { mesh: shapes.box({ size: [width, 0.03, height] }), pose: at([x, front - 0.03, z]), colour },
  ];
  return [
    ...panel(middleX, 0.9, 0.8, 1.75, [134, 62, 52]),
    ...panel(middleX - 1.4, 1.25, 0.8, 0.8, pane),
    ...panel(middleX + 1.4, 1.25, 0.8, 0.8, pane),
  ];
}
