// The services that every tab uses: the document, the view, the worker, and one way to run long work.

import type { KnownMeshes } from './engine/pairs/gpu-pairs.ts';
import type { Pairs } from './engine/pairs/pairs.ts';
import type { Limits, Tasks } from './engine/types.ts';
import type { Live } from './models/live.ts';
import { element, find, iconButton } from './parts/element.ts';
import { icons } from './parts/icons.ts';
import type { Store } from './state/store.ts';
import type { Viewer } from './viewer/viewer.ts';

/** What a question needs. */
export interface Services {
  readonly store: Store;
  readonly viewer: Viewer;
  readonly tasks: Tasks;
  readonly work: Work;
  /** Finds pairs, in the worker or on the GPU. */
  readonly pairs: Pairs;
  /** Meshes of the bodies that were read. */
  readonly meshes: KnownMeshes;
  /** The GPU that three.js draws with, if questions may go to it too. */
  readonly device: GPUDevice | undefined;
}

export interface Studio extends Services {
  /** The pairs of the user's models, whichever tab is open. */
  readonly live: Live;
}

/** A tab. `open` fills the two side panels; the function it returns empties them again. */
export interface Panel {
  open(studio: Studio, left: HTMLElement, right: HTMLElement): () => void;
}

/** Something to do about a message. */
export interface Offer {
  readonly label: string;
  readonly run: () => void;
}

/** Long work: one at a time per lane, with progress and cancel. */
export class Work {
  readonly #lanes = new Map<string, AbortController>();
  readonly #host = find<HTMLElement>('.work');
  readonly #messages = find<HTMLElement>('.messages');

  /**
   * Runs work in a lane and cancels the lane's previous work. Resolves to undefined if it is cancelled or fails; a
   * failure is shown as a message. Its label appears if it takes longer than a moment.
   */
  async run<T>(lane: string, label: string, work: (limits: Limits) => Promise<T>): Promise<T | undefined> {
    this.#lanes.get(lane)?.abort();
    const cancel = new AbortController();
    this.#lanes.set(lane, cancel);
    const bar = element('progress', { max: 1, value: 0 });
    const shown = element(
      'span',
      { class: 'job', data: { lane } },
      label,
      bar,
      element('button', { type: 'button', class: 'small', onclick: () => cancel.abort() }, 'Cancel'),
    );
    const timer = setTimeout(() => this.#host.append(shown), 250);
    document.body.dataset['state'] = 'working';
    const progress = (done: number) => {
      bar.value = done;
    };
    try {
      return await work({ signal: cancel.signal, progress });
    } catch (error) {
      if (!cancel.signal.aborted) this.say(wordsOf(error));
      return undefined;
    } finally {
      clearTimeout(timer);
      shown.remove();
      if (this.#lanes.get(lane) === cancel) this.#lanes.delete(lane);
      if (this.#lanes.size === 0) document.body.dataset['state'] = 'idle';
    }
  }

  cancel(lane: string): void {
    this.#lanes.get(lane)?.abort();
  }

  /** Whether any work was cancelled. */
  cancelAll(): boolean {
    for (const cancel of this.#lanes.values()) cancel.abort();
    return this.#lanes.size > 0;
  }

  /** Says what went wrong, until the message is closed. */
  say(text: string): void {
    this.#show('message', text);
  }

  /** Says what is good to know, until the message is closed. It may offer something to do. */
  note(text: string, offer?: Offer): void {
    this.#show('message note', text, offer);
  }

  #show(kind: string, text: string, offer?: Offer): void {
    const message = element('div', { class: kind }, element('span', {}, text));
    if (offer) {
      const onclick = () => {
        message.remove();
        offer.run();
      };
      message.append(element('button', { type: 'button', class: 'small', onclick }, offer.label));
    }
    message.append(iconButton(icons.close, 'Close the message', () => message.remove()));
    this.#messages.append(message);
  }
}

export function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
