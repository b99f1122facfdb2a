// How long each kernel of a window takes, if the device has timestamps and timing is on. Each kernel then has a pass of
// its own.

export class WindowTimes {
  /** Whether kernels are timed, if the device can. */
  timing = false;
  readonly #device: GPUDevice;
  #names: string[] = [];
  #querySet: GPUQuerySet | undefined;
  #resolved: GPUBuffer | undefined;
  #staging: GPUBuffer | undefined;

  constructor(device: GPUDevice) {
    this.#device = device;
  }

  /** Forgets the last window. */
  begin(): void {
    this.#names = [];
  }

  get separate(): boolean {
    return this.timing && this.#device.features.has('timestamp-query');
  }

  /** The pass in which a kernel is timed. */
  passOf(name: string): GPUComputePassDescriptor {
    if (!this.separate || this.#names.length === mostPasses) return label;
    this.#querySet ??= this.#device.createQuerySet({ type: 'timestamp', count: 2 * mostPasses });
    const at = 2 * this.#names.length;
    this.#names.push(name);
    const querySet = this.#querySet;
    return {
      ...label,
      timestampWrites: { querySet, beginningOfPassWriteIndex: at, endOfPassWriteIndex: at + 1 },
    };
  }

  /** Milliseconds per kernel of the last window. */
  async kernels(): Promise<Record<string, number>> {
    const device = this.#device;
    const count = 2 * this.#names.length;
    if (count === 0) return {};
    const size = 16 * mostPasses;
    this.#resolved ??= device.createBuffer({
      size,
      usage: GPUBufferUsage.QUERY_RESOLVE | GPUBufferUsage.COPY_SRC,
    });
    this.#staging ??= device.createBuffer({ size, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST });
    const encoder = device.createCommandEncoder({ label: 'particles: times' });
    encoder.resolveQuerySet(this.#querySet!, 0, count, this.#resolved, 0);
    encoder.copyBufferToBuffer(this.#resolved, 0, this.#staging, 0, 8 * count);
    device.queue.submit([encoder.finish()]);
    await this.#staging.mapAsync(GPUMapMode.READ);
    const times = new BigUint64Array(this.#staging.getMappedRange(0, 8 * count));
    const sums: Record<string, number> = {};
    this.#names.forEach((name, i) => {
      sums[name] = (sums[name] ?? 0) + Number(times[2 * i + 1] - times[2 * i]) / 1e6;
    });
    this.#staging.unmap();
    return sums;
  }

  destroy(): void {
    this.#querySet?.destroy();
    this.#resolved?.destroy();
    this.#staging?.destroy();
  }
}

const label = { label: 'particles' };
const mostPasses = 32;
