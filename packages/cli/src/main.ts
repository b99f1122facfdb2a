// The program `nearfield`: the process around run().

import { run } from './run.ts';

const cancel = new AbortController();
process.on('SIGINT', () => {
  // The first Ctrl-C asks; the second does not.
  if (cancel.signal.aborted) process.exit(130);
  cancel.abort();
});
// Unfinished temporary files are removed on exit (replace-file.ts), which these signals do not trigger by themselves.
for (const [signal, number] of [
  ['SIGTERM', 15],
  ['SIGHUP', 1],
] as const) {
  process.on(signal, () => process.exit(128 + number));
}

let isOutputClosed = false;
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // The reader of the output may stop early (`| head`): that is no error, and the exit status is still that of the answer.
  // A full disk is an error.
  if (error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED') isOutputClosed = true;
  if (isOutputClosed) return;
  process.stderr.write(`nearfield: the answer cannot be written (${error.code ?? error.message})\n`);
  process.exit(2);
});

// Messages that nobody reads are no reason to fail.
process.stderr.on('error', () => {});

process.exitCode = await run(process.argv.slice(2), {
  out: text => {
    if (isOutputClosed) return;
    return new Promise(resolve => process.stdout.write(text, () => resolve()));
  },
  isOutputClosed: () => isOutputClosed,
  err: text => void process.stderr.write(text),
  interactive: process.stderr.isTTY ?? false,
  columns: process.stderr.columns ?? 80,
  cwd: process.cwd(),
  signal: cancel.signal,
});
