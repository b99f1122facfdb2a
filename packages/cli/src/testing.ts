// A terminal for tests: collects what a command writes, and gives it a folder of its own.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Terminal } from './output/terminal.ts';
import { run } from './run.ts';

export interface Outcome {
  readonly status: number;
  readonly out: string;
  readonly err: string;
}

/** A folder that is deleted after the test. */
export function testFolder(files: Readonly<Record<string, string | Uint8Array>> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'nearfield-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  return folder;
}

export async function runIn(
  cwd: string,
  words: readonly string[],
  changes: Partial<Terminal> = {},
): Promise<Outcome> {
  let out = '';
  let err = '';
  const status = await run(words, {
    out: text => {
      out += text;
    },
    err: text => {
      err += text;
    },
    interactive: false,
    columns: 80,
    cwd,
    signal: new AbortController().signal,
    samples: 1,
    ...changes,
  });
  return { status, out, err };
}

/** The unit cube scaled and moved, as OBJ; its triangles face out. */
export function boxObj(x: number, y: number, z: number, size = 1, name?: string): string {
  let text = name === undefined ? '' : `o ${name}\n`;
  for (let corner = 0; corner < 8; corner++) {
    const [i, j, k] = [corner & 1, (corner >> 1) & 1, corner >> 2];
    text += `v ${x + size * i} ${y + size * j} ${z + size * k}\n`;
  }
  for (const face of ['1 3 4 2', '5 6 8 7', '1 2 6 5', '3 7 8 4', '1 5 7 3', '2 4 8 6']) {
    text += `f ${face
      .split(' ')
      .map(index => Number(index) - 9)
      .join(' ')}\n`;
  }
  return text;
}
