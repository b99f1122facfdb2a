// One file for a machine with only a GPU: `node papers.mjs [--out FOLDER] [--time MS] [--machine NAME] [PAPER…]` does what `nearfield
// papers` does. scripts/build.mjs bundles it; only `webgpu` is external.

import { parseArgs } from 'node:util';
import { runPapers } from './run.ts';

const options = {
  backend: { type: 'string' },
  out: { type: 'string' },
  time: { type: 'string' },
  machine: { type: 'string' },
} as const;
const { values, positionals } = parseArgs({ options, allowPositionals: true });
const { backend, out, time, machine } = values;
if (backend !== undefined && backend !== 'cpu' && backend !== 'gpu')
  throw new Error(`no backend '${backend}'`);
const status = await runPapers(
  positionals,
  { backend, out, machine, time: time === undefined ? undefined : Number(time) },
  { out: text => void process.stdout.write(text), err: text => void process.stderr.write(text) },
);
process.exit(status);
