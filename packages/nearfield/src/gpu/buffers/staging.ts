// Staging of large arrays on their way to the GPU. The queue's own writes allocate memory for each array, and the
// system fills its pages with zeros first. On an H200 six megabytes took 2.0 ms that way, and 0.45 ms through a
// buffer that is kept and mapped again after every use, which is about the time of a copy in memory.

/** The queue writes smaller arrays as quickly, since it keeps some memory itself. */
const leastBytes = 2 ** 21;
/** The memory kept in all. A stage that this many questions in a row have not used is destroyed. */
const mostBytes = 2 ** 26;
const mostIdle = 64;

interface Stage {
  readonly buffer: GPUBuffer;
  readonly size: number;
  /** Its mapped memory, while it is free to be written to. */
  memory: ArrayBuffer | undefined;
  /** Whether commands that read it have been recorded since `recycle`. */
  used: boolean;
  idle: number;
}

export class Staging {
  readonly #device: GPUDevice;
  #stages: Stage[] = [];

  constructor(device: GPUDevice) {
    this.#device = device;
  }

  /** Records the copy of an array into a buffer. Returns false if the queue should write the array instead. */
  write(
    encoder: GPUCommandEncoder,
    buffer: GPUBuffer,
    at: number,
    data: ArrayBufferView<ArrayBuffer>,
  ): boolean {
    const { byteLength } = data;
    if (byteLength < leastBytes || byteLength > mostBytes || byteLength % 4 !== 0) return false;
    const stage = this.#free(byteLength) ?? this.#create(byteLength);
    if (stage?.memory === undefined) return false;
    new Uint8Array(stage.memory).set(new Uint8Array(data.buffer, data.byteOffset, byteLength));
    stage.buffer.unmap();
    stage.memory = undefined;
    stage.used = true;
    stage.idle = 0;
    encoder.copyBufferToBuffer(stage.buffer, 0, buffer, at, byteLength);
    return true;
  }

  /** Maps memory again that the GPU has read. Everything recorded before must have been submitted, or given up. */
  recycle(): void {
    for (const stage of this.#stages) {
      if (stage.used) this.#map(stage);
      else stage.idle++;
    }
    if (this.#stages.some(isTooIdle)) {
      for (const stage of this.#stages) if (isTooIdle(stage)) stage.buffer.destroy();
      this.#stages = this.#stages.filter(stage => !isTooIdle(stage));
    }
  }

  destroy(): void {
    for (const { buffer } of this.#stages) buffer.destroy();
    this.#stages = [];
  }

  #map(stage: Stage): void {
    stage.used = false;
    stage.buffer.mapAsync(GPUMapMode.WRITE).then(
      () => {
        // The stage may have been destroyed meanwhile.
        if (this.#stages.includes(stage)) stage.memory = stage.buffer.getMappedRange();
      },
      () => {
        this.#stages = this.#stages.filter(kept => kept !== stage);
      },
    );
  }

  /** The smallest stage that is free and large enough. */
  #free(bytes: number): Stage | undefined {
    let best: Stage | undefined;
    for (const stage of this.#stages) {
      if (stage.memory === undefined || stage.size < bytes) continue;
      if (best === undefined || stage.size < best.size) best = stage;
    }
    return best;
  }

  #create(bytes: number): Stage | undefined {
    const size = 2 ** 20 * Math.ceil(bytes / 2 ** 20);
    let kept = 0;
    for (const stage of this.#stages) kept += stage.size;
    // Free stages are too small for this array. They give way to the new one, which can serve their purpose too.
    for (const stage of this.#stages.slice()) {
      if (kept + size <= mostBytes) break;
      if (stage.memory === undefined) continue;
      kept -= stage.size;
      stage.buffer.destroy();
      this.#stages = this.#stages.filter(other => other !== stage);
    }
    if (kept + size > mostBytes) return undefined;
    const usage = GPUBufferUsage.MAP_WRITE | GPUBufferUsage.COPY_SRC;
    const buffer = this.#device.createBuffer({ label: 'staging', size, usage, mappedAtCreation: true });
    const stage: Stage = { buffer, size, memory: buffer.getMappedRange(), used: false, idle: 0 };
    this.#stages.push(stage);
    return stage;
  }
}

const isTooIdle = ({ memory, idle }: Stage): boolean => memory !== undefined && idle > mostIdle;
