// How is a file read by a package that Nearfield does not carry? IFC and STEP need large libraries in WebAssembly,
// which are installed only by those who need them. In Node the package works in a thread of its own: a file that makes
// it crash, hang or fill memory ends that thread, never the process, and the process stays responsive. In a page it
// works where `readFile` was called, which should be a worker.

import { NearfieldError } from 'nearfield';
import type { Budget } from '../budget.ts';
import { badFile, unsupportedFile } from '../file-error.ts';
import type { FetchWasm } from './fetch-wasm.ts';
import { nodeOf } from './node.ts';

/** An optional package, and how it is asked. */
export interface Foreign<Question, Answer> {
  /** The formats that it reads, for messages. */
  readonly formats: string;
  readonly name: string;
  /** The path of its WebAssembly, for `FetchWasm`. */
  readonly wasm: string;
  /** The package in a page. Bundlers must see its name. */
  load(): Promise<unknown>;
  /**
   * Asks the package. The source of this function runs in another thread, so it must not use anything from outside.
   * It returns what can be sent between threads, and which buffers may be handed over.
   */
  readonly ask: (
    library: unknown,
    question: Question,
    wasm: ArrayBuffer | undefined,
  ) => Promise<Asked<Answer>>;
}

export interface Asked<Answer> {
  readonly answer: Answer;
  readonly buffers: ArrayBufferLike[];
}

/** What the caller of `readFile` gives to every package. */
export interface ForeignOptions {
  readonly wasm?: FetchWasm | undefined;
  /** Ends the thread. */
  readonly signal?: AbortSignal | undefined;
}

/** What the thread sends back. */
type Sent<Answer> = { readonly answer: Answer } | { readonly failed: string; readonly full: boolean };

/** Asks an optional package about a file, within the time and memory that the file may take. */
export async function askForeign<Question, Answer>(
  file: string,
  foreign: Foreign<Question, Answer>,
  question: Question,
  options: ForeignOptions,
  budget: Budget,
): Promise<Answer> {
  const { signal } = options;
  signal?.throwIfAborted();
  const node = nodeOf();
  const wasm = await options.wasm?.(foreign.wasm);
  if (node === undefined) return askHere(file, foreign, question, wasm);
  let path: string;
  try {
    path = node.createRequire(import.meta.url).resolve(foreign.name);
  } catch {
    return missing(file, foreign);
  }
  const { memory, seconds } = budget.foreign();
  const raise = 'to allow more, raise maxExpansion (on the command line --max-expansion)';
  const sent = await new Promise<Sent<Answer>>((resolve, reject) => {
    const worker = new node.Worker(threadCode(foreign.ask.toString()), {
      ...{ eval: true, stdout: true, stderr: true, env: {}, argv: [], execArgv: [] },
      workerData: { path, question, wasm, memory },
      resourceLimits: { maxOldGenerationSizeMb: Math.ceil(memory / 2 ** 20), stackSizeMb: 4 },
    });
    const timer = setTimeout(() => {
      stop(() => unsupportedFile(file, '', `${foreign.name} takes longer than ${seconds} s; ${raise}`));
    }, 1000 * seconds);
    const cancel = () => stop(() => signal?.throwIfAborted());
    signal?.addEventListener('abort', cancel);
    const stop = (settle: () => void) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', cancel);
      void worker.terminate();
      try {
        settle();
      } catch (error) {
        reject(error);
      }
    };
    worker.on('message', message => stop(() => resolve(message as Sent<Answer>)));
    worker.on('error', error => {
      const full = (error as { code?: string }).code === 'ERR_WORKER_OUT_OF_MEMORY';
      stop(() => resolve({ failed: String(error), full }));
    });
    worker.on('exit', () => stop(() => resolve({ failed: 'its thread ended', full: false })));
  });
  if ('answer' in sent) return sent.answer;
  if (sent.full) {
    unsupportedFile(
      file,
      '',
      `${foreign.name} needs more than ${Math.floor(memory / 2 ** 20)} MiB for it; ${raise}`,
    );
  }
  return gaveUp(file, foreign, sent.failed);
}

/** Without a thread. A crash of the package is caught; only the page can end what takes too long. */
async function askHere<Question, Answer>(
  file: string,
  foreign: Foreign<Question, Answer>,
  question: Question,
  wasm: ArrayBuffer | undefined,
): Promise<Answer> {
  let library: unknown;
  if (wasm === undefined && typeof process === 'undefined') {
    const { formats, wasm: path } = foreign;
    unsupportedFile(
      file,
      '',
      `reading ${formats} in a page needs ${path}; pass the option wasm, which provides it`,
    );
  }
  try {
    library = await foreign.load();
  } catch {
    return missing(file, foreign);
  }
  try {
    return (await foreign.ask(library, question, wasm)).answer;
  } catch (error) {
    if (error instanceof NearfieldError) throw error;
    return gaveUp(file, foreign, String(error));
  }
}

function missing(file: string, { formats, name }: Foreign<never, unknown>): never {
  return unsupportedFile(file, '', `reading ${formats} needs the package ${name}: npm install ${name}`);
}

function gaveUp(file: string, { name }: Foreign<never, unknown>, why: string): never {
  // What C++ throws has no text here.
  const line = /^(\d+|\[object .*)$/.test(why) ? 'it gave up' : why.replace(/\s+/g, ' ').slice(0, 200);
  return badFile(file, '', `the package ${name} cannot read it (${line})`);
}

/**
 * What runs in the thread: loads the package and asks it. The memory of WebAssembly grows by `Memory.grow` only, which
 * is replaced here: past the limit it fails as if the machine had no more.
 */
const threadCode = (ask: string): string => `
const { parentPort, workerData } = require('node:worker_threads');
const { path, question, wasm, memory } = workerData;
const grow = WebAssembly.Memory.prototype.grow;
let full = false;
WebAssembly.Memory.prototype.grow = function (pages) {
  if (this.buffer.byteLength + 65536 * pages > memory) {
    full = true;
    throw new RangeError('out of memory');
  }
  return grow.call(this, pages);
};
const ask = ${ask};
const fail = error => parentPort.postMessage({ failed: String(error?.message ?? error), full });
process.on('uncaughtException', fail);
process.on('unhandledRejection', fail);
(async () => {
  try {
    const { answer, buffers } = await ask(require(path), question, wasm);
    if (full) fail('out of memory');
    else parentPort.postMessage({ answer }, buffers);
  } catch (error) {
    fail(error);
  }
})();
`;
