// The program `nearfield`: the process that calls run(). Signals are handled before the rest of the program is loaded,
// which takes some tenths of a second.

const cancel = new AbortController();
let isRunning = false;
process.on('SIGINT', () => {
  // The first Ctrl-C cancels what runs; the second ends the process at once.
  if (!isRunning || cancel.signal.aborted) process.exit(130);
  cancel.abort();
});
// Temporary files are removed on exit (replace-file.ts). These signals do not trigger that by themselves.
for (const [signal, number] of [
  ['SIGTERM', 15],
  ['SIGHUP', 1],
] as const) {
  process.on(signal, () => process.exit(128 + number));
}

let isOutputClosed = false;
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // The reader of the output may stop early (`| head`). That is not an error, and the exit status is still that of
  // the answer. A full disk is an error.
  if (error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED') isOutputClosed = true;
  if (isOutputClosed) return;
  process.stderr.write(`nearfield: the answer cannot be written (${error.code ?? error.message})\n`);
  process.exit(2);
});

// If stderr is closed, messages are lost, but the command goes on.
process.stderr.on('error', () => {});

const { run } = await import('./run.ts');
isRunning = true;
process.exitCode = await run(process.argv.slice(2), {
  out: text => {
    if (isOutputClosed) return;
    return new Promise(resolve => process.stdout.write(text, () => resolve()));
  },
  isOutputClosed: () => isOutputClosed,
  err: text => void process.stderr.write(text),
  interactive: process.stderr.isTTY ?? false,
  columns: process.stderr.columns ?? 80,
  outColumns: process.stdout.isTTY ? process.stdout.columns : undefined,
  cwd: process.cwd(),
  signal: cancel.signal,
});

// Makes this file a module: it has no static import.
export {};
