// Who makes scenes: a backend that was opened, its engines, and all that has to be closed with it. `Nearfield` (nearfield.ts) is one whose
// scenes have the questions as methods; an application that imports single questions opens one of `nearfield/cpu` or `nearfield/gpu`.

import type { Engine } from '../bodies/engine.ts';
import { NearfieldError } from '../core/errors.ts';
import type { CpuEngine } from '../cpu/engine.ts';
import { BareScene } from './bare-scene.ts';

/** A scene or a system of particles. */
interface Closable {
  close(): void;
}

/** What the functions that make scenes and particles need of a host. @internal */
export class HostCore {
  readonly #made = new Set<Closable>();
  #closed = false;

  constructor(
    /** The host's own: a GPU's, or the CPU's. */
    readonly engine: Engine,
    readonly cpu: CpuEngine,
  ) {}

  get closed(): boolean {
    return this.#closed;
  }

  checkOpen(): void {
    if (this.#closed) throw new NearfieldError('closed', 'this Nearfield has been closed');
  }

  /** Makes something that is closed with the host. `make` is given what to call when it was closed before that. */
  keep<C extends Closable>(make: (onClose: () => void) => C): C {
    const made: C = make(() => this.#made.delete(made));
    if (this.#closed) made.close();
    else this.#made.add(made);
    return made;
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    for (const made of [...this.#made].reverse()) made.close();
    if (this.engine !== this.cpu) this.engine.close();
    this.cpu.close();
  }
}

/** What a host is made of. @internal */
export let hostCoreOf: (host: Host) => HostCore;

/** A backend that was opened. It makes scenes, whose questions are functions: `interferences(scene)`. */
export class Host<B extends Engine['backend'] = Engine['backend']> {
  static {
    hostCoreOf = host => host.#core;
  }
  readonly #core: HostCore;

  /** Use `openCpu()`, `openGpu()` or `open()`. */
  constructor(engine: Engine, cpu: CpuEngine) {
    this.#core = new HostCore(engine, cpu);
  }

  /** Where questions are asked: 'cpu' also where 'auto' found no GPU. */
  get backend(): B {
    return this.#core.engine.backend as B;
  }
  /** The adapter or processor, in words. */
  get name(): string {
    return this.#core.engine.name;
  }

  /** A new, empty scene. Scenes of one host share its engines, and know nothing of each other's bodies. Throws 'closed' after `close`. */
  scene(): BareScene<B> {
    const { engine, cpu } = this.#core;
    this.#core.checkOpen();
    return this.#core.keep(onClose => new BareScene<B>(engine, cpu, onClose));
  }

  /**
   * Gives all memory back; the process is free to end. Scenes and bodies are dead afterwards, and questions that still wait
   * reject with the code 'closed'.
   */
  close(): void {
    this.#core.close();
  }
}
