// The worker: reads files and answers on the CPU engine, so that the main thread stays responsive.

import { gearboxParts } from '@nearfield/samples';
import { open } from 'nearfield';
import { askCurves, askDistance } from '../ask.ts';
import { readFiles, readSample } from '../read/read-files.ts';
import { buffersOf } from '../review/columns.ts';
import { Review } from '../review/review.ts';
import type { Tasks } from '../types.ts';
import { giving, type Port, serve } from './channel.ts';
import { Kept } from './kept.ts';
import { PlacedScene } from './placed-scene.ts';

const kept = new Kept();
const opening = open({ backend: 'cpu' });
/** One scene for all pairs, and one for two bodies at a time, so that neither undoes the other's work. */
const scenes = opening.then(nf => ({
  review: new Review(nf, kept),
  two: new PlacedScene(nf, id => kept.meshOf(id)),
}));

serve<Tasks>(globalThis as unknown as Port, {
  hello: async () => (await opening).name,
  read: (files, limits) => readFiles(kept, files, limits),
  sample: () => readSample(kept, gearboxParts()),
  forget: ids => kept.forget(ids),
  pairs: async (question, limits) => {
    const answer = await (await scenes).review.pairs(question, limits);
    return giving(answer, buffersOf(answer.columns));
  },
  measure: async (question, limits) => {
    const measured = await (await scenes).review.measure(question, limits);
    return measured && giving(measured, buffersOf(measured));
  },
  touched: async question => {
    const touched = await (await scenes).review.touched(question);
    return giving(touched, buffersOf(touched));
  },
  statuses: async question => (await scenes).review.statuses(question),
  groups: async question => (await scenes).review.groups(question),
  distance: async (two, limits) => askDistance((await scenes).two, two, limits),
  curves: async (two, limits) => askCurves((await scenes).two, two, limits),
  clearance: async (two, limits) =>
    (await import('../clearance.ts')).mapClearance((await scenes).two, two, limits),
  pairView: async (question, limits) =>
    (await import('../pair-view.ts')).viewPair((await scenes).two, question, limits),
  motion: async (question, limits) =>
    (await import('./written.ts')).checkMotion(await opening, kept, question, limits),
  contacts: async (question, limits) =>
    (await import('./contacts.ts')).findContacts(await opening, kept, question, limits),
  write: async (written, limits) =>
    (await import('./written.ts')).write(await opening, kept, written, limits),
  benchCase: async key => (await import('../../bench/cases.ts')).makeCase(key),
  benchMeasure: async (question, limits) =>
    (await import('../../bench/cases.ts')).measureOn(await opening, question, limits),
});
