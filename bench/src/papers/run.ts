// `nearfield papers [NAME…]`: runs the evaluations of papers and writes a page for each.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Nearfield, NearfieldError, open } from 'nearfield';
import { isSoftware } from '../culling/culling.ts';
import { clockRangeOf, machineSlug, thisMachine } from '../machine.ts';
import type { Output } from '../messages.ts';
import { summarise, takeTurns } from '../run/measure.ts';
import { papers } from './index.ts';
import { pageOf, type Shown } from './page.ts';
import { type Exhibit, type Lab, type Paper, pageSeconds } from './paper.ts';

/** Milliseconds that are kept for every exhibit that is still to come, so that a slow one takes no other's place. */
const keptForEach = 5000;

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
  /** A file to which another program appends the GPU's clock in MHz, a line per sample. Pages have its range. */
  readonly clock?: string | undefined;
  /** Seconds for all chosen papers, divided evenly. Default: `pageSeconds` for each on a real GPU, else no limit. */
  readonly seconds?: number | undefined;
}

/**
 * The body of the command. Returns 0 when done, 1 if an exhibit failed or was not reached, 2 for a paper that does
 * not exist.
 */
export async function runPapers(
  names: readonly string[],
  { backend, out = join('docs', 'papers'), time = 2000, machine: given, clock, seconds }: PapersOptions,
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
  let later = 0;
  const lab: Lab = {
    ...{ cpu, gpu, time, signal, isSoftware: gpu !== undefined && isSoftware(gpu.name) },
    left: () => ends - performance.now() - later * keptForEach,
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
  const clockRange = () =>
    clock !== undefined && existsSync(clock) ? clockRangeOf(readFileSync(clock, 'utf8')) : undefined;
  // A software GPU is a program on the processor.
  const folder = join(out, machineSlug(lab.isSoftware ? thisMachine() : machine));
  const isReal = gpu !== undefined && !lab.isSoftware;
  const most = seconds ?? (isReal ? pageSeconds * chosen.length : Infinity);
  const last = performance.now() + 1000 * most;
  let failed = 0;
  try {
    for (const [i, paper] of chosen.entries()) {
      const now = performance.now();
      if (now > last) {
        output.err(`nearfield papers: no time was left for ${paper.name}\n`);
        failed++;
        continue;
      }
      ends = now + (last - now) / (chosen.length - i);
      const page = join(folder, `${paper.name}.md`);
      const earlier = existsSync(page) ? readFileSync(page, 'utf8') : '';
      const write = (shown: readonly Shown[]) => {
        mkdirSync(folder, { recursive: true });
        const measured = { ...machine, clock: clockRange() };
        const files = pageOf(paper, shown, measured, new Date().toISOString().slice(0, 10), earlier);
        for (const { name, text } of files) writeFileSync(join(folder, name), text);
      };
      const begin = (rest: number) => {
        later = rest;
      };
      failed += await runPaper(paper, lab, last, write, begin);
      await output.out(`${page}\n`);
    }
    return failed > 0 ? 1 : 0;
  } finally {
    cpu.close();
    gpu?.close();
  }
}

/**
 * Runs the exhibits of a paper until `last`, and has the page written after each, so that whatever ends the run
 * leaves what it has. Returns how many failed or were not reached: one that fails takes no other with it. `begin` is
 * told how many follow the one that begins.
 */
export async function runPaper(
  { name, exhibits }: Paper,
  lab: Lab,
  last: number,
  write: (shown: readonly Shown[]) => void,
  begin: (later: number) => void = () => {},
): Promise<number> {
  const shown: Shown[] = exhibits.map(exhibit => ({
    exhibit,
    findings: { missing: 'the run ended before it' },
  }));
  let failed = 0;
  for (const [i, exhibit] of exhibits.entries()) {
    lab.signal?.throwIfAborted();
    if (performance.now() > last) return failed + exhibits.length - i;
    lab.log(`${name}: ${exhibit.name}, ${exhibit.title}`);
    begin(exhibits.length - 1 - i);
    shown[i] = { exhibit, findings: await findingsOf(exhibit, lab) };
    const { findings } = shown[i];
    if ('error' in findings) {
      lab.log(`${name}: ${exhibit.name} failed: ${(findings.error as Error)?.stack ?? findings.error}`);
      failed++;
    }
    write(shown);
  }
  return failed;
}

async function findingsOf(
  exhibit: Exhibit,
  lab: Lab,
): Promise<Shown['findings'] & { readonly error?: unknown }> {
  if (exhibit.needsGpu && lab.gpu === undefined) return { missing: 'it needs a GPU' };
  try {
    return await exhibit.run(lab);
  } catch (error) {
    lab.signal?.throwIfAborted();
    return { missing: `it failed (${error instanceof Error ? error.message : error})`, error };
  }
}

async function openGpu(backend: 'gpu' | undefined): Promise<Nearfield | undefined> {
  if (backend === 'gpu') return open({ backend });
  try {
    const nf = await open();
    nf.close();
    // Pages have the times of a GPU, even where `open()` would choose the CPU.
    return nf.backend === 'gpu' ? await open({ backend: 'gpu' }) : undefined;
  } catch (error) {
    if (error instanceof NearfieldError && error.code === 'no-gpu') return undefined;
    throw error;
  }
}
