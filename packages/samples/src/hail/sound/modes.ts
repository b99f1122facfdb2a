// How objects sound when hail strikes them: modal synthesis, after van den Doel and Pai, as in Knott's hail scene
// (section 3.5). An object rings in a few modes, each a decaying frequency. A strike excites each mode as far as its
// shape moves at the place that was struck.

import type { SurfaceData } from 'nearfield';

export interface Mode {
  /** Hertz. */
  readonly frequency: number;
  /** Seconds until it is a thousandth as loud (−60 dB). */
  readonly decay: number;
  /** Amplitude at its loudest place, for a strike of 1 m/s. */
  readonly gain: number;
}

export interface Material {
  readonly modes: readonly Mode[];
  /** How long a hailstone touches it, in seconds: a short blow is bright, a long one dull. */
  readonly contact: number;
}

const modes = (...rows: readonly (readonly [number, number, number])[]): Mode[] =>
  rows.map(([frequency, decay, gain]) => ({ frequency, decay, gain }));

export type MaterialName =
  | 'clay'
  | 'copper'
  | 'earth'
  | 'glass'
  | 'iron'
  | 'leaves'
  | 'plaster'
  | 'tin'
  | 'wood';

/** Frequencies of plates, bars and shells of about the right size; decays by ear. */
export const materials: Readonly<Record<MaterialName, Material>> = {
  clay: {
    modes: modes(
      [410, 0.09, 0.5],
      [890, 0.08, 0.5],
      [1420, 0.06, 0.5],
      [2310, 0.05, 0.45],
      [3180, 0.04, 0.4],
      [4760, 0.03, 0.3],
    ),
    contact: 2.2e-4,
  },
  copper: {
    modes: modes(
      [310, 0.5, 0.3],
      [655, 0.45, 0.28],
      [1010, 0.4, 0.25],
      [1720, 0.3, 0.2],
      [2590, 0.25, 0.16],
      [3870, 0.2, 0.12],
    ),
    contact: 2e-4,
  },
  earth: {
    modes: modes(
      [85, 0.05, 0.3],
      [150, 0.04, 0.22],
      [260, 0.03, 0.15],
      [740, 0.015, 0.14],
      [1690, 0.01, 0.12],
      [3350, 0.008, 0.1],
    ),
    contact: 4e-4,
  },
  glass: {
    modes: modes([2150, 0.7, 0.5], [3480, 0.6, 0.4], [5230, 0.4, 0.3], [7610, 0.3, 0.2]),
    contact: 1.5e-4,
  },
  iron: {
    modes: modes([1180, 1.1, 0.3], [1930, 0.9, 0.28], [3260, 0.7, 0.22], [4870, 0.5, 0.16], [7120, 0.3, 0.1]),
    contact: 1.5e-4,
  },
  leaves: {
    modes: modes([520, 0.02, 0.2], [1330, 0.015, 0.3], [2900, 0.01, 0.3], [5200, 0.008, 0.25]),
    contact: 2e-4,
  },
  plaster: {
    modes: modes([230, 0.07, 0.5], [540, 0.05, 0.4], [1180, 0.03, 0.3], [2600, 0.02, 0.2]),
    contact: 3e-4,
  },
  tin: {
    modes: modes(
      [940, 0.55, 0.5],
      [1610, 0.5, 0.5],
      [2480, 0.45, 0.45],
      [3690, 0.35, 0.4],
      [5090, 0.3, 0.3],
      [6830, 0.2, 0.2],
    ),
    contact: 2e-4,
  },
  wood: {
    modes: modes(
      [190, 0.16, 0.45],
      [470, 0.13, 0.5],
      [880, 0.1, 0.45],
      [1390, 0.08, 0.4],
      [2040, 0.06, 0.3],
      [3300, 0.04, 0.2],
    ),
    contact: 3e-4,
  },
};

/**
 * How far each mode of a plate moves at each of its points: those of a plate fixed at its edges, sin mπu · sin nπv,
 * the lowest (m, n) first. The particle system returns these gains at the struck place with every impact (KP8).
 */
export function plateShapes(material: Material, size = 32): SurfaceData {
  const pairs = [
    [1, 1],
    [2, 1],
    [1, 2],
    [2, 2],
    [3, 1],
    [1, 3],
  ];
  const channels = material.modes.length;
  const values = new Float32Array(size * size * channels);
  for (let row = 0; row < size; row++) {
    for (let column = 0; column < size; column++) {
      for (let k = 0; k < channels; k++) {
        const [m, n] = pairs[k % pairs.length];
        const [u, v] = [(column + 0.5) / size, (row + 0.5) / size];
        values[channels * (row * size + column) + k] = Math.sin(m * Math.PI * u) * Math.sin(n * Math.PI * v);
      }
    }
  }
  return { width: size, height: size, channels, values, interpolate: 'linear' };
}
