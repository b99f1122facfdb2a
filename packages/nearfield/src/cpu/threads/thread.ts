// Starts a thread: a worker thread in Node, a Worker in a page. Only this file knows the platform. It imports nothing
// from Node, but looks for Node at run time.

export interface Thread {
  /** Gives it something to do: a call of the function that its body returned. */
  post(message: unknown): void;
  end(): void;
}

interface NodeWorkers {
  Worker: new (
    code: string,
    options: { eval: true; workerData: unknown },
  ) => {
    unref(): void;
    terminate(): void;
    postMessage(message: unknown): void;
    on(event: 'error' | 'exit', listener: () => void): void;
    on(event: 'message', listener: (message: unknown) => void): void;
  };
}

/** What the caller that started a thread is told by it. */
export interface ThreadListener {
  /** Takes a message of the thread. */
  receive(message: unknown): void;
  /** The thread has ended or failed. */
  lost(): void;
}

/**
 * Runs `body`, the source of a function expression, in a new thread with `data` and a function that posts messages back. It
 * returns a function, which is called with every message that is posted to it. Returns undefined if no thread can be started.
 * The thread does not keep the process alive.
 */
export function startThread(
  body: string,
  data: unknown,
  { receive, lost }: ThreadListener,
): Thread | undefined {
  try {
    const workers = builtin<NodeWorkers>('node:worker_threads');
    if (workers !== undefined) {
      const code = `const { workerData, parentPort } = require('node:worker_threads');
parentPort.on('message', (${body})(workerData, message => parentPort.postMessage(message)))`;
      const worker = new workers.Worker(code, { eval: true, workerData: data });
      worker.on('message', receive);
      worker.on('error', lost);
      worker.on('exit', lost);
      // After the listeners: one for messages makes the process wait for the thread again.
      worker.unref();
      return { post: message => worker.postMessage(message), end: () => worker.terminate() };
    }
    if (typeof Worker === 'undefined' || typeof Blob === 'undefined') return undefined;
    const code = `let serve; onmessage = ({ data }) => { if (serve) serve(data); else serve = (${body})(data, postMessage) }`;
    const url = URL.createObjectURL(new Blob([code], { type: 'text/javascript' }));
    const worker = new Worker(url);
    worker.onmessage = ({ data: message }) => receive(message);
    worker.onerror = lost;
    worker.postMessage(data);
    return {
      post: message => worker.postMessage(message),
      end: () => {
        worker.terminate();
        URL.revokeObjectURL(url);
      },
    };
  } catch {
    // A page's content security policy may forbid workers; a single thread suffices.
    return undefined;
  }
}

/** How many threads can run at once. */
export function coreCount(): number {
  const os = builtin<{ availableParallelism?(): number; cpus(): unknown[] }>('node:os');
  if (os !== undefined) return Math.max(1, os.availableParallelism?.() ?? os.cpus().length);
  return (globalThis as { navigator?: { hardwareConcurrency?: number } }).navigator?.hardwareConcurrency ?? 1;
}

/** A module of Node; undefined elsewhere. */
function builtin<M>(name: string): M | undefined {
  const { process } = globalThis as {
    process?: { getBuiltinModule?: (name: string) => unknown; versions?: { node?: string } };
  };
  if (process?.versions?.node === undefined) return undefined;
  return process.getBuiltinModule?.(name) as M | undefined;
}
