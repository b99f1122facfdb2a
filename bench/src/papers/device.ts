// One file for a machine with only a GPU:
// `node papers.mjs [--out FOLDER] [--time MS] [--machine NAME] [--clock FILE] [--seconds S] [PAPER…]` does what
// `nearfield papers` does. scripts/build.mjs bundles it; only `webgpu` is external. bench/papers-on-gpu.sh is the
// whole call.

import { parseArgs } from 'node:util';
import { runPapers } from './run.ts';

const options = {
  backend: { type: 'string' },
  out: { type: 'string' },
  time: { type: 'string' },
  machine: { type: 'string' },
  clock: { type: 'string' },
  seconds: { type: 'string' },
} as const;
const { values, positionals } = parseArgs({ options, allowPositionals: true });
const { backend, out, time, machine, clock, seconds } = values;
if (backend !== undefined && backend !== 'cpu' && backend !== 'gpu')
  throw new Error(`no backend '${backend}'`);
const numberOf = (given: string | undefined) => (given === undefined ? undefined : Number(given));
const status = await runPapers(
  positionals,
  { backend, out, machine, clock, time: numberOf(time), seconds: numberOf(seconds) },
  { out: text => void process.stdout.write(text), err: text => void process.stderr.write(text) },
);
process.exit(status);
