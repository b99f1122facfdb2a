// How far the memory of this process rises. Linux keeps a high-water mark that can be set back; elsewhere what is
// held at the end must do. What a GPU holds does not show.

import { readFileSync, writeFileSync } from 'node:fs';
import { collectGarbage } from './measure.ts';

/** Starts watching; the function it gives back says how many MiB the memory has risen at most since. */
export function watchMemory(): () => number {
  collectGarbage();
  const before = process.memoryUsage.rss();
  try {
    writeFileSync('/proc/self/clear_refs', '5');
  } catch {}
  return () => Math.max(0, peak() - before) / 2 ** 20;
}

function peak(): number {
  try {
    const line = /VmHWM:\s+(\d+) kB/.exec(readFileSync('/proc/self/status', 'utf8'));
    if (line) return Number(line[1]) * 1024;
  } catch {}
  return process.memoryUsage.rss();
}
