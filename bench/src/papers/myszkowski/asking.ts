// How Myszkowski's experiments ask.

import type { LayersInterferences, LayersOptions, Mesh, Nearfield, Scene } from 'nearfield';
import type { Lab } from '../paper.ts';

export type Way = Pick<LayersOptions, 'algorithm' | 'direction' | 'resolution' | 'form'>;

/** The median time of a question, the last answer, and the median time of each pass if it is drawn. */
export interface Measured {
  readonly total: number;
  readonly answer: LayersInterferences;
  /** Milliseconds of passes 1 to 3: graphics, software. */
  readonly phases: readonly (readonly [graphics: number, software: number])[];
}

/** Asks in every way, in turns. */
export async function askAll(lab: Lab, scene: Scene, ways: readonly Way[]): Promise<Measured[]> {
  const answers: LayersInterferences[][] = ways.map(() => []);
  const times = await lab.measure(
    ...ways.map((way, i) => async () => {
      answers[i].push(await scene.sampledInterferences({ method: 'layers', ...way }));
    }),
  );
  return ways.map((_, i) => {
    const all = answers[i].map(({ layers }) => layers.phases);
    const of = (phase: number, what: 'graphics' | 'software') =>
      median(all.map(phases => phases[phase][what]));
    return {
      total: times[i].calm,
      answer: answers[i].at(-1)!,
      phases: all[0].map((_, phase) => [of(phase, 'graphics'), of(phase, 'software')] as const),
    };
  });
}

export const median = (values: readonly number[]): number =>
  values.toSorted((p, q) => p - q)[values.length >> 1];

export function pairScene(
  nf: Nearfield,
  bodies: readonly { readonly mesh: Mesh; readonly pose?: Float64Array }[],
): Scene {
  const scene = nf.scene();
  for (const { mesh, pose } of bodies) scene.add(mesh, pose ? { pose } : {});
  return scene;
}
