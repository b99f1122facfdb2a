// Rows of questions that need a GPU.

import { type Kind, left, limits, needed, only, options, whole } from './kinds.ts';
import { methods, type Row } from './rows.ts';
import { bodyKinds, optionsOf, resolution, views } from './scene-options.ts';
import type { World } from './world.ts';

/** Questions that need a GPU: wrong arguments are reported before the missing GPU. */
export function gpuRows(world: World): Row[] {
  const { scene, closedScene, state } = world;
  const of = optionsOf(world);
  const answers = world.nf.backend === 'gpu';
  const { body } = bodyKinds(world);
  const interferences = (method: string, fields: Record<string, Kind>): Row => ({
    ...methods(
      'Scene',
      scene,
      { 'sampledInterferences…': { options: needed(options(fields, { method, resolution: 8 })) } },
      { closed: closedScene, state, answers, repeats: answers },
    )[0],
    name: `Scene.sampledInterferences${method === 'raycast' ? '' : ` by ${method}`}`,
  });
  const steps = (method: string, fields: Record<string, Kind>): Row => ({
    ...methods(
      'Scene',
      scene,
      {
        'steps…': {
          bodies: only([world.a, world.b]),
          options: needed(options({ ...limits, ...fields }, { method, resolution: 8 })),
        },
      },
      { closed: closedScene, state, answers: answers || method === 'field', repeats: false },
    )[0],
    name: `Scene.steps by ${method}`,
  });
  const { between, groups, allowed, keep, ...layers } = of.layers;
  // Options that would contradict wrong values of others.
  const { offset, ...raycast } = of.raycast;
  return [
    interferences('raycast', raycast),
    interferences('layers', of.layers),
    steps('field', { resolution: left(whole(8, 1)) }),
    steps('layers', layers),
    steps('raycast', { resolution, views }),
    steps('visibility', { resolution }),
    ...methods(
      'Scene',
      scene,
      { 'fieldTexture…': { body, options: options(of.texture, { resolution: 4 }) } },
      { closed: closedScene, state, answers, repeats: false },
    ),
  ];
}
