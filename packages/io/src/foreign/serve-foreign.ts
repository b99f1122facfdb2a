// What runs in a page's thread: loads the package that it is asked for and asks it.

import { webIfc } from '../ifc/web-ifc.ts';
import { occtImport } from '../step/occt.ts';
import type { Foreign, Sent } from './foreign.ts';
import { limitMemory } from './limit-memory.ts';
import type { ThreadQuestion } from './page-thread.ts';

interface Port {
  postMessage(message: unknown, transfer: Transferable[]): void;
  addEventListener(type: 'message', listener: (event: MessageEvent<ThreadQuestion>) => void): void;
}

/**
 * Answers the one question that `readFile` asks a thread of a page: see the option `thread`. Call it as all that the
 * worker's script does.
 */
export function serveForeign(): void {
  const port = globalThis as unknown as Port;
  const known = [webIfc, occtImport] as unknown as readonly Foreign<unknown, unknown>[];
  port.addEventListener('message', async ({ data: { name, question, wasm, memory } }) => {
    const isFull = limitMemory(memory);
    const send = (sent: Sent<unknown>, buffers: ArrayBufferLike[] = []) =>
      port.postMessage(sent, buffers as ArrayBuffer[]);
    const fail = (error: unknown) =>
      send({ failed: String((error as Error)?.message ?? error), full: isFull() });
    try {
      const foreign = known.find(each => each.name === name);
      if (foreign === undefined) throw new Error(`there is no package ${name}`);
      const { answer, buffers } = await foreign.ask(await foreign.load(), question, wasm);
      if (isFull()) fail('out of memory');
      else send({ answer }, buffers);
    } catch (error) {
      fail(error);
    }
  });
}
