// A host makes scenes. It is a backend that was opened, with its engines and everything that is closed with it. An
// application that imports single questions opens one from `nearfield/cpu` or `nearfield/gpu`. `Nearfield`
// (nearfield.ts) is a host whose scenes have the questions as methods.

import type { Engine } from '../bodies/engine.ts';
import { NearfieldError } from '../core/errors.ts';
import type { CpuEngine } from '../cpu/engine.ts';
import { BareScene } from './bare-scene.ts';

/** A scene or a system of particles. */
interface Closable {
  close(): void;
}

/** What functions that make scenes and particles need from a host. @internal */
export class HostCore {
  readonly #made = new Set<Closable>();
  #closed = false;

  constructor(
    /** The engine of the host's backend: a GPU engine, or the same as `cpu`. */
    readonly engine: Engine,
    readonly cpu: CpuEngine,
  ) {}

  get closed(): boolean {
    return this.#closed;
  }

  checkOpen(): void {
    if (this.#closed) throw new NearfieldError('closed', 'the library has been closed: open it again');
  }

  /** Makes something that is closed with the host. `make` gets a function to call if it is closed before that. */
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

/** The core of a host. @internal */
export let hostCoreOf: (host: Host) => HostCore;

/** An open backend. It makes scenes, whose questions are functions: `interferences(scene)`. */
export class Host<B extends Engine['backend'] = Engine['backend']> {
  static {
    hostCoreOf = host => host.#core;
  }
  readonly #core: HostCore;

  /** Use `openCpu()`, `openGpu()` or `open()`. */
  constructor(engine: Engine, cpu: CpuEngine) {
    this.#core = new HostCore(engine, cpu);
  }

  /** The backend that answers questions. It is 'cpu' if 'auto' found no GPU. */
  get backend(): B {
    return this.#core.engine.backend as B;
  }
  /** The adapter or processor, in words. */
  get name(): string {
    return this.#core.engine.name;
  }

  /** A new, empty scene. Scenes of one host share engines but no bodies. Throws 'closed' after `close`. */
  scene(): BareScene<B> {
    return makeScene(this, BareScene<B>);
  }

  /**
   * Frees all memory, so that the process can end. Afterwards every call on its scenes and bodies throws 'closed', and
   * questions that are still waiting reject with 'closed'.
   */
  close(): void {
    this.#core.close();
  }
}

type SceneClass<S> = new (engine: Engine, cpu: CpuEngine, onClose: () => void) => S;

/** Makes a scene of the given class, which is closed with the host. @internal */
export function makeScene<S extends Closable>(host: Host, Kind: SceneClass<S>): S {
  const core = hostCoreOf(host);
  core.checkOpen();
  return core.keep(onClose => new Kind(core.engine, core.cpu, onClose));
}
