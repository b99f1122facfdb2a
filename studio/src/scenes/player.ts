// Plays a scene: a step, a question, a picture, and again. Where the page has a GPU to ask, the worker moves and the GPU
// answers; else the worker does both.

import { Caller, type Port } from '../engine/channel.ts';
import type { Limits } from '../engine/types.ts';
import type { Studio } from '../studio.ts';
import { DrawnScene } from './drawn.ts';
import type { Mirror } from './mirror.ts';
import type { Found, SceneInfo, SceneTasks, Settings, Stepped } from './types.ts';

export class Player {
  readonly #studio: Studio;
  readonly #info: SceneInfo;
  readonly #told: (found: Found) => void;
  readonly #worker: Worker;
  readonly #tasks: SceneTasks;
  #drawn: DrawnScene;
  #mirror: Mirror | undefined;
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
    this.#drawn = new DrawnScene(studio.viewer);
    // A scene's set-up may take seconds and cannot be interrupted: its worker is ended instead.
    this.#worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module', name: 'scene' });
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
      // The whole library, which the page itself does not need before.
      const { Mirror } = await import('./mirror.ts');
      this.#mirror = await Mirror.create(device);
    }
    await this.#show(await this.#tasks.start({ name: this.#info.name, settings: this.#where() }, limits));
    if (!this.#closed) this.#drawn.fit();
  }

  /** Settings that take effect at the next question; those of the scene itself need a new one. */
  set(settings: Settings): void {
    this.#settings = settings;
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

  pause(): void {
    this.#playing = false;
  }

  close(): void {
    this.#closed = true;
    this.#playing = false;
    this.#worker.terminate();
    this.#mirror?.close();
    this.#drawn.close();
  }

  async #loop(): Promise<void> {
    while (this.#playing && !this.#closed) {
      try {
        await this.step();
      } catch (error) {
        this.#playing = false;
        if (!this.#closed) this.#studio.work.say(error instanceof Error ? error.message : String(error));
      }
      // A frame is drawn between two steps.
      await new Promise(resolve => requestAnimationFrame(resolve));
    }
  }

  async #step(): Promise<void> {
    await this.#show(await this.#tasks.step(this.#where()));
  }

  async #show({ frame, found }: Stepped): Promise<void> {
    if (this.#closed) return;
    this.#drawn.apply(frame);
    this.#mirror?.apply(frame);
    const answer = found ?? (await this.#mirror!.ask(this.#info.name, this.#settings));
    if (this.#closed) return;
    this.#drawn.show(answer);
    this.#told(answer);
  }

  #where(): Settings {
    return this.#mirror ? { ...this.#settings, 'asked elsewhere': true } : this.#settings;
  }
}
