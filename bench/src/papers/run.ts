// `nearfield papers [NAME…]`: runs the evaluations of papers and writes a page for each.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Nearfield, NearfieldError, open } from 'nearfield';
import { isSoftware } from '../culling/culling.ts';
import { machineSlug, thisMachine } from '../machine.ts';
import type { Output } from '../messages.ts';
import { summarise, takeTurns } from '../run/measure.ts';
import { papers } from './index.ts';
import { pageOf, type Shown } from './page.ts';
import { type Lab, type Paper, pageSeconds } from './paper.ts';

/** The least milliseconds per figure. */
const leastTime = 100;

export interface PapersOptions {
  /** 'gpu' also accepts a software GPU. By default a GPU is used if there is a real one. */
  readonly backend?: 'cpu' | 'gpu' | undefined;
  /** The folder for the pages; the machine's name is added. Default: docs/papers. */
  readonly out?: string | undefined;
  /** Milliseconds per figure. */
  readonly time?: number | undefined;
  /** The name of the GPU, for drivers that tell only their version. */
  readonly machine?: string | undefined;
}

/** The body of the command. Returns 0 when done, 2 for a paper that does not exist. */
export async function runPapers(
  names: readonly string[],
  { backend, out = join('docs', 'papers'), time = 2000, machine: given }: PapersOptions,
  output: Output,
): Promise<number> {
  const unknown = names.find(name => !papers.some(paper => paper.name === name));
  if (unknown !== undefined) {
    const known = papers.map(({ name }) => name).join(', ');
    output.err(`nearfield papers: there is no paper '${unknown}'; choose from ${known}\n`);
    return 2;
  }
  const chosen = papers.filter(({ name }) => names.length === 0 || names.includes(name));
  const cpu = await open({ backend: 'cpu' });
  const gpu = backend === 'cpu' ? undefined : await openGpu(backend);
  const { signal } = output;
  let ends = Infinity;
  const lab: Lab = {
    ...{ cpu, gpu, time, signal, isSoftware: gpu !== undefined && isSoftware(gpu.name) },
    left: () => ends - performance.now(),
    log: text => output.err(`${text}\n`),
    async measure(...tasks) {
      signal?.throwIfAborted();
      const turns = 5;
      // However many figures a page has, each takes only a share of what is left.
      const own = Math.max(leastTime, Math.min(time, lab.left() / 20 / tasks.length));
      const samples = await takeTurns(tasks, { turns, turnTime: own / turns, cycle: 1 });
      return samples.map(summarise);
    },
  };
  const machine = thisMachine(gpu && (given ?? gpu.name));
  // A software GPU is a program on the processor.
  const folder = join(out, machineSlug(lab.isSoftware ? thisMachine() : machine));
  try {
    for (const paper of chosen) {
      if (gpu !== undefined && !lab.isSoftware) ends = performance.now() + 1000 * pageSeconds;
      const shown = await runPaper(paper, lab);
      mkdirSync(folder, { recursive: true });
      const files = pageOf(paper, shown, machine, new Date().toISOString().slice(0, 10));
      for (const { name, text } of files) writeFileSync(join(folder, name), text);
      await output.out(`${join(folder, files[0].name)}\n`);
    }
    return 0;
  } finally {
    cpu.close();
    gpu?.close();
  }
}

export async function runPaper({ name, exhibits }: Paper, lab: Lab): Promise<Shown[]> {
  const shown: Shown[] = [];
  for (const exhibit of exhibits) {
    lab.signal?.throwIfAborted();
    lab.log(`${name}: ${exhibit.name}, ${exhibit.title}`);
    const findings =
      exhibit.needsGpu && lab.gpu === undefined ? { missing: 'it needs a GPU' } : await exhibit.run(lab);
    shown.push({ exhibit, findings });
  }
  return shown;
}

async function openGpu(backend: 'gpu' | undefined): Promise<Nearfield | undefined> {
  if (backend === 'gpu') return open({ backend });
  try {
    const nf = await open();
    if (nf.backend === 'gpu') return nf;
    nf.close();
    return undefined;
  } catch (error) {
    if (error instanceof NearfieldError && error.code === 'no-gpu') return undefined;
    throw error;
  }
}
