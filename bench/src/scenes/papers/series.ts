// Series of cases that differ only in size, by scene. Growth is measured over all sizes in turn (run/series.ts).

import type { Case } from '../../case.ts';
import * as layers from './layers.ts';
import * as raycast from './raycast.ts';

/** `software` if the GPU is a software GPU, which gets smaller sizes. */
export const growing: ReadonlyMap<string, (software: boolean) => Generator<readonly Case[]>> = new Map([
  [raycast.raycast.name, raycast.growing],
  [layers.layers.name, layers.growing],
]);

export const { growingSizes } = raycast;
