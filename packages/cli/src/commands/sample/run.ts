// `nearfield sample` checks the built-in gearbox like any other assembly; `npm start` runs it. `nearfield sample
// NAME` runs a sample that moves.

import { scaledPose } from '@nearfield/clashes';
import { gearboxParts } from '@nearfield/samples';
import { NearfieldError } from 'nearfield';
import type { Terminal } from '../../output/terminal.ts';
import { type CheckOptions, checkAssembly, type LoadAssembly } from '../check/check.ts';
import { checkReportName } from '../options.ts';
import { type SceneOptions, sampleScene, withOut } from './scene.ts';

/** The gearbox is drawn in millimetres. */
const millimetre = 0.001;

export async function sampleRun(
  scene: string | undefined,
  options: CheckOptions & Omit<SceneOptions, 'out'>,
  terminal: Terminal,
): Promise<number> {
  const { steps, response, resolution, clearance, poses, ignore, triangles, json } = options;
  const out = scene !== undefined && withOut.includes(scene) ? undefined : options.out;
  const method = options.method === 'auto' ? undefined : options.method;
  const unfit = Object.entries(
    scene === undefined
      ? { steps, response }
      : { method, resolution, clearance, poses, ignore, triangles, json, out },
  )
    .filter(([, value]) => value !== undefined)
    .map(([name]) => `--${name}`);
  if (unfit.length > 0) {
    const whom = scene === undefined ? 'samples that move' : 'the gearbox, which does not move';
    throw new NearfieldError('bad-option', `${unfit.join(' and ')} is for ${whom}`);
  }
  checkReportName(options.report);
  if (scene !== undefined) {
    const outs = options.out ?? [];
    if (outs.length > 1) throw new NearfieldError('bad-option', `sample ${scene} writes one --out`);
    return sampleScene(scene, { ...options, out: outs[0] }, terminal);
  }
  const load: LoadAssembly = async (_files, _progress, { units: unit = millimetre }) => {
    const bodies = gearboxParts().map(part => ({
      ...part,
      pose: scaledPose(part.pose, millimetre / unit),
    }));
    return { bodies, files: [], unit, allowed: [], robots: [] };
  };
  return checkAssembly({ title: 'Interference in the sample gearbox', names: [], load }, options, terminal);
}
