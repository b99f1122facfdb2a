// How is a file read by a package that Nearfield does not carry? IFC and STEP need large libraries in WebAssembly,
// which are installed only by those who need them. The package works in a thread of its own: a file that makes it
// crash, hang or fill memory ends that thread, never the process, and the process stays responsive. A page provides the
// thread; without one, the package works where `readFile` was called.

import { NearfieldError } from 'nearfield';
import type { Budget } from '../reading/budget.ts';
import { badFile, unsupportedFile } from '../reading/file-error.ts';
import type { FetchWasm } from './fetch-wasm.ts';
import { keepCompiled } from './keep-compiled.ts';
import { limitMemory } from './limit-memory.ts';
import { type NodeModules, nodeOf } from './node.ts';
import type { OpenThread, PageThread, ThreadQuestion } from './page-thread.ts';

/** An optional package, and how it is asked. */
export interface Foreign<Question, Answer> {
  /** The formats that it reads, for messages. */
  readonly formats: string;
  readonly name: string;
  /** The path of its WebAssembly, for `FetchWasm`. */
  readonly wasm: string;
  /** The path of the WebAssembly that it loads in Node by itself. */
  readonly wasmOfNode: string;
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
  /** Opens a thread, in a page. */
  readonly thread?: OpenThread | undefined;
  /** Ends the thread. */
  readonly signal?: AbortSignal | undefined;
}

/** What the thread sends back. */
export type Sent<Answer> = { readonly answer: Answer } | { readonly failed: string; readonly full: boolean };

/** Starts a thread, which reports its answer once. Returns a function that ends the thread. */
type Start<Answer> = (tell: (sent: Sent<Answer>) => void, memory: number) => () => void;

/** Asks an optional package about a file, within the time and memory that the file may take. */
export async function askForeign<Question, Answer>(
  file: string,
  foreign: Foreign<Question, Answer>,
  question: Question,
  options: ForeignOptions,
  budget: Budget,
): Promise<Answer> {
  const { signal, thread } = options;
  signal?.throwIfAborted();
  const node = nodeOf();
  const wasm = await options.wasm?.(foreign.wasm);
  if (node === undefined && thread === undefined) return askHere(file, foreign, question, wasm);
  let start: Start<Answer>;
  if (node === undefined) start = inPage(thread!, { name: foreign.name, question, wasm });
  else {
    try {
      const path = node.createRequire(import.meta.url).resolve(foreign.name);
      if (wasm === undefined) keepCompiled(node, foreign.wasmOfNode);
      start = inNode(node, foreign.ask.toString(), { path, question, wasm });
    } catch {
      return missing(file, foreign);
    }
  }
  const { memory, seconds } = budget.foreign();
  const raise = 'to allow more, raise maxExpansion (on the command line --max-expansion)';
  const sent = await new Promise<Sent<Answer>>((resolve, reject) => {
    const timer = setTimeout(() => {
      stop(() => unsupportedFile(file, '', `${foreign.name} takes longer than ${seconds} s; ${raise}`));
    }, 1000 * seconds);
    const cancel = () => stop(() => signal?.throwIfAborted());
    signal?.addEventListener('abort', cancel);
    const stop = (settle: () => void) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', cancel);
      end();
      try {
        settle();
      } catch (error) {
        reject(error);
      }
    };
    const end = start(sent => stop(() => resolve(sent)), memory);
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

/** A thread of Node, which runs the source of `ask`. */
function inNode<Answer>(
  node: NodeModules,
  ask: string,
  data: { readonly path: string; readonly question: unknown; readonly wasm: ArrayBuffer | undefined },
): Start<Answer> {
  return (tell, memory) => {
    const worker = new node.Worker(threadCode(ask), {
      ...{ eval: true, stdout: true, stderr: true, env: {}, argv: [], execArgv: [] },
      workerData: { ...data, memory },
      resourceLimits: { maxOldGenerationSizeMb: Math.ceil(memory / 2 ** 20), stackSizeMb: 4 },
    });
    worker.on('message', message => tell(message as Sent<Answer>));
    worker.on('error', error => {
      const full = (error as { code?: string }).code === 'ERR_WORKER_OUT_OF_MEMORY';
      tell({ failed: String(error), full });
    });
    worker.on('exit', () => tell({ failed: 'its thread ended', full: false }));
    return () => void worker.terminate();
  };
}

/** A worker of a page, which runs `serveForeign`. */
function inPage<Answer>(open: OpenThread, question: Omit<ThreadQuestion, 'memory'>): Start<Answer> {
  return (tell, memory) => {
    const thread: PageThread = open();
    thread.addEventListener('message', event => tell((event as MessageEvent).data as Sent<Answer>));
    thread.addEventListener('error', event => {
      tell({ failed: (event as ErrorEvent).message || 'its thread ended', full: false });
    });
    thread.postMessage({ ...question, memory } satisfies ThreadQuestion);
    return () => thread.terminate();
  };
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

/** What runs in a thread of Node: loads the package and asks it. */
const threadCode = (ask: string): string => `
const { parentPort, workerData } = require('node:worker_threads');
const { path, question, wasm, memory } = workerData;
const isFull = (${limitMemory.toString()})(memory);
const ask = ${ask};
const fail = error => parentPort.postMessage({ failed: String(error?.message ?? error), full: isFull() });
process.on('uncaughtException', fail);
process.on('unhandledRejection', fail);
(async () => {
  try {
    const { answer, buffers } = await ask(require(path), question, wasm);
    if (isFull()) fail('out of memory');
    else parentPort.postMessage({ answer }, buffers);
  } catch (error) {
    fail(error);
  }
})();
`;
