// `engine-process ENGINE FILE`: one engine with one case in its own process. It runs a round whenever the runner asks
// for one (engine-client.ts), and ends when the runner disconnects.

import { readFileSync } from 'node:fs';
import { loadEngine } from '../peers/index.ts';
import { readCase } from './case-file.ts';
import type { Reply } from './engine-client.ts';
import { playRound, type RoundOptions } from './round.ts';

process.on('disconnect', () => process.exit(0));
const [name, file] = process.argv.slice(2);
const engine = await loadEngine(name);
const bytes = readFileSync(file);
// Node reads small files into a shared buffer at any offset, so copy them.
const given = readCase(bytes.byteOffset % 8 === 0 ? bytes : Uint8Array.from(bytes));
process.on('message', async (options: RoundOptions) => {
  try {
    reply({ round: await playRound(given, engine, options) });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    reply({ error: message.split('\n')[0] });
  }
});
reply({ ready: true });

function reply(message: Reply): void {
  process.send?.(message);
}
