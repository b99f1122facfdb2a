// `nearfield studio`: serves the page on this machine, until Ctrl-C.

import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { NearfieldError } from 'nearfield';
import type { Terminal } from '../output/terminal.ts';
import { serveFolder } from '../studio/serve.ts';

export interface StudioOptions {
  readonly port?: string | undefined;
}

/** The build puts the page beside the program. */
const folder = fileURLToPath(new URL('./studio', import.meta.url));

export async function studio(options: StudioOptions, terminal: Terminal, from = folder): Promise<number> {
  const port = options.port === undefined ? undefined : portOf(options.port);
  if (!existsSync(from)) {
    throw new NearfieldError('unsupported', 'the studio is not built: run npm run build in the clone first');
  }
  const served = await serveFolder(from, port);
  await terminal.out(`Nearfield studio: ${served.url}  (press Ctrl-C to stop)\n`);
  await new Promise<void>(resolve => {
    if (terminal.signal.aborted) resolve();
    terminal.signal.addEventListener('abort', () => resolve(), { once: true });
  });
  await served.close();
  return 0;
}

function portOf(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port > 0 && port < 65_536) return port;
  throw new NearfieldError('bad-option', `--port takes a number from 1 to 65535, not "${text}"`);
}
