// The rise of this process's memory. Linux has a high-water mark that can be reset; on other systems the memory at the
// end is used. GPU memory is not included.

import { readFileSync, writeFileSync } from 'node:fs';
import { collectGarbage } from './measure.ts';

/** Starts watching; the returned function gives the rise since then, at most, in MiB. */
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
