// Plays a scene: step, question, picture, and again. If the page has a GPU, the worker moves the bodies and the GPU
// answers; otherwise the worker does both. It pauses while the page is hidden.

import { NearfieldError } from 'nearfield';
import type { Limits } from '../engine/types.ts';
import { Caller, type Port } from '../engine/worker/channel.ts';
import { type Studio, wordsOf } from '../studio.ts';
import { DrawnScene } from './draw/drawn.ts';
import { History } from './history.ts';
import type { Found, PageEngine, SceneInfo, SceneTasks, Settings, Stepped } from './types.ts';

export class Player {
  readonly #studio: Studio;
  readonly #info: SceneInfo;
  readonly #told: (found: Found) => void;
  readonly #worker: Worker;
  readonly #tasks: SceneTasks;
  #drawn: DrawnScene;
  readonly history = new History();
  /** The step that is shown, if it is not the last one. */
  #back: number | undefined;
  #engine: PageEngine | undefined;
  #settings: Settings;
  #playing = false;
  #closed = false;
  /** The step under way. */
  #busy: Promise<void> | undefined;

  constructor(studio: Studio, info: SceneInfo, settings: Settings, told: (found: Found) => void) {
    this.#studio = studio;
    this.#info = info;
    this.#settings = settings;
    this.#told = told;
    this.#drawn = new DrawnScene(studio.viewer, info, settings);
    // Creating a scene may take seconds and cannot be interrupted, so its worker is ended instead.
    this.#worker = new Worker(new URL('./worker/worker.ts', import.meta.url), {
      type: 'module',
      name: 'scene',
    });
    const caller = new Caller(this.#worker as Port);
    this.#worker.addEventListener('error', event =>
      caller.fail(event.message || 'the worker could not be started'),
    );
    this.#tasks = {
      start: (what, limits) => caller.call('start', what, limits),
      step: (now, limits) => caller.call('step', now, limits),
      stop: () => caller.call('stop', undefined),
    };
  }

  get isPlaying(): boolean {
    return this.#playing;
  }

  async start(limits: Limits): Promise<void> {
    const { device, viewer } = this.#studio;
    viewer.camera.setUp(this.#info.up);
    if (device) {
      const engine = await this.#onGpu(device);
      if (this.#closed) engine.close();
      else this.#engine = engine;
    }
    if (this.#closed) return;
    await this.#show(await this.#tasks.start({ name: this.#info.name, settings: this.#where() }, limits));
    if (!this.#closed) this.#drawn.fit();
  }

  /** Changes settings that take effect with the next question. Settings of the scene itself need a new scene. */
  set(settings: Settings): void {
    this.#settings = settings;
  }

  /** Shows an earlier step. The next step goes on from the last one. */
  async back(index: number): Promise<void> {
    await this.pause();
    const past = this.history.at(index);
    if (past === undefined || this.#closed) return;
    this.#back = index;
    this.#drawn.restore(past.frame);
    this.#drawn.show(past.found);
  }

  step(): Promise<void> {
    this.#busy ??= this.#step().finally(() => {
      this.#busy = undefined;
    });
    return this.#busy;
  }

  play(): void {
    this.#playing = true;
    void this.#loop();
  }

  /** Resolves when the step under way has ended. */
  async pause(): Promise<void> {
    this.#playing = false;
    await this.#busy?.catch(() => undefined);
  }

  close(): void {
    this.#closed = true;
    this.#playing = false;
    this.#worker.terminate();
    this.#engine?.close();
    this.#drawn.close();
  }

  async #loop(): Promise<void> {
    while (this.#playing && !this.#closed) {
      try {
        await this.step();
      } catch (error) {
        this.#playing = false;
        // The page reports a lost GPU.
        const isLost = error instanceof NearfieldError && error.code === 'gpu-lost';
        if (!this.#closed && !isLost) this.#studio.work.say(wordsOf(error));
      }
      // Draw one frame between two steps.
      await new Promise(resolve => requestAnimationFrame(resolve));
      await untilSeen();
    }
  }

  /** The whole library, which the page itself does not need before. */
  async #onGpu(device: GPUDevice): Promise<PageEngine> {
    const { name } = this.#info;
    if (name === 'hail') {
      const { Stones } = await import('./hail/stones.ts');
      return Stones.create(device, this.#studio.viewer, Number(this.#settings['count']));
    }
    const { Mirror } = await import('./mirror.ts');
    return Mirror.create(device, name);
  }

  async #step(): Promise<void> {
    await this.#show(await this.#tasks.step(this.#where()));
  }

  async #show({ frame, found }: Stepped): Promise<void> {
    if (this.#closed) return;
    const last = this.history.at(this.history.length - 1);
    if (this.#back !== undefined && last) this.#drawn.restore(last.frame);
    this.#back = undefined;
    this.#drawn.apply(frame);
    this.#engine?.apply(frame);
    const answer = found ?? (await this.#engine!.ask(this.#settings));
    if (this.#closed) return;
    this.history.add(frame, answer);
    this.#drawn.show(answer);
    this.#told(answer);
  }

  #where(): Settings {
    return this.#engine ? { ...this.#settings, 'asked elsewhere': true } : this.#settings;
  }
}

/** Resolves at once, or when the page is visible again. */
function untilSeen(): Promise<void> {
  if (!document.hidden) return Promise.resolve();
  return new Promise(resolve => {
    const look = () => {
      if (document.hidden) return;
      document.removeEventListener('visibilitychange', look);
      resolve();
    };
    document.addEventListener('visibilitychange', look);
  });
}
