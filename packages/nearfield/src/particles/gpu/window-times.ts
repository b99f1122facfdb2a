// Where the time of a window goes: until it is submitted, until its answer arrives, until that is taken over, and on devices that
// have timestamps how long the kernels take. For measurements; costs nothing while it is off.

import { Stopwatch } from '../../gpu/stopwatch.ts';

export class WindowTimes {
  /** Whether kernels are timed too. */
  timing = false;
  before = 0;
  waiting = 0;
  after = 0;
  #mark = 0;
  #stopwatch: Stopwatch | undefined;

  /** GPU milliseconds of the last window whose time was read. */
  async kernels(device: GPUDevice): Promise<number | undefined> {
    await this.#stopwatch?.read(device);
    return this.#stopwatch?.milliseconds;
  }

  begin(): void {
    this.#mark = performance.now();
  }
  submitted(): void {
    this.before = this.#step();
  }
  arrived(): void {
    this.waiting = this.#step();
  }
  done(): void {
    this.after = this.#step();
  }

  passOf(device: GPUDevice): GPUComputePassDescriptor {
    if (!this.timing) return label;
    this.#stopwatch ??= new Stopwatch(device);
    this.#stopwatch.running = true;
    return this.#stopwatch.passOf(label);
  }

  encode(encoder: GPUCommandEncoder): void {
    if (this.timing) this.#stopwatch?.encode(encoder);
  }

  #step(): number {
    const now = performance.now();
    const passed = now - this.#mark;
    this.#mark = now;
    return passed;
  }
}

const label = { label: 'particles' };
