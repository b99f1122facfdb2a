// `memory-process SCENE CASE QUESTION ENGINE`: makes the meshes, notes what the process holds, builds, answers once and
// prints how far its memory rose, in MiB.

import { readFileSync, writeFileSync } from 'node:fs';
import { settle } from './measure.ts';
import { loadPeers } from './peers/index.ts';
import { createNearfield } from './peers/nearfield.ts';
import { scenes } from './scenes/index.ts';

await main(process.argv.slice(2));

async function main([scene, name, question, engineName]: string[]): Promise<void> {
  const engines = engineName.startsWith('Nearfield')
    ? [await createNearfield(engineName.slice('Nearfield '.length) as 'cpu' | 'cpu async' | 'gpu')]
    : await loadPeers();
  const engine = engines.find(candidate => candidate.name === engineName)!;
  for await (const job of scenes.find(candidate => candidate.name === scene)!.cases()) {
    if (job.name !== name || job.question !== question) continue;
    (globalThis as { gc?: () => void }).gc?.();
    const before = process.memoryUsage.rss();
    resetPeak();
    const session = await settle(engine.load(job));
    await settle(session.ask(job.frames[0]));
    // What the meshes' making left free is used first and does not show: a few MiB at most.
    process.stdout.write(`${Math.max(0, peak() - before) / 2 ** 20}\n`);
    process.exit(0);
  }
  process.exit(1);
}

/** Linux keeps a high-water mark that can be set back; elsewhere what is held at the end must do. */
function resetPeak(): void {
  try {
    writeFileSync('/proc/self/clear_refs', '5');
  } catch {}
}

function peak(): number {
  try {
    const line = /VmHWM:\s+(\d+) kB/.exec(readFileSync('/proc/self/status', 'utf8'));
    if (line) return Number(line[1]) * 1024;
  } catch {}
  return process.memoryUsage.rss();
}
