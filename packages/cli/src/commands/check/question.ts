// The question of a check: what the options ask about the bodies that were read.

import { createHash } from 'node:crypto';
import { lengthIn } from '@nearfield/clashes';
import type { Question } from '../../assembly.ts';
import type { Loaded } from '../../input/load.ts';
import type { Inputs } from './inputs.ts';
import type { CheckOptions, Settings } from './settings.ts';

/** Everything that is asked, but for the time that reading took. */
export function questionOf(
  options: CheckOptions,
  settings: Settings,
  { bodies, files, unit, allowed }: Loaded,
  { motion, rules, baseline, statuses }: Inputs,
): Omit<Question, 'readTime' | 'signal' | 'progress'> {
  const { method, backend, resolution, ignore, failOn, group, rows, outputs } = settings;
  const { clearance, tolerance } = settings;
  const wanted = new Set(
    outputs.length === 0 ? [options.json ? 'json' : 'table'] : outputs.map(out => out.format),
  );
  return {
    ...{ bodies, files, unit, motion, backend, method, resolution, ignore, rules, allowed },
    ...{ baseline, statuses, failOn, group, rows, volumes: options.volumes },
    clearance: clearance && lengthIn(clearance, unit, '--clearance'),
    tolerance: tolerance === 'file' ? tolerance : tolerance && lengthIn(tolerance, unit, '--tolerance'),
    // The frames of a motion are listed in order of time, so depths are found only if they are asked for.
    depths: settings.depths ?? (motion?.isMotion ? 'none' : 'auto'),
    keepTriangles: options.triangles ? 'all' : wanted.has('report') || wanted.has('glb') ? 'worst' : 'none',
    points: [...wanted].some(format => format !== 'table') || baseline !== undefined || group !== undefined,
    identities: [...wanted].some(format => format !== 'table' && format !== 'glb'),
    digest: bytes => createHash('sha256').update(bytes).digest(),
  };
}
