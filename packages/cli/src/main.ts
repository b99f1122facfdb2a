// The program `nearfield`: the process around run().

import { run } from './run.ts';

const cancel = new AbortController();
process.on('SIGINT', () => {
  // The first Ctrl-C asks; the second does not.
  if (cancel.signal.aborted) process.exit(130);
  cancel.abort();
});
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // Whoever reads our output may stop early (`| head`): that is no error. A full disk is.
  if (error.code === 'EPIPE') process.exit(0);
  process.stderr.write(`nearfield: the answer cannot be written (${error.code ?? error.message})\n`);
  process.exit(2);
});

process.exitCode = await run(process.argv.slice(2), {
  out: text => new Promise(resolve => process.stdout.write(text, () => resolve())),
  err: text => void process.stderr.write(text),
  interactive: process.stderr.isTTY ?? false,
  columns: process.stderr.columns ?? 80,
  cwd: process.cwd(),
  signal: cancel.signal,
});
