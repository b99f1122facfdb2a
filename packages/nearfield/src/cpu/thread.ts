// Starts a thread: a worker thread in Node, a Worker in a page. Only this file knows the platform. It imports nothing
// from Node, but looks for Node at run time.

export interface Thread {
  end(): void;
}

interface NodeWorkers {
  Worker: new (
    code: string,
    options: { eval: true; workerData: unknown },
  ) => { unref(): void; terminate(): void; on(event: 'error' | 'exit', listener: () => void): void };
}

/**
 * Runs `body`, the source of a function expression, in a new thread with `data`. Returns undefined if no thread can be
 * started. The thread does not keep the process alive. `lost` is called when it ends or fails.
 */
export function startThread(body: string, data: unknown, lost: () => void): Thread | undefined {
  try {
    const workers = nodeWorkers();
    if (workers !== undefined) {
      const code = `(${body})(require('node:worker_threads').workerData)`;
      const worker = new workers.Worker(code, { eval: true, workerData: data });
      worker.unref();
      worker.on('error', lost);
      worker.on('exit', lost);
      return { end: () => worker.terminate() };
    }
    if (typeof Worker === 'undefined' || typeof Blob === 'undefined') return undefined;
    const url = URL.createObjectURL(
      new Blob([`onmessage = event => (${body})(event.data)`], { type: 'text/javascript' }),
    );
    const worker = new Worker(url);
    worker.onerror = lost;
    worker.postMessage(data);
    return {
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

function nodeWorkers(): NodeWorkers | undefined {
  const { process } = globalThis as {
    process?: { getBuiltinModule?: (name: string) => unknown; versions?: { node?: string } };
  };
  if (process?.versions?.node === undefined) return undefined;
  return process.getBuiltinModule?.('node:worker_threads') as NodeWorkers | undefined;
}
