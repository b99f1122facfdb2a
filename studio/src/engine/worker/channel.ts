// Calls across a worker's boundary. Each call has a number, may report progress, and can be cancelled. Errors come
// back with their code.

import { type ErrorCode, NearfieldError } from 'nearfield';
import type { Limits } from '../types.ts';

/** One end of the messages: a Worker, or a worker's own global scope. */
export interface Port {
  postMessage(message: unknown, transfer: Transferable[]): void;
  addEventListener(type: 'message', listen: (event: MessageEvent) => void): void;
}

type Handler = (input: never, limits: Limits) => unknown;
/** The tasks of an interface as handlers with one input each. */
export type Handlers<T> = {
  [K in keyof T]: T[K] extends (limits?: Limits) => Promise<infer R>
    ? (input: undefined, limits: Limits) => R | Promise<R>
    : T[K] extends (input: infer I, limits?: Limits) => Promise<infer R>
      ? (input: I, limits: Limits) => R | Promise<R>
      : never;
};

type Message =
  | { readonly kind: 'call'; readonly call: number; readonly task: string; readonly input: unknown }
  | { readonly kind: 'cancel'; readonly call: number }
  | { readonly kind: 'progress'; readonly call: number; readonly done: number }
  | { readonly kind: 'result'; readonly call: number; readonly result: unknown }
  | {
      readonly kind: 'error';
      readonly call: number;
      readonly code: ErrorCode | undefined;
      readonly message: string;
    };

const given = new WeakMap<object, Transferable[]>();

/** A result whose buffers are transferred instead of copied. The sender loses them. */
export function giving<T extends object>(result: T, buffers: Transferable[]): T {
  given.set(result, buffers);
  return result;
}

/** Answers calls from the other side. */
export function serve<T>(port: Port, handlers: Handlers<T>): void {
  const running = new Map<number, AbortController>();
  port.addEventListener('message', async ({ data }: MessageEvent<Message>) => {
    if (data.kind === 'cancel') running.get(data.call)?.abort();
    if (data.kind !== 'call') return;
    const { call, task, input } = data;
    const post = (message: Message, transfer: Transferable[] = []) => port.postMessage(message, transfer);
    const cancel = new AbortController();
    running.set(call, cancel);
    let told = 0;
    const progress = (done: number) => {
      // Often enough for a progress bar.
      if (done - told < 0.01 && done < 1) return;
      told = done;
      post({ kind: 'progress', call, done });
    };
    try {
      const handler = handlers[task as keyof T] as Handler;
      const result = await handler(input as never, { signal: cancel.signal, progress });
      post({ kind: 'result', call, result }, given.get(result as object));
    } catch (error) {
      const code = error instanceof NearfieldError ? error.code : undefined;
      post({ kind: 'error', call, code, message: error instanceof Error ? error.message : String(error) });
    } finally {
      running.delete(call);
    }
  });
}

/** Calls tasks on the other side. */
export class Caller {
  readonly #port: Port;
  readonly #waiting = new Map<number, Waiting>();
  #calls = 0;

  constructor(port: Port) {
    this.#port = port;
    port.addEventListener('message', ({ data }: MessageEvent<Message>) => this.#hear(data));
  }

  call<R>(task: string, input: unknown, { signal, progress }: Limits = {}): Promise<R> {
    const call = ++this.#calls;
    return new Promise<R>((resolve, reject) => {
      if (signal?.aborted) {
        reject(signal.reason);
        return;
      }
      const cancel = () => this.#port.postMessage({ kind: 'cancel', call } satisfies Message, []);
      signal?.addEventListener('abort', cancel, { once: true });
      const done = () => signal?.removeEventListener('abort', cancel);
      this.#waiting.set(call, {
        resolve: resolve as (result: unknown) => void,
        // A cancelled call rejects with the signal's reason, which cannot cross the boundary.
        reject: error => reject(signal?.aborted ? signal.reason : error),
        progress,
        done,
      });
      this.#port.postMessage({ kind: 'call', call, task, input } satisfies Message, []);
    });
  }

  /** The other side has ended. */
  fail(message: string): void {
    for (const { reject, done } of this.#waiting.values()) {
      done();
      reject(new NearfieldError('internal', message));
    }
    this.#waiting.clear();
  }

  #hear(data: Message): void {
    const waiting = this.#waiting.get(data.call);
    if (waiting === undefined) return;
    if (data.kind === 'progress') waiting.progress?.(data.done);
    if (data.kind !== 'result' && data.kind !== 'error') return;
    this.#waiting.delete(data.call);
    waiting.done();
    if (data.kind === 'result') waiting.resolve(data.result);
    else waiting.reject(data.code ? new NearfieldError(data.code, data.message) : new Error(data.message));
  }
}

interface Waiting {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly progress: Limits['progress'];
  readonly done: () => void;
}
