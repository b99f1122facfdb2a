// The runner's end of a process with one engine and one case (engine-process.ts). In one process, engines would
// disturb each other: code that was optimised for one is deoptimised for the next, and each waits for the other's
// garbage collection.

import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Round, RoundOptions } from './round.ts';

export interface Reply {
  readonly ready?: true;
  readonly round?: Round;
  readonly error?: string;
}

export class EngineClient {
  readonly #child: ChildProcess;

  /** `file` holds the case (case-file.ts); `entry` is the script of the process. */
  static async start(
    engine: string,
    file: string,
    entry = new URL('./engine-process.js', import.meta.url),
  ): Promise<EngineClient> {
    // The output of engines is not part of the answer.
    const child = fork(fileURLToPath(entry), [engine, file], {
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    const client = new EngineClient(child);
    await client.#reply();
    return client;
  }

  private constructor(child: ChildProcess) {
    this.#child = child;
  }

  async round(options: RoundOptions): Promise<Round> {
    const reply = this.#reply();
    this.#child.send(options);
    const { round, error } = await reply;
    if (round === undefined) throw new Error(error);
    return round;
  }

  end(): void {
    if (this.#child.connected) this.#child.disconnect();
  }

  /** The next message; rejects if the process ends instead. */
  #reply(): Promise<Reply> {
    const child = this.#child;
    return new Promise((resolve, reject) => {
      const settled = () => {
        child.off('message', answered);
        child.off('exit', ended);
        child.off('error', failed);
      };
      const answered = (message: unknown) => {
        settled();
        resolve(message as Reply);
      };
      const ended = (status: number | null, signal: string | null) => {
        settled();
        reject(new Error(`its process ended with ${signal ?? `status ${status}`}`));
      };
      const failed = (error: Error) => {
        settled();
        reject(error);
      };
      child.once('message', answered).once('exit', ended).once('error', failed);
    });
  }
}
